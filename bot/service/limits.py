"""Limits on what one person and one server may have: open tables at a time, and entries and tables
in a day.

An evening at a table has some 500 entries. The limits keep one person from filling the database,
however patiently they press. A day is one of UTC.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from bot.ledger import Ledger
from bot.rules.features.tables import TableOpened
from bot.rules.model.violation import Refused
from bot.service.records import Recent
from bot.service.requests import Quotas, Requester

log = logging.getLogger(__name__)

DAY = 86_400_000
"""Milliseconds in a day."""

PEOPLE_COUNTED = 10_000
"""The most people whose day is in memory: those who recorded something last."""

UNREAD = 4
"""The ledger is read once a person has used this part of a limit, a quarter, since the process
started.
"""


@dataclass(slots=True)
class _Today:
    """Counts of one person's day. ``read``: the ledger was asked, so a restart made no
    difference.
    """

    day: int
    entries: int = 0
    tables: int = 0
    read: bool = False
    logged: bool = False


class Limits:
    """Counts what each person records in a day, and refuses what is above the limits.

    The counts are in memory, so a command needs no statement more. Only when somebody has used a
    quarter of a limit does it ask the ledger, once a day, what they recorded before this process
    started and through other processes.
    """

    def __init__(self, ledger: Ledger, room: Quotas) -> None:
        self._ledger = ledger
        self._room = room
        self._people = Recent[int, _Today](PEOPLE_COUNTED)

    def spend(self, user_id: int, at: int, entries: int, tables: int = 0) -> None:
        """Count what a person has recorded. ``at`` is in milliseconds since 1970."""
        today = self._people.get(user_id)
        if today is None or today.day != at // DAY:
            today = _Today(at // DAY)
        self._people[user_id] = today
        today.entries += entries
        today.tables += tables

    async def require_entries(self, requester: Requester, at: int) -> None:
        """Raise `Refused` if the requester has recorded as many entries today as one person may."""
        today = self._people.get(requester.user_id)
        if today is None or today.day != at // DAY:
            return
        if today.entries >= self._room.entries_a_day // UNREAD:
            await self._read(requester.user_id, today)
        if today.entries >= self._room.entries_a_day:
            raise self._used_up(
                requester, today, f"{self._room.entries_a_day:,} entries in the ledger"
            )

    async def require_table(self, requester: Requester, at: int, own: int) -> None:
        """Raise `Refused` if the requester may not open a table: see `Quotas`. ``own`` counts their
        open tables.
        """
        room, today = self._room, self._people.get(requester.user_id)
        if own >= room.person:
            reason = f"You are at {own} open tables; the most for one person is {room.person}."
            raise Refused(
                reason,
                "Close or leave one first: under **Menu**, **Host…**, **Close…**, or **Leave…**.",
            )
        if today is not None and today.day == at // DAY:
            if today.tables >= room.tables_a_day // UNREAD:
                await self._read(requester.user_id, today)
            if today.tables >= room.tables_a_day:
                raise self._used_up(requester, today, f"{room.tables_a_day:,} tables opened")
            await self.require_entries(requester, at)
        if requester.guild_id is None:
            return
        there = len(await self._ledger.tables.open_tables_on(requester.guild_id))
        if there >= room.server:
            reason = f"This server has {there} open tables; the most is {room.server}."
            raise Refused(
                reason, "Close one that is finished: **Close…** under **Menu**, **Host…**."
            )

    async def _read(self, user_id: int, today: _Today) -> None:
        """Add what the ledger has of this person's day. What they did at removed tables is only in
        memory.
        """
        if today.read:
            return
        found = await self._ledger.tables.recorded_by(user_id, today.day * DAY)
        today.read = True  # only now: if the ledger can't be read, it is asked again
        today.entries = max(today.entries, sum(found.values()))
        today.tables = max(today.tables, found.get(TableOpened.kind, 0))

    def _used_up(self, requester: Requester, today: _Today, what: str) -> Refused:
        if not today.logged:
            today.logged = True
            log.warning("user %d is refused until midnight UTC: %s today", requester.user_id, what)
        again = (today.day + 1) * DAY // 1000
        reason = f"You have done as much as one person may in a day: {what}."
        return Refused(reason, f"You can go on <t:{again}:R>.")
