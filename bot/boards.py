"""Boards: one message a table that says where the game stands, edited at a pace that Discord and readers can bear."""

from __future__ import annotations

import asyncio
import logging
from weakref import WeakValueDictionary

import discord

from bot.desk import Desk
from bot.ledger import LedgerError, Message, TableRow
from bot.messenger import Messenger, Round
from bot.rules.ruling import Refused
from bot.show.names import game_of
from bot.show.tables import board_card

log = logging.getLogger(__name__)


class Boards:
    """Every table's board. ``pace`` is the least time between two edits of one, in seconds."""

    def __init__(self, desk: Desk, post: Messenger, pace: float) -> None:
        self._desk = desk
        self._ledger = desk.ledger
        self._post = post
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
        """This table is closed."""
        self._edited.pop(table_id, None)

    async def show(self, row: TableRow, check: bool) -> None:
        """The board, at most once every ``pace`` seconds; what comes meanwhile is shown together.

        It waits for no card that is still under way. With each turn, agenda or phase it moves down to where people
        are reading.
        """
        now = asyncio.get_running_loop().time()
        wait = self._edited.get(row.id, -self._pace) + self._pace - now
        if wait > 0:
            if row.id not in self._due:
                self._due[row.id] = asyncio.get_running_loop().call_later(wait, self._late, row.id)
            return
        async with self._locks.setdefault(row.id, asyncio.Lock()):
            look = await self._desk.look(row.id)
            shown = {message.subject: message for message in await self._ledger.messages(row.id, "board")}
            this = Round(row, look, dict(shown), check)
            await self._show_board(this)
            if this.shown.get("board") != shown.get("board"):
                self._edited[row.id] = now

    async def _show_board(self, this: Round) -> None:
        before, window = this.shown.get("board"), this.shown.get("board-window")
        game = game_of(this.look)
        number = f"{this.look.table.window.number}{game.board(this.look.table).moves}"
        if window is None or window.shown != number:
            if before and this.look.table.open:
                await self._post.delete(before)
                del this.shown["board"]
            await self._post.remember(this, Message("board-window", this.row.channel_id, 0, number))
        await self._post.show_here(this, "board", this.table_home, board_card(this.look), this.look.table.open)

    def _late(self, table_id: int) -> None:
        task = asyncio.get_running_loop().create_task(self._show_late(table_id))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _show_late(self, table_id: int) -> None:
        self._due.pop(table_id, None)
        try:
            if (row := await self._ledger.table(table_id)) is not None:
                await self.show(row, check=False)
        except (discord.HTTPException, LedgerError, Refused) as error:
            log.warning("table %d: its board could not be shown: %s", table_id, error)
