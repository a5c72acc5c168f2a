"""Goods: what changes hands, as a multiset of components.

A *component* is a short token, the same in memory, in the ledger and in a snapshot: ``trade_good``,
``commodity``, ``fragment:cultural``, ``note:ceasefire:hacan`` (the last part is the seat that owns
the note). The game defines what tokens mean; this module only counts them.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from operator import attrgetter
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from bot.rules.model.values import frozen

COUNT_MAX = 999
"""The highest count of one component that people can write; no game has as many.

>>> COUNT_MAX
999
"""


class Goods(Mapping[str, int]):
    """An immutable multiset of components: token -> count (at least 1), in alphabetical order.

    The constructor checks every count; arithmetic between goods does not check again. Raises
    ``ValueError`` for a count below 1, and from ``-`` if the result would be negative.

    >>> goods = Goods({"silk": 2, "spice": 1})
    >>> goods - Goods({"silk": 1}), goods.total(), "oil" in goods
    (Goods({'silk': 1, 'spice': 1}), 3, False)
    """

    __slots__ = ("_counts",)

    def __init__(self, counts: Mapping[str, int] | Iterable[tuple[str, int]] = ()) -> None:
        pairs = dict(counts)
        for token, count in pairs.items():
            if type(count) is not int or count < 1:  # a bool would be an int too
                raise ValueError(f"{token}: a count is a whole number from 1, not {count!r}")
        self._counts = dict(sorted(pairs.items())) if len(pairs) > 1 else pairs

    @classmethod
    def of(cls, tokens: Iterable[str]) -> Goods:
        """Count tokens: ``Goods.of(["salt", "salt"])`` is two salt."""
        counts: dict[str, int] = {}
        for token in tokens:
            counts[token] = counts.get(token, 0) + 1
        return _made(counts)

    def __getitem__(self, token: str) -> int:
        return self._counts[token]

    def __iter__(self) -> Iterator[str]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)

    def __contains__(self, token: object) -> bool:
        return token in self._counts

    # The versions in `Mapping` would call the methods above for each item.

    def keys(self) -> KeysView[str]:
        """Return the tokens."""
        return self._counts.keys()

    def values(self) -> ValuesView[int]:
        """Return the counts."""
        return self._counts.values()

    def items(self) -> ItemsView[str, int]:
        """Return the tokens with their counts."""
        return self._counts.items()

    def __eq__(self, other: object) -> bool:
        return self._counts == other._counts if isinstance(other, Goods) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self._counts.items()))

    def __repr__(self) -> str:
        return f"Goods({self._counts})"

    def count(self, token: str) -> int:
        """Return the count of this component, maybe 0."""
        return self._counts.get(token, 0)

    def __add__(self, other: Goods) -> Goods:
        if not other._counts or not self._counts:
            return self if self._counts else other
        counts = dict(self._counts)
        for token, count in other._counts.items():
            counts[token] = counts.get(token, 0) + count
        return _made(counts)

    def __sub__(self, other: Goods) -> Goods:
        if not other._counts:
            return self
        if missing := self.missing(other):
            raise ValueError(f"cannot take {missing} out of {self}")
        taken = other._counts
        return _part(
            {
                token: left
                for token, count in self._counts.items()
                if (left := count - taken.get(token, 0))
            }
        )

    def missing(self, wanted: Goods) -> Goods:
        """Return the part of ``wanted`` that is not here, counted as multisets."""
        if not wanted._counts or not self._counts:
            return wanted if wanted._counts else NOTHING
        have = self._counts
        return _part(
            {
                token: n
                for token, count in wanted._counts.items()
                if (n := count - have.get(token, 0)) > 0
            }
        )

    def common(self, other: Goods) -> Goods:
        """Return the intersection, counted as multisets."""
        return _part(
            {
                token: n
                for token, count in self._counts.items()
                if (n := min(count, other.count(token)))
            }
        )

    def of_kind(self, *kinds: str) -> Goods:
        """Return the components whose token begins with one of these kinds (``note``,
        ``fragment``...).
        """
        if not self._counts:
            return NOTHING
        return _part(
            {
                token: count
                for token, count in self._counts.items()
                if token.partition(":")[0] in kinds
            }
        )

    def without_kind(self, *kinds: str) -> Goods:
        """Return the components of every other kind."""
        if not self._counts:
            return NOTHING
        return _part(
            {
                token: count
                for token, count in self._counts.items()
                if token.partition(":")[0] not in kinds
            }
        )

    def total(self) -> int:
        """Return the number of all components."""
        return sum(self._counts.values())

    def tokens(self) -> Iterator[str]:
        """Yield each token ``count`` times."""
        for token, count in self._counts.items():
            for _ in range(count):
                yield token

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Read and write goods as a JSON object of counts."""
        return core_schema.no_info_after_validator_function(
            lambda value: value if isinstance(value, cls) else cls(value),
            core_schema.union_schema(
                [
                    core_schema.is_instance_schema(cls),
                    core_schema.dict_schema(
                        core_schema.str_schema(), core_schema.int_schema(ge=1, strict=True)
                    ),
                ]
            ),
            serialization=core_schema.plain_serializer_function_ser_schema(
                attrgetter("_counts"), return_schema=core_schema.dict_schema()
            ),
        )


def _made(counts: dict[str, int]) -> Goods:
    """Build goods from valid counts in any order."""
    return _part(dict(sorted(counts.items())) if len(counts) > 1 else counts)


def _part(counts: dict[str, int]) -> Goods:
    """Build goods from valid counts in alphabetical order."""
    goods = Goods.__new__(Goods)
    goods._counts = counts
    return goods


NOTHING = Goods()
"""No goods at all.

>>> NOTHING + Goods({"silk": 2})
Goods({'silk': 2})
"""


def kind_of(token: str) -> str:
    """Return the kind of a component: the first part of its token.

    >>> kind_of("crate:silk:red")
    'crate'
    """
    return token.partition(":")[0]


def plainly(goods: Goods) -> str:
    """Return goods in words that need no game: counts and tokens."""
    return ", ".join(f"{count} {token}" for token, count in goods.items()) or "nothing"


@frozen
class Change:
    """The goods that one seat lost and gained in one step, and those that entered or left its play
    area.

    >>> Change(lost=Goods({"silk": 1}), gained=Goods({"spice": 1})).lost.total()
    1
    """

    lost: Goods = NOTHING
    gained: Goods = NOTHING
    entered_play: Goods = NOTHING
    left_play: Goods = NOTHING
