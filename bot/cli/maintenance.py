"""Commands on a ledger that need no Discord: verify it, and export a table."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from bot.cli.arguments import TableHead
from bot.errors import OperatorError
from bot.exports import Format, export
from bot.ledger import Bad, Ledger, LedgerError, Removal, TableRow
from bot.rules.model.violation import Refused
from bot.service import ExportSource
from bot.service.checking import chance_fault, snapshot_fault
from bot.service.exporting import UnknownPerson, export_for

# ---------------------------------------------------------------- verifying


async def verify(url: str, heads: Sequence[TableHead], echo: Callable[[str], object]) -> int:
    """Verify the ledger, write the findings to ``echo``, and return the exit code: 0, or 1 if there is a fault.

    This checks for each table the chain, that each of its ``heads`` is still in it, the snapshot, and the use of
    chance; then that no table is missing from the directory, and that the tables listed as removed are gone.

    Raises `OperatorError` when the ledger can't be read.
    """
    async with _opened(url) as ledger:
        faults = await _verify_tables(ledger, heads, echo)
        faults += await _verify_directory(ledger, echo)
        faults += await _verify_removals(ledger, echo)
        faults += await _verify_heads(ledger, heads, echo)
        return 1 if faults else 0


async def _verify_tables(ledger: Ledger, heads: Sequence[TableHead], echo: Callable[[str], object]) -> int:
    """Verify each table of the directory, and return how many have a fault."""
    faults = 0
    for row in await ledger.all_tables():
        bad = await _fault(ledger, row, heads)
        faults += bad is not None
        head = await ledger.head(row.id)
        found = f"entry {bad.seq}: {bad.reason}" if bad else f"{head.seq} entries, head {head.hash}"
        echo(f"table {row.id} ({row.name}): {found}")
    return faults


async def _fault(ledger: Ledger, row: TableRow, heads: Sequence[TableHead]) -> Bad | None:
    """Return the first fault of a table. If its chain is broken, nothing else is checked."""
    return (
        await ledger.verify(row.id)
        or await _missing_head(ledger, row.id, heads)
        or await snapshot_fault(ledger, row.id)
        or await chance_fault(ledger, row.id)
    )


async def _missing_head(ledger: Ledger, table_id: int, heads: Sequence[TableHead]) -> Bad | None:
    """Return a fault when the chain is sound but lacks one of the heads that were noted earlier.

    Then the end of the table was cut off, or the whole table was written anew.
    """
    for table, head in heads:
        if table == table_id and await ledger.numbered(table_id, head) is None:
            last = (await ledger.head(table_id)).seq
            return Bad(last + 1, f"the entry is missing: none of the {last} that are there has the hash {head}")
    return None


async def _verify_directory(ledger: Ledger, echo: Callable[[str], object]) -> int:
    """Return how many tables have entries but are not in the directory."""
    unlisted = await ledger.unlisted()
    for table_id in unlisted:
        echo(f"table {table_id}: has entries, but was taken out of the list of tables by hand")
    return len(unlisted)


async def _verify_removals(ledger: Ledger, echo: Callable[[str], object]) -> int:
    """Verify the removed tables and the chain of their removals, and return the number of faults."""
    kept = await ledger.unremoved()
    for line in _removals(await ledger.removed(), kept):
        echo(line)
    bad = None if kept else await ledger.verify_removals()
    if bad is not None:
        echo(f"removal {bad.seq}: {bad.reason}")
    return len(kept) + (bad is not None)


def _removals(removals: Sequence[Removal], kept: Sequence[int]) -> Iterator[str]:
    """Yield a line for each removal; ``kept`` are the tables that exist although the ledger says they were removed."""
    for removal in removals:
        if removal.table_id in kept:
            yield f"table {removal.table_id}: is said to be removed, but its entries are there, or it was never closed"
            continue
        day = datetime.fromtimestamp(removal.at / 1000, UTC).date()
        yield f"table {removal.table_id}: removed on {day} after {removal.last_seq} entries, head {removal.head}"


async def _verify_heads(ledger: Ledger, heads: Sequence[TableHead], echo: Callable[[str], object]) -> int:
    """Return how many tables with a noted head are not in the ledger, not counting those that were removed."""
    kept = await ledger.unremoved()
    ended = {(removal.table_id, removal.head) for removal in await ledger.removed() if removal.table_id not in kept}
    listed = {row.id for row in await ledger.all_tables()}
    missing = sorted({head[0] for head in heads if head not in ended} - listed)
    for table_id in missing:
        echo(f"table {table_id}: is not in this ledger, so nothing can be held against its head")
    return len(missing)


# ---------------------------------------------------------------- exporting


async def export_table(url: str, table_id: int, file_format: Format, user_id: int | None) -> bytes:
    """Return a table's ledger as a file, as everybody may see it or as one of its people may.

    Raises `OperatorError` when there is no such table or person, or when the ledger can't be read or verified.
    """
    async with _opened(url) as ledger:
        source = await _source(ledger, table_id, user_id)
        if (bad := await ledger.verify(table_id)) is not None:
            raise OperatorError(
                f"Table {table_id} was changed by hand, so it is not written: entry {bad.seq}: {bad.reason}."
            )
        return export(file_format, source)


async def _source(ledger: Ledger, table_id: int, user_id: int | None) -> ExportSource:
    """Return what to export. Raises `OperatorError` when there is no such table or person."""
    try:
        return await export_for(ledger, table_id, user_id)
    except UnknownPerson:
        raise OperatorError(f"Nobody with the Discord id {user_id} is known at table {table_id}.") from None
    except Refused:
        raise OperatorError(
            f"There is no table {table_id} in this ledger; bourse verify lists those there are."
        ) from None


# ---------------------------------------------------------------- the ledger


@asynccontextmanager
async def _opened(url: str) -> AsyncIterator[Ledger]:
    """Open a ledger and close it at the end. Turns `LedgerError` into `OperatorError`."""
    try:
        ledger = await Ledger.open(url)
        try:
            yield ledger
        finally:
            await ledger.close()
    except LedgerError as error:
        raise OperatorError(str(error)) from error
