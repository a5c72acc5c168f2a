"""The buttons of the board and its menu. Some advance the game at once, others ask the host first."""

from __future__ import annotations

import discord

from bot.api import Refused, SetPhase, TableView
from bot.api.discord import Button, Card, CommandContext, Router, names, reply
from bot.games.advciv.actions import BoardAction, OpenAnyway
from bot.games.advciv.state import ACQUIRE
from cogs.advciv.calamities import Calamities
from cogs.advciv.cards import Cards
from cogs.advciv.trading import Trading


class Board:
    """Handles the buttons of the board, and those under the questions that they ask."""

    def __init__(
        self, context: CommandContext, router: Router, cards: Cards, calamities: Calamities, trading: Trading
    ) -> None:
        self._context = context
        self._cards = cards
        self._calamities = calamities
        self._trading = trading
        router.on(BoardAction, self.pressed)
        router.on(OpenAnyway, self.opened_anyway)

    async def opened_anyway(self, interaction: discord.Interaction, press: OpenAnyway) -> None:
        """Handle **Open anyway**."""
        await self._trading.open_at(interaction, press.table, press.minutes, anyway=True)

    async def pressed(self, interaction: discord.Interaction, press: BoardAction) -> None:
        """Handle a button of the board."""
        match press.what:
            case "open_trading":
                await self._trading.open_at(interaction, press.table)
            case "undo_trading":
                await self._trading.undo_at(interaction, press.table)
            case "done":
                await self._trading.done_at(interaction, press.table)
            case "close":
                await self._trading.close_at(interaction, press.table)
            case "show_calamities":
                await self._calamities.show_at(interaction, press.table)
            case "show_anyway":
                await self._calamities.show_at(interaction, press.table, anyway=True)
            case "buy":
                await self._cards.buy_at(interaction, press.table)
            case "next_turn":
                await self._context.execute_publicly(interaction, SetPhase(ACQUIRE), table_id=press.table)
            case "ask_close" | "ask_next_turn":
                view = await self._context.view(interaction, press.table)
                await reply(interaction, _ask_close(view) if press.what == "ask_close" else _ask_next_turn(view))


def _ask_close(view: TableView) -> Card:
    """Ask the host whether trading is over, since offers end with it for good. Raises `Refused` for others."""
    _require_host(view)
    button = Button("Close trading", BoardAction(view.id, "close"), "danger")
    return Card("waiting", ("Is trading over? Offers that still stand end with it.",), ((button,),))


def _ask_next_turn(view: TableView) -> Card:
    """Ask the host whether the next turn begins. Raises `Refused` for others."""
    _require_host(view)
    button = Button("Begin the next turn", BoardAction(view.id, "next_turn"), "primary")
    return Card("waiting", ("Has everybody turned in their cards? Then the next turn begins.",), ((button,),))


def _require_host(view: TableView) -> None:
    """Raise `Refused` for a person who does not host, since the rules would refuse their answer."""
    if not view.hosts:
        raise Refused("", "The host says so.", names.format_text(view, f"That is <person:{view.host}>."))
