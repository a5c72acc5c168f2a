"""``make bench``: the chosen lines, one after another."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Callable, Sequence
from pathlib import Path

from bot.app import collect_seldom
from bot.errors import OperatorError
from tests.tools.bench.lines import LINES
from tests.tools.bench.measure import FULL, QUICK, Line, Unavailable, measure
from tests.tools.bench.plot import draw, require_drawable
from tests.tools.bench.report import as_json, as_text, machine_text, skipped


async def run(
    only: Sequence[str],
    say: Callable[[str], object],
    *,
    json: bool,
    quick: bool,
    plot: Path | None = None,
    tell: Callable[[str, int, int], object] = lambda _what, _done, _total: None,
) -> None:
    """Measure these lines (none: every line) and report each result when it is there, or all as
    JSON at the end.

    ``plot`` is a file for a picture of them, which is drawn anew after each line.

    ``tell`` is told which line is measured, how many are done, and how many there are.

    A line that cannot be measured here is skipped, with the reason. Raises `OperatorError` for an
    unknown line, and where no picture can be written.
    """
    effort, results, left_out = QUICK if quick else FULL, [], {}
    lines = chosen(only)
    if plot is not None:
        require_drawable(plot)
    collect_seldom()  # as the bot does
    for number, line in enumerate(lines):
        tell(line.name, number, len(lines))
        try:
            result = await measure(line, effort)
        except Unavailable as why:
            left_out[line.name] = str(why)
            if not json:
                say(skipped(line, str(why)))
            continue
        results.append(result)
        if plot is not None:
            draw(plot, results, machine_text())
        if not json:
            say(as_text(result))
    if json:
        say(jsonlib.dumps(as_json(results, left_out, effort), indent=2))


def chosen(only: Sequence[str]) -> list[Line]:
    """Return the lines of these names. Raises `OperatorError` for an unknown name."""
    names = [line.name for line in LINES]
    if unknown := [name for name in only if name not in names]:
        raise OperatorError(
            f"There is no line {unknown[0]!r} in the benchmarks: expected {', '.join(names)}."
        )
    return [line for line in LINES if not only or line.name in only]
