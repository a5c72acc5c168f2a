"""A fair: the bazaar held day by day, for what a game can add of its own: a feature with state, a button and an entry.

It is a package that builds upon another one, the sample in `bazaar/`. Both are played by
`tests/plugin/test_plugin.py`, and their types are checked by `tests/typing`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from bourse_bazaar import GAME as BAZAAR
from bourse_bazaar import GOODS, RULES

from bot.api import (
    BoardView,
    Caller,
    Command,
    Entry,
    Feature,
    Features,
    Game,
    Goods,
    MenuItem,
    Press,
    Rule,
    Setup,
    StatePart,
    StepView,
    Table,
    Trade,
    Violation,
    button,
    part,
    require_host,
    with_part,
)

NO_CALLS = Rule(number="2", title="No idle calls", text="Give something.", refusable=True, source="The fair")


@dataclass(frozen=True, slots=True)
class Days(StatePart):
    """How many days were begun."""

    begun: int = 0


@dataclass(frozen=True, slots=True)
class BeginDay(Command):
    """Begin a day. Needs the host."""

    kind = "fair.day"

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "begin a day")
        return [DayBegun(number=part(table, Days).begun + 1)]


class DayBegun(Entry):
    """A day began."""

    kind: Literal["fair.day.begun"] = "fair.day.begun"
    number: int

    def apply(self, table: Table) -> Table:
        return with_part(replace(table, phase="day"), Days(self.number))

    def sentence(self, ruler: str) -> str:
        return f"Day {self.number} began."


def board(table: Table) -> BoardView:
    next_day = MenuItem("Next day", Press(table.id, BeginDay()), "host")
    return BoardView((), heading=f"Day {part(table, Days).begun}", menu=(next_day,))


def steps(table: Table) -> list[StepView]:
    begin = button("Open the fair", table, BeginDay())
    return [StepView("First day", ("The host opens it.",), False, (begin,), hosts=True)]


def violations(table: Table, trade: Trade) -> list[Violation]:
    found = list(BAZAAR.trade.violations(table, trade))
    if not trade.first_gives and not trade.second_gives:
        found.append(Violation("2", "Nobody gives anything here.", permanent=True))
    return found


GAME = Game(
    api=1,
    info=replace(
        BAZAAR.info, id="fair", name="Fair", phases=("night", "day"), own_phases=frozenset({"night", "day"}),
        rulebook=lambda: {**RULES, "2": NO_CALLS}, settings=BAZAAR.info.settings | {"open_on_close"},
        command_groups=frozenset({"day"}),
    ),
    seats=replace(BAZAAR.seats, start=lambda *_: Goods(dict.fromkeys(GOODS, 3))),
    goods=replace(BAZAAR.goods, cards=lambda seat: seat.known),
    holdings=BAZAAR.holdings,
    trade=replace(BAZAAR.trade, violations=violations),
    commands=replace(BAZAAR.commands, board=board),
    features=Features((Feature(state=Days, commands=(BeginDay,), entries=(DayBegun,)),)),
    setup=Setup(begun=lambda table: part(table, Days).begun > 0, steps=steps),
    public=lambda table: part(table, Days).begun,
)  # fmt: skip
