"""`replace`: does the same as `dataclasses.replace` in less than half the time.

Applying an entry makes several copies, and a table has more than twenty fields. The standard
library inspects each field and calls ``__init__`` with keywords; this version fills the slots of
the copy directly.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from itertools import repeat
from operator import attrgetter, call
from typing import TYPE_CHECKING, Any, NamedTuple

__all__ = ["facts_of", "replace"]

if TYPE_CHECKING:  # the type checker then compares the changes with the fields
    from dataclasses import replace
else:

    def replace(value: Any, /, **changes: Any) -> Any:
        """Return a copy of a dataclass with these fields changed.

        Raises ``TypeError`` or ``AttributeError`` for an unknown field.

        >>> replace(table, phase="market").phase
        'market'
        """
        kind = type(value)
        slots = _slots(kind)
        if slots is None:
            return dataclasses.replace(value, **changes)
        copy = object.__new__(kind)
        for _ in map(call, slots.fill, repeat(copy), slots.read(value)):
            pass
        for name, changed in changes.items():
            object.__setattr__(copy, name, changed)
        return copy


class _Slots(NamedTuple):
    """Access to the slots of a class: ``read`` reads all fields at once, ``fill`` has a setter for
    each.
    """

    read: Callable[[Any], tuple[Any, ...]]
    fill: tuple[Callable[[Any, Any], None], ...]


@cache
def _slots(kind: type) -> _Slots | None:
    """Return the slots of a dataclass; None if it has no slots, or if its ``__init__`` does more
    than fill them.
    """
    fields = dataclasses.fields(kind)
    plain = all(field.init for field in fields) and not hasattr(kind, "__post_init__")
    # for a single name, attrgetter returns no tuple
    if kind.__dictoffset__ or not plain or len(fields) < 2:
        return None
    names = [field.name for field in fields]
    setters = (getattr(kind, name).__set__ for name in names)
    return _Slots(attrgetter(*names), tuple(setters))


def facts_of(value: Any, kind: type) -> dict[str, Any]:
    """Return the fields that a value has from a class that it shares with others, by name."""
    names = _names(kind)
    return {name: getattr(value, name) for name in names}


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))
