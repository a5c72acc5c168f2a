"""Rule 27: drawing trade cards, and buying from the ninth stack."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.access import is_host, require_tracked
from bot.rules.apply import replay
from bot.rules.commands import Caller
from bot.rules.entries import Entry
from bot.rules.games.advciv.cards import count_cities
from bot.rules.games.advciv.commands import BuyCard, DrawCards
from bot.rules.games.advciv.entries import CardBought, CardsDrawn
from bot.rules.games.advciv.seeds import seed_of
from bot.rules.games.advciv.stacks import STACKS, made_up, tops
from bot.rules.games.advciv.state import ACQUIRE, NINTH, dealt, state_of
from bot.rules.games.advciv.surrendering import kept_too_many
from bot.rules.lookup import own_seat, seat_meant
from bot.rules.model.markup import mentions
from bot.rules.model.seats import Change, Seat
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused


def draw(table: Table, command: DrawCards, caller: Caller) -> Iterable[Entry]:
    """Collect a card for each city.

    Raises `Refused` for another's seat unless a host asks, and by 27.1 for a second draw in a turn, outside of the time
    before trading, and, unless a host asks, when another seat has drawn for more cities.
    """
    require_tracked(table)
    seat = _drawer(table, command, caller)
    _require_cities(command.cities)
    _require_time(table, seat.id)
    if seat.person == caller.person:
        _require_limit_kept(table, seat.id)
    if not is_host(table, caller):
        _require_order(table, command.cities)
    seed = seed_of(state_of(table), command.chance)
    made = [] if dealt(table) else [made_up(table, seed, hosts=is_host(table, caller))]
    return [*made, _drawn(replay(made, table), seat.id, command.cities)]


def _drawn(table: Table, seat: str, cities: int) -> CardsDrawn:
    """Return the draw of one card from each stack, from the first up [27.2]; an empty one gives nothing [27.21]."""
    filled = tuple(number for number in STACKS if number <= cities and state_of(table).stacks[number - 1])
    return CardsDrawn(seat=seat, cities=cities, stacks=filled, hidden={seat: Change(gained=tops(table, filled))})


def _drawer(table: Table, command: DrawCards, caller: Caller) -> Seat:
    seat = seat_meant(table, command.seat, caller)
    if seat.person != caller.person and not is_host(table, caller):
        raise Refused("", "Only the host draws for somebody else.", f"Ask <person:{table.host}>.")
    return seat


def _require_cities(cities: int) -> None:
    if not 0 <= cities <= NINTH:
        raise Refused("", f"Nobody has {cities} cities.", f"Say how many there are, from 0 to {NINTH}.")


def _require_time(table: Table, seat: str) -> None:
    if table.phase != ACQUIRE:
        raise Refused("27.1", "Cards are drawn before trading.", "The next turn begins with /phase set phase:acquire.")
    if (drew := state_of(table).drawn.get(seat)) is not None:
        raise Refused(
            "27.1", f"<seat:{seat}> has drawn for {count_cities(drew)} this turn.", "The next turn brings more."
        )


def _require_order(table: Table, cities: int) -> None:
    if before := [seat for seat, drew in state_of(table).drawn.items() if drew > cities]:
        raise Refused(
            "27.1", f"Who has the fewest cities draws first, and {mentions(before)} drew for more.",
            f"<person:{table.host}> can let you draw all the same: /cards draw, with you as the player.",
        )  # fmt: skip


def _require_limit_kept(table: Table, seat: str) -> None:
    """Raise `Refused` by 31.71 for the owner of a hand that still holds too much from last turn, and nobody else."""
    if (found := kept_too_many(table, seat)) is not None:
        raise Refused.because(found)


def buy(table: Table, command: BuyCard, caller: Caller) -> Iterable[Entry]:
    """Buy a card from the ninth stack.

    Raises `Refused` by 27.5 before the seat has drawn, once trading has opened, and when the stack is empty.
    """
    require_tracked(table)
    seat, state = own_seat(table, caller), state_of(table)
    _require_limit_kept(table, seat.id)
    if table.phase != ACQUIRE:
        raise Refused("27.5", "Cards are bought before trading.", "In the next turn, once you have drawn.")
    if seat.id not in state.drawn:
        raise Refused("27.5", "First you draw for your cities, then you can buy.", "/cards draw does that.")
    if not state.stacks[NINTH - 1]:
        raise Refused(
            "27.5", "The ninth stack is empty [27.21], so keep your tokens.", "Cards come back to it at the turn's end."
        )
    return [CardBought(seat=seat.id, hidden={seat.id: Change(gained=tops(table, (NINTH,)))})]
