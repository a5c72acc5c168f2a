"""The records of the messages of a table: in memory, and stored so that the next process knows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.delivery.desired import Desired
from bot.delivery.messages import Messages, Shown
from bot.delivery.subjects import Subject
from bot.delivery.tables import TableMessages, Work


class Records:
    """Keeps the records of tables in step with what is stored."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    def done(self, table: TableMessages, work: Work, step: Desired, now: Shown) -> None:
        """Record what a message shows now; one that will not change any more is forgotten.

        Where it has to become something else meanwhile, the record says so: the entries that ask for it are planned,
        and after a crash nothing else would.
        """
        superseded = work.step is not step
        if step.final and not superseded:
            self.forget(table, step.subject)
        else:
            table.records[step.subject] = replace(now, fate="editing" if superseded else "shown")
            self.write_down(table, [table.records[step.subject]], ())

    def forget(self, table: TableMessages, subject: Subject) -> None:
        """Forget a message that will not change any more."""
        if table.records.pop(subject, None) is not None:
            self.write_down(table, (), (subject,))

    async def store(self, table: TableMessages, intents: Sequence[Shown | None]) -> Shown:
        """Store intents, and return the first. Raises `LedgerError`, since nothing may be sent without them."""
        records = [each for each in intents if each is not None]
        await self._messages.save(table.id, records)
        table.records.update((each.subject, each) for each in records)
        return records[0]

    def write_down(self, table: TableMessages, records: Sequence[Shown], forgotten: Sequence[Subject]) -> None:
        """Have what was done stored with what is stored next. After a crash before that, it is found out once more."""
        self._messages.note(table.id, records, forgotten=forgotten)
