"""Reads entries: lists of deals and transactions, and the history of one trade. For pages see `bot.service.paging`.

The table is replayed only for the history of a trade, which shows what the rules said at each signature.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable

from bot.ledger import Ledger
from bot.rules.apply import apply
from bot.rules.entries import Entry, Recorded, kind_name
from bot.rules.features.deals import DealAnswered, DealMarked, DealProposed
from bot.rules.features.holdings import Corrected
from bot.rules.features.offers.entries import OfferEntry, OfferPosted, Signed, Transaction
from bot.rules.features.offers.state import trade_of, violations
from bot.rules.game import Trade
from bot.rules.model.references import Reference, number_in, reference
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.recall import recalled
from bot.rules.views import DealView, EntryView, TableView, Viewer
from bot.rules.visibility import see, see_entry
from bot.service.records import TableRecord, changed_by_hand
from bot.service.requests import TradeHistory

PROPOSED, TRANSACTION = kind_name(DealProposed), kind_name(Transaction)

LISTED = 100
"""The most deals, or transactions, in a list."""


async def with_subjects(ledger: Ledger, table: Table, subjects: Iterable[Reference]) -> Table:
    """Return the table with these offers and deals. Those that are over are read from the ledger."""
    missing = [subject for subject in subjects if _is_over(table, subject)]
    if not missing:
        return table
    return recalled(table, await ledger.read_subjects(table.id, missing))


async def deals(ledger: Ledger, record: TableRecord, viewer: Viewer) -> list[DealView]:
    """Return the deals that the viewer may know of among the newest `LISTED`, newest first."""
    newest = await ledger.recent(record.id, until_seq=record.table.seq, limit=LISTED, kinds=[PROPOSED])
    about = [subject for recorded in newest if (subject := recorded.entry.subject()) is not None]
    subjects = await ledger.read_subjects(record.id, about, until_seq=record.table.seq)
    views = see(recalled(record.table, subjects), viewer).deals
    return [views[number] for number in sorted(views, reverse=True)]


async def transactions(ledger: Ledger, record: TableRecord) -> list[tuple[int, str, str]]:
    """Return the newest `LISTED` transactions of a table, newest first, as (number, seat, seat)."""
    newest = await ledger.recent(record.id, until_seq=record.table.seq, limit=LISTED, kinds=[TRANSACTION])
    found = [recorded.entry for recorded in newest]
    return [(each.number, each.first, each.second) for each in found if isinstance(each, Transaction)]


async def walk(
    ledger: Ledger, record: TableRecord, viewer: Viewer, until_seq: int, kinds: Collection[str] | None = None
) -> AsyncIterator[list[EntryView]]:
    """Yield the entries up to a number as the viewer may see them, oldest first. ``kinds`` limits them to some kinds.

    They come in short lists, between which other tasks run. The caller need not keep a long ledger in memory.
    """
    async for some in ledger.stream(record.id, until_seq=until_seq, kinds=kinds):
        yield [see_entry(recorded, viewer, record.table.game) for recorded in some]


# ---------------------------------------------------------------- one trade


async def trade_history(
    ledger: Ledger, record: TableRecord, viewer: Viewer, number: int, until_seq: int
) -> TradeHistory:
    """Return every entry that led to a transaction, the transaction, and what followed from it.

    These are the entries about its offer and the offers before it that it answers, about the permits it used and the
    deals that its terms became, and later corrections of its two seats' holdings. Raises `Refused` when there is no
    such transaction, or the entries were changed by hand.
    """
    done = await _transaction(ledger, record.id, number, until_seq)
    offers = await _answered(ledger, record.id, done.offer)
    collector = _Collector(viewer, done, offers)
    table = Table(id=record.id)
    try:
        async for some in ledger.stream(record.id, until_seq=until_seq):
            for recorded in some:
                table = collector.add(table, recorded)
    except (LookupError, ValueError, TypeError):
        raise changed_by_hand() from None
    return collector.history(see(record.table, viewer))


async def entry(ledger: Ledger, record: TableRecord, viewer: Viewer, seq: int) -> EntryView:
    """Return one entry with its current follow-ups. Raises `Refused` when there is no such entry."""
    found = await ledger.read(record.id, after=seq - 1, until_seq=seq) if 1 <= seq <= record.table.seq else []
    if not found:
        raise Refused("", f"There is no entry {seq} at this table.", "/history lists them.")
    return see_entry(found[0], viewer, record.table.game, record.table)


async def _transaction(ledger: Ledger, table_id: int, number: int, until_seq: int) -> Transaction:
    for recorded in await ledger.with_number(table_id, TRANSACTION, "number", number, until_seq=until_seq):
        if isinstance(recorded.entry, Transaction) and recorded.entry.number == number:
            return recorded.entry
    raise Refused("", f"There is no transaction {number} at this table.", "/audit ledger kind:transaction lists them.")


async def _answered(ledger: Ledger, table_id: int, offer: int | None) -> frozenset[int]:
    """Return an offer and all its ancestors: the offer that it answers, and so on."""
    found: set[int] = set()
    while offer is not None:
        found.add(offer)
        posted = (each.entry for each in await ledger.read_subject(table_id, reference("offer", offer)))
        offer = next((entry.parent for entry in posted if isinstance(entry, OfferPosted)), None)
    return frozenset(found)


class _Collector:
    """Collects the history of one transaction while the table is replayed."""

    def __init__(self, viewer: Viewer, done: Transaction, offers: frozenset[int]) -> None:
        self._viewer = viewer
        self._done = done
        self._offers = offers
        self._deals: set[int] = set()
        self._found: list[EntryView] = []
        self._violations: dict[int, str] = {}
        self._transaction: EntryView | None = None

    def add(self, table: Table, recorded: Recorded) -> Table:
        """Add the next entry, given the table before it. Return the table after it."""
        entry, after = recorded.entry, apply(table, recorded.entry)
        if self._belongs(entry):
            is_it = isinstance(entry, Transaction) and entry.number == self._done.number
            view = see_entry(recorded, self._viewer, after.game, after if is_it else None)
            self._found.append(view)
            self._transaction = view if is_it else self._transaction
            self._note_violation(table, recorded)
        return after

    def history(self, view: TableView) -> TradeHistory:
        assert self._transaction is not None
        return TradeHistory(view, self._done.number, self._transaction, tuple(self._found), self._violations)

    def _belongs(self, entry: Entry) -> bool:
        if isinstance(entry, DealProposed) and entry.offer in self._offers:
            self._deals.add(entry.deal)
        corrects = isinstance(entry, Corrected) and entry.seat in (self._done.first, self._done.second)
        return (
            (isinstance(entry, OfferEntry) and entry.offer in self._offers)
            or (isinstance(entry, DealProposed | DealAnswered | DealMarked) and entry.deal in self._deals)
            or entry.grants() in self._done.permits
            or (corrects and self._transaction is not None)
        )

    def _note_violation(self, table: Table, recorded: Recorded) -> None:
        """Record what the rules said at this signature or exchange."""
        entry = recorded.entry
        if not isinstance(entry, Signed | Transaction):
            return
        offer = table.offers[entry.offer]
        party = offer.parties.include(self._viewer.person, self._viewer.seat)
        if offer.private and not (party or self._viewer.sees_all):
            return  # a violation could reveal the terms of a private offer
        trade = trade_of(offer, entry.seat if isinstance(entry, Signed) else entry.second)
        self._violations[recorded.seq] = self._first_known(table, trade, recorded.seq)

    def _first_known(self, table: Table, trade: Trade, seq: int) -> str:
        viewer = self._viewer
        for found in violations(table, trade):
            if not found.known_to or viewer.sees_all or viewer.held(found.known_to, seq):
                return found.sentence()
        return ""


def _is_over(table: Table, subject: Reference) -> bool:
    """Return whether a subject is an offer or deal that is no longer part of the table."""
    offer, deal = number_in(subject, "offer"), number_in(subject, "deal")
    if offer is not None:
        return offer not in table.offers and 1 <= offer <= table.offers_posted
    return deal is not None and deal not in table.deals and 1 <= deal <= table.deals_proposed
