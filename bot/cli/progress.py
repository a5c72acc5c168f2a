"""A progress bar on standard error; nothing if that is not a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Tell = Callable[[str, int, int], object]
"""Reports progress: what is being done, how much is done, and how much there is (0: unknown)."""


def silent(_what: str, _done: int, _total: int) -> None:
    """Report nothing."""


@contextmanager
def progress() -> Iterator[Tell]:
    """Show a bar while the block runs, if standard error is a terminal. Yields the function that updates it."""
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    )  # fmt: skip
    # Print lines of standard output above the bar, unless it goes to a pipe or a file.
    console, on_screen = Console(stderr=True), sys.stdout.isatty()
    with Progress(*columns, console=console, transient=True, redirect_stdout=on_screen) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, total: bar.update(task, description=what, completed=done, total=total or None)
