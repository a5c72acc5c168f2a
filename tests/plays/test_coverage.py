"""Every rule has a play that shows it kept, and where a player can break it, one that shows it refused."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from bot.rehearsal.grammar import read_play
from bot.rehearsal.script import Play
from bot.rules.registry import games
from data import read, rules
from data.ti4 import abilities
from tests.rules_table import PLAYS, Shown, plays, shown, with_rules

ROOT = Path(__file__).parents[2]

CITED = re.compile(r"\[([A-Z0-9][\w .,']*)\]")
"""A rule cited inside a sentence: ``[94 note 4]``, ``[Pride of Kenara]``."""


@cache
def table() -> Mapping[tuple[str, str], Shown]:
    """Each rule with its plays, by its game and number. Made by the first test, not by all who collect them."""
    every = plays()
    return {(game, row.rule.number): row for game in with_rules() for row in shown(game, every)}


@pytest.mark.parametrize(("game", "number"), [(game, number) for game in with_rules() for number in rules(game)])
def test_every_rule_has_its_plays(game: str, number: str) -> None:
    gap = table()[game, number].gap
    assert not gap, f"no play shows [{number}] {gap}"


def test_every_number_that_a_play_names_is_a_rule() -> None:
    for play in plays():
        known = {number for game in with_rules() if f"game:{game}" in _text(play.file) for number in rules(game)}
        assert set(play.rules) <= known, play.file


@pytest.mark.parametrize("path", sorted((ROOT / "bot" / "rules").rglob("*.py")), ids=lambda path: path.stem)
def test_every_rule_that_the_code_cites_is_told(path: Path) -> None:
    game = next((game for game in games() if game in path.parts), None)
    known = {number for game in ([game] if game else with_rules()) for number in rules(game)}
    assert set(_cited(path)) <= known


def test_every_rule_that_an_ability_cites_is_told() -> None:
    assert {ability.rule for ability in abilities()} <= set(rules("ti4"))


@pytest.mark.parametrize(("game", "at_least"), [("ti4", 42), ("advciv", 13)])
def test_every_number_of_the_texts_is_told(game: str, at_least: int) -> None:
    wanted = _numbers(game, "numbers")
    assert len(wanted) == len(set(wanted)) >= at_least
    assert set(wanted) <= set(rules(game))


@pytest.mark.parametrize("game", ["ti4", "advciv"])
def test_what_is_listed_as_untold_is_not_told(game: str) -> None:
    assert not set(_numbers(game, "untold")) & set(rules(game)), "move it from untold to numbers"


def test_each_number_has_its_source() -> None:
    for game in with_rules():
        for source in read(game, "numbers")["source"]:
            assert set(source) <= {"name", "numbers", "untold"}
            assert source["name"]
            listed = source.get("numbers", []) + source.get("untold", [])
            assert listed
            assert all(CITED.fullmatch(f"[{number}]") for number in listed)


def test_a_gap_is_found() -> None:
    play = read_play("rules: 94.1, 94.5\nalice: /table open game:ti4\n  refused 94.4\n")
    rows = {row.rule.number: row for row in _shown_by(play)}
    assert rows["94.1"].gap == "kept and refused", "a play that records nothing shows nothing kept"
    assert rows["94.4"].gap == "kept"
    play = read_play("rules: 94.1, 94.5\nalice: /table open game:ti4\n  records table\n")
    rows = {row.rule.number: row for row in _shown_by(play)}
    assert rows["94.1"].gap == "refused"
    assert rows["94.5"].gap == "", "nobody can break it"


def _numbers(game: str, key: str) -> list[str]:
    return [number for source in read(game, "numbers")["source"] for number in source.get(key, ())]


def _shown_by(play: Play) -> list[Shown]:
    return shown("ti4", [replace(play, file=str(PLAYS / "made.play"))])


@cache
def _text(file: str) -> str:
    return Path(file).read_text(encoding="utf-8")


def _cited(path: Path) -> Iterator[str]:
    """The rules that this code refuses by, or names in brackets in what people read."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings are not read aloud
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "Refused" and node.args and (rule := _literal(node.args[0])):
                yield rule
            if node.func.id == "Ruling":
                yield from (rule for key in node.keywords if key.arg == "rule" and (rule := _literal(key.value)))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield from CITED.findall(node.value)


def _literal(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
