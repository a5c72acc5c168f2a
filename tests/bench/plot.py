"""Results as a picture: for each line its ratio, the spread of its rounds, and its aim, on one logarithmic axis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil, floor, log10
from pathlib import Path

from bot.errors import OperatorError
from tests.bench.measure import Result
from tests.bench.report import aim, figure

WIDTH, ROW, TOP, BOTTOM = 960, 34, 66, 50
"""Measures in pixels: the whole width, a line's height, and what is above and below the lines."""

LEFT, RIGHT = 120, 600
"""Where the axis begins and ends; what is said of each line follows."""

REACHED, MISSED, REPORTED, INK, FAINT, FELT = "#1a7f4b", "#c2410c", "#52606d", "#1f2933", "#d3dae2", "#ffffff"


def require_drawable(file: Path) -> None:
    """Raise `OperatorError` unless a picture can be written to this file. Asked before anything is measured."""
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
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'font-family="Noto Sans, DejaVu Sans, Arial, sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="{FELT}"/>',
        _text(LEFT, 26, "make bench: each line is a ratio of two figures", size=16, weight="bold"),
        _text(LEFT, 46, "dot: median of the rounds; bar: smallest to largest; mark: aim, shaded where it is reached",
              colour=REPORTED),
        *_Axis(results).lines(height - BOTTOM),
        *(part for place, result in enumerate(results) for part in _row(_Axis(results), result, TOP + ROW * place)),
        _text(LEFT, height - 12, about, colour=REPORTED, size=11),
        "</svg>\n",
    ])  # fmt: skip


class _Axis:
    """A logarithmic axis over whole powers of ten, which holds every ratio and every aim."""

    def __init__(self, results: Sequence[Result]) -> None:
        found = [ratio for result in results for ratio in result.ratios if ratio > 0]
        found += [each for result in results for each in (result.line.at_least, result.line.at_most) if each]
        self.first = min([-1, *(floor(log10(each)) for each in found)])
        self.last = max([1, *(ceil(log10(each)) for each in found)])

    def at(self, ratio: float) -> float:
        """Return where a ratio is, in pixels from the left; what is 0 is at the axis's beginning."""
        power = log10(ratio) if ratio > 0 else self.first
        return LEFT + (RIGHT - LEFT) * (power - self.first) / (self.last - self.first)

    def lines(self, bottom: int) -> Iterator[str]:
        """Yield a vertical line for each power of ten, with its number below."""
        for power in range(self.first, self.last + 1):
            x, colour = self.at(10.0**power), INK if power == 0 else FAINT
            yield f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}" stroke="{colour}"/>'
            yield _text(x, bottom + 16, f"{10.0**power:g}", anchor="middle", colour=REPORTED, size=11)


def _row(axis: _Axis, result: Result, y: int) -> Iterator[str]:
    """Yield one line: its name, its aim, its spread, its ratio, and the same in figures."""
    line, middle = result.line, y + ROW / 2
    colour = REPORTED if not line.has_aim else REACHED if result.reached else MISSED
    yield _text(LEFT - 12, middle + 4, line.name, anchor="end", weight="bold")
    for limit, ends in ((line.at_least, RIGHT), (line.at_most, LEFT)):
        if limit is not None:
            x = axis.at(limit)
            yield (
                f'<rect x="{min(x, ends):.1f}" y="{y + 5}" width="{abs(ends - x):.1f}" height="{ROW - 10}" '
                f'fill="{REACHED}" fill-opacity="0.10"/>'
            )
            yield (
                f'<line x1="{x:.1f}" y1="{y + 3}" x2="{x:.1f}" y2="{y + ROW - 3}" stroke="{REACHED}" stroke-width="2"/>'
            )
    low, high = axis.at(result.ratios[0]), axis.at(result.ratios[-1])
    yield (
        f'<line x1="{low:.1f}" y1="{middle}" x2="{max(high, low + 1):.1f}" y2="{middle}" stroke="{colour}" '
        'stroke-width="4" stroke-opacity="0.45"/>'
    )
    yield f'<circle cx="{axis.at(result.ratio):.1f}" cy="{middle}" r="6" fill="{colour}"/>'
    spread = f"{figure(result.ratio)} ({figure(result.ratios[0])}–{figure(result.ratios[-1])})"
    yield _text(RIGHT + 16, middle - 3, spread, colour=colour, weight="bold")
    said = f"aim: {_short(aim(line))}, {'reached' if result.reached else 'missed'}" if line.has_aim else "only reported"
    yield _text(RIGHT + 16, middle + 12, said, colour=colour, size=11)


def _short(text: str) -> str:
    """Return the first two parts of an aim: the ratio's, and how many more there are."""
    first, *others = text.split(", ")
    return f"{first}, and {len(others)} more" if others else first


def _text(
    x: float, y: float, text: str, *, colour: str = INK, size: int = 13, anchor: str = "start", weight: str = "normal"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" font-size="{size}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{escape(text)}</text>'
    )
