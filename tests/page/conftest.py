"""Bourse as a process of its own, without a token, and a browser to play in it."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.loopback.nursery import Forked, nursery
from tests.loopback.process import MEASURED
from tests.page.browser import chromium, starting

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120.0
SOON = 120_000
"""Milliseconds within which a page shows what it must, on a busy machine too."""
LONGEST = 900.0
"""Seconds that a test may take in the browser: far more than it takes beside twenty others. What
Playwright evaluates in a page has no limit of its own.
"""


class Bourse:
    """`bourse` on one database file and one port, started and stopped as often as a test likes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = ""
        self.process: subprocess.Popen[bytes] | Forked | None = None

    def start(self, *, forked: bool = False, **settings: str) -> "Bourse":
        """Start it; `forked`, it need not load its modules."""
        environment = {
            k: v for k, v in os.environ.items() if not k.startswith(("DISCORD_", "BOURSE_"))
        }
        environment |= {
            "BOURSE_PORT": str(self.port),
            "DATABASE_URL": f"sqlite:///{self.folder / 'bourse.db'}",
            "PYTHONPATH": str(ROOT),
            **settings,
        }
        with self._out.open("w") as out, self._err.open("w") as err:
            if forked and MEASURED not in os.environ:
                files = out.fileno(), err.fileno()
                self.process = nursery().fork(self.folder, environment, {}, (), *files)
                return self
            self.process = subprocess.Popen(
                [sys.executable, "-m", "bot"],
                cwd=self.folder,
                env=environment,
                stdout=out,
                stderr=err,
            )
        return self

    def ready(self) -> "Bourse":
        """Waits for the line that says where the page is."""
        assert self.process is not None
        until = time.monotonic() + PATIENCE
        while not (line := self._out.read_text()).endswith("\n"):
            assert self.process.poll() is None, (line, self.ended())
            assert time.monotonic() < until, (line, self.end(signal.SIGKILL))
            time.sleep(0.02)
        found = re.search(rf"http://127\.0\.0\.1:{self.port}/[\w-]{{16,}}/", line)
        assert found is not None, (line, self.end(signal.SIGKILL))
        self.address = found[0]
        self.said = line
        return self

    def end(self, number: int) -> tuple[int, str, str]:
        """Sends a signal and waits: exit code, what else was printed, and what was complained
        of.
        """
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.ended()

    def ended(self) -> tuple[int, str, str]:
        """Waits for the end: exit code, what was printed once it was ready, and what was complained
        of.
        """
        assert self.process is not None
        process, self.process = self.process, None
        code = process.wait(PATIENCE)
        return code, self._out.read_text().removeprefix(self.said), self._err.read_text()

    said = ""

    @property
    def _out(self) -> Path:
        return self.folder / "stdout"

    @property
    def _err(self) -> Path:
        return self.folder / "stderr"


@pytest.fixture
def stopped(tmp_path: Path) -> Iterator[Bourse]:
    bourse = Bourse(tmp_path)
    yield bourse
    if bourse.process is not None:
        bourse.end(signal.SIGKILL)


@pytest.fixture
def bourse(stopped: Bourse) -> Bourse:
    return stopped.start(forked=True).ready()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bourse]:
    """One that runs for all tests of a file: they look, or change nothing that another looks at."""
    bourse = Bourse(tmp_path_factory.mktemp("shared")).start(forked=True).ready()
    yield bourse
    bourse.end(signal.SIGKILL)


@pytest.fixture(scope="module")
def browser():
    """The system's Chromium. No longer than a module: while it is there, no other test can run a
    loop of its own.
    """
    executable = chromium()
    if executable is None:
        pytest.skip("there is no Chromium on this machine")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        with starting():
            browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def limited(browser) -> Iterator[None]:
    """Kill the browser under a test that hangs: whatever it waits for then fails."""
    asked = browser.new_browser_cdp_session()
    processes = asked.send("SystemInfo.getProcessInfo")["processInfo"]
    asked.detach()
    number = next(each["id"] for each in processes if each["type"] == "browser")
    timer = threading.Timer(LONGEST, os.kill, (number, signal.SIGKILL))
    timer.start()
    yield
    timer.cancel()


@pytest.fixture
def tabs(browser, limited):
    """Opens tabs of one window; a script that fails in one of them fails the test."""
    # Fades are pictures to draw that no test looks at.
    window = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    window.set_default_timeout(SOON)
    failed: list[str] = []
    window.on("weberror", lambda error: failed.append(str(error.error)))
    yield window
    window.close()
    assert not failed
