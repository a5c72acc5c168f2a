"""The soak: random play, a storm at Discord, kills at random and at chosen points, and the oracle
after each round.
"""

from __future__ import annotations

import asyncio
import gc
import math
import random
import re
import time
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack, ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from bot.delivery.send import REDRAWN_EVERY
from tests.loopback import screen
from tests.loopback.exchange import LATER, THINKING, Exchange
from tests.loopback.faults import Held
from tests.loopback.loopback import Loopback
from tests.loopback.process import BotProcess, connected
from tests.loopback.rest import Call
from tests.soak import books, oracle, players
from tests.soak.follow_ups import FollowUp, follow_ups
from tests.soak.sights import Sights
from tests.soak.storm import Happens, Storm
from tests.soak.wanted import wanted

RECOVERS_WITHIN = 10.0  # seconds in which everything that is owed must be delivered
# of DMs not open yet, Discord lets so many be opened in so many seconds
OPENED_AT_ONCE, OPENS_WITHIN = 10, 10.2
GIVEN_UP_AFTER = 20.0  # what has not come so many seconds after it should have is lost
POINTS = (r"/callback$", r"^/channels/\d+/messages$", r"^/channels/\d+/messages/\d+$", r"^/")
# seconds of play and of quiet before the last restart: it would free what is stuck
UNDISTURBED, QUIET = 30.0, 75.0
# seconds of play after the last kill of a round: a start mends what was frozen before
LAST_MOMENTS = (2.0, 8.0)
POINT_WITHIN = 1.5  # seconds to wait for a request of that kind
STARTS = 5  # for each kill, at most
LATEST = 40  # interactions among which those to deliver again are chosen
COLUMNS = (
    "attempted",
    "told",
    "deferred",
    "lost",
    "doubled",
    "orphaned",
    "frozen",
    "stuck",
    "leaked",
    "unanswered",
    "late",
    "in flight",
)
WRONG = COLUMNS[3:-1]
MANY = 50  # kills in which some answer is deferred for certain
SERVED = re.compile(r"are at (http://127\.0\.0\.1:\d+)")
OWED = re.compile(r"^bourse_messages_owed (\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Options:
    """How long and how hard. `without` are hostilities to leave out."""

    kills: int = 300
    minutes: float = 0.0  # at least; 0 for as long as the kills take
    seed: int = 1
    tables: int = 6
    pace: float = 2.0  # seconds between two acts of one person, on average
    a_round: int = 10  # kills between two looks of the oracle
    up: float = 1.0  # seconds that the bot runs before a kill, on average
    without: frozenset[str] = frozenset()
    # times as long for answers and delivery, where others use the processor too
    patience: float = 1.0
    database: str = ""  # an empty PostgreSQL database; a SQLite file in the folder otherwise
    processes: int = 1  # bots, each with a shard of its own; several need PostgreSQL


def _nothing_found() -> dict[str, set[str]]:
    return {name: set() for name in WRONG}


@dataclass
class Report:
    """The table that the soak prints, and what is behind its figures."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COLUMNS, 0))
    findings: dict[str, set[str]] = field(default_factory=_nothing_found)
    kills: int = 0
    starts: int = 0
    stopped: int = 0  # kills that let the bot finish its work
    repeated: int = 0  # interactions that were delivered again after a start
    gave_up: int = 0  # starts that ended because Discord could not be reached
    too_many: int = 0  # requests that Discord had to answer with 429
    tracebacks: int = 0
    entries: int = 0
    met: dict[str, int] = field(default_factory=dict)
    # seconds from Discord's recovery until nothing was owed
    recovered: list[float] = field(default_factory=list)
    took: float = 0.0

    @property
    def patient(self) -> bool:
        """Whether no answer was deferred in a storm of this length: then the bots were started as
        for a test, and wait for longer than Discord does.
        """
        return self.kills >= MANY and not self.counts["deferred"]

    @property
    def clean(self) -> bool:
        return not any(self.findings.values()) and not self.tracebacks and not self.patient

    def table(self) -> str:
        """The table as text."""
        self.counts |= {name: len(found) for name, found in self.findings.items()}
        names, figures = [], []
        for name in COLUMNS:
            width = max(len(name), 6)
            names.append(name.rjust(width))
            figures.append(str(self.counts[name]).rjust(width))
        slowest = max(self.recovered, default=0.0)
        lines = ["  ".join(names), "  ".join(figures)]
        if self.patient:
            lines.append("No answer was deferred: these bots are patient.")
        storm = ", ".join(f"{name} {count}" for name, count in sorted(self.met.items()))
        lines += [
            f"{self.kills} kills, {self.starts} starts, {self.gave_up} gave up, in "
            f"{self.took:.0f} s",
            f"{self.stopped} times asked to stop; {self.repeated} old interactions delivered again",
            f"{self.entries} entries; 429 said {self.too_many} times; {self.tracebacks} tracebacks",
            f"recovered {len(self.recovered)} times, the slowest in {slowest:.1f} s",
            f"storm: {storm}",
        ]
        return "\n".join(lines)


@dataclass
class Soak:
    """One run. The ledger and the bot's log are in `folder`."""

    options: Options
    folder: Path
    discord: Loopback
    told: Callable[[str], object] = lambda line: None  # is told how far it is
    report: Report = field(default_factory=Report)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.options.seed)
        self.parties = players.parties(self.discord, self.options.tables, self.options.processes)
        self.database = self.options.database or f"sqlite:///{self.folder / 'bourse.db'}"
        self.key = self.folder / "bourse.key"
        self.bots: dict[int, BotProcess] = {}
        self.ends: dict[int, AsyncExitStack] = {}
        self.sights = Sights(self.discord.world)
        self.sights.channels = {party.channel: party.name for party in self.parties}
        self.traced = 0.0
        self.storm = Storm(
            self.discord,
            self._chance(),
            self.parties,
            self.database,
            self.bots,
            self.options.without,
        )
        self.play = players.Play(self.discord, self._chance(), self.options.pace)
        self.play.versions = lambda: self.sights.versions

    def _chance(self) -> random.Random:
        """A source of chance of its own, so that one part's draws do not shift another's."""
        return random.Random(self.chance.random())

    async def run(self) -> Report:
        """Everything, from the first table to the last look."""
        began = time.monotonic()
        await self._start(range(self.options.processes))
        for party in self.parties:
            await players.sit_down(self.discord, party)
        await self.discord.quiet()
        self.discord.rest.callback_within = 3.0 * self.options.patience
        people = list[asyncio.Task[None]]()
        for party in self.parties:
            people += [self._playing(party, person) for person in self._people(party)]
        try:
            while (
                self.report.kills < self.options.kills
                or time.monotonic() - began < 60 * self.options.minutes
            ):
                await self._round()
            await self._restart()
        finally:
            for task in people:
                task.cancel()
            await asyncio.gather(*people, return_exceptions=True)
            for shard in list(self.bots):
                await self._end(shard)
        self.report.took = time.monotonic() - began
        for shard in range(self.options.processes):
            log = (self._folder(shard) / "stderr").read_text()
            self.report.tracebacks += _tracebacks(log)
        self.report.too_many = sum(self.discord.limits.refused.values())
        self.report.met = self.storm.met
        return self.report

    def _playing(self, party: players.Party, person: players.Person) -> asyncio.Task[None]:
        task = asyncio.create_task(players.play(self.play, party, person))
        task.add_done_callback(_raise)
        return task

    def _people(self, party: players.Party) -> list[players.Person]:
        return [seat.person for seat in party.seats]

    # ---------------------------------------------------------------- a round

    async def _round(self) -> None:
        """Some kills, then recovery and quiet, then a look."""
        left = max(1, self.options.kills - self.report.kills)
        kills = min(self.options.a_round, left)
        await self._rage(kills, self.chance.uniform(*LAST_MOMENTS))
        await self._recover()
        self._tidy()

    async def _restart(self) -> None:
        """Look what is stuck long after a storm in which nobody is killed; then start all bots
        anew, and look again.
        """
        # nobody acts afterwards, which would mend much
        await self._rage(0, UNDISTURBED, self.storm.thrown_out)
        owed = await follow_ups(self.database, self.key)
        queued = max((await self._look(owed)).queued.values(), default=0.0)
        # each may be repeated once
        await asyncio.sleep((QUIET + 2 * queued) * self.options.patience)
        found = await self._look(owed)
        self.report.findings["stuck"] |= found.owed()
        if owed := await self._owed():
            self.report.findings["stuck"].add(f"the bots say that they owe {owed}")
        for shard in list(self.bots):
            await self._end(shard)
        await self._start(range(self.options.processes))
        await self._recover()
        self._tidy()

    async def _rage(self, kills: int, seconds: float, *last: Happens) -> None:
        """A storm with so many kills, and then so many seconds without; and what happens last, when
        nobody acts.
        """
        self.storm.begin()
        self.play.paused = False
        for _ in range(kills):
            await self._until_killed()
        await asyncio.sleep(seconds)
        self.play.paused = True
        for happens in last:
            await happens()
        await self.storm.calm()

    def _folder(self, shard: int) -> Path:
        """Where a bot runs and writes its log."""
        return self.folder / str(shard) if self.options.processes > 1 else self.folder

    async def _start(self, shards: Iterable[int]) -> None:
        """Starts these bots, each again if Discord did not let it in, as a service manager does."""

        async def start(shard: int) -> None:
            folder, settings = (
                self._folder(shard),
                {"BOURSE_KEY_FILE": str(self.key), "BOURSE_HTTP_PORT": "0"},
            )
            folder.mkdir(exist_ok=True)
            if self.options.processes > 1:
                settings |= {"SHARD_IDS": str(shard), "SHARD_COUNT": str(self.options.processes)}
            with self.storm.unreachable(shard):
                while shard not in self.bots:
                    self.report.starts += 1
                    stack = AsyncExitStack()
                    try:
                        # A patient bot would answer late what people's bots defer.
                        started = connected(
                            self.discord,
                            folder,
                            self.database,
                            aloud=False,
                            patient=False,
                            **settings,
                        )
                        bot = await stack.enter_async_context(started)
                        self.bots[shard], self.ends[shard] = bot, stack
                    except AssertionError:
                        if self.report.starts > STARTS * (
                            self.report.kills + self.options.processes
                        ):
                            raise
                        self.report.gave_up += 1

        await asyncio.gather(*(start(shard) for shard in shards))

    async def _end(self, shard: int) -> None:
        """Ends a bot by force, if it is still there, and tells Discord that it is gone."""
        del self.bots[shard]
        await self.ends.pop(shard).aclose()

    async def _until_killed(self) -> None:
        """Bots run until one or all are killed, at some moment or in the middle of a request, and
        start again.

        One of three is asked to stop and may finish its work. Discord delivers some old
        interactions once more.
        """
        world = self.discord.world
        await asyncio.sleep(self.chance.expovariate(1 / self.options.up))
        asked = "stopped" not in self.options.without and self.chance.random() < 0.3
        held = None if asked else await self._at_a_point()
        shards = [self.chance.randrange(self.options.processes)]
        if self.chance.random() >= 0.7:
            shards = list(range(self.options.processes))
        with ExitStack() as gone:
            for shard in shards:
                # until it is there again, not until it has ended
                gone.enter_context(self.storm.unreachable(shard))
                if asked:
                    self.report.stopped += 1
                    await self.bots[shard].stop()
                else:
                    await self.bots[shard].kill()
            self.report.kills += 1
            if held is not None:
                held.lost = self.chance.random() < 0.5  # or what had arrived takes effect after all
                held.released.set()
            # A bot that runs on may repeat a request of a moment ago, so nonces are forgotten only
            # when all are down.
            all_down = len(shards) == self.options.processes
            if all_down and "nonces" not in self.options.without and self.chance.random() < 0.5:
                await asyncio.sleep(0.05)
                # minutes later, nothing is under way any more
                if all(call.status for call in self.discord.calls):
                    world.forget_nonces()  # it is started again only then
            for shard in shards:
                await self._end(shard)
            again = [asyncio.create_task(self._deliver_again(each)) for each in await self._old()]
            await self._start(shards)
        await asyncio.gather(*again)

    async def _old(self) -> list[Exchange]:
        """Up to three of the latest interactions that changed a table and were answered, often of
        one channel.

        Where something happened just before the kill, its message is left over.
        """
        if "repeated" in self.options.without:
            return []
        world = self.discord.world
        answered = {each.id: each for each in world.exchanges.values() if each.answered_at}
        recorded = await books.recorded(self.database)
        latest = [answered[number] for number in recorded if number in answered][:LATEST]
        latest = [each for each in latest if each.body.get("guild_id") not in world.left]
        if self.chance.random() < 0.5:
            latest = [each for each in latest if each.channel == latest[0].channel]
        count = min(self.chance.randrange(4), len(latest))
        return self.chance.sample(latest, count)

    async def _deliver_again(self, exchange: Exchange) -> None:
        """Delivers an interaction as soon as its bot is there."""
        self.report.repeated += 1
        with suppress(TimeoutError):
            await self.discord.redeliver(exchange)

    async def _at_a_point(self) -> Held | None:
        """Waits for a request to be held, before its effect or after it; None for any moment
        between.
        """
        if self.chance.random() < 0.3 or "points" in self.options.without:
            return None
        path, late = self.chance.choice(POINTS), self.chance.random() < 0.5
        held = Held(path=path, times=1, late=late)
        self.discord.rest.faults.insert(0, held)
        with suppress(TimeoutError):
            await asyncio.wait_for(held.arrived.wait(), POINT_WITHIN)
        held.over()
        return held

    # ---------------------------------------------------------------- the oracle

    async def _recover(self) -> None:
        """Waits until nothing is owed any more, and writes down what is wrong."""
        began, owed_late, queued = time.time(), set[str](), 0.0
        opened = await books.with_open_dms(self.database)
        within = self._within(opened)
        await self.discord.quiet(0.3)
        owed = await follow_ups(self.database, self.key)
        while True:
            found, now = await self._look(owed), time.time()
            queued = max([queued, *found.queued.values()])
            for each in found.owed():
                allowed = queued + (RECOVERS_WITHIN if _open(each, opened) else within)
                # figures are drawn so seldom
                allowed += REDRAWN_EVERY if each in found.frozen else 0.0
                since = max(began, found.since.get(each, 0.0))
                if now - since > self.options.patience * allowed:
                    owed_late.add(each)
            if not found.owed() or now - began > self.options.patience * (
                queued + within + GIVEN_UP_AFTER
            ):
                break
            await asyncio.sleep(0.5)
        waited = now - began
        if owed_late:
            self.told(f"owed too long: {'; '.join(sorted(owed_late)[:5])}")
        for what, cards in found.twins.items():
            self.told("\n  ".join([what, *cards]))
        self.report.recovered.append(waited)
        for name in ("lost", "doubled", "orphaned", "frozen", "leaked"):
            self.report.findings[name] |= getattr(found, name)
        self.report.findings["late"] |= owed_late - found.owed()
        self.report.counts["told"] = found.told
        self.told(
            f"{self.report.kills} kills, {self.report.counts['attempted']} attempted, recovered in "
            f"{waited:.1f} s"
        )

    def _within(self, opened: set[str]) -> float:
        """Return how soon people must be told whose DMs are not among these, in seconds.

        All of them may be owed something at once, the most recent first, and what was tried in the
        storm counts.
        """
        people: set[str] = set()
        for party in self.parties:
            people |= {str(person.id) for person in self._people(party)}
        rounds = math.ceil(len(people - opened) / OPENED_AT_ONCE)
        return RECOVERS_WITHIN + OPENS_WITHIN * rounds

    async def _look(self, owed: list[FollowUp]) -> oracle.Findings:
        left = self.discord.world.left
        kicked = {party.channel for party in self.parties if party.guild in left}
        tables = await books.read(self.database)
        tables = [table for table in tables if table.channel not in kicked]
        # what was owed where the bot is not any more is given up
        here = {table.id for table in tables}
        in_flight = self._in_flight()
        evidence = oracle.Evidence(
            world=self.discord.world,
            sights=self.sights,
            exchanges={exchange.id: exchange for exchange in self.discord.world.exchanges.values()},
            in_flight=in_flight,
            removed=self.storm.removed,
            secrets=self.play.secrets,
            delivered_twice=self.play.delivered_twice,
            judges={str(party.host.id) for party in self.parties},
            follow_ups=[each for each in owed if each.table in here],
            shut=self.storm.shut,
            wants=await wanted(self.database, self.key),
            # What the bots owe by now was owed five seconds ago, so the records said so before.
            owed=await self._owed(),
        )
        self.report.entries = sum(table.entries for table in tables)
        self.report.counts["attempted"] = len(self.discord.world.exchanges)
        self.report.counts["in flight"] = len(in_flight)
        answered = [each for each in evidence.exchanges.values() if each.answered_at is not None]
        deferred = [each for each in answered if each.type in (THINKING, LATER)]
        self.report.counts["deferred"] = len(deferred)
        unanswered, late = oracle.answers(evidence.exchanges.values(), in_flight)
        self.report.findings["unanswered"] |= unanswered
        self.report.findings["late"] |= late
        return oracle.look(tables, evidence)

    async def _owed(self) -> int:
        """How many messages the bots say that they owe."""
        owed = 0
        async with aiohttp.ClientSession() as session:
            for bot in self.bots.values():
                async with session.get(f"{SERVED.findall(bot.err)[-1]}/metrics") as answer:
                    found = OWED.search(await answer.text())
                assert found is not None
                owed += int(float(found[1]))
        return owed

    def _in_flight(self) -> set[str]:
        """Interactions that nobody could have answered: the bot was killed, or cut off, within
        their three seconds.
        """
        found = set()
        for exchange in self.discord.world.exchanges.values():
            until = exchange.asked_at + self.discord.rest.callback_within
            guild = int(exchange.body.get("guild_id", 0))
            shard_of_guild = (guild >> 22) % self.options.processes
            cut_off = any(
                shard in (None, shard_of_guild) and start < until and end > exchange.asked_at
                for start, end, shard in self.storm.down
            )
            if exchange.answered_at is None and (cut_off or until > time.monotonic()):
                found.add(exchange.id)
        return found

    def _tidy(self) -> None:
        """Replies for one person are gone with the day; the rest stays."""
        world = self.discord.world
        for mid, message in [*world.messages.items()]:
            if screen.is_ephemeral(message):
                del world.messages[mid]
        self._trace()
        self.discord.calls.clear()
        gc.collect()
        # else Discord itself would stand still for a second now and then, to look through what it
        # keeps
        gc.freeze()

    def _trace(self) -> None:
        """Writes down what the bot asked for and when it was out of reach, so that a finding can be
        followed up.
        """
        lines = [(call.at, _line(call)) for call in self.discord.calls]
        lines += [
            (start, f"shard {shard} out of reach for {end - start:.2f} s")
            for start, end, shard in self.storm.down
        ]
        lines += [(at, oracle.origin(message)) for at, message in self.sights.changes]
        self.sights.changes.clear()
        with (self.folder / "trace").open("a") as trace:
            trace.writelines(f"{at:.3f} {line}\n" for at, line in sorted(lines) if at > self.traced)
        self.traced = time.monotonic()


