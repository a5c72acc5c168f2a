"""Bots as processes of their own, forked from one that has imported everything (`forks.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from tests.loopback import process as processes
from tests.loopback.loopback import Loopback
from tests.loopback.process import ROOT, START_WITHIN, STOP_WITHIN, BotProcess, Finished, Running, Start
from tests.wire.forks import Constants, fork

__all__ = ("ROOT", "START_WITHIN", "STOP_WITHIN", "BotProcess", "Finished", "connected", "process")


def forked(constants: Constants | None) -> Start:
    """Forks; with `constants`, the bot waits for less long than people's bots do."""

    async def start(args: Sequence[str], folder: Path, env: Mapping[str, str], out: Path, err: Path) -> Running:
        return fork(args, folder, env, out, err, constants)

    return start


def process(
    folder: Path,
    settings: Mapping[str, str],
    *args: str,
    aloud: bool = True,
    fresh: bool = False,
    constants: Constants | None = None,
) -> AbstractAsyncContextManager[BotProcess]:
    """`tests.loopback.process.process`, forked unless it is to be a fresh Python."""
    start = processes.fresh if fresh else forked(constants)
    return processes.process(folder, settings, *args, aloud=aloud, start=start)


def connected(
    discord: Loopback,
    folder: Path,
    database: str,
    *,
    aloud: bool = True,
    fresh: bool = False,
    constants: Constants | None = None,
    **settings: str,
) -> AbstractAsyncContextManager[BotProcess]:
    """`tests.loopback.process.connected`, forked unless it is to be a fresh Python."""
    start = processes.fresh if fresh else forked(constants)
    return processes.connected(discord, folder, database, aloud=aloud, start=start, **settings)
