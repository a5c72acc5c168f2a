"""Which boxes a table plays with, and so what exists at it: factions, notes and their printings, other components."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from bot.api import Goods, Refused, SettingOption, TableSettings, excerpt, kind_of
from bot.games.ti4.components import describe_token
from data.ti4 import Expansion, agenda_titles, boxes, components, promissory_notes

Boxes = frozenset[Expansion]
"""The expansions that a table plays with."""

ALL, BASE = "all", "base"


def read_boxes(text: str) -> str:
    """Return the boxes that a text names, as the setting keeps them: ``base, pok`` or ``all``.

    The base game is always among them. Raises `Refused` for a word that is none.
    """
    named = {BASE}
    for word in re.split(r"[,+\n]|\band\b", text.casefold().replace("’", "'")):
        if (plain := " ".join(word.split())) in (ALL, "everything"):
            named.update(boxes())
        elif plain:
            named.add(_box(plain))
    return ALL if named == set(boxes()) else ", ".join(box for box in boxes() if box in named)


def _box(word: str) -> str:
    for box in boxes().values():
        if word in (box.id, box.name.casefold(), box.name.casefold().removeprefix("the "), *box.aliases):
            return box.id
    raise Refused("", f"I don't know the expansion “{excerpt(word)}”.", f"There are {', '.join(boxes())}; or all.")


OPTION = SettingOption(
    "expansions",
    (ALL, "base", "base, codex", "base, pok", "base, pok, codex", "base, pok, te", "base, te"),
    "What you play with: base, pok (Prophecy of Kings), te (Thunder's Edge), codex; or all",
    read_boxes,
)
"""The table setting for the boxes that are played with."""


def boxes_of(settings: TableSettings) -> Boxes:
    """Return the expansions that a table with these settings plays with."""
    return _boxes(settings.options.get(OPTION.name, ALL))


@lru_cache(maxsize=64)
def _boxes(kept: str) -> Boxes:
    chosen = boxes() if kept == ALL else kept.split(", ")
    return frozenset(expansion for box in chosen for expansion in boxes()[box].has)


def in_boxes(expansion: Expansion, played: Boxes) -> bool:
    """Return whether what came with this expansion exists among these."""
    return expansion in played


def printing(note: str, played: Boxes) -> str:
    """Return the printing of a note that is played with: the newest there is among these boxes."""
    notes = promissory_notes()
    first = notes[note].replaces or note
    return next((each.id for each in notes.values() if each.replaces == first and each.expansion in played), first)


def lacks(token: str, settings: TableSettings) -> str:
    """Return the name of the box that a component comes with, where the table plays without it; empty if it is there.

    Of a promissory note that is the note's own box, whatever its printing.
    """
    return _lacking(token, boxes_of(settings))


@lru_cache(maxsize=4096)
def _lacking(token: str, played: Boxes) -> str:
    kinds = [kind for kind in (kind_of(token), token) if kind in components()]
    expansions = [components()[kind] for kind in kinds]
    if kind_of(token) == "note" and token != "note":
        expansions = [promissory_notes()[printing(token.split(":")[1], played)].expansion]
    return next((box_name(expansion) for expansion in expansions if expansion not in played), "")


def without(token: str, box: str) -> tuple[str, str]:
    """Return why a component of this box can't be here, and what would change that."""
    what = describe_token(token)
    return (
        f"{what[0].upper()}{what[1:]} comes with {box}, which this table plays without.",
        "The host can change that: /table settings expansions.",
    )


def require_existing(goods: Goods, settings: TableSettings) -> None:
    """Raise `Refused` for goods that this table plays without."""
    for token in goods:
        if box := lacks(token, settings):
            raise Refused("", *without(token, box))


@cache
def box_name(expansion: Expansion) -> str:
    """Return the name of the box that holds an expansion."""
    return next(box.name for box in boxes().values() if expansion in box.has)


def titles_of(settings: TableSettings) -> list[str]:
    """Return the titles of the agendas that a table with these settings may play with, in alphabetical order."""
    played = boxes_of(settings)
    return sorted({title for expansion, titles in agenda_titles().items() if expansion in played for title in titles})
