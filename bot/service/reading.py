"""Reading: everything that a person may see of a table, and what delivery and the clock need."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence

from bot.ledger import Deadline, Ledger, LedgerError, TableEnd, TableRow, Tampered, evening_key
from bot.rules.entries import CallKind, Entry, Recorded, reference
from bot.rules.features.audits import Audit, require_removable, shown_by
from bot.rules.features.deals import DealProposed
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.tables import next_deadline
from bot.rules.model.people import Person
from bot.rules.model.replacing import replace
from bot.rules.model.stamps import Stamp, has_stamp, newest_stamp, stamp_text
from bot.rules.model.violation import Refused
from bot.rules.recall import recalled
from bot.rules.registry import game_of, games, variant_of
from bot.rules.views import DealView, EntryView, PairView, TableView, Viewer
from bot.rules.visible_entry import see_entry
from bot.rules.visible_table import see, see_pairs
from bot.rules.vocabulary import every_kind, kinds_of
from bot.service import auditing, evenings, gate
from bot.service.auditing import PostedHead
from bot.service.briefing import MessageStore, briefing, muted, no_pause
from bot.service.evenings import Evening, Evenings
from bot.service.gate import Admitted, BotRemoved, Gate, Members, bot_removed
from bot.service.history import PROPOSED, TRANSACTION, Past, with_subjects
from bot.service.records import Cache, TableRecord, TableRecords, no_such_table
from bot.service.requests import (
    Briefing,
    ExportSource,
    Filter,
    HistoryPage,
    Requester,
    Shards,
    TradeHistory,
    Verification,
)

CLOSED = 20
"""How many of a person's closed tables are looked through for the last one of a game."""

NEWEST = 100
"""The most deals, or transactions, in a list."""


