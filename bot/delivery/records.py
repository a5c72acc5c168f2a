"""The records of a table's messages, in memory and in the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.delivery.desired import Desired
from bot.delivery.messages import Messages, Shown
from bot.delivery.subjects import Subject
from bot.delivery.tables import TableMessages, Work


class Records:
    """Updates the records in memory and in the store together."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    def done(self, table: TableMessages, work: Work, step: Desired, now: Shown) -> None:
        """Record what a message shows now, or forget a message that will not change any more.

        If the message has a new step by now, its fate is "editing": the cursor has passed the entries that caused the
        step, so after a crash only the record asks for the edit.
        """
        superseded = work.step is not step
        if step.final and not superseded:
            self.forget(table, step.subject)
        else:
            table.records[step.subject] = replace(now, fate="editing" if superseded else "shown")
            self.write_down(table, [table.records[step.subject]], ())

    def forget(self, table: TableMessages, subject: Subject) -> None:
        if table.records.pop(subject, None) is not None:
            self.write_down(table, (), (subject,))

    async def store(self, table: TableMessages, intents: Sequence[Shown | None]) -> Shown:
        """Store intents, and return the first. Raises `LedgerError`; then nothing may be sent."""
        records = [each for each in intents if each is not None]
        await self._messages.save(table.id, records)
        table.records.update((each.subject, each) for each in records)
        return records[0]

    def write_down(self, table: TableMessages, records: Sequence[Shown], forgotten: Sequence[Subject]) -> None:
        """Store results with the next write. If a crash comes first, the next process finds them out again."""
        self._messages.note(table.id, records, forgotten=forgotten)
