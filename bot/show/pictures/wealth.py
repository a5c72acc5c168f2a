"""The course of a game: what everybody had, from beginning to end, and who traded with whom.

Only goods that lie open are counted, so that nobody's picture shows what is hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin

from bot.rules.entries import Entry
from bot.rules.game import Game
from bot.rules.holdings.entries import GoodsMoved
from bot.rules.model.goods import Goods
from bot.rules.model.windows import Pair, pair
from bot.rules.offers.entries import Transaction
from bot.rules.seats.entries import SeatTaken
from bot.rules.tables.entries import PhaseSet, SettingsChanged, TableOpened
from bot.rules.views import EntryView, TableView
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
"""A colour for each seat in turn; its mark tells it as well."""


@dataclass(frozen=True)
class Line:
    """One player's wealth: what they had after each step of the game."""

    id: str
    player: str
    short: str
    worth: tuple[int, ...]


@dataclass(frozen=True)
class Story:
    """A game so far. ``counted``: what wealth is, "" where nobody counts. ``rounds``: at which steps a new one began.
    ``trades``: how many transactions each pair has had. ``about``: the seat it is told for, drawn thick.
    """

    counted: str
    lines: tuple[Line, ...]
    rounds: tuple[int, ...]
    trades: Mapping[Pair, int]
    about: str | None = None


def story_of(view: TableView, entries: Iterable[EntryView], about: str | None = None) -> Story | None:
    """Return a table's story from all its entries, as everybody may know it; None where nobody ever sat."""
    game, course = game_of(view), _Course()
    for entry in entries:
        course.take(game, entry.entry)
    lines = tuple(
        Line(seat, name(view, seat), seat_name(view, seat), course.worth_of(seat))
        for seat, sits in view.seats.items()
        if sits.person is not None or course.knows(seat)
    )
    # Where hands are hidden there is nothing to count.
    counted = game.info.wealth if course.tracked and game.exchange is None else ""
    return Story(counted, lines, tuple(course.rounds), dict(course.trades), about) if lines else None


class _Course:
    """What the entries come to, taken one after another. Every step is a change of what people have."""

    def __init__(self) -> None:
        self.tracked = True
        self.steps: list[dict[str, int]] = [{}]
        self.rounds: list[int] = []
        self.trades: Counter[Pair] = Counter()

    def take(self, game: Game, entry: Entry) -> None:
        """Take the next entry."""
        match entry:
            case TableOpened(settings=settings) | SettingsChanged(settings=settings):
                self.tracked = settings.inventory == "tracked"
            case PhaseSet(phase=phase) if phase == game.info.phases[0] and len(self.steps) > 1:
                self.rounds.append(len(self.steps) - 1)
            case Transaction():
                self.trades[pair(entry.first, entry.second)] += 1
        if self.tracked or isinstance(entry, SeatTaken):
            self._count(_gains(game, entry))

    def _count(self, gains: Mapping[str, int]) -> None:
        if any(gains.values()):
            now = self.steps[-1]
            self.steps.append({**now, **{seat: now.get(seat, 0) + gain for seat, gain in gains.items()}})

    def worth_of(self, seat: str) -> tuple[int, ...]:
        """Return what a seat had after each step."""
        return tuple(step.get(seat, 0) for step in self.steps)

    def knows(self, seat: str) -> bool:
        """Return whether a seat has something now, or has ever traded."""
        return bool(self.steps[-1].get(seat)) or any(seat in two for two in self.trades)


def _gains(game: Game, entry: Entry) -> dict[str, int]:
    """Return by how much an entry changed what lies open before each seat, as far as players may declare it."""

    def worth(goods: Goods) -> int:
        return game.self_reportable(goods).total()

    match entry:
        case SeatTaken(seat=seat, start=start):
            return {seat: worth(start)}
        case GoodsMoved(changes=changes):
            return {seat: worth(change.gained) - worth(change.lost) for seat, change in changes.items()}
        case _:
            return {}


def picture(story: Story) -> Picture:
    """Draw the story. Takes some tens of milliseconds."""
    return Picture(drawn(lambda: _draw(story)), "wealth.png", alt(story))


