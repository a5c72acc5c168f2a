"""What a host or a moderator says for others is told as theirs: a narration asks its view which of the two it was."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "bot"
OTHERWISE = {"> became the host."}
"""What is about the host and not by them."""

NARRATIONS = sorted([*ROOT.glob("rules/games/*/narration.py"), *ROOT.glob("show/*narration.py")])


def said(module: ast.Module) -> Iterator[str]:
    """Yield the texts of a module that are no docstrings."""
    documents = {
        id(node.body[0].value)
        for node in ast.walk(module)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            yield node.value


@pytest.mark.parametrize("path", NARRATIONS, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_no_narration_takes_everybody_who_rules_for_the_host(path: Path) -> None:
    texts = said(ast.parse(path.read_text()))
    assert [
        text for text in texts if re.search(r"\b(the|a) host\b", text, re.IGNORECASE) and text not in OTHERWISE
    ] == []
