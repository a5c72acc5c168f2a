"""Joining and leaving a server, and the first message there, whose buttons set up a table without a
typed command.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Iterable, Sequence
from typing import Literal

import discord
from discord.ext import commands

from bot.delivery import Delivery
from bot.ledger import LedgerError
from bot.rules.game import Game
from bot.rules.model.violation import Refused
from bot.rules.registry import games
from bot.rules.views import TableView
from bot.service import GREETED, Service
from bot.show.actions import OpenGame, SetUpHere, WhatIsThis
from bot.show.cards import text_card
from bot.show.guide import (
    HOW_TO_MOVE,
    MUST,
    about_card,
    arrival_card,
    bring_card,
    bring_instead_card,
    games_card,
    instead_card,
    lacking_text,
    moved_text,
    opened_text,
)
from bot.show.names import escape
from bot.tasks import Tasks
from cogs.request import Request
from cogs.router import Router

log = logging.getLogger(__name__)

READ_BY_ALL = discord.Permissions(view_channel=True, read_message_history=True)
WRITTEN_BY_US = discord.Permissions(view_channel=True, send_messages=True)

GREET_AGAIN = 60.0
"""Seconds until a first message is tried again that Discord could not take."""


class Arrival(commands.Cog):
    """The first message on a server, and its buttons."""

    def __init__(self, service: Service, delivery: Delivery, router: Router) -> None:
        self._service = service
        self._delivery = delivery
        self._lock = asyncio.Lock()
        self._owed: dict[int, str] = {}  # by server: the nonce of its first message
        self._tasks = Tasks()
        router.on(SetUpHere, self.set_up)
        router.on(WhatIsThis, self.what)
        router.on(OpenGame, self.opened)

    async def cog_load(self) -> None:
        """Read where an earlier run was to say hello and could not."""
        try:
            self._owed = await self._service.messages.greetings_owed()
        except LedgerError as error:
            log.warning("first messages may be left out, since the ledger failed", exc_info=error)

    async def cog_unload(self) -> None:
        await self._tasks.close()

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Say hello, after a start, where an earlier run could not."""
        if (nonce := self._owed.pop(guild.id, None)) is not None:
            await self._greet(guild, nonce)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Go on where the tables there were, and say hello in a channel that people read."""
        self._service.members.note_bot(guild.id, here=True)
        try:
            async with self._lock:
                if await self._service.messages.greeting(guild.id):
                    return
                nonce = f"hi-{secrets.token_hex(8)}"  # a new one at each invitation
                await self._service.messages.set_greeting(guild.id, nonce)
        except LedgerError as error:
            log.warning(
                "server %d: no first message, since the ledger failed", guild.id, exc_info=error
            )
            return
        await self._greet(guild, nonce)

    async def _greet(self, guild: discord.Guild, nonce: str) -> None:
        """Say hello on a server, later if Discord is down, and store that it is said."""
        channel = welcome_channel(guild)
        if channel is None:
            log.info("server %d has no channel that I may write to", guild.id)
        else:
            announced = await self._delivery.announce(channel.id, arrival_card(), nonce)
            if announced == "not now":
                self._tasks.start("a first message", self._greet_later(guild, nonce))
                return
            if announced == "refused":
                log.warning("server %d: Discord refused the first message", guild.id)
        try:
            async with self._lock:
                # Another invitation since then is to be answered with a message of its own.
                if await self._service.messages.greeting(guild.id) == nonce:
                    greeting = "" if channel is None else GREETED
                    await self._service.messages.set_greeting(guild.id, greeting)
        except LedgerError as error:
            log.warning("server %d: it may be greeted again", guild.id, exc_info=error)

    async def _greet_later(self, guild: discord.Guild, nonce: str) -> None:
        await asyncio.sleep(GREET_AGAIN)
        await self._greet(guild, nonce)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self._note_deleted(channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        await self._note_deleted(thread.thread_id)

    async def _note_deleted(self, channel_id: int) -> None:
        try:
            await self._delivery.channel_deleted(channel_id)
        except LedgerError as error:
            # The next request to the channel finds out.
            log.warning("channel %d: its end could not be stored", channel_id, exc_info=error)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Let the tables of a server rest that the bot has left. An outage of Discord's is no such
        thing.
        """
        log.info(
            "server %d: I am not there any more, so its tables wait for an invitation", guild.id
        )
        self._service.members.note_bot(guild.id, here=False)
        try:
            async with self._lock:  # the next invitation may come at once
                await self._service.messages.set_greeting(guild.id, "")
        except LedgerError as error:
            log.warning(
                "server %d: another first message will be left out", guild.id, exc_info=error
            )

    # ---------------------------------------------------------------- buttons

    async def what(self, request: Request, press: WhatIsThis) -> None:
        """Handle **What is this?**"""
        await request.reply(about_card(games().values()))

    async def set_up(self, request: Request, press: SetUpHere) -> None:
        """Handle **Set up a table**: ask which game, if there are several."""
        _require_channel(request)
        here = await _table_here(request)
        _require_over(here)
        closing = _to_open_again(here)
        if await offered_to_bring(request, games().values()):
            return
        if closing is not None:
            await request.answer.update(instead_card(closing, games().values()))
        elif len(games()) == 1:
            await open_table(request, game=next(iter(games())))
        else:
            await request.answer.update(games_card(games().values()))

    async def opened(self, request: Request, press: OpenGame) -> None:
        """Open a table of this game. Ask a host first while the one here can be opened again."""
        _require_channel(request)
        here = await _table_here(request)
        _require_over(here)
        closing = _to_open_again(here)
        if closing is not None and (closing.id, closing.since) != (press.table, press.since):
            await request.answer.update(instead_card(closing, games().values()))
        else:
            await open_table(request, game=press.game)


