"""The picture of many evenings: with whom their reader traded how often."""

from __future__ import annotations

from collections.abc import Sequence

from bot.rules.model.values import frozen
from bot.show.pictures import ALT_MAX, Picture
from bot.show.pictures.canvas import MUTED, Canvas, drawable, drawn, left, right
from bot.show.pictures.wealth import COLOURS, MARGIN, WIDTH, head

HEAD, ROW = 190, 84


@frozen
class Bar:
    """A person: how often the reader traded with them, and in words that and at how many tables
    both sat.
    """

    name: str
    count: int
    trades: str
    evenings: str


def evenings_picture(title: str, facts: str, bars: Sequence[Bar]) -> Picture:
    """Draw the numbers. Takes some tens of milliseconds."""
    words = [f"{bar.name}: {bar.evenings}, {bar.trades}" for bar in bars]
    alt = f"{title}, {facts}. {'; '.join(words)}."[:ALT_MAX]
    return Picture(drawn(lambda: _draw(title, facts, bars)), "evenings.png", alt)


def _draw(title: str, facts: str, bars: Sequence[Bar]) -> Canvas:
    canvas, room = Canvas(WIDTH, HEAD + ROW * len(bars) + MARGIN), WIDTH - 2 * MARGIN
    head(canvas, title, facts)
    left(canvas, (MARGIN, 160), "Who you traded with", 28, MUTED)
    most = max((bar.count for bar in bars), default=0) or 1
    for number, bar in enumerate(bars):
        top, name = HEAD + ROW * number, drawable(bar.name) or "?"
        at = (MARGIN, top + 20)
        left(canvas, at, name, 30, bold=True, room=room - 220)
        right(canvas, (WIDTH - MARGIN, top + 20), bar.evenings, 27, MUTED)
        x = float(MARGIN)
        if bar.count:
            end = MARGIN + max((room - 70) * bar.count / most, 14)
            colour = COLOURS[number % len(COLOURS)]
            canvas.panel(MARGIN, top + 44, end, top + 70, colour, 7)
            x = end + 12
        left(canvas, (x, top + 57), str(bar.count), 30, bold=True)
    return canvas
