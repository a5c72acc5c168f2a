"""Commands that work on the ledger without Discord: verify, export a table."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from datetime import UTC, datetime

from bot.cli.output import Echo, Tell, silent
from bot.errors import OperatorError
from bot.exports import Format, export
from bot.ledger import KeySource, Ledger, LedgerError, Removal, held_alone
from bot.rules.model.violation import Refused
from bot.service import (
    HEAD_DIGITS,
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
    """Parse a posted head: ``TABLE:HASH``, or a line copied from the channel. Raises
    `OperatorError`.
    """
    head = read_head(text)
    if head is None:
        raise OperatorError(
            f"{text!r} is not a head such as TABLE:HASH or '#41 HASH': it needs at least the first "
            f"{HEAD_DIGITS} "
            "digits of a hash, 0-9 and a-f."
        )
    return head


async def verify_ledger(
    url: str,
    heads: Sequence[PostedHead],
    echo: Echo,
    *,
    key: KeySource = None,
    tell: Tell = silent,
) -> int:
    """Verify the whole ledger, write the findings to ``echo``, and return the exit code.

    It is 0, or 1 if there is a fault, or else 3 if a table can't be read here, because its game is
    not installed or the installed version can't read it. The chain of such a table is checked, not
    what its entries lead to. It is 3 also if a head is from before the end of a table that was
    removed since.

    For each table, check what `/audit verify` checks and that the posted ``heads`` are still in it.
    Then check that no table is missing and that the tables listed as removed are gone.

    Raises `OperatorError` when there is no ledger, or it can't be read.
    """
    faults, unread = 0, 0
    async with opened(url, key, reading=True) as ledger:
        rows = await ledger.tables.all_tables()
        for number, row in enumerate(rows):
            tell(f"table {row.id}", number, len(rows))
            bad, why = await check_table(
                ledger, row.id, [head for head in heads if head.table == row.id]
            )
            faults, unread = faults + (bad is not None), unread + bool(why)
            last = await ledger.entries.stored_head(row.id)
            found = (
                f"entry {bad.seq}: {bad.reason}" if bad else f"{last.seq} entries, head {last.hash}"
            )
            echo(f"table {row.id} ({row.name}): {found}")
            if why:
                echo(
                    f"table {row.id} ({row.name}): the chain holds, but what it leads to can't be "
                    f"checked {why}"
                )
        removed, unremoved = await ledger.tables.removed(), await ledger.tables.unremoved()
        gone = {
            removal.table_id: removal for removal in removed if removal.table_id not in unremoved
        }
        for removal in gone.values():
            day = datetime.fromtimestamp(removal.at / 1000, UTC).date()
            echo(
                f"table {removal.table_id}: removed on {day} after {removal.last_seq} entries, "
                f"head {removal.head}"
            )
        for line in (bad_lines := await ledger_faults(ledger)):
            echo(line)
        uncheckable, missing = await _missing_heads(ledger, heads, {row.id for row in rows}, gone)
        for line in (*uncheckable, *missing):
            echo(line)
        if not rows and not removed and not bad_lines and not missing:
            echo("There are no tables in this ledger yet.")
        if faults or bad_lines or missing:
            return 1
        return 3 if unread or uncheckable else 0


async def _missing_heads(
    ledger: Ledger,
    heads: Sequence[PostedHead],
    listed: Collection[int],
    gone: Mapping[int, Removal],
) -> tuple[list[str], list[str]]:
    """Return a line for each head of a table that was removed since, and one for each head that is
    missing.

    ``listed`` are the numbers of the tables in the ledger, ``gone`` the removals of the others by
    their numbers.
    """
    uncheckable, missing = set[str](), set[str]()
    for head in heads:
        removed = gone.values()
        last = [removal.table_id for removal in removed if removal.head.startswith(head.hash)]
        if head.table in listed or head.table in last or (head.table is None and last):
            continue  # `verify_ledger` has checked it, or it is the last of a removed table
        if head.table in gone:
            uncheckable.add(
                f"table {head.table}: was removed since, so its head {head.hash[:HEAD_DIGITS]} "
                "can't be checked"
            )
        elif head.table is not None:
            missing.add(f"table {head.table}: is not in this ledger, so its head can't be checked")
        elif not any([await has_head(ledger, table_id, head) for table_id in listed]):
            perhaps = ", or is of a table that was removed" if gone else ""
            missing.add(
                f"no table of this ledger has an entry {head}: it was cut off or rewritten{perhaps}"
            )
    return sorted(uncheckable), sorted(missing)


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
    """Return a table's ledger as a file, as everybody may see it or, with ``user_id``, as that
    person may.

    Raises `OperatorError` when there is no such ledger, table or person, or when it can't be read
    or verified.
    """
    async with opened(url, key, reading=True) as ledger:
        tell(f"table {table_id}: read", 0, 3)
        try:
            source = await export_for(ledger, table_id, user_id)
        except UnknownPerson:
            raise OperatorError(
                f"Nobody with the Discord id {user_id} is known at table {table_id}."
            ) from None
        except Refused:
            raise OperatorError(
                f"There is no table {table_id} in this ledger. bourse verify lists the tables."
            ) from None
        tell(f"table {table_id}: verify", 1, 3)
        if (bad := await ledger.entries.verify(table_id)) is not None:
            raise OperatorError(
                f"Table {table_id} was changed by hand, so it is not exported: entry {bad.seq}: "
                f"{bad.reason}."
            )
        tell(f"table {table_id}: write", 2, 3)
        return export(file_format, source)


# ---------------------------------------------------------------- the ledger


@asynccontextmanager
async def opened(url: str, key: KeySource, *, reading: bool = False) -> AsyncIterator[Ledger]:
    """Open an existing ledger, and close it at the end. Turns `LedgerError` into `OperatorError`.

    With ``reading``, nothing is changed, also if an older Bourse wrote it; see `Ledger.open`.
    Otherwise the bot is kept off a SQLite file meanwhile.
    """
    try:
        with nullcontext() if reading else held_alone(url):
            ledger = await Ledger.open(url, key, create=False, reading=reading)
            try:
                yield ledger
            finally:
                await ledger.close()
    except LedgerError as error:
        raise OperatorError(str(error)) from error
