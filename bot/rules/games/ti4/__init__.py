"""Twilight Imperium 4: rules 94 (transactions) and 21 (commodities)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.rules.commands import Command
from bot.rules.entries import Entry
from bot.rules.game import Chair, Game
from bot.rules.games.ti4 import components, holdings, transactions, turns
from bot.rules.games.ti4.commands import EndTurn, JoinNeighbors, PartNeighbors, StartTurn
from bot.rules.games.ti4.entries import TI4
from bot.rules.games.ti4.state import Ti4State
from bot.rules.table import Table
from data import Faction, factions, find_faction

__all__ = ["GAME"]


def _chairs() -> Sequence[Chair]:
    return [_chair(faction) for faction in factions().values() if faction.playable_from_start]


def _chair_named(text: str) -> Chair | None:
    faction = find_faction(text)
    return _chair(faction) if faction else None


def _chair(faction: Faction) -> Chair:
    return Chair(id=faction.id, name=faction.name, short=faction.short)


def _decide(table: Table, command: Command) -> Iterable[Entry]:
    match command:
        case StartTurn():
            return turns.start_turn(table, command)
        case EndTurn():
            return turns.end_turn(table, command)
        case JoinNeighbors():
            return turns.join_neighbors(table, command)
        case PartNeighbors():
            return turns.part_neighbors(table, command)
    raise TypeError(f"{type(command).__name__} is no command of this game")


GAME = Game(
    id="ti4",
    name="Twilight Imperium 4",
    state=Ti4State,
    entries=TI4,
    phases=("strategy", "action", "status", "agenda"),
    chairs=_chairs,
    chair=_chair_named,
    start=holdings.start,
    suggest=holdings.suggest,
    read_goods=components.read,
    tell_goods=components.tell,
    tell_holdings=holdings.tell,
    open_goods=holdings.open_goods,
    rulings=transactions.rulings,
    settle=transactions.settle,
    correct=holdings.correct,
    gain=holdings.gain,
    spend=holdings.spend,
    decide=_decide,
    apply=turns.applied,
)
