"""The lives of a table's messages, in memory and in the store, and the work on them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.delivery.budget import Recall
from bot.delivery.desired import (
    Board,
    Desired,
    Fallback,
    NegotiationRoom,
    NegotiationThread,
    OfferCard,
    PersonalOffer,
    Priority,
    Replaced,
    Retired,
    SaidOffer,
    SharedPlace,
    Step,
    Subject,
    TableChannel,
    TakenAway,
    decode,
    encode,
    user_of,
)
from bot.delivery.life import REST, Life, Next, Pause, Stage, Want
from bot.delivery.render import linked, with_way_back
from bot.rules.model.replacing import replace
from bot.service import Fate, Message, MessageStore
from bot.show.actions import TurnHistory
from bot.show.cards import Button, Card

NO_CARD = Card("over", ())
"""A placeholder for the card of a message to delete."""


def open_thread(life: Life | None) -> int | None:
    """Return the id of a negotiation's thread; None when there is none."""
    if life is None or not isinstance(life.subject, NegotiationThread):
        return None
    return life.message_id or None


def absent(life: Life | None) -> tuple[int, ...]:
    """Return the users who could not be added to a negotiation's thread."""
    return tuple(map(int, life.reason.split())) if open_thread(life) and life else ()


def priority_of(step: Step) -> Priority:
    """Return the priority of the requests for a step."""
    return step.priority if isinstance(step, Desired) else Priority.LEISURE


def calling(card: Card, user: int) -> Card:
    """Return a card whose line begins with a mention, as it did when it was sent: an edit takes a
    mention's mark.
    """
    return replace(card, line=f"<@{user}> {card.line}".rstrip())


@dataclass(eq=False, slots=True)
class Work:
    """The work on one message: what it should become, what to do next, and the ``task`` that does
    it.

    - ``towards``: the step that ``do`` is for; another one than ``step`` while that is new.
    - ``since``: when the work was planned, in milliseconds since 1970. Other times are in the
      loop's clock.
    - ``held``: the response to a press may edit the message, so nothing else does. ``moving``: its
      table moves, so nothing does.
    - ``asked``: when Discord was last asked to send it, or whether it is there.
    - ``pinged``: the person who was pinged because DMs do not reach them.
    - ``refused``: Discord refused to send it, and has not sent it since.
    - ``departed``: the person has left the server.
    - ``silent``: it takes the place of another for a technical reason, so it notifies nobody.
    - ``tried``: set after the first attempt.
    - ``recall``: withdraws a request that waits for its turn.
    - ``timer``: starts the task again at ``due``.
    """

    step: Step
    since: int
    do: Next
    towards: Step
    held: bool = False
    moving: bool = False
    asked: float = float("-inf")
    pinged: int | None = None
    refused: bool = False
    departed: bool = False
    silent: bool = False
    recall: Recall = field(default_factory=Recall)
    task: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle | None = None
    due: float = 0.0
    tried: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def paced(self) -> bool:
        """Whether it only waits for its turn, since nothing but figures has changed."""
        refresh = isinstance(self.step, Desired) and self.step.priority is Priority.REFRESH
        idle = self.task is None and not self.held
        return refresh and idle and isinstance(self.do, Pause) and not self.do.failed


