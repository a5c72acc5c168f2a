"""Autocomplete of goods: keep everything up to the last comma, and complete the last part.

A suggestion is always readable, and names only goods that the giving side can have. A larger amount
is cut to the maximum, and the suggestion says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from bot.rules.game import Suggestion
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.violation import Refused
from bot.rules.shorthand import NUMBER_WORDS
from bot.rules.views import TableView
from bot.show.choices import CHOICES, LENGTH_MAX, MatchQuality, Rank, rank
from bot.show.names import aliases, game_of, plain_text
from bot.show.stock import ANYBODY_HAS, CUT, HAVE, THEY_HAVE, Stock
from data import words

RECENT = 3
"""In an empty field, the number of recent offers whose goods are suggested."""

AMOUNTS = 9
"""The most amounts of a component to list, from 1 on, when its name is typed without a number."""

UNCOMMON_MIN = 3
"""The fewest letters that bring up components that are rarely traded."""

Read = Callable[[TableView, str, str | None], Goods]
"""Parses goods that this seat would give. Raises `Refused`."""


class GoodsChoice(NamedTuple):
    """A suggestion: the label that people read, and the text it enters. They differ only if the
    amount was cut.
    """

    label: str
    text: str


class _Completion(NamedTuple):
    """A suggestion for the last part: the goods in words, how well they match, and whether the
    amount was cut.
    """

    rank: Rank
    order: int
    text: str
    cut: bool = False

    def likeliest_first(self) -> tuple[bool, Rank, int]:
        return self.cut, self.rank, self.order


def goods_choices(view: TableView, stock: Stock, typed: str, read: Read) -> list[GoodsChoice]:
    """Return suggestions for goods being typed, the most likely first."""
    typed = without_remarks(typed).strip()
    meant: dict[Goods, GoodsChoice] = {}
    for choice in _candidates(view, stock, typed, read):
        goods = _read(view, stock, choice.text, read)
        if goods and len(choice.label) <= LENGTH_MAX and stock.has(goods):
            meant.setdefault(goods, choice)
        if len(meant) == CHOICES:
            break
    return list(meant.values())


def without_remarks(text: str) -> str:
    """Return typed goods without a suggestion's remark that this is the maximum."""
    return _REMARK.sub("", text)


_REMARK = re.compile(rf"(?<!\s)\s*\((?:{'|'.join((HAVE, THEY_HAVE, ANYBODY_HAS, CUT))})\)")

_ENDS = (
    re.compile(r".*[,;+:]\s*", re.DOTALL).match,
    re.compile(r".*(?:[,;+:&]|\band\b)\s*", re.IGNORECASE | re.DOTALL).match,
)
"""Matches everything before the part being typed. An "and" may separate goods or belong to a
name.
"""

_LONGEST_FIRST = sorted(NUMBER_WORDS, key=len, reverse=True)
_NUMBER = re.compile(rf"(\d+)\s*[x×]?\s*|({'|'.join(_LONGEST_FIRST)})(?:\s+|$)", re.IGNORECASE)

_AROUND = words("", "around")
_LEADS = ("mine", "yours", "all", "half", "rest", "later", "filler")
"""What the words may be that stay as they were typed before a name."""

LEAD_WORDS_MAX = 3
"""The most words of which one such word consists: ``the rest of``."""


def _candidates(view: TableView, stock: Stock, typed: str, read: Read) -> Iterator[GoodsChoice]:
    """Yield candidates: components, then recent offers for an empty field, or else the whole text
    as typed.
    """
    matches: list[tuple[str, _Completion]] = []
    for end in dict.fromkeys(_end(begin(typed)) for begin in _ENDS):
        kept = f"{typed[:end].strip()} ".lstrip()
        for completion in _completed(view, stock, kept, typed[end:].strip(), read):
            matches.append((kept, completion))
    sure = [match for match in matches if match[1].rank.fit is not MatchQuality.ALIKE]
    best = sorted(sure or matches, key=lambda match: match[1].likeliest_first())
    if not typed:
        yield from _whole(view, stock.first)
    for kept, completion in best[: CHOICES if typed else CHOICES - RECENT]:
        text = f"{kept}{completion.text}"
        yield GoodsChoice(f"{text} ({stock.cut})" if completion.cut else text, text)
    if typed:
        yield GoodsChoice(typed, typed)
    else:
        yield from _whole(view, stock.recent[:RECENT])


def _end(begun: re.Match[str] | None) -> int:
    return begun.end() if begun else 0


