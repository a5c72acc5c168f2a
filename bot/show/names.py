"""Names: fill people's names into the sentences of the rules, whose markup `bot.rules.model.markup` describes.

Anybody can be called anything. So a name that could be taken for another one (`is_doubtful`) comes with its seat
wherever a person is named, and is not read among goods.
"""

from __future__ import annotations

import re
from functools import lru_cache

from bot.rules.game import Game
from bot.rules.model.markup import convert
from bot.rules.model.people import Names, Person
from bot.rules.model.text import one_line
from bot.rules.registry import game_named
from bot.rules.views import DealView, EntryView, OfferView, TableView
from bot.show.lookalikes import alike

Named = Names | TableView | EntryView | OfferView | DealView
"""Anything that carries names: a table with those of now, an entry with those of its time, what two people have said
with theirs."""

_MARKUP = re.compile(r"<(seat|player|person|name|faction|beside):([^>]+)>")
_MARKDOWN = re.compile(r"[\\*_~`|<>\[\]#]|(?:^|(?<=^\d)|(?<=^\d\d))[-+.)](?= )")
"""What Discord takes for markdown: these signs anywhere, and what begins a list at the beginning of a line."""

OURS = (
    "Bourse", "the host", "host", "moderator", "everybody", "everyone", "all", "here", "somebody", "somebody else",
    "nobody", "you", "no seat",
)  # fmt: skip
"""What stands for people in our own sentences, so that nobody's name can be told from it."""

_LIKE_OURS = re.compile(r"player\s*\d+|.*[()\[\],:;+#@/·→–].*", re.IGNORECASE | re.DOTALL)
"""How we call people whose names were erased, and punctuation that stands between names and what we say of them."""


def format_text(named: Named, text: str) -> str:
    """Return a sentence as Discord shows it: names filled in as mentions, quoted text escaped."""
    names = names_of(named)
    return convert(text, lambda ours: _MARKUP.sub(lambda mark: _formatted(names, mark[1], mark[2]), ours), escape)


def name_text(named: Named, text: str) -> str:
    """Return a sentence as Discord shows it, with people's plain names: a mention is for a person who has to act."""
    names = names_of(named)
    return convert(text, lambda ours: _MARKUP.sub(lambda mark: _unmentioned(names, mark[1], mark[2]), ours), escape)


def plain_text(named: Named, text: str) -> str:
    """Return a sentence with plain names, for selects, forms and files, which draw neither mentions nor markdown."""
    names = names_of(named)
    return convert(
        text,
        lambda ours: _MARKUP.sub(lambda mark: _plain(names, mark[1], mark[2]), ours),
        one_line,
    )


def escape(text: str) -> str:
    """Escape markdown in text that a person typed, put it on one line, and leave out what nobody can see."""
    return _MARKDOWN.sub(r"\\\g<0>", one_line(text))


def mention(named: Named, seat: str) -> str:
    """Return a mention of the person in a seat, their stored name if they have no user id, or else the seat's name."""
    person = names_of(named).holder(seat)
    if person is None or not _known(person):
        return seat_name(named, seat)
    return f"{_mention(person)}{_mark(names_of(named), person, seat)}"


def mention_user(named: Named, user_id: int) -> str:
    """Return a mention of a Discord user; of one who is known at the table, as of a person there."""
    names = names_of(named)
    found = next((person for person in names.people.values() if person.user_id == user_id), None)
    return _person(names, found) if found else f"<@{user_id}>"


def player(named: Named, seat: str) -> str:
    """Return a mention of the person in a seat and what they play: ``@alice (Hacan)``."""
    person = names_of(named).holder(seat)
    who = _mention(person) if person and _known(person) else seat_name(named, seat)
    return f"{who} ({seat_name(named, seat)})"


def name(named: Named, seat: str) -> str:
    """Return the plain name of the person in a seat, marked with the seat if it could be taken for another one."""
    person = names_of(named).holder(seat)
    return f"{bare_name(named, seat)}{_mark(names_of(named), person, seat) if person else ''}"


def bare_name(named: Named, seat: str) -> str:
    """Return the plain name of the person in a seat, for places that tell the seat themselves."""
    person = names_of(named).holder(seat)
    return (person.name if person else "") or seat_name(named, seat)


def who(named: Named, seat: str) -> str:
    """Return `name` for a message, where markdown is drawn."""
    return escape(name(named, seat))


def who_plays(named: Named, seat: str) -> str:
    """Return `plain_player` for a message, where markdown is drawn."""
    return escape(plain_player(named, seat))


def plain_player(named: Named, seat: str) -> str:
    """Return the plain name of the person in a seat and what they play: ``alice (Hacan)``."""
    return f"{bare_name(named, seat)} ({seat_name(named, seat)})"


