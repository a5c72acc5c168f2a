"""What each entry means for a table of Advanced Civilization."""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    NOTHING,
    Change,
    Corrected,
    Entry,
    Gained,
    Goods,
    GoodsMoved,
    OfferPosted,
    PhaseSet,
    SeatLeft,
    SeatTaken,
    Spent,
    Table,
    Transaction,
    Window,
    replace,
)
from bot.games.advciv import passing
from bot.games.advciv.cards import card_of
from bot.games.advciv.entries import (
    BellSet,
    CalamitiesShown,
    CardBought,
    CardDenied,
    CardRequested,
    CardsDrawn,
    CardsLost,
    CardsSurrendered,
    CardTaken,
    CitiesSaid,
    SeedCommitted,
    StacksRestored,
    StacksShuffled,
    TradingClosed,
    TradingDone,
    TradingOpened,
    TradingUndone,
    TradingWarned,
)
from bot.games.advciv.state import (
    ACQUIRE,
    AFTER,
    NINTH,
    TRADE,
    AdvCivState,
    CardRequest,
    Stack,
    dealt,
    over_limit,
    state_of,
)


def apply(table: Table, entry: Entry) -> Table:
    """Return the table after an entry of the game's own, or after the core has applied one of its own."""
    table = _phase(table, entry)
    state = _over_limit(_turn(_cards(_trading(state_of(table), entry), entry), entry), table, entry)
    if table.tracked:
        state = replace(state, paths=passing.after(state.paths, entry, lambda seat, token: _holds(table, seat, token)))
    match entry:
        case CardsDrawn(seat=seat) if table.phase != ACQUIRE:
            state = replace(state, late=state.late | {seat})
        case CardsSurrendered() | CalamitiesShown() if dealt(table):
            state = replace(state, aside=state.aside + _lost(entry))
        case CardsLost(seat=seat, hidden=hidden) if dealt(table):
            state = replace(state, returned=(state.returned or NOTHING) + (hidden or {})[seat].lost)
        case Corrected(hidden=hidden) if dealt(table):
            state = replace(state, stacks=_exchanged(state.stacks, (hidden or {}).values()))
        case Corrected() | Gained() | Spent():
            state = replace(state, by_hand=True)
    return table.with_state(state)


def _holds(table: Table, seat: str, token: str) -> bool:
    return seat in table.seats and token in table.seats[seat].holdings


def _over_limit(state: AdvCivState, table: Table, entry: Entry) -> AdvCivState:
    """Return the state with what each seat kept beyond the limit as a turn began, and still has to turn in [31.71]."""
    match entry:
        case PhaseSet(phase=phase) if phase == ACQUIRE and table.tracked:
            return replace(state, over={seat: over for seat in table.seats if (over := over_limit(table, seat))})
        case CardsSurrendered(seat=seat, changes=changes) if seat in state.over:
            return _still_over(state, seat, state.over[seat] - changes[seat].lost.total())
        case Corrected(seat=seat) | CardTaken(other=seat) | CardsLost(seat=seat) if seat in state.over:
            return _still_over(state, seat, min(state.over[seat], over_limit(table, seat)))
    return state


def _still_over(state: AdvCivState, seat: str, over: int) -> AdvCivState:
    rest = {each: count for each, count in state.over.items() if each != seat}
    return replace(state, over={**rest, seat: over} if over > 0 else rest)


# ---------------------------------------------------------------- phases and the time for trade


def _phase(table: Table, entry: Entry) -> Table:
    """Return the table in the phase, and with the window, that an entry brings."""
    match entry:
        case TradingOpened(window=number):
            return replace(table, window=Window(number=number, kind=TRADE), phase=TRADE)
        case TradingClosed(window=number):
            return replace(table, window=Window(number=number), phase=AFTER)
        case TradingUndone(window=number):
            return replace(table, window=Window(number=number), phase=ACQUIRE)
    return table


def _trading(state: AdvCivState, entry: Entry) -> AdvCivState:
    match entry:
        case TradingOpened(bell=bell, warned=warned):
            return replace(state, bell=bell, warned=warned, done=frozenset())
        case TradingClosed():
            return _no_bell(state)
        case TradingUndone():
            return replace(_no_bell(state), late=frozenset())
        case PhaseSet(phase=phase):
            return _new_turn(_no_bell(state)) if phase == ACQUIRE else _no_bell(state)
        case BellSet(bell=bell, warned=warned):
            return replace(state, bell=bell, warned=warned)
        case TradingWarned():
            return replace(state, warned=True)
        case TradingDone(seat=seat, done=done):
            return replace(state, done=state.done | {seat} if done else state.done - {seat})
        case SeatTaken(person=person, interaction=interaction):
            mixed = state.mixed if interaction is None else (*state.mixed, interaction)
            return replace(state, sat=state.sat | {person}, mixed=mixed)
        case SeatLeft(seat=seat):
            said = {each: cities for each, cities in state.said.items() if each != seat}
            requests = frozenset(each for each in state.requests if seat not in (each.seat, each.other))
            return replace(state, done=state.done - {seat}, said=said, requests=requests)
        case OfferPosted(to=None, private=False):
            return replace(state, posted_to_all=state.posted_to_all + 1)
    return state


