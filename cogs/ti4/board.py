"""The buttons of the board. Some advance the game at once, others ask something first."""

from __future__ import annotations

import discord

from bot.rules.games.ti4.actions import AgendaAction, ChooseOpponent, ChoosePhase, Peace, TakePassBack, TurnAction
from bot.rules.games.ti4.commands import (
    BeginCombat,
    EndCombat,
    NextTurn,
    PassTurn,
    ResolveAgenda,
    RevealAgenda,
    UndoPass,
)
from bot.rules.model.violation import Refused
from bot.rules.registry import game_named
from bot.rules.tables.commands import SetPhase
from bot.rules.views import TableView
from bot.show import names
from bot.show.cards import Button, Card, Select
from cogs.context import CommandContext, reply
from cogs.inputs import chosen
from cogs.router import Router
from cogs.ti4.agendas import which_card

AGENDA = {"reveal": RevealAgenda(), "replace": RevealAgenda(replaces=True), "resolve": ResolveAgenda()}
"""The command of each button about the agenda."""


class Board:
    """Handles the buttons of the board, and those under the questions that they ask."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(TurnAction, self.pressed)
        router.on(AgendaAction, self.agenda)
        router.on(TakePassBack, self.take_pass_back)
        router.on(Peace, self.peace)
        router.on(ChoosePhase, self.phase)
        router.on(ChooseOpponent, self.opponent)

    async def pressed(self, interaction: discord.Interaction, press: TurnAction) -> None:
        """Handle a button of the board."""
        match press.what:
            case "end":
                await self._context.execute_publicly(interaction, NextTurn(), table_id=press.table)
            case "pass":
                await self._context.execute_publicly(interaction, PassTurn(), table_id=press.table)
            case what:
                asks = {
                    "combat": _combat_card, "peace": _peace_card, "agenda": _agenda_card, "vote": _resolve_card,
                    "phase": _phase_card,
                }  # fmt: skip
                await reply(interaction, asks[what](await self._context.view(interaction, press.table)))

    async def agenda(self, interaction: discord.Interaction, press: AgendaAction) -> None:
        """Handle the choice of what happens to the agenda."""
        await self._context.execute_publicly(interaction, AGENDA[press.what], table_id=press.table)

    async def take_pass_back(self, interaction: discord.Interaction, press: TakePassBack) -> None:
        """Handle **Take the pass back**."""
        await self._context.execute_publicly(interaction, UndoPass(press.seat), table_id=press.table)

    async def peace(self, interaction: discord.Interaction, press: Peace) -> None:
        """Handle **Peace**: the combat is over."""
        await self._context.execute_publicly(interaction, EndCombat(), table_id=press.table)

    async def phase(self, interaction: discord.Interaction, press: ChoosePhase) -> None:
        """Handle the choice of a phase."""
        await self._context.execute_publicly(interaction, SetPhase(press.phase), table_id=press.table)

    async def opponent(self, interaction: discord.Interaction, select: ChooseOpponent) -> None:
        """Handle the choice of an opponent."""
        seat = chosen(interaction)[0]
        await self._context.execute_publicly(interaction, BeginCombat(None, seat), table_id=select.table)


def _combat_card(view: TableView) -> Card:
    """Ask whom the presser fights. Raises `Refused` while it is nobody's turn."""
    if view.window.kind != "turn":
        raise Refused("", "There is combat only during a turn.", "/turn start begins one.")
    others = [seat for seat in view.seated() if seat != view.seat]
    options = tuple((names.plain_player(view, seat), seat) for seat in others)
    select = Select("Opponent", ChooseOpponent(view.id), options)
    return Card("waiting", ("Whom do you fight in the active system?",), (select,))


def _peace_card(view: TableView) -> Card:
    """Ask whether the combat is over."""
    return Card("waiting", ("Is the combat over?",), ((Button("Peace", Peace(view.id), "primary"),),))


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


def _phase_card(view: TableView) -> Card:
    """Ask which phase begins. The rules decide later whether the presser may set it."""
    phases = game_named(view.game).info.phases
    buttons = tuple(Button(phase.capitalize(), ChoosePhase(view.id, phase)) for phase in phases)
    return Card("waiting", ("Which phase begins? The host may say so.",), (buttons,))
