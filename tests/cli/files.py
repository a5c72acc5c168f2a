"""Ledgers in files for tests: written by the ledger, changed by hand, verified by the command
line.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from bot.cli import maintenance
from bot.ledger import Ledger, Person
from bot.rules.entries import Entry
from bot.rules.features.holdings import Gained
from bot.rules.features.offers.entries import Period, Signed
from bot.rules.features.tables import TableClosed
from bot.rules.model.goods import Change, Goods
from bot.service.auditing import PostedHead

AT = 1_700_000_000_000
ALICE = Person(1, 2**61 + 1, "Alice")


def gained() -> Entry:
    return Gained(seat="hacan", changes={"hacan": Change(gained=Goods({"trade_good": 2}))})


def hidden() -> Entry:
    """An entry with something sealed for its parties."""
    return Gained(seat="crete", hidden={"crete": Change(gained=Goods({"salt": 3}))})


def signed(offer: int) -> Entry:
    return Signed(
        offer=offer, revision=1, seat="sol", window=4, during=Period("turn", "action", "sol")
    )


async def new_table(ledger: Ledger, entries: Sequence[Entry], game: str = "ti4") -> int:
    """A table with these entries as they are: nobody decided them."""
    table, _ = await ledger.entries.create_table(
        guild_id=2**60,
        channel_id=2**62,
        game=game,
        name="Friday",
        entries=entries[:1],
        at=AT,
        by=1,
        people=[ALICE],
        interaction=None,
    )
    await ledger.entries.append(table, await ledger.entries.head(table), entries[1:], at=AT, by=1)
    return table


async def add(ledger: Ledger, table: int, entry: Entry, *, closes: bool = False) -> None:
    entries = [entry, TableClosed()] if closes else [entry]
    await ledger.entries.append(table, await ledger.entries.head(table), entries, at=AT, by=1)


def by_hand(file: Path, *statements: str) -> None:
    """Change a database behind the ledger's back, without its triggers."""
    connection = sqlite3.connect(file)
    with connection:
        for name in ("update", "delete", "replace"):
            connection.execute(f"DROP TRIGGER IF EXISTS entries_no_{name}")
        for statement in statements:
            connection.execute(statement)
    connection.close()


async def verified(file: Path, *heads: tuple[int, str]) -> tuple[int, str]:
    """What `bourse verify` says of this file, in one text, and its exit code."""
    lines: list[str] = []
    posted = [PostedHead(head, table) for table, head in heads]
    code = await maintenance.verify_ledger(f"sqlite:///{file}", posted, lines.append)
    return code, "\n".join(lines)
