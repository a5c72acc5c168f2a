"""Whom the viewer can trade with now, and why not with the others: the answer to **Who can I trade with?**"""

from __future__ import annotations

from collections.abc import Sequence

from bot.rules.model.violation import Violation
from bot.rules.model.windows import Pair, pair
from bot.rules.views import PairView, TableView
from bot.show.board import new_offer_button
from bot.show.cards import BUTTONS_MAX, LABEL_MAX, Button, Card, Rows, rows_of
from bot.show.names import escape, format_text, name, plain_text, player
from bot.show.waiting import with_waiting

REMEDIES_MAX = 2 * BUTTONS_MAX
"""The most buttons that would let the viewer trade."""


def with_viewer(view: TableView, pairs: Sequence[PairView]) -> dict[str, PairView]:
    """Return the viewer's pair with each other player; players they can trade with now come first."""
    by_seats: dict[Pair, PairView] = {each.seats: each for each in pairs}
    others = [seat for seat in view.seated() if seat != view.seat]
    found = {seat: by_seats[pair(view.seat or "", seat)] for seat in others}
    return dict(sorted(found.items(), key=lambda each: each[1].why_not is not None))


def partners_card(view: TableView, pairs: Sequence[PairView]) -> Card:
    """Return whom the viewer can trade with now, why not with the others, and buttons that change that.

    Without a seat: who can trade with whom.
    """
    if view.seat is None:
        return Card("open", ("### Who can trade with whom now", pairs_text(view, pairs)))
    mine = with_viewer(view, pairs)
    if not mine:
        return Card("waiting", ("Nobody else sits here yet. **/table sit** takes a seat.",))
    lines = [_line(view, other, each.why_not) for other, each in mine.items()]
    now = any(each.why_not is None for each in mine.values())
    blocks = ["### Who can you trade with?", "\n".join(lines)]
    if not now:
        blocks.append("-# An offer can be posted all the same: it stands until you two may trade.")
    rows = (*_remedies(view, mine), *_new(view))
    return with_waiting(view, Card("open" if now else "waiting", tuple(blocks), rows))


def _line(view: TableView, other: str, why_not: Violation | None) -> str:
    """Return whether the viewer can trade with another player now, and why not."""
    if why_not is None:
        return f"🤝 {player(view, other)} · now"
    return f"⏳ {player(view, other)} · {format_text(view, why_not_in_short(why_not))}"


def why_not_in_short(why_not: Violation) -> str:
    """Return the reason and its rule, as markup. The remedy is left out, since a button has it."""
    cited = f" [{why_not.rule}]" if why_not.rule else ""
    return f"{why_not.reason.removesuffix('.')}{cited}"


def pairs_text(view: TableView, pairs: Sequence[PairView]) -> str:
    """Return whom each player can trade with now, as far as everybody may know."""
    lines = []
    for seat in view.seated():
        every = [each for each in pairs if seat in each.seats and each.why_not is None]
        others = [other for each in every for other in each.seats if other != seat]
        listed = ", ".join(escape(name(view, other)) for other in others)
        lines.append(f"{'🤝' if listed else '⏳'} {player(view, seat)} · {listed or 'nobody'}")
    return "\n".join(lines) or "Nobody sits here yet. **/table sit** takes a seat."


def _remedies(view: TableView, mine: dict[str, PairView]) -> Rows:
    found = [each.remedy for each in mine.values() if each.remedy is not None][:REMEDIES_MAX]
    every = [Button(plain_text(view, each.label)[:LABEL_MAX], each.action) for each in found]
    return rows_of(every)


def _new(view: TableView) -> Rows:
    return ((new_offer_button(view),),) if view.board.trades else ()
