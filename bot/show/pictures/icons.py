"""Icons of goods: small squares with a transparent background, for use in a line of text."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from bot.rules.game import Icon, Shape
from bot.show.pictures.canvas import DARK, TEXT, Canvas, Point, drawn, mixed

SIDE = 128
"""Width and height of an icon in pixels; Discord shows it 22 to 48 pixels wide."""

_MIDDLE = SIDE / 2


def icon_png(icon: Icon) -> bytes:
    """Return an icon as PNG. Raises ``ValueError`` when its shape is unknown."""
    if icon.shape is None:
        raise ValueError(f"{icon.name} has no shape to draw")
    return drawn(lambda: _drawn(icon))


def _drawn(icon: Icon) -> Canvas:
    canvas = Canvas(SIDE, SIDE, background=None)
    assert icon.shape is not None
    _SHAPES[icon.shape](canvas, icon.colour, mixed(icon.colour, DARK, 0.45))
    if icon.letters:
        canvas.text((_MIDDLE, _MIDDLE), icon.letters, 68, TEXT, bold=True, max_width=72, halo=DARK)
    return canvas


def _bolt(canvas: Canvas, colour: str, dark: str) -> None:
    canvas.polygon([(76, 2), (18, 74), (56, 74), (44, 126), (110, 48), (70, 48)], dark)
    canvas.polygon([(72, 14), (32, 67), (64, 67), (56, 106), (96, 55), (61, 55)], colour)


def _card(canvas: Canvas, colour: str, dark: str) -> None:
    canvas.panel(20, 4, 108, 124, dark, 16)
    canvas.panel(27, 11, 101, 117, colour, 11)


def _coin(canvas: Canvas, colour: str, dark: str) -> None:
    canvas.disc((_MIDDLE, _MIDDLE), 60, colour, dark, 8)
    canvas.disc((_MIDDLE, _MIDDLE), 38, mixed(colour, TEXT, 0.35), dark, 6)
    canvas.polygon(_corners(6, 20), dark)


def _crate(canvas: Canvas, colour: str, dark: str) -> None:
    canvas.panel(8, 14, 120, 120, dark, 12)
    canvas.panel(16, 22, 112, 112, colour, 7)
    canvas.line((26, 32), (102, 102), dark, 12)
    canvas.line((102, 32), (26, 102), dark, 12)
    canvas.panel(8, 14, 120, 34, mixed(colour, TEXT, 0.3), 10)


def _flag(canvas: Canvas, colour: str, dark: str) -> None:
    canvas.line((28, 10), (28, 118), dark, 12)
    canvas.polygon([(30, 14), (116, 24), (92, 48), (116, 74), (30, 78)], dark)
    canvas.polygon([(36, 22), (99, 29), (81, 48), (99, 67), (36, 71)], colour)


def _globe(canvas: Canvas, colour: str, dark: str) -> None:
    canvas.path(_ring(pi, 2 * pi), dark, 11)
    canvas.disc((_MIDDLE, _MIDDLE), 42, colour, dark, 6)
    canvas.path(_ring(0, pi), mixed(colour, TEXT, 0.55), 11)


def _satellite(canvas: Canvas, colour: str, dark: str) -> None:
    canvas.line((20, 64), (108, 64), dark, 10)
    for left in (4, 86):
        canvas.panel(left, 40, left + 38, 88, dark, 6)
        canvas.panel(left + 6, 46, left + 32, 82, colour, 3)
    canvas.disc((_MIDDLE, _MIDDLE), 26, mixed(colour, TEXT, 0.5), dark, 7)


def _scroll(canvas: Canvas, colour: str, dark: str) -> None:
    canvas.panel(26, 10, 102, 118, dark, 8)
    canvas.panel(33, 16, 95, 112, colour, 4)
    for height in (6, 98):
        canvas.panel(14, height, 114, height + 24, dark, 12)
        canvas.panel(21, height + 6, 107, height + 18, mixed(colour, TEXT, 0.4), 6)
    for height in (46, 62, 78):
        canvas.line((46, height), (82, height), dark, 7)


def _shard(canvas: Canvas, colour: str, dark: str) -> None:
    canvas.polygon([(64, 2), (112, 46), (82, 126), (46, 126), (16, 46)], dark)
    canvas.polygon([(64, 14), (101, 48), (76, 117), (52, 117), (27, 48)], colour)
    canvas.polygon([(64, 14), (80, 50), (64, 117), (48, 50)], mixed(colour, TEXT, 0.45))


def _ship(canvas: Canvas, colour: str, dark: str) -> None:
    canvas.polygon([(64, 2), (92, 70), (122, 112), (64, 96), (6, 112), (36, 70)], dark)
    canvas.polygon([(64, 18), (84, 72), (104, 99), (64, 88), (24, 99), (44, 72)], colour)
    canvas.disc((64, 62), 11, mixed(colour, DARK, 0.6))


def _target(canvas: Canvas, colour: str, dark: str) -> None:
    for radius, fill in ((60, dark), (54, colour), (38, TEXT), (22, colour)):
        canvas.disc((_MIDDLE, _MIDDLE), radius, fill)


def _urn(canvas: Canvas, colour: str, dark: str) -> None:
    canvas.oval((64, 74), 46, 44, dark)
    canvas.oval((64, 74), 39, 37, colour)
    canvas.panel(40, 6, 88, 24, dark, 6)
    canvas.panel(48, 18, 80, 44, dark, 4)
    canvas.panel(54, 20, 74, 46, colour, 3)
    canvas.panel(40, 110, 88, 124, dark, 5)
    canvas.line((32, 74), (96, 74), dark, 8)


def _corners(count: int, radius: float) -> list[Point]:
    """Return the corners of a regular polygon around the middle."""
    turns = (2 * pi * number / count for number in range(count))
    return [(_MIDDLE + radius * cos(turn), _MIDDLE + radius * sin(turn)) for turn in turns]


def _ring(begin: float, end: float) -> list[Point]:
    """Return points on an arc of the ring around a globe."""
    steps, tilt = 24, -0.35
    points = []
    for step in range(steps + 1):
        turn = begin + (end - begin) * step / steps
        x, y = 60 * cos(turn), 17 * sin(turn)
        points.append((_MIDDLE + x * cos(tilt) - y * sin(tilt), _MIDDLE + x * sin(tilt) + y * cos(tilt)))
    return points


_SHAPES: dict[Shape, Callable[[Canvas, str, str], None]] = {
    "bolt": _bolt, "card": _card, "coin": _coin, "crate": _crate, "flag": _flag, "globe": _globe,
    "satellite": _satellite, "scroll": _scroll, "shard": _shard, "ship": _ship, "target": _target, "urn": _urn,
}  # fmt: skip
