"""Tables with some history, and their ledgers as an export gets them, without a database."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

from bot.ledger import GENESIS, Head, Published, TableRow
from bot.ledger.batch import draft
from bot.ledger.chain import link, person_digest, person_key, place_digest
from bot.rules.entries import Recorded
from bot.rules.model.table import Table
from bot.rules.views import Viewer
from bot.service.auditing import export_source
from bot.service.records import TableRecord
from bot.service.requests import ExportSource
from bot.testing.looks import at_once
from tests.show.playing import World

SALT = "00" * 16


def held(table: Table) -> dict[tuple[str, str, str], int]:
    """Everything at a table, by seat, place and component."""
    counts = dict[tuple[str, str, str], int]()
    for seat in table.seats.values():
        counts |= {(seat.id, "hand", token): number for token, number in seat.holdings.items()}
        counts |= {(seat.id, "play", token): number for token, number in seat.in_play.items()}
    return counts


# ---------------------------------------------------------------- the ledger


@dataclass
class Shelf:
    """What an export reads of the ledger."""

    recorded: list[Recorded]
    made: list[Published]
    parts: dict[int, dict[str, Any]]

    @property
    def entries(self) -> Shelf:
        """The room of the ledger that has all of this."""
        return self

    async def stream(
        self, table_id: int, after: int = 0, until_seq: int | None = None
    ) -> AsyncIterator[list[Recorded]]:
        recorded = self.recorded[:until_seq]
        for first in range(after, len(recorded), 32):
            yield recorded[first : first + 32]

    async def published(
        self, table_id: int, after: int = 0, until_seq: int | None = None
    ) -> list[Published]:
        return self.made[after:until_seq]

    async def sealed(
        self, table_id: int, after: int = 0, until_seq: int | None = None
    ) -> dict[int, dict[str, Any]]:
        last = until_seq or len(self.recorded)
        return {seq: parts for seq, parts in self.parts.items() if after < seq <= last}


def shelved(world: World) -> Shelf:
    """What happened at a table, chained and sealed as the ledger does it, with commitments on the
    first entry.
    """
    committed = {"place": place_digest(SALT, 7, 8)}
    for number, person in world.people.items():
        committed[person_key(number)] = person_digest(SALT, number, person.user_id or 0)
    shelf, head = Shelf([], [], {}), GENESIS
    for each in world.recorded:
        made = draft(each.entry, {} if each.seq > 1 else committed)
        head = link(
            head,
            table_id=1,
            seq=each.seq,
            at=each.at,
            by=each.by,
            public=made.public,
            digests=made.digests,
        )
        shelf.recorded.append(replace(each, hash=head))
        public = json.loads(made.public)
        published = Published(each.seq, each.at, each.by, public, made.digests, head)
        shelf.made.append(published)
        parts = json.loads(made.sealed or "{}")
        shelf.parts[each.seq] = {name: cell for name, cell in parts.items() if "data" in cell}
    return shelf


def source(world: World, viewer: Viewer, shelf: Shelf | None = None) -> ExportSource:
    """What an export of this table is made from."""
    shelf = shelf or shelved(world)
    head = Head(len(shelf.recorded), shelf.recorded[-1].hash)
    row = TableRow(1, 7, 8, "ti4", "Friday", not world.table.open)
    record = TableRecord(row, world.table, world.people, head)
    return at_once(export_source(shelf, record, viewer, head.seq))  # type: ignore[arg-type]
