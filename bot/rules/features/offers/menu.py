"""Which actions a viewer has for an offer. Presentation only draws them."""

from __future__ import annotations

from typing import Literal

from bot.rules.features.offers.state import both_agree, exchange_of, takers, to_confirm, to_hand_over
from bot.rules.model.actions import Action, OfferAction, OfferMove, PickTaker
from bot.rules.model.offers import Offer
from bot.rules.model.table import Table
from bot.rules.registry import game_of

PICKS_MAX = 10
"""How many takers an offer's card has buttons for; Discord allows 25 buttons under a message."""

Role = Literal["poster", "addressed"] | None
"""The viewer's part in an offer; None for a channel, and for those it is not for."""


def actions(table: Table, offer: Offer, role: Role, seat: str | None) -> tuple[Action, ...]:
    """Return what a viewer in this seat, with this role, may do about the offer, whether or not it is possible now."""
    if offer.status == "resolved":
        return _moves(table, offer, "more")
    if not offer.live:
        return ()
    if role is None:
        return _for_everybody(table, offer)
    if offer.status == "suspended":
        return () if role == "addressed" else _moves(table, offer, "resume", "withdraw")
    return _agreed(table, offer, role) or _open_to(table, offer, role, seat)


def more(table: Table, offer: Offer, role: Role, seat: str | None) -> tuple[Action, ...]:
    """Return what else there is behind **More…**: its life, once more for its two, and the same for a third player."""
    again = offer.status == "resolved" and role is not None
    same = offer.status == "open" and role is None and seat is not None and _is_open(table, offer)
    moves: tuple[OfferMove, ...] = (*(("again",) if again else ()), *(("same",) if same else ()), "details")
    return _moves(table, offer, *moves)


def only_show(table: Table, offer: Offer) -> tuple[Action, ...]:
    """Return what there is for a place where nobody may read the offer: each of its two may have it shown to them."""
    return _moves(table, offer, "show") if offer.status == "open" else ()


def _is_open(table: Table, offer: Offer) -> bool:
    """Return whether everybody may read all that the offer gives and wants."""
    game = game_of(table)
    return not offer.private and all(game.redact(goods) == goods for goods in (offer.give, offer.want))


def _for_everybody(table: Table, offer: Offer) -> tuple[Action, ...]:
    """Return what is on the card of the channel: what answers it, and what the presser may do besides."""
    agreed = to_hand_over(table, offer) or (exchange_of(table) is None and both_agree(offer))
    if offer.status == "suspended" or agreed:
        return _moves(table, offer, "more")
    if offer.private and game_of(table).trade.private_offers:
        return _moves(table, offer, "show")
    return _moves(table, offer, *_answers(table, offer), "more")


def _agreed(table: Table, offer: Offer, role: Role) -> tuple[Action, ...]:
    """Return what one of the two may do about an offer on which both have agreed; nothing of any other offer."""
    seat = offer.seat if role == "poster" else offer.to
    if seat is not None and seat in to_hand_over(table, offer):
        return _moves(table, offer, "hand_over", "back_out")
    if seat is not None and exchange_of(table) is None and both_agree(offer):
        return _moves(table, offer, *(("confirm",) if seat in to_confirm(table, offer) else ()), "back_out")
    return _moves(table, offer, "choose_again", "back_out") if to_hand_over(table, offer) else ()


def _open_to(table: Table, offer: Offer, role: Role, seat: str | None) -> tuple[Action, ...]:
    """Return the actions of an open offer. Where goods are handed over, that can be done before it is accepted."""
    early = exchange_of(table) is not None
    if role == "poster":
        picks = tuple(
            PickTaker(table.id, offer.number, offer.revision, taker) for taker in takers(table, offer)[:PICKS_MAX]
        )
        own = _moves(table, offer, "alter", "suspend", "withdraw", *(("hand_over",) if early else ()))
        return (*picks, *own)
    if seat in takers(table, offer):
        sealed = ("choose_again" if seat in offer.handed else "hand_over",) if early else ()
        return _moves(table, offer, *sealed, "counter", "back_out")
    answers = _answers(table, offer)
    quick = early and "accept" in answers
    declines: tuple[OfferMove, ...] = ("decline",) if offer.to else ()
    return _moves(table, offer, *answers, *declines, *(("accept_and_hand_over",) if quick else ()))


def _answers(table: Table, offer: Offer) -> tuple[OfferMove, ...]:
    """Return the answers to an open offer: a wish, which does not say what it gives, is answered with an offer."""
    wish = not offer.give and game_of(table).exchange is not None
    return ("counter",) if wish else ("accept", "counter")


def _moves(table: Table, offer: Offer, *moves: OfferMove) -> tuple[Action, ...]:
    return tuple(OfferAction(table.id, offer.number, offer.revision, move) for move in moves)
