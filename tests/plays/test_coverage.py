"""Tests that every rule has a play that shows it kept and, where a player can break it, one that
shows it refused.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain

import pytest

from bot.rehearsal.grammar import read_play
from bot.rehearsal.script import Play
from data import read, rules
from tests.rules_table import PLAYS, RuleShown, plays, shown, with_rules

CITED = re.compile(r"\[([A-Z0-9][\w .,']*)\]")
"""A rule cited inside a sentence: ``[94 note 4]``, ``[Pride of Kenara]``."""


def test_every_rule_has_its_plays() -> None:
    every = plays()
    rows = list(chain.from_iterable(shown(game, every) for game in with_rules()))
    assert len(rows) > 100
    assert [
        f"no play shows {row.game} [{row.rule.number}] {row.gap}" for row in rows if row.gap
    ] == []


@pytest.mark.parametrize(("game", "at_least"), [("ti4", 42), ("advciv", 30)])
def test_every_number_of_the_texts_is_told(game: str, at_least: int) -> None:
    wanted = _numbers(game, "numbers")
    assert len(wanted) == len(set(wanted)) >= at_least
    assert set(wanted) <= _told(game)


@pytest.mark.parametrize("game", ["ti4", "advciv"])
def test_what_is_listed_as_untold_is_not_told(game: str) -> None:
    assert not set(_numbers(game, "untold")) & _told(game), "move it from untold to numbers"


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


def _told(game: str) -> set[str]:
    numbers = set()
    for rule in rules(game).values():
        numbers |= {rule.number, *rule.also}
    return numbers


def _numbers(game: str, key: str) -> list[str]:
    numbers = []
    for source in read(game, "numbers")["source"]:
        numbers += source.get(key, ())
    return numbers


def _shown_by(play: Play) -> list[RuleShown]:
    return shown("ti4", [replace(play, file=str(PLAYS / "made.play"))])
