"""Rule 28.5: the worth of sets of commodity cards, now and after a trade."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from bot.api import NOTHING, Goods, Outlook, Refused
from bot.games.advciv.cards import (
    card_of,
    claim_ways,
    commodity_of,
    describe,
    named,
    token_of,
    tradable,
    with_icon,
)
from data.advciv import Commodity, commodities, find_trade_card


def worth(cards: Goods, mining: str | None = None) -> int:
    """Return the total worth of the sets in these cards.

    ``mining`` is the token of the commodity to which Mining is applied [28.53], if any.
    """
    return sum(
        set_worth(token, count + (token == mining))
        for token, count in cards.of_kind("commodity").items()
    )


def set_worth(token: str, count: int) -> int:
    """Return the worth of one set: number × number × value [28.51], for at most the number of
    printed cards [28.52].
    """
    card = commodity_of(token)
    return card.set_value(min(count, card.count))


def describe_sets(cards: Goods, mining: str | None = None) -> list[str]:
    """Describe the sets of a hand, one on each line: ``Salt x3 = 27 🧂``, with 🎉 where all the
    printed cards are together. ``mining`` is as in `worth`.
    """
    held = cards.of_kind("commodity")
    lines = []
    for token in sorted(held, key=lambda token: (commodity_of(token).stack, token)):
        card, count = commodity_of(token), held[token]
        line = f"{card.name} x{count} = {set_worth(token, count + (token == mining))}"
        if token == mining:
            line += " with Mining"
        line = with_icon(line, token)
        lines.append(f"{line} 🎉" if count >= card.count else line)
    return lines


def mined(cards: Goods, text: str) -> str:
    """Return the token of the commodity to which Mining is applied [28.53]. Raises `Refused` if it
    can't be.
    """
    card = find_trade_card(text)
    *most, last = (each.name for each in commodities().values() if each.mineable)
    mineable = f"{', '.join(most)} or {last}"
    if not isinstance(card, Commodity) or not card.mineable:
        raise Refused(
            "Mining counts for one set of metal or gems.", f"Try {mineable}.", rule="28.53"
        )
    token = token_of(card)
    if not (held := cards.count(token)):
        raise Refused(
            f"These cards include no {card.name}.",
            f"Mining needs a set of {mineable}.",
            rule="28.53",
        )
    if held >= card.count:
        raise Refused(
            f"{card.name} is at its printed maximum of {card.count} cards, "
            f"{set_worth(token, held)}.",
            "Mining can't raise it further. Try another set.",
            rule="28.53",
        )
    return token


# ---------------------------------------------------------------- the effect of a trade


class Selection(NamedTuple):
    """One way to choose the unnamed cards: the worth of the sets that are left, and the chosen
    cards.
    """

    worth: int
    given: Goods


class WorthRange(NamedTuple):
    """The least and most that sets can be worth after a trade, depending on which unnamed cards are
    given.
    """

    least: Selection
    most: Selection


class Prospect(NamedTuple):
    """The worth of a hand's sets: now, after a trade for sure, and after a trade if all claims are
    true.
    """

    now: int
    sure: WorthRange
    claimed: WorthRange


@lru_cache(maxsize=4096)
def prospect(hand: Goods, gives: Goods, gets: Goods, handed: Goods | None) -> Prospect | None:
    """Return the effect of a trade on a hand; None if the hand lacks what the trade takes.

    Unnamed cards may be any cards of the hand, unless ``handed`` has the cards handed over. Of the
    received cards, only the named ones count for sure.
    """
    left = named(gives) if handed is None else handed
    if hand.missing(left):
        return None
    rest = hand - left
    free = gives.total() - left.total() if handed is None else 0
    if tradable(rest).total() < free:
        return None
    sure = named(gets)
    after = _outcome(rest, sure, free)
    ways = [_outcome(rest, sure + claimed, free) for claimed in claim_ways(gets)]
    least = min((way.least for way in ways), key=_by_worth)
    most = max((way.most for way in ways), key=_by_worth)
    return Prospect(worth(hand), after, WorthRange(least, most))


def _by_worth(way: Selection) -> int:
    return way.worth


def _outcome(hand: Goods, gains: Goods, gives: int) -> WorthRange:
    """Return the possible worth of sets after gaining ``gains`` and giving any ``gives`` cards of
    the hand.
    """
    least = _way(hand, gains, gives, min)
    return WorthRange(least, _way(hand, gains, gives, max) if gives else least)


def _way(hand: Goods, gains: Goods, gives: int, better: Callable[[int, int], int]) -> Selection:
    """Return the best way to pick ``gives`` cards; ``better`` is `min` or `max` of the worth that
    is left.

    Dynamic programming over commodities: ``best[k]`` is the best way so far that gives ``k`` cards.
    Tradable calamities can be given without loss.
    """
    calamities = list(tradable(hand).of_kind("calamity").tokens())[:gives]
    best = {k: Selection(0, Goods.of(calamities[:k])) for k in range(len(calamities) + 1)}
    for token in (hand + gains).of_kind("commodity"):
        held = hand.count(token)
        after = held + gains.count(token)
        then: dict[int, Selection] = {}
        for before, way in best.items():
            for given in range(min(held, gives - before) + 1):
                k = before + given
                value = way.worth + set_worth(token, after - given)
                if k not in then or better(value, then[k].worth) != then[k].worth:
                    cards = Goods({token: given}) if given else NOTHING
                    then[k] = Selection(value, way.given + cards)
        best = then
    return best[gives]


def cost(hand: Goods, given: Goods) -> str:
    """Return the worth of the sets concerned, now and without these cards: ``set 8 → 2``."""
    falls = {}
    for token, count in given.of_kind("commodity").items():
        held = hand.count(token)
        falls[card_of(token).name] = f"{set_worth(token, held)} → {set_worth(token, held - count)}"
    if len(falls) == 1:
        return f"set {next(iter(falls.values()))}"
    return ", ".join(f"{name} {fall}" for name, fall in falls.items())


def gain(hand: Goods, got: Goods) -> str:
    """Return how many a hand has of these cards, and the worth of that set now and with them; empty
    if it has none.
    """
    parts = [
        f"you have {hand.count(token)} · {set_worth(token, hand.count(token))} → "
        f"{set_worth(token, hand.count(token) + count)} with {count} more"
        for token, count in got.of_kind("commodity").items()
        if hand.count(token)
    ]
    return ", ".join(parts)


def likely(hand: Goods, gives: Goods, gets: Goods) -> Goods | None:
    """Return the cards to hand over for a promise that leave the sets of a hand worth the most, if
    claims are true.

    None if the hand can't keep the promise.
    """
    seen = None if gives.of_kind("either") else prospect(hand, gives, gets, None)
    return named(gives) + seen.claimed.most.given if seen else None


def outlook(hand: Goods, gives: Goods, gets: Goods, handed: Goods | None) -> Outlook | None:
    """Return the worth of a hand's sets: now, and after a trade if claims are true; in full, also
    for sure [28.5].

    If it depends on which unnamed cards are given, it has the least and the most, and in full the
    cards for each.
    """
    if not gives or not gets or gives.of_kind("either"):
        return None
    seen = prospect(hand, gives, gets, handed)
    if seen is None:
        return Outlook("You don't have the cards that this takes.")
    now_to = f"Sets **{seen.now} → {_worth(seen.claimed)}**"
    if seen.claimed == seen.sure:
        by_what = _by_what(seen.sure)
        return Outlook(
            now_to, f"Your sets are worth {_worth(seen.sure)} after{by_what}." if by_what else ""
        )
    return Outlook(
        f"{now_to} if the claim is true",
        f"Your sets are worth {_worth(seen.sure)} after for sure, {_worth(seen.claimed)} if their "
        "claim is true"
        f"{_by_what(seen.claimed)}.",
    )


def _single(outcome: WorthRange) -> bool:
    """Return whether the least and the most are the same."""
    return outcome.least.worth == outcome.most.worth


def _worth(outcome: WorthRange) -> str:
    """Return the worth as text: one number, or the least and the most."""
    least, most = outcome
    return f"{most.worth}" if _single(outcome) else f"{least.worth} to {most.worth}"


def _by_what(outcome: WorthRange) -> str:
    """Return which unnamed cards lead to the most and the least; empty if they are the same."""
    least, most = outcome
    if _single(outcome):
        return ""
    if most.given.total() == 1:
        (best,), (worst,) = most.given, least.given
        return (
            f": {most.worth} if your unnamed card is {card_of(best).name}, "
            f"{least.worth} if it is {card_of(worst).name}"
        )
    return (
        f": {most.worth} if your unnamed cards are {describe(most.given)}, "
        f"{least.worth} if they are {describe(least.given)}"
    )
