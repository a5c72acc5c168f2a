"""What an export is made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from bot.desk import Look
from bot.ledger import Person, Published
from bot.rules.books import Move, Step, moved
from bot.rules.game import Game
from bot.rules.goods import Goods
from bot.rules.table import Table
from bot.rules.views import Viewer
from bot.show import names


@dataclass(frozen=True)
class Source:
    """A table's entries from the first on, and for whom they are written.

    ``published`` are the same entries as anybody may have them; ``sealed`` their sealed parts as they are stored, with
    salt, of which a file holds only what the viewer may see.
    """

    table_id: int
    people: Mapping[int, Person]
    life: Sequence[Step]
    published: Sequence[Published]
    sealed: Mapping[int, Mapping[str, Any]]
    viewer: Viewer

    @property
    def table(self) -> Table:
        """The table after its last entry."""
        return self.life[-1].after if self.life else Table()

    @property
    def look(self) -> Look:
        """The table after its last entry, with its people."""
        return Look(self.table_id, self.table, self.people)

    @property
    def game(self) -> Game:
        """What is played."""
        return names.game_of(self.look)

    @property
    def sees_all(self) -> bool:
        """Whether no hand is hidden from the viewer."""
        return self.viewer.moderates or self.viewer.after_close

    def moves(self, step: Step) -> list[Move]:
        """The goods that an entry moved, as far as the viewer may know."""
        return self._moved[step.recorded.seq]

    @cached_property
    def _moved(self) -> dict[int, list[Move]]:
        return {step.recorded.seq: every for step, every in moved(self.life, self.viewer)}

    def name_of(self, person: int | None) -> str:
        """Who did something, by the plain name; empty for the clock."""
        known = self.people.get(person or 0)
        return known.name if known else ""

    def component(self, token: str) -> str:
        """A component in words: ``1 trade good``."""
        return names.plain(self.look, self.game.tell_goods(Goods({token: 1})))


def time_of(at: int) -> str:
    """Milliseconds since 1970 as ISO 8601 in UTC: ``2026-01-02T12:00:00.000Z``."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
