"""Tests that the page's cookie opens SimCord's scripts, styles and fonts, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import product
from types import SimpleNamespace
from typing import Any, cast

import pytest
from aiohttp import ClientSession, DummyCookieJar
from aiohttp.test_utils import TestServer
from simcord.preview._server import PreviewServer
from yarl import URL

from bot.rehearsal.server import CAPABILITY, FILES, PageServer

TOKEN = "sesame"

API = (
    "/api/pages",
    "/api/pages/1",
    "/api/state",
    "/api/commands",
    "/api/action",
    "/api/action-result",
    "/api/assets/1",
)
OURS = (
    "/",
    "/bourse/news",
    "/bourse/start.js",
    "/bourse/games/ti4",
    "/at/bob.dm",
    f"/{TOKEN}x/",
    "//",
    "/nothing",
)


class Served(PageServer):
    """A page server whose only place answers everything, and notes what it is asked with its real
    secret.
    """

    def __init__(self, port: int) -> None:
        super().__init__(port, TOKEN, cast(Any, None), cast(Any, SimpleNamespace()))
        self.asked: list[str] = []

    async def _opened(self, key: str, timezone: str = "UTC") -> Any:
        return SimpleNamespace(key="bob.dm", kind="dm", version=0)

    async def _ask(
        self, place: Any, method: str, path: str, body: bytes = b"", headers: Any = None
    ) -> Any:
        self.asked.append(f"{method} {path}")
        return 200, b"", {}


Browser = tuple[Served, str, ClientSession]


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """The server, its address, and a browser that has the cookie only."""
    served = Served(0)
    listening = TestServer(served.app, host="127.0.0.1")
    await listening.start_server()
    assert listening.port is not None
    served.port = listening.port
    async with ClientSession(
        headers={"Cookie": "=".join(served._cookie)}, cookie_jar=DummyCookieJar()
    ) as session:
        yield served, f"http://127.0.0.1:{listening.port}", session
    await listening.close()


def paths() -> list[str]:
    """Return every path of SimCord's server and of ours, with what might be taken for a file's
    address before it.
    """
    plain = [*PreviewServer._STATIC_FILES, *API, *OURS]
    every = [*plain, *("/" + path[1:].replace("/", "%2f") for path in plain)]
    before = ["", "/x", "/fonts", "/fonts/..", "/fonts/%2e%2e", FILES]
    before += [f"{FILES}{odd}" for odd in ("/.", "/%2e%2e", "/fonts/..")]
    return list(map("".join, product(before, every)))


async def test_the_cookie_alone_opens_files_only(browser: Browser) -> None:
    server, address, session = browser
    opened = set()
    for method in ("GET", "POST", "DELETE"):
        for path in paths():
            # Encoded, so that the client does not resolve what is written.
            async with session.request(method, URL(address + path, encoded=True)) as answer:
                if answer.status < 400:
                    opened.add((method, answer.url.path))
    assert server.asked == [], "nothing is passed on with the real secret"
    kinds = (".js", ".css", ".ttf", ".json")
    files = {path for path in PreviewServer._STATIC_FILES if path.endswith(kinds)}
    files.remove("/protocol.schema.json")
    files |= {FILES + path for path in files}
    assert opened == {("GET", path) for path in files}


async def test_with_the_token_a_place_is_asked(browser: Browser) -> None:
    server, address, session = browser
    async with session.get(
        f"{address}/api/commands", headers={CAPABILITY: f"{TOKEN}.bob.dm"}
    ) as answer:
        assert answer.status == 200
    async with session.get(
        f"{address}/api/commands", headers={CAPABILITY: "other.bob.dm"}
    ) as answer:
        assert answer.status == 403
    assert server.asked == ["GET /api/commands"]


async def test_what_no_browser_sends_is_refused_and_no_error(browser: Browser) -> None:
    _, address, _session = browser
    host, port = address.removeprefix("http://").split(":")
    odd = (
        b"GET /api/state HTTP/1.1\r\n%s: \xff\xfe.bob.dm" % CAPABILITY.encode(),
        b"GET /app.js HTTP/1.1\r\nCookie: bourse-%s=\xff" % port.encode(),
        b"GET /%s/bourse/%s.js HTTP/1.1" % (TOKEN.encode(), b"x" * 5000),
    )
    answers = []
    for request in odd:
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"%s\r\nHost: %s:%s\r\n\r\n" % (request, host.encode(), port.encode()))
        answers.append((await reader.readline()).split()[1])
        writer.close()
    assert answers == [b"403", b"403", b"404"]
