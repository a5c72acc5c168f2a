"""/trading, and the buttons of the board that open and end it."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.desk import NOBODY, Here, Look
from bot.rules.commands import Command, SetPhase
from bot.rules.games.advciv.commands import CloseTrading, DoneTrading, OpenTrading
from bot.rules.games.advciv.entries import TradingClosed, TradingDone
from bot.rules.ruling import Refused
from bot.rules.seats import rules_the_table
from bot.show import names
from bot.show.cards import Button, Card
from bot.show.happened import told
from cogs.door import Door, answer
from cogs.router import Router


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Trading(commands.GroupCog, group_name="trading", group_description="The time in which cards are traded"):
    """/trading."""

    def __init__(self, door: Door, router: Router) -> None:
        self._door = door
        router.route(r"board:(?P<table>\d+):(?P<what>trade|done|bell|close|turn|next)", self.board)

    @app_commands.command(name="open", description="Host: trading begins, or while it is open, ends at another time")
    @app_commands.describe(minutes="For how long; 0 for no limit, five are recommended")
    async def open(
        self, interaction: discord.Interaction, minutes: app_commands.Range[int, 0, 1440] | None = None
    ) -> None:
        """Open trading, or set the bell anew."""
        await self._open(interaction, minutes)

    @app_commands.command(name="done", description="You have traded all you want; say it again to go on")
    async def done(self, interaction: discord.Interaction) -> None:
        """Say to be done, or not any more."""
        await self._done(interaction)

    @app_commands.command(name="close", description="Host: trading is over")
    async def close(self, interaction: discord.Interaction) -> None:
        """Close trading."""
        await self._close(interaction)

    async def board(self, interaction: discord.Interaction, table: str, what: str) -> None:
        """A button of the board."""
        match what:
            case "trade":
                await self._open(interaction, None, int(table))
            case "done":
                await self._done(interaction, int(table))
            case "close":
                await self._close(interaction, int(table))
            case "next":
                await self._next(interaction, int(table))
            case _:
                look, me = await self._door.desk.look(int(table)), await self._door.asker(interaction, int(table))
                known = look.person(me.user_id)
                asks = Command(by=known.number if known else NOBODY, moderator=me.moderator)
                if not rules_the_table(look.table, asks):
                    raise Refused("", "The host says so.", names.tell(look, f"That is <person:{look.table.host}>."))
                await answer(interaction, SURE[what](look))

    async def _open(self, interaction: discord.Interaction, minutes: int | None, table: int | None = None) -> None:
        def make(here: Here) -> OpenTrading:
            return OpenTrading(by=here.me, moderator=here.asker.moderator, minutes=minutes)

        await self._door.openly(interaction, make, table_id=table)

    async def _done(self, interaction: discord.Interaction, table: int | None = None) -> None:
        """The board says who is done; only that trading is over is said aloud."""
        outcome = await self._door.do(interaction, lambda here: DoneTrading(by=here.me), table_id=table)
        kinds = [one.entry for one in outcome.entries]
        if isinstance(kinds[-1], TradingClosed):
            await answer(interaction, told(outcome), public=True)
        else:
            done = isinstance(kinds[0], TradingDone) and kinds[0].done
            said = "You are done. Press **Done** again to trade on." if done else "You are trading again."
            await answer(interaction, said)
        await self._door.tell(interaction, outcome)

    async def _next(self, interaction: discord.Interaction, table: int) -> None:
        await self._door.openly(
            interaction,
            lambda here: SetPhase(by=here.me, moderator=here.asker.moderator, phase="acquire"),
            table_id=table,
        )

    async def _close(self, interaction: discord.Interaction, table: int | None = None) -> None:
        await self._door.openly(
            interaction, lambda here: CloseTrading(by=here.me, moderator=here.asker.moderator), table_id=table
        )


def _sure_close(look: Look) -> Card:
    """What is undone can't be brought back, so the host is asked once more."""
    ask = "Is trading over? Offers that still stand end with it."
    return Card("waiting", (ask,), ((Button("Close trading", f"board:{look.table_id}:close", "danger"),),))


def _sure_next(look: Look) -> Card:
    ask = "Has everybody turned in their cards? Then the next turn begins."
    return Card("waiting", (ask,), ((Button("Begin the next turn", f"board:{look.table_id}:next", "primary"),),))


SURE = {"bell": _sure_close, "turn": _sure_next}
"""What is asked back under a button of the board that can't be taken back."""
