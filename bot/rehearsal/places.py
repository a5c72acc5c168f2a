"""The places of the page: each channel, once for each person who can read it.

SimCord shows one channel to its viewers in one *Preview*, allows one operation at a time, and does
not refresh a page when another person acts. Here every place has its own Preview, opened on first
use. One lock serialises all operations, including the clock's. Each operation ends by publishing
the places that changed, so that every page shows the change at its next poll.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

import simcord
from simcord.components import walk_components
from simcord.preview import _markdown

from bot.tasks import loop_time

_log = logging.getLogger(__name__)

TICK: Final = 1.0
"""Seconds between two steps of the clock."""
REFRESHED_EVERY: Final = 10.0
"""Seconds after which an open place is published even without changes, to keep its "5 minutes ago"
true.
"""
WATCHED: Final = 50
"""The number of newest messages that are watched for changes in a place: as many as SimCord
shows.
"""
EXCERPT: Final = 90
"""Characters of the newest message in the list of places."""

# Discord shows names and small print in embeds, too. SimCord draws them as they are written.
_markdown._FIELD_POLICIES["embed_description"] |= {"mentions": True, "subtext": True}


@dataclass(slots=True)
class Place:
    """One channel as one person sees it. ``key`` names it in addresses: ``alice.ti4``, ``bob.dm``,
    ``carol.1234``.

    ``viewer`` is the person as SimCord expects them there: a user in a DM, elsewhere a member.
    ``game`` is the game played there, empty for DMs. ``version`` grows with each change. By message
    id, ``messages`` are hashes of each message's last look, and ``changed`` the version in which it
    last changed.
    """

    key: str
    who: str
    viewer: simcord.MemberActor | simcord.UserHandle
    kind: str
    label: str
    game: str
    channel: simcord.ChannelHandle
    preview: simcord.Preview | None = None
    version: int = 0
    messages: dict[int, int] = field(default_factory=dict)
    changed: dict[int, int] = field(default_factory=dict)
    excerpt: str = ""

    @property
    def address(self) -> tuple[str, str]:
        """The Preview's address, and the secret it requires. Raises ``LookupError`` if the Preview
        is not open.
        """
        if self.preview is None:
            raise LookupError(f"{self.key} is not open")
        parts = urlsplit(self.preview.url)
        return f"{parts.scheme}://{parts.netloc}", parts.fragment


def places_of(
    env: simcord.Env,
    key: str,
    who: str,
    member: simcord.MemberActor,
    channels: Mapping[str, simcord.ChannelHandle],
) -> Iterator[Place]:
    """Yield a person's places: these channels by game, the DM with the bot, and the threads that
    they can read.

    The places' keys begin with ``key``.
    """
    for game, channel in channels.items():
        yield Place(
            f"{key}.{game or 'table'}", who, member, "table", channel.name or "table", game, channel
        )
    yield Place(f"{key}.dm", who, member.user, "dm", "Bourse", "", member.user.dm_channel)
    for game, channel in channels.items():
        for thread in channel.threads:
            if member.id in env.backend.channels[thread.id].thread_members:
                yield Place(
                    f"{key}.{thread.id}",
                    who,
                    member,
                    "thread",
                    thread.name or "thread",
                    game,
                    thread,
                )


def described(place: Place) -> dict[str, Any]:
    """Return what the page shows of a place."""
    return {
        "key": place.key,
        "person": place.who,
        "kind": place.kind,
        "label": place.label,
        "game": place.game,
        "excerpt": place.excerpt,
        "messages": [f"{number}.{look:x}" for number, look in place.messages.items()],
    }


class PlaceSource(Protocol):
    """The people at the tables, and what they can read."""

    avatars: Mapping[str, tuple[str, bytes]]

    def places(self) -> Iterable[Place]:
        """Return the places that exist now; threads come and go with the game."""

    def mentions(self) -> Mapping[int, str]:
        """Return how people and channels are written, by id."""


class Places:
    """All places of a running SimCord. Every operation on it goes through `operation`.

    ``changed`` is called after an operation that changed them.
    """

    def __init__(self, env: simcord.Env, source: PlaceSource) -> None:
        self._env = env
        self._source = source
        self.changed: Callable[[], None] = lambda: None
        self._lock = asyncio.Lock()
        self._places: dict[str, Place] = {}
        self._transcript = -1
        # Simulated time is ahead of real time if the machine's clock was set back since an earlier
        # run.
        self._ahead = max(timedelta(), env.now() - datetime.now(UTC))
        self._published = 0.0
        self._find()
        for place in self:
            self._look(place)

    def __iter__(self) -> Iterator[Place]:
        return iter(self._places.values())

    def get(self, key: str) -> Place | None:
        """Return the place with this key, if any."""
        return self._places.get(key)

    @property
    def now(self) -> datetime:
        """The simulated time."""
        return self._env.now()

    # ------------------------------------------------------------ operations

    @asynccontextmanager
    async def operation(self, place: Place | None = None) -> AsyncIterator[None]:
        """Hold the lock for one operation of SimCord, then publish the places that it changed."""
        async with self._lock:
            if place is not None and place.preview is not None:
                _activate(self._env, place.preview)
            try:
                yield
            finally:
                await self._publish()

    async def open(self, place: Place, timezone: str = "UTC") -> None:
        """Open a place's Preview, if not open yet."""
        async with self._lock:
            if place.preview is not None:
                return
            _activate(self._env, None)
            preview = self._env.preview(
                place.channel,
                viewers=[place.viewer],
                layout="channel",
                timezone=timezone,
                assets=self._source.avatars,
            )
            await preview.__aenter__()
            place.preview = preview

    def plain(self, text: str) -> str:
        """Replace mentions of people and channels in a text by their names."""
        names = self._source.mentions()

        def name_of(mention: re.Match[str]) -> str:
            return names.get(int(mention[1]), mention[0])

        return re.sub(r"<[@#]!?(\d+)>", name_of, text)

    def mentioning(self, text: str) -> str:
        """Replace ``@Bourse``, and people's names after an @, by mentions, as Discord's client does
        for a name that is picked.
        """
        people = {called.casefold(): id for id, called in self._source.mentions().items()}
        people["@bourse"] = self._env.backend.bot_user.id

        def mention_of(name: re.Match[str]) -> str:
            found = people.get(name[0].casefold())
            return name[0] if found is None else f"<@{found}>"

        return re.sub(r"@\w+", mention_of, text)

    async def keep_time(self) -> None:
        """Let simulated time follow real time. Never returns."""
        while True:
            await asyncio.sleep(TICK)
            async with self.operation():
                due = datetime.now(UTC) + self._ahead
                behind = (due - self._env.now()).total_seconds()
                if behind <= 0:
                    continue
                try:
                    await self._env.advance_time(behind)
                except TimeoutError as problem:
                    _log.warning("the clock of the rehearsal lags: %s", problem)

    async def close(self) -> None:
        """Close every Preview."""
        async with self._lock:
            for place in self._places.values():
                if place.preview is not None:
                    await place.preview.close()
                    place.preview = None

    # ------------------------------------------------------------ changes

    def _find(self) -> None:
        """Add new places, and drop those that are gone."""
        there = {place.key: place for place in self._source.places()}
        self._places = {key: self._places.get(key, place) for key, place in there.items()}

    async def _publish(self) -> None:
        """Publish the places that changed since the last call."""
        again = loop_time() - self._published > REFRESHED_EVERY
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
                    _log.warning("%s could not be refreshed: %s", place.key, problem)
        if again:
            self._published = loop_time()
        if fresh or before != list(self._places):
            self.changed()

    def _look(self, place: Place) -> bool:
        """Update what is known of a place, and return whether it looks different now."""
        stored = self._env.backend.messages.get(place.channel.id, {})
        seen = [message for message in stored.values() if message.visible_to(place.viewer.id)]
        seen.sort(key=lambda message: message.id)
        looks = {message.id: _hash_of(message) for message in seen[-WATCHED:]}
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
        """Return the beginning of the newest message, without markup."""
        texts = [message.content]
        for component in walk_components(message.components):
            if isinstance(component.get("content"), str):
                texts.append(component["content"])
        text = self.plain("\n".join(texts))
        text = re.sub(r"^\s*(-?#{1,3}|-#|>|-) |[*_`~|]|<[^>]*>", " ", text, flags=re.MULTILINE)
        text = re.sub(r"\s+", " ", text).strip()
        return text if len(text) <= EXCERPT else text[: EXCERPT - 1].rstrip() + "…"


def _activate(env: simcord.Env, preview: simcord.Preview | None) -> None:
    """Tell SimCord which Preview is acting.

    SimCord expects a single active Preview, though nothing in a Preview depends on it: the
    attribute only guards `env.preview` and records that an action has reached the bot. This is the
    only private name of SimCord used here.
    """
    env._preview = preview


def _hash_of(message: Any) -> int:
    """Return a hash of everything visible in a message."""
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
