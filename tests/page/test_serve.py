"""How the page is served: one address, one sentence when it cannot be, and for this machine's browser only."""

import signal
import socket
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

pytestmark = pytest.mark.slow


def fetch(address: str, **headers: str):
    """Status and headers of an answer, whatever it is."""
    try:
        with urlopen(Request(address, headers=headers), timeout=45) as answer:
            return answer.status, answer.headers
    except HTTPError as answer:
        with answer:
            return answer.code, answer.headers


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_without_a_word(bourse, number) -> None:
    assert fetch(bourse.address + "at/bob.dm")[0] == 200
    code, out, complaints = bourse.end(number)
    assert (code, out) == (0, "")
    assert "Traceback" not in complaints


def test_a_taken_port_is_one_sentence(stopped) -> None:
    with socket.create_server(("127.0.0.1", stopped.port)):
        process = stopped.start().process
        out, complaints = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    last = complaints.strip().splitlines()[-1]
    assert last.startswith(f"bourse: Port {stopped.port} ")
    assert "BOURSE_PORT" in last
    assert "Traceback" not in complaints


def test_only_our_own_page_may_frame_a_place(bourse) -> None:
    status, headers = fetch(bourse.address)
    assert status == 200
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    status, headers = fetch(bourse.address + "at/alice.table")
    assert status == 200
    assert "frame-ancestors 'self'" in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] is None


def test_another_name_or_another_site_is_turned_away(bourse) -> None:
    assert fetch(bourse.address, Host=f"table.example:{bourse.port}")[0] == 403
    assert fetch(bourse.address + "bourse/news", Origin="http://table.example")[0] == 403
    assert fetch(bourse.address + "at/nobody.table")[0] == 404
    assert fetch(bourse.address + "bourse/..%2ffront.py")[0] == 404
