"""Icons of goods: small squares with a transparent background, for use in a line of text."""

from __future__ import annotations

from math import cos, pi, sin

from bot.rules.game import Icon, Shape
from bot.show.pictures.canvas import DARK, TEXT, Canvas, Point, drawn, mixed

SIDE = 128
"""Width and height of an icon in pixels; Discord shows it 22 to 48 pixels wide."""

_MIDDLE = SIDE / 2


def icon_png(icon: Icon) -> bytes:
    """Return an icon as PNG. Raises ``ValueError`` when its shape is unknown."""
    shape = icon.shape
    if shape is None:
        raise ValueError(f"{icon.name} has no shape to draw")

    def draw() -> Canvas:
        canvas = Canvas(SIDE, SIDE, background=None)
        _draw_shape(canvas, shape, icon.colour)
        if icon.letters:
            canvas.text(
                (_MIDDLE, _MIDDLE), icon.letters, 68, TEXT, bold=True, max_width=72, halo=DARK
            )
        return canvas

    return drawn(draw)


def _draw_shape(canvas: Canvas, shape: Shape, colour: str) -> None:
    dark, light, middle = mixed(colour, DARK, 0.45), mixed(colour, TEXT, 0.4), (_MIDDLE, _MIDDLE)
    match shape:
        case "bolt":
            canvas.polygon(_points("76,2 18,74 56,74 44,126 110,48 70,48"), dark)
            canvas.polygon(_points("72,14 32,67 64,67 56,106 96,55 61,55"), colour)
        case "card":
            canvas.panel(20, 4, 108, 124, dark, 16)
            canvas.panel(27, 11, 101, 117, colour, 11)
        case "coin":
            canvas.disc(middle, 60, colour, dark, 8)
            canvas.disc(middle, 38, mixed(colour, TEXT, 0.35), dark, 6)
            corners = []
            for number in range(6):
                turn = pi * number / 3
                corners.append((_MIDDLE + 20 * cos(turn), _MIDDLE + 20 * sin(turn)))
            canvas.polygon(corners, dark)
        case "crate":
            canvas.panel(8, 14, 120, 120, dark, 12)
            canvas.panel(16, 22, 112, 112, colour, 7)
            canvas.line((26, 32), (102, 102), dark, 12)
            canvas.line((102, 32), (26, 102), dark, 12)
            canvas.panel(8, 14, 120, 34, mixed(colour, TEXT, 0.3), 10)
        case "flag":
            canvas.line((28, 10), (28, 118), dark, 12)
            canvas.polygon(_points("30,14 116,24 92,48 116,74 30,78"), dark)
            canvas.polygon(_points("36,22 99,29 81,48 99,67 36,71"), colour)
        case "globe":
            canvas.path(_ring(pi, 2 * pi), dark, 11)
            canvas.disc(middle, 42, colour, dark, 6)
            canvas.path(_ring(0, pi), mixed(colour, TEXT, 0.55), 11)
        case "satellite":
            canvas.line((20, 64), (108, 64), dark, 10)
            for left in (4, 86):
                canvas.panel(left, 40, left + 38, 88, dark, 6)
                canvas.panel(left + 6, 46, left + 32, 82, colour, 3)
            canvas.disc(middle, 26, mixed(colour, TEXT, 0.5), dark, 7)
        case "scroll":
            canvas.panel(26, 10, 102, 118, dark, 8)
            canvas.panel(33, 16, 95, 112, colour, 4)
            for height in (6, 98):
                canvas.panel(14, height, 114, height + 24, dark, 12)
                canvas.panel(21, height + 6, 107, height + 18, light, 6)
            for height in (46, 62, 78):
                canvas.line((46, height), (82, height), dark, 7)
        case "shard":
            canvas.polygon(_points("64,2 112,46 82,126 46,126 16,46"), dark)
            canvas.polygon(_points("64,14 101,48 76,117 52,117 27,48"), colour)
            canvas.polygon(_points("64,14 80,50 64,117 48,50"), mixed(colour, TEXT, 0.45))
        case "ship":
            canvas.polygon(_points("64,2 92,70 122,112 64,96 6,112 36,70"), dark)
            canvas.polygon(_points("64,18 84,72 104,99 64,88 24,99 44,72"), colour)
            canvas.disc((64, 62), 11, mixed(colour, DARK, 0.6))
        case "target":
            canvas.disc(middle, 60, dark)
            canvas.disc(middle, 54, colour)
            canvas.disc(middle, 38, TEXT)
            canvas.disc(middle, 22, colour)
        case "urn":
            canvas.oval((64, 74), 46, 44, dark)
            canvas.oval((64, 74), 39, 37, colour)
            canvas.panel(40, 6, 88, 24, dark, 6)
            canvas.panel(48, 18, 80, 44, dark, 4)
            canvas.panel(54, 20, 74, 46, colour, 3)
            canvas.panel(40, 110, 88, 124, dark, 5)
            canvas.line((32, 74), (96, 74), dark, 8)


def _points(text: str) -> list[Point]:
    """Return points as SVG writes them: ``0,0 128,64``."""
    points = []
    for pair in text.split():
        x, _, y = pair.partition(",")
        points.append((float(x), float(y)))
    return points


def _ring(begin: float, end: float) -> list[Point]:
    """Return points on an arc of the ring around a globe."""
    steps, tilt = 24, -0.35
    points = []
    for step in range(steps + 1):
        turn = begin + (end - begin) * step / steps
        x, y = 60 * cos(turn), 17 * sin(turn)
        across, down = x * cos(tilt) - y * sin(tilt), x * sin(tilt) + y * cos(tilt)
        points.append((_MIDDLE + across, _MIDDLE + down))
    return points
