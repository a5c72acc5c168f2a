"""Exports of a table's ledger for the bot's operator, who may export it for any reader."""

from __future__ import annotations

from bot.ledger import Ledger
from bot.service import auditing, gate
from bot.service.records import Records
from bot.service.requests import ExportSource


class UnknownPerson(LookupError):
    """The table does not know this Discord id."""


async def export_for(ledger: Ledger, table_id: int, user_id: int | None) -> ExportSource:
    """Return a table's whole ledger as everybody may read it or, given a Discord id, as that person may.

    Raises `Refused` when there is no such table, and `UnknownPerson` when it does not know the person.
    """
    record = await Records(ledger).load(table_id)
    if user_id is None:
        viewer = gate.public(record)
    elif (person := record.person(user_id)) is None:
        raise UnknownPerson(user_id)
    else:
        viewer = gate.seat_viewer(record, record.table, person.number)
    return await auditing.export_source(ledger, record, viewer, record.table.seq)
