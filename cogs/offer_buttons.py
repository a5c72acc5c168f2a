"""The buttons under an offer, and elsewhere those that lead to one: lists of offers, matches, **Tell me**."""

from __future__ import annotations

from bot.rules.commands import Command
from bot.rules.features.offers.posting import PauseOffer, PostOffer, RepeatOffer
from bot.rules.features.offers.signing import Agree, Declare, EndOffer, PickTaker, Sign
from bot.rules.model.actions import DeclareHoldings, EndUnmet, MatchAction, OfferAction
from bot.rules.model.actions import PickTaker as PickAction
from bot.rules.model.violation import Refused
from bot.rules.views import EntryView, OfferView, TableView
from bot.service import Filter
from bot.show.actions import BrowseOffers, TellEntry
from bot.show.cards import Card
from bot.show.notices import follow_up_card
from bot.show.offers import more_card, offer_card
from bot.show.results import refusal_card, result_card
from bot.show.timeline import offer_history_card
from cogs import offer_forms
from cogs.acceptances import Acceptances
from cogs.hand_overs import HandOvers
from cogs.inputs import own_seat
from cogs.offer_replies import execute_offer, posted_card, result_for
from cogs.request import Request
from cogs.router import Router

DETAILS = 100
"""The most entries about an offer that its details show, the newest ones."""


