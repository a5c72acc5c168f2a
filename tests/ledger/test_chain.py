from __future__ import annotations

import dataclasses
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from bot.ledger import Bad
from bot.ledger.batch import draft
from bot.ledger.chain import GENESIS, Head, Stored, canonical, check, digest, link
from tests.ledger.samples import AT, hidden


def stored() -> Stored:
    """The first entry of table 1, with something public and something sealed."""
    made = draft(hidden())
    found = link(GENESIS, table_id=1, seq=1, at=AT, by=2, public=made.public, digests=made.digests)
    return Stored(1, 1, made.kind, made.version, AT, 2, made.public.decode(), made.sealed, found)


def test_the_hash_is_what_the_docstring_says() -> None:
    public = {"kind": "x", "v": 1}
    sealed = {"parties": sha256(bytes(16) + b'{"hand":3}').hexdigest()}
    covered = (
        b'{"at":5,"by":null,"entry":{"kind":"x","v":1},"sealed":{"parties":"%b"},"seq":1,"table":9}'
        % sealed["parties"].encode()
    )
    assert digest(bytes(16), {"hand": 3}) == sealed["parties"]
    assert (
        link(GENESIS, table_id=9, seq=1, at=5, by=None, public=canonical(public), digests=sealed)
        == sha256(bytes.fromhex(GENESIS) + covered).hexdigest()
    )


def test_keys_are_sorted_however_they_came() -> None:
    assert canonical({"b": {"d": 1, "c": "é"}, "a": []}) == '{"a":[],"b":{"c":"é","d":1}}'.encode()


def test_an_untouched_row_carries_the_chain_on() -> None:
    row = stored()
    assert check(1, Head(), row) == Head(1, str(row.hash))


@given(st.data())
def test_one_character_changed_anywhere_is_found(data: st.DataObject) -> None:
    row = stored()
    column = data.draw(st.sampled_from(["public", "sealed", "hash", "kind"]))
    text = str(getattr(row, column))
    place = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.characters().filter(lambda character: character != text[place]))
    changed = text[:place] + other + text[place + 1 :]
    assert isinstance(check(1, Head(), dataclasses.replace(row, **{column: changed})), Bad)


ANYTHING = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary())


@given(column=st.sampled_from([field.name for field in dataclasses.fields(Stored)]), value=ANYTHING)
def test_garbage_in_any_column_is_found_and_raises_nothing(column: str, value: object) -> None:
    row = stored()
    was = getattr(row, column)
    found = check(1, Head(), dataclasses.replace(row, **{column: value}))
    assert isinstance(found, Bad) or (value == was)


def test_the_same_row_at_another_place_is_found() -> None:
    row = stored()
    assert check(1, Head(3, GENESIS), row) == Bad(4, "an entry is numbered 1")
    assert check(1, Head(0, "00" * 32), row) == Bad(1, "the hash does not fit what is recorded")
    assert check(2, Head(), row) == Bad(1, "the table is not of its kind but int")
