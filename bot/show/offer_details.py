"""Details: an offer's history in sentences, oldest first, as far as the reader may know it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.rules.views import EntryView, OfferView, TableView
from bot.show.cards import Card
from bot.show.names import name_text
from bot.show.narration import narrate
from bot.show.offer_buttons import more_rows
from bot.show.offer_sides import title
from bot.show.stories import is_told, offer_story
from bot.show.terms import irrevocable_text
from bot.show.truncation import truncate

LINES, LINE_MAX = 12, 270
"""The most steps to show, and characters of each: together well under Discord's limit on a message."""


def details_card(view: TableView, offer: OfferView, entries: Sequence[EntryView]) -> Card:
    """Return an offer's history. ``entries`` are those about it, oldest first."""
    newer = (*entries[1:], None)
    told = [_line(entry) for entry, after in zip(entries, newer, strict=False) if is_told(entry, after)]
    first, rest = told[:1], told[1:]
    left_out = [f"-# {len(rest) - LINES + 1} steps between"] if len(rest) >= LINES else []
    lines = [*first, *left_out, *rest[-LINES + 1 :]]
    undone = irrevocable_text(view) if offer.status == "resolved" else ""
    lines += [f"-# {undone}"] if undone else []
    rows = tuple(
        tuple(button for button in row if button.label != "Details") for row in more_rows(offer) if len(row) > 1
    )
    return Card("done" if offer.status == "resolved" else "open", (f"-# {title(view, offer)}", "\n".join(lines)), rows)


def _line(entry: EntryView) -> str:
    return f"<t:{entry.at // 1000}:R> {truncate(name_text(entry, narrate(entry, offer_story)), LINE_MAX)}"
