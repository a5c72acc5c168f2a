"""A player's private view of their goods: first what waits for them, then the goods, and what to do next."""

from __future__ import annotations

import re

from bot.rules.views import TableView
from bot.show.actions import BoardPress
from bot.show.board import NEW_OFFER, PARTNERS
from bot.show.cards import Button, Card
from bot.show.names import format_text, game_of, seat_name
from bot.show.truncation import TEXT_MAX, truncate_list
from bot.show.waiting import waiting_block, with_waiting

_AMOUNT = re.compile(r"^([^:=]*[:=] )(\d+(?: of \d+)?)(?=$|[^\w])")
"""The amount after a kind of goods: ``Trade goods: 4``, ``Salt x3 = 27``."""


SHORTEST = 60
"""The fewest characters of a line of goods, however little room there is."""


def my_goods_card(view: TableView, seat: str) -> Card:
    """Return the viewer's holdings; ``seat`` is the viewer's own."""
    title = f"### {view.board.goods} · {seat_name(view, seat)}\n-# Only you see this."
    goods = _goods(view, seat, room=TEXT_MAX - len(waiting_block(view)) - len(title))
    return with_waiting(view, Card("open", (title, goods), next_rows(view)))


def _goods(view: TableView, seat: str, room: int) -> str:
    """Return the seat's goods in at most ``room`` characters, one kind per line, with the amounts in bold."""
    if not view.tracked:
        return "This table does not keep count of holdings."
    lines = []
    for each in game_of(view).goods.describe_holdings(view.seats[seat]):
        line = _AMOUNT.sub(r"\1**\2**", truncate_list(format_text(view, each), max(room, SHORTEST)))
        room -= len(line) + 1
        lines.append(line)
    return "\n".join(lines)


def next_rows(view: TableView) -> tuple[tuple[Button, ...], ...]:
    """Return the next buttons: to a trade; before trading begins, to what brings goods."""
    gains = view.board.gains
    if not view.open or not view.board.trades:
        return ((Button(gains.label, gains.action),),) if view.open and gains else ()
    new = Button(NEW_OFFER, BoardPress(view.id, "new"))
    return ((new, *((Button(PARTNERS, BoardPress(view.id, "partners")),) if view.pairwise else ())),)
