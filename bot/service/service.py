"""The service: the only way to change or read a table.

`Service.execute` decides, appends and applies, in that order and one command at a time for each table. Across processes
the ledger's key (table, seq) has the same effect: a command that lost a race is decided again.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Literal

from bot.ledger import (
    UNCHANGED,
    ChannelTaken,
    Deadline,
    FateUnknown,
    Head,
    Ledger,
    LedgerError,
    LostRace,
    NotWritten,
    Removal,
    Repeated,
    TableRow,
)
from bot.rules import snapshots
from bot.rules.apply import replay
from bot.rules.audits.audit import require_removable
from bot.rules.audits.commands import Audit
from bot.rules.commands import NOBODY, Caller, Command
from bot.rules.deadlines import next_deadline
from bot.rules.engine import decide
from bot.rules.entries import Entry, Recorded
from bot.rules.model.calls import CallKind
from bot.rules.model.markup import quoted
from bot.rules.model.people import Person
from bot.rules.model.references import Reference, number_in, reference
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.recall import recalled, with_ended
from bot.rules.registry import game_of
from bot.rules.tables.commands import OpenTable, Tick
from bot.rules.views import DealView, EntryView, PairView, TableView, Viewer
from bot.rules.visibility import Sight, see, see_entry, see_pairs
from bot.service import auditing, briefing, gate, paging, pings, reading
from bot.service.checking import PostedHead
from bot.service.directory import Directory
from bot.service.gate import Admitted, Gate
from bot.service.members import Members
from bot.service.messages import MessageStore
from bot.service.recent import LastChange, Recent
from bot.service.records import SNAPSHOT_EVERY, Records, TableRecord
from bot.service.requests import (
    Briefing,
    Change,
    CommandFactory,
    ExportSource,
    Filter,
    HistoryPage,
    Outcome,
    People,
    Requester,
    TradeHistory,
    Verification,
)
from bot.service.room import Room, require_room
from bot.service.shards import Shards

log = logging.getLogger(__name__)

SECRET_BYTES = 32
"""Bytes of randomness that a table opens with: nobody can guess 256 bits."""

RACES = 16
"""How often a command is decided at most. Each race it loses means that another process wrote something."""


class Service:
    """Changes and reads tables. What it returns is redacted for the requester.

    Every method that takes a table raises `Refused` when there is no such table, if nothing else is said, and
    `bot.ledger.LedgerError` when the database fails. From one that changes something this is `NotWritten` when nothing
    has been changed, `FateUnknown` when that can't be found out, and any other `LedgerError` when the change is
    recorded but can't be read.

    Without ``members`` nobody can be asked who is still on a table's server, so that requests from DMs are refused.
    ``shards`` are those of this process, by default the only one.

    Every method may be cancelled. A command that was being written then takes place all the same, and listeners are
    told of it.
    """

    def __init__(
        self,
        ledger: Ledger,
        clock: Callable[[], datetime],
        members: Members | None = None,
        room: Room | None = None,
        *,
        shards: Shards | None = None,
    ) -> None:
        self._ledger = ledger
        self._room = room or Room()
        self._clock = clock
        self.members = members or Members()
        self._gate = Gate(self.members)
        self._records = Records(ledger, (shards or Shards()).owns)
        self._recent = Recent()
        self._directory = Directory(ledger, self._records)
        self._listeners: list[Callable[[Change], None]] = []
        self.messages = MessageStore(ledger)

    def subscribe(self, listener: Callable[[Change], None]) -> None:
        """Call this function after every change that this process made to a table, when it is durable, and `refresh`.

        It is called before the command returns, so it must return at once. It is also called when nobody knows yet
        whether a change is durable; the deadline is then now, so that the table is looked at again.
        """
        self._listeners.append(listener)

    # ---------------------------------------------------------------- changes

    async def open_table(
        self,
        requester: Requester,
        *,
        game: str,
        name: str,
        channel_id: int,
        open_on_close: Literal["yes", "no"] = "yes",
    ) -> Outcome:
        """Open a table in a channel.

        Raises `Refused` when the rules refuse it, the channel has an open table, or the server or person has too many.
        """
        people, now = People({}), self._now()
        caller = Caller(person=people.number(requester.user_id, requester.name), at=now)
        opening = OpenTable(game=game, name=name, open_on_close=open_on_close, chance=secrets.token_hex(SECRET_BYTES))
        entries = decide(Table(), opening, caller)
        opened = replay(entries)
        if await self._known(requester) is None:  # what is delivered again has been counted already
            own = await self._directory.tables_of(requester.user_id, from_memory=False)
            await require_room(self._ledger, self._room, requester, len(own))

        def record(table_id: int, recorded: Sequence[Recorded]) -> TableRecord:
            row = TableRow(table_id, requester.guild_id, channel_id, opened.game, opened.name, False)
            return TableRecord(row, replace(opened, id=table_id), people.all, _head(recorded))

        try:
            table_id, recorded = await self._ledger.create_table(
                guild_id=requester.guild_id, channel_id=channel_id, game=opened.game, name=opened.name,
                entries=entries, at=now, by=caller.person, people=people.newcomers, interaction=requester.interaction,
                deadline=next_deadline(opened),
                then=lambda table_id, recorded: self._landed(None, record(table_id, recorded)),
            )  # fmt: skip
        except Repeated as repeated:
            return await self._again(repeated, requester)
        except ChannelTaken as taken:
            with _nothing_written():
                raise await self._taken(taken.table_id, requester) from None
        made = record(table_id, recorded)
        return _outcome(await self._gate.admit(made, requester), lambda: Sight(made.table, recorded), recorded)

    async def execute(self, table_id: int, requester: Requester, command: Command | CommandFactory) -> Outcome:
        """Carry out a command, once and durably, or raise `Refused` and change nothing.

        A factory is called again when a race was lost, since the people of the table may have changed. Raises
        ``RuntimeError`` after `RACES` lost races.
        """
        async with self._records.lock(table_id):
            with _nothing_written():
                done = await self._carry_out(table_id, requester, command)
            return done if isinstance(done, Outcome) else await self._again(done, requester)

    async def refresh(self, table_id: int) -> None:
        """Read a table that another process changed, and tell the listeners as if this one had changed it."""
        async with self._records.lock(table_id):  # so that they never hear of an older state after a newer one
            record = await self._records.current(table_id)
            self._directory.changed(None, record)
            self._announce(_change(record))

    async def tick(self, table_id: int) -> int | None:
        """Record what the clock has brought for a table by now, such as offers that ran out.

        Return the table's next deadline in milliseconds since 1970; None when it has none.
        """
        async with self._records.lock(table_id):
            record = await self._records.current(table_id)
            try:
                record = await self._run_out(record)
            except LostRace:
                record = await self._records.load(table_id)
            return next_deadline(record.table)

    async def remove(self, table_id: int, requester: Requester) -> Removal:
        """Delete a closed table for good. Raises `Refused` when it is open, and for anyone but its host."""
        async with self._records.lock(table_id):
            await self.removable(table_id, requester)
            row = (await self._records.current(table_id)).row
            try:
                return await self._ledger.remove_table(table_id, at=self._now())
            finally:  # also when the caller was cancelled, or it is not known whether it is removed
                self._records.forget(table_id)
                self._directory.forget_table(row)

    async def forget_person(self, requester: Requester) -> int:
        """Erase the requester's name and id from every closed table. Return the number of those tables."""
        user_id = requester.user_id
        try:
            return await self._ledger.erase_person(user_id)
        finally:
            self._records.forget_user(user_id)
            self._directory.forget_user(user_id)
            self.messages.forget_muted(user_id)

    async def choose_for_dm(self, requester: Requester, table_id: int) -> None:
        """Remember which table the requester's DMs are about. Raises `Refused` when they neither sit nor host there."""
        await self._admit(table_id, requester)
        if all(row.id != table_id for row in await self.tables_of(requester)):
            raise Refused("", "You have no part in that table.", "Take a seat there with /table sit.")
        await self._directory.choose(requester.user_id, table_id)

    # ---------------------------------------------------------------- reading

    async def view(
        self,
        table_id: int,
        requester: Requester,
        *,
        offers: Iterable[int] = (),
        deals: Iterable[int] = (),
        overheard: bool = False,
        from_memory: bool = False,
    ) -> TableView:
        """Return the table as the requester may see it now.

        It includes these ``offers`` and ``deals`` even if they are over; unknown numbers are left out. ``overheard``:
        with the requester's buttons, but no more than everybody may know.

        ``from_memory``: as this process knows the table, for an answer that can't wait, such as a form or a completion.
        Only a table that is not kept in memory, or offers and deals that are over, are then waited for; a caller may
        put a limit to that, since this may be cancelled at any time. What it shows may be outdated.
        """
        record = await (self._records.remembered(table_id) if from_memory else self._records.current(table_id))
        viewer = (await self._gate.admit(record, requester)).viewer()
        subjects = (*(reference("offer", each) for each in offers), *(reference("deal", each) for each in deals))
        return see(await self._recalled(record.table, subjects), replace(viewer, overheard=overheard))

    async def pairs(self, table_id: int, requester: Requester) -> tuple[PairView, ...]:
        """Return which pairs of seats can trade now, as far as the requester may know."""
        admitted = await self._admit(table_id, requester)
        return see_pairs(admitted.record.table, admitted.viewer())

    async def rule_status(self, table_id: int, requester: Requester, number: str) -> str:
        """Return the public status of the table under the rule of this number, or an empty string."""
        record = (await self._admit(table_id, requester)).record
        return game_of(record.table).commands.rule_status(record.table, number)

    async def deals(self, table_id: int, requester: Requester) -> list[DealView]:
        """Return the newest deals that the requester may know of, newest first, including those that are over."""
        admitted = await self._admit(table_id, requester)
        return await reading.deals(self._ledger, admitted.record, admitted.viewer())

    async def transactions(self, table_id: int, requester: Requester) -> list[tuple[int, str, str]]:
        """Return the newest transactions of the table, newest first: number and the two seats."""
        admitted = await self._admit(table_id, requester)
        return await reading.transactions(self._ledger, admitted.record)

    async def entry(self, table_id: int, requester: Requester, seq: int) -> EntryView:
        """Return one entry with its follow-ups, as the requester may see it. Raises `Refused` when there is none."""
        admitted = await self._admit(table_id, requester)
        return await reading.entry(self._ledger, admitted.record, admitted.viewer(), seq)

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
        beside: int = 0,
        begun: bool = False,
    ) -> HistoryPage:
        """Return one page of the entries that pass the filter, newest first.

        A page of one person's entries is the one before the entry ``beside``, after it where that is negative, or the
        newest. ``audit``: what a host or moderator looks at, to whom it may show more. The entry after ``until_seq``
        records that they do; raises `Refused` where it does not, and for anyone else. ``begun``: also with which
        entries the turns and phases began.
        """
        admitted = await self._admit(table_id, requester)
        record, viewer = admitted.record, await self._reader(admitted, audit, until_seq)
        last = _within(record, until_seq)  # a button may carry any number, more than a database can hold
        only = replace(filter, since=max(0, min(filter.since, last + 1)))
        page, beside = max(1, min(page, last // size + 1)), max(-last, min(beside, last + 1))
        found = await paging.page(
            self._ledger, record, viewer, only, until_seq=last, page=page, size=size, beside=beside
        )
        return await paging.with_begun(self._ledger, record, viewer, found) if begun else found

    async def entries(
        self,
        table_id: int,
        requester: Requester,
        *,
        until_seq: int | None = None,
        audit: Audit | None = None,
        kinds: Collection[str] | None = None,
    ) -> list[EntryView]:
        """Return all entries of some kinds up to a number, oldest first; without ``kinds``, of a life that is short.

        With ``audit``, as of `history`, raises `Refused`.
        """
        found: list[EntryView] = []
        async for some in self.walk(table_id, requester, until_seq=until_seq, audit=audit, kinds=kinds):
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
        """Yield the same a few at a time, to be followed without being kept."""
        admitted = await self._admit(table_id, requester)
        record = admitted.record
        viewer = await self._reader(admitted, audit, record.table.seq if until_seq is None else until_seq)
        last = record.table.seq if until_seq is None else _within(record, until_seq)
        async for some in reading.walk(self._ledger, record, viewer, last, kinds):
            yield some

    async def first_since(self, table_id: int, requester: Requester, at: int) -> int:
        """Return the number of the first entry since a time in milliseconds since 1970, or that of the next one.

        For a host or moderator; raises `Refused` for anyone else.
        """
        admitted = await self._admit(table_id, requester)
        auditing.require_auditor(admitted)
        return await self._ledger.last_before(table_id, at) + 1

    async def audited_view(self, table_id: int, requester: Requester, audit: Audit, *, until_seq: int) -> TableView:
        """Return the table at a recorded look, with all hands if the host or moderator never sat at it.

        ``audit`` and ``until_seq`` as of `history`. Raises `Refused` for anyone else.
        """
        admitted = await self._admit(table_id, requester)
        viewer = await self._reader(admitted, audit, until_seq)
        return see((await self._records.at(admitted.record, until_seq + 1)).table, viewer)

    async def trade_history(self, table_id: int, requester: Requester, number: int, *, until_seq: int) -> TradeHistory:
        """Return the story of a transaction for a host or moderator who looks at it, as of `history`.

        Raises `Refused`.
        """
        admitted = await self._admit(table_id, requester)
        record, viewer = admitted.record, await self._reader(admitted, Audit("trade", number), until_seq)
        return await reading.trade_history(self._ledger, record, viewer, number, _within(record, until_seq))

    async def export_source(self, table_id: int, requester: Requester, *, until_seq: int) -> ExportSource:
        """Return a table's ledger for a host or moderator, as far as they may read it.

        Raises `Refused` unless the entry after ``until_seq`` records that they take a copy.
        """
        admitted = await self._admit(table_id, requester)
        record, viewer = admitted.record, await self._reader(admitted, Audit("export"), until_seq)
        last = _within(record, until_seq)
        return await auditing.export_source(self._ledger, await self._records.at(record, last), viewer, last)

    async def verify(self, table_id: int, requester: Requester, posted: PostedHead | None = None) -> Verification:
        """Check a table as `bourse verify` does, for a host or moderator. Raises `Refused` for anyone else.

        ``posted`` is a head that was posted earlier, which the chain must still have.

        Only a moderator may check a ledger that can't be read.
        """
        return await auditing.verify(self._ledger, self._records, self._gate, table_id, requester, posted)

    async def removable(self, table_id: int, requester: Requester) -> TableView:
        """Return a closed table that the requester may have removed. Raises `Refused` otherwise."""
        admitted = await self._admit(table_id, requester)
        with gate.naming(admitted.record):
            require_removable(admitted.record.table, admitted.looker)
        return see(admitted.record.table, admitted.viewer())

    async def known_at(self, requester: Requester) -> tuple[int, int]:
        """Return the number of closed and of open tables that know the requester."""
        return await self._ledger.known_at(requester.user_id)

    # ---------------------------------------------------------------- the directory
    # ``from_memory``: as this process knows it, for an answer that can't wait; see `view`.

    async def table_at(self, channel_id: int, requester: Requester, *, from_memory: bool = False) -> TableRow | None:
        """Return the open table of a channel of the requester's server, if there is one."""
        return _on_server(await self._directory.table_at(channel_id, from_memory=from_memory), requester)

    async def last_table_at(
        self, channel_id: int, requester: Requester, *, from_memory: bool = False
    ) -> TableRow | None:
        """Return the open table of such a channel, or else the last one opened there; None when there was none."""
        return _on_server(await self._directory.last_table_at(channel_id, from_memory=from_memory), requester)

    async def tables_of(self, requester: Requester, *, from_memory: bool = False) -> Sequence[TableRow]:
        """Return the open tables at which the requester sits or hosts, and to which they may come from where they are.

        Raises `Refused` when that can't be found out just now.
        """
        rows = await self._directory.tables_of(requester.user_id, from_memory=from_memory)
        return [row for row in rows if await self._gate.reaches(row, requester, known=True)]

    async def dm_choice(self, requester: Requester, *, from_memory: bool = False) -> int | None:
        """Return the table that the requester chose for their DMs, if they did."""
        return await self._directory.choice(requester.user_id, from_memory=from_memory)

    async def muted(self, requester: Requester) -> frozenset[CallKind]:
        """Return which calls the requester does not want to be notified of, at any table."""
        return await pings.muted(self._ledger, requester.user_id)

    async def mute(self, requester: Requester, kinds: frozenset[CallKind]) -> None:
        """Notify the requester of just these calls no more."""
        try:
            await pings.mute(self._ledger, requester.user_id, kinds)
        finally:
            self.messages.forget_muted(requester.user_id)

    # ---------------------------------------------------------------- for delivery and the clock

    def seq(self, table_id: int) -> int:
        """Return the last entry of a table that this process knows of; 0 for a table it does not keep in memory."""
        return self._records.seq(table_id)

    async def briefing(
        self,
        table_id: int,
        after: int,
        *,
        also: Collection[int] = (),
        offers: Collection[int] = (),
        as_known: bool = False,
    ) -> Briefing | None:
        """Return what delivery needs to show a table and the entries after a number; None when there is no table.

        ``also`` are the numbers of earlier entries to include, ``offers`` those of offers to include even if over.
        ``as_known``: as this process knows the table, where that is newer than what was shown last. Of what another
        process has written meanwhile, listeners are told when that is heard of.
        """
        try:
            record = await (self._records.kept(table_id) if as_known else self._records.current(table_id))
        except Refused:
            return None
        last = self._recent.take(after, record.table) if not also and not offers else None
        return await briefing.briefing(self._ledger, record, after, also, offers, last=last)

    async def deadlines(self) -> list[Deadline]:
        """Return the deadlines of the open tables, the earliest first."""
        return await self._ledger.deadlines()

    async def deadline(self, table_id: int) -> int | None:
        """Return this table's next deadline in milliseconds since 1970; None when it has none."""
        return next_deadline((await self._records.current(table_id)).table)

    async def heads(self, shards: Shards | None = None) -> list[tuple[int, int | None, int]]:
        """Return the open tables of these shards, or all, as (table, server, number of the last entry)."""
        only = shards or Shards()
        return await self._ledger.heads(only.ids, only.count)

    async def undelivered(self) -> list[int]:
        """Return the tables with entries that are not delivered yet."""
        return await self._ledger.undelivered()

    # ---------------------------------------------------------------- inside

    async def _carry_out(
        self, table_id: int, requester: Requester, command: Command | CommandFactory
    ) -> Outcome | Repeated:
        """Carry out a command under the table's lock, or find that its interaction was carried out before."""
        record = await self._records.kept(table_id)
        for _ in range(RACES):
            try:
                outcome = await self._attempt(record, requester, command)
                # Nothing was appended, which would have found out that another process wrote meanwhile.
                if outcome.recorded or await self._is_latest(record):
                    return outcome
            except Refused:
                # The interaction may have been carried out before, which is why the rules refuse it now.
                if known := await self._known(requester):
                    return known
                # Another process may have written meanwhile; only the table's latest state may refuse.
                if await self._is_latest(record):
                    raise
            except LostRace:
                pass
            except Repeated as repeated:
                return repeated
            record = await self._records.load(table_id)
        raise RuntimeError(f"table {table_id}: lost {RACES} races in a row")

    async def _known(self, requester: Requester) -> Repeated | None:
        """Return what is recorded of the requester's interaction. Raises `FateUnknown` when that can't be read."""
        if not requester.interaction:
            return None
        try:
            return await self._ledger.answered(requester.interaction)
        except LedgerError as error:
            raise FateUnknown(str(error)) from error

    async def _attempt(self, record: TableRecord, requester: Requester, command: Command | CommandFactory) -> Outcome:
        """Decide a command on the table as this record has it, and append its entries."""
        admitted = await self._gate.admit(record, requester)  # before the clock brings anything
        try:
            record = await self._run_out(record)
        except FateUnknown as error:  # that of what the clock brought; the command is not even decided
            raise NotWritten(str(error)) from error
        admitted = admitted.at(record)
        people = People(record.people)
        caller = admitted.caller(people, self._now())
        with gate.naming(record, people):
            wanted = command if isinstance(command, Command) else command(people)
            before = await self._recalled(record.table, wanted.subjects())
            entries = decide(before, wanted, caller)
        if not entries:  # nothing came of it, so the caller does not come to the table either
            return _outcome(admitted, lambda: Sight(before), ())
        after, change = await self._append(record, entries, caller, people, requester)
        shared = before is record.table  # else something that is over is in it, which the reply may need
        return _outcome(
            admitted.at(after),
            lambda: change.sight if shared else Sight(with_ended(before, after.table, entries), change.recorded),
            change.recorded,
        )

    async def _run_out(self, record: TableRecord) -> TableRecord:
        """Return the table after what the clock has brought by now.

        This comes before any command: an offer whose time is up must not be accepted because the clock's task is late.
        """
        due, now = record.deadline, self._now()
        if due is None or due > now:
            return record
        clock = Caller(person=NOBODY, at=now)
        entries = decide(record.table, Tick(), clock)
        if not entries:
            return record
        after, _ = await self._append(record, entries, None, People(record.people), None)
        return after

    async def _append(
        self,
        record: TableRecord,
        entries: Sequence[Entry],
        caller: Caller | None,
        people: People,
        requester: Requester | None,
    ) -> tuple[TableRecord, LastChange]:
        """Append to the ledger, then keep the new table in memory. ``caller`` is None for the clock.

        In this order, so that memory never holds what is not durable. The new table is computed before: an entry that
        cannot be applied is never written.
        """
        table, after = replay(entries, record.table), record
        deadline = next_deadline(table)
        row = replace(record.row, closed=not table.open) if table.open == record.row.closed else record.row

        def landed(recorded: Sequence[Recorded]) -> None:
            nonlocal after
            after = TableRecord(row, table, people.all, _head(recorded))
            self._landed(record, after)

        try:
            recorded = await self._ledger.append(
                record.id, record.head, entries, at=caller.at if caller else self._now(),
                by=caller.person if caller else None, people=people.newcomers,
                interaction=requester.interaction if requester else None,
                deadline=UNCHANGED if deadline == record.deadline else deadline,
                snapshot=_snapshot(record.table, table), then=landed,
            )  # fmt: skip
        except FateUnknown:
            self._announce(Change(record.id, record.row.guild_id, record.table.seq, self._now()))
            raise
        change = LastChange(record.table, table, recorded)
        self._recent.note(change)
        return await self._renamed(after, caller, requester), change

    def _landed(self, before: TableRecord | None, after: TableRecord) -> None:
        """Keep a table that is durable in memory and tell of it, whether or not its command is still waited for."""
        if after.table.seq > self._records.seq(after.id):
            self._records.keep(after)
        self._directory.changed(before, after)
        self._announce(_change(after))

    def _announce(self, change: Change) -> None:
        for listener in self._listeners:
            listener(change)

    async def _renamed(self, after: TableRecord, caller: Caller | None, requester: Requester | None) -> TableRecord:
        """Save the caller's name if it has changed.

        A failure is only logged: the command is in the ledger already, so it must not look refused.
        """
        try:
            if caller and requester and (renamed := _renamed(after.people[caller.person], requester)):
                after = self._records.keep(replace(after, people={**after.people, renamed.number: renamed}))
                await self._ledger.rename(after.id, requester.user_id, renamed.name)
        except LedgerError:
            log.warning("table %d: a name could not be written", after.id, exc_info=True)
        return after

    async def _again(self, repeated: Repeated, requester: Requester) -> Outcome:
        """Return the outcome of this interaction's first delivery, as the requester may see it now."""
        admitted = await self._gate.admit(await self._records.load(repeated.table_id), requester)
        record = admitted.record
        recorded = await self._ledger.read(record.id, after=repeated.first_seq - 1, until_seq=repeated.last_seq)
        table = await self._recalled(record.table, [s for one in recorded if (s := one.entry.subject())])
        return _outcome(admitted, lambda: Sight(table, recorded), recorded)

    async def _recalled(self, table: Table, subjects: Iterable[Reference]) -> Table:
        """Return the table with these offers and deals, those that are over read from the ledger."""
        missing = [subject for subject in subjects if _is_over(table, subject)]
        if not missing:
            return table
        return recalled(table, await self._ledger.read_subjects(table.id, missing))

    async def _admit(self, table_id: int, requester: Requester) -> Admitted:
        """Return the requester at a table as it is now. Raises `Refused` when they may not come to it."""
        return await self._gate.admit(await self._records.current(table_id), requester)

    async def _reader(self, admitted: Admitted, audit: Audit | None, until_seq: int) -> Viewer:
        """Return the viewer of entries. An audit needs its recorded look, see `auditing.viewer`."""
        if audit is None:
            return admitted.viewer()
        return await auditing.viewer(self._ledger, admitted, audit, until_seq)

    async def _taken(self, table_id: int, requester: Requester) -> Refused:
        name = (await self._admit(table_id, requester)).record.table.name
        return Refused(
            "", f"This channel has a table already: {quoted(name)}.",
            "Its host can end it with /table close, or open yours in another channel or thread.",
        )  # fmt: skip

    async def _is_latest(self, record: TableRecord) -> bool:
        """Return whether no other process has written since ``record``: `_run_out` may have, which is in memory."""
        return (await self._ledger.head(record.id)).seq == max(record.table.seq, self._records.seq(record.id))

    def _now(self) -> int:
        return int(self._clock().timestamp() * 1000)


@contextmanager
def _nothing_written() -> Iterator[None]:
    """Turn an error of reading inside into `NotWritten`: nothing has been written when the ledger can't be read."""
    try:
        yield
    except (NotWritten, FateUnknown):
        raise
    except LedgerError as error:
        raise NotWritten(str(error)) from error


def _within(record: TableRecord, seq: int) -> int:
    """Return the number of an entry as one that a table has: 0 to its last."""
    return max(0, min(seq, record.table.seq))


def _change(record: TableRecord) -> Change:
    return Change(record.id, record.row.guild_id, record.table.seq, record.deadline)


def _head(recorded: Sequence[Recorded]) -> Head:
    return Head(recorded[-1].seq, recorded[-1].hash)


def _snapshot(before: Table, after: Table) -> str | None:
    """Return the table as it is saved, once in `SNAPSHOT_EVERY` entries; None between.

    A state of a game that can't be saved is only logged: a snapshot is no part of the command.
    """
    if after.seq // SNAPSHOT_EVERY == before.seq // SNAPSHOT_EVERY:
        return None
    try:
        return snapshots.dump(after)
    except (ValueError, TypeError):
        log.warning("table %d: its snapshot could not be made", after.id, exc_info=True)
        return None


def _renamed(known: Person, requester: Requester) -> Person | None:
    """Return a person under the name that they go by now; None when it is the known one, or none is given."""
    if requester.name in ("", known.name):
        return None
    renamed = replace(known, name=requester.name)  # which takes out of it what nobody sees
    return renamed if renamed.name not in ("", known.name) else None


def _outcome(admitted: Admitted, sight: Callable[[], Sight], recorded: Sequence[Recorded]) -> Outcome:
    """Return the result of a command. ``sight`` looks at it and the table after it, still with what ended with it.

    Most of it is made only if somebody asks, see `Outcome`: a view costs more than the command itself.
    """

    def public() -> Iterator[EntryView]:
        everybody = gate.public(admitted.record)
        return (see_entry(each, everybody, admitted.record.table.game) for each in recorded)

    return Outcome(
        admitted.record.id,
        recorded=bool(recorded),
        view=lambda: sight().see(admitted.viewer()),
        entries=lambda: sight().entries(admitted.viewer()),
        public=public,
    )


def _on_server(row: TableRow | None, requester: Requester) -> TableRow | None:
    """Return the row of a table of the server that the request came from."""
    return row if row is not None and row.guild_id == requester.guild_id else None


def _is_over(table: Table, subject: Reference) -> bool:
    """Return whether a subject is an offer or deal that the table once had and no longer has."""
    offer, deal = number_in(subject, "offer"), number_in(subject, "deal")
    if offer is not None:
        return offer not in table.offers and 1 <= offer <= table.offers_posted
    return deal is not None and deal not in table.deals and 1 <= deal <= table.deals_proposed
