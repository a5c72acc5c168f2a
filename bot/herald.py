"""The herald: delivers what is owed. Cards in the channel and by DM, kept as the table is.

What is owed follows from the ledger: a cursor per table says up to which entry everybody has been told. Cards are
drawn from the table as it is now, so delivering twice changes nothing; a message sent again after a crash carries
the same nonce and does not double.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from weakref import WeakValueDictionary

import discord
from discord.abc import Messageable

from bot.desk import Desk, Look
from bot.ledger import Ledger, Message, TableRow
from bot.paint import paint
from bot.rules.entries import Recorded, Transaction
from bot.rules.table import Offer
from bot.show import cards
from bot.show.cards import Card
from bot.show.results import result_card

log = logging.getLogger(__name__)

CLOSED_DMS = (50007, 50278)
"""Discord's codes for somebody who takes no messages from us."""

UNKNOWN_MESSAGE, UNKNOWN_CHANNEL, MISSING_ACCESS, MISSING_PERMISSIONS = 10008, 10003, 50001, 50013


@dataclass(frozen=True)
class Unreached:
    """Somebody who takes no DMs, so the channel's card pinged them instead."""

    user_id: int


class Herald:
    """Tells people what happened, once, and keeps every card as the table is."""

    def __init__(self, client: discord.Client, desk: Desk) -> None:
        self._client = client
        self._desk = desk
        self._ledger: Ledger = desk.ledger
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def deliver(self, table_id: int, *, check: bool = False) -> list[Unreached]:
        """Tell what happened at a table since the last time. ``check`` also looks whether each card is still there.

        Gives those who could not be reached by DM. Raises nothing that Discord did: what could not be delivered to
        a channel that is gone or closed to us is logged, and the ledger stands.
        """
        lock = self._locks.setdefault(table_id, asyncio.Lock())
        async with lock:
            row = await self._ledger.table(table_id)
            if row is None:
                return []
            cursor = await self._ledger.cursor(table_id)
            look = await self._desk.look(table_id)
            news = await self._ledger.read(table_id, after=cursor, upto=look.table.seq)
            unreached = await self._tell(row, look, news, check)
            if news:
                await self._ledger.set_cursor(table_id, look.table.seq)
            return unreached

    async def catch_up(self) -> None:
        """After a start: deliver what a crash left owing, and post anew every card whose message is gone."""
        for table_id in await self._ledger.owing():
            await self.deliver(table_id)
        for row in await self._ledger.open_tables():
            await self.deliver(row.id, check=True)

    async def _tell(self, row: TableRow, look: Look, news: list[Recorded], check: bool) -> list[Unreached]:
        unreached: list[Unreached] = []
        touched = {offer for recorded in news if (offer := getattr(recorded.entry, "offer", None))}
        for offer in look.table.offers.values():
            if offer.status == "open" or offer.number in touched:
                unreached += await self._offer(row, look, offer, check)
        for recorded in news:
            if isinstance(recorded.entry, Transaction):
                await self._result(look, recorded, recorded.entry)
        return unreached

    async def _offer(self, row: TableRow, look: Look, offer: Offer, check: bool) -> list[Unreached]:
        """An offer's cards: by DM to whoever must act, and in the channel for everybody."""
        unreached: list[Unreached] = []
        subject = f"offer:{offer.number}"
        if offer.to and (to := _user(look, offer.to)):
            card = cards.offer_card(look, offer, "addressed")
            if not await self._dm(look, f"{subject}:to:{to}", to, card, offer.status == "open", check):
                unreached.append(Unreached(to))
        by = _user(look, offer.seat)
        confirming = cards.waits_for_poster(look, offer)
        if by and (confirming or await self._ledger.message(row.id, f"{subject}:by:{by}")):
            card = cards.offer_card(look, offer, "poster")
            if not await self._dm(look, f"{subject}:by:{by}", by, card, confirming, check):
                unreached.append(Unreached(by))
        ping = [discord.Object(missed.user_id) for missed in unreached]
        card = cards.offer_card(look, offer)

        async def open_channel() -> Messageable:
            return self._client.get_partial_messageable(row.channel_id, guild_id=row.guild_id)

        try:
            await self._show(look, subject, open_channel, card, offer.status == "open", check, ping)
        except discord.Forbidden as error:
            log.warning("table %d: channel %d is closed to me (%d)", row.id, row.channel_id, error.code)
        except discord.NotFound:
            log.warning("table %d: channel %d is gone", row.id, row.channel_id)
        return unreached

    async def _result(self, look: Look, recorded: Recorded, entry: Transaction) -> None:
        """Each side is told privately what it gave, got and has now."""
        for seat in (entry.first, entry.second):
            user = _user(look, seat)
            if user is not None and recorded.by != look.table.seats[seat].person:
                card = result_card(look, entry, seat)
                await self._dm(look, f"result:{entry.number}:{user}", user, card, True, False)

    async def _dm(self, look: Look, subject: str, user_id: int, card: Card, wanted: bool, check: bool) -> bool:
        """Show a card to one person by DM; False when they take none."""

        async def open_dm() -> Messageable:
            return await self._client.create_dm(discord.Object(user_id))

        try:
            await self._show(look, subject, open_dm, card, wanted, check, [])
        except discord.HTTPException as error:
            if error.code not in CLOSED_DMS:
                raise
            return False
        return True

    async def _show(
        self, look: Look, subject: str, where: Callable[[], Awaitable[Messageable]], card: Card,
        wanted: bool, check: bool, ping: list[discord.Object],
    ) -> None:  # fmt: skip
        """Make the message of this subject look like the card; send one if there is none and one is ``wanted``."""
        shown = _digest(card)
        message = await self._ledger.message(look.table_id, subject)
        if message and (message.shown != shown or check):
            if await self._edit(message, card):
                await self._ledger.save_message(look.table_id, _as_shown(message, shown))
                return
            message = None
        if message is None and wanted:
            channel = await where()
            mentions = discord.AllowedMentions(everyone=False, roles=False, users=ping or False)
            sent = await channel.send(
                view=paint(card), nonce=_nonce(look, subject), allowed_mentions=mentions, silent=False
            )
            message = Message(subject=subject, channel_id=sent.channel.id, message_id=sent.id, shown=shown)
            await self._ledger.save_message(look.table_id, message)

    async def _edit(self, message: Message, card: Card) -> bool:
        """Redraw a message; False when it is gone."""
        channel = self._client.get_partial_messageable(message.channel_id)
        try:
            await channel.get_partial_message(message.message_id).edit(
                view=paint(card), allowed_mentions=discord.AllowedMentions.none()
            )
        except discord.NotFound:
            return False
        return True


def _user(look: Look, seat: str) -> int | None:
    person = look.people.get(look.table.seats[seat].person or 0)
    return person.user_id if person else None


def _digest(card: Card) -> str:
    return hashlib.sha256(repr(card).encode()).hexdigest()[:16]


def _as_shown(message: Message, shown: str) -> Message:
    return Message(subject=message.subject, channel_id=message.channel_id, message_id=message.message_id, shown=shown)


def _nonce(look: Look, subject: str) -> str:
    """The same for the same news, so that sending it again after a crash gives the first message back."""
    return hashlib.sha256(f"{look.table_id}:{subject}:{look.table.seq}".encode()).hexdigest()[:25]
