"""Rebuild offers, deals and negotiations that are over from their entries, because a table does not
keep them.

A command, card or list about one of them gets the table with it put back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from bot.rules.entries import Entry, Recorded, Reference, number_in
from bot.rules.features.deals import DealEntry, DealProposed
from bot.rules.features.negotiations import NegotiationClosed, NegotiationOpened
from bot.rules.features.offers.entries import (
    HandedOver,
    OfferAgreed,
    OfferEntry,
    OfferPosted,
    Signed,
    made_by,
)
from bot.rules.model.deals import Deal, Negotiation
from bot.rules.model.offer import Offer
from bot.rules.model.people import Holders, holders_at
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table

V = TypeVar("V")


def recalled(table: Table, subjects: Mapping[Reference, Sequence[Recorded]]) -> Table:
    """Return the table with these offers, deals and negotiations, each rebuilt from the entries of
    its subject.

    Those that the table still has are unchanged. Entries after the table's last entry are ignored.
    """
    offers, deals, talks = dict[int, Offer](), dict[int, Deal](), dict[int, Negotiation]()
    for subject, entries in subjects.items():
        number = number_in(subject, "offer") or 0
        # seat -> seq of the last entry by which it agreed to the offer or handed over
        agreed: dict[str, int] = {}
        for recorded in entries:
            entry, seq = recorded.entry, recorded.seq
            if seq > table.seq:
                continue
            # who leaves their seat agrees no more; `SeatLeft` is no entry of the offer
            for each in table.tenures:
                since = agreed.get(each.seat)
                if (
                    since is not None
                    and each.covers(since)
                    and each.until is not None
                    and each.until < seq
                ):
                    del agreed[each.seat]
                    if offers[number].live:
                        offers[number] = offers[number].without(each.seat)
            _follow(entry, seq, holders_at(table.tenures, seq), offers, deals, talks)
            if isinstance(entry, OfferAgreed | Signed | HandedOver):
                agreed[entry.seat] = seq
            if (
                (back := entry.takes_back()) is not None
                and number in offers
                and offers[number].transaction == back
            ):
                offers[number] = replace(offers[number], taken_back=True)
    now = table.became
    if now:
        offers = {number: offer.renamed(now) for number, offer in offers.items()}
        deals = {number: deal.renamed(now) for number, deal in deals.items()}
    return replace(
        table,
        offers=_with_others(table.offers, offers),
        deals=_with_others(table.deals, deals),
        negotiations=_with_others(table.negotiations, talks),
    )


def with_ended(before: Table, after: Table, entries: Iterable[Entry]) -> Table:
    """Return ``after`` with the offers and deals that these entries ended put back."""
    offers, deals = dict(before.offers), dict(before.deals)
    for seq, entry in enumerate(entries, before.seq + 1):
        _follow(entry, seq, before.holders(), offers, deals, {})
    if offers.keys() <= after.offers.keys() and deals.keys() <= after.deals.keys():
        return after
    return replace(
        after, offers=_with_others(after.offers, offers), deals=_with_others(after.deals, deals)
    )


def _follow(
    entry: Entry,
    seq: int,
    holders: Holders,
    offers: dict[int, Offer],
    deals: dict[int, Deal],
    talks: dict[int, Negotiation],
) -> None:
    """Add what an entry begins, or change what it is about. What is over stays."""
    if isinstance(entry, OfferPosted):
        offers[entry.offer] = made_by(entry, seq, entry.posted(holders))
    elif isinstance(entry, OfferEntry) and entry.offer in offers:
        after = entry.changed(offers[entry.offer], holders)
        offers[entry.offer] = made_by(entry, seq, after)
    elif isinstance(entry, DealProposed):
        deals[entry.deal] = replace(entry.proposed(holders), made=seq)
    elif isinstance(entry, DealEntry) and entry.deal in deals:
        deals[entry.deal] = entry.change(deals[entry.deal])
    elif isinstance(entry, NegotiationOpened):
        talks[entry.negotiation] = replace(entry.opened(holders), made=seq)
    elif isinstance(entry, NegotiationClosed) and entry.negotiation in talks:
        talks[entry.negotiation] = entry.change(talks[entry.negotiation])


def _with_others(kept: Mapping[int, V], others: Mapping[int, V]) -> dict[int, V]:
    return {**kept, **{number: each for number, each in others.items() if number not in kept}}
