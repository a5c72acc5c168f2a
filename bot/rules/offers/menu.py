"""Which actions a viewer has for an offer. Presentation only draws them."""

from __future__ import annotations

from typing import Literal

from bot.rules.model.actions import Action, OfferAction, OfferMove, PickTaker
from bot.rules.model.offers import Offer
from bot.rules.model.table import Table
from bot.rules.offers.state import both_agree, exchange_of, takers, to_confirm, to_hand_over
from bot.rules.registry import game_of

PICKS_MAX = 10
"""How many takers an offer's card has buttons for; Discord allows 25 buttons under a message."""

Role = Literal["poster", "addressed"] | None
"""The viewer's part in an offer; None for a channel, and for those it is not for."""


def actions(table: Table, offer: Offer, role: Role) -> tuple[Action, ...]:
    """Return what a viewer with this role may do about the offer, whether or not it is possible now."""
    if offer.status == "suspended":
        return () if role == "addressed" else _moves(table, offer, "resume", "withdraw")
    if offer.status == "resolved":
        crowd = role is None and not game_of(table).trade.pairwise
        return () if crowd else _moves(table, offer, "again")
    if offer.status != "open":
        return ()
    seat = {"poster": offer.seat, "addressed": offer.to, None: None}[role]
    if seat is not None and seat in to_hand_over(table, offer):
        return _moves(table, offer, "hand_over", "back_out")
    if seat is not None and exchange_of(table) is None and both_agree(offer):
        return _moves(table, offer, *(("confirm",) if seat in to_confirm(table, offer) else ()), "back_out")
    if to_hand_over(table, offer):  # the other's part is still to come
        return () if role is None else _moves(table, offer, "choose_again", "back_out")
    if offer.private and role is None and game_of(table).trade.private_offers:
        return _moves(table, offer, "show")
    return _open_to(table, offer, role)


def only_show(table: Table, offer: Offer) -> tuple[Action, ...]:
    """Return what there is for a place where nobody may read the offer: each of its two may have it shown to them."""
    return _moves(table, offer, "show") if offer.status == "open" else ()


def _open_to(table: Table, offer: Offer, role: Role) -> tuple[Action, ...]:
    """Return the actions of an open offer. Where goods are handed over, that can be done before it is accepted."""
    early = exchange_of(table) is not None
    theirs = _moves(table, offer, "accept", "counter", *(("decline",) if offer.to else ()))
    own = _moves(table, offer, "alter", "suspend", "withdraw")
    if role == "addressed":
        return (*theirs, *(_moves(table, offer, "accept_and_hand_over") if early else ()))
    if role == "poster":
        picks = tuple(
            PickTaker(table.id, offer.number, offer.revision, taker) for taker in takers(table, offer)[:PICKS_MAX]
        )
        return (*picks, *own, *(_moves(table, offer, "hand_over") if early else ()))
    # In a crowded market everybody's card has no room for one person's buttons.
    return (*theirs, *own) if game_of(table).trade.pairwise else theirs


def _moves(table: Table, offer: Offer, *moves: OfferMove) -> tuple[Action, ...]:
    return tuple(OfferAction(table.id, offer.number, offer.revision, move) for move in moves)
