"""Boards: one message for each table with the state of the game, edited at a limited rate."""

from __future__ import annotations

import asyncio
import logging
from weakref import WeakValueDictionary

import discord

from bot.delivery.messages import Messages
from bot.delivery.planner import plan_board
from bot.delivery.reconciler import DeliveryPass, Reconciler
from bot.delivery.subjects import Board
from bot.delivery.tasks import BackgroundTasks
from bot.ledger import LedgerError
from bot.rules.model.violation import Refused
from bot.service import Requester, Service

log = logging.getLogger(__name__)

EVERYBODY = Requester(user_id=0, name="")
"""A requester who is known at no table and so sees what everybody may see."""


class Boards:
    """The boards of all tables. ``pace`` is the minimum time between two edits of one board, in seconds."""

    def __init__(self, service: Service, messages: Messages, reconciler: Reconciler, pace: float) -> None:
        self._service = service
        self._messages = messages
        self._reconciler = reconciler
        self._pace = pace
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._edited: dict[int, float] = {}  # by table; in seconds of the event loop's clock
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._late = BackgroundTasks()

    async def close(self) -> None:
        """Cancel the edits to come; the next start brings every board up to date."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        await self._late.close()

    def forget(self, table_id: int) -> None:
        """Drop the time of the last edit, once a table is closed."""
        self._edited.pop(table_id, None)

    async def show(self, table_id: int, *, check: bool = False) -> None:
        """Bring the board up to date: now, or ``pace`` seconds after the last edit.

        ``check`` also looks whether the message still exists.
        """
        loop = asyncio.get_running_loop()
        now = loop.time()
        wait = self._edited.get(table_id, -self._pace) + self._pace - now
        if wait > 0:
            # One timer is enough, since the board is drawn from the table as it is when the timer fires.
            if table_id not in self._timers:
                self._timers[table_id] = loop.call_later(wait, self._start_late, table_id)
            return
        # Two calls at once would both find no board and send one each. This is not the lock of `Delivery`, so the
        # board does not wait for cards that are being sent.
        async with self._locks.setdefault(table_id, asyncio.Lock()):
            if await self._show_now(table_id, check):
                self._edited[table_id] = now

    async def _show_now(self, table_id: int, check: bool) -> bool:
        """Show the board as the table is now, and return whether that changed the message."""
        row = await self._service.table(table_id)
        if row is None:
            return False
        view, shown = await self._service.view(table_id, EVERYBODY), await self._messages.board(table_id)
        before = shown.get(Board())
        current = DeliveryPass(table_id, row.guild_id, row.channel_id, view.seq, shown, check)
        await self._reconciler.show_board(current, plan_board(view))
        return current.shown.get(Board()) != before

    def _start_late(self, table_id: int) -> None:
        self._late.start(self._show_late(table_id))

    async def _show_late(self, table_id: int) -> None:
        self._timers.pop(table_id, None)
        try:
            await self.show(table_id)
        except (discord.HTTPException, LedgerError, Refused) as error:
            log.warning("table %d: its board could not be shown: %s", table_id, error)
