"""Tables of Twilight Imperium 4 without a ledger: opened, seated, and viewed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import pytest

from bot.games.ti4.components import note_owner
from bot.games.ti4.departures import ChangeFaction
from bot.rules.apply import replay
from bot.rules.commands import Caller, Command
from bot.rules.engine import decide
from bot.rules.entries import Entry
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.seats import Sit
from bot.rules.features.tables import OpenTable
from bot.rules.model.goods import Goods
from bot.rules.model.people import Person
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused, Violation
from bot.rules.viewers import everybody, person_viewer
from bot.rules.views import TableView, Viewer
from bot.rules.visible_table import see

USER = 10**18
"""Discord's numbers are that long; person 3 is user USER + 3."""

HOST = 1
"""The person who opens every table here, and sits in its first seat."""

SEATS = ("hacan", "sol", "letnev")

Names = Mapping[int, str]
NAMES: Names = {1: "alice", 2: "bob", 3: "carol"}


def table_of(seats: Sequence[str] = SEATS) -> Table:
    """Return a table at which person 1 sits in the first seat, person 2 in the second, and so on.

    Nobody begins as the Obsidian, so they have been the Firmament before.
    """
    table = after(Table(id=1), OpenTable(game="ti4"))
    for person, seat in enumerate(seats, 1):
        begins_as = "firmament" if seat == "obsidian" else seat
        table = after(table, Sit(seat=begins_as), by=person)
    return after(table, ChangeFaction("firmament")) if "obsidian" in seats else table


def after(table: Table, command: Command, by: int = HOST) -> Table:
    """Return the table after a command of this person."""
    return replay(done(table, command, by), table)


def done(table: Table, command: Command, by: int = HOST) -> tuple[Entry, ...]:
    """Return the entries that a command of this person leads to."""
    return decide(table, command, Caller(by))


def all_done(table: Table, commands: Iterable[Command], by: int = HOST) -> Table:
    """Return the table after these commands of one person."""
    for command in commands:
        table = after(table, command, by)
    return table


def refused(table: Table, command: Command, by: int = HOST) -> Violation:
    """Return why this command of this person is refused."""
    with pytest.raises(Refused) as refusal:
        done(table, command, by)
    return refusal.value.violation


def having(table: Table, seat: str, goods: Mapping[str, int]) -> Table:
    """Return the table after the host says that a seat has just these open goods."""
    return after(table, SetHoldings(seat=seat, goods=Goods(goods)))


def with_goods(table: Table, seat: str, goods: Goods) -> Table:
    """Return the table with these goods in a hand besides what is in it."""
    holder = table.seats[seat]
    return table.with_seat(replace(holder, holdings=holder.holdings + goods))


def without_goods(table: Table, seat: str, goods: Goods) -> Table:
    """Return the table with these goods out of a hand, as far as they are in it."""
    holder = table.seats[seat]
    return table.with_seat(replace(holder, holdings=goods.missing(holder.holdings)))


def with_in_play(table: Table, seat: str, goods: Goods) -> Table:
    """Return the table with these goods in a play area besides what is in it."""
    holder = table.seats[seat]
    return table.with_seat(replace(holder, in_play=holder.in_play + goods))


def taken(table: Table, note: str) -> Table:
    """Return the table with this note out of its owner's hand."""
    return without_goods(table, note_owner(note)[1], Goods({note: 1}))


def lent(table: Table, note: str, seat: str) -> Table:
    """Return the table with this note in another's hand instead of its owner's."""
    return with_goods(taken(table, note), seat, Goods({note: 1}))


def people(names: Names = NAMES) -> list[Person]:
    """Return people 1 to 10, by these names or as ``p1`` to ``p10``."""
    everyone = []
    for number in range(1, 11):
        name = names.get(number, f"p{number}")
        everyone.append(Person(number=number, user_id=USER + number, name=name))
    return everyone


def everybody_at(table: Table, names: Names = NAMES) -> Viewer:
    """Return the table's channel as a viewer."""
    return everybody(table, people(names))


def person_at(table: Table, by: int, names: Names = NAMES) -> Viewer:
    """Return a person as a viewer."""
    return person_viewer(table, people(names), Caller(by))


def seen(table: Table, by: int | None = None, names: Names = NAMES) -> TableView:
    """Return the table as a person may see it, or everybody."""
    if by is None:
        return see(table, everybody_at(table, names))
    return see(table, person_at(table, by, names))
