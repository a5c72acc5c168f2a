"""Plans the messages about offers.

An offer has a shared card, a card for each of its two sides, and news for takers who were not
picked. `PERSONAL` says when a side gets its card and what it rings for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from bot.delivery.desired import (
    MOVED,
    ROLES,
    Board,
    CounterpartNews,
    Desired,
    Fallback,
    GoneYes,
    NegotiationRoom,
    NotChosen,
    OfferCard,
    OfferRole,
    PersonalOffer,
    Priority,
    Result,
    Retired,
    SharedPlace,
    Step,
    Subject,
    TableChannel,
    TakenAway,
    ToConfirm,
    encode,
)
from bot.delivery.life import Life
from bot.rules.entries import CallKind
from bot.rules.features.offers.entries import (
    HandedOver,
    HandOverUndone,
    OfferAltered,
    OfferBecameDeal,
    OfferEntry,
    OfferPosted,
    OfferVoided,
    Signed,
    Transaction,
)
from bot.rules.features.seats import SeatLeft
from bot.rules.model.replacing import replace
from bot.rules.model.values import frozen
from bot.rules.views import EntryView, OfferView, TableView
from bot.service import Briefing, SeatBriefing
from bot.show.cards import Card
from bot.show.hand_over import hands_over
from bot.show.names import game_of
from bot.show.notices import taken_too_card
from bot.show.offer_cards import (
    confirm_card,
    confirmed_card,
    gone_yes_card,
    missed_card,
    offer_card,
    private_offer_card,
    timeless,
    uncovered_card,
)
from bot.show.results import public_result_card, result_card
from bot.show.wishes import listed_in, lists_answers

REDRAWN = 5
"""How many offers to a reader, the newest, have cards that are drawn again when their goods or
right to trade change. The others, and those over an hour old, of which Discord takes few edits,
show what does not change by itself.
"""

# ---------------------------------------------------------------- who gets a card of their own

Standing = Literal["posted", "must_act", "done", "deal", "over", "ended_unseen"]
"""What has become of an offer for one of its two sides.

- ``posted``: it waits, and nobody asks this side for more than an answer.
- ``must_act``: this side must hand over, or the poster must pick a taker.
- ``done``: it is resolved. ``over``: it has ended otherwise.
- ``deal``, ``ended_unseen``: the same, and the poster must be told.
"""


class Sending(NamedTuple):
    """When a side's card is sent, what it ``rings`` for, and its priority.

    ``wanted``: it is sent if it is not there. ``anew``: it is sent again for each entry by others.
    """

    wanted: bool
    anew: bool
    rings: CallKind
    priority: Priority


PERSONAL: dict[tuple[OfferRole, Standing], Sending] = {
    ("addressed", "posted"): Sending(True, False, "offer", Priority.ACT),
    ("addressed", "must_act"): Sending(True, True, "confirm", Priority.ACT),
    ("addressed", "done"): Sending(False, False, "answer", Priority.CARD),
    ("addressed", "over"): Sending(False, False, "answer", Priority.LEISURE),
    ("poster", "posted"): Sending(False, False, "confirm", Priority.CARD),
    ("poster", "must_act"): Sending(False, True, "confirm", Priority.ACT),
    ("poster", "done"): Sending(False, False, "answer", Priority.CARD),
    ("poster", "over"): Sending(False, False, "answer", Priority.LEISURE),
    ("poster", "deal"): Sending(False, True, "answer", Priority.CARD),
    ("poster", "ended_unseen"): Sending(False, True, "answer", Priority.LEISURE),
}


LISTED = Sending(False, False, "answer", Priority.LEISURE)
"""An answer to a wish: the wish's card lists it, so it has none of its own."""


def _sending(
    role: OfferRole, seat: SeatBriefing, offer: OfferView, news: Iterable[EntryView]
) -> Sending:
    """Return how to send a side its card."""
    standing: Standing
    if role == "addressed":
        told = seat.seat in offer.progress.handing_over
        if not told and listed_in(seat.view, offer) is not None:
            return LISTED
    else:
        told = _concerns_poster(offer, news)
    if offer.live:
        standing = "must_act" if told else "posted"
    elif offer.status == "resolved":
        standing = "deal" if told else "done"
    else:
        standing = "ended_unseen" if told else "over"
    return PERSONAL[role, standing]


