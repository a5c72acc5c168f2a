"""Channels that refused us get no requests for a while: Discord bans bots that keep trying."""

from __future__ import annotations

import asyncio

import discord

from bot.delivery.outcomes import ChannelShut

SHUT_FOR = 60.0
"""Seconds without requests to a channel that is closed to us."""

SHUT = (10003, 10004, 50001, 50013)
"""Discord's codes for a channel that is closed to us."""


class ShutChannels:
    """The channels that are closed to us: until when to leave them alone, and Discord's code."""

    def __init__(self) -> None:
        self.until: dict[int, tuple[float, int]] = {}

    def leave_alone(self, channel_id: int, error: Exception) -> None:
        if isinstance(error, discord.HTTPException) and error.code in SHUT:
            now = asyncio.get_running_loop().time()
            self.until = {channel: shut for channel, shut in self.until.items() if shut[0] > now}
            self.until[channel_id] = now + SHUT_FOR, error.code

    def require_open(self, channel_id: int) -> None:
        """Raise `ChannelShut` for a channel that was closed to us a moment ago."""
        until, code = self.until.get(channel_id, (0.0, 0))
        if until > asyncio.get_running_loop().time():
            raise ChannelShut(code)
        self.until.pop(channel_id, None)
