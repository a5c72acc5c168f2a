"""Holdings, and their changes outside of trade: set by the host, gained, spent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, ClassVar

from pydantic import Field

from bot.rules.access import own_seat, require_host, require_tracked, taken_seat
from bot.rules.commands import Caller, Command
from bot.rules.entries import Entry, Reference, Sealed, reference
from bot.rules.feature import Feature
from bot.rules.features.audits import require_look
from bot.rules.model.debts import words_of
from bot.rules.model.goods import NOTHING, Change, Goods
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of


class GoodsMoved(Entry):
    """Anything that changes holdings. ``hidden`` are the changes that only the seat itself may
    know.

    ``always``: it moves goods also where holdings are not counted, since it changes which there
    are.

    >>> class Stolen(GoodsMoved):
    ...     kind = "bazaar.stolen"
    >>> Stolen(changes={"red": Change(lost=Goods({"silk": 2}))}).apply(table).seats["red"].holdings
    Goods({})
    """

    always: ClassVar[bool] = False
    changes: dict[str, Change] = Field(default_factory=dict)
    hidden: Annotated[dict[str, Change] | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """Return each seat whose hidden goods changed."""
        return frozenset(self.hidden or ())

    def seats(self) -> frozenset[str]:
        """Return each seat whose goods changed for all to see."""
        return frozenset(self.changes)

    def moves_text(self, describe: Callable[[Goods], str], teams: Mapping[str, str]) -> str:
        """Return a sentence that names the open goods, which ``describe`` puts into the game's
        words; empty to let `sentence` tell it.

        ``teams`` has all taken seats, and the team of each, if it has one.
        """
        return ""

    def redacted(self, seats: frozenset[str]) -> Entry:
        """Return the entry with the hidden changes of these seats only."""
        changes = self.hidden or {}
        hidden = {seat: change for seat, change in changes.items() if seat in seats}
        return self if hidden == self.hidden else self.model_copy(update={"hidden": hidden})

    def apply(self, table: Table) -> Table:
        """Return the table after the goods have moved; where holdings are not counted, nothing
        changes.
        """
        if not table.tracked and not self.always:
            return table
        seats = dict(table.seats)
        hidden = self.hidden or {}
        for id, change in (*self.changes.items(), *hidden.items()):
            seat = seats[id]
            holdings = seat.holdings - change.lost + change.gained
            in_play = seat.in_play - change.left_play + change.entered_play
            seats[id] = replace(seat, holdings=holdings, in_play=in_play)
        return replace(table, seats=seats)


class GoodsOfSeat(GoodsMoved):
    """One seat's goods changed, and perhaps another's with them.

    >>> class Taxed(GoodsOfSeat):
    ...     kind = "bazaar.taxed"
    >>> taxed = Taxed(seat="red", changes={"red": Change(lost=Goods({"silk": 1}))})
    >>> taxed.apply(table).seats["red"].holdings
    Goods({'silk': 1})
    """

    seat: str

    def seats(self) -> frozenset[str]:
        """Return the seat, and the others whose goods changed for all to see."""
        return frozenset({self.seat, *self.changes})


class _HoldingsEntry(GoodsOfSeat):
    """A seat's goods changed by a command about its holdings."""

    def subject(self) -> Reference | None:
        """Return the seat."""
        return reference("seat", self.seat)


class SetHoldings(Command):
    """Say what a seat has now, and why. Needs the host.

    >>> [entry] = SetHoldings("green", Goods({"spice": 4})).decide(table, caller)
    >>> entry.after
    Goods({'spice': 4})
    """

    words = ("reason",)
    seat: str
    goods: Goods
    reason: str = ""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Nothing follows from it."""
        require_host(table, caller, "set what a player has")
        require_tracked(table)
        _require_held(self.goods)
        seat, game = taken_seat(table, self.seat), game_of(table)
        all_open = game.open_goods(self.goods) == self.goods
        if game.hidden and (game.hidden.nothing_open or not all_open):
            require_look(table, seat, caller)
        moves = game.holdings.correct(table, seat.id, self.goods)
        after = game.open_goods(self.goods) if moves.after is None else moves.after
        return [
            Corrected(
                seat=seat.id,
                changes=moves.changes,
                hidden=moves.hidden,
                hidden_named=moves.hidden_named,
                reason=self.reason,
                before=game.open_goods(seat.holdings),
                after=after,
            )
        ]


class Corrected(_HoldingsEntry):
    """A host or moderator said what a seat really has: set-up, or the correction of a mistake, with
    its ``reason``.

    ``before`` and ``after`` are what lay open before the seat and lies there now. ``hidden_named``:
    so many hidden cards were named for this hand, where that is public. Which ones is not, nor
    whether it held them already.

    >>> [entry] = SetHoldings("red", Goods({"silk": 3})).decide(table, caller)
    >>> isinstance(entry, Corrected), entry.changes["red"].gained
    (True, Goods({'silk': 1}))
    """

    kind = "holdings.correction"
    hidden_named: int = 0
    reason: str = ""
    before: Goods = NOTHING
    after: Goods = NOTHING

    def moves_play(self) -> bool:
        """Return whether something enters or leaves play."""
        changes = self.changes.values()
        return any(change.entered_play or change.left_play for change in changes)

    def taken_away(self) -> Goods:
        """Return what no longer lies open before the seat."""
        change = self.changes.get(self.seat, Change())
        return change.lost + change.left_play


class Gain(Command):
    """Gain goods other than by trade.

    >>> [entry] = Gain(Goods({"silk": 2})).decide(table, caller)
    >>> entry.kind
    'holdings.gained'
    """

    goods: Goods

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Gain goods outside a transaction: from a card or the supply."""
        require_tracked(table)
        seat = own_seat(table, caller)
        _require_some(table, self.goods)
        moves = game_of(table).holdings.gain(table, seat.id, self.goods)
        return [Gained(seat=seat.id, changes=moves.changes, hidden=moves.hidden)]


class Gained(_HoldingsEntry):
    """A seat gained goods other than by trade. ``declared``: said with one press when a trade was
    short of them.

    >>> Gained(seat="red", changes={"red": Change(gained=Goods({"silk": 1}))}).seat
    'red'
    """

    kind = "holdings.gained"
    declared: bool = False


class Spend(Command):
    """Spend goods other than by trade.

    >>> [entry] = Spend(Goods({"silk": 1})).decide(table, caller)
    >>> entry.kind
    'holdings.spent'
    """

    goods: Goods

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Spend goods outside a transaction."""
        require_tracked(table)
        seat = own_seat(table, caller)
        _require_some(table, self.goods)
        moves = game_of(table).holdings.spend(table, seat.id, self.goods)
        return [Spent(seat=seat.id, changes=moves.changes, hidden=moves.hidden)]


def _require_some(table: Table, goods: Goods) -> None:
    if not goods:
        raise Refused("You named no goods.", f"Name some. Try: {game_of(table).info.example}.")
    _require_held(goods)


def _require_held(goods: Goods) -> None:
    if words_of(goods):
        raise Refused("What is owed is not held.", "Only an offer can say that: **New offer**.")


class Spent(_HoldingsEntry):
    """A seat spent goods other than by trade.

    >>> spent = Spent(seat="red", changes={"red": Change(lost=Goods({"silk": 1}))})
    >>> spent.apply(table).seats["red"].holdings
    Goods({'silk': 1})
    """

    kind = "holdings.spent"


FEATURE = Feature(commands=(SetHoldings, Gain, Spend), entries=(Corrected, Gained, Spent))