def _concerns_poster(offer: OfferView, entries: Iterable[EntryView]) -> bool:
    """Return whether the poster must act on their own offer, or be told that it ended.

    They are told of an offer that became void because cards were gone, no matter who lacked them:
    otherwise a ping in the channel, for a poster whom DMs do not reach, would reveal who did.
    """
    if offer.poster in offer.progress.handing_over:
        return True
    if offer.to is None and offer.progress.takers:
        return True
    if offer.status == "expired" and offer.private and offer.links.negotiation is None:
        return True  # no other card shows how it ended
    if offer.status == "void" and offer.private and _left(entries, offer.to):
        return True  # nor that of one to somebody who has left
    for entry in _about(entries, offer.number):
        cards_gone = isinstance(entry.entry, OfferVoided) and entry.entry.reasons is not None
        if cards_gone or isinstance(entry.entry, OfferBecameDeal):
            return True
    return False


def _left(entries: Iterable[EntryView], seat: str | None) -> bool:
    """Return whether these entries say that somebody left this seat."""
    seats = [entry.entry.seat for entry in entries if isinstance(entry.entry, SeatLeft)]
    return seat in seats


def asking(entries: Iterable[EntryView], number: int, person: int) -> int | None:
    """Return the last of these entries to notify a person of for this offer, or None.

    People are not notified of what they did themselves. When one side hands over its cards, the
    other is notified only if the same command also signed the offer, or undid what was handed over
    before.
    """
    about = _about(entries, number)
    by_others = [entry.seq for entry in about if entry.by != person]
    handed = any(isinstance(entry.entry, HandedOver) for entry in about)
    signed = any(isinstance(entry.entry, Signed | HandOverUndone) for entry in about)
    if by_others and (signed or not handed):
        return by_others[-1]
    return None


def _about(entries: Iterable[EntryView], number: int) -> list[EntryView]:
    about = []
    for entry in entries:
        if isinstance(entry.entry, OfferEntry) and entry.entry.offer == number:
            about.append(entry)
    return about


# ---------------------------------------------------------------- all messages of all offers


def offers(
    briefing: Briefing,
    shown: Mapping[Subject, Life],
    now: int = 0,
    unreached: Collection[int] = (),
) -> Iterator[Step]:
    """Plan the messages about offers that are not over, or that the entries concern.

    ``now`` is the time in milliseconds since 1970. ``unreached`` are users whose DMs Discord has
    refused.
    """
    cards: dict[int, list[PersonalOffer | ToConfirm]] = {}
    told_gone: dict[int, set[int]] = {}
    for subject in shown:
        if isinstance(subject, PersonalOffer | ToConfirm):
            cards.setdefault(subject.offer, []).append(subject)
        elif isinstance(subject, GoneYes):
            told_gone.setdefault(subject.offer, set()).add(subject.user)
    seats = list(briefing.seats.values())
    newest = {seat.seat: _newest(seat) for seat in seats}
    open_to_all = _open_to_all(briefing)
    for number in sorted(_offers_of(briefing)):
        readers = [(seat, seat.view.offers[number]) for seat in seats if number in seat.view.offers]
        public = open_to_all.get(number)
        # A private offer outside a thread has no card for others, so that it stays secret; one from
        # before the offer became private stays.
        if public is None and OfferCard(number) in shown:
            public = _private(readers)
        if public is not None:
            yield from _shared(briefing, shown, public, unreached)
        yield from _gone_yes(seats, number, told_gone.get(number, ()))
        yield from _taken_back(shown, readers)
        personal: list[Step] = []
        for role in ROLES:
            personal += _personal(briefing, shown, readers, role, newest, now)
        personal += _to_confirm(briefing, shown, readers)
        yield from personal
        planned = {step.subject for step in personal}
        others = [subject for subject in cards.get(number, ()) if subject not in planned]
        yield from _of_former_holders(shown, readers, public, others)
        yield from _missed(briefing, number, readers)


