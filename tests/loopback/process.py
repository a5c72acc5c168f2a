"""The bot as a process of its own, `python -m bot`: started with given settings only, killed at the
end.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.loopback.loopback import Loopback
from tests.loopback.nursery import Awaited, nursery

ROOT = Path(__file__).resolve().parents[2]
START_WITHIN = 90.0  # seconds; a busy machine imports slowly
STOP_WITHIN = 90.0
# Never a developer's token.
MEASURED = "COVERAGE_PROCESS_START"
KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT", MEASURED, "COVERAGE_FILE")


Constants = Mapping[str, float]
"""Other values for constants of modules, by `module:NAME`: for what would take a test too long to
wait for.
"""


PATIENT: Constants = {
    "cogs.answers:DEFER_AFTER": 60.0,
    "cogs.answers:GIVE_UP_AFTER": 90.0,
    "bot.delivery.send:LINKS_WITHIN": 60.0,
    "bot.rules.guard:SLOW": 60.0,
}
"""On a busy machine a bot would be late for people's three seconds, or draw the board before the
message that it links to is there: it would make other requests than on an idle one.
"""


@dataclass(frozen=True)
class Finished:
    """How a process ended and what it said."""

    code: int
    out: str
    err: str


@dataclass
class BotProcess:
    """A running bot. What it writes goes to files, so it can never block on a full pipe."""

    process: asyncio.subprocess.Process | Awaited
    folder: Path

    @property
    def err(self) -> str:
        """What it logged so far."""
        return (self.folder / "stderr").read_text()

    async def kill(self) -> None:
        """SIGKILL: it has no chance to tidy up."""
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()

    async def ended(self, within: float = STOP_WITHIN) -> Finished:
        """Waits for it to end by itself. Raises TimeoutError."""
        async with asyncio.timeout(within):
            code = await self.process.wait()
        return Finished(code, (self.folder / "stdout").read_text(), self.err)

    async def said(self, text: str, *, times: int = 1, within: float = START_WITHIN) -> None:
        """Waits until it has logged a text so many times. Raises TimeoutError."""
        async with asyncio.timeout(within):
            while True:
                if self.err.count(text) >= times:
                    return
                await asyncio.sleep(0.02)

    async def stop(self) -> Finished:
        """SIGTERM, as a service manager stops it."""
        self.process.terminate()
        return await self.ended()


@asynccontextmanager
async def process(
    folder: Path,
    settings: Mapping[str, str],
    *args: str,
    aloud: bool = True,
    constants: Constants | None = None,
    forked: bool = False,
) -> AsyncIterator[BotProcess]:
    """`python -m bot ARGS` in this folder, with these settings and no others; `aloud` prints its
    log at the end.

    With `constants` it waits for less long than people's bots do. `forked`, it need not load its
    modules, which takes a second of the processor.
    """
    env = {key: os.environ[key] for key in KEPT if key in os.environ}
    env |= {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    # processes of one server need one key: this test's own
    if settings.get("DATABASE_URL", "").startswith("postgres"):
        env["BOURSE_KEY_FILE"] = str(Path.cwd() / "bourse.key")
    env |= settings
    out, err = folder / "stdout", folder / "stderr"
    for file in (out, err):
        file.touch()
    started: asyncio.subprocess.Process | Awaited
    with out.open("ab") as out_file, err.open("ab") as err_file:
        if forked:
            files = out_file.fileno(), err_file.fileno()
            forked_bot = nursery().fork(folder, env, constants or {}, args, *files)
            started = Awaited(forked_bot)
        else:
            program = ("tests.loopback.bot", json.dumps(constants)) if constants else ("bot",)
            started = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                *program,
                *args,
                cwd=folder,
                env=env,
                stdout=out_file,
                stderr=err_file,
            )
    bot = BotProcess(started, folder)
    try:
        yield bot
    finally:
        await bot.kill()
        if aloud:
            sys.stderr.write(bot.err)  # shown by pytest when the test fails


@asynccontextmanager
async def connected(
    discord: Loopback,
    folder: Path,
    database: str,
    *,
    aloud: bool = True,
    patient: bool = True,
    constants: Constants | None = None,
    **settings: str,
) -> AsyncIterator[BotProcess]:
    """A bot at this Discord, ready for interactions. Raises AssertionError when it ends instead.

    It is `PATIENT`, unless it is to be as people's bots are. Several can run at once, each in a
    folder of its own, with `SHARD_IDS` and `SHARD_COUNT` that tell them apart.
    """
    shards = {
        int(shard) for shard in settings.get("SHARD_IDS", "").replace(",", " ").split()
    } or None
    discord.gateway.forget(shards)
    everything = {**discord.settings, "DATABASE_URL": database, **settings}
    # The interpreter reads its own settings, and coverage is measured, from a program's start.
    forked = not any(name.startswith("PYTHON") for name in settings) and MEASURED not in os.environ
    constants = {**(PATIENT if patient else {}), **(constants or {})}
    async with process(folder, everything, aloud=aloud, constants=constants, forked=forked) as bot:
        gone = asyncio.create_task(bot.process.wait())
        gone.add_done_callback(lambda _: discord.world.changed.set())
        discord.processes.add(bot.process.pid)
        try:
            await discord.until(lambda: discord.gateway.online(shards) or gone.done(), START_WITHIN)
            if gone.done():
                raise AssertionError(
                    f"the bot ended with {gone.result()} and said:\n{bot.err[-20_000:]}"
                )
            yield bot
        finally:
            await bot.kill()
            await gone
            discord.processes.discard(bot.process.pid)
            discord.gateway.forget(shards)
