"""Names: fill people's names into the sentences of the rules, whose markup `bot.rules.model.markup` describes."""

from __future__ import annotations

import re

from bot.rules.game import Game
from bot.rules.model.markup import convert
from bot.rules.model.people import Names, Person
from bot.rules.registry import game_named
from bot.rules.views import EntryView, TableView

Named = Names | TableView | EntryView
"""Anything that carries names: a table with those of now, or an entry with those of its time."""

_MARKUP = re.compile(r"<(seat|player|person|name|whose|faction):([^>]+)>")
_MARKDOWN = re.compile(r"([\\*_~`|<>\[\]#])")
_PUNCTUATION_OF_GOODS = re.compile(r"[,+()]")
"""What separates goods when people write them: a name that holds one of these can't be read among goods."""


def format_text(named: Named, text: str) -> str:
    """Return a sentence as Discord shows it: names filled in as mentions, quoted text escaped."""
    names = names_of(named)
    return convert(text, lambda ours: _MARKUP.sub(lambda mark: _formatted(names, mark[1], mark[2]), ours), escape)


def plain_text(named: Named, text: str) -> str:
    """Return a sentence with plain names, for selects, forms and files, which draw neither mentions nor markdown."""
    names = names_of(named)
    return convert(
        text,
        lambda ours: _MARKUP.sub(lambda mark: _plain(names, mark[1], mark[2]), ours),
        lambda theirs: " ".join(theirs.split()),
    )


def escape(text: str) -> str:
    """Escape markdown in text that a person typed, and put the text on one line."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def mention(named: Named, seat: str) -> str:
    """Return a mention of the person in a seat, their stored name if they have no user id, or else the seat's name."""
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
    """Return the seat for each way to write it, in lower case: its id and names, its person's name and mention."""
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
    """Return the replacement of a markup tag where Discord draws mentions and markdown."""
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
            return _never_mentioned(names, mark, which)


def _plain(names: Names, mark: str, which: str) -> str:
    """Return the replacement of a markup tag in plain text."""
    match mark:
        case "seat" | "name" if which in names.holders:
            return name(names, which)
        case "player" if which in names.holders:
            return f"{name(names, which)} ({seat_name(names, which)})"
        case "person" if which.isdigit():
            person = names.people.get(int(which))
            return person.name if person and _known(person) else "somebody"
        case _:
            return _never_mentioned(names, mark, which)


def _never_mentioned(names: Names, mark: str, which: str) -> str:
    """Return the replacement of the tags that never become a mention, or the text after the colon of any other."""
    if mark == "whose" and which in names.holders:
        plain = name(names, which)
        return seat_name(names, which) if _PUNCTUATION_OF_GOODS.search(plain) else plain
    if mark == "faction":
        option = game_of(names).seats.find(which)
        return option.name if option else which
    return which