Readers = Sequence[tuple[SeatBriefing, OfferView]]
"""The seats that may read an offer, each with the offer as it reads it."""

PublicOffer = tuple[TableView, OfferView]
"""An offer as people outside it may read it, with its thread's or the channel's view."""


def _open_to_all(briefing: Briefing) -> dict[int, PublicOffer]:
    """Return the offers that the channel or a thread reads. No such view holds a private one."""
    offers = {number: (briefing.public, offer) for number, offer in briefing.public.offers.items()}
    for negotiation, room in briefing.rooms.items():
        for number, offer in room.offers.items():
            if offer.links.negotiation == negotiation:
                offers[number] = room, offer
    return offers


def _offers_of(briefing: Briefing) -> set[int]:
    """Return the numbers of the offers that somebody sees."""
    numbers = set(briefing.public.offers)
    for room in briefing.rooms.values():
        numbers |= set(room.offers)
    for seat in briefing.seats.values():
        numbers |= set(seat.view.offers)
    return numbers


def _newest(seat: SeatBriefing) -> list[int]:
    """Return the newest offers to a seat that wait for its answer, at most `REDRAWN`."""
    waiting = []
    for offer in seat.view.offers.values():
        if offer.to == seat.seat and offer.status == "open" and not offer.progress.agreed_by_both:
            waiting.append(offer.number)
    return sorted(waiting)[-REDRAWN:]


def place_of(offer: OfferView) -> SharedPlace:
    """Return the place of an offer's shared card."""
    if offer.links.negotiation is None:
        return TableChannel()
    return NegotiationRoom(offer.links.negotiation)


def is_final(briefing: Briefing, offer: OfferView) -> bool:
    """Return whether an offer is over and can't be taken back any more."""
    if offer.live:
        return False
    undone = game_of(briefing.public).commands.can_take_back(briefing.public.settings)
    return offer.status != "resolved" or offer.links.taken_back or not undone


def no_longer_undone(briefing: Briefing, shown: Mapping[Subject, Life]) -> set[Subject]:
    """Return the messages that an undone trade changes, once a new window forbids to undo it."""
    board = shown.get(Board())
    window = str(briefing.public.window.number)
    if board is None or board.anchor.partition(MOVED)[0] == window:
        return set()
    present = _offers_of(briefing)
    over: set[Subject] = set()
    for subject, life in shown.items():
        if not life.resting:
            continue
        if isinstance(subject, OfferCard | PersonalOffer | ToConfirm):
            over.update([subject] if subject.offer not in present else [])
        elif isinstance(subject, Result):
            over.add(subject)
    return over


# ---------------------------------------------------------------- the shared card


def _shared(
    briefing: Briefing,
    shown: Mapping[Subject, Life],
    public: PublicOffer,
    unreached: Collection[int],
) -> Iterator[Step]:
    """Plan the card that several people read.

    An offer to somebody whom DMs do not reach has none: the ping in the channel is its card.
    """
    view, offer = public
    subject = OfferCard(offer.number)
    if _pinged(briefing, shown, offer, unreached):
        yield TakenAway(subject)
        return
    priority = Priority.LEISURE
    if offer.status == "expired":
        priority = Priority.BELL
    elif offer.live or offer.status == "resolved":
        priority = Priority.CARD
    yield Desired(
        subject,
        _taken(briefing, offer) or offer_card(view, offer),
        place_of(offer),
        wanted=offer.live,
        priority=priority,
        final=is_final(briefing, offer),
    )


def _taken(briefing: Briefing, wish: OfferView) -> Card | None:
    """Return what a wish became once its poster took an answer, which nobody else could read; None
    while they have not, and where trades are private too.
    """
    if not wish.asks_only or game_of(briefing.public).trade.private_offers:
        return None
    for entry in briefing.entries:
        done = entry.entry
        if isinstance(done, Transaction) and done.offer == wish.links.answer:
            return public_result_card(briefing.public, entry, done)
    return None


