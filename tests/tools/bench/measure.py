"""Measures a line: two sides in turns, several rounds, and the median of the rounds' ratios.

The two sides of a round run directly after each other, so that a slow moment of the machine hits
both. Which one goes first changes from round to round.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from statistics import median


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to measure. ``rounds`` is 5 or more; ``seconds`` is about what one side of a round
    takes.

    ``trades`` are those of a long table, beyond those of a short one; ``tables`` and ``entries``
    those of a large ledger, ``served`` the tables that one process serves. ``sparing``: what is not
    measured takes as little time as can be.
    """

    rounds: int
    seconds: float
    trades: int
    tables: int = 100
    entries: int = 10_000
    served: int = 120
    sparing: bool = False


FULL = Effort(rounds=9, seconds=1.0, trades=3328, tables=10_000, entries=1_000_000, served=10_000)
QUICK = Effort(
    rounds=5, seconds=0.15, trades=320, tables=1_000, entries=100_000, served=120, sparing=True
)


class Unavailable(Exception):
    """A line cannot be measured here. The text is a sentence with the reason. Raised as the line is
    prepared.
    """


@dataclass(frozen=True, slots=True)
class Sides:
    """The two sides of a line, ready to be measured. Each call measures one round and returns its
    figure.

    ``notes`` are further figures that came up on the way, by what they count: "statements a
    command".
    """

    over: Callable[[], Awaitable[float]]
    under: Callable[[], Awaitable[float]]
    notes: Callable[[], Mapping[str, float]] = dict


@dataclass(frozen=True, slots=True)
class Line:
    """A benchmark: ``over`` / ``under``, two figures in these units. ``about`` says in a sentence
    what they are.

    ``warm_up``: whether it has a first round that does not count.
    """

    name: str
    about: str
    over: str
    under: str
    prepare: Callable[[Effort], AbstractAsyncContextManager[Sides]]
    warm_up: bool = True


@dataclass(frozen=True, slots=True)
class Result:
    """What was measured: both figures of every round."""

    line: Line
    rounds: tuple[tuple[float, float], ...]
    notes: Mapping[str, float] = field(default_factory=dict)

    @property
    def ratios(self) -> list[float]:
        """The ratio of each round, smallest first."""
        return sorted(over / under for over, under in self.rounds)

    @property
    def ratio(self) -> float:
        """The median of the ratios; not the ratio of the medians."""
        return median(self.ratios)

    @property
    def over(self) -> float:
        """The median figure of the first side."""
        return median(over for over, _ in self.rounds)

    @property
    def under(self) -> float:
        """The median figure of the second side."""
        return median(under for _, under in self.rounds)


def line(
    name: str, *, over: str, under: str, about: str, warm_up: bool = True
) -> Callable[[Callable[[Effort], AsyncIterator[Sides]]], Line]:
    """Make a line of a function that prepares its sides, yields them once, and clears up."""

    def make(prepare: Callable[[Effort], AsyncIterator[Sides]]) -> Line:
        return Line(name, about, over, under, asynccontextmanager(prepare), warm_up)

    return make


async def measure(line: Line, effort: Effort) -> Result:
    """Measure a line. The first time on each side is not counted: caches fill, modules load, files
    grow.

    Raises `Unavailable` when it can't be measured here.
    """
    async with line.prepare(effort) as sides:
        if line.warm_up:
            await _round(sides, 0)
        rounds = tuple([await _round(sides, number) for number in range(effort.rounds)])
        return Result(line, rounds, sides.notes())


async def _round(sides: Sides, number: int) -> tuple[float, float]:
    """Measure both sides once, in the order of this round."""
    if number % 2:
        under = await sides.under()
        return await sides.over(), under
    over = await sides.over()
    return over, await sides.under()
