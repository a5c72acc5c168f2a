"""A chart of the game: everybody's wealth over time, and who traded with whom.

It counts only goods that lie open, so it shows nothing hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product
from math import cos, pi, sin

from bot.rules.entries import Entry
from bot.rules.features.holdings import GoodsMoved
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.seats import SeatTaken
from bot.rules.features.tables import PhaseSet, SettingsChanged, TableOpened
from bot.rules.game import Game
from bot.rules.model.goods import Goods
from bot.rules.model.values import frozen
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
    left,
    mixed,
    right,
)

COLOURS = ("#f4f5f7", "#ff9f45", "#7fb2ff", "#3ddc97", "#ffe066", "#f58ad0", "#b99bff", "#ff7b6b")
"""The colour of each seat in turn. Each seat also has a mark, see `mark`."""


@frozen
class WealthLine:
    """A player's wealth after each step of the game."""

    id: str
    player: str
    short: str
    worth: tuple[int, ...]


@frozen
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
        phase = self._game.info.phases[0]
        for view in entries:
            entry = view.entry
            match entry:
                case TableOpened(settings=settings) | SettingsChanged(settings=settings):
                    self.tracked = settings.inventory == "tracked"
                case PhaseSet() if entry.phase == phase and len(self.steps) > 1:
                    self.rounds.append(len(self.steps) - 1)
                case Transaction(first=first, second=second):
                    self.trades[pair(first, second)] += 1
            gains = self._gains(entry)
            if any(gains.values()):
                step = dict(self.steps[-1])
                for seat, gain in gains.items():
                    step[seat] = step.get(seat, 0) + gain
                self.steps.append(step)

    def _gains(self, entry: Entry) -> dict[str, int]:
        """Return what an entry changed in each seat's open goods of the kinds that count."""
        match entry:
            case SeatTaken(seat=seat, start=start):
                return {seat: self._worth(start)}
            case GoodsMoved(changes=changes, always=always) if self.tracked or always:
                gains = {}
                for seat, change in changes.items():
                    gains[seat] = self._worth(change.gained) - self._worth(change.lost)
                return gains
            case _:
                return {}

    def _worth(self, goods: Goods) -> int:
        return self._game.wealth(goods).total()

    def chart(self, view: TableView, about: str | None) -> Chart | None:
        """Return the chart of the entries so far; None if nobody ever took a seat."""
        lines = []
        for seat, sits in view.seats.items():
            if seat not in view.became and (sits.person is not None or self.knows(seat)):
                worth = self._worth_by_step(view, seat)
                lines.append(WealthLine(seat, name(view, seat), seat_name(view, seat), worth))
        if not lines:
            return None
        # If hands are hidden, the open goods are not a player's wealth.
        counted = self._game.info.wealth if self.tracked and self._game.exchange is None else ""
        trades: Counter[Pair] = Counter()
        for two, count in self.trades.items():
            first, second = (view.became.get(seat, seat) for seat in two)
            trades[pair(first, second)] += count
        return Chart(counted, tuple(lines), tuple(self.rounds), dict(trades), about)

    def _worth_by_step(self, view: TableView, seat: str) -> tuple[int, ...]:
        """Return a seat's wealth after each step, with that of the seats that became this one."""
        seats = {before for before, now in view.became.items() if now == seat} | {seat}
        worth = []
        for step in self.steps:
            worth.append(sum(step.get(part, 0) for part in seats))
        return tuple(worth)

    def knows(self, seat: str) -> bool:
        """Return whether a seat has something now, or has ever traded."""
        has_traded = any(seat in two for two in self.trades)
        return has_traded or bool(self.steps[-1].get(seat))


def wealth_picture(chart: Chart) -> Picture:
    """Draw the chart. Takes some tens of milliseconds."""
    return Picture(drawn(lambda: _draw(chart)), "wealth.png", alt(chart))


def alt(chart: Chart) -> str:
    """Return what the chart shows in words, with people's names, or with the seats' names if too
    long.
    """
    text = _alt(chart, {line.id: line.player for line in chart.lines})
    if len(text) <= ALT_MAX:
        return text
    return _alt(chart, {line.id: line.short for line in chart.lines})[:ALT_MAX]


# ---------------------------------------------------------------- in words


def _alt(chart: Chart, called: Mapping[str, str]) -> str:
    traded = f"Transactions: {_pairs(chart, called)}."
    if not chart.counted:
        return traded
    have = []
    for line in chart.lines:
        have.append(f"{called[line.id]} {line.worth[-1]} now, {max(line.worth)} at most")
    return f"{chart.counted} over the game: {'; '.join(have)}. {traded}"


def _pairs(chart: Chart, called: Mapping[str, str]) -> str:
    """Return how often each pair has traded, grouped by the first seat."""
    order, groups = [line.id for line in chart.lines], []
    for number, first in enumerate(order):
        others = []
        for other in order[number + 1 :]:
            if times := chart.trades.get(pair(first, other)):
                others.append(f"{called[other]} {times}")
        if others:
            groups.append(f"{called[first]} with {', '.join(others)}")
    return "; ".join(groups) or "none yet"


