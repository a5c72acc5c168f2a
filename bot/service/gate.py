"""The gate: whether a requester may come to a table, and who they are there. Every command and reading passes here.

`Gate.admit` is the only maker of an `Admitted`, and everything that a requester may do or see is made from one. To
whoever may not come, a table looks as if it did not exist:

- a request from a server reaches the tables of that server only;
- a request from a DM reaches the tables that know its user, while that user is on the table's server.

A moderator is one only at tables of the server that the request came from. A user whom the table does not know is
`NOBODY` there.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bot.ledger import TableRow
from bot.rules.commands import NOBODY, Caller
from bot.rules.entries import Recorded
from bot.rules.model.people import Names
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.views import Viewer
from bot.rules.visibility import everybody, person_viewer
from bot.service.members import Members, MembershipUnknown
from bot.service.records import TableRecord, no_such_table
from bot.service.requests import People, Requester

_PASSED = object()

CHANCE_BYTES = 32
"""Bytes of randomness that come with a command: nobody can guess 256 bits."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """A requester who may come to a table, and that table. Only `Gate.admit` makes one."""

    record: TableRecord
    requester: Requester
    passed: object

    def __post_init__(self) -> None:
        """Raise ``TypeError`` unless the gate has made it."""
        if self.passed is not _PASSED:
            raise TypeError("only the gate admits")

    def at(self, record: TableRecord) -> Admitted:
        """Return the same requester at a later state of the same table: nobody is shut out of what they just did."""
        if record.id != self.record.id:
            raise ValueError(f"admitted to table {self.record.id}, not to {record.id}")
        return Admitted(record, self.requester, self.passed)

    @property
    def moderates(self) -> bool:
        """Whether the requester moderates the server of this table."""
        return self.requester.manages_guild and self.requester.guild_id is not None

    @property
    def looker(self) -> Caller:
        """Who reads, without making them a person of the table."""
        person = self.record.person(self.requester.user_id)
        return Caller(person=person.number if person else NOBODY, moderator=self.moderates)

    def caller(self, people: People, at: int) -> Caller:
        """Return who gives a command; a requester who is new to the table becomes a person of it."""
        person = people.number(self.requester.user_id, self.requester.name)
        chance = secrets.token_hex(CHANCE_BYTES)
        return Caller(person, self.moderates, at, interaction=self.requester.interaction, chance=chance)

    def viewer(self, *, look: Recorded | None = None, table: Table | None = None) -> Viewer:
        """Return the requester as a viewer of the table.

        ``look`` is the entry that records that they look: with it hands are open to a host or moderator who never sat.
        ``table`` is another state of the table than the record's.
        """
        return person_viewer(table or self.record.table, self.record.people.values(), self.looker, look=look)


class Gate:
    """Lets requesters come to tables."""

    def __init__(self, members: Members) -> None:
        self._members = members

    async def admit(self, record: TableRecord, requester: Requester) -> Admitted:
        """Return the requester at this table. Raises `Refused` when they may not come, as if there was no such table.

        Raises it also, with the reason, when it can't be found out just now whether a user is still on the server.
        """
        known = record.person(requester.user_id) is not None
        await self.require_reach(record.row, requester, known=known)
        return Admitted(record, requester, _PASSED)

    async def require_reach(self, row: TableRow, requester: Requester, *, known: bool) -> None:
        """Raise `Refused` unless the requester may know of this table. ``known``: the table knows the requester."""
        if not await self.reaches(row, requester, known=known):
            raise no_such_table()

    async def reaches(self, row: TableRow, requester: Requester, *, known: bool) -> bool:
        """Return whether the requester may know of this table. Raises `Refused` when that can't be found out."""
        if requester.guild_id is not None:
            for user_id in (requester.user_id, *requester.present):
                self._members.note(requester.guild_id, user_id, member=True)
            return requester.guild_id == row.guild_id
        return known and (row.guild_id is None or await self._is_member(row.guild_id, requester.user_id))

    async def _is_member(self, guild_id: int, user_id: int) -> bool:
        try:
            return await self._members.is_member(guild_id, user_id)
        except MembershipUnknown:
            raise Refused(
                "", "I can't ask Discord just now whether you are still on the server of that table.",
                "Try again in a moment, or in the table's channel.",
            ) from None  # fmt: skip


def seat_viewer(record: TableRecord, table: Table, person: int) -> Viewer:
    """Return a person of the table as a viewer, for what is delivered to them without a request."""
    return person_viewer(table, record.people.values(), Caller(person=person))


def public(record: TableRecord, table: Table | None = None) -> Viewer:
    """Return the table's channel as a viewer."""
    return everybody(table or record.table, record.people.values())


@contextmanager
def naming(record: TableRecord, people: People | None = None) -> Iterator[None]:
    """Add to a refusal raised inside the names that its sentences need, including those of newcomers."""
    try:
        yield
    except Refused as refused:
        holders = {seat.id: seat.person for seat in record.table.seats.values()}
        refused.names = Names(record.table.game, people.all if people else record.people, holders)
        raise
