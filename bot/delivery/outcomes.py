"""Outcomes: what to do about a message when Discord answers with an error.

One table lists Discord's codes; for other codes the HTTP status decides.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import aiohttp
import discord

from bot.service import MembershipUnknown


class Act(Enum):
    """What to do about a message that failed."""

    RETRY = "try again later"
    FALL_BACK = "use the other place: ping in a channel instead of a DM"
    RECREATE = "the message is gone: send another if it is still wanted"
    REPLACE = "the message can't be edited any more: send another in its place and delete it"
    REOPEN = "the thread is archived: take it out of the archive and try again"
    GIVE_UP = "leave it until it changes"


class ChannelShut(Exception):
    """A channel refused us a moment ago with this code, so no new request is made yet."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class NotAMember(Exception):
    """The recipient of a DM is no longer on the table's server."""


class Verdict(NamedTuple):
    """What to do, and why, in words for the bot's owner. ``wait``: the least number of seconds before a new attempt."""

    act: Act
    reason: str
    wait: float = 0.0


BY_CODE: dict[int, tuple[Act, str]] = {
    10003: (Act.GIVE_UP, "the channel was deleted"),
    10004: (Act.GIVE_UP, "I am no longer in the server"),
    10008: (Act.RECREATE, "the message was deleted"),
    10013: (Act.GIVE_UP, "there is no such user any more"),
    20026: (Act.FALL_BACK, "Discord has flagged me for spam and takes no DMs of mine"),
    20028: (Act.RETRY, "the channel's limit for writing is used up"),
    30046: (Act.REPLACE, "a message over an hour old was edited too often"),
    40003: (Act.FALL_BACK, "I open DMs faster than Discord allows"),
    40062: (Act.RETRY, "Discord limits this for now"),
    50001: (Act.GIVE_UP, "I have no access to the channel"),
    50007: (Act.FALL_BACK, "this person takes no DMs from me"),
    50013: (Act.GIVE_UP, "I lack a permission in the channel"),
    50033: (Act.FALL_BACK, "Discord does not accept this person as a recipient"),
    50035: (Act.GIVE_UP, "Discord did not accept the message as it was written"),
    50083: (Act.REOPEN, "the thread is archived"),
    50278: (Act.FALL_BACK, "I share no server with this person"),
    160005: (Act.GIVE_UP, "the thread is locked"),
}
"""What Discord's codes mean. Other codes are judged by their HTTP status."""

SERVER_ERROR = 500
TOO_MANY = 429


def judge(error: Exception) -> Verdict:
    """Return what to do about a request that failed with this error. Temporary errors are tried again."""
    match error:
        case NotAMember():
            return Verdict(Act.GIVE_UP, "this person has left the server")
        case MembershipUnknown():
            return Verdict(Act.RETRY, f"it is not known whether this person is on the server: {error}")
        case ChannelShut():
            return Verdict(Act.GIVE_UP, "the channel was closed to me a moment ago")
        case discord.RateLimited():
            return Verdict(Act.RETRY, "Discord's rate limit", error.retry_after)
        case discord.HTTPException() if error.code in BY_CODE:
            return Verdict(*BY_CODE[error.code])
        case discord.HTTPException() if is_outage(error) or error.status == TOO_MANY:
            return Verdict(Act.RETRY, f"Discord answered {error.status}")
        case discord.HTTPException():
            return Verdict(Act.GIVE_UP, f"Discord refused it (status {error.status}, code {error.code})")
        case _:
            return Verdict(Act.RETRY, f"Discord could not be reached ({type(error).__name__})")


def is_outage(error: Exception) -> bool:
    """Return whether the error means that Discord itself is down."""
    if isinstance(error, discord.HTTPException):
        return error.status >= SERVER_ERROR
    return isinstance(error, FAILURES)


FAILURES = (aiohttp.ClientError, OSError, TimeoutError)
"""What a request raises when there is no answer."""
