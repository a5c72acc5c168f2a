"""A trade as people say it in a sentence: ``2 tg to bob for 3 c``, ``i want ur ceasefire``.

Only what the viewer may see is looked at, so a sentence means the same whatever others hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.text import one_line
from bot.rules.model.values import frozen
from bot.rules.model.violation import Refused
from bot.rules.shorthand import Misread
from bot.rules.views import TableView
from bot.show.names import aliases, game_of
from data import words

SIDES = 2
"""Each side of a trade may have words that mean nothing."""

SPLITS_MAX = 8
"""The most places at which a sentence is parted into its two sides."""


EVERYONE = {"all", "everyone", "everybody", "anyone", "anybody", "whoever"}
"""Words that address nobody in particular."""

NAME_WORDS_MAX = 8
"""The most words of a person's name that are looked for."""

_SENTENCE = words("", "sentence")
_TO = {word for word, role in _SENTENCE.items() if role == "to"}
_ESCAPED = [*map(re.escape, sorted(_SENTENCE.keys() - _TO, key=len, reverse=True))]
_SPOKEN = "|".join(word for word in _ESCAPED if word[0].isalpha())
_SIGNS = "|".join(word for word in _ESCAPED if not word[0].isalpha())
_MARKS = re.compile(rf"((?<= )(?:{_SPOKEN})(?= )|{_SIGNS})", re.IGNORECASE)
"""The words that begin a side of a trade."""

_GIVING = {word.split(" ")[-1] for word, role in _SENTENCE.items() if role in ("give", "sell")}
"""The words after which one names the receiver: “give bob 2 tg”."""


_ASKING = {"who", "who'll", "anyone", "anybody", "does", "can", "could"}
"""The first words of a question to others. Elsewhere “?” may stand for a card without a name."""


@frozen
class Said:
    """What a person said: what they give and get, and with whom; None for nobody in particular.

    ``plain``: it has goods alone, ``text``, which are then given. ``refused`` says what was not
    understood, with what was; None if all of it was understood. ``suggestion`` is then the whole
    text as one would type it, if one can tell; else empty.
    """

    give: Goods = NOTHING
    get: Goods = NOTHING
    to: str | None = None
    plain: bool = False
    text: str = ""
    refused: Refused | None = None
    suggestion: str = ""


def read_side(view: TableView, text: str, giver: str | None) -> Goods:
    """Return the goods that a text names. ``giver`` is the seat that would give them. Raises
    `Refused`.
    """
    language = game_of(view).goods
    if language.read_here is not None:
        return language.read_here(view, text, giver, aliases(view))
    return language.read(text, tuple(view.seats), giver, aliases(view))


def understand(view: TableView, text: str, to: str | None = None) -> Said:
    """Return what the viewer said, to the seat ``to`` unless the text names another."""
    text = one_line(text).strip(" .!")
    if text.partition(" ")[0].casefold() in _ASKING:
        text = text.removesuffix("?")
    said = _said(view, text, to)
    meant, again = text, said
    for _ in range(SIDES):
        if not isinstance(again.refused, Misread):
            break
        meant = meant.replace(again.refused.text, again.refused.meant, 1)
        again = _said(view, meant, to)
    if said.refused is None or again.refused is not None or meant == text:
        return said
    return replace(said, suggestion=meant)


def _said(view: TableView, text: str, to: str | None) -> Said:
    said = Said(to=to)
    for address in _addresses(view, text):
        said = _understood(view, address, to)
        if said.refused is None:
            break
    return said


def _understood(view: TableView, address: _Address, to: str | None) -> Said:
    """Return what the viewer said, if the text is addressed like this."""
    to = address.seat or to
    plain = _MARKS.search(f" {address.rest} ") is None and not address.takes
    failed = None
    for give, get in _sides(address):
        try:
            gives, gets = read_side(view, give, view.seat), read_side(view, get, to)
        except Refused as refused:
            failed = refused
            continue
        return Said(gives, gets, to, plain, address.rest)
    return Said(to=to, plain=plain, text=address.rest, refused=failed)


@frozen
class _Address:
    """Whom a text is addressed to, and the ``rest`` of it; None for nobody in particular.

    ``takes``: their goods are asked for, as in “from bob”.
    """

    seat: str | None
    rest: str
    takes: bool = False


def _addresses(view: TableView, text: str) -> list[_Address]:
    """Return whom a text may be addressed to, the likeliest first.

    A name without a preposition may also be that of an owner: “bob silk”.
    """
    called, spoken = aliases(view), text.split(" ")
    for place in range(len(spoken)):
        before = spoken[place - 1].casefold() if place else ""
        for end in range(min(len(spoken), place + NAME_WORDS_MAX), place, -1):
            name = " ".join(spoken[place:end]).casefold().strip("@,:;?!")
            seat = called.get(name)
            if seat == view.seat or (seat is None and name not in EVERYONE):
                continue
            last = end == len(spoken)
            receives = before == "for" and (last or spoken[end].casefold() == "for")
            if before in _TO or receives:
                rest = " ".join([*spoken[: place - 1], *spoken[end:]])
                return [_Address(seat, rest, takes=before == "from")]
            called_out = spoken[place][0] in "@<" or spoken[end - 1][-1] in ",:"
            ends = last or not place or before in _GIVING
            if name == "all" or (last and not place) or not (called_out or ends):
                continue
            addressed = _Address(seat, " ".join([*spoken[:place], *spoken[end:]]))
            return [addressed] if called_out else [_Address(None, text), addressed]
    return [_Address(None, text)]


def _sides(address: _Address) -> Iterator[tuple[str, str]]:
    """Yield the ways to part a sentence into what its speaker gives and gets."""
    pieces = _MARKS.split(f" {address.rest} ")
    marks = [mark.casefold().strip() for mark in pieces[1::2]]
    roles = [_SENTENCE[mark] for mark in marks]
    said = [piece.strip(" ,.;:") for piece in pieces[::2]]
    fors = [place for place, role in enumerate(roles) if role == "for"]
    for kept in [None, *fors[:SPLITS_MAX]]:
        yield from _parted(said, marks, roles, kept, "get" if address.takes else "give")


def _parted(
    said: list[str], marks: list[str], roles: list[str], kept: int | None, side: str
) -> Iterator[tuple[str, str]]:
    """Yield the two sides, parted at one “for”; others belong to a name. ``side`` is the first."""
    sides = {"give": "", "get": "", side: said[0]}
    verb = ""
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
            text = text.removeprefix("you ")
        sides[side] = f"{sides[side]}, {text}".strip(", ")
    if verb in ("sell", "buy") and kept is None:
        goods = sides["give"] or sides["get"]
        spaces = [found.start() for found in re.finditer(" ", goods)]
        for space in spaces[:SPLITS_MAX]:
            first, price = goods[:space], goods[space + 1 :]
            yield (first, price) if verb == "sell" else (price, first)
    yield sides["give"], sides["get"]
