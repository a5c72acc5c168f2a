"""``bourse games``: which games are installed, and whether a game's package is fit to be used."""

from __future__ import annotations

import asyncio
import faulthandler
import importlib.util
import logging
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import EntryPoint
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Any, cast

import discord
from discord.ext import commands

from bot.cli.output import Echo, columns
from bot.discord_hooks import without_voice
from bot.errors import OperatorError
from bot.rules.game import Game
from bot.rules.game_checks import storage_faults
from bot.rules.registry import games, installed_game, left_out, named, package, package_of, points
from cogs.games import add_commands
from cogs.router import Router

without_voice()


def list_games(echo: Echo) -> int:
    """List the games, and say what is left out and why. Return the exit code: 1 if anything is left
    out.
    """
    rows = [("game", "name", "version", "package", "API")]
    for id, game in games().items():
        rows.append((id, game.info.name, game.version, package_of(id), str(game.api)))
    if games():
        for line in columns(rows):
            echo(line)
    else:
        echo("No game can be used, so nobody can open a table.")
    faults = [f"{named(point)} is left out: {why}" for point, why in left_out().items()]
    for id, game in games().items():
        faults += [f"{id}: {why}" for why in storage_faults(game.features)]
    faults += asyncio.run(_without_commands(games().values()))
    for fault in faults:
        echo(fault)
    return 1 if faults else 0


