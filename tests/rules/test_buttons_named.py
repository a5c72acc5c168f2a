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
    "/agenda": "An agenda comes up under Menu",
    "/calamities show": "Show calamities",
    "/cards buy": "Buy a card under Menu",
    "/cards hand": "My hand",
    "/cards lose": "Lose cards under Menu",
    "/cards surrender": "Spend cards",
    "/cards take": "Take a card under Menu",
    "/cards undo": "Take back cards I turned in under Menu",
    "/commodities replenish": "Replenish under My goods",
    "/commodities settle": "Host… under Menu",
    "/deal broken": "They broke it",
    "/deal kept": "They kept it",
    "/deal propose": "Deal…",
    "/debt list": "My goods",
    "/debt pay": "Pay…",
    "/history": "History under Menu",
    "/holdings show": "My goods",
    "/negotiate": "Negotiate…, and Close in its thread",
    "/neighbors join": "Neighbours changed under Menu",
    "/note play": "Notes… under My goods",
    "/note return": "Notes… under My goods",
    "/note table": "Look at notes in play under Menu",
    "/offer alter": "Alter",
    "/offer counter": "Counter",
    "/offer list": "Offers",
    "/offer post": "New offer",
    "/offer withdraw": "Withdraw",
    "/permit": "Permit… under Host…",
    "/phase set": "Begin a phase under Host…",
    "/pings": "Pings under Menu",
    "/privacy": "Privacy under /help",
    "/rules show": "Look at the rules under Menu",
    "/strategy take": "Strategy cards… under Host…",
    "/table close": "Close… under Host…",
    "/table coming": "Coming",
    "/table host": "Seats under Host…",
    "/table leave": "Leave…",
    "/table order": "Order of play under Host…",
    "/table pause": "Pause under Host…",
    "/table remind": "Remind us…",
    "/table reopen": "Open again",
    "/table settings": "Settings under Host…",
    "/table show": "Who has what under Menu",
    "/trading": "Open trading, Close trading, Done trading",
    "/turn combat": "There was combat under Menu",
    "/turn end": "End turn",
    "/turn peace": "The combat is over under Menu",
    "/turn start": "Start my turn",
    "/turn unpass": "Undo a slip under Host…",
}
"""Slash commands, and the button that does the same."""

NO_BUTTON = {
    "/debt pay, /debt forgive, /debt dispute",  # those for which a card has no room
    "/table leave player:",  # a select has no more room
    "/holdings show player:",  # what others have, to type
    "/holdings show lists everything",  # as a moderator, who has no goods
    "/calamities show lists them",  # once they have been shown
    "/cards lose cities:",  # a number to type
    "/cards take, with you as the player",  # the host, for a nation that nobody plays
    "/commodities replenish effect:",
    "/note play with your name as player",  # the host's words
    "the host can say so: /note return",
    "/note return gives it back. Do that first.",
    "/offer post to:",  # a select has no more room
    "In one line: **/offer post**",
    "sentences.py: /offer ",  # a line that a person can type
    "/rules show H2",
    "/table settings has all",  # a select has no more room
    "/table settings would have more than",  # for the author of a game
    "**/table settings** changes all",  # numbers, too
    "/table show shows how the table is now",  # no card from before does anything
    "/trading open minutes:",
    "The host can begin any turn: /turn start",
    "**/turn start** with `turn:",
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
