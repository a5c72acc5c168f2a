"""Plans the messages about offers and deals.

An offer has a shared card, a card for each of its two sides, and news for takers who were not
picked. A deal has a card in the channel, a question to the other party, and news for each party.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from bot.delivery.desired import (
    MOVED,
    ROLES,
    Board,
    CounterpartNews,
    DealCard,
    Desired,
    DirectMessages,
    Fallback,
    GoneYes,
    NegotiationRoom,
    NotChosen,
    OfferCard,
    OfferRole,
    PersonalOffer,
    Priority,
    Prompt,
    PublicDeal,
    Result,
    Retired,
    SharedPlace,
    Step,
    Subject,
    TableChannel,
    ToConfirm,
    encode,
)
from bot.delivery.life import REST, Life
from bot.rules.entries import CallKind, reference
from bot.rules.features.deals import DealAnswered, DealMarked
from bot.rules.features.offers.entries import (
    HandedOver,
    HandOverUndone,
    OfferBecameDeal,
    OfferEntry,
    OfferVoided,
    Signed,
    Transaction,
)
from bot.rules.registry import game_named
from bot.rules.views import EntryView, OfferView, TableView
from bot.service import Briefing, SeatBriefing
from bot.show.cards import Card
from bot.show.deals import deal_card
from bot.show.hand_over import hands_over
from bot.show.notices import replaced_card, settled_card, taken_too_card
from bot.show.offers import (
    confirm_card,
    confirmed_card,
    gone_yes_card,
    missed_card,
    offer_card,
    private_offer_card,
    timeless,
    uncovered_card,
)
from bot.show.results import result_card

# ---------------------------------------------------------------- offers


REDRAWN = 5
"""How many offers to a reader, the newest, have cards that are drawn again when their goods or
right to trade change. The others, and those over an hour old, of which Discord takes few edits,
show what does not change by itself.
"""


def offers(briefing: Briefing, shown: Mapping[Subject, Life], now: int = 0) -> Iterator[Step]:
    """Plan the messages about the briefing's offers: those that are not over, and those that its
    entries concern.

    ``now`` is the time in milliseconds since 1970.
    """
    views = (
        briefing.public,
        *briefing.rooms.values(),
        *(seat.view for seat in briefing.seats.values()),
    )
    told: dict[int, list[PersonalOffer | ToConfirm]] = {}
    for each in shown:
        if isinstance(each, PersonalOffer | ToConfirm):
            told.setdefault(each.offer, []).append(each)
    redrawn = dict[str, set[int]]()  # by seat: the newest offers to it that wait for its answer
    for seat in briefing.seats.values():
        asked = [
            each
            for each in seat.view.offers.values()
            if each.to == seat.seat and each.status == "open"
        ]
        newest = sorted(
            (each.number for each in asked if not each.progress.agreed_by_both), reverse=True
        )
        redrawn[seat.seat] = set(newest[:REDRAWN])
    for number in sorted({number for view in views for number in view.offers}):
        yield from _shared(briefing, shown, number)
        personal: list[Step] = [
            step
            for role in ROLES
            for step in _personal(briefing, shown, number, role, redrawn, now)
        ]
        personal += _to_confirm(briefing, shown, number)
        yield from _gone_yes(briefing, shown, number)
        yield from _taken_back(briefing, shown, number)
        yield from personal
        wanted = {step.subject for step in personal}
        for subject in told.get(number, ()):
            rests = shown[subject].resting and any(
                _rests(seat, number) for seat in briefing.seats.values()
            )
            if subject not in wanted and not rests:
                # The person no longer holds the seat: they see what everybody may see, without
                # buttons.
                found = _as_read_by_all(briefing, number)
                card = (
                    replace(offer_card(*found), rows=())
                    if found
                    else replaced_card(briefing.public)
                )
                yield Retired(subject, card, card)
        yield from _missed(briefing, number)


def place_of(offer: OfferView) -> SharedPlace:
    """Return the place of an offer's shared card."""
    return (
        TableChannel()
        if offer.links.negotiation is None
        else NegotiationRoom(offer.links.negotiation)
    )


