"""/deal: agreements in words, and what became of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.desk import Here, Look
from bot.rules.commands import AnswerDeal, Command, MarkDeal, ProposeDeal
from bot.rules.table import Deal
from bot.show import names
from bot.show.cards import Card
from bot.show.deals import deal_text
from cogs.complete import choices
from cogs.door import Door, answer, person
from cogs.router import Router

LISTED = 10
"""Deals that /deal list shows at most."""


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Deals(commands.GroupCog, group_name="deal", group_description="Deals: agreements in words"):
    """Everything about deals."""

    def __init__(self, door: Door, router: Router) -> None:
        self._door = door
        router.route(r"ask:(?P<table>\d+):deal:(?P<deal>\d+):(?P<said>yes|no)", self.answered)

    @app_commands.command(name="propose", description="Propose a deal in words")
    @app_commands.rename(other="with")
    @app_commands.describe(
        other="With whom",
        terms="What you two agree on",
        when="now: all of it can be done at once. later: some of it comes later",
        card="Whether it rests on the result of an action card",
    )
    async def propose(
        self,
        interaction: discord.Interaction,
        other: discord.User,
        terms: str,
        when: Literal["now", "later"],
        card: Literal["yes", "no"] = "no",
    ) -> None:
        """Propose a deal; in a negotiation's thread it stays between the two."""
        place = await self._door.place(interaction)

        def make(here: Here) -> ProposeDeal:
            return ProposeDeal(
                by=here.me,
                to=person(here, other),
                terms=terms.strip(),
                later=when == "later",
                card=card == "yes",
                private=place.negotiation is not None,
            )

        await self._do(interaction, make, table=place.table_id, public=True)

    @app_commands.command(name="list", description="The deals of this table")
    async def list_deals(self, interaction: discord.Interaction) -> None:
        """List the deals, newest first."""
        look = await self._door.look(interaction)
        seat = look.seat(interaction.user.id)
        deals = [deal for deal in look.table.deals.values() if deal.shown_to(seat)][::-1]
        if not deals:
            await answer(interaction, "There are no deals at this table yet. /deal propose makes one.")
            return
        blocks = tuple(deal_text(look, deal) for deal in deals[:LISTED])
        more = (f"-# and {len(deals) - LISTED} older ones",) if len(deals) > LISTED else ()
        await answer(interaction, Card("open", blocks + more))

    @app_commands.command(name="kept", description="The other kept their part of a deal")
    @app_commands.describe(deal="Which deal")
    async def kept(self, interaction: discord.Interaction, deal: int) -> None:
        """Mark a deal as kept."""
        await self._do(interaction, lambda here: MarkDeal(by=here.me, deal=deal, mark="kept"), public=True)

    @app_commands.command(name="broken", description="The other broke their part of a deal")
    @app_commands.describe(deal="Which deal")
    async def broken(self, interaction: discord.Interaction, deal: int) -> None:
        """Mark a deal as broken."""
        await self._do(interaction, lambda here: MarkDeal(by=here.me, deal=deal, mark="broken"), public=True)

    @app_commands.command(name="accept", description="Agree to a deal, as its Accept button does")
    @app_commands.describe(deal="Which deal")
    async def accept(self, interaction: discord.Interaction, deal: int) -> None:
        """Agree to a deal."""
        await self._do(interaction, lambda here: AnswerDeal(by=here.me, deal=deal, agreed=True), public=True)

    @app_commands.command(name="decline", description="Decline a deal")
    @app_commands.describe(deal="Which deal")
    async def decline(self, interaction: discord.Interaction, deal: int) -> None:
        """Decline a deal."""
        await self._do(interaction, lambda here: AnswerDeal(by=here.me, deal=deal, agreed=False))

    async def answered(self, interaction: discord.Interaction, table: str, deal: str, said: str) -> None:
        """A button under a proposed deal."""
        await self._do(
            interaction,
            lambda here: AnswerDeal(by=here.me, deal=int(deal), agreed=said == "yes"),
            table=int(table),
        )

    async def _do(
        self,
        interaction: discord.Interaction,
        make: Callable[[Here], Command],
        *,
        table: int | None = None,
        public: bool = False,
    ) -> None:
        outcome = await self._door.do(interaction, make, table_id=table)
        number: int = outcome.entries[-1].entry.model_dump()["deal"]
        deal = outcome.after.table.deals[number]
        await answer(interaction, Card("open", (deal_text(outcome.after, deal),)), public=public and not deal.private)
        await self._door.tell(interaction, outcome)

    @kept.autocomplete("deal")
    @broken.autocomplete("deal")
    async def _agreed(self, interaction: discord.Interaction, typed: int | str) -> list[Choice[int]]:
        return await self._deals(
            interaction, typed, lambda deal, seat: deal.status == "agreed" and seat not in deal.marks
        )

    @accept.autocomplete("deal")
    @decline.autocomplete("deal")
    async def _proposed(self, interaction: discord.Interaction, typed: int | str) -> list[Choice[int]]:
        return await self._deals(interaction, typed, lambda deal, seat: deal.status == "proposed" and seat == deal.to)

    async def _deals(
        self, interaction: discord.Interaction, typed: int | str, fits: Callable[[Deal, str], bool]
    ) -> list[Choice[int]]:
        look = await self._door.look(interaction)
        seat = look.seat(interaction.user.id)
        mine = [deal for deal in look.table.deals.values() if seat in (deal.seat, deal.to)]
        found = [deal for deal in mine if seat and fits(deal, seat)][::-1]
        return choices(((_label(look, deal), deal.number) for deal in found), str(typed))


def _label(look: Look, deal: Deal) -> str:
    return f"#{deal.number} {names.name(look, deal.seat)} and {names.name(look, deal.to)}: {deal.terms}"
