"""Plans the messages about offers: the shared card, a card for each of the two sides, news for takers not picked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from bot.delivery.desired import (
    Desired,
    DirectMessages,
    Fallback,
    NegotiationRoom,
    Priority,
    Retired,
    SharedPlace,
    Step,
    TableChannel,
)
from bot.delivery.messages import Shown
from bot.delivery.subjects import ROLES, Missed, OfferCard, OfferRole, PersonalOffer, Subject, ToConfirm
from bot.rules.features.offers.entries import HandedOver, OfferEntry, OfferVoided, Signed, Transaction
from bot.rules.model.actions import Action, OfferAction
from bot.rules.model.calls import CallKind
from bot.rules.views import EntryView, OfferView, TableView
from bot.service import Briefing, SeatBriefing
from bot.show.cards import Card
from bot.show.hand_over import hands_over
from bot.show.offers import confirm_card, confirmed_card, missed_card, offer_card, private_offer_card
from bot.show.prompts import replaced_card
from bot.show.results import result_card


def offers(briefing: Briefing, shown: Mapping[Subject, Shown]) -> Iterator[Step]:
    """Plan the messages about the briefing's offers: those that are not over, and those that its entries concern."""
    for number in _numbers(briefing):
        yield from _offer(briefing, shown, number)


def asking(entries: Iterable[EntryView], number: int, person: int) -> int | None:
    """Return the last of these entries that a person must be notified of for this offer; None when there is none.

    People are not notified of what they did themselves. When one side hands over its cards, the other is notified only
    if the same command also signed the offer.
    """
    about = [each for each in entries if isinstance(each.entry, OfferEntry) and each.entry.offer == number]
    others = [each for each in about if each.by != person]
    handed = any(isinstance(each.entry, HandedOver) for each in about)
    signed = any(isinstance(each.entry, Signed) for each in about)
    return others[-1].seq if others and (signed or not handed) else None


def _numbers(briefing: Briefing) -> list[int]:
    views = (briefing.public, *briefing.rooms.values(), *(seat.view for seat in briefing.seats.values()))
    return sorted({number for view in views for number in view.offers})


def _offer(briefing: Briefing, shown: Mapping[Subject, Shown], number: int) -> Iterator[Step]:
    yield from _shared(briefing, shown, number)
    personal: list[Step] = [each for role in ROLES for each in _personal(briefing, shown, number, role)]
    personal += _to_confirm(briefing, shown, number)
    yield from personal
    wanted = {each.subject for each in personal}
    yield from (
        _retired(briefing, subject)
        for subject in shown
        if isinstance(subject, PersonalOffer | ToConfirm) and subject.offer == number and subject not in wanted
    )
    yield from _missed(briefing, number)


def _shared(briefing: Briefing, shown: Mapping[Subject, Shown], number: int) -> Iterator[Desired]:
    """Plan the card that several people read. A private offer outside a thread has none, so that it stays secret."""
    found, subject = _as_read_by_all(briefing, number), OfferCard(number)
    if found is None:
        return
    view, offer = found
    hidden = offer.private and offer.negotiation is None
    if not hidden or subject in shown:  # a card from before the offer became private stays up to date
        card, priority = offer_card(view, offer), Priority.CARD if _matters(offer) else Priority.LEISURE
        if offer.status == "expired":
            priority = Priority.BELL
        yield Desired(subject, _place(offer), card, wanted=offer.live, priority=priority, final=not offer.live)


def _matters(offer: OfferView) -> bool:
    """Return whether people still look at the offer: it is not over, or it is done."""
    return offer.live or offer.status == "resolved"


def _personal(briefing: Briefing, shown: Mapping[Subject, Shown], number: int, role: OfferRole) -> Iterator[Desired]:
    """Plan the card for one of the two sides, if its seat is taken and its person may know of the offer."""
    for seat in briefing.seats.values():
        offer = seat.view.offers.get(number)
        if offer is None or offer.role != role or (role == "addressed" and offer.to is None):
            continue
        new = [each for each in seat.entries if each.seq > briefing.after]
        asked, subject = asking(new, number, seat.person), PersonalOffer(number, role, seat.user_id)
        must_act = seat.seat in offer.handing_over if role == "addressed" else _concerns_poster(offer, new)
        anew = asked if must_act else None
        unsent = subject in shown and not shown[subject].message_id  # an earlier process was sending it
        yield Desired(
            subject,
            DirectMessages(seat.user_id),
            _personal_card(seat, offer),
            wanted=offer.live if role == "addressed" else anew is not None or (must_act and unsent),
            anchor=None if anew is None else str(anew),
            fallback=Fallback(_place(offer), partial(_overheard, seat, offer), partial(replaced_card, seat.view)),
            priority=_urgency(offer, unsent or _touches(new, number), must_act=must_act or role == "addressed"),
            final=not offer.live,
            entry=(anew or 0) if role == "poster" else 0,
            call=_call(offer, role, must_act=must_act),
        )


def _call(offer: OfferView, role: OfferRole, *, must_act: bool) -> CallKind:
    """Return why an offer's card notifies its person: the offer is new, waits for their confirmation, or has ended."""
    if not offer.live:
        return "answer"
    return "offer" if role == "addressed" and not must_act else "confirm"


