"""Tests that a module imports only from layers below it, and that the rules stay pure.

What may import what is in pyproject.toml, under `tool.importlinter`: `make arrows` reads the
sources, and `.ci/run` runs it. A test here asks a running Python, which also sees what is imported
by name at run time. What a list of contracts can't say is here too.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import grimp
import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent

IMPORT_ALL = """
import importlib, json, pkgutil, sys
for name, banned in json.loads(sys.argv[1]):
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(getattr(package, "__path__", []), name + "."):
        if ".migrations" not in module.name:  # those are run by Alembic, never imported
            importlib.import_module(module.name)
    print(name, *(module for module in banned if module in sys.modules))
"""
"""Imports one layer after the other, and says what is loaded then that the layer does without."""

PURE = ["discord", "sqlalchemy", "aiosqlite", "asyncpg", "alembic", "asyncio", "simcord"]

DOES_WITHOUT = {
    # pydantic itself gets by without asyncio, so nothing stands between the rules and the whole
    # promise.
    "data": PURE,
    "bot.rules": PURE,
    "bot.games": PURE,
    "bot.ledger": ["discord", "simcord"],
    "bot.service": ["discord", "simcord"],
    "bot.show": ["discord", "simcord"],
    "bot.exports": ["discord", "simcord"],
    # The bot proper runs without the extra `rehearsal`, and on SQLite without the extra `postgres`.
    "bot.delivery": ["simcord", "asyncpg"],
    "cogs": ["simcord", "asyncpg"],
    "bot.app": ["simcord", "asyncpg"],
    "bot.__main__": ["simcord", "asyncpg"],
}
"""The layers from the lowest to the highest: what is loaded by one is there when the next is looked
at.
"""


@pytest.fixture(scope="module")
def loaded() -> dict[str, list[str]]:
    """What each layer does without, and what is loaded all the same."""
    layers = json.dumps([*DOES_WITHOUT.items()])
    command = [sys.executable, "-c", IMPORT_ALL, layers]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    return {layer: found for layer, *found in lines}


@pytest.mark.parametrize("layer", DOES_WITHOUT)
def test_what_a_layer_does_without_is_not_even_loaded(
    loaded: dict[str, list[str]], layer: str
) -> None:
    assert loaded[layer] == []


# ---------------------------------------------------------------- what presentation has of the rule

OPEN_TO_ALL = re.compile(
    r"bot\.rules\.(views|commands|entries|registry|uninstalled|game|guard|vocabulary|shorthand|agreements|reporting|"
    r"model\.(?!table$|parts$)\w+|\w+\.(commands|entries))"
)
"""The modules of the rules that hold no table: views and values."""

PRESENTATION = ("bot.show", "bot.delivery", "bot.exports", "cogs")


def test_presentation_imports_from_the_rules_what_holds_no_table() -> None:
    """A new module of the rules is closed to presentation until it is listed here."""
    graph = grimp.build_graph("bot", "cogs", "data", cache_dir=None)
    closed = {
        module
        for module in graph.modules
        if module.startswith("bot.rules.") and not OPEN_TO_ALL.fullmatch(module)
    }
    closed -= {module for module in closed if module.startswith("bot.rules.features.")}
    presentation = [module for module in graph.modules if module.startswith(PRESENTATION)]
    for module in presentation:
        assert graph.find_modules_directly_imported_by(module) & closed == set(), module


def test_presentation_imports_from_features_only_what_is_asked_and_what_happened() -> None:
    """Commands, entries and other values: the functions of a feature work on tables."""
    wrong = []
    for path, tree in sources(
        "bot/show", "bot/delivery", "bot/exports", "cogs", having="bot.rules.features"
    ):
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                "bot.rules.features"
            ):
                module = importlib.import_module(node.module or "")
                found = [(each.name, getattr(module, each.name)) for each in node.names]
                wrong += [f"{path}: {name}" for name, value in found if inspect.isroutine(value)]
    assert not wrong


# ---------------------------------------------------------------- where imports stand

OPTIONAL = ("asyncpg", "simcord", "uvloop")
"""What may be missing: the extras, and uvloop, which Windows has none of."""

SELDOM = ("alembic", "sqlalchemy.dialects.postgresql", "sqlalchemy.ext.asyncio")
"""What takes a sixth of a start and most starts do without: only old and new databases need
Alembic, and only those on PostgreSQL the others. `wire/test_loading.py` holds that no start loads
them in vain.
"""

COMMAND_LINE = ROOT / "bot" / "cli"
"""Each of its commands loads what it needs, so that `bourse --help` and the rehearsal come without
the rest.
"""

PLUGIN = ROOT / "bot" / "pytest_plays.py"
"""pytest loads it wherever Bourse is installed, with the rehearsal or without."""


def sources(*packages: str, having: str) -> Iterator[tuple[Path, ast.Module]]:
    """The modules of these packages in which this stands, a regular expression: parsing takes its
    time.
    """
    for package in packages:
        for path in (ROOT / package).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            if re.search(having, text, re.MULTILINE):
                yield path, ast.parse(text)


def imported_in_functions(tree: ast.Module) -> Iterator[str]:
    """What is imported inside functions, with its modules: ``asyncpg.PostgresError``."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
                    yield from (f"{module}{name.name}" for name in node.names)


def test_an_import_inside_a_function_is_of_what_may_be_missing_or_is_seldom_needed() -> None:
    """None is there to dodge a circle of imports."""
    allowed = tuple(f"{module}." for module in (*OPTIONAL, *SELDOM))
    for path, tree in sources("bot", "cogs", "data", having=r"^ +(import|from) "):
        if path.parent == COMMAND_LINE or path == PLUGIN:
            continue
        names = set(imported_in_functions(tree))
        assert {name for name in names if not f"{name}.".startswith(allowed)} == set(), path


def test_nothing_of_ours_is_imported_for_the_type_checker_only() -> None:
    """Such an import would hide an arrow. The standard library may be named so."""
    own = {"bot", "cogs", "data", "tests"}
    for path, tree in sources(*own, having="TYPE_CHECKING"):
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                names = set(chain.from_iterable(map(named_by, ast.walk(node))))
                assert {name.partition(".")[0] for name in names} & own == set(), path


def named_by(node: ast.AST) -> list[str]:
    """The modules that an import names."""
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
