"""Tests of an act's requests. The figures are printed: `pytest -s`.

All are found out at the same time, each with a Discord and a bot of its own, since they mostly
wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from tests.soak import timing
from tests.tools.bench.lines.wire import statements
from tests.tools.bench.measure import QUICK, measure
from tests.tools.bench.report import as_text

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]

Costs = Mapping[str, asyncio.Task[Any]]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def costs(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Costs]:
    """What is counted, as it becomes known."""
    folder = tmp_path_factory.mktemp("costs")
    for name in ("open", "hidden", "bell"):
        (folder / name).mkdir()

    async def bell() -> list[timing.Cost]:
        return [await timing.bell(folder / "bell")]

    counting = {
        "open": asyncio.create_task(timing.costs(folder / "open")),
        "hidden": asyncio.create_task(timing.hidden_costs(folder / "hidden")),
        "bell": asyncio.create_task(bell()),
        "statements": asyncio.create_task(measure(statements, replace(QUICK, rounds=5))),
    }
    yield counting
    await asyncio.gather(*counting.values(), return_exceptions=True)


def too_much(costs: list[timing.Cost]) -> list[str]:
    """The acts that cost more than they may, with those before: a request that is late is counted
    for the next act.
    """
    print(*costs, sep="\n")
    too_many = []
    spent = allowed = 0
    for cost in costs:
        spent += cost.requests
        allowed += cost.allowed
        if spent > allowed:
            too_many.append(str(cost))
    return too_many


async def test_an_act_costs_as_much_however_many_offers_stand(costs: Costs) -> None:
    assert too_much(await costs["open"]) == []


async def test_so_it_is_where_hands_are_hidden(costs: Costs) -> None:
    assert too_much(await costs["hidden"]) == []


async def test_the_bell_is_heard_after_ten_requests_at_most(costs: Costs) -> None:
    assert too_much(await costs["bell"]) == []


async def test_an_accept_takes_two_commits_and_six_statements(costs: Costs) -> None:
    result = await costs["statements"]
    print(as_text(result))
    # On a busy machine, what was shown is written before the next commit comes. So the round that
    # was disturbed least counts.
    assert min(result.ratios) <= 6
    assert result.notes["commits an accept"] <= 2
