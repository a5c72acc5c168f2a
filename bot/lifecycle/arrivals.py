"""Arrivals: an interaction that discord.py can't read is answered all the same, and harms no other.

discord.py reads an interaction before anybody can handle it, and trusts that it is as Discord describes it. What it
raises otherwise would end the connection of the whole shard.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import discord

from bot.discord_hooks import interaction_from, wrap_parser
from bot.lifecycle.interactions import turn_away
from bot.tasks import Tasks

log = logging.getLogger(__name__)

EVENT = "INTERACTION_CREATE"

NEEDED = ("id", "application_id", "type", "token", "version")
"""The parts of an interaction without which it can't be answered."""

NOT_UNDERSTOOD = "I could not read what Discord sent me. Please do that once more."

UNREADABLE = (LookupError, ValueError, TypeError, AttributeError)
"""What discord.py raises for parts that are missing, or of another type than Discord says."""


def guard_arrivals(client: discord.Client) -> None:
    """Let interactions that discord.py can't read be logged and answered."""
    tasks = Tasks()

    def guarded(parse: Callable[[Any], None]) -> Callable[[Any], None]:
        def read(data: Any) -> None:
            try:
                parse(data)
            except UNREADABLE as error:
                log.warning("an interaction could not be read: %.200r", error)
                if isinstance(data, dict) and all(name in data for name in NEEDED):
                    tasks.start("answering what could not be read", _answer(client, data))

        return read

    wrap_parser(client, EVENT, guarded)


async def _answer(client: discord.Client, data: dict[str, Any]) -> None:
    """Answer an interaction from as much of it as that needs."""
    try:
        interaction = interaction_from(client, {**{name: data[name] for name in NEEDED}, "attachment_size_limit": 0})
    except UNREADABLE as error:
        log.warning("nor could it be answered: %.200r", error)
    else:
        await turn_away(interaction, NOT_UNDERSTOOD)
