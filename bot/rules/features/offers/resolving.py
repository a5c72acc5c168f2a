"""What follows when both have signed: the transaction, or what is still missing for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bot.rules.entries import Entry
from bot.rules.features.offers.ends import between
from bot.rules.features.offers.entries import OfferAgreed, OfferVoided, Period, Signed, Transaction
from bot.rules.features.offers.state import exchange_of, to_hand_over, trade_of
from bot.rules.features.offers.terms import promises
from bot.rules.game import Trade
from bot.rules.model.goods import Goods
from bot.rules.model.offers import Offer
from bot.rules.model.table import Table
from bot.rules.registry import game_of


def period(table: Table) -> Period:
    """Return what is going on at the table now."""
    return Period(kind=table.window.kind, phase=table.phase, holder=table.window.holder)


def signature(table: Table, offer: Offer, seat: str) -> Signed:
    """Return this seat's signature to the offer, good for this window."""
    return Signed(
        offer=offer.number, revision=offer.revision, seat=seat, window=table.window.number, during=period(table),
        between=between(offer),
    )  # fmt: skip


def agreement(offer: Offer, seat: str) -> OfferAgreed:
    """Return that this seat agrees to the offer without signing it."""
    return OfferAgreed(offer=offer.number, revision=offer.revision, seat=seat, between=between(offer))


def confirms_twice(table: Table) -> bool:
    """Return whether everything is confirmed once more; handing over is a confirmation in itself."""
    return table.settings.confirm == "twice" and exchange_of(table) is None


def resolution(table: Table, number: int, overruled: tuple[str, ...], *, confirmed: bool = False) -> list[Entry]:
    """Return what follows once both have signed: the transaction, or nothing while a part is to be handed over.

    Where what one side handed over has gone elsewhere since, the offer is void. ``confirmed``: the last signature
    confirms what both had agreed to.
    """
    offer, exchange = table.offers[number], exchange_of(table)
    trade = trade_of(offer)
    if exchange is None:
        return list(_resolved(table, offer, trade, overruled, confirmed=confirmed))
    if to_hand_over(table, offer):
        return []
    handed = {seat: offer.handed[seat] for seat in (trade.first, trade.second)}
    missing = {seat: exchange.hand(table, seat).missing(goods) for seat, goods in handed.items()}
    if gone := {seat: goods for seat, goods in missing.items() if goods}:
        return [OfferVoided(offer=number, between=(trade.first, trade.second), reasons=_reasons(table, gone))]
    actual = replace(trade, first_gives=handed[trade.first], second_gives=handed[trade.second])
    return list(_resolved(table, offer, actual, overruled))


def _reasons(table: Table, gone: dict[str, Goods]) -> dict[str, str]:
    """Return why what was handed over can't change hands any more, for each seat whose part has gone elsewhere."""
    describe = game_of(table).goods.describe
    return {
        seat: f"Of what you had handed over, {describe(missing)} left your hand since."
        for seat, missing in gone.items()
    }


def _resolved(
    table: Table, offer: Offer, trade: Trade, overruled: tuple[str, ...], *, confirmed: bool = False
) -> Iterable[Entry]:
    """Yield the transaction, and its terms as the deals that remain."""
    game = game_of(table)
    settled = game.trade.settle(table, trade)
    yield Transaction(
        number=table.transactions + 1,
        offer=offer.number,
        revision=offer.revision,
        window=table.window.number,
        during=period(table),
        first=trade.first,
        second=trade.second,
        given={seat: game.redact(trade.gives(seat)) for seat in (trade.first, trade.second)},
        changes=settled.changes,
        hidden=settled.hidden,
        permits=settled.permits,
        counts=settled.counts,
        overruled=overruled,
        negotiation=offer.negotiation,
        private=offer.private,
        confirmed=confirmed,
    )
    if not (offer.private and game.trade.private_offers):  # else all would learn that there were any terms
        yield from promises(table, offer, trade.second)
