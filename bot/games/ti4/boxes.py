"""The boxes that a table plays with. They decide which factions, notes (and printings) and other
components exist.

The host can change the boxes during a game, if no faction, open goods or note in play would
disappear. Notes in hands change with them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from itertools import chain

from bot.api import (
    DEFAULT_SETTINGS,
    Apply,
    Caller,
    Change,
    Entry,
    Feature,
    Goods,
    GoodsMoved,
    Refused,
    Seat,
    SeatOption,
    SettingOption,
    SettingsChanged,
    Table,
    TableSettings,
    TableView,
    excerpt,
    kind_of,
)
from bot.games.ti4.components import describe, describe_token, note_owner, open_goods
from bot.games.ti4.state import out_of_game
from data.ti4 import (
    Expansion,
    Faction,
    agenda_titles,
    boxes,
    components,
    factions,
    find_faction,
    promissory_notes,
)

Boxes = frozenset[Expansion]
"""The expansions that a table plays with."""

ALL, BASE = "all", "base"


def read_boxes(text: str) -> str:
    """Return the boxes that a text names, as the value of the setting: ``base, pok`` or ``all``.

    The base game is always included. Raises `Refused` for an unknown box.
    """
    named, called = {BASE}, {}
    for box in boxes().values():
        name = box.name.casefold()
        called.update(
            dict.fromkeys((box.id, name, name.removeprefix("the "), *box.aliases), box.id)
        )
    for word in re.split(r"[,+\n]|\band\b", text.casefold().replace("’", "'")):
        if (plain := " ".join(word.split())) in (ALL, "everything"):
            named.update(boxes())
        elif plain:
            if plain not in called:
                known = f"Try {', '.join(boxes())}, or all."
                raise Refused(f"I don't know the expansion “{excerpt(plain)}”.", known)
            named.add(called[plain])
    return ALL if named == set(boxes()) else ", ".join(id for id in boxes() if id in named)


EXPANSIONS = SettingOption(
    "expansions",
    (ALL, "base", "base, codex", "base, pok", "base, pok, codex", "base, pok, te", "base, te"),
    "What you play with: base, pok (Prophecy of Kings), te (Thunder's Edge), codex; or all",
    read_boxes,
    question="Which boxes do you play with?",
    answers=(
        "All of them",
        "The base game",
        "Base game, Codex",
        "Base game, Prophecy of Kings",
        "Base game, Prophecy of Kings, Codex",
        "Base game, Prophecy of Kings, Thunder's Edge",
        "Base game, Thunder's Edge",
    ),
)
"""The table setting for the boxes."""


def boxes_of(settings: TableSettings) -> Boxes:
    """Return the expansions that a table with these settings plays with."""
    return _boxes(EXPANSIONS.of(settings))


@lru_cache(maxsize=64)
def _boxes(kept: str) -> Boxes:
    chosen = boxes() if kept == ALL else kept.split(", ")
    return frozenset(chain.from_iterable(boxes()[box].has for box in chosen))


def printing(note: str, played: Boxes) -> str:
    """Return the printing of a note to play with: the newest in these boxes."""
    notes = promissory_notes()
    first = notes[note].replaces or note
    for newer in notes.values():
        if newer.replaces == first and newer.expansion in played:
            return newer.id
    return first


def lacks(token: str, settings: TableSettings) -> str:
    """Return the name of the missing box that a component needs; empty if the component exists at
    the table.

    A promissory note needs its own box, whatever its printing.
    """
    return _lacking(token, boxes_of(settings))


@lru_cache(maxsize=4096)
def _lacking(token: str, played: Boxes) -> str:
    kinds = [kind for kind in (kind_of(token), token) if kind in components()]
    expansions = [components()[kind] for kind in kinds]
    if kind_of(token) == "note" and token != "note":
        expansions = [promissory_notes()[printing(token.split(":")[1], played)].expansion]
    return next((box_name(expansion) for expansion in expansions if expansion not in played), "")


def why_missing(token: str, box: str) -> tuple[str, str]:
    """Return the reason why a component of this box can't be here, and the remedy."""
    what = describe_token(token)
    return (
        f"{what[0].upper()}{what[1:]} comes with {box}, which this table doesn't play with.",
        "The host can change that: **Settings** under **Menu**, **Host…**.",
    )


def require_existing(goods: Goods, settings: TableSettings) -> None:
    """Raise `Refused` for goods that do not exist at a table with these settings."""
    for token in goods:
        if box := lacks(token, settings):
            raise Refused(*why_missing(token, box))


@cache
def box_name(expansion: Expansion) -> str:
    """Return the name of the box that holds an expansion."""
    return next(box.name for box in boxes().values() if expansion in box.has)


def titles_of(settings: TableSettings) -> list[str]:
    """Return the titles of the agendas in the game with these settings, in alphabetical order."""
    played = boxes_of(settings)
    found = set[str]()
    for expansion, titles in agenda_titles().items():
        if expansion in played:
            found.update(titles)
    return sorted(found)


# ---------------------------------------------------------------- factions and their notes


