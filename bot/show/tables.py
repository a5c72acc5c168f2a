"""The table: who sits where, the state of the game, whom the viewer can trade with now; and the table's board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from bot.rules.model.violation import Violation
from bot.rules.model.windows import Pair, pair
from bot.rules.views import OfferView, PairView, TableView
from bot.show.cards import BUTTONS_MAX, Card, Rows, buttons
from bot.show.names import escape, format_text, mention, player
from bot.show.offers import browse_select, offer_line
from bot.show.truncation import TEXT_MAX, truncate_lines

BOARD_OFFERS = 8
"""Offers on the board: as many as a phone shows without scrolling."""

TABLE_OFFERS = 10
"""Offers on the card of the table."""

# ---------------------------------------------------------------- the table, for one viewer


def table_card(view: TableView, pairs: Sequence[PairView]) -> Card:
    """Return the table for the viewer; ``pairs`` are those of all taken seats."""
    why_not = {each.seats: each.why_not for each in pairs}
    blocks = [f"### {escape(view.name)}\n{format_text(view, f'Host: <person:{view.host}>')}"]
    blocks += ["\n".join(_lines(view)), _seats(view, why_not)]
    if others := _others(view, why_not):
        blocks.append("**The others, pair by pair**\n" + "\n".join(others))
    if offers := sorted(_live(view), key=lambda offer: -offer.number):
        lines = [escape(offer_line(view, offer)) for offer in offers[:TABLE_OFFERS]]
        room = TEXT_MAX - sum(map(len, blocks))
        blocks.append("**Open offers**\n" + "\n".join(truncate_lines(lines, room)))
    return Card("open" if view.open else "over", tuple(blocks))


def _live(view: TableView) -> list[OfferView]:
    return [offer for offer in view.offers.values() if offer.live]


def _lines(view: TableView) -> list[str]:
    """Return the game's own lines: phase, turn and the like."""
    return [format_text(view, line) for line in view.board.lines] if view.open else ["This table is **closed**."]


def _seats(view: TableView, why_not: Mapping[Pair, Violation | None]) -> str:
    """Return all players, and whether the viewer can trade with each of them now."""
    seated = view.seated()
    if not seated:
        return "Nobody sits here yet. **/table sit** takes a seat."
    if view.pairwise:
        return "\n".join(f"{player(view, seat)}{_with(view, seat, why_not)}" for seat in seated)
    players = [f"{player(view, seat)}{' · you' if seat == view.seat else ''}" for seat in seated]
    return "\n".join([*players, *_with_everybody(view, why_not)])


def _with(view: TableView, seat: str, why_not: Mapping[Pair, Violation | None]) -> str:
    if view.seat is None:
        return ""
    if view.seat == seat:
        return " · you"
    found = why_not.get(pair(view.seat, seat))
    return f" · 🔒 {format_text(view, found.sentence())}" if found else " · 🤝 you can trade now"


def _with_everybody(view: TableView, why_not: Mapping[Pair, Violation | None]) -> list[str]:
    """Return whether all can trade with all now; empty with fewer than two players."""
    seated = view.seated()
    if len(seated) < 2:
        return []
    first = view.seat if view.seat in seated else seated[0]
    found = why_not.get(pair(first or "", next(seat for seat in seated if seat != first)))
    return [f"🔒 {format_text(view, found.sentence())}" if found else "🤝 Everybody can trade with everybody now."]


def _others(view: TableView, why_not: Mapping[Pair, Violation | None]) -> list[str]:
    """Return which other pairs can trade now; for those that can't, only the number of the rule."""
    others = [seat for seat in view.seated() if seat != view.seat] if view.pairwise else []
    return [
        f"{mention(view, first)} – {mention(view, second)} {_sign(why_not.get(pair(first, second)))}"
        for first, second in combinations(others, 2)
    ]


def _sign(found: Violation | None) -> str:
    return f"🔒 [{found.rule}]" if found else "🤝"


# ---------------------------------------------------------------- the board, for everybody


def board_card(view: TableView) -> Card:
    """Return the table's board: the state of the game, the open offers, and the buttons that advance the game."""
    offers = _on_board(view)
    blocks = [f"### {escape(view.name)}", "\n".join(_lines(view))]
    if offers:
        blocks.append("**Open offers**\n" + "\n".join(_board_lines(view, offers)))
    if not view.open:
        return Card("over", tuple(blocks))
    every = buttons(view.board.buttons)
    rows: Rows = tuple(every[first : first + BUTTONS_MAX] for first in range(0, len(every), BUTTONS_MAX))
    if offers and view.board.browse:
        rows = (browse_select(view, offers), *rows)
    return Card("open", tuple(blocks), rows)


def _on_board(view: TableView) -> list[OfferView]:
    """Return the offers on the board: those that match another one first, then the newest.

    Where all trade with all, offers to one seat are left out: they concern nobody else.
    """
    shown = [offer for offer in _live(view) if view.pairwise or offer.to is None]
    return sorted(shown, key=lambda offer: (offer.fits, offer.number), reverse=True)


def _board_lines(view: TableView, offers: Sequence[OfferView]) -> list[str]:
    lines = [f"{_possible(view, offer)}{_line(view, offer)}" for offer in offers[:BOARD_OFFERS]]
    more = len(offers) - BOARD_OFFERS
    return [*truncate_lines(lines, TEXT_MAX // 2), *([f"-# and {more} more: /offer list"] if more > 0 else [])]


def _line(view: TableView, offer: OfferView) -> str:
    return f"{escape(offer_line(view, offer))}{' 🧩' if offer.fits else ''}"


def _possible(view: TableView, offer: OfferView) -> str:
    """Return a sign that tells whether an offer is possible now; where all trade with all, the phase tells it."""
    if not view.pairwise:
        return ""
    if offer.why_not is None:
        return "🟢 " if offer.status == "open" else "⏸️ "
    return f"⏳ [{offer.why_not.rule}] " if offer.why_not.rule else "⏳ "
