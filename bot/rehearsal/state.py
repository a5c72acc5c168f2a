"""The games as the start page shows them, as plain values for JSON."""

from __future__ import annotations

from typing import Any

from bot.rehearsal.cast import MEMBERS, GameTable, typed
from bot.rehearsal.game_tables import RehearsalTables
from bot.rules.rehearsals import Tap, Try


def games_of(rehearsal_tables: RehearsalTables) -> list[dict[str, Any]]:
    """Return each game with its people and examples to try, whether or not its table is set up."""
    return [
        {
            "id": game,
            "name": table.name,
            "laid": game in rehearsal_tables.ready,
            "people": _people(table),
            "tries": _tries(table),
        }
        for game, table in rehearsal_tables.cast.tables.items()
    ]


def _people(table: GameTable) -> list[dict[str, str]]:
    seats = table.rehearsal.seats
    return [{"name": each.name, "shown": each.shown, "plays": seats[each.name].plays} for each in MEMBERS]


def _tries(table: GameTable) -> list[dict[str, Any]]:
    return [_try(example, table.game) for example in table.rehearsal.tries]


def _try(example: Tap | Try, game: str) -> dict[str, Any]:
    """Return an example. A game calls its own channel ``table``; the page adds which table that is."""
    who, _, kind = example.place.partition(".")
    place = f"{who}.{game if kind == 'table' else kind}"
    if isinstance(example, Tap):
        return {"place": place, "buttons": example.buttons, "then": example.then}
    return {
        "place": place,
        "shown": typed(example),
        "command": example.command,
        "options": [{"name": name, "value": value, "pick": pick} for name, value, pick in example.options],
        "then": example.then,
    }
