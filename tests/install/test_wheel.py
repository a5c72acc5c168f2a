"""Tests of the built wheel in its own environment, as ``pipx install`` makes it, without and with
the rehearsal.

The rehearsal and the examples wait for `make long`.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from packaging.requirements import Requirement

from bot import __version__
from bot.ledger import Ledger
from tests.cli.files import new_table
from tests.ledger.samples import gained

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def needed(*wanted: str) -> set[str]:
    """Return the names of the packages that these requirements need, among those installed here.

    Raises if one is missing, or has a version that is not wanted.
    """
    waiting = list(map(Requirement, wanted))
    found: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        need = waiting.pop()
        if (need.name, frozenset(need.extras)) in found:
            continue
        found.add((need.name, frozenset(need.extras)))
        there = distribution(need.name)
        assert need.specifier.contains(there.version, prereleases=True), need
        waiting += requirements(there, need.extras)
    return {name for name, _ in found}


def requirements(package: Distribution, extras: Iterable[str] = ()) -> list[Requirement]:
    """Return what a package requires on this machine, with these extras of it."""
    needed = list[Requirement]()
    for requirement in map(Requirement, package.requires or []):
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            needed.append(requirement)
    return needed


class Installed:
    """An environment with the wheel, and an empty folder in which its commands are typed.

    What the wheel needs is linked from the environment of the tests, which has the lock's versions:
    nothing is fetched, and what the wheel does not ask for is not there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "typed here"
        self.folder.mkdir()
        environment = folder / "environment"
        self.bin = environment / "bin"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
        [self.site] = environment.glob("lib/python*/site-packages")
        self.install(ROOT)
        [self.package] = distributions(name="bourse-bot", path=[str(self.site)])
        self.link()

    def install(self, folder: Path) -> None:
        """Build the wheel of this folder and install it, without what it needs."""
        wheels = self.folder.parent / f"wheel of {folder.name}"
        build = [
            sys.executable,
            "-m",
            "hatchling",
            "build",
            "--target",
            "wheel",
            "--directory",
            str(wheels),
        ]
        subprocess.run(build, cwd=folder, check=True, capture_output=True)
        call = [
            sys.executable,
            "-m",
            "pip",
            "--python",
            self.bin / "python",
            "install",
            "-q",
            "--no-compile",
        ]
        subprocess.run([*call, "--no-index", "--no-deps", *wheels.glob("*.whl")], check=True)

    def link(self, *extras: str, also: Iterable[str] = ()) -> None:
        """Have what the wheel needs, with these extras of it, and other packages."""
        for name in needed(*map(str, requirements(self.package, extras)), *also):
            there = distribution(name)
            tops = {file.parts[0] for file in there.files or []}
            for part in tops - {".."}:
                if not (self.site / part).exists():
                    (self.site / part).symlink_to(there.locate_file(part))

    def environment(self) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "HOME": str(self.folder)}

    def type(self, *words: str) -> CompletedProcess[str]:
        """Type a command of Bourse in the folder, and return what it did."""
        return subprocess.run(
            [self.bin / "bourse", *words],
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("wheel"))


def test_without_the_rehearsal(installed: Installed) -> None:
    assert installed.type("--version").stdout == f"Bourse {__version__}\n"
    assert "bourse.db" in installed.type("verify").stderr
    for words in ((), ("play", str(ROOT / "tests" / "plays" / "first_trade.play"))):
        refused = installed.type(*words)
        assert refused.returncode == 2
        assert re.search(r"-m pip install .*'simcord~=", refused.stderr)
        # which is on no index yet
        assert "bourse-bot" not in refused.stderr.partition("pip install")[2]

    async def begin() -> None:
        ledger = await Ledger.open(str(installed.folder / "bourse.db"))
        await new_table(ledger, [gained()])
        await ledger.close()

    asyncio.run(begin())
    verified = installed.type("verify")
    assert verified.returncode == 0
    assert "table 1" in verified.stdout


@pytest.mark.long
def test_with_the_rehearsal(installed: Installed, tmp_path: Path) -> None:
    installed.link("rehearsal")
    played = installed.type("play", str(ROOT / "tests" / "plays" / "first_trade.play"))
    assert played.returncode == 0, played.stderr
    assert played.stdout.startswith("ok"), played.stdout
    with subprocess.Popen(
        [installed.bin / "bourse"],
        cwd=tmp_path,
        env=installed.environment() | {"BOURSE_PORT": "0"},
        stdout=subprocess.PIPE,
        text=True,
    ) as page:
        assert page.stdout is not None
        try:
            address = next(
                match[0] for line in page.stdout if (match := re.search(r"http://\S+", line))
            )
            with urllib.request.urlopen(address) as answer:
                assert "Bourse" in answer.read().decode()
        finally:
            page.send_signal(signal.SIGINT)
    assert page.returncode == 0


@pytest.mark.long
def test_the_example_keeps_its_own_checks(installed: Installed) -> None:
    """As an author runs them: Bourse and the game from wheels, and the tests beside."""
    installed.link("rehearsal", also=["pytest"])
    folder = ROOT / "examples" / "auction"
    installed.install(folder)
    ran = subprocess.run(
        [installed.bin / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", folder],
        cwd=installed.folder,
        env=installed.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert installed.type("games", "check", "bourse-auction").returncode == 0
