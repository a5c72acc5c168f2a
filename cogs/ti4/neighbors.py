"""/neighbors, and the buttons with which two players agree that they are neighbours."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.commands import Command
from bot.rules.games.ti4.actions import ClaimAnswer, ClaimNeighbors
from bot.rules.games.ti4.commands import AnswerClaim, ClaimTradePartner, JoinNeighbors, PartNeighbors
from bot.rules.games.ti4.entries import NeighborsJoined
from bot.rules.model.violation import Refused
from bot.rules.views import TableView
from bot.service import Outcome
from bot.show import names
from cogs.context import CommandContext, reply, requester
from cogs.inputs import seat_of
from cogs.router import Router


@app_commands.guild_only()
class Neighbors(commands.GroupCog, group_name="neighbors", group_description="Who are neighbours on the board"):
    """The /neighbors commands."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(ClaimNeighbors, self.claimed)
        router.on(ClaimAnswer, self.answered)

    @app_commands.command(name="join", description="Two players are neighbours now")
    @app_commands.describe(first="One of them", second="The other")
    async def join(self, interaction: discord.Interaction, first: discord.User, second: discord.User) -> None:
        """Make two seats neighbours."""
        view = await self._context.view(interaction)
        command = JoinNeighbors(seat_of(view, first), seat_of(view, second))
        text = f"{_two(view, first, second)} are neighbours now."
        await self._execute(interaction, command, view.id, text)

    @app_commands.command(name="part", description="Two players are no longer neighbours")
    @app_commands.describe(first="One of them", second="The other")
    async def part(self, interaction: discord.Interaction, first: discord.User, second: discord.User) -> None:
        """End that two seats are neighbours."""
        view = await self._context.view(interaction)
        command = PartNeighbors(seat_of(view, first), seat_of(view, second))
        text = (
            f"{names.mention_user(view, first.id)} and {names.mention_user(view, second.id)} are no longer neighbours."
        )
        await self._execute(interaction, command, view.id, text)

    async def _execute(self, interaction: discord.Interaction, command: Command, table_id: int, text: str) -> None:
        await self._context.execute_publicly(interaction, command, table_id=table_id, text=lambda outcome: text)

    @app_commands.command(name="show", description="Who are neighbours now")
    async def show(self, interaction: discord.Interaction) -> None:
        """List the neighbours of each seat."""
        view = await self._context.view(interaction)
        if view.game != "ti4":
            raise Refused("", "This game has no neighbours.", "In it everybody trades with everybody.")
        pairs = await self._context.service.pairs(view.id, requester(interaction))
        together = [each.seats for each in pairs if each.neighbors]
        lines = []
        for seat in view.seated():
            beside = [other for other in view.seated() if (seat, other) in together or (other, seat) in together]
            listed = ", ".join(names.mention(view, other) for other in beside)
            lines.append(f"{names.player(view, seat)}: {listed or 'nobody'}")
        await reply(interaction, "**Neighbours**\n" + ("\n".join(lines) or "Nobody sits here yet."))

    async def claimed(self, interaction: discord.Interaction, press: ClaimNeighbors) -> None:
        """Handle **We are neighbours now** under the refusal of an offer."""
        command = ClaimTradePartner(press.offer)
        await self._context.execute_privately(interaction, command, _claim_text, table_id=press.table)

    async def answered(self, interaction: discord.Interaction, press: ClaimAnswer) -> None:
        """Handle the other player's answer, who confirms or denies it."""
        now = "are neighbours now" if press.agreed else "are not neighbours"

        def text(outcome: Outcome) -> str:
            return names.format_text(outcome.view, f"You and <seat:{press.other}> {now}.")

        command = AnswerClaim(press.other, press.agreed)
        await self._context.execute_privately(interaction, command, text, table_id=press.table)


def _claim_text(outcome: Outcome) -> str:
    """Return the reply to saying that two are neighbours: they are, if the other has said so too."""
    entry = outcome.entries[-1].entry
    if not isinstance(entry, NeighborsJoined):
        return "I have asked the other to confirm it. Then press Accept once more."
    return names.format_text(outcome.view, f"<seat:{entry.first}> and <seat:{entry.second}> are neighbours now.")


def _two(view: TableView, first: discord.User, second: discord.User) -> str:
    return f"{names.mention_user(view, first.id)} and {names.mention_user(view, second.id)}"
