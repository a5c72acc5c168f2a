"""Notices between processes: a process that changes another process's table notifies its owner.

A notice is sent after the change is durable, and only for a table of another process, so a single
process has no extra cost. A notice is lost if the sender or its connection fails. Therefore each
process also checks every `LOOK_EVERY` seconds which of its tables have entries that it does not
know.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from bot.ledger import Claim, LedgerError
from bot.rules.model.violation import Refused
from bot.service.requests import Shards, TableChange
from bot.service.service import Service
from bot.tasks import Tasks

log = logging.getLogger(__name__)

LOOK_EVERY = 10.0
"""Seconds between two checks for changes without a notice."""

TRY_AGAIN = 1.0
"""Seconds before the database is asked again after an error."""

READ_AT_ONCE = 4
"""Tables read concurrently: the ledger's number of connections for reading."""


class Peers:
    """Notifies other processes of changes to their tables, and refreshes our tables that they
    changed.

    Notices are sent and received through ``claim``. Without it, as in a rehearsal, there are no
    other processes.
    """

    def __init__(self, service: Service, shards: Shards, claim: Claim | None) -> None:
        self._service = service
        self._shards = shards
        self._claim = claim
        # the last entry that the listeners know, for each of our open tables
        self._known: dict[int, int] = {}
        # our closed tables that the listeners still believe to be open
        self._over: set[int] = set()
        self._to_send: set[str] = set()
        self._to_read: set[int] = set()
        self._send = asyncio.Event()
        self._read = asyncio.Event()
        self._look = asyncio.Event()
        self._tasks = Tasks()

    async def start(self) -> None:
        """Start. The caller must look up earlier changes itself, afterwards.

        Does nothing if this process owns every server. Raises `LedgerError` when the database does
        not answer.
        """
        if self._claim is None or self._shards.all:
            return
        claim = self._claim
        claim.listen(self._receive)
        self._known = await self._heads()
        self._service.subscribe(self._note)
        self._tasks.keep("telling other processes of changes", lambda: self._sending(claim))
        self._tasks.keep("reading what other processes changed", self._reading)
        self._tasks.keep("looking for changes of other processes", self._looking)

    async def close(self) -> None:
        """Stop and drop unsent notices: the other processes check for changes themselves."""
        await self._tasks.close()

    def _receive(self, notice: str | None) -> None:
        """Receive a notice from another process; None means that notices may have been missed."""
        if notice is None:
            self._look.set()
            return
        table, _, guild = notice.partition(" ")
        readable = table.isdecimal() and (guild == "-" or guild.isdecimal())
        if readable and self._shards.owns(None if guild == "-" else int(guild)):
            self._to_read.add(int(table))
            self._read.set()

    def _note(self, change: TableChange) -> None:
        """Handle a change made by this process: record it, or queue a notice to the table's
        owner.
        """
        table_id, guild_id = change.table_id, change.guild_id
        if self._shards.owns(guild_id):
            self._known[table_id] = max(change.seq, self._known.get(table_id, 0))
        else:
            self._to_send.add(f"{table_id} {'-' if guild_id is None else guild_id}")
            self._send.set()

    async def _heads(self) -> dict[int, int]:
        """Return the last entry of each of our open tables."""
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
                log.info("notices to other processes could not be sent yet: %s", error)
                self._to_send |= notices
                await asyncio.sleep(TRY_AGAIN)
                self._send.set()

    async def _looking(self) -> None:
        """Find our tables with entries that the listeners don't know, and those that are no longer
        open.
        """
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._look.wait(), LOOK_EVERY)
            self._look.clear()
            try:
                heads = await self._heads()
            except LedgerError as error:
                log.info("changes of other processes could not be read yet: %s", error)
                await asyncio.sleep(TRY_AGAIN)
                self._look.set()
                continue
            self._to_read |= {
                table for table, seq in heads.items() if seq > self._known.get(table, 0)
            }
            self._over |= self._known.keys() - heads.keys()
            self._to_read |= self._over
            if self._to_read:
                self._read.set()

    async def _reading(self) -> None:
        while True:
            await self._read.wait()
            self._read.clear()
            while self._to_read:
                tables = [self._to_read.pop() for _ in range(READ_AT_ONCE) if self._to_read]
                await asyncio.gather(*map(self._refresh_table, tables))

    async def _refresh_table(self, table_id: int) -> None:
        """Refresh a table that another process changed. On failure, the next check finds it
        again.
        """
        try:
            await self._service.refresh(table_id)
        except Refused:
            self._over.add(table_id)  # it was removed
        except LedgerError as error:
            log.info("a table could not be read yet: %s", error, extra={"table": table_id})
            return
        except Exception:  # the other tables must not wait for this one
            log.exception(
                "a change of another process could not be taken over", extra={"table": table_id}
            )
            return
        if table_id in self._over:
            self._over.discard(table_id)
            self._known.pop(table_id, None)
