"""Tests that every cited rule has its text, which /rules show explains."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import chain
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
    """Return the rules that this code names, in refusals, in sentences or as numbers."""
    nodes = [*ast.walk(ast.parse(source))]
    docstrings = {node.value for node in nodes if isinstance(node, ast.Expr)}
    rules_named: set[str] = set()
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id="Refused" | "Violation" as name)):
                if name == "Violation":
                    for argument in node.args[:1]:
                        rules_named.update(_texts(argument))
                for keyword in node.keywords:
                    if keyword.arg == "rule":
                        rules_named.update(_texts(keyword.value))
            case ast.Constant(value=str(text)) if node not in docstrings:
                rules_named.update(IN_BRACKETS.findall(text))
                if A_NUMBER.fullmatch(text):
                    rules_named.add(text)
    return rules_named - {""}


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
    places = {path: cited(path.read_text("utf-8")) for path in modules(*folders)}
    for path in (ROOT / "data" / game).glob("*.toml"):
        places[path] = set(cited_in_data(read(game, path.stem)))
    without = {path: numbers - {*rules(game)} for path, numbers in places.items()}
    assert not any(without.values()), "give them a text in rules.toml"
    assert any(places.values())


def modules(*folders: Path) -> list[Path]:
    return list(chain.from_iterable(folder.rglob("*.py") for folder in folders))


def test_the_core_cites_no_rule_of_its_own() -> None:
    """What it cites, a game names: `GameInfo.rule_numbers`."""
    folders = ("bot/rules", "bot/service", "bot/show", "bot/delivery", "cogs")
    games_own = {ROOT / "cogs" / game for game in games()}
    for path in modules(*(ROOT / folder for folder in folders)):
        if not games_own & {*path.parents}:
            assert not cited(path.read_text("utf-8")), path


def _is_of(play: Play, game: str) -> bool:
    """Whether a play is of a game: it lies in its folder, or opens a table of it."""
    if Path(play.file).parent.name == game:
        return True
    return any(f"game:{game}" in step.text for step in play.steps)


def test_every_rule_that_a_play_cites_has_its_text() -> None:
    for play in plays():
        numbers = {*play.rules}
        for step in play.steps:
            for expectation in step.expectations:
                if isinstance(expectation.condition, IsRefused) and expectation.condition.rule:
                    numbers.add(expectation.condition.rule)
        for game in with_rules():
            if _is_of(play, game):
                numbers -= {*rules(game)}
        assert not numbers, play.file


@pytest.mark.parametrize(
    "source",
    [
        'raise Refused("No.", rule="94.99")',
        'Violation("Nonsense", "No.")',
        'Violation(rule="D99", reason="No.")',
        'Refused("No.", rule="94.99" if known else "")',
        'NUMBERS = {"mixed": "94 note 99"}',
        'f"{who} must [Nonsense]."',
    ],
)
def test_a_rule_without_a_text_is_found(source: str) -> None:
    """So that the tests above can fail."""
    (rule,) = cited(source)
    assert rule not in rules("ti4")