class OfferButtons:
    """Handles the buttons of this module."""

    def __init__(self, router: Router) -> None:
        offer_forms.bind(router)
        self._hand_overs = HandOvers(router)
        self._acceptances = Acceptances(router)
        router.on(OfferAction, self.pressed)
        router.on(PickAction, self.picked)
        router.on(DeclareHoldings, self.declared)
        router.on(MatchAction, self.matched)
        router.on(EndUnmet, self.unmet_ended)
        router.on(BrowseOffers, self.browsed)
        router.on(TellEntry, self.tell)

    async def pressed(self, request: Request, press: OfferAction) -> None:
        offer = press.offer
        match press.what:
            case ("accept" | "confirm") as what if await self._acceptances.asked(request, press, what):
                pass  # it moves hidden goods, so the person was shown them first
            case "accept" | "confirm":
                await self._sign(request, offer, press.revision)
            case "alter":
                await offer_forms.open_alter(request, offer, press.revision)
            case "counter":
                await offer_forms.open_counter(request, offer, press.revision)
            case "show":
                await self._show(request, offer)
            case "more":
                await self._more(request, offer)
            case "details":
                await self._details(request, offer)
            case "same":
                await self._same(request, press)
            case "hand_over" | "accept_and_hand_over" | "choose_again":
                await self._hand_overs.begin(request, press)
            case "again":
                await execute_offer(request, RepeatOffer(offer), posted_card)
            case "agree":
                await self._execute(request, Agree(offer, press.revision))
            case "suspend" | "resume":
                await self._execute(request, PauseOffer(offer, press.what == "suspend"))
            case "withdraw" | "decline" | "back_out":
                await self._execute(request, EndOffer(offer, press.what))

    async def picked(self, request: Request, press: PickAction) -> None:
        """Handle the poster's pick among those who accepted an offer to all."""
        command = PickTaker(press.offer, press.revision, press.taker)
        await self._execute(request, command)

    async def declared(self, request: Request, press: DeclareHoldings) -> None:
        """Handle **I do have them** under the refusal of an offer."""
        await request.execute_publicly(Declare(press.offer))

    async def matched(self, request: Request, press: MatchAction) -> None:
        """Handle a button under the notice that another player's offer matches the presser's."""
        if press.what == "show":
            await self._show(request, press.offer)
        else:
            await self._sign(request, press.offer, press.revision)

    async def unmet_ended(self, request: Request, press: EndUnmet) -> None:
        """Handle a button under a trade's result that ends another offer."""
        await self._execute(request, EndOffer(press.offer, press.what))

    async def browsed(self, request: Request, select: BrowseOffers) -> None:
        """Show the offer chosen from a list."""
        await self._show(request, request.chosen_number())

    async def tell(self, request: Request, press: TellEntry) -> None:
        """Handle **Tell me** in a ping: show the presser, whom a DM did not reach, what an entry means for them."""
        view = await request.view()
        entry = await request.service.entry(press.table, request.requester, press.seq)
        cards = _private_cards(view, entry)
        if not cards:
            raise Refused("", "That is for another player.", "/history shows what you may know.")
        for card in cards:
            await request.reply(card)

    async def _execute(self, request: Request, command: Command) -> None:
        await execute_offer(request, command, result_for(request))

    async def _sign(self, request: Request, number: int, revision: int) -> None:
        """Handle **Accept** and **Confirm**. For an older revision, the refusal shows the newest card."""
        try:
            await self._execute(request, Sign(number, revision))
        except Refused as refused:
            view = await request.view()
            offer = view.offers.get(number)
            if offer is None or offer.role != "addressed" or offer.status != "open" or offer.revision == revision:
                raise
            await request.reply(refusal_card(refused, refused.names, offer_card(view, offer, now=True)))

    async def _more(self, request: Request, number: int) -> None:
        """Show an offer with everything that the presser may do about it."""
        view, offer = await self._readable(request, number)
        await request.reply(more_card(view, offer))

    async def _details(self, request: Request, number: int) -> None:
        """Show what became of an offer."""
        view, offer = await self._readable(request, number)
        found = await request.service.history(
            view.id, request.requester, filter=Filter(offer=number), until_seq=view.seq, page=1, size=DETAILS
        )
        await request.answer.update(offer_history_card(view, offer, found.entries[::-1]))

    async def _same(self, request: Request, press: OfferAction) -> None:
        """Offer the poster of somebody's offer the same trade that they offered to another player.

        Raises `Refused` if the offer was altered since the presser read it, or if they can't match it.
        """
        view, offer = await self._readable(request, press.offer)
        own_seat(view)
        if offer.revision != press.revision:
            raise Refused("", f"Offer {offer.number} has been altered since then.", "Look at the new version.")
        if press not in offer.buttons.more:
            raise Refused("", f"Offer {offer.number} is not one you can match.", "You can post one of your own.")
        command = PostOffer(
            to=offer.poster, give=offer.sides.want, want=offer.sides.give, terms=offer.sides.terms,
            terms_now=offer.sides.terms_now, terms_card=offer.sides.terms_card,
        )  # fmt: skip
        await execute_offer(request, command, posted_card)

    async def _readable(self, request: Request, number: int) -> tuple[TableView, OfferView]:
        """Return the table and an offer, open or over, that the presser may read. Raises `Refused`."""
        view = await request.view(offers=[number])
        offer = view.offers.get(number)
        if offer is None or not offer.buttons.more:
            raise Refused("", "That is for another player.", "/offer list shows your open offers.")
        return view, offer

    async def _show(self, request: Request, number: int) -> None:
        """Show an offer to one of its two sides, or an offer to all to anybody. Raises `Refused` for others."""
        view = await request.view(offers=[number])
        offer = view.offers.get(number)
        if offer is None or not _for_viewer(view, offer):
            raise Refused("", "That is for another player.", "/offer list shows your open offers.")
        await request.reply(offer_card(view, offer, now=True))


def _for_viewer(view: TableView, offer: OfferView) -> bool:
    """Return whether the offer is open to all or the viewer is one of its two sides."""
    return offer.to is None or (offer.exact and offer.role is not None)


def _private_cards(view: TableView, entry: EntryView) -> list[Card]:
    """Return the cards about an entry for the viewer alone: a transaction's result, and follow-ups.

    A person who took over the seat must not learn what their predecessor traded.
    """
    seat, result = view.seat, result_card(view, entry)
    if seat is None or (seat in entry.seats and seat not in entry.mine):
        return []
    follow_ups = [follow_up_card(view, each, entry) for each in entry.follow_ups if each.seat == seat]
    return follow_ups if result is None else [result, *follow_ups]
