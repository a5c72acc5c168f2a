"""Errors as discord.py raises them when Discord says no."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import discord


def error(status: int, code: int) -> discord.HTTPException:
    """Return what this status and this code of Discord's become."""
    kinds = {403: discord.Forbidden, 404: discord.NotFound}
    kind = discord.DiscordServerError if status >= 500 else kinds.get(status, discord.HTTPException)
    return kind(
        cast(Any, SimpleNamespace(status=status, reason="", headers={})),
        {"code": code, "message": ""},
    )
