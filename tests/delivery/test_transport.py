"""The transport: each request once, within the budget; and what discord.py makes of errors without and with it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import aiohttp
import discord
import pytest
from aiohttp import web
from discord.webhook.async_ import async_context, interaction_message_response_params

from bot.delivery import budget, shut, transport, without_retries
from bot.delivery.budget import DMS as DMS_ROUTE
from bot.delivery.budget import FREE, Budget, Recall, Slot
from bot.delivery.notices import Notice
from bot.delivery.transport import Transport
from bot.service import Members
from bot.show.cards import Card
from tests.delivery.briefings import BOB, CHANNEL
from tests.delivery.display import Store
from tests.delivery.fake import DMS, ME, Channel, Discord, Fault, Parent, Sent, error

CARD = Card("open", ("one",))
MARKER = 2**30 + 7
NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
MS = int(NOW.timestamp() * 1000)


class Watched(Budget):
    """A budget without limits that writes down what it is told."""

    def __init__(self) -> None:
        super().__init__(None, None)
        self.taken: list[tuple[Hashable, float]] = []
        self.told: list[object] = []

    async def take(self, route: Hashable, priority: float, recall: Recall | None = None) -> Slot:
        self.taken.append((route, priority))
        return await super().take(route, priority, recall)

    def succeeded(self) -> bool:
        self.told.append("succeeded")
        return super().succeeded()

    def failed(self) -> None:
        self.told.append("failed")
        super().failed()

    def limited(self, route: Hashable, seconds: float, *, overall: bool = False) -> None:
        self.told.append(("overall" if overall else route, seconds))


class Wire:
    """A transport on the Discord of a few lines."""

    def __init__(self) -> None:
        self.now = NOW
        self.discord = Discord(lambda: self.now)
        self.store, self.budget = Store([]), Watched()
        self.members = Members(self.discord.is_member)
        self.transport = Transport(cast(discord.Client, self.discord), self.store, self.members, self.budget)
        self.recovered = 0
        self.transport.recovered = self._recovered

    def _recovered(self) -> None:
        self.recovered += 1

    async def sends(self, marker: int = MARKER, nonce: str = "nonce", **options: Any) -> int:
        return await self.transport.send(CHANNEL, CARD, marker=marker, nonce=nonce, priority=0, **options)

    async def finds(self, marker: int = MARKER, since: int = MS, **options: Any) -> int | None:
        return await self.transport.find(CHANNEL, marker, since, priority=0, **options)

    def looked(self) -> int:
        return sum(each.what == "history" for each in self.discord.requests)


@pytest.fixture
def wire() -> Wire:
    return Wire()


# ---------------------------------------------------------------- requests


async def test_a_message_carries_its_marker_and_its_nonce(wire: Wire) -> None:
    assert await wire.sends() == 101
    [request] = wire.discord.requests
    assert (request.marker, request.nonce, request.text, request.pings) == (MARKER, "nonce", "one", ())


async def test_the_same_nonce_gives_the_same_message(wire: Wire) -> None:
    assert await wire.sends() == await wire.sends()
    assert await wire.sends(nonce="another") != await wire.sends()


async def test_it_notifies_whom_it_is_for_and_nobody_else(wire: Wire) -> None:
    await wire.sends(notice=Notice(pings=(BOB,)))
    assert wire.discord.requests[0].pings == (BOB,)


async def test_an_edit_keeps_the_marker(wire: Wire) -> None:
    message = await wire.sends()
    await wire.transport.edit(CHANNEL, message, Card("over", ("two",)), marker=MARKER, priority=0)
    [shown] = wire.discord.seen(CHANNEL)
    assert (shown.text, shown.marker) == ("two", MARKER)


async def test_every_request_waits_for_its_turn(wire: Wire) -> None:
    """Sending and editing have limits of their own in each channel; for anything else there is only that of all."""
    wire.discord.with_threads = True
    message = await wire.sends()
    await wire.transport.edit(CHANNEL, message, CARD, marker=MARKER, priority=4)
    await wire.transport.delete(CHANNEL, message, priority=2)
    await wire.transport.dm_channel(BOB, 1)
    await wire.finds()
    thread = await wire.transport.open_thread(CHANNEL, "us", priority=0)
    assert thread is not None
    await wire.transport.add_to_thread(thread, BOB, priority=0)
    await wire.transport.find_thread(CHANNEL, "us", MS, priority=0)
    await wire.transport.archive(thread, archived=True, priority=3)
    assert wire.budget.taken == [
        (("send", CHANNEL), 0), (("edit", CHANNEL), 4), (None, 2), (DMS_ROUTE, 1.5), (None, 0.5), *[(None, 0)] * 3,
        (None, 3),
    ]  # fmt: skip


async def test_dms_are_opened_once_for_all_processes(wire: Wire) -> None:
    assert await wire.transport.dm_channel(BOB, 0) == BOB + DMS
    another = Transport(cast(discord.Client, wire.discord), wire.store, wire.members, wire.budget)
    for each in (wire.transport, another):
        assert await each.dm_channel(BOB, 0) == BOB + DMS
    assert [each.what for each in wire.discord.requests] == ["dm"]


async def test_no_more_dms_are_remembered_than_some_thousands(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "KEPT", 3)
    for user in range(1, 9):
        assert await wire.transport.dm_channel(user, 0) == user + DMS
    assert len(wire.transport._dms) == 3
    assert await wire.transport.dm_channel(1, 0) == 1 + DMS
    assert [each.what for each in wire.discord.requests] == ["dm"] * 8


async def test_channels_that_were_shut_are_not_remembered_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shut, "SHUT_FOR", 0.0)
    channels = shut.ShutChannels()
    for channel in range(9):
        channels.leave_alone(channel, error(403, 50001))
        await asyncio.sleep(0)
    assert len(channels.until) == 1


# ---------------------------------------------------------------- how requests end


@pytest.mark.parametrize(
    ("status", "told"),
    [(500, "failed"), (503, "failed"), (403, "succeeded"), (404, "succeeded"), (400, "succeeded"), (429, "succeeded")],
)
async def test_only_a_server_error_says_that_discord_is_down(wire: Wire, status: int, told: str) -> None:
    wire.discord.fails("send", CHANNEL, status)
    with pytest.raises(discord.HTTPException):
        await wire.sends()
    assert wire.budget.told == [told]


async def test_no_answer_says_so_too(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    async def breaks(self: Channel, **options: Any) -> None:
        raise TimeoutError

    monkeypatch.setattr(Channel, "send", breaks)
    with pytest.raises(TimeoutError):
        await wire.sends()
    assert wire.budget.told == ["failed"]


async def test_a_limit_is_told_to_the_budget(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    async def limited(self: Channel, **options: Any) -> None:
        raise discord.RateLimited(31.0)

    monkeypatch.setattr(Channel, "send", limited)
    with pytest.raises(discord.RateLimited):
        await wire.sends()
    assert wire.budget.told == [(("send", CHANNEL), 31.0)]


async def test_one_that_is_cancelled_says_nothing(wire: Wire) -> None:
    wire.discord.hangs("send", CHANNEL)
    task = asyncio.create_task(wire.sends())
    for _ in range(5):
        await asyncio.sleep(0)
    assert wire.discord.requests
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert wire.budget.told == []


async def test_whoever_waits_is_told_when_discord_works_again(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "PROBE", 0.0)
    wire.discord.faults.append(Fault("send", CHANNEL, 503, times=3))
    for _ in range(3):
        with pytest.raises(discord.HTTPException):
            await wire.sends()
    assert (wire.transport.down, wire.recovered) == (True, 0)
    await wire.sends()
    await wire.sends()
    assert (wire.transport.down, wire.recovered) == (False, 1)


# ---------------------------------------------------------------- looking for a message


async def test_a_message_is_found_by_its_marker(wire: Wire) -> None:
    for number in range(3):
        await wire.sends(MARKER + number, str(number))
    assert await wire.finds(MARKER + 1) == 102
    assert await wire.finds(MARKER + 3) is None


async def test_only_those_since_then_are_looked_at_give_or_take_the_clocks(wire: Wire) -> None:
    await wire.sends()
    assert await wire.finds(since=MS + 29_000) == 101
    assert await wire.finds(since=MS + 31_000, asked=asyncio.get_running_loop().time() + 1) is None


async def test_one_search_serves_for_all_messages_of_a_channel(wire: Wire) -> None:
    await wire.sends()
    gate = wire.discord.hangs("history", CHANNEL)
    tasks = [asyncio.create_task(wire.finds(MARKER + number)) for number in range(20)]
    for _ in range(20):
        await asyncio.sleep(0)
    gate.set()
    assert await asyncio.gather(*tasks) == [101, *[None] * 19]
    assert wire.looked() == 1


async def test_a_search_does_not_serve_for_what_was_sent_before_its_beginning(wire: Wire) -> None:
    await wire.sends()
    wire.now += timedelta(minutes=5)
    assert await wire.finds(MARKER + 1, MS + 300_000) is None
    assert await wire.finds(MARKER, MS) == 101
    assert wire.looked() == 2


async def test_a_search_does_not_serve_for_what_became_uncertain_after_it(wire: Wire) -> None:
    assert await wire.finds() is None
    await wire.sends()
    assert await wire.finds() is None  # remembered
    assert await wire.finds(asked=asyncio.get_running_loop().time()) == 101


async def test_a_search_is_remembered_for_a_moment(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "REMEMBERED", 0.0)
    assert await wire.finds() is None
    await wire.sends()
    assert await wire.finds() == 101


async def test_a_search_that_fails_serves_nobody(wire: Wire) -> None:
    await wire.sends()
    wire.discord.fails("history", CHANNEL, 503)
    with pytest.raises(discord.HTTPException):
        await wire.finds()
    assert await wire.finds() == 101


@pytest.mark.parametrize(("marker", "found"), [(MARKER, 5), (MARKER + 1, None)])
async def test_a_response_is_ours_by_its_marker(wire: Wire, marker: int, found: int | None) -> None:
    async def look() -> Any:
        return Sent(5, CHANNEL, MARKER, "one", True, NOW)

    assert await wire.transport.look(look, marker, priority=3) == found
    assert wire.budget.taken == [(FREE, 3)]


async def test_there_may_be_no_response(wire: Wire) -> None:
    async def look() -> Any:
        raise error(404, 10015)

    assert await wire.transport.look(look, MARKER, priority=3) is None
    assert wire.budget.told == ["succeeded"]


async def test_what_went_wrong_when_it_was_looked_for_is_raised(wire: Wire) -> None:
    async def look() -> Any:
        raise error(503, 0)

    with pytest.raises(discord.DiscordServerError):
        await wire.transport.look(look, MARKER, priority=3)
    assert wire.budget.told == ["failed"]


async def test_what_can_be_sent_goes_before_what_must_be_looked_for_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or else a program that is restarted again and again would look for everything each time, and send nothing."""
    wire = Wire()
    wire.budget._overall = budget.Window(budget.Limit(1, 0.05))
    tasks = [asyncio.create_task(wire.finds(MARKER)) for _ in range(2)]
    tasks += [asyncio.create_task(wire.transport.find(CHANNEL + number, MARKER, MS, priority=0)) for number in range(4)]
    await asyncio.sleep(0)
    tasks.append(asyncio.create_task(wire.sends()))
    await asyncio.gather(*tasks)
    assert [each.what for each in wire.discord.requests][:2] == ["history", "send"]


