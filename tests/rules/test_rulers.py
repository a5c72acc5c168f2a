"""Tests that what a host or moderator decides for others is told as theirs."""

from __future__ import annotations

import ast
import re
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parents[2] / "bot"
OTHERWISE = {"> became the host."}
"""What is about the host and not by them."""

SENTENCES = sorted(
    [
        *ROOT.glob("games/*/*.py"),
        *ROOT.glob("rules/features/**/*.py"),
        *ROOT.glob("show/*narration.py"),
    ]
)


def texts(path: Path) -> list[str]:
    """Return the texts in functions called ``sentence``, and in ``bot/show`` anywhere."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    tellers: list[ast.AST] = [module]
    if path.parent.name != "show":
        functions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]
        tellers = [function for function in functions if function.name == "sentence"]
    return list(chain.from_iterable(map(texts_in, tellers)))


def texts_in(part: ast.AST) -> list[str]:
    """Return the texts in a part of a module that are no docstrings."""
    nodes = [*ast.walk(part)]
    docstrings = {node.value for node in nodes if isinstance(node, ast.Expr)}
    constants = [node for node in nodes if isinstance(node, ast.Constant)]
    values = [node.value for node in constants if node not in docstrings]
    return [value for value in values if isinstance(value, str)]


def test_no_narration_takes_everybody_who_rules_for_the_host() -> None:
    host = re.compile(r"\b(the|a) host\b", re.IGNORECASE)
    for path in SENTENCES:
        told = [text for text in texts(path) if host.search(text)]
        assert {*told} <= OTHERWISE, path


def test_each_game_has_sentences() -> None:
    for game in ("ti4", "advciv"):
        assert sum(map(len, map(texts, ROOT.glob(f"games/{game}/*.py")))) > 20
