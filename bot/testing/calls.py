"""How long calls into a game take, and which of them fail: what `bot.rules.guard` logs, as sentences."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from bot.rules import guard

TOO_SLOW = 250
"""The most processor time that a call into a game may take, in milliseconds. A warning comes far earlier."""


@contextmanager
def watched() -> Iterator[list[str]]:
    """Yield a list to which a sentence is added for each call that fails or takes more than `TOO_SLOW`.

    The log gets none of them.
    """
    findings: list[str] = []
    with instead_of_log(guard.__name__, _Watcher(findings)):
        yield findings


@contextmanager
def instead_of_log(name: str, handler: logging.Handler) -> Iterator[None]:
    """Give the handler what a module logs, and nobody else."""
    logger = logging.getLogger(name)
    propagates, logger.propagate = logger.propagate, False
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagates


class _Watcher(logging.Handler):
    def __init__(self, findings: list[str]) -> None:
        super().__init__(logging.WARNING)
        self._findings = findings

    def emit(self, record: logging.LogRecord) -> None:
        ms = getattr(record, "ms", None)
        if ms is None:
            why = f" ({record.exc_info[1]!r})" if record.exc_info else ""
            self._findings.append(f"{record.getMessage()}{why}.")
        elif ms > TOO_SLOW:
            self._findings.append(f"{record.getMessage()}, and {TOO_SLOW} ms of processor time are the most.")
