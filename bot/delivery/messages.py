"""Messages: the records of what Discord shows for each table. Subjects are values here and text in the store."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.delivery.subjects import NegotiationThread, Replaced, Subject, decode, encode
from bot.service import Fate, Message, MessageStore

NONCE_MAX = 25
"""Discord's limit for a nonce, in characters."""

MARKERS_FROM = 2**30
"""The smallest marker. Discord numbers components without an id from 1."""

SETTLED: tuple[Fate, ...] = ("shown", "given_up")
"""Fates of messages that need no work until the table changes."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The record of a message: its subject, its place, what it shows, and its fate.

    - ``message_id``: 0 while the message is not known to exist.
    - ``state``: the digest of the card that the message shows or was first sent with, empty if unknown. For a thread:
      ``open``, ``closed``, or ``none`` if it could not be opened. For a `Replaced` message: ``delete`` or ``close``.
    - ``entry``: the number of the entry that caused the request.
    - ``at``: when the request began, in milliseconds since 1970; 0 for a message given up that was surely never sent.
    - ``generation``: the number of earlier messages about the subject.
    - ``anchor``: see `Desired`.
    """

    subject: Subject
    channel_id: int = 0
    message_id: int = 0
    state: str = ""
    fate: Fate = "shown"
    entry: int = 0
    generation: int = 0
    anchor: str = ""
    at: int = 0
    reason: str = ""

    @property
    def settled(self) -> bool:
        """Whether the message needs no work until the table changes."""
        return self.fate in SETTLED

    @property
    def may_be_there(self) -> bool:
        """Whether the message was given up after an attempt to send it that may have taken effect."""
        return self.fate == "given_up" and not self.message_id and self.at > 0

    def nonce(self, table_id: int) -> str:
        """Return the nonce to send the message with: the same after a crash, but different for each channel."""
        return _hash(f"{_identity(table_id, self)}:{self.channel_id}")[:NONCE_MAX]

    def marker(self, table_id: int) -> int:
        """Return the id of the message's first component, which identifies the message in a channel."""
        return MARKERS_FROM + int(_hash(_identity(table_id, self))[:7], 16)


class Messages:
    """The messages of all tables, by subject."""

    def __init__(self, store: MessageStore) -> None:
        self._store = store

    async def of(self, table_id: int) -> dict[Subject, Shown]:
        """Return all messages of a table whose subjects this version knows."""
        found = (_shown(message) for message in await self._store.messages(table_id))
        return {each.subject: each for each in found if each is not None}

    async def save(
        self, table_id: int, saved: Sequence[Shown], *, forgotten: Iterable[Subject] = (), cursor: int | None = None
    ) -> None:
        """Store messages in place of those about the same subjects, forget others, and set the cursor."""
        gone = [encode(subject) for subject in forgotten]
        await self._store.save(table_id, [_stored(each) for each in saved], forgotten=gone, cursor=cursor)

    def note(self, table_id: int, saved: Sequence[Shown], *, forgotten: Iterable[Subject] = ()) -> None:
        """Store messages and forget others with the next `save`, or after a short delay."""
        gone = [encode(subject) for subject in forgotten]
        self._store.note(table_id, [_stored(each) for each in saved], forgotten=gone)

    async def cursor(self, table_id: int) -> int:
        """Return the number of the last entry up to which all messages are planned, 0 for none."""
        return await self._store.cursor(table_id)


def replaced(old: Shown, *, delete: bool, at: int) -> Shown:
    """Return the record for closing, or with ``delete`` deleting, a message that a newer one replaces."""
    subject = Replaced(old.channel_id, old.message_id)
    return Shown(subject, old.channel_id, old.message_id, "delete" if delete else "close", "editing", old.entry, at=at)


def open_thread(shown: Shown | None) -> int | None:
    """Return the id of a negotiation's thread; None when there is none."""
    if shown is None or not isinstance(shown.subject, NegotiationThread):
        return None
    return shown.message_id or None


def _identity(table_id: int, shown: Shown) -> str:
    return f"{table_id}:{encode(shown.subject)}:{shown.entry}:{shown.generation}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _shown(message: Message) -> Shown | None:
    subject = decode(message.subject)
    if subject is None:
        return None
    return Shown(
        subject, message.channel_id, message.message_id, message.shown, message.fate, message.entry,
        message.generation, message.anchor, message.at, message.reason,
    )  # fmt: skip


def _stored(shown: Shown) -> Message:
    return Message(
        encode(shown.subject), shown.channel_id, shown.message_id, shown.state, shown.fate, shown.entry,
        shown.generation, shown.anchor, shown.at, shown.reason,
    )  # fmt: skip
