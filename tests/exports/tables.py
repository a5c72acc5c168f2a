"""Tables with some history, and their ledgers as an export gets them, without a database."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from typing import Any

from bot.games.ti4.commodities import GainCommodities
from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.requests import Replenish
from bot.games.ti4.turns import EndTurn, StartTurn
from bot.ledger import GENESIS, Head, Published, TableRow
from bot.ledger.batch import draft
from bot.ledger.chain import link, person_digest, person_key, place_digest
from bot.rules.commands import Command
from bot.rules.entries import Recorded
from bot.rules.features.holdings import Gain, SetHoldings, Spend
from bot.rules.features.negotiations import OpenNegotiation
from bot.rules.features.offers.posting import AlterOffer, PostOffer
from bot.rules.features.offers.signing import EndOffer, Sign
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import ChangeSettings, CloseTable, OpenTable
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.table import Table
from bot.rules.views import Viewer
from bot.service.auditing import export_source
from bot.service.records import TableRecord
from bot.service.requests import ExportSource
from bot.testing.looks import at_once
from tests.show.playing import World

SEATS = ("hacan", "sol", "letnev", "mahact", "xxcha", "l1z1x", "nekro", "naaz")
SALT = "00" * 16
DEALT = Goods({"trade_good": 4, "commodity": 1, "fragment:unknown": 1})


def opened(seats: int, dice: Random, **settings: str) -> World:
    """A table at which person 1, the host, sits in the first seat, goods are dealt and all are
    neighbours in a row.
    """
    world = World()
    world.do(OpenTable(game="ti4", name="Friday"))
    chosen = dice.sample(SEATS, seats)
    for person, seat in enumerate(chosen, start=1):
        world.do(Sit(seat=seat, person=person))
        world.do(SetHoldings(seat=seat, goods=DEALT))
    for first, second in pairwise(chosen):
        world.do(JoinNeighbors(first, second))
    world.tries(ChangeSettings(changes=settings))
    return world


def lived(dice: Random, many: int, *, closed: bool = False) -> World:
    """A table of 2 to 8 at which so many random commands were tried."""
    world = opened(
        dice.randint(2, 8),
        dice,
        inventory=dice.choice(["tracked", "tracked", "tracked", "untracked"]),
    )
    world.do(StartTurn(world.seat(1)))
    for _ in range(many):
        by = dice.choice([1, 1, *range(1, 9)])
        world.tries(_command(world.table, by, dice), by)
    if closed:
        world.do(CloseTable(), world.table.host)
    return world


def _command(table: Table, by: int, dice: Random) -> Command:
    """A random command, likely to be allowed to this person but not sure to be."""
    seat = dice.choice(list(table.seats))
    offer = dice.choice([*table.offers, 1])
    mine = table.seat_of(by)
    have = mine.holdings if mine else NOTHING
    theirs = table.seats[seat].holdings
    trade = PostOffer(to=seat, give=_some(have, dice), want=_some(theirs, dice))
    commands: list[Command] = [
        trade,
        replace(trade, terms="=later"),
        PostOffer(give=_some(have, dice), want=Goods({"trade_good": 1})),
        Sign(offer),
        Sign(offer),
        Sign(offer),
        Sign(offer),
        AlterOffer(offer, give=_some(have, dice)),
        EndOffer(offer, dice.choice(["withdraw", "decline"])),
        StartTurn(seat),
        StartTurn(seat),
        EndTurn(),
        Replenish(seat),
        GainCommodities(1),
        Gain(Goods({"trade_good": dice.randint(1, 3)})),
        Spend(_some(have.of_kind("trade_good", "fragment"), dice)),
        SetHoldings(
            seat, table.seats[seat].holdings + Goods({"fragment:cultural": 1}), "Found one"
        ),
        OpenNegotiation(seat, "Peace"),
        Leave(),
        Sit(seat, dice.randint(1, 10)),
    ]
    return dice.choice(commands)


def _some(goods: Goods, dice: Random) -> Goods:
    """One or two of these goods."""
    tokens = list(goods.tokens())
    count = min(len(tokens), dice.randint(0, 2))
    return Goods.of(dice.sample(tokens, count))


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
