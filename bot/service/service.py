"""The service: the only door to a table. What changes one is here; `bot.service.reading` has what
reads one.

A command is decided and its entries applied; then they are appended, and only then is the new table
kept. This happens for one command at a time at each table. Across processes, the ledger's key
(table, seq) has the same effect: a command that lost a race is decided again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from functools import cache, cached_property
from typing import Literal

from bot.ledger import (
    UNCHANGED,
    ChannelTaken,
    Head,
    Ledger,
    LedgerError,
    LostRace,
    NotWritten,
    OutcomeUnknown,
    Removal,
    Repeated,
    Snapshot,
    TableRow,
    Tampered,
    Unread,
)
from bot.rules import snapshots
from bot.rules.access import is_host
from bot.rules.apply import replay
from bot.rules.commands import NOBODY, Caller, Command
from bot.rules.engine import decide
from bot.rules.entries import CALL_KINDS, CallKind, Entry, Recorded
from bot.rules.features.seats import with_first_act
from bot.rules.features.tables import Again, CloseTable, MoveTable, OpenTable, Tick, next_deadline
from bot.rules.model.table import Earlier, Table
from bot.rules.model.text import quoted
from bot.rules.model.violation import Refused
from bot.rules.recall import with_ended
from bot.rules.registry import games
from bot.rules.views import EntryView, TableView, Viewer
from bot.rules.visible_entry import see_entry
from bot.rules.visible_table import TableViews
from bot.service import gate
from bot.service.briefing import muted_key
from bot.service.gate import Admitted, Members
from bot.service.history import with_subjects
from bot.service.limits import Limits
from bot.service.reading import Reader, dm_key
from bot.service.records import LastChange, TableRecord
from bot.service.requests import CommandFactory, People, Quotas, Requester, Shards, TableChange

log = logging.getLogger(__name__)

RACES = 16
"""The most attempts to decide a command. It loses a race whenever another process writes to the
table.
"""


class Outcome:
    """The result of a command: the table and the new entries as the requester may see them.

    Offers and deals that the command ended are still in ``view``. ``public`` are the entries as
    everybody may see them. A redelivered interaction gets the entries of its first delivery.

    The three are lazy, since a view costs more than the command itself. They show the table as of
    the command: later changes don't affect them, since tables are immutable. ``recorded``: the
    command led to at least one entry. ``repeated``: an earlier delivery of the interaction did.

    >>> outcome: Outcome = await request.execute(SetPhase("market"))
    >>> outcome.recorded
    """

    def __init__(
        self, admitted: Admitted, views: Callable[[], TableViews], recorded: Sequence[Recorded]
    ) -> None:
        """``views`` shows the entries and the table after them, with what they ended."""
        self.table_id, self.recorded = admitted.record.id, bool(recorded)
        self.repeated = False
        self._admitted, self._views, self._entries = admitted, cache(views), recorded

    @cached_property
    def _viewer(self) -> Viewer:
        return self._admitted.viewer()

    @cached_property
    def view(self) -> TableView:
        """The table as the requester may see it."""
        return self._views().see(self._viewer)

    @cached_property
    def entries(self) -> tuple[EntryView, ...]:
        """The new entries as the requester may see them."""
        return self._views().entries(self._viewer)

    @cached_property
    def public(self) -> tuple[EntryView, ...]:
        """The new entries as everybody may see them."""
        record = self._admitted.record
        everybody = gate.public(record)
        return tuple(see_entry(each, everybody, record.table.game) for each in self._entries)


class Service(Reader):
    """Changes and reads tables. Results are redacted for the requester.

    Unless stated otherwise, every method that takes a table raises `Refused` when there is no such
    table, and `bot.ledger.LedgerError` when the database fails. A method that changes something
    then raises `NotWritten` when nothing was changed, `OutcomeUnknown` when that is unknown, and
    `Unread` when the change is recorded but can't be read.

    Without ``members``, nobody can say who is still on a table's server, so requests from DMs are
    refused. ``shards`` are this process's shards, by default the only one. ``chance`` is what
    commands draw from, by default unguessable.

    Every method may be cancelled. A command that is already being written is carried out even so,
    and listeners are notified.
    """

    def __init__(
        self,
        ledger: Ledger,
        clock: Callable[[], datetime],
        members: Members | None = None,
        room: Quotas | None = None,
        *,
        shards: Shards | None = None,
        chance: Callable[[], str] | None = None,
    ) -> None:
        super().__init__(ledger, members, shards, chance)
        self._clock = clock
        self._owns = (shards or Shards()).owns
        self._limits = Limits(ledger, room or Quotas())
        self._opening = asyncio.Lock()  # two tables opened at once would both pass a limit
        self._listeners: list[Callable[[TableChange], None]] = []
        self.reminded = set[Hashable]()  # what this process has reminded people of

    def subscribe(self, listener: Callable[[TableChange], None]) -> None:
        """Call ``listener`` after every durable change that this process makes to a table, and
        after `refresh`.

        It is called before the command returns, so it must return at once. It is also called when
        the fate of a change is unknown; the deadline is then now, so that the clock ticks the
        table.
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
        again: int | None = None,
    ) -> Outcome:
        """Open a table in a channel. ``again`` is a closed table that it repeats: its settings and
        its people.

        Raises `Refused` when the rules refuse it, the channel has an open table, or the server or
        person has reached a limit; see `Quotas`.
        """
        people, now = People({}), self.now()
        caller = Caller(person=people.number(requester.user_id, requester.name), at=now)
        repeated = None if again is None else await self._repeated_table(again, requester, people)
        opening = OpenTable(
            game=game,
            name=name,
            open_on_close=open_on_close,
            chance=self._gate.chance(),
            again=repeated,
        )
        entries = decide(Table(), opening, caller)
        opened = replay(entries).recorded(now)
        made: list[TableRecord] = []

        def landed(table_id: int, recorded: Sequence[Recorded]) -> None:
            guild_id, table = requester.guild_id, replace(opened, id=table_id)
            row = TableRow(table_id, guild_id, channel_id, table.game, table.name, closed=False)
            made.append(TableRecord(row, table, people.all, _head(recorded)))
            self._limits.spend(requester.user_id, now, len(recorded), tables=1)
            self._keep_and_announce(None, made[0])

        try:
            async with self._opening:
                with _nothing_written():
                    await self._require_table(requester, now)
                _, recorded = await self._ledger.entries.create_table(
                    guild_id=requester.guild_id,
                    channel_id=channel_id,
                    game=opened.game,
                    name=opened.name,
                    entries=entries,
                    at=now,
                    by=caller.person,
                    people=people.newcomers,
                    interaction=requester.interaction,
                    deadline=next_deadline(opened),
                    then=landed,
                )
        except Repeated as repeated:
            return await self._repeated_outcome(repeated, requester)
        except ChannelTaken as taken:
            await self._make_room(taken.table_id, requester)
            return await self.open_table(
                requester,
                game=game,
                name=name,
                channel_id=channel_id,
                open_on_close=open_on_close,
                again=again,
            )
        admitted = await self._gate.admit(made[0], requester)
        return Outcome(admitted, lambda: TableViews(made[0].table, recorded), recorded)

    async def _require_table(self, requester: Requester, now: int) -> None:
        """Raise `Refused` if the requester has reached a limit of tables."""
        if await self._earlier_record(requester) is not None:
            return  # a redelivered interaction was counted before
        own = 0
        for row in await self._tables.get(requester.user_id, accepts_cached=False):
            record = await self._records.current(row.id)
            person = record.person(requester.user_id)
            held = record.table.held_by(person.number) if person else []
            own += any(not part.given for part in held)
        await self._limits.require_table(requester, now, own)

    async def _repeated_table(self, table_id: int, requester: Requester, people: People) -> Again:
        """Return what a new table takes over from this one, with its ``people``, but nobody who was
        forgotten there.

        Raises `Refused` as `Again.of` does, and while the table can be opened again unless its host
        asks.
        """
        there = await self._gate.admit(await self._records.current(table_id), requester)
        table, known = there.record.table, there.record.people
        with gate.with_names(there.record, there.reader):
            again = Again.of(table, there.reader)
            reopenable = table.closing is not None and table.closing > self.now()
            if reopenable and not is_host(table, there.reader):
                raise _closed_a_moment_ago(table)
        earlier = []
        for number, seat in again.earlier:
            person = known.get(number)
            if person is not None and person.user_id is not None:
                earlier.append(Earlier(people.number(person.user_id, person.name), seat))
        return replace(again, earlier=tuple(earlier))

    async def execute(
        self, table_id: int, requester: Requester, command: Command | CommandFactory
    ) -> Outcome:
        """Carry out a command, once and durably, or raise `Refused` and change nothing.

        The command is also refused to a person who has recorded as many entries today as `Quotas`
        allows.

        A factory is called again after a lost race, since the table's people may have changed.
        Raises ``RuntimeError`` after too many lost races against other processes.
        """
        async with self._records.lock(table_id):
            with _nothing_written():
                outcome = await self._carry_out(table_id, requester, command)
            if isinstance(outcome, Repeated):
                return await self._repeated_outcome(outcome, requester)
            return outcome

    async def move_table(self, table_id: int, requester: Requester, channel_id: int) -> Outcome:
        """Bring a table to another channel of its server.

        Raises `Refused` when the rules refuse it, and when an open table is there, be it this one.
        """
        try:
            return await self.execute(table_id, requester, MoveTable(channel_id))
        except ChannelTaken as taken:
            await self._make_room(taken.table_id, requester)
            return await self.execute(table_id, requester, MoveTable(channel_id))

    async def refresh(self, table_id: int) -> None:
        """Reload a table that another process changed, and notify listeners as if this process had
        changed it.
        """
        # so that listeners never hear of an older state after a newer one
        async with self._records.lock(table_id):
            if (known := self._records.known(table_id)) is not None:
                self._forget_channel(known.row)  # it may have moved
            record = await self._records.current(table_id)
            self._forget_places(None, record)
            self._announce(_change(record))

    async def tick(self, table_id: int) -> int | None:
        """Record everything that is due at a table, such as expired offers.

        Return the table's next deadline in milliseconds since 1970, or None.
        """
        async with self._records.lock(table_id):
            record = await self._records.current(table_id)
            try:
                record = await self._run_out(record)
            except LostRace:
                record = await self._records.load(table_id)
            return next_deadline(record.table)

    async def _make_room(self, table_id: int, requester: Requester) -> None:
        """Close a table for good that its host closed a moment ago, or whose game is not here.

        Raises `Refused` for any other, and for anyone but its host: what is closed for good shows
        its secrets.
        """
        async with self._records.lock(table_id):
            record = await self._records.current(table_id)
            with _nothing_written():
                there = await self._gate.admit(record, requester)
            table, now = record.table, self.now()
            hosts, name = is_host(table, there.reader), quoted(table.name)
            if table.closing is not None and (hosts or table.closing <= now):
                entries = decide(table, Tick(), Caller(person=NOBODY, at=table.closing))
            elif table.closing is not None:
                raise _closed_a_moment_ago(table)
            elif hosts and table.game not in games():
                entries = decide(table, CloseTable(), Caller(person=NOBODY, moderator=True, at=now))
            else:
                raise Refused(
                    f"This channel already has a table: {name}.",
                    "Its host can close it with **Menu**, **Host…**, **Close…**, or you go to "
                    "another channel or thread.",
                )
            with suppress(LostRace):  # another process was first
                await self._append(record, entries)

    async def remove(self, table_id: int, requester: Requester) -> Removal:
        """Delete a closed table for good. Raises `Refused` if it is open, and for anyone but its
        host.
        """
        async with self._records.lock(table_id):
            await self.removable(table_id, replace(requester, accepts_cached=False))
            row = (await self._records.current(table_id)).row
            try:
                return await self._ledger.tables.remove_table(table_id, at=self.now())
            finally:  # also if the caller was cancelled, or the fate of the removal is unknown
                self._records.forget(table_id)
                self._forget_channel(row)

    async def close_for_operator(self, table_id: int) -> None:
        """Close a table that its host left open. In its history nobody did that. Raises `Refused`
        if it is closed.
        """
        async with self._records.lock(table_id):
            record = await self._records.current(table_id)
            if not record.table.open:
                raise Refused(f"Table {table_id} is closed already.", "")
            for _ in range(RACES):
                with suppress(LostRace):
                    operator = Caller(person=NOBODY, moderator=True, at=self.now())
                    entries = decide(record.table, CloseTable(), operator)
                    await self._append(record, entries)
                    return
                record = await self._records.load(table_id)
            raise RuntimeError(f"table {table_id}: lost {RACES} races in a row")

    async def remove_closed_before(self, at: int) -> int:
        """Delete this process's tables that were closed before a time, and return their number.

        A table whose rows were changed outside the bot is kept, for `bourse verify` to look at.
        """
        removed = 0
        for row in await self._ledger.tables.closed_before(at):
            if not self._owns(row.guild_id):
                continue
            async with self._records.lock(row.id):
                try:
                    await self._ledger.tables.remove_table(row.id, at=self.now())
                    removed += 1
                except Tampered as error:
                    log.warning(
                        "table %d is kept, though it was closed long ago: %s", row.id, error
                    )
                finally:
                    self._records.forget(row.id)
                    self._forget_channel(row)
        return removed

    async def forget_person(self, requester: Requester) -> int:
        """Erase the requester's name and id from every closed table. Return the number of those
        tables.
        """
        user_id = requester.user_id
        try:
            return await self._ledger.tables.erase_person(user_id)
        finally:
            self._records.forget_user(user_id)
            self._tables.forget(user_id)
            self._choices.forget(user_id)
            self.messages.forget_muted(user_id)

    async def choose_for_dm(self, requester: Requester, table_id: int) -> None:
        """Store which table the requester's DMs are about. Raises `Refused` if they neither sit nor
        host there.
        """
        await self._admit(table_id, requester)
        if all(row.id != table_id for row in await self.tables_of(requester)):
            raise Refused("You are not at that table.", "Take a seat there with /table sit.")
        try:
            await self._ledger.set_key_value(dm_key(requester.user_id), str(table_id))
        finally:
            self._choices.forget(requester.user_id)

    async def mute(self, requester: Requester, kinds: frozenset[CallKind]) -> None:
        """Silence exactly these calls for the requester."""
        chosen = ",".join(kind for kind in CALL_KINDS if kind in kinds)
        try:
            await self._ledger.set_key_value(muted_key(requester.user_id), chosen)
        finally:
            self.messages.forget_muted(requester.user_id)

    # ---------------------------------------------------------------- inside

    async def _carry_out(
        self, table_id: int, requester: Requester, command: Command | CommandFactory
    ) -> Outcome | Repeated:
        """Carry out a command under the table's lock. Return `Repeated` if its interaction was
        carried out before.
        """
        record = await self._records.in_memory(table_id)
        for _ in range(RACES):
            try:
                outcome = await self._attempt(record, requester, command)
                # Without an append, nothing has checked whether another process wrote meanwhile.
                if outcome.recorded or await self._is_latest(record):
                    return outcome
            except Refused:
                # The rules may refuse it only because this interaction was carried out before.
                if known := await self._earlier_record(requester):
                    return known
                # Another process may have written meanwhile. Only the latest state may refuse a
                # command.
                if await self._is_latest(record):
                    raise
            except LostRace:
                pass
            except Repeated as repeated:
                return repeated
            record = await self._records.load(table_id)
        raise RuntimeError(f"table {table_id}: lost {RACES} races in a row")

    async def _earlier_record(self, requester: Requester) -> Repeated | None:
        """Return the record of the requester's interaction, if any. Raises `OutcomeUnknown` when it
        can't be read.
        """
        if not requester.interaction:
            return None
        try:
            return await self._ledger.entries.answered(requester.interaction)
        except LedgerError as error:
            raise OutcomeUnknown(str(error)) from error

    async def _attempt(
        self, record: TableRecord, requester: Requester, command: Command | CommandFactory
    ) -> Outcome:
        """Decide a command on this record's table, and append its entries."""
        admitted = await self._gate.admit(record, requester)  # before the clock changes anything
        try:
            record = await self._run_out(record)
        # the fate of the clock's entries; the command is not even decided
        except OutcomeUnknown as error:
            raise NotWritten(str(error)) from error
        admitted = admitted.at(record)
        people = People(record.people)
        caller = admitted.caller(people, self.now())
        with gate.with_names(record, caller, people):
            wanted = command if isinstance(command, Command) else command(people)
            await self._gate.require_voice(admitted, wanted, caller.at)
            before = await with_subjects(self._ledger, record.table, wanted.subjects())
            entries = with_first_act(before, decide(before, wanted, caller), caller)
        if not entries:  # nothing changes, so a new caller does not join the table either
            return Outcome(admitted, lambda: TableViews(before), ())
        await self._limits.require_entries(requester, caller.at)
        moves_to = wanted.channel_id if isinstance(wanted, MoveTable) else None
        if moves_to == record.row.channel_id:
            raise Refused("The table is here already.", "Its board is in this channel.")
        after, change = await self._append(record, entries, caller, people, requester, moves_to)

        def views() -> TableViews:
            if before is record.table:
                return change.views
            # It includes finished subjects, which the reply may need.
            return TableViews(with_ended(before, after.table, entries), change.recorded)

        return Outcome(admitted.at(after), views, change.recorded)

    async def _run_out(self, record: TableRecord) -> TableRecord:
        """Record everything that the clock has made due, and return the table after it.

        This comes before any command: an expired offer must not be accepted because the clock's
        task is late.
        """
        due, now = record.deadline, self.now()
        if due is None or due > now:
            return record
        clock = Caller(person=NOBODY, at=now)
        entries = decide(record.table, Tick(), clock)
        if not entries:
            return record
        after, _ = await self._append(record, entries)
        return after

    async def _append(
        self,
        record: TableRecord,
        entries: Sequence[Entry],
        caller: Caller | None = None,
        people: People | None = None,
        requester: Requester | None = None,
        moves_to: int | None = None,
    ) -> tuple[TableRecord, LastChange]:
        """Append to the ledger, then keep the new table in memory. ``caller`` is None for the
        clock.

        ``moves_to`` is the table's new channel.

        The order ensures that memory contains only durable state. The new table is computed first,
        so an entry that can't be applied is never written.
        """
        people = people or People(record.people)
        everybody = people.all
        at = caller.at if caller else self.now()
        table = replay(entries, record.table).recorded(at)
        deadline = next_deadline(table)
        row = replace(record.row, name=table.name, closed=not table.open)
        if moves_to is not None:
            row = replace(row, channel_id=moves_to)

        done: list[tuple[TableRecord, LastChange]] = []

        def landed(recorded: Sequence[Recorded]) -> None:
            after = TableRecord(row, table, everybody, _head(recorded))
            change = LastChange(record.table, table, recorded)
            done.append((after, change))
            self._records.note_change(change)
            if caller and requester:
                self._limits.spend(requester.user_id, caller.at, len(recorded))
            self._keep_and_announce(record, after)

        try:
            await self._ledger.entries.append(
                record.id,
                record.head,
                entries,
                at=at,
                by=caller.person if caller else None,
                people=people.newcomers,
                interaction=requester.interaction if requester else None,
                deadline=UNCHANGED if deadline == record.deadline else deadline,
                snapshot=_snapshot(record, row, table, max(everybody)),
                then=landed,
                moves_to=None if moves_to is None else (row.guild_id, moves_to),
            )
        except OutcomeUnknown:
            self._announce(
                TableChange(record.id, record.row.guild_id, record.table.seq, self.now())
            )
            raise
        after, change = done[0]
        if record.table.open and not table.open:
            with suppress(LedgerError):  # otherwise it is stored when it is first needed
                await self._summarize(record.id)
        return await self._renamed(after, caller, requester), change

    def _keep_and_announce(self, before: TableRecord | None, after: TableRecord) -> None:
        """Keep a durable table in memory and notify listeners, even if the command's caller was
        cancelled.
        """
        self._records.keep(after)
        self._forget_places(before, after)
        self._announce(_change(after))

    def _forget_places(self, before: TableRecord | None, after: TableRecord) -> None:
        """Forget what a change of a table has invalidated about its channel and its people."""
        if before is not None and before.row != after.row:
            self._forget_channel(before.row)
        if before is None or before.row != after.row:
            self._forget_channel(after.row)
        if before is None or _seats_and_hosts(before) != _seats_and_hosts(after):
            for person in after.people.values():
                if person.user_id is not None:
                    self._tables.forget(person.user_id)

    def _forget_channel(self, row: TableRow) -> None:
        self._open.forget(row.channel_id)
        self._last.forget(row.channel_id)

    def _announce(self, change: TableChange) -> None:
        for listener in self._listeners:
            try:
                listener(change)
            except Exception:  # one failing listener must not stop the others
                log.exception("a listener failed at a change", extra={"table": change.table_id})

    async def _renamed(
        self, after: TableRecord, caller: Caller | None, requester: Requester | None
    ) -> TableRecord:
        """Save the caller's name if it has changed.

        A failure is only logged: the command is already in the ledger, so it must not look refused.
        """
        known = after.people[caller.person] if caller else None
        if known is None or requester is None or requester.name in ("", known.name):
            return after
        # Person removes invisible characters from the name
        renamed = replace(known, name=requester.name)
        if renamed.name in ("", known.name):
            return after
        people = {**after.people, renamed.number: renamed}
        after = self._records.keep(replace(after, people=people))
        try:
            await self._ledger.tables.rename(after.id, requester.user_id, renamed.name)
        except LedgerError:
            log.warning("a name could not be written", exc_info=True, extra={"table": after.id})
        return after

    async def _repeated_outcome(self, repeated: Repeated, requester: Requester) -> Outcome:
        """Return the outcome of an interaction that was carried out before, as the requester may
        see it now.
        """
        try:
            admitted = await self._gate.admit(
                await self._records.load(repeated.table_id), requester
            )
            record, first = admitted.record, repeated.first_seq
            recorded = await self._ledger.entries.read(
                record.id, after=first - 1, until_seq=repeated.last_seq
            )
            subjects = [subject for each in recorded if (subject := each.entry.subject())]
            table = await with_subjects(self._ledger, record.table, subjects)
        except LedgerError as error:
            raise Unread(str(error)) from error
        outcome = Outcome(admitted, lambda: TableViews(table, recorded), recorded)
        outcome.repeated = True
        return outcome

    def now(self) -> int:
        """Return the time in milliseconds since 1970."""
        return int(self._clock().timestamp() * 1000)

    async def _is_latest(self, record: TableRecord) -> bool:
        """Return whether no other process has written since ``record``. `_run_out` may have; that
        is in memory.
        """
        head = await self._ledger.entries.head(record.id)
        return head.seq == max(record.table.seq, self._records.seq(record.id))


