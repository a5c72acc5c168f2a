"""Tests of the sentences for errors that end the program, and of which errors are temporary."""

from __future__ import annotations

import inspect
from itertools import product
from typing import Any

import aiohttp
import discord
import pytest

from bot.errors import OperatorError, TryAgain
from bot.ledger import Damaged, LedgerError, Tampered
from bot.lifecycle.failures import CLOSED, describe_error, is_passing, needs_operator, sentence


class Response:
    """As much of an answer as discord.py's errors look at."""

    def __init__(self, status: int) -> None:
        self.status, self.reason = status, "a reason"


def http(
    status: int, code: int = 0, kind: type[discord.HTTPException] = discord.HTTPException
) -> Any:
    return kind(Response(status), {"code": code, "message": "first line\nsecond line"})  # type: ignore[arg-type]


def gateway_not_found(cause: BaseException) -> BaseException:
    error = discord.GatewayNotFound()
    error.__cause__ = cause
    return error


class Socket:
    close_code = 4004


def closed(code: int) -> discord.ConnectionClosed:
    return discord.ConnectionClosed(Socket(), shard_id=0, code=code)  # type: ignore[arg-type]


KEY: Any = type("Key", (), {"host": "discord.com", "port": 443, "ssl": True, "is_ssl": True})()
DNS = aiohttp.ClientConnectorDNSError(KEY, OSError(-2, "Name or service not known"))
REFUSED = aiohttp.ClientConnectorError(KEY, OSError(111, "Connect call failed"))

PASSING = [
    http(503, kind=discord.DiscordServerError),
    http(500, kind=discord.DiscordServerError),
    http(429),
    gateway_not_found(http(502)),
    discord.RateLimited(7.0),
    DNS,
    REFUSED,
    aiohttp.ServerDisconnectedError(),
    aiohttp.ClientPayloadError("cut off"),
    TimeoutError(),
    ConnectionResetError(104, "Connection reset by peer"),
    aiohttp.ClientConnectorCertificateError(KEY, ValueError("certificate has expired")),
]
FINAL = [
    discord.LoginFailure("Improper token has been passed."),
    discord.PrivilegedIntentsRequired(0),
    *(closed(code) for code in (*CLOSED, 4999)),
    http(400, 50035),
    http(401),
    http(403, kind=discord.Forbidden),
    http(404, kind=discord.NotFound),
    gateway_not_found(http(401)),
    aiohttp.InvalidURL("http://"),
    LedgerError("The ledger could not be read: disk I/O error."),
    OperatorError("One sentence."),
    discord.ClientException("something"),
    KeyError("a defect"),
    RuntimeError(""),
]


def named(error: BaseException) -> str:
    return type(error).__name__


def test_what_passes_is_told_in_a_line(subtests: pytest.Subtests) -> None:
    for error in PASSING:
        with subtests.test(named(error)):
            assert is_passing(error)
            text = describe_error(error)
            assert "\n" not in text
            assert text.endswith((".", "?"))


def test_what_ends_the_program_is_a_line(subtests: pytest.Subtests) -> None:
    for guild, error in product([None, 7], [*FINAL, *PASSING]):
        with subtests.test(f"{named(error)}, {guild}"):
            text = sentence(error, guild)
            assert "\n" not in text
            assert text.endswith(".")
            assert text[0].isupper()


def test_what_does_not_pass() -> None:
    assert [error for error in FINAL if is_passing(error)] == []


def test_every_error_of_discord_is_thought_of() -> None:
    """A new version of discord.py may bring others."""
    known = {type(each) for each in (*PASSING, *FINAL)}
    # These come of calls that the start does not make, or of the two in between.
    elsewhere = {
        "DiscordException",
        "InteractionResponded",
        "MissingApplicationID",
        "InvalidData",
        "FFmpegProcessError",
    }
    errors = {
        each
        for _, each in inspect.getmembers(discord.errors, inspect.isclass)
        if each.__module__ == "discord.errors"
    }
    assert {each.__name__ for each in errors - known} == elsewhere


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (closed(4004), "DISCORD_TOKEN"),
        (closed(4010), "SHARD_IDS"),
        (closed(4011), "SHARD_COUNT"),
        (closed(4012), "newer"),
        (closed(4013), "intents"),
        (closed(4014), "intents"),
        (closed(4999), "4999"),
        (http(404), "DISCORD_API_URL"),
        (http(400, 50035), "50035"),
        (KeyError("a defect"), "BOURSE_LOG=debug"),
    ],
)
def test_the_sentence_says_what_to_do(error: BaseException, named: str) -> None:
    assert named in sentence(error, None)


MENDED_BY_NOBODY_ELSE = [
    discord.LoginFailure("Improper token has been passed."),
    discord.PrivilegedIntentsRequired(0),
    *(closed(code) for code in CLOSED),
    http(400, 50035),
    http(401),
    gateway_not_found(http(401)),
    aiohttp.InvalidURL("http://"),
    OperatorError("One sentence."),
    Damaged("Broken."),
    Tampered(1, "An entry"),
]


@pytest.mark.parametrize("error", MENDED_BY_NOBODY_ELSE, ids=named)
def test_after_what_only_a_person_can_mend_another_start_helps_nobody(error: BaseException) -> None:
    assert needs_operator(error)


@pytest.mark.parametrize(
    "error",
    [*PASSING, closed(4999), TryAgain("x"), LedgerError("x"), KeyError("a defect")],
    ids=named,
)
def test_after_all_else_another_start_may_help(error: BaseException) -> None:
    """A defect too: a bot that stays down after one is worse than one that starts again."""
    assert not needs_operator(error)


def test_a_server_is_blamed_only_when_one_is_set() -> None:
    forbidden = http(403, 50001, discord.Forbidden)
    assert "DISCORD_GUILD_ID" in sentence(forbidden, 7)
    assert "DISCORD_GUILD_ID" not in sentence(forbidden, None)
