"""What one player has, for them alone: first what waits for them, then their goods, and what they can do next."""

from __future__ import annotations

from bot.rules.views import TableView
from bot.show.actions import BoardPress
from bot.show.board import NEW_OFFER, PARTNERS
from bot.show.cards import Button, Card
from bot.show.results import holdings_card
from bot.show.waiting import waiting_block, waiting_rows


def my_goods_card(view: TableView, seat: str) -> Card:
    """Return the holdings of the viewer, whose seat this is."""
    card = holdings_card(view, seat)
    first = waiting_block(view)
    blocks = (*((first,) if first else ()), *card.blocks)
    return Card("waiting" if first else card.mood, blocks, (*waiting_rows(view), *card.rows, *next_rows(view)))


def next_rows(view: TableView) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons that lead on from there, while there is trade."""
    if not view.open or not view.board.trades:
        return ()
    new = Button(NEW_OFFER, BoardPress(view.id, "new"))
    return ((new, *((Button(PARTNERS, BoardPress(view.id, "partners")),) if view.pairwise else ())),)
