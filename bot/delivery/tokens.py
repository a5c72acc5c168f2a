"""Interaction tokens: a request made with one does not count towards Discord's 50 requests a second
for a bot.

For 15 minutes an interaction's token can edit and delete one message, which Discord calls
``@original``: the response, if that was a new message, or the pressed message, if the response was
an update of it. Nothing else is sent by token: a follow-up has no nonce, so one whose fate is
unknown could appear twice, and it shows whose interaction it follows.

Tokens are secrets. They stay in memory, and a `discord.Webhook` does not show its token.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import discord

from bot.delivery.budget import RateLimit, RateWindow
from bot.tasks import loop_time

USED_FOR = 14 * 60.0
"""Seconds after an interaction for which its token is used. Discord accepts it for 15 minutes and
then answers 401, which counts towards a ban.
"""

BY_TOKEN = RateLimit(5, 2.1)
"""Discord allows five requests in two seconds with one token."""

IN_CHANNEL = RateLimit(30, 60.5)
"""Discord allows 30 follow-ups a minute in a channel and does not say whether edits count as
well.
"""

OVERALL = RateLimit(40, 1.03)
"""Discord limits an address to 50 requests a second where they carry no authorisation. The other
ten are left for the responses to interactions, which may count too.
"""

TOKENS_KEPT = 4096
"""The most messages whose token is kept."""


@dataclass(slots=True)
class _Reach:
    """The token that reaches a message in a channel, until a time in the loop's clock."""

    webhook: discord.Webhook
    channel_id: int
    until: float
    used: RateWindow = field(default_factory=lambda: RateWindow(BY_TOKEN))


class Tokens:
    """The token for each message that was shown as the response to an interaction lately."""

    def __init__(self) -> None:
        self._reached: dict[int, _Reach] = {}  # by message, the latest last
        self._channels: dict[int, RateWindow] = {}
        self._overall = RateWindow(OVERALL)

    def keep(self, message_id: int, channel_id: int, webhook: discord.Webhook, age: float) -> None:
        """Keep the token of an interaction, now ``age`` seconds old, whose response shows this
        message.
        """
        now = loop_time()
        self._reached.pop(message_id, None)
        self._reached[message_id] = _Reach(webhook, channel_id, now + USED_FOR - age)
        if len(self._reached) > TOKENS_KEPT:
            del self._reached[next(iter(self._reached))]
            self._channels = {
                channel: window for channel, window in self._channels.items() if window.busy(now)
            }

    def take(self, message_id: int) -> discord.Webhook | None:
        """Return the webhook that edits and deletes a message as ``@original``, and count one
        request with it.

        Return None if there is none, if its token is too old, or if the request would have to wait.
        """
        now, reach = loop_time(), self._reached.get(message_id)
        if reach is None:
            return None
        if reach.until <= now:
            self.forget(message_id)
            return None
        windows = (
            reach.used,
            self._channels.setdefault(reach.channel_id, RateWindow(IN_CHANNEL)),
            self._overall,
        )
        if any(window.opens(now) > now for window in windows):
            return None
        for window in windows:
            window.take(now)
        return reach.webhook

    def forget(self, message_id: int) -> None:
        """Forget the token of a message, because Discord refused it or the message is gone."""
        self._reached.pop(message_id, None)
