"""The messages of a table in memory, and the work on them."""

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
    """The work on one message: its ``step``, and the ``task`` that carries it out. Times are in the loop's clock.

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
    - ``recall``: withdraws an edit that waits for its turn.
    - ``timer``: starts the task again at ``due``.
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
    """A table's messages by subject, and the work in progress.

    - ``lock``: held while messages are planned.
    - ``shown``: the records, None until they are read.
    - ``cursor``: the last entry up to which all messages are planned.
    - ``left``: the messages that an earlier process left unfinished.
    - ``board_at``: when the board or the set-up was last edited, in seconds of the loop's clock.
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
        """The records, which must have been read."""
        assert self.shown is not None
        return self.shown

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
        notice = f"<@{step.place.user}>, I can't reach you by DM, so this waits for you here."
        card = step.fallback.card
        return Card(card.mood, (notice, *card.blocks), card.rows, card.picture)

    def settled(self, step: Desired) -> bool:
        """Return whether the message shows what this step wants."""
        now = self.records.get(step.subject)
        if now is None:
            return not step.wanted
        return now.settled and not self.anew(step, now) and now.state == self.card_for(step, now.channel_id).digest

    def anew(self, step: Desired, now: Shown) -> bool:
        """Return whether to send the message again, because its anchor has changed."""
        return step.wanted and step.anchor is not None and step.anchor != now.anchor

    def ready(self, step: Step) -> bool:
        """Return whether the place of a step exists."""
        if not isinstance(step, Desired) or isinstance(step.place, DirectMessages):
            return True
        return self.channel_of(step.place) is not None
