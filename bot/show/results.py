"""Results: what a transaction gave and took, and what a seat holds."""

from __future__ import annotations

from bot.desk import Look
from bot.rules.entries import Entry, Transaction
from bot.rules.table import Change
from bot.rules.views import PUBLIC, view
from bot.show import names
from bot.show.cards import Card
from bot.show.fits import TEXT_MOST, enumeration
from bot.show.happened import line


def result_card(look: Look, entry: Transaction, seat: str) -> Card:
    """A transaction as one of its two parties sees it: what went, what came, what they have now. Private."""
    other = entry.second if seat == entry.first else entry.first
    tell = names.game_of(look).tell_goods
    change, hidden = entry.changes[seat], (entry.hidden or {}).get(seat, Change())
    gave, got = change.lost + hidden.lost, change.gained + change.entered_play + hidden.gained
    return Card(
        "done",
        (
            f"### Done: transaction {entry.number} with {names.mention(look, other)}",
            f"You gave **{names.tell(look, tell(gave))}** and received **{names.tell(look, tell(got))}**.",
            holdings_text(look, seat),
            f"-# Offer #{entry.offer}, revision {entry.revision} · {names.escape(look.table.name)}",
        ),
    )


def public_result_card(look: Look, entry: Transaction) -> Card:
    """A transaction as everybody may read it."""
    tell = names.game_of(look).tell_goods
    gave = [
        f"{names.player(look, seat)} gave **{names.tell(look, tell(entry.given[seat]))}**"
        for seat in (entry.first, entry.second)
    ]
    return Card("done", (f"### Transaction {entry.number}", *gave, f"-# {names.escape(look.table.name)}"))


def holdings_text(look: Look, seat: str) -> str:
    """What a seat holds, a kind a line. Only for whoever may see it."""
    if look.table.settings.inventory == "untracked":
        return "This table does not keep count of holdings."
    lines = names.game_of(look).tell_holdings(look.table, seat)
    return "\n".join(f"**{enumeration(names.tell(look, each), TEXT_MOST - 800)}**" for each in lines)


def change_text(look: Look, entry: Entry) -> str:
    """A gain, a loss or a correction, as everybody may read it."""
    return names.tell(look, line(look, view(entry, PUBLIC)))
