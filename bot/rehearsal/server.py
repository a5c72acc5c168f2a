"""The page's web server: one address for the start page and all of SimCord's pages.

SimCord serves each Preview on its own port, admits only requests with its secret, and forbids
frames. This server is a proxy in front: it serves the start page, and passes everything else on to
the Preview of the requested place. A frame's address names its place
(`/TOKEN/at/bob.dm#TOKEN.bob.dm`). SimCord's page takes the part after the # for its secret and
sends it with every request; the proxy exchanges it for the real secret.

Other people may use the same machine, so every request must show the token in the page's address:
our own pages lie below it, and SimCord's pages send it with their requests for a place. SimCord's
scripts and fonts have addresses of their own; they are served to browsers with a cookie that shows
they opened the page. Browsers send cookies to all ports of a machine, so the cookie opens these
files and nothing else. They are read from SimCord's package, so no Preview is asked for them.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import secrets
from collections.abc import Awaitable, Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import simcord.preview
from aiohttp import ClientError, ClientSession, ClientTimeout, WSCloseCode, web

from bot.rehearsal.avatars import DRAWN
from bot.rehearsal.cast import CastError
from bot.rehearsal.game_tables import RehearsalTables
from bot.rehearsal.places import Place, Places, described
from bot.rehearsal.play_routes import PlayRoutes, json_object
from bot.rehearsal.watching import PREFIX
from bot.tasks import Tasks

_log = logging.getLogger(__name__)

STATIC: Final = Path(__file__).with_name("static")
_OURS: Final = {path.name: path for path in STATIC.iterdir() if path.is_file()}
CAPABILITY: Final = "X-Simcord-Capability"
CONTEXT: Final = "X-Simcord-Context"
PASSED: Final = ("Content-Type", CONTEXT)
"""Request headers that are passed on, besides the secret."""
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
"""Headers of SimCord's answer that are returned. Those about framing and caching are replaced."""
FILES: Final = f"/simcord-{version('simcord')}"
"""The address of SimCord's scripts and styles. Browsers cache them, so it includes the version."""
_SIMCORD: Final = Path(simcord.preview.__file__).with_name("static")
_TYPES: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".ttf": "font/ttf",
}
REQUEST_MAX: Final = 27 * 1024 * 1024
"""The largest request, in bytes: slightly more than SimCord's limit on uploads."""

