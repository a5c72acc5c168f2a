"""Reading cards as people write them: ``2 salt, iron, ? (silver)``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches

from bot.rules.games.advciv.cards import TRADE_CARDS, UNNAMED, box, describe, token_of
from bot.rules.model.goods import COUNT_MAX, NOTHING, Goods, kind_of
from bot.rules.model.markup import excerpt, unquoted
from bot.rules.model.violation import Refused
from bot.rules.shorthand import NUMBER, read_count
from data.advciv import TradeCard, calamities, commodities, find_trade_card

NOT_CARDS = (
    "treasury", "token", "civilization card", "civilisation card", "city", "cities", "ship", "unit",
    "pottery", "cloth making", "metalworking", "agriculture", "road building", "mining", "engineering", "astronomy",
    "coinage", "medicine", "mathematics", "drama", "poetry", "music", "architecture", "literacy", "law", "democracy",
    "military", "philosophy", "mysticism", "deism", "enlightenment", "monotheism", "theology",
)  # fmt: skip
"""What people would put into a deal and 28.2 keeps out of it, the civilization cards among them."""

_PART = re.compile(rf"(?P<number>{NUMBER})?\s*(?:x\s+)?(?P<what>[^()]*?)\s*(?:\((?P<claim>[^()]*)\))?", re.IGNORECASE)
_TIMES = re.compile(r"(?P<what>.+?)\s*x\s*(?P<number>\d{1,3})", re.IGNORECASE)
_ANY = re.compile(r"\?+|unnamed(?: cards?)?|unknown(?: cards?)?|cards?|any(?:thing)?")


def read(text: str, seats: Collection[str], giver: str | None, aliases: Mapping[str, str]) -> Goods:
    """Read the shorthand: parts joined by commas or ``+``, any order and case; a bare part means 1.

    ``?`` is a card that is not named, ``? (silver)`` one that is said to be silver. Raises `Refused`: by 28.2 for what
    is no trade card, else without a rule, naming the nearest thing that would have been understood.
    """
    goods = NOTHING
    for part in _parts(unquoted(text)):
        goods += _read_part(part)
    for token, count in goods.items():
        if count > (most := _most(token)):
            raise Refused("", f"That makes {describe(Goods({token: count}))} in all.", f"There are only {most}.")
    return goods


def _parts(text: str) -> Iterator[str]:
    """Yield what stands between commas, pluses and ands; an "and" inside a card's name separates nothing."""
    for piece in re.split(r"[,+\n]", text):
        part = " ".join(piece.split())
        whole = find_trade_card(re.sub(r"^\d+\s*", "", part)) or "(" in part
        for each in [part] if whole else re.split(r"\band\b", part, flags=re.IGNORECASE):
            if each.strip() and each.strip().casefold() != "nothing":
                yield each.strip()


def _most(token: str) -> int:
    """Return the most of a component that there can be: the cards that were printed."""
    return box()[token] if kind_of(token) in TRADE_CARDS else COUNT_MAX


def _read_part(part: str) -> Goods:
    shown = excerpt(part)
    found = _PART.fullmatch(part)
    if found is None:
        raise Refused("", f"I don't know “{shown}”.", "For example: salt, 2 iron, ? (silver).")
    number, what, claim = found["number"], found["what"].strip(), found["claim"]
    if number is None and (times := _TIMES.fullmatch(what)):  # as a hand is described: Salt x3
        number, what = times["number"], times["what"]
    count = read_count(number, shown)
    if not what:
        raise Refused("", f"“{shown}” says how many, but not of what.", "For example: 2 salt, or 2 ?.")
    if _ANY.fullmatch(what.casefold()):
        return _unnamed(count * (len(what) if what.startswith("??") else 1), claim or "", shown)
    return Goods({token_of(_named(what, claim, shown)): count})


def _unnamed(count: int, claim: str, shown: str) -> Goods:
    """Return cards that are not named, with what they are said to be, if anything."""
    said = claim.removeprefix("said to be ").strip()
    return Goods({f"claim:{_card(said, shown).id}" if said else UNNAMED: count})


def _named(what: str, claim: str | None, shown: str) -> TradeCard:
    """Return the card that is named, and so binds. Raises `Refused` when it could also be meant as a claim."""
    if "?" in what:  # a slip of the pen must not bind anybody to a name
        said = what.strip("? ")
        raise Refused("", f"Is “{shown}” named, or only said?", f"Write {said} for the one, ? ({said}) for the other.")
    if claim is not None:
        raise Refused("", f"I don't know “{shown}”.", "What is only said of a card stands behind a ?: ? (silver).")
    return _card(what, shown)


def _card(what: str, shown: str) -> TradeCard:
    card = find_trade_card(what)
    if card is not None:
        return card
    words = f" {what.casefold()} "
    if any(f" {word} " in words or f" {word}s " in words for word in NOT_CARDS):
        raise Refused(
            "28.2", f"“{shown}” is no trade card.", "Only trade cards change hands: commodities and calamities."
        )
    raise Refused("", f"I don't know “{shown}”.", _nearest(what))


def _nearest(what: str) -> str:
    """Return the remedy for an unknown name: the card that is spelt most like it, or what is known at all."""
    every: list[TradeCard] = [*commodities().values(), *calamities().values()]
    near = get_close_matches(what.casefold(), [card.name.casefold() for card in every], n=1, cutoff=0.6)
    return (
        f"Did you mean “{near[0]}”?" if near else "I know the commodities and calamities by name, and ? for any card."
    )
