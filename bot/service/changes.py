"""Opens and changes tables. Every change passes here.

A command is decided, then its entries are appended and applied, one command at a time for each table. Across
processes, the ledger's key (table, seq) has the same effect: a command that lost a race is decided again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal

from bot.ledger import (
    UNCHANGED,
    ChannelTaken,
    FateUnknown,
    Head,
    Ledger,
    LedgerError,
    LostRace,
    NotWritten,
    Repeated,
    Snapshot,
    TableRow,
)
from bot.rules import snapshots
from bot.rules.apply import replay
from bot.rules.commands import NOBODY, Caller, Command
from bot.rules.engine import decide
from bot.rules.entries import Entry, Recorded
from bot.rules.features.tables import OpenTable, Tick, next_deadline
from bot.rules.model.markup import quoted
from bot.rules.model.people import Person
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.recall import with_ended
from bot.rules.views import EntryView
from bot.rules.visibility import Sight, see_entry
from bot.service import gate, reading
from bot.service.directory import Directory
from bot.service.gate import Admitted, Gate
from bot.service.recent import LastChange, Recent
from bot.service.records import SNAPSHOT_EVERY, Records, TableRecord
from bot.service.requests import Change, CommandFactory, Outcome, People, Requester
from bot.service.room import Room, require_room

log = logging.getLogger(__name__)

RACES = 16
"""The most attempts to decide a command. It loses a race whenever another process writes to the table."""


class Changes:
    """Changes tables and notifies listeners. ``now`` returns the time in milliseconds since 1970."""

    def __init__(
        self, ledger: Ledger, now: Callable[[], int], gate: Gate, records: Records, directory: Directory, room: Room
    ) -> None:
        self._ledger = ledger
        self._now = now
        self._gate = gate
        self._records = records
        self._directory = directory
        self._room = room
        self._listeners: list[Callable[[Change], None]] = []
        self.recent = Recent()

    def subscribe(self, listener: Callable[[Change], None]) -> None:
        """See `Service.subscribe`."""
        self._listeners.append(listener)

    async def open_table(
        self,
        requester: Requester,
        *,
        game: str,
        name: str,
        channel_id: int,
        open_on_close: Literal["yes", "no"],
    ) -> Outcome:
        """See `Service.open_table`."""
        people, now = People({}), self._now()
        caller = Caller(person=people.number(requester.user_id, requester.name), at=now)
        opening = OpenTable(game=game, name=name, open_on_close=open_on_close, chance=self._gate.chance())
        entries = decide(Table(), opening, caller)
        opened = replay(entries)
        if await self._known(requester) is None:  # a redelivered interaction was counted before
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
        """See `Service.execute`. Raises ``RuntimeError`` after `RACES` lost races."""
        async with self._records.lock(table_id):
            with _nothing_written():
                done = await self._carry_out(table_id, requester, command)
            return done if isinstance(done, Outcome) else await self._again(done, requester)

    async def refresh(self, table_id: int) -> None:
        """See `Service.refresh`."""
        async with self._records.lock(table_id):  # so that listeners never hear of an older state after a newer one
            record = await self._records.current(table_id)
            self._directory.changed(None, record)
            self._announce(_change(record))

    async def tick(self, table_id: int) -> int | None:
        """See `Service.tick`."""
        async with self._records.lock(table_id):
            record = await self._records.current(table_id)
            try:
                record = await self._run_out(record)
            except LostRace:
                record = await self._records.load(table_id)
            return next_deadline(record.table)

    # ---------------------------------------------------------------- inside

    async def _carry_out(
        self, table_id: int, requester: Requester, command: Command | CommandFactory
    ) -> Outcome | Repeated:
        """Carry out a command under the table's lock. Return `Repeated` if its interaction was carried out before."""
        record = await self._records.kept(table_id)
        for _ in range(RACES):
            try:
                outcome = await self._attempt(record, requester, command)
                # Without an append, nothing has checked whether another process wrote meanwhile.
                if outcome.recorded or await self._is_latest(record):
                    return outcome
            except Refused:
                # The rules may refuse it only because this interaction was carried out before.
                if known := await self._known(requester):
                    return known
                # Another process may have written meanwhile. Only the latest state may refuse a command.
                if await self._is_latest(record):
                    raise
            except LostRace:
                pass
            except Repeated as repeated:
                return repeated
            record = await self._records.load(table_id)
        raise RuntimeError(f"table {table_id}: lost {RACES} races in a row")

    async def _known(self, requester: Requester) -> Repeated | None:
        """Return the record of the requester's interaction, if any. Raises `FateUnknown` when it can't be read."""
        if not requester.interaction:
            return None
        try:
            return await self._ledger.answered(requester.interaction)
        except LedgerError as error:
            raise FateUnknown(str(error)) from error

    async def _attempt(self, record: TableRecord, requester: Requester, command: Command | CommandFactory) -> Outcome:
        """Decide a command on this record's table, and append its entries."""
        admitted = await self._gate.admit(record, requester)  # before the clock changes anything
        try:
            record = await self._run_out(record)
        except FateUnknown as error:  # the fate of the clock's entries; the command is not even decided
            raise NotWritten(str(error)) from error
        admitted = admitted.at(record)
        people = People(record.people)
        caller = admitted.caller(people, self._now())
        with gate.naming(record, people):
            wanted = command if isinstance(command, Command) else command(people)
            before = await reading.with_subjects(self._ledger, record.table, wanted.subjects())
            entries = decide(before, wanted, caller)
        if not entries:  # nothing changes, so a new caller does not join the table either
            return _outcome(admitted, lambda: Sight(before), ())
        after, change = await self._append(record, entries, caller, people, requester)
        shared = before is record.table  # otherwise it includes finished subjects, which the reply may need
        return _outcome(
            admitted.at(after),
            lambda: change.sight if shared else Sight(with_ended(before, after.table, entries), change.recorded),
            change.recorded,
        )

    async def _run_out(self, record: TableRecord) -> TableRecord:
        """Record everything that the clock has made due, and return the table after it.

        This comes before any command: an expired offer must not be accepted because the clock's task is late.
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

        The order ensures that memory contains only durable state. The new table is computed first, so an entry that
        can't be applied is never written.
        """
        table = replay(entries, record.table)
        deadline = next_deadline(table)
        row = replace(record.row, closed=not table.open) if table.open == record.row.closed else record.row

        done: list[tuple[TableRecord, LastChange]] = []

        def landed(recorded: Sequence[Recorded]) -> None:
            after = TableRecord(row, table, people.all, _head(recorded))
            change = LastChange(record.table, table, recorded)
            done.append((after, change))
            self.recent.note(change)
            self._landed(record, after)

        try:
            await self._ledger.append(
                record.id, record.head, entries, at=caller.at if caller else self._now(),
                by=caller.person if caller else None, people=people.newcomers,
                interaction=requester.interaction if requester else None,
                deadline=UNCHANGED if deadline == record.deadline else deadline,
                snapshot=_snapshot(record, table, max(people.all)), then=landed,
            )  # fmt: skip
        except FateUnknown:
            self._announce(Change(record.id, record.row.guild_id, record.table.seq, self._now()))
            raise
        after, change = done[0]
        return await self._renamed(after, caller, requester), change

    def _landed(self, before: TableRecord | None, after: TableRecord) -> None:
        """Keep a durable table in memory and notify listeners, even if the command's caller was cancelled."""
        if after.table.seq > self._records.seq(after.id):
            self._records.keep(after)
        self._directory.changed(before, after)
        self._announce(_change(after))

    def _announce(self, change: Change) -> None:
        for listener in self._listeners:
            try:
                listener(change)
            except Exception:  # one failing listener must not stop the others
                log.exception("table %d: a listener failed at a change", change.table_id)

    async def _renamed(self, after: TableRecord, caller: Caller | None, requester: Requester | None) -> TableRecord:
        """Save the caller's name if it has changed.

        A failure is only logged: the command is already in the ledger, so it must not look refused.
        """
        try:
            if caller and requester and (renamed := _renamed(after.people[caller.person], requester)):
                after = self._records.keep(replace(after, people={**after.people, renamed.number: renamed}))
                await self._ledger.rename(after.id, requester.user_id, renamed.name)
        except LedgerError:
            log.warning("table %d: a name could not be written", after.id, exc_info=True)
        return after

    async def _again(self, repeated: Repeated, requester: Requester) -> Outcome:
        """Return the outcome of an interaction that was carried out before, as the requester may see it now."""
        admitted = await self._gate.admit(await self._records.load(repeated.table_id), requester)
        record = admitted.record
        recorded = await self._ledger.read(record.id, after=repeated.first_seq - 1, until_seq=repeated.last_seq)
        subjects = [subject for each in recorded if (subject := each.entry.subject())]
        table = await reading.with_subjects(self._ledger, record.table, subjects)
        return _outcome(admitted, lambda: Sight(table, recorded), recorded)

    async def _taken(self, table_id: int, requester: Requester) -> Refused:
        name = (await self._gate.admit(await self._records.current(table_id), requester)).record.table.name
        return Refused(
            "", f"This channel has a table already: {quoted(name)}.",
            "Its host can end it with /table close, or open yours in another channel or thread.",
        )  # fmt: skip

    async def _is_latest(self, record: TableRecord) -> bool:
        """Return whether no other process has written since ``record``. `_run_out` may have; that is in memory."""
        return (await self._ledger.head(record.id)).seq == max(record.table.seq, self._records.seq(record.id))


