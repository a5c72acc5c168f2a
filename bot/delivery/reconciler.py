"""The reconciler: makes the difference between what Discord shows of a table and what it should."""

from __future__ import annotations

import contextlib
import hashlib
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import assert_never

import discord
from discord.abc import Messageable

from bot.delivery.desired import (
    ArchiveThread,
    Desired,
    DesiredBoard,
    DirectMessages,
    NegotiationRoom,
    OpenThread,
    Retired,
    SharedPlace,
    Step,
    TableChannel,
)
from bot.delivery.messages import Messages, Shown
from bot.delivery.render import render_card
from bot.delivery.subjects import Board, BoardWindow, NegotiationThread, Subject, encode
from bot.show.cards import Card

log = logging.getLogger(__name__)

CLOSED_DMS = (50007, 50278)
"""Discord's codes for a person who takes no messages from us: by their settings, or with no server in common."""

GONE = (10008, 30046)
"""A message that can't be redrawn: deleted, or over an hour old and edited too often. Sent anew if it is wanted."""

SERVER_ERROR = 500

NOWHERE = 0
"""In place of a channel's id: there is no such thread."""

OPEN, CLOSED, NONE = "open", "closed", "none"
"""The states of a negotiation's thread."""

NONCE_MAX = 25
"""Discord's limit for a nonce, in characters."""


class ClosedDms(Exception):
    """A person takes no DMs from us."""


@dataclass
class DeliveryPass:
    """One pass over a table: where it is, up to which entry it is told of, and what is shown.

    ``check``: also look whether what is shown is still there, since a moderator may have deleted it.
    """

    table_id: int
    guild_id: int | None
    channel_id: int
    seq: int
    shown: dict[Subject, Shown]
    check: bool = False

    def channel_of(self, place: SharedPlace) -> int | None:
        """Return the channel of a place; None for a thread that could not be opened."""
        match place:
            case TableChannel():
                return self.channel_id
            case NegotiationRoom(negotiation):
                thread = self.shown.get(NegotiationThread(negotiation))
                return thread.channel_id if thread and thread.channel_id != NOWHERE else None


