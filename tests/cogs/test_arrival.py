"""Tests of the message on a server that the bot joins: once, where people read it."""

from __future__ import annotations

import logging

import discord
import pytest
from simcord.builders import ChannelHandle, GuildHandle

from bot.ledger import LedgerError
from tests.cogs.evening import Evening

DENIED = discord.PermissionOverwrite(view_channel=False, send_messages=False)
SILENT = discord.PermissionOverwrite(send_messages=False)


async def joins(evening: Evening, guild: GuildHandle) -> None:
    """Have the bot hear what the library says of a GUILD_CREATE that is no start."""
    await evening.env.settle()
    known = evening.bot.get_guild(guild.id)
    assert known is not None
    heard = dict(evening.bot.cogs["Arrival"].get_listeners())
    await heard["on_guild_join"](known)


def read_in(channel: ChannelHandle) -> list[str]:
    return [str([each.to_dict() for each in message.components]) for message in channel.history()]


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
    assert [len(read_in(each)) for each in (staff, rules, games)] == [0, 0, 1]


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
    async def fails(guild_id: int) -> bool:
        raise LedgerError("gone")

    monkeypatch.setattr(evening.bot.service.messages, "arrived", fails)
    guild = evening.env.create_guild("Friday club")
    general = guild.create_text_channel("general")
    await joins(evening, guild)
    assert read_in(general) == []


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