def asking(entries: Iterable[EntryView], number: int, person: int) -> int | None:
    """Return the last of these entries that a person must be notified of for this offer; None when
    there is none.

    People are not notified of what they did themselves. When one side hands over its cards, the
    other is notified only if the same command also signed the offer, or undid what was handed over
    before.
    """
    about = _about(entries, number)
    others = [each for each in about if each.by != person]
    handed = any(isinstance(each.entry, HandedOver) for each in about)
    signed = any(isinstance(each.entry, Signed | HandOverUndone) for each in about)
    return others[-1].seq if others and (signed or not handed) else None


def _about(entries: Iterable[EntryView], number: int) -> list[EntryView]:
    return [
        each
        for each in entries
        if isinstance(each.entry, OfferEntry) and each.entry.offer == number
    ]


def _shared(briefing: Briefing, shown: Mapping[Subject, Life], number: int) -> Iterator[Desired]:
    """Plan the card that several people read. A private offer outside a thread has none, so that it
    stays secret.
    """
    found, subject = _as_read_by_all(briefing, number), OfferCard(number)
    if found is None:
        return
    view, offer = found
    hidden = offer.private and offer.links.negotiation is None
    # a card from before the offer became private stays up to date
    if not hidden or subject in shown:
        card, priority = (
            offer_card(view, offer),
            Priority.CARD if _matters(offer) else Priority.LEISURE,
        )
        if offer.status == "expired":
            priority = Priority.BELL
        yield Desired(
            subject,
            place_of(offer),
            card,
            wanted=offer.live,
            priority=priority,
            final=is_final(briefing, offer),
        )


def is_final(briefing: Briefing, offer: OfferView) -> bool:
    """Return whether nothing more comes of an offer: it is over, and can't be taken back any
    more.
    """
    undone = game_named(briefing.public.game).commands.can_take_back(briefing.public.settings)
    return not offer.live and (offer.status != "resolved" or offer.links.taken_back or not undone)


def no_longer_undone(briefing: Briefing, shown: Mapping[Subject, Life]) -> set[Subject]:
    """Return the messages about trades that can't be taken back any more, since another window has
    opened.
    """
    board = shown.get(Board())
    if board is None or board.anchor.partition(MOVED)[0] == str(briefing.public.window.number):
        return set()
    views = (
        briefing.public,
        *briefing.rooms.values(),
        *(seat.view for seat in briefing.seats.values()),
    )
    live = {number for view in views for number in view.offers}
    found: set[Subject] = {
        each
        for each, life in shown.items()
        if life.stage in REST
        and (isinstance(each, Result) or (isinstance(each, KEPT) and each.offer not in live))
    }
    return found


KEPT = (OfferCard, PersonalOffer, ToConfirm)
"""Subjects of an offer whose messages change once its trade is taken back."""


def _matters(offer: OfferView) -> bool:
    """Return whether people still look at the offer: it is not over, or it is done."""
    return offer.live or offer.status == "resolved"


