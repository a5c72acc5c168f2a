"""The life of an offer: posted, signed by both, resolved; or declined, withdrawn, void.

A signature is good for one revision and for the window it was given in. When the turn, agenda or trading phase has
changed since, it must be given again. With both signatures standing and no ruling against it, the transaction
resolves at once and as a whole. Offers reserve nothing: both sides' goods are checked in that same decision.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.apply import apply
from bot.rules.commands import Declare, EndOffer, PostOffer, Sign
from bot.rules.deals import promise, require_short
from bot.rules.entries import Entry, Gained, OfferDeclined, OfferPosted, OfferWithdrawn, Sides, Signed, Transaction
from bot.rules.game import Game, Trade, game_named
from bot.rules.ruling import Refused, Ruling
from bot.rules.seats import own_seat, rules_the_table, seat_of
from bot.rules.table import Offer, Seat, Table


def post(table: Table, command: PostOffer) -> Iterable[Entry]:
    """An offer is posted and signed by who posts it. What could never change hands is refused here already."""
    seat = own_seat(table, command)
    if command.to == command.by:
        raise Refused("", "You can't trade with yourself.", "Name another player, or nobody to ask everybody.")
    to = seat_of(table, command.to).id if command.to is not None else None
    require_short(command.terms)
    offer = Offer(
        number=len(table.offers) + 1, seat=seat.id, to=to, give=command.give, want=command.want, terms=command.terms
    )
    for ruling in goods_rulings(table, offer):
        if ruling.lasting and not _overruled(table, ruling):
            raise Refused.by(ruling)
    return [_posted(game_named(table.game), offer), _signature(table, offer, seat.id)]


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
    overruled = _require_legal(table, game, trade, seat.id, with_terms=bool(offer.terms))
    signature = _signature(table, offer, seat.id)
    yield signature
    if signed_now(apply(table, signature), offer, other):
        settled = game.settle(table, trade)
        yield Transaction(
            number=table.transactions + 1,
            offer=offer.number,
            revision=offer.revision,
            window=table.window.number,
            first=trade.first,
            second=trade.second,
            given={seat: game.masked(trade.gives(seat)) for seat in (trade.first, trade.second)},
            changes=settled.changes,
            hidden=settled.hidden,
            permits=settled.permits,
            overruled=overruled,
        )
        if offer.terms:
            yield promise(table, trade.first, trade.second, offer.terms, offer.number)


def declare(table: Table, command: Declare) -> Iterable[Entry]:
    """Trade goods and commodities lie open at the table: who is short of some for an offer may say that they are there."""
    offer, seat = standing(table, command.offer), own_seat(table, command)
    if table.settings.declare_holdings == "host" and not rules_the_table(table, command):
        raise Refused("", "At this table only the host says what somebody has.", f"Ask <person:{table.host}>.")
    _require_party(offer, seat)
    game = game_named(table.game)
    missing = seat.holdings.missing(trade_of(offer, seat.id).gives(seat.id))
    if not game.declarable(missing):
        raise Refused("", f"You are short of nothing open for offer #{offer.number}.", "Press Accept once more.")
    change = game.gain(table, seat.id, game.declarable(missing))
    return [Gained(seat=seat.id, changes={seat.id: change}, declared=True)]


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
    if offer.status == "resolved":
        raise Refused("94.4.1", f"Offer #{number} has been resolved.", "A transaction can't be undone.")
    if offer.status != "open":
        over = {"void": "is void"}.get(offer.status, f"was {offer.status}")
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


def _require_legal(table: Table, game: Game, trade: Trade, asker: str, *, with_terms: bool) -> tuple[str, ...]:
    """Raises `Refused` by the first ruling that holds here; gives the numbers of those the house overrules."""
    found = game.rulings(table, trade)
    for ruling in found:
        if not _overruled(table, ruling):
            seen = ruling.seen_by(asker)
            if with_terms:  # D2: a deal that includes a transaction follows the rules for it
                remedy = f"{seen.remedy} The terms don't change that [D2].".strip()
                seen = seen.model_copy(update={"remedy": remedy})
            raise Refused.by(seen)
    return tuple(ruling.rule for ruling in found)


def _overruled(table: Table, ruling: Ruling) -> bool:
    """A table set to ``warn`` plays by house rules; but nobody can give what is not there."""
    return table.settings.rulings == "warn" and not ruling.short


def _require_party(offer: Offer, seat: Seat) -> None:
    if offer.to is not None and not offer.party(seat.id):
        raise Refused("", f"Offer #{offer.number} is for <seat:{offer.to}>.", "You can post one of your own.")


def _posted(game: Game, offer: Offer) -> OfferPosted:
    """An offer to one person tells the others no more than they may know; an open one tells everybody everything."""
    exact = Sides(give=offer.give, want=offer.want)
    public = Sides(give=game.masked(offer.give), want=game.masked(offer.want)) if offer.to else exact
    return OfferPosted(
        offer=offer.number, seat=offer.seat, to=offer.to, give=public.give, want=public.want, terms=offer.terms,
        exact=exact,
    )  # fmt: skip


def _signature(table: Table, offer: Offer, seat: str) -> Signed:
    return Signed(offer=offer.number, revision=offer.revision, seat=seat, window=table.window.number)
