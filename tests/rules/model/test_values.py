"""Values are frozen dataclasses, with and without a decorator."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass

import pytest

from bot.rules.model.values import Value


class Bell(Value):
    strokes: int


@dataclass(frozen=True, slots=True)
class Decorated(Value):
    strokes: int


@pytest.mark.parametrize("kind", [Bell, Decorated])
def test_a_value_is_compared_by_its_fields_and_never_changes(kind: type[Bell]) -> None:
    bell = kind(3)
    assert bell == kind(3) != kind(4)
    assert hash(bell) == hash(kind(3))
    assert repr(bell) == f"{kind.__name__}(strokes=3)"
    with pytest.raises(FrozenInstanceError):
        bell.strokes = 4  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del bell.strokes
