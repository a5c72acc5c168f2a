"""Measures messages owed with many tables: after an outage, after restarts, and with deadlines
meanwhile.

python -m tests.tools.debts                       all scenarios, at 2,000 tables
python -m tests.tools.debts recovery --owed 300   one of them
"""

from __future__ import annotations

import argparse
import asyncio
import math
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.loopback import screen
from tests.loopback.loopback import Loopback
from tests.loopback.process import connected
from tests.loopback.screen import Json
from tests.tools.market import Market, Table, copied, open_trading, post

KINDS = ("dm", "card", "board")
"""What an offer to somebody owes: a DM, a card in the channel, and a line on the board."""

PATIENCE = 40.0  # seconds


@dataclass
class Watch:
    """Notes when each message that is owed is there: by table and kind, on time.monotonic()."""

    discord: Loopback
    began: float = field(default_factory=time.monotonic)
    seen: dict[tuple[int, str], float] = field(default_factory=dict)
    owed: dict[tuple[int, str], None] = field(default_factory=dict)
    _by_channel: dict[str, tuple[Table, str]] = field(default_factory=dict)
    _wanted: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.discord.world.watch = self._look

    def expect(self, tables: Iterable[Table]) -> None:
        """Each of these tables owes what its last offer brings."""
        for table in tables:
            self._wanted[table.id] = len(table.offers)
            self._by_channel[table.channel] = (table, "here")
            dm = self.discord.world.dm_with(str(table.guest.id))
            self._by_channel[dm] = (table, "dm")
            self.owed |= dict.fromkeys((table.id, kind) for kind in KINDS)

    def restart(self) -> None:
        """Counts seconds from now on."""
        self.began = time.monotonic()

    @property
    def left(self) -> list[tuple[int, str]]:
        return [each for each in self.owed if each not in self.seen]

    async def all_told(self, within: float = PATIENCE, but: int = 0) -> None:
        """Returns when all that is owed is there, but for so many. AssertionError if they take
        longer.
        """
        try:
            await self.discord.until(lambda: len(self.left) <= max(but, 0), within)
        except TimeoutError:
            raise AssertionError(
                f"{len(self.left)} of {len(self.owed)} never came, such as {self.left}"
            ) from None

    def took(self, kind: str = "") -> float:
        """Seconds until the last one of a kind was there."""
        times = [at for (_, seen), at in self.seen.items() if kind in ("", seen)]
        return max(times) - self.began

    def _look(self, message: Json) -> None:
        if message["channel_id"] in self._by_channel:
            table, where = self._by_channel[message["channel_id"]]
            kind = _kind(message, where, self._wanted[table.id])
            if kind is not None:
                self.seen.setdefault((table.id, kind), time.monotonic())


def _kind(message: Json, where: str, offer: int) -> str | None:
    text = screen.text_of(message)
    if f"Offer {offer}" in text:
        return "dm" if where == "dm" else "card"
    listed = f"#{offer} " in text or f"[#{offer}](" in text
    return "board" if listed and "Open offers" in text else None


@dataclass
class Figures:
    """What a scenario came to."""

    name: str
    owed: int
    seconds: dict[str, float]
    requests: Counter[str]
    refused: Counter[str]
    doubled: int

    def __str__(self) -> str:
        times = ", ".join(f"{kind} {seconds:.1f} s" for kind, seconds in self.seconds.items())
        routes = ", ".join(f"{count} {route}" for route, count in self.requests.most_common())
        said = dict(self.refused) or 0
        return (
            f"{self.name}: {self.owed} owed; the last {times}; said 429: {said}; doubled: "
            f"{self.doubled}\n    {routes}"
        )


def figures(name: str, watch: Watch, before: int) -> Figures:
    """What a watch saw, with the requests since so many."""
    discord = watch.discord
    calls = discord.calls[before:]
    routes = Counter(f"{call.method} {_route(call.path)}" for call in calls if call.status < 500)
    seconds = {kind: watch.took(kind) for kind in KINDS}
    return Figures(
        name, len(watch.owed), seconds, routes, discord.limits.refused.copy(), doubled(watch)
    )


