"""A trade as people say it in a sentence: ``2 tg to bob for 3 c``, ``i want ur ceasefire``.

Only what the viewer may see is looked at, so a sentence means the same whatever others hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.text import one_line
from bot.rules.model.violation import Refused
from bot.rules.registry import game_named
from bot.rules.views import TableView
from bot.show.names import aliases
from data import words

SPLITS_MAX = 8
"""The most places at which a sentence is parted into its two sides."""


NAME_WORDS_MAX = 8
"""The most words of a person's name that are looked for."""

_SENTENCE = words("", "sentence")
_TO = {word for word, role in _SENTENCE.items() if role == "to"}
_ESCAPED = [*map(re.escape, sorted(_SENTENCE.keys() - _TO, key=len, reverse=True))]
_SPOKEN = "|".join(word for word in _ESCAPED if word[0].isalpha())
_SIGNS = "|".join(word for word in _ESCAPED if not word[0].isalpha())
_MARKS = re.compile(rf"((?<= )(?:{_SPOKEN})(?= )|{_SIGNS})", re.IGNORECASE)
"""The words that begin a side of a trade."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a person said: what they give and get, and with whom; None for nobody in particular.

    ``refused`` says what was not understood, with what was; None if all of it was understood.
    ``suggestion`` is then the whole text as one would type it, if one can tell; else empty.
    """

    give: Goods = NOTHING
    get: Goods = NOTHING
    to: str | None = None
    refused: Refused | None = None
    suggestion: str = ""


def read_side(view: TableView, text: str, giver: str | None) -> Goods:
    """Return the goods that a text names. ``giver`` is the seat that would give them. Raises
    `Refused`.
    """
    language = game_named(view.game).goods
    if language.read_here is not None:
        return language.read_here(view, text, giver, aliases(view))
    return language.read(text, tuple(view.seats), giver, aliases(view))


def understand(view: TableView, text: str, to: str | None = None) -> Said:
    """Return what the viewer said, to the seat ``to`` unless the text names another."""
    named, rest = _partner(view, one_line(text).strip(" .!"))
    to = named or to
    failed = None
    for give, get in _sides(rest):
        try:
            gives, gets = read_side(view, give, view.seat), read_side(view, get, to)
        except Refused as refused:
            failed = failed or refused
            continue
        return Said(gives, gets, to)
    return Said(to=to, refused=failed)


def _partner(view: TableView, text: str) -> tuple[str | None, str]:
    """Return the seat that a text is addressed to, and the text without that."""
    called, spoken = aliases(view), text.split(" ")
    for place, word in enumerate(spoken):
        begins = word.startswith("@") or (place == 0 and len(spoken) > 1)
        for end in range(min(len(spoken), place + NAME_WORDS_MAX), place, -1):
            name = " ".join(spoken[place:end])
            seat = called.get(name.casefold().strip("@,:"))
            if seat is None or seat == view.seat:
                continue
            before = place - 1 if place and spoken[place - 1].casefold() in _TO else place
            if before < place or begins:
                return seat, " ".join([*spoken[:before], *spoken[end:]])
    return None, text


def _sides(text: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to part a sentence into what its speaker gives and gets."""
    pieces = _MARKS.split(f" {text} ")
    marks = [mark.casefold().strip() for mark in pieces[1::2]]
    roles = [_SENTENCE[mark] for mark in marks]
    said = [piece.strip(" ,.;:") for piece in pieces[::2]]
    fors = [place for place, role in enumerate(roles) if role == "for"]
    for kept in [None, *fors[:SPLITS_MAX]]:
        yield from _parted(said, marks, roles, kept)


def _parted(
    said: list[str], marks: list[str], roles: list[str], kept: int | None
) -> Iterator[tuple[str, str]]:
    """Yield the two sides, parted at one “for”; others belong to a name."""
    sides = {"give": said[0], "get": ""}
    side, verb = "give", ""
    for place, role in enumerate(roles):
        text = said[place + 1]
        if role == "for" and place != kept:
            sides[side] += f" {marks[place]} {text}"
            continue
        if role == "for":
            side = "give" if side == "get" else "get"
        else:
            side = "get" if role in ("get", "buy") else "give"
            verb = role
        sides[side] = f"{sides[side]}, {text}".strip(", ")
    if verb in ("sell", "buy") and kept is None:
        goods = sides["give"] or sides["get"]
        spaces = [found.start() for found in re.finditer(" ", goods)]
        for space in spaces[:SPLITS_MAX]:
            first, price = goods[:space], goods[space + 1 :]
            yield (first, price) if verb == "sell" else (price, first)
    yield sides["give"], sides["get"]