class Reader:
    """The part of `Service` that reads, which also says what its methods raise. Results are
    redacted for the requester.

    With `Requester.accepts_cached`, the answer comes from memory.
    """

    def __init__(
        self,
        ledger: Ledger,
        members: Members | None,
        shards: Shards | None,
        chance: Callable[[], str] | None,
    ) -> None:
        self._ledger = ledger
        self.members = members or Members()
        self.messages = MessageStore(ledger)
        self._gate = Gate(self.members, chance)
        self._records = TableRecords(ledger, (shards or Shards()).owns)
        self._open = Cache(ledger.tables.table_in)  # the open table of each channel
        self._last = Cache(ledger.tables.last_table_in)  # its open table, or else the last one
        self._tables = Cache(self._tables_of)  # the open tables at which a user sits or hosts
        self._choices = Cache(self._choice)  # the table that a user chose for their DMs

    async def view(
        self,
        table_id: int,
        requester: Requester,
        *,
        offers: Iterable[int] = (),
        deals: Iterable[int] = (),
        shared: bool = False,
    ) -> TableView:
        """Return the table as the requester may see it now.

        It includes these ``offers`` and ``deals`` even if they are over; unknown numbers are
        ignored. ``shared``: with the requester's buttons, but only with what everybody may know.
        """
        admitted = await self._admit(table_id, requester)
        subjects = (
            *(reference("offer", each) for each in offers),
            *(reference("deal", each) for each in deals),
        )
        record, viewer = admitted.record, replace(admitted.viewer(), shared=shared)
        table = await with_subjects(self._ledger, record.table, subjects)
        if table is record.table:
            return self._records.views(table).see(viewer)
        return see(table, viewer)

    async def game(self, table_id: int, requester: Requester) -> str:
        """Return the id of the table's game. A table in memory is enough, since this never
        changes.
        """
        record = self._records.known(table_id) or await self._records.current(table_id)
        return (await self._gate.admit(record, requester)).record.table.game

    async def require_stamp(self, table_id: int, requester: Requester, stamp: str) -> None:
        """Raise `Refused` if no entry of the table has this stamp. Its button is about entries that
        the ledger lost when it was put back from a backup.

        A table in memory is enough, unless it lacks it.
        """
        known = self._records.known(table_id)
        if known is not None and has_stamp(known.table.stamps, stamp):
            return
        admitted = await self._admit(table_id, replace(requester, accepts_cached=False))
        if not has_stamp(admitted.record.table.stamps, stamp):
            raise Refused(
                "This card is from before the ledger was put back.",
                "/table show shows how the table is now.",
            )

    def newest_stamp(self, table_id: int) -> Stamp | None:
        """Return the stamp of the last entry of a table in memory; None for any other table."""
        known = self._records.known(table_id)
        return newest_stamp(known.table) if known is not None else None

    async def pairs(self, table_id: int, requester: Requester) -> tuple[PairView, ...]:
        """Return the pairs of seats that can trade now, as far as the requester may know."""
        admitted = await self._admit(table_id, requester)
        return see_pairs(admitted.record.table, admitted.viewer())

    async def rule_status(self, table_id: int, requester: Requester, number: str) -> str:
        """Return the table's public status under the rule with this number, or an empty string."""
        record = (await self._admit(table_id, requester)).record
        return game_of(record.table).commands.rule_status(record.table, number)

    async def last_variant(self, table_id: int, requester: Requester) -> str:
        """Return the text by which the requester's last closed table of this game on this server
        was played; empty for none. It must be a table that they hosted.
        """
        row = (await self._admit(table_id, requester)).record.row
        closed = await self._ledger.tables.closed_of(requester.user_id, row.guild_id or 0)
        for number, person in closed[: -CLOSED - 1 : -1]:
            there = await self._ledger.tables.table(number)
            if there is None or there.game != row.game:
                continue
            table = (await self._records.current(number)).table
            if table.host == person and (text := variant_of(table)):
                return text
        return ""

    async def deals(self, table_id: int, requester: Requester) -> list[DealView]:
        """Return the deals that the requester may know of among the newest `NEWEST`, newest first,
        even if over.
        """
        admitted = await self._admit(table_id, requester)
        table = admitted.record.table
        newest = await self._ledger.entries.recent(
            table_id, until_seq=table.seq, limit=NEWEST, kinds=[PROPOSED]
        )
        numbers = [each.entry.deal for each in newest if isinstance(each.entry, DealProposed)]
        about = [reference("deal", number) for number in numbers]
        subjects = await self._ledger.entries.read_subjects(table_id, about, until_seq=table.seq)
        views = see(recalled(table, subjects), admitted.viewer()).deals
        return [views[number] for number in sorted(views, reverse=True)]

    async def transactions(self, table_id: int, requester: Requester) -> list[tuple[int, str, str]]:
        """Return the newest `NEWEST` transactions of the table, newest first, as (number, seat,
        seat).
        """
        last = (await self._admit(table_id, requester)).record.table.seq
        newest = await self._ledger.entries.recent(
            table_id, until_seq=last, limit=NEWEST, kinds=[TRANSACTION]
        )
        entries = [recorded.entry for recorded in newest]
        trades = [entry for entry in entries if isinstance(entry, Transaction)]
        return [(trade.number, trade.first, trade.second) for trade in trades]

    async def entry(self, table_id: int, requester: Requester, seq: int) -> EntryView:
        """Return one entry with its follow-ups, as the requester may see it. Raises `Refused` when
        there is none.
        """
        admitted = await self._admit(table_id, requester)
        table = admitted.record.table
        found = list[Recorded]()
        if 1 <= seq <= table.seq:  # a button may carry any number
            found = await self._ledger.entries.read(table_id, after=seq - 1, until_seq=seq)
        if not found:
            raise Refused(
                f"There is no entry {seq} at this table.",
                "**History** under **Menu** lists them.",
            )
        return see_entry(found[0], admitted.viewer(), table.game, table)

    async def history(
        self,
        table_id: int,
        requester: Requester,
        *,
        filter: Filter,
        until_seq: int,
        page: int,
        size: int,
        audit: Audit | None = None,
        cursor: int = 0,
        begun: bool = False,
    ) -> HistoryPage:
        """Return one page of the entries that pass the filter, newest first.

        A page of one person's entries contains those older than ``cursor``; newer than ``-cursor``
        if it is negative; or the newest if it is 0. ``audit``: the audit of a host or moderator,
        who may see more. The entry after ``until_seq`` must record it; otherwise, and for anyone
        else, raises `Refused`. ``begun``: include the entries that began the turns and phases, and
        those that are told in one sentence with some of the page.
        """
        admitted = await self._admit(table_id, requester)
        record, viewer = admitted.record, await self._reader(admitted, audit, until_seq)
        # a button may carry any number, even one too large for the database
        last = _within(record, until_seq)
        only = replace(filter, since=max(0, min(filter.since, last + 1)))
        page = max(1, min(page, last // size + 1))
        cursor = max(-last, min(cursor, last + 1))
        past = Past(self._ledger, record, viewer, last)
        found = await past.page(only, page, size, cursor)
        return await past.with_context(found, only) if begun else found

    async def entries(
        self,
        table_id: int,
        requester: Requester,
        *,
        until_seq: int | None = None,
        audit: Audit | None = None,
        kinds: Collection[str] | None = None,
    ) -> list[EntryView]:
        """Return all entries up to a number, oldest first. ``kinds`` limits them to some kinds.

        Without ``kinds``, use it only for a short ledger; otherwise use `walk`. ``audit`` as in
        `history`, which also says when that raises `Refused`.
        """
        found: list[EntryView] = []
        async for some in self.walk(
            table_id, requester, until_seq=until_seq, audit=audit, kinds=kinds
        ):
            found += some
        return found

    async def walk(
        self,
        table_id: int,
        requester: Requester,
        *,
        until_seq: int | None = None,
        audit: Audit | None = None,
        kinds: Collection[str] | None = None,
    ) -> AsyncIterator[list[EntryView]]:
        """Yield the result of `entries` in short lists, between which other tasks run."""
        admitted = await self._admit(table_id, requester)
        record = admitted.record
        if until_seq is None:
            until_seq = record.table.seq
        viewer = await self._reader(admitted, audit, until_seq)
        last = _within(record, until_seq)
        async for some in self._ledger.entries.stream(table_id, until_seq=last, kinds=kinds):
            yield [see_entry(recorded, viewer, record.table.game) for recorded in some]

    async def first_since(self, table_id: int, requester: Requester, at: int) -> int:
        """Return the number of the first entry at or after ``at``, or else of the next entry to be
        recorded.

        ``at`` is in milliseconds since 1970. Raises `Refused` for anyone but a host or moderator.
        """
        admitted = await self._admit(table_id, requester)
        auditing.require_auditor(admitted)
        return await self._ledger.entries.last_before(table_id, at) + 1

    async def audited_view(
        self, table_id: int, requester: Requester, audit: Audit, *, until_seq: int
    ) -> TableView:
        """Return the table at a recorded audit, with all hands if the host or moderator never sat
        at it.

        ``audit`` and ``until_seq`` as in `history`. Raises `Refused` for anyone else.
        """
        admitted = await self._admit(table_id, requester)
        viewer = await self._reader(admitted, audit, until_seq)
        return see((await self._records.at(admitted.record, until_seq + 1)).table, viewer)

    async def trade_history(
        self, table_id: int, requester: Requester, number: int, *, until_seq: int
    ) -> TradeHistory:
        """Return the history of a transaction for a host or moderator whose audit is recorded, as
        in `history`.

        Raises `Refused` otherwise, and when there is no such transaction.
        """
        admitted = await self._admit(table_id, requester)
        record = admitted.record
        viewer = await self._reader(admitted, Audit("trade", number), until_seq)
        last = _within(record, until_seq)
        return await Past(self._ledger, record, viewer, last).trade(number)

    async def export_source(
        self, table_id: int, requester: Requester, *, until_seq: int
    ) -> ExportSource:
        """Return a table's ledger for a host or moderator, as they may read it.

        Raises `Refused` unless the entry after ``until_seq`` records their export.
        """
        admitted = await self._admit(table_id, requester)
        record, viewer = admitted.record, await self._reader(admitted, Audit("export"), until_seq)
        last = _within(record, until_seq)
        return await auditing.export_source(
            self._ledger, await self._records.at(record, last), viewer, last
        )

    async def verify(
        self, table_id: int, requester: Requester, posted: PostedHead | None = None
    ) -> Verification:
        """Check a table as `bourse verify` does, for a host or moderator. Raises `Refused` for
        anyone else.

        The chain must still contain ``posted``, a head that was posted earlier. Only a moderator
        may check a ledger that can't be read.
        """
        ledger = self._ledger
        try:
            record = await self._records.current(table_id)
        except LedgerError:  # its host is unknown then
            unread = await ledger.tables.table(table_id)
            if unread is None:
                raise no_such_table() from None
            await self._gate.require_reach(unread, requester, known=False)
            if not requester.manages_guild:
                raise Refused(
                    "This table's ledger can't be read.",
                    "Somebody with Manage Server can find out why.",
                ) from None
        else:
            auditing.require_auditor(await self._gate.admit(record, requester))
        row, last = await ledger.tables.table(table_id), await ledger.entries.stored_head(table_id)
        found = await auditing.check_table(ledger, table_id, [posted] if posted else [])
        return Verification(
            row.name if row else "",
            last.seq,
            last.hash,
            found.fault,
            bool(await auditing.ledger_faults(ledger)),
            str(posted) if posted else "",
            found.unread,
        )

    async def removable(self, table_id: int, requester: Requester) -> TableView:
        """Return a closed table that the requester may remove. Raises `Refused` otherwise."""
        admitted = await self._admit(table_id, requester)
        with gate.with_names(admitted.record, admitted.reader):
            require_removable(admitted.record.table, admitted.reader)
        return see(admitted.record.table, admitted.viewer())

    async def known_at(self, requester: Requester) -> tuple[int, int]:
        """Return the number of closed and of open tables that know the requester."""
        return await self._ledger.tables.known_at(requester.user_id)

    async def evenings(self, requester: Requester) -> Evenings:
        """Return the requester's numbers over the closed tables of their server at which they
        sat.
        """
        user_id, guild_id = requester.user_id, requester.guild_id or 0
        tables = await self._ledger.tables.closed_of(user_id, guild_id)
        stored = await self._ledger.values_of([evening_key(table_id) for table_id, _ in tables])
        sat = list[Evening]()
        for table_id, number in tables:
            text = stored.get(evening_key(table_id)) or await self._summarize(table_id)
            sat.append(Evening(table_id, number, text))
        people = defaultdict[int, dict[int, Person]](dict)
        for table_id, person in await self._ledger.tables.people_beside(user_id, guild_id):
            people[table_id][person.number] = person
        numbers, biggest = evenings.total(sat, people)
        if biggest is None:
            return numbers
        table_id, seq = biggest
        record = await self._records.current(table_id)
        [trade] = await self._ledger.entries.read(table_id, after=seq - 1, until_seq=seq)
        everybody = replace(gate.public(record), opened=False)
        return replace(numbers, biggest=see_entry(trade, everybody, record.table.game))

    async def _summarize(self, table_id: int) -> str:
        """Store what a closed table adds to the numbers over evenings, and return it; "{}" if it
        does not count.
        """
        record = await self._records.current(table_id)
        table, text = record.table, "{}"
        if table.settings.open_on_close == "yes" and table.game in games():
            everybody = replace(gate.public(record), opened=False)
            taking_back = (
                kind.kind for kind in every_kind() if kind.takes_back is not Entry.takes_back
            )
            kinds = kinds_of(*evenings.COUNTED_KINDS) | frozenset(taking_back)
            views = list[EntryView]()
            async for page in self._ledger.entries.stream(table_id, kinds=kinds):
                views += [see_entry(recorded, everybody, table.game) for recorded in page]
            text = evenings.summary(views)
        await self._ledger.set_key_value(evening_key(table_id), text)
        return text

    # ---------------------------------------------------------------- the directory

    async def table_at(self, channel_id: int, requester: Requester) -> TableRow | None:
        """Return the open table of a channel on the requester's server; None if there is none.

        The ledger is not asked about a table that this process knows and owns: a later command
        detects if it is closed.
        """
        row = self._open.known(channel_id)
        if row is None or self._records.owned(row.id) is None:
            row = await self._open.get(channel_id, accepts_cached=requester.accepts_cached)
        return _on_server(row, requester)

    async def last_table_at(self, channel_id: int, requester: Requester) -> TableRow | None:
        """Return the open table of a channel on the requester's server, or else its last table;
        None if it had none.
        """
        return _on_server(
            await self._last.get(channel_id, accepts_cached=requester.accepts_cached), requester
        )

    async def last_closed_at(self, channel_id: int, requester: Requester) -> TableRow | None:
        """Return the last table of a channel on the requester's server that is closed for good;
        None for none.
        """
        return _on_server(
            await self._ledger.tables.last_table_in(channel_id, closed=True), requester
        )

    async def tables_of(self, requester: Requester) -> Sequence[TableRow]:
        """Return the open tables at which the requester sits or hosts, and that this request may
        access.

        Raises `Refused` when Discord can't say whether they are still on a table's server, and if
        all tables are on servers that the bot has left.
        """
        cached = requester.accepts_cached
        rows, left = list[TableRow](), False
        for row in await self._tables.get(requester.user_id, accepts_cached=cached):
            try:
                if await self._gate.may_know_of(row, requester, known=True):
                    rows.append(row)
            except BotRemoved:
                left = True
        if left and not rows:
            raise bot_removed()
        return rows

    async def dm_choice(self, requester: Requester) -> int | None:
        """Return the table that the requester chose for their DMs, or None."""
        return await self._choices.get(requester.user_id, accepts_cached=requester.accepts_cached)

    async def muted(self, requester: Requester) -> frozenset[CallKind]:
        """Return the calls that the requester has silenced, for all tables."""
        return await muted(self._ledger, requester.user_id)

    # ---------------------------------------------------------------- for delivery and the clock

    def seq(self, table_id: int) -> int:
        """Return the last entry of a table in memory; 0 for any other table."""
        return self._records.seq(table_id)

    async def briefing(
        self,
        table_id: int,
        after: int,
        *,
        also: Collection[int] = (),
        offers: Collection[int] = (),
        as_known: bool = False,
        pause: Callable[[], Awaitable[None]] = no_pause,
    ) -> Briefing | None:
        """Return what delivery needs to show a table and the entries after ``after``; None if there
        is no such table.

        ``also`` are the numbers of earlier entries to include, ``offers`` the numbers of offers to
        include even if over. ``as_known``: use the table in memory, for a caller that knows it to
        be newer than what was shown last. Listeners learn of another process's changes when its
        notice arrives. ``pause`` is awaited before each view.
        """
        try:
            record = await (
                self._records.in_memory(table_id) if as_known else self._records.current(table_id)
            )
        except Refused:
            return None
        last = self._records.take_change(after, record.table) if not also and not offers else None
        return await briefing(self._ledger, record, after, also, offers, last=last, pause=pause)

    async def table_in(self, channel_id: int) -> int | None:
        """Return the open table of a channel; None if there is none."""
        row = await self._open.get(channel_id, accepts_cached=False)
        return row.id if row is not None else None

    async def deadlines(self) -> list[Deadline]:
        """Return the deadlines of the tables, earliest first."""
        return await self._ledger.tables.deadlines()

    async def deadline(self, table_id: int) -> int | None:
        """Return this table's next deadline in milliseconds since 1970, or None."""
        return next_deadline((await self._records.current(table_id)).table)

    async def heads(self, shards: Shards) -> list[tuple[int, int | None, int]]:
        """Return the open tables of these shards as (table, server, number of the last entry)."""
        return await self._ledger.tables.heads(shards.ids, shards.count)

    async def ends(self, shards: Shards) -> list[TableEnd]:
        """Return the last entries of the open tables of these shards."""
        return await self._ledger.tables.ends(shards.ids, shards.count)

    async def has_head(self, table_id: int, head: PostedHead) -> bool:
        """Return whether the table, or another, has the entry of a head that was posted."""
        if await auditing.has_head(self._ledger, table_id, head):
            return True
        return await self._ledger.entries.posted(head.hash)

    async def has_stamps(self, table_id: int, stamps: Collection[str]) -> bool:
        """Return whether each of these stamps is that of an entry of the table."""
        known = set(map(stamp_text, await self._ledger.entries.times(table_id)))
        return known.issuperset(stamps)

    async def open_tables(self, shards: Shards) -> int:
        """Return the number of open tables of these shards."""
        return await self._ledger.tables.open_tables(shards.ids, shards.count)

    async def tables_on(self, guild_id: int) -> list[int]:
        """Return a server's tables that are open or have owed messages, such as those that the bot
        has left there.
        """
        return await self._ledger.tables.tables_on(guild_id)

    async def undelivered(self) -> list[int]:
        """Return the tables with entries that are not delivered yet."""
        return await self._ledger.messages.undelivered()

    # ---------------------------------------------------------------- inside

    async def _admit(self, table_id: int, requester: Requester) -> Admitted:
        """Admit the requester to a table: its latest state, or that in memory if they are in a
        hurry.

        Raises `Refused` if they may not access it.
        """
        records = self._records
        record = await (
            records.cached(table_id) if requester.accepts_cached else records.current(table_id)
        )
        return await self._gate.admit(record, requester)

    async def _reader(self, admitted: Admitted, audit: Audit | None, until_seq: int) -> Viewer:
        """Return the requester as a viewer of entries; given an audit, as a host or moderator who
        may see more.

        The entry after ``until_seq`` must record this audit by this person. Raises `Refused`
        otherwise, and for anyone else.
        """
        if audit is None:
            return admitted.viewer()
        auditing.require_auditor(admitted)
        record, person = admitted.record, admitted.reader.person
        if 0 <= until_seq < record.table.seq:  # a button may carry any number
            seq = until_seq + 1
            for look in await self._ledger.entries.read(record.id, after=until_seq, until_seq=seq):
                if shown_by(look, person, audit):
                    return admitted.viewer(look=look)
        raise Refused("There is no record that you looked at this.", "Use the command again.")

    async def _tables_of(self, user_id: int) -> Sequence[TableRow]:
        found = []
        for row in await self._ledger.tables.tables_of(user_id):
            try:
                record = await self._records.current(row.id)
            except Tampered:  # one damaged table must not hide the user's other tables
                continue
            person = record.person(user_id)
            if person is None:
                continue
            if record.table.seat_of(person.number) or person.number == record.table.host:
                found.append(row)
        return found

    async def _choice(self, user_id: int) -> int | None:
        chosen = await self._ledger.key_value(dm_key(user_id))
        return int(chosen) if chosen else None


def dm_key(user_id: int) -> str:
    """Return the key under which a person's choice of a table for DMs is stored."""
    return f"dm:{user_id}"


def _within(record: TableRecord, seq: int) -> int:
    """Clamp an entry's number to those of the table: 0 to its last."""
    return max(0, min(seq, record.table.seq))


def _on_server(row: TableRow | None, requester: Requester) -> TableRow | None:
    """Return the row if its table is on the server that the request came from, else None."""
    return row if row is not None and row.guild_id == requester.guild_id else None
