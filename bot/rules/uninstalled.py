"""Tables whose game is not here: not installed, or in a version that can't read them.

They can only be audited, exported, verified and closed, and their host can open another in their
channel. `stand_in` replaces the game, and `UnknownEntry` its entries. Nobody knows what is secret
in such a game, so all holdings count as hidden, and the sealed fields of its entries are not read
from the ledger.

If the installed version can't read an entry, or can't apply one, the table's ``game`` becomes
``bazaar@1.0``: the game's id and the version with which the table was opened. No installed game is
called so.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NoReturn

from pydantic import ConfigDict

from bot.rules.commands import Caller, Command
from bot.rules.entries import Entry
from bot.rules.feature import Feature, Features
from bot.rules.game import (
    API,
    Commands,
    Game,
    GameInfo,
    GoodsLanguage,
    HiddenHands,
    Holdings,
    SeatOption,
    Seats,
    Setup,
    TradeRules,
)
from bot.rules.model.goods import NOTHING, Goods, plainly
from bot.rules.model.table import CORE_SETTINGS, GameState, Table
from bot.rules.model.violation import Refused, Violation
from bot.rules.views import BoardView

ALLOWED = frozenset({"CloseTable", "BeginClosing", "ReopenTable", "Audit", "Tick"})
"""The core's commands that such a table still accepts, by class name.

Names, because an import would be circular: the features import the registry, which imports this
module. Without the clock's `Tick`, an expired offer would block everything else.
"""

REMEDY = "Its host can close it, export its ledger, or open another one in its channel."

ANOTHER_VERSION = "@"
"""Stands in a table's ``game`` between the game's id and its version, if the installed version
can't read the table.
"""


def id_in(game: str) -> str:
    """Return the id in a table's ``game``, without a version.

    >>> id_in("bazaar@1.0")
    'bazaar'
    """
    return game.partition(ANOTHER_VERSION)[0]


def refusal(game: str) -> Refused:
    """Return the refusal of whatever is asked at a table whose game is not here."""
    return Refused(_reason(game), REMEDY)


def _reason(game: str) -> str:
    id, of_another, version = game.partition(ANOTHER_VERSION)
    if not of_another:
        return f"This table plays {id}, which is not installed here."
    opened_with = f"{id} {version}" if version else f"another version of {id}"
    return (
        f"This table was opened with {opened_with}, and the version installed here can't read it."
    )


def unread(table: Table) -> Table:
    """Return the table without its game, from an entry on that the installed version can't read."""
    return replace(table, game=f"{table.game}{ANOTHER_VERSION}{table.version}", state=GameState())


class UnknownEntry(Entry):
    """An entry of a game that is not installed: its public fields as written, without the sealed
    ones.

    Applying it changes nothing. Its subject is unknown.
    """

    model_config = ConfigDict(frozen=True, extra="allow")
    kind: str  # type: ignore[misc]  # of each entry, not of the class

    @property
    def seat(self) -> str | None:
        """The seat it is about, if it has a field ``seat`` like entries of the core."""
        seat = (self.model_extra or {}).get("seat")
        return seat if isinstance(seat, str) else None

    def seats(self) -> frozenset[str]:
        return frozenset({self.seat} if self.seat else ())


class UnreadableEntry(UnknownEntry):
    """An entry that the installed version of its game can't read."""

    def apply(self, table: Table) -> Table:
        return unread(table) if self.kind.startswith(f"{table.game}.") else table


class IncompleteGoods(Goods):
    """Holdings that may be incomplete, because some entries can't be read. Subtracting too much
    leaves nothing.
    """

    __slots__ = ()

    def __add__(self, other: Goods) -> Goods:
        return IncompleteGoods(super().__add__(other))

    def __sub__(self, other: Goods) -> Goods:
        return IncompleteGoods(super().__sub__(self.common(other)))


@lru_cache(maxsize=64)
def stand_in(id: str) -> Game:
    """Return the replacement for the game with this id."""
    reason = _reason(id)

    def refuse(*_: object) -> NoReturn:
        raise refusal(id)

    def may(table: Table, command: Command, caller: Caller) -> None:
        if type(command).__name__ not in ALLOWED:
            refuse()

    # ``short`` makes it apply at tables that only warn, too.
    violation = Violation(rule="", reason=reason, remedy=REMEDY, of_goods=False, short=True)
    return Game(
        api=API,
        info=GameInfo(
            id=id,
            name=id_in(id),
            phases=("unknown",),
            settings=frozenset(CORE_SETTINGS),
            rulebook=dict,
            help={"start": f"{reason} {REMEDY}"},
            example="2 token",
        ),
        seats=Seats(
            every=lambda: (),
            find=lambda id: SeatOption(id, id.capitalize(), id.capitalize()) if id else None,
            start=lambda seat, settings: NOTHING,
        ),
        goods=GoodsLanguage(
            read=refuse,
            describe=plainly,
            describe_holdings=lambda seat: [f"I can't show what this seat holds. {reason}"],
            suggest=lambda seat, beside: [],
            cards=lambda seat: NOTHING,
        ),
        holdings=Holdings(gain=refuse, spend=refuse, correct=refuse),
        trade=TradeRules(
            violations=lambda table, trade: [violation],
            settle=refuse,
            pairwise=False,
            private_offers=True,
        ),
        commands=Commands(
            board=lambda table: BoardView((f"{reason} {REMEDY}",), trades=False), may=may
        ),
        features=Features((Feature(after=_uncounted),)),
        setup=Setup(begun=lambda table: True, steps=lambda table: ()),
        hidden=HiddenHands(
            open=lambda goods: NOTHING,
            redact=lambda goods: NOTHING,
            self_reportable=lambda goods: NOTHING,
            wealth=lambda goods: NOTHING,
        ),
    )


def _uncounted(table: Table, entry: Entry) -> Table:
    """Return the table with `IncompleteGoods` holdings, so that later entries can't overdraw
    them.
    """
    seats = {
        id: replace(
            seat, holdings=IncompleteGoods(seat.holdings), in_play=IncompleteGoods(seat.in_play)
        )
        for id, seat in table.seats.items()
        if not isinstance(seat.holdings, IncompleteGoods)
    }
    return replace(table, seats={**table.seats, **seats}) if seats else table
