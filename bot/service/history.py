"""The past of a table: pages of its history, and the history of one trade.

The cost of a page does not depend on the length of the history. Kinds and numbers are columns, so
the database finds and counts the entries of such pages. Whether an entry concerns a person, or says
nothing to the viewer, is known only after reading it with the viewer's rights. A page of one
person's entries, or of kinds that may be all sealed, therefore starts at the entry beside it, and
reads at most `SCANNED` entries.

The table is replayed only for the history of a trade, which shows what the rules said at each
signature.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from bot.ledger import Ledger
from bot.rules.apply import restored
from bot.rules.entries import Recorded, Reference, number_in, reference
from bot.rules.features.deals import DealAnswered, DealMarked, DealProposed
from bot.rules.features.holdings import Corrected
from bot.rules.features.offers.entries import OfferEntry, OfferPosted, Signed, Transaction
from bot.rules.features.offers.state import trade_of, violations
from bot.rules.guard import presented
from bot.rules.model.table import Table
from bot.rules.model.values import frozen
from bot.rules.model.violation import Refused
from bot.rules.recall import recalled
from bot.rules.views import EntryView, Viewer
from bot.rules.visible_entry import see_entry
from bot.rules.visible_table import see
from bot.rules.vocabulary import (
    kind_matches,
    kinds_maybe_sealed,
    kinds_told_as_one,
    kinds_with_heading,
    read_as,
)
from bot.service.records import TableRecord, changed_by_hand
from bot.service.requests import Filter, HistoryPage, TradeHistory

PROPOSED, TRANSACTION = DealProposed.kind, Transaction.kind

HEADINGS = 4
"""Entries read in search of one that begins a turn or phase. Only some kinds can, but not every
entry of them does.
"""

BESIDE = 64
"""Entries read on each side of a page in search of those that a story tells in one sentence with
some of it.
"""

CHUNK, SCANNED = 64, 1024
"""Entries per query, and in all, in search of those for a page that must be read first."""


async def with_subjects(ledger: Ledger, table: Table, subjects: Iterable[Reference]) -> Table:
    """Return the table with these offers, deals and negotiations. Those that are over are read from
    the ledger.
    """

    def is_over(subject: Reference) -> bool:
        if (offer := number_in(subject, "offer")) is not None:
            return offer not in table.offers and 1 <= offer <= table.offers_posted
        if (deal := number_in(subject, "deal")) is not None:
            return deal not in table.deals and 1 <= deal <= table.deals_proposed
        negotiation = number_in(subject, "negotiation")
        return negotiation is not None and negotiation not in table.negotiations

    missing = [subject for subject in subjects if is_over(subject)]
    if not missing:
        return table
    return recalled(table, await ledger.entries.read_subjects(table.id, missing))


# ---------------------------------------------------------------- pages


@frozen
class Past:
    """The entries of a table up to ``until_seq``, as one viewer may see them."""

    ledger: Ledger
    record: TableRecord
    viewer: Viewer
    until_seq: int

    def _seen(self, recorded: Iterable[Recorded]) -> list[EntryView]:
        game = self.record.table.game
        return [see_entry(each, self.viewer, game) for each in recorded]

    def _passing(self, recorded: Iterable[Recorded], only: Filter) -> list[EntryView]:
        return [view for view in self._seen(recorded) if matches_filter(view, only)]

    def _page(
        self,
        shown: Iterable[EntryView],
        total: int | None,
        page: int,
        newer: int = 0,
        older: int = 0,
    ) -> HistoryPage:
        view = see(self.record.table, self.viewer)
        return HistoryPage(view, tuple(shown), total, self.until_seq, page, newer, older)

    async def page(self, only: Filter, page: int, size: int, cursor: int = 0) -> HistoryPage:
        """Return one page of the entries that pass the filter, newest first.

        A page of one person's entries, or of kinds that may be sealed, is found from the entry next
        to it, ``cursor``, rather than by its number; see `HistoryPage`.
        """
        entries, table_id = self.ledger.entries, self.record.id
        if only.offer:
            return await self._offer_page(only, page, size)
        kinds: list[str] | None = None
        if only.kind:
            stored = await entries.kinds(table_id)
            kinds = [kind for kind in stored if kind_matches(read_as(kind), only.kind)]
        sealed = kinds is not None and not kinds_maybe_sealed().isdisjoint(kinds)
        if only.person or (sealed and not self.viewer.sees_all):
            return await self._searched_page(only, kinds, page, size, cursor)
        after, skip = max(0, only.since - 1), (page - 1) * size
        # numbers have no gaps, so there is no need to count entries or to read skipped ones
        if kinds is None:
            total = max(0, self.until_seq - after)
            last = self.until_seq - skip
            found = await entries.recent(table_id, until_seq=last, limit=size, after=after)
        else:
            last = self.until_seq
            total = await entries.count(table_id, until_seq=last, after=after, kinds=kinds)
            found = await entries.recent(
                table_id, until_seq=last, limit=size, after=after, kinds=kinds, skip=skip
            )
        return self._page(self._seen(found), total, page)

    async def _offer_page(self, only: Filter, page: int, size: int) -> HistoryPage:
        """Return a page of the entries about an offer. Filters them in memory, since they are
        few.
        """
        entries, table_id, last = self.ledger.entries, self.record.id, self.until_seq
        offer = only.offer
        found = await entries.read_subject(table_id, reference("offer", offer), until_seq=last)
        # The entry that made the offer's terms a deal has the deal as its subject.
        for each in await entries.with_number(table_id, PROPOSED, "offer", offer, until_seq=last):
            if isinstance(each.entry, DealProposed) and each.entry.offer == offer:
                found.append(each)
        newest_first = sorted(found, key=lambda recorded: recorded.seq, reverse=True)
        passing = self._passing(newest_first, only)
        return self._page(passing[(page - 1) * size : page * size], len(passing), page)

    async def with_context(self, page: HistoryPage, only: Filter) -> HistoryPage:
        """Return the page with ``period_starts``, and with ``beside``: up to `BESIDE` entries on
        each side of it.
        """
        entries, table_id = self.ledger.entries, self.record.id
        begun: dict[int, EntryView] = {}
        last: EntryView | None = None
        for each in page.entries:  # newest first, so most share the previous one's beginning
            if last is None or last.seq > each.seq:
                last = await self._period_start(each.seq)
                if last is None:
                    break
            begun[each.seq] = last
        kinds, beside = kinds_told_as_one(), list[Recorded]()
        if any(each.kind in kinds for each in page.entries):
            newest, oldest = page.entries[0].seq, page.entries[-1].seq
            newer = await entries.oldest(
                table_id, after=newest, until_seq=self.until_seq, limit=BESIDE, kinds=kinds
            )
            older = await entries.recent(table_id, until_seq=oldest - 1, limit=BESIDE, kinds=kinds)
            beside = [*newer[::-1], *older]
        return replace(page, period_starts=begun, beside=tuple(self._passing(beside, only)))

    async def _period_start(self, seq: int) -> EntryView | None:
        """Return the entry that began the turn or phase of this one; None before the first."""
        recent = await self.ledger.entries.recent(
            self.record.id, until_seq=seq, limit=HEADINGS, kinds=kinds_with_heading()
        )
        for recorded in recent:
            if presented(self.record.table.game, recorded.entry.heading):
                return self._seen([recorded])[0]
        return None

    # ------------------------------------------------------------ entries that must be read first

    async def _searched_page(
        self, only: Filter, kinds: Collection[str] | None, page: int, size: int, cursor: int
    ) -> HistoryPage:
        """Return a page of the entries that pass the filter, older than ``cursor`` or, if that is
        negative, newer than ``-cursor``.

        At most `SCANNED` entries are read, so the page may have too few entries, or none.
        """
        first, until_seq = max(0, only.since - 1), self.until_seq

        async def search(after: int, until: int, *, backwards: bool) -> tuple[list[EntryView], int]:
            """Search until a page and one more are found, or `SCANNED` entries are read.

            Return what was found, in the order of the search, and the last entry read: 0, or
            ``until``, if all were.
            """
            found, read, entries = list[EntryView](), 0, self.ledger.entries
            next_ones = entries.recent if backwards else entries.oldest
            while len(found) <= size and read < SCANNED:
                some = await next_ones(
                    self.record.id, after=after, until_seq=until, limit=CHUNK, kinds=kinds
                )
                found += self._passing(some, only)
                read += len(some)
                if len(some) < CHUNK:
                    return found, 0 if backwards else until
                if backwards:
                    until = some[-1].seq - 1
                else:
                    after = some[-1].seq
            return found, until + 1 if backwards else after

        found, reached = list[EntryView](), until_seq
        if cursor < 0:
            found, reached = await search(max(first, -cursor), until_seq, backwards=False)
        if len(found) > size or reached < until_seq:
            found = found[:size][::-1]
            newer, older = found[0].seq if len(found) == size else reached, 1 - cursor
        else:  # older entries; or the newest, as there is no full page of newer ones
            begin = min(until_seq, cursor - 1) if cursor > 0 else until_seq
            found, reached = await search(first, begin, backwards=True)
            newer = begin if begin < until_seq else 0
            older = found[size - 1].seq if len(found) > size else reached
        total = None if newer or older else len(found)
        return self._page(found[:size], total, page, newer, older)

    # ------------------------------------------------------------ one trade

    async def trade(self, number: int) -> TradeHistory:
        """Return every entry that led to a transaction, the transaction, and what followed from it.

        These are the entries about its offer and the offers before it that it answers, about the
        permits it used and the deals that its terms became, and later corrections of its two seats'
        holdings. Raises `Refused` when there is no such transaction, or the entries were changed by
        hand.
        """
        entries, table_id, viewer = self.ledger.entries, self.record.id, self.viewer
        done = await self._transaction(number)
        offers: set[int] = set()
        offer: int | None = done.offer
        while offer is not None:  # the offer, the one that it answers, and so on
            offers.add(offer)
            about = await entries.read_subject(table_id, reference("offer", offer))
            offer = None
            for recorded in about:
                if isinstance(recorded.entry, OfferPosted):
                    offer = recorded.entry.parent

        deals: set[int] = set()
        seats = (done.first, done.second)
        found: list[EntryView] = []
        remarks: dict[int, str] = {}
        shown: EntryView | None = None
        table = Table(id=table_id)
        try:
            async for some in entries.stream(table_id, until_seq=self.until_seq):
                for recorded in some:
                    entry, before = recorded.entry, table
                    table = restored([recorded], before)
                    if isinstance(entry, DealProposed) and entry.offer in offers:
                        deals.add(entry.deal)
                    match entry:
                        case OfferEntry():
                            told = entry.offer in offers
                        case DealProposed() | DealAnswered() | DealMarked():
                            told = entry.deal in deals
                        case Corrected():
                            told = shown is not None and entry.seat in seats
                        case _:
                            told = entry.grants() in done.permits
                    if not told:
                        continue
                    is_it = isinstance(entry, Transaction) and entry.number == number
                    view = see_entry(recorded, viewer, table.game, table if is_it else None)
                    found.append(view)
                    if is_it:
                        shown = view
                    if (remark := _first_violation(before, recorded, viewer)) is not None:
                        remarks[recorded.seq] = remark
        except (LookupError, ValueError, TypeError):
            raise changed_by_hand() from None
        assert shown is not None
        view_now = see(self.record.table, viewer)
        return TradeHistory(view_now, number, shown, tuple(found), remarks)

    async def _transaction(self, number: int) -> Transaction:
        """Return the transaction with this number. Raises `Refused` when there is none."""
        numbered = await self.ledger.entries.with_number(
            self.record.id, TRANSACTION, "number", number, until_seq=self.until_seq
        )
        for recorded in numbered:
            if isinstance(recorded.entry, Transaction) and recorded.entry.number == number:
                return recorded.entry
        reason = f"There is no transaction {number} at this table."
        raise Refused(reason, "/audit ledger kind:transaction lists them.")


# ---------------------------------------------------------------- filters


def matches_filter(view: EntryView, only: Filter) -> bool:
    """Return whether an entry passes the filter."""
    return (
        view.seq >= only.since
        and (not only.kind or (not view.secret and kind_matches(view.kind, only.kind)))
        and (not only.offer or getattr(view.entry, "offer", None) == only.offer)
        and (not only.person or concerns(view, only.person))
    )


def concerns(view: EntryView, person: int) -> bool:
    """Return whether an entry concerns this person: they did it, or it is about the seat they had
    then. Of one that is all secret, others don't learn whom it concerns.
    """
    if view.secret:
        return False
    if view.by == person or getattr(view.entry, "person", None) == person:
        return True
    return any(view.names.holders.get(seat) == person for seat in view.seats)


def _first_violation(table: Table, recorded: Recorded, viewer: Viewer) -> str | None:
    """Return the first violation at this signature or exchange that the viewer may know of, or an
    empty string.

    None for other entries, and for a private offer of others, whose terms a violation could reveal.
    """
    entry = recorded.entry
    if not isinstance(entry, Signed | Transaction):
        return None
    offer = table.offers[entry.offer]
    party = offer.parties.include(viewer.person, viewer.seat)
    if offer.private and not (party or viewer.sees_all):
        return None
    taker = entry.seat if isinstance(entry, Signed) else entry.second
    for violation in violations(table, trade_of(offer, taker)):
        holder = violation.known_to
        if not holder or viewer.sees_all or holder in viewer.held(recorded.seq):
            return violation.sentence()
    return ""
