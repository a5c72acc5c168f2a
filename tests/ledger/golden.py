"""Makes the golden ledger of a release, which every later version must read, verify and replay to
the same tables.

    python -m tests.ledger.golden

It runs some plays and lives through random tables of both games, until every kind of entry is
there, and writes `releases/VERSION.db.xz` with the ledger and `releases/VERSION.json` with its key
and, for each table, a digest of what everybody saw after every few entries. The digests hold no
sentences, since words may change. The same program finds the same tables and digests. Once a
version is released, its files are never made again.
"""

from __future__ import annotations

import asyncio
import json
import logging
import lzma
import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

from bot import __version__
from bot.games.ti4.turns import StartTurn
from bot.ledger import Head, Ledger, Snapshot, batch, engine
from bot.rehearsal.grammar import read_file
from bot.rehearsal.plays import bourse, performed
from bot.rules import snapshots
from bot.rules.apply import apply, replay
from bot.rules.commands import Caller
from bot.rules.entries import Entry, Recorded
from bot.rules.features.seats import SeatTaken
from bot.rules.features.tables import (
    BeginClosing,
    CloseTable,
    MoveTable,
    PauseTable,
    ReopenTable,
    ResumeTable,
    TableOpened,
    next_deadline,
)
from bot.rules.model.people import Person
from bot.rules.model.table import Table
from bot.rules.registry import games
from bot.rules.viewers import everybody, person_viewer
from bot.rules.views import TableView
from bot.rules.visible_table import see
from bot.rules.vocabulary import entry_kinds
from bot.testing.world import EVERYONE, Ask, Decision, World
from tests.conftest import NOT_DURABLE
from tests.games.advciv import machine as advciv
from tests.games.ti4 import machine as ti4
from tests.ledger.releases import HERE as RELEASES

PLAYS = Path(__file__).parents[1] / "plays"
SHOWN = (
    "first_trade",
    "table/same_table_again",
    "table/remind_us",
    "advciv/24.51_typed_hands",
    "advciv/27.1_dealt_then_real",
    "advciv/29.3_mistyped",
    "ti4/69.5_asked_for_a_note",
    "ti4/94.4.1_take_back",
)
"""Plays that are run on the golden ledger: a trade from its first word to its last, and what random
tables miss.
"""

KEY = sha256(b"golden").hexdigest()
START, SECOND, DAY = 1_800_000_000_000, 1_000, 86_400
COMMANDS, SEEDS = 500, range(1, 25)
"""How many commands are tried at a random table, and the seeds that are looked through for kinds
still missing.
"""

LOOK_EVERY = 20
"""After how many entries everybody looks at the table."""


class Act(NamedTuple):
    """What one command did."""

    caller: Caller
    entries: Sequence[Entry]


# ---------------------------------------------------------------- random tables


class _Noted(World):
    """A table that notes what each command did, each from an interaction of its own."""

    def __init__(self, interactions: Iterator[int]) -> None:
        super().__init__()
        self.acts: list[Act] = []
        self._interactions = interactions

    def ask(self, ask: Ask) -> Decision:  # type: ignore[override]
        caller = replace(
            ask.caller, interaction=next(self._interactions) if ask.caller.person else None
        )
        entries = super().ask(replace(ask, caller=caller))
        if entries:
            self.acts.append(Act(caller, entries))
        return entries


def random_table(game: str, seed: int, interactions: Iterator[int]) -> _Noted:
    """Live through a random table, closed in the end."""
    dice, world = Random(seed), _Noted(interactions)
    with pytest.MonkeyPatch.context() as patch:
        for machine in (ti4, advciv):  # their `opened` begins with this world
            patch.setattr(machine, "World", lambda: world)
        if game == "ti4":
            ti4.opened(5, dice, {"take_back": "on"})
            world.do(1, StartTurn())
        else:
            advciv.opened(4, dice, dealt=seed % 4 > 0)
    any_command = ti4.MACHINE.any if game == "ti4" else advciv.made
    for _ in range(COMMANDS):
        world.tries(any_command(world.table, dice))
    for command in (PauseTable(), MoveTable(2), ResumeTable(), BeginClosing()):
        world.do(world.table.host, command)
    world.do(world.table.host, ReopenTable())
    world.do(world.table.host, CloseTable())
    return world


