"""/turn and /neighbors: what Twilight Imperium 4's board says and its rules on transactions ask for."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.desk import Here
from bot.rules.games.ti4.commands import EndTurn, JoinNeighbors, PartNeighbors, StartTurn
from bot.rules.games.ti4.state import Ti4State, are_neighbors
from bot.rules.ruling import Refused
from bot.show import names
from cogs.door import Door, answer, person


@app_commands.guild_only()
class Turns(commands.GroupCog, group_name="turn", group_description="Whose turn it is"):
    """/turn start and end."""

    def __init__(self, door: Door) -> None:
        self._door = door

    @app_commands.command(name="start", description="Somebody's turn begins")
    @app_commands.describe(player="Whose turn; leave out for your own")
    async def start(self, interaction: discord.Interaction, player: discord.User | None = None) -> None:
        """Begin a turn."""

        def make(here: Here) -> StartTurn:
            who = person(here, player) if player else here.me
            return StartTurn(by=here.me, moderator=here.asker.moderator, person=who)

        outcome = await self._door.do(interaction, make)
        seat = outcome.after.table.window.holder or ""
        await answer(interaction, f"It is {names.player(outcome.after, seat)}'s turn.", public=True)
        await self._door.tell(interaction, outcome)

    @app_commands.command(name="end", description="The turn is over")
    async def end(self, interaction: discord.Interaction) -> None:
        """End the turn."""
        outcome = await self._door.do(interaction, lambda here: EndTurn(by=here.me, moderator=here.asker.moderator))
        seat = outcome.before.window.holder or ""
        await answer(interaction, f"{names.player(outcome.after, seat)}'s turn is over.", public=True)
        await self._door.tell(interaction, outcome)


@app_commands.guild_only()
class Neighbors(commands.GroupCog, group_name="neighbors", group_description="Who are neighbours on the board"):
    """/neighbors join, part and show."""

    def __init__(self, door: Door) -> None:
        self._door = door

    @app_commands.command(name="join", description="Two players are neighbours now")
    @app_commands.describe(first="One of them", second="The other")
    async def join(self, interaction: discord.Interaction, first: discord.User, second: discord.User) -> None:
        """Two seats become neighbours."""

        def make(here: Here) -> JoinNeighbors:
            return JoinNeighbors(
                by=here.me, moderator=here.asker.moderator, first=person(here, first), second=person(here, second)
            )

        outcome = await self._door.do(interaction, make)
        await answer(interaction, f"{first.mention} and {second.mention} are neighbours now.", public=True)
        await self._door.tell(interaction, outcome)

    @app_commands.command(name="part", description="Two players are no longer neighbours")
    @app_commands.describe(first="One of them", second="The other")
    async def part(self, interaction: discord.Interaction, first: discord.User, second: discord.User) -> None:
        """Two seats are no longer neighbours."""

        def make(here: Here) -> PartNeighbors:
            return PartNeighbors(
                by=here.me, moderator=here.asker.moderator, first=person(here, first), second=person(here, second)
            )

        outcome = await self._door.do(interaction, make)
        await answer(interaction, f"{first.mention} and {second.mention} are no longer neighbours.", public=True)
        await self._door.tell(interaction, outcome)

    @app_commands.command(name="show", description="Who are neighbours now")
    async def show(self, interaction: discord.Interaction) -> None:
        """List each seat's neighbours."""
        look = await self._door.look(interaction)
        table = look.table
        if not isinstance(table.state, Ti4State):
            raise Refused("", "This game has no neighbours.", "In it everybody trades with everybody.")
        lines = [
            f"{names.player(look, seat)}: "
            + (", ".join(names.mention(look, o) for o in table.seats if are_neighbors(table, seat, o)) or "nobody")
            for seat in table.seats
        ]
        await answer(interaction, "**Neighbours**\n" + ("\n".join(lines) or "Nobody sits here yet."))
