"""The lives of a table's messages, in memory and in the store, and the work on them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

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
from bot.delivery.life import Life, Next, Stage
from bot.delivery.render import linked, with_way_back
from bot.service import Fate, Message, MessageStore
from bot.show.cards import Card


def open_thread(life: Life | None) -> int | None:
    """Return the id of a negotiation's thread; None when there is none."""
    if life is None or not isinstance(life.subject, NegotiationThread):
        return None
    return life.message_id or None


@dataclass(eq=False, slots=True)
class Work:
    """The work on one message: what it should become, what to do next, and the ``task`` that does it.

    - ``towards``: the step that ``do`` is for; another one than ``step`` while that is new.
    - ``since``: when the work was planned, in milliseconds since 1970. Other times are in the loop's clock.
    - ``held``: the response to a press may edit the message, so nothing else does.
    - ``asked``: when Discord was last asked to send it, or whether it is there.
    - ``pinged``: the person who was pinged because DMs do not reach them.
    - ``tried``: set after the first attempt.
    - ``recall``: withdraws a request that waits for its turn.
    - ``timer``: starts the task again at ``due``.
    """

    step: Step
    since: int
    do: Next
    towards: Step
    held: bool = False
    asked: float = float("-inf")
    pinged: int | None = None
    recall: Recall = field(default_factory=Recall)
    task: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle | None = None
    due: float = 0.0
    tried: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(eq=False, slots=True)
class TableMessages:
    """A table's messages by subject, and the work in progress.

    - ``lock``: held while messages are planned.
    - ``read``: the lives of its messages, None until they are read.
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
    read: dict[Subject, Life] | None = None
    works: dict[Subject, Work] = field(default_factory=dict)
    left: set[Subject] = field(default_factory=set)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    board_at: float = float("-inf")
    posted_at: float = float("-inf")
    below: int = 0

    @property
    def lives(self) -> dict[Subject, Life]:
        """The lives of its messages, which must have been read."""
        assert self.read is not None
        return self.read

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
                return open_thread(self.lives.get(NegotiationThread(negotiation)))

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

    def is_dm(self, channel_id: int) -> bool:
        """Return whether a channel with a message of the table is a person's direct messages."""
        threads = (open_thread(each) for each in self.lives.values())
        return channel_id != self.channel_id and channel_id not in threads

    def drawn(self, card: Card, channel_id: int) -> Card:
        """Return a card with its links for this channel; in direct messages, with one to the table."""
        card = linked(card, self.address)
        return with_way_back(card, self.address("table")) if self.is_dm(channel_id) else card

    def address(self, subject: str) -> str | None:
        """Return the URL of the message about an encoded subject, or of the channel for ``table``; None if unknown."""
        if self.guild_id is None:
            return None
        place = f"https://discord.com/channels/{self.guild_id}"
        if subject == "table":
            return f"{place}/{self.channel_id}"
        found = decode(subject)
        now = self.lives.get(found) if found is not None else None
        return f"{place}/{now.channel_id}/{now.message_id}" if now is not None and now.message_id else None

    def anchor_changed(self, step: Desired, now: Life) -> bool:
        """Return whether to send the message again, because its anchor has changed."""
        return step.wanted and step.anchor is not None and step.anchor != now.anchor

    def ready(self, step: Step) -> bool:
        """Return whether the place of a step exists."""
        if not isinstance(step, Desired) or isinstance(step.place, DirectMessages):
            return True
        return self.channel_of(step.place) is not None


class Lives:
    """Keeps the lives of the messages of all tables, in memory and in the store."""

    def __init__(self, store: MessageStore) -> None:
        self._store = store

    async def load(self, table: TableMessages) -> None:
        """Read the lives of a table, unless they are in memory. Those with an unknown subject are left out."""
        if table.read is not None:
            return
        read = dict[Subject, Life]()
        for each in await self._store.messages(table.id):
            if (subject := decode(each.subject)) is not None:
                delete = isinstance(subject, Replaced) and each.shown == "delete"
                read[subject] = Life(
                    subject, each.channel_id, each.message_id, each.shown, "replaced" if delete else STAGES[each.fate],
                    each.entry, each.generation, each.anchor, each.at, each.reason,
                )  # fmt: skip
        if (board := read.get(Board())) is not None and board.message_id:
            here = (each.message_id for each in read.values() if each.channel_id == board.channel_id)
            table.below = sum(each > board.message_id for each in here)  # as far as it is remembered
        table.cursor = await self._store.cursor(table.id)
        table.left = {subject for subject, each in read.items() if not each.resting}
        table.read = read

    async def store(
        self, table: TableMessages, *lives: Life, forgotten: Sequence[Subject] = (), cursor: int | None = None
    ) -> None:
        """Store lives, forget messages, and advance the cursor.

        Raises `bot.ledger.LedgerError`; then nothing may be sent.
        """
        gone = [encode(subject) for subject in forgotten]
        await self._store.save(table.id, [stored(each) for each in lives], forgotten=gone, cursor=cursor)
        table.cursor = max(table.cursor, cursor or 0)
        table.lives.update((each.subject, each) for each in lives)
        for subject in forgotten:
            table.lives.pop(subject, None)

    def buffer(self, table: TableMessages, life: Life) -> None:
        """Store a life with the next write. If a crash comes first, the next process finds out again."""
        table.lives[life.subject] = life
        self._store.buffer(table.id, [stored(life)])

    def forget(self, table: TableMessages, subject: Subject) -> None:
        """Forget a message with the next write. If a crash comes first, the next process finds out again."""
        if table.lives.pop(subject, None) is not None:
            self._store.buffer(table.id, (), forgotten=[encode(subject)])


FATES: dict[Stage, Fate] = {
    "new": "sending",
    "sending": "sending",
    "looking": "sending",
    "shown": "shown",
    "editing": "editing",
    "settling": "edited",
    "replaced": "editing",
    "given_up": "given_up",
}
"""The name under which each stage is stored. A process that finds an unfinished message doubts it anyway."""

STAGES: dict[Fate, Stage] = {
    "sending": "sending",
    "answering": "sending",  # by a version whose responses were the messages
    "editing": "editing",
    "edited": "settling",
    "shown": "shown",
    "given_up": "given_up",
}


def stored(life: Life) -> Message:
    """Return a life as it is stored."""
    shows = "delete" if life.stage == "replaced" else life.shows
    return Message(
        encode(life.subject), life.channel_id, life.message_id, shows, FATES[life.stage], life.entry,
        life.generation, life.anchor, life.at, life.reason,
    )  # fmt: skip