def _pinged(
    briefing: Briefing,
    shown: Mapping[Subject, Life],
    offer: OfferView,
    unreached: Collection[int],
) -> bool:
    """Return whether a ping in the channel shows this public offer to its addressee, or is about to
    show it.
    """
    seat = briefing.seats.get(offer.to or "")
    if seat is None or offer.private or hands_over(briefing.public):
        return False
    life = shown.get(PersonalOffer(offer.number, "addressed", seat.user_id))
    if life is not None and life.message_id:
        return life.channel_id == briefing.channel_id
    return offer.live and seat.user_id in unreached and OfferCard(offer.number) not in shown


def _private(readers: Readers) -> PublicOffer | None:
    """Return a private offer as people outside it may read it; None if nobody in a seat has it.

    It is taken from the ``shared`` view of one of its two sides, without that side's role and
    buttons; **Show me** remains, for both sides.
    """
    for seat, own in readers:
        offer = seat.shared_view.offers[own.number]
        waiting = offer.status == "open" and not offer.progress.handing_over
        buttons = replace(offer.buttons, actions=("show",) if waiting else ())
        return seat.shared_view, replace(offer, role=None, buttons=buttons)
    return None


# ---------------------------------------------------------------- the card of one side


def _personal(
    briefing: Briefing,
    shown: Mapping[Subject, Life],
    readers: Readers,
    role: OfferRole,
    newest: Mapping[str, Collection[int]],
    now: int,
) -> Iterator[Desired]:
    """Plan the card for one of the two sides, if its person may know of the offer.

    It shows the offer, or the receipt to the person who completed it, unless `ToConfirm` shows
    that.
    """
    for seat, offer in readers:
        if offer.role != role or (role == "addressed" and offer.to is None):
            continue
        number = offer.number
        subject = PersonalOffer(number, role, seat.user_id)
        life = shown.get(subject)
        if _rests(seat, offer) and (life is None or life.resting):
            continue
        news = [entry for entry in seat.entries if entry.seq > briefing.after]
        sending = _sending(role, seat, offer, news)
        occasion = asking(news, number, seat.person) if sending.anew else None
        unsent = life is not None and not life.message_id  # an earlier process was sending it
        if lists_answers(seat.view, offer):
            occasion = _answered(offer, news, seat.person)
            sending = PERSONAL["poster", "must_act"]
        if role == "poster" and life is not None and life.message_id:
            joined = _taken_too(offer, news, seat)
            if joined is not None:
                # The card that called the poster is there, and names the new taker.
                occasion = None
                yield _told_of_taker(seat, offer, joined, subject)
        wanted = sending.wanted or occasion is not None or (sending.anew and unsent)
        if not wanted and life is None:
            continue  # the usual case for posters; a card is made only to be sent or compared
        old = life is not None and life.message_id and life.old(now)
        if role == "addressed" and offer.live and (old or number not in newest[seat.seat]):
            offer = timeless(seat.view, offer)
        desired = Desired(
            subject,
            _receipt(seat, offer, confirmed=False) or offer_card(seat.view, offer),
            wanted=wanted,
            fallback=_ping(seat, offer),
            priority=Priority.REFRESH if offer.live else Priority.LEISURE,
            final=is_final(briefing, offer),
            call=sending.rings,
        )
        if unsent or _about(news, number):
            desired = replace(desired, priority=sending.priority)
        if occasion is not None:
            reports = occasion if role == "poster" else 0
            desired = replace(desired, anchor=str(occasion), entry=reports)
        yield desired


def _answered(wish: OfferView, news: Iterable[EntryView], person: int) -> int | None:
    """Return the last of these entries in which somebody else answered a wish; None for none."""
    occasion = None
    for entry in news:
        answers = isinstance(entry.entry, OfferPosted | OfferAltered) and entry.by != person
        if answers and getattr(entry.entry, "offer", 0) in wish.links.counters:
            occasion = entry.seq
    return occasion


@frozen
class _Taker:
    """A seat that took up an offer to all after others, and the entry in which it did."""

    seq: int
    seat: str


