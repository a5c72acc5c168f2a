"""Tests of the budget: below Discord's limits, urgent first, one request at a time while Discord is
down.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.delivery import budget
from bot.delivery.budget import (
    DMS,
    FAILURES_OF_AN_OUTAGE,
    IN_CHANNEL,
    OLD,
    OPENING_DMS,
    OVERALL,
    PROBE,
    Budget,
    RateLimit,
    RateWindow,
    Recall,
    Recalled,
    Slot,
)
from bot.delivery.desired import Priority

# ---------------------------------------------------------------- windows


def test_so_many_go_at_once_and_then_one_for_each_that_was_so_long_ago() -> None:
    window = RateWindow(RateLimit(2, 10.0))
    for now in (0.0, 1.0):
        assert window.opens(now) <= now
        window.take(now)
    assert window.opens(1.0) == 10.0
    window.take(10.0)
    assert window.opens(10.0) == 11.0


@given(st.lists(st.floats(0, 3), min_size=1, max_size=60))
def test_never_more_than_the_limit_in_any_window(pauses: list[float]) -> None:
    limit, now, granted = RateLimit(5, 5.1), 0.0, list[float]()
    window = RateWindow(limit)
    for pause in pauses:
        now = max(now + pause, window.opens(now + pause))
        window.take(now)
        granted.append(now)
    for first, sixth in zip(granted, granted[limit.requests :], strict=False):
        assert sixth - first >= limit.seconds - 1e-9


def test_of_more_than_the_limit_the_last_ones_count() -> None:
    """Requests that find out whether Discord works again go in spite of the limit."""
    window = RateWindow(RateLimit(2, 10.0))
    for now in (0.0, 1.0, 2.0):
        window.take(now)
    assert window.opens(2.0) == 11.0


def test_a_request_counts_as_of_when_it_arrived() -> None:
    window = RateWindow(RateLimit(2, 10.0))
    window.take(0.0)
    window.take(1.0)
    window.move(0.0, 4.0)
    assert window.opens(5.0) == 11.0
    window.move(3.0, 9.0)  # is not counted
    assert window.opens(5.0) == 11.0


def test_a_blocked_window_opens_when_discord_said() -> None:
    window = RateWindow(RateLimit(2, 10.0))
    window.block(7.0)
    window.block(3.0)
    assert window.opens(0.0) == 7.0
    assert window.busy(6.9)
    assert not window.busy(7.1)


def test_a_window_is_busy_as_long_as_its_past_matters() -> None:
    window = RateWindow(RateLimit(2, 10.0))
    assert not window.busy(0.0)
    window.take(0.0)
    assert window.busy(9.9)
    assert not window.busy(10.1)


def test_the_limits_are_discords() -> None:
    """50 requests a second in all, and five messages in five seconds in a channel; a little less,
    to be sure.
    """
    assert OVERALL.requests <= 50
    assert 1.0 < OVERALL.seconds < 1.1
    assert IN_CHANNEL.requests <= 5
    assert OPENING_DMS.requests <= 10
    assert 10.0 < OPENING_DMS.seconds < 10.5
    assert 5.0 < IN_CHANNEL.seconds < 5.5


# ---------------------------------------------------------------- on a clock of its own


class Clock:
    """Requests on a budget, in a time that passes when a test says so."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.now = 100.0
        self.timers: list[Any] = []
        self.gone: list[str] = []
        self.slots: dict[str, Slot] = {}
        self.tasks: list[asyncio.Task[None]] = []

    def call_at(self, at: float, callback: Callable[[], None]) -> Any:
        timer = Timer(at, callback)
        self.timers.append(timer)
        return timer

    async def asks(self, name: str, route: Hashable = None, priority: float = 0) -> None:
        async def ask() -> None:
            self.slots[name] = await self.budget.take(route, priority)
            self.gone.append(name)

        self.tasks.append(asyncio.create_task(ask()))
        await self.rests()

    async def rests(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)

    async def until(self, at: float) -> list[str]:
        """Let the time pass until then, and return what went meanwhile."""
        before = len(self.gone)
        while due := [each for each in self.timers if not each.cancelled and each.at <= at]:
            timer = min(due, key=lambda each: each.at)
            self.timers.remove(timer)
            self.now = max(self.now, timer.at)
            timer.callback()
            await self.rests()
        self.now = at
        return self.gone[before:]


class Timer:
    def __init__(self, at: float, callback: Callable[[], None]) -> None:
        self.at, self.callback, self.cancelled = at, callback, False

    def cancel(self) -> None:
        self.cancelled = True


