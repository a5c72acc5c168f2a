"""Output of commands: lines, columns, and a line of progress on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic

Echo = Callable[[str], object]
"""Writes a line to standard output."""

Tell = Callable[[str, int, int], object]
"""Reports progress: what is being done, how much is done, and how much there is (0: unknown)."""

AGAIN = 0.1
"""Seconds between two lines: a terminal is slow."""

CLEARED = "\r\x1b[K"
"""Goes back to the beginning of the terminal's line, and empties it."""


def silent(_what: str, _done: int, _total: int) -> None:
    """Report nothing."""


@contextmanager
def progress() -> Iterator[Tell]:
    """Show a line while the block runs, if standard error is a terminal. Yields the function that
    updates it.
    """
    if not sys.stderr.isatty():
        yield silent
        return
    shown = 0.0

    def tell(what: str, done: int, total: int) -> None:
        nonlocal shown
        if monotonic() - shown >= AGAIN or done == total:
            shown = monotonic()
            sys.stderr.write(f"{CLEARED}{what} · {done}{f' of {total}' if total else ''}\r")
            sys.stderr.flush()

    try:
        yield tell
    finally:
        sys.stderr.write(CLEARED)
        sys.stderr.flush()


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a line for each row, with its cells below each other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = map(str.ljust, row, widths)
        yield "  ".join(padded).rstrip()
