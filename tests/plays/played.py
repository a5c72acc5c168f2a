"""Runs each play once, for all the tests that look at what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import discord
import orjson
import pytest

from bot.rehearsal.grammar import read_file
from bot.rehearsal.plays import bourse, run_play
from bot.rehearsal.report import Report
from bot.rehearsal.stage import LedgerHandle
from tests.ledger.prepared import prepared

HERE = Path(__file__).parent
PLAYS = sorted(path.relative_to(HERE).as_posix() for path in HERE.rglob("*.play"))
ADVCIV = [name for name in PLAYS if name.startswith("advciv/")]
TI4 = [name for name in PLAYS if name.startswith("ti4/")]
OTHERS = [name for name in PLAYS if name not in {*ADVCIV, *TI4}]


@dataclass(frozen=True)
class Request:
    """A request the bot made of Discord, and the line of the play that led to it."""

    line: int
    method: str
    path: str
    body: bytes

    @property
    def json(self) -> Any:
        """The body, read anew: kept as texts, those of all plays give the garbage collector nothing to go through."""
        return orjson.loads(self.body)


@cache
def played(name: str) -> tuple[Report, list[Request]]:
    """What came of a play, and every request that the bot made in it."""
    with TemporaryDirectory() as folder:
        report = run_play(read_file(HERE / name), factory=on_a_copy, keep=Path(folder))
        kept = Path(folder, "requests.jsonl")
        lines = kept.read_bytes().splitlines() if kept.exists() else []
    rows = map(orjson.loads, lines)
    return report, [Request(row["line"], row["method"], row["path"], orjson.dumps(row["json"])) for row in rows]


def goes(name: str) -> None:
    """Fail unless a play goes as it says."""
    report, _ = played(name)
    if report.skipped is not None:
        pytest.skip(report.skipped)
    assert report.ok, f"\n{report}"


async def on_a_copy(url: str) -> tuple[discord.Client, LedgerHandle]:
    """Make the bot, on a copy of a database where it would have to make one."""
    if url.startswith("sqlite"):
        prepared(Path(url.removeprefix("sqlite:///")))
    return await bourse(url)


def texts_in(value: Any) -> Iterator[str]:
    """Every text in the body of a request."""
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from texts_in(each)
        case list():
            for each in value:
                yield from texts_in(each)