def _route(path: str) -> str:
    return "/".join(
        "N" if part.isdigit() else part
        for part in path.split("/")[:4]
        if not part.startswith("token-")
    )


def doubled(watch: Watch) -> int:
    """How many of the messages there are more often than once."""
    found: Counter[tuple[int, str]] = Counter()
    for message in watch.discord.world.messages.values():
        table, where = watch._by_channel.get(message["channel_id"], (None, ""))
        kind = (
            None
            if table is None or screen.is_ephemeral(message)
            else _kind(message, where, len(table.offers))
        )
        if table is not None and kind in ("dm", "card"):
            found[table.id, kind] += 1
    return sum(count - 1 for count in found.values())


# ---------------------------------------------------------------- scenarios


@asynccontextmanager
async def market(
    folder: Path, tables: int, **options: int
) -> AsyncIterator[tuple[Loopback, Market]]:
    """A Discord with its limits and so many tables, at which nothing is owed."""
    world, made = await copied(folder, tables, **options)
    async with Loopback.running(world=world) as discord:
        discord.limits.enforced = True
        yield discord, made


async def recovery(
    folder: Path, *, tables: int = 2000, owed: int = 498, outage: float = 20.0
) -> Figures:
    """Discord answers 503 to everything while people post; then it works again, and nobody acts."""
    async with (
        market(folder, tables) as (discord, made),
        connected(discord, folder, made.url, aloud=False),
    ):
        await discord.quiet(1.0)
        watch, posting = Watch(discord), _newest(made, owed)
        async with discord.burst(503, path=""):
            await _post_all(discord, posting)
            watch.expect(posting)
            await asyncio.sleep(outage)
            assert len(watch.left) == len(watch.owed)
            before = len(discord.calls)
            watch.restart()
        await watch.all_told()
        await discord.quiet(2.0)
        return figures("after an outage", watch, before)


