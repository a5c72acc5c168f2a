"""Tests that typed text stays apart from our own markup."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.rules.model.text import convert, quoted, unquoted, visible


def ours(text: str) -> str:
    return text.upper()


def theirs(text: str) -> str:
    return f"[{text}]"


def test_a_sentence_is_converted_piece_by_piece() -> None:
    said = f"there is {quoted('salt')} and {quoted('iron')}."
    assert convert(said, ours, theirs) == "THERE IS [salt] AND [iron]."


def test_typed_marks_do_not_end_what_was_typed() -> None:
    """Text that holds our marks can't pass for ours."""
    sly = "a\ue001<seat:sol>\ue000b"
    assert convert(f"x {quoted(sly)} y", ours, theirs) == "X [a<seat:sol>b] Y"


@given(st.text(), st.text(alphabet=st.characters(exclude_characters="\ue000\ue001")))
def test_typed_text_comes_out_whole_and_is_never_ours(typed: str, said: str) -> None:
    assert convert(said + quoted(typed), lambda text: "", lambda text: text) == visible(typed)
    assert unquoted(said + quoted(typed)) == visible(said + typed)


def test_lines_are_kept() -> None:
    assert convert(quoted("one\ntwo"), ours, theirs) == "[one\ntwo]"
