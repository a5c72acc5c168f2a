"""Bourse as a process of its own, without a token, and a browser to play in it."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0


class Bourse:
    """`bourse` on one database file and one port, started and stopped as often as a test likes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = ""
        self.process: subprocess.Popen[str] | None = None

    def start(self, **settings: str) -> "Bourse":
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("DISCORD_", "BOURSE_"))}
        environment |= {
            "BOURSE_PORT": str(self.port),
            "DATABASE_URL": f"sqlite:///{self.folder / 'bourse.db'}",
            "PYTHONPATH": str(ROOT),
            **settings,
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bot"],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        return self

    def ready(self) -> "Bourse":
        """Waits for the line that says where the page is."""
        assert self.process is not None
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(rf"http://127\.0\.0\.1:{self.port}/[\w-]{{16,}}/", line)
        assert found is not None, (line, self.end(signal.SIGKILL))
        self.address = found[0]
        return self

    def end(self, number: int) -> tuple[int, str, str]:
        """Sends a signal and waits: exit code, what else was printed, and what was complained of."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(number)
        process, self.process = self.process, None
        out, complaints = process.communicate(timeout=PATIENCE)
        return process.returncode, out, complaints


@pytest.fixture
def stopped(tmp_path: Path) -> Iterator[Bourse]:
    bourse = Bourse(tmp_path)
    yield bourse
    if bourse.process is not None:
        bourse.end(signal.SIGKILL)


@pytest.fixture
def bourse(stopped: Bourse) -> Bourse:
    return stopped.start().ready()


@pytest.fixture(scope="module")
def browser():
    """The system's Chromium. No longer than a module: while it is there, no other test can run a loop of its own."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("there is no Chromium on this machine")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def tabs(browser):
    """Opens tabs of one window; a script that fails in one of them fails the test."""
    window = browser.new_context(viewport={"width": 1280, "height": 800})
    window.set_default_timeout(30_000)
    failed: list[str] = []
    window.on("weberror", lambda error: failed.append(str(error.error)))
    yield window
    window.close()
    assert not failed