# ---------------------------------------------------------------- looking for a thread


def thread(**changes: object) -> dict[str, object]:
    plain = {"id": str(discord.utils.time_snowflake(NOW)), "owner_id": str(ME), "parent_id": str(CHANNEL), "name": "us"}
    return plain | changes


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, True),
        ({"name": "others"}, False),
        ({"owner_id": "1"}, False),
        ({"parent_id": "1"}, False),
        ({"parent_id": None}, False),
        ({"id": str(discord.utils.time_snowflake(NOW - timedelta(minutes=1)))}, False),
    ],
)
async def test_a_thread_of_ours_is_found_by_its_name(wire: Wire, changes: dict[str, object], found: bool) -> None:
    wire.discord.with_threads = True
    wire.discord.threads = [thread(**changes)]
    there = await wire.transport.find_thread(CHANNEL, "us", MS, priority=0)
    assert (there is not None) == found


async def test_a_thread_of_the_tables_thread_is_opened_beside_it(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    class Inside(discord.Thread):
        def __init__(self) -> None:
            self.parent_id = CHANNEL

    async def fetch(id: int) -> object:
        return Parent(wire.discord, id) if id == CHANNEL else Inside()

    monkeypatch.setattr(wire.discord, "fetch_channel", fetch)
    assert await wire.transport.open_thread(CHANNEL + 1, "us", priority=0) is not None
    assert [each.channel for each in wire.discord.requests] == [CHANNEL]


# ---------------------------------------------------------------- discord.py does not repeat requests


Answer = Callable[[int], web.Response]


@asynccontextmanager
async def answering(answer: Answer, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[discord.Client, list[int]]]:
    """A client of a server that answers each request with what this returns for its number."""
    asked: list[int] = []

    async def handle(request: web.Request) -> web.Response:
        if request.path.endswith("/users/@me"):
            return as_discord({"id": str(ME), "username": "bourse", "discriminator": "0", "avatar": None})
        asked.append(len(asked))
        return answer(asked[-1])

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        monkeypatch.setattr(discord.http.Route, "BASE", f"http://127.0.0.1:{runner.addresses[0][1]}")
        async with discord.Client(intents=discord.Intents(guilds=True)) as client:
            without_retries(client)
            await client.http.static_login("token")
            yield client, asked
    finally:
        await runner.cleanup()


def failing(status: int, times: float) -> Answer:
    """Return an answer with this error so many times."""
    body = {"code": 0, "message": "", "retry_after": 0.01}
    return lambda number: as_discord(body, status) if number < times else as_discord({"id": "1", "type": 4})


def as_discord(body: object, status: int = 200) -> web.Response:
    """Return a response with the headers by which discord.py knows Discord."""
    headers = {"Content-Type": "application/json", "Via": "1.1 google"}
    return web.Response(body=json.dumps(body).encode(), status=status, headers=headers)


@pytest.mark.parametrize("status", [500, 502, 503, 504, 524])
async def test_a_server_error_is_raised_at_once(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    async with answering(failing(status, 9), monkeypatch) as (client, asked):
        with pytest.raises(discord.DiscordServerError):
            await client.http.get_channel(1)
        assert len(asked) == 1


@pytest.mark.parametrize("status", [500, 503])
async def test_so_it_is_for_the_response_to_an_interaction(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    """Discord waits three seconds for it, and discord.py would repeat it for twenty-five."""
    async with answering(failing(status, 9), monkeypatch) as (client, asked):
        with pytest.raises(discord.DiscordServerError):
            await respond(client)
        assert len(asked) == 1


async def test_limits_are_still_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async with answering(failing(429, 1), monkeypatch) as (client, asked):
        assert await client.http.get_channel(1) == {"id": "1", "type": 4}
        assert len(asked) == 2
    async with answering(failing(429, 1), monkeypatch) as (client, asked):
        await respond(client)
        assert len(asked) == 2


@pytest.mark.parametrize("overall", [False, True])
async def test_delivery_leaves_it_to_the_budget_to_wait_for_limits(
    monkeypatch: pytest.MonkeyPatch, *, overall: bool
) -> None:
    """discord.py would repeat the request beyond the budget, together with all others that were limited."""
    body = {"code": 0, "message": "", "retry_after": 7.5, "global": overall}
    async with answering(lambda number: as_discord(body, 429), monkeypatch) as (client, asked):
        allowed = Watched()
        made = Transport(client, cast(Any, Store([])), Members(), allowed)
        with pytest.raises(discord.RateLimited):
            await made.send(CHANNEL, CARD, marker=MARKER, nonce="nonce", priority=0)
        assert len(asked) == 1
        assert allowed.told == [("overall" if overall else ("send", CHANNEL), 7.5)]


async def test_a_refusal_is_still_what_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    async with answering(failing(403, 9), monkeypatch) as (client, _):
        with pytest.raises(discord.Forbidden):
            await client.http.get_channel(1)
        with pytest.raises(discord.Forbidden):
            await respond(client)


async def respond(client: discord.Client) -> None:
    session = client.http._HTTPClient__session  # type: ignore[attr-defined]
    params = interaction_message_response_params(type=4, content="hello")
    await async_context.get().create_interaction_response(1, "token", session=session, params=params)


@pytest.mark.parametrize("requested", [lambda client: client.http.get_channel(1), respond])
async def test_a_client_that_was_closed_is_no_defect(
    monkeypatch: pytest.MonkeyPatch, requested: Callable[[discord.Client], Awaitable[object]]
) -> None:
    """discord.py closes its session when Discord ends the connection for good, whatever is under way."""
    async with answering(failing(500, 0), monkeypatch) as (client, asked):
        await client.close()
        with pytest.raises(aiohttp.ClientConnectionError):
            await requested(client)
        assert asked == []
