"""Pages of a table's history, newest first. The cost of a page does not depend on the length of the history.

Kinds and numbers are columns, so the database finds and counts the entries of such pages. Whether an entry concerns a
person is known only after reading it with the viewer's rights. A page of one person's entries therefore starts at the
entry beside it, and reads at most `SCANNED` entries.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import NamedTuple

from bot.ledger import Ledger
from bot.rules.entries import Recorded, kind_name
from bot.rules.features.deals import DealProposed
from bot.rules.model.references import reference
from bot.rules.views import EntryView, Viewer
from bot.rules.visibility import see, see_entry
from bot.rules.vocabulary import kind_matches, kinds_with_heading
from bot.service.records import TableRecord
from bot.service.requests import Filter, HistoryPage

PROPOSED = kind_name(DealProposed)

HEADINGS = 4
"""Entries read in search of one that begins a turn or phase. Only some kinds can, but not every entry of them does."""

CHUNK, SCANNED = 64, 1024
"""Entries per query, and in all, in search of one person's entries for a page."""


async def page(
    ledger: Ledger,
    record: TableRecord,
    viewer: Viewer,
    only: Filter,
    *,
    until_seq: int,
    page: int,
    size: int,
    beside: int = 0,
) -> HistoryPage:
    """Return one page of the entries that pass the filter, newest first.

    A page of one person's entries is found from the entry ``beside`` it rather than by its number; see `HistoryPage`.
    """
    if only.offer:
        return await _offer_page(ledger, record, viewer, only, until_seq, page, size)
    kinds = [kind for kind in await ledger.kinds(record.id) if kind_matches(kind, only.kind)] if only.kind else None
    if only.person:
        return await _person_page(_Scan(ledger, record, viewer, only, kinds, until_seq), page, size, beside)
    after, skip = max(0, only.since - 1), (page - 1) * size
    if kinds is None:  # numbers have no gaps, so there is no need to count entries or to read skipped ones
        total = max(0, until_seq - after)
        found = await ledger.recent(record.id, until_seq=until_seq - skip, limit=size, after=after)
    else:
        total = await ledger.count(record.id, until_seq=until_seq, after=after, kinds=kinds)
        found = await ledger.recent(record.id, until_seq=until_seq, limit=size, after=after, kinds=kinds, skip=skip)
    shown = tuple(see_entry(each, viewer, record.table.game) for each in found)
    return HistoryPage(see(record.table, viewer), shown, total, until_seq, page)


async def _offer_page(
    ledger: Ledger, record: TableRecord, viewer: Viewer, only: Filter, until_seq: int, page: int, size: int
) -> HistoryPage:
    """Return a page of the entries about an offer. Filters them in memory, since they are few."""
    every = await _about_offer(ledger, record.id, only.offer, until_seq)
    views = [see_entry(recorded, viewer, record.table.game) for recorded in reversed(every)]
    passing = [view for view in views if passes(view, only)]
    shown = passing[(page - 1) * size : page * size]
    return HistoryPage(see(record.table, viewer), tuple(shown), len(passing), until_seq, page)


async def _about_offer(ledger: Ledger, table_id: int, offer: int, until_seq: int) -> list[Recorded]:
    """Return the entries about an offer, and the entry that made its terms a deal, whose subject is the deal."""
    found = await ledger.read_subject(table_id, reference("offer", offer), until_seq=until_seq)
    proposed = await ledger.with_number(table_id, PROPOSED, "offer", offer, until_seq=until_seq)
    found += [each for each in proposed if isinstance(each.entry, DealProposed) and each.entry.offer == offer]
    return sorted(found, key=lambda recorded: recorded.seq)


async def with_begun(ledger: Ledger, record: TableRecord, viewer: Viewer, found: HistoryPage) -> HistoryPage:
    """Return the page with ``begun``: for each entry, the one that began its turn or phase."""
    begun: dict[int, EntryView] = {}
    last: EntryView | None = None
    for each in found.entries:  # newest first, so most share the previous one's beginning
        if last is None or last.seq > each.seq:
            last = await _begun(ledger, record, viewer, each.seq)
        if last is None:
            break
        begun[each.seq] = last
    return replace(found, begun=begun)


