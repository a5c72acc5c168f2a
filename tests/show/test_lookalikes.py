"""Tests that names that a reader could confuse are alike, and others are not."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from confusable_homoglyphs import confusables
from hypothesis import given
from hypothesis import strategies as st

from bot.show.names import confusable


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("bob", "Bob"),
        ("bob", "b o b"),
        ("bob", "b\u00a0ob."),
        ("bob", "b\u043eb"),  # Cyrillic o
        ("bob", "\U0001d587\U0001d594\U0001d587"),  # Fraktur
        ("bob", "\uff42\uff4f\uff42"),  # fullwidth
        ("bob", "b\u200bob"),  # zero width space
        ("bob", "\u202ebob"),  # turned around
        ("bob", "b0b"),
        ("bob", "b\u00f3b"),  # accented
        ("BOB", "\u0412\u041e\u0412"),  # Cyrillic capitals
        ("bob", "\u0432\u043e\u0432"),  # and their small letters
        ("Alice", "AIice"),  # a capital i
        ("alice", "\u0430l\u0456\u0441\u0435"),
        ("mona", "rnona"),
        ("Hacan", "\u041d\u0410\u0421\u0410N"),
        ("Sol", "\u0405\u043eI"),
        ("\U0001f600", " \U0001f600\ufe0f"),
    ],
)
def test_alike(name: str, other: str) -> None:
    assert confusable(name, other)
    assert confusable(other, name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("bob", "rob"),
        ("bob", "bob2"),
        ("alice", "alicia"),
        ("p1", "p2"),
        ("\U0001f600", "\U0001f601"),
        ("王", "玉"),
    ],
)
def test_not_alike(name: str, other: str) -> None:
    assert not confusable(name, other)


def test_every_character_is_like_all_that_unicode_says_it_is_like() -> None:
    """Among letters and digits without accents: punctuation and accents make no difference between
    names.
    """
    pairs = set[tuple[str, str]]()
    for letter, found in confusables.confusables_data.items():
        pairs |= {(letter, like["c"]) for like in found}
    counted = [pair for pair in pairs if is_counted(pair[0]) and is_counted(pair[1])]
    assert len(counted) > 4_000
    assert [pair for pair in counted if not confusable(*pair)] == []


def is_counted(text: str) -> bool:
    return text.isalnum() and text == normalize("NFD", text)


@given(st.text(min_size=1, max_size=32))
def test_a_name_is_like_itself_in_any_case(name: str) -> None:
    assert confusable(name, name)
    assert confusable(name, name.casefold())
    assert confusable(name, f" {name}\u200b")
