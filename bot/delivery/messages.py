"""Messages: the record of what Discord shows of each table. Subjects are values here and text in the store."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.delivery.subjects import Board, BoardWindow, NegotiationThread, PersonalOffer, Subject, decode, encode, prefix
from bot.service import Message, MessageStore


@dataclass(frozen=True, slots=True)
class Shown:
    """A message that was sent: its subject, its channel and its state.

    ``state`` is the digest of the card that it shows. For a thread it is ``open``, ``closed`` or ``none`` (it could not
    be opened); for a `BoardWindow` it is the window.
    """

    subject: Subject
    channel_id: int
    message_id: int
    state: str


class Messages:
    """The messages of all tables, by subject."""

    def __init__(self, store: MessageStore) -> None:
        self._store = store

    async def shown(self, table_id: int) -> dict[Subject, Shown]:
        """Return all messages of a table."""
        return _by_subject(await self._store.messages(table_id))

    async def board(self, table_id: int) -> dict[Subject, Shown]:
        """Return the table's board and the window for which it was sent."""
        found = [await self._store.message(table_id, encode(subject)) for subject in (Board(), BoardWindow())]
        return _by_subject(message for message in found if message is not None)

    async def threads(self, table_id: int) -> dict[NegotiationThread, Shown]:
        """Return the threads of a table's negotiations."""
        found = _by_subject(await self._store.messages(table_id, prefix(NegotiationThread)))
        return {subject: each for subject, each in found.items() if isinstance(subject, NegotiationThread)}

    async def personal_offers(self, table_id: int, offer: int) -> dict[PersonalOffer, Shown]:
        """Return the cards of an offer that are for one person only."""
        found = _by_subject(await self._store.messages(table_id, prefix(PersonalOffer, offer)))
        return {subject: each for subject, each in found.items() if isinstance(subject, PersonalOffer)}

    async def remember(self, table_id: int, shown: Shown) -> None:
        """Store a message, in place of the last one about the same subject."""
        message = Message(encode(shown.subject), shown.channel_id, shown.message_id, shown.state)
        await self._store.save_message(table_id, message)

    async def forget(self, table_id: int, subject: Subject) -> None:
        """Delete the record of the message about this subject."""
        await self._store.forget_message(table_id, encode(subject))

    async def cursor(self, table_id: int) -> int:
        """Return the last entry of which everything was delivered, 0 for none."""
        return await self._store.cursor(table_id)

    async def set_cursor(self, table_id: int, seq: int) -> None:
        """Store the last entry of which everything was delivered."""
        await self._store.set_cursor(table_id, seq)


def _by_subject(messages: Iterable[Message]) -> dict[Subject, Shown]:
    """Return the messages by subject, without those whose subject this version can't decode."""
    found = {}
    for message in messages:
        if (subject := decode(message.subject)) is not None:
            found[subject] = Shown(subject, message.channel_id, message.message_id, message.shown)
    return found
