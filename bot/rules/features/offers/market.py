"""The market: which offers fit one another, and which of them a seat might want.

Two offers to all fit when what each wants is what the other gives. One that only asks, and does not say yet what it
gives, fits an offer that gives what it asks for; one that does not say what it wants fits an offer that asks for what
it gives. An offer to one seat has found its taker.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from bot.rules.features.offers.state import opens
from bot.rules.model.goods import NOTHING
from bot.rules.model.offers import Offer
from bot.rules.model.table import Table
from bot.rules.registry import game_of

ANNOUNCED_MAX = 5
"""How many offers that fit an offer its poster is notified of, the oldest first; nobody reads more than that."""


class Match(NamedTuple):
    """Two offers that fit one another, by number; the older one first."""

    first: int
    second: int


def matching(table: Table) -> list[Match]:
    """Return every two open offers that fit one another."""
    if game_of(table).matches is None:
        return []
    pairs = combinations([offer for offer in table.open_offers() if offer.to is None], 2)
    return [Match(first.number, second.number) for first, second in pairs if fit(table, first, second)]


def announced(every: list[Match]) -> list[Match]:
    """Return the matches that posters are notified of: for each offer no more than `ANNOUNCED_MAX`."""
    counts: dict[int, int] = {}
    found = []
    for match in every:
        if max(counts.get(number, 0) for number in match) < ANNOUNCED_MAX:
            found.append(match)
            counts.update({number: counts.get(number, 0) + 1 for number in match})
    return found


def fit(table: Table, first: Offer, second: Offer) -> bool:
    """Return whether these two are open to all and fit one another."""
    matches = game_of(table).matches
    if matches is None or first.seat == second.seat or first.to is not None or second.to is not None:
        return False
    complete = bool(first.give and second.give) and not (opens(table, first) or opens(table, second))
    asked = [(a.want, b.give) for a, b in ((first, second), (second, first)) if a.want and b.give]
    return bool(asked) and all(matches(wanted, given, complete) for wanted, given in asked)


def by_interest(table: Table, offers: list[Offer], seat: str | None, every: list[Match]) -> list[Offer]:
    """Return offers in the order in which this seat might want them.

    Those that fit its own come first, then those that give what it asks for, then those that give what it has more of
    already; the newest first among equals. This order tells the seat's hand, so it is for that seat only. Without a
    seat, those that fit another one come first.
    """
    fitting = {number for match in every for number in match}
    if seat is None:
        return sorted(offers, key=lambda offer: (offer.number in fitting, offer.number), reverse=True)
    mine = {offer.number for offer in table.open_offers() if offer.seat == seat}
    fits_mine = {number for match in every if mine & set(match) for number in match}
    wanted = sum((offer.want for offer in table.live_offers() if offer.seat == seat), NOTHING)
    held = table.seats[seat].holdings

    def interest(offer: Offer) -> tuple[bool, int, int, int]:
        gives = offer.give if offer.seat != seat else NOTHING
        return (
            offer.number in fits_mine - mine,
            gives.common(wanted).total(),
            sum(map(held.count, gives)),
            offer.number,
        )

    return sorted(offers, key=interest, reverse=True)
