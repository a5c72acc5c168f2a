"""/offer: posts, alters, counters, accepts and ends offers. The buttons are in `cogs.offer_buttons`."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, cast

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.rules.features.offers.posting import AlterOffer, CounterOffer, PauseOffer, PostOffer
from bot.rules.features.offers.signing import EndOffer, HandOver, PickTaker, Sign
from bot.rules.model.goods import Goods
from bot.rules.views import TableView
from bot.show.offer_choices import OfferUse, offers_for
from bot.show.offers import offers_card
from cogs.completion import choices, goods_of, hand_goods, own_goods, seat_in, spans
from cogs.context import CommandContext, reply
from cogs.inputs import own_seat, read_goods, read_span, require_person, seat_of
from cogs.offer_buttons import OfferButtons
from cogs.offer_replies import execute_offer, posted_card, result_for
from cogs.offer_terms import DESCRIBED, NO_TERMS, Card, When, read_terms


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Offers(commands.GroupCog, group_name="offer", group_description="Offers: post, alter, counter, accept, list"):
    """The /offer commands."""

    def __init__(self, context: CommandContext, buttons: OfferButtons) -> None:
        self._context = context
        self._buttons = buttons

    @app_commands.command(name="post", description="Offer a trade to somebody, or to everybody")
    @app_commands.rename(lasts="for")
    @app_commands.describe(
        to="Whom you offer it to; leave out for everybody",
        give="What you give, for example: 3 tg, 1 commodity. Leave out both sides to fill in a form",
        want="What you want, for example: 2 c, ceasefire",
        **DESCRIBED,
        lasts="How long it stands, for example: 10m",
        hand="Where hands are hidden: the cards you hand over along with it, sealed. Only you see them",
    )
    async def post(
        self,
        interaction: discord.Interaction,
        to: discord.User | None = None,
        give: str | None = None,
        want: str | None = None,
        terms: str | None = None,
        when: When | None = None,
        now: str | None = None,
        card: Card | None = None,
        lasts: str | None = None,
        hand: str | None = None,
    ) -> None:
        """Post an offer. Without goods, open a form for one."""
        words = read_terms(terms, when, now, card)
        opens_form = give is None and want is None
        place = await self._context.place(interaction, from_memory=opens_form)
        view = await self._context.view(interaction, place.table_id, from_memory=opens_form)
        if opens_form:
            await self._buttons.forms.open_post(interaction, view, place.negotiation, to, words)
            return
        require_person(to)
        draft = PostOffer(
            give=read_goods(view, give, view.seat),
            want=read_goods(view, want, view.seat_of_user(to.id) if to else None),
            terms=words.later or "",
            terms_now=words.now or "",
            terms_card=bool(words.card),
            lasts=read_span(lasts),
            negotiation=place.negotiation,
            handed=read_goods(view, hand, view.seat) if hand else None,
        )
        command = _addressed(view, draft, to)
        await execute_offer(self._context, interaction, command, posted_card, table_id=place.table_id)

    @app_commands.command(name="alter", description="Change an offer of yours")
    @app_commands.describe(
        offer="Which offer",
        give="What you give instead",
        want="What you want instead",
        **DESCRIBED,
    )
    async def alter(
        self,
        interaction: discord.Interaction,
        offer: int,
        give: str | None = None,
        want: str | None = None,
        terms: str | None = None,
        when: When | None = None,
        now: str | None = None,
        card: Card | None = None,
    ) -> None:
        """Alter an offer. Without changes, open a form for them."""
        words = read_terms(terms, when, now, card)
        opens_form = give is None and want is None and words == NO_TERMS
        table_id = await self._context.table_id(interaction, from_memory=opens_form)
        if opens_form:
            await self._buttons.forms.open_alter(interaction, table_id, offer)
            return
        view = await self._context.view(interaction, table_id)
        command = AlterOffer(
            offer=offer,
            give=_side(view, give, view.seat),
            want=_side(view, want, _other_side(view, offer)),
            terms=words.later,
            terms_now=words.now,
            terms_card=words.card,
        )
        await execute_offer(self._context, interaction, command, posted_card, table_id=table_id)

    @app_commands.command(name="counter", description="Answer an offer with another; the first one stays open")
    @app_commands.rename(lasts="for")
    @app_commands.describe(
        offer="Which offer", give="What you give", want="What you want", **DESCRIBED,
        lasts="How long it stands, for example: 10m",
    )  # fmt: skip
    async def counter(
        self,
        interaction: discord.Interaction,
        offer: int,
        give: str | None = None,
        want: str | None = None,
        terms: str | None = None,
        when: When | None = None,
        now: str | None = None,
        card: Card | None = None,
        lasts: str | None = None,
    ) -> None:
        """Counter an offer. Without goods, open a form. A side left out stays as in the other offer."""
        words = read_terms(terms, when, now, card)
        opens_form = give is None and want is None
        table_id = await self._context.table_id(interaction, from_memory=opens_form)
        if opens_form:
            await self._buttons.forms.open_counter(interaction, table_id, offer, words=words)
            return
        view = await self._context.view(interaction, table_id)
        command = CounterOffer(
            offer=offer,
            give=_side(view, give, view.seat),
            want=_side(view, want, _other_side(view, offer)),
            terms=words.later or "",
            terms_now=words.now or "",
            terms_card=bool(words.card),
            lasts=read_span(lasts),
        )
        await execute_offer(self._context, interaction, command, posted_card, table_id=table_id)

    @app_commands.command(name="list", description="The offers that stand at this table")
    async def list_offers(self, interaction: discord.Interaction) -> None:
        """List the open and suspended offers, those most interesting for the person first."""
        card = offers_card(await self._context.view(interaction))
        await reply(interaction, card or "No offer stands at this table. /offer post makes one.")

    @app_commands.command(name="accept", description="Accept an offer, as its Accept button does")
    @app_commands.describe(offer="Which offer")
    async def accept(self, interaction: discord.Interaction, offer: int) -> None:
        """Accept an offer at its newest revision."""
        await execute_offer(self._context, interaction, Sign(offer), result_for(interaction))

    @app_commands.command(name="hand", description="Hand over cards for an offer, as its Hand over button does")
    @app_commands.describe(offer="Which offer", cards="Every card you give, for example: 2 salt, grain")
    async def hand(self, interaction: discord.Interaction, offer: int, cards: str) -> None:
        """Hand over the cards of one side, sealed until the other side hands over too."""
        view = await self._context.view(interaction)
        command = HandOver(offer, read_goods(view, cards, view.seat))
        await execute_offer(self._context, interaction, command, result_for(interaction), table_id=view.id)

    @app_commands.command(name="pick", description="Pick one of those who accepted your offer to all")
    @app_commands.describe(offer="Which offer", taker="With whom you trade")
    async def pick(self, interaction: discord.Interaction, offer: int, taker: discord.User) -> None:
        """Pick one of those who accepted an offer to all."""
        require_person(taker)
        view = await self._context.view(interaction)
        own_seat(view)  # a person without a seat is told so first
        command = PickTaker(offer, None, seat_of(view, taker))
        await execute_offer(self._context, interaction, command, result_for(interaction), table_id=view.id)

    @app_commands.command(name="decline", description="Decline an offer that was made to you")
    @app_commands.describe(offer="Which offer")
    async def decline(self, interaction: discord.Interaction, offer: int) -> None:
        await self._end(interaction, offer, "decline")

    @app_commands.command(name="withdraw", description="Take back an offer of yours")
    @app_commands.describe(offer="Which offer")
    async def withdraw(self, interaction: discord.Interaction, offer: int) -> None:
        await self._end(interaction, offer, "withdraw")

    @app_commands.command(name="suspend", description="Hold back an offer of yours for a while")
    @app_commands.describe(offer="Which offer")
    async def suspend(self, interaction: discord.Interaction, offer: int) -> None:
        await self._context.execute_privately(interaction, PauseOffer(offer, paused=True), result_for(interaction))

    @app_commands.command(name="resume", description="Put a suspended offer up again")
    @app_commands.describe(offer="Which offer")
    async def resume(self, interaction: discord.Interaction, offer: int) -> None:
        await execute_offer(self._context, interaction, PauseOffer(offer, paused=False), result_for(interaction))

    async def _end(self, interaction: discord.Interaction, offer: int, how: Literal["withdraw", "decline"]) -> None:
        await execute_offer(self._context, interaction, EndOffer(offer, how), result_for(interaction))

    # ---------------------------------------------------------------- autocomplete

    @post.autocomplete("hand")
    @hand.autocomplete("cards")
    async def _hand(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        return hand_goods(await self._context.view(interaction), typed, _offer_in(interaction))

    @post.autocomplete("give")
    async def _give(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        view = await self._context.view(interaction)
        return own_goods(view, typed, seat_in(view, interaction, "to"))

    @counter.autocomplete("give")
    @alter.autocomplete("give")
    async def _give_for_offer(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        view = await self._context.view(interaction)
        return own_goods(view, typed, _other_in(view, interaction))

    @post.autocomplete("want")
    async def _want(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        view = await self._context.view(interaction)
        return goods_of(view, seat_in(view, interaction, "to"), typed)

    @counter.autocomplete("want")
    @alter.autocomplete("want")
    async def _want_of_offer(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        view = await self._context.view(interaction)
        return goods_of(view, _other_in(view, interaction), typed)

    @post.autocomplete("lasts")
    @counter.autocomplete("lasts")
    async def _spans(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        return spans(typed)

    @accept.autocomplete("offer")
    @hand.autocomplete("offer")
    @counter.autocomplete("offer")
    @decline.autocomplete("offer")
    @alter.autocomplete("offer")
    @pick.autocomplete("offer")
    @withdraw.autocomplete("offer")
    @suspend.autocomplete("offer")
    @resume.autocomplete("offer")
    async def _offer(self, interaction: discord.Interaction, typed: int | str) -> list[Choice[int]]:
        view = await self._context.view(interaction)
        what = interaction.command.name if interaction.command else ""  # a use is called as its command
        return choices(offers_for(view, cast(OfferUse, what)), str(typed))


def _addressed(view: TableView, draft: PostOffer, to: discord.User | None) -> PostOffer:
    """Return the draft, addressed to this user unless it is None. Raises `Refused`."""
    if to is None:
        return draft
    own_seat(view)  # a person without a seat is told so first
    return replace(draft, to=seat_of(view, to))


def _side(view: TableView, text: str | None, giver: str | None) -> Goods | None:
    """Parse one side of an offer; None if it was left out. Raises `Refused`."""
    return None if text is None else read_goods(view, text, giver)


def _other_side(view: TableView, number: int) -> str | None:
    """Return the seat on the other side of an offer; None if the offer is unknown or the viewer's own to all."""
    offer = view.offers.get(number)
    if offer is None:
        return None
    return offer.to if offer.role == "poster" else offer.poster


def _offer_in(interaction: discord.Interaction) -> int | None:
    """Return the offer's number in the command being typed; None if it is not filled in."""
    number = getattr(interaction.namespace, "offer", None)
    return number if isinstance(number, int) else None


def _other_in(view: TableView, interaction: discord.Interaction) -> str | None:
    """Return the seat on the other side of the offer in the command being typed; see `_other_side`."""
    number = _offer_in(interaction)
    return None if number is None else _other_side(view, number)
