"""Commands that work on the ledger without Discord: verify, export a table."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from bot.cli.progress import Tell, silent
from bot.errors import OperatorError
from bot.exports import Format, export
from bot.ledger import KeySource, Ledger, LedgerError, Removal
from bot.rules.model.violation import Refused
from bot.service import (
    HEAD_DIGITS,
    ExportSource,
    PostedHead,
    UnknownPerson,
    check_table,
    export_for,
    has_head,
    ledger_faults,
    read_head,
)

# ---------------------------------------------------------------- verifying


def posted_head(text: str) -> PostedHead:
    """Parse a posted head: ``TABLE:HASH``, or a line copied from the channel. Raises `OperatorError`."""
    head = read_head(text)
    if head is None:
        raise OperatorError(
            f"{text!r} is not a head such as TABLE:HASH or '#41 HASH': it needs at least the first {HEAD_DIGITS} "
            "digits of a hash, 0-9 and a-f."
        )
    return head


async def verify(
    url: str,
    heads: Sequence[PostedHead],
    echo: Callable[[str], object],
    *,
    key: KeySource = None,
    tell: Tell = silent,
) -> int:
    """Verify the whole ledger, write the findings to ``echo``, and return the exit code.

    It is 0, or 1 if there is a fault, or else 3 if a table can't be read here, because its game is not installed or the
    installed version can't read it. The chain of such a table is checked, not what its entries lead to. It is 3 also if
    a head is from before the end of a table that was removed since.

    For each table, check what `/audit verify` checks and that the posted ``heads`` are still in it. Then check that no
    table is missing and that the tables listed as removed are gone.

    Raises `OperatorError` when there is no ledger, or it can't be read.
    """
    async with opened(url, key, reading=True) as ledger:
        faults, unread = await _verify_tables(ledger, heads, echo, tell)
        for line in _removals(await ledger.tables.removed(), await ledger.tables.unremoved()):
            echo(line)
        faults += _print_lines(await ledger_faults(ledger), echo)
        gone, missing = await _missing_heads(ledger, heads)
        unread += _print_lines(gone, echo)
        faults += _print_lines(missing, echo)
        if not faults and not await ledger.tables.all_tables() and not await ledger.tables.removed():
            echo("There are no tables in this ledger yet.")
        return 1 if faults else 3 if unread else 0


def _print_lines(lines: Sequence[str], echo: Callable[[str], object]) -> int:
    """Write these lines, and return their number."""
    for line in lines:
        echo(line)
    return len(lines)


async def _verify_tables(
    ledger: Ledger, heads: Sequence[PostedHead], echo: Callable[[str], object], tell: Tell
) -> tuple[int, int]:
    """Verify each table in the directory. Return how many have a fault, and how many can't be read here."""
    faults, unread, rows = 0, 0, await ledger.tables.all_tables()
    for number, row in enumerate(rows):
        tell(f"table {row.id}", number, len(rows))
        bad, why = await check_table(ledger, row.id, [head for head in heads if head.table == row.id])
        faults, unread = faults + (bad is not None), unread + bool(why)
        head = await ledger.entries.stored_head(row.id)
        found = f"entry {bad.seq}: {bad.reason}" if bad else f"{head.seq} entries, head {head.hash}"
        echo(f"table {row.id} ({row.name}): {found}")
        if why:
            echo(f"table {row.id} ({row.name}): the chain holds, but what it leads to can't be checked {why}")
    return faults, unread


def _removals(removals: Sequence[Removal], kept: Sequence[int]) -> Iterator[str]:
    """Yield a line for each removed table, except those that still have rows in the ledger."""
    for removal in removals:
        if removal.table_id not in kept:
            day = datetime.fromtimestamp(removal.at / 1000, UTC).date()
            yield f"table {removal.table_id}: removed on {day} after {removal.last_seq} entries, head {removal.head}"


async def _missing_heads(ledger: Ledger, heads: Sequence[PostedHead]) -> tuple[list[str], list[str]]:
    """Return a line for each head of a table that was removed since, and one for each head that is missing."""
    kept = await ledger.tables.unremoved()
    ended = {each.table_id: each for each in await ledger.tables.removed() if each.table_id not in kept}
    listed = {row.id for row in await ledger.tables.all_tables()}
    gone, missing = set[str](), set[str]()
    for head in heads:
        last = [each for each in ended.values() if each.head.startswith(head.hash)]
        if head.table in listed or any(head.table in (None, each.table_id) for each in last):
            continue  # `_verify_tables` has checked it, or it is the last of a removed table
        if head.table in ended:
            gone.add(f"table {head.table}: was removed since, so its head {head.hash[:HEAD_DIGITS]} can't be checked")
        elif head.table is not None:
            missing.add(f"table {head.table}: is not in this ledger, so its head can't be checked")
        elif not any([await has_head(ledger, table_id, head) for table_id in listed]):
            perhaps = ", or is of a table that was removed" if ended else ""
            missing.add(f"no table of this ledger has an entry {head}: it was cut off or rewritten{perhaps}")
    return sorted(gone), sorted(missing)


# ---------------------------------------------------------------- exporting


async def export_table(
    url: str,
    table_id: int,
    file_format: Format,
    user_id: int | None,
    *,
    key: KeySource = None,
    tell: Tell = silent,
) -> bytes:
    """Return a table's ledger as a file, as everybody may see it or, with ``user_id``, as that person may.

    Raises `OperatorError` when there is no such ledger, table or person, or when it can't be read or verified.
    """
    async with opened(url, key, reading=True) as ledger:
        tell(f"table {table_id}: read", 0, 3)
        source = await _source(ledger, table_id, user_id)
        tell(f"table {table_id}: verify", 1, 3)
        if (bad := await ledger.entries.verify(table_id)) is not None:
            raise OperatorError(
                f"Table {table_id} was changed by hand, so it is not exported: entry {bad.seq}: {bad.reason}."
            )
        tell(f"table {table_id}: write", 2, 3)
        return export(file_format, source)


async def _source(ledger: Ledger, table_id: int, user_id: int | None) -> ExportSource:
    """Return the source of an export. Raises `OperatorError` when there is no such table or person."""
    try:
        return await export_for(ledger, table_id, user_id)
    except UnknownPerson:
        raise OperatorError(f"Nobody with the Discord id {user_id} is known at table {table_id}.") from None
    except Refused:
        raise OperatorError(f"There is no table {table_id} in this ledger. bourse verify lists the tables.") from None


# ---------------------------------------------------------------- the ledger


@asynccontextmanager
async def opened(url: str, key: KeySource, *, reading: bool = False) -> AsyncIterator[Ledger]:
    """Open an existing ledger, and close it at the end. Turns `LedgerError` into `OperatorError`.

    With ``reading``, nothing is changed, also if an older Bourse wrote it; see `Ledger.open`.
    """
    try:
        ledger = await Ledger.open(url, key, create=False, reading=reading)
        try:
            yield ledger
        finally:
            await ledger.close()
    except LedgerError as error:
        raise OperatorError(str(error)) from error