@contextmanager
def _nothing_written() -> Iterator[None]:
    """Turn an error of reading in this block into `NotWritten`."""
    try:
        yield
    except (NotWritten, FateUnknown):
        raise
    except LedgerError as error:
        raise NotWritten(str(error)) from error


def _change(record: TableRecord) -> Change:
    return Change(record.id, record.row.guild_id, record.table.seq, record.deadline)


def _head(recorded: Sequence[Recorded]) -> Head:
    return Head(recorded[-1].seq, recorded[-1].hash)


def _snapshot(before: TableRecord, after: Table, people: int) -> Snapshot | None:
    """Return a snapshot once every `SNAPSHOT_EVERY` entries, otherwise None. ``people``: their highest number.

    If a game's state can't be saved, that is only logged: the command itself is not affected.
    """
    if after.seq // SNAPSHOT_EVERY == before.table.seq // SNAPSHOT_EVERY:
        return None
    try:
        return Snapshot(snapshots.dump(after), before.row.guild_id, before.row.channel_id, people)
    except (ValueError, TypeError):
        log.warning("table %d: its snapshot could not be made", after.id, exc_info=True)
        return None


def _renamed(known: Person, requester: Requester) -> Person | None:
    """Return the person with the requester's name; None if it is unchanged or empty."""
    if requester.name in ("", known.name):
        return None
    renamed = replace(known, name=requester.name)  # Person removes invisible characters from the name
    return renamed if renamed.name not in ("", known.name) else None


def _outcome(admitted: Admitted, sight: Callable[[], Sight], recorded: Sequence[Recorded]) -> Outcome:
    """Return the result of a command. ``sight`` shows its entries and the table after them, with what they ended.

    The views are lazy, since a view costs more than the command itself; see `Outcome`.
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
