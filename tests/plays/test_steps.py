"""Tests of the number of steps in a trade: presses, choices, forms, and typed words."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from bot.rehearsal.grammar import read_file
from bot.rehearsal.script import Act, Choose, Play, PressStep, RecordsEntries
from tests.plays.played import HERE

FIVE_MINUTES = "advciv/five_minutes_by_thumb.play"
TRADES, POSTER_MOST, TAKER_MOST, TAPS_MOST = 12, 5, 2, 86
ON_A_PHONE = 118
"""As `TAPS_MOST`; but a phone's menu is also opened and closed, a tap each."""


def trades(play: Play) -> list[list[Act]]:
    """Return what people do for each trade, from the opening of trading on."""
    found: list[list[Act]] = [[]]
    began = next(at for at, step in enumerate(play.steps) if "/trading open" in step.text)
    for step in play.steps[began + 1 :]:
        assert isinstance(step.action, Act), step.text
        found[-1].append(step.action)
        if any(each.condition == RecordsEntries("transaction") for each in step.expectations):
            found.append([])
    return found[:-1]


def taps(act: Act) -> int:
    """Return the taps of a press or a choice: each tick in a menu counts."""
    return len(act.action.labels) if isinstance(act.action, Choose) else 1


def test_five_minutes_of_advanced_civilization_by_thumb() -> None:
    """Twelve trades without a key; the poster takes five steps at most, the taker two.
    `test_advciv` plays it.
    """
    every = trades(read_file(HERE / FIVE_MINUTES))
    assert len(every) == TRADES
    needed = sum(map(taps, chain.from_iterable(every)))
    assert needed <= TAPS_MOST, "123 before a pair was one tick"
    menus = sum(isinstance(act.action, Choose) for act in chain.from_iterable(every))
    assert needed + 2 * menus <= ON_A_PHONE, "193 before"
    for acts in every:
        assert all(isinstance(act.action, PressStep | Choose) for act in acts), "nothing is typed"
        steps = Counter(act.who for act in acts)
        poster = acts[0].who
        (taker,) = set(steps) - {poster}
        assert (steps[poster] <= POSTER_MOST, steps[taker] <= TAKER_MOST) == (True, True), acts
