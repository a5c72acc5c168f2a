"""Tests of the transport: each request once, within the budget, and errors with and without
discord.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import Mock

import aiohttp
import discord
import pytest
from discord.webhook.async_ import async_context, interaction_message_response_params

from bot.delivery import budget, transport, verdicts
from bot.delivery.budget import DMS, Budget, Recall, Slot
from bot.delivery.transport import Transport, tried_once
from bot.delivery.verdicts import Limited
from bot.service import Members
from bot.show.cards import Card
from bot.show.pictures import Picture
from tests.delivery.briefings import ALICE, BOB, CAROL, CHANNEL
from tests.delivery.display import Store
from tests.delivery.near import ALICES, BOBS, CAROLS, SERVER, Near, near
from tests.errors import error
from tests.test_watch import figures

CARD = Card("open", "one")
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
    """A transport on the loopback."""

    discord: Near

    def __init__(self) -> None:
        self.now = NOW
        self.store, self.budget = Store(), Watched()
        self.recovered = 0

    async def another(self) -> Transport:
        """Return the transport of one more process."""
        self.client = await self.discord.client(lambda *refused: self.transport.refused(*refused))  # noqa: PLW0108  (made below)
        made = Transport(self.client, self.store, Members(), self.budget)
        made.recovered = self._recovered
        return made

    def _recovered(self) -> None:
        self.recovered += 1

    async def sends(self, marker: int = MARKER, nonce: str = "nonce", **options: Any) -> int:
        return await self.transport.send(
            CHANNEL, CARD, marker=marker, nonce=nonce, priority=0, **options
        )

    async def edits(self, message: int, card: Card = CARD, **options: Any) -> None:
        options = {"marker": MARKER, "priority": 0, **options}
        await self.transport.edit(CHANNEL, message, card, "v2", **options)

    async def finds(self, marker: int = MARKER, since: int = MS, **options: Any) -> int | None:
        return await self.transport.find(CHANNEL, marker, since, priority=0, **options)

    def asked(self) -> list[str]:
        return [each.what for each in self.discord.requests]


@pytest.fixture
async def wire(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Wire]:
    made = Wire()
    async with near(monkeypatch, lambda: made.now) as made.discord:
        made.transport = await made.another()
        yield made


async def waits(request: Awaitable[object]) -> None:
    """Check that a request waits for its turn."""
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await request


# ---------------------------------------------------------------- requests


async def test_every_request_waits_for_its_turn(wire: Wire) -> None:
    """Sending and editing have limits of their own in each channel; for anything else there is only
    that of all.
    """
    message = await wire.sends()
    await wire.edits(message, priority=4)
    await wire.transport.delete(CHANNEL, message, priority=2)
    await wire.transport.dm_channel(BOB, 1)
    await wire.finds()
    thread = await wire.transport.open_thread(CHANNEL, "us", priority=0)
    assert thread is not None
    await wire.transport.add_to_thread(thread, BOB, priority=0)
    await wire.transport.find_thread(CHANNEL, "us", MS, known=(), priority=0)
    await wire.transport.archive(thread, archived=True, priority=3)
    assert wire.budget.taken == [
        (("send", CHANNEL), 0),
        (("edit", CHANNEL), 4),
        (None, 2),
        (DMS, 1.5),
        (None, 0.5),
        *[(None, 0)] * 3,
        (None, 3),
    ]


async def test_dms_are_opened_once_for_all_processes(wire: Wire) -> None:
    for each in (wire.transport, wire.transport, await wire.another()):
        assert await each.dm_channel(BOB, 0) == BOBS
    assert wire.asked() == ["dm"]


async def test_a_dm_channel_belongs_to_an_application(wire: Wire) -> None:
    await wire.transport.dm_channel(BOB, 0)
    wire.discord.world.application = "77"
    other = await wire.another()
    there = await other.dm_channel(BOB, 0)
    assert there != BOBS
    assert wire.store.dms[BOB] == (there, 77)
    assert wire.asked() == ["dm", "dm"]


async def test_a_dm_channel_that_is_refused_is_forgotten_once(wire: Wire) -> None:
    await wire.transport.dm_channel(BOB, 0)
    assert not wire.transport.forget_dm(BOB, BOBS), "it was opened a moment ago"
    later = await wire.another()
    assert not later.forget_dm(BOB, 0)
    assert later.forget_dm(BOB, BOBS)
    assert later.forget_dm(BOB, BOBS)
    assert await later.dm_channel(BOB, 0) == BOBS
    assert not later.forget_dm(BOB, BOBS)
    assert later.is_lost(BOBS)
    assert wire.asked() == ["dm", "dm"]


async def test_two_messages_at_once_open_a_dm_once(wire: Wire) -> None:
    """Each opening counts: Discord takes ten in ten seconds."""
    both = await asyncio.gather(
        wire.transport.dm_channel(BOB, 0), wire.transport.dm_channel(BOB, 0)
    )
    assert both == [BOBS, BOBS]
    assert wire.asked() == ["dm"]


async def test_no_more_dms_are_remembered_than_some_thousands(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "DMS_KEPT", 2)
    transport_ = await wire.another()
    for user in (ALICE, BOB, CAROL, ALICE):
        await transport_.dm_channel(user, 0)
    assert len(transport_._dms) == 2
    assert wire.asked() == ["dm"] * 3


async def test_no_more_forgotten_dms_are_remembered_than_some_thousands(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "DMS_KEPT", 2)
    transport_ = await wire.another()
    for channel in (ALICES, BOBS, CAROLS):
        assert transport_.forget_dm(BOB, channel)
    lost = [transport_.is_lost(channel) for channel in (ALICES, BOBS, CAROLS)]
    assert lost == [False, True, True]


async def test_channels_that_were_shut_are_not_remembered_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(verdicts, "SHUT_KEPT", 2)
    channels = verdicts.ClosedChannels()
    for channel in range(9):
        assert channels.leave_alone(channel, error(403, 50001))
    assert set(channels.until) == {7, 8}


# ---------------------------------------------------------------- how requests end


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (500, "failed"),
        (503, "failed"),
        (403, "succeeded"),
        (404, "succeeded"),
        (400, "succeeded"),
    ],
)
async def test_only_a_server_error_says_that_discord_is_down(
    wire: Wire, status: int, told: str
) -> None:
    wire.discord.fails("send", CHANNEL, status)
    with pytest.raises(discord.HTTPException):
        await wire.sends()
    assert wire.budget.told == [told]


async def test_no_answer_says_so_too(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "TIMEOUT", aiohttp.ClientTimeout(total=0.05))
    wire.discord.hangs("send", CHANNEL)
    with pytest.raises(TimeoutError):
        await wire.sends()
    assert wire.budget.told == ["failed"]


async def test_one_that_is_cancelled_says_nothing(wire: Wire) -> None:
    held = wire.discord.hangs("send", CHANNEL)
    task = asyncio.create_task(wire.sends())
    await held.arrived.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert wire.budget.told == []


async def test_whoever_waits_is_told_when_discord_works_again(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "PROBE", 0.0)
    wire.discord.fails("send", CHANNEL, 503, times=3)
    for _ in range(3):
        with pytest.raises(discord.HTTPException):
            await wire.sends()
    assert (wire.budget.down, wire.recovered) == (True, 0)
    await wire.sends()
    await wire.sends()
    assert (wire.budget.down, wire.recovered) == (False, 1)


# ---------------------------------------------------------------- looking for a message


async def test_only_those_since_then_are_looked_at_give_or_take_the_clocks(wire: Wire) -> None:
    sent = await wire.sends()
    assert await wire.finds(since=MS + 29_000) == sent
    later = asyncio.get_running_loop().time() + 1
    assert await wire.finds(since=MS + 31_000, asked=later) is None


async def test_one_search_serves_for_all_messages_of_a_channel(wire: Wire) -> None:
    sent = await wire.sends()
    held = wire.discord.hangs("history", CHANNEL)
    tasks = [asyncio.create_task(wire.finds(MARKER + number)) for number in range(20)]
    await held.arrived.wait()
    held.released.set()
    assert await asyncio.gather(*tasks) == [sent, *[None] * 19]
    assert wire.asked() == ["send", "history"]


async def test_a_search_does_not_serve_for_what_was_sent_before_its_beginning(wire: Wire) -> None:
    sent = await wire.sends()
    wire.now += timedelta(minutes=5)
    assert await wire.finds(MARKER + 1, MS + 300_000) is None
    assert await wire.finds(MARKER, MS) == sent
    assert wire.asked() == ["send", "history", "history"]


async def test_a_search_does_not_serve_for_what_became_uncertain_after_it(wire: Wire) -> None:
    assert await wire.finds() is None
    sent = await wire.sends()
    assert await wire.finds() is None  # remembered
    assert await wire.finds(asked=asyncio.get_running_loop().time()) == sent


async def test_a_search_is_remembered_for_a_moment(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "REMEMBERED", 0.0)
    assert await wire.finds() is None
    sent = await wire.sends()
    assert await wire.finds() == sent


async def test_a_search_that_fails_serves_nobody(wire: Wire) -> None:
    sent = await wire.sends()
    wire.discord.fails("history", CHANNEL, 503)
    with pytest.raises(discord.HTTPException):
        await wire.finds()
    assert await wire.finds() == sent


async def test_what_can_be_sent_goes_before_what_must_be_looked_for_first(wire: Wire) -> None:
    """Or else a program that is restarted again and again would look for everything each time, and
    send nothing.
    """
    for number in range(1, 4):
        wire.discord.world.add_channel(str(SERVER), str(CHANNEL + number))
    wire.budget._overall = budget.RateWindow(budget.RateLimit(1, 0.05))
    tasks = [asyncio.create_task(wire.finds(MARKER)) for _ in range(2)]
    tasks += [
        asyncio.create_task(wire.transport.find(CHANNEL + number, MARKER, MS, priority=0))
        for number in range(4)
    ]
    await asyncio.sleep(0)
    tasks.append(asyncio.create_task(wire.sends()))
    await asyncio.gather(*tasks)
    assert wire.asked()[:2] == ["history", "send"]


# ---------------------------------------------------------------- looking for a thread


async def test_a_thread_of_the_tables_thread_is_opened_beside_it(wire: Wire) -> None:
    inside = wire.discord.world.start_thread(str(CHANNEL), {"name": "the table's"})
    assert await wire.transport.open_thread(int(inside["id"]), "us", priority=0) is not None
    [request] = wire.discord.requests
    assert request.what == "thread"
    assert request.channel == CHANNEL


# ---------------------------------------------------------------- discord.py does not repeat reques


async def respond(client: discord.Client) -> None:
    session = client.http._HTTPClient__session  # type: ignore[attr-defined]
    params = interaction_message_response_params(type=4, content="hello")
    await async_context.get().create_interaction_response(
        1, "token", session=session, params=params
    )


WAYS = [lambda client: client.http.get_channel(CHANNEL), respond]
"""A request of the client's own, and the response to an interaction."""

