"""Tests of what people write to the bot in its own process, as they would say it."""

from __future__ import annotations

import asyncio
import time
from statistics import median

import pytest

from tests.loopback import screen
from tests.loopback.places import BOT_ROLE
from tests.wire.conftest import Table

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]

SILENT = 1 << 12
"""Discord's flag of a message that notifies nobody."""

OTHERS, SECONDS = 1667, 10.0
"""Messages of others: 10,000 a minute, for ten seconds."""


async def test_an_offer_is_said_by_dm(table: Table) -> None:
    discord, alice, bob = table.discord, table.alice, table.bob
    before = table.recorded()
    await discord.say("3 tg to bob for 2 c", user=alice, dm=True)
    card = await discord.sees(alice, "**3 trade goods**", button="Offer it", dm=True)
    assert card["flags"] & SILENT
    sent = [call.json for call in discord.calls if call.path.endswith("/messages")]
    assert sent[-1]["nonce"].startswith("said-")
    assert table.recorded() == before
    posted = await discord.press("Offer it", user=alice, on=card)
    assert "It is posted." in posted.text
    await discord.sees(bob, "3 trade goods", button="Accept", dm=True)
    before = table.recorded()
    await discord.say("ok", user=bob, dm=True)
    await discord.until(lambda: _answers(table) == 2 or None)
    assert table.recorded() == before


def _answers(table: Table) -> int:
    """Return how many messages answer what people said."""
    sent = [call.json for call in table.discord.calls if call.path.endswith("/messages")]
    return sum(str(body.get("nonce")).startswith("said-") for body in sent if body)


async def test_in_the_channel_there_is_only_see_it(table: Table) -> None:
    discord, alice = table.discord, table.alice
    await discord.say(f"<@{discord.world.me}> 2 tg for 1 c", user=alice, at=table.at)
    see = await discord.sees(alice, "For", button="See it")
    assert see["flags"] & SILENT
    assert screen.labels(see) == ["See it"]
    assert "trade good" not in screen.text_of(see)
    shown = await discord.press("See it", user=alice, on=see)
    assert shown.ephemeral
    assert "You give **2 trade goods**" in shown.text


async def test_a_mention_of_the_role_brings_no_text_and_says_how(table: Table) -> None:
    discord, alice = table.discord, table.alice
    await discord.say(f"<@&{BOT_ROLE}> 2 tg for 1 c", user=alice, at=table.at, roles=[BOT_ROLE])
    line = await discord.sees(alice, "names my role")
    assert "@Bourse 2 tg to" in screen.text_of(line)
    assert line["flags"] & SILENT


async def test_other_messages_delay_nobody(table: Table) -> None:
    """10,000 a minute: a press is answered as fast, and none of them is answered."""
    discord, alice = table.discord, table.alice

    async def answers() -> float:
        taken = []
        for _ in range(20):
            began = time.perf_counter()
            await table.slash("holdings show", user=alice)
            taken.append(time.perf_counter() - began)
        return median(taken)

    async def chat() -> None:
        for number in range(OTHERS):
            await discord.say(f"see you at {number}", user=table.bob, at=table.at)
            await asyncio.sleep(SECONDS / OTHERS)

    quiet = await answers()
    sent = len(discord.calls)
    chatting = asyncio.create_task(chat())
    busy = await answers()
    chatting.cancel()
    await discord.quiet()
    assert not [call for call in discord.calls[sent:] if call.path.endswith("/messages")]
    assert busy < quiet * 3 + 0.05