@contextmanager
def _nothing_written() -> Iterator[None]:
    """Turn an error of reading in this block into `NotWritten`."""
    try:
        yield
    except (NotWritten, OutcomeUnknown, ChannelTaken):
        raise
    except LedgerError as error:
        raise NotWritten(str(error)) from error


def _closed_a_moment_ago(table: Table) -> Refused:
    """Return the refusal of what would end the minutes in which a table can be opened again."""
    return Refused(
        f"{quoted(table.name)} was closed a moment ago, and can be opened again until "
        f"<t:{(table.closing or 0) // 1000}:t>.",
        "Then there is room here; its host can make room now. Or go to another channel or thread.",
    )


def _change(record: TableRecord) -> TableChange:
    return TableChange(record.id, record.row.guild_id, record.table.seq, record.deadline)


def _head(recorded: Sequence[Recorded]) -> Head:
    return Head(recorded[-1].seq, recorded[-1].hash)


def _snapshot(before: TableRecord, row: TableRow, after: Table, people: int) -> Snapshot | None:
    """Return a snapshot if one is due, otherwise None. ``people``: their highest number.

    If a game's state can't be saved, that is only logged: the command itself is not affected.
    """
    if not snapshots.due(before.table, after):
        return None
    try:
        return Snapshot(snapshots.dump(after), row.guild_id, row.channel_id, people)
    except (ValueError, TypeError):
        log.warning("a snapshot could not be made", exc_info=True, extra={"table": after.id})
        return None


def _seats_and_hosts(record: TableRecord) -> object:
    """Return all values that determine who sits or hosts at a table, and where it is, for
    comparison.
    """
    seats = {seat.id: seat.person for seat in record.table.seats.values()}
    return record.row, record.table.host, seats, len(record.people)
