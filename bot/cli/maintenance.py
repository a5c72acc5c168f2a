"""What the command line does with a ledger, without Discord: verify it, and export a table."""

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


async def verify(url: str, heads: Sequence[TableHead], say: Callable[[str], object]) -> int:
    """Verify the ledger, say what is found, a line a table, and return the exit code: 0, or 1 when there is a fault.

    Of each table that is its chain, that each of its ``heads`` is still in it, its snapshot, and how chance was used;
    of the directory, that no table is missing, and none is listed as removed that is not.

    Raises `OperatorError` when the ledger can't be read.
    """
    async with _opened(url) as ledger:
        faults = await _verify_tables(ledger, heads, say)
        faults += await _verify_directory(ledger, say)
        faults += await _verify_removals(ledger, say)
        faults += await _find_tables(ledger, heads, say)
        return 1 if faults else 0


async def _verify_tables(ledger: Ledger, heads: Sequence[TableHead], say: Callable[[str], object]) -> int:
    """Verify each table of the directory, and return how many are not as they should be."""
    faults = 0
    for row in await ledger.all_tables():
        bad = await _fault(ledger, row, heads)
        faults += bad is not None
        head = await ledger.head(row.id)
        found = f"entry {bad.seq}: {bad.reason}" if bad else f"{head.seq} entries, head {head.hash}"
        say(f"table {row.id} ({row.name}): {found}")
    return faults


async def _fault(ledger: Ledger, row: TableRow, heads: Sequence[TableHead]) -> Bad | None:
    """Return the first thing that is wrong with a table. Where its chain is broken, nothing else is looked at."""
    return (
        await ledger.verify(row.id)
        or await _cut(ledger, row.id, heads)
        or await snapshot_fault(ledger, row.id)
        or await chance_fault(ledger, row.id)
    )


async def _cut(ledger: Ledger, table_id: int, heads: Sequence[TableHead]) -> Bad | None:
    """Return a fault when a head that was noted earlier is missing in a sound chain.

    Then the end of the table was cut off, or all of it was written anew.
    """
    for table, head in heads:
        if table == table_id and await ledger.numbered(table_id, head) is None:
            last = (await ledger.head(table_id)).seq
            return Bad(last + 1, f"the entry is missing: none of the {last} that are there has the hash {head}")
    return None


async def _verify_directory(ledger: Ledger, say: Callable[[str], object]) -> int:
    """Return how many tables have entries but are not in the directory."""
    unlisted = await ledger.unlisted()
    for table_id in unlisted:
        say(f"table {table_id}: has entries, but was taken out of the list of tables by hand")
    return len(unlisted)


async def _verify_removals(ledger: Ledger, say: Callable[[str], object]) -> int:
    """Verify the removed tables and the chain of their removals, and return how many things are wrong with them."""
    kept = await ledger.unremoved()
    for line in _removals(await ledger.removed(), kept):
        say(line)
    bad = None if kept else await ledger.verify_removals()
    if bad is not None:
        say(f"removal {bad.seq}: {bad.reason}")
    return len(kept) + (bad is not None)


def _removals(removals: Sequence[Removal], kept: Sequence[int]) -> Iterator[str]:
    """Yield a line for each removal; ``kept`` are the tables that are there although they have one."""
    for removal in removals:
        if removal.table_id in kept:
            yield f"table {removal.table_id}: is said to be removed, but its entries are there, or it was never closed"
            continue
        day = datetime.fromtimestamp(removal.at / 1000, UTC).date()
        yield f"table {removal.table_id}: removed on {day} after {removal.last_seq} entries, head {removal.head}"


async def _find_tables(ledger: Ledger, heads: Sequence[TableHead], say: Callable[[str], object]) -> int:
    """Return how many tables are not there although a head of theirs was noted; removed ones are not missed."""
    kept = await ledger.unremoved()
    ended = {(removal.table_id, removal.head) for removal in await ledger.removed() if removal.table_id not in kept}
    listed = {row.id for row in await ledger.all_tables()}
    missing = sorted({head[0] for head in heads if head not in ended} - listed)
    for table_id in missing:
        say(f"table {table_id}: is not in this ledger, so nothing can be held against its head")
    return len(missing)


# ---------------------------------------------------------------- exporting


async def export_table(url: str, table_id: int, form: Format, user_id: int | None) -> bytes:
    """Return a table's ledger as a file: as everybody may see it, or as one of its people.

    Raises `OperatorError` when there is no such table or person, or the ledger can't be read or does not verify.
    """
    async with _opened(url) as ledger:
        source = await _source(ledger, table_id, user_id)
        if (bad := await ledger.verify(table_id)) is not None:
            raise OperatorError(
                f"Table {table_id} was changed by hand, so it is not written: entry {bad.seq}: {bad.reason}."
            )
        return export(form, source)


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
    """Open a ledger for a while. Raises `OperatorError` when it fails."""
    try:
        ledger = await Ledger.open(url)
        try:
            yield ledger
        finally:
            await ledger.close()
    except LedgerError as error:
        raise OperatorError(str(error)) from error
