"""The records of a table's messages, in memory and in the store, and the work on them.

A record says where a message is, what it shows and how far its last request has come. It is stored before a message is
sent; the message's nonce and marker follow from it.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import discord

from bot.delivery.budget import Recall
from bot.delivery.desired import (
    Board,
    Desired,
    DirectMessages,
    NegotiationRoom,
    NegotiationThread,
    Replaced,
    SharedPlace,
    Step,
    Subject,
    TableChannel,
    decode,
    encode,
)
from bot.delivery.render import linked, with_way_back
from bot.rules.model.replacing import replace
from bot.service import Fate, Message, MessageStore
from bot.show.cards import Card

NONCE_MAX = 25
"""Discord's limit for a nonce, in characters."""

MARKERS_FROM = 2**30
"""The smallest marker. Discord numbers components without an id from 1."""

SETTLED: tuple[Fate, ...] = ("shown", "given_up")
"""Fates of messages that need no work until the table changes."""

Look = Callable[[], Awaitable[discord.Message]]
"""Fetches the response to an interaction. Raises ``discord.NotFound`` when there is none."""


@dataclass(frozen=True, slots=True)
class MessageRecord:
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
        return self._hash(table_id, f":{self.channel_id}")[:NONCE_MAX]

    def marker(self, table_id: int) -> int:
        """Return the id of the message's first component, which identifies the message in a channel."""
        return MARKERS_FROM + int(self._hash(table_id)[:7], 16)

    def _hash(self, table_id: int, more: str = "") -> str:
        text = f"{table_id}:{encode(self.subject)}:{self.entry}:{self.generation}{more}"
        return hashlib.sha256(text.encode()).hexdigest()


def replaced(old: MessageRecord, *, delete: bool, at: int) -> MessageRecord:
    """Return the record for closing, or with ``delete`` deleting, a message that a newer one replaces."""
    subject = Replaced(old.channel_id, old.message_id)
    return MessageRecord(
        subject, old.channel_id, old.message_id, "delete" if delete else "close", "editing", old.entry, at=at
    )


def open_thread(shown: MessageRecord | None) -> int | None:
    """Return the id of a negotiation's thread; None when there is none."""
    if shown is None or not isinstance(shown.subject, NegotiationThread):
        return None
    return shown.message_id or None


@dataclass(eq=False, slots=True)
class Work:
    """The work on one message: its ``step``, and the ``task`` that carries it out.

    Times are in the loop's clock, except ``since``, when the work was planned, in milliseconds since 1970.

    - ``unsure``: the message may exist already, sent by an earlier process or at ``unsure_at`` by this one, for example
      as a response, which ``look`` fetches. It is looked for before it is sent.
    - ``doubted``: an attempt to send it met an error but may have taken effect.
    - ``repeated``: an attempt was made before, so Discord may answer the next one with the message of that attempt.
    - ``looked``: it was looked for and not found; it is looked for once more before it is forgotten.
    - ``echoes``: how often to edit the message, because an edit by an earlier process may still take effect.
    - ``pause``: seconds to wait before the first attempt.
    - ``check``: check that the message still exists.
    - ``held``: an interaction's response shows the message, so nothing else may.
    - ``pinged``: the person who was pinged because DMs do not reach them.
    - ``tried``: set after the first attempt.
    - ``waited``: the board has waited for messages that it links to.
    - ``recall``: withdraws a request that waits for its turn.
    - ``timer``: starts the task again at ``due``.
    """

    step: Step
    since: int
    unsure: bool = False
    unsure_at: float = float("-inf")
    look: Look | None = None
    doubted: bool = False
    echoes: int = 0
    pause: float = 0.0
    check: bool = False
    held: bool = False
    pinged: int | None = None
    attempts: int = 0
    reopened: bool = False
    fallen_back: bool = False
    repeated: bool = False
    looked: bool = False
    recall: Recall = field(default_factory=Recall)
    task: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle | None = None
    due: float = 0.0
    waited: bool = False
    tried: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(eq=False, slots=True)
