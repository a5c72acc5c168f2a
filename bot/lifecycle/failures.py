"""Handles errors of Discord and the network: retries, words for the operator, a short log."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import aiohttp
import discord

from bot.errors import OperatorError, TryAgain
from bot.ledger import Damaged, LedgerError, Tampered
from bot.rules.model.violation import Refused
from bot.tasks import loop_time

log = logging.getLogger(__name__)

TOKEN = "Copy it again from your application's Bot page."

FORBIDDEN, TOO_MANY, SERVER_ERROR = 403, 429, 500
UNKNOWN_GUILD = 10004

CLOSED = {
    4004: f"Discord no longer accepts DISCORD_TOKEN: it was reset or revoked. {TOKEN}",
    4010: "Discord has no such shard. Check SHARD_IDS and SHARD_COUNT.",
    4011: "I am on too many servers for this number of shards. Leave SHARD_COUNT out, or make it "
    "larger.",
    4012: "Discord no longer supports the gateway version that I use. Install a newer Bourse.",
    4013: "Discord does not know the intents that I ask for. Install a newer Bourse.",
    4014: "Discord does not allow the intents that I ask for, though none of them is privileged. "
    "Check on your "
    "application's page whether Discord has restricted it.",
}
"""Messages for the codes with which Discord closes a connection for good."""


def cause_of(error: BaseException) -> BaseException:
    """Return the error from which discord.py raised ``GatewayNotFound``; any other error as it
    is.
    """
    return (error.__cause__ or error) if isinstance(error, discord.GatewayNotFound) else error


def is_passing(error: BaseException) -> bool:
    """Return whether an error is probably temporary: trouble at Discord or in the network."""
    error = cause_of(error)
    match error:
        case discord.GatewayNotFound():
            return True
        case discord.HTTPException():
            return error.status >= SERVER_ERROR or error.status == TOO_MANY
        case aiohttp.InvalidURL():
            return False
        case _:
            return isinstance(error, (OSError, aiohttp.ClientError, discord.RateLimited))


def describe_error(error: BaseException) -> str:
    """Return a sentence about a temporary error."""
    error = cause_of(error)
    match error:
        case discord.HTTPException(status=status):
            return f"Discord answers with an error ({status})."
        case discord.RateLimited(retry_after=seconds):
            return f"Discord wants me to wait for {seconds:.0f} s."
        case aiohttp.ClientSSLError():
            return (
                f"Discord's certificate can't be verified ({first_line(error)}). "
                "Check this machine's clock and certificates."
            )
        case _:
            return f"Discord can't be reached ({first_line(error)}). Is this machine online?"


def wanted_wait(error: BaseException) -> float:
    """Return how many seconds Discord, or Cloudflare before it, wants to be left alone; 0 if it
    does not say.
    """
    error = cause_of(error)
    match error:
        case discord.RateLimited(retry_after=seconds):
            return seconds
        case discord.HTTPException(status=429):
            said = str(error.response.headers.get("Retry-After", ""))
            return float(said) if said.isdecimal() else 0.0
        case _:
            return 0.0


def sentence(error: BaseException, guild_id: int | None) -> str:
    """Return a sentence for the operator about an error that ends the program.

    ``guild_id`` is the server for which the commands are registered, None for all servers.
    """
    error = cause_of(error)
    match error:
        case OperatorError() | LedgerError():
            return str(error)
        case discord.LoginFailure() | discord.HTTPException(status=401):
            return f"Discord rejected DISCORD_TOKEN. {TOKEN}"
        case discord.PrivilegedIntentsRequired():
            return CLOSED[4014]
        case discord.ConnectionClosed(code=code):
            return CLOSED.get(code, f"Discord closed my connection for good ({code}).")
        case discord.HTTPException() if guild_id and (
            error.status == FORBIDDEN or error.code == UNKNOWN_GUILD
        ):
            return (
                f"Discord will not let me register commands in server {guild_id}. "
                "Invite me there first, or take DISCORD_GUILD_ID out."
            )
        case discord.HTTPException(status=404, code=0):
            return "The server that answers is not Discord (404). Check DISCORD_API_URL."
        case discord.HTTPException():
            return (
                f"Discord refused what I need to start (status {error.status}, code {error.code})."
            )
        case aiohttp.ClientError() | OSError():
            return f"Discord can't be reached ({first_line(error)})."
        case _:
            return (
                f"I stopped because of a bug ({type(error).__name__}: {first_line(error)}). "
                "Please report it; BOURSE_LOG=debug logs where it happened."
            )


def needs_operator(error: BaseException) -> bool:
    """Return whether only the operator can mend an error that ends the program. Otherwise, another
    start may help.
    """
    error = cause_of(error)
    match error:
        case TryAgain():
            return False
        case (
            OperatorError()
            | Damaged()
            | Tampered()
            | discord.LoginFailure()
            | discord.PrivilegedIntentsRequired()
        ):
            return True
        case discord.ConnectionClosed(code=code):
            return code in CLOSED
        case discord.HTTPException() | aiohttp.InvalidURL():
            return not is_passing(error)
        case _:
            return False


def first_line(error: BaseException) -> str:
    """Return the first line of an error's text, or its type when there is none."""
    if isinstance(error, aiohttp.ClientConnectorError) and error.os_error.strerror:
        return f"{error.host}: {error.os_error.strerror}"
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


