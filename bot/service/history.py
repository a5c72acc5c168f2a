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
from bot.rules.entries import Recorded, Reference, kind_name, number_in, reference
from bot.rules.features.deals import DealAnswered, DealMarked, DealProposed
from bot.rules.features.holdings import Corrected
from bot.rules.features.offers.entries import OfferEntry, OfferPosted, Signed, Transaction
from bot.rules.features.offers.state import trade_of, violations
from bot.rules.guard import presented
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.recall import recalled
from bot.rules.views import EntryView, Viewer
from bot.rules.visibility import see, see_entry
from bot.rules.vocabulary import (
    kind_matches,
    kinds_maybe_sealed,
    kinds_told_as_one,
    kinds_with_heading,
    read_as,
)
from bot.service.records import TableRecord, changed_by_hand
from bot.service.requests import Filter, HistoryPage, TradeHistory

PROPOSED, TRANSACTION = kind_name(DealProposed), kind_name(Transaction)

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


async def page(
    ledger: Ledger,
    record: TableRecord,
    viewer: Viewer,
    only: Filter,
    *,
    until_seq: int,
    page: int,
    size: int,
    cursor: int = 0,
) -> HistoryPage:
    """Return one page of the entries that pass the filter, newest first.

    A page of one person's entries, or of kinds that may be sealed, is found from the entry next to
    it, ``cursor``, rather than by its number; see `HistoryPage`.
    """
    if only.offer:
        return await _offer_page(ledger, record, viewer, only, until_seq, page, size)
    kinds: list[str] | None = None
    if only.kind:
        stored = await ledger.entries.kinds(record.id)
        kinds = [kind for kind in stored if kind_matches(read_as(kind), only.kind)]
    hides = kinds is not None and not viewer.sees_all and not kinds_maybe_sealed().isdisjoint(kinds)
    if only.person or hides:
        return await _searched_page(
            ledger, record, viewer, only, kinds, until_seq, page, size, cursor
        )
    after, skip = max(0, only.since - 1), (page - 1) * size
    # numbers have no gaps, so there is no need to count entries or to read skipped ones
    if kinds is None:
        total = max(0, until_seq - after)
        found = await ledger.entries.recent(
            record.id, until_seq=until_seq - skip, limit=size, after=after
        )
    else:
        total = await ledger.entries.count(record.id, until_seq=until_seq, after=after, kinds=kinds)
        found = await ledger.entries.recent(
            record.id, until_seq=until_seq, limit=size, after=after, kinds=kinds, skip=skip
        )
    shown = tuple(see_entry(each, viewer, record.table.game) for each in found)
    return HistoryPage(see(record.table, viewer), shown, total, until_seq, page)


async def _offer_page(
    ledger: Ledger,
    record: TableRecord,
    viewer: Viewer,
    only: Filter,
    until_seq: int,
    page: int,
    size: int,
) -> HistoryPage:
    """Return a page of the entries about an offer. Filters them in memory, since they are few."""
    found = await ledger.entries.read_subject(
        record.id, reference("offer", only.offer), until_seq=until_seq
    )
    # The entry that made the offer's terms a deal has the deal as its subject.
    proposed = await ledger.entries.with_number(
        record.id, PROPOSED, "offer", only.offer, until_seq=until_seq
    )
    found += [
        each
        for each in proposed
        if isinstance(each.entry, DealProposed) and each.entry.offer == only.offer
    ]
    newest_first = sorted(found, key=lambda recorded: recorded.seq, reverse=True)
    views = [see_entry(recorded, viewer, record.table.game) for recorded in newest_first]
    passing = [view for view in views if matches_filter(view, only)]
    shown = tuple(passing[(page - 1) * size : page * size])
    return HistoryPage(see(record.table, viewer), shown, len(passing), until_seq, page)


