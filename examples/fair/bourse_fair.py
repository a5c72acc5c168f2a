"""A fair, held day by day: open goods, and for what a game can add of its own, a feature with state and a button."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from bot.api import (
    COUNT_MAX,
    NOTHING,
    BoardView,
    Caller,
    Change,
    Command,
    Commands,
    Entry,
    Feature,
    Features,
    Game,
    GameInfo,
    Goods,
    GoodsLanguage,
    Holdings,
    MenuItem,
    Moves,
    Press,
    Refused,
    Rule,
    SeatOption,
    Seats,
    SeatView,
    Settlement,
    Setup,
    StatePart,
    StepView,
    Suggestion,
    Table,
    Trade,
    TradeRules,
    Violation,
    button,
    not_known,
    parse,
    part,
    replace,
    require_host,
    with_part,
)

GOODS = ("silk", "spice")
SEATS = {id: SeatOption(id, f"{id.capitalize()} stall", id.capitalize()) for id in ("red", "green", "blue")}
RULES = {
    "1": Rule(number="1", title="Have it", text="Give what you have.", refusable=True, source="The fair"),
    "2": Rule(number="2", title="No idle calls", text="Give something.", refusable=True, source="The fair"),
}

# ---------------------------------------------------------------- days


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


# ---------------------------------------------------------------- goods and trade


def read(text: str, seats: Collection[str], giver: str | None, aliases: Mapping[str, str]) -> Goods:
    goods = NOTHING
    for each in parse(text, knows=GOODS.__contains__):
        if each.what not in GOODS:
            raise not_known(each, GOODS, (), "For example: 2 silk, 1 spice.")
        goods += Goods({each.what: each.count})
    return goods


def describe(goods: Goods) -> str:
    return ", ".join(f"{count} {token}" for token, count in goods.items()) or "nothing"


def short(table: Table, seat: str, goods: Goods) -> list[Violation]:
    if not table.tracked or not seat or not table.seats[seat].holdings.missing(goods):
        return []
    return [Violation("1", f"<seat:{seat}> does not have that.", short=True, action="holdings", about=seat)]


def violations(table: Table, trade: Trade) -> list[Violation]:
    found = [*short(table, trade.first, trade.first_gives), *short(table, trade.second, trade.second_gives)]
    if not trade.first_gives and not trade.second_gives:
        found.append(Violation("2", "Nobody gives anything here.", permanent=True))
    return found


def settle(table: Table, trade: Trade) -> Settlement:
    both = (trade.first, trade.second)
    changes = {seat: Change(lost=trade.gives(seat), gained=trade.gives(trade.other(seat))) for seat in both}
    return Settlement(changes, hidden={})


def gain(table: Table, seat: str, goods: Goods) -> Moves:
    return Moves({seat: Change(gained=goods)})


def spend(table: Table, seat: str, goods: Goods) -> Moves:
    if found := short(table, seat, goods):
        raise Refused.because(found[0])
    return Moves({seat: Change(lost=goods)})


def correct(table: Table, seat: str, goods: Goods) -> Moves:
    has = table.seats[seat].holdings
    return Moves({seat: Change(lost=goods.missing(has), gained=has.missing(goods))})


def suggest(seat: SeatView, beside: Goods) -> list[Suggestion]:
    left = beside.common(seat.open).missing(seat.open)
    return [Suggestion(token, token, token, most=count, usual=count) for token, count in left.items()]


GAME = Game(
    api=1,
    info=GameInfo(
        id="fair", name="Fair", phases=("night", "day"), own_phases=frozenset({"night", "day"}),
        rulebook=lambda: RULES,
        settings=frozenset({"rulings", "inventory", "open_on_close"}),
        help={"start": "Take a seat: **/table sit**. The host opens the fair: **/day next**."}, example="2 silk",
        command_groups=frozenset({"day"}),
    ),
    seats=Seats(
        every=lambda: tuple(SEATS.values()), find=lambda id: SEATS.get(id.casefold()),
        start=lambda *_: Goods(dict.fromkeys(GOODS, 3)),
    ),
    goods=GoodsLanguage(
        read=read, describe=describe, describe_holdings=lambda seat: [describe(seat.open)], suggest=suggest,
        every=lambda view: [Suggestion(token, token, token, most=COUNT_MAX) for token in GOODS],
        cards=lambda seat: seat.known,
    ),
    holdings=Holdings(gain=gain, spend=spend, correct=correct),
    trade=TradeRules(violations=violations, settle=settle, pairwise=False),
    commands=Commands(board=board),
    features=Features((Feature(state=Days, commands=(BeginDay,), entries=(DayBegun,)),)),
    public=lambda table: part(table, Days).begun,
    setup=Setup(begun=lambda table: part(table, Days).begun > 0, steps=steps),
)  # fmt: skip
