"""What each entry means for a table of Advanced Civilization."""

from __future__ import annotations

from typing import Any

from bot.rules.entries import Corrected, Entry, PhaseSet, SeatLeft, SeatTaken, Transaction
from bot.rules.games.advciv.cards import card_of
from bot.rules.games.advciv.entries import (
    BellSet,
    CalamitiesShown,
    CardBought,
    CardsDrawn,
    CardsSurrendered,
    StacksRestored,
    StacksShuffled,
    TradingClosed,
    TradingDone,
    TradingOpened,
    TradingWarned,
)
from bot.rules.games.advciv.state import NINTH, TRADE, Stack, dealt, state_of
from bot.rules.games.advciv.trade import last_traders
from bot.rules.goods import NOTHING
from bot.rules.table import Change, Table, Window


def applied(table: Table, entry: Entry) -> Table:
    """The table after an entry of the game's own, or after the core has applied one of its own."""
    state = state_of(table)
    match entry:
        case StacksShuffled(secret=secret) if secret:
            return _with(table, stacks=secret.stacks, seed=secret.seed)
        case StacksRestored(secret=secret, shuffle=number) if secret:
            stacks = tuple((*lies, *under) for lies, under in zip(state.stacks, secret.stacks, strict=True))
            return _with(table, stacks=stacks, aside=NOTHING, shuffles=number)
        case CardsDrawn(seat=seat, cities=cities, stacks=numbers):
            drawn = state.drawn | {seat: cities}
            return _with(table, stacks=_without_tops(state.stacks, numbers), drawn=drawn)
        case CardBought():
            return _with(table, stacks=_without_tops(state.stacks, (NINTH,)))
        case CardsSurrendered(seat=seat, mining=mining):
            return _set_aside(_with(table, mined=state.mined | ({seat} if mining else set())), entry.changes)
        case CalamitiesShown(effects=effects, spared=spared):
            return _set_aside(_with(table, shown=effects, spared=spared), entry.changes)
        case TradingOpened(window=number, bell=bell, warned=warned):
            return _window(table, Window(number=number, kind=TRADE), TRADE, bell=bell, warned=warned)
        case BellSet(bell=bell, warned=warned):
            return _with(table, bell=bell, warned=warned)
        case TradingWarned():
            return _with(table, warned=True)
        case TradingDone(seat=seat, done=done):
            return _with(table, done=state.done | {seat} if done else state.done - {seat})
        case TradingClosed(window=number):
            return _window(table, Window(number=number), "after")
        case PhaseSet(phase=phase, window=number):
            after = _window(table, Window(number=number), phase)
            return _new_turn(after) if phase == "acquire" else after
        case Transaction(hidden=hidden):
            given = {seat: change.lost for seat, change in (hidden or {}).items()}
            return _with(table, traders=last_traders(table, given))
        case Corrected(hidden=hidden) if dealt(table):
            return _exchanged(table, (hidden or {}).values())
        case SeatTaken(person=person):
            return _with(table, sat=state.sat | {person})
        case SeatLeft(seat=seat):
            return _with(table, done=state.done - {seat})
    return table


def _new_turn(table: Table) -> Table:
    turn = state_of(table).turn + 1
    return _with(table, turn=turn, drawn={}, mined=frozenset(), traders={}, shown=None, spared=())


def _window(table: Table, window: Window, phase: str, *, bell: int | None = None, warned: bool = False) -> Table:
    changed = table.model_copy(update={"window": window, "phase": phase})
    return _with(changed, bell=bell, warned=warned, done=frozenset())


def _without_tops(stacks: tuple[Stack, ...], numbers: tuple[int, ...]) -> tuple[Stack, ...]:
    return tuple(stack[1:] if place in numbers else stack for place, stack in enumerate(stacks, start=1))


def _set_aside(table: Table, changes: dict[str, Change]) -> Table:
    """Where the bot deals, what left the hands waits to go back under the stacks."""
    if not dealt(table):
        return table
    return _with(table, aside=sum((change.lost for change in changes.values()), state_of(table).aside))


def _exchanged(table: Table, changes: Any) -> Table:
    """A correction where the bot deals: what left a hand goes under its stack, what came is taken from the lowest
    place it lies in.
    """
    stacks = [list(stack) for stack in state_of(table).stacks]
    for change in changes:
        for token, count in change.gained.missing(change.lost).items():
            stacks[card_of(token).stack - 1] += [token] * count
        for token, count in change.lost.missing(change.gained).items():
            stack = stacks[card_of(token).stack - 1]
            for _ in range(count):
                del stack[len(stack) - 1 - stack[::-1].index(token)]
    return _with(table, stacks=tuple(map(tuple, stacks)))


def _with(table: Table, **changes: Any) -> Table:
    return table.model_copy(update={"state": state_of(table).model_copy(update=changes)})