@dataclass(eq=False, slots=True)
class TableMessages:
    """A table's messages by subject, and the work in progress.

    - ``lock``: held while messages are planned.
    - ``read``: the lives of its messages, None until they are read.
    - ``cursor``: the last entry up to which all messages are planned.
    - ``left``: the messages that an earlier process left unfinished.
    - ``board_at``: when the board or the set-up was last edited, in seconds of the loop's clock.
    - ``posted_at``: when the board was last sent, in the same clock.
    - ``redrawn``: when cards on which only figures changed were last edited, in the same clock.
    - ``gone``: its channel was deleted.
    - ``below``: the messages that were sent to the table's channel after the board.
    - ``departed``: the users who have left the server, as far as others may know.
    - ``storing``: the messages whose next life is being stored.
    - ``said``: offers that people said in the channel, to plan for the first time.
    - ``said_timer``: plans again when the first of them has had its time.
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
    redrawn: dict[Subject, float] = field(default_factory=dict)
    gone: bool = False
    below: int = 0
    departed: set[int] = field(default_factory=set)
    storing: set[Subject] = field(default_factory=set)
    said: set[SaidOffer] = field(default_factory=set)
    said_timer: asyncio.TimerHandle | None = None

    @property
    def lives(self) -> dict[Subject, Life]:
        """The lives of its messages, which must have been read."""
        assert self.read is not None
        return self.read

    @property
    def waiting(self) -> int:
        """The number of messages that have not been tried yet, because Discord's limits make them
        wait.
        """
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

    def card_for(self, step: Step, channel_id: int) -> Card:
        """Return the card that a message is to show in this channel, where a ping may stand in for
        a DM.

        A message without buttons has **Details** as long as it may have to be found by its first
        row.
        """
        match step:
            case Desired():
                card = step.card
                heard = step.fallback.card if step.fallback is not None else None
                if heard is not None and not self.in_dm(step, channel_id):
                    user = user_of(step)
                    notice = f"<@{user}>, I can't reach you by DM, so your message is here."
                    card = calling(heard, user)
                    card = replace(card, blocks=(notice, *card.blocks))
                if step.wanted and not card.rows and step.subject.drawn == "classical":
                    born = self.lives[step.subject].entry if step.subject in self.lives else 0
                    details = Button(
                        "Details", TurnHistory(self.id, until_seq=max(step.entry, born), page=1)
                    )
                    card = replace(card, rows=((details,),))
                return card
            case Retired(public_card=Card() as card) if self.is_shared(channel_id):
                card = replace(card, rows=())
                return calling(card, user_of(step)) if user_of(step) else card
            case Retired():
                return replace(step.card, rows=())
            case _:
                return NO_CARD

    def deletes(self, step: Step, channel_id: int) -> bool:
        """Return whether a message in this channel should not be there."""
        match step:
            case TakenAway():
                return True
            case Retired(public_card=None):
                return self.is_shared(channel_id)
            case Desired(fallback=Fallback(card=None)):
                return self.is_shared(channel_id)
            case _:
                return False

    def want(self, step: Step, life: Life, *, check: bool = False) -> Want:
        """Return what a step wants of a message. ``check``: to see whether it still exists."""
        digest = self.card_for(step, life.channel_id).digest
        if self.deletes(step, life.channel_id) or not isinstance(step, Desired):
            gone = self.deletes(step, life.channel_id)
            return Want(digest, send=False, last=True, gone=gone)
        deletable = not self.in_dm(step, life.channel_id)
        # Nobody else can delete what is in DMs; one edit there finds out whether the person, or the
        # bot, has left.
        check = check and (deletable or self.is_newest(life))
        return Want(
            digest, step.wanted, step.final, step.anchor, self.home_of(step) or 0, check, deletable
        )

    def in_dm(self, step: Step, channel_id: int) -> bool:
        """Return whether a message in this channel, 0 for one not opened yet, is in somebody's
        DMs.
        """
        if not user_of(step) or self.is_shared(channel_id):
            return False
        return not isinstance(step, Desired) or channel_id != self.home_of(step)

    def is_shared(self, channel_id: int) -> bool:
        """Return whether a channel is the table's or a negotiation's thread."""
        return channel_id == self.channel_id or channel_id in self.threads

    @property
    def threads(self) -> set[int]:
        """The ids of its negotiations' threads. Those of the same two people have the same name."""
        threads = set()
        for life in self.lives.values():
            if isinstance(life.subject, NegotiationThread) and life.message_id:
                threads.add(life.message_id)
        return threads

    def is_newest(self, life: Life) -> bool:
        """Return whether no later message of the table stands in this one's channel."""
        return not any(
            each.channel_id == life.channel_id and each.message_id > life.message_id
            for each in self.lives.values()
        )

    def posted(self, subject: Subject, channel_id: int, at: float) -> None:
        """Count a new message, sent ``at`` this time of the loop's clock."""
        if isinstance(subject, Board):
            self.below, self.posted_at = 0, at
        elif channel_id == self.channel_id:
            self.below += 1

    def drawn(self, card: Card, channel_id: int) -> Card:
        """Return a card with its links for this channel; in direct messages, with one to the
        table.
        """
        card = linked(card, self.address)
        return card if self.is_shared(channel_id) else with_way_back(card, self.address("table"))

    def address(self, subject: str) -> str | None:
        """Return the URL of the message about an encoded subject, or of the channel for ``table``;
        None if unknown.
        """
        if self.guild_id is None or self.gone:
            return None
        discord = "https://discord.com/channels"
        if subject == "table":
            return f"{discord}/{self.guild_id}/{self.channel_id}"
        found = decode(subject)
        life = self.lives.get(found) if found is not None else None
        if life is None and isinstance(found, OfferCard):
            life = self._ping_of(found.offer)
        if life is None or not life.message_id:
            return None
        place = self.guild_id if self.is_shared(life.channel_id) else "@me"
        return f"{discord}/{place}/{life.channel_id}/{life.message_id}"

    def _ping_of(self, offer: int) -> Life | None:
        """Return the ping in the channel that is the card of an offer, if any."""
        for subject, life in self.lives.items():
            about = isinstance(subject, PersonalOffer) and subject.offer == offer
            if about and life.channel_id == self.channel_id:
                return life
        return None

    def ready(self, step: Desired) -> bool:
        """Return whether the place of a step exists."""
        return bool(user_of(step)) or self.channel_of(step.place) is not None


