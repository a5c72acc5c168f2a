"""Rule 21, commodities: replenished, converted, gained. What trade makes of them is in `transactions`."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.access import is_host, require_tracked
from bot.rules.commands import Caller, Handlers, handler
from bot.rules.entries import Entry
from bot.rules.games.ti4.commands import Convert, GainCommodities, Replenish
from bot.rules.games.ti4.components import COMMODITY, commodities, trade_goods
from bot.rules.games.ti4.entries import CommoditiesGained, Converted, NotePlayed, ReplenishAsked, Replenished
from bot.rules.games.ti4.holdings import gained
from bot.rules.games.ti4.limits import replenishment, unlimited
from bot.rules.games.ti4.state import Request, active_seat, state_of
from bot.rules.lookup import own_seat, seat_meant
from bot.rules.model.goods import COUNT_MAX, Goods
from bot.rules.model.seats import Change, Seat
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused


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

    It sets off the player's Trade Agreement if another holds it: all their commodities go there, as trade goods.
    ``let_by`` is the active player who lets them, "" for nobody.
    """
    held, amount = seat.holdings.count(COMMODITY), replenishment(table, seat)
    changes = {seat.id: Change(gained=commodities(amount))}
    yield Replenished(seat=seat.id, amount=amount, by_host=by_host, let_by=let_by, changes=changes)
    # Where there is no limit, only what has just been replenished goes to the holder [Age of Commerce].
    yield from _trade_agreement(table, seat.id, amount if unlimited(table, seat.id) else held + amount)


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
    """Gain commodities by an effect. It does not set off Trade Agreement.

    Raises `Refused` beyond the commodity value (21.2).
    """
    require_tracked(table)
    seat, amount = own_seat(table, caller), command.amount
    _require_amount(amount)
    change = gained(table, seat.id, commodities(amount))
    return [CommoditiesGained(seat=seat.id, amount=amount, changes={seat.id: change})]


def _trade_agreement(table: Table, owner: str, amount: int) -> Iterable[Entry]:
    """Give this many commodities, all that the owner has after replenishing, to the holder of their Trade Agreement.

    Also when it is none, the holder gives the note back. 21.6: commodities that an effect gives become trade goods
    too. It is no transaction, so the two need not be neighbours.
    """
    note = f"note:trade_agreement:{owner}"
    holder = next((seat for seat in table.seats.values() if note in seat.holdings), None)
    if holder is None or holder.id == owner:
        return
    card = Goods({note: 1})
    changes = {
        owner: Change(lost=commodities(amount), gained=card),
        holder.id: Change(lost=card, gained=trade_goods(amount)),
    }
    yield NotePlayed(seat=holder.id, note=note, stays=False, changes=changes)


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
