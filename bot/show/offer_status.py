"""The state of an offer in one line: what it waits for or how it ended; on request, whether it is possible now.

A message that stays does not say whether the offer is possible now, since that changes every turn. The buttons show
that the offer is open.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.rules.views import OfferView, TableView
from bot.show.names import game_of, name_text, who
from bot.show.offer_sides import reads_alone

WANTED = "🔎 A wish: answer it with an offer, by **Counter**."


def status_text(view: TableView, offer: OfferView, *, now: bool) -> str:
    """Return the offer's state, as far as the viewer may know; empty for an open offer without news.

    ``now``: also whether it is possible now.
    """
    if offer.status != "open":
        return _suspended_or_over(view, offer)
    ends = f"Ends <t:{offer.until // 1000}:R>." if offer.until else ""
    return " ".join(filter(None, (_possible_now(view, offer) if now else _standing(view, offer), ends)))


def _suspended_or_over(view: TableView, offer: OfferView) -> str:
    match offer.status:
        case "resolved":
            return f"✅ Done · transaction {offer.links.transaction}"
        case "declined":
            return f"✖️ {_did(view, offer, offer.to or offer.poster, 'Declined', 'declined it')}"
        case "withdrawn":
            return f"✖️ {_did(view, offer, offer.poster, 'Withdrawn', 'withdrew it')}"
        case "expired":
            return "✖️ Its time is up."
        case "void":
            return f"✖️ No longer possible. {name_text(view, offer.ruling.end_reason)}".strip()
        case _:
            return f"⏸️ {_did(view, offer, offer.poster, 'Suspended', 'suspended it')}"


def _did(view: TableView, offer: OfferView, seat: str, what: str, you: str) -> str:
    if reads_alone(view, offer) and seat == view.seat:
        return f"You {you}."
    return f"{what} by {who(offer, seat)}."


def _standing(view: TableView, offer: OfferView) -> str:
    """Return the state that lasts until somebody acts on the offer; empty if nobody has yet."""
    if offer.asks_only:
        return WANTED if offer.role != "poster" else ""
    if offer.progress.agreed_by_both and offer.progress.handing_over:
        return _agreed(view, offer)  # omits who has handed over, so that the message needs no edit then
    if offer.progress.agreed_by_both:
        return f"{_agreed(view, offer)} I ask you both to confirm it once it is possible."
    if offer.ruling.warns_of:
        return f"⚠️ Against [{offer.ruling.warns_of}]: this table only warns."
    return _taken_up(view, offer)


def _possible_now(view: TableView, offer: OfferView) -> str:
    return _forbidden(view, offer) or _waiting(view, offer)


def _forbidden(view: TableView, offer: OfferView) -> str:
    if offer.ruling.why_not is None:
        return ""
    if offer.asks_only and not offer.ruling.why_not.blocks_posting:
        return WANTED
    return f"{_agreed(view, offer)} ⏳ Not now. {name_text(view, offer.ruling.why_not.sentence())}".strip()


def _waiting(view: TableView, offer: OfferView) -> str:
    """Return what an offer waits for, if no rule forbids it."""
    if offer.progress.confirming:
        return f"{_agreed(view, offer)} Waits for {_who(view, offer, offer.progress.confirming)} to confirm it."
    if offer.ruling.overruled and not offer.progress.handing_over and not offer.progress.takers:
        return f"⚠️ Possible here, though against [{offer.ruling.overruled}]: this table only warns."
    return _taken_up(view, offer) or _allowed(view, offer)


def _allowed(view: TableView, offer: OfferView) -> str:
    """Return that no rule forbids it. If goods are secret, it does not say whether both sides have theirs."""
    game, goods = game_of(view), offer.sides.give + offer.sides.want
    known = view.tracked and game.redact(goods) == goods and game.open_goods(goods) == goods
    return "🟢 Possible now." if known else "🟢 The rules allow it now."


def _taken_up(view: TableView, offer: OfferView) -> str:
    """Return who has agreed and who must act; empty if nobody has agreed."""
    if offer.progress.handing_over:
        waits = f"🤝 Agreed. Waits for {_who(view, offer, offer.progress.handing_over)} to hand over."
        return f"{waits} {game_of(view).info.agreements.to_be_exchanged}".rstrip()
    if not offer.progress.takers:
        return ""
    takers = ", ".join(_one(view, offer, seat) for seat in offer.progress.takers)
    agreed = "Agreed to" if offer.buttons.only_agrees else "Accepted"
    picks = "You pick one." if _is_you(view, offer, offer.poster) else f"{who(offer, offer.poster)} picks one."
    return f"🤝 {agreed} by {takers}. {picks}"


def _agreed(view: TableView, offer: OfferView) -> str:
    return f"🤝 Agreed by both{game_of(view).info.agreements.ahead_mark}." if offer.progress.agreed_by_both else ""


def _who(view: TableView, offer: OfferView, seats: Sequence[str]) -> str:
    return " and ".join(sorted((_one(view, offer, seat) for seat in seats), key=lambda name: name != "you"))


def _one(view: TableView, offer: OfferView, seat: str) -> str:
    return "you" if _is_you(view, offer, seat) else who(offer, seat)


def _is_you(view: TableView, offer: OfferView, seat: str) -> bool:
    return reads_alone(view, offer) and seat == view.seat
