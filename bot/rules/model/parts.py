"""Parts of a game's state, one for each feature that remembers something of a table.

`bot.rules.feature.Features.state` composes the class of the state from them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import UnionType
from typing import Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

from bot.rules.model.replacing import replace
from bot.rules.model.table import Table
from bot.rules.model.values import frozen
from bot.rules.model.windows import Pair, SeatId, Window

P = TypeVar("P", bound="StatePart")
GONE: Final[Any] = object()


@frozen
class StatePart:
    """One feature's part of a table's state: a frozen dataclass whose fields have defaults.

    Each method returns the part after something that happened to the whole table. Subclasses
    override the methods that concern them. Read and change a part with `part` and `with_part`.
    Seats are of the type `SeatId` or `Pair`, so that they are renamed and removed.

    >>> @frozen
    ... class Bells(StatePart):
    ...     rung: int = 0
    >>> Features((Feature(state=Bells),)).state().bells
    Bells(rung=0)
    """

    def vacated(self: P, seat: str) -> P:
        """Return the part after the player of this seat has left; the seat itself stays in the
        game.

        What a seat owes and may do stays with it.
        """
        return self

    def without(self: P, seat: str) -> P:
        """Return the part after this seat has left the game for good: without whatever names it."""
        kind = type(self)
        left: P = _seat_replaced(self.vacated(seat), kind, seat, None)
        return kind() if left is GONE else left

    def renamed(self: P, before: str, now: str) -> P:
        """Return the part with the seat ``before`` replaced by ``now``."""
        renamed: P = _seat_replaced(self, type(self), before, now)
        return renamed

    def later(self: P, by: int) -> P:
        """Return the part with its deadlines ``by`` milliseconds later, after a pause."""
        return self

    def window_over(self: P) -> P:
        """Return the part after the window has ended."""
        return self


def _seat_replaced(value: Any, hint: Any, before: str, now: str | None) -> Any:
    """Return a value of the type ``hint`` with one seat replaced by another.

    Without another, collections lose what names the seat, and anything else that names it is
    `GONE`.
    """
    origin, of = get_origin(hint), get_args(hint)
    if hint == SeatId:
        if value != before:
            return value
        return GONE if now is None else now
    if hint == Pair:
        both = _seat_replaced(value, of[0], before, now)
        return both if both is GONE else tuple(sorted(both))
    if origin in (Union, UnionType):
        left = None if value is None else _seat_replaced(value, of[0], before, now)
        return None if left is GONE else left
    if origin is frozenset or (origin is tuple and of[1:] == (...,)):
        others = (_seat_replaced(item, of[0], before, now) for item in value)
        return origin(other for other in others if other is not GONE)
    if origin is tuple:
        pairs = zip(value, of, strict=True)
        items = tuple(_seat_replaced(item, its, before, now) for item, its in pairs)
        return GONE if GONE in items else items
    if not hasattr(hint, "__dataclass_fields__"):
        return value
    changed = dict[str, Any]()
    for name, its in _hints(hint).items():
        old = getattr(value, name)
        new = _seat_replaced(old, its, before, now)
        if new is GONE:
            return GONE
        if new != old:
            changed[name] = new
    return replace(value, **changed) if changed else value


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def part(table: Table, kind: type[P]) -> P:
    """Return a feature's part of the state. Raises ``TypeError`` if the table plays another game.

    >>> part(dealt, Seed).mixed
    (1001,)
    """
    # `name_of`, without the call: no function is called as often
    found = getattr(table.state, kind.__name__.lower(), None)
    if not isinstance(found, kind):
        raise TypeError(f"a table of {table.game} has no {kind.__name__}")
    return found


def with_part(table: Table, changed: StatePart) -> Table:
    """Return the table with this part replacing the one of the same type.

    >>> part(with_part(dealt, Seed(draws=3)), Seed).draws
    3
    """
    name = name_of(type(changed))
    if getattr(table.state, name) is changed:
        return table
    changes: dict[str, Any] = {name: changed}
    return table.with_state(replace(table.state, **changes))


def with_parts(table: Table, change: Callable[[StatePart], StatePart]) -> Table:
    """Return the table with every part changed by this function, such as ``lambda part:
    part.without(seat)``.

    >>> part(with_parts(dealt, lambda part: part.without("red")), Seed).mixed
    (1001,)
    """
    changes = dict[str, Any]()
    for name in type(table.state).__dataclass_fields__:
        before = getattr(table.state, name)
        if isinstance(before, StatePart):
            after = change(before)
            if after is not before:
                changes[name] = after
    return table.with_state(replace(table.state, **changes)) if changes else table


def open_window(table: Table, window: Window, phase: str | None = None) -> Table:
    """Return the table with a new window, and in this phase unless it is None.

    >>> open_window(table, Window(number=5, kind="turn", holder="red")).window.holder
    'red'
    """
    table = with_parts(table, lambda part: part.window_over())
    return replace(table, window=window, phase=table.phase if phase is None else phase)


def name_of(kind: type[StatePart]) -> str:
    """Return the name of a part's field in the state."""
    return kind.__name__.lower()