def random_tables(missing: set[str]) -> Iterator[list[Act]]:
    """Yield what was done at random tables of both games, each cut after its last kind that was
    still ``missing``.

    Takes each kind away that came about. Those tables come first that show most of them.
    """
    interactions = count(START << 20)
    for game in ("ti4", "advciv"):
        worlds = [random_table(game, seed, interactions).acts for seed in SEEDS]
        while True:
            tables = [_cut(acts, missing) for acts in worlds]
            # the most kinds, in the fewest acts
            best = max(tables, key=lambda acts: (len(missing & _kinds(acts)), -len(acts)))
            if not best:
                break
            missing -= _kinds(best)
            yield best


def _kinds(acts: list[Act]) -> set[str]:
    entries = chain.from_iterable(act.entries for act in acts)
    return {entry.kind for entry in entries}


def _cut(acts: list[Act], missing: set[str]) -> list[Act]:
    """Return what was done at a table until the last of its missing kinds came about."""
    left, end = set(missing), 0
    for number, act in enumerate(acts, start=1):
        if kinds := left & _kinds([act]):
            left, end = left - kinds, number
    return acts[:end]


async def write(ledger: Ledger, acts: Sequence[Act], channel: int) -> int:
    """Write a table as the service does: a command at a time, people as they come, a snapshot now
    and then.
    """
    known, head, table = 0, Head(), Table()
    for number, (caller, entries) in enumerate(acts):
        highest = max(
            [caller.person, *(entry.person for entry in entries if isinstance(entry, SeatTaken))]
        )
        people = [
            replace(each, user_id=(START << 20) + each.number) for each in EVERYONE[known:highest]
        ]
        known = max(known, highest)
        first, at = entries[0], START + number * SECOND
        if isinstance(first, TableOpened):
            id, recorded = await ledger.entries.create_table(
                guild_id=1,
                channel_id=channel,
                game=first.game,
                name=first.name,
                entries=entries,
                at=at,
                by=caller.person,
                people=people,
                interaction=caller.interaction,
            )
            table = Table(id=id)
        table = replay(entries, table)
        if not isinstance(first, TableOpened):
            moves = any(entry.kind == "table.moved" for entry in entries)
            channel += moves
            recorded = await ledger.entries.append(
                table.id,
                head,
                entries,
                at=at,
                by=caller.person or None,
                people=people,
                interaction=caller.interaction,
                deadline=next_deadline(table),
                moves_to=(1, channel) if moves else None,
                snapshot=Snapshot(snapshots.dump(table), 1, channel, known)
                if number % 20 == 0
                else None,
            )
        head = Head(recorded[-1].seq, recorded[-1].hash)
    return table.id


# ---------------------------------------------------------------- what everybody sees


def digests(recorded: Sequence[Recorded], people: Sequence[Person]) -> list[str]:
    """Return a digest of what everybody saw after every few entries of a table, and after the
    last.
    """
    found, table = [], Table(id=recorded[0].table_id)
    for each in recorded:
        table = apply(table, each.entry)
        if each.seq % LOOK_EVERY == 0 or each is recorded[-1]:
            viewers = [everybody(table, people)]
            viewers += [person_viewer(table, people, Caller(person.number)) for person in people]
            views = [facts(see(table, viewer)) for viewer in viewers]
            text = json.dumps(views, sort_keys=True)
            found.append(sha256(text.encode()).hexdigest()[:16])
    return found


