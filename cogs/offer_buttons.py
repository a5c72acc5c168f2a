"""The buttons under an offer, and elsewhere those that lead to one: lists of offers, matches."""

from __future__ import annotations

from dataclasses import replace

from bot.rules.features.offers.posting import PauseOffer, RepeatOffer, SameOffer
from bot.rules.features.offers.signing import Agree, EndOffer, HaveThem, PickTaker, Sign
from bot.rules.model.actions import OfferAction
from bot.rules.model.violation import Refused
from bot.rules.views import OfferView, TableView
from bot.service import Filter
from bot.show.actions import BrowseOffers
from bot.show.board import board_button
from bot.show.cards import Card
from bot.show.offer_cards import browse_rows, more_card, offer_card
from bot.show.timeline import offer_history_card
from cogs import hand_overs, meant, new_offers, offer_forms
from cogs.offer_replies import execute_offer, execute_posting, have_them, sign, up_to_date
from cogs.request import Request
from cogs.router import Router

DETAILS = 100
"""The most entries about an offer that its details show, the newest ones."""


def bind(router: Router) -> None:
    """Bind the handlers of all buttons and forms about offers."""
    offer_forms.bind(router)
    meant.bind(router)
    hand_overs.bind(router)
    router.on(OfferAction, up_to_date(offer_pressed))
    router.on(Sign, up_to_date(sign))
    router.on(Agree, up_to_date(sign))
    router.on(HaveThem, up_to_date(have_them))
    for each in (PickTaker, EndOffer, PauseOffer):
        router.on(each, up_to_date(execute_offer))
    router.on(RepeatOffer, execute_posting)
    router.on(SameOffer, execute_posting)
    router.on(BrowseOffers, browsed)


async def offer_pressed(request: Request, press: OfferAction) -> None:
    """Show an offer or what there is about it, or open a form."""
    match press.what:
        case "show":
            view, card = await _shown(request, press.offer)
            await request.reply(card)
            request.keep_answer(view, view.offers[press.offer])
        case "more":
            view, offer = await _readable(request, press.offer)
            await request.reply(more_card(view, offer))
        case "details":
            view, offer = await _readable(request, press.offer)
            found = await request.service.history(
                view.id,
                request.requester,
                filter=Filter(offer=offer.number),
                until_seq=view.seq,
                page=1,
                size=DETAILS,
            )
            await request.answer.update(offer_history_card(view, offer, found.entries[::-1]))
        case "alter":
            await new_offers.begin_answer(request, press.offer, press.revision, alters=True)
        case "counter":
            await new_offers.begin_answer(request, press.offer, press.revision)
        case "hand_over" | "accept_and_hand_over" | "choose_again":
            await hand_overs.begin(request, press)


async def browsed(request: Request, select: BrowseOffers) -> None:
    """Show the offer chosen from a list, in place of the list."""
    number = request.chosen_number()
    view, card = await _shown(request, number)
    back = board_button(view, "Back", "offers")
    await request.answer.update(
        replace(card, rows=(*card.rows, *browse_rows(view, number), (back,)))
    )


async def look(request: Request, number: int) -> None:
    """Show an offer whose card the person reads: as one of its two sides, or as anybody else."""
    view = await request.view(offers=[number])
    offer = view.offers.get(number)
    if offer is None or offer.to is None or offer.role is not None:
        await request.reply((await _shown(request, number))[1])
    else:
        view, offer = await _readable(request, number)
        await request.reply(more_card(view, offer))


async def _shown(request: Request, number: int) -> tuple[TableView, Card]:
    """Return the card of an offer for one of its two sides, of one to all for anybody. Raises
    `Refused` for others.
    """
    view = await request.view(offers=[number])
    offer = view.offers.get(number)
    if offer is None or not (offer.to is None or (offer.exact and offer.role is not None)):
        raise Refused("That is for another player.", "**Offers** on the board shows yours.")
    return view, offer_card(view, offer, now=True)


async def _readable(request: Request, number: int) -> tuple[TableView, OfferView]:
    """Return the table and an offer, open or over, that the presser may read. Raises `Refused`."""
    view = await request.view(offers=[number])
    offer = view.offers.get(number)
    if offer is None or not offer.buttons.more:
        raise Refused("That is for another player.", "**Offers** on the board shows yours.")
    return view, offer
