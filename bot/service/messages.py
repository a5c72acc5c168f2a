"""Delivery's stored state: which message shows which subject, and the last entry whose messages are planned."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bot.ledger import Ledger, Message
from bot.rules.model.calls import CallKind
from bot.service.memory import Memory
from bot.service.pings import muted

MUTED_FOR = 60.0
"""How long a user's silenced calls are cached, in seconds. Another process may have changed them."""


class MessageStore:
    """The part of the ledger that delivery may read and write. It does not include entries."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._muted: Memory[int, frozenset[CallKind]] = Memory(partial(muted, ledger), fresh_for=MUTED_FOR)

    async def messages(self, table_id: int) -> list[Message]:
        """Return the messages of a table, in order of subject."""
        return await self._ledger.messages(table_id)

    async def save(
        self, table_id: int, saved: Sequence[Message], *, forgotten: Sequence[str] = (), cursor: int | None = None
    ) -> None:
        """Store messages, replacing those about the same subjects; delete ``forgotten``; advance the cursor.

        Forgotten messages stay on Discord. The cursor never moves back.
        """
        await self._ledger.save_messages(table_id, saved, forgotten=forgotten, cursor=cursor)

    def note(self, table_id: int, saved: Sequence[Message], *, forgotten: Sequence[str] = ()) -> None:
        """Buffer messages to store and to delete, for the next `save` or a write of their own soon."""
        self._ledger.note_messages(table_id, saved, forgotten=forgotten)

    async def cursor(self, table_id: int) -> int:
        """Return the last entry whose messages are planned; 0 if none are."""
        return await self._ledger.cursor(table_id)

    async def dm_channel(self, user_id: int) -> int | None:
        """Return the channel of a user's DMs, if it was opened before."""
        found = await self._ledger.key_value(f"dm-channel:{user_id}")
        return int(found) if found else None

    async def set_dm_channel(self, user_id: int, channel_id: int) -> None:
        """Store the channel of a user's DMs, which never changes."""
        await self._ledger.set_key_value(f"dm-channel:{user_id}", str(channel_id))

    async def muted(self, user_id: int) -> frozenset[CallKind]:
        """Return the calls that a user has silenced. The answer may be up to `MUTED_FOR` old."""
        return await self._muted.get(user_id, from_memory=True)

    def forget_muted(self, user_id: int) -> None:
        """Drop the cached calls of a user who has changed them."""
        self._muted.forget(user_id)

    async def arrived(self, guild_id: int) -> bool:
        """Return whether the bot has already said hello on this server."""
        return bool(await self._ledger.key_value(f"arrived:{guild_id}"))

    async def set_arrived(self, guild_id: int) -> None:
        await self._ledger.set_key_value(f"arrived:{guild_id}", "yes")
