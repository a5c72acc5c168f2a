"""A game comes from a package of its own, and the core takes it without knowing of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent

ENTRY_POINTS = """\
[bourse.games]
swap = bourse_swap:GAME
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A directory with the package installed in it, as pip leaves one."""
    site = tmp_path / "site"
    info = site / "bourse_swap-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bourse-swap\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    shutil.copy(HERE / "bourse_swap.py", site)
    return site


def run(*arguments: str | Path, path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    found = {**os.environ, **environment, "PYTHONPATH": os.pathsep.join(map(str, (path, ROOT)))}
    return subprocess.run(
        [sys.executable, *map(str, arguments)], env=found, cwd=path.parent, capture_output=True, text=True, check=False
    )


def test_a_game_of_an_outside_package_is_played(site: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'bourse.db'}"
    done = run(HERE / "played.py", url, path=site)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_its_tables_verify_where_it_is_not_installed(site: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'bourse.db'}"
    assert run(HERE / "played.py", url, path=site).returncode == 0
    (tmp_path / "elsewhere").mkdir()
    for path in (site, tmp_path / "elsewhere"):
        done = run("-m", "bot", "verify", path=path, DATABASE_URL=url)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("table 1 (Friday): ")


def test_a_game_that_cant_be_loaded_is_left_out_with_a_sentence(site: Path, tmp_path: Path) -> None:
    (site / "bourse_swap.py").write_text("GAME = 3\n")
    script = "import logging; logging.basicConfig(); from bot.rules.registry import games; print(*games())"
    done = run("-c", script, path=site)
    assert done.stdout.split() == ["advciv", "ti4"]
    assert "the game swap is left out: its entry point is not a bot.rules.game.Game." in done.stderr
