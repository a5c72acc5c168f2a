"""What the table remembers of the transactions of this window, so that they can be taken back.

Whether one can is told from what everybody may know, since a refusal tells what it rests on.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    DealProposed,
    Entry,
    Goods,
    GoodsMoved,
    SeatLeft,
    SeatTaken,
    SettingsChanged,
    Table,
    Transaction,
    pair,
    replace,
)
from bot.games.ti4.boxes import NotesReprinted
from bot.games.ti4.components import COMMODITY, trade_goods
from bot.games.ti4.entries import Eliminated, FactionChanged
from bot.games.ti4.state import Ti4State, Undoable, state_of
from bot.games.ti4.take_back.entries import TakeBackAsked, TakeBackDenied, TradeTakenBack
from bot.games.ti4.take_back.option import is_on

ENDS_ALL = (Eliminated, FactionChanged, NotesReprinted)
"""Entries after which goods lie elsewhere at the whole table."""


def recorded(table: Table, entry: Entry) -> Table:
    """Return the table after an entry with the transactions that can be taken back, and why some can't."""
    state = state_of(table)
    if isinstance(entry, TradeTakenBack):
        return _undone(table, entry)
    if not state.undoable and not isinstance(entry, Transaction):
        return table
    now = _now(table, state, entry)
    return table if now == state.undoable else table.with_state(replace(state, undoable=now))


def _now(table: Table, state: Ti4State, entry: Entry) -> tuple[Undoable, ...]:
    kept = tuple(each for each in state.undoable if each.window == table.window.number)
    match entry:
        case Transaction():
            others = _without(kept, entry.first, entry.second)
            return (*others, _of(entry, table.seq + 1)) if is_on(table.settings) else others
        case DealProposed(offer=int(offer)):
            return tuple(replace(each, words=each.words or each.offer == offer) for each in kept)
        case TakeBackAsked(transaction=number, seat=seat):
            return tuple(replace(each, asked=seat) if each.transaction == number else each for each in kept)
        case TakeBackDenied(transaction=number):
            return tuple(replace(each, asked="") if each.transaction == number else each for each in kept)
        case SeatLeft(seat=seat) | SeatTaken(seat=seat):
            return _without(kept, seat)
        case SettingsChanged():  # holdings may be counted from now on, or no more
            return ()
        case GoodsMoved() if isinstance(entry, ENDS_ALL):
            return ()
        case GoodsMoved():
            return tuple(replace(each, touched=each.touched or bool(entry.seats() & each.seats)) for each in kept)
    return kept


def _without(kept: Iterable[Undoable], *seats: str) -> tuple[Undoable, ...]:
    return tuple(each for each in kept if each.seats.isdisjoint(seats))


def _of(entry: Transaction, seq: int) -> Undoable:
    return Undoable(
        transaction=entry.number, offer=entry.offer, seq=seq, window=entry.window, first=entry.first,
        second=entry.second, counted=entry.counts, permitted=bool(entry.permits), gone=_is_gone(entry),
        changes=dict(entry.changes), hidden=dict(entry.hidden or {}),
    )  # fmt: skip


def _is_gone(entry: Transaction) -> bool:
    """Return whether something left the game with it: a unit that came home, or a note that was purged."""
    lost, gained = Goods(), Goods()
    for changes in (entry.changes, entry.hidden or {}):
        for change in changes.values():
            lost, gained = lost + change.lost, gained + change.gained + change.entered_play
    return bool(gained.missing(_other_side(lost)))


def _other_side(goods: Goods) -> Goods:
    """Return goods with commodities as the trade goods that they are on their other side."""
    return goods.without_kind(COMMODITY) + trade_goods(goods.count(COMMODITY))


def _undone(table: Table, entry: TradeTakenBack) -> Table:
    """Return the table with the pair free to trade again."""
    state = state_of(table)
    used = table.window.used - ({pair(entry.first, entry.second)} if entry.counted else frozenset())
    left = replace(state, undoable=tuple(each for each in state.undoable if each.transaction != entry.transaction))
    return replace(table, window=replace(table.window, used=used)).with_state(left)
