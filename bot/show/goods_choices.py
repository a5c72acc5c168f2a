"""Autocomplete of goods: keep everything up to the last comma, and complete the last part.

A suggestion is always readable, and names only goods that the giving side can have. A larger amount
is cut to the maximum, and the suggestion says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from bot.rules.game import Suggestion
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.violation import Refused
from bot.rules.shorthand import NUMBER_WORDS
from bot.rules.views import TableView
from bot.show.choices import CHOICES, LENGTH_MAX, MatchQuality, Rank, rank
from bot.show.names import game_of, plain_text
from bot.show.stock import ANYBODY_HAS, CUT, HAVE, THEY_HAVE, Stock

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

_NUMBER = re.compile(rf"(\d+)\s*[x×]?\s*|({'|'.join(NUMBER_WORDS)})(?:\s+|$)", re.IGNORECASE)


def _candidates(view: TableView, stock: Stock, typed: str, read: Read) -> Iterator[GoodsChoice]:
    """Yield candidates: components, then recent offers for an empty field, or else the whole text
    as typed.
    """
    found: list[tuple[str, _Completion]] = []
    for end in dict.fromkeys(begun.end() if (begun := begin(typed)) else 0 for begin in _ENDS):
        kept = f"{typed[:end].strip()} ".lstrip()
        found += [(kept, each) for each in _completed(view, stock, kept, typed[end:].strip(), read)]
    surely = [(kept, each) for kept, each in found if each.rank.fit is not MatchQuality.ALIKE]
    best = sorted(surely or found, key=lambda pair: (pair[1].cut, pair[1].rank, pair[1].order))
    if not typed:
        yield from _whole(view, stock.first)
    for kept, each in islice(best, CHOICES if typed else CHOICES - RECENT):
        text = f"{kept}{each.text}"
        yield GoodsChoice(f"{text} ({stock.cut})" if each.cut else text, text)
    if typed:
        yield GoodsChoice(typed, typed)
    else:
        yield from _whole(view, stock.recent[:RECENT])


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
        beside = _read(view, stock, re.sub(r"\band\s*$", "", kept, flags=re.IGNORECASE), read)
    if beside is None:
        return
    suggested = stock.suggest(beside)
    for number, name in _readings(last):
        for place, each in enumerate(suggested):
            words = [
                plain_text(view, word) for word in (each.one, each.several, *each.also) if word
            ]
            # A unique component matches its own name before its owner's.
            how = rank(name, words if each.several or not each.also else (*words[1:], words[0]))
            if how is not None and not (each.uncommon and len(name) < UNCOMMON_MIN):
                yield from _amounts(each, words, number, how, place, typed=bool(name))


def _amounts(
    each: Suggestion,
    words: Sequence[str],
    number: int | None,
    how: Rank,
    place: int,
    *,
    typed: bool,
) -> Iterator[_Completion]:
    """Yield the component in the typed amount, cut to the maximum; in several amounts if none was
    typed.
    """
    if not each.several:
        if number in (None, 1):
            yield _Completion(how, place, words[0])
        return
    one, several, step = words[0], words[1], each.step
    if number is not None:
        # Of goods in steps of 10, a 3 may become 30, and 35 lies between 30 and 40.
        for near in dict.fromkeys(
            (number, 1) if 0 < number < step else (number // step, -(-number // step))
        ):
            if (count := min(near, each.most)) > 0:
                yield _Completion(
                    how, place, _counted(count * step, one, several), cut=count < near
                )
        return
    counts: Iterable[int] = (each.usual,)
    if typed:
        counts = dict.fromkeys((*range(1, min(each.most, AMOUNTS) + 1), each.usual))
    for further, count in enumerate(counts):
        # The first amount of every match comes before further amounts.
        yield _Completion(how, place + further * 1000, _counted(count * step, one, several))


def _counted(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}"


def _readings(last: str) -> Iterator[tuple[int | None, str]]:
    """Yield the readings of the last part: its number, if any, and its name. A number word may also
    begin a name.
    """
    if (number := _NUMBER.match(last)) is None or number[2]:
        yield None, last
    if number is not None:
        count = int(number[1][:6]) if number[1] else NUMBER_WORDS[number[2].casefold()]
        yield count, last[number.end() :]


def _read(view: TableView, stock: Stock, text: str, read: Read) -> Goods | None:
    try:
        return read(view, text, stock.giver)
    except Refused:
        return None
