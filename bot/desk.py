"""The desk: the one door for every change and every look.

`Desk.do` is the only way a table changes: decide, append, apply, in that order and one command at a time a table.
The ledger's key (table, seq) does the same across processes: a lost race is decided again on what is true now.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from hashlib import sha256
from typing import Literal
from weakref import WeakValueDictionary

from pydantic import ValidationError

from bot.ledger import ChannelTaken, Ledger, LedgerError, LostRace, Person, Removal, Repeated, TableRow
from bot.rules.apply import replay
from bot.rules.audits import require_removable, table_viewer
from bot.rules.commands import Command, OpenTable, Tick
from bot.rules.decide import decide
from bot.rules.entries import Entry, Recorded, TableClosed
from bot.rules.game import games
from bot.rules.ruling import Refused
from bot.rules.table import Table
from bot.rules.time import next_deadline
from bot.rules.views import Viewer

log = logging.getLogger(__name__)

KEPT = 4096
"""How many tables are kept in memory; any other is read again from its last snapshot."""

SNAPSHOT_EVERY = 64
"""Entries between two snapshots: what a table that was not in memory has to replay at most."""

NOBODY = 0
"""The number of no person: the clock."""

RACES = 16
"""How often a lost race is run again before giving up; each one lost means that another process got through."""


@dataclass(frozen=True)
class Asker:
    """Who asks, as Discord knows them. ``moderator``: may manage the server. ``interaction`` is its unique id.

    ``name`` is what they are called on the server, ``""`` where that is not known, as in a DM.
    """

    user_id: int
    name: str
    moderator: bool = False
    interaction: int | None = None


@dataclass(frozen=True)
class Look:
    """A table and its people, as they are now."""

    table_id: int
    table: Table
    people: Mapping[int, Person]

    def person(self, user_id: int) -> Person | None:
        """Who this Discord user is at the table, if known there."""
        return next((person for person in self.people.values() if person.user_id == user_id), None)

    def seat(self, user_id: int) -> str | None:
        """The seat of this Discord user."""
        person = self.person(user_id)
        seat = self.table.seat_of(person.number) if person else None
        return seat.id if seat else None

    def viewer(self, user_id: int) -> Viewer:
        """This Discord user as a viewer of the table's entries."""
        person = self.person(user_id)
        return table_viewer(self.table, person.number if person else NOBODY)


@dataclass
class Here:
    """The table as somebody stands before it with a wish. Numbers people who are new to it."""

    look: Look
    asker: Asker
    newcomers: list[Person] = field(default_factory=list)

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self.look.table

    @property
    def me(self) -> int:
        """The number of who asks."""
        return self.person(self.asker.user_id, self.asker.name)

    def person(self, user_id: int, name: str) -> int:
        """The number of a Discord user at this table; a newcomer gets the next one."""
        known = [*self.look.people.values(), *self.newcomers]
        for person in known:
            if person.user_id == user_id:
                return person.number
        number = max((person.number for person in known), default=0) + 1
        self.newcomers.append(Person(number=number, user_id=user_id, name=name))
        return number


@dataclass(frozen=True)
class Outcome:
    """What came of a command: the table before and after, and the entries between.

    ``repeated`` is True when this very interaction had been answered before and nothing changed now.
    """

    before: Table
    after: Look
    entries: tuple[Recorded, ...]
    repeated: bool = False


def snapshot_of(table: Table) -> str:
    """A table as it is saved beside its entries: with the shape that tables have in this program."""
    return f'{{"shape":"{_shape()}","table":{table.model_dump_json()}}}'


def read_snapshot(seq: int, text: str) -> Table | None:
    """The table that was saved after entry ``seq``; None for what a program of another shape wrote, or nobody did."""
    try:
        saved = json.loads(text)
        if not isinstance(saved, dict) or saved.get("shape") != _shape():
            return None
        table = Table.model_validate_json(json.dumps(saved.get("table")))
    except (ValidationError, ValueError, TypeError, Refused):
        return None
    return table if table.seq == seq else None


@cache
def _shape() -> str:
    """A digest of what a table and each game's state are made of: it changes with any field of theirs."""
    schemas = [Table.model_json_schema(), *(game.state.model_json_schema() for game in games().values())]
    return sha256(json.dumps(schemas, sort_keys=True).encode()).hexdigest()[:16]