@cache
def every_faction() -> Sequence[SeatOption]:
    """Return every faction that can be played from the start."""
    playable = [faction for faction in factions().values() if faction.playable_from_start]
    return tuple(map(_option, playable))


@lru_cache(maxsize=512)
def find_seat(text: str) -> SeatOption | None:
    """Return the faction with this id, name or short name; None for none."""
    faction = find_faction(text)
    return _option(faction) if faction else None


def start(seat: str, settings: TableSettings = DEFAULT_SETTINGS) -> Goods:
    """Return the starting goods of a seat: only its own promissory notes in hand (21 note 1)."""
    return _notes(seat, boxes_of(settings))


def offered(settings: TableSettings) -> Collection[str]:
    """Return the ids of the factions that can be played from the start with these settings."""
    boxes = boxes_of(settings)
    return [
        each.id
        for each in factions().values()
        if each.playable_from_start and each.expansion in boxes
    ]


@lru_cache(maxsize=512)
def _notes(seat: str, boxes: Boxes) -> Goods:
    """Return all notes of a faction: the generic ones, and its faction notes in the printing played
    with.
    """
    faction, notes = factions()[seat], promissory_notes()
    generic = [
        note.id for note in notes.values() if note.owner == "any" and note.id not in faction.lacks
    ]
    own = {printing(note, boxes) for note in faction.notes}
    return Goods(
        {f"note:{note}:{seat}": 1 for note in (*generic, *own) if notes[note].expansion in boxes}
    )


def _option(faction: Faction) -> SeatOption:
    return SeatOption(faction.id, faction.name, faction.short, faction.aliases, faction.symbol)


# ---------------------------------------------------------------- changing the boxes


def printed(view: TableView, goods: Goods) -> Goods:
    """Return goods with each note in the printing that the table plays with. Raises `Refused` for
    missing boxes.
    """
    played = boxes_of(view.settings)
    require_existing(goods, view.settings)
    return Goods({_printed(token, played): count for token, count in goods.items()})


def _printed(token: str, played: Boxes) -> str:
    if not token.startswith("note:"):
        return token
    note, owner = note_owner(token)
    if promissory_notes()[note].owner == "any":
        return token
    return f"note:{printing(note, played)}:{owner}"


def resettled(
    table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply
) -> tuple[Entry, ...]:
    """Return new settings with the changes of notes in hands that follow from new boxes.

    Raises `Refused` if a seat or open goods would not exist, or if a note in play would disappear
    or change. Notes in hands never prevent the change: they are removed or exchanged.
    """
    settings = table.settings
    for entry in entries:
        if isinstance(entry, SettingsChanged):
            settings = entry.settings
    played = boxes_of(settings)
    if played == boxes_of(table.settings):
        return entries
    here = [seat for seat in table.seats.values() if seat.id not in out_of_game(table)]
    exchanged: dict[str, str] = {}  # removed notes -> the printing that replaces them, "" for none
    new: list[str] = []
    for seat in here:
        _require_played(seat, settings)
        before, after = start(seat.id, table.settings), start(seat.id, settings)
        for token in after.missing(before):
            other = _printed(token, played)
            exchanged[token] = other if other in after else ""
        new += before.missing(after)
    hidden: dict[str, Change] = {}
    for seat in here:
        for token in seat.in_play:
            if token in exchanged:
                raise Refused(
                    f"{describe_token(token)} is in play in front of <seat:{seat.id}>, and would "
                    "change.",
                    "/note return gives it back. Do that first.",
                )
        lost = [token for token in seat.holdings.of_kind("note") if token in exchanged]
        if lost:
            gained = filter(None, (exchanged[token] for token in lost))
            hidden[seat.id] = Change(lost=Goods.of(lost), gained=Goods.of(gained))
    for token in new:
        if token not in exchanged.values():
            owner = note_owner(token)[1]
            change = hidden.get(owner, Change())
            hidden[owner] = Change(lost=change.lost, gained=change.gained + Goods({token: 1}))
    return (*entries, NotesReprinted(hidden=hidden)) if hidden else entries


def _require_played(seat: Seat, settings: TableSettings) -> None:
    faction = factions()[seat.id]
    if faction.expansion not in boxes_of(settings):
        raise Refused(
            f"<faction:{seat.id}> come with {box_name(faction.expansion)}, and they are at this "
            "table.",
            "Keep that expansion, or take their seat out of the game: /table eliminate.",
        )
    for token, count in open_goods(seat.holdings).items():
        if box := lacks(token, settings):
            raise Refused(
                f"<seat:{seat.id}> has {describe(Goods({token: count}))}, which comes with {box}.",
                "/holdings set can take that away. Do that first.",
            )


class NotesReprinted(GoodsMoved):
    """Notes in hands were added, removed or replaced by other printings, because the boxes
    changed.
    """

    kind = "ti4.note.reprinted"
    always = True

    def sentence(self, ruler: str) -> str:
        return "Promissory notes now match the boxes that this table plays with."


FEATURE = Feature(
    entries=(NotesReprinted,), options=(EXPANSIONS,), hears=(SettingsChanged,), brings=resettled
)
