"""The buttons of an offer for a viewer, and its effect on their goods. Presentation only draws
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from bot.rules.commands import Press
from bot.rules.features.offers.signing import EndOffer, only_agrees, only_for_now
from bot.rules.features.offers.state import (
    agrees,
    both_agree,
    choice_of,
    exchange_of,
    opens,
    readable_by_all,
    sides_for,
    signed_now,
    stopped,
    takers,
    to_confirm,
    to_hand_over,
    trade_of,
    violations,
)
from bot.rules.game import Trade
from bot.rules.model.actions import OfferAction
from bot.rules.model.debts import without_words
from bot.rules.model.goods import NOTHING
from bot.rules.model.offer import Offer
from bot.rules.model.table import Table
from bot.rules.model.violation import Violation
from bot.rules.registry import game_of, games
from bot.rules.views import BalanceView, OfferMove, OtherOfferView

Role = Literal["poster", "addressed"] | None
"""The viewer's part in an offer; None for a channel, and for those it is not for."""


def actions(
    table: Table,
    offer: Offer,
    role: Role,
    seat: str | None,
    own: Acceptance | None = None,
    *,
    lacks: bool = False,
    alone: bool = True,
) -> tuple[OfferMove, ...]:
    """Return the moves about the offer of a viewer in this seat, with this role, possible now or
    not.

    ``own`` is the `acceptance` of the seat it is for, where nobody else reads along. ``lacks``: the
    viewer knows that they can't give what it takes. Unless ``alone`` others read along, and what
    only the two know changes no button.
    """
    if offer.status == "resolved":
        return ("more",)
    if not offer.live:
        if not offer.lapsed:
            return ()
        if role == "poster":
            return ("again",)
        return ("more",) if offer.to_all else ()
    if role is None:
        return _for_everybody(table, offer)
    if offer.status != "open":
        if role == "addressed":
            return ()
        return ("resume", "withdraw") if offer.status == "suspended" else ("withdraw",)
    moves = _agreed(table, offer, role, alone=alone) or _open_to(table, offer, role, seat, own)
    return tuple(move for move in moves if not (lacks and move == "confirm"))


def more(table: Table, offer: Offer, role: Role, seat: str | None) -> tuple[OfferMove, ...]:
    """Return the moves behind **More…**: its life, once more for its two, and the same for a third
    player.
    """
    moves: list[OfferMove] = []
    resolved = offer.status == "resolved" and role is not None
    if resolved or (offer.lapsed and role == "poster"):
        moves.append("again")
    third = role is None and seat is not None
    if third and offer.status == "open" and readable_by_all(table, offer):
        moves.append("same")
    moves.append("details")
    return tuple(moves)


def only_show(offer: Offer) -> tuple[OfferMove, ...]:
    """Return the move for a place where nobody may read the offer: each of its two may have it
    shown to them.
    """
    return ("show",) if offer.status == "open" else ()


def _for_everybody(table: Table, offer: Offer) -> tuple[OfferMove, ...]:
    """Return the moves on the channel's card: those that answer it, and **More…**."""
    agreed = both_agree(offer) and (
        exchange_of(table) is None or to_hand_over(table, offer) or stopped(table, offer)
    )
    if offer.status in ("suspended", "countered") or agreed:
        return ("more",)
    if offer.private and game_of(table).trade.private_offers:
        return ("show",)
    return (*_answers(table, offer), "more")


def _agreed(table: Table, offer: Offer, role: Role, *, alone: bool) -> tuple[OfferMove, ...]:
    """Return the moves of one of the two about an offer on which both have agreed; none about any
    other offer.
    """
    seat = offer.seat if role == "poster" else offer.to
    if missing := to_hand_over(table, offer):
        return ("hand_over" if seat in missing else "choose_again", "back_out")
    if not both_agree(offer):
        return ()
    if exchange_of(table) is None and seat in to_confirm(table, offer, for_two=alone):
        return ("confirm", "back_out")
    return ("back_out",) if exchange_of(table) is None or stopped(table, offer) else ()


def _open_to(
    table: Table, offer: Offer, role: Role, seat: str | None, own: Acceptance | None
) -> tuple[OfferMove, ...]:
    """Return the actions of an open offer. Where goods are handed over, that can be done before it
    is accepted.
    """
    early = exchange_of(table) is not None and not opens(table, offer)
    if role == "poster":
        moves: tuple[OfferMove, ...] = ("alter", "suspend", "withdraw")
        if early:
            moves += ("choose_again" if seat in offer.handed else "hand_over",)
        return moves
    if seat in takers(table, offer):
        if not early:
            return ("counter", "back_out")
        return ("choose_again" if seat in offer.handed else "hand_over", "counter", "back_out")
    answers = _answers(table, offer)
    if own is not None and "accept" in answers:
        answers = (own.move, "counter") if own.move else ("counter",)
    return (*answers, "decline") if offer.to else answers


