"""Tests that `replace` does what `dataclasses.replace` does."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.people import Person
from bot.rules.model.replacing import replace
from bot.rules.model.table import GameState, Seat, Table
from bot.rules.model.windows import Window


@dataclasses.dataclass(frozen=True, slots=True)
class Single(GameState):
    day: int = 0


@dataclasses.dataclass(frozen=True)
class WithoutSlots(GameState):
    """As a game of another package may write its state."""

    day: int = 0
    night: str = ""


SOL = Seat("sol", 1)
BOB = Person(1, 101, "bob")

VALUES: list[tuple[Any, dict[str, Any]]] = [
    (Table(id=1, name="Friday"), {"seq": 3, "phase": "action"}),
    (Table(state=Single(1)), {"state": Single()}),
    (Seat("sol", 1, holdings=Goods({"trade_good": 2})), {"holdings": NOTHING}),
    (SOL, {}),
    (Window(3, "turn", "sol"), {"holder": None}),
    (BOB, {"name": "bob\u200b  b"}),  # its name is cleaned again
    (Single(1), {"day": 2}),
    (WithoutSlots(1, "dark"), {"night": "bright"}),
    (GameState(), {}),
]


@pytest.mark.parametrize(("value", "changes"), VALUES)
def test_a_copy_with_some_fields_changed(value: Any, changes: dict[str, Any]) -> None:
    copy = replace(value, **changes)
    assert copy == dataclasses.replace(value, **changes)
    assert (type(copy), copy is value) == (type(value), False)
    for field in dataclasses.fields(value):  # the very same values, where they were not changed
        if field.name not in changes and not isinstance(value, Person):
            assert getattr(copy, field.name) is getattr(value, field.name)


@pytest.mark.parametrize("value", [SOL, BOB, Single(), WithoutSlots()])
def test_what_is_no_field_is_a_mistake(value: Any) -> None:
    with pytest.raises((TypeError, AttributeError)):
        replace(value, week=1)


@pytest.mark.parametrize("value", [SOL, Single(1), WithoutSlots(1)])
def test_a_copy_is_as_frozen_as_the_value(value: Any) -> None:
    copy = replace(value)
    name = dataclasses.fields(value)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(copy, name, 2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        delattr(copy, name)
