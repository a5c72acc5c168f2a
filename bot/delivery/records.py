"""The records of the messages of a table: in memory, and stored so that the next process knows them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from bot.delivery.desired import Desired
from bot.delivery.messages import Messages, Shown
from bot.delivery.subjects import Subject
from bot.delivery.tables import TableMessages, Work
from bot.ledger import LedgerError

log = logging.getLogger(__name__)


class Records:
    """Keeps the records of tables in step with what is stored."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    async def done(self, table: TableMessages, work: Work, step: Desired, now: Shown) -> None:
        """Record what a message shows now; one that will not change any more is forgotten.

        Where it has to become something else meanwhile, the record says so: the entries that ask for it are planned,
        and after a crash nothing else would.
        """
        superseded = work.step is not step
        if step.final and not superseded:
            await self.forget(table, step.subject)
        else:
            table.records[step.subject] = replace(now, fate="editing" if superseded else "shown")
            await self.write_down(table, [table.records[step.subject]], ())

    async def forget(self, table: TableMessages, subject: Subject) -> None:
        """Forget a message that will not change any more."""
        if table.records.pop(subject, None) is not None:
            await self.write_down(table, (), (subject,))

    async def store(self, table: TableMessages, intents: Sequence[Shown | None]) -> Shown:
        """Store intents, and return the first. Raises `LedgerError`, since nothing may be sent without them."""
        records = [each for each in intents if each is not None]
        await self._messages.save(table.id, records)
        table.records.update((each.subject, each) for each in records)
        return records[0]

    async def write_down(self, table: TableMessages, records: Sequence[Shown], forgotten: Sequence[Subject]) -> None:
        """Store what was done. If that fails, it is only found out once more after a crash."""
        try:
            await self._messages.save(table.id, records, forgotten=forgotten)
        except LedgerError as error:
            log.error("table %d: what was shown could not be recorded", table.id, exc_info=error)
