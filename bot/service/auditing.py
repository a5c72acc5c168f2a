"""Audits by hosts and moderators: verify a table's chain, and export its ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.ledger import Ledger, LedgerError, Published
from bot.rules.entries import Recorded, split
from bot.rules.features import audits
from bot.rules.features.audits import Audit
from bot.rules.model.violation import Refused
from bot.rules.views import EntryView, Viewer
from bot.rules.visibility import open_parts, redact, see, see_entry
from bot.service import checking, gate
from bot.service.checking import PostedHead
from bot.service.gate import Admitted, Gate
from bot.service.records import Records, TableRecord, no_such_table
from bot.service.requests import ExportSource, Requester, Verification

PAGE = 500
"""Entries per query for an export."""

Disclosed = Mapping[str, Mapping[str, object]]


def require_auditor(admitted: Admitted) -> None:
    """Raise `Refused` unless the requester hosts the table or moderates its server."""
    with gate.naming(admitted.record):
        audits.require_auditor(admitted.record.table, admitted.looker)


async def viewer(ledger: Ledger, admitted: Admitted, command: Audit, until_seq: int) -> Viewer:
    """Return a host or moderator as the viewer of an audit that is recorded.

    The entry after ``until_seq`` must record this audit by this person. Raises `Refused` otherwise, and for anyone
    else.
    """
    require_auditor(admitted)
    record, person = admitted.record, admitted.looker.person
    found = await ledger.read(record.id, after=until_seq, until_seq=until_seq + 1) if _within(record, until_seq) else []
    look = next((each for each in found if audits.shown_by(each, person, command)), None)
    if look is None:
        raise Refused("", "There is no record that you looked at this.", "Use the command once more.")
    return admitted.viewer(look=look)


def _within(record: TableRecord, until_seq: int) -> bool:
    """Return whether an entry follows ``until_seq``. A button may carry any number."""
    return 0 <= until_seq < record.table.seq


async def verify(
    ledger: Ledger,
    records: Records,
    entrance: Gate,
    table_id: int,
    requester: Requester,
    posted: PostedHead | None = None,
) -> Verification:
    """Check a table as `bourse verify` does, and whether its chain contains the ``posted`` head, if given.

    Raises `Refused` for anyone but its host or a moderator. If the ledger can't be read, its host is unknown, so only a
    moderator of its server may check it.
    """
    try:
        record = await records.current(table_id)
    except LedgerError:
        await _require_moderator(ledger, entrance, table_id, requester)
    else:
        require_auditor(await entrance.admit(record, requester))
    row, last = await ledger.table(table_id), await ledger.stored_head(table_id)
    bad = await checking.table_fault(ledger, table_id, [posted] if posted else [])
    return Verification(
        row.name if row else "", last.seq, last.hash, bad, bool(await checking.ledger_faults(ledger)),
        str(posted) if posted else "",
    )  # fmt: skip


async def _require_moderator(ledger: Ledger, entrance: Gate, table_id: int, requester: Requester) -> None:
    row = await ledger.table(table_id)
    if row is None:
        raise no_such_table()
    await entrance.require_reach(row, requester, known=False)
    if not requester.manages_guild:
        raise Refused("", "This table's ledger can't be read.", "Somebody who may manage the server can say why.")


async def export_source(ledger: Ledger, record: TableRecord, viewer: Viewer, until_seq: int) -> ExportSource:
    """Return a table's ledger up to an entry, as the viewer may read it. ``record`` is the table after that entry.

    The ledger is read in pages, since it may be long.
    """
    seat = record.table.seat_of(viewer.person)  # their seat at that time
    entries: list[EntryView] = []
    published: list[Published] = []
    disclosed: dict[int, Disclosed] = {}
    for after in range(0, until_seq, PAGE):
        last = min(after + PAGE, until_seq)
        stored = await ledger.sealed(record.id, after=after, until_seq=last)
        published += await ledger.published(record.id, after=after, until_seq=last)
        async for some in ledger.stream(record.id, after=after, until_seq=last):
            entries += [see_entry(one, viewer, record.table.game) for one in some]
            disclosed |= {one.seq: _disclosed(one, viewer, stored.get(one.seq, {})) for one in some}
    return ExportSource(
        view=see(record.table, replace(viewer, seat=seat.id if seat else None)),
        entries=entries,
        published=published,
        disclosed=disclosed,
        until_seq=until_seq,
        sees_all=viewer.sees_all,
    )


def _disclosed(recorded: Recorded, viewer: Viewer, stored: Mapping[str, Any]) -> Disclosed:
    """Return the sealed parts of an entry that the viewer may see, with salts if the viewer sees everything."""
    entry, seq = recorded.entry, recorded.seq
    parts = sorted(open_parts(entry, viewer, seq))
    if viewer.sees_all:
        return {part: stored[part] for part in parts if part in stored}
    _, seen = split(redact(entry, viewer, seq))
    return {part: {"data": seen[part]} for part in parts}
