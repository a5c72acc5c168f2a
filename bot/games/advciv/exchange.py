"""Rule 28.3: handing over. The number of cards and those that were named have to be right; the rest may be any."""

from __future__ import annotations

from bot.api import Goods, Offer, Table, Violation
from bot.games.advciv import cards
from bot.games.advciv.cards import TRADE_CARDS, count_cards, describe, named
from bot.games.advciv.sets import Outcome, prospect, set_worth
from bot.games.advciv.trade import hand


def why_not(table: Table, seat: str, promised: Goods, actual: Goods) -> Violation | None:
    """Return why this seat can't hand over ``actual`` for what it promised; None when it can."""
    if fixed := [token for token in actual.of_kind("calamity") if not cards.may_be_traded(token)]:
        reason = f"{cards.card_of(fixed[0]).name} can't be traded: it stays with who drew it."
        return Violation("29.2", reason, "Choose another card.")
    if no_card := actual.without_kind(*TRADE_CARDS):
        return Violation("28.3", f"{describe(no_card)} is no card you can hand over.", "Name each card.")
    if actual.total() != promised.total():
        reason = f"You chose {count_cards(actual.total())}, and this trade takes {promised.total()} from you."
        return Violation("28.3", reason, _takes(promised))
    if missing := actual.missing(named(promised)):
        reason = f"{describe(missing)} has to be among them: that is what was named."
        return Violation("28.3", reason, "What was not named may be any card.")
    if missing := hand(table, seat).missing(actual):
        return Violation("28.3", f"You don't have {describe(missing)} to give.", "/cards hand tells what you have.")
    return None


def _takes(promised: Goods) -> str:
    """Return what a side has to hand over, as a remedy."""
    firm = named(promised)
    free = promised.total() - firm.total()
    return f"{describe(firm)} and {free} more." if free else f"That is {describe(firm)}."


def cost(hand: Goods, given: Goods) -> str:
    """Return what the sets of a hand are worth now and without some of its cards: ``set 8 → 2``."""
    lines = {cards.card_of(token).name: _fall(token, hand.count(token), left) for token, left in _left(hand, given)}
    if len(lines) == 1:
        return f"set {next(iter(lines.values()))}"
    return ", ".join(f"{name} {line}" for name, line in lines.items())


def _left(hand: Goods, given: Goods) -> list[tuple[str, int]]:
    """Return how many cards are left of each commodity that is given."""
    return [(token, hand.count(token) - count) for token, count in given.of_kind("commodity").items()]


def _fall(token: str, held: int, left: int) -> str:
    return f"{set_worth(token, held)} → {set_worth(token, left)}"


def advice(table: Table, offer: Offer, seat: str) -> list[str]:
    """Return what this seat's sets are worth now and after the trade: for sure, and if claims are true [28.5].

    Where that rests on which cards it gives that are not named, it is the least and the most, and for which cards.
    """
    gives, gets = (offer.give, offer.want) if seat == offer.seat else (offer.want, offer.give)
    if not gives or not gets:
        return []
    seen = prospect(table.seats[seat].holdings, gives, gets, offer.handed.get(seat))
    if seen is None:
        return ["Your sets: you don't have what this takes."]
    sure = f"Your sets: **{seen.now}** now, {_worth(seen.sure)} after"
    if seen.claimed == seen.sure:
        return [f"{sure}{_by_what(seen.sure)}."]
    return [f"{sure} for sure, {_worth(seen.claimed)} if what is claimed is true{_by_what(seen.claimed)}."]


def _single(outcome: Outcome) -> bool:
    """Return whether it comes to the same whatever is given."""
    return outcome.least.worth == outcome.most.worth


def _worth(outcome: Outcome) -> str:
    """Return what sets are worth: where that rests on what is given, the least and the most."""
    least, most = outcome
    return f"**{most.worth}**" if _single(outcome) else f"**{least.worth}** to **{most.worth}**"


def _by_what(outcome: Outcome) -> str:
    """Return which unnamed cards bring the most and the least; empty where it comes to the same."""
    least, most = outcome
    if _single(outcome):
        return ""
    cards, it = ("card is", "it is") if most.given.total() == 1 else ("cards are", "they are")
    return f": {most.worth} if your unnamed {cards} {_names(most.given)}, {least.worth} if {it} {_names(least.given)}"


def _names(given: Goods) -> str:
    return describe(given) if given.total() > 1 else "".join(cards.card_of(token).name for token in given)
