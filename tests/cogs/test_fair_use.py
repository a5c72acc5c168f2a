"""Tests of fair use: too many requests are told to wait, and players never reach the limit."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.rules.model.actions import Action
from bot.rules.model.violation import Refused
from bot.rules.views import TableView
from bot.service import Quotas, Requester, Service
from cogs.fair_use import (
    BURST,
    COSTS,
    PAID,
    PAID_SUGGESTIONS,
    SUGGESTIONS,
    FairUse,
    TokenBuckets,
    cost,
)
from tests.cogs.evening import Evening, private, text_of


class Clock:
    """A clock that stands until it is told to go on."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.used = 0.0

    def __call__(self) -> float:
        return self.now

    def processor(self) -> float:
        """Return the seconds of the processor that were used."""
        return self.used


@pytest.fixture
def clock(playing: Evening) -> Clock:
    """The clock of the limit, which begins with a full bucket for everybody."""
    clock = Clock()
    playing.bot.answers.fair_use = FairUse(BURST, clock, clock.processor)
    return clock


async def spend(evening: Evening, who: str, times: int) -> None:
    for _ in range(times):
        assert "a lot at once" not in text_of(await evening.types(who, "holdings show"))


# ---------------------------------------------------------------- the bucket


def test_a_bucket_is_emptied_and_fills_again() -> None:
    clock = Clock()
    buckets = TokenBuckets(10, 2, clock)
    assert [buckets.take(1, 4) for _ in range(3)] == [0, 0, 1.0]
    assert buckets.take(2, 10) == 0  # another person's is full
    clock.now += 1.0
    assert buckets.take(1, 4) == 0
    assert buckets.take(1, 1) == 0.5
    clock.now += 1e6
    assert buckets.take(1, 1000) == 0  # it takes a full bucket
    assert buckets.take(1, 1) == 0.5


def test_what_was_refused_takes_nothing() -> None:
    clock = Clock()
    buckets = TokenBuckets(10, 1, clock)
    buckets.take(1, 8)
    assert [buckets.take(1, 5) for _ in range(3)] == [3.0] * 3
    clock.now += 3.0
    assert buckets.take(1, 5) == 0


def test_only_so_many_buckets_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cogs.fair_use.BUCKETS_MAX", 3)
    buckets = TokenBuckets(10, 1, Clock())
    for person in range(100):
        buckets.take(person, 1)
    assert len(buckets._kept) == 3


async def test_every_price_is_of_something_that_is_there(evening: Evening) -> None:
    commands = {command.qualified_name for command in evening.bot.tree.walk_commands()}
    presses = {kind.name for kind in evening.router._handlers if issubclass(kind, Action)}
    assert set(COSTS) <= commands | presses
    for name in COSTS:
        typed, *below = name.split()
        data = {"name": typed, "options": [{"type": 1, "name": each} for each in below]}
        assert cost(data if name in commands else {"custom_id": f"{name}:1:2"}) == COSTS[name]


# ---------------------------------------------------------------- at a table


async def test_twenty_quick_presses_in_a_trading_phase_are_nobodys_problem(
    playing: Evening, clock: Clock
) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    for _ in range(20):
        assert "a lot at once" not in text_of(await playing.press("alice", "Menu"))
    await spend(playing, "alice", BURST - 21)


async def test_too_much_at_once_is_told_with_a_wait_and_nothing_is_done(
    playing: Evening, clock: Clock
) -> None:
    await spend(playing, "alice", BURST)
    before = (await playing.table()).seq
    for _ in range(3):
        reply = await playing.types("alice", "offer post", give="1 tg")
        assert text_of(reply) == "That was a lot at once. Try again in 1 second."
        assert private(reply)
    assert (await playing.table()).seq == before
    await playing.types("bob", "offer post", want="1 tg", to="@alice")  # nobody else has to wait
    assert (await playing.table()).seq > before
    before = (await playing.table()).seq
    reply = await playing.press("alice", "Accept")
    assert "a lot at once" in text_of(reply)
    clock.now += 1.0
    assert "a lot at once" not in text_of(await playing.press("alice", "Accept"))
    assert (await playing.table()).seq > before
    assert playing.errors() == ()


