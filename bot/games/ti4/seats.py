"""The seats of Twilight Imperium 4: its factions, and what each begins with."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from bot.api import DEFAULT_SETTINGS, Goods, SeatOption, TableSettings
from bot.games.ti4.boxes import Boxes, boxes_of, in_boxes, printing
from data.ti4 import Faction, factions, find_faction, promissory_notes


def every() -> Sequence[SeatOption]:
    """Return every faction that can be played from the start."""
    return [_option(faction) for faction in factions().values() if faction.playable_from_start]


def find(text: str) -> SeatOption | None:
    """Return the faction meant by an id, name or short name; None when there is none."""
    faction = find_faction(text)
    return _option(faction) if faction else None


def start(seat: str, settings: TableSettings = DEFAULT_SETTINGS) -> Goods:
    """Return what a seat begins with: no goods (21 note 1), and all its own promissory notes in hand."""
    return _notes(seat, boxes_of(settings))


def offered(settings: TableSettings) -> Collection[str]:
    """Return the factions that can be played from the start at a table with these settings, by their ids."""
    boxes = boxes_of(settings)
    return [each.id for each in factions().values() if each.playable_from_start and in_boxes(each.expansion, boxes)]


@lru_cache(maxsize=512)
def _notes(seat: str, boxes: Boxes) -> Goods:
    """Return a faction's own notes: one of each in its colour, and its own in the printing that is played with."""
    faction, notes = factions()[seat], promissory_notes()
    generic = [note.id for note in notes.values() if note.owner == "any" and note.id not in faction.lacks]
    own = {printing(note, boxes) for note in faction.notes}
    return Goods({f"note:{note}:{seat}": 1 for note in (*generic, *own) if in_boxes(notes[note].expansion, boxes)})


def _option(faction: Faction) -> SeatOption:
    return SeatOption(id=faction.id, name=faction.name, short=faction.short, also=faction.aliases)
