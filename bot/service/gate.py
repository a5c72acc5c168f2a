"""The gate: who a requester is at a table. Every command and every reading passes here.

A moderator is one only at tables of the server that the request came from. A user whom the table does not know is
`NOBODY` there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bot.rules.commands import NOBODY, Caller
from bot.rules.model.people import Names
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.views import Viewer
from bot.rules.visibility import everybody, person_viewer
from bot.service.records import TableRecord
from bot.service.requests import People, Requester


def moderates(record: TableRecord, requester: Requester) -> bool:
    """Return whether the requester moderates the server of this table."""
    return requester.manages_guild and requester.guild_id is not None and requester.guild_id == record.row.guild_id


def caller(record: TableRecord, requester: Requester, people: People, at: int) -> Caller:
    """Return who gives a command; a requester who is new to the table becomes a person of it."""
    person = people.number(requester.user_id, requester.name)
    return Caller(person=person, moderator=moderates(record, requester), at=at)


def looker(record: TableRecord, requester: Requester) -> Caller:
    """Return who reads, without making them a person of the table."""
    person = record.person(requester.user_id)
    return Caller(person=person.number if person else NOBODY, moderator=moderates(record, requester))


def viewer(record: TableRecord, requester: Requester, *, audits: bool = False, table: Table | None = None) -> Viewer:
    """Return the requester as a viewer of the table.

    ``audits``: with open hands, if they are a host or moderator to whom hands are open. ``table`` is another state of
    the table than the record's.
    """
    return person_viewer(table or record.table, record.people.values(), looker(record, requester), audits=audits)


def seat_viewer(record: TableRecord, table: Table, person: int) -> Viewer:
    """Return a person of the table as a viewer, for what is delivered to them without a request."""
    return person_viewer(table, record.people.values(), Caller(person=person))


def public(record: TableRecord, table: Table | None = None) -> Viewer:
    """Return the table's channel as a viewer."""
    return everybody(table or record.table, record.people.values())


def require_audits(seen: Viewer) -> Viewer:
    """Return the viewer. Raises `Refused` unless hands are open to them."""
    if not seen.audits:
        raise Refused("", "What others hold is their secret.", "A host who does not sit at the table may look.")
    return seen


@contextmanager
def naming(record: TableRecord, people: People | None = None) -> Iterator[None]:
    """Add to a refusal raised inside the names that its sentences need, including those of newcomers."""
    try:
        yield
    except Refused as refused:
        holders = {seat.id: seat.person for seat in record.table.seats.values()}
        refused.names = Names(record.table.game, people.all if people else record.people, holders)
        raise
