"""/history: what happened at a table, as far as whoever asks may know it."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.rules.books import seat_of
from bot.rules.ruling import Refused
from bot.show.audit import Filter, Page, history_card
from bot.show.cards import Card, offer_line
from cogs.complete import choices
from cogs.door import Door, answer
from cogs.pages import opened, pictured, turned
from cogs.router import Router

WHERE = r"(?P<table>\d+):(?P<upto>\d+):(?P<page>\d+)"


class History(commands.Cog):
    """/history. A moderator sees no more here than anybody: for that there is /audit, which leaves a trace."""

    def __init__(self, door: Door, router: Router) -> None:
        self._door = door
        router.route(rf"history:{WHERE}:(?P<who>\d+),(?P<offer>\d+)", self.turned)

    @app_commands.command(name="history", description="What happened at this table, as far as you may know it")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.describe(player="Only what this player did or was part of", offer="Only this offer")
    async def history(
        self, interaction: discord.Interaction, player: discord.User | None = None, offer: int | None = None
    ) -> None:
        """Show what happened, newest first."""
        table_id = await self._door.last_table_id(interaction)
        look = await self._door.desk.look(table_id)
        known = look.person(player.id) if player else None
        if player and known is None:
            raise Refused("", f"{player.mention} has had no part in this table.", "Name somebody who plays or hosts.")
        if offer is not None and offer not in look.table.offers:
            raise Refused("", f"There was no offer #{offer} at this table.", "Pick one from the list as you type.")
        only = Filter(person=known.number if known else 0, offer=offer or 0)
        await answer(interaction, await self._card(interaction, table_id, look.table.seq, 1, only))

    async def turned(
        self, interaction: discord.Interaction, table: str, upto: str, page: str, who: str, offer: str
    ) -> None:
        """A button under the history."""
        only = Filter(person=int(who), offer=int(offer))
        await turned(interaction, await self._card(interaction, int(table), int(upto), int(page), only))

    async def _card(
        self, interaction: discord.Interaction, table_id: int, upto: int, number: int, only: Filter
    ) -> Card:
        book = await opened(self._door, table_id, upto, interaction.user.id, audits=False)
        page = Page("history", upto, number, f"{only.person},{only.offer}")
        card = history_card(book.look, book.life, book.viewer, page, only)
        if number > 1 or only.offer:
            return card
        return await pictured(card, book, seat_of(book.life, only.person) if only.person else book.viewer.seat)

    @history.autocomplete("offer")
    async def _offers(self, interaction: discord.Interaction, typed: int | str) -> list[Choice[int]]:
        look = await self._door.desk.look(await self._door.last_table_id(interaction))
        seat = look.seat(interaction.user.id)
        offers = [offer for offer in look.table.offers.values() if offer.shown_to(seat)][::-1]
        return choices(
            ((offer_line(look, o, seat if o.known_to(seat) else None), o.number) for o in offers), str(typed)
        )
