"""A watched play: taken step by step on its own stage, while its places can be looked at.

SimCord runs one world on an event loop, and the page has one already. So each play has a thread
with its own loop. All work on the play runs there, one task at a time.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextvars import Context, copy_context
from pathlib import Path
from typing import Any, Final, TypeVar

from bot.rehearsal import avatars
from bot.rehearsal.places import Place, Places, described, places_of
from bot.rehearsal.plays import Performance, performed
from bot.rehearsal.report import LineResult
from bot.rehearsal.script import Act, Play, PlayStep
from bot.rehearsal.stage import Stage
from bot.rules.model.values import frozen

T = TypeVar("T")

PREFIX: Final = "play."
"""The prefix of a play's place keys."""


class WatchedPlay:
    """A play on its thread. Call its methods on the page's loop."""

    def __init__(self, name: str, play: Play) -> None:
        self.name = name
        self.play = play
        self._stage: _Open | None = None
        self._ready = asyncio.Event()
        self._over: asyncio.Future[None] | None = None
        self.report: Mapping[str, Any] = {}
        """What the page shows of the play, as of the last step."""

    async def open(self) -> None:
        """Start the bot, before anybody does anything. Raises the play's error if that fails."""
        self._over = asyncio.ensure_future(asyncio.to_thread(self._run, asyncio.get_running_loop()))
        ready = asyncio.ensure_future(self._ready.wait())
        await asyncio.wait((ready, self._over), return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if self._stage is None:
            await self._over
        self.report = await self._do(_Show.report)

    async def next(self) -> None:
        """Take the next step, if any."""
        await self._do(_Show.next)
        self.report = await self._do(_Show.report)

    async def place(self, key: str) -> Place | None:
        """Return the place with this key, with its Preview open; None if there is none."""
        return await self._do(lambda show: show.place(key))

    def plain(self, text: str) -> str:
        """Replace mentions of people and channels in a text by their names."""
        return self._stage.show.places.plain(text) if self._stage is not None else text

    async def while_paused(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Do some work on the page's loop while the play stands still."""
        home = asyncio.get_running_loop()

        async def waiting(_show: _Show) -> T:
            return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(), home))

        return await self._do(waiting)

    async def close(self) -> None:
        """End the play, wherever it is."""
        if self._stage is not None:
            self._stage.loop.call_soon_threadsafe(self._stage.closing.set)
        if self._over is not None:
            await self._over

    async def _do(self, work: Callable[[_Show], Coroutine[Any, Any, T]]) -> T:
        """Do some work on the play's loop, in its context, after the work under way."""
        stage = self._stage
        if stage is None:
            raise LookupError("the play is over")

        async def in_turn() -> T:
            async with stage.turn:
                if stage.closing.is_set():
                    raise LookupError("the play is over")
                return await work(stage.show)

        async def in_context() -> T:
            return await stage.loop.create_task(in_turn(), context=stage.context)

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(in_context(), stage.loop))

    # ------------------------------------------------------------ on its thread

    def _run(self, home: asyncio.AbstractEventLoop) -> None:
        # A database of its own, never that of the settings, which the rehearsal uses.
        with tempfile.TemporaryDirectory(prefix="bourse-play-") as folder:
            asyncio.run(self._perform(home, f"sqlite:///{folder}/bourse.db"))

    async def _perform(self, home: asyncio.AbstractEventLoop, url: str) -> None:
        async with performed(self.play, url) as performance:
            show = _Show(performance)
            # The context holds SimCord's clock, which all work here must use.
            stage = _Open(
                show, asyncio.get_running_loop(), copy_context(), asyncio.Lock(), asyncio.Event()
            )
            self._stage = stage
            home.call_soon_threadsafe(self._ready.set)
            await stage.closing.wait()
            self._stage = None
            async with stage.turn:
                await show.places.close()


@frozen
class _Open:
    """A running play: its performance, loop, context and lock, and the event that ends it."""

    show: _Show
    loop: asyncio.AbstractEventLoop
    context: Context
    turn: asyncio.Lock
    closing: asyncio.Event


