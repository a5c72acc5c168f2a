"""The bot is added to a server while it runs: it says hello once, and neither a restart nor an outage is an arrival."""

from __future__ import annotations

import pytest

from tests.loopback import screen
from tests.loopback.loopback import Loopback
from tests.loopback.world import GUILD
from tests.wire.conftest import Here

pytestmark = pytest.mark.wire

HELLO = "I run the **trading** at your table."


def hellos(discord: Loopback) -> int:
    return sum(HELLO in screen.text_of(message) for message in discord.world.messages.values())


async def test_it_says_hello_once(discord: Loopback, here: Here) -> None:
    async with here():
        await discord.quiet(0.5)
        assert hellos(discord) == 0  # a start is no arrival
        await discord.gateway.kick(GUILD)
        await discord.gateway.invite(GUILD)
        await discord.until(lambda: hellos(discord) == 1 or None)
    async with here():
        await discord.gateway.kick(GUILD)
        await discord.gateway.invite(GUILD)
        await discord.quiet(1.0)
        assert hellos(discord) == 1