class Reconciler:
    """Sends, edits, retires and remembers messages. What should be shown, and to whom, the planner has decided."""

    def __init__(self, client: discord.Client, messages: Messages) -> None:
        self._client = client
        self._messages = messages

    async def carry_out(self, this: DeliveryPass, steps: Iterable[Step]) -> None:
        """Carry out the steps in order; one that is true already takes no request.

        A channel that is gone or closed to us is logged and left. Raises ``discord.HTTPException`` for anything else.
        """
        for step in steps:
            match step:
                case Desired():
                    await self._show(this, step)
                case Retired():
                    await self._retire(this, step)
                case OpenThread():
                    await self._open_thread(this, step)
                case ArchiveThread():
                    await self._archive_thread(this, step)
                case _:
                    assert_never(step)

    async def show_board(self, this: DeliveryPass, board: DesiredBoard) -> None:
        """Make the board show its card. With a new window it moves down to where people are reading."""
        before, window = this.shown.get(Board()), this.shown.get(BoardWindow())
        if window is None or window.state != board.window:
            if before and board.wanted:
                await self._delete(before)
                del this.shown[Board()]
            await self._remember(this, Shown(BoardWindow(), this.channel_id, 0, board.window))
        await self._show(this, Desired(Board(), TableChannel(), board.card, wanted=board.wanted))

    # ------------------------------------------------------------ messages

    async def _show(self, this: DeliveryPass, desired: Desired) -> None:
        if isinstance(desired.place, DirectMessages):
            await self._show_person(this, desired, desired.place)
        elif (channel_id := this.channel_of(desired.place)) is not None:
            await self._show_all(this, desired.subject, channel_id, desired.card, desired.wanted)

    async def _show_person(self, this: DeliveryPass, desired: Desired, place: DirectMessages) -> None:
        """Show a card by DM; or where its person takes none, what others may overhear, with a ping."""
        if desired.fallback is None:
            with contextlib.suppress(ClosedDms):
                await self._show_directly(this, desired, place)
            return
        home = this.channel_of(desired.fallback.place) or this.channel_id
        await self._replace_if_fresh(this, desired, home)
        last = this.shown.get(desired.subject)
        if last is None or last.channel_id != home:  # a person pinged once has closed DMs: no need to try them again
            try:
                await self._show_directly(this, desired, place)
            except ClosedDms:
                pass
            else:
                return
        told = f"<@{place.user}>, I can't reach you by DM, so this waits for you here."
        said = replace(desired.fallback.card, blocks=(told, *desired.fallback.card.blocks))
        await self._show_all(this, desired.subject, home, said, desired.wanted, ping=place.user)

    async def _replace_if_fresh(self, this: DeliveryPass, desired: Desired, home: int) -> None:
        """Close the last message where a person has to act anew, so that they are notified by a new one.

        A pass that only checks asks nobody for anything new.
        """
        last = this.shown.get(desired.subject)
        if last is None or not desired.fresh or this.check or last.state == digest_of(desired.card):
            return
        assert desired.fallback is not None
        await self._close(this, last, desired.fallback.replaced if last.channel_id == home else desired.card)
        del this.shown[desired.subject]

    async def _show_directly(self, this: DeliveryPass, desired: Desired, place: DirectMessages) -> None:
        """Show a card by DM. Raises `ClosedDms` when its person takes none."""

        async def channel() -> Messageable:
            return await self._client.create_dm(discord.Object(place.user))

        try:
            await self._make_true(this, desired.subject, channel, desired.card, desired.wanted)
        except discord.Forbidden as error:
            if error.code in CLOSED_DMS:
                raise ClosedDms from None
            raise

    async def _show_all(
        self,
        this: DeliveryPass,
        subject: Subject,
        channel_id: int,
        card: Card,
        wanted: bool,
        *,
        ping: int | None = None,
    ) -> None:
        """Show a card where several read; a place that is gone or closed to us must not keep the DMs from coming."""

        async def channel() -> Messageable:
            return self._client.get_partial_messageable(channel_id, guild_id=this.guild_id)

        with self._closed_to_us(this):
            await self._make_true(this, subject, channel, card, wanted, ping=ping)

    async def _make_true(
        self,
        this: DeliveryPass,
        subject: Subject,
        channel: Callable[[], Awaitable[Messageable]],
        card: Card,
        wanted: bool,
        *,
        ping: int | None = None,
    ) -> None:
        """Make the message of this subject show the card; send one when there is none and one is wanted."""
        digest, message = digest_of(card), this.shown.get(subject)
        if message and message.state == digest and not this.check:
            return
        if message and await self._redraw(message, card):
            await self._remember(this, replace(message, state=digest))
        elif wanted:
            gone = message.message_id if message else 0
            sent = await (await channel()).send(
                view=render_card(card), nonce=_nonce(this, subject, gone), allowed_mentions=_mentions(ping)
            )
            await self._remember(this, Shown(subject, sent.channel.id, sent.id, digest))

    async def _retire(self, this: DeliveryPass, retired: Retired) -> None:
        message = this.shown[retired.subject]
        await self._close(this, message, retired.overheard if message.channel_id == this.channel_id else retired.card)
        await self._messages.forget(this.table_id, retired.subject)
        del this.shown[retired.subject]

    async def _close(self, this: DeliveryPass, message: Shown, card: Card) -> None:
        """Remove the buttons of a message, where that is still possible."""
        with self._closed_to_us(this):
            await self._redraw(message, replace(card, rows=()))

    async def _redraw(self, message: Shown, card: Card) -> bool:
        """Edit a message and return True; return False when that can't be done any more."""
        channel = self._client.get_partial_messageable(message.channel_id)
        try:
            await channel.get_partial_message(message.message_id).edit(
                view=render_card(card), allowed_mentions=discord.AllowedMentions.none()
            )
        except discord.HTTPException as error:
            if error.code in GONE:
                return False
            raise
        return True

    async def _delete(self, message: Shown) -> None:
        """Delete a message, if it is still there."""
        channel = self._client.get_partial_messageable(message.channel_id)
        with contextlib.suppress(discord.NotFound, discord.Forbidden):
            await channel.get_partial_message(message.message_id).delete()

    async def _remember(self, this: DeliveryPass, shown: Shown) -> None:
        this.shown[shown.subject] = shown
        await self._messages.remember(this.table_id, shown)

    @contextlib.contextmanager
    def _closed_to_us(self, this: DeliveryPass) -> Iterator[None]:
        """Log and ignore Forbidden and NotFound."""
        try:
            yield
        except (discord.Forbidden, discord.NotFound) as error:
            log.warning("table %d: channel %d is closed to me (%d)", this.table_id, this.channel_id, error.code)

    # ------------------------------------------------------------ threads

    async def _open_thread(self, this: DeliveryPass, wanted: OpenThread) -> None:
        """Open a thread once; where that can't be done, remember so and do without."""
        subject = NegotiationThread(wanted.negotiation)
        thread = await self._created(this, wanted.name)
        if thread is None:
            await self._remember(this, Shown(subject, NOWHERE, 0, NONE))
            return
        await self._remember(this, Shown(subject, thread.id, 0, OPEN))
        for user in wanted.users:
            with contextlib.suppress(discord.Forbidden, discord.NotFound):
                await thread.add_user(discord.Object(user))

    async def _created(self, this: DeliveryPass, name: str) -> discord.Thread | None:
        """Return a new private thread; None where the table's channel allows none.

        A server error is raised, since the thread can be opened at the next try.
        """
        try:
            channel = await self._client.fetch_channel(this.channel_id)
            if isinstance(channel, discord.Thread):  # a thread can't hold threads: the channel it is in can
                channel = await self._client.fetch_channel(channel.parent_id)
            if not isinstance(channel, discord.TextChannel):
                return None
            kind = discord.ChannelType.private_thread
            return await channel.create_thread(name=name, type=kind, invitable=False)
        except discord.HTTPException as error:
            if error.status >= SERVER_ERROR:
                raise
            log.warning("table %d: no private thread can be opened there (%d)", this.table_id, error.code)
            return None

    async def _archive_thread(self, this: DeliveryPass, archived: ArchiveThread) -> None:
        thread = this.shown[NegotiationThread(archived.negotiation)]
        with contextlib.suppress(discord.NotFound, discord.Forbidden):
            await self._client.http.edit_channel(thread.channel_id, archived=True)
        await self._remember(this, replace(thread, state=CLOSED))


def digest_of(card: Card) -> str:
    """Return a digest that tells whether a message shows this card already."""
    return hashlib.sha256(repr(card).encode()).hexdigest()[:16]


def _mentions(ping: int | None) -> discord.AllowedMentions:
    """Return whom a message may notify: the person it waits for, and never everybody whose name it holds."""
    return discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(ping)] if ping else False)


def _nonce(this: DeliveryPass, subject: Subject, gone: int) -> str:
    """Return the nonce of a new message: the same for the same news, so that a crash does not double it.

    Discord answers a nonce that it has seen within minutes with the message it has, so the nonce of a message that is
    sent in place of a deleted one names that one (``gone``).
    """
    text = f"{this.table_id}:{encode(subject)}:{gone}:{this.seq}"
    return hashlib.sha256(text.encode()).hexdigest()[:NONCE_MAX]