class Lives:
    """Keeps the lives of the messages of all tables, in memory and in the store."""

    def __init__(self, store: MessageStore) -> None:
        self._store = store

    async def load(self, table: TableMessages) -> None:
        """Read the lives of a table, unless they are in memory. Those with an unknown subject are
        left out.
        """
        if table.read is not None:
            return
        read = dict[Subject, Life]()
        for each in await self._store.messages.of_table(table.id):
            if (subject := decode(each.subject)) is not None:
                *marks, shows = each.shown.split(":")
                stage = "given_up" if LEFT_BEHIND in marks else STAGES[each.fate]
                if isinstance(subject, Replaced):
                    stage = "replaced"
                read[subject] = Life(
                    subject,
                    each.channel_id,
                    each.message_id,
                    shows,
                    stage,
                    each.entry,
                    each.generation,
                    each.anchor,
                    each.at,
                    each.reason,
                    "classical" if CLASSICAL in marks else "v2",
                )
        if (board := read.get(Board())) is not None and board.message_id:
            here = (
                each.message_id for each in read.values() if each.channel_id == board.channel_id
            )
            # as far as it is remembered
            table.below = sum(each > board.message_id for each in here)
        table.cursor = await self._store.messages.cursor(table.id)
        table.left = {subject for subject, each in read.items() if each.stage not in REST}
        table.read = read

    async def store(
        self,
        table: TableMessages,
        *lives: Life,
        forgotten: Sequence[Subject] = (),
        cursor: int | None = None,
    ) -> None:
        """Store lives, forget messages, and advance the cursor.

        Raises `bot.ledger.LedgerError`; then nothing may be sent.
        """
        gone = [encode(subject) for subject in forgotten]
        storing = {each.subject for each in lives}
        table.storing |= storing
        try:
            await self._store.messages.save(
                table.id, [stored(each) for each in lives], forgotten=gone, cursor=cursor
            )
        finally:
            table.storing -= storing
        table.cursor = max(table.cursor, cursor or 0)
        table.lives.update((each.subject, each) for each in lives)
        for subject in forgotten:
            table.lives.pop(subject, None)

    async def lose_channel(self, table: TableMessages) -> None:
        """Store that the table's channel was deleted."""
        table.gone = True
        await self._store.set_gone(table.channel_id)

    def buffer(self, table: TableMessages, life: Life) -> None:
        """Store a life with the next write. If a crash comes first, the next process finds out
        again.

        A newer life that is being stored stays: this one would be written after it.
        """
        table.lives[life.subject] = life
        if life.subject not in table.storing:
            self._store.messages.buffer(table.id, [stored(life)])

    def forget(self, table: TableMessages, subject: Subject) -> None:
        """Forget a message with the next write. If a crash comes first, the next process finds out
        again.
        """
        if table.lives.pop(subject, None) is not None:
            self._store.messages.buffer(table.id, (), forgotten=[encode(subject)])


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
"""The name under which each stage is stored. A process that finds an unfinished message doubts it
anyway.
"""

STAGES: dict[Fate, Stage] = {
    "sending": "sending",
    "editing": "editing",
    "edited": "settling",
    "shown": "shown",
    "given_up": "given_up",
}

CLASSICAL, LEFT_BEHIND = "classical", "left"
"""Marks before what a message shows, as it is stored: how it was drawn, and that it waits for an
invitation.
"""


def stored(life: Life) -> Message:
    """Return a life as it is stored."""
    shown = ["delete" if life.stage == "replaced" else life.shows]
    fate = FATES[life.stage]
    if life.left_behind:
        # It is not at rest: a start looks whether the bot was invited.
        shown.insert(0, LEFT_BEHIND)
        fate = "editing"
    if isinstance(life.subject, SaidOffer):
        # Nor is this: after a start, somebody must take it away in time.
        fate = "editing"
    if life.drawn == "classical":
        shown.insert(0, CLASSICAL)
    return Message(
        encode(life.subject),
        life.channel_id,
        life.message_id,
        ":".join(shown),
        fate,
        life.entry,
        life.generation,
        life.anchor,
        life.at,
        life.reason,
    )