Clocked = Callable[..., Clock]
FIFTY, FIVE = RateLimit(50, 1.0), RateLimit(5, 5.0)


@pytest.fixture
async def clocked(monkeypatch: pytest.MonkeyPatch) -> Any:
    loop = asyncio.get_running_loop()
    made: list[Clock] = []

    def make(overall: RateLimit | None = FIFTY, in_channel: RateLimit | None = FIVE) -> Clock:
        clock = Clock(Budget(overall, in_channel))
        monkeypatch.setattr(loop, "time", lambda: clock.now)
        monkeypatch.setattr(loop, "call_at", clock.call_at)
        made.append(clock)
        return clock

    yield make
    monkeypatch.undo()
    for clock in made:
        clock.budget.close()
        await asyncio.gather(*clock.tasks, return_exceptions=True)


async def test_in_a_channel_five_go_and_the_sixth_waits(clocked: Clocked) -> None:
    clock = clocked()
    for number in range(7):
        await clock.asks(str(number), "channel")
    assert clock.gone == list("01234")
    assert await clock.until(104.9) == []
    assert await clock.until(105.0) == ["5", "6"]


async def test_channels_do_not_wait_for_each_other(clocked: Clocked) -> None:
    clock = clocked()
    for number in range(6):
        await clock.asks(f"a{number}", "a")
    await clock.asks("b", "b")
    await clock.asks("dm", None)
    assert clock.gone[-2:] == ["b", "dm"]


async def test_in_all_fifty_go_in_a_second(clocked: Clocked) -> None:
    clock = clocked()
    for number in range(60):
        await clock.asks(str(number), f"channel {number}")
    assert len(clock.gone) == 50
    assert len(await clock.until(101.0)) == 10


async def test_what_somebody_must_act_on_goes_first(clocked: Clocked) -> None:
    clock = clocked(RateLimit(1, 1.0), None)
    await clock.asks("first")
    await clock.asks("board", None, 4)
    await clock.asks("card", None, 2)
    await clock.asks("act", None, 0)
    await clock.asks("other card", None, 2)
    assert await clock.until(104.0) == ["act", "card", "other card", "board"]


async def test_for_what_cannot_wait_at_all_there_is_room(clocked: Clocked) -> None:
    clock = clocked()
    for number in range(60):
        await clock.asks(str(number), None, 1)
    assert len(clock.gone) == 47
    for name in ("bell", "bell", "bell", "late bell"):
        await clock.asks(name, None, 0)
    assert clock.gone[47:] == ["bell"] * 3
    went = await clock.until(101.0)
    assert went[0] == "late bell"
    assert went[1:] == [str(number) for number in range(47, 60)]


async def test_what_changes_nothing_leaves_room_for_news(clocked: Clocked) -> None:
    """A look at fifty messages must not make the next five edits of a channel wait."""
    clock = clocked()
    for number in range(6):
        await clock.asks(f"again {number}", "a", Priority.AGAIN)
    for number in range(4):
        await clock.asks(f"news {number}", "a", Priority.LEISURE)
    assert clock.gone == ["again 0", "again 1", "news 0", "news 1", "news 2"]
    assert await clock.until(105.0) == ["news 3", "again 2"]
    for number in range(60):
        await clock.asks(f"look {number}", number, Priority.AGAIN)
    assert len(clock.gone) == 5 + 2 + 23


async def test_where_one_goes_at_a_time_nothing_is_left_out(clocked: Clocked) -> None:
    clock = clocked(RateLimit(1, 1.0), None)
    await clock.asks("again", None, Priority.AGAIN)
    assert clock.gone == ["again"]


async def test_after_an_outage_nothing_is_kept_back(clocked: Clocked) -> None:
    clock = clocked()
    fail(clock.budget, FAILURES_OF_AN_OUTAGE)
    clock.budget._probed = clock.now
    for number in range(60):
        await clock.asks(str(number), None, 1)
    clock.budget.succeeded()
    await clock.rests()
    assert len(clock.gone) == 50


async def test_dms_are_opened_as_fast_as_discord_allows_and_keep_nothing_else_waiting(
    clocked: Clocked,
) -> None:
    clock = clocked()
    for number in range(12):
        await clock.asks(f"dm {number}", DMS)
    await clock.asks("message")
    assert len(clock.gone) == 11
    assert clock.gone[-1] == "message"
    assert await clock.until(109.9) == []
    assert await clock.until(110.3) == ["dm 10", "dm 11"]