async def restarts(
    folder: Path, *, tables: int = 2000, owed: int = 498, every: float = 5.0
) -> Figures:
    """People posted while no bot ran. Each bot is killed so long after it was ready, or when it
    told a twentieth.
    """
    async with market(folder, tables) as (discord, made):
        watch, posting = Watch(discord), _newest(made, owed)
        await made.act(post, posting)
        watch.expect(posting)
        watch.restart()
        runs = 0
        while watch.left:
            runs += 1
            began, left = time.monotonic(), len(watch.left)
            async with connected(discord, folder, made.url, aloud=False):
                ready = time.monotonic() - began
                await asyncio.sleep(every)
                await watch.all_told(but=left - len(watch.owed) // 20)
            oldest = posting[: len(posting) // 10]
            told, waiting = (
                left - len(watch.left),
                sum((table.id, "dm") in watch.left for table in oldest),
            )
            print(
                f"    run {runs}: ready after {ready:.1f} s, {told} told; {waiting} of "
                f"{len(oldest)} old DMs wait"
            )
        return figures(f"restarted every {every:g} s, {runs} times", watch, 0)


async def bells(folder: Path, *, tables: int = 2000, owed: int = 498, rings: int = 20) -> Bells:
    """Trading ends and offers run out while the bot is delivering what it owes after a start."""
    async with _ringing(folder, tables, rings, first=4.0) as (discord, made, watch):
        await made.act(post, _newest(made, owed))
        async with connected(discord, folder, made.url, aloud=False):
            return await watch.all_rung("bells after a start")


async def refused(folder: Path, *, tables: int = 2000, owed: int = 498, rings: int = 20) -> Bells:
    """The same while Discord answers 503 to everything at the tables that are owed something."""
    async with _ringing(folder, tables, rings, first=5.0) as (discord, made, watch):
        posting = _newest(made, owed)
        await made.act(post, posting)
        places = [table.channel for table in posting]
        places += [discord.world.dm_with(str(table.guest.id)) for table in posting]
        outage = discord.burst(503, path=rf"^/channels/({'|'.join(places)})/")
        async with outage, connected(discord, folder, made.url, aloud=False):
            return await watch.all_rung("bells while Discord refuses others' messages")


@dataclass
class Bells:
    """How late each bell was heard in its channel, in seconds, and how many requests of the bot had
    come before.

    Both are counted from its time, or from when the bot was ready, if that was later.
    """

    discord: Loopback
    at: dict[str, float]
    late: dict[str, float] = field(default_factory=dict)
    behind: dict[str, int] = field(default_factory=dict)
    name: str = ""
    ready: float = math.inf  # on time.time()

    def __post_init__(self) -> None:
        self.discord.world.watch = self._listen

    @property
    def latest(self) -> float:
        return max(self.late.values())

    @property
    def most_behind(self) -> int:
        """How many requests came before the bell that had to wait for most: a figure that holds on
        any machine.
        """
        return max(self.behind.values())

    async def all_rung(self, name: str) -> Bells:
        self.name, self.ready = name, time.time()
        try:
            await self.discord.until(lambda: len(self.late) == len(self.at), PATIENCE)
        except TimeoutError:
            raise AssertionError(
                f"{len(self.at) - len(self.late)} of {len(self.at)} bells were not heard"
            ) from None
        return self

    def __str__(self) -> str:
        late = sorted(self.late.values())
        said = dict(self.discord.limits.refused) or 0
        after = f"half after {late[len(late) // 2]:.2f} s, the last after {late[-1]:.2f} s"
        return (
            f"{self.name}: {len(late)} rung, {after}, behind {self.most_behind} requests; said "
            f"429: {said}"
        )

    def _listen(self, message: Json) -> None:
        at, text = self.at.get(message["channel_id"]), screen.text_of(message)
        if at is not None and ("trading is over" in text or "Time is up" in text):
            late = max(0.0, time.time() - max(at, self.ready))
            self.late.setdefault(message["channel_id"], late)
            since = time.monotonic() - late
            self.behind.setdefault(
                message["channel_id"], sum(call.at >= since for call in self.discord.calls)
            )


@asynccontextmanager
async def _ringing(
    folder: Path, tables: int, rings: int, *, first: float, apart: float = 0.2
) -> AsyncIterator[tuple[Loopback, Market, Bells]]:
    """So many bells, half of them offers that run out, the first in so many seconds; nothing is
    owed there.
    """
    async with market(folder, tables, civilizations=rings // 2) as (discord, made):
        ringing = made.tables[:rings]
        begin, at = time.time() + first + rings * 0.2, dict[str, float]()
        for number, table in enumerate(ringing):
            at[table.channel] = begin + number * apart
            trades = number < rings // 2
            work = open_trading if trades else partial(post, lasts=60_000)
            opens = at[table.channel] - 60
            await made.act(work, [table], ago=time.time() - opens)
        await made.settle(discord, ringing)
        yield discord, made, Bells(discord, at)


def _newest(made: Market, owed: int) -> list[Table]:
    return made.tables[-owed // len(KINDS) :]


async def _post_all(discord: Loopback, tables: Sequence[Table]) -> None:
    """Post at each table as soon as the bot has tried to answer the one before.

    On a busy machine it would have those that come all at once more than three seconds later, when
    Discord has told their people that they failed, and it is right not to carry them out.
    """
    for table in tables:
        table.offers.append(1)
        offer = {"user": table.host, "to": table.guest, "give": "1 tg", "at": table.channel}
        before = len(discord.calls)
        posted = await discord.slash("offer post", **offer, wait=False)
        await discord.until(partial(_has_tried, discord, before, f"/interactions/{posted.id}/"))


def _has_tried(discord: Loopback, before: int, path: str) -> bool:
    """Whether the bot has asked for something below a path, after so many requests."""
    return any(path in call.path for call in discord.calls[before:])


SCENARIOS = {scenario.__name__: scenario for scenario in (recovery, restarts, bells, refused)}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.debts", description=__doc__)
    parser.add_argument("scenarios", nargs="*", choices=[*SCENARIOS, []], metavar="SCENARIO")
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--owed", type=int, default=498)
    given = parser.parse_args()
    for name in given.scenarios or SCENARIOS:
        with tempfile.TemporaryDirectory() as folder:
            scenario = SCENARIOS[name](Path(folder), tables=given.tables, owed=given.owed)
            print(asyncio.run(scenario), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
