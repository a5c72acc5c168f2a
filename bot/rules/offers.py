"""The life of an offer.

    posted -> open <-> suspended -> agreed -> resolved
                 altered (next revision) | countered | withdrawn | declined | expired | void

A *signature* is good for one revision and for the window it was given in; when the turn, agenda or trading phase has
changed since, it must be given again. With both signatures standing and no ruling against it, the transaction resolves
at once and as a whole. Before it is legal, two can only *agree*: that binds nobody, and when the time comes both are
asked to confirm. Offers reserve nothing: both sides' goods are checked in the very decision that resolves.

Where hands are hidden, what was agreed changes hands in a step of its own: each side hands over its part, sealed with
the offer and to be altered until the other's is there too; then all of it moves at once.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.apply import apply, replay
from bot.rules.commands import (
    Agree,
    AlterOffer,
    CounterOffer,
    Declare,
    EndOffer,
    HandOver,
    PauseOffer,
    PickTaker,
    PostOffer,
    Sign,
)
from bot.rules.deals import promise, require_short
from bot.rules.entries import (
    Entry,
    Gained,
    HandedOver,
    OfferAgreed,
    OfferAltered,
    OfferDeclined,
    OfferPicked,
    OfferPosted,
    OfferResumed,
    OfferSuspended,
    OfferVoided,
    OfferWithdrawn,
    Sides,
    Signed,
    Topic,
    Transaction,
)
from bot.rules.game import Game, Settlement, Trade, game_named
from bot.rules.goods import Goods
from bot.rules.negotiations import ongoing
from bot.rules.offer_state import (
    agrees,
    both_agree,
    cited,
    exchange_of,
    for_two,
    overruled_here,
    rulings,
    signed_now,
    standing,
    takers,
    to_hand_over,
    trade_of,
)
from bot.rules.ruling import Refused, Ruling
from bot.rules.seats import own_seat, require_tracked, rules_the_table, seat_of
from bot.rules.table import Offer, Seat, Table
from bot.rules.time import MINUTE

OPEN_MOST = 40
"""Offers one seat may have standing at once: more than anybody reads, fewer than a prank needs."""

SHORTEST, LONGEST = 10_000, 7 * 24 * 3600 * 1000
"""How long an offer may be set to stand, in milliseconds: ten seconds to a week."""


# ---------------------------------------------------------------- said by who posts


def post(table: Table, command: PostOffer) -> Iterable[Entry]:
    """An offer is posted and signed by who posts it. What could never change hands is refused here already."""
    seat = own_seat(table, command)
    if command.to == command.by:
        raise Refused("", "You can't trade with yourself.", "Name another player, or nobody to ask everybody.")
    to = seat_of(table, command.to).id if command.to is not None else None
    if command.negotiation is not None:
        talks = ongoing(table, command.negotiation)
        two = (talks.seat, talks.other)
        if seat.id not in two or (to is not None and to not in two):
            raise Refused("", "Here only the two of you trade.", "Offers to others go to the table's channel.")
        to = talks.other if seat.id == talks.seat else talks.seat
    if sum(offer.seat == seat.id for offer in table.open_offers()) >= OPEN_MOST:
        raise Refused("", f"You have {OPEN_MOST} offers standing.", "Withdraw some: /offer withdraw.")
    posted = _posted(table, command, seat.id, to, negotiation=command.negotiation)
    if command.handed is None:
        return posted
    now = replay(posted, table)
    handed = HandOver(by=command.by, offer=len(now.offers), revision=1, goods=command.handed, at=command.at)
    return [*posted, *hand_over(now, handed)]


def counter(table: Table, command: CounterOffer) -> Iterable[Entry]:
    """An offer in answer to another, to whoever posted that one. The first one stays open."""
    first = standing(table, command.offer)
    seat = own_seat(table, command)
    if seat.id == first.seat:
        raise Refused("", f"Offer #{first.number} is your own.", "Alter it instead: /offer alter.")
    _require_party(table, first, seat)
    return _posted(table, command, seat.id, first.seat, parent=first.number, negotiation=first.negotiation)


def alter(table: Table, command: AlterOffer) -> Iterable[Entry]:
    """Who posted it changes it: a new revision, for which every signature must be given anew."""
    offer, seat = standing(table, command.offer), own_seat(table, command)
    _require_poster(offer, seat, "alter")
    _require_revision(offer, command.revision)
    changed = offer.model_copy(
        update={
            "give": command.give, "want": command.want, "terms": command.terms, "revision": offer.revision + 1,
            "private": for_two(table, offer.to, offer.negotiation),
        }
    )  # fmt: skip
    if (changed.give, changed.want, changed.terms) == (offer.give, offer.want, offer.terms):
        raise Refused("", f"That is how offer #{offer.number} stands already.", "Change what is given, wanted or said.")
    require_short(command.terms)
    _require_worth_posting(table, changed)
    public = _public(game_named(table.game), changed)
    yield OfferAltered(
        offer=offer.number, revision=changed.revision, seat=seat.id, to=offer.to, give=public.give, want=public.want,
        terms=public.terms, exact=_exact(changed),
    )  # fmt: skip
    yield _word(table, changed, seat.id)


def pause(table: Table, command: PauseOffer) -> Iterable[Entry]:
    """Who posted it holds it back for a while, or puts it up again."""
    offer, seat = standing(table, command.offer, suspended=True), own_seat(table, command)
    _require_poster(offer, seat, "suspend" if command.paused else "resume")
    if command.paused == (offer.status == "suspended"):
        now = "suspended" if command.paused else "open"
        raise Refused("", f"Offer #{offer.number} is {now} already.")
    if command.paused:
        return [OfferSuspended(offer=offer.number, seat=seat.id)]
    return [OfferResumed(offer=offer.number, seat=seat.id)]


def end(table: Table, command: EndOffer) -> Iterable[Entry]:
    """An offer is withdrawn by who posted it, or declined by the one it was made to."""
    offer, seat = standing(table, command.offer, suspended=True), own_seat(table, command)
    if command.how == "withdraw":
        _require_poster(offer, seat, "withdraw")
        return [OfferWithdrawn(offer=offer.number, seat=seat.id)]
    if seat.id == offer.seat:
        raise Refused("", f"Offer #{offer.number} is your own.", "Withdraw it instead.")
    if offer.to is None and seat.id not in takers(table, offer):
        raise Refused("", f"Offer #{offer.number} is open to all.", "If it is not for you, just leave it be.")
    _require_party(table, offer, seat)
    return [OfferDeclined(offer=offer.number, seat=seat.id)]


def pick(table: Table, command: PickTaker) -> Iterable[Entry]:
    """Of those who have accepted an open offer, who posted it picks one, and the transaction resolves."""
    offer, seat = standing(table, command.offer), own_seat(table, command)
    _require_poster(offer, seat, "settle")
    _require_in_time(offer, command.at)
    _require_revision(offer, command.revision)
    if offer.to is not None or command.taker not in takers(table, offer):
        raise Refused(
            "", f"<seat:{command.taker}> has not accepted offer #{offer.number} in this turn.", "They may press Accept."
        )
    picked = OfferPicked(offer=offer.number, seat=seat.id, taker=command.taker)
    yield picked
    now = apply(table, picked)
    taken = now.offers[offer.number]
    overruled = _require_legal(now, trade_of(taken), seat.id, taken)
    if _twice(table) or not signed_now(now, taken, command.taker):
        yield OfferAgreed(offer=offer.number, revision=offer.revision, seat=seat.id)
        return
    signature = _signature(now, taken, seat.id)
    yield signature
    yield from _agreed(apply(now, signature), taken.number, overruled)


# ---------------------------------------------------------------- said by both


def sign(table: Table, command: Sign) -> Iterable[Entry]:
    """A party accepts or confirms. If the other's signature stands too, the transaction resolves.

    At a table that wants everything confirmed, accepting is only agreeing, and both are asked to confirm.
    """
    offer, seat = standing(table, command.offer), own_seat(table, command)
    _require_revision(offer, command.revision)
    _require_party(table, offer, seat)
    _require_in_time(offer, command.at)
    other = _other(offer, seat)
    if other is None:
        raise Refused("", f"Offer #{offer.number} is open to all.", "Pick one of those who accept it.")
    if signed_now(table, offer, seat.id):
        raise Refused("", f"You have agreed to offer #{offer.number} already.", _waits_for(offer, other))
    overruled = _require_legal(table, trade_of(offer, seat.id), seat.id, offer)
    if _twice(table) and not both_agree(offer):
        if agrees(offer, seat.id):
            raise Refused("", f"You have agreed to offer #{offer.number} already.", f"It waits for <seat:{other}>.")
        yield OfferAgreed(offer=offer.number, revision=offer.revision, seat=seat.id)
        return
    signature = _signature(table, offer, seat.id)
    yield signature
    now = apply(table, signature)
    if offer.to is not None and signed_now(now, offer, other):
        yield from _agreed(now, offer.number, overruled)


def hand_over(table: Table, command: HandOver) -> Iterable[Entry]:
    """A party hands over what it gives, sealed until the other has too; until then it may choose again.

    Whoever has not agreed to the offer does so with it. Of an offer to all, whose poster has handed over before, the
    first to hand over is the one it is for. Nothing moves before both parts are there.
    """
    offer, seat = standing(table, command.offer), own_seat(table, command)
    exchange = exchange_of(table)
    if exchange is None:
        raise Refused("", "Here goods change hands as soon as both agree.", "Press Accept.")
    _require_revision(offer, command.revision)
    _require_party(table, offer, seat)
    _require_in_time(offer, command.at)
    trade = trade_of(offer, seat.id)
    overruled = _require_legal(table, trade, seat.id, offer)
    if (ruling := exchange.why_not(table, seat.id, trade.gives(seat.id), command.goods)) is not None:
        raise Refused.by(ruling)
    done: list[Entry] = [] if signed_now(table, offer, seat.id) else [_signature(table, offer, seat.id)]
    done.append(HandedOver(offer=offer.number, revision=offer.revision, seat=seat.id, goods=command.goods))
    if offer.to is None and seat.id != offer.seat and offer.seat in offer.handed:
        done.append(OfferPicked(offer=offer.number, seat=offer.seat, taker=seat.id))
    now = replay(done, table)
    taken = now.offers[offer.number]
    other = _other(taken, seat)
    if taken.to is not None and other is not None and signed_now(now, taken, other):
        done += _agreed(now, offer.number, overruled)
    return done


def agree(table: Table, command: Agree) -> Iterable[Entry]:
    """A party agrees before it is legal. It binds nobody; once it is legal, both are asked to confirm."""
    offer, seat = standing(table, command.offer), own_seat(table, command)
    _require_revision(offer, command.revision)
    _require_party(table, offer, seat)
    if exchange_of(table) is not None:
        raise Refused("", "Here nothing is agreed ahead of time.", "Press Accept once it is possible.")
    if offer.to is None:
        raise Refused("", f"Offer #{offer.number} is open to all.", "It can be accepted once it is possible.")
    if agrees(offer, seat.id):
        raise Refused("", f"You have agreed to offer #{offer.number} already.", "You are asked once it is possible.")
    return [OfferAgreed(offer=offer.number, revision=offer.revision, seat=seat.id)]


def declare(table: Table, command: Declare) -> Iterable[Entry]:
    """What lies open at the table: who is short of some for an offer may say that it is there."""
    require_tracked(table)
    offer, seat = standing(table, command.offer), own_seat(table, command)
    if table.settings.declare_holdings == "host" and not rules_the_table(table, command):
        raise Refused("", "At this table only the host says what somebody has.", f"Ask <person:{table.host}>.")
    _require_party(table, offer, seat)
    game = game_named(table.game)
    missing = game.declarable(seat.holdings.missing(trade_of(offer, seat.id).gives(seat.id)))
    if not missing:
        raise Refused("", f"You are short of nothing open for offer #{offer.number}.", "Press Accept once more.")
    return [Gained(seat=seat.id, changes=game.gain(table, seat.id, missing).changes, declared=True)]


# ---------------------------------------------------------------- inside


def _posted(
    table: Table,
    command: PostOffer | CounterOffer,
    seat: str,
    to: str | None,
    *,
    parent: int | None = None,
    negotiation: int | None = None,
) -> Iterable[Entry]:
    require_short(command.terms)
    until = None
    if command.lasts is not None:
        if not SHORTEST <= command.lasts <= LONGEST:
            raise Refused("", "An offer can stand for ten seconds to a week.", "For example: 10m, 2h or 1d.")
        until = command.at + command.lasts
    elif table.settings.timer and not game_named(table.game).offers_end:
        until = command.at + table.settings.timer * MINUTE
    offer = Offer(
        number=len(table.offers) + 1, seat=seat, to=to, give=command.give, want=command.want, terms=command.terms,
        negotiation=negotiation, private=for_two(table, to, negotiation),
    )  # fmt: skip
    _require_worth_posting(table, offer)
    public = _public(game_named(table.game), offer)
    return [
        OfferPosted(
            offer=offer.number, seat=seat, to=to, give=public.give, want=public.want, terms=public.terms,
            exact=_exact(offer), parent=parent, until=until, negotiation=negotiation,
        ),
        _word(table, offer, seat),
    ]  # fmt: skip


def _exact(offer: Offer) -> Sides:
    return Sides(give=offer.give, want=offer.want, terms=offer.terms)


def _public(game: Game, offer: Offer) -> Sides:
    """What everybody may read: of an offer to all everything, of one to one person no more than they may know of
    hidden cards, of one made in private nothing.
    """
    if offer.private:
        return Sides()
    if offer.to is None:
        return _exact(offer)
    return Sides(give=game.masked(offer.give), want=game.masked(offer.want), terms=offer.terms)


def _word(table: Table, offer: Offer, seat: str) -> Entry:
    """What posting or altering says for who does it: a signature, or where all is confirmed, that they agree."""
    if _twice(table):
        return OfferAgreed(offer=offer.number, revision=offer.revision, seat=seat)
    return _signature(table, offer, seat)


def _twice(table: Table) -> bool:
    """Whether all is confirmed once more; handing over is a confirmation in itself."""
    return table.settings.confirm == "twice" and exchange_of(table) is None


def _agreed(table: Table, number: int, overruled: tuple[str, ...]) -> list[Entry]:
    """Both have signed: the transaction, or what hinders it; nothing yet while a part is still to be handed over."""
    offer, exchange = table.offers[number], exchange_of(table)
    trade = trade_of(offer)
    if exchange is None:
        return list(_resolved(table, offer, trade, overruled))
    if to_hand_over(table, offer):
        return []
    handed = {seat: offer.handed[seat] for seat in (trade.first, trade.second)}
    here = {seat: exchange.hand(table, seat) for seat in handed}
    if gone := {seat: here[seat].missing(goods) for seat, goods in handed.items() if here[seat].missing(goods)}:
        return [OfferVoided(offer=number, between=(trade.first, trade.second), why=_reasons(table, gone))]
    actual = trade.model_copy(update={"first_gives": handed[trade.first], "second_gives": handed[trade.second]})
    return list(_resolved(table, offer, actual, overruled))


def _reasons(table: Table, gone: dict[str, Goods]) -> dict[str, Topic]:
    """Why what was handed over can't change hands any more, for each whose part has gone elsewhere since."""
    tell = game_named(table.game).tell_goods
    return {
        seat: Topic(text=f"Of what you had handed over, {tell(missing)} left your hand since.")
        for seat, missing in gone.items()
    }


