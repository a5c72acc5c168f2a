"""A table of Advanced Civilization, played by commands."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

import pytest

from bot.games.advciv import GAME
from bot.games.advciv.drawing import DrawCards
from bot.games.advciv.shorthand import read
from bot.games.advciv.state import Stacks
from bot.games.advciv.trading import OpenTrading
from bot.rules.apply import replay
from bot.rules.commands import Caller, Command
from bot.rules.engine import decide
from bot.rules.entries import Entry, Recorded
from bot.rules.features.audits import Audit
from bot.rules.features.holdings import Gain, SetHoldings
from bot.rules.features.seats import Sit
from bot.rules.features.tables import ChangeSettings, OpenTable
from bot.rules.model.goods import Goods
from bot.rules.model.parts import part
from bot.rules.model.people import Person
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused, Violation
from bot.rules.viewers import everybody, person_viewer
from bot.rules.views import EntryView, SeatView, TableView
from bot.rules.visible_entry import see_entry
from bot.rules.visible_table import see

SEED = "a" * 64
SEATS = ("egypt", "crete", "italy", "babylon")


class Evening:
    """A table with its entries so far. Person 1 is the host; people sit in the order of
    ``SEATS``.
    """

    def __init__(self, players: int = 3, **settings: str | int) -> None:
        self.table = Table(id=1)
        self.entries: list[Entry] = []
        self.tables: list[Table] = []
        self.do(1, OpenTable("advciv", "Friday", chance=SEED))
        if settings:
            self.do(1, ChangeSettings(settings))
        for person, seat in enumerate(SEATS[:players], start=1):
            self.do(person, Sit(seat=seat, person=person))

    def do(
        self, person: int, command: Command, *, at: int = 0, moderator: bool = False
    ) -> tuple[Entry, ...]:
        """Decide and apply a command."""
        made = decide(self.table, command, Caller(person, moderator, at, chance=SEED))
        for entry in made:
            self.entries.append(entry)
            self.tables.append(self.table)
            self.table = replay([entry], self.table)
        return made

    def sets(self, seat: str, goods: Goods) -> Entry:
        """Have a moderator who does not play, and has looked, say what a hand holds. Return the
        correction.
        """
        self.do(9, Audit("ledger"), moderator=True)
        return self.do(9, SetHoldings(seat, goods), moderator=True)[0]

    def refused(
        self, person: int, command: Command, *, at: int = 0, moderator: bool = False
    ) -> Violation:
        """Return why a command is refused; nothing has changed then."""
        before = self.table
        with pytest.raises(Refused) as refused:
            self.do(person, command, at=at, moderator=moderator)
        assert self.table == before
        return refused.value.violation

    def hand(self, person: int) -> Goods:
        seat = self.table.seat_of(person)
        assert seat is not None
        return seat.holdings

    def hand_of(self, seat: str) -> Goods:
        return self.table.seats[seat].holdings

    def three_commodities(self, person: int) -> Goods:
        """Return three commodities of this hand."""
        commodities = list(self.hand(person).of_kind("commodity").tokens())
        return Goods.of(commodities[:3])

    def sees(self, person: int) -> TableView:
        return see(self.table, person_viewer(self.table, PEOPLE, Caller(person)))

    def seat_seen(self, person: int, seat: str) -> SeatView:
        return self.sees(person).seats[seat]

    def views(self) -> list[EntryView]:
        """Return all entries as everybody may see them."""
        viewer = everybody(self.table, PEOPLE)
        views = []
        for seq, entry in enumerate(self.entries, start=1):
            recorded = Recorded(1, seq, 0, 1, entry, "")
            views.append(see_entry(recorded, viewer, "advciv"))
        return views

    def doubts(self) -> list[str]:
        """Return what is wrong with chance in each entry; "" for one that is honest."""
        assert GAME.chance is not None
        steps = zip(self.tables, self.entries, strict=True)
        return [GAME.chance.verify(table, entry) for table, entry in steps]

    def stacked(self) -> Goods:
        """Return the cards that lie in the stacks."""
        return Goods.of(chain(*part(self.table, Stacks).stacks))


PEOPLE = [Person(number, 100 + number, f"person {number}") for number in range(1, 9)]


def cards(text: str) -> Goods:
    """Return cards as people write them."""
    return read(text, SEATS, None, {})


def dealt(players: int = 3) -> Evening:
    """Return a table where the bot deals and everybody has drawn for seven cities."""
    evening = Evening(players)
    for person in range(1, players + 1):
        evening.do(person, DrawCards(cities=7))
    return evening


def held(hands: Mapping[int, str], **settings: str | int) -> Evening:
    """Return a table with real cards where people hold these and trading is open."""
    evening = Evening(len(hands), **settings)
    for person, text in hands.items():
        evening.do(person, Gain(cards(text)))
    evening.do(1, OpenTrading(0))
    return evening
