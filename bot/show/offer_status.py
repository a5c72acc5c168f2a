"""The status of an offer in a sentence: what it waits for, how it ended, and if asked whether it is possible now.

A message that stays does not say whether the offer is possible now: that changes with every turn.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.views import OfferView, TableView
from bot.show.names import Named, format_text, game_of, mention

WANTED = "🔎 **Wanted.** Answer with an offer: **Counter**."


def status_text(view: TableView, offer: OfferView, *, now: bool) -> str:
    """Return the status of an offer, as far as the viewer may know. ``now``: also whether it is possible now."""
    if offer.status != "open":
        return _suspended_or_over(view, offer)
    ends = f" It ends <t:{offer.until // 1000}:R>." if offer.until else ""
    return f"{_possible_now(view, offer) if now else _standing(view, offer)}{ends}"


def _suspended_or_over(view: TableView, offer: OfferView) -> str:
    match offer.status:
        case "resolved":
            undone = f"It can't be undone{game_of(view).info.cite('irrevocable')}."
            return f"✅ **Done: transaction {offer.transaction}.** {undone}"
        case "declined":
            return f"✖️ **Declined** by {mention(offer, offer.to or offer.poster)}."
        case "withdrawn":
            return f"✖️ **Withdrawn** by {mention(offer, offer.poster)}."
        case "expired":
            return "✖️ **Its time is up.**"
        case "void":
            return f"✖️ **No longer possible.** {format_text(view, offer.end_reason)}".strip()
        case _:
            return f"⏸️ **Suspended** by {mention(offer, offer.poster)}."


def _standing(view: TableView, offer: OfferView) -> str:
    """Return the status that holds until somebody acts on the offer."""
    if offer.asks_only:
        return WANTED
    if offer.agreed_by_both:
        return f"{_agreed(view, offer)}I ask you both to confirm it once it is possible."
    if offer.warns_of and not offer.handing_over:
        return f"⚠️ **Open**, though against [{offer.warns_of}]: this table only warns."
    return _taken_up(view, offer) or "🟢 **Open.**"


def _possible_now(view: TableView, offer: OfferView) -> str:
    return _forbidden(view, offer) or _waiting(view, offer)


def _forbidden(view: TableView, offer: OfferView) -> str:
    if offer.why_not is None:
        return ""
    if offer.asks_only and not offer.why_not.blocks_posting:
        return WANTED
    return f"{_agreed(view, offer)}⏳ **Not now.** {format_text(view, offer.why_not.sentence())}"


def _waiting(view: TableView, offer: OfferView) -> str:
    """Return what an offer waits for that no rule forbids."""
    if offer.confirming:
        return f"{_agreed(view, offer)}Waits for {_mentions(offer, offer.confirming)} to confirm it."
    if offer.overruled and not offer.handing_over and not offer.takers:
        return f"⚠️ **Possible here**, though against [{offer.overruled}]: this table only warns."
    return _taken_up(view, offer) or "🟢 **Possible now.**"


def _taken_up(view: TableView, offer: OfferView) -> str:
    """Return who has agreed and who must act; empty when nobody has."""
    if offer.handing_over:
        waits = f"🤝 **Agreed.** Waits for {_mentions(offer, offer.handing_over)} to hand over."
        return f"{waits} {game_of(view).info.agreements.to_be_exchanged}".rstrip()
    if offer.takers:
        takers = ", ".join(mention(offer, seat) for seat in offer.takers)
        return f"🟢 **Accepted** by {takers}. {mention(offer, offer.poster)} picks one."
    return ""


def _agreed(view: TableView, offer: OfferView) -> str:
    return f"🤝 **Agreed** by both{game_of(view).info.agreements.ahead_mark}. " if offer.agreed_by_both else ""


def _mentions(named: Named, seats: Iterable[str]) -> str:
    return " and ".join(mention(named, seat) for seat in seats)
