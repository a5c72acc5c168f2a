"""Tests of the message on a server that the bot joins: once, where people read it."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace

import discord
import pytest
from simcord.builders import ChannelHandle, GuildHandle

from bot.ledger import LedgerError
from bot.show.cards import Card
from cogs import arrival
from tests.cogs.evening import Evening

DENIED = discord.PermissionOverwrite(view_channel=False, send_messages=False)
SILENT = discord.PermissionOverwrite(send_messages=False)


async def joins(evening: Evening, guild: GuildHandle, event: str = "on_guild_join") -> None:
    """Have the bot hear what the library says of a GUILD_CREATE that is no start."""
    await evening.env.settle()
    known = evening.bot.get_guild(guild.id)
    assert known is not None
    heard = dict(evening.bot.cogs["Arrival"].get_listeners())
    await heard[event](known)


async def starts(evening: Evening, guild: GuildHandle) -> None:
    """Start the bot again, and have it hear what the library says of a server at a start."""
    await evening.stage.restart()
    await joins(evening, guild, "on_guild_available")


def read_in(channel: ChannelHandle) -> list[str]:
    texts = list[str]()
    for message in channel.history():
        parts = [component.to_dict() for component in message.components]
        texts.append(str(parts))
    return texts


async def test_a_start_is_no_join(evening: Evening) -> None:
    await evening.stage.restart()
    assert read_in(evening.stage.channel) == []


async def test_it_says_hello_once(evening: Evening) -> None:
    guild = evening.env.create_guild("Friday club")
    general, other = guild.create_text_channel("general"), guild.create_text_channel("other")
    await joins(evening, guild)
    assert ["I run the **trading** at your table." in text for text in read_in(general)] == [True]
    assert read_in(other) == []
    await joins(evening, guild)
    await evening.stage.restart()
    await joins(evening, guild)
    assert len(read_in(general)) == 1


async def test_it_says_hello_where_people_read(evening: Evening) -> None:
    guild = evening.env.create_guild("Friday club")
    everybody = guild.default_role
    staff = guild.create_text_channel(
        "staff", overwrites={everybody: discord.PermissionOverwrite(view_channel=False)}
    )
    rules = guild.create_text_channel("rules", overwrites={everybody: SILENT})
    games = guild.create_text_channel("games")
    await joins(evening, guild)
    assert read_in(staff) == read_in(rules) == []
    assert len(read_in(games)) == 1


async def test_where_it_may_not_write_it_says_nothing(
    evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    guild = evening.env.create_guild("Friday club")
    closed = guild.create_text_channel("rules", overwrites={guild.default_role: DENIED})
    with caplog.at_level(logging.INFO, "cogs.arrival"):
        await joins(evening, guild)
    assert read_in(closed) == []
    assert "no channel that I may write to" in caplog.text


async def test_a_ledger_that_fails_breaks_nothing(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(guild_id: int) -> str:
        raise LedgerError("gone")

    monkeypatch.setattr(evening.bot.service.messages, "greeting", fails)
    guild = evening.env.create_guild("Friday club")
    general = guild.create_text_channel("general")
    await joins(evening, guild)
    assert read_in(general) == []


async def test_a_hello_that_a_crash_left_unsaid_is_said_after_the_start(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def crashes(channel_id: int, card: Card, nonce: str) -> str:
        raise asyncio.CancelledError

    guild = evening.env.create_guild("Friday club")
    general = guild.create_text_channel("general")
    monkeypatch.setattr(evening.bot.delivery, "announce", crashes)
    with pytest.raises(asyncio.CancelledError):
        await joins(evening, guild)
    assert read_in(general) == []
    await starts(evening, guild)
    await starts(evening, guild)
    assert len(read_in(general)) == 1


async def test_a_hello_that_discord_can_not_take_is_said_later(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def down(channel_id: int, card: Card, nonce: str) -> str:
        return "not now"

    monkeypatch.setattr(arrival, "GREET_AGAIN", 0.01)
    guild = evening.env.create_guild("Friday club")
    general = guild.create_text_channel("general")
    with monkeypatch.context() as patch:
        patch.setattr(evening.bot.delivery, "announce", down)
        await joins(evening, guild)
    [later] = evening.bot.cogs["Arrival"]._tasks.running
    await later
    assert len(read_in(general)) == 1


@pytest.mark.parametrize("what", ["on_guild_channel_delete", "on_raw_thread_delete"])
async def test_a_deleted_channel_that_can_not_be_stored_is_one_line_in_the_log(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    async def fails(channel_id: int) -> None:
        raise LedgerError("disk full")

    monkeypatch.setattr(evening.bot.delivery, "channel_deleted", fails)
    deleted = SimpleNamespace(id=5, thread_id=5)
    await dict(evening.bot.cogs["Arrival"].get_listeners())[what](deleted)
    assert "channel 5: its end could not be stored" in caplog.text


async def test_what_it_may_not_do_is_told_to_whoever_sets_up(evening: Evening) -> None:
    channel = evening.stage.guild.create_text_channel(
        "small",
        overwrites={
            evening.stage.guild.default_role: discord.PermissionOverwrite(attach_files=False)
        },
    )
    alice = evening.stage.person("alice")
    answer = await alice.member.slash(channel, "table open", game="ti4")
    assert answer.response is not None
    assert "I can't show pictures (**Attach Files**)" in str(answer.response.components)


async def test_where_it_may_do_everything_no_warning_is_told(evening: Evening) -> None:
    alice = evening.stage.person("alice")
    answer = await alice.member.slash(evening.stage.channel, "table open", game="ti4")
    assert answer.response is not None
    assert "I can't" not in str(answer.response.components)
