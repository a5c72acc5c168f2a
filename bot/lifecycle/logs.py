"""What the operator reads of failures that are no defects: one line each, without a traceback, and not again and again.

discord.py logs a traceback every few seconds while Discord can't be reached.
"""

from __future__ import annotations

import logging
import time

import aiohttp
import discord

from bot.ledger import LedgerError
from bot.lifecycle.failures import first_line

EXPECTED = (
    OSError,
    aiohttp.ClientError,
    discord.ConnectionClosed,
    discord.DiscordServerError,
    discord.GatewayNotFound,
    discord.RateLimited,
    LedgerError,
)
"""Errors of the network, of Discord and of the database."""

REPEATED_EVERY = 60.0
"""Seconds after which the same line is logged again."""


class PlainErrors(logging.Filter):
    """Removes the traceback of an expected error from what is logged, and drops lines that only repeat."""

    def __init__(self) -> None:
        super().__init__()
        self._logged_at: dict[tuple[str, str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a record, with its traceback replaced by a few words."""
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, EXPECTED):
            return True
        why = first_line(error)
        key = (record.name, str(record.msg), why)
        record.msg, record.args = f"{record.getMessage()} ({why})", ()
        record.exc_info = record.exc_text = None
        now = time.monotonic()
        fresh = now - self._logged_at.get(key, -REPEATED_EVERY) >= REPEATED_EVERY
        if fresh:
            self._logged_at[key] = now
        return fresh
