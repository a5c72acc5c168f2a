"""/offer: post, alter, counter, suspend, resume, withdraw, list. The buttons under an offer are next door."""

from __future__ import annotations

import re
from typing import Literal

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.desk import Here
from bot.rules.commands import AlterOffer, CounterOffer, EndOffer, PauseOffer, PostOffer
from bot.rules.market import by_interest
from bot.rules.offer_state import standing
from bot.rules.ruling import Refused
from bot.show import names
from bot.show.cards import SELECT_MOST, Card, Rows, Select, offer_line
from bot.show.fits import TEXT_MOST, fitting
from cogs.complete import choices, complete_goods
from cogs.door import Door, answer, goods, person
from cogs.offer_buttons import OfferButtons

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Offers(commands.GroupCog, group_name="offer", group_description="Offers: post, alter, counter, accept, list"):
    """Everything about offers that is typed."""

    def __init__(self, door: Door, buttons: OfferButtons) -> None:
        self._door = door
        self._buttons = buttons

    @app_commands.command(name="post", description="Offer a trade to somebody, or to everybody")
    @app_commands.rename(lasts="for")
    @app_commands.describe(
        to="Whom you offer it to; leave out for everybody",
        give="What you give, for example: 3 tg, 1 commodity. Leave out both sides to fill in a form",
        want="What you want, for example: 2 c, ceasefire",
        terms="Anything else you agree on, in your own words",
        lasts="How long it stands, for example: 10m",
        hand="Where hands are hidden: the cards you hand over along with it, sealed. Only you see them",
    )
    async def post(
        self,
        interaction: discord.Interaction,
        to: discord.User | None = None,
        give: str | None = None,
        want: str | None = None,
        terms: str = "",
        lasts: str | None = None,
        hand: str | None = None,
    ) -> None:
        """Post an offer; without goods, open a form for one."""
        if give is None and want is None:
            await self._buttons.ask_post(interaction, to, terms)
            return
        place = await self._door.place(interaction)

        def make(here: Here) -> PostOffer:
            other = person(here, to) if to else None
            sits = here.table.seat_of(other) if other else None
            return PostOffer(
                by=here.me,
                to=other,
                give=goods(here.look, give, here.look.seat(interaction.user.id)),
                want=goods(here.look, want, sits.id if sits else None),
                terms=terms.strip(),
                lasts=span(lasts),
                negotiation=place.negotiation,
                handed=goods(here.look, hand, here.look.seat(interaction.user.id)) if hand else None,
            )

        await self._buttons.posted(interaction, make, table_id=place.table_id)

    @app_commands.command(name="alter", description="Change an offer of yours")
    @app_commands.describe(
        offer="Which offer",
        give="What you give instead",
        want="What you want instead",
        terms="What you agree on instead",
    )
    async def alter(
        self,
        interaction: discord.Interaction,
        offer: int,
        give: str | None = None,
        want: str | None = None,
        terms: str | None = None,
    ) -> None:
        """Alter an offer; without anything to change, open its form."""
        if give is None and want is None and terms is None:
            await self._buttons.ask_alter(interaction, await self._door.table_id(interaction), offer, None)
            return

        def make(here: Here) -> AlterOffer:
            now = standing(here.table, offer)
            return AlterOffer(
                by=here.me,
                offer=offer,
                revision=now.revision,
                give=now.give if give is None else goods(here.look, give, now.seat),
                want=now.want if want is None else goods(here.look, want, now.to),
                terms=now.terms if terms is None else terms.strip(),
            )

        await self._buttons.posted(interaction, make)

    @app_commands.command(name="counter", description="Answer an offer with another; the first one stays open")
    @app_commands.rename(lasts="for")
    @app_commands.describe(
        offer="Which offer", give="What you give", want="What you want", terms="Anything else you agree on",
        lasts="How long it stands, for example: 10m",
    )  # fmt: skip
    async def counter(
        self,
        interaction: discord.Interaction,
        offer: int,
        give: str | None = None,
        want: str | None = None,
        terms: str = "",
        lasts: str | None = None,
    ) -> None:
        """Counter an offer; what is left out is as the other offered it. With nothing said, open its form."""
        if give is None and want is None:
            await self._buttons.ask_counter(
                interaction, await self._door.table_id(interaction), offer, None, terms.strip()
            )
            return

        def make(here: Here) -> CounterOffer:
            now = standing(here.table, offer)
            return CounterOffer(
                by=here.me,
                offer=offer,
                give=now.want if give is None else goods(here.look, give, here.look.seat(interaction.user.id)),
                want=now.give if want is None else goods(here.look, want, now.seat),
                terms=terms.strip(),
                lasts=span(lasts),
            )

        await self._buttons.posted(interaction, make)

    @app_commands.command(name="list", description="The offers that stand at this table")
    async def list_offers(self, interaction: discord.Interaction) -> None:
        """List the standing offers, those first that who asks might want."""
        look = await self._door.look(interaction)
        seat = look.seat(interaction.user.id)
        offers = by_interest(look.table, [offer for offer in look.table.live_offers() if offer.shown_to(seat)], seat)
        if not offers:
            await answer(interaction, "No offer stands at this table. /offer post makes one.")
            return
        lines = fitting([names.escape(offer_line(look, offer, seat)) for offer in offers], TEXT_MOST)
        rows: Rows = ()
        if theirs := [offer for offer in offers if seat and (offer.to is None or offer.known_to(seat))]:
            options = tuple((offer_line(look, offer, seat), str(offer.number)) for offer in theirs[:SELECT_MOST])
            rows = (Select("Look at an offer", f"board:{look.table_id}:offer", options),)
        await answer(interaction, Card("open", (f"**{len(offers)} standing**", "\n".join(lines)), rows))

    @app_commands.command(name="accept", description="Accept an offer, as its Accept button does")
    @app_commands.describe(offer="Which offer")
    async def accept(self, interaction: discord.Interaction, offer: int) -> None:
        """Sign an offer as it stands now."""
        look = await self._door.look(interaction)
        revision = look.table.offers[offer].revision if offer in look.table.offers else 1
        await self._buttons.sign(interaction, look.table_id, offer, revision)

    @app_commands.command(name="hand", description="Hand over cards for an offer, as its Hand over button does")
    @app_commands.describe(offer="Which offer", cards="Every card you give, for example: 2 salt, grain")
    async def hand(self, interaction: discord.Interaction, offer: int, cards: str) -> None:
        """Hand over what one gives, sealed until the other has too."""
        await self._buttons.hands.typed(interaction, offer, cards)

    @app_commands.command(name="decline", description="Decline an offer that was made to you")
    @app_commands.describe(offer="Which offer")
    async def decline(self, interaction: discord.Interaction, offer: int) -> None:
        """Decline an offer."""
        await self._end(interaction, offer, "decline")

    @app_commands.command(name="withdraw", description="Take back an offer of yours")
    @app_commands.describe(offer="Which offer")
    async def withdraw(self, interaction: discord.Interaction, offer: int) -> None:
        """Withdraw an offer."""
        await self._end(interaction, offer, "withdraw")

    @app_commands.command(name="suspend", description="Hold back an offer of yours for a while")
    @app_commands.describe(offer="Which offer")
    async def suspend(self, interaction: discord.Interaction, offer: int) -> None:
        """Suspend an offer."""
        await self._buttons.act(interaction, None, lambda here: PauseOffer(by=here.me, offer=offer, paused=True))

    @app_commands.command(name="resume", description="Put a suspended offer up again")
    @app_commands.describe(offer="Which offer")
    async def resume(self, interaction: discord.Interaction, offer: int) -> None:
        """Resume an offer."""
        await self._buttons.act(interaction, None, lambda here: PauseOffer(by=here.me, offer=offer, paused=False))

    async def _end(self, interaction: discord.Interaction, offer: int, how: Literal["withdraw", "decline"]) -> None:
        await self._buttons.act(interaction, None, lambda here: EndOffer(by=here.me, offer=offer, how=how))

    @post.autocomplete("give")
    @post.autocomplete("hand")
    @hand.autocomplete("cards")
    @counter.autocomplete("give")
    @alter.autocomplete("give")
    async def _give(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        look = await self._door.look(interaction)
        return complete_goods(look, look.seat(interaction.user.id), typed, own=True)

    @post.autocomplete("want")
    async def _want(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        look = await self._door.look(interaction)
        to = getattr(interaction.namespace, "to", None)
        return complete_goods(look, look.seat(to.id) if to else None, typed, own=False)

    @counter.autocomplete("want")
    @alter.autocomplete("want")
    async def _want_of_offer(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        look = await self._door.look(interaction)
        mine = look.seat(interaction.user.id)
        number = getattr(interaction.namespace, "offer", None)
        offer = look.table.offers.get(number) if isinstance(number, int) else None
        other = None if offer is None else offer.to if offer.seat == mine else offer.seat
        return complete_goods(look, other, typed, own=False)

    @accept.autocomplete("offer")
    @hand.autocomplete("offer")
    @counter.autocomplete("offer")
    @decline.autocomplete("offer")
    async def _theirs(self, interaction: discord.Interaction, typed: int | str) -> list[Choice[int]]:
        return await self._offers(interaction, typed, mine=False)

    @alter.autocomplete("offer")
    @withdraw.autocomplete("offer")
    @suspend.autocomplete("offer")
    @resume.autocomplete("offer")
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
            for offer in look.table.live_offers()[::-1]
            if (offer.seat == seat) == mine and (mine or offer.to in (None, seat)) and offer.shown_to(seat)
        ]
        return choices(((offer_line(look, offer, seat), offer.number) for offer in offers), str(typed))


def span(text: str | None) -> int | None:
    """A span of time as somebody writes it, in milliseconds: ``10m``, ``2h``. Raises `Refused`."""
    if not text:
        return None
    found = re.fullmatch(r"(\d{1,6})\s*([smhd])[a-z]*", text.strip().casefold())
    if found is None:
        raise Refused("", f"“{names.typed(text[:60])}” is no span of time that I know.", "For example: 10m, 2h or 1d.")
    return int(found[1]) * UNITS[found[2]] * 1000
