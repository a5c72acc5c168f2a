"""Tests of bourse new-game: pip installs the package, and its own tests pass."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli.new_game import new_game
from bot.errors import OperatorError
from tests.scale import at_scale

ROOT = Path(__file__).parents[2]


def test_names_that_no_game_can_have(tmp_path: Path) -> None:
    for name, why in {
        "ti4": "taken",
        "table": "taken",
        "trade": "taken",
        "json": "taken",
        "class": "can't name",
        "x": "can't name",
        "4x": "can't name",
        "": "can't name",
        "a" * 21: "can't name",
    }.items():
        with pytest.raises(OperatorError, match=why):
            new_game(name, tmp_path, print)
    (tmp_path / "bourse-harbour").mkdir()
    with pytest.raises(OperatorError, match=r"bourse-harbour exists already\."):
        new_game("harbour", tmp_path, print)
    assert [path.name for path in tmp_path.rglob("*")] == ["bourse-harbour"]


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of a game, laid out and installed beside it without a network."""
    folder = tmp_path_factory.mktemp("new game")
    said: list[str] = []
    assert new_game("Salt harbour", folder, said.append) == 0
    package = folder / "bourse-saltharbour"
    assert said == [
        f"{package} has the game Salt harbour. Its README says how to install it, test it and play "
        "it."
    ]
    call = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-build-isolation",
        "--no-deps",
        "--no-index",
    ]
    subprocess.run([*call, "--target", package / "site", package], check=True)
    return package


def run(package: Path, *arguments: str) -> str:
    """Run a module of Python where the package is installed, and return what it says; it has to go
    well.
    """
    path = f"{package / 'site'}{os.pathsep}{ROOT}"
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        env={**os.environ, "PYTHONPATH": path},
        cwd=package,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return done.stdout


def test_nothing_of_the_template_s_name_is_left(harbour: Path) -> None:
    for path in harbour.rglob("*"):
        assert "newgame" not in path.name
        if path.is_file() and path.suffix in (".py", ".md", ".toml", ".play"):
            assert not re.search(
                "newgame|new game", path.read_text(encoding="utf-8"), re.IGNORECASE
            )
    assert (harbour / "site" / "bourse_saltharbour" / "py.typed").exists()


def test_its_readme_says_what_to_do_without_pypi(harbour: Path) -> None:
    readme = (harbour / "README.md").read_text(encoding="utf-8")
    venv, wheel = readme.index("-m venv .venv\n"), readme.index("install 'FILE.whl[rehearsal]'")
    assert venv < readme.index("before the second line") < wheel


@pytest.mark.slow
def test_its_checks_and_plays_are_green(harbour: Path) -> None:
    [checks] = (harbour / "tests").glob("test_*.py")
    text = checks.read_text(encoding="utf-8")
    game = '    game = "saltharbour"\n'
    assert game in text
    # without this line, six longer tables, as an author has them
    short = f"    tables, acts = {at_scale(1, 6)}, {at_scale(75, 150)}\n"
    checks.write_text(text.replace(game, game + short))
    options = ("-q", "-p", "no:asyncio", "--import-mode=importlib")
    assert "8 passed" in run(harbour, "pytest", *options, "tests", "site/bourse_saltharbour/plays")


@pytest.mark.slow
def test_it_can_be_used(harbour: Path) -> None:
    assert run(harbour, "bot", "games", "check", "bourse-saltharbour").splitlines() == [
        "saltharbour (of bourse-saltharbour 0.1.0) can be used: Salt harbour, made for API 1.",
        "2 of its plays went as expected.",
    ]


@pytest.mark.long
def test_its_types_are_right(harbour: Path) -> None:
    assert "Success" in run(harbour, "mypy", "--cache-dir", str(ROOT / ".mypy_cache" / "samples"))
