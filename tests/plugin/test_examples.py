"""Tests of the game in examples/: small, on the public API only, and valid. `tests/install` runs
their own tests.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from tests.plugin.test_plugin import install, run
from tests.scale import variants

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path.parent for path in ROOT.glob("examples/*/pyproject.toml"))

PUBLIC = {"bot.api", "bot.api.chance", "bot.api.discord", "bot.api.pictures", "bot.testing"}

in_each = pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


def test_there_is_one() -> None:
    assert [example.name for example in EXAMPLES] == ["auction"]


@in_each
def test_it_imports_only_what_is_public(example: Path) -> None:
    names = set(chain.from_iterable(map(imported, example.rglob("*.py"))))
    ours = {name for name in names if name.partition(".")[0] in ("bot", "cogs", "data")}
    assert ours <= PUBLIC


@in_each
def test_its_rules_are_short(example: Path) -> None:
    lines = 0
    for file in example.rglob("*.py"):
        if "tests" not in file.parts and "cogs" not in file.name:
            lines += len(file.read_text(encoding="utf-8").splitlines())
    assert lines < 500


@pytest.mark.parametrize("example", variants(*EXAMPLES), ids=lambda path: path.name)
def test_it_can_be_used_with_its_commands_and_its_plays_go_well(
    example: Path, tmp_path: Path
) -> None:
    """Without pip, which `tests/install` has in `make long`; `tests/cli/test_new_game.py` has it
    for another game.
    """
    pyproject = tomllib.loads((example / "pyproject.toml").read_text(encoding="utf-8"))
    name, points = pyproject["project"]["name"], pyproject["project"]["entry-points"]
    package = example / name.replace("-", "_")
    install(tmp_path / "site", package, points["bourse.games"], points["bourse.cogs"])
    done = run("-m", "bot", "games", "check", name, "--alone", path=tmp_path / "site")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.splitlines()[1].endswith(" of its plays went as expected.")
