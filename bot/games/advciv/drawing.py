"""Rule 27: drawing trade cards, and buying from the ninth stack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.api import Caller, Change, Entry, Refused, Seat, Table, is_host, own_seat, replay, require_tracked, seat_meant
from bot.games.advciv.cards import count_cities
from bot.games.advciv.commands import BuyCard, DrawCards
from bot.games.advciv.entries import CardBought, CardsDrawn
from bot.games.advciv.order import all_have_said, deals, in_order, said_by
from bot.games.advciv.seeds import seed_of
from bot.games.advciv.stacks import STACKS, made_up, tops
from bot.games.advciv.state import ACQUIRE, NINTH, dealt, state_of
from bot.games.advciv.surrendering import kept_too_many

NEXT_TURN = "The next turn begins with /phase set phase:acquire."
"""What ends a refusal when it is too late for this turn."""


def draw(table: Table, command: DrawCards, caller: Caller) -> Iterable[Entry]:
    """Collect a card for each city, at once. If all others have said how many cities they have, all draw in order.

    Raises `Refused` for another's seat unless a host asks, and by 27.1 for a second draw in a turn, and where
    `require_may_draw` does. Who is early or late may draw: the others draw in order all the same.
    """
    require_tracked(table)
    seat = seat_meant(table, command.seat, caller)
    if seat.person != caller.person and not is_host(table, caller):
        raise Refused("", "Only the host draws for somebody else.", f"Ask <person:{table.host}>.")
    require_may_draw(table, seat, command.cities, caller)
    made = [] if dealt(table) else [_made_up(table, command.chance, hosts=is_host(table, caller))]
    said = {**said_by(table), seat.id: command.cities}
    draws = said if table.phase == ACQUIRE and all_have_said(table, said) else {seat.id: command.cities}
    asked = seat.id if seat.person == caller.person else ""
    return [*made, *_drawn_in_order(replay(made, table), draws, asked=asked)]


def draw_all(table: Table, said: Mapping[str, int], chance: str, *, asked: str = "") -> list[Entry]:
    """Return the draws of these seats for so many cities, in the order of 27.1, and the stacks if there are none yet.

    ``asked`` is the seat of the person who reads in the reply what they drew.
    """
    made = [] if dealt(table) or not said else [_made_up(table, chance, hosts=False)]
    return [*made, *_drawn_in_order(replay(made, table), said, asked=asked)]


def _made_up(table: Table, chance: str, *, hosts: bool) -> Entry:
    return made_up(table, seed_of(state_of(table), chance), hosts=hosts)


def _drawn_in_order(table: Table, draws: Mapping[str, int], *, asked: str) -> Iterable[Entry]:
    for seat, cities in in_order(draws):
        drawn = _drawn(table, seat, cities, told=seat != asked)
        table = replay([drawn], table)
        yield drawn


def _drawn(table: Table, seat: str, cities: int, *, told: bool) -> CardsDrawn:
    """Return the draw of one card from each stack, from the first up [27.2]; an empty one gives nothing [27.21]."""
    filled = tuple(number for number in STACKS if number <= cities and state_of(table).stacks[number - 1])
    before = tuple(each for each, fewer in in_order(said_by(table)) if each != seat and fewer < cities)
    return CardsDrawn(
        seat=seat, cities=cities, stacks=filled, before=before, told=told,
        hidden={seat: Change(gained=tops(table, filled))},
    )  # fmt: skip


def require_may_draw(table: Table, seat: Seat, cities: int, caller: Caller) -> None:
    """Raise `Refused` for so many cities, by 27.1 at the wrong time, and by 31.71 for the owner of too big a hand."""
    _require_cities(cities)
    _require_time(table, seat.id)
    if seat.person == caller.person:
        _require_limit_kept(table, seat.id)


def _require_cities(cities: int) -> None:
    if not 0 <= cities <= NINTH:
        raise Refused("", f"Nobody has {cities} cities.", f"Say how many there are, from 0 to {NINTH}.")


def _require_time(table: Table, seat: str) -> None:
    """Raise `Refused` for a second draw in a turn, and once calamities have been shown.

    Who had not drawn when trading was opened still can, where the bot deals.
    """
    if (drew := state_of(table).drawn.get(seat)) is not None:
        reason = f"<seat:{seat}> has drawn for {count_cities(drew)} this turn."
        raise Refused("27.1", reason, "The next turn brings more." if table.phase == ACQUIRE else NEXT_TURN)
    if state_of(table).shown is not None:
        raise Refused("27.1", "Calamities have been shown, so nobody draws any more this turn.", NEXT_TURN)
    if table.phase != ACQUIRE and not deals(table):
        raise Refused("27.1", "Cards are drawn before trading.", NEXT_TURN)


def _require_limit_kept(table: Table, seat: str) -> None:
    """Raise `Refused` by 31.71 for the owner of a hand that still holds too much from last turn, and nobody else."""
    if (found := kept_too_many(table, seat)) is not None:
        raise Refused.because(found)


def buy(table: Table, command: BuyCard, caller: Caller) -> Iterable[Entry]:
    """Buy a card from the ninth stack.

    Raises `Refused` by 27.5 before the seat has drawn, once trading has opened unless it drew after that, once
    calamities have been shown, and when the stack is empty.
    """
    require_tracked(table)
    seat, state = own_seat(table, caller), state_of(table)
    _require_limit_kept(table, seat.id)
    if table.phase != ACQUIRE and (seat.id not in state.late or state.shown is not None):
        raise Refused("27.5", "Cards are bought before trading.", "In the next turn, once you have drawn.")
    if seat.id not in state.drawn:
        raise Refused("27.5", "First you draw for your cities, then you can buy.", "/cards draw does that.")
    if not state.stacks[NINTH - 1]:
        raise Refused(
            "27.5", "The ninth stack is empty [27.21], so keep your tokens.", "Cards come back to it at the turn's end."
        )
    return [CardBought(seat=seat.id, hidden={seat.id: Change(gained=tops(table, (NINTH,)))})]
