"""How an offer stands: who has signed it, who is asked for what, and why it can't resolve now."""

from __future__ import annotations

from bot.rules.game import Cited, Exchange, Trade, game_named
from bot.rules.ruling import Refused, Ruling
from bot.rules.table import Offer, Table


def standing(table: Table, number: int, *, suspended: bool = False) -> Offer:
    """The offer of this number, if it stands. Raises `Refused` when there is none, it is over, or held back."""
    offer = table.offers.get(number)
    if offer is None:
        raise Refused("", f"There is no offer #{number} at this table.", "/offer list shows those that stand.")
    if offer.status == "resolved":
        raise Refused(cited(table, "irrevocable"), f"Offer #{number} has been resolved.", "That can't be undone.")
    if offer.status == "suspended" and not suspended:
        raise Refused("", f"Offer #{number} is suspended.", f"<seat:{offer.seat}> may resume it.")
    if offer.status == "void" and game_named(table.game).offers_end and table.window.kind == "none":
        raise Refused(
            cited(table, "time_up"), f"Offer #{number} ended with the time for trade.", "What was agreed is off."
        )
    if offer.status not in ("open", "suspended"):
        over = {"void": "is void", "expired": "has run out"}.get(offer.status, f"was {offer.status}")
        raise Refused("", f"Offer #{number} {over}.", "/offer list shows those that stand.")
    return offer


def for_two(table: Table, to: str | None, negotiation: int | None) -> bool:
    """Whether what is offered so is for the two only: in a negotiation, or to one person where that is private."""
    return negotiation is not None or (to is not None and game_named(table.game).private_offers)


def signed_now(table: Table, offer: Offer, seat: str) -> bool:
    """Whether this seat's signature stands: given to this revision, in this window."""
    signature = table.offers[offer.number].signatures.get(seat)
    return signature is not None and signature.revision == offer.revision and signature.window == table.window.number


def agrees(offer: Offer, seat: str) -> bool:
    """Whether this seat has agreed to this revision, by a signature that may have lapsed or ahead of time."""
    signature = offer.signatures.get(seat)
    return offer.agreed.get(seat) == offer.revision or (signature is not None and signature.revision == offer.revision)


def both_agree(offer: Offer) -> bool:
    """Whether both have agreed to the offer as it stands, and it is not resolved."""
    return offer.status == "open" and offer.to is not None and agrees(offer, offer.seat) and agrees(offer, offer.to)


def to_confirm(table: Table, offer: Offer) -> tuple[str, ...]:
    """The seats that are asked to confirm now: both agree, it is legal as far as everybody can see, and their
    signature does not stand. Whether a hidden hand has what it promised comes out when its owner confirms.
    """
    if not both_agree(offer) or any(not ruling.known_to for ruling in forbidding(table, trade_of(offer))):
        return ()
    return tuple(seat for seat in (offer.seat, offer.to) if seat and not signed_now(table, offer, seat))


def exchange_of(table: Table) -> Exchange | None:
    """How what was agreed changes hands at this table, where that is a step of its own: where hands are counted."""
    return game_named(table.game).exchange if table.settings.inventory == "tracked" else None


def to_hand_over(table: Table, offer: Offer) -> tuple[str, ...]:
    """The seats that are asked to hand over now: both have agreed, and they have not handed over their part."""
    if exchange_of(table) is None or offer.status != "open" or offer.to is None:
        return ()
    two = (offer.seat, offer.to)
    return tuple(seat for seat in two if seat not in offer.handed) if _both_signed(table, offer) else ()


def asked(table: Table, offer: Offer) -> tuple[str, ...]:
    """The seats that must act before this offer resolves: confirm it, or hand over."""
    return to_confirm(table, offer) or to_hand_over(table, offer)


def takers(table: Table, offer: Offer) -> tuple[str, ...]:
    """Of an offer to all, those whose acceptance stands."""
    if offer.to is not None:
        return ()
    said = dict.fromkeys((*offer.signatures, *offer.agreed))
    return tuple(
        seat
        for seat in said
        if seat != offer.seat and (signed_now(table, offer, seat) or offer.agreed.get(seat) == offer.revision)
    )


def trade_of(offer: Offer, taker: str | None = None) -> Trade:
    """The transaction this offer would be, with whoever takes it up when it is open to all."""
    second = offer.to or (taker if taker != offer.seat else None) or ""
    return Trade(first=offer.seat, second=second, first_gives=offer.give, second_gives=offer.want)


def rulings(table: Table, trade: Trade) -> list[Ruling]:
    """Everything that forbids this trade at this table now, the most telling first.

    This is the one source of "why not": refusals, cards and /table show all ask here.
    """
    return game_named(table.game).rulings(table, trade)


def forbidding(table: Table, trade: Trade) -> list[Ruling]:
    """Those of the `rulings` that stop this trade here; a table may be set only to warn."""
    return [ruling for ruling in rulings(table, trade) if not overruled_here(table, ruling)]


def overruled_here(table: Table, ruling: Ruling) -> bool:
    """A table set to ``warn`` plays by house rules; but nobody can give what is not there."""
    return table.settings.rulings == "warn" and not ruling.short


def cited(table: Table, what: Cited) -> str:
    """The number that this table's game has for what the core refuses; empty for none."""
    return game_named(table.game).cites.get(what, "")


def _both_signed(table: Table, offer: Offer) -> bool:
    return offer.to is not None and all(signed_now(table, offer, seat) for seat in (offer.seat, offer.to))
