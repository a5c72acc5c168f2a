"""The status of an offer in a sentence: possible now, why not, what it waits for, or how it ended."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.views import OfferView, TableView
from bot.show.names import format_text, game_of, mention


def status_text(view: TableView, offer: OfferView) -> str:
    """Return the status of an offer, as far as the viewer may know."""
    return _open(view, offer) if offer.status == "open" else _suspended_or_over(view, offer)


def _suspended_or_over(view: TableView, offer: OfferView) -> str:
    match offer.status:
        case "resolved":
            undone = f"It can't be undone{game_of(view).info.cite('irrevocable')}."
            return f"✅ **Done: transaction {offer.transaction}.** {undone}"
        case "declined":
            return f"✖️ **Declined** by {mention(view, offer.to or offer.poster)}."
        case "withdrawn":
            return f"✖️ **Withdrawn** by {mention(view, offer.poster)}."
        case "expired":
            return "✖️ **Its time is up.**"
        case "void":
            return f"✖️ **No longer possible.** {format_text(view, offer.end_reason)}".strip()
        case _:
            return f"⏸️ **Suspended** by {mention(view, offer.poster)}."


def _open(view: TableView, offer: OfferView) -> str:
    ends = f" It ends <t:{offer.until // 1000}:R>." if offer.until else ""
    return f"{_forbidden(view, offer) or _waiting(view, offer)}{ends}"


def _forbidden(view: TableView, offer: OfferView) -> str:
    if offer.why_not is None:
        return ""
    if offer.asks_only and not offer.why_not.blocks_posting:
        return "🔎 **Wanted.** Answer with an offer: **Counter**."
    return f"{_agreed(offer)}⏳ **Not now.** {format_text(view, offer.why_not.sentence())}"


def _waiting(view: TableView, offer: OfferView) -> str:
    """Return what an offer waits for that no rule forbids."""
    if offer.confirming:
        return f"{_agreed(offer)}Waits for {_mentions(view, offer.confirming)} to confirm it."
    if offer.handing_over:
        return f"🤝 **Agreed.** Waits for {_mentions(view, offer.handing_over)} to hand over."
    if offer.takers:
        takers = ", ".join(mention(view, seat) for seat in offer.takers)
        return f"🟢 **Accepted** by {takers}. {mention(view, offer.poster)} picks one."
    if offer.overruled:
        return f"⚠️ **Possible here**, though against [{offer.overruled}]: this table only warns."
    return "🟢 **Possible now.**"


def _agreed(offer: OfferView) -> str:
    return "🤝 **Agreed** by both, binding nobody yet. " if offer.agreed_by_both else ""


def _mentions(view: TableView, seats: Iterable[str]) -> str:
    return " and ".join(mention(view, seat) for seat in seats)
