"""Tests of `make bench`: its options, figures and output. None is about speed."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.errors import OperatorError
from bot.ledger import Ledger
from bot.rules import snapshots
from bot.rules.apply import replay
from bot.rules.features.offers.entries import Transaction
from bot.rules.model.table import Table
from tests.tools.bench.counting import counting
from tests.tools.bench.lines import LINES
from tests.tools.bench.lines.length import SHORT
from tests.tools.bench.lines.settle import WHOLE
from tests.tools.bench.measure import FULL, QUICK, Effort, Result, Sides, Unavailable, line, measure
from tests.tools.bench.report import as_text, figure
from tests.tools.bench.run import chosen, run
from tests.tools.bench.workload import COMMANDS, SEATS, Bench, bench, trade

ROOT = Path(__file__).resolve().parents[3]
EFFORT = Effort(rounds=5, seconds=0, trades=0)


async def table_of(opened: Bench, table_id: int) -> Table:
    return replay(
        (one.entry for one in await opened.ledger.entries.read(table_id)), Table(id=table_id)
    )


# ---------------------------------------------------------------- the command


@pytest.mark.long
def test_the_benchmarks_print_an_object_with_every_round(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.tools.bench", "--quick", "--json", "--only", "hop,settle-1"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    found = json.loads(done.stdout)
    assert [each["line"] for each in found["lines"]] == ["settle-1", "hop"]
    for each in found["lines"]:
        over, under = each["over"]["rounds"], each["under"]["rounds"]
        ratios = [one / other for one, other in zip(over, under, strict=True)]
        assert len(ratios) >= 5
        assert (each["ratio"], each["low"], each["high"]) == (
            statistics.median(ratios),
            min(ratios),
            max(ratios),
        )
        assert each["low"] > 0
    assert found["machine"].keys() >= {"processors", "python", "sqlite"}
    assert list(tmp_path.iterdir()) == []  # it leaves nothing behind


def test_a_line_that_there_is_not_is_one_sentence() -> None:
    with pytest.raises(
        OperatorError, match=r"'settle-65'.*: expected settle-64, settle-1, hop, .*\.$"
    ):
        chosen(["hop", "settle-65"])
    assert chosen([]) == list(LINES)


@pytest.mark.long
def test_a_result_as_text() -> None:
    line = replace(
        LINES[1], name="sample", about="What it is.", over="commands/s", under="commits/s"
    )
    result = Result(line, ((300, 1000), (1500, 1000), (200, 1000)), {"statements a command": 2})
    first, second = as_text(result).splitlines()
    assert " ".join(first.split()) == (
        "sample 0.3 (0.2–1.5 in 3 rounds) 300 commands/s / 1,000 commits/s; 2 statements a command"
    )
    assert second.strip() == "What it is."
    assert [figure(value) for value in (0.01234, 12.34, 999.4, 999.6, 12345.6)] == [
        "0.0123",
        "12.3",
        "999",
        "1,000",
        "12,346",
    ]


# ---------------------------------------------------------------- the frame


@pytest.mark.long
async def test_the_sides_take_turns_and_the_first_round_does_not_count() -> None:
    called: list[str] = []

    async def side(name: str) -> float:
        called.append(name)
        return float(len(called))

    @line("sample", over="", under="", about="")
    async def sample(effort: Effort) -> AsyncIterator[Sides]:
        yield Sides(lambda: side("over"), lambda: side("under"), lambda: {"calls": len(called)})
        called.append("end")

    result = await measure(sample, EFFORT)
    assert called == ["over", "under"] * 2 + ["under", "over", "over", "under"] * 2 + ["end"]
    assert result.rounds == ((3, 4), (6, 5), (7, 8), (10, 9), (11, 12))
    assert result.ratio == statistics.median(result.ratios) == pytest.approx(11 / 12)
    assert result.notes == {"calls": 12}


@pytest.mark.long
async def test_a_line_that_needs_what_is_not_there_is_skipped_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @line("sample", over="", under="", about="")
    async def sample(effort: Effort) -> AsyncIterator[Sides]:
        raise Unavailable("there is no lathe.")
        yield

    monkeypatch.setattr("tests.tools.bench.run.LINES", (sample, LINES[2]))
    said: list[str] = []
    await run(["sample"], said.append, json=False, quick=True)
    assert said == ["sample     skipped: there is no lathe."]
    await run(["sample"], said.append, json=True, quick=True)
    assert (json.loads(said[1])["skipped"], json.loads(said[1])["lines"]) == (
        {"sample": "there is no lathe."},
        [],
    )


# ---------------------------------------------------------------- the work


@pytest.mark.long
async def test_a_trade_is_three_commands_and_one_transaction(tmp_path: Path) -> None:
    async with bench(tmp_path, 1) as opened:
        (table,) = opened.trades
        before = await table_of(opened, table)
        for made in range(1, len(SEATS) + 1):
            assert len(list(trade(made - 1))) == COMMANDS
            await opened.trade(table)
            after = await table_of(opened, table)
            assert (after.transactions, after.window.holder) == (made, SEATS[made % len(SEATS)])
        assert {seat.id: seat.holdings for seat in after.seats.values()} == {
            seat.id: seat.holdings for seat in before.seats.values()
        }


@pytest.mark.long
async def test_tables_trade_at_once(tmp_path: Path) -> None:
    async with bench(tmp_path, 3) as opened:
        assert await opened.commands_per_second(0) > 0
        for table in opened.trades:
            entries = await opened.ledger.entries.read(table)
            assert (
                sum(isinstance(one.entry, Transaction) for one in entries)
                == opened.trades[table]
                == 1
            )


@pytest.mark.long
async def test_trades_written_in_bulk_lead_to_the_same_table(tmp_path: Path) -> None:
    async with bench(tmp_path, 2) as opened:
        one, other = opened.trades
        await opened.write_trades(one, 9)
        opened.restart()
        for _ in range(9):
            await opened.trade(other)
        for table in (one, other):
            await opened.trade(table)
            assert await opened.ledger.entries.verify(table) is None
        assert replace(await table_of(opened, one), id=0) == replace(
            await table_of(opened, other), id=0
        )


async def test_the_tables_of_wake_are_equally_far_from_their_snapshots(tmp_path: Path) -> None:
    async with bench(tmp_path, 1) as opened:
        (table,) = opened.trades
        before = (await opened.ledger.entries.head(table)).seq
        await opened.trade(table)
        entries = (await opened.ledger.entries.head(table)).seq - before
    assert [
        entries * trades % snapshots.EVERY for trades in (FULL.trades, QUICK.trades, WHOLE)
    ] == [0, 0, 0]
    assert entries * SHORT >= snapshots.EVERY  # so each has one
    assert (before + entries * SHORT, entries * FULL.trades // 1000) == (104, 19)


# ---------------------------------------------------------------- counting


async def test_everything_that_is_asked_of_the_database_is_counted(tmp_path: Path) -> None:
    ledger = await Ledger.open(f"sqlite:///{tmp_path / 'bourse.db'}")
    try:
        await ledger.set_key_value("warm", "up")
        await ledger.key_value("warm")
        with counting() as counts:
            await ledger.key_value("warm")
            await ledger.key_value("warm")
            assert (counts.trips, counts.statements, counts.commits) == (2, 2, 0)
            await ledger.set_key_value("one", "more")
            assert (counts.trips, counts.statements, counts.commits) == (3, 4, 1)
        await ledger.key_value("warm")
        assert counts.trips == 3
    finally:
        await ledger.close()
