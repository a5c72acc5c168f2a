from __future__ import annotations

import dataclasses

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ledger import GENESIS, BadEntry, Head, Removal
from bot.ledger.batch import draft
from bot.ledger.chain import (
    REMOVALS_GENESIS,
    StoredRow,
    canonical,
    check_removals,
    check_row,
    link,
    link_removal,
    person_digest,
    place_digest,
)
from tests.ledger.samples import AT, hidden


def stored() -> StoredRow:
    """The first entry of table 1, with something public, something sealed and two commitments."""
    committed = {
        "person:2": person_digest("ab" * 16, 2, 3),
        "place": place_digest("cd" * 16, None, 4),
    }
    made = draft(hidden(), committed)
    public, digests = made.public, made.digests
    hashed = link(GENESIS, table_id=1, seq=1, at=AT, by=2, public=public, digests=digests)
    return StoredRow(1, 1, made.kind, made.version, AT, 2, public.decode(), made.sealed, hashed)


def test_keys_are_sorted_however_they_came() -> None:
    unsorted = {"b": {"d": 1, "c": "é"}, "a": []}
    assert canonical(unsorted).decode() == '{"a":[],"b":{"c":"é","d":1}}'


def test_an_untouched_row_carries_the_chain_on() -> None:
    row = stored()
    assert check_row(1, Head(), row) == Head(1, str(row.hash))


@given(st.data())
def test_one_character_changed_anywhere_is_found(data: st.DataObject) -> None:
    row = stored()
    column = data.draw(st.sampled_from(["public", "sealed", "hash", "kind"]))
    text = str(getattr(row, column))
    place = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.characters().filter(lambda character: character != text[place]))
    changed = text[:place] + other + text[place + 1 :]
    row = dataclasses.replace(row, **{column: changed})
    assert isinstance(check_row(1, Head(), row), BadEntry)


NUMBERS = st.booleans() | st.integers() | st.floats()
ANYTHING = st.none() | NUMBERS | st.text() | st.binary()


@given(
    column=st.sampled_from([field.name for field in dataclasses.fields(StoredRow)]), value=ANYTHING
)
def test_garbage_in_any_column_is_found_and_raises_nothing(column: str, value: object) -> None:
    row = stored()
    was = getattr(row, column)
    found = check_row(1, Head(), dataclasses.replace(row, **{column: value}))
    assert isinstance(found, BadEntry) or (value == was)


def test_the_same_row_at_another_place_is_found() -> None:
    row = stored()
    assert check_row(1, Head(3, GENESIS), row) == BadEntry(4, "an entry is numbered 1")
    assert check_row(1, Head(0, "00" * 32), row) == BadEntry(
        1, "the hash does not fit what is recorded"
    )
    assert check_row(2, Head(), row) == BadEntry(1, "the table is not of its kind but int")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"parties": {"digest": "00" * 32}}, "what is sealed for the parties is not of its shape"),
        ({"place": {"salt": "00" * 16, "data": {}}}, "the commitment place is not of its shape"),
        ({"person:2": {"digest": "xyz"}}, "the commitment person:2 is no digest"),
        (
            {"person:02": {"digest": "00" * 32}},
            "what is sealed for the person:02 is not of its shape",
        ),
        ({"person:3": {"digest": "00" * 32}}, "the hash does not fit what is recorded"),
    ],
)
def test_a_commitment_is_a_digest_and_a_sealed_part_is_none(
    change: dict[str, object], reason: str
) -> None:
    row = stored()
    sealed = orjson.loads(str(row.sealed)) | change
    row = dataclasses.replace(row, sealed=canonical(sealed).decode())
    assert check_row(1, Head(), row) == BadEntry(1, reason)


def removal(seq: int = 1, previous: str = REMOVALS_GENESIS) -> Removal:
    hashed = link_removal(previous, seq=seq, table_id=9, at=AT, last_seq=5, head=GENESIS)
    return Removal(seq, 9, AT, 5, GENESIS, hashed)


def test_a_removal_that_was_changed_is_found() -> None:
    first = removal()
    second = removal(2, first.hash)
    third = removal(3, second.hash)
    assert check_removals([first, second, third]) is None
    for field in dataclasses.fields(Removal):
        for value in (7, "7", "é", None, b"7"):
            changed = dataclasses.replace(second, **{field.name: value})
            assert check_removals([first, changed, third]) is not None, changed
    assert check_removals([first, third]) == BadEntry(2, "the removal is missing")