async def test_what_was_held_up_on_its_way_counts_as_of_then(clocked: Clocked) -> None:
    """Otherwise those that come after a jam would reach Discord in the same second as those that
    were in it.
    """
    clock = clocked(RateLimit(2, 1.0))
    for name in ("quick", "held up"):
        await clock.asks(name)
    clock.now = 100.1
    clock.budget.answered(clock.slots["quick"])
    clock.now = 100.5
    clock.budget.answered(clock.slots["held up"])
    for name in ("third", "fourth"):
        await clock.asks(name)
    assert await clock.until(101.3) == ["third"]
    assert await clock.until(101.4) == ["fourth"]


async def test_an_answer_that_takes_its_time_does_not_count_for_ever(clocked: Clocked) -> None:
    clock = clocked(RateLimit(1, 1.0))
    await clock.asks("quick")
    clock.budget.answered(clock.slots["quick"])
    clock.now = 110.0
    await clock.asks("slow")
    clock.now = 130.0
    clock.budget.answered(clock.slots["slow"])
    await clock.asks("next")
    assert clock.gone == ["quick", "slow", "next"]


async def test_requests_that_did_not_ask_are_counted(clocked: Clocked) -> None:
    clock = clocked(RateLimit(5, 1.0))
    clock.budget.spend(3)
    for number in range(5):
        await clock.asks(str(number))
    assert clock.gone == ["0", "1"]


async def test_when_discord_wants_no_request_at_all_everything_waits(clocked: Clocked) -> None:
    clock = clocked()
    clock.budget.limited("a", 30.0, overall=True)
    for name in ("a", "b", None):
        await clock.asks(str(name), name)
    assert clock.gone == []
    assert await clock.until(130.0) == ["a", "b", "None"]


async def test_without_limits_everything_goes(clocked: Clocked) -> None:
    clock = clocked(None, None)
    for number in range(200):
        await clock.asks(str(number), "channel")
    assert len(clock.gone) == 200


@pytest.mark.parametrize("in_channel", [RateLimit(5, 5.0), None])
async def test_a_route_that_discord_limits_waits_as_long_as_it_says(
    clocked: Clocked, in_channel: RateLimit | None
) -> None:
    clock = clocked(in_channel=in_channel)
    clock.budget.limited("a", 30.0)
    await clock.asks("a", "a")
    await clock.asks("b", "b")
    assert clock.gone == ["b"]
    assert await clock.until(129.0) == []
    assert await clock.until(130.0) == ["a"]


async def test_one_that_is_cancelled_takes_no_turn(clocked: Clocked) -> None:
    clock = clocked(RateLimit(1, 1.0), None)
    for name in ("first", "second", "third"):
        await clock.asks(name)
    clock.tasks[1].cancel()
    await clock.rests()
    assert await clock.until(101.0) == ["third"]


async def test_after_the_end_nothing_goes(clocked: Clocked) -> None:
    clock = clocked(RateLimit(1, 1.0), None)
    await clock.asks("first")
    await clock.asks("second")
    clock.budget.close()
    await clock.rests()
    assert clock.tasks[1].cancelled()
    assert await clock.until(200.0) == []


# ---------------------------------------------------------------- outages


def fail(budget: Budget, times: int) -> None:
    for _ in range(times):
        budget.failed()


async def test_after_some_errors_in_a_row_discord_counts_as_down(clocked: Clocked) -> None:
    clock = clocked()
    fail(clock.budget, FAILURES_OF_AN_OUTAGE - 1)
    assert not clock.budget.down
    assert not clock.budget.succeeded()
    fail(clock.budget, FAILURES_OF_AN_OUTAGE)
    assert clock.budget.down


async def test_while_it_is_down_one_request_at_a_time_finds_out_when_it_is_back(
    clocked: Clocked,
) -> None:
    clock = clocked()
    await clock.asks("before")
    fail(clock.budget, FAILURES_OF_AN_OUTAGE)
    await clock.asks("board", "board", 4)
    await clock.asks("act", "act", 0)
    await clock.asks("card", "card", 2)
    assert clock.gone == ["before"]
    assert await clock.until(100.0 + PROBE) == ["act"]
    assert await clock.until(100.0 + 2 * PROBE) == ["card"]


async def test_when_it_works_again_everything_goes_at_once(clocked: Clocked) -> None:
    clock = clocked()
    await clock.asks("before")
    fail(clock.budget, 99)
    for number in range(20):
        await clock.asks(str(number), f"channel {number}")
    assert await clock.until(100.0 + PROBE) == ["0"]
    assert clock.budget.succeeded()  # it was down until now
    await clock.rests()
    assert len(clock.gone) == 21
    assert not clock.budget.succeeded()