# ---------------------------------------------------------------- retrying

T = TypeVar("T")

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""The first and the longest pause between two attempts, in seconds. Each pause doubles."""

SAID_EVERY = 600.0
"""Seconds before the operator is told the same again."""


class Retries:
    """Retries work that fails with temporary errors."""

    def __init__(self) -> None:
        self._said = ""
        self._said_at = 0.0

    async def attempt(self, work: Callable[[], Awaitable[T]]) -> T:
        """Return the result of ``work``, restarting it after each temporary error. Raises any other
        error.
        """
        pause = FIRST_PAUSE
        while True:
            try:
                result = await work()
            except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
                if not is_passing(error):
                    raise
                reason, wanted = describe_error(error), wanted_wait(error)
            else:
                if self._said:
                    self._said = ""
                    log.warning("Discord answers again.")
                return result
            now = loop_time()
            if reason != self._said or now - self._said_at > SAID_EVERY:
                self._said, self._said_at = reason, now
                log.error("%s I keep trying.", reason)
            await asyncio.sleep(max(wanted, pause * random.uniform(0.75, 1.0)))
            pause = min(2 * pause, LONGEST_PAUSE)

    @property
    def trouble(self) -> str:
        """What is wrong with Discord now; empty if it answers."""
        return self._said


# ---------------------------------------------------------------- in the log

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
"""Expected errors of completions in discord.py's log: Discord's refusals, such as of a second
answer, and our own.
"""

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
        """Return whether to log a record. Replaces the traceback of an expected error with a few
        words.
        """
        error = record.exc_info[1] if record.exc_info else None
        cause = (
            error.__cause__ if isinstance(error, discord.app_commands.CommandInvokeError) else error
        )
        of_library = record.name.startswith("discord.") and isinstance(cause, OF_LIBRARY)
        if error is None or not (isinstance(error, EXPECTED) or of_library):
            return True
        why = first_line(error)
        key = (record.name, str(record.msg), why)
        record.msg, record.args = f"{record.getMessage()} ({why})", ()
        record.exc_info = record.exc_text = None
        now = time.monotonic()
        fresh = now - self._logged_at.get(key, -REPEATED_EVERY) >= REPEATED_EVERY
        if fresh:
            if len(self._logged_at) >= REMEMBERED:
                self._logged_at = {
                    key: at for key, at in self._logged_at.items() if now - at < REPEATED_EVERY
                }
            self._logged_at[key] = now
        return fresh