def alt(story: Story) -> str:
    """Return what it shows in words: with people's names if that is short enough, else with the seats' own."""
    told = _alt(story, {line.id: line.player for line in story.lines})
    return told if len(told) <= ALT_MAX else _alt(story, {line.id: line.short for line in story.lines})[:ALT_MAX]


# ---------------------------------------------------------------- in words


def _alt(story: Story, called: Mapping[str, str]) -> str:
    told = []
    if story.counted:
        have = "; ".join(f"{called[line.id]} {line.worth[-1]} now, {max(line.worth)} at most" for line in story.lines)
        told.append(f"{story.counted} over the game: {have}.")
    told.append(f"Transactions: {_pairs(story, called)}.")
    return " ".join(told)


def _pairs(story: Story, called: Mapping[str, str]) -> str:
    """Return how often each pair has traded, each named with the first of the two."""
    order, told = [line.id for line in story.lines], []
    for number, first in enumerate(order):
        often = {other: story.trades.get(pair(first, other), 0) for other in order[number + 1 :]}
        if others := [f"{called[other]} {times}" for other, times in often.items() if times]:
            told.append(f"{called[first]} with {', '.join(others)}")
    return "; ".join(told) or "none yet"


# ---------------------------------------------------------------- drawn

WIDTH, MARGIN, HEAD = 800, 24, 70
PLOT, LABELS = 400, 190
"""The height of the lines, and the room right of them for names."""
ROW = 56


def _draw(story: Story) -> Canvas:
    count = len(story.lines)
    top = HEAD + PLOT + 76 if story.counted else 0
    canvas = Canvas(WIDTH, round(top + HEAD + 44 + ROW * count + MARGIN))
    if story.counted:
        canvas.text((MARGIN, 42), story.counted, 36, bold=True, anchor="left", most=WIDTH - 2 * MARGIN)
        _plot(canvas, story, HEAD + 24)
    canvas.text((MARGIN, top + 42), "Who traded with whom", 36, bold=True, anchor="left")
    _grid(canvas, story, top + HEAD)
    return canvas


