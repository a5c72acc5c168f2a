"""What autocomplete suggests of goods: what a seat could give, or everything that there is at a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from bot.api import COUNT_MAX, Goods, SeatView, Suggestion, TableView, kind_of
from bot.games.ti4.boxes import lacks
from bot.games.ti4.components import (
    ACTION_CARD,
    COMMODITY,
    FRAGMENTS,
    NAMED,
    SECRET_OBJECTIVE,
    TRADE_GOOD,
    UNITS,
    captured_unit,
    describe_one,
    describe_token,
    in_order,
    note_owner,
)
from bot.games.ti4.language import notes
from bot.games.ti4.seats import start
from bot.games.ti4.shorthand import WORDS
from data.ti4 import promissory_notes

COUNTED = (TRADE_GOOD, COMMODITY, *(f"fragment:{kind}" for kind in FRAGMENTS), ACTION_CARD, SECRET_OBJECTIVE)
"""What there is in any number."""


def suggest(seat: SeatView, beside: Goods) -> Sequence[Suggestion]:
    """Suggest what a seat could give beside what is written already: what lies open, and one note [94.2].

    Of a hand that is not in the view, the notes are all those that are the seat's own.
    """
    left = beside.common(seat.open).missing(seat.open)
    return [
        *(_open(token, left[token], left[token]) for token in in_order(left)),
        *(_note(token) for token in in_order(notes(seat)) if not beside.of_kind("note")),
    ]


def every(view: TableView) -> Sequence[Suggestion]:
    """Suggest everything that could be at a table with these settings and seats."""
    counted = (_open(token, COUNT_MAX, 1) for token in COUNTED if not lacks(token, view.settings))
    own = (token for seat in view.seats for token in in_order(start(seat, view.settings)))
    return [*counted, *map(_note, own), *_captured(view)]


def gains(token: str) -> bool:
    """Return whether this can be gained at the table; notes come from other players."""
    return kind_of(token) != "note"


def spends(token: str) -> bool:
    """Return whether this can be spent; notes are not, and commodities can't be [21.7]."""
    return token != COMMODITY and kind_of(token) != "note"


def _captured(view: TableView) -> Iterator[Suggestion]:
    if not lacks("captured", view.settings):
        yield from (_open(f"captured:{unit}:{seat}", COUNT_MAX, 1) for seat in view.seats for unit in UNITS)


def _note(token: str) -> Suggestion:
    """Suggest a note, as it is described; typed, it is found by its own name first, then by whose it is."""
    note = promissory_notes()[note_owner(token)[0]]
    return Suggestion(token, describe_token(token), also=(note.name, *note.aliases))


def _open(token: str, most: int, usual: int) -> Suggestion:
    """Suggest an open component as the shorthand writes it: ``trade goods``, ``captured mech of Sol``."""
    kind = kind_of(token)
    if kind in NAMED:
        return Suggestion(token, NAMED[kind] + token.partition(":")[2], uncommon=True)
    one, many = (describe_one(token, count).removeprefix(f"{count} ") for count in (1, 2))
    uncommon = kind == "captured" or token in (ACTION_CARD, SECRET_OBJECTIVE)
    also = (captured_unit(token)[0],) if kind == "captured" else _words()[token]
    return Suggestion(token, one, many, most, usual, also, uncommon)


@cache
def _words() -> dict[str, tuple[str, ...]]:
    """Return every way to write each component that is counted."""
    tokens: Iterable[str] = dict.fromkeys(WORDS.values())
    return {token: tuple(word for word, meant in WORDS.items() if meant == token) for token in tokens}
