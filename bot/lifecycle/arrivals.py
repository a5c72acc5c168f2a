"""Answers interactions that discord.py can't parse, and keeps them from doing harm.

discord.py parses an interaction before any handler runs, and trusts that it has the documented shape. If it has not,
the exception would end the connection of the whole shard.
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
"""The fields of an interaction that are required to answer it."""

NOT_UNDERSTOOD = "I could not read what Discord sent me. Please do that once more."

UNREADABLE = (LookupError, ValueError, TypeError, AttributeError)
"""Errors that discord.py raises for missing fields, or for fields of an undocumented type."""


def guard_arrivals(client: discord.Client) -> None:
    """Log and answer the interactions that discord.py can't parse."""
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
    """Answer an interaction from its `NEEDED` fields alone."""
    try:
        interaction = interaction_from(client, {**{name: data[name] for name in NEEDED}, "attachment_size_limit": 0})
    except UNREADABLE as error:
        log.warning("an unreadable interaction could not be answered: %.200r", error)
    else:
        await turn_away(interaction, NOT_UNDERSTOOD)
