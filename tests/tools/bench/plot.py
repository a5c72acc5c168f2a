"""Results as a picture: for each line its ratio and the spread of its rounds, on one logarithmic
axis.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import chain
from math import ceil, floor, log10
from pathlib import Path

from bot.errors import OperatorError
from tests.tools.bench.measure import Result
from tests.tools.bench.report import figure

WIDTH, ROW, TOP, BOTTOM = 960, 34, 66, 50
"""Measures in pixels: the whole width, a line's height, and what is above and below the lines."""

LEFT, RIGHT = 120, 600
"""Where the axis begins and ends; what is said of each line follows."""

REPORTED, INK, FAINT, FELT = "#52606d", "#1f2933", "#d3dae2", "#ffffff"


def require_drawable(file: Path) -> None:
    """Raise `OperatorError` unless a picture can be written to this file. Asked before anything is
    measured.
    """
    if file.suffix.lower() != ".svg":
        raise OperatorError(f"The picture is an SVG: name it {file.with_suffix('.svg')}.")
    if not file.absolute().parent.is_dir():
        raise OperatorError(f"There is no folder {file.absolute().parent} for the picture.")


def draw(file: Path, results: Sequence[Result], about: str) -> None:
    """Write a picture of the results into this file."""
    file.write_text(drawn(results, about), encoding="utf-8")


def drawn(results: Sequence[Result], about: str) -> str:
    """Return the results as an SVG. ``about`` is a line on the machine and the versions."""
    height = TOP + ROW * len(results) + BOTTOM
    axis = _Axis(results)
    title = "make bench: each line is a ratio of two figures"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" '
        'font-family="Noto Sans, DejaVu Sans, Arial, sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="{FELT}"/>',
        _text(LEFT, 26, title, size=16, weight="bold"),
        _text(LEFT, 46, "dot: median of the rounds; bar: smallest to largest", colour=REPORTED),
        *axis.lines(height - BOTTOM),
    ]
    for place, result in enumerate(results):
        parts += _row(axis, result, TOP + ROW * place)
    parts.append(_text(LEFT, height - 12, about, colour=REPORTED, size=11))
    return "\n".join([*parts, "</svg>\n"])


class _Axis:
    """A logarithmic axis over whole powers of ten, which holds every ratio."""

    def __init__(self, results: Sequence[Result]) -> None:
        ratios = chain.from_iterable(result.ratios for result in results)
        powers = [log10(ratio) for ratio in ratios if ratio > 0]
        self.first = min(-1, floor(min(powers, default=0)))
        self.last = max(1, ceil(max(powers, default=0)))

    def at(self, ratio: float) -> float:
        """Return where a ratio is, in pixels from the left; what is 0 is at the axis's
        beginning.
        """
        power = log10(ratio) if ratio > 0 else self.first
        return LEFT + (RIGHT - LEFT) * (power - self.first) / (self.last - self.first)

    def lines(self, bottom: int) -> Iterator[str]:
        """Yield a vertical line for each power of ten, with its number below."""
        for power in range(self.first, self.last + 1):
            x, colour = self.at(10.0**power), INK if power == 0 else FAINT
            yield f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}" stroke="{colour}"/>'
            yield _text(
                x, bottom + 16, f"{10.0**power:g}", anchor="middle", colour=REPORTED, size=11
            )


def _row(axis: _Axis, result: Result, y: int) -> Iterator[str]:
    """Yield one line: its name, its spread, its ratio, and the same in figures."""
    middle = y + ROW / 2
    yield _text(LEFT - 12, middle + 4, result.line.name, anchor="end", weight="bold")
    low, high = axis.at(result.ratios[0]), axis.at(result.ratios[-1])
    yield (
        f'<line x1="{low:.1f}" y1="{middle}" x2="{max(high, low + 1):.1f}" y2="{middle}" '
        f'stroke="{REPORTED}" '
        'stroke-width="4" stroke-opacity="0.45"/>'
    )
    yield f'<circle cx="{axis.at(result.ratio):.1f}" cy="{middle}" r="6" fill="{REPORTED}"/>'
    spread = f"{figure(result.ratio)} ({figure(result.ratios[0])}–{figure(result.ratios[-1])})"
    yield _text(RIGHT + 16, middle + 4, spread, weight="bold")


def _text(
    x: float,
    y: float,
    text: str,
    *,
    colour: str = INK,
    size: int = 13,
    anchor: str = "start",
    weight: str = "normal",
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" font-size="{size}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{escape(text)}</text>'
    )
