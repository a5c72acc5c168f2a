"""A fair, held day by day, with open goods, named stalls and a picture on the board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from bourse_fair_picture import Fair, draw

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
    TableView,
    Trade,
    TradeRules,
    Violation,
    button,
    not_known,
    one_line,
    own_seat,
    parse,
    part,
    quoted,
    replace,
    require_host,
    with_part,
)

TEN = 10
"""How many coins a purse holds. Nobody opens one, and a purse is counted as one."""

SEATS = {
    id: SeatOption(id, f"{id.capitalize()} stall", id.capitalize())
    for id in ("red", "green", "blue")
}
VOUCHERS = {f"voucher:{seat}": seat for seat in SEATS}
GOODS = ("silk", "spice", "coins", *VOUCHERS)
RULES = {
    "1": Rule(
        number="1", title="Have it", text="Give what you have.", refusable=True, source="The fair"
    ),
    "2": Rule(
        number="2", title="No idle calls", text="Give something.", refusable=True, source="The fair"
    ),
    "3": Rule(
        number="3",
        title="A stall's name",
        text="Up to 30 letters, no commas, and no other stall's.",
        refusable=True,
        source="The fair",
    ),
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


# ---------------------------------------------------------------- what stalls are called


@dataclass(frozen=True, slots=True)
class Signs(StatePart):
    """What is written on the stalls, by seat."""

    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NameStall(Command):
    """Call one's own stall something."""

    name: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        seat, name = own_seat(table, caller), one_line(self.name)
        others = words(table)
        del others[seat.id]
        # those part goods from each other
        if not 1 <= len(name) <= 30 or any(sign in name for sign in ",;+&"):
            raise Refused(
                "3",
                "A stall's name has 1 to 30 letters, and no commas.",
                "For example: The Golden Thread.",
            )
        if name.casefold() in map(str.casefold, others.values()):
            taken = f"There is a stall {quoted(name)} already."
            raise Refused("3", taken, "Think of another name.")
        return [StallNamed(seat=seat.id, name=name)]


class StallNamed(Entry):
    """A player named their stall."""

    kind: Literal["fair.stall.named"] = "fair.stall.named"
    seat: str
    name: str

    def apply(self, table: Table) -> Table:
        names = {**part(table, Signs).names, self.seat: self.name}
        return with_part(table, Signs(names))

    def sentence(self, ruler: str) -> str:
        return f"<seat:{self.seat}> calls their stall {quoted(self.name)}."


def words(table: Table) -> dict[str, str]:
    """Return what `<word:red>` stands for: what is written on the stall, or its own name."""
    names = {id: seat.name for id, seat in SEATS.items()}
    return {**names, **part(table, Signs).names}


# ---------------------------------------------------------------- the board


def public(table: Table) -> Fair:
    return Fair(part(table, Days).begun, tuple(words(table).items()))


def board(table: Table) -> BoardView:
    next_day = MenuItem("Next day", Press(table.id, BeginDay()), "host")
    stalls = ", ".join(f"<word:{id}>" for id in SEATS)
    return BoardView(
        (),
        heading=f"Day {part(table, Days).begun}",
        menu=(next_day,),
        pictured=f"Stalls: {stalls}.",
    )


def begun(table: Table) -> bool:
    return part(table, Days).begun > 0


def steps(table: Table) -> list[StepView]:
    begin = button("Open the fair", table, BeginDay())
    return [StepView("First day", ("The host opens it.",), False, (begin,), hosts=True)]


# ---------------------------------------------------------------- goods and trade