def _resolved(table: Table, offer: Offer, trade: Trade, overruled: tuple[str, ...]) -> Iterable[Entry]:
    """The transaction, and its terms as the promise that stays."""
    game = game_named(table.game)
    settled: Settlement = game.settle(table, trade)
    yield Transaction(
        number=table.transactions + 1,
        offer=offer.number,
        revision=offer.revision,
        window=table.window.number,
        first=trade.first,
        second=trade.second,
        given={seat: game.masked(trade.gives(seat)) for seat in (trade.first, trade.second)},
        changes=settled.changes,
        hidden=settled.hidden,
        permits=settled.permits,
        overruled=overruled,
    )
    if offer.terms and not (offer.private and game.private_offers):  # else everybody would learn that there were any
        yield promise(table, offer, trade.second)


def _require_legal(table: Table, trade: Trade, asker: str, offer: Offer) -> tuple[str, ...]:
    """Raises `Refused` by the first ruling that holds here; gives the numbers of those the house overrules."""
    found = [ruling for ruling in rulings(table, trade) if not _none_of_theirs(table, ruling, asker)]
    for ruling in found:
        if not overruled_here(table, ruling):
            seen = ruling.seen_by(asker)
            if offer.terms:  # D2: a deal that includes a transaction follows the rules for it
                remedy = f"{seen.remedy} The terms don't change that{game_named(table.game).cite('mixed')}.".strip()
                seen = seen.model_copy(update={"remedy": remedy})
            raise Refused.by(seen)
    hidden = offer.private and game_named(table.game).private_offers
    # What a private offer holds must not be told by which rule it breaks.
    return tuple(ruling.rule for ruling in found if not (hidden and ruling.of_goods))