class _Show:
    """The performance with its places, on its own loop."""

    def __init__(self, performance: Performance) -> None:
        self._performance = performance
        self._steps = performance.play.steps
        self._at = 0
        self._lines = {line.line: line for line in performance.broken()}
        self.places = Places(performance.stage.env, PlayPlaces(performance.stage))
        self._shown = ""

    async def next(self) -> None:
        """Take the next step; none after a failed step."""
        if self._over():
            return
        step = self._steps[self._at]
        self._at += 1
        before = {place.key: place.version for place in self.places}
        async with self.places.operation():
            lines = await self._performance.take(step)
        self._lines |= {line.line: line for line in lines}
        if isinstance(step.action, Act):
            self._shown = self._place_of(step.action, lines[0], before)

    def _place_of(self, act: Act, line: LineResult, before: Mapping[str, int]) -> str:
        """Return which place to show after an action: of the reply, else one that changed."""
        own = {place.kind: place for place in self.places if place.who == act.who}
        answers = line.saw.get(f"reply to {act.who}", [])
        where = answers[0].partition("\n")[0] if answers else ""
        if where.startswith("DM"):
            return own["dm"].key
        if where.startswith(f"#{self._performance.stage.channel.name}"):
            return own["table"].key
        keys = {place.key: place.version for place in own.values()}
        changed = [key for key, version in keys.items() if version != before.get(key, 0)]
        if changed:
            return changed[-1]
        return self._shown if self._shown in keys else own["table"].key

    async def place(self, key: str) -> Place | None:
        found = self.places.get(key)
        if found is not None:
            await self.places.open(found)
        return found

    async def report(self) -> Mapping[str, Any]:
        """Return what the page shows: the steps with their outcomes, and the places."""
        return {
            "at": self._at,
            "shown": self._shown,
            "over": self._over(),
            "steps": list(map(self._step_data, self._steps)),
            "people": [
                {"name": name, "shown": name, "plays": ""}
                for name in self._performance.stage.people
            ],
            "places": [described(place) for place in self.places],
        }

    def _over(self) -> bool:
        """Return whether there is no next step, or a line failed."""
        failed = not all(line.ok for line in self._lines.values())
        return failed or self._at >= len(self._steps)

    def _step_data(self, step: PlayStep) -> dict[str, Any]:
        expected = [self._line_data(each.line, each.text) for each in step.expectations]
        return {**self._line_data(step.line, step.text), "expected": expected}

    def _line_data(self, number: int, text: str) -> dict[str, Any]:
        """Return a line with its outcome; ``ok`` is None if it was not reached."""
        line = self._lines.get(number)
        data: dict[str, Any] = {
            "line": number,
            "text": text.strip(),
            "ok": None,
            "why": "",
            "records": [],
            "saw": {},
        }
        if line is not None:
            data |= {
                "ok": line.ok,
                "why": line.reason,
                "records": list(line.records),
                "saw": line.saw,
            }
        return data


class PlayPlaces:
    """Everybody in a play, and what they can read."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        stage.env.backend.edit_bot_profile("Bourse").avatar = avatars.HASH
        self.avatars: Mapping[str, tuple[str, bytes]] = {
            avatars.address(stage.env.backend.bot_user.id): ("bourse.png", avatars.mark())
        }

    def places(self) -> Iterator[Place]:
        """Yield each person's channel, DM with the bot, and threads that they can read."""
        channels = {"": self._stage.channel}
        for name, person in self._stage.people.items():
            key = f"{PREFIX}{name}"
            yield from places_of(self._stage.env, key, name, person.member, channels)

    def mentions(self) -> Mapping[int, str]:
        """Return how people and channels are written, by id."""
        main = self._stage.channel
        names = {person.id: f"@{name}" for name, person in self._stage.people.items()}
        return names | {each.id: f"#{each.name}" for each in (main, *main.threads)}


# ---------------------------------------------------------------- which plays there are

_WITH_THE_SOURCE: Final = Path(__file__).parents[2] / "tests" / "plays"


def plays_there() -> dict[str, Path]:
    """Return the plays that can be watched, by name: the repository's and the current folder's."""
    found = {
        str(path.relative_to(_WITH_THE_SOURCE)): path
        for path in sorted(_WITH_THE_SOURCE.rglob("*.play"))
    }
    return found | {path.name: path for path in sorted(Path().glob("*.play"))}


def title_of(path: Path) -> str:
    """Return a play's title: its first comment, else its name."""
    for line in path.read_text("utf-8", errors="replace").splitlines():
        if line.startswith("# "):
            return line[2:].strip()
    return path.stem.replace("_", " ")
