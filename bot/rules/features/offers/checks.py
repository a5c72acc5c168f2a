"""What a command about an offer must satisfy; each check raises `Refused` with what would have worked."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from bot.rules.commands import NOBODY
from bot.rules.features.offers.state import forbidding, trade_of, violations
from bot.rules.game import Trade
from bot.rules.model.offers import Offer
from bot.rules.model.seats import Seat
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused, Violation
from bot.rules.registry import game_of


def require_legal(table: Table, trade: Trade, seat: str, offer: Offer, *, closes: bool) -> tuple[str, ...]:
    """Raise `Refused` for the violation that stops this trade for ``seat``; else return `overruled`.

    ``closes`` as of `blocking`.
    """
    if (found := blocking(table, trade, seat, offer, closes=closes)) is not None:
        raise Refused.because(found)
    return overruled(table, trade, offer)


def overruled(table: Table, trade: Trade, offer: Offer) -> tuple[str, ...]:
    """Return the numbers of the rules that this trade breaks and this table lets pass, for the transaction's entry."""
    if table.settings.rulings != "warn":
        return ()  # it lets nothing pass
    hidden = offer.private and game_of(table).trade.private_offers
    # The entry is public: which rule a private offer breaks would tell what it holds, as another's hand might.
    every = (found for found in violations(table, trade) if not found.known_to)
    return tuple(found.rule for found in every if not (hidden and found.of_goods))


def blocking(table: Table, trade: Trade, seat: str, offer: Offer, *, closes: bool) -> Violation | None:
    """Return the violation that stops this trade here, as this seat may read it.

    ``closes``: both have agreed, so that the exchange comes about now or can't. Only then does it come out, in other
    words, that another's hidden hand stands against it; until then nobody is stopped by what they may not know.
    """
    found = forbidding(table, trade)
    mine = (each for each in found if each.known_to in ("", seat))
    theirs = (each.redacted(seat) for each in found if closes)
    seen = next(chain(mine, theirs), None)
    if seen is None or not offer.has_terms:
        return seen
    # D2: a deal that includes a transaction follows the rules for it.
    remedy = f"{seen.remedy} The terms don't change that{game_of(table).info.cite('mixed')}.".strip()
    return replace(seen, remedy=remedy)


def require_worth_posting(table: Table, offer: Offer) -> None:
    """Raise `Refused` for goods that nothing could make legal, or that may not even be named.

    What another's hidden hand holds stops nobody from posting.
    """
    for found in forbidding(table, trade_of(offer)):
        if (found.permanent or found.blocks_posting) and found.known_to in ("", offer.seat):
            raise Refused.because(found)


def require_party(table: Table, offer: Offer, seat: Seat) -> None:
    """Raise `Refused` when the offer is for another seat."""
    if offer.to is not None and not offer.parties.include(seat.person or NOBODY, seat.id):
        raise Refused(
            game_of(table).info.rule_number("two_parties"), f"Offer {offer.number} is for <seat:{offer.to}>.",
            "You can post one of your own.",
        )  # fmt: skip


def require_poster(offer: Offer, seat: Seat, what: str) -> None:
    """Raise `Refused` unless this seat posted the offer."""
    if seat.id != offer.seat:
        raise Refused("", f"Offer {offer.number} is not yours to {what}.", f"<seat:{offer.seat}> posted it.")


def require_revision(offer: Offer, revision: int | None) -> None:
    """Raise `Refused` for another revision than the newest; None means the newest."""
    if revision not in (None, offer.revision):
        raise Refused(
            "", f"Offer {offer.number} has been altered: it is at revision {offer.revision} now.",
            "Look at it as it stands before you agree.",
        )  # fmt: skip


def require_in_time(offer: Offer, now: int) -> None:
    """Raise `Refused` when the offer's time is up, at ``now`` in milliseconds since 1970."""
    if offer.until is not None and offer.until <= now:
        raise Refused("", f"Offer {offer.number} has run out.", "Ask for it once more.")
