"""A table whose game is not installed: it can be looked at, audited, exported, verified and closed; nothing else.

`stand_in` takes the game's place, and `UnknownEntry` that of its entries. What is secret in such a game is not known:
all holdings count as hidden, and what is sealed in its entries stays in the ledger, it is not even read.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NoReturn

from pydantic import ConfigDict

from bot.rules.commands import Caller, Command
from bot.rules.entries import Entry
from bot.rules.feature import Feature, Features
from bot.rules.game import (
    Commands,
    Game,
    GameInfo,
    GoodsLanguage,
    HiddenHands,
    Holdings,
    Moves,
    SeatOption,
    Seats,
    Settlement,
    Setup,
    Trade,
    TradeRules,
)
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.seats import Seat
from bot.rules.model.table import CORE_SETTINGS, Table
from bot.rules.model.violation import Refused, Violation
from bot.rules.views import BoardView

ALLOWED = frozenset({"CloseTable", "Audit", "Tick"})
"""The commands of the core that such a table still takes, by the names of their classes.

The features import the registry, and it imports this module, which so can't import them. Without the clock's `Tick` an
offer that runs out would stop everything else.
"""

REMEDY = "The host can close it or export its ledger."


class UnknownEntry(Entry):
    """An entry of a game that is not installed: its public part as it was written, and nothing that is sealed.

    It changes nothing when it is applied. Its subject is not known either.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    @property
    def seat(self) -> str | None:
        """The seat it is about, where it names one as entries of the core do."""
        return seat if isinstance(seat := self._written("seat"), str) else None

    @property
    def person(self) -> int | None:
        """The number of the person it is about, where it names one."""
        return person if isinstance(person := self._written("person"), int) else None

    def seats(self) -> frozenset[str]:
        """Return the seat it is about."""
        return frozenset({self.seat} if self.seat else ())

    def _written(self, name: str) -> object:
        return (self.model_extra or {}).get(name)


class Uncounted(Goods):
    """Holdings of which some came by entries that can't be read: taking away more than is there leaves nothing."""

    __slots__ = ()

    def __add__(self, other: Goods) -> Goods:
        return Uncounted(super().__add__(other))

    def __sub__(self, other: Goods) -> Goods:
        return Uncounted(super().__sub__(self.common(other)))


@lru_cache(maxsize=64)
def stand_in(id: str) -> Game:
    """Return what takes the place of the game of this id at its tables."""
    reason = f"This table plays {id}, which is not installed here."

    def refuse() -> NoReturn:
        raise Refused("", reason, REMEDY)

    def read(text: str, seats: Collection[str], giver: str | None, aliases: Mapping[str, str]) -> Goods:
        refuse()

    def change(table: Table, seat: str, goods: Goods) -> Moves:
        refuse()

    def settle(table: Table, trade: Trade) -> Settlement:
        refuse()

    def may(table: Table, command: Command, caller: Caller) -> None:
        if type(command).__name__ not in ALLOWED:
            refuse()

    # "short" makes it hold at a table that only warns, too.
    violation = Violation(rule="", reason=reason, remedy=REMEDY, of_goods=False, short=True)
    return Game(
        info=_info(id, f"{reason} {REMEDY}"),
        seats=Seats(every=lambda: (), find=_seat, start=lambda seat, settings: NOTHING),
        goods=GoodsLanguage(
            read=read,
            describe=_describe,
            describe_holdings=lambda seat: [f"What this seat holds can't be told while {id} is not installed."],
            suggest=lambda seat, beside: [],
            cards=lambda seat: NOTHING,
        ),
        holdings=Holdings(gain=change, spend=change, correct=change),
        trade=TradeRules(
            violations=lambda table, trade: [violation], settle=settle, pairwise=False, private_offers=True
        ),
        commands=Commands(
            board=lambda table: BoardView((f"{reason} {REMEDY}",), trades=False),
            may=may,
        ),
        features=Features((Feature(after=_apply),)),
        setup=Setup(begun=lambda table: True, steps=lambda table: ()),
        hidden=HiddenHands(
            open=lambda goods: NOTHING,
            redact=lambda goods: NOTHING,
            self_reportable=lambda goods: NOTHING,
            wealth=lambda goods: NOTHING,
        ),
    )


def _info(id: str, help: str) -> GameInfo:
    return GameInfo(
        id=id,
        name=id,
        phases=("unknown",),
        settings=frozenset(CORE_SETTINGS),
        rulebook=dict,
        help={"start": help},
        example="2 token",
    )


def _seat(id: str) -> SeatOption | None:
    return SeatOption(id, id.capitalize(), id.capitalize()) if id else None


def _describe(goods: Goods) -> str:
    return ", ".join(f"{count} {token}" for token, count in goods.items()) or "nothing"


def _apply(table: Table, entry: Entry) -> Table:
    """Return the table with holdings that the entries to come can't overdraw."""
    counted = {id: seat for id, seat in table.seats.items() if not isinstance(seat.holdings, Uncounted)}
    if not counted:
        return table
    return replace(table, seats={**table.seats, **{id: _uncounted(seat) for id, seat in counted.items()}})


def _uncounted(seat: Seat) -> Seat:
    return replace(seat, holdings=Uncounted(seat.holdings), in_play=Uncounted(seat.in_play))
