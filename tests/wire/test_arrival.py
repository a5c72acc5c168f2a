"""Tests of joining and leaving a server while the bot runs; a restart or an outage is neither."""

from __future__ import annotations

from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from bot.app import Bourse
from tests.loopback import screen
from tests.loopback.loopback import Loopback
from tests.loopback.world import GUILD
from tests.wire.club import ALICE, BOB, sit_down
from tests.wire.conftest import Here, Ledger

pytestmark = pytest.mark.wire

HELLO = "I run the **trading** at your table."


def hellos(discord: Loopback) -> int:
    return sum(HELLO in screen.text_of(message) for message in discord.world.messages.values())


async def test_it_says_hello_once_at_each_invitation(discord: Loopback, here: Here) -> None:
    async with here():
        await discord.quiet(0.5)
        assert hellos(discord) == 0  # a start is no arrival
        await discord.gateway.kick(GUILD)
        await discord.gateway.invite(GUILD)
        await discord.until(lambda: hellos(discord) == 1 or None)
    async with here():
        await discord.gateway.outage(GUILD)
        await discord.gateway.available(GUILD)
        await discord.gateway.invite(GUILD)  # Discord tells it twice
        await discord.quiet(0.5)
        assert hellos(discord) == 1
        await discord.gateway.kick(GUILD)
        await discord.gateway.invite(GUILD)
        await discord.until(lambda: hellos(discord) == 2 or None)


async def test_removed_in_mid_game_and_invited_again(
    discord: Loopback, here: Here, recorded: Ledger
) -> None:
    def shown(text: str) -> bool:
        return text in screen.text_of(discord.world.messages[card["id"]])

    # a message that changes several times is drawn every ten seconds
    async with here(constants={"bot.delivery.send:REDRAWN_EVERY": 0.5}):
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="2 tg")
        card = await discord.sees(BOB, "Offer 1", button="Accept", dm=True)
        await discord.quiet()
        await discord.gateway.outage(GUILD)
        await discord.quiet()
        assert shown("Offer 1"), "an outage takes nothing away"
        await discord.gateway.available(GUILD)
        await discord.gateway.kick(GUILD)
        await discord.until(lambda: shown("I am no longer on this table's server."))
        pressed = await discord.press("Accept", user=BOB, on=card)
        assert "no longer on this table's server" in pressed.text
        await discord.gateway.invite(GUILD)
        await discord.until(lambda: shown("Offer 1"))
        discord.world.left.add(GUILD)
        await discord.gateway.list_anew()
        await discord.until(lambda: shown("I am no longer on this table's server."))
        discord.world.left.discard(GUILD)
        await discord.gateway.list_anew()  # the invitation came while there was no connection
        await discord.until(lambda: shown("Offer 1"))
        await discord.quiet()
    discord.world.left.add(GUILD)
    async with here():  # it was removed while it was stopped, and learns it from the press
        await discord.press("Accept", user=BOB, on=card)
        await discord.until(lambda: shown("I am no longer on this table's server."))
        await discord.quiet()
    discord.world.left.discard(GUILD)
    async with here():  # it was invited while it was stopped
        await discord.until(lambda: shown("Offer 1"))
        await discord.press("Accept", user=BOB, on=card)
        assert recorded("offer.transaction") == ["offer.transaction"]


async def test_started_while_it_is_out_and_invited_without_a_connection(
    discord: Loopback, here: Here
) -> None:
    async with here():
        await sit_down(discord)
        down = discord.fail("POST", r"^/channels/\d+/messages", 500, times=inf)
        await discord.slash("offer post", user=ALICE, to=BOB, give="2 tg")
    down.over()
    discord.world.left.add(GUILD)
    async with here():
        await discord.quiet(0.5)
        discord.world.left.discard(GUILD)
        await discord.gateway.list_anew()
        await discord.sees(BOB, "Offer 1", button="Accept", dm=True)


async def test_where_only_its_commands_are_it_asks_to_be_added(
    discord: Loopback, here: Here
) -> None:
    guild = str((7 << 22) + 1)
    channel = discord.world.add_channel(guild)
    discord.world.apart.add(guild)
    discord.world.unavailable.add(GUILD)
    async with here():
        await discord.quiet()
        told = await discord.slash("table open", user=ALICE, game="ti4", at=channel)
        assert told.ephemeral
        assert "I am not on this server" in told.text
        assert "https://discord.com/oauth2/authorize?client_id=1002" in told.text
        assert await discord.suggest("offer post", "give", "2", user=ALICE, at=channel) == []
        for at in (channel, discord.world.dm_with(str(ALICE.id))):
            # the commands are for servers that have the bot
            assert discord.world.offered(at, to_user=True) == []
        # an outage is no removal
        assert "is open" in (await discord.slash("table open", user=ALICE, game="ti4")).text
        await discord.gateway.invite(guild)
        assert (
            "is open"
            in (await discord.slash("table open", user=ALICE, game="ti4", at=channel)).text
        )


def test_before_discord_has_listed_the_servers_nobody_is_turned_away() -> None:
    bot: Any = SimpleNamespace(
        watch=SimpleNamespace(shards={1: True}), shard_count=2, get_guild=lambda guild_id: None
    )
    assert [Bourse.on_server(bot, shard << 22) for shard in (0, 1)] == [None, False]
