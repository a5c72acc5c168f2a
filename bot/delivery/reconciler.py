"""The reconciler: makes Discord show each planned message, independently of the others.

Each message has its own `Work`. A message that fails is tried again with growing pauses, without anybody's help. The
intent is stored before a message is sent; its nonce and its marker follow from the stored record. After a crash the
same request is made again, or the message is found by its marker.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import assert_never

import discord

from bot.delivery.budget import Recalled
from bot.delivery.desired import (
    ArchiveThread,
    Board,
    Closed,
    Desired,
    DirectMessages,
    NegotiationThread,
    OpenThread,
    Priority,
    Replaced,
    Retired,
    SetUp,
    Step,
    Subject,
    decode,
)
from bot.delivery.intents import CLOSED, ECHO, NONE, NOT_YOURS, TWICE, PlannedWork, Postponed, begin, intent, resend
from bot.delivery.outcomes import (
    FAILURES,
    LATE_PAUSE,
    ChannelClosed,
    ClosedChannels,
    FailureAction,
    NotAMember,
    Verdict,
    after_outage,
    after_refusal,
    is_outage,
    judge,
)
from bot.delivery.records import Look, MessageRecord, MessageRecords, TableMessages, Work, replaced
from bot.delivery.render import links
from bot.delivery.threads import Threads
from bot.delivery.transport import Notice, Transport
from bot.ledger import LedgerError
from bot.rules.model.replacing import replace
from bot.service import MembershipUnknown
from bot.show.cards import Card
from bot.tasks import Tasks

log = logging.getLogger(__name__)

WITHOUT_LEDGER = 5.0
"""Seconds until a message is tried again whose record could not be stored."""

DELETED, LEFT_SERVER = 10003, 10004
"""Discord's codes for a deleted channel, and for a server that the bot is not in."""

GONE = (DELETED, LEFT_SERVER)
"""Codes after which nobody can read the message any more."""

OPENING_DMS = 40003
"""Discord's code for opening DMs too fast, which is temporary."""

DMS_AGAIN = 30.0
"""Seconds to wait before opening DMs again; multiplied by the number of attempts."""

NONCE_SURE = 60_000
"""Milliseconds for which Discord is sure to answer a repeated nonce with the existing message."""

STUBBORN = 18
"""The most attempts to edit a message that Discord refuses; they take more than an hour."""

NO_CARD = Card("over", ())
"""A placeholder for the card of a message to delete."""

LINKS_WITHIN = 1.0
"""Seconds that the board waits for the messages that it links to, while they are being sent."""

ERRORS = (discord.HTTPException, discord.RateLimited, ChannelClosed, NotAMember, MembershipUnknown, *FAILURES)
"""What a request may raise."""


