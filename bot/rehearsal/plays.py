"""Runs plays: each action of a script on a stage, then its expectations.

A play stops at the first action with a failed expectation; the other expectations of that action
are still checked.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json as jsonlib
import time
import traceback
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import discord

from bot.app import Bourse
from bot.delivery import Budget
from bot.ledger import Ledger
from bot.rehearsal import limits
from bot.rehearsal.database import PlaySkipped, database
from bot.rehearsal.expectations import Effects, failure
from bot.rehearsal.grammar import read_file
from bot.rehearsal.ledger_watch import LedgerWatch, watch
from bot.rehearsal.recorder import Recorder
from bot.rehearsal.report import LineResult, Report, objects
from bot.rehearsal.script import (
    Act,
    Choose,
    Dms,
    Fill,
    Has,
    Moderators,
    NeverSees,
    OnServer,
    Permission,
    Pick,
    Play,
    PlayError,
    PlayStep,
    PressStep,
    Restart,
    Say,
    Sees,
    SeesNothing,
    Slash,
    StepAction,
    Submit,
    Type,
    WaitStep,
    people_in,
)
from bot.rehearsal.simulated_server import ImpossibleAction
from bot.rehearsal.stage import Factory, Reply, Stage, staged
from bot.settings import load
from cogs.fair_use import FairUse

AS_EXPECTED, OTHERWISE, UNREADABLE = 0, 1, 2
"""Exit codes."""
FLUSH_INTERVAL = 3600.0
"""Delay in seconds before the ledger writes a buffered outcome on its own, if no other write
includes it.

With the program's half a second, every action would last that long; with zero, every action would
need another commit.
"""
_UNANSWERED = "The bot did not answer; Discord shows «The application did not respond»."

UNLIMITED = 2**31 - 1
"""The largest limit that the settings take. A day does not end while a play runs."""


async def bourse(
    url: str, word: str = "play", *, chance: Callable[[], str] | None = None
) -> tuple[discord.Client, Ledger]:
    """Make the bot as the program does, but without the settings of this machine's real bot.

    Commands draw from ``chance``; by default, what follows from the word, the same for the same
    word.
    """
    settings = load(
        database_url=url,
        discord_token=None,
        discord_guild_id=None,
        discord_api_url=None,
        discord_gateway_url=None,
        bourse_key=None,
        bourse_key_file=None,
        bourse_entries_per_day=UNLIMITED,
        bourse_tables_per_day=UNLIMITED,
        shard_ids=None,
        shard_count=None,
    )
    ledger = await Ledger.open(url, flush_interval=FLUSH_INTERVAL)
    numbers = itertools.count()
    drawn = chance or (lambda: hashlib.sha256(f"{word} {next(numbers)}".encode()).hexdigest())
    # A play takes no time, so nothing is limited that counts real time.
    budget, fair_use = Budget(None, None), FairUse(None)
    bot = Bourse(
        settings, ledger, shard_count=1, pace=0, budget=budget, fair_use=fair_use, chance=drawn
    )
    return bot, ledger


def perform(
    files: Sequence[Path],
    echo: Callable[[str], object],
    *,
    json: bool = False,
    keep: Path | None = None,
    factory: Factory = bourse,
) -> int:
    """Run plays, as `bourse play` does, write the reports to ``echo``, and return the exit code.

    A folder stands for all its ``.play`` files, in alphabetical order. ``factory`` makes the bot.
    """
    paths: list[Path] = []
    for file in files:
        paths += sorted(file.rglob("*.play")) if file.is_dir() else [file]
    try:
        plays = [read_file(path) for path in paths]
        if not plays:
            raise PlayError(str(files[0]), 0, "", "There is no play in this folder.")
    except PlayError as error:
        unread = {
            "file": error.file,
            "line": error.line,
            "text": error.text,
            "ok": False,
            "why": error.reason,
        }
        echo(jsonlib.dumps(unread, ensure_ascii=False) if json else str(error))
        return UNREADABLE
    passed = 0
    for play in plays:
        folder = keep
        if keep is not None and len(plays) > 1:
            parts = Path(play.file).with_suffix("").parts
            names = [part for part in parts if part not in ("/", ".", "..")]
            folder = keep / "-".join(names)
        report = run_play(play, factory=factory, keep=folder)
        passed += report.ok
        echo("\n".join(objects(report)) if json else str(report))
    if not json and len(plays) > 1:
        echo(f"{passed} of {len(plays)} plays went as expected.")
    return AS_EXPECTED if passed == len(plays) else OTHERWISE


# ---------------------------------------------------------------- running one


def run_play(play: Play, *, factory: Factory = bourse, keep: Path | None = None) -> Report:
    """Run a play on a fresh database, or on the environment's DATABASE_URL."""
    try:
        with database(play, keep) as (url, later), asyncio.Runner() as runner:
            return runner.run(_run(play, factory, url, later, keep))
    except PlaySkipped as error:
        return Report(play, skipped=str(error))