def _personal(
    briefing: Briefing,
    shown: Mapping[Subject, Life],
    number: int,
    role: OfferRole,
    redrawn: Mapping[str, Collection[int]],
    now: int,
) -> Iterator[Desired]:
    """Plan the card for one of the two sides, if its seat is taken and its person may know of the
    offer.

    It shows the offer, or the receipt to the person who completed it, unless `ToConfirm` shows
    that.
    """
    for seat in briefing.seats.values():
        offer = seat.view.offers.get(number)
        if offer is None or offer.role != role or (role == "addressed" and offer.to is None):
            continue
        new = [each for each in seat.entries if each.seq > briefing.after]
        asked, subject = asking(new, number, seat.person), PersonalOffer(number, role, seat.user_id)
        must_act = (
            seat.seat in offer.progress.handing_over
            if role == "addressed"
            else _concerns_poster(offer, new)
        )
        # an earlier process was sending it
        unsent = subject in shown and not shown[subject].message_id
        notify_for = asked if must_act else None
        too = (
            _taken_too(offer, new, seat)
            if role == "poster" and subject in shown and not unsent
            else None
        )
        if too is not None:
            notify_for = None  # the card that called them is there, and names the new taker
            card = taken_too_card(seat.view, offer, too[1], encode(subject))
            yield Desired(
                CounterpartNews(too[0], seat.user_id),
                DirectMessages(seat.user_id),
                card,
                priority=Priority.NEWS,
                final=True,
                entry=too[0],
                call="confirm",
            )
        wanted = (
            offer.live if role == "addressed" else notify_for is not None or (must_act and unsent)
        )
        if (not wanted and subject not in shown) or (
            _rests(seat, number) and (subject not in shown or shown[subject].resting)
        ):
            continue  # the usual case for posters; a card is made only to be sent or compared
        touched = unsent or bool(_about(new, number))
        if touched and (must_act or role == "addressed") and offer.live:
            priority = Priority.ACT
        elif touched and _matters(offer):
            priority = Priority.CARD
        else:
            priority = Priority.REFRESH if offer.live and not touched else Priority.LEISURE
        call: CallKind = "offer" if role == "addressed" and not must_act else "confirm"
        life = shown.get(subject)
        old = number not in redrawn[seat.seat] or (
            life is not None and life.message_id and life.old(now)
        )
        if old and role == "addressed" and offer.live:
            offer = timeless(seat.view, offer)
        yield Desired(
            subject,
            DirectMessages(seat.user_id),
            _receipt(seat, offer, confirmed=False) or offer_card(seat.view, offer),
            wanted=wanted,
            anchor=None if notify_for is None else str(notify_for),
            fallback=_ping(seat, offer),
            priority=priority,
            final=is_final(briefing, offer),
            entry=(notify_for or 0) if role == "poster" else 0,
            call=call if offer.live else "answer",
        )


def _taken_too(
    offer: OfferView, new: Iterable[EntryView], seat: SeatBriefing
) -> tuple[int, str] | None:
    """Return the new entry, and its player, who took up an offer to all that others had taken up
    before.
    """
    if offer.to is None and offer.live and len(offer.progress.takers) > 1:
        for each in new:
            if (
                isinstance(each.entry, Signed)
                and each.entry.offer == offer.number
                and each.by != seat.person
            ):
                return each.seq, each.entry.seat
    return None


def _rests(seat: SeatBriefing, number: int) -> bool:
    """Return whether the receipt of an offer stays as it is: it is done, not just now, and not
    taken back.
    """
    offer = seat.view.offers.get(number)
    done = offer is not None and offer.status == "resolved" and not offer.links.taken_back
    return done and not _just_done(seat.entries, number)


def _just_done(entries: Iterable[EntryView], number: int) -> list[EntryView]:
    """Return the entry by which this offer has become a trade or a deal, if it is among these."""
    ends = (each for each in entries if isinstance(each.entry, Transaction | OfferBecameDeal))
    return [each for each in ends if each.entry.subject() == reference("offer", number)]


def _taken_back(
    briefing: Briefing, shown: Mapping[Subject, Life], number: int
) -> Iterator[Desired]:
    """Plan what becomes of the news of a trade for its two, once it is taken back."""
    for seat in briefing.seats.values():
        offer = seat.view.offers.get(number)
        if offer is not None and offer.links.taken_back and offer.links.transaction is not None:
            subject = Result(offer.links.transaction, seat.user_id)
            if subject in shown:
                card, place = offer_card(seat.view, offer), DirectMessages(seat.user_id)
                read = partial(replaced_card, seat.view)
                yield Desired(
                    subject,
                    place,
                    card,
                    wanted=False,
                    final=True,
                    fallback=Fallback(place_of(offer), read, read),
                )


def _receipt(seat: SeatBriefing, offer: OfferView, *, confirmed: bool) -> Card | None:
    """Return the result of an offer for the person who completed it; None for anybody else.

    ``confirmed``: whether the person was asked to confirm the offer, as `ToConfirm` does.
    """
    for entry in seat.entries:
        done = entry.entry
        about = (
            isinstance(done, Transaction)
            and done.offer == offer.number
            and done.confirmed == confirmed
        )
        if about and entry.by == seat.person:
            return result_card(seat.view, entry, seat.entries)
    return None


