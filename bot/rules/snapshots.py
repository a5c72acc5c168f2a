"""Snapshots: a table saved beside its entries, so that it can be loaded without replaying all of
them.

The service adds one to an append when it is `due` (`Service._append`), and loads a table from it
and the entries since (`TableRecords.load`).

A snapshot records the shape of its data. If a version of the program with another shape wrote it,
it is ignored: until the next is due, all entries are replayed.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from hashlib import sha256
from typing import Any

from pydantic import TypeAdapter

from bot.rules.model.table import GameState, Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_named, games

EVERY = 64
"""Entries between two snapshots: the most that are usually replayed when a table is loaded."""


def due(before: Table, after: Table) -> bool:
    """Return whether a snapshot is written with the entries between these two."""
    return before.seq // EVERY != after.seq // EVERY


def dump(table: Table) -> str:
    """Return the table as JSON, with the shape of this program's tables."""
    return json.dumps({"shape": _shape(table.game), "table": _plain(table)})


def load(seq: int, text: str) -> Table | None:
    """Return the table that was saved after entry ``seq``. None if another version wrote it, or its
    game is missing.
    """
    try:
        saved = json.loads(text)
        plain: dict[str, Any] = dict(saved["table"])
        if plain["game"] not in games():  # an uninstalled game: its entries were not all applied
            return None
        if saved["shape"] != _shape(plain["game"]):
            return None
        state = _states(plain["game"]).validate_python(plain.pop("state"))
        table = _tables().validate_python({**plain, "state": GameState()})
    except (ValueError, TypeError, KeyError, AttributeError, Refused):
        return None  # the text may be any JSON; the entries can always be replayed instead
    loaded = replace(table, state=state)
    # Validation ignores unknown names, so compare with what this program would write.
    return (
        loaded
        if table.seq == seq and _in_order(_plain(loaded)) == _in_order(saved["table"])
        else None
    )


def _plain(table: Table) -> dict[str, Any]:
    plain: dict[str, Any] = _tables().dump_python(table, mode="json", exclude={"state"})
    return {**plain, "state": _states(table.game).dump_python(table.state, mode="json")}


def _in_order(value: Any) -> Any:
    """Return JSON for comparison, with every list sorted, because sets are written in any order."""
    if isinstance(value, dict):
        return {name: _in_order(each) for name, each in value.items()}
    return sorted(map(_in_order, value), key=repr) if isinstance(value, list) else value


@cache
def _tables() -> TypeAdapter[Table]:
    return TypeAdapter(Table)


@cache
def _states(game: str) -> TypeAdapter[GameState]:
    return TypeAdapter(game_named(game).features.state)


@cache
def _shape(game: str) -> str:
    """Return a digest of the fields of a table, and of its game's state and version. It changes
    with any of them.
    """
    version = game_named(game).version  # another one may read the same entries in another way
    schemas = [_tables().json_schema(), _states(game).json_schema(), version]
    return sha256(json.dumps(_without_docstrings(schemas), sort_keys=True).encode()).hexdigest()[
        :16
    ]


def _without_docstrings(schema: Any) -> Any:
    """Return a JSON schema without docstrings, so that rewording one does not invalidate
    snapshots.
    """
    match schema:
        case dict():
            kept = (
                item
                for item in schema.items()
                if not (item[0] == "description" and isinstance(item[1], str))
            )
            return {name: _without_docstrings(each) for name, each in kept}
        case list():
            return [_without_docstrings(each) for each in schema]
        case _:
            return schema