def check_apart(name: str, plays: Path | None, limit: float, echo: Echo) -> int:
    """Run `check_package` in a process of its own. A step that takes longer than this many seconds
    ends it.

    Nothing inside a process can end a call that never returns.
    """
    command = [sys.executable, "-P", "-m", "bot", "games", "check", name, "--alone"]
    command += ["--limit", str(limit)]
    if plays is not None:
        command += ["--plays", str(plays)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    complaints, timed_out, stacks = done.stderr.partition("Timeout (")
    sys.stderr.write(complaints)
    for line in done.stdout.splitlines():
        echo(line)
    if timed_out:
        echo(f"{name}: a call did not end within {limit:g} s. {_where(stacks)}")
    return done.returncode


def _where(stacks: str) -> str:
    """Return where a process was that `faulthandler` ended, from the stacks of its threads."""
    main_thread = stacks.rpartition("Thread 0x")[2]  # the oldest, so the last
    frames = re.findall(r'File "(.+)", line (\d+) in (.+)', main_thread)
    innermost = [f"{what} ({Path(file).name}, line {line})" for file, line, what in frames[:DEEP]]
    return f"It was in {', called by '.join(innermost)}."


def check_package(name: str, plays: Path | None, echo: Echo, limit: float = 0) -> int:
    """Check the games of a package, given by its name or a game's id. Return the exit code, 1 if
    anything is wrong.

    Each game is loaded, with its slash commands, and tried at a random table. Its plays are played:
    those in ``plays``, or else the ``.play`` files in its package. Each finding is one sentence.
    A press that is about something else than it said is a warning, which changes no exit code.
    With a ``limit``, a step that takes longer, in seconds, ends the process.

    Raises `OperatorError` if no game comes from such a package, or there are plays and the
    rehearsal is not installed.
    """
    from bot.testing.watching import watched

    _begin_step(limit)
    found = [
        point
        for point in points()
        if name == point.name or _alike(package(point)[0]) == _alike(name)
    ]
    if not found:
        packages = {package(point)[0] or point.name for point in points()}
        known = ", ".join(sorted(packages)) or "none"
        raise OperatorError(
            f"No game comes from a package {name}. Packages with games: {known}. Is it installed?"
        )
    usable = [point for point in found if point not in left_out()]
    with watched() as findings:
        for point in found:
            if point in left_out():
                findings.add(f"{named(point)} is left out: {left_out()[point]}")
        for point in usable:
            faults = storage_faults(games()[point.name].features)
            findings.add(*(f"{point.name}: {why}" for why in faults))
        findings.add(*asyncio.run(_without_commands([games()[point.name] for point in usable])))
        files = sorted(set(chain.from_iterable(_plays(point, plays) for point in usable)))
        for point in usable:
            _begin_step(limit)
            findings.add(*_at_random(point.name, lambda: findings.slow))
        warned = list[str]()
        for point in usable:
            if not findings.sentences:
                _begin_step(limit)
                warned += _pressed(point.name)
        for file in files:
            if findings.slow:
                break  # they would take long
            _begin_step(limit)
            findings.add(*_played(file))
    for finding in (*findings.sentences, *warned):
        echo(finding)
    if findings.sentences:
        return 1
    for point in found:
        game = games()[point.name]
        echo(f"{named(point)} can be used: {game.info.name}, made for API {game.api}.")
    echo(
        f"{len(files)} of its plays went as expected."
        if files
        else "It has no plays; bourse play runs them."
    )
    return 0


def _alike(distribution: str) -> str:
    """Return the name of a distribution as pip compares it."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def _begin_step(limit: float) -> None:
    """End the process, with its stacks on standard error, unless the next step begins in time."""
    if limit:
        faulthandler.dump_traceback_later(limit, exit=True)


ACTS = 150
"""Commands at the random table of a game that is checked."""

DEEP = 4
"""The number of calls by which a call that does not end is described."""


async def _without_commands(loaded: Iterable[Game]) -> list[str]:
    """Return why the slash commands of these games are left out, for each where they are."""
    bot = commands.Bot(command_prefix=(), intents=discord.Intents(guilds=True), help_command=None)
    router = Router(cast(Any, None))  # nobody presses
    log = logging.getLogger("cogs.games")
    log.disabled = True
    try:
        faults = []
        for game in loaded:
            if why := await add_commands(bot, game, router):
                faults.append(f"the slash commands of {game.info.id} are left out: {why}")
    finally:
        log.disabled = False
    return faults


# ---------------------------------------------------------------- plays


def _plays(point: EntryPoint, folder: Path | None) -> Iterator[Path]:
    """Yield a game's plays: those of this folder, or those installed with its package."""
    if folder is not None:
        if not folder.is_dir():
            raise OperatorError(f"There is no folder {folder}.")
        yield from folder.rglob("*.play")
        return
    files = (point.dist.files if point.dist else None) or []
    plays = [Path(str(file.locate())) for file in files if file.suffix == ".play"]
    if not plays:  # an editable package lists no files
        spec = importlib.util.find_spec(point.module)
        for place in (spec.submodule_search_locations if spec else None) or ():
            plays += Path(place).rglob("*.play")
    yield from (play.resolve() for play in plays)


def _at_random(id: str, slow: Callable[[], object]) -> list[str]:
    """Try every command of a game at a random table, until one is slow. Return the error that it
    raises, if any.
    """
    from bot.testing.generated import NotMadeUp, at_random

    try:
        at_random(id, ACTS, enough=slow)
    except NotMadeUp:  # its author has a maker for it, among the tests
        pass
    except AssertionError as error:
        why = str(error).partition("\n")[0] or "an assert of its own fails"
        return [f"{id}: {why}."]
    except Exception as error:  # noqa: BLE001  (it may raise anything)
        notes = " ".join(getattr(error, "__notes__", ()))
        return [f"{id} fails at a random table {notes} ({error!r})."]
    return []


PRESS_ACTS, WARNED = 60, 3
"""Commands and presses at the table at which everything is pressed again; and the most warnings."""


def _pressed(id: str) -> list[str]:
    """Press what people are shown at a random table again later. Return warnings: what a press is
    about instead of what it said, and why the check broke off, if it did.
    """
    from bot.testing.generated import makers_of, opened
    from bot.testing.kept import breaches
    from bot.testing.makers import Makers

    dice, found = Random(id), list[str]()
    try:
        world, makers = opened(id, 3, dice), makers_of(installed_game(id), Makers())
        for breach in islice(breaches(world, makers, dice, PRESS_ACTS), WARNED):
            found.append(f"Warning: {id}: a press does something else than it said: {breach}.")
    except Exception as error:  # noqa: BLE001  (with made-up fields, a game may raise anything)
        why = f"the check broke off ({error!r})"
        found.append(f"Warning: {id}: not every press was tried again: {why}.")
    return found


def _played(file: Path) -> list[str]:
    """Run a play. Return what did not go as expected, in one line, if anything."""
    from bot.rehearsal.grammar import read_file
    from bot.rehearsal.plays import run_play
    from bot.rehearsal.script import PlayError

    try:
        report = run_play(read_file(file))
    except PlayError as error:
        return [f"{file.name} can't be read: {error.reason}"]
    if report.ok:
        return []
    wrong = next(line for line in report.lines if line.ok is False)
    reason = f"{wrong.reason.splitlines()[-1]} bourse play shows more."
    return [f"{file.name}, line {wrong.line}: {wrong.text}: {reason}"]