async def test_what_stops_all_requests_stops_those_that_find_out_as_well(clocked: Clocked) -> None:
    clock = clocked()
    assert clock.budget.stop(60.0)
    assert not clock.budget.stop(30.0)
    fail(clock.budget, 3)
    await clock.asks("finds out")
    assert clock.budget.stopped
    assert await clock.until(159.0) == []
    assert await clock.until(160.0) == ["finds out"]


async def test_after_an_outage_the_limits_hold_all_the_same(clocked: Clocked) -> None:
    clock = clocked()
    fail(clock.budget, 3)
    for number in range(9):
        await clock.asks(str(number), "channel")
    clock.budget.succeeded()
    await clock.rests()
    assert len(clock.gone) == 5


# ---------------------------------------------------------------- thousands that wait


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The looks that the budget takes at its windows."""
    taken, opens = list[float](), RateWindow.opens

    def opened(self: RateWindow, now: float, *, keeping: int = 0) -> float:
        taken.append(now)
        return opens(self, now, keeping=keeping)

    monkeypatch.setattr(RateWindow, "opens", opened)
    return taken


ROUTES = {
    "each in its channel": lambda n: n,
    "in one channel": lambda _: 7,
    "in many channels": lambda n: n % 40,
}


@pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES.keys())
async def test_work_grows_with_the_requests_and_not_with_those_that_wait_as_well(
    clocked: Clocked, looks: list[float], route: Callable[[int], Hashable]
) -> None:
    """After a restart thousands are owed, and the loop must go on meanwhile."""
    clock, many = clocked(FIFTY, FIVE), 1_200

    async def take(route: Hashable, priority: float) -> None:
        await clock.budget.take(route, priority)

    for number in range(many):
        clock.tasks.append(asyncio.create_task(take(route(number), number % 5)))
    await clock.rests()
    while not all(task.done() for task in clock.tasks):
        await clock.until(clock.now + 1)
    assert len(looks) < 8 * many


async def test_edits_of_old_messages_are_few_and_count_among_all_edits(clocked: Clocked) -> None:
    clock = clocked()
    for number in range(4):
        await clock.asks(f"old {number}", (OLD, 7))
    for number in range(3):
        await clock.asks(f"new {number}", ("edit", 7))
    assert clock.gone == ["old 0", "old 1", "old 2", "new 0", "new 1"]
    assert await clock.until(105.5) == ["new 2"]
    assert await clock.until(106.5) == ["old 3"]


async def test_among_all_edits_old_ones_wait_too(clocked: Clocked) -> None:
    clock = clocked()
    for number in range(5):
        await clock.asks(f"new {number}", ("edit", 7))
    await clock.asks("old", (OLD, 7))
    assert len(clock.gone) == 5
    assert await clock.until(105.5) == ["old"]


# ---------------------------------------------------------------- memory


async def test_routes_that_were_not_used_for_a_while_are_forgotten(
    clocked: Clocked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "MANY_ROUTES", 10)
    clock = clocked(RateLimit(1000, 1.0))
    for number in range(30):
        await clock.asks(str(number), number)
    clock.now += 60
    for _ in range(6):
        await clock.asks("busy", "busy")
    assert set(clock.budget._routes) == {"busy"}


async def test_one_that_is_recalled_for_something_more_urgent_takes_no_turn(
    clocked: Clocked,
) -> None:
    clock, recall = clocked(RateLimit(1, 1.0), None), Recall()
    await clock.asks("first")
    waits = asyncio.create_task(clock.budget.take(None, 4, recall))
    await clock.rests()
    recall.for_more_urgent(4)  # as urgent as itself: it keeps its place
    await clock.rests()
    assert not waits.done()
    recall.for_more_urgent(3)
    with pytest.raises(Recalled):
        await waits
    await clock.asks("second")
    assert await clock.until(101.0) == ["second"]
    recall.for_more_urgent(0)  # nothing waits any more


async def test_one_that_has_its_turn_is_not_recalled(clocked: Clocked) -> None:
    clock, recall = clocked(), Recall()
    slot = await clock.budget.take("a", 4, recall)
    recall.for_more_urgent(0)
    assert slot.route == "a"


async def test_what_is_granted_to_one_that_is_cancelled_goes_to_the_next(clocked: Clocked) -> None:
    clock = clocked(RateLimit(1, 1.0), RateLimit(1, 1.0))
    for name in ("first", "second", "third"):
        await clock.asks(name, "a")
    clock.now = 101.0
    clock.timers[-1].callback()  # the second has its turn, and does not know it yet
    clock.tasks[1].cancel()
    await clock.rests()
    assert clock.gone == ["first", "third"]
