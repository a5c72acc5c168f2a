"""The places of the rehearsal page: every channel as everybody who can be in it.

SimCord shows one channel to its viewers in one *Preview*, allows one operation at a time, and leaves a page as it
is when somebody else acts. Here every place has a Preview of its own, opened when it is first looked at; one lock
keeps all operations apart, the clock's included; and after each of them the places where something changed are
published anew, so that every page shows it at its next poll.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import urlsplit

import simcord

from bot.rehearsal.cast import Cast, Evening, Person

_log = logging.getLogger(__name__)

TICK: Final = 1.0
"""Seconds between two steps of the clock."""
SHOWN_AGAIN: Final = 10.0
"""Seconds after which an open place is published anew in any case: its "5 minutes ago" should go on."""
RECENT: Final = 50
"""Messages of a place that are watched for changes: as many as SimCord shows."""
EXCERPT: Final = 90
"""Letters of the newest message in the rail."""


@dataclass(slots=True)
class Place:
    """One channel as one person. `key` names it in addresses: `alice.table`, `bob.dm`, `carol.1234`."""

    key: str
    person: Person
    kind: str
    label: str
    channel: simcord.ChannelHandle
    preview: simcord.Preview | None = None
    version: int = 0
    """Grows when something in the place changes."""
    messages: dict[int, int] = field(default_factory=dict)
    """What each message of the place looked like when last seen, as a hash."""
    changed: dict[int, int] = field(default_factory=dict)
    """The version in which each message last changed."""
    excerpt: str = ""

    @property
    def viewer(self) -> simcord.MemberActor | simcord.UserHandle:
        """The person as SimCord wants them here: a user in a DM, else a member."""
        return self.person.user if self.kind == "dm" else self.person.member

    @property
    def address(self) -> tuple[str, str]:
        """Where the Preview listens, and the secret it asks for."""
        if self.preview is None:
            raise LookupError(f"{self.key} is not open")
        parts = urlsplit(self.preview.url)
        return f"{parts.scheme}://{parts.netloc}", parts.fragment


class Places:
    """All places of one running SimCord. Every operation goes through `operation`."""

    def __init__(self, env: simcord.Env, cast: Cast, *, changed: Callable[[], None]) -> None:
        self._env = env
        self._cast = cast
        self._changed = changed
        self._lock = asyncio.Lock()
        self._places: dict[str, Place] = {}
        self._transcript = -1
        # Ahead of the real time when that was set back since an earlier run.
        self._ahead = max(timedelta(), env.now() - datetime.now(UTC))
        self._published = 0.0
        self._find()
        for place in self:
            self._look(place)

    def __iter__(self) -> Iterator[Place]:
        return iter(self._places.values())

    def get(self, key: str) -> Place | None:
        """The place of that name, if there is one."""
        return self._places.get(key)

    @property
    def evening(self) -> Evening:
        """What is played."""
        return self._cast.evening

    @property
    def now(self) -> datetime:
        """The simulated time."""
        return self._env.now()

    # ------------------------------------------------------------ operations

    @asynccontextmanager
    async def operation(self, place: Place | None = None) -> AsyncIterator[None]:
        """Nobody else operates SimCord meanwhile; afterwards every place is as fresh as the world."""
        async with self._lock:
            if place is not None and place.preview is not None:
                _lead(self._env, place.preview)
            try:
                yield
            finally:
                await self._notice()

    async def open(self, place: Place, timezone: str = "UTC") -> None:
        """Gives a place its Preview; one that is open stays as it is."""
        async with self._lock:
            if place.preview is not None:
                return
            _lead(self._env, None)
            preview = self._env.preview(
                place.channel,
                viewers=[place.viewer],
                layout="channel",
                timezone=timezone,
                assets=self._cast.faces,
            )
            await preview.__aenter__()
            place.preview = preview

    def plain(self, text: str) -> str:
        """A text with its mentions of people and channels as they are read."""
        names = {person.user.id: f"@{person.part.shown}" for person in self._cast.people.values()}
        table = self._cast.table
        names |= {channel.id: f"#{channel.name}" for channel in (table, *table.threads)}
        return re.sub(r"<[@#]!?(\d+)>", lambda found: names.get(int(found[1]), found[0]), text)

    async def keep_time(self) -> None:
        """Lets the simulated time follow the real one, for ever."""
        while True:
            await asyncio.sleep(TICK)
            async with self.operation():
                behind = (datetime.now(UTC) + self._ahead - self._env.now()).total_seconds()
                if behind <= 0:
                    continue
                try:
                    await self._env.advance_time(behind)
                except TimeoutError as problem:
                    _log.warning("the clock of the rehearsal lags: %s", problem)

    async def close(self) -> None:
        """Closes every Preview."""
        async with self._lock:
            for place in self._places.values():
                if place.preview is not None:
                    await place.preview.close()
                    place.preview = None

    # -------------------------------------------------------------- noticing

    def _find(self) -> None:
        """Adds the places that exist by now; threads come and go with the game."""
        wanted: list[tuple[str, Person, str, str, simcord.ChannelHandle]] = []
        threads = self._cast.table.threads
        for name, person in self._cast.people.items():
            wanted.append((f"{name}.table", person, "table", self._cast.table.name or "table", self._cast.table))
            wanted.append((f"{name}.dm", person, "dm", "Bourse", person.dm))
            for thread in threads:
                if person.user.id in self._env.backend.channels[thread.id].thread_members:
                    wanted.append((f"{name}.{thread.id}", person, "thread", thread.name or "thread", thread))
        known = self._places
        self._places = {
            key: known.get(key) or Place(key, person, kind, label, channel)
            for key, person, kind, label, channel in wanted
        }

    async def _notice(self) -> None:
        """Publishes the places in which something changed since the last look."""
        again = asyncio.get_running_loop().time() - self._published > SHOWN_AGAIN
        grown = len(self._env.backend.transcript)
        if grown == self._transcript and not again:
            return
        self._transcript = grown
        before = list(self._places)
        self._find()
        fresh = [place for place in self._places.values() if self._look(place)]
        for place in self._places.values():
            if place.preview is not None and (again or place in fresh):
                try:
                    await place.preview.refresh()
                except TimeoutError as problem:
                    _log.warning("%s is not shown anew: %s", place.key, problem)
        if again:
            self._published = asyncio.get_running_loop().time()
        if fresh or before != list(self._places):
            self._changed()

    def _look(self, place: Place) -> bool:
        """Whether the place looks different now; brings its record up to date."""
        person = place.person.user.id
        stored = self._env.backend.messages.get(place.channel.id, {})
        seen = [message for message in stored.values() if message.visible_to(person)]
        seen.sort(key=lambda message: message.id)
        looks = {message.id: _look_of(message) for message in seen[-RECENT:]}
        if looks == place.messages:
            return False
        place.version += 1
        for message_id, look in looks.items():
            if place.messages.get(message_id) != look:
                place.changed[message_id] = place.version
        place.messages = looks
        place.excerpt = self._excerpt(seen[-1]) if seen else ""
        return True

    def _excerpt(self, message: Any) -> str:
        """The newest message in a few words, without markup."""
        text = self.plain("\n".join([message.content, *_texts(message.components)]))
        text = re.sub(r"^\s*(-?#{1,3}|-#|>|-) |[*_`~|]|<[^>]*>", " ", text, flags=re.MULTILINE)
        text = re.sub(r"\s+", " ", text).strip()
        return text if len(text) <= EXCERPT else text[: EXCERPT - 1].rstrip() + "…"


def _lead(env: simcord.Env, preview: simcord.Preview | None) -> None:
    """Tells SimCord which Preview is acting.

    SimCord means a single Preview to be active, though nothing in a Preview depends on it: the attribute only
    guards `env.preview` and receives the mark that an action has reached the bot. This is the one private name
    of SimCord that we touch.
    """
    env._preview = preview


def _look_of(message: Any) -> int:
    return hash(
        (
            message.content,
            message.flags,
            message.edited_timestamp,
            message.pinned,
            repr(message.components),
            repr(message.embeds),
            repr(message.attachments),
            repr(message.reactions),
        )
    )


def _texts(components: Any) -> Iterable[str]:
    """Every written text in a message's components, top to bottom; labels of buttons are left out."""
    if isinstance(components, list):
        for component in components:
            yield from _texts(component)
    elif isinstance(components, dict):
        if isinstance(components.get("content"), str):
            yield components["content"]
        yield from _texts(components.get("components"))
