"""The picture of an evening: how wealth went, who traded with whom, the biggest trade, promises
kept and broken.
"""

from __future__ import annotations

from math import cos, pi, sin

from bot.rules.model.values import frozen
from bot.show.pictures import ALT_MAX, Picture
from bot.show.pictures.canvas import (
    AMBER,
    CARD,
    FAINT,
    GREEN,
    MUTED,
    TEXT,
    Anchor,
    Canvas,
    Point,
    Sign,
    between,
    drawable,
    drawn,
    left,
    mixed,
)
from bot.show.pictures.wealth import COLOURS, MARGIN, WIDTH, Chart, alt, head, label, mark, plot


@frozen
class EveningSummary:
    """An evening: its table's name, how long it was, its chart, promises by their mark, and the
    biggest trade.
    """

    name: str
    length: str
    chart: Chart
    kept: int
    broken: int
    biggest: tuple[str, ...] = ()


def evening_picture(evening: EveningSummary) -> Picture:
    """Draw the evening. Takes some tens of milliseconds."""
    words = [f"Biggest trade: {'; '.join(evening.biggest)}."] if evening.biggest else []
    if evening.kept or evening.broken:
        words.append(f"Promises: {evening.kept} kept, {evening.broken} broken.")
    words.append(alt(evening.chart))
    return Picture(drawn(lambda: _draw(evening)), "evening.png", " ".join(words)[:ALT_MAX])


HEAD, PLOT, GRAPH = 150, 480, 430
"""The heights of the parts."""


NUMBERED = 5
"""The most players with the number of trades on each band; with more, the numbers would hide the
bands.
"""


def _draw(evening: EveningSummary) -> Canvas:
    plotted = PLOT if evening.chart.counted else 0
    told = 60 + 44 * len(evening.biggest) if evening.biggest else 0
    canvas = Canvas(WIDTH, HEAD + plotted + GRAPH + told + MARGIN)
    head(canvas, drawable(evening.name) or "The game", evening.length)
    if plotted:
        _heading(canvas, HEAD + 8, evening.chart.counted)
        plot(canvas, evening.chart, HEAD + 40)
    top = HEAD + plotted
    _heading(canvas, top + 12, "Who traded with whom")
    middle = WIDTH / 2
    if evening.kept or evening.broken:
        middle = 330
        _promises(canvas, evening, (WIDTH - MARGIN - 100, top + 230))
    _graph(canvas, evening.chart, (middle, top + 226), 140)
    if told:
        _heading(canvas, top + GRAPH + 16, "Biggest trade")
        for number, line in enumerate(evening.biggest):
            label(canvas, (MARGIN, top + GRAPH + 62 + 44 * number), line, 30)
    return canvas


def _heading(canvas: Canvas, height: float, text: str) -> None:
    room = WIDTH - 2 * MARGIN
    left(canvas, (MARGIN, height), text, 28, MUTED, room=room)


def _graph(canvas: Canvas, chart: Chart, middle: Point, radius: float) -> None:
    """Draw the players in a circle, and a band between each two who traded, thicker for more
    trades.
    """
    count, most = len(chart.lines), max(chart.trades.values(), default=1)
    places: dict[str, Point] = {}
    for number, line in enumerate(chart.lines):
        angle = 2 * pi * number / count - pi / 2
        across, down = 1.05 * radius * cos(angle), radius * sin(angle)
        places[line.id] = (middle[0] + across, middle[1] + down)
    traded = [two for two in chart.trades if places.keys() >= {*two}]
    bands = sorted((chart.trades[two], two) for two in traded)
    for times, two in bands:
        start, end = (places[seat] for seat in two)
        colour = mixed(FAINT, GREEN, times / most)
        canvas.line(start, end, colour, 4 + 16 * times / most)
    for times, two in bands if count <= NUMBERED else ():
        start, end = (places[seat] for seat in two)
        # Nearer to one end than to the other, since the bands of opposite players cross in the
        # middle.
        at = between(start, end, 0.4)
        canvas.disc(at, 19, CARD)
        canvas.text(at, str(times), 25, TEXT, bold=True)
    for number, line in enumerate(chart.lines):
        x, y = places[line.id]
        colour = COLOURS[number % len(COLOURS)]
        canvas.disc((x, y), 25, CARD)
        mark(canvas, number, (x, y), 17, colour)
        name, aside = drawable(line.player) or line.short, (x - middle[0]) / radius
        anchor: Anchor = "left" if aside > 0 else "right"
        x, room = x + (34 if aside > 0 else -34), 126
        if abs(aside) < 0.3:
            anchor, x, room = "middle", places[line.id][0], 240
            y += 44 if y > middle[1] else -44
        canvas.text((x, y), name, 27, colour, anchor=anchor, bold=True, max_width=room, halo=CARD)


def _promises(canvas: Canvas, evening: EveningSummary, at: Point) -> None:
    """Draw how many promises were kept and broken."""
    x, y = at
    left(canvas, (x - 82, y - 96), "Promises", 28, MUTED)
    marks: tuple[tuple[int, str, str, Sign], ...] = (
        (evening.kept, "kept", GREEN, "tick"),
        (evening.broken, "broken", AMBER, "cross"),
    )
    for number, (count, word, colour, sign) in enumerate(marks):
        down = y - 36 + 84 * number
        canvas.sign(sign, (x - 66, down), 32, colour, 7)
        left(canvas, (x - 34, down), str(count), 46, bold=True)
        beside = x - 34 + 30 * len(str(count))
        left(canvas, (beside, down + 4), word, 27, MUTED)
