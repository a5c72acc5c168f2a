"""What an offer would make of one side's own goods."""

from __future__ import annotations

from bot.rules.features.offers.state import exchange_of, trade_of
from bot.rules.model.goods import NOTHING
from bot.rules.model.offers import Offer
from bot.rules.model.table import Table
from bot.rules.registry import game_of, games
from bot.rules.views import BalanceView


def balances(table: Table, offer: Offer, seat: str) -> tuple[BalanceView, ...]:
    """Return how many of each component this seat has now and would have after the trade.

    Empty while it is open who the two are or which cards are handed over, when this seat does not have what it would
    give, and where the table's game is not installed, which alone knows what a trade does. It rests
    on the seat's own goods, so it is for that seat alone.
    """
    if table.game not in games():
        return ()
    trade, held = trade_of(offer, seat), table.seats[seat].holdings
    if not trade.second or not table.tracked or exchange_of(table) is not None or held.missing(trade.gives(seat)):
        return ()
    settled = game_of(table).trade.settle(table, trade)
    parts = [each[seat] for each in (settled.changes, settled.hidden) if seat in each]
    lost, gained = (sum((getattr(part, what) for part in parts), NOTHING) for what in ("lost", "gained"))
    after = {token: held.count(token) - lost.count(token) + gained.count(token) for token in (*gained, *lost)}
    return tuple(BalanceView(token, held.count(token), count) for token, count in after.items())
