"""/permit: the host lifts a rule for a card that is not modelled."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.desk import Here
from bot.rules.games.ti4.commands import GrantPermit
from cogs.door import Door, person


@app_commands.guild_only()
class Permits(commands.GroupCog, group_name="permit", group_description="Host: lift a rule for one pair"):
    """/permit grant."""

    def __init__(self, door: Door) -> None:
        self._door = door

    @app_commands.command(name="grant", description="Host: lift a rule for two players, for a card I do not know")
    @app_commands.describe(
        first="One of them",
        second="The other",
        lifts="Which rule: neighbours, once a turn, whose turn it is, or what may be traded",
        once="Until it has been used (that is how it is without this option), or until the game ends",
        reason="The card that allows it",
    )
    async def grant(
        self,
        interaction: discord.Interaction,
        first: discord.User,
        second: discord.User,
        lifts: Literal["neighbors", "limit", "window", "goods"],
        reason: app_commands.Range[str, 1, 100],
        once: bool = True,
    ) -> None:
        """Grant a permit."""

        def make(here: Here) -> GrantPermit:
            return GrantPermit(
                by=here.me,
                moderator=here.asker.moderator,
                first=person(here, first),
                second=person(here, second),
                lifts=lifts,
                once=once,
                reason=reason.strip(),
            )

        await self._door.openly(interaction, make)
