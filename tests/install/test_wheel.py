"""The built wheel in an environment of its own, as ``pipx install`` makes it: without the rehearsal, then with it."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from bot import __version__
from bot.ledger import Ledger
from tests.cli.files import gained, new_table

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


class Installed:
    """An environment with the wheel, and an empty folder in which its commands are typed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "typed here"
        self.folder.mkdir()
        self.bin = folder / "environment" / "bin"
        call = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
        subprocess.run(call, cwd=ROOT, check=True, capture_output=True)
        [self.wheel] = folder.glob("bourse_bot-*.whl")
        subprocess.run([sys.executable, "-m", "venv", self.bin.parent], check=True)
        # The lock's versions without its hashes, since pip would demand a hash of the wheel as well.
        pinned = re.findall(r"^(\S+==\S+(?: ;[^\\\n]*)?)", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
        self.pins = folder / "pins.txt"
        self.pins.write_text("\n".join(pinned))
        self.install("")

    def install(self, extra: str) -> None:
        """Install the wheel with an extra such as ``[rehearsal]``."""
        call = [self.bin / "pip", "install", "-q", "--no-compile", "-c", self.pins, f"{self.wheel}{extra}"]
        subprocess.run(call, check=True)

    def environment(self) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "HOME": str(self.folder)}

    def type(self, *words: str) -> CompletedProcess[str]:
        """Type a command of Bourse in the folder, and return what it did."""
        return subprocess.run(
            [self.bin / "bourse", *words],
            cwd=self.folder, env=self.environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("wheel"))


def test_without_the_rehearsal(installed: Installed) -> None:
    assert installed.type("--version").stdout == f"Bourse {__version__}\n"
    assert "bourse.db" in installed.type("verify").stderr
    for words in ((), ("play", str(ROOT / "tests" / "plays" / "first_trade.play"))):
        refused = installed.type(*words)
        assert refused.returncode == 2
        assert "pip install 'bourse-bot[rehearsal]'" in refused.stderr

    async def begin() -> None:
        ledger = await Ledger.open(str(installed.folder / "bourse.db"))
        await new_table(ledger, [gained()])
        await ledger.close()

    asyncio.run(begin())
    verified = installed.type("verify")
    assert verified.returncode == 0
    assert "table 1" in verified.stdout


def test_with_the_rehearsal(installed: Installed, tmp_path: Path) -> None:
    installed.install("[rehearsal]")
    played = installed.type("play", str(ROOT / "tests" / "plays" / "first_trade.play"))
    assert (played.returncode, played.stdout[:2]) == (0, "ok"), played.stdout + played.stderr
    with subprocess.Popen(
        [installed.bin / "bourse"],
        cwd=tmp_path, env=installed.environment() | {"BOURSE_PORT": "0"}, stdout=subprocess.PIPE, text=True,
    ) as page:  # fmt: skip
        assert page.stdout is not None
        try:
            address = next(match[0] for line in page.stdout if (match := re.search(r"http://\S+", line)))
            with urllib.request.urlopen(address) as answer:
                assert "Bourse" in answer.read().decode()
        finally:
            page.send_signal(signal.SIGINT)
    assert page.returncode == 0


def test_the_examples_keep_their_own_checks(installed: Installed) -> None:
    """As an author runs them: Bourse and the game from wheels, and the tests beside."""
    installed.install("[rehearsal]")
    pip = [installed.bin / "pip", "install", "-q", "--no-compile", "-c", installed.pins]
    dev = re.findall(r"^((?:pytest|hatchling)==\S+)", (ROOT / "requirements-dev.lock").read_text(), re.MULTILINE)
    subprocess.run([*pip, *dev], check=True)
    for example in ("auction", "fair"):
        folder = ROOT / "examples" / example
        subprocess.run([*pip, "--no-deps", "--no-build-isolation", folder], check=True)
        ran = subprocess.run(
            [installed.bin / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", folder],
            cwd=installed.folder, env=installed.environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert installed.type("games", "check", f"bourse-{example}").returncode == 0
