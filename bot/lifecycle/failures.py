"""Classifies errors of Discord and the network as temporary or not, and describes them for the operator."""

from __future__ import annotations

import aiohttp
import discord

from bot.errors import OperatorError
from bot.ledger import LedgerError

TOKEN = "Copy it anew from your application's Bot page."

FORBIDDEN, TOO_MANY, SERVER_ERROR = 403, 429, 500
UNKNOWN_GUILD = 10004

CLOSED = {
    4004: f"Discord no longer accepts DISCORD_TOKEN: it was reset or revoked. {TOKEN}",
    4010: "Discord has no such shard. Check SHARD_IDS and SHARD_COUNT.",
    4011: "I am on too many servers for so few shards. Leave SHARD_COUNT out, or make it larger.",
    4012: "Discord no longer speaks the version of its gateway that I use. Install a newer Bourse.",
    4013: "Discord does not know the intents that I ask for. Install a newer Bourse.",
    4014: "Discord does not allow the intents that I ask for, though none of them is privileged. Look on your "
    "application's page whether Discord has restricted it.",
}
"""Messages for the codes with which Discord closes a connection for good."""


def is_passing(error: BaseException) -> bool:
    """Return whether an error is probably temporary: trouble at Discord or in the network."""
    match error:
        case discord.GatewayNotFound():  # raised from the HTTPException
            return error.__cause__ is None or is_passing(error.__cause__)
        case discord.HTTPException():
            return error.status >= SERVER_ERROR or error.status == TOO_MANY
        case aiohttp.InvalidURL():
            return False
        case _:
            return isinstance(error, (OSError, aiohttp.ClientError, discord.RateLimited))


def describe(error: BaseException) -> str:
    """Return a sentence about a temporary error."""
    match error:
        case discord.GatewayNotFound() if error.__cause__ is not None:
            return describe(error.__cause__)
        case discord.HTTPException(status=status):
            return f"Discord answers with an error ({status})."
        case discord.RateLimited(retry_after=seconds):
            return f"Discord wants me to wait for {seconds:.0f} s."
        case aiohttp.ClientSSLError():
            return (
                f"Discord's certificate can't be verified ({first_line(error)}). "
                "Are this machine's clock and certificates right?"
            )
        case _:
            return f"Discord can't be reached ({first_line(error)}). Is this machine online?"


def sentence(error: BaseException, guild_id: int | None) -> str:
    """Return a sentence for the operator about an error that ends the program.

    ``guild_id`` is the server for which the commands are registered, None for all servers.
    """
    match error:
        case OperatorError() | LedgerError():
            return str(error)
        case discord.GatewayNotFound() if error.__cause__ is not None:
            return sentence(error.__cause__, guild_id)
        case discord.LoginFailure() | discord.HTTPException(status=401):
            return f"Discord rejected DISCORD_TOKEN. {TOKEN}"
        case discord.PrivilegedIntentsRequired():
            return CLOSED[4014]
        case discord.ConnectionClosed(code=code):
            return CLOSED.get(code, f"Discord closed my connection for good ({code}).")
        case discord.HTTPException() if guild_id and (error.status == FORBIDDEN or error.code == UNKNOWN_GUILD):
            return (
                f"Discord will not let me register commands in server {guild_id}. "
                "Invite me there first, or take DISCORD_GUILD_ID out."
            )
        case discord.HTTPException(status=404, code=0):
            return "What answers in Discord's place is not Discord (404). Check DISCORD_API_URL."
        case discord.HTTPException():
            return f"Discord refused what I need to start (status {error.status}, code {error.code})."
        case aiohttp.ClientError() | OSError():
            return f"Discord can't be reached ({first_line(error)})."
        case _:
            return (
                f"I ended by a mistake of mine ({type(error).__name__}: {first_line(error)}). "
                "With BOURSE_LOG=debug I log where; please report it."
            )


def first_line(error: BaseException) -> str:
    """Return the first line of an error's text, or its type when there is none."""
    if isinstance(error, aiohttp.ClientConnectorError) and error.os_error.strerror:
        return f"{error.host}: {error.os_error.strerror}"
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__
