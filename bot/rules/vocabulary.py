"""The whole vocabulary: the kinds of entry, and of command in a button, of the core and of the installed games."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Union

from pydantic import Field, TypeAdapter

from bot.rules import registry
from bot.rules.commands import Command
from bot.rules.entries import Entry, kind_name
from bot.rules.feature import Feature, Features
from bot.rules.features import audits, deals, holdings, negotiations, seats, tables
from bot.rules.features.offers import posting, signing
from bot.rules.uninstalled import UnknownEntry

CORE = Features(
    (
        tables.FEATURE,
        seats.FEATURE,
        holdings.FEATURE,
        posting.FEATURE,
        signing.FEATURE,
        negotiations.FEATURE,
        deals.FEATURE,
        audits.FEATURE,
    )
)
"""The features that every table has. They have commands and entries only; what else a feature may declare is read of
games' features.
"""
if unread := [each for each in CORE.every if each != Feature(commands=each.commands, entries=each.entries)]:
    raise TypeError(f"nothing reads these parts of a feature of the core: {unread}")

NAMESPACES = frozenset(kind_name(kind).partition(".")[0] for kind in CORE.entries)
"""The first parts of the names of the core's kinds."""


def pressed_commands() -> tuple[type[Command], ...]:
    """Return every command that a button can carry."""
    every = (CORE, *(game.features for game in registry.games().values()))
    return tuple(kind for features in every for kind in features.commands if kind.kind)


def every_kind() -> tuple[type[Entry], ...]:
    """Return all kinds of entry: the core's, and those of every installed game."""
    return (*CORE.entries, *(kind for game in registry.games().values() for kind in game.features.entries))


def entry_kinds() -> tuple[str, ...]:
    """Return the names of all kinds of entry."""
    return tuple(map(kind_name, every_kind()))


def kinds_of(*bases: type[Entry]) -> frozenset[str]:
    """Return the names of the kinds of entry that are of one of these classes.

    >>> "offer.transaction" in kinds_of(Transaction)
    True
    """
    return frozenset(kind_name(kind) for kind in every_kind() if issubclass(kind, bases))


def kinds_with_heading() -> frozenset[str]:
    """Return the names of the kinds of entry with which a turn, a phase or the like may begin."""
    headings = (Entry.heading, Entry.begins_phase)
    return frozenset(kind_name(kind) for kind in every_kind() if (kind.heading, kind.begins_phase) != headings)


def kinds_told_as_one() -> frozenset[str]:
    """Return the names of the kinds of entry of which a story tells several in one sentence."""
    return frozenset(kind_name(kind) for kind in every_kind() if kind.merged != Entry.merged)


def kind_matches(kind: str, wanted: str) -> bool:
    """Return whether a kind is what a person means by ``wanted``: its name, or a part of it without the game's id.

    ``<game>.turn.started`` is meant by that, by ``turn.started``, ``turn`` and ``started``.
    """
    first, _, rest = kind.partition(".")
    bare = rest if first in registry.games() else kind
    return wanted in (kind, bare, *bare.split("."))


def read_entry(public: Mapping[str, Any], sealed: Mapping[str, Mapping[str, Any]]) -> Entry:
    """Join what `bot.rules.entries.split` separated; without a sealed part, its fields are None.

    An entry of a game that is not installed is read as an `UnknownEntry`, without what is sealed in it. Raises
    ``pydantic.ValidationError`` when this is no entry that the core or an installed game knows, and belongs to one.
    """
    if _is_of_another_game(public.get("kind")):
        return UnknownEntry.model_validate(public)
    whole = dict(public)
    for fields in sealed.values():
        whole.update(fields)
    return _adapter().validate_python(whole)


def _is_of_another_game(kind: object) -> bool:
    """Return whether a kind is named as one of a game that is not installed."""
    namespace, dot, name = kind.partition(".") if isinstance(kind, str) else ("", "", "")
    return bool(namespace and dot and name) and namespace not in NAMESPACES and namespace not in registry.games()


@cache
def _adapter() -> TypeAdapter[Entry]:
    kinds = every_kind()
    union = Union[kinds]  # type: ignore[valid-type]  # noqa: UP007  (made at run time)
    return TypeAdapter(Annotated[union, Field(discriminator="kind")])
