"""The reconciler: makes each message what it should be, whatever becomes of the others.

Every message has its own `Work` and its own fate. One that fails is tried again by itself, with growing pauses; nobody
has to act. Before a message is sent, the intent is stored, with the entry and the generation that its nonce and its
marker name: after a crash the same request is made again, or the message is found by its marker.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

import discord

from bot.delivery.desired import ArchiveThread, Closed, Desired, DirectMessages, OpenThread, Priority, Retired, Step
from bot.delivery.messages import Messages, Shown, digest_of, replaced
from bot.delivery.outcomes import FAILURES, Act, ChannelShut, NotAMember, Verdict, is_outage, judge
from bot.delivery.subjects import Board, NegotiationThread, Replaced, Subject
from bot.delivery.tables import TableMessages, Work
from bot.delivery.tasks import BackgroundTasks
from bot.delivery.transport import Transport
from bot.ledger import LedgerError
from bot.service import MembershipUnknown
from bot.show.cards import Card

log = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE, LATE_PAUSE = 0.5, 8.0, 60.0
"""Seconds before a second attempt; they double up to the longest. Discord is often down for a minute and seldom for an
hour, so after `PATIENT` attempts the pauses become long ones.
"""

PATIENT = 40

WITHOUT_LEDGER = 5.0
"""Seconds after which a message is tried again whose intent could not be stored."""

SHUT_FOR = 60.0
"""Seconds for which a channel that is closed to us is left alone: Discord bans bots that go on asking."""

SHUT = (10003, 10004, 50001, 50013)
"""Discord's codes for a channel that is closed to us."""

DELETED, LEFT_SERVER = 10003, 10004
"""Discord's codes for a channel that is not there, and for a server that we are not in."""

OPENING_DMS = 40003
"""Discord's code for DMs that are opened too fast; it passes."""

ECHO = 6.0
"""Seconds after which what a process was asking for when it ended has taken effect, or never will."""

TWICE = 2
"""How often such a message is edited."""

DMS_AGAIN = 30.0
"""Seconds until DMs can be opened again."""

NONCE_SURE = 60_000
"""Milliseconds for which Discord surely answers a repeated nonce with the message that it has."""

SOON, SOON_AT_MOST, SOON_FOR, NOT_AT_ALL = 2.0, 8.0, 6, 600.0
"""Seconds until a message is tried again that Discord refuses, so that it may never succeed: they double up to the
second figure, after so many attempts up to the last one.
"""

STUBBORN = 18
"""Attempts to edit a message that Discord would not let us edit: for more than an hour."""

NO_CARD = Card("over", ())
"""In place of the card of a message that is deleted."""

NOT_YOURS = Card("over", ("You are not on the server of this table any more.",))
"""The last card of a DM to a person who has left the server."""

OPEN, CLOSED, NONE = "open", "closed", "none"
"""The states of a negotiation's thread."""

ERRORS = (discord.HTTPException, discord.RateLimited, ChannelShut, NotAMember, MembershipUnknown, *FAILURES)
"""What a request may raise."""


class Postponed(Exception):
    """The message is tried again in so many seconds. ``failed``: the attempt met an error."""

    def __init__(self, seconds: float, *, failed: bool = False) -> None:
        super().__init__(seconds)
        self.seconds, self.failed = seconds, failed


@dataclass(frozen=True, slots=True)
class Begun:
    """Work that is about to begin, and the record that must be stored before, if it is not stored already."""

    step: Step
    work: Work
    record: Shown | None

    @property
    def subject(self) -> Subject:
        """What it is about."""
        return self.step.subject