async def _begun(ledger: Ledger, record: TableRecord, viewer: Viewer, seq: int) -> EntryView | None:
    """Return the last entry up to ``seq`` that began a turn or phase; None if there is none."""
    found = await ledger.recent(record.id, until_seq=seq, limit=HEADINGS, kinds=kinds_with_heading())
    first = next((each for each in found if each.entry.heading()), None)
    return see_entry(first, viewer, record.table.game) if first is not None else None


# ---------------------------------------------------------------- one person's entries


class _Scan(NamedTuple):
    """A search for entries that pass a filter, which must be read to find out."""

    ledger: Ledger
    record: TableRecord
    viewer: Viewer
    only: Filter
    kinds: Collection[str] | None
    until_seq: int

    @property
    def after(self) -> int:
        """The number of the entry after which the search starts."""
        return max(0, self.only.since - 1)

    def passing(self, found: Iterable[Recorded]) -> list[EntryView]:
        """Return the entries that pass the filter, as the viewer may see them."""
        views = (see_entry(each, self.viewer, self.record.table.game) for each in found)
        return [view for view in views if passes(view, self.only)]


async def _person_page(scan: _Scan, page: int, size: int, beside: int) -> HistoryPage:
    """Return a page of one person's entries older than ``beside`` or, if that is negative, newer than ``-beside``.

    At most `SCANNED` entries are read, so the page may have too few entries, or none.
    """
    back = await _newer(scan, -beside, size) if beside < 0 else None
    if back is not None and (len(back.entries) > size or back.reached < scan.until_seq):
        found = back.entries[:size][::-1]
        newer, older = found[0].seq if len(found) == size else back.reached, 1 - beside
    else:  # older entries; or the newest, as there is no full page of newer ones
        begin = min(scan.until_seq, beside - 1) if beside > 0 else scan.until_seq
        ahead = await _older(scan, begin, size)
        found = ahead.entries[:size]
        older = found[-1].seq if len(ahead.entries) > size else ahead.reached
        newer = begin if begin < scan.until_seq else 0
    view = see(scan.record.table, scan.viewer)
    total = None if newer or older else len(found)
    return HistoryPage(view, tuple(found), total, scan.until_seq, page, newer=newer, older=older)


async def _older(scan: _Scan, begin: int, size: int) -> _Found:
    """Search from an entry towards older ones, until a page and one more are found or `SCANNED` entries are read."""
    found: list[EntryView] = []
    at, read = begin, 0
    while len(found) <= size and read < SCANNED:
        some = await scan.ledger.recent(scan.record.id, until_seq=at, limit=CHUNK, after=scan.after, kinds=scan.kinds)
        found += scan.passing(some)
        read += len(some)
        if len(some) < CHUNK:
            return _Found(found, 0)
        at = some[-1].seq - 1
    return _Found(found, at + 1)


async def _newer(scan: _Scan, begin: int, size: int) -> _Found:
    """Search from an entry towards newer ones, with the limits of `_older`. The result is oldest first."""
    found: list[EntryView] = []
    at, read = max(begin, scan.after), 0
    while len(found) <= size and read < SCANNED:
        some = await scan.ledger.oldest(
            scan.record.id, after=at, until_seq=scan.until_seq, limit=CHUNK, kinds=scan.kinds
        )
        found += scan.passing(some)
        read += len(some)
        if len(some) < CHUNK:
            return _Found(found, scan.until_seq)
        at = some[-1].seq
    return _Found(found, at)


class _Found(NamedTuple):
    """The entries that pass, and the number of the last entry read."""

    entries: list[EntryView]
    reached: int


# ---------------------------------------------------------------- filters


def passes(view: EntryView, only: Filter) -> bool:
    """Return whether an entry passes the filter."""
    return (
        view.seq >= only.since
        and (not only.kind or kind_matches(view.kind, only.kind))
        and (not only.offer or getattr(view.entry, "offer", None) == only.offer)
        and (not only.person or concerns(view, only.person))
    )


def concerns(view: EntryView, person: int) -> bool:
    """Return whether an entry concerns this person: they did it, or it is about the seat they had then."""
    if view.by == person or getattr(view.entry, "person", None) == person:
        return True
    return any(view.names.holders.get(seat) == person for seat in view.seats)
