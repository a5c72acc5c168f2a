"""Pages: private messages whose buttons turn the page, even after a restart."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.rules.features.audits import Audit
from bot.rules.views import EntryView, TableView
from bot.service import Requester, Service
from bot.show import accounts
from bot.show.cards import Card
from bot.show.names import game_of
from bot.show.pictures import Picture, wealth
from bot.show.timeline import player_card
from cogs.request import Request

CHARTED = 4000
"""The most entries that a chart is drawn from. A game evening has some hundreds."""

TOO_LONG = f"-# I can't draw a chart of a table with more than {CHARTED} entries."


async def pictured(
    request: Request,
    card: Card,
    view: TableView,
    until_seq: int,
    seat: str | None,
) -> Card:
    """Return the card with a chart of the game that emphasizes this seat's line."""
    if until_seq > CHARTED:
        return replace(card, blocks=(*card.blocks, TOO_LONG))
    return replace(
        card, picture=await charted(request.service, request.requester, view, until_seq, seat)
    )


async def charted(
    service: Service, who: Requester, view: TableView, until_seq: int, seat: str | None
) -> Picture | None:
    """Return a chart of the game that emphasizes this seat's line; None when nobody ever took a
    seat.

    A thread draws it, since drawing would block the event loop and with it everybody's commands.
    """
    course = wealth.WealthHistory(game_of(view))
    async for some in service.walk(view.id, who, until_seq=until_seq, kinds=wealth.kinds()):
        course.add(some)
    chart = course.chart(view, seat)
    return await asyncio.to_thread(wealth.wealth_picture, chart) if chart else None


async def player_page(
    service: Service, who: Requester, table_id: int, *, person: int, until_seq: int, page: int
) -> tuple[Card, TableView, str | None]:
    """Return a page of a player's accounts, the table at ``until_seq``, and the player's seat."""
    look = Audit("player", person)
    view = await service.audited_view(table_id, who, look, until_seq=until_seq)
    seat_and_deal_entries = await service.entries(
        table_id, who, until_seq=until_seq, audit=look, kinds=accounts.SEAT_AND_DEAL_KINDS
    )
    seat = accounts.seat_of(seat_and_deal_entries, person)
    every: list[EntryView] = []
    async for some in service.walk(
        table_id, who, until_seq=until_seq, audit=look, kinds=accounts.kinds()
    ):
        every += [entry for entry in some if accounts.bears_on(entry, seat)]
    return await asyncio.to_thread(player_card, view, every, person, until_seq, page), view, seat