Way = Callable[[discord.Client], Awaitable[object]]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("status", [500, 502, 503, 504, 524])
async def test_a_server_error_is_raised_at_once(wire: Wire, status: int, way: Way) -> None:
    """Discord waits three seconds for a response, and discord.py would repeat it for
    twenty-five.
    """
    fault = wire.discord.meets(status, times=9)
    with pytest.raises(discord.DiscordServerError):
        await way(wire.client)
    assert fault.met == 1


@pytest.mark.parametrize("way", WAYS)
async def test_limits_are_still_waited_for(wire: Wire, way: Way) -> None:
    fault, before = wire.discord.meets(429), len(wire.discord.rest.calls)
    with suppress(discord.NotFound):  # there is no such interaction
        await way(wire.client)
    assert fault.met == 1
    assert len(wire.discord.rest.calls) - before == 2


@pytest.mark.parametrize("way", WAYS)
async def test_a_limit_is_raised_where_it_is_not_waited_for(wire: Wire, way: Way) -> None:
    fault = wire.discord.meets(429, times=9)
    with tried_once(), pytest.raises(discord.RateLimited) as limited:
        await way(wire.client)
    assert (fault.met, limited.value.retry_after) == (1, fault.retry_after)


@pytest.mark.parametrize("failure", [error(404, 10008), asyncio.CancelledError()])
async def test_a_request_is_over_however_it_ends(wire: Wire, failure: BaseException) -> None:
    """Its turn is counted, and what follows waits for limits again."""
    over = wire.budget.answered = Mock()  # type: ignore[method-assign]
    with pytest.raises(type(failure)):
        async with wire.transport._request("route", 0):
            raise failure
    (slot,) = over.call_args.args
    assert slot.route == "route"
    wire.discord.meets(429)
    await wire.client.http.get_channel(CHANNEL)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("html", [False, True])
