"""A bazaar: two goods, three seats, and everybody trades with everybody."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bot.api import (
    COUNT_MAX,
    NOTHING,
    BoardView,
    Change,
    Commands,
    Game,
    GameInfo,
    Goods,
    GoodsLanguage,
    Holdings,
    Moves,
    Refused,
    Rule,
    SeatOption,
    Seats,
    SeatView,
    Settlement,
    Suggestion,
    Table,
    Trade,
    TradeRules,
    Violation,
    not_known,
    parse,
)

GOODS = ("silk", "spice")
SEATS = {
    id: SeatOption(id, f"{id.capitalize()} stall", id.capitalize())
    for id in ("red", "green", "blue")
}
HAVE_IT = Rule(
    number="1", title="Have it", text="Give what you have.", refusable=True, source="The bazaar"
)


def read(text: str, seats: Collection[str], giver: str | None, aliases: Mapping[str, str]) -> Goods:
    goods = NOTHING
    for part in parse(text, knows=GOODS.__contains__):
        if part.what not in GOODS:
            raise not_known(part, GOODS, (), "For example: 2 silk, 1 spice.")
        goods += Goods({part.what: part.count})
    return goods


def describe(goods: Goods) -> str:
    return ", ".join(f"{count} {token}" for token, count in goods.items()) or "nothing"


def short(table: Table, seat: str, goods: Goods) -> list[Violation]:
    if not table.tracked or not seat or not table.seats[seat].holdings.missing(goods):
        return []
    reason = f"<seat:{seat}> does not have that."
    return [Violation("1", reason, short=True, action="holdings", about=seat)]


def violations(table: Table, trade: Trade) -> list[Violation]:
    return [
        *short(table, trade.first, trade.first_gives),
        *short(table, trade.second, trade.second_gives),
    ]


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
    return [suggestion(token, count, usual=count) for token, count in left.items()]


def suggestion(token: str, most: int, usual: int = 1) -> Suggestion:
    return Suggestion(token, token, token, most=most, usual=usual)


GAME = Game(
    api=1,
    info=GameInfo(
        id="bazaar",
        name="Bazaar",
        phases=("market",),
        rulebook=lambda: {"1": HAVE_IT},
        settings=frozenset({"rulings", "inventory"}),
        help={"start": "Take a seat: **/table sit**."},
        example="2 silk",
    ),
    seats=Seats(
        every=lambda: tuple(SEATS.values()),
        find=lambda id: SEATS.get(id.casefold()),
        start=lambda *_: NOTHING,
    ),
    goods=GoodsLanguage(
        read=read,
        describe=describe,
        describe_holdings=lambda seat: [describe(seat.open)],
        suggest=suggest,
        every=lambda view: [suggestion(token, COUNT_MAX) for token in GOODS],
        cards=lambda _: NOTHING,
    ),
    holdings=Holdings(gain=gain, spend=spend, correct=correct),
    trade=TradeRules(violations=violations, settle=settle, pairwise=False),
    commands=Commands(
        board=lambda table: BoardView(("Everybody may trade.",), heading="The market is open")
    ),
)
