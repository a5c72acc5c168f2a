"""Rule 21, commodities: replenished, gained, converted. What trade makes of them stands with the transactions."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.entries import Entry
from bot.rules.games.ti4.commands import Convert, GainCommodities, Replenish
from bot.rules.games.ti4.components import COMMODITY, TRADE_GOOD
from bot.rules.games.ti4.entries import CommoditiesGained, Converted, NotePlayed, Replenished
from bot.rules.games.ti4.holdings import commodity_value, gained
from bot.rules.games.ti4.state import active_seat
from bot.rules.goods import MOST, Goods
from bot.rules.ruling import Refused
from bot.rules.seats import own_seat, require_tracked, rules_the_table, seat_of
from bot.rules.table import Change, Table


def replenish(table: Table, command: Replenish) -> Iterable[Entry]:
    """21.3: take as many as are missing to the commodity value; 21 note 2: at the maximum none, yet it counts.

    It sets off the player's Trade Agreement if another holds it: all their commodities go there, as trade goods.
    """
    require_tracked(table)
    seat = seat_of(table, command.person)
    asks = table.seat_of(command.by)
    active = asks is not None and asks.id == active_seat(table)
    if command.person != command.by and not active and not rules_the_table(table, command):
        raise Refused(
            "", "Only the active player or the host may have somebody else replenish.", "Leave out the player."
        )
    held = seat.holdings.count(COMMODITY)
    amount = max(0, commodity_value(table, seat.id) - held)
    yield Replenished(seat=seat.id, amount=amount, changes={seat.id: Change(gained=_commodities(amount))})
    yield from _trade_agreement(table, seat.id, held + amount)


def _trade_agreement(table: Table, owner: str, commodities: int) -> Iterable[Entry]:
    """When the owner replenishes, also at zero, who holds their Trade Agreement gets all of it, and gives it back.

    21.6: given by an effect, commodities become trade goods too. It is no transaction and asks for no neighbours.
    """
    note = f"note:trade_agreement:{owner}"
    holder = next((seat for seat in table.seats.values() if note in seat.holdings), None)
    if holder is None or holder.id == owner:
        return
    card = Goods({note: 1})
    yield NotePlayed(
        seat=holder.id,
        note=note,
        stays=False,
        changes={
            owner: Change(lost=_commodities(commodities), gained=card),
            holder.id: Change(lost=card, gained=_trade_goods(commodities)),
        },
    )


def convert(table: Table, command: Convert) -> Iterable[Entry]:
    """21.5.3: turning one's own commodities over is no gain, so nothing follows from it."""
    require_tracked(table)
    seat = own_seat(table, command)
    amount = _amount(command.amount)
    held = seat.holdings.count(COMMODITY)
    if amount > held:
        raise Refused("21.5.3", f"You have {held} commodities.", "Only your own can be turned over.")
    change = Change(lost=_commodities(amount), gained=_trade_goods(amount))
    return [Converted(seat=seat.id, amount=amount, changes={seat.id: change})]


def gain_commodities(table: Table, command: GainCommodities) -> Iterable[Entry]:
    """Commodities gained by an effect, up to the commodity value (21.2). Trade Agreement does not heed it."""
    require_tracked(table)
    seat = own_seat(table, command)
    amount = _amount(command.amount)
    return [
        CommoditiesGained(seat=seat.id, amount=amount, changes={seat.id: gained(table, seat.id, _commodities(amount))})
    ]


def _amount(amount: int) -> int:
    if not 1 <= amount <= MOST:
        raise Refused("", f"{amount} is no amount I can move.", f"Write a whole number from 1 to {MOST}.")
    return amount


def _commodities(amount: int) -> Goods:
    return Goods({COMMODITY: amount} if amount else {})


def _trade_goods(amount: int) -> Goods:
    return Goods({TRADE_GOOD: amount} if amount else {})
