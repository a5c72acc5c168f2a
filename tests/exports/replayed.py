"""Exports tables as plays, runs those, and compares: ``python -m tests.exports.replayed [PLAY...]``
tries many.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bot.exports import export
from bot.ledger import Ledger
from bot.rehearsal.grammar import read_file, read_play
from bot.rehearsal.plays import run_play
from bot.rehearsal.report import Report
from bot.rules.model.table import Table
from bot.service import ExportSource, Service, export_for
from bot.service.records import TableRecords
from tests.exports.tables import held
from tests.plays.played import HERE, on_a_copy


class Ended(NamedTuple):
    """How a table ended: everything at it by seat, place and component, and the number of
    transactions.
    """

    held: dict[tuple[str, str, str], int]
    transactions: int


@dataclass
class Replayed:
    """A table that was exported as a play, and what came of running it. ``unlike`` is empty if both
    ended the same.
    """

    text: str
    report: Report
    was: Ended
    now: Ended

    @property
    def unlike(self) -> str:
        if self.was == self.now:
            return ""
        parts = [
            f"{key}: {self.was.held.get(key, 0)} -> {self.now.held.get(key, 0)}"
            for key in sorted({*self.was.held, *self.now.held})
            if self.was.held.get(key) != self.now.held.get(key)
        ]
        return f"transactions {self.was.transactions} -> {self.now.transactions}; " + "; ".join(
            parts
        )


def ended(table: Table) -> Ended:
    return Ended(held(table), table.transactions)


def kept(play: Path, folder: Path) -> str:
    """Run a play and return the URL of its database."""
    run_play(read_file(play), factory=on_a_copy, keep=folder)
    return f"sqlite:///{folder / f'{play.stem}.play.db'}"


async def tables_of(url: str, *, close: bool = True) -> list[tuple[Table, ExportSource]]:
    """Return the tables of a ledger, closed first if ``close``, with what everybody may then read
    of them.
    """
    ledger = await Ledger.open(url, create=False)
    try:
        found = []
        for row in await ledger.tables.listed():
            if row.closed_at is None and close:
                await Service(ledger, lambda: datetime.now(UTC)).close_for_operator(row.id)
            record = await TableRecords(ledger).load(row.id)
            found.append((record.table, await export_for(ledger, row.id, None)))
        return found
    finally:
        await ledger.close()


def replayed(source: ExportSource, was: Table, folder: Path) -> Replayed:
    """Export a table as a play, run it, and return how both ended."""
    text = export("play", source).decode()
    play = read_play(text, "exported.play")
    report = run_play(play, factory=on_a_copy, keep=folder)
    [(now, _)] = asyncio.run(tables_of(f"sqlite:///{folder / 'exported.play.db'}", close=False))
    return Replayed(text, report, ended(was), ended(now))


def main(files: list[Path]) -> None:
    """Print each play whose table does not end as it did."""
    for file in files:
        with TemporaryDirectory() as folder:
            for was, source in asyncio.run(tables_of(kept(file, Path(folder)))):
                found = replayed(source, was, Path(folder) / "again")
                bad = next((line for line in found.report.lines if line.ok is False), None)
                if found.unlike or bad:
                    print(file.name, found.unlike)
                    print(f"    {bad.line}: {bad.text}: {bad.reason}" if bad else "")


if __name__ == "__main__":
    main([Path(each) for each in sys.argv[1:]] or sorted(HERE.rglob("*.play")))
