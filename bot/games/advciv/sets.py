"""Rule 28.5: what sets of commodity cards are worth, now and after a trade."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bot.api import Goods, Offer, Refused, Table
from bot.games.advciv.cards import card_of, claimed, commodity_of, describe, named, token_of, tradable
from data.advciv import Commodity, commodities, find_trade_card


def worth(cards: Goods, mining: str | None = None) -> int:
    """Return what the sets in these cards are worth together.

    ``mining`` is the token of the commodity that Mining counts for [28.53], if any.
    """
    return sum(set_worth(token, count + (token == mining)) for token, count in cards.of_kind("commodity").items())


def set_worth(token: str, count: int) -> int:
    """Return what one set is worth: number times number times value [28.51], of the cards that were printed [28.52]."""
    card = commodity_of(token)
    return card.set_value(min(count, card.count))


def describe_sets(cards: Goods, mining: str | None = None) -> list[str]:
    """Describe the sets of a hand, one a line: ``Salt x3 = 27``. ``mining`` as of `worth`."""
    held = cards.of_kind("commodity")
    lines = []
    for token in sorted(held, key=lambda token: (commodity_of(token).stack, token)):
        line = f"{commodity_of(token).name} x{held[token]} = {set_worth(token, held[token] + (token == mining))}"
        lines.append(f"{line} with Mining" if token == mining else line)
    return lines


def mined(cards: Goods, text: str) -> str:
    """Return the token of the commodity that Mining is to count for [28.53]. Raises `Refused` where it can't."""
    card = find_trade_card(text)
    *most, last = (each.name for each in commodities().values() if each.mineable)
    mineable = f"{', '.join(most)} or {last}"
    if not isinstance(card, Commodity) or not card.mineable:
        raise Refused("28.53", "Mining counts for one set of metal or gems.", f"That is one of {mineable}.")
    token = token_of(card)
    if not (held := cards.count(token)):
        raise Refused("28.53", f"There is no {card.name} among these cards.", f"Mining needs a set of {mineable}.")
    if held >= card.count:
        raise Refused(
            "28.53", f"{card.name} is at its printed maximum of {card.count} cards, {set_worth(token, held)}.",
            "Mining does not go beyond it; another set would gain.",
        )  # fmt: skip
    return token


# ---------------------------------------------------------------- after a trade


class Way(NamedTuple):
    """One way to choose the cards that are not named: what the sets are worth then, and which cards these are."""

    worth: int
    given: Goods


class Outcome(NamedTuple):
    """What sets are worth after a trade: the least and the most, by which cards are given that are not named."""

    least: Way
    most: Way


class Prospect(NamedTuple):
    """What a hand's sets are worth: now, after a trade for sure, and after it if what is claimed of cards is true."""

    now: int
    sure: Outcome
    claimed: Outcome


def prospect(hand: Goods, gives: Goods, gets: Goods, handed: Goods | None) -> Prospect | None:
    """Return what a trade would make of this hand, or None when the hand does not have what the trade takes.

    What is not named may be any card of the hand, unless it is known what was ``handed`` over. Of what is received,
    only the cards that are named count for sure.
    """
    left = named(gives) if handed is None else handed
    if hand.missing(left):
        return None
    rest, free = hand - left, gives.total() - named(gives).total() if handed is None else 0
    if tradable(rest).total() < free:
        return None
    sure, told = named(gets), claimed(gets)
    after = _outcome(rest, sure, free)
    return Prospect(worth(hand), after, _outcome(rest, sure + told, free) if told else after)


def _outcome(hand: Goods, gains: Goods, gives: int) -> Outcome:
    """Return what sets can be worth after these gains came and ``gives`` cards, picked from the hand, went."""
    least = _way(hand, gains, gives, min)
    return Outcome(least, _way(hand, gains, gives, max) if gives else least)


def _way(hand: Goods, gains: Goods, gives: int, better: Callable[[int, int], int]) -> Way:
    """Return the way to pick so many cards that is the ``better`` one, of the least or of the most.

    Each commodity in turn: ``best[k]`` is the best that those so far can be worth with ``k`` cards given. Calamities
    that can be traded go without loss.
    """
    calamities = list(tradable(hand).of_kind("calamity").tokens())
    best = {k: Way(0, Goods.of(calamities[:k])) for k in range(min(len(calamities), gives) + 1)}
    for token in dict.fromkeys((*hand.of_kind("commodity"), *gains.of_kind("commodity"))):
        held, after = hand.count(token), hand.count(token) + gains.count(token)
        then: dict[int, Way] = {}
        for before, way in best.items():
            for given in range(min(held, gives - before) + 1):
                k, value = before + given, way.worth + set_worth(token, after - given)
                if k not in then or better(value, then[k].worth) != then[k].worth:
                    then[k] = Way(value, way.given + Goods({token: given}) if given else way.given)
        best = then
    return best[gives]


def cost(hand: Goods, given: Goods) -> str:
    """Return what the sets of a hand are worth now and without some of its cards: ``set 8 → 2``."""
    falls = {}
    for token, count in given.of_kind("commodity").items():
        held = hand.count(token)
        falls[card_of(token).name] = f"{set_worth(token, held)} → {set_worth(token, held - count)}"
    if len(falls) == 1:
        return f"set {next(iter(falls.values()))}"
    return ", ".join(f"{name} {fall}" for name, fall in falls.items())


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
    return describe(given) if given.total() > 1 else "".join(card_of(token).name for token in given)
