"""The reconciler: changes what Discord shows of a table into what it should show, with as few requests as possible."""

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
"""Discord's codes for a DM that was rejected: by the person's settings, or because we share no server with them."""

GONE = (10008, 30046)
"""Discord's codes for a message that can't be edited any more: deleted, or over an hour old and edited too often."""

SERVER_ERROR = 500

NOWHERE = 0
"""The channel id of a thread that could not be opened."""

OPEN, CLOSED, NONE = "open", "closed", "none"
"""The states of a negotiation's thread."""

NONCE_MAX = 25
"""Discord's limit for a nonce, in characters."""


class ClosedDms(Exception):
    """A person's DMs are closed to us."""


@dataclass
class DeliveryPass:
    """One pass over a table: its server and channel, its last entry, and the messages that are shown.

    ``check``: also look whether each message still exists, since a moderator may have deleted it.
    """

    table_id: int
    guild_id: int | None
    channel_id: int
    seq: int
    shown: dict[Subject, Shown]
    check: bool = False

    def channel_of(self, place: SharedPlace) -> int | None:
        """Return the channel id of a place, or None for a thread that could not be opened."""
        match place:
            case TableChannel():
                return self.channel_id
            case NegotiationRoom(negotiation):
                thread = self.shown.get(NegotiationThread(negotiation))
                return thread.channel_id if thread and thread.channel_id != NOWHERE else None


