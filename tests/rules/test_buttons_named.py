"""Tests that a sentence names the button, not the slash command, where a button does the same."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
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
    "/cards hand": "My hand",
    "/holdings show": "My goods",
    "/trading open": "Open trading",
    "/turn end": "End turn",
}
"""Slash commands, and the button that does the same."""

NO_BUTTON = {
    "/debt pay, /debt forgive, /debt dispute",  # those for which a card has no room
    "/table leave player:",  # a select has no more room
    "/holdings show player:",  # what others have, to type
    "/holdings show lists everything",  # as a moderator, who has no goods
    "/trading open anyway:",  # a question that nobody has asked yet
    "/trading open minutes:",
    "**/cards lose**",  # /help names the commands
}
"""What the sentence is about has no button in the place where it stands."""

SENTENCES = (
    *(ROOT / "bot" / "rules").rglob("*.py"),
    *(ROOT / "bot" / "show").rglob("*.py"),
    *(ROOT / "bot" / "service").rglob("*.py"),
    *(ROOT / "bot" / "games").rglob("*.py"),
    *(ROOT / "cogs").rglob("*.py"),
)


PAGES = (ROOT / "README.md", *(ROOT / "docs").glob("players*.md"), ROOT / "docs" / "hosts.md")
"""The pages for people at a table. They say what to press before what to type."""


PLAYED = re.compile(r"\s*\w+: (in \w+ )?/")
"""What somebody types in a play."""


def sentences(source: str) -> Iterator[str]:
    """Yield the texts of a module, without its docstrings."""
    nodes = [*ast.walk(ast.parse(source))]
    docstrings = {node.value for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and node not in docstrings:
            yield str(node.value)


@cache
def with_commands() -> list[str]:
    """Return the texts that name a slash command, each after its module."""
    found = list[str]()
    for path in SENTENCES:
        texts = sentences(path.read_text("utf-8"))
        found += [f"{path.name}: {text}" for text in texts if "/" in text]
    return found


@pytest.mark.parametrize("command", BUTTONS)
def test_no_sentence_names_a_command_that_has_a_button(command: str) -> None:
    for text in with_commands():
        if not any(each in text for each in NO_BUTTON):
            assert command not in text, f"say: {BUTTONS[command]}"


def lines_of(page: str) -> Iterator[str]:
    """Yield the lines of a page, without those of the plays in it."""
    for line in page.splitlines():
        if not PLAYED.match(line):
            yield line


@pytest.mark.parametrize("command", BUTTONS)
def test_no_page_names_a_command_before_its_button(command: str) -> None:
    found = set[str]()
    for path in PAGES:
        for line in lines_of(path.read_text("utf-8")):
            before, named, _ = line.partition(f"`{command}")
            if named and "**" not in before:
                found.add(f"{path.name}: {line}")
    assert found == set(), f"say first: {BUTTONS[command]}"


def test_the_test_finds_one() -> None:
    said = sentences('"""Closes: /table close."""\nremedy = "Close it: /table close."')
    assert [text for text in said if "/table close" in text] == ["Close it: /table close."]
