"""The forms to post, repeat, alter and counter an offer. A button opens them, or a command without
goods.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from bot.rules.features.offers.posting import (
    AlterOffer,
    CounterOffer,
    PostOffer,
    RepeatOffer,
)
from bot.rules.model.goods import Goods
from bot.rules.model.offer import Sides
from bot.rules.model.violation import Refused
from bot.rules.views import OfferView, TableView
from bot.show.actions import AlterForm, CounterForm, OfferAgain, PostForm
from bot.show.forms import offer_form, offer_title, terms_of
from bot.show.names import game_of
from bot.show.offer_sides import as_viewer, other_side
from bot.show.wishes import is_wish
from cogs.inputs import own_seat, seat_of_id, selected_goods
from cogs.meant import Read, Typed, post_typed
from cogs.offer_replies import execute_posting
from cogs.offer_terms import NO_TERMS, Terms
from cogs.request import Request
from cogs.router import Router


def bind(router: Router) -> None:
    """Bind the handlers of this module."""
    router.on(OfferAgain, open_again)
    router.on(PostForm, post_submitted)
    router.on(AlterForm, answer_submitted)
    router.on(CounterForm, answer_submitted)


# ---------------------------------------------------------------- opening


async def open_post(
    request: Request, view: TableView, to: int, negotiation: int | None, sides: Sides
) -> None:
    """Open the form of a new offer to a Discord user, 0 for everybody. Raises `Refused`."""
    other = recipient(view, to, negotiation)
    action = PostForm(view.id, to, negotiation or 0, sides.terms_card)
    await request.answer.open(offer_form(view, offer_title(view, other), action, other, sides))


def recipient(view: TableView, to: int, negotiation: int | None) -> str | None:
    """Return the seat for a new offer to a Discord user, 0 for everybody or the partner in the
    negotiation.

    Raises `Refused` for a person without a seat, and for their own.
    """
    seat, other = own_seat(view), seat_of_id(view, to) if to else partner_in(view, negotiation)
    if other == seat:
        raise Refused(
            "You can't trade with yourself.",
            "Name another player, or leave it empty to ask everybody.",
        )
    return other


async def open_again(request: Request, press: OfferAgain) -> None:
    """Handle **Offer again**, under the news that an offer was declined: open a form filled with
    that offer, or post it again as privately as it was.
    """
    request.accepts_cached = True
    view = await request.view(offers=[press.offer])
    own_seat(view)
    offer = view.offers.get(press.offer)
    if offer is None or offer.role != "poster" or not offer.exact:
        raise Refused("That is for another player.", "**New offer** makes one of your own.")
    wish = view.offers.get(offer.links.parent or 0)
    if wish is not None and is_wish(wish):
        await open_answer(request, wish.number, goods=as_viewer(offer))
        return
    for_all = offer.links.negotiation is None and not game_of(view).trade.private_offers
    if offer.private and for_all:
        # An answer to a wish that is over: a form would post it for all to read.
        request.accepts_cached = False
        await execute_posting(request, RepeatOffer(offer.number))
        return
    user = 0
    if offer.to is not None:
        person = offer.names.holder(offer.to)
        if person is None or person.user_id is None or view.seats[offer.to].person != person.number:
            raise Refused(
                "The player you offered that to has left that seat.",
                "**New offer** makes a new one.",
            )
        user = person.user_id
    await open_post(request, view, user, offer.links.negotiation, offer.sides)


async def find_offer_to_answer(
    request: Request, number: int, revision: int | None, *, alters: bool
) -> tuple[TableView, OfferView]:
    """Return the table and an offer that the person can counter, or alter, as `find_open_offer`.
    Raises `Refused`.
    """
    view, offer = await find_open_offer(request, number, revision)
    if alters and offer.role != "poster":
        raise Refused(f"Offer {number} is not yours to alter.", "Counter it instead.")
    if not alters and offer.role == "poster":
        raise Refused(f"Offer {number} is your own.", "Alter it instead.")
    if offer.role is None:
        raise Refused(f"Offer {number} is for <seat:{offer.to}>.", "You can post one of your own.")
    return view, offer


async def open_answer(
    request: Request,
    number: int,
    revision: int | None = None,
    words: Terms = NO_TERMS,
    goods: tuple[Goods, Goods] | None = None,
    *,
    alters: bool = False,
) -> None:
    """Open the form to counter, or alter, an offer: filled with its terms and goods, or these.
    Raises `Refused`.
    """
    view, offer = await find_offer_to_answer(request, number, revision, alters=alters)
    give, want = goods or as_viewer(offer)
    sides = replace(offer.sides if words == NO_TERMS else words.sides(), give=give, want=want)
    alteration, counter = (
        AlterForm(view.id, number, offer.revision),
        CounterForm(view.id, number, sides.terms_card, offer.revision),
    )
    title = f"{'Alter' if alters else 'Counter'} offer {number}"
    form = offer_form(view, title, alteration if alters else counter, other_side(offer), sides)
    await request.answer.open(form)


async def find_open_offer(
    request: Request, number: int, revision: int | None
) -> tuple[TableView, OfferView]:
    """Return the table and one of its open offers, from memory, for a person with a seat.

    ``revision`` is the button's, or None for a command. Raises `Refused`, also for an older
    revision.
    """
    request.accepts_cached = True
    view = await request.view()
    offer = view.offers.get(number)
    if offer is None or offer.status != "open":
        # An alteration without changes is always refused, with a reason that says what became of
        # the offer.
        await request.execute(AlterOffer(number))
        raise Refused(
            f"There is no offer {number} at this table.",
            "**Offers** on the board shows the open ones.",
        )
    if revision is not None and revision != offer.revision:
        raise Refused(f"Offer {number} has been altered since then.", "Look at the new version.")
    own_seat(view)
    return view, offer


# ---------------------------------------------------------------- submitted


async def post_submitted(request: Request, form: PostForm) -> None:
    """Post the offer of a submitted form. Raises `Refused`."""
    view = await request.view()
    negotiation = form.negotiation or None
    to = seat_of_id(view, form.to) if form.to else None
    partner = to or partner_in(view, negotiation)

    def command(read: Read) -> PostOffer:
        filled = _filled(request, view, partner, read)
        return PostOffer(
            to=to,
            give=filled.give,
            want=filled.want,
            terms=filled.terms,
            terms_now=filled.now,
            terms_card=filled.on_card(asked=form.card),
            negotiation=negotiation,
        )

    await post_typed(request, view, _typed(request), partner, command)


async def answer_submitted(request: Request, form: AlterForm | CounterForm) -> None:
    """Alter or counter an offer as in a submitted form. Raises `Refused`."""
    view = await request.view()
    offer, alters = view.offers.get(form.offer), isinstance(form, AlterForm)
    other = None if offer is None else offer.to if alters else offer.poster

    def command(read: Read) -> AlterOffer | CounterOffer:
        filled = _filled(request, view, other, read, offer)
        said = filled.give, filled.want, filled.terms, filled.now
        if isinstance(form, CounterForm):
            card = filled.on_card(asked=form.card)
            return CounterOffer(form.offer, *said, card, revision=form.revision)
        # without the question, what the offer says of a card stays
        stays = filled.on_card(asked=False) if filled.kind else None
        return AlterOffer(form.offer, form.revision, *said, stays)

    await post_typed(request, view, _typed(request), other, command)


def _typed(request: Request) -> Typed:
    """Return what was typed for the two sides, if no card was picked beside it."""
    values = request.submitted()
    sides = []
    for field in ("give", "want"):
        text = values.get(field, [""])[0].strip()
        sides.append(text or "".join(values.get(f"{field}_also", [])) or None)
    return Typed(*sides)


def partner_in(view: TableView, negotiation: int | None) -> str | None:
    """Return the viewer's partner in a negotiation; None if there is none."""
    talks = view.negotiations.get(negotiation or 0)
    return talks.partner(view.seat) if talks and view.seat else None


