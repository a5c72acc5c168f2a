"""Values: what never changes, and is compared by its fields."""

from __future__ import annotations

from dataclasses import Field, FrozenInstanceError, dataclass, field
from typing import Any, ClassVar, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[T]) -> type[T]:
    """Make a class a frozen dataclass with slots.

    >>> @frozen
    ... class Stall:
    ...     name: str
    >>> Stall("red")
    Stall(name='red')
    """
    return dataclass(frozen=True, slots=True)(kind)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def frozen_by_name(kind: type[T]) -> type[T]:
    """Make a class what `frozen` makes of it, with fields that are given by name."""
    return dataclass(frozen=True, slots=True, kw_only=True)(kind)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value:
    """The base of actions, commands and subjects: each subclass is a frozen dataclass, without a
    decorator. One that has a decorator all the same is what that makes of it.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "__slots__" not in vars(cls):  # a decorator makes such a class of a finished one
            dataclass(frozen=True)(cls)
            # Those below do the same, and a decorator refuses a class that has its own.
            for name in ("__setattr__", "__delattr__"):
                delattr(cls, name)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")
