"""Asks Discord whether a user is on a server."""

from __future__ import annotations

import asyncio

import discord

from bot.delivery.outcomes import FAILURES
from bot.service import LookUp, MembershipUnknown

WAIT = 2.0
"""Seconds to wait for Discord's answer. Discord waits three for ours."""

UNKNOWN_MEMBER, UNKNOWN_USER = 10007, 10013
"""Discord's codes for a user who is not on the server, and for a deleted user."""


def membership(client: discord.Client) -> LookUp:
    """Return a function that asks Discord whether a user is a member of a server. It raises `MembershipUnknown`."""

    async def look_up(guild_id: int, user_id: int) -> bool:
        try:
            async with asyncio.timeout(WAIT):
                await client.http.get_member(guild_id, user_id)
        except discord.HTTPException as error:
            if error.code in (UNKNOWN_MEMBER, UNKNOWN_USER):
                return False
            raise MembershipUnknown(f"Discord answered {error.status} ({error.code})") from error
        except (discord.RateLimited, *FAILURES) as error:
            raise MembershipUnknown(f"Discord did not answer ({type(error).__name__})") from error
        return True

    return look_up
