"""A chart of the game: everybody's wealth over time, and who traded with whom.

It counts only goods that lie open, so it shows nothing hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin

from bot.rules.features.holdings import GoodsMoved
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.seats import SeatTaken
from bot.rules.features.tables import PhaseSet, SettingsChanged, TableOpened
from bot.rules.game import Game
from bot.rules.model.goods import Goods
from bot.rules.model.windows import Pair, pair
from bot.rules.views import EntryView, TableView
from bot.rules.vocabulary import kinds_of
from bot.show.names import game_of, name, seat_name
from bot.show.pictures import ALT_MAX, Picture
from bot.show.pictures.canvas import (
    CARD,
    DARK,
    FAINT,
    FELT,
    GREEN,
    MUTED,
    TEXT,
    Canvas,
    Point,
    drawable,
    drawn,
    fitted,
    mixed,
)

COLOURS = ("#f4f5f7", "#ff9f45", "#7fb2ff", "#3ddc97", "#ffe066", "#f58ad0", "#b99bff", "#ff7b6b")
"""The colour of each seat in turn. Each seat also has a mark, see `mark`."""


@dataclass(frozen=True)
class WealthLine:
    """A player's wealth after each step of the game."""

    id: str
    player: str
    short: str
    worth: tuple[int, ...]


@dataclass(frozen=True)
class Chart:
    """A game so far.

    ``counted`` says what counts as wealth, empty for nothing. ``rounds`` are the steps at which a
    round began. ``trades`` is each pair's number of transactions. ``about`` is the seat whose line
    is drawn thick. ``over``: the game is over.
    """

    counted: str
    lines: tuple[WealthLine, ...]
    rounds: tuple[int, ...]
    trades: Mapping[Pair, int]
    about: str | None = None
    over: bool = False


def chart_of(
    view: TableView, entries: Iterable[EntryView], about: str | None = None
) -> Chart | None:
    """Return the chart of a table from all its entries; None if nobody ever took a seat."""
    course = WealthHistory(game_of(view))
    course.add(entries)
    return course.chart(view, about)


def kinds() -> frozenset[str]:
    """Return all kinds of entry that a chart is made from."""
    return kinds_of(TableOpened, SettingsChanged, PhaseSet, GoodsMoved, SeatTaken)


