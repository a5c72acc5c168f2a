"""The picture of many evenings: with whom their reader traded how often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.show.pictures import ALT_MAX, Picture
from bot.show.pictures.canvas import MUTED, Canvas, drawable, drawn
from bot.show.pictures.wealth import COLOURS, MARGIN, WIDTH, head

HEAD, ROW = 190, 84


@dataclass(frozen=True)
class Bar:
    """A person: how often the reader traded with them, and at how many tables both sat."""

    name: str
    trades: int
    evenings: int


def evenings_picture(title: str, facts: str, bars: Sequence[Bar]) -> Picture:
    """Draw the numbers. Takes some tens of milliseconds."""
    told = "; ".join(
        f"{each.name}: {each.trades} trades, {each.evenings} evenings" for each in bars
    )
    return Picture(
        drawn(lambda: _draw(title, facts, bars)),
        "evenings.png",
        f"{title}, {facts}. {told}."[:ALT_MAX],
    )


def _draw(title: str, facts: str, bars: Sequence[Bar]) -> Canvas:
    canvas, room = Canvas(WIDTH, HEAD + ROW * len(bars) + MARGIN), WIDTH - 2 * MARGIN
    head(canvas, title, facts)
    canvas.text((MARGIN, 160), "Who you traded with", 28, MUTED, anchor="left")
    most = max((each.trades for each in bars), default=0) or 1
    for number, each in enumerate(bars):
        top = HEAD + ROW * number
        aside = f"{each.evenings} evening{'' if each.evenings == 1 else 's'}"
        canvas.text(
            (MARGIN, top + 20),
            drawable(each.name) or "?",
            30,
            bold=True,
            anchor="left",
            max_width=room - 220,
        )
        canvas.text((WIDTH - MARGIN, top + 20), aside, 27, MUTED, anchor="right")
        long = (room - 70) * each.trades / most
        if each.trades:
            canvas.panel(
                MARGIN,
                top + 44,
                MARGIN + max(long, 14),
                top + 70,
                COLOURS[number % len(COLOURS)],
                7,
            )
        at = MARGIN + (max(long, 14) + 12 if each.trades else 0)
        canvas.text((at, top + 57), str(each.trades), 30, bold=True, anchor="left")
    return canvas
