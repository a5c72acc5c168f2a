"""The whole vocabulary: the kinds of entry, and of command in a button, of the core and of the
installed games.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from bot.rules import registry
from bot.rules.commands import Command
from bot.rules.entries import Entry, Upgrade, may_be_all_sealed
from bot.rules.feature import Features
from bot.rules.features import (
    audits,
    deals,
    holdings,
    house_rules,
    negotiations,
    next_time,
    seats,
    tables,
)
from bot.rules.features.offers import debts, posting, signing
from bot.rules.features.offers.entries import OfferConfided
from bot.rules.guard import blamed
from bot.rules.uninstalled import UnknownEntry, UnreadableEntry

log = logging.getLogger(__name__)

CORE = Features(
    (
        tables.FEATURE,
        next_time.FEATURE,
        house_rules.FEATURE,
        seats.FEATURE,
        holdings.FEATURE,
        posting.FEATURE,
        signing.FEATURE,
        negotiations.FEATURE,
        deals.FEATURE,
        debts.FEATURE,
        audits.FEATURE,
    )
)
"""The features that every table has: commands and entries only. What else a feature may declare is
read of games.
"""

NAMESPACES = frozenset(kind.kind.partition(".")[0] for kind in CORE.entries)
"""The first parts of the names of the core's kinds."""


def pressed_commands() -> tuple[type[Command], ...]:
    """Return every command that a button can carry."""
    kinds = [*CORE.commands]
    for game in registry.games().values():
        kinds += game.features.commands
    return tuple(kind for kind in kinds if kind.kind)


def every_kind() -> tuple[type[Entry], ...]:
    """Return all kinds of entry: the core's, and those of every installed game."""
    kinds = [*CORE.entries]
    for game in registry.games().values():
        kinds += game.features.entries
    return tuple(kinds)


def entry_kinds() -> tuple[str, ...]:
    """Return the names of all kinds of entry."""
    return tuple(kind.kind for kind in every_kind())


def kinds_of(*bases: type[Entry]) -> frozenset[str]:
    """Return the names of the kinds of entry that are of one of these classes, or read as one.

    >>> "offer.transaction" in kinds_of(Transaction)
    True
    """
    return _kinds_that(lambda kind: issubclass(kind, bases))


def kinds_with_heading() -> frozenset[str]:
    """Return the names of the kinds of entry with which a turn, a phase or the like may begin."""
    headings = (Entry.heading, Entry.begins_phase)
    return _kinds_that(lambda kind: (kind.heading, kind.begins_phase) != headings)


def kinds_told_as_one() -> frozenset[str]:
    """Return the names of the kinds of entry of which a story tells several in one sentence."""
    return _kinds_that(lambda kind: kind.merged != Entry.merged)


def kinds_maybe_sealed() -> frozenset[str]:
    """Return the names of the kinds of entry that may be all sealed, even what they are about."""
    return _kinds_that(may_be_all_sealed)


def _kinds_that(holds: Callable[[type[Entry]], bool]) -> frozenset[str]:
    return frozenset(written for (written, _), (kind, _) in readers().items() if holds(kind))


def kind_matches(kind: str, wanted: str) -> bool:
    """Return whether a kind is what a person means by ``wanted``: its name, or a part of it without
    the game's id.

    ``<game>.turn.started`` is meant by that, by ``turn.started``, ``turn`` and ``started``.
    """
    first, _, rest = kind.partition(".")
    bare = rest if first in registry.games() else kind
    return wanted in (kind, bare, *bare.split("."))


ReadAs = tuple[type[Entry], Upgrade | None]
"""The kind that an entry is read as, and how its fields are changed for that."""


@cache
def readers() -> Mapping[tuple[str, int], ReadAs]:
    """Return how each kind and ``v`` that can be read is read: those of today, and those in
    `Entry.reads`.
    """
    found: dict[tuple[str, int], ReadAs] = {}
    for kind in every_kind():
        found |= {
            written: (kind, upgrade) for written, upgrade in vars(kind).get("reads", {}).items()
        }
        found[kind.kind, kind.model_fields["v"].default] = (kind, None)
    return found


def read_as(written: str) -> str:
    """Return the name of the kind as which entries of a kind are read; the same if they are not
    read as another.
    """
    for (name, _), (kind, _) in readers().items():
        if name == written:
            return kind.kind
    return written


def read_entry(public: Mapping[str, Any], sealed: Mapping[str, Mapping[str, Any]]) -> Entry:
    """Join what `bot.rules.entries.split` separated; without a sealed part, its fields are None.

    An entry of a game that is not installed is read as an `UnknownEntry`, and one that the
    installed version of its game can't read as an `UnreadableEntry`; both without what is sealed in
    them. Raises ``ValueError`` if this is no entry of the core.
    """
    kind, version = public.get("kind"), public.get("v", 1)
    if _is_of_another_game(kind):
        return UnknownEntry.model_validate(public)
    reader = (
        readers().get((kind, version))
        if isinstance(kind, str) and isinstance(version, int)
        else None
    )
    whole = dict(public)
    for fields in sealed.values():
        whole.update(fields)
    game = registry.games().get(kind.partition(".")[0]) if isinstance(kind, str) else None
    if game is None:
        if reader is None:
            raise ValueError(f"there is no entry of the kind {kind!r}, version {version!r}.")
        entry = _made(reader[0], whole)
        if isinstance(entry, OfferConfided) and entry.told is not None:
            return read_entry(entry.told, {}).model_copy(update={"confided": True})
        return entry
    try:
        if reader is not None:
            kind_read, upgrade = reader
            if upgrade is not None:
                with blamed(game.info.id, f"{kind_read.__name__}.reads"):
                    whole = dict(upgrade(whole))
                whole["v"] = kind_read.model_fields["v"].default
            return _made(kind_read, whole)
    except Exception:  # noqa: BLE001  (an upgrade may raise anything)
        _log_once(game.info.id, game.version, str(kind), version)
    return UnreadableEntry.model_validate(public)


def _made(kind: type[Entry], whole: dict[str, Any]) -> Entry:
    whole.pop("kind", None)  # the class says it
    return kind.model_validate(whole)


@cache
def _log_once(game: str, version: str, kind: str, v: int) -> None:
    """Log the error of reading such an entry, but not for each entry again."""
    log.exception("the game %s %s can't read an entry %s (v %d)", game, version, kind, v)


def unreadable(found: Iterable[tuple[str, int, int]]) -> Iterator[str]:
    """Yield a sentence for each kind in a ledger that can't be read here, given kind, ``v`` and
    number of tables.
    """
    for kind, version, count in found:
        if (kind, version) in readers():
            continue
        id = kind.partition(".")[0]
        game, tables = registry.games().get(id), f"{count} table{'s' * (count != 1)}"
        if _is_of_another_game(kind):
            why = f"the game {id} is not installed"
        else:
            why = (
                f"{f'{id} {game.version}'.rstrip()} does not read it"
                if game
                else "it is of a later Bourse"
            )
        yield f"{kind} (version {version}) at {tables} can't be read: {why}."


def _is_of_another_game(kind: object) -> bool:
    """Return whether a kind is named as one of a game that is not installed."""
    namespace, dot, name = kind.partition(".") if isinstance(kind, str) else ("", "", "")
    return (
        bool(namespace and dot and name)
        and namespace not in NAMESPACES
        and namespace not in registry.games()
    )
