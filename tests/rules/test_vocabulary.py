"""Tests of kinds of entries: all occur, each keeps its name, and types seal their fields."""

from __future__ import annotations

import re

import pytest

from bot.games.advciv import GAME as ADVCIV
from bot.games.any import GAME as ANY
from bot.games.ti4 import GAME as TI4
from bot.rules.entries import sealed_fields, split
from bot.rules.feature import Feature
from bot.rules.features.holdings import Gained
from bot.rules.features.negotiations import NegotiationOpened
from bot.rules.vocabulary import CORE, entry_kinds, kind_matches, read_entry
from tests.games.advciv import machine as advciv
from tests.games.any import machine as any_game
from tests.games.ti4 import machine as ti4

EVERY = [*CORE.entries]
for _game in (ADVCIV, ANY, TI4):
    EVERY += _game.features.entries


def test_nothing_else_than_commands_and_entries_is_declared_by_the_core() -> None:
    """Nothing would read it."""
    for feature in CORE.features:
        assert feature == Feature(commands=feature.commands, entries=feature.entries)


def test_every_kind_of_entry_comes_about_in_one_of_the_games() -> None:
    """That all of its kinds do come about, each game's long loop sees to."""
    of_games = ti4.KINDS | advciv.KINDS | any_game.KINDS
    assert {kind.kind for kind in of_games} == set(entry_kinds())


def test_names_are_unique() -> None:
    assert len(entry_kinds()) == len(set(entry_kinds())) == len(EVERY)


def test_a_kind_has_a_name_of_the_usual_shape() -> None:
    for kind in EVERY:
        assert re.fullmatch(r"([a-z0-9]+\.)?[a-z]+\.[a-z]+", kind.kind)


def test_what_is_sealed_may_be_missing() -> None:
    """Without its sealed part an entry is read all the same: those fields are None then."""
    assert any(map(sealed_fields, EVERY))
    for kind in EVERY:
        for name in sealed_fields(kind):
            assert kind.model_fields[name].default is None, (kind, name)


def test_an_empty_sealed_part_is_sealed_all_the_same() -> None:
    """Else its presence would tell something."""
    opened = NegotiationOpened(negotiation=1, seat="sol", other="hacan")
    assert split(opened)[1] == {"parties": {"topic": None}}
    assert split(Gained(seat="sol"))[1] == {"parties": {"hidden": None}}


def test_what_nobody_knows_is_not_read() -> None:
    unknown = r"there is no entry of the kind 'offer\.moved', version 1"
    with pytest.raises(ValueError, match=unknown):
        read_entry({"kind": "offer.moved"}, {})
    with pytest.raises(ValueError, match="Extra inputs are not permitted"):
        read_entry({"kind": "table.closed", "more": 1}, {})


def test_what_a_person_means_by_a_kind(subtests: pytest.Subtests) -> None:
    for kind, wanted, matches in [
        ("ti4.turn.started", "ti4.turn.started", True),
        ("ti4.turn.started", "turn.started", True),
        ("ti4.turn.started", "turn", True),
        ("ti4.turn.started", "started", True),
        ("ti4.turn.started", "ti4", False),
        ("ti4.turn.started", "turn.ended", False),
        ("offer.transaction", "transaction", True),
        ("offer.transaction", "offer", True),
        ("offer.transaction", "trans", False),
        ("offer.transaction", "offer.transaction", True),
    ]:
        with subtests.test(f"{kind}: {wanted}"):
            assert kind_matches(kind, wanted) == matches
