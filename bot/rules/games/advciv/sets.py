"""Rule 28.5: what sets of commodity cards are worth, now and after a trade."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from bot.rules.games.advciv.cards import card_of, claimed, named, token_of, tradable
from bot.rules.goods import Goods
from bot.rules.ruling import Refused
from data import Commodity, commodities, find_trade_card


def worth(cards: Goods, mining: str | None = None) -> int:
    """What the sets in these cards are worth together. ``mining`` is the commodity that Mining counts for [28.53]."""
    return sum(set_worth(token, count + (token == mining)) for token, count in cards.of_kind("commodity").items())


def set_worth(token: str, count: int) -> int:
    """28.51: number times number times value. 28.52: of one commodity, and as far as its cards were printed."""
    card = card_of(token)
    assert isinstance(card, Commodity)
    return card.set_value(min(count, card.count))


def mined(cards: Goods, text: str) -> str:
    """28.53: the commodity that Mining is to count for, as its token. Raises `Refused` where it can't."""
    card = find_trade_card(text)
    *most, last = (each.name for each in commodities().values() if each.mineable)
    minable = f"{', '.join(most)} or {last}"
    if not isinstance(card, Commodity) or not card.mineable:
        raise Refused("28.53", "Mining counts for one set of metal or gems.", f"That is one of {minable}.")
    token = token_of(card)
    if not (held := cards.count(token)):
        raise Refused("28.53", f"There is no {card.name} among these cards.", f"Mining needs a set of {minable}.")
    if held >= card.count:
        raise Refused(
            "28.53", f"{card.name} is at its printed maximum of {card.count} cards, {set_worth(token, held)}.",
            "Mining does not go beyond it; another set would gain.",
        )  # fmt: skip
    return token


class Prospect(NamedTuple):
    """What somebody's sets are worth: now, after a trade for sure, and after it if what is claimed of cards is true."""

    now: int
    sure: int
    claimed: int


def prospect(hand: Goods, gives: Goods, gets: Goods, handed: Goods | None) -> Prospect | None:
    """What a trade would make of this hand; None where the hand has not what the trade takes.

    What is not named is given as it costs least, unless it is known what was ``handed`` over for it. Of what is
    received, only the cards that are named count for sure.
    """
    left = handed if handed is not None else named(gives)
    if hand.missing(left):
        return None
    rest, free = hand - left, 0 if handed is not None else gives.total() - named(gives).total()
    if tradable(rest).total() < free:
        return None
    sure = named(gets)
    return Prospect(worth(hand), _best(rest, sure, free), _best(rest, sure + claimed(gets), free))


def _best(hand: Goods, gains: Goods, gives: int) -> int:
    """What sets are worth at most after these cards came and so many, picked from the hand, went.

    Each commodity in turn: ``best[k]`` is the most that those so far are worth with ``k`` cards given. Calamities
    that can be traded go without loss.
    """
    calamities = tradable(hand).of_kind("calamity").total()
    best: Mapping[int, int] = dict.fromkeys(range(min(calamities, gives) + 1), 0)
    for token in dict.fromkeys((*hand.of_kind("commodity"), *gains.of_kind("commodity"))):
        held, comes = hand.count(token), gains.count(token)
        then: Counter[int] = Counter()
        for before, value in best.items():
            for given in range(min(held, gives - before) + 1):
                k = before + given
                then[k] = max(then.get(k, 0), value + set_worth(token, held + comes - given))
        best = then
    return best.get(gives, 0)


def told_sets(cards: Goods, mining: str | None = None) -> list[str]:
    """The sets of a hand, one a line: ``Salt x3 = 27``."""
    lines = []
    for token in sorted(cards.of_kind("commodity"), key=lambda token: (card_of(token).stack, token)):
        count, card = cards[token], card_of(token)
        if token == mining:
            lines.append(f"{card.name} x{count} = {set_worth(token, count + 1)} with Mining")
        else:
            lines.append(f"{card.name} x{count} = {set_worth(token, count)}")
    return lines