def read(text: str, seats: Collection[str], giver: str | None, aliases: Mapping[str, str]) -> Goods:
    tokens = {"silk": "silk", "spice": "spice", "coins": "coins", "coin": "coins"}
    stalls = {id: id for id in SEATS}
    stalls.update(aliases)
    for name, seat in stalls.items():
        tokens[f"voucher of {name}"] = f"voucher:{seat}"
        tokens[f"vouchers of {name}"] = f"voucher:{seat}"
    goods = NOTHING
    for each in parse(text, knows=lambda name: name.casefold() in tokens):
        token, count = tokens.get(each.what.casefold()), each.count
        if token is None:
            raise not_known(each, tuple(tokens), (), "For example: 2 silk, 10 coins.")
        if token == "coins" and count % TEN:
            no_tens = f"Coins come in tens, and {count} are no tens."
            raise Refused("", no_tens, "For example: 20 coins.")
        goods += Goods({token: count // worth(token)})
    return goods


def read_here(view: TableView, text: str, giver: str | None, aliases: Mapping[str, str]) -> Goods:
    """Read goods at a table, where the names of its stalls are known."""
    names = {name.casefold(): id for id, name in view.names.words.items()}
    return read(text, SEATS, giver, {**aliases, **names})


def describe(goods: Goods) -> str:
    words = []
    for token, count in goods.items():
        words.append(f"{count * worth(token)} {called(token, count)}")
    return ", ".join(words) or "nothing"


def worth(token: str) -> int:
    return TEN if token == "coins" else 1


def called(token: str, count: int) -> str:
    if token not in VOUCHERS:
        return token
    return f"{'voucher' if count == 1 else 'vouchers'} of <word:{VOUCHERS[token]}>"


def short(table: Table, seat: str, goods: Goods) -> list[Violation]:
    if not table.tracked or not seat or not table.seats[seat].holdings.missing(goods):
        return []
    reason = f"<seat:{seat}> does not have that."
    return [Violation("1", reason, short=True, action="holdings", about=seat)]


def violations(table: Table, trade: Trade) -> list[Violation]:
    found = [
        *short(table, trade.first, trade.first_gives),
        *short(table, trade.second, trade.second_gives),
    ]
    if not trade.first_gives and not trade.second_gives:
        found.append(Violation("2", "Nobody gives anything here.", permanent=True))
    return found


def settle(table: Table, trade: Trade) -> Settlement:
    first = Change(lost=trade.first_gives, gained=trade.second_gives)
    second = Change(lost=trade.second_gives, gained=trade.first_gives)
    return Settlement({trade.first: first, trade.second: second}, hidden={})


def gain(table: Table, seat: str, goods: Goods) -> Moves:
    return Moves({seat: Change(gained=goods)})


def spend(table: Table, seat: str, goods: Goods) -> Moves:
    if found := short(table, seat, goods):
        raise Refused.because(found[0])
    return Moves({seat: Change(lost=goods)})


def correct(table: Table, seat: str, goods: Goods) -> Moves:
    has = table.seats[seat].holdings
    change = Change(lost=goods.missing(has), gained=has.missing(goods))
    return Moves({seat: change})


def suggest(seat: SeatView, beside: Goods) -> list[Suggestion]:
    left = beside.common(seat.open).missing(seat.open)
    return [suggestion(token, count) for token, count in left.items()]


def suggestion(token: str, most: int) -> Suggestion:
    one, several = called(token, 1), called(token, 2)
    return Suggestion(token, one, several, most=most, step=worth(token))


GAME = Game(
    api=1,
    info=GameInfo(
        id="fair",
        name="Fair",
        phases=("night", "day"),
        own_phases=frozenset({"night", "day"}),
        rulebook=lambda: RULES,
        settings=frozenset({"rulings", "inventory", "open_on_close"}),
        help={"start": "Take a seat: **/table sit**. The host opens the fair: **/day next**."},
        example="2 silk",
        command_groups=frozenset({"day", "stall"}),
    ),
    seats=Seats(
        every=lambda: tuple(SEATS.values()),
        find=lambda id: SEATS.get(id.casefold()),
        start=lambda seat, settings: Goods(
            {"silk": 3, "spice": 3, "coins": 5, f"voucher:{seat}": 1}
        ),
    ),
    goods=GoodsLanguage(
        read=read,
        describe=describe,
        describe_holdings=lambda seat: [describe(seat.open)],
        suggest=suggest,
        every=lambda view: [suggestion(token, COUNT_MAX) for token in GOODS],
        cards=lambda seat: seat.known,
        read_here=read_here,
    ),
    holdings=Holdings(gain=gain, spend=spend, correct=correct),
    trade=TradeRules(violations=violations, settle=settle, pairwise=False),
    commands=Commands(board=board),
    features=Features(
        (
            Feature(state=Days, commands=(BeginDay,), entries=(DayBegun,)),
            Feature(state=Signs, commands=(NameStall,), entries=(StallNamed,)),
        )
    ),
    public=public,
    draw=draw,
    words=words,
    setup=Setup(begun=begun, steps=steps),
)
