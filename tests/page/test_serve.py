"""Tests of the page's server: one address, sentences for errors, and access for this machine's
browser only.
"""

import re
import signal
import socket
from importlib.metadata import version
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.page.conftest import PATIENCE

pytestmark = pytest.mark.slow


def fetch(address: str, **headers: str):
    """Status and headers of an answer, whatever it is."""
    try:
        with urlopen(Request(address, headers=headers), timeout=PATIENCE) as answer:
            return answer.status, answer.headers
    except HTTPError as answer:
        with answer:
            return answer.code, answer.headers


def test_the_terminal_says_where_the_page_is_and_how_to_stop_it(shared) -> None:
    assert shared.said.splitlines() == [
        f"Bourse is at the table: {shared.address}",
        "Ctrl-C stops it. The tables are still there when you start it again.",
    ]


def test_a_signal_ends_it_without_a_word_and_the_ledger_keeps_its_token(stopped, shared) -> None:
    addresses = set()
    for number, forked in ((signal.SIGINT, False), (signal.SIGTERM, True)):
        stopped.start(forked=forked).ready()
        addresses.add(stopped.address)
        assert fetch(stopped.address + "at/bob.dm")[0] == 200
        code, out, complaints = stopped.end(number)
        assert (code, out) == (0, "")
        assert "Traceback" not in complaints
    assert len(addresses) == 1
    assert token(stopped) != token(shared), "every ledger has its own"


def test_a_taken_port_is_one_sentence(stopped) -> None:
    with socket.create_server(("127.0.0.1", stopped.port)):
        code, out, complaints = stopped.start(forked=True).ended()
    assert (code, out) == (2, "")
    last = complaints.strip().splitlines()[-1]
    assert last.startswith(f"bourse: Port {stopped.port} ")
    assert "BOURSE_PORT" in last
    assert "Traceback" not in complaints


def test_only_our_own_page_may_frame_a_place(shared) -> None:
    status, headers = fetch(shared.address)
    assert status == 200
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    status, headers = fetch(shared.address + "at/alice.ti4")
    assert status == 200
    assert "frame-ancestors 'self'" in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] is None


def test_files_of_a_place_are_kept_by_browsers_under_a_name_with_their_version(shared) -> None:
    with urlopen(shared.address + "at/alice.ti4", timeout=PATIENCE) as answer:
        cookie, page = answer.headers["Set-Cookie"].partition(";")[0], answer.read().decode()
    for file in ("app.js", "preview.css"):
        (path,) = re.findall(rf'(?:src|href)="([^"]*/{re.escape(file)})"', page)
        assert f"simcord-{version('simcord')}" in path
        status, headers = fetch(without(shared) + path.removeprefix("/"), Cookie=cookie)
        assert (status, headers["Cache-Control"]) == (200, "public, max-age=86400")


def test_another_name_or_another_site_is_turned_away(shared) -> None:
    assert fetch(shared.address, Host=f"table.example:{shared.port}")[0] == 403
    assert fetch(shared.address + "bourse/news", Origin="http://table.example")[0] == 403
    assert fetch(shared.address + "at/nobody.table")[0] == 404
    assert fetch(shared.address + "bourse/..%2ffront.py")[0] == 404


def token(bourse) -> str:
    return bourse.address.split("/")[3]


def without(bourse) -> str:
    """The address of the page without the token in it."""
    return f"http://127.0.0.1:{bourse.port}/"


@pytest.mark.parametrize(
    "path",
    [
        "",
        "bourse/news",
        "bourse/start.js",
        "at/bob.dm",
        "app.js",
        "fonts/x.ttf",
        "api/state",
        "api/commands",
        "x/",
        "x/at/bob.dm",
        "x/bourse/news",
        "api/assets/1",
    ],
)
def test_who_does_not_know_the_token_is_turned_away(shared, path) -> None:
    assert fetch(without(shared) + path)[0] == 403
    assert fetch(without(shared) + path, **{"X-Simcord-Capability": "bob.dm"})[0] == 403
    assert fetch(without(shared) + path, **{"X-Simcord-Capability": "x.bob.dm"})[0] == 403
    assert fetch(without(shared) + path, Cookie=f"bourse-{shared.port}=x")[0] == 403


def web_socket(port: int, path: str) -> str:
    """The first line of the answer to the request for a web socket."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as line:
        line.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: "
            "websocket\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
            "dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        return line.recv(4096).decode(errors="replace").splitlines()[0]


def test_the_events_are_for_those_who_know_the_token(shared) -> None:
    assert " 101 " in web_socket(shared.port, f"/{token(shared)}/bourse/news")
    assert " 403 " in web_socket(shared.port, "/bourse/news")
    assert " 403 " in web_socket(shared.port, "/x/bourse/news")


def test_what_the_cookie_opens(shared) -> None:
    """Every server on this machine is shown it by the browser, so it opens nothing but files of
    SimCord's.
    """
    _, headers = fetch(shared.address)
    cookie = headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert token(shared) not in cookie
    pair = cookie.partition(";")[0]
    assert fetch(without(shared) + "app.js", Cookie=pair)[0] == 200
    for path in (
        "bourse/news",
        "at/bob.dm",
        "api/state",
        f"simcord-{version('simcord')}/api/state",
    ):
        assert fetch(without(shared) + path, Cookie=pair)[0] == 403
    opened = fetch(
        without(shared) + "api/commands", **{"X-Simcord-Capability": f"{token(shared)}.bob.dm"}
    )[0]
    assert opened != 403
