"""Twilight Imperium 4: rules 94 (transactions), 21 (commodities) and 69 (promissory notes)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.rules.commands import Command
from bot.rules.entries import Entry
from bot.rules.game import Chair, Game
from bot.rules.games.ti4 import (
    board,
    commands,
    commodities,
    components,
    follows,
    holdings,
    neighbors,
    notes,
    permits,
    standing,
    story,
    transactions,
    turns,
)
from bot.rules.games.ti4.apply import applied
from bot.rules.games.ti4.entries import TI4
from bot.rules.games.ti4.help import HELP
from bot.rules.games.ti4.state import Ti4State, are_neighbors
from bot.rules.ruling import Refused
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
        case commands.StartTurn():
            return turns.start_turn(table, command)
        case commands.EndTurn():
            return turns.end_turn(table, command)
        case commands.NextTurn():
            return turns.next_turn(table, command)
        case commands.PassTurn():
            return turns.pass_turn(table, command)
        case commands.SetOrder():
            return turns.set_order(table, command)
        case commands.BeginCombat():
            return turns.begin_combat(table, command)
        case commands.EndCombat():
            return turns.end_combat(table, command)
        case commands.RevealAgenda():
            return turns.reveal_agenda(table, command)
        case commands.ResolveAgenda():
            return turns.resolve_agenda(table, command)
        case commands.JoinNeighbors():
            return neighbors.join(table, command)
        case commands.PartNeighbors():
            return neighbors.part(table, command)
        case commands.ClaimNeighbor():
            return neighbors.claim(table, command)
        case commands.AnswerClaim():
            return neighbors.answer(table, command)
        case commands.Replenish():
            return commodities.replenish(table, command)
        case commands.Convert():
            return commodities.convert(table, command)
        case commands.GainCommodities():
            return commodities.gain_commodities(table, command)
        case commands.PlayNote():
            return notes.play(table, command)
        case commands.ReturnNote():
            return notes.give_back(table, command)
        case commands.GrantPermit():
            return permits.grant(table, command)
    raise Refused("", "Twilight Imperium 4 knows nothing of that kind.", "/help tells how to trade here.")


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
    cards=holdings.cards,
    open_goods=holdings.open_goods,
    declarable=holdings.declarable,
    masked=transactions.masked,
    rulings=transactions.rulings,
    neighbors=are_neighbors,
    settle=transactions.settle,
    board=board.board,
    standing=standing.standing,
    asks=neighbors.asks,
    follows=follows.follows,
    correct=holdings.correct,
    gain=holdings.gain,
    spend=holdings.spend,
    decide=_decide,
    tells=story.tells,
    apply=applied,
    answers=lambda wanted, given, exact: bool(wanted) and wanted == given,
    example="2 tg, 1 c",
    help=HELP,
    settings=frozenset(
        {"rulings", "inventory", "declare_neighbors", "declare_holdings", "confirm", "timer", "open_on_close"}
    ),
    cites={
        "irrevocable": "94.4.1",
        "mixed": "D2",
        "binding": "D3",
        "kept": "D4",
        "card": "D5",
        "later": "D6",
    },
)