def _taken_too(offer: OfferView, news: Iterable[EntryView], seat: SeatBriefing) -> _Taker | None:
    """Return who took up an offer to all that others had taken up before, or None."""
    if offer.to is not None or not offer.live or len(offer.progress.takers) < 2:
        return None
    for entry in _about(news, offer.number):
        if isinstance(entry.entry, Signed) and entry.by != seat.person:
            return _Taker(entry.seq, entry.entry.seat)
    return None


def _told_of_taker(
    seat: SeatBriefing, offer: OfferView, taker: _Taker, card: PersonalOffer
) -> Desired:
    return Desired(
        CounterpartNews(taker.seq, seat.user_id),
        taken_too_card(seat.view, offer, taker.seat, encode(card)),
        priority=Priority.NEWS,
        final=True,
        entry=taker.seq,
        call="confirm",
    )


def _of_former_holders(
    shown: Mapping[Subject, Life],
    readers: Readers,
    public: PublicOffer | None,
    cards: Iterable[Subject],
) -> Iterator[Step]:
    """Plan the cards of those who no longer hold the seat.

    They see what everybody may see, without buttons.
    """
    done = any(_rests(seat, offer) for seat, offer in readers)
    for subject in cards:
        if done and shown[subject].resting:
            continue
        shared = public or _private(readers)
        if shared is None:
            yield TakenAway(subject)
        else:
            card = replace(offer_card(*shared), rows=())
            yield Retired(subject, card, card)


def _rests(seat: SeatBriefing, offer: OfferView) -> bool:
    """Return whether an offer's receipt stays as it is: done earlier, and not taken back."""
    if offer.status != "resolved" or offer.links.taken_back:
        return False
    return not _just_done(seat.entries, offer.number)


def _just_done(entries: Iterable[EntryView], number: int) -> list[EntryView]:
    """Return the entry by which this offer has become a trade or a deal, if it is among these."""
    ends = Transaction | OfferBecameDeal
    return [entry for entry in _about(entries, number) if isinstance(entry.entry, ends)]


def _receipt(seat: SeatBriefing, offer: OfferView, *, confirmed: bool) -> Card | None:
    """Return the result of an offer for the person who completed it; None for anybody else.

    ``confirmed``: whether the person was asked to confirm the offer, as `ToConfirm` does.
    """
    number = offer.number
    if offer.asks_only and offer.role == "poster":
        number = offer.links.answer or 0  # the answer that they took on the wish's card
    for entry in seat.entries:
        done = entry.entry
        if not isinstance(done, Transaction) or entry.by != seat.person:
            continue
        if done.offer == number and done.confirmed == confirmed:
            return result_card(seat.view, entry, seat.entries)
    return None


def _ping(seat: SeatBriefing, offer: OfferView, *, now: bool = False) -> Fallback:
    """Return the fallback for an offer. Its card shows neither private offers nor hidden hands."""

    def shared_card() -> Card:
        if offer.private or hands_over(seat.view) or lists_answers(seat.view, offer):
            return private_offer_card(seat.view, offer)
        read = seat.shared_view.offers[offer.number]
        if not now and read.live:  # all the others have this card alone
            actions = (*read.buttons.actions, "more")
            read = replace(read, buttons=replace(read.buttons, actions=actions))
        return offer_card(seat.shared_view, read, now=now)

    return Fallback(place_of(offer), shared_card)


# ---------------------------------------------------------------- questions and news