def _whole(view: TableView, several: Iterable[Goods]) -> Iterator[GoodsChoice]:
    """Yield whole sides of offers in words."""
    for goods in several:
        text = plain_text(view, game_of(view).goods.describe(goods))
        yield GoodsChoice(text, text)


def _completed(
    view: TableView, stock: Stock, kept: str, last: str, read: Read
) -> Iterator[_Completion]:
    """Yield completions of the last part, given the goods that are kept; nothing if those can't be
    read.
    """
    beside = _read(view, stock, kept.rstrip(" ,;+:&"), read) if kept else NOTHING
    if beside is None:
        without_and = re.sub(r"\band\s*$", "", kept, flags=re.IGNORECASE)
        beside = _read(view, stock, without_and, read)
    if beside is None:
        return
    components = stock.suggest(beside)
    for number, name in _readings(last):
        for place, component in enumerate(components):
            match = _match(view, component, name)
            if match is not None:
                typed_amount = _Amount(number, typed=bool(name))
                yield from _amounts(view, component, typed_amount, match, place)
    lead, name = _lead(view, last)
    for place, component in enumerate(components if lead else ()):
        match = _match(view, component, name)
        if match is not None:
            own_name = (*component.also, component.one)[0]
            word = plain_text(view, component.several or own_name).lower()
            yield _Completion(match, place, f"{lead} {word}")


def _lead(view: TableView, last: str) -> tuple[str, str]:
    """Return the words before a name that stay as they were typed, and what is typed of the name:
    ``ur``, ``bobs``, ``all my``, ``half of my``. Empty where a number alone stands before it.
    """
    typed, called = last.split(), aliases(view)
    place, leads = 0, False
    while place < len(typed) - 1:
        for length in range(min(LEAD_WORDS_MAX, len(typed) - 1 - place), 0, -1):
            word = " ".join(typed[place : place + length]).casefold().replace("’", "'")
            role = _AROUND.get(word, "")
            whose = word.endswith("s") and word.removesuffix("s") in called
            if whose or role in _LEADS or role.isdecimal() or word.isdecimal():
                break
        else:
            break
        leads = leads or whose or role in _LEADS
        place += length
    return (" ".join(typed[:place]), " ".join(typed[place:])) if leads else ("", "")


def _match(view: TableView, component: Suggestion, name: str) -> Rank | None:
    """Return how well a typed name matches a component; None also for too few letters of one that
    is rarely traded.
    """
    if component.uncommon and len(name) < UNCOMMON_MIN:
        return None
    names = [component.one, component.several, *component.also]
    if not component.several and component.also:
        # A unique component matches its own name before its owner's.
        names = [*component.also, component.one]
    return rank(name, [plain_text(view, words) for words in names if words])


class _Amount(NamedTuple):
    """The number typed before a name, if any; ``typed``: there is a name."""

    number: int | None
    typed: bool


def _amounts(
    view: TableView, component: Suggestion, amount: _Amount, match: Rank, place: int
) -> Iterator[_Completion]:
    """Yield the component in the typed amount, cut to the maximum; in several amounts if none was
    typed.
    """
    one, several = (plain_text(view, word) for word in (component.one, component.several))
    number, step, most = amount.number, component.step, component.most

    def described(count: int) -> str:
        return f"{count * step} {one if count * step == 1 else several}"

    if not several:
        if number in (None, 1):
            yield _Completion(match, place, one)
    elif number is None:
        counts: Iterable[int] = (component.usual,)
        if amount.typed:
            first = range(1, min(most, AMOUNTS) + 1)
            counts = dict.fromkeys((*first, component.usual))
        for further, count in enumerate(counts):
            # The first amount of every match comes before further amounts.
            yield _Completion(match, place + further * 1000, described(count))
    else:
        # Of goods in steps of 10, a 3 may become 30, and 35 lies between 30 and 40.
        near = [number // step, -(-number // step)]
        if 0 < number < step:
            near = [number, 1]
        for count in dict.fromkeys(near):
            if min(count, most) > 0:
                yield _Completion(match, place, described(min(count, most)), cut=most < count)


def _readings(last: str) -> Iterator[tuple[int | None, str]]:
    """Yield the readings of the last part: its number, if any, and its name. A number word may also
    begin a name.
    """
    if (number := _NUMBER.match(last)) is None or number[2]:
        yield None, last
    if number is not None:
        digits, word = number[1], number[2]
        count = int(digits[:6]) if digits else NUMBER_WORDS[word.casefold()]
        yield count, last[number.end() :]


def _read(view: TableView, stock: Stock, text: str, read: Read) -> Goods | None:
    try:
        return read(view, text, stock.giver)
    except Refused:
        return None
