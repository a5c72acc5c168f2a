"""Tests of which messages the bot reads at all."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.discord_hooks import wrap_parser
from bot.lifecycle.messages import UNREAD, drop_others, intents, is_for_bot

BOT, ROLE = 7, 70

IN_CHANNEL: dict[str, Any] = {"author": {"id": "1"}, "guild_id": "5", "content": ""}
IN_DM: dict[str, Any] = {"author": {"id": "1"}, "content": "2 tg"}


@pytest.mark.parametrize(
    "data",
    [
        IN_DM,
        IN_DM | {"type": 19},
        IN_CHANNEL | {"content": "<@7> 2 tg"},
        IN_CHANNEL | {"content": "hey <@!7>"},
        IN_CHANNEL | {"mention_roles": ["70"]},
    ],
)
def test_messages_to_the_bot_are_read(data: dict[str, Any]) -> None:
    assert is_for_bot(data, BOT, ROLE)


@pytest.mark.parametrize(
    "data",
    [
        IN_CHANNEL,
        IN_CHANNEL | {"content": "<@8> 2 tg"},
        IN_CHANNEL | {"content": "2 tg", "mentions": [{"id": "7"}]},  # a reply to the bot
        IN_CHANNEL | {"mention_roles": ["71"]},
        IN_CHANNEL | {"content": "<@7>", "author": {"id": "2", "bot": True}},
        IN_CHANNEL | {"content": "<@7>", "webhook_id": "9"},
        IN_DM | {"author": {"id": "7", "bot": True}},
        IN_DM | {"type": 6},  # something was pinned
    ],
)
def test_others_are_dropped(data: dict[str, Any]) -> None:
    assert not is_for_bot(data, BOT, ROLE)


def test_edits_are_not_read() -> None:
    client = discord.Client(intents=intents(messages=True))
    read = list[Any]()
    for event in UNREAD:
        wrap_parser(client, event, lambda parse: read.append)
    drop_others(client)
    for event in UNREAD:
        client._connection.parsers[event](IN_DM)
    assert read == []


def test_no_intent_is_privileged_and_off_asks_for_no_messages() -> None:
    wanted = intents(messages=True)
    assert wanted.guild_messages
    assert wanted.dm_messages
    assert not wanted.message_content
    assert not wanted.members
    assert intents(messages=False) == discord.Intents(guilds=True)
