"""Private receipts that become what is true, while the tokens of their interactions live.

A receipt, or a question, about an offer or a deal is seen by one person, and nobody else keeps it
up to date. So this process remembers the newest ones: when the offer is done, withdrawn, countered
or altered, or the deal answered, the receipt becomes its card as the reader sees it. It does so
after everything else that the change brings about, with one edit for all that has happened
meanwhile. A receipt that Discord no longer has, or whose token has grown old, is forgotten;
pressed, an older one is replaced.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import discord

from bot.delivery.desired import Way
from bot.delivery.render import payload
from bot.delivery.tokens import USED_FOR, Tokens
from bot.delivery.transport import tried_once
from bot.delivery.verdicts import FAILURES, is_outage
from bot.discord_hooks import edit_original
from bot.rules.model.values import frozen
from bot.rules.views import DealView, OfferView, TableView
from bot.service import Briefing, Recent, SeatBriefing
from bot.show.cards import Card
from bot.show.deals import deal_card
from bot.show.offer_cards import offer_card
from bot.tasks import Tasks, loop_time

log = logging.getLogger(__name__)

RECEIPTS_KEPT = 2048
"""The most receipts to remember."""

BRIEFINGS_KEPT = 64
"""The most tables whose last briefing is remembered."""

EDIT_AGAIN_AFTER = 5.0
"""Seconds until an edit is tried again that Discord did not take, or for which was no room."""

FIRST_WITHIN = 10.0
"""The most seconds that a receipt waits for the messages that come first."""

State = tuple[str, int, bool]
"""The state that a receipt shows: an offer's status and revision, or a deal's status and how many
have marked it; and whether the reader has a part in it, which ends when another taker is picked. A
trade that is done can still be taken back; pressed, its receipt says so.
"""


@frozen
class PrivateMessage:
    """A message for one person that an interaction sent or updated. ``original``: its token reaches
    it without an id.
    """

    id: int
    channel_id: int
    webhook: discord.Webhook
    age: float
    original: bool
    way: Way


@dataclass(slots=True)
class _Receipt:
    """A receipt of a user about the deal or the offer of this ``number``, the state that it shows,
    and the card that it should become; None while it shows what is true.
    """

    message: PrivateMessage
    table_id: int
    user_id: int
    of_deal: bool
    number: int
    shows: State
    until: float
    card: Card | None = None


class Receipts:
    """The private receipts that this process keeps up to date."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._kept: dict[int, _Receipt] = {}  # by message, the newest last
        self._tasks = Tasks()
        self._updating: set[int] = set()
        # the last briefing of each table: an offer may change while its receipt is being sent
        self._last = Recent[int, Briefing](BRIEFINGS_KEPT)

    def keep(
        self, view: TableView, about: OfferView | DealView, user_id: int, message: PrivateMessage
    ) -> None:
        """Keep a message up to date that shows their offer or deal to a user as it is now."""
        if not _concerns(about):
            return
        now = loop_time()
        self.forget(message.id)
        until = now + USED_FOR - message.age
        of_deal, shows = isinstance(about, DealView), _state(about)
        self._kept[message.id] = _Receipt(
            message, view.id, user_id, of_deal, about.number, shows, until
        )
        self._tokens.keep(message.id, message.channel_id, message.webhook, message.age)
        last = self._last.get(view.id)
        if last is not None and last.seq > view.seq:
            self.changed(last, ())
        if len(self._kept) > RECEIPTS_KEPT:
            self.forget(next(iter(self._kept)))

    def forget(self, message_id: int) -> None:
        """Forget a message: something else is shown in its place, or it is gone."""
        if self._kept.pop(message_id, None) is not None:
            self._tokens.forget(message_id)

    def changed(self, briefing: Briefing, first: Sequence[asyncio.Event]) -> None:
        """Bring the receipts of a table up to date, once all of ``first`` is done."""
        self._last[briefing.public.id] = briefing
        seats = {seat.user_id: seat for seat in briefing.seats.values()}
        outdated = False
        for receipt in self._kept.values():
            seat = seats.get(receipt.user_id)
            if receipt.table_id == briefing.public.id and seat is not None:
                outdated = _outdated(receipt, seat) or outdated
        if outdated and briefing.public.id not in self._updating:
            self._updating.add(briefing.public.id)
            self._tasks.start("receipts", self._update(briefing.public.id, first))

    async def close(self) -> None:
        """Stop; what is not up to date stays as it is."""
        await self._tasks.close()

    async def _update(self, table_id: int, first: Sequence[asyncio.Event]) -> None:
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(FIRST_WITHIN):
                    for done in first:
                        await done.wait()
            while waiting := self._waiting(table_id):
                for receipt in waiting:
                    await self._edit(receipt)
                if self._waiting(table_id):
                    await asyncio.sleep(EDIT_AGAIN_AFTER)
        finally:
            self._updating.discard(table_id)

    def _waiting(self, table_id: int) -> list[_Receipt]:
        now = loop_time()
        for receipt in [receipt for receipt in self._kept.values() if receipt.until <= now]:
            self.forget(receipt.message.id)
        receipts = []
        for receipt in self._kept.values():
            if receipt.table_id == table_id and receipt.card is not None:
                receipts.append(receipt)
        return receipts

    async def _edit(self, receipt: _Receipt) -> None:
        """Edit a receipt, unless it was replaced meanwhile. It waits for a time without room."""
        message, card = receipt.message, receipt.card
        if card is None or self._kept.get(message.id) is not receipt:
            return
        if (webhook := self._tokens.take(message.id)) is None:
            return
        said = payload(card, message.way, edit=True)
        try:
            with tried_once():
                if message.original:
                    await edit_original(webhook, **said)
                else:
                    await webhook.edit_message(message.id, **said)
        except (discord.HTTPException, discord.RateLimited, *FAILURES) as error:
            if not is_outage(error) and not isinstance(error, discord.RateLimited):
                log.debug("a receipt could not be brought up to date: %s", error)
                self.forget(message.id)
        else:
            if receipt.card is card:
                receipt.card = None


def _outdated(receipt: _Receipt, seat: SeatBriefing) -> bool:
    """Draw a receipt anew if its offer or deal has changed. Return whether it has."""
    view, number = seat.view, receipt.number
    about = view.deals.get(number) if receipt.of_deal else view.offers.get(number)
    if about is None or _state(about) == receipt.shows:
        return False
    receipt.shows = _state(about)
    if isinstance(about, DealView):
        receipt.card = deal_card(view, about)
    else:
        receipt.card = offer_card(view, about)
    return True


def _concerns(about: OfferView | DealView) -> bool:
    """Return whether the viewer has a part in an offer or a deal."""
    return about.mine if isinstance(about, DealView) else about.role is not None


def _state(about: OfferView | DealView) -> State:
    if isinstance(about, DealView):
        return about.status, len(about.marks), _concerns(about)
    return about.status, about.revision, _concerns(about)
