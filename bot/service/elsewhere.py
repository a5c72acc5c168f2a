"""Several processes: a change to a table of another process wakes that one, and its changes to ours wake us.

A notice is sent after the change is durable, and only for a table of another process, so that one process alone pays
nothing. A notice may be lost: with the process that was to send it, or with the connection. So each process also looks
now and then which of its tables have entries that it does not know of.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from bot.ledger import Claim, LedgerError
from bot.rules.model.violation import Refused
from bot.service.requests import Change
from bot.service.service import Service
from bot.service.shards import Shards
from bot.tasks import Tasks

log = logging.getLogger(__name__)

LOOK_EVERY = 10.0
"""Seconds between two looks for changes of which no notice came."""

TRY_AGAIN = 1.0
"""Seconds before the database is asked again when it did not answer."""

AT_ONCE = 4
"""Tables that are read at the same time. The ledger has as many connections for reading."""


class Elsewhere:
    """Wakes the owners of other tables, and has the service tell of the own ones that other processes changed.

    Notices go and come through ``claim``; without one, as in a rehearsal, there are no other processes.
    """

    def __init__(self, service: Service, shards: Shards, claim: Claim | None) -> None:
        self._service = service
        self._shards = shards
        self._claim = claim
        self._known: dict[int, int] = {}  # of each own open table, the last entry that the listeners were told of
        self._over: set[int] = set()  # those of them that are closed, of which the listeners are still to be told
        self._to_send: set[str] = set()
        self._to_read: set[int] = set()
        self._send, self._read, self._look = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._tasks = Tasks()

    async def start(self) -> None:
        """Begin. What other processes changed before is for the caller to look up, afterwards.

        A process that has every server has nothing to do. Raises `LedgerError` when the database does not answer.
        """
        if self._claim is None or self._shards.all:
            return
        claim = self._claim
        claim.listen(self._hear)
        self._known = await self._heads()
        self._service.subscribe(self._note)
        self._tasks.keep("telling other processes of changes", lambda: self._sending(claim))
        self._tasks.keep("reading what other processes changed", self._reading)
        self._tasks.keep("looking for changes of other processes", self._looking)

    async def close(self) -> None:
        """Stop. Notices that could not be sent yet are dropped: the others look by themselves."""
        await self._tasks.close()

    def _hear(self, notice: str | None) -> None:
        """Take a notice of another process; None says that some may have been missed."""
        if notice is None:
            self._look.set()
        elif (table_id := self._own(notice)) is not None:
            self._to_read.add(table_id)
            self._read.set()

    def _own(self, notice: str) -> int | None:
        """Return the table that a notice is about, if it is one of ours."""
        table, _, guild = notice.partition(" ")
        if not table.isdecimal() or not (guild == "-" or guild.isdecimal()):
            return None
        return int(table) if self._shards.owns(None if guild == "-" else int(guild)) else None

    def _note(self, change: Change) -> None:
        """Take a change of which the service tells."""
        if self._shards.owns(change.guild_id):
            self._known[change.table_id] = max(change.seq, self._known.get(change.table_id, 0))
        else:
            self._to_send.add(f"{change.table_id} {'-' if change.guild_id is None else change.guild_id}")
            self._send.set()

    async def _heads(self) -> dict[int, int]:
        """Return the last entry of each own open table."""
        return {table: seq for table, _, seq in await self._service.heads(self._shards)}

    # ---------------------------------------------------------------- tasks

    async def _sending(self, claim: Claim) -> None:
        while True:
            await self._send.wait()
            self._send.clear()
            notices, self._to_send = self._to_send, set()
            try:
                await claim.notify(sorted(notices))
            except LedgerError as error:
                log.info("notices wait: %s", error)
                self._to_send |= notices
                await asyncio.sleep(TRY_AGAIN)
                self._send.set()

    async def _looking(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._look.wait(), LOOK_EVERY)
            self._look.clear()
            try:
                await self._compare()
            except LedgerError as error:
                log.info("what other processes changed is looked up later: %s", error)
                await asyncio.sleep(TRY_AGAIN)
                self._look.set()

    async def _compare(self) -> None:
        """Find the own tables that have entries of which the listeners were not told, or are open no longer."""
        heads = await self._heads()
        self._to_read |= {table for table, seq in heads.items() if seq > self._known.get(table, 0)}
        self._over |= self._known.keys() - heads.keys()
        self._to_read |= self._over
        if self._to_read:
            self._read.set()

    async def _reading(self) -> None:
        while True:
            await self._read.wait()
            self._read.clear()
            while self._to_read:
                some = [self._to_read.pop() for _ in range(min(AT_ONCE, len(self._to_read)))]
                await asyncio.gather(*map(self._tell, some))

    async def _tell(self, table_id: int) -> None:
        """Take over what another process changed. What fails is found again by the next look."""
        try:
            await self._service.refresh(table_id)
        except Refused:
            self._over.add(table_id)  # it was removed
        except LedgerError as error:
            log.info("table %d: is read later: %s", table_id, error)
            return
        except Exception:  # the other tables must not wait for this one
            log.exception("table %d: what another process changed could not be taken over", table_id)
            return
        if table_id in self._over:
            self._over.discard(table_id)
            self._known.pop(table_id, None)
