"""Turns: a command and the messages that it changes. The interaction's response shows one of them.

While a command is executed, nothing else plans the messages of its table. Otherwise the reconciler could send the card
that the response is to show.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from bot.delivery.desired import Closed, Desired, DirectMessages, Retired
from bot.delivery.intents import Begun
from bot.delivery.messages import Shown
from bot.delivery.reconciler import Reconciler
from bot.delivery.subjects import Subject
from bot.delivery.tables import TableMessages
from bot.delivery.transport import Look
from bot.ledger import LedgerError
from bot.show.cards import Card

TOLD_WITHIN = 8.0
"""Seconds that a command waits to find out whom DMs do not reach."""

Chooser = Callable[[TableMessages, Sequence[Begun]], Begun | None]
"""Chooses the message that a response shows from those to send or edit; None for none."""

Planner = Callable[[Chooser], Awaitable[tuple[Begun | None, Sequence[Begun]]]]
"""Plans the messages of a table. Returns the chosen one, and all that need work."""


@dataclass(frozen=True, slots=True)
class Where:
    """Where a person acted: the channel, and the message whose button they pressed, if any."""

    channel_id: int
    message_id: int | None = None


class Claim:
    """A message that an interaction's response shows: ``card`` with ``marker``.

    ``updates``: it is the pressed message, not a new one. ``retires``: it needs no answer any more. ``pings`` are the
    users whom a new message notifies. Either `shown` or `failed` must be called.
    """

    def __init__(self, reconciler: Reconciler, table: TableMessages, begun: Begun, pings: tuple[int, ...] = ()) -> None:
        self._reconciler, self._table, self._begun, self.pings = reconciler, table, begun, pings
        self._record = table.records[begun.subject]
        self.subject = begun.subject
        self.updates = bool(self._record.message_id)
        self.retires = isinstance(begun.step, Retired)
        self.marker = self._record.marker(table.id)
        self.card = self._planned = self._card()

    def saying(self, card: Card) -> Claim:
        """Show this card instead of the planned one until the message changes next. Return the claim itself."""
        self.card = card
        return self

    async def shown(self, message_id: int) -> None:
        """Record that the response shows the card, as this message."""
        record = replace(self._record, message_id=message_id, state=self._planned.digest, fate="shown")
        await self._reconciler.settle(self._table, self._begun, record)

    def failed(self, *, unsure: bool = True, look: Look | None = None) -> None:
        """Leave the message to the reconciler. ``unsure``: the response may exist nevertheless.

        ``look`` fetches the response. Without it, or if it fails, the message is looked for in the channel.
        """
        self._begun.work.unsure = self._begun.work.doubted = unsure and not self.updates
        self._begun.work.look = look
        self._begun.work.unsure_at = asyncio.get_running_loop().time()
        self._begun.work.held = False
        self._reconciler.start(self._table, self.subject)

    def _card(self) -> Card:
        step = self._begun.step
        if isinstance(step, Desired):
            return self._table.card_for(step, self._record.channel_id)
        assert isinstance(step, Retired)
        in_public = self._record.channel_id == self._table.channel_id
        return replace(step.overheard if in_public else step.card, rows=())


class Turn:
    """The messages that one command changes; see `bot.delivery.Delivery.turn`."""

    def __init__(self, reconciler: Reconciler, table: TableMessages, plan: Planner) -> None:
        self._reconciler, self._table, self._plan = reconciler, table, plan
        self._begun: Sequence[Begun] = ()

    async def answer(self, where: Where, new: tuple[type[Subject], ...] = (), since: int = 0) -> Claim | None:
        """Plan the messages, and return the one that the response is to show; None when there is none.

        That is the pressed message if it changes, otherwise a new one of the subjects ``new`` in the same channel,
        about an entry from ``since`` on. Raises `bot.ledger.LedgerError` when the messages can't be planned.
        """

        def choose(table: TableMessages, begun: Sequence[Begun]) -> Begun | None:
            return _pressed(table, begun, where) or _new(table, begun, where, new, since)

        chosen, self._begun = await self._plan(choose)
        return Claim(self._reconciler, self._table, chosen, await self._pings(chosen)) if chosen else None

    async def _pings(self, chosen: Begun) -> tuple[int, ...]:
        """Return the users whom the response notifies. If the muted calls can't be read, nobody counts as muted."""
        step, record = chosen.step, _record(self._table, chosen)
        if not isinstance(step, Desired) or record.message_id or not step.rings:
            return ()
        try:
            return (await self._reconciler.notice(self._table, step, record.channel_id)).pings
        except LedgerError:
            return step.rings

    def tells(self, subject: Subject) -> bool:
        """Return whether the command changes the message about this subject in the person's DMs."""
        return any(one.subject == subject and self._is_private(one) for one in self._begun)

    def _is_private(self, one: Begun) -> bool:
        """Return whether a message is in somebody's DMs, not in a channel as the fallback."""
        if isinstance(one.step, Retired):
            return _record(self._table, one).channel_id != self._table.channel_id
        if not isinstance(one.step, Desired) or not isinstance(one.step.place, DirectMessages):
            return False
        return _record(self._table, one).channel_id != self._table.home_of(one.step)

    async def unreached(self) -> list[int]:
        """Return the users who were pinged in a channel for this command because DMs did not reach them."""
        works = [one.work for one in self._begun if isinstance(one.step, Desired) and one.step.fallback]
        with suppress(TimeoutError):
            async with asyncio.timeout(TOLD_WITHIN):
                await asyncio.gather(*(work.tried.wait() for work in works if not work.held))
        return [work.pinged for work in works if work.pinged is not None]


def _pressed(table: TableMessages, begun: Sequence[Begun], where: Where) -> Begun | None:
    for one in begun:
        place = _record(table, one)
        if not isinstance(one.step, Closed) and (place.channel_id, place.message_id) == (
            where.channel_id,
            where.message_id,
        ):
            return one
    return None


def _new(
    table: TableMessages, begun: Sequence[Begun], where: Where, kinds: tuple[type[Subject], ...], since: int
) -> Begun | None:
    for one in begun:
        record = _record(table, one)
        fits = isinstance(one.subject, kinds) and isinstance(one.step, Desired) and record.entry >= since
        if fits and not record.message_id and record.channel_id == where.channel_id:
            return one
    return None


def _record(table: TableMessages, one: Begun) -> Shown:
    return one.record or table.records[one.subject]
