"""The directory: the table of each channel, the tables of each user, and the table of each user's DMs."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ledger import Ledger, TableRow, Tampered
from bot.service.memory import Memory
from bot.service.records import Records, TableRecord


class Directory:
    """Answers from the ledger or, if the caller can't wait, from memory; see `bot.service.memory`."""

    def __init__(self, ledger: Ledger, records: Records) -> None:
        self._ledger = ledger
        self._records = records
        self._open = Memory(ledger.table_in)
        self._last = Memory(ledger.last_table_in)
        self._tables = Memory(self._tables_of)
        self._choices = Memory(self._choice)

    async def table_at(self, channel_id: int, *, from_memory: bool) -> TableRow | None:
        """Return the open table of a channel, if there is one.

        The ledger is not asked about a table that this process knows and owns: a later command detects if it is closed.
        """
        known = self._open.known(channel_id)
        if known is not None and self._records.owned(known.id) is not None:
            return known
        return await self._open.get(channel_id, from_memory=from_memory)

    async def last_table_at(self, channel_id: int, *, from_memory: bool) -> TableRow | None:
        """Return a channel's open table, or else the last table opened there; None when there was none."""
        return await self._last.get(channel_id, from_memory=from_memory)

    async def tables_of(self, user_id: int, *, from_memory: bool) -> Sequence[TableRow]:
        """Return the open tables at which this Discord user sits or hosts."""
        return await self._tables.get(user_id, from_memory=from_memory)

    async def choice(self, user_id: int, *, from_memory: bool) -> int | None:
        """Return the table that a person chose for their DMs, if they did."""
        return await self._choices.get(user_id, from_memory=from_memory)

    async def choose(self, user_id: int, table_id: int) -> None:
        """Store which table a person's DMs are about."""
        try:
            await self._ledger.set_key_value(_key(user_id), str(table_id))
        finally:
            self._choices.forget(user_id)

    def forget_user(self, user_id: int) -> None:
        self._tables.forget(user_id)
        self._choices.forget(user_id)

    def forget_table(self, row: TableRow) -> None:
        self._open.forget(row.channel_id)
        self._last.forget(row.channel_id)

    def changed(self, before: TableRecord | None, after: TableRecord) -> None:
        """Forget what a change by this process has invalidated."""
        if before is None or before.table.open != after.table.open:
            self.forget_table(after.row)
        if before is None or _who(before) != _who(after):
            for person in after.people.values():
                if person.user_id is not None:
                    self._tables.forget(person.user_id)

    async def _tables_of(self, user_id: int) -> Sequence[TableRow]:
        found = []
        for row in await self._ledger.tables_of(user_id):
            try:
                record = await self._records.current(row.id)
            except Tampered:  # one damaged table must not hide the user's other tables
                continue
            person = record.person(user_id)
            if person and (record.table.seat_of(person.number) or person.number == record.table.host):
                found.append(row)
        return found

    async def _choice(self, user_id: int) -> int | None:
        chosen = await self._ledger.key_value(_key(user_id))
        return int(chosen) if chosen else None


def _key(user_id: int) -> str:
    return f"dm:{user_id}"


def _who(record: TableRecord) -> object:
    """Return all values that determine who sits or hosts at a table, for comparison."""
    seats = {seat.id: seat.person for seat in record.table.seats.values()}
    return record.table.open, record.table.host, seats, len(record.people)
