"""/offer: post, list, withdraw; and the buttons under an offer."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.desk import Here, Outcome
from bot.rules.commands import Declare, EndOffer, PostOffer, Sign
from bot.rules.entries import OfferDeclined, OfferPosted, OfferWithdrawn, Transaction
from bot.rules.ruling import Refused
from bot.show import names
from bot.show.cards import Card, mends, offer_card, offer_line
from bot.show.results import change_text, result_card
from cogs.complete import choices, complete_goods
from cogs.door import Door, answer, goods, person
from cogs.router import Router

LISTED = 20
"""Offers that /offer list shows at most: what fits on two screens of a phone."""


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Offers(commands.GroupCog, group_name="offer", group_description="Offers: post, accept, decline, withdraw, list"):
    """Everything about offers."""

    def __init__(self, door: Door, router: Router) -> None:
        self._door = door
        router.route(
            r"offer:(?P<table>\d+):(?P<offer>\d+):(?P<revision>\d+):(?P<what>sign|decline|withdraw)", self.pressed
        )
        router.route(r"declare:(?P<table>\d+):(?P<offer>\d+)", self.declared)

    @app_commands.command(name="post", description="Offer a trade to somebody, or to everybody")
    @app_commands.describe(
        to="Whom you offer it to; leave out for everybody",
        give="What you give, for example: 3 tg, 1 commodity",
        want="What you want, for example: 2 c, ceasefire",
        terms="Anything else you agree on, in your own words",
    )
    async def post(
        self,
        interaction: discord.Interaction,
        to: discord.User | None = None,
        give: str | None = None,
        want: str | None = None,
        terms: str = "",
    ) -> None:
        """Post an offer."""

        def make(here: Here) -> PostOffer:
            other = person(here, to) if to else None
            sits = here.table.seat_of(other) if other else None
            return PostOffer(
                by=here.me,
                to=other,
                give=goods(here.look, give, here.look.seat(interaction.user.id)),
                want=goods(here.look, want, sits.id if sits else None),
                terms=terms.strip(),
            )

        outcome = await self._door.do(interaction, make)
        posted = next(one.entry for one in outcome.entries if isinstance(one.entry, OfferPosted))
        offer = outcome.after.table.offers[posted.offer]
        await answer(interaction, offer_card(outcome.after, offer, "poster"))
        await self._door.tell(interaction, outcome)

    @app_commands.command(name="list", description="The offers that stand at this table")
    async def list_offers(self, interaction: discord.Interaction) -> None:
        """List the open offers, newest first."""
        look = await self._door.look(interaction)
        offers = look.table.open_offers()[::-1]
        if not offers:
            await answer(interaction, "No offer stands at this table. /offer post makes one.")
            return
        lines = [names.escape(offer_line(look, offer, look.seat(interaction.user.id))) for offer in offers[:LISTED]]
        more = [f"-# and {len(offers) - LISTED} older ones"] if len(offers) > LISTED else []
        await answer(interaction, "\n".join([f"**{len(offers)} open:**", *lines, *more]))

    @app_commands.command(name="accept", description="Accept an offer, as its Accept button does")
    @app_commands.describe(offer="Which offer")
    async def accept(self, interaction: discord.Interaction, offer: int) -> None:
        """Sign an offer as it stands now."""
        look = await self._door.look(interaction)
        revision = look.table.offers[offer].revision if offer in look.table.offers else 1
        await self._act(interaction, look.table_id, offer, revision, "sign")

    @app_commands.command(name="decline", description="Decline an offer that was made to you")
    @app_commands.describe(offer="Which offer")
    async def decline(self, interaction: discord.Interaction, offer: int) -> None:
        """Decline an offer."""
        await self._act(interaction, await self._door.table_id(interaction), offer, 0, "decline")

    @app_commands.command(name="withdraw", description="Take back an offer of yours")
    @app_commands.describe(offer="Which offer")
    async def withdraw(self, interaction: discord.Interaction, offer: int) -> None:
        """Withdraw an offer."""
        await self._act(interaction, await self._door.table_id(interaction), offer, 0, "withdraw")

    async def pressed(self, interaction: discord.Interaction, table: str, offer: str, revision: str, what: str) -> None:
        """A button under an offer."""
        await self._act(interaction, int(table), int(offer), int(revision), what)

    async def _act(self, interaction: discord.Interaction, table_id: int, offer: int, revision: int, what: str) -> None:
        def make(here: Here) -> Sign | EndOffer:
            if what == "sign":
                return Sign(by=here.me, offer=offer, revision=revision)
            return EndOffer(by=here.me, offer=offer, how="decline" if what == "decline" else "withdraw")

        try:
            outcome = await self._door.do(interaction, make, table_id=table_id)
        except Refused as refused:
            look = await self._door.desk.look(table_id)
            buttons = mends(look, [refused.ruling], look.seat(interaction.user.id), offer)
            if not buttons:
                raise
            await answer(interaction, Card("waiting", (f"🚫 {refused.ruling.sentence()}",), (buttons,)))
            return
        await self._say(interaction, outcome, offer)
        await self._door.tell(interaction, outcome)

    async def declared(self, interaction: discord.Interaction, table: str, offer: str) -> None:
        """**I do have them**, under the refusal of an offer."""
        outcome = await self._door.do(
            interaction,
            lambda here: Declare(by=here.me, moderator=here.asker.moderator, offer=int(offer)),
            table_id=int(table),
        )
        await answer(interaction, f"{change_text(outcome.after, outcome.entries[-1].entry)} Press Accept once more.")
        await self._door.tell(interaction, outcome)

    async def _say(self, interaction: discord.Interaction, outcome: Outcome, number: int) -> None:
        """Tell who acted what came of it."""
        look, offer = outcome.after, outcome.after.table.offers[number]
        for recorded in outcome.entries:
            match recorded.entry:
                case Transaction() as entry:
                    seat = look.seat(interaction.user.id) or entry.first
                    await answer(interaction, result_card(look, entry, seat))
                    return
                case OfferWithdrawn():
                    await answer(interaction, f"Offer #{number} is withdrawn.")
                    return
                case OfferDeclined():
                    await answer(interaction, f"You declined offer #{number}.")
                    return
        await answer(
            interaction,
            f"You agreed to offer #{number}. It was made before this turn, so {names.mention(look, offer.seat)} "
            "has to confirm it; I asked by DM.",
        )

    @post.autocomplete("give")
    async def _give(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        look = await self._door.look(interaction)
        return complete_goods(look, look.seat(interaction.user.id), typed, own=True)

    @post.autocomplete("want")
    async def _want(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        look = await self._door.look(interaction)
        to = getattr(interaction.namespace, "to", None)
        return complete_goods(look, look.seat(to.id) if to else None, typed, own=False)

    @accept.autocomplete("offer")
    @decline.autocomplete("offer")
    async def _theirs(self, interaction: discord.Interaction, typed: int | str) -> list[Choice[int]]:
        return await self._offers(interaction, typed, mine=False)

    @withdraw.autocomplete("offer")
    async def _mine(self, interaction: discord.Interaction, typed: int | str) -> list[Choice[int]]:
        return await self._offers(interaction, typed, mine=True)

    async def _offers(self, interaction: discord.Interaction, typed: int | str, *, mine: bool) -> list[Choice[int]]:
        """Offers by number: one's own, or those one may accept."""
        look = await self._door.look(interaction)
        seat = look.seat(interaction.user.id)
        if seat is None:
            return []
        offers = [
            offer
            for offer in look.table.open_offers()[::-1]
            if (offer.seat == seat) == mine and (mine or offer.to in (None, seat))
        ]
        return choices(((offer_line(look, offer, seat), offer.number) for offer in offers), str(typed))
