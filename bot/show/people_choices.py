"""Autocomplete of lists of people. Each person is written as their seat, with their name beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from bot.rules.views import TableView
from bot.show.matching import ranked
from bot.show.names import bare_name, game_of, seat_name

CHOICES, LENGTH_MAX = 25, 100
"""Discord's limits: the number of choices, and the characters of each."""


def people_choices(view: TableView, typed: str, seats: Sequence[str], *, everybody: bool = False) -> list[str]:
    """Return lists of these seats that continue the typed text. ``everybody``: each list names all seats."""
    kept, _, last = typed.rpartition(",")
    named = [seat for part in kept.split(",") if (seat := _named(view, part, seats)) is not None]
    left = [seat for seat in seats if seat not in named]
    fitting = ranked(last, left, lambda seat: _names(view, seat))
    lists = (_written(view, (*named, *(_from(left, seat) if everybody else (seat,)))) for seat in fitting)
    return [each for each in lists if len(each) <= LENGTH_MAX][:CHOICES]


def _from(seats: Sequence[str], first: str) -> Sequence[str]:
    """Return these seats in their order, beginning with ``first``."""
    place = seats.index(first)
    return [*seats[place:], *seats[:place]]


def _named(view: TableView, part: str, seats: Sequence[str]) -> str | None:
    """Return the seat that matches a part of the list best."""
    plain = re.sub(r"\([^()]*\)$", "", part.strip()).strip()
    return next(iter(ranked(plain, seats, lambda seat: _names(view, seat))), None) if plain else None


def _names(view: TableView, seat: str) -> Sequence[str]:
    option = game_of(view).seats.find(seat)
    user = view.names.holder(seat)
    mention = f"<@{user.user_id}>" if user is not None and user.user_id is not None else seat
    return (
        seat_name(view, seat),
        bare_name(view, seat),
        seat,
        mention,
        *((option.name, *option.also) if option else ()),
    )


def _written(view: TableView, seats: Iterable[str]) -> str:
    """Return the list with people's names; without them if it is too long."""
    every = list(seats)
    long = ", ".join(f"{seat_name(view, seat)} ({_readable(bare_name(view, seat))})" for seat in every)
    return long if len(long) <= LENGTH_MAX else ", ".join(seat_name(view, seat) for seat in every)


def _readable(name: str) -> str:
    """Return a name without the characters that separate names from seats."""
    return re.sub(r"[(),;\n]", " ", name).strip()
