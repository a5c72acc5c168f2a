"""Benchmarks over the wire, as people feel them: click, statements, told, crowd, requests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from statistics import median

from tests.loopback.loopback import Loopback
from tests.tools.bench.child import Spent
from tests.tools.bench.clubs import Child, clubs
from tests.tools.bench.folder import folder
from tests.tools.bench.measure import Effort, Line, Sides, line
from tests.tools.bench.pongs import pongers
from tests.tools.bench.requests import cost

TABLES = 40
"""Tables in the line `click`, and people in front of the bot that only replies."""

CLICKS = 3
"""Clicks in a trade."""

SHORTEST = 0.5
"""Seconds of clicks in a round: with less, the first and the last of forty tables would weigh too
much.
"""

A_REQUEST = 0.15
"""Seconds that a request takes in the line `told`."""

CLUBS = 4
"""Clubs that take turns in the line `told`. Discord takes five messages in five seconds in
somebody's DMs: with two clubs, those of sitting down and of the first trades would be more.
"""

QUIET = 0.15
"""Seconds without a request after which nothing more comes of an act, where a board waits no longer
than a third.
"""


@line(
    "click",
    over="clicks/s",
    under="replies/s",
    about=f"Post, accept, next turn at {TABLES} tables at once, durable and told, over the wire, "
    "with no limit on "
    "requests / replies of discord.py by a command that does nothing, same Discord.",
)
async def click(effort: Effort) -> AsyncIterator[Sides]:
    """Measure clicks and plain replies, each by a bot in a process of its own."""
    with folder() as one, folder() as other:
        async with AsyncExitStack() as stack:
            (_, bot, opened), (plain, people) = await asyncio.gather(
                stack.enter_async_context(clubs(one, TABLES, "bourse")),
                stack.enter_async_context(pongers(other, TABLES)),
            )
            clicking = Clicking(
                bot, [club.trade for club in opened], CLICKS, max(effort.seconds, SHORTEST)
            )
            replying = Clicking(plain, [person.ping for person in people], 1, effort.seconds)
            yield Sides(
                clicking.rate,
                replying.rate,
                lambda: {
                    "ms of the bot's processor time a click": clicking.each,
                    "ms a plain reply": replying.each,
                },
            )


@line(
    "statements",
    over="statements",
    under="accepts",
    about="SQL statements for one accept, delivery included, one table, one click after another. "
    "What was shown is written with the next commit.",
)
async def statements(effort: Effort) -> AsyncIterator[Sides]:
    """Count what accepting an offer asks of the database. The result does not depend on the
    machine.
    """
    with folder() as path:
        async with clubs(path, 1, "counted") as (discord, bot, (club,)):
            commits: list[int] = []

            async def over() -> float:
                await _done(discord, club.post)
                before = await bot.spent()
                await _done(discord, club.accept)
                after = await bot.spent()
                await _done(discord, club.end_turn)
                commits.append(after.commits - before.commits)
                return after.statements - before.statements

            yield Sides(over, _one, lambda: {"commits an accept": min(commits)})


@line(
    "told",
    over="ms",
    under="ms",
    about=f"Median time from posting, or from accepting, whichever is longer, to the other's DM, "
    f"one table at a time, at {A_REQUEST * 1000:.0f} ms a request / {A_REQUEST * 1000:.0f} ms.",
)
async def told(effort: Effort) -> AsyncIterator[Sides]:
    """Measure how soon the other one is told, with the limits that Discord has."""
    with folder() as path:
        async with clubs(path, CLUBS, "limited") as (discord, _, opened):
            discord.slow(A_REQUEST)
            taken: dict[str, list[float]] = {"posting": [], "accepting": []}

            async def over() -> float:
                club = opened[len(taken["posting"]) % CLUBS]
                for what, act in (("posting", club.post), ("accepting", club.accept)):
                    taken[what].append(1000 * await act())
                await club.end_turn()
                await asyncio.sleep(2 * A_REQUEST)
                return max(times[-1] for times in taken.values())

            yield Sides(
                over,
                _a_request,
                lambda: {f"ms after {what}": median(times) for what, times in taken.items()},
            )


@line(
    "crowd",
    over="ms",
    under="ms",
    about="Time until the last card is there of eight offers posted in one channel within three "
    "seconds, where "
    f"Discord takes five in five, at {A_REQUEST * 1000:.0f} ms a request / {A_REQUEST * 1000:.0f} "
    "ms.",
)
async def crowd(effort: Effort) -> AsyncIterator[Sides]:
    """Measure how long a card waits in a crowd: a channel's own limit holds for what the bot
    posts.
    """
    with folder() as path:
        async with clubs(path, effort.rounds + 1, "limited") as (discord, _, opened):
            discord.slow(A_REQUEST)
            rounds, taken = iter(opened), list[list[float]]()

            async def over() -> float:
                taken.append(sorted(1000 * each for each in await next(rounds).crowd()))
                await asyncio.sleep(6.0)
                return taken[-1][-1]

            yield Sides(
                over, _a_request, lambda: {"ms of half of them": median(each[3] for each in taken)}
            )


@line(
    "requests",
    over="requests",
    under="trades",
    about="Requests of the bot that Discord counts for posting and accepting an offer, DMs known; "
    "those with an "
    "interaction's token are not counted.",
)
async def requests(effort: Effort) -> AsyncIterator[Sides]:
    """Count what a trade asks of Discord. The result does not depend on the machine."""
    with folder() as path:
        async with clubs(path, 1, "counted") as (discord, _, (club,)):

            async def over() -> float:
                before = len(discord.calls)
                await _done(discord, club.post)
                await _done(discord, club.accept)
                made = cost("post and accept", 6, discord.calls[before:])
                await _done(discord, club.end_turn)
                return made.requests

            yield Sides(over, _one)


LINES: tuple[Line, ...] = (click, statements, told, crowd, requests)


@dataclass
class Clicking:
    """People who act at once, again and again, for some seconds, and what the bot has spent on it.

    ``acts``: how many there are in what each of them does again.
    """

    bot: Child
    people: Sequence[Callable[[], Awaitable[object]]]
    acts: int
    seconds: float
    made: int = 0
    processor: float = 0.0

    async def rate(self) -> float:
        """Act for a while; return how many acts a second were done."""
        before, begun = await self.bot.spent(), time.perf_counter()
        until = begun + self.seconds
        times = await asyncio.gather(*(_again(act, until) for act in self.people))
        made = self.acts * sum(times)
        seconds = time.perf_counter() - begun
        self.made += made
        self.processor += _processor(before, await self.bot.spent())
        return made / seconds

    @property
    def each(self) -> float:
        """The processor time of the bot for one act, in milliseconds."""
        return self.processor / self.made * 1000


def _processor(before: Spent, after: Spent) -> float:
    return after.seconds - before.seconds


async def _again(act: Callable[[], Awaitable[object]], until: float) -> int:
    """Act once, and then again until this time; return how often."""
    made = 0
    while not made or time.perf_counter() < until:
        await act()
        made += 1
    return made


async def _done(discord: Loopback, act: Callable[[], Awaitable[object]]) -> None:
    """Act, and wait until nothing more comes of it."""
    await act()
    await discord.quiet(QUIET)


async def _one() -> float:
    return 1.0


async def _a_request() -> float:
    return A_REQUEST * 1000