@pytest.mark.parametrize("via", [False, True])
async def test_a_limit_that_does_not_say_how_long_is_an_error_of_discord_s(
    wire: Wire, way: Way, *, html: bool, via: bool
) -> None:
    """discord.py expects ``retry_after`` of all that came through Discord's proxy."""
    fault = wire.discord.meets(429, times=9)
    fault.retry_after, fault.html, fault.via = None, html, via
    with pytest.raises(discord.HTTPException) as refused:
        await way(wire.client)
    assert (fault.met, refused.value.status) == (1, 429)


@pytest.mark.parametrize("overall", [False, True])
async def test_delivery_leaves_it_to_the_budget_to_wait_for_limits(
    wire: Wire, *, overall: bool
) -> None:
    """discord.py would repeat the request beyond the budget, together with all others that were
    limited.
    """
    fault = wire.discord.fails("send", CHANNEL, 429)
    fault.retry_after, fault.overall = 7.5, overall
    with pytest.raises(discord.RateLimited):
        await wire.sends()
    assert wire.asked() == ["send"]
    assert (await figures(wire.transport.watch))[
        "bourse_rate_limited_total", "bot" if overall else "route"
    ] == 1
    assert wire.budget.told == [("overall" if overall else ("send", CHANNEL), 7.5)]


