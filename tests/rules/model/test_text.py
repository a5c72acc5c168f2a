"""Tests that invisible characters are removed from text, and everything else stays."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.model.text import one_line, visible

EVERY = "".join(map(chr, range(sys.maxunicode + 1)))
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co"})
"""Unicode's categories of controls, formats, surrogates and private use."""

BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159")
"""Letters and signs of other categories that are drawn as nothing, beside the variation
selectors.
"""


def test_all_controls_and_formats_of_unicode_go() -> None:
    unseen = [letter for letter in EVERY if unicodedata.category(letter) in UNSEEN]
    assert [letter for letter in unseen if visible(letter) == letter] == ["\n"]
    assert {visible(letter) for letter in EVERY if letter.isspace()} == {" ", "\n"}


def test_all_that_can_be_seen_stays() -> None:
    """Of Unicode as Python knows it: what is not assigned yet may be a new emoji."""
    changed = {letter for letter in EVERY if visible(letter) != letter}
    seen = {letter for letter in changed if unicodedata.category(letter)[0] not in "CZ"}
    names = {letter: unicodedata.name(letter, "") for letter in seen}
    selectors = {letter for letter, name in names.items() if "VARIATION SELECTOR" in name}
    assert seen == BLANK | selectors
    assert len(selectors) == 256 + 4


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("\u202egnp.exe", "gnp.exe"),  # turned around
        ("\u2066bob\u2069", "bob"),  # isolated
        ("b\u200bo\u200db\ufeff", "bob"),  # without a width
        ("bo\x00b\x1b[31m", "bob[31m"),
        ("a\tb\r\nc\u2028d\u00a0e", "a b \nc d e"),
        ("\ue000forged\ue001", "forged"),  # the marks of `quoted`
        ("\ud83d", ""),  # half a character, which no file takes
        ("Zoë 王 😀 שלום", "Zoë 王 😀 שלום"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),  # one emoji
        ("🧙🏽\u200d♂\ufe0f", "🧙🏽\u200d♂"),
        ("🏳\ufe0f\u200d🌈", "🏳\u200d🌈"),
        ("😀\u200d b\u200d😀\u200dob \u200d😀", "😀 b😀ob 😀"),  # these join nothing
    ],
)
def test_examples(typed: str, left: str) -> None:
    assert visible(typed) == left


@given(st.text(alphabet=st.characters(codec=None)))
def test_what_is_left_can_be_written_and_is_left_alone(typed: str) -> None:
    left = visible(typed)
    assert visible(left) == left
    left.encode()
    assert one_line(typed) == " ".join(left.split())
