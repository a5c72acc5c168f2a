"""Rule 21, commodities: replenished, converted, gained. What trade makes of them is in `transactions`."""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    COUNT_MAX,
    Caller,
    Change,
    Entry,
    Handlers,
    Refused,
    Seat,
    Table,
    handler,
    is_host,
    own_seat,
    require_tracked,
    seat_meant,
)
from bot.games.ti4.commands import Convert, GainCommodities, Replenish
from bot.games.ti4.components import COMMODITY, commodities, trade_goods
from bot.games.ti4.entries import CommoditiesGained, Converted, ReplenishAsked, Replenished
from bot.games.ti4.holdings import gained
from bot.games.ti4.limits import replenishment
from bot.games.ti4.state import Request, active_seat, state_of


def replenish(table: Table, command: Replenish, caller: Caller) -> Iterable[Entry]:
    """Replenish the caller's own commodities; a host says so for others, and the active player asks them.

    Raises `Refused` for another's seat by anyone else, and when they are asked already.
    """
    require_tracked(table)
    seat = seat_meant(table, command.seat, caller)
    if seat.person == caller.person:
        return replenished(table, seat, by_host=False)
    if is_host(table, caller):
        return replenished(table, seat, by_host=True)
    return [_asked(table, seat, caller)]


def replenished(table: Table, seat: Seat, *, by_host: bool, let_by: str = "") -> Iterable[Entry]:
    """21.3: take as many as are missing to the commodity value. At the maximum that is none, yet it counts [note 2].

    Whoever holds the player's Trade Agreement may then play it (`trade_agreements`). ``let_by`` is the active player
    who lets them, "" for nobody.
    """
    amount = replenishment(table, seat)
    changes = {seat.id: Change(gained=commodities(amount))}
    return [Replenished(seat=seat.id, amount=amount, by_host=by_host, let_by=let_by, changes=changes)]


def convert(table: Table, command: Convert, caller: Caller) -> Iterable[Entry]:
    """Turn the caller's own commodities over. 21.5.3: that is no gain, so nothing follows from it.

    Raises `Refused` for more than they have.
    """
    require_tracked(table)
    seat, amount = own_seat(table, caller), command.amount
    _require_amount(amount)
    held = seat.holdings.count(COMMODITY)
    if amount > held:
        raise Refused("21.5.3", f"You have {held} commodities.", "Only your own can be turned over.")
    change = Change(lost=commodities(amount), gained=trade_goods(amount))
    return [Converted(seat=seat.id, amount=amount, changes={seat.id: change})]


def gain_commodities(table: Table, command: GainCommodities, caller: Caller) -> Iterable[Entry]:
    """Gain commodities by an effect. No Trade Agreement can be played to it.

    Raises `Refused` beyond the commodity value (21.2).
    """
    require_tracked(table)
    seat, amount = own_seat(table, caller), command.amount
    _require_amount(amount)
    change = gained(table, seat.id, commodities(amount))
    return [CommoditiesGained(seat=seat.id, amount=amount, changes={seat.id: change})]


def _asked(table: Table, seat: Seat, caller: Caller) -> ReplenishAsked:
    """Return that the active player lets another replenish. Raises `Refused` for anyone else, and the second time."""
    own = own_seat(table, caller)
    if own.id != active_seat(table):
        raise Refused(
            "", "Only the active player or the host may have somebody else replenish.", "Leave out the player."
        )
    if Request(seat=own.id, other=seat.id) in state_of(table).requests:
        raise Refused("", f"<seat:{seat.id}> has been asked already.", "They press Replenish, or leave it be.")
    return ReplenishAsked(seat=own.id, other=seat.id)


def _require_amount(amount: int) -> None:
    if not 1 <= amount <= COUNT_MAX:
        raise Refused("", f"{amount} is no amount I can move.", f"Write a whole number from 1 to {COUNT_MAX}.")


HANDLERS: Handlers = dict(
    [handler(Replenish, replenish), handler(Convert, convert), handler(GainCommodities, gain_commodities)]
)
