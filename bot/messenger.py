"""The messenger: puts one card where it belongs and keeps it up to date. What is owed to whom, the herald knows."""

from __future__ import annotations

import contextlib
import hashlib
import logging
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace

import discord
from discord.abc import Messageable

from bot.desk import Look
from bot.ledger import Ledger, Message, TableRow
from bot.paint import paint
from bot.show.asks import settled_card
from bot.show.cards import Card

log = logging.getLogger(__name__)

CLOSED_DMS = (50007, 50278)
"""Discord's codes for somebody who takes no messages from us."""

Where = Callable[[], Awaitable[Messageable]]
"""Opens the channel or DM that a message goes to."""


NOWHERE = 0
"""In place of a channel's number: there is no such thread."""

GONE = (10008, 30046)
"""A message that can't be redrawn: deleted, or over an hour old and edited too often. Posted anew if needed."""


@dataclass(frozen=True)
class Home:
    """A channel or thread in which several people read."""

    channel_id: int
    guild_id: int | None


@dataclass
class Round:
    """One round of telling: the table as it is, and what has been shown where. ``check``: look whether it still is."""

    row: TableRow
    look: Look
    shown: dict[str, Message]
    check: bool

    @property
    def table_home(self) -> Home:
        """The table's channel."""
        return Home(self.row.channel_id, self.row.guild_id)

    def home(self, negotiation: int | None) -> Home | None:
        """Where what belongs to this is shown: the table's channel, or a negotiation's thread; None without one."""
        if negotiation is None:
            return self.table_home
        thread = self.shown.get(f"thread:{negotiation}")
        return Home(thread.channel_id, self.row.guild_id) if thread and thread.channel_id != NOWHERE else None


class ClosedDms(Exception):
    """This person takes no DMs from us."""


class Messenger:
    """Sends, edits and remembers messages, by subject: there is one message about each at a time."""

    def __init__(self, client: discord.Client, ledger: Ledger) -> None:
        self._client = client
        self._ledger = ledger

    @contextlib.contextmanager
    def closed_to_me(self, row: TableRow) -> Iterator[None]:
        """A channel that is gone or closed to us is nobody's mistake at the table."""
        try:
            yield
        except (discord.Forbidden, discord.NotFound) as error:
            log.warning("table %d: channel %d is closed to me (%d)", row.id, row.channel_id, error.code)

    async def personal(
        self, this: Round, subject: str, user: int, card: Card, overheard: Card,
        wanted: bool, anew: bool = False, negotiation: int | None = None,
    ) -> None:  # fmt: skip
        """A card for one person: by DM; or where they take none, what others may overhear, with a ping where it
        belongs: in the channel, or in the negotiation's thread.

        ``anew``: they have to act, so a card that asks for something else than the last one is sent as a new message
        and the last one loses its buttons.
        """
        home = this.home(negotiation) or this.table_home
        last = this.shown.get(subject)
        if anew and last and last.shown != digest_of(card) and not this.check:
            here = last.channel_id == home.channel_id
            await self.close_card(this, last, settled_card(this.look, subject) if here else replace(card, rows=()))
            del this.shown[subject]
            last = None
        pinged = last is not None and last.channel_id == home.channel_id
        try:
            if not pinged:
                await self.dm(this, subject, user, card, wanted)
        except ClosedDms:
            pinged = True
        if pinged:
            told = f"<@{user}>, I can't reach you by DM, so this waits for you here."
            said = replace(overheard, blocks=(told, *overheard.blocks))
            await self.show_here(this, subject, home, said, wanted, ping=user)

    async def dm(self, this: Round, subject: str, user: int, card: Card, wanted: bool) -> None:
        """Raises ClosedDms when this person takes none."""

        async def direct() -> Messageable:
            return await self._client.create_dm(discord.Object(user))

        try:
            await self.show(this, subject, direct, card, wanted)
        except discord.Forbidden as error:
            if error.code in CLOSED_DMS:
                raise ClosedDms from None
            raise

    async def show_here(
        self, this: Round, subject: str, home: Home, card: Card, wanted: bool, *, ping: int | None = None
    ) -> None:
        """Show a card where several read; a place that is gone or closed to us must not keep the DMs from coming."""

        async def there() -> Messageable:
            return self._client.get_partial_messageable(home.channel_id, guild_id=home.guild_id)

        with self.closed_to_me(this.row):
            await self.show(this, subject, there, card, wanted, ping=ping)

    async def show(
        self, this: Round, subject: str, where: Where, card: Card, wanted: bool, *, ping: int | None = None
    ) -> None:
        """Make the message of this subject look like the card; send one when there is none and one is ``wanted``."""
        digest = digest_of(card)
        message = this.shown.get(subject)
        if message and message.shown == digest and not this.check:
            return
        if message and await self.redraw(message, card):
            await self.remember(this, replace(message, shown=digest))
        elif wanted:
            gone = message.message_id if message else 0
            channel = await where()
            mentions = discord.AllowedMentions(
                everyone=False, roles=False, users=[discord.Object(ping)] if ping else False
            )
            sent = await channel.send(
                view=paint(card), nonce=_nonce(this.look, f"{subject}:{gone}"), allowed_mentions=mentions
            )
            await self.remember(this, Message(subject, sent.channel.id, sent.id, digest))

    async def close_card(self, this: Round, message: Message, card: Card) -> None:
        """Show that there is nothing to press any more, where that can still be shown."""
        with self.closed_to_me(this.row):
            await self.redraw(message, card)

    async def redraw(self, message: Message, card: Card) -> bool:
        """Edit a message; False when that can't be done any more."""
        channel = self._client.get_partial_messageable(message.channel_id)
        try:
            await channel.get_partial_message(message.message_id).edit(
                view=paint(card), allowed_mentions=discord.AllowedMentions.none()
            )
        except discord.HTTPException as error:
            if error.code in GONE:
                return False
            raise
        return True

    async def delete(self, message: Message) -> None:
        """Take a message away, if it is still there."""
        channel = self._client.get_partial_messageable(message.channel_id)
        with contextlib.suppress(discord.NotFound, discord.Forbidden):
            await channel.get_partial_message(message.message_id).delete()

    async def remember(self, this: Round, message: Message) -> None:
        """Note where the message of its subject is and what it shows."""
        this.shown[message.subject] = message
        await self._ledger.save_message(this.row.id, message)


def digest_of(card: Card) -> str:
    """What tells whether a message shows this card already."""
    return hashlib.sha256(repr(card).encode()).hexdigest()[:16]


def _nonce(look: Look, subject: str) -> str:
    """The same for the same news, so that sending it again after a crash gives the first message back."""
    return hashlib.sha256(f"{look.table_id}:{subject}:{look.table.seq}".encode()).hexdigest()[:25]
