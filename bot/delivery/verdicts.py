"""Verdicts: what to do about a message after an error from Discord, and how long to wait before the
next attempt.

One table lists Discord's codes; for other codes the HTTP status decides.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import aiohttp
import discord

from bot.service import BotRemoved, MembershipUnknown, Recent
from bot.tasks import loop_time


class FailureAction(Enum):
    """The way to go on with a message that failed."""

    RETRY = "try again later"
    FALL_BACK = "use the other place: ping in a channel instead of a DM"
    RECREATE = "the message is gone: send another if it is still wanted"
    OPEN_ANEW = "the DM channel is closed to me or is not mine: ask Discord for it again"
    CLOSED = (
        "the place is closed to me, perhaps for a while: use the other place, or try again for an "
        "hour"
    )
    PUT_OFF = "no request was made: make it later"
    REOPEN = "the thread is archived: take it out of the archive and try again"
    GIVE_UP = "leave it until it changes"


class ChannelClosed(Exception):
    """A channel refused us a moment ago with this code, so no new request is made for
    ``seconds``.
    """

    def __init__(self, code: int, seconds: float) -> None:
        super().__init__(code)
        self.code, self.seconds = code, seconds


class NotAMember(Exception):
    """The recipient of a DM is no longer on the table's server."""


class Limited(discord.RateLimited):
    """Discord answered 429, with this ``code`` or 0. ``overall``: the limit is the whole bot's, not
    the route's.
    """

    def __init__(self, retry_after: float, *, overall: bool = False, code: int = 0) -> None:
        super().__init__(retry_after)
        self.overall, self.code = overall, code


class Verdict(NamedTuple):
    """An action, and the reason in words for the bot's owner. ``wait``: the fewest seconds before a
    new attempt.
    """

    act: FailureAction
    reason: str
    wait: float = 0.0


BY_CODE: dict[int, tuple[FailureAction, str]] = {
    10003: (FailureAction.GIVE_UP, "the channel was deleted"),
    10004: (FailureAction.GIVE_UP, "I am no longer in the server"),
    10008: (FailureAction.RECREATE, "the message was deleted"),
    10013: (FailureAction.GIVE_UP, "there is no such user any more"),
    20026: (FailureAction.FALL_BACK, "Discord has flagged me for spam and takes no DMs of mine"),
    20028: (FailureAction.RETRY, "the channel's limit for writing is used up"),
    30046: (FailureAction.RETRY, "a message over an hour old was edited too often"),
    40003: (FailureAction.FALL_BACK, "I open DMs faster than Discord allows"),
    40062: (FailureAction.RETRY, "Discord limits this for now"),
    50001: (FailureAction.CLOSED, "I have no access to the channel"),
    50005: (FailureAction.RECREATE, "another application wrote the message"),
    50007: (FailureAction.FALL_BACK, "this person takes no DMs from me"),
    50013: (FailureAction.CLOSED, "I lack a permission in the channel"),
    50033: (FailureAction.FALL_BACK, "Discord does not accept this person as a recipient"),
    50035: (FailureAction.GIVE_UP, "Discord did not accept the message as it was written"),
    50083: (FailureAction.REOPEN, "the thread is archived"),
    50278: (FailureAction.FALL_BACK, "I share no server with this person"),
    160005: (FailureAction.GIVE_UP, "the thread is locked"),
}
"""The meaning of Discord's codes. Other codes are judged by their HTTP status. In a DM some mean
something else.
"""

NO_COMMON_SERVER = 50278
"""Discord's code for somebody who is on no server with the bot."""

OLD_EDITS, WRITES = 30046, 20028
"""Discord's codes for its limit of edits of messages over an hour old in a channel, and of all
writing there.
"""

INVALID_FORM_BODY = 50035
"""Discord's code for a message that is not as it should be, which would be refused in any place."""

DMS_LOST = (10003, 50001)
"""Discord's codes for a DM channel that is another application's, or is closed for a spell."""

SERVER_ERROR = 500
TOO_MANY = 429
REFUSED = (401, 403, TOO_MANY)
"""The statuses that Discord counts: 10,000 in ten minutes bring a ban."""


def judge(error: Exception, *, in_dm: bool = False) -> Verdict:
    """Return what to do about a request that failed with this error, in a channel or in a DM.

    Temporary errors are tried again.
    """
    verdict = _judge(error)
    if not in_dm or not isinstance(error, discord.HTTPException):
        return verdict
    if error.code in DMS_LOST:
        return Verdict(FailureAction.OPEN_ANEW, "the DM channel is closed to me")
    refused = (
        verdict.act in (FailureAction.GIVE_UP, FailureAction.CLOSED)
        and error.code != INVALID_FORM_BODY
    )
    return verdict._replace(act=FailureAction.FALL_BACK) if refused else verdict