_POLICY: Final = (
    "default-src 'self'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self' "
    "blob:; "
    "img-src 'self' blob: data:; media-src 'self' blob:; object-src 'none'; base-uri 'none'; "
)
_COMMON_HEADERS: Final = {"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}
_START_HEADERS: Final = _COMMON_HEADERS | {
    "Content-Security-Policy": _POLICY + "frame-src 'self'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}
_FRAME_HEADERS: Final = _COMMON_HEADERS | {
    "Content-Security-Policy": _POLICY + "frame-ancestors 'self'"
}
_CACHED: Final = "public, max-age=86400"
_UNCACHED: Final = "no-store"


Passed = tuple[int, bytes, dict[str, str]]
"""What is sent back of SimCord's answer: status, body and headers."""


class PageServer:
    """The aiohttp application, its listeners, and what each of SimCord's pages was last shown."""

    def __init__(
        self, port: int, token: str, rehearsal_tables: RehearsalTables, places: Places
    ) -> None:
        self.port = port
        self.rehearsal_tables, self.places = rehearsal_tables, places
        places.changed = self.announce
        self._token = token
        self._cookie = f"bourse-{port}", hashlib.sha256(f"files of {token}".encode()).hexdigest()
        self._run = secrets.token_hex(8)
        self._listeners: set[web.WebSocketResponse] = set()
        self._shown: dict[str, int] = {}
        self._files = dict[str, str]()
        for file in _SIMCORD.rglob("*"):
            if file.suffix in _TYPES:
                path = f"/{file.relative_to(_SIMCORD).as_posix()}"
                self._files[path] = self._files[FILES + path] = path
        self._tasks = Tasks()
        self.play_routes = PlayRoutes(self.announce)
        self._session = ClientSession(timeout=ClientTimeout(total=None), auto_decompress=False)
        self.app = web.Application(client_max_size=REQUEST_MAX, middlewares=[self._guard])
        self.app.router.add_get(f"/{token}/", self._start)
        self.app.router.add_get(f"/{token}/bourse/news", self._events)
        self.app.router.add_routes(self.play_routes.routes(f"/{token}/bourse"))
        self.app.router.add_post(f"/{token}/bourse/games/{{game}}", self._lay)
        self.app.router.add_get(f"/{token}/bourse/{{file}}", self._static)
        self.app.router.add_get(f"/{token}/at/{{place}}", self._frame)
        self.app.router.add_route("*", "/api/{rest:.*}", self._api)
        for address in self._files:
            self.app.router.add_get(address, self._simcord_file)
        self.app.on_shutdown.append(self._close_listeners)
        self.app.on_cleanup.append(self._close_session)

    async def _close_listeners(self, _app: web.Application) -> None:
        for listener in list(self._listeners):
            await listener.close(code=WSCloseCode.GOING_AWAY)

    async def _close_session(self, _app: web.Application) -> None:
        await self._session.close()

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Admit only requests to our own address, from our own page, that show the token.

        That excludes rebound host names, scripts of other sites, and other people on this machine.
        """
        hosts = {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}
        if self.port == 80:
            hosts |= {"127.0.0.1", "localhost"}
        origin = request.headers.get("Origin")
        from_elsewhere = origin is not None and origin.removeprefix("http://") not in hosts
        if request.host not in hosts or from_elsewhere:
            raise web.HTTPForbidden(text=f"The rehearsal is at http://127.0.0.1:{self.port}/")
        if request.path.startswith("/api/"):
            given, _, _place = request.headers.get(CAPABILITY, "").partition(".")
            knows = _same(given, self._token)
        elif request.path in self._files:
            name, value = self._cookie
            knows = _same(request.cookies.get(name, ""), value)
        else:
            knows = _same(request.path.split("/")[1], self._token)
        if not knows:
            raise web.HTTPForbidden(
                text="Open the rehearsal with the complete address that Bourse printed when it "
                "started."
            )
        return await handler(request)

    def _with_cookie(self, page: web.Response) -> web.Response:
        """Add the cookie for SimCord's files to a page."""
        page.set_cookie(*self._cookie, httponly=True, samesite="Strict")
        return page

    # ----------------------------------------------------------- our own page

    async def _start(self, _request: web.Request) -> web.StreamResponse:
        page = (STATIC / "start.html").read_text("utf-8")
        return self._with_cookie(
            web.Response(text=page, content_type="text/html", headers=_START_HEADERS)
        )

    async def _static(self, request: web.Request) -> web.StreamResponse:
        kinds = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
        path = _OURS.get(request.match_info["file"])
        kind = kinds.get(path.suffix) if path else None
        if path is None or kind is None:
            raise web.HTTPNotFound
        return web.Response(
            text=path.read_text("utf-8"),
            content_type=kind,
            headers=_COMMON_HEADERS | {"Cache-Control": _UNCACHED},
        )

    async def _events(self, request: web.Request) -> web.StreamResponse:
        """Send the state over a web socket, at once and after each change."""
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

    def announce(self) -> None:
        """Send the state to all listeners."""
        if self._listeners:
            self._tasks.start("sending the page's state", self._send(self._state()))

    async def _send(self, state: str) -> None:
        for listener in list(self._listeners):
            try:
                await listener.send_str(state)
            except ConnectionError:
                self._listeners.discard(listener)

    def _state(self) -> str:
        """Return the start page's state as JSON."""
        return json.dumps(
            {
                "run": self._run,
                "now": self.places.now.isoformat(),
                "game": self.rehearsal_tables.cast.game,
                "games": self.rehearsal_tables.described(),
                "places": [described(place) for place in self.places],
                "play": self.play_routes.report(),
            }
        )

    async def _lay(self, request: web.Request) -> web.StreamResponse:
        """Set up another game's table."""
        game = request.match_info["game"]
        if game not in self.rehearsal_tables.cast.tables:
            raise web.HTTPNotFound(text="There is no such game here.")
        try:
            async with self.places.operation():
                await self.rehearsal_tables.set_up(game)
        except CastError as problem:
            raise web.HTTPConflict(text=str(problem)) from problem
        self.announce()
        return web.Response()

    # --------------------------------------------------------- SimCord's pages

    async def _frame(self, request: web.Request) -> web.StreamResponse:
        """Serve SimCord's page of a place, with a style sheet that fits it into ours."""
        place = await self._opened(
            request.match_info["place"], request.query.get("timezone", "UTC")
        )
        status, body, _headers = await self._ask(place, "GET", "/")
        own = "".join(
            f"<script src=../bourse/{script}></script>" for script in ("theme.js", "frame.js")
        )
        own += '<link rel="stylesheet" href="../bourse/frame.css"></head>'
        page = body.decode().replace("</head>", own, 1)
        for file in ("/app.js", "/preview.css"):
            page = page.replace(f'="{file}"', f'="{FILES}{file}"', 1)
        if place.key.startswith(PREFIX):
            page = page.replace("<body", "<body data-watched", 1)
        headers = _FRAME_HEADERS | {"Cache-Control": _UNCACHED}
        return self._with_cookie(
            web.Response(status=status, text=page, content_type="text/html", headers=headers)
        )

    async def _simcord_file(self, request: web.Request) -> web.StreamResponse:
        """Serve a script, style or font of SimCord's page. They are the same in every place."""
        path = self._files[request.path]
        # Without caching, each opened place would load sixty files again.
        headers = _FRAME_HEADERS | {
            "Cache-Control": _CACHED,
            "Content-Type": _TYPES[Path(path).suffix],
        }
        return web.FileResponse(_SIMCORD / path[1:], headers=headers)

    async def _api(self, request: web.Request) -> web.StreamResponse:
        """Pass a request of SimCord's page on to its place's Preview."""
        _, _, key = request.headers.get(CAPABILITY, "").partition(".")
        place = await self._opened(key)
        body = await request.read()
        if request.method == "POST" and request.path == "/api/action":
            if place.key.startswith(PREFIX):
                act = partial(self._ask, place, "POST", "/api/action", body, request.headers)
                status, answer, headers = await self.play_routes.look(
                    json_object(body).get("kind"), act
                )
            else:
                status, answer, headers = await self._action(place, request, body)
        elif request.path.startswith("/api/assets/"):
            status, answer, headers = await self._asset(place, request)
        else:
            before = place.version
            status, answer, headers = await self._ask(
                place, request.method, str(request.rel_url), body, request.headers
            )
            if request.path == "/api/state" and status == 200:
                self._shown[request.headers.get(CONTEXT, "")] = before
            if place.kind == "dm" and request.path in ("/api/state", "/api/pages"):
                # In a DM SimCord knows only the names of its two people; Discord names everyone on
                # a shared server.
                company = self.play_routes if place.key.startswith(PREFIX) else self.places
                answer = company.plain(answer.decode()).encode()
        return web.Response(
            status=status,
            body=answer,
            headers=headers | _FRAME_HEADERS | {"Cache-Control": _UNCACHED},
        )

    async def _asset(self, place: Place, request: web.Request) -> Passed:
        """Pass on the request for a picture, except for avatars, which are served from here.

        SimCord starts a process to inspect each picture in each page.
        """
        status, answer, _headers = await self._ask(
            place, "GET", f"{request.path}?download=1", b"", request.headers
        )
        if answer in DRAWN:
            return status, answer, {"Content-Type": "image/png"}
        return await self._ask(place, request.method, str(request.rel_url), b"", request.headers)

    async def _action(self, place: Place, request: web.Request, body: bytes) -> Passed:
        """Pass on a typed, pressed or chosen action, holding the lock."""
        asked = json_object(body)
        if asked.get("kind") == "close":
            # Closing would affect every tab.
            raise web.HTTPConflict(text="You can't close the places of a rehearsal.")
        if asked.get("kind") == "send_message" and isinstance(asked.get("content"), str):
            asked["content"] = self.places.mentioning(asked["content"])
            body = json.dumps(asked).encode()
        async with self.places.operation(place):
            status, answer, headers = await self._ask(
                place, "POST", "/api/action", body, request.headers
            )
            answered = json_object(answer)
            if (
                asked
                and _is_stale(answered)
                and self._as_shown(place, asked, request.headers.get(CONTEXT, ""))
            ):
                # Another person acted after the page's last poll, and SimCord refuses for that
                # alone. Discord would not, as long as the message still looks as it was shown. So
                # send the action again.
                again = json.dumps(
                    asked | {"published_revision": answered.get("revision")}
                ).encode()
                status, answer, headers = await self._ask(
                    place, "POST", "/api/action", again, request.headers
                )
        return status, answer, headers

    def _as_shown(self, place: Place, asked: dict[str, Any], context: str) -> bool:
        """Return whether the message acted on, if any, still looks as the page last showed it."""
        target = asked.get("target_id")
        if asked.get("kind") not in ("click", "select") or not str(target).isdecimal():
            return True
        return place.changed.get(int(str(target)), 0) <= self._shown.get(context, 0)

    async def _opened(self, key: str, timezone: str = "UTC") -> Place:
        """Return the place with this key, its Preview open. Raises ``HTTPNotFound`` for none."""
        if key.startswith(PREFIX):
            place = await self.play_routes.place(key)
        else:
            place = self.places.get(key)
        if place is None:
            raise web.HTTPNotFound(text="There is no such place at this table.")
        if place.preview is None:
            await self.places.open(place, _known_zone(timezone))
        return place

    async def _ask(
        self, place: Place, method: str, path: str, body: bytes = b"", headers: Any = None
    ) -> Passed:
        """Pass a request on to a Preview, and return what to send back."""
        origin, secret = place.address
        sent = {name: headers[name] for name in PASSED if headers is not None and name in headers}
        try:
            async with self._session.request(
                method, origin + path, data=body or None, headers=sent | {CAPABILITY: secret}
            ) as answer:
                returned = {
                    name: answer.headers[name] for name in RETURNED if name in answer.headers
                }
                return answer.status, await answer.read(), returned
        except ClientError as problem:
            _log.debug("the page of %s did not answer: %s", place.key, problem)
            raise web.HTTPBadGateway from problem


def _same(given: str, secret: str) -> bool:
    """Compare with a secret in constant time."""
    return hmac.compare_digest(given.encode(errors="surrogateescape"), secret.encode())


def _is_stale(answer: dict[str, Any]) -> bool:
    """Return whether SimCord refused because the page was published again meanwhile."""
    if answer.get("rejected") is not True:
        return False
    items = [item for item in answer.get("diagnostics", ()) if isinstance(item, dict)]
    return any(item.get("code") == "stale-revision" for item in items)


def _known_zone(name: str) -> str:
    """Return the time zone with this name, UTC if unknown."""
    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return "UTC"