def _to_confirm(briefing: Briefing, shown: Mapping[Subject, Life], number: int) -> Iterator[Step]:
    """Ask those who have agreed to confirm once the turn or the phase allows it.

    This is a separate message, since Discord notifies nobody of an edit, and since the person's
    card must not change with every turn. It loses its buttons when the offer can no longer be
    confirmed.
    """
    for seat in briefing.seats.values():
        offer = seat.view.offers.get(number)
        if offer is None or offer.role is None or not offer.party(seat.seat):
            continue
        subject = ToConfirm(number, seat.user_id)
        confirms, anchor = (
            seat.seat in offer.progress.confirming,
            f"{offer.revision}.{seat.view.window.number}",
        )
        if confirms or offer.progress.uncovered:
            card = confirm_card(seat.view, offer) if confirms else uncovered_card(seat.view, offer)
            yield Desired(
                subject,
                DirectMessages(seat.user_id),
                card,
                priority=Priority.ACT,
                anchor=anchor if confirms else f"{anchor}.short",
                fallback=_ping(seat, offer, now=confirms),
                call="confirm",
            )
        elif subject in shown and not (shown[subject].resting and _rests(seat, number)):
            receipt, read = _receipt(seat, offer, confirmed=True), replaced_card(seat.view)
            if receipt is None or is_final(briefing, offer):
                yield Retired(subject, receipt or confirmed_card(seat.view, offer), read)
            else:
                fallback = Fallback(place_of(offer), read, read)
                yield Desired(
                    subject, DirectMessages(seat.user_id), receipt, wanted=False, fallback=fallback
                )


def _gone_yes(briefing: Briefing, shown: Mapping[Subject, Life], number: int) -> Iterator[Step]:
    """Tell those whose acceptance of an offer to all is gone with the turn; they can give it
    again.
    """
    for seat in briefing.seats.values():
        subject, offer = GoneYes(number, seat.user_id), seat.view.offers.get(number)
        if offer is not None and seat.seat in offer.progress.lapsed:
            card = gone_yes_card(seat.view, offer)
            yield Desired(
                subject, DirectMessages(seat.user_id), card, priority=Priority.NEWS, call="confirm"
            )
        elif subject in shown:
            card = (
                replace(offer_card(seat.view, offer), rows=())
                if offer
                else replaced_card(seat.view)
            )
            yield Retired(subject, card, card)


def _concerns_poster(offer: OfferView, entries: Iterable[EntryView]) -> bool:
    """Return whether the poster must act on their own offer, or must be notified that it ended.

    They are notified of an offer that became void because cards were gone, no matter who lacked
    them: otherwise a ping in the channel, for a poster whom DMs do not reach, would reveal who did.
    """
    waits = offer.poster in offer.progress.handing_over or (
        offer.to is None and bool(offer.progress.takers)
    )
    unseen = offer.private and offer.links.negotiation is None  # no other card shows how it ended
    gone = any(
        isinstance(each.entry, OfferVoided)
        and each.entry.offer == offer.number
        and each.entry.reasons is not None
        for each in entries
    )
    deal = any(
        isinstance(each.entry, OfferBecameDeal) and each.entry.offer == offer.number
        for each in entries
    )
    return waits or gone or deal or (unseen and offer.status == "expired")


def _ping(seat: SeatBriefing, offer: OfferView, *, now: bool = False) -> Fallback:
    """Return the fallback for an offer. Its card shows neither private offers nor hidden hands."""

    def shared_card() -> Card:
        if offer.private or hands_over(seat.view):
            return private_offer_card(seat.view, offer)
        return offer_card(seat.shared_view, seat.shared_view.offers[offer.number], now=now)

    return Fallback(place_of(offer), shared_card, partial(replaced_card, seat.view))


def _missed(briefing: Briefing, number: int) -> Iterator[Desired]:
    """Tell those who accepted an offer to all that the poster picked another, unless they have left
    the seat.
    """
    done = _just_done(briefing.entries, number)
    for seat in briefing.seats.values() if done else ():
        offer = seat.view.offers.get(number)
        if (
            offer
            and seat.seat in offer.progress.missed
            and done[-1].names.holders.get(seat.seat) == seat.person
        ):
            subject, place = NotChosen(number, seat.user_id), DirectMessages(seat.user_id)
            card = missed_card(seat.view, offer)
            yield Desired(
                subject, place, card, priority=Priority.NEWS, final=True, entry=done[-1].seq
            )


