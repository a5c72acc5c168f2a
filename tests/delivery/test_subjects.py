"""Tests that subjects are written and read by one encoder and one decoder."""

from __future__ import annotations

from dataclasses import fields
from itertools import chain
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.delivery.desired import (
    SUBJECTS,
    Board,
    HiddenPrompt,
    PersonalOffer,
    PingedSubject,
    Prompt,
    RingingSubject,
    Subject,
    decode,
    encode,
)

KEYS = st.text(st.characters(exclude_characters=":"))
NUMBERS = st.integers(0, 2**63 - 1)
"""What a database holds, and all that Discord counts with."""


def built(kind: type[Subject]) -> st.SearchStrategy[Subject]:
    """Return any subject of a kind."""
    hints = get_type_hints(kind)
    numbers = {each.name: NUMBERS for each in fields(kind) if hints[each.name] is int}
    keys = {"key": KEYS} if kind in (Prompt, HiddenPrompt) else {}
    return st.builds(kind, **numbers, **keys)


@given(st.sampled_from(SUBJECTS).flatmap(built))
def test_what_is_written_is_read(subject: Subject) -> None:
    assert decode(encode(subject)) == subject


def test_no_two_kinds_share_a_name() -> None:
    assert len({kind.name for kind in SUBJECTS}) == len(SUBJECTS)


def test_every_kind_is_listed() -> None:
    # a dataclass with slots is made anew, so that its class may be there twice
    bases = (Subject, RingingSubject, PingedSubject)
    kinds = chain.from_iterable(base.__subclasses__() for base in bases)
    assert {kind.name for kind in kinds} - {""} == {kind.name for kind in SUBJECTS}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing",
        "offer",
        "offer:",
        "offer:x",
        "offer:1:2",
        "board:1",
        "personal:1:someone:2",
        "prompt:k",
    ],
)
def test_what_no_subject_is_written_as_is_none(text: str) -> None:
    assert decode(text) is None


def test_a_text_with_a_colon_is_read_back() -> None:
    assert decode(encode(Prompt("a:b", 1))) == Prompt("a:b", 1)


def test_as_it_is_kept() -> None:
    assert encode(Board()) == "board"
    assert encode(PersonalOffer(12, "poster", 4711)) == "personal:12:poster:4711"
    assert encode(Prompt("deal-3", 4711, 3)) == "prompt:deal-3:4711:3"
    assert encode(Prompt("match-1-2", 4711)) == "prompt:match-1-2:4711:"
