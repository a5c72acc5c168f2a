"""Sends, edits, finds and deletes: makes the request that `bot.delivery.life` says a message needs
next.
"""

from __future__ import annotations

from collections.abc import Callable

import discord

from bot.delivery.desired import (
    ArchiveThread,
    Board,
    Desired,
    OpenThread,
    Priority,
    SetUp,
    Step,
    decode,
    user_of,
)
from bot.delivery.life import (
    NO_LONGER_THERE,
    Do,
    Edited,
    Event,
    Failed,
    Found,
    Happened,
    Life,
    Pause,
    Sent,
    advance,
)
from bot.delivery.records import Lives, TableMessages, Work, priority_of
from bot.delivery.render import links
from bot.delivery.threads import CLOSED
from bot.delivery.transport import Notice, Transport
from bot.delivery.verdicts import (
    ClosedChannels,
    FailureAction,
    NotAMember,
    Verdict,
    is_outage,
    judge,
)
from bot.rules.model.replacing import replace
from bot.service import BotRemoved
from bot.show.cards import Card
from bot.tasks import loop_time

LINKS_WITHIN = 1.0
"""Seconds that the board waits for the messages that it links to, while they are being sent."""

REPLACED_WITHIN = 1.0
"""Seconds after which the deletion of an old board looks again whether the new one is there."""

REDRAWN_EVERY = 10.0
"""Seconds between two edits of a card on which only figures have changed: those between come as
one. Not without pace.
"""

NOT_YOURS = Card("over", "You are no longer on this table's server.")
"""The last card of a DM to a person who has left the server."""

REMOVED = Card(
    "over",
    "I am no longer on this table's server.\nSomebody who manages it can add me again; then "
    "the table goes on.",
)
"""The card of each DM while the bot is not on the table's server."""


