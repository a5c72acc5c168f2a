"""What delivery remembers: which message shows what where, and up to which entry everybody has been told."""

from __future__ import annotations

from bot.ledger import Ledger, Message


class MessageStore:
    """The part of the ledger that delivery may write. It holds nothing of a table's entries."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def messages(self, table_id: int, prefix: str = "") -> list[Message]:
        """Return the messages whose subjects begin so, by subject."""
        return await self._ledger.messages(table_id, prefix)

    async def message(self, table_id: int, subject: str) -> Message | None:
        """Return the message of a subject."""
        return await self._ledger.message(table_id, subject)

    async def save_message(self, table_id: int, message: Message) -> None:
        """Remember a message, in place of the one of the same subject."""
        await self._ledger.save_message(table_id, message)

    async def forget_message(self, table_id: int, subject: str) -> None:
        """Keep this message up to date no longer."""
        await self._ledger.forget_message(table_id, subject)

    async def cursor(self, table_id: int) -> int:
        """Return the last entry whose announcements were all delivered."""
        return await self._ledger.cursor(table_id)

    async def set_cursor(self, table_id: int, seq: int) -> None:
        """Move the cursor on; it never goes back."""
        await self._ledger.set_cursor(table_id, seq)
