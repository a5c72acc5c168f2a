"""Names: puts people into the sentences that the rules write; the marks stand in `bot.rules.words`."""

from __future__ import annotations

import re

from bot.desk import Look
from bot.rules.game import Game, game_named
from bot.rules.words import parts, typed

__all__ = [
    "escape",
    "game_of",
    "mention",
    "name",
    "parts",
    "plain",
    "player",
    "seat_name",
    "spoken",
    "tell",
    "typed",
]

_MARK = re.compile(r"<(seat|player|person|name|whose|faction):([^>]+)>")
_MARKDOWN = re.compile(r"([\\*_~`|<>\[\]#])")


def tell(look: Look, text: str) -> str:
    """The sentence with everybody's name in it."""
    return parts(text, lambda said: _MARK.sub(lambda mark: _named(look, mark[1], mark[2]), said), escape)


def plain(look: Look, text: str) -> str:
    """The sentence with plain names only, where mentions are not drawn: lists of choices, fields, files."""

    def bare(said: str) -> str:
        return _MARK.sub(lambda mark: _named(look, "name" if mark[1] == "seat" else mark[1], mark[2], bare=True), said)

    return parts(text, bare, lambda written: " ".join(written.split()))


def escape(text: str) -> str:
    """Text that somebody typed, so that Discord shows it as it was typed."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def mention(look: Look, seat: str) -> str:
    """Who sits in a seat, as a mention, or by the name that stands for them; the seat's own name when nobody does."""
    person = look.people.get(look.table.seats[seat].person or 0)
    if person is None or not (person.user_id or person.name):
        return seat_name(look, seat)
    return f"<@{person.user_id}>" if person.user_id else escape(person.name)


def player(look: Look, seat: str) -> str:
    """Who sits in a seat and what they play: ``@alice (Hacan)``."""
    return f"{mention(look, seat)} ({seat_name(look, seat)})"


def name(look: Look, seat: str) -> str:
    """The plain name of who sits in a seat."""
    sits = look.table.seats.get(seat)
    person = look.people.get(sits.person or 0) if sits else None
    return person.name if person and person.name else seat_name(look, seat)


def seat_name(look: Look, seat: str) -> str:
    """The short name of a seat: ``Hacan``."""
    chair = game_of(look).chair(seat)
    return chair.short if chair else seat


def game_of(look: Look) -> Game:
    """The game that is played at a table."""
    return game_named(look.table.game)


def spoken(look: Look) -> dict[str, str]:
    """Which seat a lower-case name means: people's names and mentions, factions by id, short and long name."""
    names: dict[str, str] = {}
    for seat in look.table.seats.values():
        chair = game_of(look).chair(seat.id)
        names |= {word.casefold(): seat.id for word in (seat.id, *((chair.name, chair.short) if chair else ()))}
    for seat in look.table.seats.values():
        if (person := look.people.get(seat.person or 0)) is not None:
            names |= {person.name.casefold(): seat.id, f"<@{person.user_id}>": seat.id}
    return names


def _named(look: Look, mark: str, which: str, bare: bool = False) -> str:
    match mark:
        case "seat" | "player" | "name" | "whose" if which not in look.table.seats:
            return which  # somebody typed what only looks like a mark
        case "person" if not which.isdigit():
            return which
        case "seat":
            return mention(look, which)
        case "player":
            who = name(look, which) if bare else mention(look, which)
            return f"{who} ({seat_name(look, which)})"
        case "person":
            person = look.people.get(int(which))
            if person is None or (person.user_id is None and not person.name):
                return "somebody"
            if person.user_id is None:
                return person.name if bare else escape(person.name)
            return person.name if bare else f"<@{person.user_id}>"
        case "whose":
            called = name(look, which)
            return seat_name(look, which) if re.search(r"[,+()]", called) else called
        case "faction":
            chair = game_of(look).chair(which)
            return chair.name if chair else which
        case _:
            return name(look, which) if bare else escape(name(look, which))
