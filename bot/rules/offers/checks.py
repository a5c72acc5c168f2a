"""What a command about an offer must satisfy; each check raises `Refused` with what would have worked."""

from __future__ import annotations

from dataclasses import replace

from bot.rules.game import Trade
from bot.rules.model.offers import Offer
from bot.rules.model.seats import Seat
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused, Violation
from bot.rules.offers.state import exchange_of, overruled_here, trade_of, violations
from bot.rules.registry import game_of


def require_legal(table: Table, trade: Trade, seat: str, offer: Offer) -> tuple[str, ...]:
    """Raise `Refused` for the first violation that stops this trade for ``seat``; else return `overruled`."""
    if (found := blocking(table, trade, seat, offer)) is not None:
        raise Refused.because(found)
    return overruled(table, trade, seat, offer)


def overruled(table: Table, trade: Trade, seat: str, offer: Offer) -> tuple[str, ...]:
    """Return the numbers of the rules that this trade breaks and this table lets pass, for the transaction's entry."""
    hidden = offer.private and game_of(table).trade.private_offers
    # The entry is public: which rule a private offer breaks would tell what it holds.
    return tuple(found.rule for found in _violations_for(table, trade, seat) if not (hidden and found.of_goods))


def blocking(table: Table, trade: Trade, seat: str, offer: Offer) -> Violation | None:
    """Return the first violation that stops this trade here, as this seat may read it."""
    found = next((each for each in _violations_for(table, trade, seat) if not overruled_here(table, each)), None)
    if found is None:
        return None
    seen = found.redacted(seat)
    if not offer.terms:
        return seen
    # D2: a deal that includes a transaction follows the rules for it.
    remedy = f"{seen.remedy} The terms don't change that{game_of(table).info.cite('mixed')}.".strip()
    return replace(seen, remedy=remedy)


def _violations_for(table: Table, trade: Trade, seat: str) -> list[Violation]:
    return [found for found in violations(table, trade) if not _of_another_hand(table, found, seat)]


def _of_another_hand(table: Table, violation: Violation, seat: str) -> bool:
    """Return whether a violation depends on another seat's hidden hand, where each hands over alone.

    Such a violation stops nobody else: being refused would tell what that hand holds.
    """
    return exchange_of(table) is not None and violation.known_to not in ("", seat)


def require_worth_posting(table: Table, offer: Offer) -> None:
    """Raise `Refused` for goods that nothing could make legal, or that may not even be named."""
    for found in violations(table, trade_of(offer)):
        stops = (found.permanent or found.blocks_posting) and not _of_another_hand(table, found, offer.seat)
        if stops and not overruled_here(table, found):
            raise Refused.because(found.redacted(offer.seat))


def require_party(table: Table, offer: Offer, seat: Seat) -> None:
    """Raise `Refused` when the offer is for another seat."""
    if offer.to is not None and not offer.party(seat.id):
        raise Refused(
            game_of(table).info.rule_number("two_parties"), f"Offer #{offer.number} is for <seat:{offer.to}>.",
            "You can post one of your own.",
        )  # fmt: skip


def require_poster(offer: Offer, seat: Seat, what: str) -> None:
    """Raise `Refused` unless this seat posted the offer."""
    if seat.id != offer.seat:
        raise Refused("", f"Offer #{offer.number} is not yours to {what}.", f"<seat:{offer.seat}> posted it.")


def require_revision(offer: Offer, revision: int | None) -> None:
    """Raise `Refused` for another revision than the newest; None means the newest."""
    if revision not in (None, offer.revision):
        raise Refused(
            "", f"Offer #{offer.number} has been altered: it is at revision {offer.revision} now.",
            "Look at it as it stands before you agree.",
        )  # fmt: skip


def require_in_time(offer: Offer, now: int) -> None:
    """Raise `Refused` when the offer's time is up, at ``now`` in milliseconds since 1970."""
    if offer.until is not None and offer.until <= now:
        raise Refused("", f"Offer #{offer.number} has run out.", "Ask for it once more.")