class WealthHistory:
    """Sums up entries. A step is an entry that changes somebody's goods."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.tracked = True
        self.steps: list[dict[str, int]] = [{}]
        self.rounds: list[int] = []
        self.trades: Counter[Pair] = Counter()

    def add(self, entries: Iterable[EntryView]) -> None:
        """Count the next entries."""
        game = self._game

        def worth(goods: Goods) -> int:
            return game.wealth(goods).total()

        for entry in (each.entry for each in entries):
            gains: dict[str, int] = {}  # of open goods of the kinds that count
            match entry:
                case TableOpened(settings=settings) | SettingsChanged(settings=settings):
                    self.tracked = settings.inventory == "tracked"
                case PhaseSet(phase=phase) if phase == game.info.phases[0] and len(self.steps) > 1:
                    self.rounds.append(len(self.steps) - 1)
                case SeatTaken(seat=seat, start=start):
                    gains = {seat: worth(start)}
                case GoodsMoved(changes=changes) as moved:
                    if isinstance(moved, Transaction):
                        self.trades[pair(moved.first, moved.second)] += 1
                    if self.tracked or moved.always:
                        gains = {
                            seat: worth(each.gained) - worth(each.lost)
                            for seat, each in changes.items()
                        }
            if any(gains.values()):
                now = self.steps[-1]
                self.steps.append(
                    {**now, **{seat: now.get(seat, 0) + gain for seat, gain in gains.items()}}
                )

    def chart(self, view: TableView, about: str | None) -> Chart | None:
        """Return the chart of the entries so far; None if nobody ever took a seat."""

        # after each step, also of the seats that became this one
        def worth(seat: str) -> tuple[int, ...]:
            alike = [seat, *(before for before, now in view.became.items() if now == seat)]
            return tuple(sum(step.get(each, 0) for each in alike) for step in self.steps)

        lines = tuple(
            WealthLine(seat, name(view, seat), seat_name(view, seat), worth(seat))
            for seat, sits in view.seats.items()
            if seat not in view.became and (sits.person is not None or self.knows(seat))
        )
        # If hands are hidden, the open goods are not a player's wealth.
        counted = self._game.info.wealth if self.tracked and self._game.exchange is None else ""
        trades: Counter[Pair] = Counter()
        for (first, second), count in self.trades.items():
            trades[pair(view.became.get(first, first), view.became.get(second, second))] += count
        return Chart(counted, lines, tuple(self.rounds), dict(trades), about) if lines else None

    def knows(self, seat: str) -> bool:
        """Return whether a seat has something now, or has ever traded."""
        return bool(self.steps[-1].get(seat)) or any(seat in two for two in self.trades)


def wealth_picture(chart: Chart) -> Picture:
    """Draw the chart. Takes some tens of milliseconds."""
    return Picture(drawn(lambda: _draw(chart)), "wealth.png", alt(chart))


def alt(chart: Chart) -> str:
    """Return what the chart shows in words, with people's names, or with the seats' names if too
    long.
    """
    text = _alt(chart, {line.id: line.player for line in chart.lines})
    return (
        text
        if len(text) <= ALT_MAX
        else _alt(chart, {line.id: line.short for line in chart.lines})[:ALT_MAX]
    )


# ---------------------------------------------------------------- in words


def _alt(chart: Chart, called: Mapping[str, str]) -> str:
    parts = []
    if chart.counted:
        have = "; ".join(
            f"{called[line.id]} {line.worth[-1]} now, {max(line.worth)} at most"
            for line in chart.lines
        )
        parts.append(f"{chart.counted} over the game: {have}.")
    parts.append(f"Transactions: {_pairs(chart, called)}.")
    return " ".join(parts)


def _pairs(chart: Chart, called: Mapping[str, str]) -> str:
    """Return how often each pair has traded, grouped by the first seat."""
    order, groups = [line.id for line in chart.lines], []
    for number, first in enumerate(order):
        often = {other: chart.trades.get(pair(first, other), 0) for other in order[number + 1 :]}
        if others := [f"{called[other]} {times}" for other, times in often.items() if times]:
            groups.append(f"{called[first]} with {', '.join(others)}")
    return "; ".join(groups) or "none yet"


# ---------------------------------------------------------------- drawn

WIDTH, MARGIN, HEAD = 800, 24, 70
PLOT, LABELS = 400, 190
"""The height of the plot, and the width to its right for names."""
ROW = 56


def _draw(chart: Chart) -> Canvas:
    count = len(chart.lines)
    top = HEAD + PLOT + 76 if chart.counted else 0
    canvas = Canvas(WIDTH, round(top + HEAD + 44 + ROW * count + MARGIN))
    if chart.counted:
        canvas.text(
            (MARGIN, 42), chart.counted, 36, bold=True, anchor="left", max_width=WIDTH - 2 * MARGIN
        )
        plot(canvas, chart, HEAD + 24)
    canvas.text((MARGIN, top + 42), "Who traded with whom", 36, bold=True, anchor="left")
    _grid(canvas, chart, top + HEAD)
    return canvas


def plot(canvas: Canvas, chart: Chart, top: float) -> None:
    """Draw wealth step by step; each line is named at its end."""
    left, right, bottom = MARGIN + 52, WIDTH - MARGIN - LABELS, top + PLOT - 24
    highest = max(FLATTEST, *(max(line.worth) for line in chart.lines))
    each = next(step for step in STEPS if step * 5 >= highest)
    ceiling = max(each, -(-highest // each) * each)
    last = max(1, max((len(line.worth) for line in chart.lines), default=1) - 1)

    def at(step: float, worth: float) -> Point:
        return (left + (right - left) * step / last, bottom - (bottom - top) * worth / ceiling)

    for worth in range(0, ceiling + 1, each):
        canvas.line(at(0, worth), at(last, worth), FAINT if worth else MUTED, 2)
        canvas.text((left - 14, at(0, worth)[1]), str(worth), 27, MUTED, anchor="right")
    _rounds(canvas, chart, at, top, bottom, last)
    spread = _spread([at(0, line.worth[-1])[1] for line in chart.lines], 42, top, bottom)
    # The line of ``about`` comes last, so that it is on top.
    for number, line in sorted(enumerate(chart.lines), key=lambda item: item[1].id == chart.about):
        own = line.id == chart.about
        colour = COLOURS[number % len(COLOURS)]
        corners = [at(0, line.worth[0])]
        for step, (before, worth) in enumerate(pairwise(line.worth), 1):
            if worth != before:
                corners += [at(step, before), at(step, worth)]
        end = at(last, line.worth[-1])
        canvas.path([*corners, end], colour, 8 if own else 4)
        for part in range(MARKS):
            on_way = (part + (number + 0.5) / len(chart.lines)) * last / MARKS
            mark(
                canvas,
                number,
                at(on_way, line.worth[min(int(on_way), len(line.worth) - 1)]),
                10 if own else 8,
                colour,
            )
        height = spread[number]
        canvas.path([end, (right + 20, height)], mixed(colour, CARD, 0.5), 2)
        mark(canvas, number, (right + 32, height), 12, colour)
        wide = canvas.text(
            (right + 54, height), str(line.worth[-1]), 30, colour, anchor="left", bold=True
        )
        name = drawable(line.player) or line.short
        canvas.text(
            (right + 62 + wide, height),
            name,
            28,
            anchor="left",
            bold=own,
            max_width=WIDTH - MARGIN - right - 62 - wide,
        )


MARKS = 3
"""Marks along a line; different lines have them at different places."""

FLATTEST = 5
"""The least height of the plot, in goods, so that a few goods do not fill it."""

STEPS = tuple(size * 10**zeros for zeros in range(6) for size in (1, 2, 5))


def _rounds(
    canvas: Canvas,
    chart: Chart,
    at: Callable[[float, float], Point],
    top: float,
    bottom: float,
    last: int,
) -> None:
    canvas.text((at(0, 0)[0], bottom + 30), "start", 27, MUTED, anchor="left")
    canvas.text(
        (at(last, 0)[0], bottom + 30), "end" if chart.over else "now", 27, MUTED, anchor="right"
    )
    free = taken = at(0, 0)[0] + 70
    for number, step in enumerate(chart.rounds, 2):
        x, label = at(step, 0)[0], f"round {number}" if taken == free else str(number)
        canvas.line((x, top), (x, bottom), FAINT, 3, "dotted")
        half = fitted(label, 27, 200)[2] / 2
        if taken <= x - half and x + half <= at(last, 0)[0] - 66:
            canvas.text((x, bottom + 30), label, 27, MUTED)
            taken = x + half + 14


def _grid(canvas: Canvas, chart: Chart, top: float) -> None:
    """Draw a row and a column for each player; a cell shows how often the two have traded, brighter
    for more.
    """
    count = len(chart.lines)
    left = MARGIN + 250
    wide = min(96.0, (WIDTH - MARGIN - 66 - left) / max(1, count))
    highest = max(chart.trades.values(), default=1)
    for number, line in enumerate(chart.lines):
        colour, y, own = (
            COLOURS[number % len(COLOURS)],
            top + 44 + ROW * (number + 0.5),
            line.id == chart.about,
        )
        mark(canvas, number, (left + wide * (number + 0.5), top + 18), 12, colour)
        mark(canvas, number, (MARGIN + 14, y), 12, colour)
        name = drawable(line.player) or line.short
        canvas.text(
            (MARGIN + 40, y), name, 30, anchor="left", bold=own, max_width=left - MARGIN - 52
        )
        for column, other in enumerate(chart.lines):
            x = left + wide * (column + 0.5)
            if other is line:
                canvas.line((x - 10, y), (x + 10, y), FAINT, 4)
                continue
            traded = chart.trades.get(pair(line.id, other.id), 0)
            bright, half = traded / highest, (wide / 2 - 3, ROW / 2 - 3)
            fill = mixed(FELT, GREEN, 0.25 + 0.75 * bright) if traded else FELT
            canvas.panel(x - half[0], y - half[1], x + half[0], y + half[1], fill, 10)
            if traded:
                ink, about = DARK if bright > 0.45 else TEXT, own or other.id == chart.about
                canvas.text((x, y), str(traded), 30, ink, bold=about, max_width=wide - 8)
        total = sum(times for two, times in chart.trades.items() if line.id in two)
        canvas.text((WIDTH - MARGIN - 4, y), str(total), 30, TEXT, anchor="right", bold=True)
    canvas.text((WIDTH - MARGIN - 4, top + 18), "all", 27, MUTED, anchor="right")


def head(canvas: Canvas, title: str, facts: str) -> None:
    """Draw a panel at the top with a title and, below it, a line of facts."""
    canvas.panel(0, 0, WIDTH, 128, FELT, 0)
    canvas.text((MARGIN, 44), title, 46, bold=True, anchor="left", max_width=WIDTH - 2 * MARGIN)
    canvas.text(
        (MARGIN, 96), facts, 32, GREEN, bold=True, anchor="left", max_width=WIDTH - 2 * MARGIN
    )


def mark(canvas: Canvas, number: int, at: Point, size: float, colour: str) -> None:
    """Draw a seat's mark: disc, square, triangles, diamond, star, ring, plus."""
    (x, y), kind = at, number % 8
    if kind in (0, 6):
        canvas.disc(at, size, colour if kind == 0 else CARD, colour, 5)
    elif kind == 7:
        canvas.path([(x - size + 2, y), (x + size - 2, y)], colour, 7)
        canvas.path([(x, y - size + 2), (x, y + size - 2)], colour, 7)
    else:
        sides, turn, long = CORNERS[kind]
        points = []
        for corner in range(sides):
            far = size * long * (0.45 if kind == 5 and corner % 2 else 1)
            angle = pi * (turn / 180 + 2 * corner / sides)
            points.append((x + far * cos(angle), y + far * sin(angle)))
        canvas.polygon(points, colour)


CORNERS = {1: (4, 45, 1.3), 2: (3, -90, 1.3), 3: (4, 0, 1.25), 4: (3, 90, 1.3), 5: (10, -90, 1.35)}
"""The polygon of each mark: number of corners, angle of the first in degrees, radius in sizes."""


def _spread(heights: Sequence[float], apart: float, top: float, bottom: float) -> list[float]:
    """Return heights close to these, in the same order, at least ``apart`` from each other and
    within the plot.
    """
    order = sorted(range(len(heights)), key=lambda number: heights[number])
    placed = [heights[number] for number in order]
    for number in range(1, len(placed)):
        placed[number] = max(placed[number], placed[number - 1] + apart)
    low = bottom
    for number in range(len(placed) - 1, -1, -1):
        placed[number] = min(placed[number], low)
        low = placed[number] - apart
    found = dict(zip(order, placed, strict=True))
    return [found[number] for number in range(len(heights))]