class Reconciler:
    """Sends, edits and closes messages, and keeps the record of them. The planner decides what to show to whom.

    ``now`` is the time in milliseconds since 1970, ``pace`` the minimum time between two edits of one board in
    seconds. ``replan`` is called with a table in which new places for messages have come to be.
    """

    def __init__(
        self,
        transport: Transport,
        messages: Messages,
        now: Callable[[], int],
        pace: float,
        replan: Callable[[int], None],
    ) -> None:
        self._transport = transport
        self._messages = messages
        self._now = now
        self._pace = pace
        self._replan = replan
        self._tasks = BackgroundTasks()
        self._failing: set[tuple[TableMessages, Subject]] = set()
        self._shut: dict[int, tuple[float, int]] = {}
        transport.recovered = self.recovered

    # ---------------------------------------------------------------- beginning

    def begin(self, table: TableMessages, step: Step, seq: int, *, check: bool) -> list[Begun]:
        """Return the work that a step asks for, with the record to store before it starts; empty for no work.

        ``seq`` is the table's last entry. A message that is being worked on already is only told what it should become.
        """
        if (work := table.works.get(step.subject)) is not None:
            work.check = work.check or check
            if work.step != step:
                self._is_news(table, work, step)
            return []
        now = table.records.get(step.subject)
        if not self._is_due(table, step, now, check=check):
            return []
        if now is not None and self._is_done_once(table, step, now):
            return [Begun(step, Work(step, echoes=1, pause=ECHO, check=check), None)]
        unsure = step.subject in table.left
        echoes = TWICE if unsure and now is not None and now.message_id else 0
        if isinstance(step, Desired) and now is not None and now.message_id and table.anew(step, now) and not check:
            return self._anew(table, step, now, seq, echoes=echoes)
        work = Work(step, unsure=unsure, echoes=echoes, check=check)
        return [Begun(step, work, self._intent(table, step, now, seq))]

    def _is_news(self, table: TableMessages, work: Work, step: Step) -> None:
        """Let a message that is worked on become something else, at once where it only waits to be made sure of."""
        work.step = step
        if work.echoes or work.looked:
            work.echoes, work.looked = TWICE if work.echoes else 0, False
            self.start(table, step.subject)

    def _is_due(self, table: TableMessages, step: Step, now: Shown | None, *, check: bool) -> bool:
        """Return whether a step asks for work."""
        match step:
            case Desired():
                missing = now is None and (not step.wanted or 0 < step.entry <= table.cursor)
                return not missing and table.ready(step) and (check or not table.settled(step))
            case OpenThread():
                return now is None or not now.settled
            case ArchiveThread():
                return now is not None and now.state == OPEN
            case _:
                return now is not None

    def _is_done_once(self, table: TableMessages, step: Step, now: Shown) -> bool:
        """Return whether the message was edited to what is wanted, and that may only have to be done once more."""
        if now.fate != "edited":
            return False
        match step:
            case Desired():
                return not table.anew(step, now) and now.state == digest_of(table.card_for(step, now.channel_id))
            case Retired():
                cards = (step.card, step.overheard, NOT_YOURS)
                return now.state in {digest_of(replace(card, rows=())) for card in cards}
            case _:
                return isinstance(step, Closed)

    def _intent(self, table: TableMessages, step: Step, now: Shown | None, seq: int) -> Shown | None:
        """Return the record of what is about to be done; None when it is stored already."""
        if now is None:
            if not isinstance(step, Desired):
                return Shown(step.subject, fate="sending", entry=seq, at=self._now())
            channel_id, entry, state = self._known(table, step), step.entry or seq, digest_of(step.card)
            return Shown(step.subject, channel_id, 0, state, "sending", entry, anchor=step.anchor or "", at=self._now())
        if now.message_id:
            return replace(now, fate="editing")
        return replace(now, fate="sending", at=self._now()) if now.fate == "given_up" else None

    def _known(self, table: TableMessages, step: Step) -> int:
        """Return the channel of a step's place; 0 for DMs, which may have to be opened."""
        if not isinstance(step, Desired) or isinstance(step.place, DirectMessages):
            return 0
        return table.channel_of(step.place) or 0

    def _anew(self, table: TableMessages, step: Desired, now: Shown, seq: int, *, echoes: int) -> list[Begun]:
        """Return the work to send a message once more, and to close the old one.

        Where others read the old one, it shows nothing of the new one.
        """
        next_one = replace(
            now, channel_id=self._known(table, step), message_id=0, state=digest_of(step.card), fate="sending",
            entry=step.entry or seq, generation=now.generation + 1, anchor=step.anchor or "", at=self._now(),
        )  # fmt: skip
        old = replaced(now, delete=isinstance(step.subject, Board), at=self._now())
        in_public = step.fallback is not None and now.channel_id == table.home_of(step)
        closed = Closed(
            Replaced(now.channel_id, now.message_id),
            step.fallback.replaced if step.fallback and in_public else step.card,
        )
        return [Begun(step, Work(step), next_one), Begun(closed, Work(closed, echoes=echoes), old)]

    # ---------------------------------------------------------------- working

    def start(self, table: TableMessages, subject: Subject) -> None:
        """Start the work on a message, unless it is under way or an interaction's response shows it."""
        work = table.works.get(subject)
        if work is None or work.held or work.task is not None:
            return
        if work.timer is not None:
            work.timer.cancel()
            work.timer = None
        if work.pause:
            work.timer = asyncio.get_running_loop().call_later(work.pause, self.start, table, subject)
            work.pause = 0.0
            work.tried.set()
            return
        self._failing.discard((table, subject))
        work.task = self._tasks.start(self._run(table, subject, work))

    def recovered(self) -> None:
        """Try at once what failed while Discord was down."""
        for table, subject in list(self._failing):
            self.start(table, subject)

    async def settle(self, table: TableMessages, begun: Begun, shown: Shown) -> None:
        """Record that an interaction's response shows a message, and go on with what it should become meanwhile."""
        begun.work.held = False
        begun.work.tried.set()
        if begun.work.step is begun.step:
            del table.works[begun.subject]
        if isinstance(begun.step, Desired) and not begun.step.final:
            table.records[begun.subject] = shown
            await self._write_down(table, [shown], ())
        else:
            await self._forget(table, begun.subject)
        self.start(table, begun.subject)

    async def close(self) -> None:
        """Stop all work. The records tell the next start what is left."""
        self._transport.close()
        await self._tasks.close()

    async def _run(self, table: TableMessages, subject: Subject, work: Work) -> None:
        """Work on a message until it is what it should be, or put it off."""
        try:
            while not await self._attempt(table, work):
                pass
        except Postponed as postponed:
            self._put_off(table, subject, work, postponed)
        except LedgerError as error:
            log.error("table %d: a message waits, since its record can't be written", table.id, exc_info=error)
            self._put_off(table, subject, work, Postponed(WITHOUT_LEDGER))
        except Exception:  # a defect at one message must not leave it as it is for ever
            log.exception("table %d: %s met a defect", table.id, subject)
            self._put_off(table, subject, work, Postponed(LATE_PAUSE))
        else:
            del table.works[subject]
        finally:
            work.task = None
            work.tried.set()

    def _put_off(self, table: TableMessages, subject: Subject, work: Work, postponed: Postponed) -> None:
        if postponed.failed:
            self._failing.add((table, subject))
        loop = asyncio.get_running_loop()
        work.timer = loop.call_later(postponed.seconds, self.start, table, subject)

    async def _attempt(self, table: TableMessages, work: Work) -> bool:
        """Make one attempt. Return whether nothing is left to do. Raises `Postponed` unless there is news."""
        step = work.step
        try:
            await self._perform(table, work, step)
        except Postponed:
            if work.step is step:
                raise
            return False
        except ERRORS as error:
            return await self._failed(table, work, step, error) and work.step is step
        work.attempts = 0
        return work.step is step

    async def _perform(self, table: TableMessages, work: Work, step: Step) -> None:
        match step:
            case Desired():
                await self._show(table, work, step)
            case Retired():
                await self._retire(table, work, step)
            case Closed():
                await self._close_replaced(table, work, step)
            case OpenThread():
                await self._open_thread(table, work, step)
            case ArchiveThread():
                await self._archive_thread(table, work, step)
            case _:
                assert_never(step)

    # ---------------------------------------------------------------- messages

    async def _show(self, table: TableMessages, work: Work, step: Desired) -> None:
        """Make a message show its card: send it, edit it, or send it anew and close the old one."""
        if isinstance(step.subject, Board):
            self._keep_pace(table)
        if isinstance(step.place, DirectMessages):
            await self._transport.require_member(table.guild_id, step.place.user, priority=step.priority)
        now = table.records.get(step.subject)
        if now is None:
            if not step.wanted:
                return
            now = await self._store(table, [self._intent(table, step, None, table.cursor)])
        if now.message_id and table.anew(step, now) and not work.check:
            now = await self._send_anew(table, work, step, now)
        if work.unsure or (work.repeated and not step.wanted):
            now = await self._adopted(table, work, step, now)
        if now.message_id:
            await self._edit(table, work, step, now)
        elif step.wanted:
            await self._send(table, work, step, now)
        else:
            await self._forget(table, step.subject)

    def _keep_pace(self, table: TableMessages) -> None:
        """Raise `Postponed` when the board was changed a moment ago."""
        now = asyncio.get_running_loop().time()
        if (wait := table.board_at + self._pace - now) > 0:
            raise Postponed(wait)
        table.board_at = now

    async def _send_anew(self, table: TableMessages, work: Work, step: Desired, now: Shown) -> Shown:
        begun, closing = self._anew(table, step, now, table.cursor, echoes=work.echoes)
        work.echoes = 0
        record = await self._store(table, [begun.record, closing.record])
        table.works[closing.subject] = closing.work
        self.start(table, closing.subject)
        return record

    async def _edit(self, table: TableMessages, work: Work, step: Desired, now: Shown) -> None:
        card = table.card_for(step, now.channel_id)
        digest = digest_of(card)
        if now.state != digest or work.check or work.echoes:
            self._require_open(now.channel_id)
            priority = step.priority if now.state != digest or not work.echoes else Priority.AGAIN
            await self._transport.edit(
                now.channel_id, now.message_id, card, marker=now.marker(table.id), priority=priority
            )
            await self._expect_echo(table, work, step, replace(now, state=digest))
            work.check = False
        await self._done(table, step, replace(now, state=digest, fate="shown", reason=""))

    async def _send(self, table: TableMessages, work: Work, step: Desired, now: Shown) -> None:
        channel_id = now.channel_id or await self._channel(table, step)
        now = table.records[step.subject] = replace(now, channel_id=channel_id)
        card, ping = table.card_for(step, channel_id), self._ping(table, step, channel_id)
        self._require_open(channel_id)
        if not work.repeated and now.state != digest_of(card):  # it was planned before it changed
            now = await self._store(table, [replace(now, state=digest_of(card))])
        work.repeated = True
        message_id = await self._transport.send(
            channel_id, card, marker=now.marker(table.id), nonce=now.nonce(table.id), ping=ping, priority=step.priority
        )
        work.pinged = ping
        sent = table.records[step.subject] = replace(now, message_id=message_id, anchor=step.anchor or now.anchor)
        work.repeated = work.check = False
        await self._edit(table, work, step, sent)  # where an earlier attempt sent it, with another card

    def _ping(self, table: TableMessages, step: Desired, channel_id: int) -> int | None:
        """Return the person to notify in a channel, since DMs do not reach them."""
        at_home = step.fallback is not None and channel_id == table.home_of(step)
        return step.place.user if isinstance(step.place, DirectMessages) and at_home else None

    async def _channel(self, table: TableMessages, step: Desired) -> int:
        if isinstance(step.place, DirectMessages):
            return await self._transport.dm_channel(step.place.user, step.priority)
        return table.channel_of(step.place) or table.channel_id

    async def _adopted(self, table: TableMessages, work: Work, step: Desired, now: Shown) -> Shown:
        """Return the record with the message that a process that is gone may have sent, if it did.

        A request of that process may still be under way: then its nonce, which is the same, keeps it from doubling.
        Raises `Postponed`, once, where nobody wants the message any more: it may come to be after the first look.
        """
        if not now.message_id:
            channel_id = now.channel_id or await self._channel(table, step)
            found = await self._found(work, channel_id, now.marker(table.id), now.at, step.priority)
            if found is not None:
                now = replace(now, channel_id=channel_id, message_id=found, fate="editing")
                table.records[step.subject] = now
            elif work.unsure and not step.wanted and not work.looked:
                work.looked, work.unsure_at = True, asyncio.get_running_loop().time()
                raise Postponed(ECHO)
            work.repeated = found is None and now.fate != "answering"  # a response has no nonce
        work.unsure = False
        table.left.discard(step.subject)
        return now

    async def _found(self, work: Work, channel_id: int, marker: int, since: int, priority: Priority) -> int | None:
        """Return a message that may have been sent: the response to an interaction, or the one with this marker."""
        if work.look is not None:
            try:
                return await self._transport.look(work.look, marker, priority=priority)
            except discord.HTTPException as error:
                if is_outage(error):
                    raise
                work.look = None  # its token has expired
        return await self._transport.find(channel_id, marker, since, asked=work.unsure_at, priority=priority)

    async def _retire(self, table: TableMessages, work: Work, step: Retired) -> None:
        """Edit a message a last time, to a card without buttons, and forget it."""
        now = table.records.get(step.subject)
        if now is not None and not now.message_id and (work.unsure or work.repeated):
            shown = Desired(step.subject, self._place_of(now), step.card, wanted=False)
            now = await self._adopted(table, work, shown, now)
        if now is not None and now.message_id:
            card = replace(await self._last_card(table, step, now), rows=())
            digest = digest_of(card)
            self._require_open(now.channel_id)
            priority = Priority.AGAIN if work.echoes and now.state == digest else Priority.LEISURE
            await self._transport.edit(
                now.channel_id, now.message_id, card, marker=now.marker(table.id), priority=priority
            )
            await self._expect_echo(table, work, step, replace(now, state=digest))
        await self._forget(table, step.subject)

    async def _last_card(self, table: TableMessages, step: Retired, now: Shown) -> Card:
        """Return the card that a message shows at last: to a person who has left the server nothing of the table."""
        if now.channel_id == table.channel_id:
            return step.overheard
        if user := self._place_of(now).user:
            try:
                await self._transport.require_member(table.guild_id, user, priority=Priority.LEISURE)
            except NotAMember:
                return NOT_YOURS
        return step.card

    def _place_of(self, now: Shown) -> DirectMessages:
        """Return the DMs of the person that a message is for."""
        return DirectMessages(getattr(now.subject, "user", 0))

    async def _close_replaced(self, table: TableMessages, work: Work, step: Closed) -> None:
        """Delete a message in whose place a newer one was sent, or take its buttons away."""
        now = table.records.get(step.subject)
        if now is None:
            return
        self._require_open(now.channel_id)
        if now.state == "delete":
            await self._transport.delete(now.channel_id, now.message_id, priority=Priority.CARD)
        else:
            card, priority = replace(step.card, rows=()), Priority.AGAIN if now.fate == "edited" else Priority.CARD
            await self._transport.edit(
                now.channel_id, now.message_id, card, marker=now.marker(table.id), priority=priority
            )
            await self._expect_echo(table, work, step, now)
        await self._forget(table, step.subject)

    async def _expect_echo(self, table: TableMessages, work: Work, step: Step, edited: Shown) -> None:
        """Raise `Postponed`, once, where an edit by a process that is gone may take effect after the one just made.

        What is done is stored, so that after another crash this is not the first thing to do.
        """
        if work.step is step:  # else the edit that matters is still to come
            work.echoes = max(0, work.echoes - 1)
        if work.echoes:
            await self._store(table, [replace(edited, fate="edited")])
            raise Postponed(ECHO)

    # ---------------------------------------------------------------- threads

    async def _open_thread(self, table: TableMessages, work: Work, step: OpenThread) -> None:
        """Open a thread and add its users. If it can't be opened, remember that, and do without one."""
        now = table.records[step.subject]
        if not now.message_id:
            thread_id = await self._new_thread(table, work, step, now)
            state, fate = (OPEN, "editing") if thread_id else (NONE, "shown")
            # Stored at once, since threads have no nonce: an error below must not lead to a second thread.
            now = replace(now, channel_id=table.channel_id, message_id=thread_id or 0, state=state, fate=fate)  # type: ignore[arg-type]
            await self._store(table, [now])
        for user in step.users if now.message_id else ():
            await self._transport.add_to_thread(now.message_id, user, priority=Priority.ACT)
        await self._store(table, [replace(now, fate="shown")])
        self._replan(table.id)

    async def _new_thread(self, table: TableMessages, work: Work, step: OpenThread, now: Shown) -> int | None:
        """Return the id of the thread; None where the table's channel does not allow one."""
        try:
            if work.unsure:
                found = await self._transport.find_thread(table.channel_id, step.name, now.at, priority=Priority.ACT)
                if found:
                    work.unsure = False
                    return found
            work.unsure = True  # an error does not tell whether there is a thread now
            return await self._transport.open_thread(table.channel_id, step.name, priority=Priority.ACT)
        except discord.HTTPException as error:
            if judge(error).act is Act.RETRY:
                raise
            log.warning("table %d: a private thread can't be opened there (%d)", table.id, error.code)
            return None

    async def _archive_thread(self, table: TableMessages, work: Work, step: ArchiveThread) -> None:
        """Archive a thread, after the messages in it: nothing can be edited in an archived thread."""
        now = table.records[step.subject]
        inside = [
            other.task
            for subject, other in table.works.items()
            if other.task is not None and other is not work and self._is_in(table, subject, now.message_id)
        ]
        if inside:
            await asyncio.wait(inside)
        await self._transport.archive(now.message_id, archived=True, priority=Priority.LEISURE)
        await self._store(table, [replace(now, state=CLOSED, fate="shown")])

    def _is_in(self, table: TableMessages, subject: Subject, channel_id: int) -> bool:
        shown = table.records.get(subject)
        return shown is not None and shown.channel_id == channel_id

    # ---------------------------------------------------------------- failing

    async def _failed(self, table: TableMessages, work: Work, step: Step, error: Exception) -> bool:
        """Do what an error asks for. Return whether nothing is left to do. Raises `Postponed`."""
        verdict, now = judge(error), table.records.get(step.subject)
        work.attempts += 1
        match verdict.act:
            case Act.GIVE_UP if isinstance(error, NotAMember):
                return await self._leave(table, work, step, error, verdict)
            case Act.RETRY:
                self._doubt(work, now)
                raise self._again(work, verdict)
            case Act.FALL_BACK:
                return await self._fall_back(table, work, step, error, verdict)
            case Act.RECREATE if isinstance(step, Desired) and step.wanted and now is not None and now.message_id:
                await self._store(table, [self._next_generation(table, step, now)])
                return False
            case Act.RECREATE:
                await self._forget(table, step.subject)
                return True
            case Act.REPLACE if now is not None and now.message_id:
                return await self._replace(table, work, step, now)
            case Act.REOPEN if await self._reopened(table, work, now):
                return False
            case _ if work.fallen_back and now is not None and not now.message_id:
                # Neither way reaches the person. DMs may be opened again, so that is tried now and then.
                work.fallen_back = False
                await self._store(table, [replace(now, channel_id=0)])
                raise Postponed(_patience(work.attempts), failed=True)
            case Act.GIVE_UP if now is not None and now.message_id and work.attempts < STUBBORN and not _is_gone(error):
                # What it shows is not true any more, or has buttons that should go: that is tried for an hour.
                self._leave_alone(now.channel_id, error)
                raise Postponed(_patience(work.attempts), failed=True)
            case _:
                return await self._leave(table, work, step, error, verdict)

    async def _leave(self, table: TableMessages, work: Work, step: Step, error: Exception, verdict: Verdict) -> bool:
        """Give a message up, but remember it if an earlier attempt may have sent it. Return that nothing is left."""
        if work.repeated and work.attempts > 1:
            table.left.add(step.subject)
        await self._give_up(table, step, error, verdict)
        return True

    async def _replace(self, table: TableMessages, work: Work, step: Step, now: Shown) -> bool:
        """Have a message deleted that can't be edited. Return whether nothing is left to do.

        Another one is sent in its place, also when it is over: how it ended must be read, and its buttons must go.
        """
        if isinstance(step, Closed):
            await self._store(table, [replace(now, state="delete")])
            return False
        old = replaced(now, delete=True, at=self._now())
        if isinstance(step, Desired):
            work.step = replace(step, wanted=True)
            await self._store(table, [self._next_generation(table, step, now), old])
        else:
            await self._store(table, [old])
            await self._forget(table, step.subject)
        closed = Closed(Replaced(now.channel_id, now.message_id), NO_CARD)
        table.works[closed.subject] = Work(closed)
        self.start(table, closed.subject)
        return True

    def _doubt(self, work: Work, now: Shown | None) -> None:
        """Have a message looked for before it is sent again, once Discord may have forgotten its nonce.

        A request that met a server error may have taken effect.
        """
        if now is not None and not now.message_id and work.repeated and self._now() - now.at > NONCE_SURE:
            work.unsure, work.unsure_at = True, asyncio.get_running_loop().time()

    def _again(self, work: Work, verdict: Verdict) -> Postponed:
        if verdict.wait:  # Discord has said when
            return Postponed(verdict.wait, failed=True)
        pause = min(FIRST_PAUSE * 2 ** (work.attempts - 1), LONGEST_PAUSE) if work.attempts < PATIENT else LATE_PAUSE
        return Postponed(pause, failed=True)

    def _next_generation(self, table: TableMessages, step: Desired, now: Shown) -> Shown:
        """Return the record of a message that is sent in place of one that is gone. Discord knows the old nonce."""
        state = digest_of(table.card_for(step, now.channel_id))
        return replace(
            now, message_id=0, state=state, fate="sending", generation=now.generation + 1, at=self._now(), reason=""
        )

    async def _fall_back(
        self, table: TableMessages, work: Work, step: Step, error: Exception, verdict: Verdict
    ) -> bool:
        """Ping the person in a channel instead, with what others may read. Return whether nothing is left to do."""
        now = table.records.get(step.subject)
        home = table.home_of(step) if isinstance(step, Desired) else None
        if isinstance(step, Desired) and now and home is not None and now.channel_id != home and not now.message_id:
            work.fallen_back = True
            await self._store(table, [replace(now, channel_id=home, state=digest_of(table.card_for(step, home)))])
            work.repeated = False
            return False
        if isinstance(error, discord.HTTPException) and error.code == OPENING_DMS:
            raise Postponed(DMS_AGAIN * work.attempts, failed=False)
        if now is not None and now.message_id and work.attempts < STUBBORN:
            raise Postponed(_patience(work.attempts), failed=True)
        await self._give_up(table, step, error, verdict)
        return True

    async def _reopened(self, table: TableMessages, work: Work, now: Shown | None) -> bool:
        """Take the thread of a message out of the archive, once. Return whether that worked.

        The thread of a closed negotiation stays archived: its messages have nothing to press any more.
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

    async def _give_up(self, table: TableMessages, step: Step, error: Exception, verdict: Verdict) -> None:
        """Leave a message until it changes, and tell the owner why."""
        now = table.records.get(step.subject)
        channel_id = now.channel_id if now and now.channel_id else table.channel_id
        known = now is not None and now.reason == verdict.reason  # the owner has read that
        level = logging.DEBUG if known or _is_secret(step) else logging.WARNING
        log.log(level, "table %d: %s given up in channel %d: %s", table.id, step.subject, channel_id, verdict.reason)
        self._leave_alone(channel_id, error)
        if isinstance(error, discord.HTTPException) and error.code == DELETED:
            await self._do_without(table, channel_id)
        if now is None or not isinstance(step, Desired) or step.final:
            await self._forget(table, step.subject)
            return
        digest = digest_of(table.card_for(step, now.channel_id))
        await self._store(table, [replace(now, state=digest, fate="given_up", reason=verdict.reason)])

    async def _do_without(self, table: TableMessages, channel_id: int) -> None:
        """If the deleted channel was a negotiation's thread, remember that there is none: DMs and pings go on."""
        for each in list(table.records.values()):
            if isinstance(each.subject, NegotiationThread) and each.message_id == channel_id:
                await self._store(table, [replace(each, message_id=0, state=NONE)])
                self._replan(table.id)

    def _leave_alone(self, channel_id: int, error: Exception) -> None:
        """Remember that a channel is closed to us, if the error says so."""
        if isinstance(error, discord.HTTPException) and error.code in SHUT:
            self._shut[channel_id] = asyncio.get_running_loop().time() + SHUT_FOR, error.code

    def _require_open(self, channel_id: int) -> None:
        """Raise the error again that a channel closed to us gave a moment ago, instead of asking once more."""
        until, code = self._shut.get(channel_id, (0.0, 0))
        if until > asyncio.get_running_loop().time():
            raise ChannelShut(code)
        self._shut.pop(channel_id, None)

    # ---------------------------------------------------------------- records

    async def _done(self, table: TableMessages, step: Desired, now: Shown) -> None:
        """Record what a message shows now; one that will not change any more is forgotten."""
        if step.final:
            await self._forget(table, step.subject)
        else:
            table.records[step.subject] = now
            await self._write_down(table, [now], ())

    async def _forget(self, table: TableMessages, subject: Subject) -> None:
        if table.records.pop(subject, None) is not None:
            await self._write_down(table, (), (subject,))

    async def _store(self, table: TableMessages, intents: Sequence[Shown | None]) -> Shown:
        """Store intents, and return the first. Raises `LedgerError`, since nothing may be sent without them."""
        records = [each for each in intents if each is not None]
        await self._messages.save(table.id, records)
        table.records.update((each.subject, each) for each in records)
        return records[0]

    async def _write_down(self, table: TableMessages, records: Sequence[Shown], forgotten: Sequence[Subject]) -> None:
        """Store what was done. If that fails, it is only found out once more after a crash."""
        try:
            await self._messages.save(table.id, records, forgotten=forgotten)
        except LedgerError as error:
            log.error("table %d: what was shown could not be recorded", table.id, exc_info=error)


def _is_secret(step: Step) -> bool:
    """Return whether nobody but its person may know that a message exists, not even the owner of the bot."""
    return isinstance(step, Desired) and isinstance(step.place, DirectMessages) and step.fallback is None


def _is_gone(error: Exception) -> bool:
    """Return whether there is no channel any more in which anybody could read the message."""
    return isinstance(error, discord.HTTPException | ChannelShut) and error.code in (DELETED, LEFT_SERVER)


def _patience(attempts: int) -> float:
    """Return the pause after so many attempts that Discord refused."""
    if attempts <= SOON_FOR:
        return min(SOON * 2.0 ** (attempts - 1), SOON_AT_MOST)
    return min(SOON_AT_MOST * 2.0 ** (attempts - SOON_FOR), NOT_AT_ALL)
