"""Shortens expected errors in the log to one line without a traceback, and drops repetitions.

discord.py logs a traceback every few seconds while Discord can't be reached.
"""

from __future__ import annotations

import logging
import time

import aiohttp
import discord

from bot.ledger import LedgerError
from bot.lifecycle.failures import first_line
from bot.rules.model.violation import Refused

EXPECTED = (
    OSError,
    aiohttp.ClientError,
    discord.ConnectionClosed,
    discord.DiscordServerError,
    discord.GatewayNotFound,
    discord.RateLimited,
    LedgerError,
)
"""Errors of the network, Discord and the database."""

OF_LIBRARY = (discord.HTTPException, Refused)
"""Expected errors of completions in discord.py's log: Discord's refusals, such as of a second answer, and our own."""

REPEATED_EVERY = 60.0
"""Seconds before the same line is logged again."""

REMEMBERED = 1024
"""The number of remembered lines at which expired ones are removed."""


class PlainErrors(logging.Filter):
    """Removes tracebacks of expected errors from log records, and drops repeated lines."""

    def __init__(self) -> None:
        super().__init__()
        self._logged_at: dict[tuple[str, str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a record. Replaces the traceback of an expected error with a few words."""
        error = record.exc_info[1] if record.exc_info else None
        if error is None or not (isinstance(error, EXPECTED) or _is_of_library(record, error)):
            return True
        why = first_line(error)
        key = (record.name, str(record.msg), why)
        record.msg, record.args = f"{record.getMessage()} ({why})", ()
        record.exc_info = record.exc_text = None
        now = time.monotonic()
        fresh = now - self._logged_at.get(key, -REPEATED_EVERY) >= REPEATED_EVERY
        if fresh:
            if len(self._logged_at) >= REMEMBERED:
                self._logged_at = {key: at for key, at in self._logged_at.items() if now - at < REPEATED_EVERY}
            self._logged_at[key] = now
        return fresh


def _is_of_library(record: logging.LogRecord, error: BaseException) -> bool:
    return record.name.startswith("discord.") and isinstance(_cause(error), OF_LIBRARY)


def _cause(error: BaseException) -> BaseException | None:
    return error.__cause__ if isinstance(error, discord.app_commands.CommandInvokeError) else error
