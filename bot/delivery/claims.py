"""Claims: an interaction's response shows one of the messages that its command changes.

While a command is executed, nothing else plans the messages of its table. Otherwise the reconciler could send the card
that the response is to show.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, ExitStack, suppress
from dataclasses import dataclass

import discord

from bot.delivery.desired import Closed, Desired, DirectMessages, Retired, Subject
from bot.delivery.intents import PlannedWork
from bot.delivery.reconciler import Reconciler
from bot.delivery.records import Look, TableMessages
from bot.ledger import LedgerError
from bot.rules.model.replacing import replace
from bot.show.cards import Card

UNREACHABLE_WITHIN = 8.0
"""Seconds that a command waits to find out whom DMs do not reach."""

Chooser = Callable[[TableMessages, Sequence[PlannedWork]], PlannedWork | None]
"""Chooses the message that a response shows from those to send or edit; None for none."""

Planner = Callable[[Chooser], Awaitable[tuple[PlannedWork | None, Sequence[PlannedWork]]]]
"""Plans the messages of a table. Returns the chosen one, and all that need work."""


@dataclass(frozen=True, slots=True)
class InteractionSource:
    """Where a person acted: the channel, and the message whose button they pressed, if any."""

    channel_id: int
    message_id: int | None = None


class ResponseMessage:
    """A message that an interaction's response shows: ``card`` with ``marker``.

    ``updates``: it is the pressed message, not a new one. ``retires``: it needs no answer any more. ``pings`` are the
    users whom a new message notifies. If neither `shown` nor `failed` is called, it fails when `CommandDelivery` ends.
    """

    def __init__(
        self, reconciler: Reconciler, table: TableMessages, begun: PlannedWork, pings: tuple[int, ...] = ()
    ) -> None:
        self._reconciler, self._table, self._begun, self.pings = reconciler, table, begun, pings
        self._record = now = table.records[begun.subject]
        self.subject = begun.subject
        self.updates = bool(now.message_id)
        self.retires = isinstance(begun.step, Retired)
        self.marker = now.marker(table.id)
        if isinstance(begun.step, Desired):
            self.card = table.card_for(begun.step, now.channel_id)
        else:
            assert isinstance(begun.step, Retired)
            in_public = now.channel_id == table.channel_id
            self.card = replace(begun.step.public_card if in_public else begun.step.card, rows=())
        self._planned = self.card
        if not self.retires:
            self.card = table.drawn(self.card, now.channel_id)

    def with_card(self, card: Card) -> ResponseMessage:
        """Show this card instead of the planned one until the message changes next. Return the claim itself."""
        self.card = self._table.drawn(card, self._record.channel_id)
        return self

    async def shown(self, message_id: int, webhook: discord.Webhook | None = None, age: float = 0.0) -> None:
        """Record that the response shows the card, as this message.

        ``webhook`` holds the token of the interaction, which is ``age`` seconds old and now reaches the message.
        """
        if webhook is not None:
            self._reconciler.tokens.keep(message_id, self._record.channel_id, webhook, age)
        if not self.updates:
            self._table.posted(self.subject, self._record.channel_id, asyncio.get_running_loop().time())
        record = replace(self._record, message_id=message_id, state=self._planned.digest, fate="shown")
        await self._reconciler.settle(self._table, self._begun, record)

    def failed(self, *, unsure: bool = True, look: Look | None = None) -> None:
        """Leave the message to the reconciler. ``unsure``: the response may exist nevertheless.

        ``look`` fetches the response. Without it, or if that is not the message, the channel is searched for it.
        """
        self._reconciler.free(self._table, self._begun, unsure=unsure, look=look)


class CommandDelivery:
    """The messages that one command changes; see `bot.delivery.Delivery.for_command`.

    In its block the table's lock is held until `answer` has planned the messages, and the message that the response is
    to show until it is shown. However the block ends, both are free then.
    """

    def __init__(self, reconciler: Reconciler, table: TableMessages, plan: Planner) -> None:
        self._reconciler, self._table, self._plan = reconciler, table, plan
        self._begun: Sequence[PlannedWork] = ()
        self._lock, self._chosen = AsyncExitStack(), ExitStack()

    async def __aenter__(self) -> CommandDelivery:
        await self._lock.enter_async_context(self._table.lock)
        return self

    async def __aexit__(self, *error: object) -> None:
        self._chosen.close()
        await self._lock.aclose()

    async def answer(
        self, where: InteractionSource, new: tuple[type[Subject], ...] = (), since: int = 0
    ) -> ResponseMessage | None:
        """Plan the messages, and return the one that the response is to show; None when there is none.

        That is the pressed message if it changes, otherwise a new one of the subjects ``new`` in the same channel,
        about an entry from ``since`` on. A message that may have been sent before, perhaps as the response to another
        interaction, is not new. Raises `bot.ledger.LedgerError` when the messages can't be planned.
        """

        def choose(table: TableMessages, begun: Sequence[PlannedWork]) -> PlannedWork | None:
            fresh = list[PlannedWork]()
            for one in begun:
                now, unsent = one.record or table.records[one.subject], one.record is not None and not one.work.unsure
                here = now.channel_id == where.channel_id
                if here and now.message_id == where.message_id and not isinstance(one.step, Closed):
                    return one
                may_answer = isinstance(one.subject, new) and isinstance(one.step, Desired) and now.entry >= since
                if may_answer and unsent and here and not now.message_id:
                    fresh.append(one)
            return fresh[0] if fresh else None

        async with self._lock:
            chosen, self._begun = await self._plan(choose)
            if chosen is None:
                return None
            self._chosen.callback(self._reconciler.free, self._table, chosen)
        step, now, pings = chosen.step, self._table.records[chosen.subject], tuple[int, ...]()
        if isinstance(step, Desired) and step.rings and not now.message_id:
            try:
                pings = (await self._reconciler.notice(self._table, step, now.channel_id)).pings
            except LedgerError:  # the muted calls can't be read
                pings = step.rings
        return ResponseMessage(self._reconciler, self._table, chosen, pings)

    def changes_dm(self, subject: Subject) -> bool:
        """Return whether the command changes the message about this subject in the person's DMs."""
        return any(one.subject == subject and self._is_private(one) for one in self._begun)

    def _is_private(self, one: PlannedWork) -> bool:
        """Return whether a message is in somebody's DMs, not in a channel as the fallback."""
        channel_id = (one.record or self._table.records[one.subject]).channel_id
        if isinstance(one.step, Retired):
            return channel_id != self._table.channel_id
        if not isinstance(one.step, Desired) or not isinstance(one.step.place, DirectMessages):
            return False
        return channel_id != self._table.home_of(one.step)

    async def unreachable_users(self) -> list[int]:
        """Return the users who were pinged in a channel for this command because DMs did not reach them."""
        works = [one.work for one in self._begun if isinstance(one.step, Desired) and one.step.fallback]
        with suppress(TimeoutError):
            async with asyncio.timeout(UNREACHABLE_WITHIN):
                for work in works:
                    if not work.held:
                        await work.tried.wait()
        return [work.pinged for work in works if work.pinged is not None]
