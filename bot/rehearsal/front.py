"""The web side of the rehearsal page: one address for the start page and for all of SimCord's pages.

SimCord serves each Preview on a port of its own, admits only requests that carry its secret, and forbids frames.
This server stands before them on one address: it hands out our start page, and passes everything else on to the
Preview of the place it is for. A frame's address names its place (`/at/bob.dm#bob.dm`); SimCord's page takes what
follows the # for its secret and sends it with every request, and here the name is exchanged for the real one.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from aiohttp import ClientError, ClientSession, ClientTimeout, WSCloseCode, web

from bot.rehearsal.cast import PARTS
from bot.rehearsal.places import Place, Places

_log = logging.getLogger(__name__)

STATIC: Final = Path(__file__).with_name("static")
CAPABILITY: Final = "X-Simcord-Capability"
CONTEXT: Final = "X-Simcord-Context"
PASSED: Final = ("Content-Type", CONTEXT)
"""What is passed on of a request's headers, besides the secret."""
RETURNED: Final = (
    "Content-Type",
    "Content-Disposition",
    "X-Content-Type-Options",
    "X-Display-Width",
    "X-Display-Height",
    "X-Media-Duration",
    "X-Media-Kind",
    "X-Media-Time",
    "X-Simcord-Media-Metadata",
)
"""What is returned of SimCord's headers; how it may be framed and kept is said anew below."""
LARGEST: Final = 27 * 1024 * 1024
"""Bytes in a request: SimCord's own limit on uploads, and a little."""