# ---------------------------------------------------------------- drawn

WIDTH, MARGIN, HEAD = 800, 24, 70
PLOT, LABELS = 400, 190
"""The height of the plot, and the width to its right for names."""
ROW = 56


def _draw(chart: Chart) -> Canvas:
    top = HEAD + PLOT + 76 if chart.counted else 0
    canvas = Canvas(WIDTH, top + HEAD + 44 + ROW * len(chart.lines) + MARGIN)
    if chart.counted:
        label(canvas, (MARGIN, 42), chart.counted, 36)
        plot(canvas, chart, HEAD + 24)
    label(canvas, (MARGIN, top + 42), "Who traded with whom", 36)
    _grid(canvas, chart, top + HEAD)
    return canvas


def label(canvas: Canvas, at: Point, text: str, size: int, colour: str = TEXT) -> None:
    """Write a bold line from here to the right margin."""
    room = WIDTH - MARGIN - at[0]
    left(canvas, at, text, size, colour, bold=True, room=room)


class _Plot:
    """Where wealth lies on a plot below ``top``: a point for each step and worth."""

    def __init__(self, chart: Chart, top: float) -> None:
        self.left, self.right = float(MARGIN + 52), float(WIDTH - MARGIN - LABELS)
        self.top, self.bottom = top, top + PLOT - 24
        worths = [line.worth for line in chart.lines]
        self.last = max((1, *(len(worth) - 1 for worth in worths)))
        highest = max((FLATTEST, *(max(worth) for worth in worths)))
        self.scale = next(step for step in STEPS if step * 5 >= highest)
        self.ceiling = max(self.scale, -(-highest // self.scale) * self.scale)

    def at(self, step: float, worth: float) -> Point:
        x = self.left + (self.right - self.left) * step / self.last
        y = self.bottom - (self.bottom - self.top) * worth / self.ceiling
        return x, y


def plot(canvas: Canvas, chart: Chart, top: float) -> None:
    """Draw wealth step by step; each line is named at its end."""
    area = _Plot(chart, top)
    for worth in range(0, area.ceiling + 1, area.scale):
        start, end = area.at(0, worth), area.at(area.last, worth)
        canvas.line(start, end, FAINT if worth else MUTED, 2)
        beside = (area.left - 14, start[1])
        right(canvas, beside, str(worth), 27, MUTED)
    _rounds(canvas, chart, area)
    ends = [area.at(0, line.worth[-1])[1] for line in chart.lines]
    heights = _spread(ends, 42, area.top, area.bottom)
    # The line of ``about`` comes last, so that it is on top.
    numbers = list(range(len(chart.lines)))
    numbers.sort(key=lambda number: chart.lines[number].id == chart.about)
    for number in numbers:
        _wealth_line(canvas, chart, area, number)
        _line_end(canvas, chart, area, number, heights[number])


def _wealth_line(canvas: Canvas, chart: Chart, area: _Plot, number: int) -> None:
    line, colour = chart.lines[number], COLOURS[number % len(COLOURS)]
    own = line.id == chart.about
    corners = [area.at(0, line.worth[0])]
    for step, (before, worth) in enumerate(pairwise(line.worth), 1):
        if worth != before:
            corners += [area.at(step, before), area.at(step, worth)]
    corners.append(area.at(area.last, line.worth[-1]))
    canvas.path(corners, colour, 8 if own else 4)
    for part in range(MARKS):
        on_way = (part + (number + 0.5) / len(chart.lines)) * area.last / MARKS
        worth = line.worth[min(int(on_way), len(line.worth) - 1)]
        mark(canvas, number, area.at(on_way, worth), 10 if own else 8, colour)


def _line_end(canvas: Canvas, chart: Chart, area: _Plot, number: int, height: float) -> None:
    """Write whose line it is and what they have, at a height beside its end."""
    line, colour, x = chart.lines[number], COLOURS[number % len(COLOURS)], area.right
    end = area.at(area.last, line.worth[-1])
    faint = mixed(colour, CARD, 0.5)
    canvas.path([end, (x + 20, height)], faint, 2)
    mark(canvas, number, (x + 32, height), 12, colour)
    worth = str(line.worth[-1])
    x += 62 + left(canvas, (x + 54, height), worth, 30, colour, bold=True)
    name, own, room = (
        drawable(line.player) or line.short,
        line.id == chart.about,
        WIDTH - MARGIN - x,
    )
    left(canvas, (x, height), name, 28, bold=own, room=room)


MARKS = 3
"""Marks along a line; different lines have them at different places."""

FLATTEST = 5
"""The least height of the plot, in goods, so that a few goods do not fill it."""

STEPS = tuple(size * 10**zeros for zeros, size in product(range(6), (1, 2, 5)))


def _rounds(canvas: Canvas, chart: Chart, area: _Plot) -> None:
    below, now = area.bottom + 30, "end" if chart.over else "now"
    left(canvas, (area.left, below), "start", 27, MUTED)
    right(canvas, (area.right, below), now, 27, MUTED)
    free = taken = area.left + 70
    for number, step in enumerate(chart.rounds, 2):
        x, words = area.at(step, 0)[0], str(number)
        if taken == free:
            words = f"round {number}"
        canvas.line((x, area.top), (x, area.bottom), FAINT, 3, "dotted")
        half = fitted(words, 27, 200)[2] / 2
        if taken <= x - half and x + half <= area.right - 66:
            canvas.text((x, below), words, 27, MUTED)
            taken = x + half + 14


def _grid(canvas: Canvas, chart: Chart, top: float) -> None:
    """Draw a row and a column for each player; a cell shows how often the two have traded, brighter
    for more.
    """
    first, end = MARGIN + 250, WIDTH - MARGIN - 4
    wide = min(96.0, (end - 62 - first) / max(1, len(chart.lines)))
    for number, line in enumerate(chart.lines):
        colour, own = COLOURS[number % len(COLOURS)], line.id == chart.about
        y = top + 44 + ROW * (number + 0.5)
        middle = first + wide * (number + 0.5)
        mark(canvas, number, (middle, top + 18), 12, colour)
        mark(canvas, number, (MARGIN + 14, y), 12, colour)
        name, room = drawable(line.player) or line.short, first - MARGIN - 52
        left(canvas, (MARGIN + 40, y), name, 30, bold=own, room=room)
        for column, other in enumerate(chart.lines):
            at = (first + wide * (column + 0.5), y)
            _cell(canvas, chart, (line.id, other.id), at, wide)
        total = sum(times for two, times in chart.trades.items() if line.id in two)
        right(canvas, (end, y), str(total), 30, TEXT, bold=True)
    right(canvas, (end, top + 18), "all", 27, MUTED)


def _cell(canvas: Canvas, chart: Chart, two: tuple[str, str], at: Point, wide: float) -> None:
    """Draw how often two players have traded; a dash for a player and themselves."""
    x, y = at
    if two[0] == two[1]:
        canvas.line((x - 10, y), (x + 10, y), FAINT, 4)
        return
    traded = chart.trades.get(pair(*two), 0)
    bright = traded / max(chart.trades.values(), default=1)
    fill = mixed(FELT, GREEN, 0.25 + 0.75 * bright) if traded else FELT
    across, down = wide / 2 - 3, ROW / 2 - 3
    canvas.panel(x - across, y - down, x + across, y + down, fill, 10)
    if traded:
        ink = DARK if bright > 0.45 else TEXT
        canvas.text(at, str(traded), 30, ink, bold=chart.about in two, max_width=wide - 8)


def head(canvas: Canvas, title: str, facts: str) -> None:
    """Draw a panel at the top with a title and, below it, a line of facts."""
    canvas.panel(0, 0, WIDTH, 128, FELT, 0)
    label(canvas, (MARGIN, 44), title, 46)
    label(canvas, (MARGIN, 96), facts, 32, GREEN)


def mark(canvas: Canvas, number: int, at: Point, size: float, colour: str) -> None:
    """Draw a seat's mark: disc, square, triangles, diamond, star, ring, plus."""
    (x, y), kind = at, number % 8
    if kind in (0, 6):
        canvas.disc(at, size, colour if kind == 0 else CARD, colour, 5)
        return
    if kind == 7:
        arm = size - 2
        canvas.path([(x - arm, y), (x + arm, y)], colour, 7)
        canvas.path([(x, y - arm), (x, y + arm)], colour, 7)
        return
    sides, turn, long = CORNERS[kind]
    points = []
    for corner in range(sides):
        is_inner = kind == 5 and corner % 2
        far = size * long * (0.45 if is_inner else 1)
        angle = pi * (turn / 180 + 2 * corner / sides)
        points.append((x + far * cos(angle), y + far * sin(angle)))
    canvas.polygon(points, colour)


CORNERS = {
    1: (4, 45, 1.3),
    2: (3, -90, 1.3),
    3: (4, 0, 1.25),
    4: (3, 90, 1.3),
    5: (10, -90, 1.35),
}
"""The polygon of each mark: number of corners, angle of the first in degrees, radius in sizes."""


def _spread(heights: Sequence[float], apart: float, top: float, bottom: float) -> list[float]:
    """Return heights close to these, in the same order, at least ``apart`` from each other and
    within the plot.
    """
    placed = list(heights)
    order = sorted(range(len(heights)), key=lambda number: heights[number])
    for above, number in pairwise(order):
        placed[number] = max(placed[number], placed[above] + apart)
    lowest = bottom
    for number in reversed(order):
        placed[number] = min(placed[number], lowest)
        lowest = placed[number] - apart
    return placed
