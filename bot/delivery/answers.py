"""DMs about what the counterparty did: declined an offer, withdrew what the person had accepted, marked a deal.

Each is a new message, since Discord notifies nobody of an edit. A person who took over the seat later gets none.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bot.delivery.desired import Desired, DirectMessages, Fallback, NegotiationRoom, Priority, SharedPlace, TableChannel
from bot.delivery.subjects import Declined, Told
from bot.rules.features.deals import DealMarked
from bot.rules.features.offers.entries import OfferDeclined, OfferWithdrawn
from bot.rules.views import EntryView, OfferView
from bot.service import Briefing, SeatBriefing
from bot.show.answers import backed_out_card, declined_card, marked_card, withdrawn_card
from bot.show.cards import Card
from bot.show.offers import private_offer_card
from bot.show.prompts import replaced_card


def answers(briefing: Briefing) -> Iterator[Desired]:
    """Plan a DM for each entry of others that a person waited for."""
    for entry in briefing.entries:
        for seat in briefing.seats.values():
            if entry.by != seat.person and entry.names.holders.get(seat.seat) == seat.person:
                yield from _told(seat, entry)


def _told(seat: SeatBriefing, entry: EntryView) -> Iterator[Desired]:
    match entry.entry:
        case OfferDeclined(offer=number, seat=other):
            offer = seat.view.offers.get(number)
            if offer is not None and offer.role == "poster":
                yield _declined(seat, entry, offer, other)
        case OfferWithdrawn(offer=number):
            offer = seat.view.offers.get(number)
            if offer is not None and seat.seat in offer.accepted:
                yield _silently(seat, entry, withdrawn_card(seat.view, offer))
        case DealMarked(deal=number, other=other, promised_by=person):
            deal, own = seat.view.deals.get(number), _as_seen(seat, entry)
            if deal is not None and (other, person) == (seat.seat, seat.person):
                yield _silently(seat, entry, marked_card(seat.view, own, deal))


def _declined(seat: SeatBriefing, entry: EntryView, offer: OfferView, other: str) -> Desired:
    """Tell the poster who declined their offer. An offer to all stays open when one taker backs out."""
    if offer.live:
        return _silently(seat, entry, backed_out_card(seat.view, offer, other))
    card = declined_card(seat.view, offer, other)
    overheard = partial(_overheard, seat, offer, other)
    return Desired(
        Declined(entry.seq, seat.user_id), DirectMessages(seat.user_id), card, priority=Priority.NEWS, final=True,
        fallback=Fallback(_place(offer), overheard, partial(replaced_card, seat.view)), entry=entry.seq, call="answer",
    )  # fmt: skip


def _overheard(seat: SeatBriefing, offer: OfferView, other: str) -> Card:
    """Return the card for a place that others read: it names no note that only the two parties may know of."""
    if offer.private:
        return private_offer_card(seat.view, offer)
    return declined_card(seat.overheard, seat.overheard.offers[offer.number], other)


def _silently(seat: SeatBriefing, entry: EntryView, card: Card) -> Desired:
    subject, place = Told(entry.seq, seat.user_id), DirectMessages(seat.user_id)
    return Desired(subject, place, card, priority=Priority.NEWS, final=True, entry=entry.seq)


def _as_seen(seat: SeatBriefing, entry: EntryView) -> EntryView:
    return next(each for each in seat.entries if each.seq == entry.seq)


def _place(offer: OfferView) -> SharedPlace:
    return TableChannel() if offer.negotiation is None else NegotiationRoom(offer.negotiation)