_POLICY: Final = (
    "default-src 'self'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self' blob:; "
    "img-src 'self' blob: data:; media-src 'self' blob:; object-src 'none'; base-uri 'none'; "
)
_ALWAYS: Final = {"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}
_START: Final = _ALWAYS | {
    "Content-Security-Policy": _POLICY + "frame-src 'self'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}
_FRAMED: Final = _ALWAYS | {"Content-Security-Policy": _POLICY + "frame-ancestors 'self'"}
_KEPT: Final = "public, max-age=86400"
_FRESH: Final = "no-store"


class Front:
    """The aiohttp application and what it keeps: who listens, and what each SimCord page has last been shown."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._run = secrets.token_hex(8)
        self._listeners: set[web.WebSocketResponse] = set()
        self._shown: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._places: Places | None = None
        self._session: ClientSession | None = None
        self.app = web.Application(client_max_size=LARGEST, middlewares=[self._guard])
        self.app.router.add_get("/", self._start)
        self.app.router.add_get("/bourse/news", self._news)
        self.app.router.add_get("/bourse/{file}", self._static)
        self.app.router.add_get("/at/{place}", self._frame)
        self.app.router.add_route("*", "/api/{rest:.*}", self._api)
        self.app.router.add_get("/{rest:.*}", self._simcord_file)
        self.app.on_shutdown.append(self._part)
        self.app.on_cleanup.append(self._cleanup)

    def attend(self, places: Places) -> None:
        """From here on there are places to show."""
        self._places = places
        self._session = ClientSession(timeout=ClientTimeout(total=None), auto_decompress=False)

    @property
    def places(self) -> Places:
        """The places there are to show."""
        if self._places is None:
            raise web.HTTPServiceUnavailable(text="Bourse is still laying the table.")
        return self._places

    async def _part(self, _app: web.Application) -> None:
        for listener in list(self._listeners):
            await listener.close(code=WSCloseCode.GOING_AWAY)

    async def _cleanup(self, _app: web.Application) -> None:
        if self._session is not None:
            await self._session.close()

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Only this machine's own browser, on our own address: no rebound name, no other site's script."""
        hosts = {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}
        if self.port == 80:
            hosts |= {"127.0.0.1", "localhost"}
        origin = request.headers.get("Origin")
        if request.host not in hosts or (origin is not None and origin.removeprefix("http://") not in hosts):
            raise web.HTTPForbidden(text=f"The rehearsal is at http://127.0.0.1:{self.port}/")
        return await handler(request)

    # ----------------------------------------------------------- our own page

    async def _start(self, _request: web.Request) -> web.StreamResponse:
        return web.Response(text=(STATIC / "start.html").read_text("utf-8"), content_type="text/html", headers=_START)

    async def _static(self, request: web.Request) -> web.StreamResponse:
        path = STATIC / request.match_info["file"]
        kind = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}.get(path.suffix)
        if kind is None or path.parent != STATIC or not path.is_file():
            raise web.HTTPNotFound
        return web.Response(
            text=path.read_text("utf-8"), content_type=kind, headers=_ALWAYS | {"Cache-Control": _FRESH}
        )

    async def _news(self, request: web.Request) -> web.StreamResponse:
        """A socket that says what there is to see, now and whenever it changes."""
        listener = web.WebSocketResponse(heartbeat=20)
        await listener.prepare(request)
        self._listeners.add(listener)
        try:
            await listener.send_str(self._state())
            async for _message in listener:
                pass
        finally:
            self._listeners.discard(listener)
        return listener

    def tell(self) -> None:
        """Sends the state to all who listen."""
        if self._places is None or not self._listeners:
            return
        task = asyncio.get_running_loop().create_task(self._send(self._state()))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, state: str) -> None:
        for listener in list(self._listeners):
            try:
                await listener.send_str(state)
            except ConnectionError:
                self._listeners.discard(listener)

    def _state(self) -> str:
        return json.dumps(
            {
                "run": self._run,
                "now": self.places.now.isoformat(),
                "tries": [
                    {
                        "place": example.place,
                        "shown": example.shown,
                        "command": example.command,
                        "options": [
                            {"name": name, "value": value, "pick": pick} for name, value, pick in example.options
                        ],
                        "then": example.then,
                    }
                    for example in self.places.evening.tries
                ],
                "people": [
                    {"name": part.name, "shown": part.shown, "plays": self.places.evening.chairs[part.name].plays}
                    for part in PARTS
                ],
                "places": [
                    {
                        "key": place.key,
                        "person": place.person.part.name,
                        "kind": place.kind,
                        "label": place.label,
                        "excerpt": place.excerpt,
                        "messages": [f"{number}.{look:x}" for number, look in place.messages.items()],
                    }
                    for place in self.places
                ],
            }
        )

    # --------------------------------------------------------- SimCord's pages

    async def _frame(self, request: web.Request) -> web.StreamResponse:
        """SimCord's page of a place, dressed to stand beside our rail."""
        place = await self._opened(request.match_info["place"], request.query.get("timezone", "UTC"))
        status, body, _headers = await self._ask(place, "GET", "/")
        page = body.decode().replace("</head>", '<link rel="stylesheet" href="/bourse/frame.css"></head>')
        return web.Response(
            status=status,
            text=page,
            content_type="text/html",
            headers=_FRAMED | {"Cache-Control": _FRESH},
        )

    async def _simcord_file(self, request: web.Request) -> web.StreamResponse:
        """A script, style or font of SimCord's page: the same in every place."""
        place = await self._opened(next(iter(self.places)).key)
        status, body, headers = await self._ask(place, "GET", request.rel_url.raw_path)
        # SimCord forbids keeping them; 30 MB of fonts for every frame would be felt.
        keep = _KEPT if status == 200 and request.path.startswith("/fonts/") else _FRESH
        return web.Response(status=status, body=body, headers=headers | _FRAMED | {"Cache-Control": keep})

    async def _api(self, request: web.Request) -> web.StreamResponse:
        place = await self._opened(request.headers.get(CAPABILITY, ""))
        body = await request.read()
        if request.method == "POST" and request.path == "/api/action":
            status, answer, headers = await self._action(place, request, body)
        else:
            version = place.version
            status, answer, headers = await self._ask(
                place, request.method, str(request.rel_url), body, request.headers
            )
            if request.path == "/api/state" and status == 200:
                self._shown[request.headers.get(CONTEXT, "")] = version
            if place.kind == "dm" and request.path in ("/api/state", "/api/pages"):
                # In a DM SimCord names nobody but its two; Discord names everybody one shares a server with.
                answer = self.places.plain(answer.decode()).encode()
        return web.Response(status=status, body=answer, headers=headers | _FRAMED | {"Cache-Control": _FRESH})

    async def _action(self, place: Place, request: web.Request, body: bytes) -> tuple[int, bytes, dict[str, str]]:
        """Something typed, pressed or chosen: the operation of SimCord that everything else waits for."""
        asked = _object(body)
        if asked.get("kind") == "close":
            # It would end the place for every tab.
            raise web.HTTPConflict(text="The places of a rehearsal stay open.")
        async with self.places.operation(place):
            status, answer, headers = await self._ask(place, "POST", "/api/action", body, request.headers)
            told = _object(answer)
            if asked and _is_stale(told) and self._still_true(place, asked, request.headers.get(CONTEXT, "")):
                # Somebody acted between the page's last poll and this. What it acts on is as it was shown,
                # so this goes through, as it would on Discord.
                again = json.dumps(asked | {"published_revision": told.get("revision")}).encode()
                status, answer, headers = await self._ask(place, "POST", "/api/action", again, request.headers)
        return status, answer, headers

    def _still_true(self, place: Place, asked: dict[str, Any], context: str) -> bool:
        """Whether the message acted on, if any, still looks as the page has last been shown it."""
        target = asked.get("target_id")
        if asked.get("kind") not in ("click", "select") or not str(target).isdecimal():
            return True
        return place.changed.get(int(str(target)), 0) <= self._shown.get(context, 0)

    async def _opened(self, key: str, timezone: str = "UTC") -> Place:
        """The place of that name, with its Preview open."""
        place = self.places.get(key)
        if place is None:
            raise web.HTTPNotFound(text="There is no such place at this table.")
        if place.preview is None:
            await self.places.open(place, _known_zone(timezone))
        return place

    async def _ask(
        self, place: Place, method: str, path: str, body: bytes = b"", headers: Any = None
    ) -> tuple[int, bytes, dict[str, str]]:
        """Passes a request on to the place's Preview: status, body, and the headers to return."""
        if self._session is None:
            raise web.HTTPServiceUnavailable
        origin, secret = place.address
        sent = {name: headers[name] for name in PASSED if headers is not None and name in headers}
        try:
            async with self._session.request(
                method, origin + path, data=body or None, headers=sent | {CAPABILITY: secret}
            ) as answer:
                returned = {name: answer.headers[name] for name in RETURNED if name in answer.headers}
                return answer.status, await answer.read(), returned
        except ClientError as problem:
            _log.debug("the page of %s did not answer: %s", place.key, problem)
            raise web.HTTPBadGateway from problem


def _object(body: bytes) -> dict[str, Any]:
    """A JSON object, or an empty one when it is something else (an upload)."""
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _is_stale(told: dict[str, Any]) -> bool:
    """Whether SimCord refused because the page had been published anew since."""
    return told.get("rejected") is True and any(
        isinstance(item, dict) and item.get("code") == "stale-revision" for item in told.get("diagnostics", ())
    )


def _known_zone(name: str) -> str:
    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return "UTC"