def _plot(canvas: Canvas, story: Story, top: float) -> None:
    """Draw wealth step by step; each line is named where it ends."""
    left, right, bottom = MARGIN + 52, WIDTH - MARGIN - LABELS, top + PLOT - 24
    highest = max(FLATTEST, *(max(line.worth) for line in story.lines))
    each = next(step for step in STEPS if step * 5 >= highest)
    most = max(each, -(-highest // each) * each)
    last = max(1, max((len(line.worth) for line in story.lines), default=1) - 1)

    def at(step: float, worth: float) -> Point:
        return (left + (right - left) * step / last, bottom - (bottom - top) * worth / most)

    for worth in range(0, most + 1, each):
        canvas.line(at(0, worth), at(last, worth), FAINT if worth else MUTED, 2)
        canvas.text((left - 14, at(0, worth)[1]), str(worth), 27, MUTED, anchor="right")
    _rounds(canvas, story, at, top, bottom, last)
    spread = _spread([at(0, line.worth[-1])[1] for line in story.lines], 42, top, bottom)
    for number, line in _last_the_one_it_is_about(story):
        own = line.id == story.about
        colour = COLOURS[number % len(COLOURS)]
        corners = [at(0, line.worth[0])]
        for step, (before, worth) in enumerate(pairwise(line.worth), 1):
            if worth != before:
                corners += [at(step, before), at(step, worth)]
        end = at(last, line.worth[-1])
        canvas.path([*corners, end], colour, 8 if own else 4)
        for part in range(MARKS):
            on_way = (part + (number + 0.5) / len(story.lines)) * last / MARKS
            _mark(
                canvas, number, at(on_way, line.worth[min(int(on_way), len(line.worth) - 1)]), 10 if own else 8, colour
            )
        height = spread[number]
        canvas.path([end, (right + 20, height)], mixed(colour, CARD, 0.5), 2)
        _mark(canvas, number, (right + 32, height), 12, colour)
        wide = canvas.text((right + 54, height), str(line.worth[-1]), 30, colour, anchor="left", bold=True)
        name = drawable(line.player) or line.short
        canvas.text(
            (right + 62 + wide, height), name, 28, anchor="left", bold=own, most=WIDTH - MARGIN - right - 62 - wide
        )


MARKS = 3
"""How often a line wears its mark on its way, each at other places than the rest."""

FLATTEST = 5
"""Where nobody has had more than a few, the lines stay low."""

STEPS = tuple(size * 10**zeros for zeros in range(6) for size in (1, 2, 5))


def _rounds(
    canvas: Canvas, story: Story, at: Callable[[float, float], Point], top: float, bottom: float, last: int
) -> None:
    """Mark where each round began; what lies before the first is the set-up."""
    canvas.text((at(0, 0)[0], bottom + 30), "start", 27, MUTED, anchor="left")
    canvas.text((at(last, 0)[0], bottom + 30), "now", 27, MUTED, anchor="right")
    free = taken = at(0, 0)[0] + 70
    for number, step in enumerate(story.rounds, 2):
        x, told = at(step, 0)[0], f"round {number}" if taken == free else str(number)
        canvas.line((x, top), (x, bottom), FAINT, 3, "dotted")
        half = fitted(told, 27, 200)[2] / 2
        if taken <= x - half and x + half <= at(last, 0)[0] - 66:
            canvas.text((x, bottom + 30), told, 27, MUTED)
            taken = x + half + 14


def _last_the_one_it_is_about(story: Story) -> list[tuple[int, Line]]:
    return sorted(enumerate(story.lines), key=lambda item: item[1].id == story.about)


def _grid(canvas: Canvas, story: Story, top: float) -> None:
    """Draw a row and a column for each player; each cell says how often the two have traded."""
    count = len(story.lines)
    left = MARGIN + 250
    wide = min(96.0, (WIDTH - MARGIN - 66 - left) / max(1, count))
    most = max(story.trades.values(), default=1)
    for number, line in enumerate(story.lines):
        colour, y, own = COLOURS[number % len(COLOURS)], top + 44 + ROW * (number + 0.5), line.id == story.about
        _mark(canvas, number, (left + wide * (number + 0.5), top + 18), 12, colour)
        _mark(canvas, number, (MARGIN + 14, y), 12, colour)
        name = drawable(line.player) or line.short
        canvas.text((MARGIN + 40, y), name, 30, anchor="left", bold=own, most=left - MARGIN - 52)
        for column, other in enumerate(story.lines):
            x = left + wide * (column + 0.5)
            traded = story.trades.get(pair(line.id, other.id), 0) if other is not line else 0
            _cell(canvas, (x, y), wide, traded, most, same=other is line, own=own or other.id == story.about)
        total = sum(times for two, times in story.trades.items() if line.id in two)
        canvas.text((WIDTH - MARGIN - 4, y), str(total), 30, TEXT, anchor="right", bold=True)
    canvas.text((WIDTH - MARGIN - 4, top + 18), "all", 27, MUTED, anchor="right")


def _cell(canvas: Canvas, at: Point, wide: float, traded: int, most: int, *, same: bool, own: bool) -> None:
    """Draw a cell: darker for less, brighter for more; the number says how much."""
    (x, y), half = at, (wide / 2 - 3, ROW / 2 - 3)
    if same:
        canvas.line((x - 10, y), (x + 10, y), FAINT, 4)
        return
    bright = traded / most
    fill = mixed(FELT, GREEN, 0.25 + 0.75 * bright) if traded else FELT
    canvas.panel(x - half[0], y - half[1], x + half[0], y + half[1], fill, 10)
    if traded:
        canvas.text((x, y), str(traded), 30, DARK if bright > 0.45 else TEXT, bold=own, most=wide - 8)


def _mark(canvas: Canvas, number: int, at: Point, size: float, colour: str) -> None:
    """Draw the shape of a seat: disc, square, triangles, diamond, star, ring, plus."""
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
"""For each mark with corners: how many, the first one's angle in degrees, and how far out they lie."""


def _spread(heights: Sequence[float], apart: float, top: float, bottom: float) -> list[float]:
    """Return heights near those wanted, in the same order, at least so far apart, within the plot where they fit."""
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
