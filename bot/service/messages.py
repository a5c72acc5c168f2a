"""What delivery remembers: which message shows which subject, and up to which entry all messages are planned."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bot.ledger import Ledger, Message
from bot.rules.model.calls import CallKind
from bot.service.memory import Memory
from bot.service.pings import muted

MUTED_FOR = 60.0
"""How long it is remembered which calls a user has silenced, in seconds: another process may have been told otherwise.
"""


class MessageStore:
    """The part of the ledger that delivery may read and write; entries are not in it."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._muted: Memory[int, frozenset[CallKind]] = Memory(partial(muted, ledger), fresh_for=MUTED_FOR)

    async def messages(self, table_id: int) -> list[Message]:
        """Return the messages of a table, in order of subject."""
        return await self._ledger.messages(table_id)

    async def save(
        self, table_id: int, saved: Sequence[Message], *, forgotten: Sequence[str] = (), cursor: int | None = None
    ) -> None:
        """Store messages in place of those of the same subjects, forget others, and move the cursor on.

        What is forgotten stays on Discord. The cursor never goes back.
        """
        await self._ledger.save_messages(table_id, saved, forgotten=forgotten, cursor=cursor)

    def note(self, table_id: int, saved: Sequence[Message], *, forgotten: Sequence[str] = ()) -> None:
        """Have messages stored and others forgotten with what is saved next, or after a moment."""
        self._ledger.note_messages(table_id, saved, forgotten=forgotten)

    async def cursor(self, table_id: int) -> int:
        """Return the last entry up to which all messages are planned; 0 when none is."""
        return await self._ledger.cursor(table_id)

    async def dm_channel(self, user_id: int) -> int | None:
        """Return the channel of a user's DMs, if it was opened before."""
        found = await self._ledger.key_value(f"dm-channel:{user_id}")
        return int(found) if found else None

    async def set_dm_channel(self, user_id: int, channel_id: int) -> None:
        """Store the channel of a user's DMs, which never changes."""
        await self._ledger.set_key_value(f"dm-channel:{user_id}", str(channel_id))

    async def muted(self, user_id: int) -> frozenset[CallKind]:
        """Return which calls a user does not want to be notified of, as they said a minute ago at least."""
        return await self._muted.get(user_id, from_memory=True)

    def forget_muted(self, user_id: int) -> None:
        """Ask the ledger again next time, since the user has changed their mind."""
        self._muted.forget(user_id)

    async def arrived(self, guild_id: int) -> bool:
        """Return whether the bot has said hello on this server."""
        return bool(await self._ledger.key_value(f"arrived:{guild_id}"))

    async def set_arrived(self, guild_id: int) -> None:
        """Store that it has."""
        await self._ledger.set_key_value(f"arrived:{guild_id}", "yes")
