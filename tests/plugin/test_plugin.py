"""Games come from packages of their own, and the core takes them without knowing of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A directory with both packages installed in it: the bazaar as its ``pyproject.toml`` has it, and the fair."""
    site = tmp_path / "site"
    bazaar = tomllib.loads((HERE / "bazaar" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    install(site, HERE / "bazaar" / "bourse_bazaar.py", bazaar["entry-points"]["bourse.games"])
    install(site, HERE / "bourse_fair.py", {"fair": "bourse_fair:GAME"})
    return site


def install(site: Path, module: Path, games: Mapping[str, str]) -> None:
    """Leave in the directory what pip leaves of a package with that module."""
    info = site / f"{module.stem}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module.stem.replace('_', '-')}\nVersion: 1.0\n")
    points = [f"{name} = {value}\n" for name, value in games.items()]
    (info / "entry_points.txt").write_text("".join(["[bourse.games]\n", *points]))
    shutil.copy(module, site)


def run(*arguments: str | Path, path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    found = {**os.environ, **environment, "PYTHONPATH": os.pathsep.join(map(str, (path, ROOT)))}
    return subprocess.run(
        [sys.executable, *map(str, arguments)], env=found, cwd=path.parent, capture_output=True, text=True, check=False
    )


def test_games_of_outside_packages_are_played_and_verify_where_they_are_not_installed(
    site: Path, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'bourse.db'}"
    done = run(HERE / "played.py", url, path=site)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    (tmp_path / "elsewhere").mkdir()
    for path in (site, tmp_path / "elsewhere"):
        done = run("-m", "bot", "verify", path=path, DATABASE_URL=url)
        assert (done.returncode, done.stderr) == (0, "")
        first, second = done.stdout.splitlines()
        assert first.startswith("table 1 (Friday): ")
        assert second.startswith("table 2 (Saturday): ")


def test_a_game_that_cant_be_loaded_is_left_out_with_a_sentence(site: Path, tmp_path: Path) -> None:
    (site / "bourse_fair.py").write_text("GAME = 3\n")
    script = "import logging; logging.basicConfig(); from bot.rules.registry import games; print(*games())"
    done = run("-c", script, path=site)
    assert done.stdout.split() == ["advciv", "bazaar", "ti4"]
    assert "the game fair of bourse-fair 1.0 is left out: its entry point is not a bot.api.Game." in done.stderr
