"""`replace`: a copy of a value with some fields changed, as `dataclasses.replace` makes it in four times the time.

Applying an entry makes several such copies, and a table has more than twenty fields. The standard library's looks at
each field's description and then calls ``__init__`` with a keyword for each; this one fills the slots of the copy, in
a function that is written for each class, as `dataclasses` writes ``__init__``.
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
        copied = _copier(type(value))
        if copied is None:
            return dataclasses.replace(value, **changes)
        copy = copied(value)
        for name, changed in changes.items():
            object.__setattr__(copy, name, changed)
        return copy


@cache
def _copier(kind: type) -> Callable[[Any], Any] | None:
    """Return what copies a dataclass with slots; None for one that does more in ``__init__`` than to fill them."""
    fields = dataclasses.fields(kind)
    plain = all(field.init for field in fields) and not hasattr(kind, "__post_init__")
    if kind.__dictoffset__ or not plain:
        return None
    known: dict[str, Any] = {f"fill_{field.name}": getattr(kind, field.name).__set__ for field in fields}
    lines = [f"    fill_{field.name}(copy, value.{field.name})" for field in fields]
    # Default values of parameters are found faster than names outside of the function.
    head = f"def copied(value, new=new, kind=kind, {', '.join(f'{name}={name}' for name in known)}):"
    known |= {"new": object.__new__, "kind": kind}
    exec("\n".join((head, "    copy = new(kind)", *lines, "    return copy")), known)
    found: Callable[[Any], Any] = known["copied"]
    return found