def _no_bell(state: AdvCivState) -> AdvCivState:
    return replace(state, bell=None, warned=False, done=frozenset())


def _new_turn(state: AdvCivState) -> AdvCivState:
    return replace(
        state, turn=state.turn + 1, said={}, drawn={}, late=frozenset(), typed=frozenset(), traded=False,
        requests=frozenset(), mined=frozenset(), paths={}, shown=None, spared=(),
    )  # fmt: skip


def _turn(state: AdvCivState, entry: Entry) -> AdvCivState:
    """Return the state with who has drawn or asked for what this turn, and whether there was any trade."""
    match entry:
        case CitiesSaid(seat=seat, cities=cities):
            return replace(state, said={**state.said, seat: cities}, typed=state.typed - {seat})
        case Gained(seat=seat) | Corrected(seat=seat):
            return replace(state, typed=state.typed | {seat})
        case Transaction():
            return replace(state, traded=True)
        case CardRequested(seat=seat, other=other):
            return replace(state, requests=state.requests | {CardRequest(seat, other)})
        case CardDenied(seat=seat, other=other):
            return replace(state, requests=state.requests - {CardRequest(seat, other)})
        case CardTaken(seat=seat, other=other):
            return replace(state, requests=state.requests - {CardRequest(seat, other)}, picks=state.picks + 1)
        case CardsLost():
            return replace(state, picks=state.picks + 1)
    return state


# ---------------------------------------------------------------- cards


def _cards(state: AdvCivState, entry: Entry) -> AdvCivState:
    match entry:
        case SeedCommitted(digest=digest, secret=secret) if secret:
            return replace(state, digest=digest, secret=secret.secret)
        case StacksShuffled(secret=secret) if secret:
            return replace(state, stacks=secret.stacks, seed=secret.seed)
        case StacksRestored(secret=secret, shuffle=number) if secret:
            stacks = tuple((*above, *under) for above, under in zip(state.stacks, secret.stacks, strict=True))
            return replace(state, stacks=stacks, aside=NOTHING, returned=None, shuffles=number)
        case CardsDrawn(seat=seat, cities=cities, stacks=numbers):
            said = {each: many for each, many in state.said.items() if each != seat}
            stacks = _without_tops(state.stacks, numbers)
            return replace(state, stacks=stacks, said=said, drawn={**state.drawn, seat: cities})
        case CardBought():
            return replace(state, stacks=_without_tops(state.stacks, (NINTH,)))
        case CardsSurrendered(seat=seat, mining=mining) if mining:
            return replace(state, mined=state.mined | {seat})
        case CalamitiesShown(effects=effects, spared=spared):
            return replace(state, shown=effects, spared=spared)
    return state


def _lost(entry: GoodsMoved) -> Goods:
    """Return all that left the hands, which waits to go back under the stacks."""
    return sum((change.lost for change in entry.changes.values()), NOTHING)


def _without_tops(stacks: tuple[Stack, ...], numbers: tuple[int, ...]) -> tuple[Stack, ...]:
    return tuple(stack[1:] if place in numbers else stack for place, stack in enumerate(stacks, start=1))


def _exchanged(stacks: tuple[Stack, ...], changes: Iterable[Change]) -> tuple[Stack, ...]:
    """Return the stacks after a hand was set where the bot deals.

    A card that left the hand goes under its stack; one that came is taken from the lowest place it lies in.
    """
    piles = [list(stack) for stack in stacks]
    for change in changes:
        for token in change.gained.missing(change.lost).tokens():
            _pile(piles, token).append(token)
        for token in change.lost.missing(change.gained).tokens():
            _take_lowest(_pile(piles, token), token)
    return tuple(map(tuple, piles))


def _pile(piles: list[list[str]], token: str) -> list[str]:
    return piles[card_of(token).stack - 1]


def _take_lowest(pile: list[str], token: str) -> None:
    del pile[len(pile) - 1 - pile[::-1].index(token)]
