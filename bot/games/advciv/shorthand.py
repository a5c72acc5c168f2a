"""Reading cards as people write them: ``2 salt, an iron, ? (silver)``, ``salt salt ?``, ``3 cards: salt, salt``."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Literal

from bot.api import (
    COUNT_MAX,
    NOTHING,
    NUMBER,
    NUMBER_WORDS,
    Goods,
    Part,
    Refused,
    excerpt,
    kind_of,
    not_known,
    parse,
    read_count,
    unquoted,
)
from bot.games.advciv.cards import TRADE_CARDS, UNNAMED, box, count_cards, describe, token_of
from data import not_traded
from data.advciv import TradeCard, calamities, commodities, find_trade_card

_CARDS = r"(?:trade )?cards?"
_ANY = rf"\?+|(?:hidden|unnamed|unknown|unspecified|secret|other|more|any)(?: {_CARDS})?|anything|{_CARDS}"
"""Every way to write a card that is not named, as a regular expression."""

_UNNAMED = re.compile(rf"(?P<any>{_ANY})\s*(?:\((?:said to be )?(?P<claim>[^()]*)\))?", re.IGNORECASE)
_IN_ALL = re.compile(
    rf"\s*(?:(?P<number>{NUMBER})\s*|(?P<word>{'|'.join(NUMBER_WORDS)})\s+){_CARDS}\s*(?::|\bwith\b|\bincluding\b)"
    r"(?P<of_which>.*)",
    re.IGNORECASE | re.DOTALL,
)

_FOR_EXAMPLE = "For example: salt, 2 iron, ? (silver)."
_ALL_I_KNOW = "I know the commodities and calamities by name, and ? for any card."


def read(text: str, seats: Collection[str], giver: str | None, aliases: Mapping[str, str]) -> Goods:
    """Read the shorthand: parts as `bot.rules.shorthand.parse` splits them, any order and case; a bare part means 1.

    ``?`` is a card that is not named, ``? (silver)`` one that is said to be silver. ``3 cards: salt, salt`` is three
    cards, of which two are named. Raises `Refused`: by 28.2 for what is no trade card, else without a rule, naming the
    nearest thing that would have been understood.
    """
    goods = _in_all(found) if (found := _IN_ALL.fullmatch(unquoted(text))) else _listed(text)
    for token, count in goods.items():
        if count > (most := _most(token)):
            raise Refused("", f"That makes {describe(Goods({token: count}))} in all.", f"There are only {most}.")
    return goods


def _listed(text: str) -> Goods:
    return sum((_read_part(part) for part in parse(text, _is_name, _trails)), NOTHING)


def _in_all(found: re.Match[str]) -> Goods:
    """Return so many cards, of which some are listed; the rest is unnamed. Raises `Refused` when more are listed."""
    number = found["number"] or str(NUMBER_WORDS[found["word"].casefold()])
    total, goods = read_count(number, excerpt(found[0].strip())), _listed(found["of_which"])
    if goods.total() > total:
        raise Refused(
            "", f"You write {count_cards(total)}, but {goods.total()} follow: {describe(goods)}.",
            f"Write {goods.total()} cards, or leave some out.",
        )  # fmt: skip
    rest = total - goods.total()
    return goods + Goods({UNNAMED: rest} if rest else {})


def _most(token: str) -> int:
    """Return the most of a component that there can be: the cards that were printed."""
    return box()[token] if kind_of(token) in TRADE_CARDS else COUNT_MAX


def _is_name(text: str) -> bool:
    """Return whether a text is the whole name of a card."""
    return _card(text) is not None


def _trails(part: Part) -> bool:
    """Return whether this is a card that is not named and can stand behind names that nothing separates.

    Before a name it could be meant for it, as in ``? silver``; so could a bare word such as "card" or "hidden".
    """
    unnamed = _UNNAMED.fullmatch(part.what)
    clear = part.number is not None or part.what.startswith("?")
    return clear and unnamed is not None and _claimed(unnamed) is not None


def _read_part(part: Part) -> Goods:
    shown = excerpt(part.written)
    count = part.count
    if not part.what:
        raise Refused("", f"“{shown}” says how many, but not of what.", "For example: 2 salt, or 2 ?.")
    if (unnamed := _UNNAMED.fullmatch(part.what)) is not None:
        many = count * (len(unnamed["any"]) if unnamed["any"].startswith("??") else 1)
        return Goods({_claim(unnamed, part): many})
    if (card := _card(part.what)) is not None:
        return Goods({token_of(card): count})
    raise _no_card(part, shown)


def _claim(unnamed: re.Match[str], part: Part) -> str:
    """Return the token of a card that is not named, with what it is said to be, if anything."""
    claimed = _claimed(unnamed)
    if claimed is None:
        raise _unknown(replace(part, number=None, what=unnamed["claim"]))
    return f"claim:{claimed.id}" if claimed else UNNAMED


def _claimed(unnamed: re.Match[str]) -> TradeCard | Literal[""] | None:
    """Return what an unnamed card is said to be, an empty string where nothing is said, None for no card's name."""
    said = (unnamed["claim"] or "").strip()
    return _card(said) if said else ""


def _card(text: str) -> TradeCard | None:
    """Return the card of this name, which may end in "card": ``salt cards``. Only letters make a name."""
    if re.search(r"[?()]", text):  # a slip of the pen must not bind anybody to a name
        return None
    return find_trade_card(text) or find_trade_card(re.sub(rf"\s{_CARDS}$", "", text, flags=re.IGNORECASE))


def _no_card(part: Part, shown: str) -> Refused:
    """Return why this is no card: it could be named or only said, or nobody knows it."""
    if "?" in part.what:
        said = part.what.strip("? ")
        return Refused("", f"Is “{shown}” named, or only said?", f"Write {said} for the one, ? ({said}) for the other.")
    if re.search(r"\([^()]*\)$", part.what):
        return Refused("", f"I don't know “{shown}”.", "What is only said of a card stands behind a ?: ? (silver).")
    if re.search(r"[()]", part.what):
        return Refused("", f"I don't know “{shown}”.", _FOR_EXAMPLE)
    if ":" in part.what:
        return Refused("", f"I don't know “{shown}”.", "How many in all comes first: 3 cards: salt, salt.")
    return _unknown(part)


def _unknown(part: Part) -> Refused:
    every: list[TradeCard] = [*commodities().values(), *calamities().values()]
    return not_known(
        replace(part, number=None), [card.name.casefold() for card in every], not_traded("advciv"), _ALL_I_KNOW
    )
