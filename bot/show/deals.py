"""Deals as people read them: the terms, what they are worth, and whether they were kept."""

from __future__ import annotations

from collections.abc import Sequence

from bot.rules.views import DealView, TableView
from bot.show.cards import Card
from bot.show.names import escape, game_of, mention

LISTED = 10
"""Deals in one list: the newest."""


def deal_text(view: TableView, deal: DealView) -> str:
    """Return a deal with its number, its two players, its terms and what it is worth."""
    origin = f" (with offer #{deal.offer})" if deal.offer else ""
    title = f"### Deal #{deal.number} · {mention(deal, deal.seat)} and {mention(deal, deal.to)}{origin}"
    terms = "" if deal.terms is None else f"> {escape(deal.terms)}\n"
    return f"{title}\n{terms}{game_of(view).info.agreements.of_deal(deal.not_binding)} {_status(deal)}".rstrip()


def deal_card(view: TableView, deal: DealView) -> Card:
    """Return a deal as a card for its two players."""
    return Card("over" if deal.status in ("declined", "void") else "open", (deal_text(view, deal),))


def deals_card(view: TableView, deals: Sequence[DealView]) -> Card:
    """Return a list of the first of these deals."""
    blocks = tuple(deal_text(view, deal) for deal in deals[:LISTED])
    more = (f"-# and {len(deals) - LISTED} older ones",) if len(deals) > LISTED else ()
    return Card("open", blocks + more)


def _status(deal: DealView) -> str:
    if deal.status == "proposed":
        return f"Waits for {mention(deal, deal.to)}."
    if deal.status == "declined":
        return "**Declined.**"
    if deal.status == "void":
        return "**Ended:** one of the two left the table."
    marks = [
        f"{mention(deal, seat)} says the other **{'kept' if mark == 'kept' else 'broke'}** it"
        for seat, mark in deal.marks.items()
    ]
    return f"**Agreed.** {'; '.join(marks)}".strip()
