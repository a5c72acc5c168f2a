"""The seats of Twilight Imperium 4: its factions, and what each begins with."""

from __future__ import annotations

from collections.abc import Sequence

from bot.rules.game import SeatOption
from bot.rules.games.ti4.shorthand import played_version
from bot.rules.model.goods import Goods
from data.ti4 import Faction, factions, find_faction, promissory_notes


def every() -> Sequence[SeatOption]:
    """Return every faction that can be played from the start."""
    return [_option(faction) for faction in factions().values() if faction.playable_from_start]


def find(text: str) -> SeatOption | None:
    """Return the faction meant by an id, name or short name; None when there is none."""
    faction = find_faction(text)
    return _option(faction) if faction else None


def start(seat: str) -> Goods:
    """Return what a seat begins with: no goods (21 note 1), and all its own promissory notes in hand."""
    faction = factions()[seat]
    generic = [note.id for note in promissory_notes().values() if note.owner == "any" and note.id not in faction.lacks]
    own = {played_version(note) for note in faction.notes}
    return Goods({f"note:{note}:{seat}": 1 for note in (*generic, *own)})


def _option(faction: Faction) -> SeatOption:
    return SeatOption(id=faction.id, name=faction.name, short=faction.short)
