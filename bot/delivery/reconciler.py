"""The reconciler: makes Discord show each planned message, independently of the others.

Each message has its own `Work`. What happens to it is told to `bot.delivery.life`, which says what
to do next; `bot.delivery.send` does it. A message that fails is tried again with growing pauses,
without anybody's help. A life is stored before its message is sent; nonce and marker follow from
it. After a crash the same request is made again, or the message is found by its marker.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress

import discord

from bot.delivery.budget import Recalled
from bot.delivery.desired import (
    ArchiveThread,
    Board,
    Desired,
    NegotiationThread,
    OfferCard,
    OpenThread,
    PersonalOffer,
    Priority,
    Replaced,
    SetUp,
    Step,
    Subject,
    TakenAway,
    user_of,
)
from bot.delivery.life import (
    DELETED,
    LEFT_SERVER,
    STUBBORN,
    Do,
    Edited,
    Event,
    Failed,
    Found,
    Happened,
    Life,
    Next,
    Pause,
    Sent,
    Want,
    advance,
    following,
    replaced,
)
from bot.delivery.records import Lives, TableMessages, Work, open_thread, priority_of, stored
from bot.delivery.send import Sender
from bot.delivery.threads import NONE, OPEN, Threads
from bot.delivery.transport import Transport
from bot.delivery.verdicts import (
    FAILURES,
    LATE_PAUSE,
    NO_COMMON_SERVER,
    ChannelClosed,
    ClosedChannels,
    FailureAction,
    Limited,
    NotAMember,
    Verdict,
    after_outage,
    after_refusal,
    is_closed,
    is_outage,
    judge,
)
from bot.ledger import LedgerError
from bot.rules.model.replacing import replace
from bot.rules.model.values import frozen
from bot.service import BotRemoved, MembershipUnknown
from bot.tasks import Tasks, loop_time

log = logging.getLogger(__name__)

WITHOUT_LEDGER = 5.0
"""Seconds until a message is tried again whose life could not be stored."""

MOVES_WITHIN = 5.0
"""Seconds that requests in a channel may still take once its table has moved. Then they are given
up.
"""

ERRORS = (
    discord.HTTPException,
    discord.RateLimited,
    ChannelClosed,
    NotAMember,
    MembershipUnknown,
    *FAILURES,
)
"""Errors that a request may raise."""


@frozen
class PlannedWork:
    """Work that is about to begin, and the life to store first; None if it is stored already."""

    step: Step
    work: Work
    life: Life | None

    @property
    def subject(self) -> Subject:
        return self.step.subject


class Reconciler:
    """Sends, edits and closes messages, and keeps their lives. The planner decides what to show to
    whom.

    ``now`` returns the time in milliseconds since 1970; ``pace`` is the minimum time between two
    edits of one board, in seconds. ``replan`` is called with the id of a table when the places for
    its messages have changed.
    """

    def __init__(
        self,
        transport: Transport,
        lives: Lives,
        now: Callable[[], int],
        pace: float,
        replan: Callable[[int], None],
    ) -> None:
        self._transport = transport
        self.tokens = transport.tokens
        self._lives = lives
        self._threads = Threads(transport, lives, replan)
        self._sender = Sender(transport, lives, now, pace)
        self.unreached = self._sender.unreached
        self._now = now
        self._replan = replan
        self._tasks = Tasks()
        self._failing: set[tuple[TableMessages, Subject]] = set()
        transport.recovered = self.recovered

    # ---------------------------------------------------------------- beginning

    def begin(
        self, table: TableMessages, step: Step, seq: int, *, check: bool
    ) -> list[PlannedWork]:
        """Return the work that a step needs, with the lives to store before it starts; empty for no
        work.

        ``seq`` is the table's last entry. ``check``: see whether the message still exists. Work in
        progress on the message only gets the new step; if it awaits confirmation, it goes on at
        once.
        """
        work = table.works.get(step.subject)
        if work is not None and work.paced:
            # What changes now, or a press on it, does not wait for its turn.
            if work.timer is not None:
                work.timer.cancel()
            del table.works[step.subject]
        elif work is not None:
            return self._redirect(table, work, step)
        life = table.lives.get(step.subject)
        if isinstance(step, OpenThread | ArchiveThread):
            return self._begin_thread(table, step, life, seq)
        if isinstance(step, Desired) and not table.ready(step):
            return []
        if life is None:
            told = isinstance(step, Desired) and 0 < step.entry <= table.cursor
            if not isinstance(step, Desired) or not step.wanted or told:
                return []
            life = _born(table, step, seq, self._now())
            return [self._planned(step, Do.SEND, life)]
        event = Event.LEFT if step.subject in table.left else Event.WANTED
        want = table.want(step, life, check=check)
        after, do = advance(life, event, want, self._now())
        if do is Do.RENEW and isinstance(step, Desired):
            return self._resend(table, step, after, seq)
        changed = stored(after) != stored(life)
        shown = after.stage == "shown" and do is not Do.LOOK and isinstance(step, Desired)
        if do is Do.REST or shown:
            if changed:  # the bot is on the server again
                self._lives.buffer(table, after)
            return []
        if not changed:
            table.lives[step.subject] = after
        return [self._planned(step, do, after if changed else None)]

    def _planned(self, step: Step, do: Do | Pause, life: Life | None) -> PlannedWork:
        return PlannedWork(step, Work(step, self._now(), do, step), life)

    def _redirect(self, table: TableMessages, work: Work, step: Step) -> list[PlannedWork]:
        """Give work in progress its new step. Return it if its message changes by that."""
        self._change(table, work, step)
        life = table.lives.get(step.subject)
        if life is None or life.stage != "shown" or isinstance(step, OpenThread | ArchiveThread):
            return []
        if work.do is Do.FORGET:
            return []  # the next message about it is being stored
        after, _ = self._advanced(table, step, life, Event.WANTED)
        if after.stage not in ("editing", "replaced"):
            return []
        # It was only looked for. If this process dies now, the next one must know that it is to
        # change. The work goes on meanwhile, so a life that is stored only after the plan's others
        # could take the place of a newer one: the message would be sent twice.
        self._lives.buffer(table, after)
        return [PlannedWork(step, work, None)]

    def _begin_thread(
        self, table: TableMessages, step: OpenThread | ArchiveThread, life: Life | None, seq: int
    ) -> list[PlannedWork]:
        if life is None:
            if isinstance(step, ArchiveThread):
                return []
            life = Life(step.subject, stage="new", entry=seq, at=self._now())
        elif life.left_behind and isinstance(step, OpenThread) and self._closed_now(table):
            return []
        elif not life.resting:
            life = replace(life, stage="looking")
        elif isinstance(step, ArchiveThread) and life.shows == OPEN:
            life = replace(life, stage="new")
        else:
            return []
        return [self._planned(step, Do.SEND, life)]

    def _closed_now(self, table: TableMessages) -> bool:
        """Return whether a table's channel was closed to us a moment ago."""
        try:
            self._sender.closed_channels.require_open(table.channel_id)
        except ChannelClosed:
            return True
        return False

    def _advanced(
        self, table: TableMessages, step: Step, life: Life, event: Happened
    ) -> tuple[Life, Next]:
        return advance(life, event, table.want(step, life), self._now())

    def _resend(
        self, table: TableMessages, step: Desired, life: Life, seq: int
    ) -> list[PlannedWork]:
        """Return the work to send a message again and to delete the old one."""
        now, known = self._now(), _known(table, step)
        want = Want(table.card_for(step, known).digest, anchor=step.anchor)
        new = following(life, want, now, channel_id=known, entry=step.entry or seq)
        old = replaced(life, now)
        deleted = self._planned(TakenAway(old.subject), Do.DELETE, old)
        return [self._planned(step, Do.SEND, new), deleted]

    def _change(self, table: TableMessages, work: Work, step: Step) -> None:
        """Give work in progress a new step."""
        if work.step == step:
            return
        work.step, work.recall.outdated = step, True
        life = table.lives.get(step.subject)
        threads = isinstance(step, OpenThread | ArchiveThread)
        unwanted = not threads and not (isinstance(step, Desired) and step.wanted)
        if unwanted and not (life and life.message_id):
            work.recall.withdraw()  # it need not be sent at all
        work.recall.for_more_urgent(priority_of(step))
        if life is None or work.task is not None or work.held:
            return
        if life.stage == "settling":  # it only awaits confirmation
            table.lives[step.subject], work.do = self._advanced(table, step, life, Event.WANTED)
        confirms = life.stage == "settling" and not isinstance(work.do, Pause)
        if confirms or life.stage == "looking":
            self.start(table, step.subject)

    def start(self, table: TableMessages, subject: Subject) -> None:
        """Start the work on a message, unless it is in progress or left to the response to a
        press.
        """
        work = table.works.get(subject)
        if work is None or work.held or work.moving or work.task is not None:
            return
        if work.timer is not None:
            work.timer.cancel()
            work.timer = None
            life = table.lives.get(subject)
            if isinstance(work.step, OpenThread | ArchiveThread):
                work.do = Do.SEND
            elif isinstance(work.do, Pause) and life is not None:
                after, work.do = self._advanced(table, work.step, life, Event.DUE)
                table.lives[subject] = after
        elif isinstance(work.do, Pause):
            self._put_off(table, work, work.do)
            work.tried.set()
            return
        self._failing.discard((table, subject))
        work.task = self._tasks.start("a message", self._run(table, work))

    async def move(self, table: TableMessages, channel_id: int) -> set[Subject]:
        """Begin a table's messages anew in its new channel, and close those in the old one. Return
        their subjects.

        Messages owed to the old channel go to the new one. Raises `LedgerError`, and then nothing
        has moved.
        """
        home = table.lives.get(Board()) or table.lives.get(SetUp())
        former = {table.channel_id, home.channel_id if home is not None else 0} - {0, channel_id}
        now = self._now()
        bound = {life.subject for life in _moving(table, former)}
        works = []
        for work in table.works.values():
            # Should their DM be refused just now, these would fall back on the old channel.
            falls_back = isinstance(work.step, Desired) and table.home_of(work.step) in former
            if falls_back or work.step.subject in bound:
                works.append(work)
        for work in works:
            work.moving = True
            if work.timer is not None:
                work.timer.cancel()
                work.timer = None
            self._failing.discard((table, work.step.subject))
        try:
            await self._stop(table, works)
            in_doubt = [life for life in _moving(table, former) if not life.message_id]
            await self._look_before_leaving(table, in_doubt)
            moved = _moving(table, former)
            new, old = [], []
            for life in moved:
                new.append(following(life, Want(life.shows), now, channel_id=0))
                if life.message_id:
                    old.append(replaced(life, now))
            if moved:
                await self._lives.store(table, *new, *old)
                table.channel_id = channel_id
        finally:
            for work in works:
                work.moving = False
                subject = work.step.subject
                kept = table.lives.get(subject)
                if kept is not None and table.works.get(subject) is work:
                    _, work.do = self._advanced(table, work.step, kept, Event.WANTED)
                    work.towards = work.step
                    self.start(table, subject)
        return {life.subject for life in moved}

    async def _stop(self, table: TableMessages, works: Sequence[Work]) -> None:
        """Wait for requests that have been made, and give up those that take too long: they may
        still take effect.
        """
        tasks = {work.task: work for work in works if work.task is not None}
        if not tasks:
            return
        _, late = await asyncio.wait(tasks, timeout=MOVES_WITHIN)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        for step in (tasks[task].step for task in late):
            if (life := table.lives.get(step.subject)) is not None:
                table.lives[step.subject], _ = self._advanced(table, step, life, Event.DOUBTED)

    async def _look_before_leaving(self, table: TableMessages, lives: Sequence[Life]) -> None:
        """Find messages that may have arrived in the table's old channel, so that they are closed
        like the others.
        """
        closed, asked = self._sender.closed_channels, loop_time()
        doubted = []
        for life in lives:
            if life.stage in ("sending", "looking") or (life.reason and life.at):
                doubted.append(life)
        # the first search finds the others as well
        for life in sorted(doubted, key=lambda life: life.at):
            try:
                closed.require_open(life.channel_id)
                async with asyncio.timeout_at(asked + MOVES_WITHIN):
                    found = await self._transport.find(
                        life.channel_id,
                        life.marker(table.id),
                        life.at,
                        asked=asked,
                        priority=Priority.CARD,
                    )
            except ERRORS as error:
                closed.leave_alone(life.channel_id, error)
            else:
                kept = table.lives[life.subject]
                table.lives[life.subject] = replace(kept, message_id=found or 0)

    def recovered(self) -> None:
        """Try at once all work that failed."""
        for table, subject in list(self._failing):
            self.start(table, subject)

    def try_anew(self) -> None:
        """Try at once all work that failed, in channels that were closed to us as well."""
        self._sender.closed_channels = ClosedChannels()
        self.recovered()

    async def prepare(self, begun: Iterable[PlannedWork]) -> None:
        """Read what is stored of those whom new messages are for. What can't be read now is read
        when the message is sent: the messages are stored meanwhile, so they must begin.
        """
        steps = [one.step for one in begun if isinstance(one.step, Desired)]
        with suppress(LedgerError):
            await self._transport.read_recipients(steps)

    def settle(self, table: TableMessages, begun: PlannedWork, shows: str) -> None:
        """Record that the response to a press shows a message."""
        work = begun.work
        work.held = False
        before = table.lives[begun.subject]
        life, work.do = self._advanced(table, begun.step, before, Edited(shows))
        # stored at once, since the entries that caused it are planned
        if work.step is not begun.step:
            life, work.do = self._advanced(table, work.step, life, Event.WANTED)
            work.towards = work.step
        self._lives.buffer(table, life)
        self.start(table, begun.subject)

    def doubt(self, table: TableMessages, begun: PlannedWork) -> None:
        """Record that the response to a press may still edit a message."""
        life = table.lives[begun.subject]
        life, begun.work.do = self._advanced(table, begun.step, life, Event.DOUBTED)
        self._lives.buffer(table, life)

    async def close(self) -> None:
        """Stop all work. What is stored tells the next process what is left to do."""
        self._transport.close()
        await self._tasks.close()

    # ---------------------------------------------------------------- working

    async def _run(self, table: TableMessages, work: Work) -> None:
        """Work on a message until nothing is left to do, or it waits. What fails here is done again
        later.
        """
        subject, defect = work.step.subject, None
        try:
            while True:
                if work.towards is not work.step:
                    await self._turn(table, work)
                elif work.do in (Do.REST, Do.FORGET) or isinstance(work.do, Pause):
                    break
                else:
                    await self._attempt(table, work)
        except LedgerError as error:
            log.error(
                "a message waits, since its record can't be written",
                exc_info=error,
                extra={"table": table.id},
            )
            defect = Pause(WITHOUT_LEDGER, failed=True)
        except Exception:  # a defect must not stop the work on this message for ever
            # Only a person who is pinged if need be is named: others may not even know that there
            # is a message.
            log.exception(
                "%s met a defect",
                subject if subject.pings else subject.name,
                extra={"table": table.id},
            )
            defect = Pause(LATE_PAUSE, failed=True)
        finally:
            work.task = None
            work.tried.set()
        following = defect or work.do
        if isinstance(following, Pause):
            self._put_off(table, work, following)
        else:
            del table.works[subject]
            if following is Do.FORGET:
                self._lives.forget(table, subject)
        board = table.works.get(Board())
        if board is not None and board is not work:
            self._go_on_with_board(table, board)

    def _go_on_with_board(self, table: TableMessages, board: Work) -> None:
        """Start the work on the board, if it waited only for a message to link to."""
        waits = isinstance(board.do, Pause) and not board.do.failed
        if waits and not self._sender.sends_linked(table, board.step):
            self.start(table, Board())

    def _put_off(self, table: TableMessages, work: Work, pause: Pause) -> None:
        if pause.failed:
            self._failing.add((table, work.step.subject))
        loop = asyncio.get_running_loop()
        # uvloop's timers don't tell when they are due if the wait is 0
        work.due = loop.time() + pause.seconds
        work.timer = loop.call_later(pause.seconds, self.start, table, work.step.subject)

    async def _attempt(self, table: TableMessages, work: Work) -> None:
        """Do what is to be done next, and find out what is then."""
        step = work.step
        work.recall.outdated, work.recall.until = False, float("inf")
        if isinstance(step, OpenThread | ArchiveThread):
            await self._attempt_thread(table, work, step)
            return
        life = table.lives[step.subject]
        if work.do is Do.RENEW and isinstance(step, Desired):
            await self._send_again(table, work, step, life)
            return
        if work.do is Do.REPLACE:
            await self._replace(table, work, step, life)
            return
        # another table's message may have reached them meanwhile
        unreached = work.refused or user_of(step) in self.unreached
        closed = self._sender.closed_channels
        try:
            event = await self._sender.make(table, work, step, life)
        except (Recalled, *ERRORS) as error:
            why = await self._why(table, step, error)
            # Discord may take seconds to refuse a request, and the bot is let in again meanwhile.
            invited = closed is not self._sender.closed_channels
            late = invited and (is_closed(error) or _alone(error))
            if late or isinstance(error, Recalled):
                table.lives[step.subject] = life
                await self._tell(table, work, step, Event.WANTED)
            else:
                await self._fail(table, work, step, life, why)
            return
        if isinstance(event, Pause):
            work.do = event
            return
        channel_id = table.lives[step.subject].channel_id
        if self._sender.closed_channels.opened(channel_id):
            self._try_all_in(channel_id)
        await self._tell(table, work, step, event)
        changes_plan = user_of(step) in table.departed  # they are back
        # Found is what a process sent that died before Discord's answer came.
        appeared = isinstance(event, Sent) or (isinstance(event, Found) and event.message_id)
        if appeared and isinstance(step.subject, PersonalOffer):
            # The message before it may have been a ping, which was the offer's only card.
            alone = life.generation > 0 and OfferCard(step.subject.offer) not in table.lives
            changes_plan = changes_plan or unreached or alone or table.is_shared(channel_id)
        if changes_plan:
            self._replan(table.id)

    async def _why(self, table: TableMessages, step: Step, error: Exception) -> Exception:
        """Return why a request failed: if a person shares no server with the bot, one of the two
        may have left.
        """
        user = user_of(step)
        if not user or not _alone(error):
            return error
        try:
            left = await self._transport.has_left(table.guild_id, user, priority=priority_of(step))
        except BotRemoved as removed:
            return removed
        return NotAMember() if left else error

    async def _fail(
        self, table: TableMessages, work: Work, step: Step, life: Life, error: Exception
    ) -> None:
        """Find out what is to be done after a request that failed. ``life`` is as it was before."""
        channel_id, user = table.lives[step.subject].channel_id, user_of(step)
        work.departed = isinstance(error, NotAMember)
        # of a message that others must not know of they learn nothing by this, either
        if work.departed and step.subject.pings and user not in table.departed:
            table.departed.add(user)
            self._replan(table.id)
        verdict = self._judge(table, step, channel_id, error)
        code = 0
        if isinstance(error, BotRemoved):
            code = LEFT_SERVER
        elif isinstance(error, discord.HTTPException | ChannelClosed | Limited):
            code = error.code
        final = isinstance(error, NotAMember | BotRemoved)
        await self._tell(table, work, step, Failed(verdict, code, is_outage(error), final))
        later = verdict.act in (FailureAction.RETRY, FailureAction.PUT_OFF)
        if not life.message_id and not later:
            work.refused = True
        self._note_failure(table, work, step, channel_id, error, verdict, life.reason)

    def _judge(
        self, table: TableMessages, step: Step, channel_id: int, error: Exception
    ) -> Verdict:
        """Return what to do about a message that met an error. Its DM channel is forgotten if that
        may be another's.
        """
        if not table.in_dm(step, channel_id):
            return judge(error)
        verdict, user = judge(error, in_dm=True), user_of(step)
        if verdict.act is FailureAction.OPEN_ANEW:
            forgotten = self._transport.forget_dm(user, channel_id)
            if not forgotten:
                verdict = verdict._replace(act=FailureAction.CLOSED)
        if verdict.act in (FailureAction.FALL_BACK, FailureAction.CLOSED):
            self.unreached.add(user)
        return verdict

    def _try_all_in(self, channel_id: int) -> None:
        """Try at once all work that failed and is for a channel, which is open again, or would fall
        back on it.
        """
        for table, subject in list(self._failing):
            life, work = table.lives.get(subject), table.works.get(subject)
            if life is None or work is None:
                continue
            channels = {life.channel_id}
            if isinstance(work.step, Desired) and not life.message_id:
                channels.add(table.home_of(work.step) or 0)
            if channel_id in channels:
                self.start(table, subject)

    async def _tell(self, table: TableMessages, work: Work, step: Step, event: Happened) -> None:
        """Advance a message's life. What the next request depends on is stored first, or nothing
        changes.
        """
        before = table.lives[step.subject]
        life, do = self._advanced(table, step, before, event)
        if do is not Do.FORGET and stored(life) != stored(before):
            # after a crash "editing" is doubted, too
            if life.stage in ("shown", "editing", "settling"):
                self._lives.buffer(table, life)
            else:
                await self._lives.store(table, life)
        table.lives[step.subject], work.do, work.towards = life, do, step

    async def _turn(self, table: TableMessages, work: Work) -> None:
        """Find out what is to be done for a new step. A message that failed a moment ago waits all
        the same.
        """
        step, life = work.step, table.lives.get(work.step.subject)
        if isinstance(work.do, Pause) and work.do.failed:
            work.towards = step
        elif isinstance(step, OpenThread | ArchiveThread):
            work.do, work.towards = Do.SEND, step
        elif work.do is Do.REPLACE:  # its buttons must go all the same
            work.towards = step
        elif life is not None and work.do is not Do.FORGET:
            await self._tell(table, work, step, Event.WANTED)
        elif isinstance(step, Desired) and step.wanted:
            generation = life.generation + 1 if life is not None else 0
            born = _born(table, step, table.cursor, self._now(), generation)
            await self._lives.store(table, born)
            work.do, work.towards = Do.SEND, step
        else:
            work.do, work.towards = Do.FORGET, step

    # ---------------------------------------------------------------- other messages in its place

    async def _send_again(
        self, table: TableMessages, work: Work, step: Desired, life: Life
    ) -> None:
        """Have a message sent again, because its anchor has changed, and delete the old one."""
        work.silent = False
        new, old = self._resend(table, step, life, table.cursor)
        assert new.life is not None
        assert old.life is not None
        await self._lives.store(table, new.life, old.life)
        work.do, table.works[old.subject] = Do.SEND, old.work
        self.start(table, old.subject)

    async def _replace(self, table: TableMessages, work: Work, step: Step, life: Life) -> None:
        """Delete a message that can't be edited, and send another in its place.

        It is replaced even if its subject is over: people must read how it ended, and its buttons
        must go.
        """
        old = replaced(life, self._now())
        if isinstance(step, Desired):
            if work.step is step:
                work.step = step = replace(step, wanted=True)
            new = following(life, table.want(step, life), self._now())
            await self._lives.store(table, new, old)
            work.do, work.silent = Do.SEND, True
        else:
            await self._lives.store(table, old)
            work.do = Do.FORGET
        deleted = TakenAway(old.subject)
        table.works[old.subject] = Work(deleted, self._now(), Do.DELETE, deleted)
        self.start(table, old.subject)

    # ---------------------------------------------------------------- failing

    def _note_failure(
        self,
        table: TableMessages,
        work: Work,
        step: Step,
        channel_id: int,
        error: Exception,
        verdict: Verdict,
        known: str = "",
    ) -> None:
        """Leave a closed channel alone for a while, and log why a message is given up; once, if
        that is ``known``.
        """
        if isinstance(error, BotRemoved) and not self._transport.removed(table.guild_id):
            self._replan(table.id)  # it was invited again while the message was worked on
        life, in_dm = table.lives[step.subject], table.in_dm(step, channel_id)
        channel_id = channel_id or table.channel_id
        news = not in_dm and self._sender.closed_channels.leave_alone(channel_id, error)
        about: dict[str, object] = {"table": table.id}
        if news and isinstance(work.do, Pause):
            log.warning("what is for channel %d waits: %s", channel_id, verdict.reason, extra=about)
        given_up = life.stage == "given_up" or work.do is Do.FORGET
        if not given_up or verdict.act is FailureAction.RECREATE:
            return
        # Only the recipient may know that a DM without a fallback exists: not even the bot's owner
        # may.
        secret = isinstance(step, Desired) and user_of(step) and step.fallback is None
        if not secret:
            self._transport.watch.given_up(verdict.reason)
            old_news = known == verdict.reason or isinstance(error, BotRemoved)
            level = logging.DEBUG if old_news else logging.WARNING
            about["offer"] = getattr(step.subject, "offer", None)
            words = "%s given up in channel %d: %s"
            log.log(level, words, step.subject, channel_id, verdict.reason, extra=about)
        if isinstance(error, discord.HTTPException) and error.code == DELETED:
            self._note_deleted(table, channel_id)

    def _note_deleted(self, table: TableMessages, channel_id: int) -> None:
        if channel_id == table.channel_id and not table.gone:
            self._tasks.start("a deleted channel", self._lose_channel(table))
        for work in table.works.values():
            waiting = table.lives.get(work.step.subject)
            if waiting is not None and waiting.channel_id == channel_id:
                work.recall.withdraw()  # each would wait for its turn, only to learn the same
        for life in list(table.lives.values()):
            if isinstance(life.subject, NegotiationThread) and life.message_id == channel_id:
                # DMs and pings go on without the negotiation's thread.
                gone = replace(life, message_id=0, shows=NONE, stage="shown")
                self._lives.buffer(table, gone)
                self._replan(table.id)

    async def _lose_channel(self, table: TableMessages) -> None:
        try:
            await self._lives.lose_channel(table)
        finally:
            self._replan(table.id)  # the host is told all the same

    async def _attempt_thread(
        self, table: TableMessages, work: Work, step: OpenThread | ArchiveThread
    ) -> None:
        """Open or archive a thread, which has no nonce and no card."""
        closed = self._sender.closed_channels
        try:
            await self._transport.require_member(table.guild_id, 0, priority=priority_of(step))
            if isinstance(step, OpenThread):
                done: Next = await self._threads.open(table, step)
            else:
                done = await self._threads.archive(table, work, step)
        except ERRORS as error:
            life, verdict = table.lives[step.subject], judge(error)
            table.lives[step.subject] = life = replace(life, tries=life.tries + 1)
            if isinstance(error, BotRemoved):
                work.do = Do.REST  # the next invitation goes on with it
            elif life.left_behind:
                # If the bot was let in again before this came, no channel is closed by it, and the
                # next plan, which is under way, asks for the thread once more.
                closed.leave_alone(table.channel_id, error)
                work.do = Do.REST
            elif verdict.act is FailureAction.RETRY:
                work.do = Pause(verdict.wait or after_outage(life.tries), failed=True)
            elif verdict.act is FailureAction.CLOSED and life.tries < STUBBORN:
                # Forgotten, its messages would have no place any more, and keep their buttons.
                work.do = Pause(after_refusal(life.tries), failed=True)
            else:
                work.do = Do.FORGET
                channel_id = life.message_id or life.channel_id
                self._note_failure(table, work, step, channel_id, error, verdict)
        else:
            work.do = done
            opened = isinstance(step, OpenThread) and open_thread(table.lives[step.subject])
            if opened and self._sender.closed_channels.opened(table.channel_id):
                self._try_all_in(table.channel_id)


def _alone(error: Exception) -> bool:
    """Return whether Discord says that the bot shares no server with somebody."""
    return isinstance(error, discord.HTTPException) and error.code == NO_COMMON_SERVER


def _known(table: TableMessages, step: Desired) -> int:
    """Return the channel id of a step's place; 0 for DMs, which may not be open yet."""
    return 0 if user_of(step) else table.channel_of(step.place) or 0


def _moving(table: TableMessages, former: Collection[int]) -> list[Life]:
    """Return the messages in a table's former channels that move with it."""
    lives = [life for life in table.lives.values() if life.channel_id in former]
    return [life for life in lives if not isinstance(life.subject, NegotiationThread | Replaced)]


def _born(table: TableMessages, step: Desired, seq: int, now: int, generation: int = 0) -> Life:
    """Return the life of a message that is to be sent for the first time."""
    known = _known(table, step)
    return Life(
        step.subject,
        known,
        0,
        table.card_for(step, known).digest,
        "new",
        step.entry or seq,
        generation,
        step.anchor or "",
        now,
        drawn=step.subject.drawn,
    )
