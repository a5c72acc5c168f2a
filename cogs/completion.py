"""Autocomplete: suggestions from what the table allows and the person may know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar

import discord
from discord.app_commands import Choice

from bot.rules.model.violation import Refused
from bot.rules.registry import game_named
from bot.rules.shorthand import NUMBER_WORDS
from bot.rules.views import SeatView, TableView
from bot.show import names
from cogs.context import CommandContext
from cogs.inputs import read_goods

V = TypeVar("V", str, int)

SHOWN, LABEL = 25, 100
"""Discord's limits for the number of choices, and for the characters of one."""


def choices(found: Iterable[tuple[str, V]], typed: str) -> list[Choice[V]]:
    """Return the choices that contain what was typed, those that begin with it first."""
    wanted = typed.strip().casefold()
    whole = ((label, value) for label, value in found if len(str(value)) <= LABEL)
    fitting = [(label, value) for label, value in whole if wanted in f"{label} {value}".casefold()]
    fitting.sort(key=lambda choice: not choice[0].casefold().startswith(wanted))
    return [Choice(name=label[:LABEL], value=value) for label, value in fitting[:SHOWN]]


def own_goods(view: TableView, typed: str, *, held: bool = False) -> list[Choice[str]]:
    """Complete goods of the person who types, including hidden ones. ``held``: only what a hand can hold."""
    return _goods(view, view.seats.get(view.seat or ""), typed, held=held)


def goods_of(view: TableView, seat: str | None, typed: str, *, held: bool = False) -> list[Choice[str]]:
    """Complete goods that another seat (None: any seat) could have as far as everybody knows."""
    other = view.seats.get(seat or "")
    return _goods(view, replace(other, hidden=None) if other else None, typed, held=held)


async def goods_of_user(
    context: CommandContext, interaction: discord.Interaction, option: str, typed: str, *, held: bool = False
) -> list[Choice[str]]:
    """Complete goods of the user who is named in another option of the command, if it is filled in already."""
    view = await context.view(interaction)
    user = getattr(interaction.namespace, option, None)
    return goods_of(view, view.seat_of_user(user.id) if user else None, typed, held=held)


def _goods(view: TableView, seat: SeatView | None, typed: str, *, held: bool) -> list[Choice[str]]:
    """Complete the last of the goods typed so far, keeping those before it and its number; only what can be read."""
    words = [names.plain_text(view, word) for word in game_named(view.game).goods.suggest(seat)]
    found = [text for begin in _ENDS for text in _completed(words, *_split(typed, begin))]
    readable = (
        text
        for text in dict.fromkeys([*found, typed.strip()])
        if text and len(text) <= LABEL and _can_be_read(view, text, seat.id if seat else None, held=held)
    )
    return [Choice(name=text, value=text) for text in islice(readable, SHOWN)]


_ENDS = (re.compile(r".*[,;+:]\s*"), re.compile(r".*(?:[,;+:&]|\band\b)\s*", re.IGNORECASE))
"""What stands before the goods that are being typed; an "and" may be a part of their name."""

_NUMBER = re.compile(rf"(\d+)\s*|({'|'.join(NUMBER_WORDS)})(?:\s+|$)", re.IGNORECASE)


def _split(typed: str, begin: re.Pattern[str]) -> tuple[str, str]:
    """Split what was typed into what is kept and what is being typed."""
    kept = found[0] if (found := begin.match(typed)) else ""
    return (f"{kept.strip()} " if kept.strip() else ""), typed[len(kept) :]


def _completed(words: Sequence[str], kept: str, last: str) -> Iterator[str]:
    """Yield the goods that begin as they were typed last, with that number, each behind what is kept."""
    for count, rest in _readings(last.strip()):
        for word in words:
            text = re.sub(r"^\d+", count, word) if count else word
            if (word[0].isdigit() or not count) and _fits(text, rest):
                yield f"{kept}{text}"


def _readings(last: str) -> Iterator[tuple[str, str]]:
    """Yield the number typed last, if any, and what is behind it; a word for a number may also begin a name."""
    if (number := _NUMBER.match(last)) is None or number[2]:
        yield "", last
    if number is not None:
        yield number[1] or str(NUMBER_WORDS[number[2].casefold()]), last[number.end() :]


def _can_be_read(view: TableView, text: str, giver: str | None, *, held: bool) -> bool:
    try:
        goods = read_goods(view, text, giver)
    except Refused:
        return False
    return not held or game_named(view.game).goods.can_be_held(goods)


def _fits(word: str, typed: str) -> bool:
    """Return whether goods have all words that were typed, so that a note is found by its person too."""
    return all(part in word.casefold() for part in re.split(r"['’]s?(?:\s|$)|\s", typed.casefold()))