def _as_read_by_all(briefing: Briefing, number: int) -> tuple[TableView, OfferView] | None:
    """Return the offer as people outside it may read it, with the view of its thread or of the
    channel.

    No such view holds a private offer. It is taken from the ``shared`` view of one of its two
    sides, without that side's role and buttons; **Show me** remains, for both sides.
    """
    for negotiation, room in briefing.rooms.items():
        if (offer := room.offers.get(number)) and offer.links.negotiation == negotiation:
            return room, offer
    if offer := briefing.public.offers.get(number):
        return briefing.public, offer
    for seat in briefing.seats.values():
        if offer := seat.shared_view.offers.get(number):
            waiting = offer.status == "open" and not offer.progress.handing_over
            buttons = replace(offer.buttons, actions=("show",) if waiting else ())
            return seat.shared_view, replace(offer, role=None, buttons=buttons)
    return None


# ---------------------------------------------------------------- deals


def deals(briefing: Briefing, shown: Mapping[Subject, Life]) -> Iterator[Step]:
    """Plan the messages about deals that wait for an answer, and about those that the entries
    concern.

    The question to the other party is planned with the prompts until it is answered. A person gets
    a DM only about what the other party answered or marked; /deal list shows it too.
    """
    for deal in briefing.public.deals.values():
        public, wanted = PublicDeal(deal.number), deal.status == "proposed" and briefing.open
        if not deal.private and (wanted or public in shown):  # it was proposed in public
            card = deal_card(briefing.public, deal)
            yield Desired(public, TableChannel(), card, wanted=wanted, final=deal.over)
    kept = set[Subject]()
    for seat in briefing.seats.values():
        for deal in seat.view.deals.values():
            if deal.mine:
                said = _last_said(briefing, seat, deal.number)
                subject = DealCard(deal.number, seat.user_id)
                kept.add(subject)
                if said is None and subject not in shown:
                    continue
                yield Desired(
                    subject,
                    DirectMessages(seat.user_id),
                    deal_card(seat.view, deal),
                    wanted=said is not None,
                    anchor=None if said is None else str(said),
                    priority=Priority.NEWS,
                    final=deal.over,
                    entry=said or 0,
                )
    users, settled = (
        {seat.user_id for seat in briefing.seats.values()},
        settled_card(briefing.public),
    )
    asked = {
        (seat.user_id, prompt.key)
        for seat in briefing.seats.values()
        for prompt in seat.view.prompts
    }
    for each in shown:
        if isinstance(each, DealCard) and each not in kept and each.user not in users:
            yield Retired(each, settled, settled)
        if (
            isinstance(each, Prompt)
            and each.deal is not None
            and (each.user, each.key) not in asked
        ):
            yield from _answered(briefing, shown, each, each.deal)


def _last_said(briefing: Briefing, seat: SeatBriefing, deal: int) -> int | None:
    """Return the last new entry in which the other party answered or marked a deal; None when there
    is none.
    """
    said = [
        each.seq
        for each in seat.entries
        if isinstance(each.entry, DealAnswered | DealMarked)
        and each.entry.deal == deal
        and each.seq > briefing.after
        and each.by != seat.person
    ]
    return max(said, default=None)


def _answered(
    briefing: Briefing, shown: Mapping[Subject, Life], subject: Prompt, number: int
) -> Iterator[Step]:
    """Plan an answered prompt: it becomes the deal's card for the person who was asked."""
    seat = next((each for each in briefing.seats.values() if each.user_id == subject.user), None)
    deal = seat.view.deals.get(number) if seat else None
    settled = settled_card(briefing.public)
    if seat is None or (deal is not None and not deal.mine):
        yield Retired(subject, settled, settled)
    elif deal is not None:
        # The newer message of a deal that is over is forgotten, so nothing may depend on it.
        newer = (
            DealCard(number, subject.user) in shown
            or _last_said(briefing, seat, number) is not None
        )
        card = replaced_card(seat.view) if newer and not deal.over else deal_card(seat.view, deal)
        yield Desired(
            subject,
            DirectMessages(subject.user),
            card,
            wanted=False,
            final=deal.over,
            fallback=Fallback(TableChannel(), settled, partial(replaced_card, seat.view)),
        )
