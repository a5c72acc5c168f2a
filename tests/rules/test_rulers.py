"""Tests that what a host or moderator decides for others is told as theirs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2] / "bot"
OTHERWISE = {
    "> became the host.",
    ">. A host or moderator who is neither of the two settles it: **More…** on the board, or "
    "/commodities settle.",
    "** that it isn't so. A host or moderator who is neither of the two settles it: **More…** on "
    "the board.",
}
"""What is about the host and not by them."""

SENTENCES = sorted(
    [
        *ROOT.glob("games/*/*.py"),
        *ROOT.glob("rules/features/**/*.py"),
        *ROOT.glob("show/*narration.py"),
    ]
)


def said(module: ast.Module, *, everywhere: bool) -> Iterator[str]:
    """Yield the texts of the functions called ``sentence``, or ``everywhere`` in a module, that are
    no docstrings.
    """
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    tellers = [
        node for node in ast.walk(module) if isinstance(node, functions) and node.name == "sentence"
    ]
    documented = [
        node for node in ast.walk(module) if isinstance(node, ast.Module | ast.ClassDef | functions)
    ]
    documents = {
        id(node.body[0].value) for node in documented if isinstance(node.body[0], ast.Expr)
    }
    for teller in [module] if everywhere else tellers:
        for node in ast.walk(teller):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in documents
            ):
                yield node.value


def texts(path: Path) -> list[str]:
    return list(
        said(ast.parse(path.read_text(encoding="utf-8")), everywhere=path.parent.name == "show")
    )


def test_no_narration_takes_everybody_who_rules_for_the_host() -> None:
    every = [
        (path.name, text) for path in SENTENCES for text in texts(path) if text not in OTHERWISE
    ]
    assert [
        (name, text) for name, text in every if re.search(r"\b(the|a) host\b", text, re.IGNORECASE)
    ] == []


def test_each_game_has_sentences() -> None:
    for game in ("ti4", "advciv"):
        assert sum(map(len, map(texts, ROOT.glob(f"games/{game}/*.py")))) > 20
