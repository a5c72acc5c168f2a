"""Tests that games come from packages of their own, without the core knowing them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.scale import variants

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
AUCTION = ROOT / "examples" / "auction" / "bourse_auction"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both packages installed in ``site``, and the ledger of both games played there.

    The bazaar is as its ``pyproject.toml`` has it.
    """
    folder = tmp_path_factory.mktemp("played")
    site = folder / "site"
    pyproject = (HERE / "bazaar" / "pyproject.toml").read_text(encoding="utf-8")
    points = tomllib.loads(pyproject)["project"]["entry-points"]
    install(site, HERE / "bazaar" / "bourse_bazaar.py", points["bourse.games"])
    install(site, AUCTION, {"auction": "bourse_auction:GAME"})
    done = run(HERE / "played.py", f"sqlite:///{folder / 'bourse.db'}", path=site)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder


@pytest.fixture
def site(played: Path, tmp_path: Path) -> Path:
    """A copy of that."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    return tmp_path / "site"


def install(
    site: Path,
    module: Path,
    games: Mapping[str, str],
    cogs: Mapping[str, str] | None = None,
    *,
    version: str = "1.0",
) -> None:
    """Leave in the directory what pip leaves of a package with that module or folder."""
    info = site / f"{module.stem}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {module.stem.replace('_', '-')}\nVersion: {version}\n"
    )
    lines = list[str]()
    for group, points in (("bourse.games", games), ("bourse.cogs", cogs or {})):
        lines.append(f"[{group}]")
        lines += [f"{name} = {value}" for name, value in points.items()]
    (info / "entry_points.txt").write_text("\n".join(lines))
    if module.is_dir():
        shutil.copytree(module, site / module.name, dirs_exist_ok=True)
    else:
        shutil.copy(module, site)


def run(*arguments: str | Path, path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    packages = f"{path}{os.pathsep}{ROOT}"
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        env={**os.environ, **environment, "PYTHONPATH": packages},
        cwd=path.parent,
        capture_output=True,
        text=True,
        check=False,
    )


def test_games_of_outside_packages_are_played_and_verify_where_they_are_not_installed(
    site: Path, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'bourse.db'}"
    (tmp_path / "elsewhere").mkdir()
    done = run("-m", "bot", "verify", path=site, DATABASE_URL=url)
    assert (done.returncode, done.stderr) == (0, "")
    first, second, third = done.stdout.splitlines()
    assert first.startswith("table 1 (Friday): ")
    assert second.startswith("table 2 (Saturday): ")
    assert third.startswith("table 3 (Sunday): ")
    there = run("-m", "bot", "verify", path=tmp_path / "elsewhere", DATABASE_URL=url)
    unchecked = "the chain holds, but what it leads to can't be checked from entry 1 on"
    unchecked += ": This table plays"
    assert (there.returncode, there.stderr) == (3, "")
    assert there.stdout.splitlines() == [
        first,
        f"table 1 (Friday): {unchecked} auction, which is not installed here.",
        second,
        f"table 2 (Saturday): {unchecked} bazaar, which is not installed here.",
        third,
        f"table 3 (Sunday): {unchecked} auction, which is not installed here.",
    ]


RENAMED = ('"auction.up"', '"auction.shown"')
READS = (
    "    painting: str\n    seed:",
    '    reads: ClassVar[Reads] = {("auction.up", 1): lambda old: old | {"v": 1}}\n'
    "    painting: str\n    seed:",
)


@pytest.mark.parametrize("reads", variants(False, True))
def test_the_next_version_of_a_game_renames_an_entry(
    site: Path, tmp_path: Path, reads: bool
) -> None:
    """What it does not say that it reads is told, and the next table is checked all the same."""
    url = f"sqlite:///{tmp_path / 'bourse.db'}"
    shutil.rmtree(site / "bourse_auction-1.0.dist-info")
    text = (AUCTION / "bidding.py").read_text(encoding="utf-8")
    changes = [RENAMED]
    if reads:
        imports = (
            ("Literal\n", "ClassVar, Literal\n"),
            ("    Refused,\n", "    Reads,\n    Refused,\n"),
        )
        changes += [READS, *imports]
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    shutil.copytree(AUCTION, tmp_path / "bourse_auction")
    (tmp_path / "bourse_auction" / "bidding.py").write_text(text)
    install(site, tmp_path / "bourse_auction", {"auction": "bourse_auction:GAME"}, version="2.0")
    verified = run("-m", "bot", "verify", path=site, DATABASE_URL=url)
    checked = run("-m", "bot", "check", path=site, DATABASE_URL=url)
    told = "auction.up (version 1) at 1 table can't be read: auction 2.0 does not read it."
    assert verified.stderr == ""
    if reads:
        assert verified.returncode == 0
        assert told not in checked.stdout
        return
    assert verified.returncode == 3
    _, first, other, _, third = verified.stdout.splitlines()
    unchecked = "the chain holds, but what it leads to can't be checked from entry "
    assert first.startswith(f"table 1 (Friday): {unchecked}")
    assert third.startswith(f"table 3 (Sunday): {unchecked}")
    for line in (first, third):
        assert line.endswith(
            "This table was opened with auction 1.0, and the version installed here can't read it."
        )
    assert other.startswith("table 2 (Saturday): ")
    assert f"TO DO   games: {told}" in checked.stdout


def test_a_game_that_cant_be_loaded_is_left_out_with_a_sentence(site: Path, tmp_path: Path) -> None:
    (site / "bourse_auction" / "__init__.py").write_text("GAME = 3\n")
    script = (
        "import logging; logging.basicConfig(); from bot.rules.registry import games; "
        "print(*games())"
    )
    done = run("-c", script, path=site)
    assert done.stdout.split() == ["advciv", "any", "ti4", "bazaar"]
    fault = (
        "the game auction of bourse-auction 1.0 is left out: its entry point is not a bot.api.Game."
    )
    assert fault in done.stderr
