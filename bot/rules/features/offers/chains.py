"""Counters: what they answer, and what becomes of it.

An offer to one seat and its counters are a *chain*: each counter stands in place of the offer it
answers, so only the newest can be accepted. Accepted, it ends the chain. When it comes to nothing,
the one before stands again. An offer to all stays open beside its counters, and they end with it,
unless both have agreed to one. A wish, which gives nothing yet, ends with a counter that fulfilled
it. Where cards are handed over, an offer of one side only opens talks: its poster may withdraw it,
its time may run out, and a wish for one thing or another may be fulfilled in one part. The answers
that this does not concern then stand by themselves.

The ends of offers come from many commands. What follows from them is added here, to the entries of
any command.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.rules.apply import replay
from bot.rules.entries import Entry
from bot.rules.features.offers.entries import (
    OfferBecameDeal,
    OfferCountered,
    OfferDeclined,
    OfferEntry,
    OfferExpired,
    OfferPosted,
    OfferRestored,
    OfferSuperseded,
    OfferVoided,
    OfferWithdrawn,
    Transaction,
    between,
)
from bot.rules.features.offers.state import both_agree, exchange_of, is_wish, sides_for
from bot.rules.model.offer import Offer, OfferStatus
from bot.rules.model.table import Table
from bot.rules.registry import game_of

ACCEPTED = OfferBecameDeal, Transaction
"""The kinds with which an offer ends because both agreed."""

ENDS = OfferDeclined, OfferExpired, OfferVoided, OfferWithdrawn, *ACCEPTED
"""The kinds with which an offer may end."""


def countered(first: Offer, answer: Offer) -> list[Entry]:
    """Return what becomes of an offer when this counter to it is posted: nothing of an offer to
    all.
    """
    if first.to_all:
        return []
    return [_countered(first, answer)]


def with_chains(table: Table, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return the entries of a command, with what follows for the chains of the offers that they
    end.
    """
    chained = any(each.parent or each.answer for each in table.offers.values())
    if not chained or not any(isinstance(entry, ENDS) for entry in entries):
        return entries
    after = replay(entries, table)
    found = list(entries)
    for entry in entries:
        if not isinstance(entry, ENDS) or entry.offer in after.offers:
            continue
        ended = table.offers.get(entry.offer)
        if ended is not None:
            follows = list(_follows(table, after, ended, entry))
            after = replay(follows, after)
            found += follows
    return tuple(found)


def in_confidence(table: Table, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return the entries of a command, those about answers to wishes for their two alone. That both
    agreed is for all.
    """
    numbers = {offer.number for offer in table.offers.values() if offer.confided}
    found = list[Entry]()
    for entry in entries:
        if isinstance(entry, OfferPosted):
            first = table.offers.get(entry.parent or 0)
            if first is not None and (first.confided or is_wish(first)):
                numbers.add(entry.offer)
        about = isinstance(entry, OfferEntry) and entry.offer in numbers
        if about and not isinstance(entry, ACCEPTED):
            entry = entry.model_copy(update={"confided": True})
        found.append(entry)
    return tuple(found)


def counters(table: Table) -> dict[int, list[Offer]]:
    """Return the live counters to each offer to all, each as what now stands in its place."""
    found: dict[int, list[Offer]] = {}
    for offer in table.live_offers():
        first = table.offers.get(offer.parent or 0)
        if first is not None and first.to_all and first.live:
            found.setdefault(first.number, []).append(_newest(table, offer))
    return found


def _follows(before: Table, after: Table, ended: Offer, entry: OfferEntry) -> Iterator[Entry]:
    """Yield what follows from the end of an offer by an entry, between the tables ``before`` and
    ``after`` the command.
    """
    first = _answered(after, ended.number)
    if isinstance(entry, ACCEPTED):
        root = ended
        while first is not None:
            yield _superseded(first, ended)
            after = after.without_offer(first.number)
            root, first = first, _answered(after, first.number)
        wish = after.offers.get(root.parent or 0)
        if wish is not None and _fulfils(after, ended, wish):
            yield _superseded(wish, ended)
            yield from _end_with(after, wish, done=ended)
    elif first is not None:
        newer, answer = ended, before.offers.get(ended.answer or 0)
        while newer.number not in after.offers and answer is not None:
            newer, answer = answer, before.offers.get(answer.answer or 0)
        if newer.number in after.offers:
            yield _countered(first, newer)
        else:
            yield OfferRestored(offer=first.number, between=between(first))
    opening = exchange_of(after) is not None and not (ended.give and ended.want)
    if ended.to_all and not (opening and isinstance(entry, OfferExpired | OfferWithdrawn)):
        yield from _end_with(after, ended, became=entry.becomes)


def _fulfils(table: Table, done: Offer, wish: Offer) -> bool:
    """Return whether the trade of an offer gave the poster of a wish all that it names."""
    if not done.party(wish.seat):
        return False
    _, got = sides_for(done, wish.seat)
    if exchange_of(table) is None:
        return is_wish(wish) and not got.missing(wish.want)
    matches = game_of(table).matches
    if matches is None or wish.to is not None or wish.give:
        return False
    return matches(wish.want, got, False)


def _answers_another_part(table: Table, counter: Offer, wish: Offer, done: Offer) -> bool:
    """Return whether a counter fulfils a wish for one thing or another otherwise than the trade
    that was done.
    """
    game = game_of(table)
    _, given = sides_for(counter, wish.seat)
    if game.matches is None or not game.matches(wish.want, given, False):
        return False
    _, got = sides_for(done, wish.seat)
    wished = set(game.match_keys(wish.want))
    return not wished.intersection(game.match_keys(given)).intersection(game.match_keys(got))


def _end_with(
    table: Table,
    ended: Offer,
    *,
    became: OfferStatus | None = None,
    done: Offer | None = None,
) -> Iterator[Entry]:
    """Yield the end of the counters to an offer to all that is over, and ``became`` this.

    Those on which both agree stay. ``done`` is the counter that fulfilled a wish: those that answer
    another part of it stay too.
    """
    chooser = ended.seat if done else ""
    for counter in table.live_offers():
        newest = _newest(table, counter)
        if counter.parent != ended.number or both_agree(newest):
            continue
        if done is not None and counter.number == done.number:
            continue
        if done is not None and _answers_another_part(table, newest, ended, done):
            continue
        chain: Offer | None = newest
        while chain is not None:
            yield _superseded(chain, ended, chooser=chooser, became=became)
            chain = _answered(table, chain.number)


def _answered(table: Table, number: int) -> Offer | None:
    """Return the offer in whose place this one stands, if there is one."""
    for offer in table.live_offers():
        if offer.status == "countered" and offer.answer == number:
            return offer
    return None


def _newest(table: Table, offer: Offer) -> Offer:
    """Return what stands in place of this offer: itself, unless it is countered."""
    answer = table.offers.get(offer.answer or 0)
    while offer.status == "countered" and answer is not None:
        offer, answer = answer, table.offers.get(answer.answer or 0)
    return offer


def _countered(first: Offer, by: Offer) -> OfferCountered:
    two = between(first)
    return OfferCountered(offer=first.number, by=by.number, seat=by.seat, between=two)


def _superseded(
    offer: Offer, by: Offer, *, chooser: str = "", became: OfferStatus | None = None
) -> OfferSuperseded:
    two = between(offer)
    return OfferSuperseded(
        offer=offer.number, by=by.number, between=two, chooser=chooser, became=became
    )
