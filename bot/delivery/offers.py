"""Plans the messages about offers: the card in the channel, one for each of the two, and news for those not picked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from bot.delivery.desired import (
    Desired,
    DirectMessages,
    Fallback,
    NegotiationRoom,
    Retired,
    SharedPlace,
    Step,
    TableChannel,
)
from bot.delivery.messages import Shown
from bot.delivery.subjects import Missed, OfferCard, OfferRole, PersonalOffer, Subject
from bot.rules.model.actions import Action, OfferAction
from bot.rules.offers.entries import HandedOver, OfferEntry, Signed
from bot.rules.views import EntryView, OfferView, TableView
from bot.service import Briefing, SeatBriefing
from bot.show.cards import Card
from bot.show.hand_over import hands_over
from bot.show.offers import missed_card, offer_card, private_offer_card
from bot.show.prompts import replaced_card

ROLES: tuple[OfferRole, ...] = ("addressed", "poster")


def offers(briefing: Briefing, shown: Mapping[Subject, Shown]) -> Iterator[Step]:
    """Plan the messages about all offers of the briefing: those that are not over, and those its entries are about."""
    fresh = asking_anew(briefing.entries)
    for number in _numbers(briefing):
        yield from _offer(briefing, shown, number, number in fresh)


def asking_anew(entries: Iterable[EntryView]) -> frozenset[int]:
    """Return the offers about which a person must be notified because of these entries.

    When one side hands over its cards, the other need not be notified, unless the first agreed with the same command.
    """
    of_offers = [each.entry for each in entries if isinstance(each.entry, OfferEntry)]
    handed = {entry.offer for entry in of_offers if isinstance(entry, HandedOver)}
    signed = {entry.offer for entry in of_offers if isinstance(entry, Signed)}
    return frozenset(({entry.offer for entry in of_offers} - handed) | signed)


def _numbers(briefing: Briefing) -> list[int]:
    views = (briefing.public, *briefing.rooms.values(), *(seat.view for seat in briefing.seats.values()))
    return sorted({number for view in views for number in view.offers})


def _offer(briefing: Briefing, shown: Mapping[Subject, Shown], number: int, fresh: bool) -> Iterator[Step]:
    yield from _shared(briefing, shown, number)
    personal = [each for role in ROLES for each in _personal(briefing, number, role, fresh)]
    yield from personal
    wanted = {each.subject for each in personal}
    yield from (
        _retired(briefing, subject)
        for subject in shown
        if isinstance(subject, PersonalOffer) and subject.offer == number and subject not in wanted
    )
    yield from _missed(briefing, number)


def _shared(briefing: Briefing, shown: Mapping[Subject, Shown], number: int) -> Iterator[Desired]:
    """Plan the card that several people read. A private offer outside a thread has none: it must stay unknown."""
    found, subject = _as_read_by_all(briefing, number), OfferCard(number)
    if found is None:
        return
    view, offer = found
    hidden = offer.private and offer.negotiation is None
    if not hidden or subject in shown:  # shown: it was public before it was altered, and that card must not go stale
        yield Desired(subject, _place(offer), offer_card(view, offer), wanted=offer.live)


def _personal(briefing: Briefing, number: int, role: OfferRole, fresh: bool) -> Iterator[Desired]:
    """Plan the card for one of the two, if that seat is taken and its person may know of the offer."""
    for seat in briefing.seats.values():
        offer = seat.view.offers.get(number)
        if offer is None or seat.seat != (offer.poster if role == "poster" else offer.to):
            continue
        must_act = seat.seat in offer.waits_for if role == "addressed" else _concerns_poster(offer)
        yield Desired(
            PersonalOffer(number, role, seat.user_id),
            DirectMessages(seat.user_id),
            offer_card(seat.view, offer),
            wanted=offer.live if role == "addressed" else must_act,
            fresh=fresh and must_act,
            fallback=Fallback(_place(offer), _overheard(seat, offer), replaced_card(seat.view)),
        )


def _concerns_poster(offer: OfferView) -> bool:
    """Return whether the poster must act on their own offer, or must be notified that it ended."""
    waits = offer.poster in offer.waits_for or (offer.to is None and bool(offer.takers))
    unseen = offer.private and offer.negotiation is None  # no other card shows how it ended
    return waits or bool(offer.end_reason) or (unseen and offer.status in ("declined", "expired"))


def _overheard(seat: SeatBriefing, offer: OfferView) -> Card:
    """Return the card for the place where the person is pinged: it shows neither private offers nor hidden hands."""
    if offer.private or hands_over(seat.view):
        return private_offer_card(seat.view, offer)
    return offer_card(seat.overheard, seat.overheard.offers[offer.number])


def _retired(briefing: Briefing, subject: PersonalOffer) -> Retired:
    """Remove the buttons for a person who is no longer in the seat, and show what everybody may see."""
    found = _as_read_by_all(briefing, subject.offer)
    card = replace(offer_card(*found), rows=()) if found else replaced_card(briefing.public)
    return Retired(subject, card, card)


def _missed(briefing: Briefing, number: int) -> Iterator[Desired]:
    """Tell those who accepted an offer to all that the poster picked another."""
    for seat in briefing.seats.values():
        offer = seat.view.offers.get(number)
        if offer and seat.seat in offer.missed:
            user = seat.user_id
            yield Desired(Missed(number, user), DirectMessages(user), missed_card(seat.view, offer))


def _as_read_by_all(briefing: Briefing, number: int) -> tuple[TableView, OfferView] | None:
    """Return the offer as people without a part in it may read it, with the view of its thread or of the channel.

    A private offer is in no such view. Then it is taken from what one of its two would let others overhear, without
    that person's role and buttons.
    """
    for negotiation, room in briefing.rooms.items():
        if (offer := room.offers.get(number)) and offer.negotiation == negotiation:
            return room, offer
    if offer := briefing.public.offers.get(number):
        return briefing.public, offer
    for seat in briefing.seats.values():
        if offer := seat.overheard.offers.get(number):
            return seat.overheard, replace(offer, role=None, actions=_open_to_all(offer))
    return None


def _open_to_all(offer: OfferView) -> tuple[Action, ...]:
    """Return the action under everybody's card of a private offer: **Show me**, for its two."""
    waiting = offer.status == "open" and not offer.handing_over
    return (OfferAction(offer.table, offer.number, offer.revision, "show"),) if waiting else ()


def _place(offer: OfferView) -> SharedPlace:
    return TableChannel() if offer.negotiation is None else NegotiationRoom(offer.negotiation)
