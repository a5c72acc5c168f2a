"""Tests that every cited rule has its text, which /rules show explains."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.rehearsal.script import IsRefused, Play
from bot.rules.registry import games
from data import read, rules
from tests.rules_table import plays, with_rules

ROOT = Path(__file__).parents[2]

IN_BRACKETS = re.compile(r"\[([A-Z0-9][\w .,']*)\](?!\()")
"""A rule cited inside a sentence: ``[94 note 4]``, ``[Pride of Kenara]``."""

A_NUMBER = re.compile(r"\d+(\.\d+)+[a-z]?|\d+ note \d+(\.\d+)*|D\d+")
"""A text that is a rule's number and nothing else, wherever it stands: ``94.4.1``, ``94 note 4``,
``D2``.
"""


def cited(source: str) -> set[str]:
    """Return the rules that this code names: as arguments of a refusal or violation, in sentences,
    as numbers.
    """
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found: set[str] = set()
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("Refused", "Violation")
        ):
            named = [
                *node.args[:1],
                *(keyword.value for keyword in node.keywords if keyword.arg == "rule"),
            ]
            found |= {text for each in named for text in _texts(each)}
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docstrings
        ):
            found |= {*IN_BRACKETS.findall(node.value)}
            found |= {node.value} if A_NUMBER.fullmatch(node.value) else set()
    return found - {""}


def _texts(rule: ast.expr) -> Iterator[str]:
    """Yield the texts that this argument can be: a literal, or one of two."""
    if isinstance(rule, ast.IfExp):
        yield from (*_texts(rule.body), *_texts(rule.orelse))
    elif isinstance(rule, ast.Constant):
        yield str(rule.value)


def cited_in_data(value: object) -> Iterator[str]:
    """Yield the rules that a file of data names, at any depth."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from [str(each)] if key == "rule" else cited_in_data(each)
    elif isinstance(value, list):
        for each in value:
            yield from cited_in_data(each)
    elif isinstance(value, str):
        yield from IN_BRACKETS.findall(value)


@pytest.mark.parametrize("game", with_rules())
def test_every_rule_that_a_game_cites_has_its_text(game: str) -> None:
    folders = (ROOT / "bot" / "games" / game, ROOT / "cogs" / game)
    places = {
        path: cited(path.read_text("utf-8")) for folder in folders for path in folder.rglob("*.py")
    }
    places |= {
        path: set(cited_in_data(read(game, path.stem)))
        for path in (ROOT / "data" / game).glob("*.toml")
    }
    without = [
        f"{path.relative_to(ROOT)}: [{rule}]"
        for path in places
        for rule in places[path] - {*rules(game)}
    ]
    assert not without, "give them a text in rules.toml"
    assert any(places.values())


def test_the_core_cites_no_rule_of_its_own() -> None:
    """What it cites, a game names: `GameInfo.rule_numbers`."""
    folders = [
        ROOT / folder for folder in ("bot/rules", "bot/service", "bot/show", "bot/delivery", "cogs")
    ]
    games_own = {ROOT / "cogs" / game for game in games()}
    paths = [
        path
        for folder in folders
        for path in folder.rglob("*.py")
        if not games_own & {*path.parents}
    ]
    found = [
        f"{path.relative_to(ROOT)}: [{rule}]"
        for path in paths
        for rule in cited(path.read_text("utf-8"))
    ]
    assert not found


def _is_of(play: Play, game: str) -> bool:
    """Whether a play is of a game: it opens a table of it, or lies in its folder, since a button
    can open one too.
    """
    return Path(play.file).parent.name == game or any(
        f"game:{game}" in step.text for step in play.steps
    )


def test_every_rule_that_a_play_cites_has_its_text() -> None:
    for play in plays():
        told = {number for game in with_rules() if _is_of(play, game) for number in rules(game)}
        conditions = [
            expectation.condition for step in play.steps for expectation in step.expectations
        ]
        refused = {each.rule for each in conditions if isinstance(each, IsRefused) and each.rule}
        assert {*play.rules, *refused} <= told, play.file


@pytest.mark.parametrize(
    "source",
    [
        'raise Refused("94.99", "No.")',
        'Violation("Nonsense", "No.")',
        'Violation(rule="D99", reason="No.")',
        'Refused("94.99" if known else "", "No.")',
        'NUMBERS = {"mixed": "94 note 99"}',
        'f"{who} must [Nonsense]."',
    ],
)
def test_a_rule_without_a_text_is_found(source: str) -> None:
    """So that the tests above can fail."""
    (rule,) = cited(source)
    assert rule not in rules("ti4")