class Sender:
    """Makes the next request for a message, and tells what happened. What Discord says against it
    is raised.

    ``now`` returns the time in milliseconds since 1970; ``pace`` is the minimum time between two
    edits of one board, in seconds. ``closed_channels`` are those that get no requests for now.
    """

    def __init__(
        self, transport: Transport, lives: Lives, now: Callable[[], int], pace: float
    ) -> None:
        self._transport = transport
        self._lives = lives
        self._now = now
        self._pace = pace
        self.closed_channels = ClosedChannels()
        # the users whose DMs Discord has refused since one reached them
        self.unreached = set[int]()

    async def make(
        self, table: TableMessages, work: Work, step: Step, life: Life
    ) -> Happened | Pause:
        """Make the next request for a message, and return what happened; or what it waits for
        first.
        """
        assert not isinstance(step, OpenThread | ArchiveThread)
        match work.do:
            case Do.SEND:
                assert isinstance(step, Desired)
                return await self._send(table, work, step, life)
            case Do.EDIT:
                return await self._edit(table, work, step, life)
            case Do.FIND:
                return await self._find(table, work, step, life)
            case Do.LOOK:
                await self._transport.require_member(table.guild_id, 0, priority=Priority.AGAIN)
                self.closed_channels.require_open(life.channel_id)
                await self._transport.look(
                    life.channel_id, life.message_id, priority=Priority.AGAIN
                )
                return Found(life.message_id)
            case Do.DELETE:
                return await self._delete(table, life)
            case Do.REOPEN:
                return await self._reopen(table, life)
            case _:
                raise AssertionError(work.do)

    async def _send(
        self, table: TableMessages, work: Work, step: Desired, life: Life
    ) -> Happened | Pause:
        if (wait := self._waits(table, work, step)) is not None:
            return wait
        await self._require_member(table, work, step)
        channel_id = life.channel_id or await self._channel(table, work, step)
        card = table.card_for(step, channel_id)
        in_dm = table.in_dm(step, channel_id)
        notice = Notice(silent=True)
        if not work.silent:
            notice = await self._transport.notice(step, in_dm=in_dm)
        self.closed_channels.require_open(channel_id)
        repeated = life.stage != "new"
        shows = card.digest if not repeated and life.shows in ("", card.digest) else ""
        life = replace(life, channel_id=channel_id, shows=life.shows if repeated else shows)
        if not repeated and life.shows != table.lives[step.subject].shows:
            await self._lives.store(table, life)  # the card has changed since it was planned
        if life.stage == "new":
            life, _ = advance(life, Event.ASKED, table.want(step, life), self._now())
        table.lives[step.subject] = life
        work.asked = loop_time()
        if life.until:  # an earlier request is in doubt, and Discord knows its nonce only so long
            work.recall.until = work.asked + (life.until - self._now()) / 1000
        message_id = await self._transport.send(
            channel_id,
            table.drawn(card, channel_id),
            life.drawn,
            marker=life.marker(table.id),
            nonce=life.nonce(table.id),
            notice=notice,
            priority=step.priority,
            recall=work.recall,
        )
        work.pinged = None
        if notice.pings and user_of(step):
            work.pinged = notice.pings[0]
        work.refused = work.silent = False
        if in_dm:
            self.unreached.discard(user_of(step))
        table.posted(step.subject, channel_id, loop_time())
        # If an earlier attempt sent it, it may show another card.
        return Sent(message_id, life.shows if repeated else card.digest)

    async def _edit(
        self, table: TableMessages, work: Work, step: Step, life: Life
    ) -> Happened | Pause:
        card, priority = table.card_for(step, life.channel_id), priority_of(step)
        wait = self._waits(table, work, step) if isinstance(step, Desired) else None
        if wait is not None:
            return wait
        in_dm = table.in_dm(step, life.channel_id)
        try:
            if isinstance(step, Desired):
                await self._require_member(table, work, step)
            else:
                user = user_of(step) if in_dm else 0
                await self._transport.require_member(
                    table.guild_id, user, priority=Priority.LEISURE
                )
        except NotAMember:
            if isinstance(step, Desired):
                raise
            card = NOT_YOURS  # a person who has left the server sees nothing of the table any more
        except BotRemoved:
            # each card would be an edit, and back
            if in_dm and life.reason != NO_LONGER_THERE and table.is_newest(life):
                table.lives[life.subject] = replace(life, shows="")
                await self._say_goodbye(table, work, life)
            raise
        lost = user_of(step) and self._transport.is_lost(life.channel_id)
        if lost and await self._channel(table, work, step) != life.channel_id:
            # The channel was opened anew, as by another application, which can't edit this one's
            # messages.
            return Failed(Verdict(FailureAction.RECREATE, "the DM channel is another one now"))
        self.closed_channels.require_open(life.channel_id)
        if card.digest == life.shows:  # it only repeats an edit, or checks that the message exists
            priority = Priority.AGAIN
        drawn = table.drawn(card, life.channel_id) if isinstance(step, Desired) else card
        await self._transport.edit(
            life.channel_id,
            life.message_id,
            drawn,
            life.drawn,
            marker=life.marker(table.id),
            old=life.old(self._now()),
            priority=priority,
            recall=work.recall,
        )
        return Edited(card.digest)

    async def _say_goodbye(self, table: TableMessages, work: Work, life: Life) -> None:
        """Edit a DM to say that the bot is not on the server any more. What Discord refuses is left
        as it is.
        """
        try:
            await self._transport.edit(
                life.channel_id,
                life.message_id,
                table.drawn(REMOVED, life.channel_id),
                life.drawn,
                marker=life.marker(table.id),
                priority=Priority.LEISURE,
                recall=work.recall,
            )
        except discord.HTTPException as error:
            if is_outage(error):
                raise

    async def _find(self, table: TableMessages, work: Work, step: Step, life: Life) -> Happened:
        """Look for a message that may have been sent already.

        If that request is still under way, the same nonce prevents a second message.
        """
        if isinstance(step, Desired):
            await self._require_member(table, work, step)
        channel_id = life.channel_id or await self._channel(table, work, step)
        table.lives[life.subject] = life = replace(life, channel_id=channel_id)
        found = await self._transport.find(
            channel_id,
            life.marker(table.id),
            life.at,
            asked=work.asked,
            priority=priority_of(step),
        )
        work.asked = loop_time()
        return Found(found or 0)

    async def _delete(self, table: TableMessages, life: Life) -> Happened | Pause:
        """Delete a board that another replaces, once that one is there: the channel is never
        without.
        """
        new, work = table.lives.get(Board()), table.works.get(Board())
        if new is not None and work is not None and not new.message_id and not new.tries:
            await work.tried.wait()
            waits = isinstance(work.do, Pause) and not work.do.failed
            if waits and not table.lives[Board()].message_id:
                return Pause(REPLACED_WITHIN)
        await self._transport.require_member(table.guild_id, 0, priority=Priority.CARD)
        self.closed_channels.require_open(life.channel_id)
        await self._transport.delete(life.channel_id, life.message_id, priority=Priority.CARD)
        return Event.DELETED

    async def _reopen(self, table: TableMessages, life: Life) -> Happened:
        """Unarchive the thread of a message. That of a closed negotiation stays archived: its
        buttons don't matter.
        """
        closed = any(
            each.message_id == life.channel_id and each.shows == CLOSED
            for each in table.lives.values()
        )
        if not closed:
            try:
                await self._transport.archive(
                    life.channel_id, archived=False, priority=Priority.CARD
                )
            except discord.HTTPException as error:
                if judge(error).act is FailureAction.RETRY:
                    raise
                closed = True
        if closed:
            return Failed(Verdict(FailureAction.GIVE_UP, "the thread is archived"), final=True)
        return Event.REOPENED

    async def _require_member(self, table: TableMessages, work: Work, step: Desired) -> None:
        await self._transport.require_member(
            table.guild_id, user_of(step), priority=step.priority, recall=work.recall
        )

    async def _channel(self, table: TableMessages, work: Work, step: Step) -> int:
        if isinstance(step, Desired) and not user_of(step):
            return table.channel_of(step.place) or table.channel_id
        return await self._transport.dm_channel(user_of(step), priority_of(step), work.recall)

    # ---------------------------------------------------------------- what a message waits for

    def _waits(self, table: TableMessages, work: Work, step: Desired) -> Pause | None:
        """Return how long a message waits; None for not at all.

        The board waits, once, for the messages that it links to.
        """
        first = isinstance(step.subject, Board) and not work.tried.is_set()
        if first and self.sends_linked(table, step):
            return Pause(LINKS_WITHIN)
        return self._paced(table, step)

    def _paced(self, table: TableMessages, step: Desired) -> Pause | None:
        """Return how long an edit of the board, the set-up or a redrawn card waits; None for not at
        all.
        """
        time = loop_time()
        if step.priority is Priority.REFRESH and self._pace:
            last = table.redrawn.get(step.subject, float("-inf"))
            if (wait := last + REDRAWN_EVERY - time) > 0:
                return Pause(wait)
            recent = {each: at for each, at in table.redrawn.items() if at > time - REDRAWN_EVERY}
            table.redrawn = {**recent, step.subject: time}
        urgent = step.final or step.call or step.priority is Priority.BELL
        if urgent or not isinstance(step.subject, Board | SetUp):
            return None
        if (wait := table.board_at + self._pace - time) > 0:
            return Pause(wait)
        table.board_at = time
        return None

    def sends_linked(self, table: TableMessages, step: Step) -> bool:
        """Return whether messages that the board links to are being sent."""
        linked_to = map(decode, links(step.card)) if isinstance(step, Desired) else ()
        works = (table.works.get(subject) for subject in linked_to if subject is not None)
        return any(each is not None and not each.tried.is_set() for each in works)
