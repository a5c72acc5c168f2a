"""Tests of the loopback's faults: limits, errors with and without effect, closed and lost
places.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from typing import Any

import aiohttp
import discord
import pytest

from tests.loopback.exchange import Exchange, snowflake
from tests.loopback.limits import Limits
from tests.loopback.loopback import TOKEN, Loopback
from tests.loopback.screen import Json
from tests.loopback.world import CHANNEL, GUILD
from tests.wire.club import ALICE

pytestmark = pytest.mark.wire

POST = ("POST", f"/channels/{CHANNEL}/messages")
Ask = Callable[..., Awaitable[tuple[int, Json]]]


@pytest.fixture
async def server() -> AsyncIterator[Loopback]:
    async with Loopback.running() as server:
        server.world.meet(ALICE)
        yield server


@pytest.fixture
async def ask(server: Loopback) -> AsyncIterator[Ask]:
    headers = {"Authorization": f"Bot {TOKEN}"}
    async with aiohttp.ClientSession(headers=headers) as session:

        async def send(method: str, path: str, body: Any = None) -> tuple[int, Json]:
            async with session.request(
                method, server.settings["DISCORD_API_URL"] + path, json=body
            ) as response:
                return response.status, (await response.json() if response.status != 204 else {})

        yield send


def asked(server: Loopback, source: Json | None = None) -> Exchange:
    """An interaction that was sent to the bot, which has not answered yet."""
    exchange = Exchange(
        server.world.messages, "77", "token-77", 3 if source else 2, ALICE, CHANNEL, source
    )
    server.world.exchanges[exchange.token] = exchange
    return exchange


CALLBACK = ("POST", "/interactions/77/token-77/callback")


def reply(text: str) -> Json:
    return {"type": 4, "data": {"content": text}}


def test_a_bucket_for_each_channel_and_one_over_all() -> None:
    now = 0.0
    limits = Limits(enforced=True, clock=lambda: now)

    def passes(method: str, path: str) -> bool:
        return limits.ask(method, path).wait == 0

    assert [passes("POST", "/channels/1/messages") for _ in range(6)] == [True] * 5 + [False]
    assert passes("POST", "/channels/2/messages")
    assert passes("PATCH", "/channels/1/messages/9")
    now = 4.0
    verdict = limits.ask("POST", "/channels/1/messages")
    assert (verdict.wait, verdict.overall) == (1.0, False)
    assert verdict.headers["X-RateLimit-Remaining"] == "0"
    now = 5.0
    assert passes("POST", "/channels/1/messages")
    assert sum(passes("POST", f"/channels/{channel}/messages") for channel in range(100, 200)) == 49
    assert limits.ask("GET", "/users/@me").overall
    assert all(passes("POST", f"/interactions/{number}/t/callback") for number in range(100)), (
        "outside the fifty"
    )
    assert limits.refused["overall"] == 52


def test_an_id_tells_when_it_was_made() -> None:
    before = discord.utils.utcnow() - timedelta(milliseconds=1)
    ids = [int(snowflake()) for _ in range(1000)]
    assert ids == sorted(set(ids))
    assert before <= discord.utils.snowflake_time(ids[0]) <= discord.utils.utcnow()


async def test_a_limit_is_said_as_discord_says_it(server: Loopback, ask: Ask) -> None:
    server.limits.enforced = True
    answers = [await ask(*POST, {"content": "hello"}) for _ in range(6)]
    assert [status for status, _ in answers] == [200] * 5 + [429]
    assert 0 < answers[-1][1]["retry_after"] <= 5
    assert sum(server.limits.refused.values()) == 1


async def test_errors_with_and_without_effect(server: Loopback, ask: Ask) -> None:
    async with server.burst(503):
        assert (await ask(*POST, {"content": "lost"}))[0] == 503
    async with server.burst(502, effect=True):
        assert (await ask(*POST, {"content": "there"}))[0] == 502
    assert (await ask(*POST, {"content": "after"}))[0] == 200
    contents = [message["content"] for message in server.world.messages.values()]
    assert contents == ["there", "after"]


async def test_an_interaction_waits_so_long_for_its_answer(server: Loopback, ask: Ask) -> None:
    exchange = asked(server)
    exchange.asked_at -= server.rest.callback_within + 1
    status, said = await ask(*CALLBACK, reply("late"))
    assert (status, said["code"]) == (404, 10062)
    exchange.asked_at += server.rest.callback_within + 1
    assert (await ask(*CALLBACK, reply("in time")))[0] == 200
    assert (await ask(*CALLBACK, reply("again")))[1]["code"] == 40060
    follow = ("POST", "/webhooks/1001/token-77", {"content": "more"})
    assert (await ask(*follow))[0] == 200
    exchange.asked_at -= server.rest.tokens_last
    assert (await ask(*follow))[1]["code"] == 50027
    assert exchange.text == "in time\nmore"
    assert exchange.messages[0]["interaction_metadata"]["id"] == "77"


async def test_a_press_on_a_message_that_is_gone(server: Loopback, ask: Ask) -> None:
    _, card = await ask(*POST, {"content": "card"})
    asked(server, server.world.messages[card["id"]])
    server.world.delete(card["id"])
    changed = {"type": 7, "data": {"content": "changed"}}
    assert (await ask(*CALLBACK, changed))[1]["code"] == 10008
    assert (await ask(*CALLBACK, reply("told")))[0] == 200


async def test_places_that_are_closed_or_gone(server: Loopback, ask: Ask) -> None:
    _, card = await ask(*POST, {"content": "card"})
    edit = ("PATCH", f"{POST[1]}/{card['id']}", {"content": "changed"})
    thread = server.world.start_thread(CHANNEL, {"name": "two", "type": 12})
    in_thread = ("POST", f"/channels/{thread['id']}/messages", {"content": "hello"})
    server.world.archive(thread["id"])
    assert (await ask(*in_thread))[1]["code"] == 50083
    await ask("PATCH", f"/channels/{thread['id']}", {"archived": False})
    assert (await ask(*in_thread))[0] == 200
    member = ("GET", f"/guilds/{GUILD}/members/{ALICE.id}")
    server.world.meet(ALICE)
    assert (await ask(*member))[0] == 200
    for absent in (server.world.left, server.world.apart):
        absent.add(GUILD)
        for request in (edit, member):
            assert (await ask(*request))[1]["code"] == 50001
        absent.clear()
    assert (await ask("GET", f"/guilds/5/members/{ALICE.id}"))[1]["code"] == 10004
    assert (await ask(*edit))[0] == 200
    server.world.remove_channel(CHANNEL)
    for request in (edit, in_thread, (*POST, {})):
        assert (await ask(*request))[1]["code"] == 10003
    dm = server.world.dm_with(str(ALICE.id))
    server.closed_dms.add(ALICE)
    assert (await ask("POST", f"/channels/{dm}/messages", {"content": "hello"}))[1]["code"] == 50007