def _to_confirm(
    briefing: Briefing, shown: Mapping[Subject, Life], readers: Readers
) -> Iterator[Step]:
    """Ask those who have agreed to confirm once the turn or the phase allows it.

    This is a separate message, since Discord notifies nobody of an edit, and since the person's
    card must not change with every turn. It loses its buttons when the offer can no longer be
    confirmed.
    """
    for seat, offer in readers:
        if offer.role is None or not offer.party(seat.seat):
            continue
        subject = ToConfirm(offer.number, seat.user_id)
        confirms = seat.seat in offer.progress.confirming
        if confirms or offer.progress.uncovered:
            why_not = offer.ruling.why_not
            # What only the two know changes nothing that others read: neither when a message comes,
            # nor in the channel for one whom DMs do not reach.
            in_secret = why_not is not None and bool(why_not.known_to)
            as_asked = confirms or in_secret
            card = confirm_card(seat.view, offer) if confirms else uncovered_card(seat.view, offer)
            fallback: Fallback | None = _ping(seat, offer, now=as_asked)
            if in_secret and not confirms and not _asked_openly(seat, offer):
                fallback = None
            yield Desired(
                subject,
                card,
                priority=Priority.ACT,
                anchor=_occasion(seat, offer, shown.get(subject), as_asked=as_asked),
                fallback=fallback,
                call="confirm",
            )
        elif subject in shown and not (shown[subject].resting and _rests(seat, offer)):
            receipt = _receipt(seat, offer, confirmed=True)
            if receipt is None or is_final(briefing, offer):
                yield Retired(subject, receipt or confirmed_card(seat.view, offer), None)
            else:
                fallback = Fallback(place_of(offer), None)
                yield Desired(subject, receipt, wanted=False, fallback=fallback)


def _occasion(seat: SeatBriefing, offer: OfferView, life: Life | None, *, as_asked: bool) -> str:
    """Return for which occasion a side is asked to confirm, or told that it can't be.

    They are asked in each window. That it can't be for long is told once; for those who would be
    asked as far as others know, it comes as the question would.
    """
    why_not, revision = offer.ruling.why_not, f"{offer.revision}."
    lasts = why_not is not None and why_not.lasts and not _asked_openly(seat, offer)
    if lasts and life is not None and life.anchor.startswith(revision):
        return life.anchor
    anchor = f"{revision}{seat.view.window.number}"
    return anchor if as_asked else f"{anchor}.short"


def _asked_openly(seat: SeatBriefing, offer: OfferView) -> bool:
    """Return whether this side is to confirm as far as everybody knows."""
    return seat.seat in seat.shared_view.offers[offer.number].progress.confirming


def _gone_yes(seats: Iterable[SeatBriefing], number: int, told: Collection[int]) -> Iterator[Step]:
    """Tell those whose acceptance of an offer is gone, with the turn or since it was altered.

    They can give it again. ``told`` are the users who have this news of an acceptance.
    """
    for seat in seats:
        offer = seat.view.offers.get(number)
        gone = (*offer.progress.lapsed, *offer.progress.altered) if offer is not None else ()
        if seat.seat not in gone and seat.user_id not in told:
            continue
        subject = GoneYes(number, seat.user_id)
        if offer is None:
            yield TakenAway(subject)
        elif seat.seat in gone:
            card = gone_yes_card(seat.view, offer)
            yield Desired(subject, card, priority=Priority.NEWS, call="confirm")
        else:
            card = replace(offer_card(seat.view, offer), rows=())
            yield Retired(subject, card, card)


def _taken_back(shown: Mapping[Subject, Life], readers: Readers) -> Iterator[Desired]:
    """Plan what becomes of the news of a trade for its two, once it is taken back."""
    for seat, offer in readers:
        if not offer.links.taken_back or offer.links.transaction is None:
            continue
        subject = Result(offer.links.transaction, seat.user_id)
        if subject in shown:
            yield Desired(
                subject,
                offer_card(seat.view, offer),
                wanted=False,
                final=True,
                fallback=Fallback(place_of(offer), None),
            )


def _missed(briefing: Briefing, number: int, readers: Readers) -> Iterator[Desired]:
    """Tell those who accepted an offer to all that the poster picked another.

    Those who have left the seat are told nothing.
    """
    ends = _just_done(briefing.entries, number)
    if not ends:
        return
    end = ends[-1]
    for seat, offer in readers:
        if seat.seat not in offer.progress.missed:
            continue
        if end.names.holders.get(seat.seat) == seat.person:
            yield Desired(
                NotChosen(number, seat.user_id),
                missed_card(seat.view, offer),
                priority=Priority.NEWS,
                final=True,
                entry=end.seq,
            )
