"""/offer: posts, alters, counters, accepts and ends offers. The buttons are in
`cogs.offer_buttons`.
"""

from __future__ import annotations

from typing import Annotated, Literal, cast

from discord import User
from discord.ext import commands

from bot.rules.commands import Command, Press
from bot.rules.features.offers.posting import AlterOffer, CounterOffer, PauseOffer, PostOffer
from bot.rules.features.offers.signing import Agree, EndOffer, HandOver, PickTaker, Sign
from bot.rules.model.violation import Refused
from bot.rules.views import TableView
from bot.show import stock
from bot.show.choices import OfferUse, offers_for
from bot.show.offer_cards import offers_card
from bot.show.offer_sides import other_side
from cogs.completion import Choices, choices, goods_of_stock, seat_in, spans
from cogs.inputs import own_seat, read_goods, read_span, require_person, seat_of
from cogs.meant import Read, Typed, post_typed
from cogs.offer_forms import open_answer, open_post, partner_in
from cogs.offer_replies import execute_offer
from cogs.offer_terms import DESCRIBED, NO_TERMS, Card, When, read_terms
from cogs.request import Request
from cogs.slash import OwnGoods, in_dms_too, slash


async def _hand(request: Request, typed: str) -> Choices:
    view = await request.view()
    return goods_of_stock(view, stock.in_hand(view, _offer_in(request)), typed)


async def _give(request: Request, typed: str) -> Choices:
    view = await request.view()
    return goods_of_stock(view, stock.own(view, _partner_in(view, request)), typed)


async def _want(request: Request, typed: str) -> Choices:
    view = await request.view()
    return goods_of_stock(view, stock.of_others(view, _partner_in(view, request)), typed)


async def _spans(request: Request, typed: str) -> Choices:
    return spans(typed)


async def _offer(request: Request, typed: str) -> Choices:
    view = await request.view()
    # a use is called as its command
    what = request.interaction.command.name if request.interaction.command else ""
    return choices(offers_for(view, cast(OfferUse, what)), typed)


WhichOffer = Annotated[int, "Which offer", _offer]
TermsOption = Annotated[str | None, DESCRIBED["terms"]]
WhenOption = Annotated[When | None, DESCRIBED["when"]]
NowOption = Annotated[str | None, DESCRIBED["now"]]
CardOption = Annotated[Card | None, DESCRIBED["card"]]
HowLong = Annotated[str | None, "How long it stays open, for example: 10m", _spans]
SealedHand = Annotated[
    str | None,
    "Where hands are hidden: the cards you hand over with it, sealed. Only you see them",
    _hand,
]