def _judge(error: Exception) -> Verdict:
    """Return what an error means in a channel."""
    match error:
        case NotAMember():
            return Verdict(FailureAction.GIVE_UP, "this person has left the server")
        case BotRemoved():
            return Verdict(*BY_CODE[10004])
        case MembershipUnknown():
            return Verdict(
                FailureAction.RETRY,
                f"it is not known whether this person is on the server: {error}",
            )
        case ChannelClosed() if BY_CODE[error.code][0] is FailureAction.CLOSED:
            return Verdict(
                FailureAction.PUT_OFF, "the channel was closed to me a moment ago", error.seconds
            )
        case ChannelClosed():
            return Verdict(*BY_CODE[error.code])
        case Limited(code=code) if code in BY_CODE:
            return Verdict(*BY_CODE[code], error.retry_after)
        case discord.RateLimited():
            return Verdict(FailureAction.RETRY, "Discord's rate limit", error.retry_after)
        case discord.HTTPException() if error.code in BY_CODE:
            act, reason = BY_CODE[error.code]
            return Verdict(act, reason, SHUT_FOR if act is FailureAction.CLOSED else 0.0)
        case discord.HTTPException() if is_outage(error) or error.status == TOO_MANY:
            return Verdict(FailureAction.RETRY, f"Discord answered {error.status}")
        case discord.HTTPException():
            return Verdict(
                FailureAction.GIVE_UP,
                f"Discord refused it (status {error.status}, code {error.code})",
            )
        case _:
            return Verdict(
                FailureAction.RETRY, f"Discord could not be reached ({type(error).__name__})"
            )


def is_outage(error: Exception) -> bool:
    """Return whether the error means that Discord itself is down."""
    if isinstance(error, discord.HTTPException):
        return error.status >= SERVER_ERROR
    return isinstance(error, FAILURES)


FAILURES = (aiohttp.ClientError, OSError)
"""Errors of a request without an answer: it is unknown whether Discord accepted it. A time-out is
an `OSError`.
"""


# ---------------------------------------------------------------- pauses

FIRST_PAUSE, LONGEST_PAUSE, LATE_PAUSE = 0.5, 8.0, 60.0
"""Seconds before the second attempt, the most that they double up to, and the pause after `PATIENT`
attempts. Discord is often down for a minute and seldom for an hour.
"""

PATIENT = 40

SOON, SOON_AT_MOST, SOON_FOR, NOT_AT_ALL = 2.0, 8.0, 6, 600.0
"""For a message that Discord refuses, which may never succeed: seconds before the second attempt,
the most that they double up to, the number of attempts after which they double further, and the
most then.
"""


def after_outage(attempts: int) -> float:
    """Return the pause in seconds after this many attempts that met a server error or got no
    answer.
    """
    return (
        min(FIRST_PAUSE * 2 ** (attempts - 1), LONGEST_PAUSE) if attempts < PATIENT else LATE_PAUSE
    )


def after_refusal(attempts: int) -> float:
    """Return the pause in seconds after this many attempts that Discord refused."""
    if attempts <= SOON_FOR:
        return min(SOON * 2.0 ** (attempts - 1), SOON_AT_MOST)
    return min(SOON_AT_MOST * 2.0 ** (attempts - SOON_FOR), NOT_AT_ALL)


# ---------------------------------------------------------------- closed channels

SHUT_FOR, ANSWERED_WITHIN = 60.0, 20.0
"""Seconds without requests to a channel that is closed to us; and for one request to find out
whether it still is.
"""

SHUT = (10003, 10004, 50001, 50013)
"""Discord's codes for a channel that is closed to us."""

SHUT_KEPT = 1000
"""The most closed channels that are remembered."""


def is_closed(error: Exception) -> bool:
    """Return whether the error says that a channel is closed to us."""
    return isinstance(error, discord.HTTPException) and error.code in SHUT


class ClosedChannels:
    """The channels that are closed to us: until when to leave them alone, and Discord's code.

    They get no requests for a while, because Discord bans bots that keep trying. Then one finds
    out.
    """

    def __init__(self) -> None:
        self.until = Recent[int, tuple[float, int]](SHUT_KEPT)

    def leave_alone(self, channel_id: int, error: Exception) -> bool:
        """Leave a channel alone for a while if this error says that it is closed to us. Return
        whether that is news.
        """
        news = channel_id not in self.until
        if isinstance(error, discord.HTTPException) and is_closed(error):
            self.until[channel_id] = loop_time() + SHUT_FOR, error.code
        return news and channel_id in self.until

    def require_open(self, channel_id: int) -> None:
        """Raise `ChannelClosed` for a channel that was closed to us a moment ago, or that another
        request tries now.
        """
        now, (until, code) = loop_time(), self.until.get(channel_id, (0.0, 0))
        if until > now:
            raise ChannelClosed(code, until - now)
        if code:
            self.until[channel_id] = now + ANSWERED_WITHIN, code

    def opened(self, channel_id: int) -> bool:
        """Note that a request succeeded. Return whether the channel was closed until now."""
        return self.until.pop(channel_id, None) is not None