async def _run(play: Play, factory: Factory, url: str, later: float, keep: Path | None) -> Report:
    """Run a play on this database."""
    began = time.perf_counter()
    lines: list[LineResult] = []
    async with performed(play, url, later=later, factory=factory) as performance:
        recorder = Recorder(performance.stage, keep)
        try:
            lines += performance.broken()
            for step in play.steps:
                if all(line.ok for line in lines):
                    lines += await performance.take(step)
                    recorder.write(step.line)
                else:
                    lines += _unreached(step)
        finally:
            recorder.close()
    return Report(play, tuple(lines), ms=(time.perf_counter() - began) * 1000)


@asynccontextmanager
async def performed(
    play: Play, url: str, *, later: float = 0.0, factory: Factory = bourse
) -> AsyncIterator[Performance]:
    """Yield a play on a database, ready to be taken step by step. See `staged` for ``later``."""
    async with staged(factory, url, chance=play.chance, later=later) as stage:
        watching = await watch(url)
        try:
            yield Performance(play, stage, watching)
        finally:
            await watching.close()


class Performance:
    """A play on its stage."""

    def __init__(self, play: Play, stage: Stage, watching: LedgerWatch) -> None:
        self.play = play
        self.stage = stage
        self._watching = watching
        self._requests = 0

    def broken(self) -> list[LineResult]:
        """Return the errors that the bot raised while starting."""
        return [
            LineResult(0, "(the bot starts)", False, _traced(error), ms=0)
            for error in self.stage.errors()
        ]

    async def take(self, step: PlayStep) -> list[LineResult]:
        """Carry out one step, then check its expectations."""
        began = time.perf_counter()
        for name in _mentioned(step):
            self.stage.person(name)
        who = step.action.who if isinstance(step.action, Act) else None
        reply, impossible = Reply(), ""
        try:
            reply = await _do(self.stage, step.action)
        except ImpossibleAction as error:
            impossible = str(error)
            self.stage.look()
        ms = (time.perf_counter() - began) * 1000
        effects = Effects(self.stage, who, reply, await self._watching.new_kinds())
        problems = []
        if impossible:
            problems.append(impossible)
        elif not reply.answered:
            problems.append(_UNANSWERED)
        problems += [_traced(error) for error in self.stage.errors()]
        sent = self.stage.env.http_requests[self._requests :]
        self._requests += len(sent)
        problems += [f"Discord would refuse this: {each}." for each in limits.refused(sent)]
        said, ok = "\n".join(problems), not problems
        line = LineResult(step.line, step.text, ok, said, effects.saw(), effects.kinds, ms)
        if impossible:
            return [line, *_unreached(step)[1:]]
        checked = [line]
        for expectation in step.expectations:
            reason = failure(expectation.condition, effects)
            met = reason is None
            checked.append(LineResult(expectation.line, expectation.text, met, reason or ""))
        return checked


def _unreached(step: PlayStep) -> list[LineResult]:
    """Return the lines of a step that was not reached."""
    lines = [LineResult(step.line, step.text, None)]
    lines += [LineResult(each.line, each.text, None) for each in step.expectations]
    return lines


def _traced(error: BaseException) -> str:
    """Return an error with its traceback."""
    return "The bot raised an error.\n" + "".join(traceback.format_exception(error)).rstrip()


def _mentioned(step: PlayStep) -> Iterator[str]:
    """Yield everyone whom a step mentions: people exist from their first mention."""
    match step.action:
        case Moderators(names):
            yield from names
        case Act(who, action):
            yield who
            texts: Iterable[str] = ()
            match action:
                case Slash(options=options) | Type(command=Slash(options=options)):
                    texts = (option.value for option in options)
                case Choose(labels=written) | Fill(values=written):
                    texts = written
                case Say(text):
                    texts = (text,)
            for text in texts:
                yield from people_in(text)
    for expectation in step.expectations:
        match expectation.condition:
            case Sees(str(name)) | NeverSees(name) | SeesNothing(name) | Has(name):
                yield name


async def _do(stage: Stage, action: StepAction) -> Reply:
    """Carry out an action, and return the reply to the person who acted."""
    match action:
        case WaitStep(seconds):
            await stage.wait(seconds)
        case Restart():
            await stage.restart()
        case Moderators(names):
            for name in names:
                stage.moderate(name)
            stage.look()
        case Permission(name, granted):
            stage.permit(name, granted=granted)
            stage.look()
        case Act(who, Slash() as command):
            return await stage.slash(who, command)
        case Act(who, Say() as words):
            return await stage.say(who, words)
        case Act(who, PressStep(label, on)):
            return await stage.press(who, label, on)
        case Act(who, Pick(name, on)):
            return await stage.menu(who, name, on)
        case Act(who, Choose(labels, placeholder)):
            return await stage.choose(who, labels, placeholder)
        case Act(who, Submit()):
            return await stage.submit(who)
        case Act(who, Type(text, option, command)):
            return await stage.complete(who, text, option, command)
        case Act(who, Fill(label, values)):
            stage.fill(who, label, values)
            stage.look()
        case Act(who, Dms(opened)):
            (stage.open_dms if opened else stage.close_dms)(who)
            stage.look()
        case Act(who, OnServer(member)):
            (stage.join_server if member else stage.leave_server)(who)
            stage.look()
    return Reply()
