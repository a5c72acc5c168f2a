"""The play watched on the page, if any: list plays, begin, take the next step, leave."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from aiohttp import web

from bot.rehearsal.grammar import read_file
from bot.rehearsal.places import Place
from bot.rehearsal.script import PlayError
from bot.rehearsal.watching import WatchedPlay, plays_there, title_of

T = TypeVar("T")

LOOKS: Final = frozenset({"configure_presentation", "history", "focus", "browse_messages"})
"""Actions on SimCord's page that change nothing."""


class PlayRoutes:
    """The watched play, and the page's requests about it. ``announce`` is called when something is
    new.
    """

    def __init__(self, announce: Callable[[], None]) -> None:
        self._announce = announce
        self._watched: WatchedPlay | None = None
        self._turn = asyncio.Lock()

    def routes(self, root: str) -> list[web.RouteDef]:
        """Return the routes below an address."""
        return [
            web.get(f"{root}/plays", self._plays),
            web.post(f"{root}/play", self._begin),
            web.post(f"{root}/play/next", self._next),
            web.delete(f"{root}/play", self._leave),
        ]

    def report(self) -> dict[str, Any] | None:
        """Return what the page shows of the play; None if none is watched."""
        watched = self._watched
        return None if watched is None else {"name": watched.name, **watched.report}

    async def close(self) -> None:
        """End the watched play."""
        async with self._turn:
            if self._watched is not None:
                await self._watched.close()
                self._watched = None

    async def place(self, key: str) -> Place | None:
        """Return a place of the play with its Preview open; None if there is none, or the play has
        just ended.
        """
        try:
            return await self._watched.place(key) if self._watched is not None else None
        except LookupError:
            return None

    def plain(self, text: str) -> str:
        """Replace mentions of people and channels in a text by their names."""
        return self._watched.plain(text) if self._watched is not None else text

    async def look(self, kind: object, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Carry out a request in a place of the play. People may look around, but not act.

        Raises ``HTTPConflict`` for an action, and ``HTTPNotFound`` when the play is over.
        """
        if kind not in LOOKS:
            raise web.HTTPConflict(text="You are watching a play; it presses and types by itself.")
        try:
            if self._watched is not None:
                return await self._watched.while_paused(work)
        except LookupError:
            pass
        raise web.HTTPNotFound

    # ------------------------------------------------------------ what is served

    async def _plays(self, _request: web.Request) -> web.StreamResponse:
        """Return the available plays: their names and titles."""
        titles = {name: title_of(path) for name, path in plays_there().items()}
        plays = [{"name": name, "title": title} for name, title in titles.items()]
        return web.json_response(
            plays, headers={"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        )

    async def _begin(self, request: web.Request) -> web.StreamResponse:
        """Begin a play, and end the present one."""
        name = str(json_object(await request.read()).get("name", ""))
        path = plays_there().get(name)
        if path is None:
            raise web.HTTPNotFound(text="There is no such play.")
        try:
            play = read_file(path)
        except PlayError as problem:
            raise web.HTTPConflict(text=str(problem)) from problem
        if play.database == "postgres":
            raise web.HTTPConflict(text="This play runs on PostgreSQL and can't be watched here.")
        await self.close()
        async with self._turn:
            watched = WatchedPlay(name, play)
            await watched.open()
            self._watched = watched
        self._announce()
        return web.Response()

    async def _next(self, _request: web.Request) -> web.StreamResponse:
        """Take the next step, and return its outcome."""
        async with self._turn:
            if self._watched is None:
                raise web.HTTPNotFound(text="No play is watched.")
            await self._watched.next()
            report = self.report()
        self._announce()
        return web.json_response(report)

    async def _leave(self, _request: web.Request) -> web.StreamResponse:
        await self.close()
        self._announce()
        return web.Response()


def json_object(body: bytes) -> dict[str, Any]:
    """Parse a JSON object; empty if the body is something else, such as an upload."""
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
