"""How holdings change outside of trade: by the host's word, by gain and by loss."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.access import require_host, require_tracked
from bot.rules.audits.audit import require_look
from bot.rules.commands import Caller, Handlers, handler
from bot.rules.entries import Entry
from bot.rules.holdings.commands import Gain, SetHoldings, Spend
from bot.rules.holdings.entries import Corrected, Gained, Spent
from bot.rules.lookup import own_seat, taken_seat
from bot.rules.model.goods import Goods
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of


def set_holdings(table: Table, command: SetHoldings, caller: Caller) -> Iterable[Entry]:
    """Set what a seat has, for all to see. Nothing follows from it.

    Raises `Refused` unless a host asks, for an empty seat, where holdings are not counted, for goods that a seat can't
    have, and for a hidden hand unless the host plays or has a recorded look.
    """
    require_host(table, caller, "set what somebody has")
    require_tracked(table)
    seat, game = taken_seat(table, command.seat), game_of(table)
    if game.hidden and (game.hidden.nothing_open or game.open_goods(command.goods) != command.goods):
        require_look(table, seat, caller)
    moves = game.holdings.correct(table, seat.id, command.goods)
    return [
        Corrected(
            seat=seat.id, changes=moves.changes, hidden=moves.hidden, hidden_named=moves.hidden_named,
            reason=command.reason, before=game.open_goods(seat.holdings), after=game.open_goods(command.goods),
        )
    ]  # fmt: skip


def gain(table: Table, command: Gain, caller: Caller) -> Iterable[Entry]:
    """Gain goods outside a transaction: from a card or the supply.

    Raises `Refused` for no goods, for those that the game does not let a seat gain, and where holdings are not counted.
    """
    require_tracked(table)
    seat = own_seat(table, caller)
    _require_some(table, command.goods)
    moves = game_of(table).holdings.gain(table, seat.id, command.goods)
    return [Gained(seat=seat.id, changes=moves.changes, hidden=moves.hidden)]


def spend(table: Table, command: Spend, caller: Caller) -> Iterable[Entry]:
    """Spend goods outside a transaction.

    Raises `Refused` for no goods, for those that the seat can't spend, and where holdings are not counted.
    """
    require_tracked(table)
    seat = own_seat(table, caller)
    _require_some(table, command.goods)
    moves = game_of(table).holdings.spend(table, seat.id, command.goods)
    return [Spent(seat=seat.id, changes=moves.changes, hidden=moves.hidden)]


def _require_some(table: Table, goods: Goods) -> None:
    if not goods:
        raise Refused("", "That is nothing.", f"Name some, for example: {game_of(table).info.example}.")


HANDLERS: Handlers = dict([handler(SetHoldings, set_holdings), handler(Gain, gain), handler(Spend, spend)])
