"""Tests of goods: the algebra of multisets, without silent cuts."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from bot.rules.model.goods import NOTHING, Goods, kind_of

TOKENS = (
    "trade_good",
    "commodity",
    "action_card",
    "fragment:unknown",
    "note:ceasefire:sol",
    "note:ceasefire:hacan",
)
COUNTS = st.dictionaries(st.sampled_from(TOKENS), st.integers(1, 5))
GOODS = COUNTS.map(Goods)
ADAPTER = TypeAdapter(Goods)


@given(GOODS, GOODS, GOODS)
def test_adding_is_commutative_and_associative_and_nothing_is_neutral(
    a: Goods, b: Goods, c: Goods
) -> None:
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert a + NOTHING == a == NOTHING + a
    assert (a + b).total() == a.total() + b.total()


@given(GOODS, GOODS)
def test_taking_undoes_adding(a: Goods, b: Goods) -> None:
    assert (a + b) - b == a
    assert a - a == NOTHING
    assert not a - a


@given(GOODS, GOODS)
def test_what_is_missing_is_just_what_would_make_it_enough(a: Goods, b: Goods) -> None:
    missing = a.missing(b)
    for token in TOKENS:
        lacks = b.count(token) - a.count(token)
        assert missing.count(token) == max(0, lacks)
    assert (a + missing).missing(b) == NOTHING
    assert a + missing == b + b.missing(a)  # the union of multisets, from either side


@given(GOODS, GOODS)
def test_more_than_is_there_is_never_taken(a: Goods, b: Goods) -> None:
    assume(a.missing(b))
    with pytest.raises(ValueError, match="cannot take"):
        a - b


@given(GOODS)
def test_kinds_part_goods_in_two(a: Goods) -> None:
    notes, rest = a.of_kind("note"), a.without_kind("note")
    assert notes + rest == a
    assert {kind_of(token) for token in notes} <= {"note"}
    assert "note" not in {kind_of(token) for token in rest}


@given(GOODS, GOODS)
def test_equal_goods_hash_alike_in_whatever_order_they_came(a: Goods, b: Goods) -> None:
    backwards = Goods(list(a.items())[::-1])
    assert backwards == a
    assert hash(backwards) == hash(a)
    assert list(backwards) == sorted(a)
    assert (a == b) == (dict(a) == dict(b))


@given(GOODS)
def test_goods_are_read_like_a_dictionary_and_not_written(a: Goods) -> None:
    counts = {token: a[token] for token in a}
    assert dict(a) == dict(a.items()) == counts
    assert list(a.values()) == list(counts.values())
    assert list(a.keys()) == list(a) == sorted(a)
    for view in (a.keys(), a.values(), a.items()):
        assert not hasattr(view, "__setitem__")
    ADAPTER.dump_python(a)["trade_good"] = 9  # what is stored is a copy
    assert a.count("trade_good") <= 5


@given(GOODS)
def test_json_and_back(a: Goods) -> None:
    assert ADAPTER.validate_json(ADAPTER.dump_json(a)) == a
    assert ADAPTER.validate_python(ADAPTER.dump_python(a, mode="json")) == a
    assert ADAPTER.validate_python(a) is a


@given(GOODS)
def test_no_operation_changes_its_operands(a: Goods) -> None:
    was = dict(a)
    a + a, a - a, a.missing(a)
    a.of_kind("note"), a.without_kind("note")
    assert dict(a) == was
    with pytest.raises(TypeError):
        a["trade_good"] = 3  # type: ignore[index]


@pytest.mark.parametrize("count", [0, -1, 1.0, True, "1", None])
def test_a_count_is_a_whole_number_from_1(count: object) -> None:
    with pytest.raises(ValueError, match="a whole number from 1"):
        Goods({"trade_good": count})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ['{"trade_good": 0}', '{"trade_good": -2}', '{"trade_good": 1.5}', "[1]", '"tg"']
)
def test_json_that_is_no_goods_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        ADAPTER.validate_json(text)