def is_doubtful(named: Named, person: Person) -> bool:
    """Return whether a person's name could be taken for another person's, a seat's, or a word of ours."""
    names = names_of(named)
    everybody = tuple((each.number, each.name) for each in names.people.values())
    return person.number in _looking_alike(everybody) or _reads_as_ours(names, person)


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
    """Return the seat for each way to write it, in lower case: its id and names, its person's name and mention.

    A name that could be taken for another one is none of them.
    """
    names, find = names_of(named), game_of(named).seats.find
    found: dict[str, str] = {}
    for seat in names.holders:
        option, person = find(seat), names.holder(seat)
        found |= {word.casefold(): seat for word in (seat, *((option.name, option.short) if option else ()))}
        if person is not None and person.user_id is not None:
            found[f"<@{person.user_id}>"] = seat
        if person is not None and not is_doubtful(names, person):
            found[person.name.casefold().replace("’", "'")] = seat
    return found


def _known(person: Person) -> bool:
    return bool(person.user_id or person.name)


def _mention(person: Person) -> str:
    return f"<@{person.user_id}>" if person.user_id else escape(person.name)


def _mark(names: Names, person: Person, seat: str | None) -> str:
    """Return what tells a person from another of a name like theirs: their seat, or without one their number."""
    if not is_doubtful(names, person):
        return ""
    return f" ({seat_name(names, seat)})" if seat is not None else f" (no seat, person {person.number})"


def _seat_of(names: Names, person: Person) -> str | None:
    return next((seat for seat, holder in names.holders.items() if holder == person.number), None)


@lru_cache(maxsize=4096)
def _looking_alike(people: tuple[tuple[int, str], ...]) -> frozenset[int]:
    """Return the numbers of the people whose names look like another's of them."""
    return frozenset(
        number
        for number, called in people
        if called and any(alike(called, other) for another, other in people if other and another != number)
    )


def _reads_as_ours(names: Names, person: Person) -> bool:
    """Return whether a name that somebody chose could be read as something that we say."""
    return person.user_id is not None and _is_reserved(names.game, person.name)


@lru_cache(maxsize=4096)
def _is_reserved(game: str, called: str) -> bool:
    """Return whether a name looks like a seat of the game or a word of ours, or holds punctuation of ours."""
    seats = game_named(game).seats
    options = seats.every()  # none where the game is not installed: any word could be a seat's there
    words = (*OURS, *(word for seat in options for word in (seat.id, seat.name, seat.short)))
    is_seat = bool(options) and seats.find(called) is not None
    return is_seat or bool(_LIKE_OURS.fullmatch(called)) or any(alike(called, word) for word in words)


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
            return _person(names, names.people.get(int(which)))
        case "beside" if which in names.holders:
            return f" ({escape(called)})" if (called := _beside(names, which)) else ""
        case _:
            return _never_mentioned(names, mark, which)


def _unmentioned(names: Names, mark: str, which: str) -> str:
    """Return the replacement of a markup tag where Discord draws markdown, and nobody is mentioned."""
    if mark in ("seat", "player", "name", "person"):
        return escape(_plain(names, mark, which))
    return _formatted(names, mark, which)


def _plain(names: Names, mark: str, which: str) -> str:
    """Return the replacement of a markup tag in plain text."""
    match mark:
        case "seat" | "name" if which in names.holders:
            return name(names, which)
        case "player" if which in names.holders:
            return plain_player(names, which)
        case "person" if which.isdigit():
            return _plain_person(names, names.people.get(int(which)))
        case "beside" if which in names.holders:
            return f" ({called})" if (called := _beside(names, which)) else ""
        case _:
            return _never_mentioned(names, mark, which)


def _never_mentioned(names: Names, mark: str, which: str) -> str:
    """Return the replacement of the tags that never become a mention, or the text after the colon of any other."""
    if mark == "beside":
        return ""
    if mark == "faction":
        option = game_of(names).seats.find(which)
        return option.name if option else which
    return which


def _person(names: Names, person: Person | None) -> str:
    if person is None or not _known(person):
        return "somebody"
    return f"{_mention(person)}{_mark(names, person, _seat_of(names, person))}"


def _plain_person(names: Names, person: Person | None) -> str:
    if person is None or not _known(person):
        return "somebody"
    return f"{person.name or f'Player {person.number}'}{_mark(names, person, _seat_of(names, person))}"


def _beside(names: Names, seat: str) -> str:
    """Return the name of the person in a seat, to stand among goods; empty if it could be read as something else."""
    person = names.holder(seat)
    return person.name if person and not _reads_as_ours(names, person) else ""
