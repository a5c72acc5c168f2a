"""What an act costs in requests, and how soon the other one knows. The figures are printed: `pytest -s`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.bench.lines.wire import statements, told
from bot.bench.measure import QUICK, measure
from bot.bench.report import as_text
from tests.soak import timing

pytestmark = pytest.mark.wire


async def test_an_act_costs_as_much_however_many_offers_stand(tmp_path: Path) -> None:
    costs = await timing.costs(tmp_path, standing=20)
    print(*costs, sep="\n")
    assert [str(each) for each in costs if each.requests > each.allowed] == []


@pytest.mark.slow
async def test_so_it_is_where_hands_are_hidden(tmp_path: Path) -> None:
    costs = await timing.hidden_costs(tmp_path)
    print(*costs, sep="\n")
    assert [str(each) for each in costs if each.requests > each.allowed] == []


async def test_the_other_one_knows_within_two_request_times() -> None:
    result = await measure(told, replace(QUICK, rounds=2))
    print(as_text(result))
    assert result.ratio <= 2


async def test_an_accept_takes_two_commits_and_six_statements() -> None:
    result = await measure(statements, replace(QUICK, rounds=5))
    print(as_text(result))
    assert result.reached


@pytest.mark.slow
async def test_the_bell_is_heard_after_ten_requests_at_most(tmp_path: Path) -> None:
    cost = await timing.bell(tmp_path)
    print(cost)
    assert cost.requests <= cost.allowed
