"""Runs plays: every line of a script on a stage, every expectation held against what was seen.

A play stops at the first line where something else happened; all expectations of that line are still held.
"""

from __future__ import annotations

import asyncio
import json as jsonlib
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import discord

from bot.ledger import Ledger
from bot.rehearsal.database import Skipped, database
from bot.rehearsal.grammar import read_file
from bot.rehearsal.growth import Growth, watch
from bot.rehearsal.hopes import Outcome, against
from bot.rehearsal.keeper import Keeper
from bot.rehearsal.report import Line, Report, objects
from bot.rehearsal.script import (
    Act,
    Choose,
    Dms,
    Expectation,
    Fill,
    Has,
    Moderators,
    NeverSees,
    Play,
    PlayError,
    Press,
    Restart,
    Sees,
    SeesNothing,
    Slash,
    Step,
    Submit,
    Type,
    Wait,
    people_in,
)
from bot.rehearsal.stage import Closable, Factory, Reply, Stage, staged
from bot.rehearsal.world import Impossible

AS_EXPECTED, OTHERWISE, UNREADABLE = 0, 1, 2
"""The exit codes."""
_UNANSWERED = "The bot did not answer; Discord shows «The application did not respond»."


def main(files: Sequence[str | Path], *, json: bool = False, keep: str | Path | None = None) -> int:
    """Run plays, as `bourse play` does; a folder stands for every ``.play`` in it. Gives the exit code."""
    return perform(files, json=json, keep=keep, out=sys.stdout)


def perform(
    files: Sequence[str | Path],
    *,
    json: bool = False,
    keep: str | Path | None = None,
    out: TextIO,
    factory: Factory | None = None,
) -> int:
    """Run plays and write what comes of them to ``out``; with another ``factory``, of another bot."""
    try:
        plays = [read_file(path) for path in _paths(files)]
    except PlayError as error:
        told = {"file": error.file, "line": error.line, "text": error.text, "ok": False, "why": error.why}
        _say(out, jsonlib.dumps(told, ensure_ascii=False) if json else str(error))
        return UNREADABLE
    well = 0
    for play in plays:
        kept = None if keep is None else Path(keep) if len(plays) == 1 else Path(keep) / _slug(play.file)
        report = run_play(play, factory=factory or bourse, keep=kept)
        well += report.ok
        _say(out, "\n".join(objects(report)) if json else str(report))
    if not json and len(plays) > 1:
        _say(out, f"{well} of {len(plays)} plays went as expected.")
    return AS_EXPECTED if well == len(plays) else OTHERWISE


async def bourse(url: str) -> tuple[discord.Client, Closable]:
    """Make the bot as the program makes it; the settings of this machine's real bot do not count."""
    from bot.app import build
    from bot.settings import load

    settings = load(
        database_url=url,
        discord_token=None,
        discord_guild_id=None,
        discord_api_url=None,
        discord_gateway_url=None,
    )
    ledger = await Ledger.open(url)
    return await build(settings, ledger=ledger, shard_count=1, pace=0), ledger


def _paths(files: Sequence[str | Path]) -> Iterator[Path]:
    for file in files:
        path = Path(file)
        yield from sorted(path.rglob("*.play")) if path.is_dir() else (path,)


def _slug(file: str) -> str:
    """Give a folder's name for a play of several."""
    return "-".join(part for part in Path(file).with_suffix("").parts if part not in ("/", ".", ".."))


def _say(out: TextIO, text: str) -> None:
    out.write(f"{text}\n")
    out.flush()


# ---------------------------------------------------------------- running one


def run_play(play: Play, *, factory: Factory = bourse, keep: Path | None = None) -> Report:
    """Run one play on a fresh database of its own, or on that of the environment's DATABASE_URL."""
    try:
        with database(play, keep) as (url, later), asyncio.Runner() as runner:
            return runner.run(_run(play, factory, url, later, keep))
    except Skipped as why:
        return Report(play, skipped=str(why))


async def _run(play: Play, factory: Factory, url: str, later: float, keep: Path | None) -> Report:
    began = time.perf_counter()
    lines: list[Line] = []
    async with staged(factory, url, later=later) as stage:
        growth = await watch(url)
        keeper = Keeper(stage, keep)
        try:
            lines += _broken(play, stage)
            for step in play.steps:
                if all(line.ok for line in lines):
                    lines += await _take(play, stage, growth, step)
                    keeper.write(step.line)
                else:
                    lines += _unreached(play, step)
        finally:
            keeper.close()
            await growth.close()
    return Report(play, tuple(lines), ms=(time.perf_counter() - began) * 1000)


async def _take(play: Play, stage: Stage, growth: Growth, step: Step) -> list[Line]:
    """Take one step: do what it says, then hold its expectations against what was seen."""
    began = time.perf_counter()
    for name in _mentioned(step):
        stage.person(name)
    who = step.deed.who if isinstance(step.deed, Act) else None
    reply, why = Reply(), ""
    try:
        reply = await _do(stage, step.deed)
    except Impossible as error:
        why = str(error)
        stage.look()
    ms = (time.perf_counter() - began) * 1000
    outcome = Outcome(stage, who, reply, await growth.since())
    troubles = [why] if why else [] if reply.answered else [_UNANSWERED]
    troubles += [_traced(error) for error in stage.errors()]
    line = Line(play.file, step.line, step.text, not troubles, "\n".join(troubles))
    line = replace(line, saw=outcome.saw(), records=outcome.kinds, ms=ms)
    if why:
        return [line, *_unreached(play, step)[1:]]
    return [line, *(_held(play, outcome, each) for each in step.expectations)]


def _held(play: Play, outcome: Outcome, expectation: Expectation) -> Line:
    why = against(expectation.hope, outcome)
    return Line(play.file, expectation.line, expectation.text, why is None, why or "")


def _unreached(play: Play, step: Step) -> list[Line]:
    lines = [(step.line, step.text), *((each.line, each.text) for each in step.expectations)]
    return [Line(play.file, line, text, None) for line, text in lines]


def _broken(play: Play, stage: Stage) -> list[Line]:
    """Tell of errors that the bot raised while it started."""
    return [Line(play.file, 0, "(the bot starts)", False, _traced(error), ms=0) for error in stage.errors()]


def _traced(error: BaseException) -> str:
    return "The bot raised an error.\n" + "".join(traceback.format_exception(error)).rstrip()


def _mentioned(step: Step) -> Iterator[str]:
    """Give everybody whom a step mentions: people exist from their first mention, before anything happens."""
    match step.deed:
        case Moderators(names):
            yield from names
        case Act(who, deed):
            yield who
            match deed:
                case Slash(options=options) | Type(command=Slash(options=options)):
                    for option in options:
                        yield from people_in(option.value)
                case Choose(labels=texts) | Fill(values=texts):
                    for text in texts:
                        yield from people_in(text)
    for expectation in step.expectations:
        match expectation.hope:
            case Sees(str(name)) | NeverSees(name) | SeesNothing(name) | Has(name):
                yield name


async def _do(stage: Stage, deed: Act | Wait | Restart | Moderators) -> Reply:
    match deed:
        case Wait(seconds):
            await stage.wait(seconds)
        case Restart():
            await stage.restart()
        case Moderators(names):
            for name in names:
                stage.moderate(name)
            stage.look()
        case Act(who, Slash() as command):
            return await stage.slash(who, command)
        case Act(who, Press(label, on)):
            return await stage.press(who, label, on)
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
    return Reply()
