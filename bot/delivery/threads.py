"""The private threads of negotiations: opens each once, and archives it after its messages are up to date."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace

import discord

from bot.delivery.desired import ArchiveThread, OpenThread, Priority
from bot.delivery.intents import CLOSED, ECHO, NONE, OPEN, Postponed
from bot.delivery.outcomes import FailureAction, judge
from bot.delivery.records import MessageRecord, MessageRecords, TableMessages, Work
from bot.delivery.transport import Transport

log = logging.getLogger(__name__)


class Threads:
    """Opens and archives threads. ``replan`` is called with the id of a table when its thread can be used."""

    def __init__(self, transport: Transport, records: MessageRecords, replan: Callable[[int], None]) -> None:
        self._transport = transport
        self._records = records
        self._replan = replan

    async def open(self, table: TableMessages, work: Work, step: OpenThread) -> None:
        """Open a thread and add its users. If it can't be opened, record that, and go on without it."""
        now = table.records[step.subject]
        if not now.message_id:
            thread_id = await self._new(table, work, step, now)
            state, fate = (OPEN, "editing") if thread_id else (NONE, "shown")
            # Stored at once: threads have no nonce, so after an error below a second one would be opened.
            now = replace(now, channel_id=table.channel_id, message_id=thread_id or 0, state=state, fate=fate)  # type: ignore[arg-type]
            await self._records.store(table, now)
        for user in step.users if now.message_id else ():
            await self._transport.add_to_thread(now.message_id, user, priority=Priority.ACT)
        await self._records.store(table, replace(now, fate="shown"))
        self._replan(table.id)

    async def _new(self, table: TableMessages, work: Work, step: OpenThread, now: MessageRecord) -> int | None:
        """Return the id of the thread; None when the table's channel does not allow one."""
        try:
            if work.unsure:
                found = await self._transport.find_thread(table.channel_id, step.name, now.at, priority=Priority.ACT)
                if found:
                    work.unsure = False
                    return found
            work.unsure = True  # after an error the thread may exist
            return await self._transport.open_thread(table.channel_id, step.name, priority=Priority.ACT)
        except discord.HTTPException as error:
            if judge(error).act is FailureAction.RETRY:
                raise
            log.warning("a private thread can't be opened there (%d)", error.code, extra={"table": table.id})
            return None

    async def archive(self, table: TableMessages, work: Work, step: ArchiveThread) -> None:
        """Archive a thread when the work on its messages is done: nothing can be edited in an archived thread.

        If the thread may have been opened, it is looked for, twice, since the request may still be under way.
        """
        now, found = table.records[step.subject], None
        if not now.message_id:
            if work.unsure and step.name:
                find, since = self._transport.find_thread, now.at
                found = await find(table.channel_id, step.name, since, priority=Priority.LEISURE)
                if found is None and not work.looked:
                    work.looked = True
                    raise Postponed(ECHO)
            if found is None:
                self._records.forget(table, step.subject)
                return
            now = replace(now, channel_id=table.channel_id, message_id=found)
        there = {subject for subject, each in table.records.items() if each.channel_id == now.message_id}
        inside = [
            each.task for subject, each in table.works.items() if each.task and subject in there and each is not work
        ]
        if inside:
            await asyncio.wait(inside)
        await self._transport.archive(now.message_id, archived=True, priority=Priority.LEISURE)
        await self._records.store(table, replace(now, state=CLOSED, fate="shown"))
