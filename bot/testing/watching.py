"""What the log says of a game while it is checked, as findings."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from bot.rules import guard

TOO_SLOW = 250
"""The most processor time that a call may take where a game is checked, in milliseconds."""


class Findings(logging.Handler):
    """What the guard logs, as sentences: one for each failure, and one for each slow place."""

    def __init__(self) -> None:
        super().__init__()
        self.sentences: list[str] = []
        self.slow: set[tuple[object, object]] = set()
        """Game and place of what took more than `TOO_SLOW`."""

    def emit(self, record: logging.LogRecord) -> None:
        what = record.getMessage()
        if record.exc_info:
            self.add(f"{what} ({record.exc_info[1]!r}).")
            return
        assert isinstance(record.args, tuple)
        game, where, milliseconds = record.args
        assert isinstance(milliseconds, int)
        if milliseconds > TOO_SLOW and (game, where) not in self.slow:
            self.slow.add((game, where))
            self.add(f"{what}, and {TOO_SLOW} ms of processor time are the most.")

    def add(self, *sentences: str) -> None:
        """Add these sentences, each once."""
        self.sentences += [each for each in sentences if each not in self.sentences]


@contextmanager
def watched() -> Iterator[Findings]:
    """Yield the calls into a game that fail where they only present, or take over `TOO_SLOW`.

    Nothing of that is logged meanwhile.
    """
    findings, propagate = Findings(), guard.log.propagate
    guard.log.addHandler(findings)
    guard.log.propagate = False
    try:
        yield findings
    finally:
        guard.log.removeHandler(findings)
        guard.log.propagate = propagate