class Reconciler:
    """Sends, edits and closes messages, and keeps their records. The planner decides what to show to whom.

    ``now`` returns the time in milliseconds since 1970; ``pace`` is the minimum time between two edits of one board, in
    seconds. ``replan`` is called with the id of a table when the places for its messages have changed.
    """

    def __init__(
        self,
        transport: Transport,
        records: MessageRecords,
        now: Callable[[], int],
        pace: float,
        replan: Callable[[int], None],
    ) -> None:
        self._transport = transport
        self.tokens = transport.tokens
        self._records = records
        self._threads = Threads(transport, records, replan)
        self._now = now
        self._pace = pace
        self._replan = replan
        self._tasks = Tasks()
        self._failing: set[tuple[TableMessages, Subject]] = set()
        self._closed_channels = ClosedChannels()
        transport.recovered = self.recovered

    # ---------------------------------------------------------------- working

    def begin(self, table: TableMessages, step: Step, seq: int, *, check: bool) -> list[PlannedWork]:
        """Return the work that a step needs, with the records to store before it starts; empty for no work.

        ``seq`` is the table's last entry. Work in progress on the message only gets the new step; if it awaits
        confirmation, it goes on at once.
        """
        if (work := table.works.get(step.subject)) is None:
            return begin(table, step, seq, self._now(), check=check)
        work.check = work.check or check
        if work.step != step:
            work.step, work.recall.outdated = step, True
            now = table.records.get(step.subject)
            unwanted = isinstance(step, Retired) or (isinstance(step, Desired) and not step.wanted)
            if unwanted and not (now and now.message_id):
                work.recall.withdraw()  # it need not be sent at all
            work.recall.for_more_urgent(step.priority if isinstance(step, Desired) else Priority.LEISURE)
            if work.echoes or work.looked:  # it only awaits confirmation
                work.echoes, work.looked = TWICE if work.echoes else 0, False
                self.start(table, step.subject)
        return []

    def start(self, table: TableMessages, subject: Subject) -> None:
        """Start the work on a message, unless it is in progress or an interaction's response shows the message."""
        work = table.works.get(subject)
        if work is None or work.held or work.task is not None:
            return
        if work.timer is not None:
            work.timer.cancel()
            work.timer = None
        if work.pause:
            self._start_later(table, subject, work, work.pause)
            work.pause = 0.0
            work.tried.set()
            return
        self._failing.discard((table, subject))
        work.task = self._tasks.start("a message", self._run(table, subject, work))

    def recovered(self) -> None:
        """Try at once all work that failed."""
        for table, subject in list(self._failing):
            self.start(table, subject)

    async def settle(self, table: TableMessages, begun: PlannedWork, shown: MessageRecord) -> None:
        """Record that an interaction's response shows a message.

        Go on if it has a new step, or if an edit by an earlier process may still take effect.
        """
        work, step = begun.work, begun.step
        work.held = False
        if work.step is step and not work.echoes:
            del table.works[begun.subject]
        if isinstance(step, Desired):
            self._records.done(table, work, step, shown)
        elif not work.echoes:
            self._records.forget(table, begun.subject)
        self.start(table, begun.subject)
        self._tried(table, work)

    def free(self, table: TableMessages, begun: PlannedWork, *, unsure: bool = True, look: Look | None = None) -> None:
        """Work on a message that no interaction's response shows, if one was to. See `ResponseMessage.failed`."""
        work = begun.work
        if work.held:
            work.unsure = work.doubted = unsure and not table.records[begun.subject].message_id
            work.look, work.unsure_at, work.held = look, asyncio.get_running_loop().time(), False
            self.start(table, begun.subject)

    async def close(self) -> None:
        """Stop all work. The records tell the next process what is left to do."""
        self._transport.close()
        await self._tasks.close()

    async def _run(self, table: TableMessages, subject: Subject, work: Work) -> None:
        """Work on a message until its step is done or postponed."""
        try:
            while not await self._attempt(table, work):
                pass
        except Postponed as postponed:
            self._put_off(table, subject, work, postponed)
        except LedgerError as error:
            log.error("a message waits, since its record can't be written", exc_info=error, extra={"table": table.id})
            self._put_off(table, subject, work, Postponed(WITHOUT_LEDGER))
        except Exception:  # a defect must not stop the work on this message for ever
            # Only a person who is pinged if need be is named: others may not even know that there is a message.
            log.exception("%s met a defect", subject if subject.pings else subject.name, extra={"table": table.id})
            self._put_off(table, subject, work, Postponed(LATE_PAUSE))
        else:
            del table.works[subject]
        finally:
            work.task = None
            self._tried(table, work)

    def _put_off(self, table: TableMessages, subject: Subject, work: Work, postponed: Postponed) -> None:
        if postponed.failed:
            self._failing.add((table, subject))
        self._start_later(table, subject, work, postponed.seconds)

    def _start_later(self, table: TableMessages, subject: Subject, work: Work, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        work.due = loop.time() + seconds  # uvloop's timers don't tell when they are due if the wait is 0
        work.timer = loop.call_later(seconds, self.start, table, subject)

    async def _attempt(self, table: TableMessages, work: Work) -> bool:
        """Make one attempt. Return whether nothing is left to do. Raises `Postponed`, unless there is a new step."""
        step, work.recall.outdated = work.step, False
        try:
            match step:
                case Desired():
                    await self._show(table, work, step)
                case Retired():
                    await self._retire(table, work, step)
                case Closed():
                    await self._close_replaced(table, work, step)
                case OpenThread():
                    await self._threads.open(table, work, step)
                case ArchiveThread():
                    await self._threads.archive(table, work, step)
                case _:
                    assert_never(step)
        except Recalled:
            return False
        except Postponed:
            if work.step is step:
                raise
            return False
        except ERRORS as error:
            return await self._failed(table, work, step, error) and work.step is step
        work.attempts = 0
        return work.step is step

    # ---------------------------------------------------------------- messages

    async def _show(self, table: TableMessages, work: Work, step: Desired) -> None:
        """Make a message show its card: send it, edit it, or send it again and close the old one."""
        now = table.records.get(step.subject)
        if not step.wanted and not (now and now.message_id) and not (work.unsure or work.repeated):
            self._records.forget(table, step.subject)  # it was never sent
            return
        if isinstance(step.subject, Board):
            self._wait_for_links(table, work)
        if isinstance(step.subject, Board | SetUp) and not step.final and not step.rings:
            time = asyncio.get_running_loop().time()
            if (wait := table.board_at + self._pace - time) > 0:
                raise Postponed(wait)
            table.board_at = time
        if isinstance(step.place, DirectMessages):
            user, recall = step.place.user, work.recall
            await self._transport.require_member(table.guild_id, user, priority=step.priority, recall=recall)
        now = table.records.get(step.subject)
        if now is None:
            now = intent(table, step, None, table.cursor, self._now())
            assert now is not None
            await self._records.store(table, now)
        if now.message_id and table.anchor_changed(step, now) and not work.check:
            begun, closing = resend(table, step, now, table.cursor, self._now(), echoes=work.echoes)
            assert begun.record is not None
            assert closing.record is not None
            now, work.echoes = begun.record, 0
            await self._records.store(table, now, closing.record)
            table.works[closing.subject] = closing.work
            self.start(table, closing.subject)
        if work.unsure or (work.repeated and not step.wanted):
            now = await self._adopted(table, work, step, now)
        if now.message_id:
            await self._edit(table, work, step, now)
        elif step.wanted:
            await self._send(table, work, step, now)
        else:
            self._records.forget(table, step.subject)

    def _wait_for_links(self, table: TableMessages, work: Work) -> None:
        """Raise `Postponed`, once, if messages that the board links to are being sent."""
        if not work.waited and self._sends_linked(table, work):
            work.waited = True
            raise Postponed(LINKS_WITHIN)

    def _sends_linked(self, table: TableMessages, work: Work) -> bool:
        """Return whether messages that the board links to are being sent."""
        linked_to = map(decode, links(work.step.card)) if isinstance(work.step, Desired) else ()
        works = (table.works.get(subject) for subject in linked_to if subject is not None)
        return any(each is not None and not each.tried.is_set() for each in works)

    def _tried(self, table: TableMessages, work: Work) -> None:
        """Note that a message was tried. If the board waited for it, to link to it, go on with the board."""
        work.tried.set()
        board = table.works.get(Board())
        waits = board is not None and board is not work and board.waited and not board.attempts
        if board is not None and waits and not self._sends_linked(table, board):
            self.start(table, Board())

    async def _edit(self, table: TableMessages, work: Work, step: Desired, now: MessageRecord) -> None:
        card = table.card_for(step, now.channel_id)
        digest = card.digest
        if now.state != digest or work.check or work.echoes:
            self._closed_channels.require_open(now.channel_id)
            # An edit to the same card only checks that the message exists, so it can wait for all news.
            priority = step.priority if now.state != digest else Priority.AGAIN
            await self._draw(table, work, step, now, table.drawn(card, now.channel_id), priority)
            await self._expect_echo(table, work, step, replace(now, state=digest))
            work.check = False
        self._records.done(table, work, step, replace(now, state=digest, reason=""))

    async def _send(self, table: TableMessages, work: Work, step: Desired, now: MessageRecord) -> None:
        channel_id = now.channel_id or await self._channel(table, work, step)
        now = table.records[step.subject] = replace(now, channel_id=channel_id)
        card, notice = table.card_for(step, channel_id), await self.notice(table, step, channel_id)
        self._closed_channels.require_open(channel_id)
        if not work.repeated and now.state not in ("", card.digest):  # the card has changed since it was planned
            now = replace(now, state="")
            await self._records.store(table, now)
        repeated, work.repeated = work.repeated, True
        try:
            message_id = await self._transport.send(
                channel_id, table.drawn(card, channel_id), marker=now.marker(table.id), nonce=now.nonce(table.id),
                notice=notice, priority=step.priority, recall=work.recall,
            )  # fmt: skip
        except Recalled:
            work.repeated = repeated
            raise
        work.pinged = notice.pings[0] if notice.pings and isinstance(step.place, DirectMessages) else None
        state = now.state if repeated else card.digest  # if an earlier attempt sent it, it may show another card
        anchor = step.anchor or now.anchor
        sent = table.records[step.subject] = replace(now, message_id=message_id, state=state, anchor=anchor)
        table.posted(step.subject, channel_id, asyncio.get_running_loop().time())
        work.repeated = work.doubted = work.check = False
        await self._edit(table, work, step, sent)

    async def notice(self, table: TableMessages, step: Desired, channel_id: int) -> Notice:
        """Return whom a message notifies in this channel, which may be the fallback for DMs.

        Raises `LedgerError`.
        """
        fallen_back = step.fallback is not None and channel_id == table.home_of(step)
        return await self._transport.notice(step, in_dm=isinstance(step.place, DirectMessages) and not fallen_back)

    async def _channel(self, table: TableMessages, work: Work, step: Desired) -> int:
        if isinstance(step.place, DirectMessages):
            return await self._transport.dm_channel(step.place.user, step.priority, work.recall)
        return table.channel_of(step.place) or table.channel_id

    async def _adopted(self, table: TableMessages, work: Work, step: Desired, now: MessageRecord) -> MessageRecord:
        """Look for a message that may have been sent already. Return its record, with the message's id if it was found.

        If that request is still under way, the same nonce prevents a second message. Raises `Postponed`, once, if the
        message was not found and is no longer wanted: it may appear after the first look, with buttons.
        """
        if not now.message_id:
            channel_id = now.channel_id or await self._channel(table, work, step)
            found = await self._found(work, channel_id, now.marker(table.id), now.at, step.priority)
            if found is not None:
                now = replace(now, channel_id=channel_id, message_id=found, fate="editing")
                table.records[step.subject], work.doubted = now, False
            elif not step.wanted and not work.looked:
                work.looked, work.unsure_at = True, asyncio.get_running_loop().time()
                raise Postponed(ECHO)
            work.repeated = found is None and now.fate != "answering"  # a response has no nonce
        work.unsure = False
        table.left.discard(step.subject)
        return now

    async def _found(self, work: Work, channel_id: int, marker: int, since: int, priority: Priority) -> int | None:
        """Return the id of a message that may have been sent, as an interaction's response or with this marker."""
        if work.look is not None:
            try:
                if (found := await self._transport.look(work.look, marker, priority=priority)) is not None:
                    return found
            except discord.HTTPException as error:
                if is_outage(error):
                    raise
            # Its token has expired, or Discord delivered the interaction twice and this is its other response.
            work.look = None
        return await self._transport.find(channel_id, marker, since, asked=work.unsure_at, priority=priority)

    async def _retire(self, table: TableMessages, work: Work, step: Retired) -> None:
        """Edit a message for the last time, to a card without buttons, and forget it."""
        now = table.records.get(step.subject)
        if now is not None and not now.message_id and (work.unsure or work.repeated):
            shown = Desired(step.subject, self._place_of(now), step.card, wanted=False)
            now = await self._adopted(table, work, shown, now)
        if now is not None and now.message_id:
            card = step.public_card if now.channel_id == table.channel_id else step.card
            if now.channel_id != table.channel_id and (user := self._place_of(now).user):
                try:
                    await self._transport.require_member(table.guild_id, user, priority=Priority.LEISURE)
                except NotAMember:  # a person who has left the server sees nothing of the table any more
                    card = NOT_YOURS
            card = replace(card, rows=())
            digest = card.digest
            self._closed_channels.require_open(now.channel_id)
            priority = Priority.AGAIN if work.echoes and now.state == digest else Priority.LEISURE
            await self._draw(table, work, step, now, card, priority)
            await self._expect_echo(table, work, step, replace(now, state=digest))
        self._records.forget(table, step.subject)

    def _place_of(self, now: MessageRecord) -> DirectMessages:
        """Return the DMs of the person whom a message is for."""
        return DirectMessages(getattr(now.subject, "user", 0))

    async def _close_replaced(self, table: TableMessages, work: Work, step: Closed) -> None:
        """Delete a message that a newer one replaces, or remove its buttons."""
        now = table.records.get(step.subject)
        if now is None:
            return
        self._closed_channels.require_open(now.channel_id)
        if now.state == "delete":
            await self._transport.delete(now.channel_id, now.message_id, priority=Priority.CARD)
        else:
            card, priority = replace(step.card, rows=()), Priority.AGAIN if now.fate == "edited" else Priority.CARD
            await self._draw(table, work, step, now, card, priority)
            await self._expect_echo(table, work, step, now)
        self._records.forget(table, step.subject)

    async def _draw(
        self, table: TableMessages, work: Work, step: Step, now: MessageRecord, card: Card, priority: Priority
    ) -> None:
        """Edit a message to show a card. Raises `Recalled` if the message has a new step before the edit is made."""
        await self._transport.edit(
            now.channel_id,
            now.message_id,
            card,
            marker=now.marker(table.id),
            priority=priority,
            recall=work.recall,
        )

    async def _expect_echo(self, table: TableMessages, work: Work, step: Step, edited: MessageRecord) -> None:
        """Raise `Postponed` if an edit by an earlier process may still take effect after the one just made.

        The edit is stored first, so that after another crash only the repetition is left to do.
        """
        if work.step is step:  # otherwise the edit of the new step is still to come
            work.echoes = max(0, work.echoes - 1)
        if work.echoes:
            await self._records.store(table, replace(edited, fate="edited"))
            raise Postponed(ECHO)

    # ---------------------------------------------------------------- failing

    async def _failed(self, table: TableMessages, work: Work, step: Step, error: Exception) -> bool:
        """Handle an error according to its verdict. Return whether nothing is left to do. Raises `Postponed`."""
        verdict, now = judge(error), table.records.get(step.subject)
        code = error.code if isinstance(error, discord.HTTPException | ChannelClosed) else 0
        work.attempts += 1
        match verdict.act:
            case FailureAction.GIVE_UP if isinstance(error, NotAMember):
                await self._give_up(table, work, step, error, verdict)
            case FailureAction.RETRY:
                self._doubt(work, now, error)
                # ``wait`` is Discord's ``retry_after``.
                raise Postponed(verdict.wait or after_outage(work.attempts), failed=True)
            case FailureAction.FALL_BACK:
                return await self._fall_back(table, work, step, error, verdict)
            case FailureAction.RECREATE if (
                isinstance(step, Desired) and step.wanted and now is not None and now.message_id
            ):
                await self._records.store(table, self._next_generation(table, step, now))
                return False
            case FailureAction.RECREATE:
                self._records.forget(table, step.subject)
                return True
            case FailureAction.REPLACE if now is not None and now.message_id:
                return await self._replace(table, work, step, now)
            case FailureAction.REOPEN if await self._reopened(table, work, now):
                return False
            case _ if work.fallen_back and now is not None and not now.message_id:
                # Neither way reaches the person. They may open their DMs again, so DMs are tried from time to time.
                if self._looks_first(work):
                    return False
                work.fallen_back = False
                await self._records.store(table, replace(now, channel_id=0))
                raise Postponed(after_refusal(work.attempts), failed=True)
            case FailureAction.GIVE_UP if (
                now is not None and now.message_id and work.attempts < STUBBORN and code not in GONE
            ):
                # The message shows something outdated, or buttons that must go: try for an hour.
                self._closed_channels.leave_alone(now.channel_id, error)
                raise Postponed(after_refusal(work.attempts), failed=True)
            case _:
                await self._give_up(table, work, step, error, verdict)
        return True

    async def _replace(self, table: TableMessages, work: Work, step: Step, now: MessageRecord) -> bool:
        """Delete a message that can't be edited, and send another in its place. Return whether nothing is left to do.

        It is replaced even if its subject is over: people must read how it ended, and its buttons must go.
        """
        if isinstance(step, Closed):
            await self._records.store(table, replace(now, state="delete"))
            return False
        old = replaced(now, delete=True, at=self._now())
        if isinstance(step, Desired):
            work.step = replace(step, wanted=True)
            await self._records.store(table, self._next_generation(table, step, now), old)
        else:
            await self._records.store(table, old)
            self._records.forget(table, step.subject)
        closed = Closed(Replaced(now.channel_id, now.message_id), NO_CARD)
        table.works[closed.subject] = Work(closed, self._now())
        self.start(table, closed.subject)
        return True

    def _doubt(self, work: Work, now: MessageRecord | None, error: Exception) -> None:
        """Note that a failed request to send the message may have taken effect, unless Discord refused it.

        Once Discord may have forgotten its nonce, the message is looked for before it is sent again.
        """
        if now is None or now.message_id or not work.repeated:
            return
        if not is_outage(error):
            work.repeated = work.doubted
            return
        work.doubted, work.unsure_at = True, asyncio.get_running_loop().time()
        if self._now() - now.at > NONCE_SURE:
            work.unsure = True

    def _looks_first(self, work: Work) -> bool:
        """Return whether to look for the message before sending it to another place; if so, arrange it, once."""
        if not work.doubted:
            return False
        work.unsure, work.unsure_at, work.doubted = True, asyncio.get_running_loop().time(), False
        return True

    def _next_generation(self, table: TableMessages, step: Desired, now: MessageRecord) -> MessageRecord:
        """Return the record to replace a deleted message. Its nonce is new, since Discord knows the old one."""
        state = table.card_for(step, now.channel_id).digest
        return replace(
            now, message_id=0, state=state, fate="sending", generation=now.generation + 1, at=self._now(), reason=""
        )

    async def _fall_back(
        self, table: TableMessages, work: Work, step: Step, error: Exception, verdict: Verdict
    ) -> bool:
        """Ping the person in a channel instead of the DM. Return whether nothing is left to do."""
        now = table.records.get(step.subject)
        home = table.home_of(step) if isinstance(step, Desired) else None
        if isinstance(step, Desired) and now and home is not None and now.channel_id != home and not now.message_id:
            if self._looks_first(work):
                return False
            work.fallen_back = True
            await self._records.store(table, replace(now, channel_id=home, state=table.card_for(step, home).digest))
            work.repeated = False
            return False
        if isinstance(error, discord.HTTPException) and error.code == OPENING_DMS:
            raise Postponed(DMS_AGAIN * work.attempts, failed=False)
        if now is not None and now.message_id and work.attempts < STUBBORN:
            raise Postponed(after_refusal(work.attempts), failed=True)
        await self._give_up(table, work, step, error, verdict)
        return True

    async def _reopened(self, table: TableMessages, work: Work, now: MessageRecord | None) -> bool:
        """Unarchive the thread of a message, once. Return whether that worked.

        The thread of a closed negotiation stays archived: its messages have no buttons that matter any more.
        """
        if (
            now is None
            or work.reopened
            or any(each.message_id == now.channel_id and each.state == CLOSED for each in table.records.values())
        ):
            return False
        work.reopened = True
        try:
            await self._transport.archive(now.channel_id, archived=False, priority=Priority.CARD)
        except discord.HTTPException:
            return False
        return True

    async def _give_up(self, table: TableMessages, work: Work, step: Step, error: Exception, verdict: Verdict) -> None:
        """Leave a message until it changes, and log the reason for the owner. If it has a new step, keep its record.

        If an attempt to send it may have taken effect, the record keeps its time, and the message is looked for before
        the next attempt.
        """
        now = table.records.get(step.subject)
        channel_id = now.channel_id if now and now.channel_id else table.channel_id
        known = now is not None and now.reason == verdict.reason  # it is in the log already
        # Only the recipient may know that a DM without a fallback exists: not even the bot's owner may.
        secret = isinstance(step, Desired) and isinstance(step.place, DirectMessages) and step.fallback is None
        if not secret:
            self._transport.watch.given_up(verdict.reason)
            log.log(
                logging.DEBUG if known else logging.WARNING,
                "%s given up in channel %d: %s", step.subject, channel_id, verdict.reason,
                extra={"table": table.id, "offer": getattr(step.subject, "offer", None)},
            )  # fmt: skip
        self._closed_channels.leave_alone(channel_id, error)
        if isinstance(error, discord.HTTPException) and error.code == DELETED:
            for each in list(table.records.values()):
                if isinstance(each.subject, NegotiationThread) and each.message_id == channel_id:
                    # DMs and pings go on without the negotiation's thread.
                    await self._records.store(table, replace(each, message_id=0, state=NONE))
                    self._replan(table.id)
        if work.step is not step:
            return
        if now is None or not isinstance(step, Desired) or step.final:
            self._records.forget(table, step.subject)
            return
        digest = table.card_for(step, now.channel_id).digest
        at = now.at if work.doubted else 0
        await self._records.store(table, replace(now, state=digest, fate="given_up", reason=verdict.reason, at=at))
