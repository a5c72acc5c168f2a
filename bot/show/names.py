"""Names: puts people into the sentences of the rules; the markup is described in `bot.rules.model.markup`."""

from __future__ import annotations

import re

from bot.rules.game import Game
from bot.rules.model.markup import convert
from bot.rules.model.people import Names, Person
from bot.rules.registry import game_named
from bot.rules.views import EntryView, TableView

Named = Names | TableView | EntryView
"""Anything that knows its people: a table as it is now, or an entry with the names of its time."""

_MARK = re.compile(r"<(seat|player|person|name|whose|faction):([^>]+)>")
_MARKDOWN = re.compile(r"([\\*_~`|<>\[\]#])")
_HARD_TO_READ_AMONG_GOODS = re.compile(r"[,+()]")


def format_text(named: Named, text: str) -> str:
    """Return a sentence as Discord shows it: names filled in as mentions, quoted text escaped."""
    names = names_of(named)
    return convert(text, lambda ours: _MARK.sub(lambda mark: _formatted(names, mark[1], mark[2]), ours), escape)


def plain_text(named: Named, text: str) -> str:
    """Return a sentence with plain names, for places that draw neither mentions nor markdown: selects, forms, files."""
    names = names_of(named)
    return convert(
        text,
        lambda ours: _MARK.sub(lambda mark: _plain(names, mark[1], mark[2]), ours),
        lambda theirs: " ".join(theirs.split()),
    )


def escape(text: str) -> str:
    """Return text that a person typed so that Discord shows it as it was typed, on one line."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def mention(named: Named, seat: str) -> str:
    """Return a mention of the person in a seat, the name that stands for them, or the seat's own name if empty."""
    person = names_of(named).holder(seat)
    return _mention(person) if person and _known(person) else seat_name(named, seat)


def player(named: Named, seat: str) -> str:
    """Return a mention of the person in a seat and what they play: ``@alice (Hacan)``."""
    return f"{mention(named, seat)} ({seat_name(named, seat)})"


def name(named: Named, seat: str) -> str:
    """Return the plain name of the person in a seat."""
    person = names_of(named).holder(seat)
    return person.name if person and person.name else seat_name(named, seat)


def seat_name(named: Named, seat: str) -> str:
    """Return the short name of a seat: ``Hacan``."""
    option = game_of(named).seats.find(seat)
    return option.short if option else seat


def game_of(named: Named) -> Game:
    """Return the game that is played. Raises `Refused` when it is not installed."""
    return game_named(names_of(named).game)


def names_of(named: Named) -> Names:
    """Return the names that a view comes with."""
    return named if isinstance(named, Names) else named.names


def aliases(named: Named) -> dict[str, str]:
    """Return which seat a lower-case name means: people's names and mentions, seats by id, short and long name."""
    names, find = names_of(named), game_of(named).seats.find
    found: dict[str, str] = {}
    for seat in names.holders:
        option = find(seat)
        found |= {word.casefold(): seat for word in (seat, *((option.name, option.short) if option else ()))}
    for seat in names.holders:
        if (person := names.holder(seat)) is not None:
            found |= {person.name.casefold(): seat, f"<@{person.user_id}>": seat}
    return found


def _known(person: Person) -> bool:
    return bool(person.user_id or person.name)


def _mention(person: Person) -> str:
    return f"<@{person.user_id}>" if person.user_id else escape(person.name)


def _formatted(names: Names, mark: str, which: str) -> str:
    """Return what stands for a mark where mentions and markdown are drawn."""
    match mark:
        case "seat" if which in names.holders:
            return mention(names, which)
        case "player" if which in names.holders:
            return player(names, which)
        case "name" if which in names.holders:
            return escape(name(names, which))
        case "person" if which.isdigit():
            person = names.people.get(int(which))
            return _mention(person) if person and _known(person) else "somebody"
        case _:
            return _same_everywhere(names, mark, which)


def _plain(names: Names, mark: str, which: str) -> str:
    """Return what stands for a mark in plain text."""
    match mark:
        case "seat" | "name" if which in names.holders:
            return name(names, which)
        case "player" if which in names.holders:
            return f"{name(names, which)} ({seat_name(names, which)})"
        case "person" if which.isdigit():
            person = names.people.get(int(which))
            return person.name if person and _known(person) else "somebody"
        case _:
            return _same_everywhere(names, mark, which)


def _same_everywhere(names: Names, mark: str, which: str) -> str:
    """Return what stands for the marks that are never a mention; text that only looks like a mark stays."""
    if mark == "whose" and which in names.holders:
        called = name(names, which)
        return seat_name(names, which) if _HARD_TO_READ_AMONG_GOODS.search(called) else called
    if mark == "faction":
        option = game_of(names).seats.find(which)
        return option.name if option else which
    return which
