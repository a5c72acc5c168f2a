"""The buttons of the board and its menu. Some advance the game at once, others ask something first."""

from __future__ import annotations

import discord

from bot.api import Command, Refused, TableView
from bot.api.discord import LABEL_MAX, Button, Card, CommandContext, Router, names, reply, rows_of
from bot.games.ti4.actions import AgendaAction, FightAction, GiveTurnBack, Peace, TakePassBack, TurnAction
from bot.games.ti4.commands import (
    BeginCombat,
    EndCombat,
    NextTurn,
    PassTurn,
    ResolveAgenda,
    RevealAgenda,
    StartTurn,
    UndoPass,
)
from cogs.ti4.agendas import which_card

AGENDA = {"reveal": RevealAgenda(), "replace": RevealAgenda(replaces=True), "resolve": ResolveAgenda()}
"""The command of each button about the agenda."""

TURN: dict[str, Command] = {"start": StartTurn(), "end": NextTurn(), "pass": PassTurn(), "next": NextTurn()}
"""The command of each button that moves the turn on."""


class Board:
    """Handles the buttons of the board, and those under the questions that they ask."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(TurnAction, self.pressed)
        router.on(AgendaAction, self.agenda)
        router.on(TakePassBack, self.take_pass_back)
        router.on(Peace, self.peace)
        router.on(GiveTurnBack, self.give_turn_back)
        router.on(FightAction, self.fight)

    async def pressed(self, interaction: discord.Interaction, press: TurnAction) -> None:
        """Handle a button of the board."""
        if (command := TURN.get(press.what)) is not None:
            await self._context.execute_publicly(interaction, command, table_id=press.table)
            return
        asks = {"combat": _combat_card, "agenda": _agenda_card, "vote": _resolve_card}
        await reply(interaction, asks[press.what](await self._context.view(interaction, press.table)))

    async def agenda(self, interaction: discord.Interaction, press: AgendaAction) -> None:
        """Handle the choice of what happens to the agenda."""
        await self._context.execute_publicly(interaction, AGENDA[press.what], table_id=press.table)

    async def take_pass_back(self, interaction: discord.Interaction, press: TakePassBack) -> None:
        """Handle **Take the pass back**."""
        await self._context.execute_publicly(interaction, UndoPass(press.seat), table_id=press.table)

    async def peace(self, interaction: discord.Interaction, press: Peace) -> None:
        """Handle **The combat is over**."""
        await self._context.execute_publicly(interaction, EndCombat(), table_id=press.table)

    async def give_turn_back(self, interaction: discord.Interaction, press: GiveTurnBack) -> None:
        """Handle the button that gives a turn back which ended by a slip."""
        await self._context.execute_publicly(interaction, StartTurn(press.seat, "same"), table_id=press.table)

    async def fight(self, interaction: discord.Interaction, press: FightAction) -> None:
        """Handle the choice of an opponent."""
        await self._context.execute_publicly(interaction, BeginCombat(None, press.seat), table_id=press.table)


def _combat_card(view: TableView) -> Card:
    """Ask whom the presser fights. Raises `Refused` while it is nobody's turn."""
    if view.window.kind != "turn":
        raise Refused("", "There is combat only during a turn.", "/turn start begins one.")
    others = [seat for seat in view.seated() if seat != view.seat]
    every = [
        Button(f"Fight {names.plain_player(view, seat)}"[:LABEL_MAX], FightAction(view.id, seat)) for seat in others
    ]
    return Card("waiting", ("Whom do you fight in the active system?",), rows_of(every))


def _agenda_card(view: TableView) -> Card:
    """Ask what happens to the agenda, or which kind of agenda it is that begins."""
    if view.window.kind == "turn":
        return which_card(view, "")
    if view.window.kind != "agenda":
        reveal = Button("Reveal", AgendaAction(view.id, "reveal"), "primary")
        return Card("waiting", ("Is an agenda revealed? Each pair may then trade once.",), ((reveal,),))
    return _resolve_card(view)


def _resolve_card(view: TableView) -> Card:
    """Ask how the agenda ends."""
    resolve = Button("Resolve", AgendaAction(view.id, "resolve"), "primary")
    replace = Button("Replace", AgendaAction(view.id, "replace"))
    return Card("waiting", ("Has the agenda been resolved, or replaced by another?",), ((resolve, replace),))
