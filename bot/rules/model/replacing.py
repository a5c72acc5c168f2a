"""`replace`: a copy of a value with some fields changed, as `dataclasses.replace` makes it in ten times the time.

Applying an entry makes several such copies, and a table has more than twenty fields. The standard library calls
``__init__`` with a keyword for each, and that of a frozen class sets each by a method. Here a function made for the
class copies them into an object of its *twin*, a class with the same slots that is not frozen, and then makes that
object one of the class.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

__all__ = ["replace"]

if TYPE_CHECKING:  # so that the type checker compares the changes with the fields
    from dataclasses import replace
else:

    def replace(value: Any, /, **changes: Any) -> Any:
        """Return a copy of a dataclass with these fields changed.

        Raises ``TypeError`` or ``AttributeError`` for what is no field of it.
        """
        kind = type(value)
        thaw = _thaw(kind)
        if thaw is None:
            return dataclasses.replace(value, **changes)
        copy = thaw(value)
        for name, changed in changes.items():
            setattr(copy, name, changed)
        copy.__class__ = kind
        return copy


@cache
def _thaw(kind: type) -> Callable[[Any], Any] | None:
    """Return what copies a value of this dataclass into one of its twin.

    None for a class without slots of its own, or that does more in ``__init__`` than to fill them.
    """
    fields = dataclasses.fields(kind)
    plain = all(field.init for field in fields) and not hasattr(kind, "__post_init__")
    if kind.__dictoffset__ or not plain or type(kind) is not type:
        return None
    # Both methods, since Python has one place for the two: with a frozen one there, every change would take longer.
    body = {"__slots__": vars(kind)["__slots__"], "__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    twin = type(kind.__name__, kind.__bases__, body)
    copying = "; ".join(f"copy.{field.name} = value.{field.name}" for field in fields)
    names: dict[str, Any] = {"Twin": twin}
    exec(f"def thaw(value):\n copy = Twin(); {copying}\n return copy", names)  # as `dataclasses` does
    thaw: Callable[[Any], Any] = names["thaw"]
    return thaw