def facts(view: TableView) -> Mapping[str, Any]:
    """Return what a viewer sees of a table, without any sentence of ours."""
    window = view.window
    used = sorted(map(list, window.used))
    return {
        "open": [
            view.open,
            view.phase,
            view.paused is None,
            view.closing is None,
            view.host,
            view.settings.items(),
        ],
        "window": [window.number, window.kind, window.holder, used],
        "counts": [view.transactions, view.offers_posted, view.deals_proposed],
        "seats": {
            seat.id: [
                seat.person,
                seat.barred,
                _goods(seat.open),
                _goods(seat.in_play),
                _goods(seat.hidden),
                seat.hidden_count,
            ]
            for seat in view.seats.values()
        },
        "offers": {
            str(offer.number): [
                offer.status,
                offer.revision,
                offer.poster,
                offer.to,
                offer.role,
                offer.exact,
                offer.private,
                _goods(offer.sides.give),
                _goods(offer.sides.want),
                offer.sides.terms,
                offer.sides.terms_now,
            ]
            for offer in view.offers.values()
        },
        "deals": {
            str(deal.number): [
                deal.status,
                deal.seat,
                deal.to,
                deal.terms,
                deal.private,
                sorted(deal.marks.items()),
            ]
            for deal in view.deals.values()
        },
        "negotiations": {
            str(each.number): [each.seat, each.other, each.topic, each.open, each.resolved]
            for each in view.negotiations.values()
        },
        "debts": sorted(each.number for each in view.debts),
        "prompts": sorted(f"{each.key} {each.seat}" for each in view.prompts),
        "became": dict(view.became),
    }


def _goods(goods: Any) -> Any:
    return None if goods is None else dict(sorted(goods.items()))


# ---------------------------------------------------------------- making it


async def make(file: Path) -> dict[str, Any]:
    """Write the golden ledger. Return its key, and the digests of its tables by number."""
    url = f"sqlite:///{file}"
    await (await Ledger.open(url, Path(f"{file}.key"))).close()
    for number, name in enumerate(SHOWN):
        async with performed(
            read_file(PLAYS / f"{name}.play"), url, later=number * DAY, factory=bourse
        ) as play:
            for step in play.play.steps:
                wrong = [line for line in await play.take(step) if not line.ok]
                assert not wrong, wrong
    ledger = await Ledger.open(url, KEY)
    try:
        shown = {kind for kind, _, _ in await ledger.entries.every_kind()}
        missing = set(entry_kinds()) - shown
        for number, acts in enumerate(random_tables(missing)):
            await write(ledger, acts, 1_000 + 10 * number)
        if missing:
            sys.exit(
                f"No random table has {', '.join(sorted(missing))}. Add plays to SHOWN that have "
                "these entries."
            )
        await ledger.tables.erase_person((START << 20) + 2)
        closed = [each.id for each in await ledger.tables.all_tables() if each.closed]
        await ledger.tables.remove_table(closed[0], at=START)
        tables = {
            str(each.id): digests(
                await ledger.entries.read(each.id), await ledger.tables.people(each.id)
            )
            for each in await ledger.tables.all_tables()
        }
    finally:
        await ledger.close()
    return {"key": KEY, "tables": tables}


def main() -> None:
    if {game.version for game in games().values()} != {__version__}:
        sys.exit(
            f"Another version than {__version__} is installed here, and tables would name it: pip "
            "install -e ."
        )
    logging.disable(logging.WARNING)
    dice = Random(1)  # the same salts each time
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch, "fresh_salt", lambda: f"{dice.getrandbits(128):032x}")
        patch.setattr(engine, "_PRAGMAS", (*engine._PRAGMAS, NOT_DURABLE))
        file = Path(folder, "bourse.db")
        key = Path(f"{file}.key")
        key.touch(mode=0o600)
        key.write_text(KEY)
        made = asyncio.run(make(file))
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript("PRAGMA journal_mode = DELETE; VACUUM")
            entries = connection.execute("SELECT count(*) FROM entries").fetchone()[0]
        packed = RELEASES / f"{__version__}.db.xz"
        packed.write_bytes(lzma.compress(file.read_bytes(), preset=9 | lzma.PRESET_EXTREME))
    packed.with_name(f"{__version__}.json").write_text(json.dumps(made, indent=1) + "\n")
    print(
        f"{packed}: {len(made['tables'])} tables, {entries} entries, {packed.stat().st_size} bytes"
    )


if __name__ == "__main__":
    main()
