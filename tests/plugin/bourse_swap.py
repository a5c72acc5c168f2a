"""A game of an outside package: two colours, everything open, everybody trades with everybody at any time.

It uses what `bot.rules` offers to games and nothing else. It is played by
`tests/plugin/test_plugin.py`, and its types are checked by `tests/typing`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from bot.rules.access import require_host
from bot.rules.commands import Caller, Command, handler
from bot.rules.entries import Entry
from bot.rules.game import (
    Commands,
    Game,
    GameInfo,
    GoodsLanguage,
    Holdings,
    Moves,
    SeatOption,
    Seats,
    Settlement,
    Trade,
    TradeRules,
)
from bot.rules.model.actions import Action, LabelledAction
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.seats import Change
from bot.rules.model.table import GameState, Table
from bot.rules.model.violation import Refused, Violation
from bot.rules.views import BoardView, EntryView, SeatView
from data import Rule

COLOURS = ("red", "blue")
SEATS = [SeatOption("north", "The North", "North"), SeatOption("south", "The South", "South")]


@dataclass(frozen=True, slots=True)
class SwapState(GameState):
    """``rounds`` is how many rounds were begun."""

    rounds: int = 0


@dataclass(frozen=True, slots=True)
class BeginRound(Command):
    """Begin a round. Needs the host."""


@dataclass(frozen=True, slots=True)
class RoundAction(Action):
    """The button that begins a round."""

    name = "swap.round"


class RoundBegun(Entry):
    """A round began."""

    kind: Literal["swap.round.begun"] = "swap.round.begun"
    number: int


def state_of(table: Table) -> SwapState:
    assert isinstance(table.state, SwapState)
    return table.state


def begin_round(table: Table, command: BeginRound, caller: Caller) -> Iterable[Entry]:
    require_host(table, caller, "begin a round")
    return [RoundBegun(number=state_of(table).rounds + 1)]


def apply(table: Table, entry: Entry) -> Table:
    if isinstance(entry, RoundBegun):
        return replace(table, state=SwapState(rounds=entry.number))
    return table


def narrate(entry: EntryView) -> str:
    return f"Round {entry.entry.number} began." if isinstance(entry.entry, RoundBegun) else ""


def board(table: Table) -> BoardView:
    lines = (f"Round {state_of(table).rounds}",)
    return BoardView(lines, (LabelledAction("Next round", RoundAction(table.id)),))


def read(text: str, seats: Collection[str], giver: str | None, aliases: Mapping[str, str]) -> Goods:
    goods = NOTHING
    for piece in filter(None, (piece.strip() for piece in text.split(","))):
        match = re.fullmatch(r"(\d*) ?(red|blue)", piece)
        if match is None:
            raise Refused("", f"“{piece}” is nothing here.", "Write red or blue, for example: 2 red, blue.")
        goods += Goods({match[2]: int(match[1] or 1)})
    return goods


def describe(goods: Goods) -> str:
    return ", ".join(f"{count} {colour}" for colour, count in goods.items()) or "nothing"


def describe_holdings(seat: SeatView) -> list[str]:
    return [describe(seat.known)]


def suggest(seat: SeatView | None) -> list[str]:
    return list(COLOURS if seat is None else seat.known)


def violations(table: Table, trade: Trade) -> list[Violation]:
    found = []
    for seat in filter(None, (trade.first, trade.second)):
        if table.tracked and (missing := table.seats[seat].holdings.missing(trade.gives(seat))):
            reason = f"<seat:{seat}> is short of {describe(missing)}."
            found.append(Violation("1", reason, short=True, action="holdings", about=seat))
    if not trade.first_gives and not trade.second_gives:
        found.append(Violation("2", "Nobody gives anything here.", permanent=True))
    return found


def settle(table: Table, trade: Trade) -> Settlement:
    changes = {
        seat: Change(lost=trade.gives(seat), gained=trade.gives(trade.other(seat)))
        for seat in (trade.first, trade.second)
    }
    return Settlement(changes=changes, hidden={})


def gain(table: Table, seat: str, goods: Goods) -> Moves:
    return Moves({seat: Change(gained=goods)})


def spend(table: Table, seat: str, goods: Goods) -> Moves:
    if missing := table.seats[seat].holdings.missing(goods):
        raise Refused("", f"You are short of {describe(missing)}.")
    return Moves({seat: Change(lost=goods)})


def correct(table: Table, seat: str, goods: Goods) -> Moves:
    before = table.seats[seat].holdings
    return Moves({seat: Change(lost=goods.missing(before), gained=before.missing(goods))})


def find(text: str) -> SeatOption | None:
    return next((seat for seat in SEATS if text.casefold() in (seat.id, seat.name.casefold())), None)


def every() -> Sequence[SeatOption]:
    return SEATS


def rulebook() -> Mapping[str, Rule]:
    texts = {"1": "Give what you have.", "2": "Give something."}
    return {
        number: Rule(number=number, title=text, text=text, refusable=True, source="the box")
        for number, text in texts.items()
    }


GAME = Game(
    info=GameInfo(
        id="swap",
        name="Swap",
        state=SwapState,
        entries=(RoundBegun,),
        actions=(RoundAction,),
        phases=("play",),
        settings=frozenset({"rulings", "inventory", "open_on_close"}),
        rulebook=rulebook,
        help={"start": "Take a seat and swap."},
        example="2 red, blue",
        command_groups=frozenset({"round"}),
    ),
    seats=Seats(every=every, find=find, start=lambda seat: Goods(dict.fromkeys(COLOURS, 3))),
    goods=GoodsLanguage(
        read=read,
        describe=describe,
        describe_holdings=describe_holdings,
        suggest=suggest,
        cards=lambda seat: seat.known,
    ),
    holdings=Holdings(gain=gain, spend=spend, correct=correct),
    trade=TradeRules(violations=violations, settle=settle, pairwise=False),
    commands=Commands(
        handlers=dict([handler(BeginRound, begin_round)]),
        apply=apply,
        narrate=narrate,
        board=board,
        rule_status=lambda table, number: "",
    ),
)
