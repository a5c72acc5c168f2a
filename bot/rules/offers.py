"""The life of an offer: posted, signed by both, resolved; or declined, withdrawn, void.

A signature is good for one revision and for the window it was given in. When the turn, agenda or trading phase has
changed since, it must be given again. With both signatures standing and no ruling against it, the transaction
resolves at once and as a whole. Offers reserve nothing: both sides' goods are checked in that same decision.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.apply import apply
from bot.rules.commands import EndOffer, PostOffer, Sign
from bot.rules.entries import Entry, OfferDeclined, OfferPosted, OfferWithdrawn, Signed, Transaction
from bot.rules.game import Game, Trade, game_named
from bot.rules.ruling import Refused, Ruling
from bot.rules.seats import own_seat, seat_of
from bot.rules.table import Offer, Seat, Table

TERMS_MOST = 300
"""The longest terms, in characters: what a phone shows without scrolling."""


def post(table: Table, command: PostOffer) -> Iterable[Entry]:
    """An offer is posted and signed by who posts it. What could never change hands is refused here already."""
    seat = own_seat(table, command)
    if command.to == command.by:
        raise Refused("", "You can't trade with yourself.", "Name another player, or nobody to ask everybody.")
    to = seat_of(table, command.to).id if command.to is not None else None
    if len(command.terms) > TERMS_MOST:
        raise Refused("", f"Those terms are {len(command.terms)} characters long.", f"Say it in {TERMS_MOST}.")
    offer = Offer(
        number=len(table.offers) + 1, seat=seat.id, to=to, give=command.give, want=command.want, terms=command.terms
    )
    for ruling in goods_rulings(table, offer):
        if ruling.lasting and not _overruled(table, ruling):
            raise Refused.by(ruling)
    return [
        OfferPosted(offer=offer.number, seat=seat.id, to=to, give=command.give, want=command.want, terms=command.terms),
        _signature(table, offer, seat.id),
    ]


def sign(table: Table, command: Sign) -> Iterable[Entry]:
    """A party agrees. If the other's signature stands too, the transaction resolves."""
    offer = standing(table, command.offer)
    seat = own_seat(table, command)
    if command.revision != offer.revision:
        raise Refused("", f"Offer #{offer.number} has changed since.", "Look at it as it stands now.")
    _require_party(offer, seat)
    other = offer.seat if seat.id != offer.seat else offer.to
    if other is None:
        raise Refused("", f"Nobody has taken up offer #{offer.number} yet.", "Somebody else has to accept it first.")
    if signed_now(table, offer, seat.id):
        raise Refused("", f"You have agreed to offer #{offer.number} already.", f"It waits for <seat:{other}>.")
    trade = trade_of(offer, seat.id)
    game = game_named(table.game)
    overruled = _require_legal(table, game, trade, seat.id)
    signature = _signature(table, offer, seat.id)
    yield signature
    if signed_now(apply(table, signature), offer, other):
        yield Transaction(
            number=table.transactions + 1,
            offer=offer.number,
            revision=offer.revision,
            window=table.window.number,
            first=trade.first,
            second=trade.second,
            changes=game.settle(table, trade),
            overruled=overruled,
        )


def end(table: Table, command: EndOffer) -> Iterable[Entry]:
    """An offer is withdrawn by who posted it, or declined by the one it was made to."""
    offer = standing(table, command.offer)
    seat = own_seat(table, command)
    if command.how == "withdraw":
        if seat.id != offer.seat:
            raise Refused("", f"Offer #{offer.number} is not yours to withdraw.", f"<seat:{offer.seat}> posted it.")
        return [OfferWithdrawn(offer=offer.number, seat=seat.id)]
    if seat.id == offer.seat:
        raise Refused("", f"Offer #{offer.number} is your own.", "Withdraw it instead.")
    if offer.to is None:
        raise Refused("", f"Offer #{offer.number} is open to all.", "If it is not for you, just leave it be.")
    _require_party(offer, seat)
    return [OfferDeclined(offer=offer.number, seat=seat.id)]


def standing(table: Table, number: int) -> Offer:
    """The open offer of this number. Raises `Refused` when there is none, or it is over."""
    offer = table.offers.get(number)
    if offer is None:
        raise Refused("", f"There is no offer #{number} at this table.", "/offer list shows those that stand.")
    if offer.status != "open":
        over = {"resolved": "has been resolved", "void": "is void"}.get(offer.status, f"was {offer.status}")
        raise Refused("", f"Offer #{number} {over}.", "/offer list shows those that stand.")
    return offer


def signed_now(table: Table, offer: Offer, seat: str) -> bool:
    """Whether this seat's signature stands: given to this revision, in this window."""
    signature = table.offers[offer.number].signatures.get(seat)
    return signature is not None and signature.revision == offer.revision and signature.window == table.window.number


def trade_of(offer: Offer, taker: str | None = None) -> Trade:
    """The transaction this offer would be, with whoever takes it up when it is open to all."""
    second = offer.to or (taker if taker != offer.seat else None) or ""
    return Trade(first=offer.seat, second=second, first_gives=offer.give, second_gives=offer.want)


def rulings(table: Table, trade: Trade) -> list[Ruling]:
    """Everything that forbids this trade at this table now, the most telling first.

    This is the one source of "why not": refusals, cards and /table show all ask here.
    """
    return game_named(table.game).rulings(table, trade)


def goods_rulings(table: Table, offer: Offer) -> list[Ruling]:
    """What forbids the goods of an offer, whoever takes it up."""
    return rulings(table, trade_of(offer))


def _require_legal(table: Table, game: Game, trade: Trade, asker: str) -> tuple[str, ...]:
    """Raises `Refused` by the first ruling that holds here; gives the numbers of those the house overrules."""
    found = game.rulings(table, trade)
    for ruling in found:
        if not _overruled(table, ruling):
            raise Refused.by(ruling.seen_by(asker))
    return tuple(ruling.rule for ruling in found)


def _overruled(table: Table, ruling: Ruling) -> bool:
    """A table set to ``warn`` plays by house rules; but nobody can give what is not there."""
    return table.settings.rulings == "warn" and not ruling.short


def _require_party(offer: Offer, seat: Seat) -> None:
    if offer.to is not None and not offer.party(seat.id):
        raise Refused("", f"Offer #{offer.number} is for <seat:{offer.to}>.", "You can post one of your own.")


def _signature(table: Table, offer: Offer, seat: str) -> Signed:
    return Signed(offer=offer.number, revision=offer.revision, seat=seat, window=table.window.number)
