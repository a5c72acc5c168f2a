"""Results: what a transaction moved, and what a seat holds."""

from __future__ import annotations

from bot.rules.model.seats import Change
from bot.rules.offers.entries import Transaction
from bot.rules.views import EntryView, TableView
from bot.show.cards import Card
from bot.show.names import escape, format_text, game_of, mention, player, seat_name
from bot.show.standing import end_rows, standing_lines
from bot.show.truncation import TEXT_MAX, truncate_list


def result_card(view: TableView, entry: EntryView) -> Card | None:
    """Return a transaction for the viewer who was one of its two: what they gave, received and hold now.

    None for anybody else, and for a person who has left that seat since: it may be another's now.
    """
    done, seat = entry.entry, view.seat
    if not isinstance(done, Transaction) or seat is None or seat not in entry.mine:
        return None
    describe = game_of(view).goods.describe
    change, hidden = done.changes[seat], (done.hidden or {}).get(seat, Change())
    gave, got = change.lost + hidden.lost, change.gained + change.entered_play + hidden.gained
    blocks = (
        f"### Done: transaction {done.number} with {mention(entry, done.other(seat))}",
        f"You gave **{format_text(entry, describe(gave))}** and received **{format_text(entry, describe(got))}**.",
        holdings_text(view, seat),
        *standing_lines(entry),
        f"-# Offer #{done.offer}, revision {done.revision} · {escape(view.name)}",
    )
    return Card("done", blocks, end_rows(entry))


def public_result_card(view: TableView, entry: EntryView, done: Transaction) -> Card:
    """Return a transaction as everybody may read it, with the names of the time."""
    describe = game_of(view).goods.describe
    gave = [
        f"{player(entry, seat)} gave **{format_text(entry, describe(done.given[seat]))}**"
        for seat in (done.first, done.second)
    ]
    return Card("done", (f"### Transaction {done.number}", *gave, f"-# {escape(view.name)}"))


def holdings_card(view: TableView, seat: str) -> Card:
    """Return a seat's holdings as the viewer may see them."""
    title = f"### {seat_name(view, seat)} · only you see this"
    has = view.seats[seat]
    hint = () if has.known or has.in_play or not view.tracked else ("-# **/help** says how you come to some.",)
    return Card("open", (title, holdings_text(view, seat), *hint))


def others_holdings_card(view: TableView, seat: str) -> Card:
    """Return what lies open before another player, and to a host who does not play how to see the rest."""
    title = f"### {mention(view, seat)} · {seat_name(view, seat)} · what lies open"
    if view.seats[seat].hidden is not None:  # the table is closed, and its secrets are open
        title = f"### {mention(view, seat)} · {seat_name(view, seat)}"
    blocks = [title, holdings_text(view, seat)]
    if view.hosts and view.seat is None and view.tracked and view.seats[seat].hidden_count and view.open:
        blocks.append("-# A host who does not play can see the hand too: `hidden: yes`. That is recorded.")
    return Card("open", tuple(blocks))


def holdings_text(view: TableView, seat: str) -> str:
    """Return what a seat holds, one kind on each line, as far as the viewer may know."""
    if not view.tracked:
        return "This table does not keep count of holdings."
    lines = game_of(view).goods.describe_holdings(view.seats[seat])
    # The rest of a card needs some room too: its title, what was given and received.
    return "\n".join(f"**{truncate_list(format_text(view, line), TEXT_MAX - 800)}**" for line in lines)
