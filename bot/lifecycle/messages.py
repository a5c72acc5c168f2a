"""Messages as they arrive: all but those that are for the bot are dropped unread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import discord

from bot.discord_hooks import wrap_parser

CREATED = "MESSAGE_CREATE"

UNREAD = ("MESSAGE_UPDATE", "MESSAGE_DELETE", "MESSAGE_DELETE_BULK")
"""Events about messages that nobody needs: an edit is not read, so that nobody's words change after
they were answered.
"""

WRITTEN = {discord.MessageType.default.value, discord.MessageType.reply.value}
"""The types of messages that people write; others are Discord's notices."""


def intents(*, messages: bool) -> discord.Intents:
    """Return what Discord should tell the bot. None of it is privileged.

    With ``messages``, that is every message. Discord leaves out the text of those in channels,
    unless they mention the bot.
    """
    return discord.Intents(guilds=True, guild_messages=messages, dm_messages=messages)


def drop_others(client: discord.Client) -> None:
    """Drop every message that is not for the bot, before discord.py makes anything of it.

    A busy server sends thousands a minute.
    """

    def chosen(parse: Callable[[Any], None]) -> Callable[[Any], None]:
        def read(data: Any) -> None:
            if client.user is not None and is_for_bot(
                data, client.user.id, _own_role(client, data)
            ):
                parse(data)

        return read

    wrap_parser(client, CREATED, chosen)
    for event in UNREAD:
        wrap_parser(client, event, lambda parse: _ignore)


def is_for_bot(data: Any, bot: int, role: int | None) -> bool:
    """Return whether the data of a message are those of one that a person wrote to the bot: by DM,
    or with a mention of its user, or of the ``role`` that Discord made for it.
    """
    author = data["author"]
    if author.get("bot") or data.get("webhook_id") or data.get("type", 0) not in WRITTEN:
        return False
    if data.get("guild_id") is None:
        return True
    if str(role) in data.get("mention_roles", ()):
        return True
    content = data.get("content") or ""
    return any(mention in content for mention in mentions_of(bot))


def mentions_of(bot: int) -> tuple[str, str]:
    """Return how a mention of the bot's user is written."""
    return f"<@{bot}>", f"<@!{bot}>"


def _own_role(client: discord.Client, data: Any) -> int | None:
    """Return the bot's own role on the server of a message that mentions roles; None without."""
    if not data.get("mention_roles"):
        return None
    guild = client.get_guild(int(data.get("guild_id") or 0))
    own = guild.self_role if guild is not None else None
    return own.id if own is not None else None


def _ignore(data: Any) -> None:
    """Do nothing with an event."""
