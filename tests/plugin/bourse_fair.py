"""A fair: the bazaar held day by day, for what a game can add of its own: state, a command, an entry and a button.

It is a package that builds upon another one, the sample in `bazaar/`. Both are played by
`tests/plugin/test_plugin.py`, and their types are checked by `tests/typing`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from bourse_bazaar import GAME as BAZAAR
from bourse_bazaar import GOODS, RULES

from bot.rules.access import require_host
from bot.rules.commands import Caller, Command, handler
from bot.rules.entries import Entry
from bot.rules.game import Game, Setup, Trade
from bot.rules.model.actions import Action, LabelledAction
from bot.rules.model.goods import Goods
from bot.rules.model.table import GameState, Table
from bot.rules.model.violation import Violation
from bot.rules.views import BoardView, EntryView, MenuItem, StepView
from data import Rule

NO_CALLS = Rule(number="2", title="No idle calls", text="Give something.", refusable=True, source="The fair")


@dataclass(frozen=True, slots=True)
class FairState(GameState):
    """``days`` is how many days were begun."""

    days: int = 0


@dataclass(frozen=True, slots=True)
class BeginDay(Command):
    """Begin a day. Needs the host."""


@dataclass(frozen=True, slots=True)
class DayAction(Action):
    """The button that begins a day."""

    name = "fair.day"


class DayBegun(Entry):
    """A day began."""

    kind: Literal["fair.day.begun"] = "fair.day.begun"
    number: int


def days(table: Table) -> int:
    assert isinstance(table.state, FairState)
    return table.state.days


def begin_day(table: Table, command: BeginDay, caller: Caller) -> Iterable[Entry]:
    require_host(table, caller, "begin a day")
    return [DayBegun(number=days(table) + 1)]


def apply(table: Table, entry: Entry) -> Table:
    return replace(table, state=FairState(entry.number)) if isinstance(entry, DayBegun) else table


def narrate(entry: EntryView) -> str:
    return f"Day {entry.entry.number} began." if isinstance(entry.entry, DayBegun) else ""


def board(table: Table) -> BoardView:
    next_day = MenuItem("Next day", DayAction(table.id), "host")
    return BoardView((), heading=f"Day {days(table)}", menu=(next_day,))


def steps(table: Table) -> list[StepView]:
    begin = LabelledAction("Open the fair", DayAction(table.id))
    return [StepView("First day", ("The host opens it.",), False, (begin,), hosts=True)]


def violations(table: Table, trade: Trade) -> list[Violation]:
    found = list(BAZAAR.trade.violations(table, trade))
    if not trade.first_gives and not trade.second_gives:
        found.append(Violation("2", "Nobody gives anything here.", permanent=True))
    return found


GAME = Game(
    info=replace(
        BAZAAR.info, id="fair", name="Fair", state=FairState, entries=(DayBegun,), actions=(DayAction,),
        rulebook=lambda: {**RULES, "2": NO_CALLS}, settings=BAZAAR.info.settings | {"open_on_close"},
        command_groups=frozenset({"day"}),
    ),
    seats=replace(BAZAAR.seats, start=lambda *_: Goods(dict.fromkeys(GOODS, 3))),
    goods=replace(BAZAAR.goods, cards=lambda seat: seat.known),
    holdings=BAZAAR.holdings,
    trade=replace(BAZAAR.trade, violations=violations),
    commands=replace(
        BAZAAR.commands, handlers=dict([handler(BeginDay, begin_day)]), apply=apply, narrate=narrate, board=board
    ),
    setup=Setup(begun=lambda table: days(table) > 0, steps=steps),
)  # fmt: skip
