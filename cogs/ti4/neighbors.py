"""/neighbors, and the buttons by which two players say that they are neighbours."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.desk import Here
from bot.rules.entries import Entry
from bot.rules.games.ti4.commands import AnswerClaim, ClaimNeighbor, JoinNeighbors, PartNeighbors
from bot.rules.games.ti4.entries import NeighborsJoined
from bot.rules.games.ti4.state import Ti4State, are_neighbors
from bot.rules.offer_state import standing
from bot.rules.ruling import Refused
from bot.show import names
from cogs.door import Door, answer, person
from cogs.router import Router


@app_commands.guild_only()
class Neighbors(commands.GroupCog, group_name="neighbors", group_description="Who are neighbours on the board"):
    """/neighbors join, part and show."""

    def __init__(self, door: Door, router: Router) -> None:
        self._door = door
        router.route(r"claim:(?P<table>\d+):(?P<offer>\d+)", self.claim)
        router.route(r"ask:(?P<table>\d+):neighbors:(?P<other>\w+):(?P<seat>\w+):(?P<said>yes|no)", self.answered)

    @app_commands.command(name="join", description="Two players are neighbours now")
    @app_commands.describe(first="One of them", second="The other")
    async def join(self, interaction: discord.Interaction, first: discord.User, second: discord.User) -> None:
        """Two seats become neighbours."""

        def make(here: Here) -> JoinNeighbors:
            one, other = person(here, first), person(here, second)
            return JoinNeighbors(by=here.me, moderator=here.asker.moderator, first=one, second=other)

        outcome = await self._door.do(interaction, make)
        await answer(interaction, f"{first.mention} and {second.mention} are neighbours now.", public=True)
        await self._door.tell(interaction, outcome)

    @app_commands.command(name="part", description="Two players are no longer neighbours")
    @app_commands.describe(first="One of them", second="The other")
    async def part(self, interaction: discord.Interaction, first: discord.User, second: discord.User) -> None:
        """Two seats are no longer neighbours."""

        def make(here: Here) -> PartNeighbors:
            one, other = person(here, first), person(here, second)
            return PartNeighbors(by=here.me, moderator=here.asker.moderator, first=one, second=other)

        outcome = await self._door.do(interaction, make)
        told = f"{first.mention} and {second.mention} are no longer neighbours."
        await answer(interaction, told, public=True)
        await self._door.tell(interaction, outcome)

    @app_commands.command(name="show", description="Who are neighbours now")
    async def show(self, interaction: discord.Interaction) -> None:
        """List each seat's neighbours."""
        look = await self._door.look(interaction)
        table = look.table
        if not isinstance(table.state, Ti4State):
            raise Refused("", "This game has no neighbours.", "In it everybody trades with everybody.")
        lines = []
        for seat in table.seats:
            beside = [names.mention(look, other) for other in table.seats if are_neighbors(table, seat, other)]
            lines.append(f"{names.player(look, seat)}: {', '.join(beside) or 'nobody'}")
        await answer(interaction, "**Neighbours**\n" + ("\n".join(lines) or "Nobody sits here yet."))

    async def claim(self, interaction: discord.Interaction, table: str, offer: str) -> None:
        """**We are neighbours now**, under the refusal of an offer."""

        def make(here: Here) -> ClaimNeighbor:
            stands = standing(here.table, int(offer))
            seat = here.table.seat_of(here.me)
            other = stands.seat if seat is None or seat.id != stands.seat else stands.to
            if other is None:
                raise Refused("", "Nobody has taken up that offer yet.", "/neighbors join names two players.")
            return ClaimNeighbor(by=here.me, moderator=here.asker.moderator, other=other)

        outcome = await self._door.do(interaction, make, table_id=int(table))
        entry: Entry = outcome.entries[-1].entry
        if isinstance(entry, NeighborsJoined):
            told = names.tell(outcome.after, f"<seat:{entry.first}> and <seat:{entry.second}> are neighbours now.")
        else:
            told = "I have asked the other to confirm it. Then press Accept once more."
        await answer(interaction, told)
        await self._door.tell(interaction, outcome)

    async def answered(self, interaction: discord.Interaction, table: str, other: str, seat: str, said: str) -> None:
        """The other confirms or denies it."""
        outcome = await self._door.do(
            interaction,
            lambda here: AnswerClaim(by=here.me, moderator=here.asker.moderator, other=other, agreed=said == "yes"),
            table_id=int(table),
        )
        now = "are neighbours now" if said == "yes" else "are not neighbours"
        await answer(interaction, names.tell(outcome.after, f"You and <seat:{other}> {now}."))
        await self._door.tell(interaction, outcome)
