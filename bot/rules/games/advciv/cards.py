"""The trade cards of Advanced Civilization: how they are written, and how they are told.

| token | what it is |
|---|---|
| ``commodity:salt`` ``calamity:epidemic`` | a trade card; in an offer, one that is named and so is firm |
| ``claim:silver`` | in an offer, a card that is not named, but said to be silver; that binds nobody |
| ``unnamed`` | in an offer, a card of which nothing is said |
| ``cards`` | trade cards of which only the two who trade them know how many and which |
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from bot.rules.goods import MOST, NOTHING, Goods, kind_of
from bot.rules.ruling import Refused
from bot.rules.table import Table
from bot.rules.words import typed, untyped
from data import Calamity, Commodity, TradeCard, calamities, commodities, find_trade_card

UNNAMED, HIDDEN = "unnamed", "cards"

TRADE_CARDS = ("commodity", "calamity")
"""The kinds of token that are cards."""

NOT_CARDS = (
    "treasury", "token", "civilization card", "civilisation card", "city", "cities", "ship", "unit",
    "pottery", "cloth making", "metalworking", "agriculture", "road building", "mining", "engineering", "astronomy",
    "coinage", "medicine", "mathematics", "drama", "poetry", "music", "architecture", "literacy", "law", "democracy",
    "military", "philosophy", "mysticism", "deism", "enlightenment", "monotheism", "theology",
)  # fmt: skip
"""What people would put into a deal and 28.2 keeps out of it, the civilization cards among them."""


def token_of(card: TradeCard) -> str:
    """The token of a card."""
    return f"{'commodity' if isinstance(card, Commodity) else 'calamity'}:{card.id}"


def card_of(token: str) -> TradeCard:
    """The card that a token, or a claim, is about."""
    id = token.partition(":")[2]
    return commodities().get(id) or calamities()[id]


def tradable(goods: Goods) -> Goods:
    """Of the cards in a hand those that may be traded: all but some calamities [29.2]."""
    return Goods({token: count for token, count in goods.items() if may_be_traded(token)})


def may_be_traded(token: str) -> bool:
    """Whether this card may be traded at all [29.2]."""
    card = card_of(token)
    return not isinstance(card, Calamity) or card.tradable


def named(goods: Goods) -> Goods:
    """Of one side of an offer the cards that are named, and so must be among what is handed over [28.3]."""
    return goods.of_kind(*TRADE_CARDS)


def claimed(goods: Goods) -> Goods:
    """Of one side of an offer the cards it is said to hold beside those that are named, as cards."""
    claims = NOTHING
    for token, count in goods.of_kind("claim").items():
        claims += Goods({token_of(card_of(token)): count})
    return claims


# ---------------------------------------------------------------- told


def tell(goods: Goods) -> str:
    """Cards in words: ``2 Salt, 1 Iron, 1 unnamed card (said to be Silver)``; ``nothing`` for none."""
    return ", ".join(_tell_one(token, goods[token]) for token in sorted(goods, key=_order)) or "nothing"


def _tell_one(token: str, count: int) -> str:
    match kind_of(token):
        case "cards":
            return "trade cards"
        case "unnamed":
            return f"{count} unnamed card{'' if count == 1 else 's'}"
        case "claim":
            return f"{count} unnamed card{'' if count == 1 else 's'} (said to be {card_of(token).name})"
        case "calamity":
            return card_of(token).name
        case _:
            return f"{count} {card_of(token).name}"


def short(goods: Goods) -> str:
    """Cards as short as people write them: ``2 Salt, Iron, ? (Silver)``."""
    return ", ".join(_short_one(token, goods[token]) for token in sorted(goods, key=_order)) or "nothing"


def _short_one(token: str, count: int) -> str:
    many = f"{count} " if count > 1 else ""
    match kind_of(token):
        case "cards":
            return "trade cards"
        case "unnamed":
            return f"{many}?"
        case "claim":
            return f"{many}? ({card_of(token).name})"
        case _:
            return f"{many}{card_of(token).name}"


def _order(token: str) -> tuple[int, int, str]:
    """Commodities by their stack, then calamities, then what is not named."""
    if token in (UNNAMED, HIDDEN):
        return (3, 0, token)
    place = ("commodity", "calamity", "claim").index(kind_of(token))
    return (place, card_of(token).stack, token)


# ---------------------------------------------------------------- read


def read(text: str, table: Table, giver: str | None, names: Mapping[str, str]) -> Goods:
    """Read the shorthand: parts joined by commas or ``+``, any order and case; a bare part means 1.

    ``?`` is a card that is not named, ``? (silver)`` one that is said to be silver. Raises `Refused`: by 28.2 for what
    is no trade card, else without a rule, naming the nearest thing that would have been understood.
    """
    goods = NOTHING
    for part in _parts(untyped(text)):
        goods += _read_part(part)
    for token, count in goods.items():
        most = _most(token)
        if count > most:
            raise Refused("", f"That makes {tell(Goods({token: count}))} in all.", f"There are only {most}.")
    return goods


def _parts(text: str) -> Iterator[str]:
    """What stands between commas, pluses and ands; an and inside of a card's name parts nothing."""
    for piece in re.split(r"[,+\n]", text):
        part = " ".join(piece.split())
        whole = find_trade_card(re.sub(r"^\d+\s*", "", part)) or "(" in part
        for each in [part] if whole else re.split(r"\band\b", part, flags=re.IGNORECASE):
            if each.strip() and each.strip().casefold() != "nothing":
                yield each.strip()


