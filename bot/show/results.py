"""Results: what a transaction moved, and what a seat holds."""

from __future__ import annotations

from bot.rules.model.seats import Change
from bot.rules.offers.entries import Transaction
from bot.rules.views import TableView
from bot.show.cards import Card
from bot.show.names import escape, format_text, game_of, mention, player
from bot.show.truncation import TEXT_MAX, truncate_list


def result_card(view: TableView, entry: Transaction, seat: str) -> Card:
    """Return a transaction for one of its two: what they gave, received and hold now. Only for them."""
    describe = game_of(view).goods.describe
    change, hidden = entry.changes[seat], (entry.hidden or {}).get(seat, Change())
    gave, got = change.lost + hidden.lost, change.gained + change.entered_play + hidden.gained
    blocks = (
        f"### Done: transaction {entry.number} with {mention(view, entry.other(seat))}",
        f"You gave **{format_text(view, describe(gave))}** and received **{format_text(view, describe(got))}**.",
        holdings_text(view, seat),
        f"-# Offer #{entry.offer}, revision {entry.revision} · {escape(view.name)}",
    )
    return Card("done", blocks)


def public_result_card(view: TableView, entry: Transaction) -> Card:
    """Return a transaction as everybody may read it."""
    describe = game_of(view).goods.describe
    gave = [
        f"{player(view, seat)} gave **{format_text(view, describe(entry.given[seat]))}**"
        for seat in (entry.first, entry.second)
    ]
    return Card("done", (f"### Transaction {entry.number}", *gave, f"-# {escape(view.name)}"))


def holdings_text(view: TableView, seat: str) -> str:
    """Return what a seat holds, one kind on each line, as far as the viewer may know."""
    if not view.tracked:
        return "This table does not keep count of holdings."
    lines = game_of(view).goods.describe_holdings(view.seats[seat])
    # The rest of a card needs some room too: its title, what was given and received.
    return "\n".join(f"**{truncate_list(format_text(view, line), TEXT_MAX - 800)}**" for line in lines)