class Filled(NamedTuple):
    """The content of a submitted form: the goods of both sides, the terms for later and for now,
    and their kind.
    """

    give: Goods
    want: Goods
    terms: str
    now: str
    kind: str

    def on_card(self, *, asked: bool) -> bool:
        """Return whether the terms rest on an action card's result; ``asked`` where the form did
        not ask that.
        """
        return bool(self.terms or self.now) and (self.kind == "card" if self.kind else asked)


def _filled(
    request: Request,
    view: TableView,
    other: str | None,
    read: Read,
    before: OfferView | None = None,
) -> Filled:
    """Return what a submitted form has; a card that is both typed and picked counts once. Raises
    `Refused`.

    Terms on an action card's result are for now where those of the offer ``before`` are.
    """
    values = request.submitted()

    def side(field: str, giver: str | None) -> Goods:
        typed, also = values.get(field, [""])[0], values.get(f"{field}_also", [])
        goods = read(view, typed, giver)
        return goods + goods.missing(selected_goods(view, also))

    text, kind = (values.get(field, [""])[0].strip() for field in ("terms", "kind"))
    now = kind == "card" and before is not None and before.sides.terms_now
    parts = terms_of(text, ("both" if before and before.sides.terms else "now") if now else kind)
    return Filled(side("give", view.seat), side("want", other), *parts, kind)
