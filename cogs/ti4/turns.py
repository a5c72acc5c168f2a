"""/turn and /agenda, and the board's buttons: what moves the game on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.desk import Here, Look
from bot.rules.commands import Command, SetPhase
from bot.rules.games.ti4.commands import (
    BeginCombat,
    EndCombat,
    EndTurn,
    NextTurn,
    PassTurn,
    ResolveAgenda,
    RevealAgenda,
    StartTurn,
)
from bot.rules.games.ti4.state import Ti4State, active_seat
from bot.rules.ruling import Refused
from bot.rules.table import Table
from bot.show import names
from bot.show.cards import Button, Card, Select
from cogs.door import Door, answer, person
from cogs.router import Router


@app_commands.guild_only()
class Turns(commands.GroupCog, group_name="turn", group_description="Whose turn it is"):
    """/turn, and the board."""

    def __init__(self, door: Door, router: Router) -> None:
        self._door = door
        router.route(r"board:(?P<table>\d+):(?P<what>end|pass|combat|agenda|phase)", self.board)
        router.route(r"board:(?P<table>\d+):(?P<what>reveal|replace|resolve|peace)", self.chosen)
        router.route(r"board:(?P<table>\d+):phase:(?P<phase>\w+)", self.phase)
        router.route(r"board:(?P<table>\d+):fight", self.fight)

    @app_commands.command(name="start", description="Somebody's turn begins")
    @app_commands.describe(player="Whose turn; leave out for your own")
    async def start(self, interaction: discord.Interaction, player: discord.User | None = None) -> None:
        """Begin a turn."""

        def make(here: Here) -> StartTurn:
            who = person(here, player) if player else here.me
            return StartTurn(by=here.me, moderator=here.asker.moderator, person=who)

        await self._moved(interaction, make)

    @app_commands.command(name="end", description="Your turn is over")
    async def end(self, interaction: discord.Interaction) -> None:
        """End the turn."""
        await self._moved(interaction, lambda here: EndTurn(by=here.me, moderator=here.asker.moderator))

    @app_commands.command(name="next", description="Your turn is over, and the next in order begins")
    async def next(self, interaction: discord.Interaction) -> None:
        """End the turn and begin the next."""
        await self._moved(interaction, lambda here: NextTurn(by=here.me, moderator=here.asker.moderator))

    @app_commands.command(name="pass", description="You pass for this round, and the next in order begins")
    async def pass_turn(self, interaction: discord.Interaction) -> None:
        """Pass."""
        await self._moved(interaction, lambda here: PassTurn(by=here.me, moderator=here.asker.moderator))

    @app_commands.command(name="combat", description="You fight somebody in the active system")
    @app_commands.rename(opponent="with")
    @app_commands.describe(opponent="Your opponent", player="Who fights them; leave out for yourself")
    async def combat(
        self, interaction: discord.Interaction, opponent: discord.User, player: discord.User | None = None
    ) -> None:
        """Begin a combat."""

        def make(here: Here) -> BeginCombat:
            first = person(here, player) if player else here.me
            return BeginCombat(by=here.me, moderator=here.asker.moderator, first=first, second=person(here, opponent))

        await self._moved(interaction, make)

    @app_commands.command(name="peace", description="The combat in the active system is over")
    async def peace(self, interaction: discord.Interaction) -> None:
        """End the combat."""
        await self._moved(interaction, lambda here: EndCombat(by=here.me, moderator=here.asker.moderator))

    async def board(self, interaction: discord.Interaction, table: str, what: str) -> None:
        """A button of the board."""
        match what:
            case "end":
                await self._moved(
                    interaction, lambda here: NextTurn(by=here.me, moderator=here.asker.moderator), table=int(table)
                )
            case "pass":
                await self._moved(
                    interaction, lambda here: PassTurn(by=here.me, moderator=here.asker.moderator), table=int(table)
                )
            case _:
                look = await self._door.desk.look(int(table))
                asks = {"combat": _combat_card, "agenda": _agenda_card, "phase": _phase_card}[what]
                await answer(interaction, asks(look, look.seat(interaction.user.id)))

    async def chosen(self, interaction: discord.Interaction, table: str, what: str) -> None:
        """A button under what the board asked back."""

        def make(here: Here) -> Command:
            by, moderator = here.me, here.asker.moderator
            match what:
                case "resolve":
                    return ResolveAgenda(by=by, moderator=moderator)
                case "peace":
                    return EndCombat(by=by, moderator=moderator)
                case _:
                    return RevealAgenda(by=by, moderator=moderator, replaces=what == "replace")

        await self._moved(interaction, make, table=int(table))

    async def phase(self, interaction: discord.Interaction, table: str, phase: str) -> None:
        """A phase was chosen."""
        await self._moved(
            interaction,
            lambda here: SetPhase(by=here.me, moderator=here.asker.moderator, phase=phase),
            table=int(table),
        )

    async def fight(self, interaction: discord.Interaction, table: str) -> None:
        """An opponent was chosen."""
        data: Any = interaction.data
        [seat] = data["values"]

        def make(here: Here) -> BeginCombat:
            opponent = here.table.seats[seat].person if seat in here.table.seats else None
            if opponent is None:
                raise Refused("", "Nobody plays that seat any more.", "/turn combat names an opponent.")
            return BeginCombat(by=here.me, moderator=here.asker.moderator, first=here.me, second=opponent)

        await self._moved(interaction, make, table=int(table))

    async def _moved(
        self, interaction: discord.Interaction, make: Callable[[Here], Command], *, table: int | None = None
    ) -> None:
        await self._door.openly(interaction, make, table_id=table)


@app_commands.guild_only()
class Agendas(commands.GroupCog, group_name="agenda", group_description="The agenda that is being resolved"):
    """/agenda."""

    def __init__(self, door: Door) -> None:
        self._door = door

    @app_commands.command(name="reveal", description="An agenda is revealed; each pair may trade once")
    @app_commands.describe(title="What it is called")
    async def reveal(
        self, interaction: discord.Interaction, title: app_commands.Range[str, 1, 80] | None = None
    ) -> None:
        """Reveal an agenda."""
        await self._moved(
            interaction,
            lambda here: RevealAgenda(by=here.me, moderator=here.asker.moderator, title=title or ""),
        )

    @app_commands.command(name="replace", description="The agenda is replaced; each pair may trade again")
    @app_commands.describe(title="What the new one is called")
    async def replace(
        self, interaction: discord.Interaction, title: app_commands.Range[str, 1, 80] | None = None
    ) -> None:
        """Replace the agenda."""
        await self._moved(
            interaction,
            lambda here: RevealAgenda(by=here.me, moderator=here.asker.moderator, title=title or "", replaces=True),
        )

    @app_commands.command(name="resolve", description="The agenda has been dealt with")
    async def resolve(self, interaction: discord.Interaction) -> None:
        """Resolve the agenda."""
        await self._moved(interaction, lambda here: ResolveAgenda(by=here.me, moderator=here.asker.moderator))

    async def _moved(self, interaction: discord.Interaction, make: Callable[[Here], Command]) -> None:
        await self._door.openly(interaction, make)


def _combat_card(look: Look, seat: str | None) -> Card:
    """Who fights whom: a choice of opponents; or the end of the combat there is."""
    table = look.table
    if _state(table).combat:
        return Card(
            "waiting", ("Is the combat over?",), ((Button("Peace", f"board:{look.table_id}:peace", "primary"),),)
        )
    if active_seat(table) is None:
        raise Refused("", "There is combat only during a turn.", "/turn start begins one.")
    options = tuple(
        (f"{names.name(look, other.id)} ({names.seat_name(look, other.id)})", other.id)
        for other in table.seats.values()
        if other.person is not None and other.id != seat
    )
    return Card(
        "waiting",
        ("Whom do you fight in the active system?",),
        (Select("Opponent", f"board:{look.table_id}:fight", options),),
    )


def _agenda_card(look: Look, _: str | None) -> Card:
    """What can happen to an agenda now."""
    if _state(look.table).agenda is None:
        buttons: tuple[Button, ...] = (Button("Reveal", f"board:{look.table_id}:reveal", "primary"),)
        return Card("waiting", ("Is an agenda revealed? Each pair may then trade once.",), (buttons,))
    buttons = (
        Button("Resolve", f"board:{look.table_id}:resolve", "primary"),
        Button("Replace", f"board:{look.table_id}:replace"),
    )
    return Card("waiting", ("Has the agenda been resolved, or replaced by another?",), (buttons,))


def _phase_card(look: Look, _: str | None) -> Card:
    """The phases, for the host."""
    buttons = tuple(
        Button(phase.capitalize(), f"board:{look.table_id}:phase:{phase}") for phase in names.game_of(look).phases
    )
    return Card("waiting", ("Which phase begins? The host may say so.",), (buttons,))


def _state(table: Table) -> Ti4State:
    if not isinstance(table.state, Ti4State):
        raise Refused("", "This game has no turns of that kind.", "/table show tells where it stands.")
    return table.state
