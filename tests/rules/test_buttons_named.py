"""Tests that a sentence names the button, not the slash command, where a button does the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

BUTTONS = {
    "/deal propose": "Deal…",
    "/negotiate open": "Negotiate…",
    "/table close": "Close… under Host…",
    "/table leave": "Leave…",
    "/debt pay": "Pay…",
    "/permit card": "Permit… under Host…",
    "/permit grant": "Permit… under Host…",
    "/privacy": "Privacy under /help",
}
"""Slash commands, and the button that does the same."""

NO_BUTTON = {
    "/debt pay, /debt forgive, /debt dispute",  # those for which a card has no room
    "/table leave player:",  # a select has no more room
}
"""What the sentence is about has no button in the place where it stands."""

SENTENCES = (
    *(ROOT / "bot" / "rules").rglob("*.py"),
    *(ROOT / "bot" / "show").rglob("*.py"),
    *(ROOT / "bot" / "service").rglob("*.py"),
    *(ROOT / "bot" / "games" / "ti4").rglob("*.py"),
    *(ROOT / "cogs").rglob("*.py"),
)


def sentences(source: str) -> Iterator[str]:
    """Yield the texts of a module, without its docstrings."""
    nodes = [*ast.walk(ast.parse(source))]
    docstrings = {node.value for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and node not in docstrings:
            yield str(node.value)


@pytest.mark.parametrize("command", BUTTONS)
def test_no_sentence_names_a_command_that_has_a_button(command: str) -> None:
    found = set[str]()
    for path in SENTENCES:
        for text in sentences(path.read_text("utf-8")):
            if command in text and not any(each in text for each in NO_BUTTON):
                found.add(f"{path.name}: {text}")
    assert found == set(), f"say: {BUTTONS[command]}"


def test_the_test_finds_one() -> None:
    said = sentences('"""Closes: /table close."""\nremedy = "Close it: /table close."')
    assert [text for text in said if "/table close" in text] == ["Close it: /table close."]
