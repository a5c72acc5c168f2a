"""Goods: what changes hands, as a multiset of components.

A *component* is written as one short token, the same in memory, in the ledger and in a snapshot:
``trade_good``, ``commodity``, ``fragment:cultural``, ``note:ceasefire:hacan`` (the last part is the seat
whose note it is). What a token means is the game's business; this module only counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

MOST = 999
"""The most of one component that anybody may name at once; no box of any game holds as many."""


class Goods(Mapping[str, int]):
    """An immutable multiset of components: token -> how many (always 1 or more).

    Raises ``ValueError`` when built from a count below 1, and from ``-`` when more is taken than is there:
    nothing is ever cut silently to what is held.
    """

    __slots__ = ("_counts",)

    def __init__(self, counts: Mapping[str, int] | Iterable[tuple[str, int]] = ()) -> None:
        pairs = dict(counts)
        for token, count in pairs.items():
            if type(count) is not int or count < 1:
                raise ValueError(f"{token}: a count is a whole number from 1, not {count!r}")
        self._counts = {token: pairs[token] for token in sorted(pairs)}

    def __getitem__(self, token: str) -> int:
        return self._counts[token]

    def __iter__(self) -> Iterator[str]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)

    def __hash__(self) -> int:
        return hash(tuple(self._counts.items()))

    def __repr__(self) -> str:
        return f"Goods({self._counts})"

    def count(self, token: str) -> int:
        """How many of this component there are; 0 when there is none."""
        return self._counts.get(token, 0)

    def __add__(self, other: Goods) -> Goods:
        counts = dict(self._counts)
        for token, count in other.items():
            counts[token] = counts.get(token, 0) + count
        return Goods(counts)

    def __sub__(self, other: Goods) -> Goods:
        if missing := self.missing(other):
            raise ValueError(f"cannot take {missing} out of {self}")
        return Goods({token: left for token, count in self.items() if (left := count - other.count(token))})

    def missing(self, wanted: Goods) -> Goods:
        """The part of ``wanted`` that is not here, counted as multisets."""
        return Goods({token: short for token, count in wanted.items() if (short := count - self.count(token)) > 0})

    def of_kind(self, *kinds: str) -> Goods:
        """The components whose token begins with one of these kinds (``note``, ``fragment``...)."""
        return Goods({token: count for token, count in self.items() if kind_of(token) in kinds})

    def without_kind(self, *kinds: str) -> Goods:
        """The components of every other kind."""
        return Goods({token: count for token, count in self.items() if kind_of(token) not in kinds})

    def total(self) -> int:
        """How many components there are in all."""
        return sum(self._counts.values())

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """In JSON, goods are an object of counts."""
        return core_schema.no_info_after_validator_function(
            lambda value: value if isinstance(value, cls) else cls(value),
            core_schema.union_schema(
                [
                    core_schema.is_instance_schema(cls),
                    core_schema.dict_schema(core_schema.str_schema(), core_schema.int_schema(ge=1)),
                ]
            ),
            serialization=core_schema.plain_serializer_function_ser_schema(
                dict, return_schema=core_schema.dict_schema()
            ),
        )


NOTHING = Goods()


def kind_of(token: str) -> str:
    """The kind of a component: the first part of its token."""
    return token.partition(":")[0]
