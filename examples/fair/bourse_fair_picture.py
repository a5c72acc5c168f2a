"""The picture on the fair's board: its stalls, with what is written on them."""

from __future__ import annotations

from dataclasses import dataclass

from bot.api.pictures import Canvas, drawn

COLOURS = {"red": "#d9635b", "green": "#5fae6b", "blue": "#5b8fd9"}
WIDTH, HEIGHT = 640, 240


@dataclass(frozen=True, slots=True)
class Fair:
    """What the picture shows: the day, and the stalls, each with its seat and name."""

    day: int
    stalls: tuple[tuple[str, str], ...]


def draw(fair: Fair) -> bytes:
    return drawn(lambda: _canvas(fair))


def _canvas(fair: Fair) -> Canvas:
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.text((24, 28), f"Day {fair.day}", 24, anchor="left", bold=True)
    wide = WIDTH / len(fair.stalls)
    for number, (seat, name) in enumerate(fair.stalls):
        left, middle = number * wide + 16, (number + 0.5) * wide
        right = left + wide - 32
        roof = [(left + 16, 60), (right - 16, 60), (right, 110), (left, 110)]
        canvas.polygon(roof, COLOURS[seat])
        canvas.panel(left + 12, 110, right - 12, 170, "#3a3d45", radius=4)
        canvas.text((middle, 200), name, 20, max_width=wide - 16)
    return canvas