class Desk:
    """Every change and every look at every table."""

    def __init__(self, ledger: Ledger, clock: Callable[[], datetime]) -> None:
        self.ledger = ledger
        self._clock = clock
        self._kept: OrderedDict[int, Look] = OrderedDict()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def open_table(
        self,
        asker: Asker,
        *,
        game: str,
        name: str,
        guild_id: int | None,
        channel_id: int,
        open_on_close: Literal["yes", "no"] = "yes",
    ) -> Outcome:
        """Open a table in a channel. Raises `Refused`, also when the channel has one."""
        here = Here(Look(0, Table(), {}), asker)
        wish = OpenTable(by=here.me, moderator=asker.moderator, game=game, name=name, open_on_close=open_on_close)
        entries = decide(here.table, wish)
        table = replay(entries)
        try:
            table_id, recorded = await self.ledger.create_table(
                guild_id=guild_id, channel_id=channel_id, game=table.game, name=table.name,
                entries=entries, at=self._now(), by=here.me, people=here.newcomers, interaction=asker.interaction,
            )  # fmt: skip
        except Repeated as repeated:
            return await self._again(repeated)
        except ChannelTaken as taken:
            name = (await self.look(taken.table_id)).table.name
            raise Refused(
                "", f"This channel has a table already: {name}.",
                "Its host can end it with /table close, or open yours in another channel or thread.",
            ) from None  # fmt: skip
        after = self._keep(Look(table_id, table, {person.number: person for person in here.newcomers}))
        return Outcome(Table(), after, tuple(recorded))

    async def do(self, table_id: int, asker: Asker, make: Callable[[Here], Command]) -> Outcome:
        """Do what somebody wants, once and durably, or raise `Refused` and change nothing.

        ``make`` builds the command from the table as it is; it is called again when a race was lost.
        """
        async with self._locks.setdefault(table_id, asyncio.Lock()):
            kept = self._kept.get(table_id)
            look = await self._with_people(kept) if kept else await self._load(table_id)
            for _ in range(RACES):
                here = Here(look, asker)
                try:
                    if (late := next_deadline(look.table)) is not None and late <= self._now():
                        look = (await self._append(look, self._run_out(look), None)).after
                        here = Here(look, asker)
                    entries = decide(look.table, make(here).model_copy(update={"at": self._now()}))
                    return await self._append(look, entries, here)
                except Refused:
                    if asker.interaction and (known := await self.ledger.answered(asker.interaction)):
                        return await self._again(known)
                    # Another process may have moved on; only what is true now may refuse.
                    if (await self.ledger.head(table_id))[0] == look.table.seq:
                        raise
                except LostRace:
                    pass
                except Repeated as repeated:
                    return await self._again(repeated)
                look = await self._load(table_id)
        raise RuntimeError(f"table {table_id}: lost {RACES} races in a row")

    async def tick(self, table_id: int) -> Outcome | None:
        """Let the clock act on a table: what has run out ends. None when nothing had."""
        async with self._locks.setdefault(table_id, asyncio.Lock()):
            look = await self.look(table_id)
            entries = self._run_out(look)
            try:
                return await self._append(look, entries, None) if entries else None
            except LostRace:
                return None  # whoever moved on sees to it

    async def look(self, table_id: int) -> Look:
        """The table as it is now."""
        kept = self._kept.get(table_id)
        if kept and (await self.ledger.head(table_id))[0] == kept.table.seq:
            return await self._with_people(kept)
        return await self._load(table_id)

    async def place(self, channel_id: int) -> TableRow | None:
        """The open table of a channel."""
        return await self.ledger.table_in(channel_id)

    async def last_place(self, channel_id: int) -> TableRow | None:
        """The open table of a channel, or else the one that was opened there last."""
        return await self.ledger.last_table_in(channel_id)

    async def forget_person(self, user_id: int) -> int:
        """Take somebody's name out of every closed table. Gives how many tables that were."""
        count = await self.ledger.erase_person(user_id)
        for table_id, look in list(self._kept.items()):
            if look.person(user_id):
                del self._kept[table_id]
        return count

    async def remove(self, table_id: int, asker: Asker) -> Removal:
        """Have a closed table forgotten, for good. Raises `Refused` for whoever may not."""
        async with self._locks.setdefault(table_id, asyncio.Lock()):
            look = await self.look(table_id)
            me = look.person(asker.user_id)
            require_removable(look.table, Command(by=me.number if me else NOBODY, moderator=asker.moderator))
            removal = await self.ledger.remove_table(table_id, at=self._now())
            self._kept.pop(table_id, None)
            return removal

    async def tables_of(self, user_id: int) -> Sequence[TableRow]:
        """The open tables at which this Discord user sits or hosts."""
        rows = await self.ledger.tables_of(user_id)
        looks = [await self.look(row.id) for row in rows]
        return [
            row
            for row, look in zip(rows, looks, strict=True)
            if look.seat(user_id) or ((me := look.person(user_id)) and me.number == look.table.host)
        ]

    async def _append(self, look: Look, entries: tuple[Entry, ...], here: Here | None) -> Outcome:
        """Make it true: in the ledger, then in memory. ``here`` is None when it was the clock that asked."""
        table = replay(entries, look.table)
        newcomers = here.newcomers if here else []
        recorded = await self.ledger.append(
            look.table_id, look.table.seq, entries, at=self._now(), by=here.me if here else None, people=newcomers,
            interaction=here.asker.interaction if here else None,
            closes=any(isinstance(entry, TableClosed) for entry in entries),
        )  # fmt: skip
        people = {**look.people, **{person.number: person for person in newcomers}}
        renamed = here is not None and here.asker.name not in ("", people[here.me].name)
        if here is not None and renamed:
            people[here.me] = replace(people[here.me], name=here.asker.name)
        after = self._keep(Look(look.table_id, table, people))
        try:
            if here is not None and renamed:
                await self.ledger.rename(look.table_id, here.asker.user_id, here.asker.name)
            if table.seq // SNAPSHOT_EVERY > look.table.seq // SNAPSHOT_EVERY:
                await self.ledger.save_snapshot(look.table_id, table.seq, snapshot_of(table))
        except LedgerError:  # what happened is in the ledger; a name and a cache can wait
            log.warning("table %d: its name or snapshot could not be written", look.table_id, exc_info=True)
        return Outcome(look.table, after, tuple(recorded))

    def _run_out(self, look: Look) -> tuple[Entry, ...]:
        """What the clock brings at a table by now; time comes before whatever anybody wants."""
        return decide(look.table, Tick(by=NOBODY, at=self._now())) if look.table.open else ()

    async def _again(self, repeated: Repeated) -> Outcome:
        """What came of this interaction when it was first delivered."""
        entries = await self.ledger.read(repeated.table_id, after=0, upto=repeated.last_seq)
        before = replay(recorded.entry for recorded in entries if recorded.seq < repeated.first_seq)
        mine = tuple(recorded for recorded in entries if recorded.seq >= repeated.first_seq)
        return Outcome(before, await self._load(repeated.table_id), mine, repeated=True)

    async def _load(self, table_id: int) -> Look:
        """Read a table from its last snapshot and the entries since. Raises `Refused` when there is no such table."""
        snapshot = await self.ledger.snapshot(table_id)
        table = (read_snapshot(*snapshot) if snapshot else None) or Table()
        if table.seq > (await self.ledger.head(table_id))[0]:  # of entries that are not there any more
            table = Table()
        entries = await self.ledger.read(table_id, after=table.seq)
        try:
            table = replay((recorded.entry for recorded in entries), table)
        except (LookupError, ValueError, TypeError) as error:  # applying never fails on what was decided
            raise LedgerError(f"Table {table_id}'s entries don't follow from each other: try bourse verify.") from error
        if table.seq == 0:
            raise Refused("", "There is no such table.", "Open one with /table open.")
        return self._keep(Look(table_id, table, await self._people(table_id)))

    async def _people(self, table_id: int) -> dict[int, Person]:
        return {person.number: person for person in await self.ledger.people(table_id)}

    async def _with_people(self, look: Look) -> Look:
        """A kept look; of a closed table with its people as they are now, for another process may forget one."""
        if look.table.open:
            return look
        return self._keep(replace(look, people=await self._people(look.table_id)))

    def _keep(self, look: Look) -> Look:
        self._kept[look.table_id] = look
        self._kept.move_to_end(look.table_id)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return look

    def _now(self) -> int:
        return int(self._clock().timestamp() * 1000)