async def with_context(
    ledger: Ledger, record: TableRecord, viewer: Viewer, only: Filter, page: HistoryPage
) -> HistoryPage:
    """Return the page with ``period_starts``, and with ``beside``: up to `BESIDE` entries on each
    side of it.
    """
    begun: dict[int, EntryView] = {}
    last: EntryView | None = None
    for each in page.entries:  # newest first, so most share the previous one's beginning
        if last is None or last.seq > each.seq:
            found = await ledger.entries.recent(
                record.id, until_seq=each.seq, limit=HEADINGS, kinds=kinds_with_heading()
            )
            game = record.table.game
            first = next((one for one in found if presented(game, one.entry.heading)), None)
            if first is None:
                break
            last = see_entry(first, viewer, record.table.game)
        begun[each.seq] = last
    kinds, beside = kinds_told_as_one(), list[Recorded]()
    if any(each.kind in kinds for each in page.entries):
        newest, oldest = page.entries[0].seq, page.entries[-1].seq
        newer = await ledger.entries.oldest(
            record.id, after=newest, until_seq=page.until_seq, limit=BESIDE, kinds=kinds
        )
        older = await ledger.entries.recent(
            record.id, until_seq=oldest - 1, limit=BESIDE, kinds=kinds
        )
        beside = [*newer[::-1], *older]
    views = (see_entry(each, viewer, record.table.game) for each in beside)
    return replace(
        page,
        period_starts=begun,
        beside=tuple(view for view in views if matches_filter(view, only)),
    )


# ---------------------------------------------------------------- entries that must be read first


async def _searched_page(
    ledger: Ledger,
    record: TableRecord,
    viewer: Viewer,
    only: Filter,
    kinds: Collection[str] | None,
    until_seq: int,
    page: int,
    size: int,
    cursor: int,
) -> HistoryPage:
    """Return a page of the entries that pass the filter, older than ``cursor`` or, if that is
    negative, newer than ``-cursor``.

    At most `SCANNED` entries are read, so the page may have too few entries, or none.
    """
    first = max(0, only.since - 1)

    async def search(after: int, until: int, *, backwards: bool) -> tuple[list[EntryView], int]:
        """Search until a page and one more are found, or `SCANNED` entries are read.

        Return what was found, in the order of the search, and the last entry read: 0, or ``until``,
        if all were.
        """
        found, read, entries = list[EntryView](), 0, ledger.entries
        while len(found) <= size and read < SCANNED:
            if backwards:
                some = await entries.recent(
                    record.id, until_seq=until, limit=CHUNK, after=after, kinds=kinds
                )
            else:
                some = await entries.oldest(
                    record.id, after=after, until_seq=until, limit=CHUNK, kinds=kinds
                )
            views = (see_entry(each, viewer, record.table.game) for each in some)
            found += [view for view in views if matches_filter(view, only)]
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
    view, shown = see(record.table, viewer), tuple(found[:size])
    return HistoryPage(view, shown, total, until_seq, page, newer=newer, older=older)


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


# ---------------------------------------------------------------- one trade


async def trade_history(
    ledger: Ledger, record: TableRecord, viewer: Viewer, number: int, until_seq: int
) -> TradeHistory:
    """Return every entry that led to a transaction, the transaction, and what followed from it.

    These are the entries about its offer and the offers before it that it answers, about the
    permits it used and the deals that its terms became, and later corrections of its two seats'
    holdings. Raises `Refused` when there is no such transaction, or the entries were changed by
    hand.
    """
    numbered = await ledger.entries.with_number(
        record.id, TRANSACTION, "number", number, until_seq=until_seq
    )
    done: Transaction | None = None
    for recorded in numbered:
        if isinstance(recorded.entry, Transaction) and recorded.entry.number == number:
            done = recorded.entry
    if done is None:
        reason = f"There is no transaction {number} at this table."
        raise Refused("", reason, "/audit ledger kind:transaction lists them.")
    offers: set[int] = set()
    offer: int | None = done.offer
    while offer is not None:  # the offer, the one that it answers, and so on
        offers.add(offer)
        about = await ledger.entries.read_subject(record.id, reference("offer", offer))
        offer = None
        for recorded in about:
            if isinstance(recorded.entry, OfferPosted):
                offer = recorded.entry.parent

    deals: set[int] = set()
    seats = (done.first, done.second)
    found: list[EntryView] = []
    remarks: dict[int, str] = {}
    shown: EntryView | None = None
    table = Table(id=record.id)
    try:
        async for some in ledger.entries.stream(record.id, until_seq=until_seq):
            for recorded in some:
                entry, before = recorded.entry, table
                table = restored([entry], before)
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
    return TradeHistory(see(record.table, viewer), number, shown, tuple(found), remarks)


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
