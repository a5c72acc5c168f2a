"""What the command line does with a ledger, without Discord: check it, and write a table of it to a file."""

from __future__ import annotations

import argparse
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from bot.desk import NOBODY, Desk, read_snapshot
from bot.exports import Format, Source, export
from bot.ledger import Bad, Ledger, LedgerError
from bot.rules.apply import replay
from bot.rules.books import steps
from bot.rules.game import game_named
from bot.rules.ruling import Refused
from bot.stop import Stop

Head = tuple[int, str]
"""A table's number, and a hash that its ledger once ended with."""


async def verify(url: str, heads: Sequence[Head], say: Callable[[str], object]) -> int:
    """Check every table's chain, its snapshot, that each head somebody kept is still in it, and that chance was not
    helped along; then that no table is missing in the directory, and none is said to be removed that is not. Gives the
    exit code, 0 or 1.

    Raises `Stop` when the ledger can't be read.
    """
    async with _opened(url) as ledger:
        bad = 0
        rows = await ledger.all_tables()
        for row in rows:
            found = (
                await ledger.verify(row.id)
                or await _cut(ledger, row.id, heads)
                or await _drifted(ledger, row.id)
                or await _loaded(ledger, row.id)
            )
            bad += found is not None
            seq, head = await ledger.head(row.id)
            told = f"entry {found.seq}: {found.why}" if found else f"{seq} entries, head {head}"
            say(f"table {row.id} ({row.name}): {told}")
        for table_id in await ledger.unlisted():
            bad += 1
            say(f"table {table_id}: has entries, but was taken out of the list of tables by hand")
        removed, kept = await ledger.removed(), await ledger.unremoved()
        for gone in removed:
            if gone.table_id in kept:
                bad += 1
                say(f"table {gone.table_id}: is said to be removed, but its entries are there, or it was never closed")
                continue
            when = datetime.fromtimestamp(gone.at / 1000, UTC)
            say(f"table {gone.table_id}: removed on {when:%Y-%m-%d} after {gone.seq} entries, head {gone.hash}")
        ended = {(gone.table_id, gone.hash) for gone in removed if gone.table_id not in kept}
        for table_id in sorted({head[0] for head in heads if head not in ended} - {row.id for row in rows}):
            bad += 1
            say(f"table {table_id}: is not in this ledger, so nothing can be held against its head")
        return 1 if bad else 0


async def written(url: str, table_id: int, form: Format, user_id: int | None) -> bytes:
    """A table's ledger as a file: for everybody, or as one of its people may see it.

    Raises `Stop` when there is no such table or person, or the ledger can't be read.
    """
    async with _opened(url) as ledger:
        try:
            look = await Desk(ledger, lambda: datetime.now(UTC)).look(table_id)
        except Refused:
            raise Stop(f"There is no table {table_id} in this ledger; bourse verify lists those there are.") from None
        if user_id is not None and look.person(user_id) is None:
            raise Stop(f"Nobody with the Discord id {user_id} is known at table {table_id}.")
        if (bad := await ledger.verify(table_id)) is not None:
            raise Stop(f"Table {table_id} was changed by hand, so it is not written: entry {bad.seq}: {bad.why}.")
        upto = look.table.seq
        return export(
            form,
            Source(
                table_id,
                look.people,
                steps(await ledger.read(table_id, upto=upto)),
                await ledger.published(table_id, upto=upto),
                await ledger.sealed(table_id),
                look.viewer(user_id or NOBODY),
            ),
        )


def read_head(text: str) -> Head:
    """``TABLE:HASH`` as it is typed."""
    table, _, head = text.partition(":")
    if not re.fullmatch(r"\d{1,18}", table) or not re.fullmatch(r"[0-9a-f]{64}", head):
        raise argparse.ArgumentTypeError(f"{text!r} is not TABLE:HASH, the hash being 64 of 0-9 and a-f")
    return int(table), head


def read_viewer(text: str) -> int | None:
    """``public`` or somebody's Discord id as it is typed."""
    if text == "public":
        return None
    if not re.fullmatch(r"\d{1,20}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is neither public nor a Discord id such as 81384788765712384")
    return int(text)


async def _cut(ledger: Ledger, table_id: int, heads: Sequence[Head]) -> Bad | None:
    """Whether a head that somebody kept is missing in a sound chain: then its end was cut off, or all written anew."""
    for table, head in heads:
        if table == table_id and await ledger.numbered(table_id, head) is None:
            last, _ = await ledger.head(table_id)
            return Bad(last + 1, f"the entry is missing: none of the {last} that are there has the hash {head}")
    return None


async def _loaded(ledger: Ledger, table_id: int) -> Bad | None:
    """Whether chance was helped along: what was shuffled and drawn is not what the sealed seed leads to."""
    try:
        life = steps(await ledger.read(table_id))
    except (LookupError, ValueError, TypeError, Refused):  # nobody can tell what was drawn from where
        return None
    doubted = ((step.recorded.seq, game_named(step.after.game).doubts(step.before, step.entry)) for step in life)
    return next((Bad(seq, why) for seq, why in doubted if why), None)


async def _drifted(ledger: Ledger, table_id: int) -> Bad | None:
    """Whether what is saved of a table, to read it sooner, is other than its entries lead to."""
    saved = await ledger.snapshot(table_id)
    table = read_snapshot(*saved) if saved else None
    if saved is None or table is None:  # what can't be read is not used either
        return None
    try:
        entries = await ledger.read(table_id, upto=saved[0])
        same = replay(recorded.entry for recorded in entries) == table
    except (LookupError, ValueError, TypeError, Refused):
        return Bad(saved[0], "the entries up to here don't follow from each other")
    return None if same else Bad(saved[0], "the snapshot saved after it is not what the entries lead to")


@asynccontextmanager
async def _opened(url: str) -> AsyncIterator[Ledger]:
    try:
        ledger = await Ledger.open(url)
        try:
            yield ledger
        finally:
            await ledger.close()
    except LedgerError as error:
        raise Stop(str(error)) from error
