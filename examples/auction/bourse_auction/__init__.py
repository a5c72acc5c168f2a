"""An auction: everybody has 10 coins in secret, bids for paintings, and trades both."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bot.api import (
    NOTHING,
    BoardView,
    Chance,
    Change,
    Commands,
    Features,
    Game,
    GameInfo,
    Goods,
    GoodsLanguage,
    HiddenHands,
    Holdings,
    LabelledAction,
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
    StepView,
    Suggestion,
    Table,
    TableView,
    Trade,
    TradeRules,
    Violation,
    button,
    not_known,
    parse,
    part,
)
from bot.api.chance import committed
from bourse_auction.bidding import (
    COIN,
    FEATURES,
    PAINTINGS,
    AskBid,
    Committed,
    Hammer,
    Lots,
    NextLot,
    verify,
)

GOODS = (COIN, *PAINTINGS)
COLOURS = ("red", "green", "blue", "gold")
SEATS = {id: SeatOption(id, id.capitalize(), id.capitalize()) for id in COLOURS}
RULES = {
    number: Rule(number=number, title=title, text=text, refusable=refusable, source="The auction")
    for number, title, text, refusable in (
        (
            "1",
            "What you have",
            "You can give and bid what you have. A bid that you can't pay later does not count.",
            True,
        ),
        ("2", "One bid", "Each player bids once for each painting.", True),
        (
            "3",
            "One painting at a time",
            "You bid while one is up, and the next comes up when it is sold.",
            True,
        ),
        ("4", "Four paintings", "Each comes up once, in an order that chance decides.", True),
        (
            "5",
            "Secret purses",
            "Only you know how many coins you have, and what you bid until the sale.",
            False,
        ),
    )
}


def read(text: str, seats: Collection[str], giver: str | None, aliases: Mapping[str, str]) -> Goods:
    goods = NOTHING
    for each in parse(text, knows=lambda word: word.removesuffix("s") in GOODS):
        token = each.what.removesuffix("s")
        if token not in GOODS:
            raise not_known(each, GOODS, (), "For example: 3 coins, mill.")
        goods += Goods({token: each.count})
    return goods


def describe(goods: Goods) -> str:
    words = []
    coins = goods.count(COIN)
    if coins:
        words.append("1 coin" if coins == 1 else f"{coins} coins")
    words += [f"the {painting}" for painting in paintings(goods)]
    return ", ".join(words) or "nothing"


def every(view: TableView) -> list[Suggestion]:
    return [
        Suggestion(COIN, "coin", "coins", most=40),
        *(Suggestion(each, each) for each in PAINTINGS),
    ]


def suggest(seat: SeatView, beside: Goods) -> list[Suggestion]:
    held = beside.common(seat.known).missing(seat.known)
    suggestions = [Suggestion(painting, painting) for painting in paintings(held)]
    if COIN in held:
        suggestions.insert(0, Suggestion(COIN, "coin", "coins", most=held.count(COIN)))
    return suggestions


# ---------------------------------------------------------------- purses are secret, paintings are


def paintings(goods: Goods) -> Goods:
    return Goods({token: count for token, count in goods.items() if token != COIN})


def moves(changes: Mapping[str, Change]) -> Moves:
    """Return changes with what everybody sees apart from what only the seat itself knows."""
    public, hidden = {}, {}
    for seat, change in changes.items():
        lost, gained = paintings(change.lost), paintings(change.gained)
        public[seat] = Change(lost=lost, gained=gained)
        hidden[seat] = Change(lost=change.lost - lost, gained=change.gained - gained)
    return Moves(public, hidden)


def short(table: Table, seat: str, goods: Goods) -> list[Violation]:
    """Return why a seat can't give these goods. Only its player may read that coins are missing."""
    if not table.tracked or not seat:
        return []
    missing = table.seats[seat].holdings.missing(goods)
    found = []
    if paintings(missing):
        reason = f"<seat:{seat}> does not have {describe(paintings(missing))}."
        found.append(Violation("1", reason, short=True, about=seat))
    if COIN in missing:
        reason = f"<seat:{seat}> does not have so many coins."
        found.append(Violation("1", reason, short=True, known_to=seat, about=seat))
    return found


def gain(table: Table, seat: str, goods: Goods) -> Moves:
    return moves({seat: Change(gained=goods)})


def spend(table: Table, seat: str, goods: Goods) -> Moves:
    if found := short(table, seat, goods):
        raise Refused.because(found[0])
    return moves({seat: Change(lost=goods)})


def correct(table: Table, seat: str, goods: Goods) -> Moves:
    change = Change(lost=table.seats[seat].holdings, gained=goods)
    return moves({seat: change})


def violations(table: Table, trade: Trade) -> list[Violation]:
    return [
        *short(table, trade.first, trade.first_gives),
        *short(table, trade.second, trade.second_gives),
    ]


def settle(table: Table, trade: Trade) -> Settlement:
    first = Change(lost=trade.first_gives, gained=trade.second_gives)
    second = Change(lost=trade.second_gives, gained=trade.first_gives)
    moved = moves({trade.first: first, trade.second: second})
    return Settlement(moved.changes, moved.hidden)


def board(table: Table) -> BoardView:
    lots = part(table, Lots)
    if not lots.up:
        return BoardView(
            (f"{len(PAINTINGS) - len(lots.before)} paintings are still to come.",),
            heading="Between two paintings",
            menu=(
                MenuItem("Next painting", Press(table.id, NextLot(len(lots.before) + 1)), "host"),
            ),
            small=committed(table),
        )
    waiting = [f"<player:{seat}>" for seat in table.seated() if seat not in lots.bids]
    return BoardView(
        (f"Still to bid: {', '.join(waiting)}.",),
        heading=f"The {lots.up} is up",
        buttons=(LabelledAction("Bid", AskBid(table.id, lots.up)),),
        menu=(MenuItem("End the bidding", Press(table.id, Hammer(lots.up)), "host"),),
    )


def begun(table: Table) -> bool:
    return part(table, Lots) != Lots()


def steps(table: Table) -> list[StepView]:
    first = button("First painting", table, NextLot(1))
    return [StepView("First painting", ("The host puts it up.",), False, (first,), hosts=True)]


GAME = Game(
    api=1,
    info=GameInfo(
        id="auction",
        name="Auction",
        phases=("auction",),
        rulebook=lambda: RULES,
        settings=frozenset({"rulings", "inventory", "open_on_close"}),
        help={
            "start": "Take a seat: **/table sit**. The host puts a painting up: **/auction next**."
        },
        example="3 coins",
        command_groups=frozenset({"auction"}),
    ),
    seats=Seats(
        every=lambda: tuple(SEATS.values()),
        find=lambda id: SEATS.get(id.casefold()),
        start=lambda seat, settings: Goods({COIN: 10}),
    ),
    goods=GoodsLanguage(
        read=read,
        describe=describe,
        describe_holdings=lambda seat: [describe(seat.known)],
        suggest=suggest,
        every=every,
        cards=lambda seat: paintings(seat.known),
    ),
    holdings=Holdings(gain=gain, spend=spend, correct=correct),
    trade=TradeRules(violations=violations, settle=settle, pairwise=False, private_offers=True),
    commands=Commands(board=board),
    features=Features(FEATURES),
    hidden=HiddenHands(
        open=paintings, redact=paintings, self_reportable=paintings, wealth=paintings, noun="Coins"
    ),
    setup=Setup(begun=begun, steps=steps, goods=False),
    chance=Chance(commit=Committed.to, verify=verify),
)
