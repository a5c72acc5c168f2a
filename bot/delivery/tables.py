"""What this process remembers of a table's messages while it works on them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from bot.delivery.budget import Recall
from bot.delivery.desired import Desired, DirectMessages, NegotiationRoom, SharedPlace, Step, TableChannel
from bot.delivery.messages import Shown, open_thread
from bot.delivery.subjects import NegotiationThread, Subject
from bot.delivery.transport import Look
from bot.show.cards import Card


@dataclass(eq=False, slots=True)
class Work:
    """The work on one message: what it should become (``step``), and the task that makes it so.

    ``unsure``: it may have been sent, by a process that is gone or, at ``unsure_at`` in the loop's clock, by a response
    of this one, which ``look`` fetches. ``doubted``: Discord denied an attempt to send it that may have taken effect
    all the same. ``check``: look whether the message still exists. ``held``: an interaction's response shows it, so
    nothing else may. ``pinged`` is the person who was pinged because DMs do not reach them. ``tried`` is set after the
    first attempt. ``repeated``: an attempt to send it was made before, so that Discord may answer the next one with the
    message of that one. ``looked``: it was looked for and not found, and is looked for once more before it is
    forgotten. ``recall`` takes an edit back that waits for its turn. ``timer`` starts the task again, at ``due`` in the
    loop's clock.
    """

    step: Step
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
    tried: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(eq=False, slots=True)
class TableMessages:
    """A table's messages by subject, and the work on those that are not yet what they should be.

    ``lock`` is held while messages are planned. ``shown`` is None until it is read. ``cursor`` is the last entry up to
    which everything is planned. ``left`` are the messages that a process that is gone was working on. ``board_at``:
    when the board or the set-up was last changed, in seconds of the loop's clock.
    """

    id: int
    guild_id: int | None = None
    channel_id: int = 0
    cursor: int = 0
    shown: dict[Subject, Shown] | None = None
    works: dict[Subject, Work] = field(default_factory=dict)
    left: set[Subject] = field(default_factory=set)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    board_at: float = float("-inf")

    @property
    def records(self) -> dict[Subject, Shown]:
        """The messages, which must have been read."""
        assert self.shown is not None
        return self.shown

    def channel_of(self, place: SharedPlace) -> int | None:
        """Return the channel id of a place, or None for a thread that does not exist."""
        match place:
            case TableChannel():
                return self.channel_id
            case NegotiationRoom(negotiation):
                return open_thread(self.records.get(NegotiationThread(negotiation)))

    def home_of(self, step: Desired) -> int | None:
        """Return the channel where a person is pinged whom DMs do not reach; None when there is no fallback."""
        if step.fallback is None:
            return None
        return self.channel_of(step.fallback.place) or self.channel_id

    def card_for(self, step: Desired, channel_id: int) -> Card:
        """Return the card that the message shows in this channel: of a DM that became a ping, what others may read."""
        if not isinstance(step.place, DirectMessages) or step.fallback is None or channel_id != self.home_of(step):
            return step.card
        notice = f"<@{step.place.user}>, I can't reach you by DM, so this waits for you here."
        card = step.fallback.card
        return Card(card.mood, (notice, *card.blocks), card.rows, card.picture)

    def settled(self, step: Desired) -> bool:
        """Return whether the message shows what this step wants, so that nothing has to be done."""
        now = self.records.get(step.subject)
        if now is None:
            return not step.wanted
        return now.settled and not self.anew(step, now) and now.state == self.card_for(step, now.channel_id).digest

    def anew(self, step: Desired, now: Shown) -> bool:
        """Return whether the message is to be sent once more, for another occasion."""
        return step.wanted and step.anchor is not None and step.anchor != now.anchor

    def ready(self, step: Step) -> bool:
        """Return whether the place of a step exists."""
        if not isinstance(step, Desired) or isinstance(step.place, DirectMessages):
            return True
        return self.channel_of(step.place) is not None