async def test_what_takes_long_costs_more(playing: Evening, clock: Clock) -> None:
    for _ in range(BURST // COSTS["audit export"]):
        assert "The ledger of" in text_of(
            await playing.types("alice", "audit export", format="csv")
        )
    reply = await playing.types("alice", "audit export", format="csv")
    assert (
        text_of(reply) == f"That was a lot at once. Try again in {COSTS['audit export']} seconds."
    )
    assert "a lot at once" in text_of(await playing.types("alice", "history"))
    clock.now += COSTS["history"]
    assert "What happened" in text_of(await playing.types("alice", "history"))


async def test_a_form_counts_as_well(playing: Evening, clock: Clock) -> None:
    await spend(playing, "alice", BURST - 1)
    assert (await playing.types("alice", "offer post", to="@bob")).modal is not None
    before = (await playing.table()).seq
    playing.stage.fill("alice", "You give", ["1 tg"])
    assert "a lot at once" in text_of(await playing.stage.submit("alice"))
    assert (await playing.table()).seq == before


async def test_suggestions_have_a_bucket_of_their_own_and_stop_silently(
    playing: Evening, clock: Clock
) -> None:
    for _ in range(SUGGESTIONS):
        assert await playing.completes("alice", "give", "", "offer post")
    assert await playing.completes("alice", "give", "", "offer post") == ()
    await spend(playing, "alice", BURST)
    clock.now += 1.0
    assert await playing.completes("alice", "give", "", "offer post")
    assert playing.errors() == ()


# ---------------------------------------------------------------- the processor


def slow(monkeypatch: pytest.MonkeyPatch, clock: Clock, seconds: float) -> None:
    """Have every table's view take so much of the processor."""
    view = Service.view

    async def taking(self: Service, *args: Any, **options: Any) -> TableView:
        clock.used += seconds
        return await view(self, *args, **options)

    monkeypatch.setattr(Service, "view", taking)


async def test_what_uses_much_of_the_processor_takes_more_tokens(
    playing: Evening, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow(monkeypatch, clock, 10 * PAID)
    await spend(playing, "alice", BURST // 10)
    assert (
        text_of(await playing.types("alice", "holdings show"))
        == "That was a lot at once. Try again in 1 second."
    )
    assert "a lot at once" not in text_of(await playing.types("bob", "holdings show"))


async def test_what_a_token_pays_for_takes_no_more(
    playing: Evening, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow(monkeypatch, clock, 0.9 * PAID)
    await spend(playing, "alice", BURST)
    assert "a lot at once" in text_of(await playing.types("alice", "holdings show"))


async def test_a_high_price_pays_for_more_of_the_processor(
    playing: Evening, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow(monkeypatch, clock, (COSTS["audit export"] - 0.5) * PAID)
    for _ in range(BURST // COSTS["audit export"]):
        assert "The ledger of" in text_of(
            await playing.types("alice", "audit export", format="csv")
        )
    assert "a lot at once" in text_of(await playing.types("alice", "history"))


async def test_completions_that_use_much_of_the_processor_stop_sooner(
    playing: Evening, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow(monkeypatch, clock, 20 * PAID_SUGGESTIONS)
    got = []
    for _ in range(10):
        got.append(bool(await playing.completes("alice", "give", "", "offer post")))
    assert got == [True] * (SUGGESTIONS // 20) + [False] * (10 - SUGGESTIONS // 20)
    assert await playing.completes("bob", "give", "", "offer post")
    await spend(playing, "alice", 1)  # typing takes nothing from the other bucket
    assert playing.errors() == ()


async def test_a_bucket_owes_no_more_than_it_holds(
    playing: Evening, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow(monkeypatch, clock, 1000.0)
    await spend(playing, "alice", 1)
    reply = await playing.types("alice", "holdings show")
    assert text_of(reply) == f"That was a lot at once. Try again in {BURST + 1} seconds."


async def test_each_step_is_charged_once_it_is_done_and_errors_reach_the_work() -> None:
    clock, seen = Clock(), list[str]()
    fair = FairUse(10, clock, clock.processor)
    interaction = SimpleNamespace(
        user=SimpleNamespace(id=1),
        type=discord.InteractionType.component,
        data={"custom_id": "x:1"},
    )
    gate = asyncio.Event()

    async def work() -> None:
        clock.used += 4.5 * PAID
        try:
            await gate.wait()
        except asyncio.CancelledError:
            seen.append("cancelled")
            clock.used += PAID
            raise

    async def metered() -> None:
        await fair.metered(interaction, work())  # type: ignore[arg-type]

    assert fair.wait(interaction) == 0  # type: ignore[arg-type]
    task = asyncio.create_task(metered())
    await asyncio.sleep(0)
    clock.used += 100.0  # another's, while it waits
    assert fair._acts._kept[1].tokens == 5
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert seen == ["cancelled"]
    assert fair._acts._kept[1].tokens == 4


# ---------------------------------------------------------------- tables


def asks(user: int, name: str) -> Any:
    kind, data = discord.InteractionType.application_command, {"name": name}
    return SimpleNamespace(type=kind, data=data, user=SimpleNamespace(id=user))


async def test_one_page_of_a_person_is_made_at_a_time() -> None:
    """The first is charged only once it is made; else all that are asked at once would be let
    in.
    """
    fair, made = FairUse(BURST, Clock()), asyncio.Event()

    async def page() -> None:
        await made.wait()

    assert fair.wait(asks(1, "history")) == 0
    reading = asyncio.create_task(fair.metered(asks(1, "history"), page()))
    await asyncio.sleep(0)
    assert fair.wait(asks(1, "history")) == 1
    assert fair.wait(asks(1, "turn")) == fair.wait(asks(2, "history")) == 0
    made.set()
    await reading
    assert fair.wait(asks(1, "history")) == 0


async def test_pages_of_many_people_are_made_two_at_a_time() -> None:
    fair, made, begun = FairUse(BURST, Clock()), asyncio.Event(), list[int]()

    async def work(user: int) -> None:
        begun.append(user)
        await made.wait()

    reading = [asyncio.create_task(fair.metered(asks(n, "history"), work(n))) for n in range(4)]
    await asyncio.sleep(0)
    acting = asyncio.create_task(fair.metered(asks(9, "turn"), work(9)))
    await asyncio.sleep(0)
    assert begun == [0, 1, 9]
    reading[2].cancel()
    made.set()
    await asyncio.gather(*reading, acting, return_exceptions=True)
    assert begun == [0, 1, 9, 3]
    assert fair.wait(asks(2, "history")) == 0


async def opened(service: Service, user: int, channel: int, guild: int = 1) -> None:
    await service.open_table(
        Requester(user, "host", guild), game="ti4", name="", channel_id=channel
    )


async def test_a_server_and_a_person_have_so_many_open_tables(evening: Evening) -> None:
    service = Service(evening.bot.ledger, discord.utils.utcnow, room=Quotas(server=3, person=2))
    await opened(service, 1, 101)
    await opened(service, 1, 102)
    most = r"You are at 2 open tables; the most for one person is 2.*\*\*Close…\*\*.*\*\*Leave…\*\*"
    with pytest.raises(Refused, match=most):
        await opened(service, 1, 103)
    await opened(service, 2, 103)
    with pytest.raises(
        Refused, match=r"This server has 3 open tables; the most is 3.*\*\*Close…\*\*"
    ):
        await opened(service, 3, 104)
    await opened(service, 3, 104, guild=2)
