"""Random tables as the ledger would give them back: recorded entries, chained, with people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random

from bot.exports import Source
from bot.ledger import GENESIS, Person, Published, chain
from bot.ledger.batch import draft
from bot.paint import paint
from bot.rules.books import steps
from bot.rules.commands import CloseTable, SetHoldings
from bot.rules.entries import Entry, Recorded
from bot.rules.games.ti4.commands import StartTurn
from bot.rules.games.ti4.components import FRAGMENTS, UNITS
from bot.rules.goods import Goods
from bot.rules.table import Settings, Table
from bot.rules.views import Viewer
from bot.show.cards import Card
from tests.contract import limits
from tests.rules.machine import World, commands, opened

NOON = 1_767_355_200_000
"""2026-01-02, twelve o'clock UTC, in milliseconds since 1970."""

PEOPLE = {n: Person(n, 10**18 + n, f"p{n}") for n in range(1, 11)}


LONG = {n: f"{n:02}" + "*_`~|\\" * 5 for n in PEOPLE}
"""Names of 32 characters, as long as Discord lets them be, nearly all of them in need of a backslash."""

TERMS = "*_~|" * 75


def plenty() -> World:
    """Eight at a table, each with some of everything that is counted."""
    world = opened(8, Random(3))
    world.do(StartTurn(by=1, person=1))
    tokens = ["trade_good", "action_card", *(f"fragment:{kind}" for kind in FRAGMENTS)]
    tokens += [f"captured:{unit}:{seat}" for unit in UNITS for seat in list(world.table.seats)[:3]]
    for person in range(1, 9):
        world.do(SetHoldings(by=1, person=person, goods=Goods(dict.fromkeys(tokens, 999))))
    return world


def problems(card: Card) -> list[str]:
    """What Discord would hold against a card."""
    components = paint(card).to_components()  # type: ignore[no-untyped-call]
    return list(limits.message({"components": components, "flags": limits.V2}, new=True))


def lived(dice: Random, many: int, *, closed: bool = False) -> World:
    """A table of 2 to 8 at which so many random commands were given."""
    settings = Settings(inventory=dice.choice(["tracked", "tracked", "tracked", "untracked"]))
    world = opened(dice.randint(2, 8), dice, settings)
    world.do(StartTurn(by=1, person=1))
    for command in commands(world, dice, many):
        world.tries(command)
    if closed:
        world.do(CloseTable(by=world.table.host))
    return world


def recorded(
    entries: list[Entry], table_id: int = 1, by: Sequence[int] = ()
) -> tuple[list[Recorded], list[Published], dict[int, dict]]:
    """The entries as the ledger stores, publishes and opens them, without a database. ``by``: who did each, else 1."""
    made, published, sealed = [], [], {}
    head = chain.Head(0, GENESIS)
    for seq, (entry, who) in enumerate(zip(entries, by or [1] * len(entries), strict=True), start=1):
        one, at = draft(entry), NOON + seq * 60_000
        hash = chain.link(head.hash, table_id=table_id, seq=seq, at=at, by=who, public=one.public, digests=one.digests)
        head = chain.Head(seq, hash)
        made.append(Recorded(table_id=table_id, seq=seq, at=at, by=who, entry=entry, hash=hash))
        published.append(Published(seq, at, who, json.loads(one.public), one.digests, hash))
        if one.sealed is not None:
            sealed[seq] = json.loads(one.sealed)
    return made, published, sealed


def source(world: World, viewer: Viewer) -> Source:
    """What an export of this table is made from."""
    made, published, sealed = recorded(world.entries)
    return Source(1, PEOPLE, steps(made), published, sealed, viewer)


def held(table: Table) -> dict[tuple[str, str, str], int]:
    """All that lies at a table, by seat, place and component."""
    return {
        (seat.id, place, token): number
        for seat in table.seats.values()
        for place, goods in (("hand", seat.holdings), ("play", seat.in_play))
        for token, number in goods.items()
    }
