"""The messages that a command changes, while the person who pressed a button waits for the answer.

Delivery sends every new message itself. The response to a press can make one edit: that of the pressed message. It is
an edit like any other, by another door: whatever the response did not surely make, the reconciler makes again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeVar

from bot.delivery.desired import Board, Closed, Desired, Retired, Subject
from bot.delivery.reconciler import PlannedWork, Reconciler
from bot.delivery.records import TableMessages, user_of
from bot.delivery.render import linked
from bot.ledger import LedgerError
from bot.show.cards import Card

log = logging.getLogger(__name__)

T = TypeVar("T")

UNREACHABLE_WITHIN = 8.0
"""Seconds that a command waits to find out whom DMs do not reach."""

Planner = Callable[[int | None], Awaitable[Sequence[PlannedWork]]]
"""Plans the messages of a table, and holds the work on the message with this id. Returns all that need work."""


class Unreached(NamedTuple):
    """Whom DMs did not reach: those ``pinged`` in a channel, and the other ``users``.

    ``channel``: Discord refused a message to a channel.
    """

    pinged: list[int]
    users: list[int]
    channel: bool


class PressedMessage:
    """The pressed message, which a command changes: the response may update it to ``card`` with ``marker``.

    ``retires``: it needs no answer any more. ``replaced``: it is not updated; a newer message takes its place, and it
    is deleted when the person has their answer.
    """

    def __init__(self, reconciler: Reconciler, table: TableMessages, begun: PlannedWork) -> None:
        self._reconciler, self._table, self._begun = reconciler, table, begun
        self._life = now = table.lives[begun.subject]
        self.subject, self.marker, self.way = begun.subject, now.marker(table.id), now.drawn
        self.retires, self.replaced = isinstance(begun.step, Retired), isinstance(begun.step, Closed)
        self.card = self._planned = table.card_for(begun.step, now.channel_id)
        if isinstance(begun.step, Desired):
            self.card = table.drawn(self._planned, now.channel_id)

    def with_card(self, card: Card) -> PressedMessage:
        """Show this card instead of the planned one until the message changes next. Return the message itself."""
        self.card = self._table.drawn(card, self._life.channel_id)
        return self

    def shown(self) -> None:
        """Record that the response shows the card."""
        self._reconciler.settle(self._table, self._begun, self._planned.digest)

    def doubted(self) -> None:
        """Record that the response may show the card later: an answer of Discord was lost."""
        self._reconciler.doubt(self._table, self._begun)


class CommandDelivery:
    """The messages that one command changes; see `bot.delivery.Delivery.for_command`."""

    def __init__(self, reconciler: Reconciler, table: TableMessages, plan: Planner, message_id: int | None) -> None:
        self._reconciler, self._table, self._plan, self._message_id = reconciler, table, plan, message_id
        self._begun: Sequence[PlannedWork] = ()
        self.pressed: PressedMessage | None = None

    async def carry_out(self, execute: Callable[[], Awaitable[T]]) -> T:
        """Execute a command, and plan its messages before anybody else does. Return what ``execute`` does.

        ``pressed`` is the pressed message from then on, if it changes. If planning fails, delivery plans again later.
        """
        async with self._table.lock:
            outcome = await execute()
            try:
                self._begun = await self._plan(self._message_id)
            except LedgerError as error:  # the command itself is recorded
                log.error("a table's messages could not be planned", exc_info=error)
            except Exception:  # a defect in planning must not make the command look failed
                log.exception("a table's messages could not be planned")
        held = next((one for one in self._begun if one.work.held), None)
        self.pressed = PressedMessage(self._reconciler, self._table, held) if held is not None else None
        return outcome

    def release(self) -> None:
        """Leave the pressed message to the reconciler, which edits it unless the response did."""
        for one in self._begun:
            if one.work.held:
                one.work.held = False
                self._reconciler.start(self._table, one.subject)

    def linked(self, message: str | Card) -> str | Card:
        """Return a private answer with its links; to the table's channel for a message that is not sent yet."""
        if isinstance(message, str):
            return message
        table = self._table
        return linked(message, lambda subject: table.address(subject) or table.address("table"))

    def changes_dm(self, subject: Subject) -> bool:
        """Return whether the command changes the message about this subject in the person's DMs."""
        for one in self._begun:
            now = one.life or self._table.lives.get(one.subject)
            if one.subject == subject and self._table.in_dm(one.step, now.channel_id if now is not None else 0):
                return True  # not in a channel as the fallback
        return False

    async def unreached(self) -> Unreached:
        """Return what this command's messages did not reach, apart from those that nobody else may know of."""
        works = [
            one.work for one in self._begun
            if isinstance(one.step, Desired) and (one.step.fallback or not user_of(one.step)) and one.subject != Board()
        ]  # fmt: skip
        with suppress(TimeoutError):
            async with asyncio.timeout(UNREACHABLE_WITHIN):
                for work in works:
                    await work.tried.wait()
        refused = [user_of(work.step) for work in works if work.refused and work.tried.is_set()]
        pinged = [work.pinged for work in works if work.pinged is not None]
        return Unreached(pinged, [user for user in refused if user], 0 in refused)
