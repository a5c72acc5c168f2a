"""Ledgers in files for tests: written by the ledger, verified by the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bot.cli import maintenance
from bot.ledger import Ledger
from bot.rules.entries import Entry
from bot.service.auditing import PostedHead
from tests.ledger.samples import ALICE, AT


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
    head = await ledger.entries.head(table)
    await ledger.entries.append(table, head, entries[1:], at=AT, by=1)
    return table


async def verified(file: Path, *heads: tuple[int, str]) -> tuple[int, str]:
    """What `bourse verify` says of this file, in one text, and its exit code."""
    lines: list[str] = []
    posted = [PostedHead(head, table) for table, head in heads]
    code = await maintenance.verify_ledger(f"sqlite:///{file}", posted, lines.append)
    return code, "\n".join(lines)
