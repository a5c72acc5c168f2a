"""The market: which offers fit one another, and which of them a seat might want.

Two offers to all fit when what each wants is what the other gives. One that only asks, and does not
say yet what it gives, fits an offer that gives what it asks for; one that does not say what it
wants fits an offer that asks for what it gives. An offer to one seat has found its taker.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable
from itertools import chain
from typing import NamedTuple

from bot.rules.features.offers.state import opens
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.offer import Offer
from bot.rules.model.table import Table
from bot.rules.registry import game_of

ANNOUNCED_MAX = 5
"""How many offers that fit an offer its poster is notified of, the oldest first; nobody reads more
than that.
"""


Matches = Callable[[Goods, Goods, bool], bool]
"""`Game.matches`: whether what is given is what is wanted, or exactly that."""


class Match(NamedTuple):
    """Two offers that fit one another, by number; the older one first."""

    first: int
    second: int


def matching(table: Table) -> list[Match]:
    """Return every two open offers that fit one another, oldest first.

    Each offer is compared only with those before it that give what it wants, or want what it gives,
    as far as the game's `match_keys` say.
    """
    game = game_of(table)
    if game.matches is None:
        return []
    offers = [offer for offer in table.open_offers() if offer.to is None]
    pairs = list[tuple[int, int]]()  # of places in this list
    settled = [bool(offer.give) and not opens(table, offer) for offer in offers]
    giving = defaultdict[Hashable, set[int]](set)  # key -> places of the offers that give it
    wanting = defaultdict[Hashable, set[int]](set)
    # two of these fit both ways
    whole = {place for place, offer in enumerate(offers) if offer.give and offer.want}
    for place, offer in enumerate(offers):
        given = game.match_keys(offer.give) if offer.give else ()
        wanted = game.match_keys(offer.want) if offer.want else ()
        givers = set[int]().union(*(giving[key] for key in wanted))
        takers = set[int]().union(*(wanting[key] for key in given))
        near = givers | takers
        if place in whole:
            near = near - whole | givers & takers
        for earlier in near:
            exactly = settled[earlier] and settled[place]
            if _fit(game.matches, offers[earlier], offer, exactly=exactly):
                pairs.append((earlier, place))
        for key in given:
            giving[key].add(place)
        for key in wanted:
            wanting[key].add(place)
    numbers = [offer.number for offer in offers]
    return [Match(numbers[first], numbers[second]) for first, second in sorted(pairs)]


def _fit(matches: Matches, first: Offer, second: Offer, *, exactly: bool) -> bool:
    both = ((first.want, second.give), (second.want, first.give))
    asked = [(want, give) for want, give in both if want and give]
    if first.seat == second.seat or not asked:
        return False
    return all(matches(want, give, exactly) for want, give in asked)


def announced(every: list[Match]) -> list[Match]:
    """Return the matches that posters are notified of: for each offer no more than
    `ANNOUNCED_MAX`.
    """
    counts = Counter[int]()
    found = []
    for match in every:
        if max(counts[number] for number in match) < ANNOUNCED_MAX:
            found.append(match)
            counts.update(match)
    return found


def by_interest(
    table: Table, offers: list[Offer], seat: str | None, every: list[Match]
) -> list[Offer]:
    """Return offers in the order in which this seat might want them.

    Those that fit its own come first, then those that give what it asks for, then those that give
    what it has more of already; the newest first among equals. This order tells the seat's hand, so
    it is for that seat only. Without a seat, those that fit another one come first.
    """
    if seat is None:
        fitting = set(chain.from_iterable(every))
        return sorted(
            offers, key=lambda offer: (offer.number in fitting, offer.number), reverse=True
        )
    mine = {offer.number for offer in table.open_offers() if offer.seat == seat}
    fits_mine = set(chain.from_iterable(match for match in every if mine & set(match)))
    own = [offer.want for offer in table.live_offers() if offer.seat == seat]
    wanted = sum(own, NOTHING)
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
