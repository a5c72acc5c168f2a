"""Parse cards as people write them, and suggest them in autocomplete.

Examples: ``2 salt, an iron, ? (silver)``, ``salt salt ?``, ``2 salt + 1``, ``3 cards: salt, salt``,
``2 grain or 2 oil``. The words are in ``data/advciv/words.toml`` and on the cards;
`bot.rules.shorthand` reads them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain

from bot.api import (
    COUNT_MAX,
    NOTHING,
    NUMBER,
    NUMBER_WORDS,
    Goods,
    Here,
    Lexicon,
    Meaning,
    Part,
    Refused,
    SeatView,
    Strange,
    Suggestion,
    TableSettings,
    TableView,
    excerpt,
    goods_in,
    kind_of,
    one_line,
    read_count,
    refused_as_not_traded,
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
from bot.games.advciv.holdings import SECRET
from bot.games.advciv.trade import NAME_CALAMITIES
from data import not_traded
from data.advciv import TradeCard, calamities, commodities, find_trade_card

_CARDS = r"(?:trade )?cards?"
_IN_ALL = re.compile(
    rf"\s*(?:(?P<number>{NUMBER})\s*|(?P<word>{'|'.join(NUMBER_WORDS)})\s+){_CARDS}"
    r"\s*(?::|\bwith\b|\bw/|\bincluding\b|\bincl\b\.?)"
    r"(?P<of_which>.*)",
    re.IGNORECASE | re.DOTALL,
)

SAID_MAX = 60
"""The most characters of what is said of a card in other words than its name."""

_OR = re.compile(r"\bor\b|(?<!\bw)/", re.IGNORECASE)
_PIECES = re.compile(r"([,;+&\n·•|]|\band\b)", re.IGNORECASE)
_CLAIMED = re.compile(r"^(?:either|said to be)\s")
_BRACKET = re.compile(r"\([^()]*\)")
_CALL = re.compile(r"\b(?:what do i hear|any offers|wanted)\b[ ?!.]*$", re.IGNORECASE)
"""Words that people add to an offer that only opens talks."""

_FOR_EXAMPLE = "Try: salt, 2 iron, ? (silver)."
_ALL_I_KNOW = "I know the commodities and calamities by name, and ? for any card."


def read(
    text: str,
    seats: Collection[str],
    giver: str | None,
    aliases: Mapping[str, str],
    view: TableView | None = None,
) -> Goods:
    """Parse cards, in any order and case; a part without a number means 1.

    ``?`` is an unnamed card, ``? (silver)`` an unnamed card that is claimed to be silver, ``? (no
    calamity)`` one with other words about it. ``3 cards: salt, salt`` means three cards, two of
    them named; so does ``2 salt + 1``. ``2 grain or 2 oil`` leaves the choice. With a view, “my”
    and “all” mean what they do at that table. Raises `Refused` by 28.2 for goods that are not trade
    cards, by 27.4 for all of a hand that is not one's own, else without a rule.
    """
    if (call := _CALL.search(text)) is not None:
        text = text[: call.start()].rstrip(" :,;.-")
    at_table = Here.at(view, giver, aliases, SECRET, nothing_open=True)
    in_all = _IN_ALL.fullmatch(unquoted(text))
    return _checked(_in_all(in_all, at_table) if in_all else _listed(text, at_table))


def read_here(view: TableView, text: str, giver: str | None, aliases: Mapping[str, str]) -> Goods:
    """Parse cards as `read`, with what is known at this table."""
    return read(text, tuple(view.seats), giver, aliases, view)


def _checked(goods: Goods) -> Goods:
    """Return the goods. Raises `Refused` for more than were printed."""
    for token, count in goods.items():
        most = box()[token] if kind_of(token) in TRADE_CARDS else COUNT_MAX
        if count > most:
            raise Refused(
                f"That makes {describe(Goods({token: count}))} altogether.",
                f"There are only {most}.",
            )
    return goods


def _listed(text: str, at_table: Here) -> Goods:
    choices: dict[str, str] = {}
    pieces = _PIECES.split(unquoted(text))
    for place, piece in enumerate(pieces):
        if (choice := _choice(piece)) is not None:
            word = f"choice {len(choices)}"
            choices[word], pieces[place] = choice, f" {word} "
    known = _words()
    chosen = replace(known, find=lambda word: choices.get(word) or known.find(word))
    meaning = Meaning(
        goods=_goods,
        describe=describe,
        explain=_explain,
        checked=_checked,
        example="Try: 2 salt, or 2 ?.",
        all_known=_ALL_I_KNOW,
    )
    return goods_in("".join(pieces), chosen, at_table, meaning)


@cache
def _words() -> Lexicon:
    """Return what words mean: the names of all cards, and words for an unnamed one."""
    names: dict[str, str] = {}
    cards: list[TradeCard] = [*commodities().values(), *calamities().values()]
    for card in cards:
        for word in (card.id, card.name, *card.aliases):
            name = word.casefold()
            plain = name.replace("&", "and").replace("'", "")
            singular = name if name.endswith("us") else name.removesuffix("s")
            for written in (
                name,
                name.replace(" and ", " & "),
                plain,
                plain.replace(" ", ""),
                singular,
            ):
                names[written] = token_of(card)
    return Lexicon.of(
        "advciv",
        names,
        lambda meaning: kind_of(meaning) in TRADE_CARDS,
        barred=frozenset(chain.from_iterable(group.words for group in not_traded("advciv"))),
        last=(UNNAMED,),
        whole=True,
    )


def _nobody(words: str) -> None:
    """Return that words mean no seat."""


def _in_all(found: re.Match[str], at_table: Here) -> Goods:
    """Parse ``3 cards: salt, salt``: cards that are not listed are unnamed. Raises `Refused` if too
    many are listed.
    """
    number = found["number"] or str(NUMBER_WORDS[found["word"].casefold()])
    total = read_count(number, excerpt(found[0].strip()))
    goods = _listed(found["of_which"], at_table)
    listed = count_at_least(goods)
    if listed > total:
        raise Refused(
            f"You wrote {count_cards(total)}, but named {listed}: {describe(goods)}.",
            f"Try {listed} cards, or leave some out.",
        )
    rest = total - listed
    return goods + Goods({UNNAMED: rest} if rest else {})


def _goods(part: Part, count: int) -> Goods:
    """Return so many of the card that a part names. A bare number is that many unnamed cards."""
    shown = excerpt(part.written)
    if part.later:
        later = "What comes later is a promise: put it into the terms."
        raise Refused(f"“{shown}” can't be owed: cards change hands at once.", later)
    if part.meaning in ("", UNNAMED):
        return _unnamed_cards(part.beside or "", count, shown)
    if part.beside is not None:
        raise Refused(f"I don't know “{shown}”.", "Put a claim after a question mark: ? (silver).")
    return Goods({part.meaning: count})


def _choice(piece: str) -> str | None:
    """Return the token of a choice among commodities; None for what is no choice. Numbers are
    written with each or with none; a stroke stands between names alone. Raises `Refused` for
    anything else behind “or”, or an unclear number.
    """
    shown = excerpt(piece.strip())
    outside = _BRACKET.sub("", piece)
    texts = _OR.split(outside)
    if len(texts) < 2:
        return None
    spoken = re.search(r"\bor\b", outside, re.IGNORECASE) is not None
    if spoken and _words().read(outside, _nobody).broken != "vague":
        return None  # it belongs to a name
    counts, numbered = [], set()
    for text in texts:
        reading = _words().read(_CLAIMED.sub("", text.strip().casefold()), _nobody)
        [part] = reading.parts if len(reading.parts) == 1 else [Part(None, "", "")]
        if reading.strange or reading.broken or kind_of(part.meaning) != "commodity":
            if not spoken:
                return None
            raise Refused(f"I can't read “{shown}” as a choice.", "Try: 2 grain or 2 oil, ?")
        counts.append(Goods({part.meaning: part.count}))
        numbered.add(part.number is not None)
    if not spoken and numbered != {False}:
        return None
    if len(numbered) > 1:
        raise Refused(f"How many of each does “{shown}” mean?", "Try: 2 grain or 2 oil.")
    for goods in counts:
        if box().missing(goods):
            raise Refused(
                f"There are no {describe(goods)}.",
                f"There are only {describe(box().common(goods))}.",
            )
    return either(counts)


def _unnamed_cards(written: str, count: int, shown: str) -> Goods:
    """Return unnamed cards with what is said of them: claims of cards by name, or other words.

    Raises `Refused` by 28.3 if it is said of more cards than there are, and for too many words.
    """
    said = _CLAIMED.sub("", one_line(written).strip("“”\"' "))
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
            raise Refused(reason, "The number must be true. Try: 2 ? (2 silver).", rule="28.3")
    words = said[number.end() :] if number is not None else said
    names = [_CLAIMED.sub("", name.strip()) for name in _OR.split(words)]
    cards = [_card(name) for name in names]
    if many and all(cards):
        claims = Goods({claim(card for card in cards if card): many})
        rest = count - many
        return claims + (Goods({UNNAMED: rest}) if rest else NOTHING)
    if len(said) > SAID_MAX:
        raise Refused(
            f"“{shown}” says too much.",
            f"Say it in {SAID_MAX} characters, or as terms of the offer.",
        )
    return Goods({f"said:{said}": count})


def _card(text: str) -> TradeCard | None:
    """Return the card with this name, which may end in "card" or "cards"; None for none."""
    return find_trade_card(text) or find_trade_card(
        re.sub(rf"\s{_CARDS}$", "", text, flags=re.IGNORECASE)
    )


def _explain(strange: Strange) -> Refused | None:
    """Return the refusal of words that are no card: a claim that is ambiguous, or what the rules
    keep out of a trade.
    """
    written, shown = strange.around, excerpt(strange.around)
    if "?" in written:
        said = written.strip("? ")
        return Refused(
            f"Is “{shown}” a named card or only a claim?",
            f"Write {said} to name it, or ? ({said}) to claim it.",
        )
    if "(" in written or ")" in written:
        return Refused(f"I don't know “{shown}”.", _FOR_EXAMPLE)
    if ":" in written:
        return Refused(f"I don't know “{shown}”.", "Put the total first: 3 cards: salt, salt.")
    return refused_as_not_traded(written, not_traded("advciv")) if strange.alone else None


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