@pytest.mark.parametrize(
    ("code", "held"),
    [
        (30046, [("old edit", CHANNEL)]),
        (20028, [("send", CHANNEL), ("edit", CHANNEL)]),
        (40062, [("edit", CHANNEL)]),
    ],
)
@pytest.mark.parametrize("in_body", [True, False])
async def test_a_limit_with_a_code_holds_what_it_is_for(
    wire: Wire, code: int, held: list[Hashable], *, in_body: bool
) -> None:
    """Discord says how long to wait in the body, and sometimes only in the header."""
    message = await wire.sends()
    wire.budget.told.clear()
    fault = wire.discord.fails("edit", CHANNEL, 429, code)
    fault.retry_after, fault.header, fault.via = (6.0 if in_body else None), 6.0, True
    with pytest.raises(Limited) as limited:
        await wire.edits(message)
    assert limited.value.code == code
    assert wire.budget.told == [(each, 6.0) for each in held]


async def test_discord_s_limit_of_edits_of_old_messages_is_kept(wire: Wire) -> None:
    wire.discord.rest.limits.enforced = True
    old, wire.transport._budget = await wire.sends(), Budget()
    wire.now += timedelta(hours=1)
    for _ in range(3):
        await wire.edits(old, old=True)
    await waits(wire.edits(old, old=True))
    with pytest.raises(Limited, match=r"6|5\.\d"):  # as if it were new
        await wire.edits(old)
    await wire.edits(await wire.sends(nonce="new"))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("html", [False, True])
async def test_cloudflare_stops_all_requests_once(
    wire: Wire, caplog: pytest.LogCaptureFixture, way: Way, *, html: bool
) -> None:
    fault = wire.discord.meets(429, times=9)
    fault.retry_after, fault.html, fault.header = None, html, 3600.0
    for _ in range(2):
        with pytest.raises(discord.HTTPException):
            await way(wire.client)
    await waits(wire.sends())
    assert fault.met == 2
    assert [each.getMessage() for each in caplog.records if each.levelname == "CRITICAL"] == [
        "Discord has shut this machine out for 3600 s, and I make no request till then."
    ]
    assert (await figures(wire.transport.watch))["bourse_refused_requests_total", "429"] == 2


async def test_too_many_refused_requests_make_all_wait(
    wire: Wire, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire.budget._refused = budget.RateWindow(budget.RateLimit(3, 600.0))
    for status in (401, 403, 404, 429):
        wire.discord.fails("send", CHANNEL, status)
        with pytest.raises((discord.HTTPException, discord.RateLimited)):
            await wire.sends()
    await waits(wire.sends())
    assert len([each for each in caplog.records if each.levelname == "CRITICAL"]) == 1
    found = await figures(wire.transport.watch)
    assert [found["bourse_refused_requests_total", each] for each in ("401", "403", "429")] == [
        1,
        1,
        1,
    ]


@pytest.mark.parametrize("way", WAYS)
async def test_a_client_that_was_closed_is_no_defect(wire: Wire, way: Way) -> None:
    """discord.py closes its session when Discord ends the connection for good, whatever is under
    way.
    """
    await wire.client.close()
    with pytest.raises(aiohttp.ClientConnectionError):
        await way(wire.client)


async def test_where_files_are_not_allowed_the_words_come_without_the_picture(wire: Wire) -> None:
    pictured = Card("over", "the evening", picture=Picture(b"png", "evening.png", "Three stalls."))
    wire.discord.world.denied[str(CHANNEL)] = discord.Permissions(attach_files=True)
    message = await wire.transport.send(CHANNEL, pictured, marker=MARKER, nonce="n", priority=0)
    [sent] = wire.discord.seen(CHANNEL)
    assert (sent.id, sent.text) == (message, "the evening")
    await wire.edits(message, pictured)
    [sent] = wire.discord.seen(CHANNEL)
    assert sent.text == "the evening"
    assert wire.asked() == ["send", "send", "edit", "edit"]
    wire.discord.world.denied[str(CHANNEL)] |= discord.Permissions(send_messages=True)
    with pytest.raises(discord.Forbidden):
        await wire.transport.send(CHANNEL, pictured, marker=MARKER, nonce="m", priority=0)
