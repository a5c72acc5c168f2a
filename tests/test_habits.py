"""Tests that the server's workflow and the issue templates agree with the program, that its
comprehensions are read at first sight, and that each database it opens is closed.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from bot.rules.registry import games

ROOT = Path(__file__).parents[1]
WORKFLOW = (ROOT / ".github/workflows/checks.yml").read_text(encoding="utf-8")
TEMPLATE = (ROOT / ".github/ISSUE_TEMPLATE/ruling.yml").read_text(encoding="utf-8")


def test_checks_run_on_the_oldest_and_the_newest_python_that_is_supported() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    supported = [
        each.rpartition(" ")[2]
        for each in project["classifiers"]
        if re.search(r"Python :: 3\.\d+$", each)
    ]
    [matrix] = re.findall(r"python: \[(.*)\]", WORKFLOW)
    assert re.findall(r"[\d.]+", matrix) == [supported[0], supported[-1]]
    assert project["requires-python"] == f">={supported[0]}"
    assert "run: .ci/run\n" in WORKFLOW


def test_an_action_of_others_is_pinned_by_its_commit() -> None:
    workflows = [
        path.read_text(encoding="utf-8") for path in (ROOT / ".github/workflows").glob("*.yml")
    ]
    used = re.findall(r"uses: (\S+)", "\n".join(workflows))
    assert len(used) > len(workflows) > 1
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", each) for each in used)


def test_a_wrong_ruling_can_be_reported_for_each_game_with_a_play() -> None:
    assert {game.info.name for game in games().values()} <= set(
        re.findall(r"^ +- (.+)$", TEMPLATE, re.MULTILINE)
    )
    assert "label: A play\n" in TEMPLATE


def test_whatever_waits_for_make_long_is_in_its_list() -> None:
    """Else it would run nowhere."""
    [listed] = re.findall(
        r"^LONG := ((?:.*\\\n)*.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    long = {ROOT / name for name in listed.replace("\\", " ").split()}
    assert all(path.exists() for path in long)
    waits = re.compile(r"from tests.scale import .*\b(variants|long)\b|mark\.long\b")
    files = [
        path
        for path in (ROOT / "tests").rglob("test_*.py")
        if waits.search(path.read_text(encoding="utf-8"))
    ]
    for path in files:
        assert long & {path, *path.parents} or path == Path(__file__), path


# ---------------------------------------------------------------- one thought a line

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def mixed(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the lines with expressions that say several things at once."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.ListComp(generators=[first, *more])
                | ast.SetComp(generators=[first, *more])
                | ast.DictComp(generators=[first, *more])
                | ast.GeneratorExp(generators=[first, *more])
            ):
                if more or len(first.ifs) > 1:
                    yield node.lineno, "a comprehension has one `for` and at most one `if`"
                parts = list(ast.walk(node))[1:]
                if any(isinstance(part, COMPREHENSIONS) for part in parts):
                    yield node.lineno, "a comprehension stands in another"
            case ast.Starred(value=ast.IfExp()):
                yield node.lineno, "a list is appended to, not made of `*(… if …)`"
            case ast.Call(func=ast.Name(id="next"), args=[ast.GeneratorExp(generators=[first]), _]):
                if first.ifs and node.lineno < node.end_lineno:
                    yield node.lineno, "a `next(… for … if …, default)` is longer than a line"


@pytest.mark.parametrize("folder", ["bot", "cogs", "data", "tests"])
def test_one_thought_a_line(folder: str) -> None:
    found = list[str]()
    for path in (ROOT / folder).rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found += [f"{path.relative_to(ROOT)}:{line}: {why}" for line, why in mixed(tree)]
    assert found == []


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("[each for each in offers if each.live]", True),
        ("[token for hand in hands for token in hand]", False),
        ("[each for each in offers if each.live if each.to]", False),
        ("{seat: [each.id for each in offers] for seat in seats}", False),
        ("any(all(card for card in hand) for hand in hands)", False),
        ("sum(len(hand) for hand in {seat.hand for seat in seats})", False),
        ("[*([offer] if offer.live else []), last]", False),
        ("[*(offer,), last]", True),
        ("next((each for each in offers if each.live), None)", True),
        ("next(\n(each for each in offers if each.live), None)", False),
        ("next(\n(each for each in offers), None)", True),
    ],
)
def test_what_is_one_thought(line: str, kept: bool) -> None:
    assert (list(mixed(ast.parse(line))) == []) == kept


# ---------------------------------------------------------------- a database is closed

OPENS = "sqlite3.connect"


def left_open(tree: ast.AST) -> Iterator[int]:
    """Yield the lines that open a SQLite file, and nobody closes it if something fails.

    `closing` does, a ``try`` that follows at once, or whoever gets the connection. Otherwise the
    next test is blamed, from Python 3.13 on. ``with sqlite3.connect(...)`` only commits.
    """
    closed = list[ast.AST | None]()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="closing"), args=[opened]):
                closed.append(opened)
            case ast.Return(value=opened) | ast.Assign(targets=[ast.Attribute()], value=opened):
                closed.append(opened)
        body = getattr(node, "body", [])
        for statement, following in pairwise(body if isinstance(body, list) else []):
            if isinstance(statement, ast.Assign) and isinstance(following, ast.Try):
                closed.append(statement.value)
    for node in ast.walk(tree):
        opens = isinstance(node, ast.Call) and ast.unparse(node.func) == OPENS
        if opens and node not in closed:
            yield node.lineno


@pytest.mark.parametrize("folder", ["bot", "cogs", "docs", "examples", "tests"])
def test_whoever_opens_a_database_closes_it(folder: str) -> None:
    found = list[str]()
    for path in (ROOT / folder).rglob("*"):
        if path.suffix not in (".py", ".md"):
            continue
        source = path.read_text(encoding="utf-8")
        programs = [source]
        if path.suffix == ".md":
            programs = re.findall(r"```python\n(.*?)```", source, re.DOTALL)
        for program in programs:
            if OPENS in program:
                lines = left_open(ast.parse(program))
                found += [f"{path.relative_to(ROOT)}:{line}" for line in lines]
    assert found == []


@pytest.mark.parametrize(
    ("lines", "closed"),
    [
        ("with closing(sqlite3.connect(file)) as database:\n    pass", True),
        ("with sqlite3.connect(file) as database:\n    pass", False),
        ("database = sqlite3.connect(file)\ntry:\n    pass\nfinally:\n    pass", True),
        ("database = sqlite3.connect(file)\nfill(database)\ndatabase.close()", False),
        ("self.database = sqlite3.connect(file)", True),
        ("def opened():\n    return sqlite3.connect(file)", True),
        ("rows = sqlite3.connect(file).execute(query)", False),
    ],
)
def test_who_closes_it(lines: str, closed: bool) -> None:
    assert (list(left_open(ast.parse(lines))) == []) == closed
