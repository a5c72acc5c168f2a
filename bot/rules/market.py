"""The market: which offers fit one another, and which of them somebody might want.

Two offers to all fit when what each wants is what the other gives. One that only asks, and says nothing yet of what it
gives, fits whatever gives what it asks for. An offer to one person has found whom it is for.
"""

from __future__ import annotations

from itertools import combinations

from bot.rules.game import game_named
from bot.rules.goods import Goods
from bot.rules.table import Offer, Table, Value

TOLD_OF = 5
"""Of so many offers that fit one of theirs people are told, the oldest first; more than that nobody reads."""


class Match(Value):
    """Two offers that fit one another, by number; the older one first."""

    first: int
    second: int


def matches(table: Table) -> list[Match]:
    """Every two offers that stand open and fit one another, but of each no more than `TOLD_OF`."""
    told: dict[int, int] = {}
    found = []
    for first, second in combinations(table.open_offers(), 2):
        if max(told.get(first.number, 0), told.get(second.number, 0)) < TOLD_OF and fit(table, first, second):
            found.append(Match(first=first.number, second=second.number))
            for offer in (first, second):
                told[offer.number] = told.get(offer.number, 0) + 1
    return found


def fit(table: Table, first: Offer, second: Offer) -> bool:
    """Whether these two are open to all and fit one another."""
    if first.seat == second.seat or first.to is not None or second.to is not None:
        return False
    answers, complete = game_named(table.game).answers, bool(first.give and second.give)
    if not first.give and not second.give:
        return False
    return (not second.give or answers(first.want, second.give, complete)) and (
        not first.give or answers(second.want, first.give, complete)
    )


def wishes(table: Table, seat: str) -> Goods:
    """What this seat asks for in its own offers that stand."""
    return sum((offer.want for offer in table.live_offers() if offer.seat == seat), Goods())


def by_interest(table: Table, offers: list[Offer], seat: str | None) -> list[Offer]:
    """Offers as this seat might want them: those that fit its own first, then those that give what it asks for, then
    those that give what it has more of already; the newest first among equals. Only for this seat: it tells its hand.
    """
    if seat is None:
        return sorted(offers, key=lambda offer: -offer.number)
    mine = [offer for offer in table.open_offers() if offer.seat == seat]
    wanted, held = wishes(table, seat), table.seats[seat].holdings

    def interest(offer: Offer) -> tuple[bool, int, int, int]:
        gives = offer.give if offer.seat != seat else Goods()
        asked = sum(min(count, wanted.count(token)) for token, count in gives.items())
        more = sum(held.count(token) for token in gives)
        return (any(fit(table, own, offer) for own in mine), asked, more, offer.number)

    return sorted(offers, key=interest, reverse=True)


def matching_first(table: Table, offers: list[Offer]) -> list[Offer]:
    """Offers as everybody sees them: those that fit another open to all first, then the newest."""
    fitting = matched(table)
    return sorted(offers, key=lambda offer: (offer.number in fitting, offer.number), reverse=True)


def matched(table: Table) -> frozenset[int]:
    """The offers that fit another one."""
    return frozenset(offer.number for two in combinations(table.open_offers(), 2) if fit(table, *two) for offer in two)
