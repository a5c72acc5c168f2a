"""The length and seeds of random tests, and which variants wait for `make long`.

`make test` tries the same everywhere. `make long` tries more, from fresh seeds, and prints
the first: `make long SEED=…` repeats it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from hypothesis import Phase

SCALE = int(os.environ.get("SCALE_OF_TESTS", "1"))
"""How many times the usual number of examples."""

SEED = int(os.environ.get("SEED_OF_TESTS", "0"))
"""The first seed."""


PHASES = [Phase.explicit, Phase.reuse, Phase.generate]
if SCALE > 1:  # shrinking a table with a past takes minutes: only where time is no matter
    PHASES.append(Phase.shrink)


def at_scale(short: int, long: int) -> int:
    """Return how much of a random test there is: `short` in `make test`, `long` times the scale in
    `make long`.
    """
    return short if SCALE == 1 else long * SCALE


def seeds(count: int) -> range:
    """Return so many seeds."""
    return range(SEED, SEED + count)


def variants(*cases: Any) -> list[Any]:
    """Return the cases of a parametrized test: the first runs always, the others in `make long`
    only.
    """
    first, *others = cases
    return [first, *long(others)]


def long(cases: Iterable[Any]) -> list[ParameterSet]:
    """Return cases that run in `make long` only."""
    waiting = []
    for case in cases:
        values, marks, id = case if isinstance(case, ParameterSet) else (case, (), None)
        if not isinstance(values, tuple):
            values = (values,)
        waiting.append(pytest.param(*values, marks=[*marks, pytest.mark.long], id=id))
    return waiting