@in_dms_too
class Offers(
    commands.GroupCog,
    group_name="offer",
    group_description="Offers: post, alter, counter, accept, list",
):
    """The /offer commands."""

    @slash("post", "Offer a trade to one player or to everyone")
    async def post(
        self,
        request: Request,
        to: Annotated[User | None, "Who you offer it to. Leave out for everyone"] = None,
        give: Annotated[
            str | None,
            "What you give: take a suggestion or type it. Leave out both sides to fill in a form",
            _give,
        ] = None,
        want: Annotated[str | None, "What you want: take a suggestion or type it", _want] = None,
        terms: TermsOption = None,
        when: WhenOption = None,
        now: NowOption = None,
        card: CardOption = None,
        for_: HowLong = None,
        hand: SealedHand = None,
        stands: Annotated[
            Literal["turn"] | None,
            "turn: posted ahead, it stands for your next turn, and you are not asked to confirm "
            "it then",
        ] = None,
    ) -> None:
        """Post an offer. Without goods, open a form for one."""
        words = read_terms(terms, when, now, card)
        opens_form = request.accepts_cached = give is None and want is None
        place = await request.place()
        view = await request.view()
        require_person(to)
        if opens_form:
            await open_post(request, view, to.id if to else 0, place.negotiation, words.sides())
            return
        other = seat_of(view, to) if to is not None else None
        if to is not None:
            own_seat(view)  # a person without a seat is told so first

        def command(read: Read) -> PostOffer:
            return PostOffer(
                to=other,
                give=read(view, give, view.seat),
                want=read(view, want, other),
                terms=words.later or "",
                terms_now=words.now or "",
                terms_card=bool(words.card),
                lasts=read_span(for_),
                negotiation=place.negotiation,
                handed=read_goods(view, hand, view.seat) if hand else None,
                stands=stands == "turn",
            )

        partner = other or partner_in(view, place.negotiation)
        await post_typed(request, view, Typed(give, want), partner, command)

    @slash("alter", "Change your offer")
    async def alter(
        self,
        request: Request,
        offer: WhichOffer,
        give: Annotated[str | None, "What you give instead", _give] = None,
        want: Annotated[str | None, "What you want instead", _want] = None,
        terms: TermsOption = None,
        when: WhenOption = None,
        now: NowOption = None,
        card: CardOption = None,
        hand: SealedHand = None,
    ) -> None:
        """Alter an offer. Without changes, open a form for them."""
        words = read_terms(terms, when, now, card)
        if give is None and want is None and hand is None and words == NO_TERMS:
            await open_answer(request, offer, alters=True)
            return
        view = await request.view()
        other = _other_side(view, offer)

        def command(read: Read) -> AlterOffer:
            return AlterOffer(
                offer=offer,
                give=None if give is None else read(view, give, view.seat),
                want=None if want is None else read(view, want, other),
                terms=words.later,
                terms_now=words.now,
                terms_card=words.card,
                handed=read_goods(view, hand, view.seat) if hand else None,
            )

        await post_typed(request, view, Typed(give, want), other, command)

    @slash("counter", "Answer an offer with another, which stands in its place")
    async def counter(
        self,
        request: Request,
        offer: WhichOffer,
        give: Annotated[str | None, "What you give", _give] = None,
        want: Annotated[str | None, "What you want", _want] = None,
        terms: TermsOption = None,
        when: WhenOption = None,
        now: NowOption = None,
        card: CardOption = None,
        for_: HowLong = None,
        hand: SealedHand = None,
    ) -> None:
        """Counter an offer. Without goods, open a form. A side left out stays as in the other
        offer.
        """
        words = read_terms(terms, when, now, card)
        if give is None and want is None:
            await open_answer(request, offer, words=words)
            return
        view = await request.view()
        other = _other_side(view, offer)

        def command(read: Read) -> CounterOffer:
            return CounterOffer(
                offer=offer,
                give=None if give is None else read(view, give, view.seat),
                want=None if want is None else read(view, want, other),
                terms=words.later or "",
                terms_now=words.now or "",
                terms_card=bool(words.card),
                lasts=read_span(for_),
                handed=read_goods(view, hand, view.seat) if hand else None,
            )

        await post_typed(request, view, Typed(give, want), other, command)

    @slash("list", "The open offers at this table")
    async def list_offers(self, request: Request) -> None:
        """List the open and suspended offers, those most interesting for the person first."""
        card = offers_card(await request.view())
        await request.reply(
            card or "There are no open offers at this table. **New offer** makes one."
        )

    @slash("accept", "Accept an offer, as its button Accept or Agree does")
    async def accept(
        self,
        request: Request,
        offer: WhichOffer,
        gives: Annotated[
            str | None, "What you give, where the offer leaves that to you", _hand
        ] = None,
    ) -> None:
        """Accept an offer at its newest revision.

        Where it changed since they agreed to it, that is refused once, and says how it is now.
        """
        view, told = await request.view(), request.service.reminded
        chosen = next(iter(read_goods(view, gives, view.seat)), "")
        revision = view.offers[offer].revision if offer in view.offers else 0
        now = (view.id, offer, revision, request.interaction.user.id)
        try:
            await execute_offer(request, Sign(offer, revision if now in told else None, chosen))
        except Refused as refused:
            agree = Press(view.id, Agree(offer, revision))
            if any(option.action == agree for option in refused.options):
                told.add(now)
            raise

    @slash("hand", "Hand over cards for an offer, as its Hand over button does", execute_offer)
    def hand(
        self,
        offer: WhichOffer,
        cards: Annotated[OwnGoods, "Every card you give, with commas between", _hand],
    ) -> Command:
        return HandOver(offer, cards)

    @slash("pick", "Pick one of the players who agreed to your offer to everyone")
    async def pick(
        self,
        request: Request,
        offer: WhichOffer,
        taker: Annotated[User, "Who you trade with"],
    ) -> None:
        """Pick one of those who accepted an offer to all."""
        require_person(taker)
        view = await request.view()
        own_seat(view)  # a person without a seat is told so first
        await execute_offer(request, PickTaker(offer, None, seat_of(view, taker)))

    @slash("decline", "Decline an offer that was made to you", execute_offer)
    def decline(self, offer: WhichOffer) -> Command:
        return EndOffer(offer, "decline")

    @slash("withdraw", "Take back your offer", execute_offer)
    def withdraw(self, offer: WhichOffer) -> Command:
        return EndOffer(offer, "withdraw")

    @slash("suspend", "Suspend your offer for a while", execute_offer)
    def suspend(self, offer: WhichOffer) -> Command:
        return PauseOffer(offer, paused=True)

    @slash("resume", "Open your suspended offer again", execute_offer)
    def resume(self, offer: WhichOffer) -> Command:
        return PauseOffer(offer, paused=False)


def _other_side(view: TableView, number: int) -> str | None:
    """Return the seat on the other side of an offer; None if the offer is unknown or the viewer's
    own to all.
    """
    offer = view.offers.get(number)
    return other_side(offer) if offer else None


def _offer_in(request: Request) -> int | None:
    """Return the offer's number in the command being typed; None if it is not filled in."""
    number = request.option("offer")
    return number if isinstance(number, int) else None


def _partner_in(view: TableView, request: Request) -> str | None:
    """Return the seat that the command being typed is for: that of ``to``, or the other side of its
    offer.
    """
    return seat_in(view, request, "to") or _other_side(view, _offer_in(request) or 0)
