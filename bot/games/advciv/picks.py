"""Cards that chance picks from a hand: one that is taken [24.51], those that are lost [15.62].

They follow from the table's seed and from how often cards have been picked before, so that anybody can check them when
the table has closed.
"""

from __future__ import annotations

from bot.api import Entry, Goods, Table
from bot.games.advciv.entries import CardsLost, CardTaken
from bot.games.advciv.seeds import current_seed, has_seed
from bot.games.advciv.stacks import picked
from bot.games.advciv.state import state_of


def from_hand(table: Table, seat: str, count: int, chance: str) -> Goods:
    """Return so many cards of this hand, each as likely; all of them where it holds no more.

    ``chance`` is the seed at a table that committed to none.
    """
    state, hand = state_of(table), table.seats[seat].holdings
    seed = f"{current_seed(state, chance)}:hand:{state.picks}:{seat}"
    return Goods.of(picked(list(hand.tokens()), count, seed))


def verify(table: Table, entry: Entry) -> str:
    """Return what is wrong with the cards that were picked; empty when they are those that the seed picks."""
    if not isinstance(entry, CardTaken | CardsLost) or not entry.hidden or not has_seed(state_of(table)):
        return ""
    seat = entry.other if isinstance(entry, CardTaken) else entry.seat
    lost = entry.hidden[seat].lost
    if lost != from_hand(table, seat, lost.total(), "") or lost.total() != _due(table, entry):
        return "the cards picked from a hand are not those that the seed picks"
    return ""


def _due(table: Table, entry: CardTaken | CardsLost) -> int:
    """Return how many cards had to be picked."""
    if isinstance(entry, CardTaken):
        return min(1, table.seats[entry.other].holdings.total())
    if entry.count is not None:
        return entry.count
    return beyond(table, entry.seat, entry.cities or 0)


def beyond(table: Table, seat: str, cities: int) -> int:
    """Return how many cards this hand holds beyond one for each of so many cities [15.62]."""
    return max(0, table.seats[seat].holdings.total() - cities)
