"""Parse cards as people write them, and suggest them in autocomplete.

Examples: ``2 salt, an iron, ? (silver)``, ``salt salt ?``, ``2 salt + 1``, ``3 cards: salt, salt``,
``2 grain or 2 oil``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from bot.api import (
    COUNT_MAX,
    NOTHING,
    NUMBER,
    NUMBER_WORDS,
    Goods,
    Part,
    Refused,
    SeatView,
    Suggestion,
    TableSettings,
    TableView,
    excerpt,
    kind_of,
    not_known,
    one_line,
    parse,
    read_count,
    unquoted,
)
from bot.games.advciv.cards import (
    TRADE_CARDS,
    UNNAMED,
    box,
    card_of,
    claim,
    count_at_least,
    count_cards,
    describe,
    either,
    in_order,
    token_of,
    tradable,
)
from bot.games.advciv.trade import NAME_CALAMITIES
from data import not_traded
from data.advciv import Commodity, TradeCard, calamities, commodities, find_trade_card

_CARDS = r"(?:trade )?cards?"
_ANY = (
    r"\?+|(?:hidden|unnamed|unknown|unspecified|secret|other|more|any)(?: "
    rf"{_CARDS})?|anything|{_CARDS}"
)
"""A regular expression for all ways to write an unnamed card."""

_UNNAMED = re.compile(
    rf"(?P<any>{_ANY})\s*(?:\((?:said to be )?(?P<claim>[^()]*)\))?", re.IGNORECASE
)
_IN_ALL = re.compile(
    rf"\s*(?:(?P<number>{NUMBER})\s*|(?P<word>{'|'.join(NUMBER_WORDS)})\s+){_CARDS}"
    r"\s*(?::|\bwith\b|\bincluding\b)"
    r"(?P<of_which>.*)",
    re.IGNORECASE | re.DOTALL,
)

SAID_MAX = 60
"""The most characters of what is said of a card in other words than its name."""

_OR = re.compile(r"\bor\b|/", re.IGNORECASE)
_CLAIMED = re.compile(r"^(?:either|said to be)\s")
_CALL = re.compile(r"\b(?:what do i hear|any offers|wanted)\b[ ?!.]*$", re.IGNORECASE)
"""Words that people add to an offer that only opens talks."""

_FOR_EXAMPLE = "Try: salt, 2 iron, ? (silver)."
_ALL_I_KNOW = "I know the commodities and calamities by name, and ? for any card."


def read(text: str, seats: Collection[str], giver: str | None, aliases: Mapping[str, str]) -> Goods:
    """Parse cards, in any order and case. `bot.rules.shorthand.parse` splits the text; a part
    without a number means 1.

    ``?`` is an unnamed card, ``? (silver)`` an unnamed card that is claimed to be silver, ``? (no
    calamity)`` one with other words about it. ``3 cards: salt, salt`` means three cards, two of
    them named; so does ``2 salt + 1``. ``2 grain or 2 oil`` leaves the choice. Raises `Refused` by
    28.2 for goods that are not trade cards, else without a rule, with the most similar text that it
    would understand.
    """
    if (call := _CALL.search(text)) is not None:
        text = text[: call.start()].rstrip(" :,;.-")
    in_all = _IN_ALL.fullmatch(unquoted(text))
    goods = _in_all(in_all) if in_all else _listed(text)
    for token, count in goods.items():
        # at most the printed number
        most = box()[token] if kind_of(token) in TRADE_CARDS else COUNT_MAX
        if count > most:
            raise Refused(
                "",
                f"That makes {describe(Goods({token: count}))} altogether.",
                f"There are only {most}.",
            )
    return goods


def _listed(text: str) -> Goods:
    parts = list(parse(text, _is_card, _trails))
    alone = len(parts) == 1
    return sum((_read_part(part, alone=alone) for part in parts), NOTHING)


def _is_card(name: str) -> bool:
    return _card(name) is not None


def _in_all(found: re.Match[str]) -> Goods:
    """Parse ``3 cards: salt, salt``: cards that are not listed are unnamed. Raises `Refused` if too
    many are listed.
    """
    number = found["number"] or str(NUMBER_WORDS[found["word"].casefold()])
    total = read_count(number, excerpt(found[0].strip()))
    goods = _listed(found["of_which"])
    listed = count_at_least(goods)
    if listed > total:
        raise Refused(
            "",
            f"You wrote {count_cards(total)}, but named {listed}: {describe(goods)}.",
            f"Try {listed} cards, or leave some out.",
        )
    rest = total - listed
    return goods + Goods({UNNAMED: rest} if rest else {})


def _trails(part: Part) -> bool:
    """Return whether this is an unnamed card that may follow names without a separator.

    Before a name it would be ambiguous, as in ``? silver``; so would a bare word such as "card" or
    "hidden".
    """
    unnamed = _UNNAMED.fullmatch(part.what)
    clear = part.number is not None or part.what.startswith("?")
    return clear and unnamed is not None


def _read_part(part: Part, *, alone: bool) -> Goods:
    """Parse one part. A bare number is that many unnamed cards, unless it is ``alone``."""
    shown, count = excerpt(part.written), part.count
    if not part.what and not alone:
        return Goods({UNNAMED: count})
    if not part.what:
        raise Refused("", f"“{shown}” says how many, but not what.", "Try: 2 salt, or 2 ?.")
    if (unnamed := _UNNAMED.fullmatch(part.what)) is not None:
        if unnamed["any"].startswith("??"):
            count *= len(unnamed["any"])
        return _unnamed_cards(unnamed, count, shown)
    if (card := _card(part.what)) is not None:
        return Goods({token_of(card): count})
    if len(texts := _OR.split(part.written)) > 1:
        return Goods({_choice(texts, shown): 1})
    raise _no_card(part, shown)


def _choice(texts: Sequence[str], shown: str) -> str:
    """Return the token of a choice among commodities. Raises `Refused` for anything else, or an
    unclear number.
    """
    counts, numbered = [], set()
    for text in texts:
        parts = list(parse(text.strip().casefold().removeprefix("either "), _is_card))
        card = _card(parts[0].what) if len(parts) == 1 else None
        if not isinstance(card, Commodity):
            raise Refused("", f"I can't read “{shown}” as a choice.", "Try: 2 grain or 2 oil, ?")
        counts.append(Goods({token_of(card): parts[0].count}))
        numbered.add(parts[0].number is not None)
    if len(numbered) > 1:
        raise Refused("", f"How many of each does “{shown}” mean?", "Try: 2 grain or 2 oil.")
    for goods in counts:
        if box().missing(goods):
            raise Refused(
                "",
                f"There are no {describe(goods)}.",
                f"There are only {describe(box().common(goods))}.",
            )
    return either(counts)


def _unnamed_cards(unnamed: re.Match[str], count: int, shown: str) -> Goods:
    """Return unnamed cards with what is said of them: claims of cards by name, or other words.

    Raises `Refused` by 28.3 if it is said of more cards than there are, and for too many words.
    """
    said = one_line(unnamed["claim"] or "").strip("“”\"' ")
    if not said:
        return Goods({UNNAMED: count})
    number = re.match(rf"(\d{{1,6}})\s*[x×]?\s*|({'|'.join(NUMBER_WORDS)})\s+", said, re.IGNORECASE)
    many = count
    if number is not None:
        digits, word = number.groups()
        many = int(digits) if digits else NUMBER_WORDS[word.casefold()]
        if many > count:
            reason = (
                f"“{shown}” speaks of {count_cards(many)}, but leaves only {count_cards(count)} "
                "unnamed."
            )
            raise Refused("28.3", reason, "The number must be true. Try: 2 ? (2 silver).")
    words = said[number.end() :] if number is not None else said
    names = [_CLAIMED.sub("", name.strip()) for name in _OR.split(words)]
    cards = [_card(name) for name in names]
    if many and all(cards):
        claims = Goods({claim(card for card in cards if card): many})
        rest = count - many
        return claims + (Goods({UNNAMED: rest}) if rest else NOTHING)
    if len(said) > SAID_MAX:
        raise Refused(
            "",
            f"“{shown}” says too much.",
            f"Say it in {SAID_MAX} characters, or as terms of the offer.",
        )
    return Goods({f"said:{said}": count})


def _card(text: str) -> TradeCard | None:
    """Return the card with this name, which may end in "card" or "cards"; None for none."""
    if re.search(r"[?()]", text):  # a typo must not commit anybody to a named card
        return None
    return find_trade_card(text) or find_trade_card(
        re.sub(rf"\s{_CARDS}$", "", text, flags=re.IGNORECASE)
    )


def _no_card(part: Part, shown: str) -> Refused:
    """Return the refusal of a part that is not a card: its claim is ambiguous, or it is unknown."""
    if "?" in part.what:
        said = part.what.strip("? ")
        return Refused(
            "",
            f"Is “{shown}” a named card or only a claim?",
            f"Write {said} to name it, or ? ({said}) to claim it.",
        )
    if re.search(r"\([^()]*\)$", part.what):
        return Refused(
            "", f"I don't know “{shown}”.", "Put a claim after a question mark: ? (silver)."
        )
    if re.search(r"[()]", part.what):
        return Refused("", f"I don't know “{shown}”.", _FOR_EXAMPLE)
    if ":" in part.what:
        return Refused("", f"I don't know “{shown}”.", "Put the total first: 3 cards: salt, salt.")
    every_card = {**commodities(), **calamities()}.values()
    names = [card.name.casefold() for card in every_card]
    return not_known(replace(part, number=None), names, not_traded("advciv"), _ALL_I_KNOW)


# ---------------------------------------------------------------- autocomplete


def suggest(seat: SeatView, beside: Goods) -> Sequence[Suggestion]:
    """Suggest cards that a seat could give beside those written already, named or unnamed.

    If the view does not show the hand, suggests every commodity.
    """
    if seat.hidden is None:
        left = _left(box().of_kind("commodity"), beside)
        named = _named(left, left, 1, seat.settings)
        return [*named, *_unnamed(COUNT_MAX)]
    hand = tradable(seat.known)
    left = _left(hand, beside)
    named = _named(in_order(left), left, None, seat.settings)
    return [*named, *_unnamed(hand.total() - beside.total())]


def suggest_every(view: TableView) -> Sequence[Suggestion]:
    """Suggest every card that a hand could hold."""
    return _named(in_order(box()), box(), 1, view.settings)


def spends(token: str) -> bool:
    """Return whether this card can be turned in [31.1]. Calamities can't: they stay until they are
    shown [29.3].
    """
    return kind_of(token) == "commodity"


def _left(cards: Goods, beside: Goods) -> Goods:
    written = beside.of_kind(*TRADE_CARDS)
    return written.common(cards).missing(cards)


def _named(
    tokens: Iterable[str], most: Goods, usual: int | None, settings: TableSettings
) -> list[Suggestion]:
    """Suggest these cards by name. ``usual`` None: all there are. Offers may name calamities only
    if the host allows it [28.3].
    """
    may_name_calamities = NAME_CALAMITIES.of(settings) == "yes"
    suggestions = []
    for token in tokens:
        card = card_of(token)
        name = card.name.lower()
        if kind_of(token) == "calamity":
            calamity = Suggestion(token, name, also=card.aliases, offered=may_name_calamities)
            suggestions.append(calamity)
        else:
            count = most[token]
            suggestions.append(Suggestion(token, name, name, count, usual or count, card.aliases))
    return suggestions


def _unnamed(most: int) -> Iterator[Suggestion]:
    """Suggest unnamed cards and, only as they are typed, claims."""
    if most > 0:
        yield Suggestion(UNNAMED, "?", "?", most, 1, ("unnamed", "any card", "hidden"))
        for card in commodities().values():
            said = f"? ({card.name.lower()})"
            yield Suggestion(f"claim:{card.id}", said, said, most, 1, uncommon=True)
