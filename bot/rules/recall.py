"""Rebuild offers, deals and negotiations that are over from their entries, because a table does not keep them.

A command, card or list about one of them gets the table with it put back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.rules.entries import Entry, Recorded, Reference
from bot.rules.features.deals import DealEntry, DealProposed
from bot.rules.features.negotiations import NegotiationClosed, NegotiationOpened
from bot.rules.features.offers.entries import HandedOver, OfferAgreed, OfferEntry, OfferPosted, Signed
from bot.rules.model.deals import Deal, Negotiation
from bot.rules.model.offers import Offer
from bot.rules.model.people import Parties, holders_at
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table


def recalled(table: Table, subjects: Mapping[Reference, Sequence[Recorded]]) -> Table:
    """Return the table with these offers, deals and negotiations, each rebuilt from the entries of its subject.

    Those that the table still has are unchanged. Entries after the table's last entry are ignored.
    """
    offers, deals, talks = dict(table.offers), dict(table.deals), dict(table.negotiations)
    for entries in subjects.values():
        known = [recorded for recorded in entries if recorded.seq <= table.seq]
        if (offer := _offer(table, known)) is not None:
            offers.setdefault(offer.number, offer)
        if (deal := _deal(table, known)) is not None:
            deals.setdefault(deal.number, deal)
        if (negotiation := _negotiation(table, known)) is not None:
            talks.setdefault(negotiation.number, negotiation)
    return replace(table, offers=offers, deals=deals, negotiations=talks)


def with_ended(before: Table, after: Table, entries: Iterable[Entry]) -> Table:
    """Return ``after`` with the offers and deals that these entries ended put back."""
    offers, deals, holders = dict(before.offers), dict(before.deals), before.holders()
    for entry in entries:
        if isinstance(entry, OfferPosted):
            offers[entry.offer] = entry.posted(holders)
        elif isinstance(entry, OfferEntry) and entry.offer in offers:
            offers[entry.offer] = entry.changed(offers[entry.offer], holders)
        elif isinstance(entry, DealProposed):
            deals[entry.deal] = entry.proposed(holders)
        elif isinstance(entry, DealEntry) and entry.deal in deals:
            deals[entry.deal] = entry.change(deals[entry.deal])
    ended = {number: offer for number, offer in offers.items() if number not in after.offers}
    answered = {number: deal for number, deal in deals.items() if number not in after.deals}
    return replace(after, offers={**after.offers, **ended}, deals={**after.deals, **answered})


def _offer(table: Table, entries: Sequence[Recorded]) -> Offer | None:
    offer: Offer | None = None
    said: dict[str, int] = {}  # seat -> seq of the last entry by which it agreed or handed over
    for recorded in entries:
        entry, holders = recorded.entry, holders_at(table.tenures, recorded.seq)
        for seat in _departed(table, said, recorded.seq):
            offer = offer.without(seat) if offer and offer.live else offer  # what is over stays as it was
            said.pop(seat)
        if isinstance(entry, OfferPosted):
            offer = entry.posted(holders)
        elif offer is not None and isinstance(entry, OfferEntry):
            offer = entry.changed(offer, holders)
        elif offer is not None and entry.takes_back() == offer.transaction is not None:
            offer = replace(offer, taken_back=True)
        if isinstance(entry, OfferAgreed | Signed | HandedOver):
            said[entry.seat] = recorded.seq
    return _offer_as_now(table, offer) if offer and table.became else offer


def _offer_as_now(table: Table, offer: Offer) -> Offer:
    """Replace the ids of an offer's seats that have become other seats."""
    now = table.became
    return replace(
        offer,
        seat=now.get(offer.seat, offer.seat),
        to=now.get(offer.to, offer.to) if offer.to else None,
        parties=_parties_now(table, offer.parties),
    )


def _parties_now(table: Table, parties: Parties) -> Parties:
    return Parties({table.became.get(seat, seat): person for seat, person in parties.people.items()})


def _departed(table: Table, said: Mapping[str, int], seq: int) -> list[str]:
    """Return the seats whose person left after ``said`` and before this entry.

    `SeatLeft` withdraws their consent to the offer. It is not among the offer's entries, because its subject is the
    seat.
    """
    return [
        each.seat
        for each in table.tenures
        if each.seat in said and each.covers(said[each.seat]) and each.until is not None and each.until < seq
    ]


def _deal(table: Table, entries: Sequence[Recorded]) -> Deal | None:
    deal: Deal | None = None
    for recorded in entries:
        entry = recorded.entry
        if isinstance(entry, DealProposed):
            deal = entry.proposed(holders_at(table.tenures, recorded.seq))
        elif deal is not None and isinstance(entry, DealEntry):
            deal = entry.change(deal)
    return deal.renamed(table.became) if deal and table.became else deal


def _negotiation(table: Table, entries: Sequence[Recorded]) -> Negotiation | None:
    negotiation: Negotiation | None = None
    for recorded in entries:
        entry = recorded.entry
        if isinstance(entry, NegotiationOpened):
            negotiation = entry.opened(holders_at(table.tenures, recorded.seq))
        elif negotiation is not None and isinstance(entry, NegotiationClosed):
            negotiation = entry.change(negotiation)
    return negotiation
