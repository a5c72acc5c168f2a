"""Tests that owed messages are delivered by themselves, urgent ones first: in `make long`.

`python -m tests.tools.debts` shows it with 2,000 tables.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools import debts

pytestmark = [pytest.mark.wire, pytest.mark.long]

TABLES = 100


def said_too_fast(figures: debts.Figures) -> list[str]:
    """The limits that Discord had to name; but for answers to interactions there is no budget."""
    return [route for route in figures.refused if "callback" not in route]


def at_once(heard: debts.Bells) -> None:
    """Bells came before most of what is owed.

    Requests that were under way come first: some 50 at most, or a hundred on a very busy machine,
    whose bot has several seconds of them under way. Where priorities are ignored, it is 250 and
    more, or bells are not heard at all.
    """
    assert heard.most_behind <= 150


async def test_after_an_outage_all_that_is_owed_comes_once_the_urgent_first(tmp_path: Path) -> None:
    told = await debts.recovery(tmp_path, tables=TABLES, owed=120, outage=1.5)
    print(told)
    assert told.seconds["dm"] <= told.seconds["board"], "what somebody must act on goes first"
    assert (told.doubled, said_too_fast(told)) == (0, [])


async def test_a_program_that_is_restarted_again_and_again_tells_everybody(tmp_path: Path) -> None:
    told = await debts.restarts(tmp_path, tables=TABLES, owed=120, every=1.0)
    print(told)
    assert told.doubled == 0


async def test_bells_are_heard_at_once_though_much_is_owed_after_a_start(tmp_path: Path) -> None:
    heard = await debts.bells(tmp_path, tables=150, owed=420, rings=6)
    print(heard)
    at_once(heard)


async def test_bells_are_heard_at_once_though_discord_refuses_what_others_are_owed(
    tmp_path: Path,
) -> None:
    heard = await debts.refused(tmp_path, tables=150, owed=300, rings=6)
    print(heard)
    at_once(heard)