def _open(finding: str, opened: set[str]) -> bool:
    """Return whether nobody's DMs had to be opened to mend this."""
    about = re.search(r"for user (\d+)", finding)
    return about is None or about[1] in opened


def _line(call: Call) -> str:
    """A request in one line: what came of it, and what it says."""
    body = call.json if isinstance(call.json, dict) else {}
    said = body.get("data") or body
    text, buttons = "", []
    if isinstance(said, dict):
        text = screen.text_of(said).replace("\n", " / ")[:90]
        buttons = screen.labels(said)
    return (
        f"{call.status} {call.method} {call.path} type={body.get('type')} "
        f"nonce={body.get('nonce')} {text} {buttons}"
    )


def _tracebacks(log: str) -> int:
    """Count the tracebacks in a log, but for those that only say that the database could not be
    used.
    """
    ends = re.findall(r"Traceback \(most recent call last\):\n(?:[ \t|+].*\n|\n)*(\S.*)?", log)
    return sum(not each.startswith("bot.ledger.errors.") for each in ends)


def _raise(task: asyncio.Task[None]) -> None:
    """A player who trips is a mistake of the soak, and must not go unseen."""
    if not task.cancelled() and task.exception() is not None:
        task.get_loop().call_exception_handler(
            {"message": "a player tripped", "exception": task.exception()}
        )


async def soak(
    options: Options, folder: Path, told: Callable[[str], object] = lambda line: None
) -> Report:
    """Runs the soak with its files in this folder; `told` hears of each round."""
    async with Loopback.running(options.processes) as discord:
        return await Soak(options, folder, discord, told).run()
