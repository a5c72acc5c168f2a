"""Log lines, as text or as JSON, with the table, the offer and the interaction that each is about.

A line about a table says so with ``extra={"table": 7}``. A line that is written while an
interaction is handled gets the fields that `note` has collected. No line has the token, the key, or
an interaction's own token.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Iterable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Literal

NOTED = ("table", "offer", "interaction")
"""The fields that a log line may have, all of them numbers."""

OWN_LOGGERS = ("bot", "cogs", "bourse")
"""Our own loggers. Libraries log their data, such as SQL with its parameters, below the level of a
warning.
"""

_TOKEN_IN_PATH = re.compile(r"(/(?:interactions|webhooks)/\d+/)[^/\s'\"?]+")
"""An interaction's token in an address. Whoever has it can answer in the bot's name for 15
minutes.
"""

_noted: ContextVar[tuple[asyncio.Task[Any] | None, dict[str, int]]] = ContextVar(
    "_noted", default=(None, {})
)
"""What the current task is about. Tasks and timers that it starts inherit the value, so it names
its task.
"""


def note(**fields: int) -> None:
    """Add these fields to the log lines of the current task, from now on. Tasks that it starts do
    not get them.
    """
    task = asyncio.current_task()
    owner, known = _noted.get()
    _noted.set((task, known | fields if owner is task else fields))


def configure(level: str, form: Literal["text", "json"], secrets: Iterable[str]) -> None:
    """Log to standard error: our own lines from ``level`` on, and from libraries only warnings and
    errors.

    Does nothing if logging is set up already, as ``logging.basicConfig`` does.
    """
    if logging.getLogger().handlers:
        return
    handler = logging.StreamHandler()
    handler.setFormatter(Lines(form, secrets))
    handler.setLevel(level.upper())  # some libraries set a level of their own
    logging.basicConfig(
        level=max(logging.WARNING, logging.getLevelName(level.upper())), handlers=[handler]
    )
    for name in OWN_LOGGERS:
        logging.getLogger(name).setLevel(level.upper())


class Lines(logging.Formatter):
    """Formats records, without these secrets."""

    def __init__(self, form: Literal["text", "json"], secrets: Iterable[str] = ()) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._form = form
        self._secrets = [each for each in secrets if each]

    def format(self, record: logging.LogRecord) -> str:
        text = self._json(record) if self._form == "json" else super().format(record)
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return _TOKEN_IN_PATH.sub(r"\1***", text)

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the line without a traceback: the message, and what it is about in brackets."""
        about = ", ".join(f"{name} {number}" for name, number in fields_of(record).items())
        return (
            f"{super().formatMessage(record)} [{about}]" if about else super().formatMessage(record)
        )

    def _json(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **fields_of(record),
        }
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line)


def fields_of(record: logging.LogRecord) -> dict[str, int]:
    """Return what a record is about: its own fields, else those of the current task."""
    owner, noted = _noted.get()
    noted = noted if owner is not None and owner is _current_task() else {}
    found = {name: getattr(record, name, None) or noted.get(name) for name in NOTED}
    return {name: number for name, number in found.items() if number is not None}


def _current_task() -> asyncio.Task[Any] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:  # a thread without an event loop, such as the database's
        return None
