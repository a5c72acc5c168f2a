"""Rule 15.62: a nation whose player leaves keeps one card for each of its cities, picked by chance.

The rest goes back to the stacks, unseen, at the end of the turn.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import Caller, Change, Entry, Refused, Seat, Table, Violation, own_seat, require_host, require_tracked
from bot.games.advciv.cards import count_cards
from bot.games.advciv.commands import LoseCards
from bot.games.advciv.entries import CardsLost
from bot.games.advciv.picks import beyond, from_hand
from bot.games.advciv.state import NINTH


def lose(table: Table, command: LoseCards, caller: Caller) -> Iterable[Entry]:
    """Lose cards at random: a number of one's own, or all beyond one for each city, which a host can say of any nation.

    Raises `Refused` for neither or both, for another's hand unless a host asks, by 15.62 for a number of another's
    cards, since whether there are as many is their secret, and for more cards than one holds.
    """
    require_tracked(table)
    seat, by_host = _seat(table, command, caller)
    if (command.cards is None) == (command.cities is None):
        raise Refused("", "How many cards go?", "Say cards:2, or cities:3 to keep one for each of three cities.")
    count = _count(table, command, seat, by_host=by_host)
    lost = from_hand(table, seat.id, count, command.chance)
    hidden = {seat.id: Change(lost=lost)}
    entry = CardsLost(seat=seat.id, count=command.cards, cities=command.cities, by_host=by_host, hidden=hidden)
    return [entry]


def _seat(table: Table, command: LoseCards, caller: Caller) -> tuple[Seat, bool]:
    """Return whose cards go, and whether a host says so for them."""
    own = table.seat_of(caller.person)
    if command.seat is None or (own is not None and command.seat == own.id):
        return own_seat(table, caller), False
    require_host(table, caller, "say that somebody else loses cards")
    seat = table.seats.get(command.seat)
    if seat is None:
        raise Refused("", "Nobody has played that nation here.", "/table show lists the players.")
    return seat, True


def _count(table: Table, command: LoseCards, seat: Seat, *, by_host: bool) -> int:
    """Return how many cards go."""
    if command.cities is not None:
        if not 0 <= command.cities <= NINTH:
            raise Refused("", f"Nobody has {command.cities} cities.", f"Say how many are left, from 0 to {NINTH}.")
        return beyond(table, seat.id, command.cities)
    count = command.cards or 0
    if count < 1:
        raise Refused("", f"You can't lose {count_cards(count)}.", "One is the least.")
    if by_host:
        reason = "How many cards another has is their secret, so you can't say how many go."
        raise Refused("15.62", reason, "Say how many cities are left: /cards lose cities:2.")
    if count > (held := seat.holdings.total()):
        reason = f"You hold {count_cards(held)}, so you can't lose {count}."
        raise Refused.because(Violation("15.62", reason, "/cards hand tells what you have.", known_to=seat.id))
    return count
