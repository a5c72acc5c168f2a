"""What delivery remembers: which message shows which subject, and up to which entry everything is delivered."""

from __future__ import annotations

from bot.ledger import Ledger, Message


class MessageStore:
    """The part of the ledger that delivery may read and write; entries are not in it."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def messages(self, table_id: int, prefix: str = "") -> list[Message]:
        """Return the messages whose subjects begin with ``prefix``, in order of subject."""
        return await self._ledger.messages(table_id, prefix)

    async def message(self, table_id: int, subject: str) -> Message | None:
        """Return the message of a subject, if there is one."""
        return await self._ledger.message(table_id, subject)

    async def save_message(self, table_id: int, message: Message) -> None:
        """Store a message in place of the one of the same subject."""
        await self._ledger.save_message(table_id, message)

    async def forget_message(self, table_id: int, subject: str) -> None:
        """Delete what is stored about the message of a subject. The message itself stays on Discord."""
        await self._ledger.forget_message(table_id, subject)

    async def cursor(self, table_id: int) -> int:
        """Return the last entry up to which everything is delivered; 0 when nothing is."""
        return await self._ledger.cursor(table_id)

    async def set_cursor(self, table_id: int, seq: int) -> None:
        """Move the cursor on; it never goes back."""
        await self._ledger.set_cursor(table_id, seq)