class Reconciler:
    """Sends, edits and retires messages, and keeps the record of them. The planner decides what to show to whom."""

    def __init__(self, client: discord.Client, messages: Messages) -> None:
        self._client = client
        self._messages = messages

    async def carry_out(self, current: DeliveryPass, steps: Iterable[Step]) -> None:
        """Carry out the steps in order. A message that shows its card already takes no request.

        A channel that is gone or inaccessible is logged and skipped. Raises ``discord.HTTPException`` for other errors.
        """
        for step in steps:
            match step:
                case Desired():
                    await self._show(current, step)
                case Retired():
                    await self._retire(current, step)
                case OpenThread():
                    await self._open_thread(current, step)
                case ArchiveThread():
                    await self._archive_thread(current, step)
                case _:
                    assert_never(step)

    async def show_board(self, current: DeliveryPass, board: DesiredBoard) -> None:
        """Make the board show its card. In a new window it is sent anew, to where people are reading."""
        before, window = current.shown.get(Board()), current.shown.get(BoardWindow())
        if window is None or window.state != board.window:
            if before and board.wanted:
                # The record of the deleted message is replaced when the new one is sent. After a crash in between,
                # editing the old one fails with a code of GONE, and a board is sent then.
                await self._delete(before)
                del current.shown[Board()]
            await self._remember(current, Shown(BoardWindow(), current.channel_id, 0, board.window))
        await self._show(current, Desired(Board(), TableChannel(), board.card, wanted=board.wanted))

    # ------------------------------------------------------------ messages

    async def _show(self, current: DeliveryPass, desired: Desired) -> None:
        if isinstance(desired.place, DirectMessages):
            await self._show_to_person(current, desired, desired.place)
        elif (channel_id := current.channel_of(desired.place)) is not None:
            await self._show_in_channel(current, desired.subject, channel_id, desired.card, desired.wanted)

    async def _show_to_person(self, current: DeliveryPass, desired: Desired, place: DirectMessages) -> None:
        """Show a card by DM. If that is rejected, ping the person in a channel, with what others may read."""
        if desired.fallback is None:
            with contextlib.suppress(ClosedDms):
                await self._show_by_dm(current, desired, place)
            return
        home = current.channel_of(desired.fallback.place) or current.channel_id
        await self._close_if_fresh(current, desired, home)
        last = current.shown.get(desired.subject)
        # A person who was pinged has closed DMs, so the message in the channel is kept up to date without another try.
        if last is None or last.channel_id != home:
            try:
                await self._show_by_dm(current, desired, place)
            except ClosedDms:
                pass
            else:
                return
        notice = f"<@{place.user}>, I can't reach you by DM, so this waits for you here."
        card = replace(desired.fallback.card, blocks=(notice, *desired.fallback.card.blocks))
        await self._show_in_channel(current, desired.subject, home, card, desired.wanted, ping=place.user)

    async def _close_if_fresh(self, current: DeliveryPass, desired: Desired, home: int) -> None:
        """Close the last message if the person has to act anew, so that a new one is sent and notifies them.

        A pass that checks notifies nobody: there may be no news.
        """
        last = current.shown.get(desired.subject)
        if last is None or not desired.fresh or current.check or last.state == digest_of(desired.card):
            return
        assert desired.fallback is not None
        await self._close(current, last, desired.fallback.replaced if last.channel_id == home else desired.card)
        del current.shown[desired.subject]

    async def _show_by_dm(self, current: DeliveryPass, desired: Desired, place: DirectMessages) -> None:
        """Show a card by DM. Raises `ClosedDms`."""

        async def channel() -> Messageable:
            return await self._client.create_dm(discord.Object(place.user))

        try:
            await self._edit_or_send(current, desired.subject, channel, desired.card, desired.wanted)
        except discord.Forbidden as error:
            if error.code in CLOSED_DMS:
                raise ClosedDms from None
            raise

    async def _show_in_channel(
        self,
        current: DeliveryPass,
        subject: Subject,
        channel_id: int,
        card: Card,
        wanted: bool,
        *,
        ping: int | None = None,
    ) -> None:
        """Show a card in a channel. If that is gone or inaccessible, skip it, so that the DMs are still sent."""

        async def channel() -> Messageable:
            return self._client.get_partial_messageable(channel_id, guild_id=current.guild_id)

        with self._skip_inaccessible(current):
            await self._edit_or_send(current, subject, channel, card, wanted, ping=ping)

    async def _edit_or_send(
        self,
        current: DeliveryPass,
        subject: Subject,
        channel: Callable[[], Awaitable[Messageable]],
        card: Card,
        wanted: bool,
        *,
        ping: int | None = None,
    ) -> None:
        """Edit the message of this subject to show the card; send one if there is none and it is wanted.

        The record is written after the request. After a crash in between, the message is sent again with the same
        nonce, and Discord returns the first one.
        """
        digest, message = digest_of(card), current.shown.get(subject)
        if message and message.state == digest and not current.check:
            return
        if message and await self._edit(message, card):
            await self._remember(current, replace(message, state=digest))
        elif wanted:
            gone = message.message_id if message else 0
            sent = await (await channel()).send(
                view=render_card(card), nonce=_nonce(current, subject, gone), allowed_mentions=_mentions(ping)
            )
            await self._remember(current, Shown(subject, sent.channel.id, sent.id, digest))

    async def _retire(self, current: DeliveryPass, retired: Retired) -> None:
        message = current.shown[retired.subject]
        await self._close(
            current, message, retired.overheard if message.channel_id == current.channel_id else retired.card
        )
        await self._messages.forget(current.table_id, retired.subject)
        del current.shown[retired.subject]

    async def _close(self, current: DeliveryPass, message: Shown, card: Card) -> None:
        """Edit a message a last time, to this card without buttons. A message that is gone is ignored."""
        with self._skip_inaccessible(current):
            await self._edit(message, replace(card, rows=()))

    async def _edit(self, message: Shown, card: Card) -> bool:
        """Edit a message and return True; return False when it can't be edited any more."""
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

    async def _remember(self, current: DeliveryPass, shown: Shown) -> None:
        current.shown[shown.subject] = shown
        await self._messages.remember(current.table_id, shown)

    @contextlib.contextmanager
    def _skip_inaccessible(self, current: DeliveryPass) -> Iterator[None]:
        """Log and ignore Forbidden and NotFound."""
        try:
            yield
        except (discord.Forbidden, discord.NotFound) as error:
            log.warning("table %d: channel %d is inaccessible (%d)", current.table_id, current.channel_id, error.code)

    # ------------------------------------------------------------ threads

    async def _open_thread(self, current: DeliveryPass, wanted: OpenThread) -> None:
        """Open a thread and add its users. If it can't be opened, remember that, and do without one."""
        subject = NegotiationThread(wanted.negotiation)
        thread = await self._create_thread(current, wanted.name)
        if thread is None:
            await self._remember(current, Shown(subject, NOWHERE, 0, NONE))
            return
        # Remembered at once, since threads have no nonce: an error below must not lead to a second thread.
        await self._remember(current, Shown(subject, thread.id, 0, OPEN))
        for user in wanted.users:
            with contextlib.suppress(discord.Forbidden, discord.NotFound):
                await thread.add_user(discord.Object(user))

    async def _create_thread(self, current: DeliveryPass, name: str) -> discord.Thread | None:
        """Create a private thread. Return None where the table's channel does not allow one.

        Raises ``discord.HTTPException`` for a server error, after which the next delivery tries again.
        """
        try:
            channel = await self._client.fetch_channel(current.channel_id)
            if isinstance(channel, discord.Thread):  # threads can't be nested: use the channel of the table's thread
                channel = await self._client.fetch_channel(channel.parent_id)
            if not isinstance(channel, discord.TextChannel):
                return None
            kind = discord.ChannelType.private_thread
            return await channel.create_thread(name=name, type=kind, invitable=False)
        except discord.HTTPException as error:
            if error.status >= SERVER_ERROR:
                raise
            log.warning("table %d: a private thread can't be opened there (%d)", current.table_id, error.code)
            return None

    async def _archive_thread(self, current: DeliveryPass, archived: ArchiveThread) -> None:
        thread = current.shown[NegotiationThread(archived.negotiation)]
        # By the HTTP client, since `discord.Thread.edit` would need the thread to be fetched first.
        with contextlib.suppress(discord.NotFound, discord.Forbidden):
            await self._client.http.edit_channel(thread.channel_id, archived=True)
        await self._remember(current, replace(thread, state=CLOSED))


def digest_of(card: Card) -> str:
    """Return a digest of the card, to tell whether a message shows it already."""
    return hashlib.sha256(repr(card).encode()).hexdigest()[:16]


def _mentions(ping: int | None) -> discord.AllowedMentions:
    """Return whom a message may notify: the person it waits for, but not the others it mentions."""
    return discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(ping)] if ping else False)


def _nonce(current: DeliveryPass, subject: Subject, gone: int) -> str:
    """Return the nonce of a new message: the same for the same news, so that a crash does not post it twice.

    For a nonce that was used in the last minutes, Discord returns the message of that time and posts nothing. So the
    nonce contains the id of the message that it replaces (``gone``): otherwise it would return the deleted one.
    """
    text = f"{current.table_id}:{encode(subject)}:{gone}:{current.seq}"
    return hashlib.sha256(text.encode()).hexdigest()[:NONCE_MAX]