async def _table_here(request: Request) -> TableView | None:
    """Return the table of this channel, if it has one whose game is here."""
    row = await request.table_at(request.interaction.channel_id)
    if row is None or row.game not in games():
        return None
    return await request.service.view(row.id, request.requester)


def _require_over(view: TableView | None) -> None:
    """Raise `Refused` if the table of this channel is open."""
    if view is not None and view.open and view.game in games():
        raise Refused(
            f"This channel already has a table: {escape(view.name)}.",
            "/help shows what to do next.",
        )


def _to_open_again(view: TableView | None) -> TableView | None:
    """Return the table of this channel if the presser can still open it again."""
    if view is not None and view.hosts and view.closing is not None:
        return view
    return None


async def open_table(
    request: Request,
    *,
    game: str,
    name: str = "",
    open_on_close: Literal["yes", "no"] = "yes",
    again: int | None = None,
) -> None:
    """Open a table in this channel. The reply tells the host which permissions the bot lacks.
    ``again`` is the table that it repeats.

    Raises `Refused` in DMs, where the bot can't post at all, and in a thread for two.
    """
    _require_channel(request)
    lacking = await _lacking(request)
    outcome = await request.service.open_table(
        request.requester,
        game=game,
        name=name,
        channel_id=request.interaction.channel_id or 0,
        open_on_close=open_on_close,
        again=again,
    )
    text = opened_text(escape(outcome.view.name), lacking)
    await request.answer.update(text_card(text))


async def offered_to_bring(request: Request, played: Iterable[Game], name: str = "") -> bool:
    """Offer a host to bring a table here that has lost its channel, in place of a new one. Return
    whether it was.

    Who gives a new ``name`` wants a new table.
    """
    lost = [
        row for row in await request.hosted() if await request.service.messages.gone(row.channel_id)
    ]
    lost = [row for row in lost if name.casefold() in ("", row.name.casefold())]
    if lost:
        await request.answer.update(bring_card(request.told_apart(lost), played))
    return bool(lost)


async def bring(request: Request, table_id: int, since: int = 0) -> None:
    """Bring a table to this channel. Ask a host first while the one here can be opened again;
    ``since`` is the closing that they were asked about.

    Raises `Refused` where it can't be, and for anyone but its host.
    """
    _require_channel(request, HOW_TO_MOVE)
    lacking = await _lacking(request, table_id)
    closing = _to_open_again(await _table_here(request))
    if closing is not None and closing.id != table_id and closing.since != since:
        brought = await request.service.view(table_id, request.requester)
        if brought.hosts:
            await request.answer.update(bring_instead_card(closing, brought))
            return
    outcome = await request.service.move_table(
        table_id, request.requester, request.interaction.channel_id or 0
    )
    await request.answer.update(text_card(moved_text(escape(outcome.view.name), lacking)))


def _require_channel(request: Request, remedy: str = "Go to one and type /table open.") -> None:
    if request.in_dm:
        raise Refused("A table needs a channel that all of you can read.", remedy)


async def _lacking(request: Request, brought: int = 0) -> list[str]:
    """Return the permissions that the bot lacks in this channel. ``brought`` is the table that is
    brought here.

    Raises `Refused` where it can't post at all, and in a negotiation's thread, whose commands are
    about its own table.
    """
    channel = request.interaction.channel
    around = (
        await request.table_at(channel.parent_id) if isinstance(channel, discord.Thread) else None
    )
    for table_id in {brought, around.id if around else 0} - {0}:
        if (
            await request.delivery.negotiation_in(table_id, request.interaction.channel_id or 0)
            is not None
        ):
            raise Refused(
                "Only two of you read here.",
                "A table needs a channel that all of you can read.",
            )
    lacking = request.lacking
    if unable := MUST.intersection(lacking):
        raise Refused(
            f"Others would see nothing of the table. {lacking_text(sorted(unable))}",
            "Then try again.",
        )
    return lacking


def welcome_channel(guild: discord.Guild) -> discord.TextChannel | None:
    """Return the channel for the first message: one the bot may write to, if possible one that
    everybody reads.

    The system channel, where Discord itself greets people, comes first.
    """
    system: Sequence[discord.TextChannel] = [guild.system_channel] if guild.system_channel else []
    channels = [*system, *guild.text_channels]
    writable = [each for each in channels if each.permissions_for(guild.me) >= WRITTEN_BY_US]
    read = [each for each in writable if each.permissions_for(guild.default_role) >= READ_BY_ALL]
    return next(iter((*read, *writable)), None)
