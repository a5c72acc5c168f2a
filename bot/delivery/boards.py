"""Boards: one message a table that says where the game stands, edited at a pace that Discord and readers can bear."""

from __future__ import annotations

import asyncio
import logging
from weakref import WeakValueDictionary

import discord

from bot.delivery.messages import Messages
from bot.delivery.planner import plan_board
from bot.delivery.reconciler import DeliveryPass, Reconciler
from bot.delivery.subjects import Board
from bot.ledger import LedgerError
from bot.rules.model.violation import Refused
from bot.service import Requester, Service

log = logging.getLogger(__name__)

EVERYBODY = Requester(user_id=0, name="")
"""No person at any table: a board shows what everybody may see."""


class Boards:
    """Every table's board. ``pace`` is the least time between two edits of one, in seconds."""

    def __init__(self, service: Service, messages: Messages, reconciler: Reconciler, pace: float) -> None:
        self._service = service
        self._messages = messages
        self._reconciler = reconciler
        self._pace = pace
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._edited: dict[int, float] = {}
        self._due: dict[int, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """Start nothing more; the next start shows what is true."""
        for timer in self._due.values():
            timer.cancel()
        self._due.clear()

    def forget(self, table_id: int) -> None:
        """Forget when the board of a closed table was edited."""
        self._edited.pop(table_id, None)

    async def show(self, table_id: int, *, check: bool = False) -> None:
        """Show the board, at most once every ``pace`` seconds; what comes meanwhile is shown together.

        It waits for no card that is still under way: its lock is its own.
        """
        loop = asyncio.get_running_loop()
        now = loop.time()
        wait = self._edited.get(table_id, -self._pace) + self._pace - now
        if wait > 0:
            if table_id not in self._due:
                self._due[table_id] = loop.call_later(wait, self._late, table_id)
            return
        async with self._locks.setdefault(table_id, asyncio.Lock()):
            if await self._show_now(table_id, check):
                self._edited[table_id] = now

    async def _show_now(self, table_id: int, check: bool) -> bool:
        """Show the board as the table is now, and return whether that changed it."""
        row = await self._service.table(table_id)
        if row is None:
            return False
        view, shown = await self._service.view(table_id, EVERYBODY), await self._messages.board(table_id)
        before = shown.get(Board())
        this = DeliveryPass(table_id, row.guild_id, row.channel_id, view.seq, shown, check)
        await self._reconciler.show_board(this, plan_board(view))
        return this.shown.get(Board()) != before

    def _late(self, table_id: int) -> None:
        task = asyncio.get_running_loop().create_task(self._show_late(table_id))
        self._tasks.add(task)  # the event loop itself holds only a weak reference to it
        task.add_done_callback(self._tasks.discard)

    async def _show_late(self, table_id: int) -> None:
        self._due.pop(table_id, None)
        try:
            await self.show(table_id)
        except (discord.HTTPException, LedgerError, Refused) as error:
            log.warning("table %d: its board could not be shown: %s", table_id, error)
