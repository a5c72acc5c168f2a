"""Progress on standard error, where it is a terminal; elsewhere nothing at all."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Tell = Callable[[str, int, int], object]
"""Tell of work under way: what is being done, how much of it is done, and how much there is (0: not known)."""


def silent(_what: str, _done: int, _total: int) -> None:
    """Tell nobody."""


@contextmanager
def progress() -> Iterator[Tell]:
    """Show a bar while the block lasts, if standard error is a terminal. Give what tells it how far the work is."""
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    )  # fmt: skip
    # What is printed meanwhile goes above the bar, unless it goes into a pipe or a file.
    console, on_screen = Console(stderr=True), sys.stdout.isatty()
    with Progress(*columns, console=console, transient=True, redirect_stdout=on_screen) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, total: bar.update(task, description=what, completed=done, total=total or None)