def _most(token: str) -> int:
    """The most of it that there can be: the cards that were printed."""
    if kind_of(token) not in TRADE_CARDS:
        return MOST
    card = card_of(token)
    return card.count if isinstance(card, Commodity) else 1


_QUOTED = 60
"""So much of what somebody typed is quoted back to them, in characters."""

_PART = re.compile(
    r"(?P<number>[-+]?\d[\d.,]*(?:e\d+)?)?\s*(?:x\s+)?(?P<what>[^()]*?)\s*(?:\((?P<claim>[^()]*)\))?", re.I
)


def _read_part(part: str) -> Goods:
    shown = typed(part if len(part) <= _QUOTED else f"{part[:_QUOTED]}…")
    found = _PART.fullmatch(part)
    if found is None:
        raise Refused("", f"I don't know “{shown}”.", "For example: salt, 2 iron, ? (silver).")
    count = _count(found["number"], shown)
    what = found["what"].strip()
    times = re.fullmatch(r"(.+?)\s*x\s*(\d{1,3})", what, re.IGNORECASE)
    if found["number"] is None and times:  # as a hand is told: Salt x3
        what, count = times[1], _count(times[2], shown)
    unnamed = re.fullmatch(r"\?+|unnamed(?: cards?)?|unknown(?: cards?)?|cards?|any(?:thing)?", what.casefold())
    if unnamed and what.startswith("??"):
        count *= len(what)
    if not what:
        raise Refused("", f"“{shown}” says how many, but not of what.", "For example: 2 salt, or 2 ?.")
    if not unnamed and "?" in what:  # a slip of the pen must not bind anybody to a name
        said = what.strip("? ")
        raise Refused("", f"Is “{shown}” named, or only said?", f"Write {said} for the one, ? ({said}) for the other.")
    if found["claim"] is not None and not unnamed:
        raise Refused("", f"I don't know “{shown}”.", "What is only said of a card stands behind a ?: ? (silver).")
    if unnamed:
        if not (claim := (found["claim"] or "").removeprefix("said to be ").strip()):
            return Goods({UNNAMED: count})
        return Goods({f"claim:{_card(claim, shown).id}": count})
    return Goods({token_of(_card(what, shown)): count})


def _card(what: str, shown: str) -> TradeCard:
    card = find_trade_card(what)
    if card is not None:
        return card
    words = f" {what.casefold()} "
    if any(f" {word} " in words or f" {word}s " in words for word in NOT_CARDS):
        raise Refused(
            "28.2", f"“{shown}” is no trade card.", "Only trade cards change hands: commodities and calamities."
        )
    every: list[TradeCard] = [*commodities().values(), *calamities().values()]
    near = get_close_matches(what.casefold(), [card.name.casefold() for card in every], n=1, cutoff=0.6)
    remedy = (
        f"Did you mean “{near[0]}”?" if near else "I know the commodities and calamities by name, and ? for any card."
    )
    raise Refused("", f"I don't know “{shown}”.", remedy)


def _count(number: str | None, shown: str) -> int:
    if number is None:
        return 1
    if not re.fullmatch(r"\d+", number) or len(number) > len(str(MOST)) or not 1 <= int(number) <= MOST:
        raise Refused("", f"“{shown}” is no amount I can move.", f"Write a whole number from 1 to {MOST}.")
    return int(number)
