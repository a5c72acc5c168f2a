"""The canvas: smooth shapes and text on a dark background. The only module that imports Pillow.

Pillow does not antialias shapes, so they are drawn `SUPERSAMPLING` times as large and then reduced.
Text is drawn afterwards, at its final size. All lengths are in pixels of the finished picture.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from importlib.resources import as_file, files
from io import BytesIO
from itertools import pairwise
from math import atan2, ceil, cos, hypot, pi, sin
from threading import Lock
from typing import Literal

from PIL import Image, ImageColor, ImageDraw, ImageFont

Point = tuple[float, float]
Anchor = Literal["left", "middle", "right"]
Stroke = Literal["solid", "dashed", "dotted"]
Sign = Literal["tick", "cross", "dots", "bar"]

CARD, FELT, FAINT = "#1c1f26", "#262b35", "#3d4452"
TEXT, MUTED, DARK = "#f4f5f7", "#b6bdca", "#14161b"
GREEN, AMBER, BLUE, GREY, YELLOW = "#3ddc97", "#ff9f45", "#7fb2ff", "#5c6474", "#ffe066"

SUPERSAMPLING = 3
WEIGHT = {False: 500, True: 700}
WIDTHS = (100, 85, 72)
"""Letter widths to try, in percent: a long name is narrowed before it is cut."""

_DRAWING = Lock()


class Canvas:
    """Draws shapes in the order of the calls, and all text on top of them.

    >>> canvas = Canvas(200, 100)
    >>> canvas.disc((50, 50), 20, "#ff99cc")
    >>> canvas.png()[1:4]
    b'PNG'
    """

    def __init__(self, width: int, height: int, background: str | None = CARD) -> None:
        """With ``background`` None, the picture is transparent and keeps all its colours."""
        self.width, self.height = width, height
        size = (width * SUPERSAMPLING, height * SUPERSAMPLING)
        self._transparent = background is None
        if background is None:
            self._image = Image.new("RGBA", size, (0, 0, 0, 0))
        else:
            self._image = Image.new("RGB", size, background)
        self._draw = ImageDraw.Draw(self._image)
        self._texts: list[Callable[[ImageDraw.ImageDraw], None]] = []

    def png(self) -> bytes:
        """Return the finished picture as PNG."""
        image = self._image.reduce(SUPERSAMPLING)
        draw = ImageDraw.Draw(image)
        for text in self._texts:
            text(draw)
        out = BytesIO()
        if self._transparent:
            image.save(out, "PNG", optimize=True)
            return out.getvalue()
        # A palette halves the size of the file and the time to compress it.
        palette = image.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        palette.save(out, "PNG", compress_level=6)
        return out.getvalue()

    def disc(self, at: Point, radius: float, fill: str, edge: str = "", thick: float = 0) -> None:
        """Draw a disc, with its edge inside the radius."""
        if edge:
            self.oval(at, radius, radius, edge)
        self.oval(at, radius - thick, radius - thick, fill)

    def oval(self, at: Point, across: float, down: float, fill: str) -> None:
        """Draw an ellipse with these half axes."""
        x, y = at
        box = (x - across, y - down, x + across, y + down)
        self._draw.ellipse([round(side * SUPERSAMPLING) for side in box], fill=fill)

    def panel(
        self, left: float, top: float, right: float, bottom: float, fill: str, radius: float = 14
    ) -> None:
        """Draw a rectangle with round corners."""
        box = [round(side * SUPERSAMPLING) for side in (left, top, right - 1, bottom - 1)]
        self._draw.rounded_rectangle(box, radius * SUPERSAMPLING, fill=fill)

    def polygon(self, points: Sequence[Point], fill: str) -> None:
        """Fill the area between corners."""
        corners = [(x * SUPERSAMPLING, y * SUPERSAMPLING) for x, y in points]
        self._draw.polygon(corners, fill=fill)

    def line(
        self, start: Point, end: Point, colour: str, thick: float, stroke: Stroke = "solid"
    ) -> None:
        """Draw a straight line with round ends, in one of three strokes."""
        length = hypot(end[0] - start[0], end[1] - start[1])
        if length < 1:
            return
        match stroke:
            case "solid":
                self._dash(start, end, colour, thick)
                return
            case "dashed":
                ink, gap = 16 + thick, 10 + thick
            case "dotted":
                ink, gap = 0.1, thick * 2.1
        count = max(2, round((length + gap) / (ink + gap)))
        squeezed = length / (count * (ink + gap) - gap)
        ink, gap = ink * squeezed, gap * squeezed
        for number in range(count):
            begun = number * (ink + gap) / length
            ended = begun + ink / length
            self._dash(between(start, end, begun), between(start, end, ended), colour, thick)

    def path(self, points: Sequence[Point], colour: str, thick: float) -> None:
        """Draw lines from point to point."""
        for start, end in pairwise(points):
            self._dash(start, end, colour, thick)

    def sign(self, sign: Sign, at: Point, size: float, colour: str, thick: float) -> None:
        """Draw a sign about as wide and high as ``size``."""
        (x, y), half = at, size / 2
        tip = half * 0.75
        match sign:
            case "tick":
                first = (x - half * 0.9, y + half * 0.02)
                low = (x - half * 0.22, y + half * 0.68)
                last = (x + half * 0.95, y - half * 0.66)
                self.path([first, low, last], colour, thick)
            case "cross":
                left, right = x - tip, x + tip
                self._dash((left, y + tip), (right, y - tip), colour, thick)
                self._dash((left, y - tip), (right, y + tip), colour, thick)
            case "dots":
                for step in (-1, 0, 1):
                    self.disc((x + step * tip, y), thick * 0.72, colour)
            case "bar":
                tip = half * 0.6
                self._dash((x - tip, y), (x + tip, y), colour, thick)

    def text(
        self,
        at: Point,
        text: str,
        size: int,
        colour: str = TEXT,
        *,
        anchor: Anchor = "middle",
        bold: bool = False,
        max_width: float = 10_000,
        halo: str = "",
    ) -> float:
        """Write one line of text, vertically centred on ``at``, fitted into ``max_width``, and
        return its width.

        ``halo`` is the colour of an outline that separates it from lines beneath.
        """
        shown, font, width = fitted(text, size, max_width, bold)
        before = {"left": 0.0, "middle": width / 2, "right": width}
        x = at[0] - before[anchor]
        # Align at the baseline, so that a text's letters do not shift it vertically.
        place = (round(x), round(at[1] + size * 0.355))

        def put(draw: ImageDraw.ImageDraw) -> None:
            write = partial(draw.text, place, shown, font=font, anchor="ls")
            if halo:
                write(fill=halo, stroke_width=5, stroke_fill=halo)
            write(fill=colour)

        self._texts.append(put)
        return width

    def _dash(self, start: Point, end: Point, colour: str, thick: float) -> None:
        """Draw a piece of a line with round ends, smooth at any angle."""
        angle = atan2(end[1] - start[1], end[0] - start[0])
        half, steps, corners = thick / 2, 8, []
        for (x, y), turn in ((end, -pi / 2), (start, pi / 2)):
            for step in range(steps + 1):
                around = angle + turn + pi * step / steps
                corners.append((x + half * cos(around), y + half * sin(around)))
        self.polygon(corners, colour)


def drawn(draw: Callable[[], Canvas]) -> bytes:
    """Draw a picture and return it as PNG, one at a time: threads share fonts, and a canvas takes
    20 MB.

    >>> def map_of_stalls() -> Canvas:
    ...     canvas = Canvas(200, 100)
    ...     _ = canvas.text((100, 50), "Red stall", 24)
    ...     return canvas
    >>> drawn(map_of_stalls)[1:4]
    b'PNG'
    """
    with _DRAWING:
        return draw().png()


def fitted(
    text: str, size: int, max_width: float, bold: bool = False
) -> tuple[str, ImageFont.FreeTypeFont, float]:
    """Return the text fitted into this width, narrowed or cut, with its font and its width."""
    shown = drawable(text)
    for width in WIDTHS:
        font = _font(size, WEIGHT[bold], width)
        if (long := font.getlength(shown)) <= max_width:
            return shown, font, ceil(long)

    def cut(kept: int) -> str:
        return f"{shown[:kept].rstrip()}…"

    def length(kept: int) -> float:
        return font.getlength(cut(kept))

    most = bisect_right(range(2, len(shown) + 1), max_width, key=length) + 1
    return cut(most), font, ceil(length(most))


@lru_cache(maxsize=1024)
def drawable(text: str) -> str:
    """Return the part of a text that the font can draw: normalised, without emoji and unknown
    scripts.
    """
    letters = unicodedata.normalize("NFKC", text)
    known = [letter for letter in letters if letter == " " or _has(letter)]
    return " ".join("".join(known).split())


@lru_cache(maxsize=4096)
def _has(letter: str) -> bool:
    """Return whether the font has this visible character. A missing one is drawn like U+FFFF, which
    no font has.
    """
    if unicodedata.category(letter)[0] in "CZ":
        return False
    font = _font(20, 400, 100)
    return bytes(font.getmask(letter)) != bytes(font.getmask("\uffff"))


@lru_cache(maxsize=64)
def _font(size: int, weight: int, width: int) -> ImageFont.FreeTypeFont:
    """Return Noto Sans (licence: OFL) from the package fontpkg-noto-sans."""
    with as_file(files("fontpkg_noto_sans") / "files" / "NotoSans[wdth,wght].ttf") as path:
        font = ImageFont.truetype(path, size)
    font.set_variation_by_axes([weight, width])
    return font


def mixed(colour: str, other: str, part: float) -> str:
    """Return a mix of two colours; ``part`` is the share of the second, from 0 to 1."""
    digits = []
    begin, end = ImageColor.getrgb(colour), ImageColor.getrgb(other)
    for first, second in zip(begin, end, strict=True):
        digits.append(f"{round(first * (1 - part) + second * part):02x}")
    return "#" + "".join(digits)


def between(start: Point, end: Point, part: float) -> Point:
    """Return the point on a line at this share of the way."""
    (x, y), (last_x, last_y) = start, end
    return x + (last_x - x) * part, y + (last_y - y) * part


def left(
    canvas: Canvas,
    at: Point,
    text: str,
    size: int,
    colour: str = TEXT,
    *,
    bold: bool = False,
    room: float = 10_000,
) -> float:
    """Write a line that begins here, and return its width."""
    return canvas.text(at, text, size, colour, anchor="left", bold=bold, max_width=room)


def right(
    canvas: Canvas, at: Point, text: str, size: int, colour: str = TEXT, *, bold: bool = False
) -> None:
    """Write a line that ends here."""
    canvas.text(at, text, size, colour, anchor="right", bold=bold)