class TableMessages:
    """A table's messages by subject, and the work in progress.

    - ``lock``: held while messages are planned.
    - ``shown``: the records, None until they are read.
    - ``cursor``: the last entry up to which all messages are planned.
    - ``left``: the messages that an earlier process left unfinished.
    - ``board_at``: when the board or the set-up was last edited, in seconds of the loop's clock.
    - ``posted_at``: when the board was last sent, in the same clock.
    - ``below``: the messages that were sent to the table's channel after the board.
    """

    id: int
    guild_id: int | None = None
    channel_id: int = 0
    cursor: int = 0
    shown: dict[Subject, MessageRecord] | None = None
    works: dict[Subject, Work] = field(default_factory=dict)
    left: set[Subject] = field(default_factory=set)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    board_at: float = float("-inf")
    posted_at: float = float("-inf")
    below: int = 0

    @property
    def records(self) -> dict[Subject, MessageRecord]:
        """The records, which must have been read."""
        assert self.shown is not None
        return self.shown

    @property
    def waiting(self) -> int:
        """The number of messages that have not been tried yet, because Discord's limits make them wait."""
        return sum(not work.tried.is_set() and not work.held for work in self.works.values())

    def channel_of(self, place: SharedPlace) -> int | None:
        """Return the channel id of a place; None for a thread that does not exist."""
        match place:
            case TableChannel():
                return self.channel_id
            case NegotiationRoom(negotiation):
                return open_thread(self.records.get(NegotiationThread(negotiation)))

    def home_of(self, step: Desired) -> int | None:
        """Return the channel for the fallback of a DM; None when the step has no fallback."""
        if step.fallback is None:
            return None
        return self.channel_of(step.fallback.place) or self.channel_id

    def card_for(self, step: Desired, channel_id: int) -> Card:
        """Return the card that the message shows in this channel: the fallback's card for a DM that became a ping."""
        if not isinstance(step.place, DirectMessages) or step.fallback is None or channel_id != self.home_of(step):
            return step.card
        notice = f"<@{step.place.user}>, I can't reach you by DM, so your message is here."
        card = step.fallback.card
        return Card(card.mood, (notice, *card.blocks), card.rows, card.picture)

    def posted(self, subject: Subject, channel_id: int, at: float) -> None:
        """Count a new message, sent ``at`` this time of the loop's clock."""
        if isinstance(subject, Board):
            self.below, self.posted_at = 0, at
        elif channel_id == self.channel_id:
            self.below += 1

    def drawn(self, card: Card, channel_id: int) -> Card:
        """Return a card with its links for this channel; in direct messages, with one to the table."""
        threads = (open_thread(each) for each in self.records.values())
        private = channel_id != self.channel_id and channel_id not in threads
        card = linked(card, self.address)
        return with_way_back(card, self.address("table")) if private else card

    def address(self, subject: str) -> str | None:
        """Return the URL of the message about an encoded subject, or of the channel for ``table``; None if unknown."""
        if self.guild_id is None:
            return None
        place = f"https://discord.com/channels/{self.guild_id}"
        if subject == "table":
            return f"{place}/{self.channel_id}"
        found = decode(subject)
        now = self.records.get(found) if found is not None else None
        return f"{place}/{now.channel_id}/{now.message_id}" if now is not None and now.message_id else None

    def settled(self, step: Desired) -> bool:
        """Return whether the message shows what this step wants."""
        now = self.records.get(step.subject)
        if now is None:
            return not step.wanted
        return (
            now.settled
            and not self.anchor_changed(step, now)
            and now.state == self.card_for(step, now.channel_id).digest
        )

    def anchor_changed(self, step: Desired, now: MessageRecord) -> bool:
        """Return whether to send the message again, because its anchor has changed."""
        return step.wanted and step.anchor is not None and step.anchor != now.anchor

    def ready(self, step: Step) -> bool:
        """Return whether the place of a step exists."""
        if not isinstance(step, Desired) or isinstance(step.place, DirectMessages):
            return True
        return self.channel_of(step.place) is not None


class MessageRecords:
    """Keeps the records of all tables, in memory and in the store."""

    def __init__(self, store: MessageStore) -> None:
        self._store = store

    async def load(self, table: TableMessages) -> None:
        """Read the records of a table, unless they are in memory. Those with an unknown subject are left out."""
        if table.shown is not None:
            return
        shown = dict[Subject, MessageRecord]()
        for each in await self._store.messages(table.id):
            if (subject := decode(each.subject)) is not None:
                shown[subject] = MessageRecord(
                    subject, each.channel_id, each.message_id, each.shown, each.fate, each.entry, each.generation,
                    each.anchor, each.at, each.reason,
                )  # fmt: skip
        if (board := shown.get(Board())) is not None and board.message_id:
            here = (each.message_id for each in shown.values() if each.channel_id == board.channel_id)
            table.below = sum(each > board.message_id for each in here)  # as far as it is remembered
        table.cursor = await self._store.cursor(table.id)
        table.left = {subject for subject, each in shown.items() if not each.settled}
        table.shown = shown

    async def store(
        self,
        table: TableMessages,
        *intents: MessageRecord,
        forgotten: Sequence[Subject] = (),
        cursor: int | None = None,
    ) -> None:
        """Store intents, forget messages, and advance the cursor.

        Raises `bot.ledger.LedgerError`; then nothing may be sent.
        """
        gone = [encode(subject) for subject in forgotten]
        await self._store.save(table.id, [_stored(each) for each in intents], forgotten=gone, cursor=cursor)
        table.cursor = max(table.cursor, cursor or 0)
        table.records.update((each.subject, each) for each in intents)
        for subject in forgotten:
            table.records.pop(subject, None)

    def done(self, table: TableMessages, work: Work, step: Desired, now: MessageRecord) -> None:
        """Record what a message shows now, or forget a message that will not change any more.

        If the message has a new step by now, or must be edited again, its fate is "editing": the cursor has passed the
        entries that caused the step, so after a crash only the record asks for the edit.
        """
        unfinished = work.step is not step or work.echoes > 0
        if step.final and not unfinished:
            self.forget(table, step.subject)
        else:
            now = table.records[step.subject] = replace(now, fate="editing" if unfinished else "shown")
            self._store.buffer(table.id, [_stored(now)])

    def forget(self, table: TableMessages, subject: Subject) -> None:
        """Forget a message with the next write. If a crash comes first, the next process finds out again."""
        if table.records.pop(subject, None) is not None:
            self._store.buffer(table.id, (), forgotten=[encode(subject)])


def _stored(shown: MessageRecord) -> Message:
    return Message(
        encode(shown.subject), shown.channel_id, shown.message_id, shown.state, shown.fate, shown.entry,
        shown.generation, shown.anchor, shown.at, shown.reason,
    )  # fmt: skip
