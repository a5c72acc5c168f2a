"""The service: the only way to change or read a table. `bot.service.changes` implements the changes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from bot.ledger import (
    Deadline,
    Ledger,
    Removal,
    TableRow,
)
from bot.rules.commands import Command
from bot.rules.features.audits import Audit, require_removable
from bot.rules.features.tables import next_deadline
from bot.rules.model.calls import CallKind
from bot.rules.model.references import reference
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of
from bot.rules.views import DealView, EntryView, PairView, TableView, Viewer
from bot.rules.visibility import see, see_pairs
from bot.service import auditing, briefing, gate, paging, pings, reading
from bot.service.changes import Changes
from bot.service.checking import PostedHead
from bot.service.directory import Directory
from bot.service.gate import Admitted, Gate
from bot.service.members import Members
from bot.service.messages import MessageStore
from bot.service.records import Records, TableRecord
from bot.service.requests import (
    Briefing,
    Change,
    CommandFactory,
    ExportSource,
    Filter,
    HistoryPage,
    Outcome,
    Requester,
    TradeHistory,
    Verification,
)
from bot.service.room import Room
from bot.service.shards import Shards


class Service:
    """Changes and reads tables. Results are redacted for the requester.

    Unless stated otherwise, every method that takes a table raises `Refused` when there is no such table, and
    `bot.ledger.LedgerError` when the database fails. A method that changes something then raises `NotWritten` when
    nothing was changed, `FateUnknown` when that is unknown, and any other `LedgerError` when the change is recorded but
    can't be read.

    Without ``members``, nobody can say who is still on a table's server, so requests from DMs are refused. ``shards``
    are this process's shards, by default the only one. ``chance`` is what commands draw from, by default unguessable.

    Every method may be cancelled. A command that is already being written is carried out even so, and listeners are
    notified.
    """

    def __init__(
        self,
        ledger: Ledger,
        clock: Callable[[], datetime],
        members: Members | None = None,
        room: Room | None = None,
        *,
        shards: Shards | None = None,
        chance: Callable[[], str] | None = None,
    ) -> None:
        self._ledger = ledger
        self._clock = clock
        self.members = members or Members()
        self._gate = Gate(self.members, chance)
        self._records = Records(ledger, (shards or Shards()).owns)
        self._directory = Directory(ledger, self._records)
        self._changes = Changes(ledger, self._now, self._gate, self._records, self._directory, room or Room())
        self.messages = MessageStore(ledger)

    def subscribe(self, listener: Callable[[Change], None]) -> None:
        """Call ``listener`` after every durable change that this process makes to a table, and after `refresh`.

        It is called before the command returns, so it must return at once. It is also called when the fate of a change
        is unknown; the deadline is then now, so that the clock ticks the table.
        """
        self._changes.subscribe(listener)

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

        Raises `Refused` when the rules refuse it, the channel has an open table, or the server or person has reached
        its limit.
        """
        return await self._changes.open_table(
            requester, game=game, name=name, channel_id=channel_id, open_on_close=open_on_close
        )

    async def execute(self, table_id: int, requester: Requester, command: Command | CommandFactory) -> Outcome:
        """Carry out a command, once and durably, or raise `Refused` and change nothing.

        A factory is called again after a lost race, since the table's people may have changed. Raises ``RuntimeError``
        after too many lost races against other processes.
        """
        return await self._changes.execute(table_id, requester, command)

    async def refresh(self, table_id: int) -> None:
        """Reload a table that another process changed, and notify listeners as if this process had changed it."""
        await self._changes.refresh(table_id)

    async def tick(self, table_id: int) -> int | None:
        """Record everything that is due at a table, such as expired offers.

        Return the table's next deadline in milliseconds since 1970, or None.
        """
        return await self._changes.tick(table_id)

    async def remove(self, table_id: int, requester: Requester) -> Removal:
        """Delete a closed table for good. Raises `Refused` if it is open, and for anyone but its host."""
        async with self._records.lock(table_id):
            await self.removable(table_id, requester)
            row = (await self._records.current(table_id)).row
            try:
                return await self._ledger.remove_table(table_id, at=self._now())
            finally:  # also if the caller was cancelled, or the fate of the removal is unknown
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
        """Store which table the requester's DMs are about. Raises `Refused` if they neither sit nor host there."""
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

        It includes these ``offers`` and ``deals`` even if they are over; unknown numbers are ignored. ``overheard``:
        with the requester's buttons, but only with what everybody may know.

        ``from_memory``: use the table in memory, which may be outdated, for an answer that can't wait, such as a form
        or a completion. The ledger is then read only for a table that is not in memory, or for offers and deals that
        are over; the caller may limit that wait, since this method may be cancelled.
        """
        record = await (self._records.remembered(table_id) if from_memory else self._records.current(table_id))
        viewer = (await self._gate.admit(record, requester)).viewer()
        subjects = (*(reference("offer", each) for each in offers), *(reference("deal", each) for each in deals))
        table = await reading.with_subjects(self._ledger, record.table, subjects)
        return see(table, replace(viewer, overheard=overheard))

    async def pairs(self, table_id: int, requester: Requester) -> tuple[PairView, ...]:
        """Return the pairs of seats that can trade now, as far as the requester may know."""
        admitted = await self._admit(table_id, requester)
        return see_pairs(admitted.record.table, admitted.viewer())

    async def rule_status(self, table_id: int, requester: Requester, number: str) -> str:
        """Return the table's public status under the rule with this number, or an empty string."""
        record = (await self._admit(table_id, requester)).record
        return game_of(record.table).commands.rule_status(record.table, number)

    async def deals(self, table_id: int, requester: Requester) -> list[DealView]:
        """Return the newest deals that the requester may know of, newest first, including deals that are over."""
        admitted = await self._admit(table_id, requester)
        return await reading.deals(self._ledger, admitted.record, admitted.viewer())

    async def transactions(self, table_id: int, requester: Requester) -> list[tuple[int, str, str]]:
        """Return the newest transactions of the table, newest first, as (number, seat, seat)."""
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

        A page of one person's entries contains those older than ``beside``; newer than ``-beside`` if it is negative;
        or the newest if it is 0. ``audit``: the audit of a host or moderator, who may see more. The entry after
        ``until_seq`` must record it; otherwise, and for anyone else, raises `Refused`. ``begun``: include the entries
        that began the turns and phases.
        """
        admitted = await self._admit(table_id, requester)
        record, viewer = admitted.record, await self._reader(admitted, audit, until_seq)
        last = _within(record, until_seq)  # a button may carry any number, even one too large for the database
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
        """Return all entries up to a number, oldest first. ``kinds`` limits them to some kinds.

        Without ``kinds``, use it only for a short ledger; otherwise use `walk`. ``audit`` as in `history`, which also
        says when that raises `Refused`.
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
        """Yield the result of `entries` in short lists, so that the caller need not keep it in memory."""
        admitted = await self._admit(table_id, requester)
        record = admitted.record
        viewer = await self._reader(admitted, audit, record.table.seq if until_seq is None else until_seq)
        last = record.table.seq if until_seq is None else _within(record, until_seq)
        async for some in reading.walk(self._ledger, record, viewer, last, kinds):
            yield some

    async def first_since(self, table_id: int, requester: Requester, at: int) -> int:
        """Return the number of the first entry at or after ``at``, or else of the next entry to be recorded.

        ``at`` is in milliseconds since 1970. Raises `Refused` for anyone but a host or moderator.
        """
        admitted = await self._admit(table_id, requester)
        auditing.require_auditor(admitted)
        return await self._ledger.last_before(table_id, at) + 1

    async def audited_view(self, table_id: int, requester: Requester, audit: Audit, *, until_seq: int) -> TableView:
        """Return the table at a recorded audit, with all hands if the host or moderator never sat at it.

        ``audit`` and ``until_seq`` as in `history`. Raises `Refused` for anyone else.
        """
        admitted = await self._admit(table_id, requester)
        viewer = await self._reader(admitted, audit, until_seq)
        return see((await self._records.at(admitted.record, until_seq + 1)).table, viewer)

    async def trade_history(self, table_id: int, requester: Requester, number: int, *, until_seq: int) -> TradeHistory:
        """Return the history of a transaction for a host or moderator whose audit is recorded, as in `history`.

        Raises `Refused` otherwise, and when there is no such transaction.
        """
        admitted = await self._admit(table_id, requester)
        record, viewer = admitted.record, await self._reader(admitted, Audit("trade", number), until_seq)
        return await reading.trade_history(self._ledger, record, viewer, number, _within(record, until_seq))

    async def export_source(self, table_id: int, requester: Requester, *, until_seq: int) -> ExportSource:
        """Return a table's ledger for a host or moderator, as they may read it.

        Raises `Refused` unless the entry after ``until_seq`` records their export.
        """
        admitted = await self._admit(table_id, requester)
        record, viewer = admitted.record, await self._reader(admitted, Audit("export"), until_seq)
        last = _within(record, until_seq)
        return await auditing.export_source(self._ledger, await self._records.at(record, last), viewer, last)

    async def verify(self, table_id: int, requester: Requester, posted: PostedHead | None = None) -> Verification:
        """Check a table as `bourse verify` does, for a host or moderator. Raises `Refused` for anyone else.

        The chain must still contain ``posted``, a head that was posted earlier. Only a moderator may check a ledger
        that can't be read.
        """
        return await auditing.verify(self._ledger, self._records, self._gate, table_id, requester, posted)

    async def removable(self, table_id: int, requester: Requester) -> TableView:
        """Return a closed table that the requester may remove. Raises `Refused` otherwise."""
        admitted = await self._admit(table_id, requester)
        with gate.naming(admitted.record):
            require_removable(admitted.record.table, admitted.looker)
        return see(admitted.record.table, admitted.viewer())

    async def known_at(self, requester: Requester) -> tuple[int, int]:
        """Return the number of closed and of open tables that know the requester."""
        return await self._ledger.known_at(requester.user_id)

    # ---------------------------------------------------------------- the directory
    # ``from_memory``: use the cached answer; see `view`.

    async def table_at(self, channel_id: int, requester: Requester, *, from_memory: bool = False) -> TableRow | None:
        """Return the open table of a channel on the requester's server; None if there is none."""
        return _on_server(await self._directory.table_at(channel_id, from_memory=from_memory), requester)

    async def last_table_at(
        self, channel_id: int, requester: Requester, *, from_memory: bool = False
    ) -> TableRow | None:
        """Return the open table of a channel on the requester's server, or else its last table; None if it had none."""
        return _on_server(await self._directory.last_table_at(channel_id, from_memory=from_memory), requester)

    async def tables_of(self, requester: Requester, *, from_memory: bool = False) -> Sequence[TableRow]:
        """Return the open tables at which the requester sits or hosts, and that this request may access.

        Raises `Refused` when Discord can't say whether they are still on a table's server.
        """
        rows = await self._directory.tables_of(requester.user_id, from_memory=from_memory)
        return [row for row in rows if await self._gate.reaches(row, requester, known=True)]

    async def dm_choice(self, requester: Requester, *, from_memory: bool = False) -> int | None:
        """Return the table that the requester chose for their DMs, or None."""
        return await self._directory.choice(requester.user_id, from_memory=from_memory)

    async def muted(self, requester: Requester) -> frozenset[CallKind]:
        """Return the calls that the requester has silenced, for all tables."""
        return await pings.muted(self._ledger, requester.user_id)

    async def mute(self, requester: Requester, kinds: frozenset[CallKind]) -> None:
        """Silence exactly these calls for the requester."""
        try:
            await pings.mute(self._ledger, requester.user_id, kinds)
        finally:
            self.messages.forget_muted(requester.user_id)

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
    ) -> Briefing | None:
        """Return what delivery needs to show a table and the entries after ``after``; None if there is no such table.

        ``also`` are the numbers of earlier entries to include, ``offers`` the numbers of offers to include even if
        over. ``as_known``: use the table in memory, for a caller that knows it to be newer than what was shown last.
        Listeners learn of another process's changes when its notice arrives.
        """
        try:
            record = await (self._records.kept(table_id) if as_known else self._records.current(table_id))
        except Refused:
            return None
        last = self._changes.recent.take(after, record.table) if not also and not offers else None
        return await briefing.briefing(self._ledger, record, after, also, offers, last=last)

    async def deadlines(self) -> list[Deadline]:
        """Return the deadlines of the open tables, earliest first."""
        return await self._ledger.deadlines()

    async def deadline(self, table_id: int) -> int | None:
        """Return this table's next deadline in milliseconds since 1970, or None."""
        return next_deadline((await self._records.current(table_id)).table)

    async def heads(self, shards: Shards | None = None) -> list[tuple[int, int | None, int]]:
        """Return the open tables of these shards, or of all, as (table, server, number of the last entry)."""
        only = shards or Shards()
        return await self._ledger.heads(only.ids, only.count)

    async def undelivered(self) -> list[int]:
        """Return the tables with entries that are not delivered yet."""
        return await self._ledger.undelivered()

    # ---------------------------------------------------------------- inside

    async def _admit(self, table_id: int, requester: Requester) -> Admitted:
        """Admit the requester to the latest state of a table. Raises `Refused` if they may not access it."""
        return await self._gate.admit(await self._records.current(table_id), requester)

    async def _reader(self, admitted: Admitted, audit: Audit | None, until_seq: int) -> Viewer:
        """Return the requester as a viewer of entries. An audit must be recorded; see `auditing.viewer`."""
        if audit is None:
            return admitted.viewer()
        return await auditing.viewer(self._ledger, admitted, audit, until_seq)

    def _now(self) -> int:
        return int(self._clock().timestamp() * 1000)


def _within(record: TableRecord, seq: int) -> int:
    """Clamp an entry's number to those of the table: 0 to its last."""
    return max(0, min(seq, record.table.seq))


def _on_server(row: TableRow | None, requester: Requester) -> TableRow | None:
    """Return the row if its table is on the server that the request came from, else None."""
    return row if row is not None and row.guild_id == requester.guild_id else None