def _urgency(offer: OfferView, touched: bool, *, must_act: bool) -> Priority:
    """Return the priority of a card. ``touched``: a new entry concerns the offer, or the card is not sent yet."""
    if touched and must_act and offer.live:
        return Priority.ACT
    if touched and _matters(offer):
        return Priority.CARD
    return Priority.REFRESH if offer.live and not touched else Priority.LEISURE


def _touches(entries: Iterable[EntryView], number: int) -> bool:
    return any(isinstance(each.entry, OfferEntry) and each.entry.offer == number for each in entries)


def _personal_card(seat: SeatBriefing, offer: OfferView) -> Card:
    """Return the offer as its person reads it, or the receipt if they completed it, unless `ToConfirm` shows that."""
    return _receipt(seat, offer, confirmed=False) or offer_card(seat.view, offer)


def _receipt(seat: SeatBriefing, offer: OfferView, *, confirmed: bool) -> Card | None:
    """Return the result of an offer for the person who completed it; None for anybody else.

    ``confirmed``: whether the person was asked to confirm the offer, as `ToConfirm` does.
    """
    for entry in seat.entries:
        done = entry.entry
        about = isinstance(done, Transaction) and done.offer == offer.number and done.confirmed == confirmed
        if about and entry.by == seat.person:
            return result_card(seat.view, entry, seat.entries)
    return None


def _to_confirm(briefing: Briefing, shown: Mapping[Subject, Shown], number: int) -> Iterator[Step]:
    """Ask those who have agreed to confirm once the turn or the phase allows it.

    This is a separate message, since Discord notifies nobody of an edit, and since the person's card must not change
    with every turn. It loses its buttons when the offer can no longer be confirmed.
    """
    for seat in briefing.seats.values():
        offer = seat.view.offers.get(number)
        if offer is None or offer.role is None or not offer.party(seat.seat):
            continue
        subject = ToConfirm(number, seat.user_id)
        if seat.seat in offer.confirming:
            yield Desired(
                subject, DirectMessages(seat.user_id), confirm_card(seat.view, offer), priority=Priority.ACT,
                anchor=f"{offer.revision}.{seat.view.window.number}",
                fallback=Fallback(
                    _place(offer), partial(_overheard, seat, offer, now=True), partial(replaced_card, seat.view)
                ),
                call="confirm",
            )  # fmt: skip
        elif subject in shown:
            card = _receipt(seat, offer, confirmed=True) or confirmed_card(seat.view, offer)
            yield Retired(subject, card, replaced_card(seat.view))


def _concerns_poster(offer: OfferView, entries: Iterable[EntryView]) -> bool:
    """Return whether the poster must act on their own offer, or must be notified that it ended.

    They are notified of an offer that became void because cards were gone, no matter who lacked them: otherwise a ping
    in the channel, for a poster whom DMs do not reach, would reveal who did.
    """
    waits = offer.poster in offer.handing_over or (offer.to is None and bool(offer.takers))
    unseen = offer.private and offer.negotiation is None  # no other card shows how it ended
    gone = any(
        isinstance(each.entry, OfferVoided) and each.entry.offer == offer.number and each.entry.reasons is not None
        for each in entries
    )
    return waits or gone or (unseen and offer.status == "expired")


def _overheard(seat: SeatBriefing, offer: OfferView, *, now: bool = False) -> Card:
    """Return the card for a ping in a channel: it shows neither private offers nor hidden hands."""
    if offer.private or hands_over(seat.view):
        return private_offer_card(seat.view, offer)
    return offer_card(seat.overheard, seat.overheard.offers[offer.number], now=now)


def _retired(briefing: Briefing, subject: PersonalOffer | ToConfirm) -> Retired:
    """Remove the buttons for a person who no longer holds the seat, and show what everybody may see."""
    found = _as_read_by_all(briefing, subject.offer)
    card = replace(offer_card(*found), rows=()) if found else replaced_card(briefing.public)
    return Retired(subject, card, card)


def _missed(briefing: Briefing, number: int) -> Iterator[Desired]:
    """Tell those who accepted an offer to all that the poster picked another, unless they have left the seat."""
    done = [each for each in briefing.entries if isinstance(each.entry, Transaction) and each.entry.offer == number]
    for seat in briefing.seats.values() if done else ():
        offer = seat.view.offers.get(number)
        if offer and seat.seat in offer.missed and done[-1].names.holders.get(seat.seat) == seat.person:
            subject, place = Missed(number, seat.user_id), DirectMessages(seat.user_id)
            card = missed_card(seat.view, offer)
            yield Desired(subject, place, card, priority=Priority.NEWS, final=True, entry=done[-1].seq)


def _as_read_by_all(briefing: Briefing, number: int) -> tuple[TableView, OfferView] | None:
    """Return the offer as people outside it may read it, with the view of its thread or of the channel.

    No such view holds a private offer. It is taken from the ``overheard`` view of one of its two sides, without that
    side's role and buttons.
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
    """Return the action under the shared card of a private offer: **Show me**, for its two sides."""
    waiting = offer.status == "open" and not offer.handing_over
    return (OfferAction(offer.table, offer.number, offer.revision, "show"),) if waiting else ()


def _place(offer: OfferView) -> SharedPlace:
    return TableChannel() if offer.negotiation is None else NegotiationRoom(offer.negotiation)