def _answers(table: Table, offer: Offer) -> tuple[OfferMove, ...]:
    """Return the answers to an open offer: one that only opens talks is answered with an offer."""
    return ("counter",) if opens(table, offer) else ("accept", "counter")


class Acceptance(NamedTuple):
    """The move by which a seat accepts an offer on its own card, None if it can't, and whether that
    ``settles`` now.
    """

    move: OfferMove | None
    settles: bool = False


def acceptance(table: Table, offer: Offer, seat: str, seen: Sequence[Violation]) -> Acceptance:
    """Return what accepting an offer to this seat does now; ``seen`` are the violations that the
    seat may know.

    Another's hidden hand has no part in it. Where this seat lacks what nobody may just say they
    have, such as a card, it can't accept at all.
    """
    mine = [violation for violation in seen if short_of(violation, seat)]
    others = [violation for violation in seen if not short_of(violation, seat)]
    players_declare = table.settings.declare_holdings == "players"
    if mine and not (players_declare and all(each.action == "holdings" for each in mine)):
        return Acceptance(None)
    if others:
        ahead = only_for_now(others[0]) and exchange_of(table) is None
        return Acceptance("agree" if ahead else "accept")
    if choice_of(table, offer, seat) is not None:
        return Acceptance("accept")  # it asks first what they give
    if only_agrees(table):
        return Acceptance("have" if mine else "accept")
    settles = signed_now(table, offer, offer.seat)
    if mine:
        return Acceptance("have", settles)
    return Acceptance("accept" if settles else "agree", settles)


def short_of(violation: Violation, seat: str | None) -> bool:
    """Return whether it is this seat that lacks what it would give."""
    return violation.short and seat is not None and seat == (violation.about or violation.known_to)


# ---------------------------------------------------------------- a seat's goods and its other offe


def balances(table: Table, offer: Offer, seat: str) -> tuple[BalanceView, ...]:
    """Return how many of each component this seat has now and would have after the trade.

    Empty while it is open who the two are or which cards are handed over, when this seat does not
    have what it would give, and where the table's game is not installed, which alone knows what a
    trade does. It rests on the seat's own goods, so it is for that seat alone.
    """
    if table.game not in games() or not table.tracked or exchange_of(table) is not None:
        return ()
    trade, held = trade_of(offer, seat), table.seats[seat].holdings
    if not trade.second or held.missing(trade.gives(seat)):
        return ()
    settled = game_of(table).trade.settle(table, trade)
    lost = gained = NOTHING
    for changes in (settled.changes, settled.hidden):
        if seat in changes:
            lost += changes[seat].lost
            gained += changes[seat].gained
    found = []
    for token in dict.fromkeys((*gained, *lost)):
        now = held.count(token)
        after = now - lost.count(token) + gained.count(token)
        found.append(BalanceView(token, now, after))
    return tuple(found)


def other_offers(table: Table, seat: str) -> tuple[OtherOfferView, ...]:
    """Return the offers that this seat has posted or accepted and that stand, for this seat
    alone.
    """
    describe, exchange = game_of(table).goods.describe, exchange_of(table)
    found = []
    for offer in table.live_offers():
        number, posted = offer.number, offer.seat == seat
        if offer.to is None:
            accepted = seat in takers(table, offer)
        else:
            accepted = seat == offer.to and agrees(offer, seat)
        if offer.status == "countered" or not (posted or accepted):
            continue
        unmet, again, gone = _unmet(table, offer, seat), None, NOTHING
        if exchange:
            gone = exchange.hand(table, seat).missing(offer.handed.get(seat, NOTHING))
        if gone:
            if not unmet:
                again = OfferAction(table.id, number, offer.revision, "choose_again")
            lost = f"the cards you handed over for offer {number}: {describe(gone)}."
            unmet = f"{unmet} You no longer have all {lost}".strip()
        how: Literal["withdraw", "back_out"] = "withdraw" if posted else "back_out"
        view = OtherOfferView(
            offer=number,
            posted=posted,
            wish=posted and not offer.give and game_of(table).exchange is not None,
            suspended=offer.status == "suspended",
            unmet=unmet,
            end=Press(table.id, EndOffer(number, how, offer.revision)),
            again=again,
        )
        found.append(view)
    return tuple(found)


def _unmet(table: Table, offer: Offer, seat: str) -> str:
    """Return why this seat can't give what the offer takes from it; empty when it can, whatever
    else forbids it.
    """
    gives, gets = sides_for(offer, seat)
    # With nobody on the other side, only this seat's own goods are looked at.
    alone = Trade(seat, "", without_words(gives), without_words(gets))
    short = [each for each in violations(table, alone) if each.short]
    known = [violation for violation in short if violation.known_to in ("", seat)]
    if missing := sum((violation.missing for violation in known), NOTHING):
        return f"You are short of {game_of(table).goods.describe(missing)}."
    return known[0].reason if known else ""
