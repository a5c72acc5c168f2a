"""`replace`: a copy of a value with some fields changed, as `dataclasses.replace` makes it in more than twice the time.

Applying an entry makes several such copies, and a table has more than twenty fields. The standard library's looks at
each field's description and then calls ``__init__`` with a keyword for each; this one fills the slots of the copy.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

__all__ = ["replace"]

if TYPE_CHECKING:  # so that the type checker compares the changes with the fields
    from dataclasses import replace
else:

    def replace(value: Any, /, **changes: Any) -> Any:
        """Return a copy of a dataclass with these fields changed.

        Raises ``TypeError`` or ``AttributeError`` for what is no field of it.
        """
        kind = type(value)
        slots = _slots(kind)
        if slots is None:
            return dataclasses.replace(value, **changes)
        copy = object.__new__(kind)
        for fill, kept in zip(slots.fill, slots.read(value), strict=True):
            fill(copy, kept)
        for name, changed in changes.items():
            object.__setattr__(copy, name, changed)
        return copy


class _Slots(NamedTuple):
    """The fields of a class: what reads all of them at once, and for each what fills it."""

    read: Callable[[Any], tuple[Any, ...]]
    fill: tuple[Callable[[Any, Any], None], ...]


@cache
def _slots(kind: type) -> _Slots | None:
    """Return the fields of a dataclass with slots; None for one that does more in ``__init__`` than to fill them."""
    fields = dataclasses.fields(kind)
    plain = all(field.init for field in fields) and not hasattr(kind, "__post_init__")
    if kind.__dictoffset__ or not plain or len(fields) < 2:  # of a single name, attrgetter returns no tuple
        return None
    names = [field.name for field in fields]
    return _Slots(attrgetter(*names), tuple(getattr(kind, name).__set__ for name in names))
