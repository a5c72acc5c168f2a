"""Snapshots: a table as it is saved beside its entries, so that it can be read without replaying all of them.

A snapshot names the shape of its values; one that a program of another shape wrote is not read but made anew.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from hashlib import sha256
from typing import Any

from pydantic import TypeAdapter, ValidationError

from bot.rules.model.table import GameState, Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_named, games


def dump(table: Table) -> str:
    """Return the table as JSON, with the shape that tables have in this program."""
    return json.dumps({"shape": _shape(), "table": _plain(table)})


def load(seq: int, text: str) -> Table | None:
    """Return the table that was saved after entry ``seq``; None for what this program did not write."""
    try:
        saved = json.loads(text)
        if not isinstance(saved, dict) or saved.get("shape") != _shape():
            return None
        plain: dict[str, Any] = dict(saved["table"])
        if plain["game"] not in games():  # an uninstalled game: its entries were not all applied
            return None
        state = _states(plain["game"]).validate_python(plain.pop("state"))
        table = _tables().validate_python({**plain, "state": GameState()})
    except (ValidationError, ValueError, TypeError, KeyError, AttributeError, Refused):
        return None  # any JSON at all may stand there; replaying the entries is always possible instead
    loaded = replace(table, state=state)
    # Validation ignores unknown names, so what was read is compared with what this program would write.
    return loaded if table.seq == seq and _in_order(_plain(loaded)) == _in_order(saved["table"]) else None


def _plain(table: Table) -> dict[str, Any]:
    plain: dict[str, Any] = _tables().dump_python(table, mode="json", exclude={"state"})
    return {**plain, "state": _states(table.game).dump_python(table.state, mode="json")}


def _in_order(value: Any) -> Any:
    """Return JSON to compare, with every list in one order: a set is written in whichever order it has."""
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
def _shape() -> str:
    """Return a digest of what a table and each game's state are made of: it changes with any field of theirs."""
    schemas = [_tables().json_schema(), *(_states(game).json_schema() for game in games())]
    return sha256(json.dumps(_without_docstrings(schemas), sort_keys=True).encode()).hexdigest()[:16]


def _without_docstrings(schema: Any) -> Any:
    """Return a JSON schema without the docstrings of its classes: a reworded one is no reason to replay a table."""
    match schema:
        case dict():
            kept = (item for item in schema.items() if not (item[0] == "description" and isinstance(item[1], str)))
            return {name: _without_docstrings(each) for name, each in kept}
        case list():
            return [_without_docstrings(each) for each in schema]
        case _:
            return schema
