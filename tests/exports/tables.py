"""Tables that have seen something, and their ledgers as an export gets them, without a database."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from bot.ledger import GENESIS, Head, Published, TableRow
from bot.ledger.batch import draft
from bot.ledger.chain import link, person_digest, person_key, place_digest
from bot.rules.entries import Recorded
from bot.rules.features.tables import CloseTable
from bot.rules.model.table import Table
from bot.rules.views import Viewer
from bot.service.auditing import export_source
from bot.service.records import TableRecord
from bot.service.requests import ExportSource
from bot.testing.looks import at_once
from tests.show import playing as tables
from tests.show.playing import World

SALT = "00" * 16


def lived(dice: Random, many: int, *, closed: bool = False) -> World:
    """Return a table at which all sorts of things have happened; at one in four nobody counts goods."""
    world = tables.lived(dice.randrange(10**6), many, tracked=dice.random() < 0.75)
    if closed:
        world.do(CloseTable(), world.table.host)
    return world


def held(table: Table) -> dict[tuple[str, str, str], int]:
    """Everything at a table, by seat, place and component."""
    return {
        (seat.id, place, token): number
        for seat in table.seats.values()
        for place, goods in (("hand", seat.holdings), ("play", seat.in_play))
        for token, number in goods.items()
    }


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
        for first in range(after, until_seq or len(self.recorded), 32):
            yield self.recorded[first : first + 32][: (until_seq or len(self.recorded)) - first]

    async def published(self, table_id: int, after: int = 0, until_seq: int | None = None) -> list[Published]:
        return self.made[after:until_seq]

    async def sealed(self, table_id: int, after: int = 0, until_seq: int | None = None) -> dict[int, dict[str, Any]]:
        last = until_seq or len(self.recorded)
        return {seq: parts for seq, parts in self.parts.items() if after < seq <= last}


def shelved(world: World) -> Shelf:
    """What happened at a table, chained and sealed as the ledger does it, with commitments on the first entry."""
    committed = {"place": place_digest(SALT, 7, 8)}
    committed |= {person_key(n): person_digest(SALT, n, each.user_id or 0) for n, each in world.people.items()}
    shelf, head = Shelf([], [], {}), GENESIS
    for each in world.recorded:
        made = draft(each.entry, {} if each.seq > 1 else committed)
        head = link(
            head, table_id=1, seq=each.seq, at=each.at, by=each.by, public=made.public, digests=made.digests
        )  # fmt: skip
        shelf.recorded.append(replace(each, hash=head))
        shelf.made.append(Published(each.seq, each.at, each.by, json.loads(made.public), made.digests, head))
        parts = json.loads(made.sealed or "{}")
        shelf.parts[each.seq] = {name: cell for name, cell in parts.items() if "data" in cell}
    return shelf


def source(world: World, viewer: Viewer, shelf: Shelf | None = None) -> ExportSource:
    """What an export of this table is made from."""
    shelf = shelf or shelved(world)
    seq, row = len(shelf.recorded), TableRow(1, 7, 8, "ti4", "Friday", not world.table.open)
    record = TableRecord(row, world.table, world.people, Head(seq, shelf.recorded[-1].hash))
    return at_once(export_source(shelf, record, viewer, seq))  # type: ignore[arg-type]
