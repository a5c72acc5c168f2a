"""The table for one viewer: what is going on, and a line for each player. Longer texts are behind buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.rules.model.violation import Violation
from bot.rules.model.windows import Pair, pair
from bot.rules.views import PairView, SeatView, TableView
from bot.show.actions import BoardPress, ChoosePlayer, TurnHistory
from bot.show.board import PARTNERS, short_goods, state_lines
from bot.show.cards import SELECT_MAX, Button, Card, Rows, Select
from bot.show.names import escape, format_text, game_of, plain_player, player
from bot.show.pictures import Picture

WhyNot = Mapping[Pair, Violation | None]


def table_card(view: TableView, pairs: Sequence[PairView], picture: Picture | None = None) -> Card:
    """Return the table for the viewer. ``pairs`` are all pairs of taken seats; ``picture`` is drawn from them."""
    why_not = {each.seats: each.why_not for each in pairs}
    heading = f" · {format_text(view, view.board.heading)}" if view.open and view.board.heading else ""
    title = f"### {escape(view.name)}{heading}\n-# {format_text(view, f'Host: <person:{view.host}>')}"
    blocks = [title, "\n".join(state_lines(view)), "\n".join(_players(view, why_not))]
    shown = tuple(filter(None, blocks))
    rows: Rows = (_details(view), *_look_at(view))
    return Card("open" if view.open else "over", shown, rows, picture, picture_after=1)


def _players(view: TableView, why_not: WhyNot) -> list[str]:
    """Return a line for each player: whether the viewer can trade with them now, and their open goods."""
    seated = view.seated()
    if not seated:
        return ["Nobody sits here yet. **/table sit** takes a seat."]
    lines = [f"{_sign(view, seat, why_not)}{player(view, seat)}{_goods(view, view.seats[seat])}" for seat in seated]
    return lines if view.pairwise else [*lines, *_with_everybody(view, why_not)]


def _sign(view: TableView, seat: str, why_not: WhyNot) -> str:
    """Return a sign for whether the viewer can trade with this seat now; if not, with the rule."""
    if view.seat == seat:
        return "👤 "
    if view.seat is None or not view.pairwise:
        return ""
    found = why_not.get(pair(view.seat, seat))
    if found is None:
        return "🤝 "
    return f"⏳ [{found.rule}] " if found.rule else "⏳ "


def _goods(view: TableView, seat: SeatView) -> str:
    return f" · {short_goods(view, seat.open)}" if view.tracked and seat.open else ""


def _with_everybody(view: TableView, why_not: WhyNot) -> list[str]:
    """Return whether all can trade with all now; empty with fewer than two players."""
    seated = view.seated()
    if len(seated) < 2:
        return []
    first = view.seat if view.seat in seated else seated[0]
    found = why_not.get(pair(first or "", next(seat for seat in seated if seat != first)))
    return [f"⏳ {format_text(view, found.sentence())}" if found else "🤝 Everybody can trade with everybody now."]


def _details(view: TableView) -> tuple[Button, ...]:
    """Return the buttons to longer texts."""
    mine = (Button(view.board.goods, BoardPress(view.id, "goods")),) if view.seat else ()
    label = PARTNERS if view.seat else "Who can trade with whom?"
    partners = (Button(label, BoardPress(view.id, "partners")),) if view.pairwise else ()
    history = Button("History", TurnHistory(view.id, until_seq=view.seq, page=1))
    return (*mine, *partners, Button("Offers", BoardPress(view.id, "offers")), history)


def _look_at(view: TableView) -> tuple[Select, ...]:
    """Return the select of players whose open goods can be looked at, if any."""
    hands = game_of(view).hidden
    if not view.tracked or not view.seated() or (hands is not None and hands.nothing_open):
        return ()
    options = tuple((plain_player(view, seat), seat) for seat in view.seated()[:SELECT_MAX])
    return (Select("What has …?", ChoosePlayer(view.id), options),)