def _none_of_theirs(table: Table, ruling: Ruling, asker: str) -> bool:
    """Where each hands over by themselves, nobody is stopped by what another's hidden hand holds, nor learns of it."""
    return exchange_of(table) is not None and ruling.known_to not in ("", asker)


def _require_worth_posting(table: Table, offer: Offer) -> None:
    """Raises `Refused` for goods that no turn, neighbour or gain could make legal, or that may not even be named."""
    for ruling in rulings(table, trade_of(offer)):
        stops = (ruling.lasting or ruling.at_once) and not _none_of_theirs(table, ruling, offer.seat)
        if stops and not overruled_here(table, ruling):
            raise Refused.by(ruling)


def _require_party(table: Table, offer: Offer, seat: Seat) -> None:
    if offer.to is not None and not offer.party(seat.id):
        raise Refused(
            cited(table, "two_parties"), f"Offer #{offer.number} is for <seat:{offer.to}>.",
            "You can post one of your own.",
        )  # fmt: skip


def _other(offer: Offer, seat: Seat) -> str | None:
    """The other one of the two; None for the poster of an offer that is still open to all."""
    return offer.seat if seat.id != offer.seat else offer.to


def _require_poster(offer: Offer, seat: Seat, what: str) -> None:
    if seat.id != offer.seat:
        raise Refused("", f"Offer #{offer.number} is not yours to {what}.", f"<seat:{offer.seat}> posted it.")


def _require_revision(offer: Offer, revision: int) -> None:
    if revision != offer.revision:
        raise Refused(
            "", f"Offer #{offer.number} has been altered: it is at revision {offer.revision} now.",
            "Look at it as it stands before you agree.",
        )  # fmt: skip


def _require_in_time(offer: Offer, now: int) -> None:
    if offer.until is not None and offer.until <= now:
        raise Refused("", f"Offer #{offer.number} has run out.", "Ask for it once more.")


def _waits_for(offer: Offer, other: str) -> str:
    return f"It waits for <seat:{other}>." if offer.to else f"<seat:{offer.seat}> picks one of those who accept it."


def _signature(table: Table, offer: Offer, seat: str) -> Signed:
    return Signed(offer=offer.number, revision=offer.revision, seat=seat, window=table.window.number)
