"""The private threads of negotiations: opens each once, and archives it after its messages are up
to date.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import discord

from bot.delivery.desired import ArchiveThread, OpenThread, Priority
from bot.delivery.life import ECHO, LEFT_SERVER, NO_LONGER_THERE, Do, Life, Next, Pause
from bot.delivery.records import Lives, TableMessages, Work
from bot.delivery.transport import MISSING_ACCESS, Transport
from bot.delivery.verdicts import FailureAction, judge
from bot.rules.model.replacing import replace

log = logging.getLogger(__name__)

OPEN, CLOSED, NONE = "open", "closed", "none"
"""The values of `Life.shows` for a negotiation's thread."""

NO_ACCESS = (MISSING_ACCESS, LEFT_SERVER)
"""Discord's codes for a channel that the bot can't see, such as on a server that it has left."""


class Threads:
    """Opens and archives threads. ``replan`` is called with the id of a table when its thread can
    be used.
    """

    def __init__(self, transport: Transport, lives: Lives, replan: Callable[[int], None]) -> None:
        self._transport = transport
        self._lives = lives
        self._replan = replan

    async def open(self, table: TableMessages, step: OpenThread) -> Next:
        """Open a thread and add its users. If it can't be opened, record that, and go on without
        it.

        The users who can't be added are the life's reason. Where the bot has no access, that raises
        Discord's answer, and the thread waits for an invitation.
        """
        life = table.lives[step.subject]
        if not life.message_id:
            try:
                thread_id = await self._new(table, step, life)
            except discord.HTTPException as error:
                if error.code in NO_ACCESS:
                    await self._leave_behind(table, life)
                raise
            if isinstance(thread_id, Pause):
                return thread_id
            # Stored at once: threads have no nonce, so after an error below a second one would be
            # opened.
            life = replace(
                life,
                channel_id=table.channel_id,
                message_id=thread_id or 0,
                shows=OPEN if thread_id else NONE,
                stage="editing" if thread_id else "shown",
                until=0,
                reason="",
            )
            await self._lives.store(table, life)
        absent = list[str]()
        for user in step.users if life.message_id else ():
            try:
                await self._transport.add_to_thread(life.message_id, user, priority=Priority.ACT)
            except discord.HTTPException as error:
                if judge(error).act is FailureAction.RETRY:
                    raise
                # they have left or can't see the channel, or we may not write in threads
                absent.append(str(user))
        await self._lives.store(table, replace(life, stage="shown", reason=" ".join(absent)))
        self._replan(table.id)
        return Do.REST

    async def _leave_behind(self, table: TableMessages, life: Life) -> None:
        """Go on without a thread until the bot is invited again: it may have been thrown out."""
        left = replace(life, shows=NONE, stage="given_up", reason=NO_LONGER_THERE)
        await self._lives.store(table, left)
        self._replan(table.id)

    async def _new(self, table: TableMessages, step: OpenThread, life: Life) -> int | Pause | None:
        """Return the id of the thread; None when the table's channel does not allow one.

        If an earlier process may have asked for it, it is looked for, twice, since that request may
        still be under way.
        """
        try:
            if life.stage == "looking" or life.left_behind:
                found = await self._find(table, step, life, Priority.ACT)
                if found:
                    return found
                if not (life.until or life.tries or life.reason == NO_LONGER_THERE):
                    table.lives[step.subject] = replace(life, until=1)
                    return Pause(ECHO)
            # after an error the thread may exist
            table.lives[step.subject] = replace(life, stage="looking", until=0)
            return await self._transport.open_thread(
                table.channel_id, step.name, priority=Priority.ACT
            )
        except discord.HTTPException as error:
            if judge(error).act is FailureAction.RETRY:
                raise
            known = life.reason == NO_LONGER_THERE
            words = "a private thread can't be opened there (%d)"
            level = logging.DEBUG if known else logging.WARNING
            log.log(level, words, error.code, extra={"table": table.id})
            if error.code in NO_ACCESS:
                raise
            return None

    async def _find(
        self, table: TableMessages, step: OpenThread | ArchiveThread, life: Life, priority: Priority
    ) -> int | None:
        return await self._transport.find_thread(
            table.channel_id, step.name, life.at, known=table.threads, priority=priority
        )

    async def archive(self, table: TableMessages, work: Work, step: ArchiveThread) -> Next:
        """Archive a thread when the work on its messages is done, with its retries: nothing can be
        edited in an archived thread.

        If the thread may have been opened, it is looked for, twice, since the request may still be
        under way.
        """
        life, found = table.lives[step.subject], None
        if not life.message_id:
            if life.stage == "looking" and step.name:
                found = await self._find(table, step, life, Priority.LEISURE)
                if found is None and not life.until:
                    table.lives[step.subject] = replace(life, until=1)
                    return Pause(ECHO)
            if found is None:
                return Do.FORGET
            life = replace(life, channel_id=table.channel_id, message_id=found)
        there = {
            subject for subject, each in table.lives.items() if each.channel_id == life.message_id
        }
        inside = [
            each.task
            for subject, each in table.works.items()
            if each.task and subject in there and each is not work
        ]
        if inside:
            await asyncio.wait(inside)
            if not table.lives[step.subject].message_id:  # that work found out that it was deleted
                return Do.FORGET
        # What Discord did not take yet could not be edited any more, nor what waits for an
        # invitation.
        left = {subject for subject, each in table.lives.items() if each.left_behind}
        if any(subject in table.works or subject in left for subject in there):
            return Pause(ECHO)
        await self._transport.archive(life.message_id, archived=True, priority=Priority.LEISURE)
        await self._lives.store(table, replace(life, shows=CLOSED, stage="shown"))
        return Do.REST
