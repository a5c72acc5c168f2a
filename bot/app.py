"""The composition root: settings -> ledger -> service -> Discord client -> delivery -> cogs."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import logging
import math
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain
from typing import Any

import discord
import orjson
import yarl
from discord.ext import commands

from bot import __version__
from bot.delivery import (
    OVERALL,
    Budget,
    Delivery,
    have_icons,
    membership,
    tell_put_back,
    without_retries,
)
from bot.discord_hooks import forget_session, override_addresses, remove_unlisted, without_voice
from bot.errors import OperatorError, TryAgain
from bot.ledger import (
    FLUSH_INTERVAL,
    Claim,
    KeySource,
    Ledger,
    LedgerError,
    Unreachable,
    claimed,
    database_name,
    key_fault,
    read_put_back,
)
from bot.lifecycle import (
    DiscordTime,
    Interactions,
    Retries,
    drop_others,
    guard_arrivals,
    intents,
    make_backups,
    needs_operator,
    remove_old_tables,
    sentence,
    stop_signals,
)
from bot.rules.model.actions import CORE_ACTIONS
from bot.rules.registry import games
from bot.rules.vocabulary import unreadable
from bot.service import DeadlineClock, Members, Peers, Quotas, Service, Shards
from bot.settings import Settings
from bot.show.actions import PRESENTATION_ACTIONS
from bot.show.guide import PERMISSIONS
from bot.tasks import Stopped, Tasks, unless_stopped
from bot.watch import Watch
from cogs import boards, offer_buttons, prompts, tables
from cogs.answers import Answers
from cogs.arrival import Arrival
from cogs.audit import Audits
from cogs.deals import Deals
from cogs.debts import DebtCommands
from cogs.evenings import EveningsCommand
from cogs.fair_use import FairUse
from cogs.games import add_commands, leave_out_refused
from cogs.help import Help
from cogs.history import History
from cogs.holdings import HoldingsCommands
from cogs.menus import MENUS
from cogs.negotiations import Negotiations
from cogs.new_offers import NewOffers
from cogs.next_time import NextTimes
from cogs.offers import Offers
from cogs.pings import Pings
from cogs.privacy import Privacy
from cogs.router import Router
from cogs.rulebook import Rulebook
from cogs.setup import SetUps
from cogs.tables import PhaseCommands, TableCommands
from cogs.tree import Tree
from cogs.words import Words

log = logging.getLogger(__name__)

without_voice()

NEEDED = discord.Permissions(**dict.fromkeys(PERMISSIONS, True))
"""The permissions that the bot asks for on a server."""

BOARD_PACE = 1.0
"""The minimum time between two edits of one table's board, in seconds."""

ANSWER_WITHIN, DELIVER_WITHIN, DISCONNECT_WITHIN = 2.5, 4.0, 1.0
"""Time limits after a signal to stop, in seconds: for answering running interactions, for that and
delivery together, and then for closing the connection to Discord.
"""

SILENT_FOR = 60.0
"""Seconds without an answer to heartbeats before a connection to Discord counts as lost. Heartbeats
are 41 s apart.
"""

LOOKED_EVERY = 5.0
"""The longest time between two looks at the clock while waiting, in seconds: the machine may sleep
meanwhile.
"""

TAKEN_OVER = (
    "While the database was unreachable, another process took over my shards. Start me again, and "
    "I wait for them."
)

EVERYWHERE = "everywhere"
"""The place of commands that are registered for all servers. Another is the id of a server."""

TOO_MANY_COMMANDS = 30034
"""Discord's error code when 200 commands were created in a day."""

BAD_REQUEST = 400
"""Discord's status for a request with a mistake in it, such as a description that is too long."""


class Bourse(commands.AutoShardedBot):
    """The Discord client with the service, delivery and all cogs, on an open ledger.

    It subscribes to servers, and unless the operator says no to messages, of which it reads those
    that are for it (`cogs.words`): no members, no presence. ``pace`` is
    the minimum time between two edits of a board, in seconds; 0 in a simulation without real time.
    ``budget`` limits the requests, by default to this process's share of what Discord allows.
    ``fair_use`` limits one person's requests, by default as in the settings. ``chance`` is what
    commands draw from, by default unguessable. Without ``shards`` this is the only process; it then
    has ``shard_count`` shards, or as many as Discord recommends. ``watch`` is told what happens.
    """

    def __init__(
        self,
        settings: Settings,
        ledger: Ledger,
        *,
        claim: Claim | None = None,
        shards: Shards | None = None,
        shard_count: int | None = None,
        pace: float = BOARD_PACE,
        budget: Budget | None = None,
        fair_use: FairUse | None = None,
        chance: Callable[[], str] | None = None,
        watch: Watch | None = None,
    ) -> None:
        time = DiscordTime()
        super().__init__(
            command_prefix=(),  # no text commands, only interactions
            help_command=None,
            tree_cls=Tree,
            intents=intents(messages=settings.bourse_messages == "on"),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            shard_ids=list(shards.ids) if shards else None,  # type: ignore[arg-type]  # None is its default
            shard_count=shards.count if shards else shard_count,
            heartbeat_timeout=SILENT_FOR,
            http_trace=time.trace(),
            # on_ready need not wait for servers, since the cache is not used
            guild_ready_timeout=0,
        )
        self.settings = settings
        self.ledger = ledger
        room = Quotas(
            settings.bourse_tables_per_server,
            settings.bourse_tables_per_person,
            settings.bourse_entries_per_day,
            settings.bourse_tables_per_day,
        )
        self._owned = owned = shards or Shards()
        members = Members(membership(self), self.on_server)
        self.service = Service(
            ledger, discord.utils.utcnow, members, room, shards=owned, chance=chance
        )
        # SimCord waits for all background activity to end, and nobody sets the time there.
        looked_every = LOOKED_EVERY if pace else math.inf
        self.clock = DeadlineClock(
            self.service, discord.utils.utcnow, owned.owns, looked_every=looked_every
        )
        self.watch = watch = watch or Watch()
        self.delivery = Delivery(
            self, self.service, pace, budget=budget or share(owned), owns=owned.owns, watch=watch
        )
        self._peers = Peers(self.service, owned, claim)
        self.interactions = Interactions()
        guard_arrivals(self)
        drop_others(self)
        remove_unlisted(self)
        limits = fair_use or FairUse(settings.bourse_burst)
        self.answers = Answers(
            self.interactions,
            ledger.entries.carried_out,
            limits,
            time,
            watch,
            self.delivery.tokens.keep,
            self.delivery.receipts.forget,
            self._not_here,
            self.delivery.tell,
        )
        self._retries = Retries()
        watch.open_tables = partial(self.service.open_tables, owned)
        watch.troubles += [self._gateway_trouble, lambda: ledger.health.trouble]
        self._launching = False
        self._tasks = Tasks()
        self._caught_up = False

    async def join_others(self) -> None:
        """Start listening for changes by other processes. Call it before reading anything. Raises
        `LedgerError`.
        """
        await self._peers.start()

    async def log_in(self, token: str) -> None:
        """Log in, set everything up, and wait until Discord allows a connection. Raises errors that
        don't pass.
        """

        async def attempt() -> None:
            try:
                await self.login(token)
            except BaseException:
                await forget_session(self)
                raise

        await self._retries.attempt(attempt)
        await self._await_session_start()

    async def setup_hook(self) -> None:
        """Add the cogs, check that every action has a handler, and register the commands if they
        changed.
        """
        router = Router(self.answers)
        for cog in (
            router,
            *core_cogs(self.service, self.delivery, router, self.settings.bourse_source),
            Words(self, self.delivery, self.answers, router),
        ):
            await self.add_cog(cog)
        for menu in MENUS:
            self.tree.add_command(menu)
        router.check((*CORE_ACTIONS, *PRESENTATION_ACTIONS))
        for game in games().values():
            await add_commands(self, game, router)
        await self._retries.attempt(self._register)

    async def have_icons(self) -> None:
        """Use the application's emojis as icons of goods. The process with shard 0 uploads missing
        ones.
        """
        icons = chain.from_iterable(game.goods.icons for game in games().values())
        await have_icons(self, list(icons), upload=not self.shard_ids or 0 in self.shard_ids)

    async def on_ready(self) -> None:
        """Start the clock and delivery. Only once, since Discord sends READY again after a lost
        connection.
        """
        if not self._caught_up:
            self._caught_up = True
            self._tasks.keep("the clock", self.clock.start)
            self._tasks.keep("delivering what the last run left", self._deliver)
            self._tasks.keep("telling where the ledger ends", self._tell_put_back)

    async def _tell_put_back(self) -> None:
        """Tell the tables if the ledger was put back from a copy."""
        mark = read_put_back(self.settings.database_url)
        await tell_put_back(self.delivery, self.service, self._owned, mark)

    async def _deliver(self) -> None:
        """Deliver what the last run left. After an update, draw all messages of open tables anew,
        once.
        """
        await self.delivery.start()
        key, drawn_by = f"drawn:{self._owned}", versions()
        if await self.ledger.key_value(key) != drawn_by:
            heads = await self.ledger.tables.heads(self._owned.ids, self._owned.count)
            await self.delivery.redraw([table for table, _, _ in heads])
            await self.ledger.set_key_value(key, drawn_by)

    async def on_message(self, message: discord.Message) -> None:
        """Do nothing: `cogs.words` reads messages, and there are no text commands."""

    async def on_shard_ready(self, shard_id: int) -> None:
        self.watch.shards[shard_id] = True
        self.service.members.listed_anew()

    async def on_shard_resumed(self, shard_id: int) -> None:
        self.watch.shards[shard_id] = True

    async def on_shard_disconnect(self, shard_id: int) -> None:
        self.watch.shards[shard_id] = False

    def on_server(self, guild_id: int) -> bool | None:
        """Return whether the bot is on a server; None where Discord has not told this process."""
        if not self.watch.shards.get((guild_id >> 22) % (self.shard_count or 1)):
            return None
        return self.get_guild(guild_id) is not None

    def _not_here(self, guild_id: int) -> str:
        """Return why an interaction from a server that has only the commands is turned away, or an
        empty string.
        """
        if self.on_server(guild_id) is not False:
            return ""
        link = invite(self.application_id or 0)
        return (
            "I am not on this server, only my commands are. Somebody who manages it can [add me "
            f"here]({link})."
        )

    def _gateway_trouble(self) -> str:
        """Return why interactions don't reach this process, or an empty string."""
        if self.interactions.closed:
            return "I am stopping."
        shards = self.watch.shards
        away = [
            shard
            for shard in self.shard_ids or range(self.shard_count or 1)
            if not shards.get(shard)
        ]
        which = (
            f"Not connected to Discord: shard{'s' * (len(away) > 1)} {', '.join(map(str, away))}."
        )
        return f"{which} {self._retries.trouble}".strip() if away else ""

    async def launch_shard(
        self, gateway: yarl.URL, shard_id: int, *, initial: bool = False
    ) -> None:
        """Connect a shard, retrying until it succeeds.

        discord.py retries by calling this method recursively, which would overflow the stack after
        an hour. Here, the recursive call raises an exception instead, which ends the attempt.
        """
        if self._launching:
            raise _TryAgain
        self._launching = True
        try:
            while True:
                try:
                    return await super().launch_shard(gateway, shard_id, initial=initial)
                except _TryAgain:
                    continue
        finally:
            self._launching = False

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect to Discord and stay connected. Raises the error that ends the connection for
        good.
        """
        await self._retries.attempt(lambda: super(Bourse, self).connect(reconnect=reconnect))

    async def drain(self) -> None:
        """Turn away new interactions, answer the running ones, and deliver what is possible in
        `DELIVER_WITHIN`.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + DELIVER_WITHIN
        self.interactions.close()
        await self.interactions.finish(ANSWER_WITHIN)
        await self.delivery.finish(until - loop.time())
        await self.interactions.finish(until - loop.time())

    async def close(self) -> None:
        """Disconnect from Discord. The ledger stays open; the code that opened it closes it."""
        if self.is_closed():
            return
        await self._tasks.close()
        await self.interactions.cancel()
        await self._peers.close()
        await self.clock.close()
        await self.delivery.close()
        try:
            async with asyncio.timeout(DISCONNECT_WITHIN):
                await super().close()
        except TimeoutError:
            log.info("the connection to Discord did not close in time")
            await self.http.close()

    async def _register(self) -> None:
        """Register the slash commands, unless Discord already has them: it allows 200 creations a
        day.

        The digest shows whether they changed since the last registration, the names whether Discord
        still has them. What was registered elsewhere is removed there, since people would see each
        command twice.
        """
        guild = (
            discord.Object(self.settings.discord_guild_id)
            if self.settings.discord_guild_id
            else None
        )
        if guild:
            self.tree.copy_global_to(guild=guild)
        places = f"commands:{self.application_id}:"
        key = f"{places}{guild.id if guild else EVERYWHERE}"
        for other in await self.ledger.keys(places):
            if other != key and await self.ledger.key_value(other):
                await self._unregister(other.removeprefix(places))
                await self.ledger.set_key_value(other, "")
        registered = {command.name for command in await self.tree.fetch_commands(guild=guild)}
        while True:
            wanted = [command.to_dict(self.tree) for command in self.tree.get_commands(guild=guild)]
            digest = hashlib.sha256(orjson.dumps(wanted, option=orjson.OPT_SORT_KEYS)).hexdigest()
            names = {command["name"] for command in wanted}
            if await self.ledger.key_value(key) == digest and registered == names:
                return
            try:
                await self.tree.sync(guild=guild)
            except discord.HTTPException as error:
                if error.code == TOO_MANY_COMMANDS:
                    _go_on_with(registered, names)
                    return
                if error.status != BAD_REQUEST or not leave_out_refused(self.tree, error, guild):
                    raise
            else:
                await self.ledger.set_key_value(key, digest)
                return

    async def _unregister(self, place: str) -> None:
        """Remove the commands of a server, or those of all servers."""
        app = self.application_id or 0
        if place == EVERYWHERE:
            await self.http.bulk_upsert_global_commands(app, [])
            return
        try:
            await self.http.bulk_upsert_guild_commands(app, int(place), [])
        except (discord.Forbidden, discord.NotFound):
            log.info("server %s: I am not there any more, so my commands stay", place)

    async def _await_session_start(self) -> None:
        """Wait while Discord's daily limit on connections is used up. Exceeding it would cost the
        token.
        """
        while True:
            limits = await self._retries.attempt(self.fetch_session_start_limits)
            if limits.remaining > 0:
                return
            until = datetime.now(UTC) + timedelta(milliseconds=limits.reset_after, seconds=1)
            log.error(
                "Discord allows %d connections a day, and all are used up. I wait until %s.",
                limits.total,
                until.strftime("%Y-%m-%d %H:%M:%S UTC"),
            )
            while (left := (until - datetime.now(UTC)).total_seconds()) > 0:  # noqa: ASYNC110  (nobody tells the time)
                await asyncio.sleep(min(left, LOOKED_EVERY))


def share(shards: Shards) -> Budget:
    """Return this process's share of the requests that Discord allows the bot, in proportion to its
    shards.
    """
    requests = OVERALL.requests * len(shards.ids) // shards.count
    return Budget(OVERALL._replace(requests=max(1, requests)))


class _TryAgain(Exception):
    """An attempt to connect a shard failed."""


def _go_on_with(registered: set[str], wanted: set[str]) -> None:
    """Log that the commands can't be registered today. Raises `OperatorError` if none are
    registered already.
    """
    if not registered & wanted:
        raise OperatorError(
            "Discord takes no more new commands from me today (it allows 200 a day), and I have "
            "none yet. "
            "Start me again tomorrow."
        )
    missing = sorted(wanted - registered)
    log.critical(
        "Discord takes no more new commands from me today (it allows 200 a day). I go on with "
        "those it has: %s%s. "
        "Start me again tomorrow, and I register the others.",
        ", ".join(f"/{name}" for name in sorted(registered & wanted)),
        f"; not {', '.join(f'/{name}' for name in missing)}" if missing else ", as they were",
    )


def versions() -> str:
    """Return the versions of the program and of the installed games, which draw what people see."""
    found = [f"{game.info.id} {game.version}" for game in games().values()]
    return ", ".join((f"bourse {__version__}", *found))


def core_cogs(
    service: Service, delivery: Delivery, router: Router, source: str | None = None
) -> Sequence[commands.Cog]:
    """Return the cogs with the commands and buttons that all games share. ``source`` is where the
    source code is.
    """
    offer_buttons.bind(router)
    boards.bind(router)
    prompts.bind(router)
    tables.bind(router)
    return (
        TableCommands(),
        Arrival(service, delivery, router),
        SetUps(router),
        NextTimes(router),
        EveningsCommand(),
        PhaseCommands(),
        Offers(),
        NewOffers(router),
        HoldingsCommands(router),
        Negotiations(router),
        Deals(router),
        DebtCommands(router),
        Rulebook(router),
        Audits(router),
        History(router),
        Privacy(router),
        Pings(router),
        Help(router, source),
    )


async def open_ledger(settings: Settings, *, flush_interval: float = FLUSH_INTERVAL) -> Ledger:
    """Open the ledger of the settings, as `Ledger.open` does. Raises `OperatorError` when it can't
    be opened.

    It is a `TryAgain` if the database may be there later.
    """
    try:
        return await Ledger.open(
            settings.database_url, settings.key(), flush_interval=flush_interval
        )
    except LedgerError as error:
        raise (TryAgain if isinstance(error, Unreachable) else OperatorError)(str(error)) from error


async def claim_shards(
    stack: AsyncExitStack,
    url: str,
    shards: Shards | None,
    echo: Callable[[str], object],
    key: KeySource = None,
) -> Claim:
    """Hold these shards, or all, until the stack is closed. On PostgreSQL, wait until they are
    free.

    A stand-by whose ``key`` does not fit the ledger logs it before it waits, not when it has to
    take over.

    Raises `TryAgain` when the database can't be reached, and `OperatorError` for a file that
    another process uses.
    """
    wanted = shards or Shards()

    def waiting(why: str) -> None:
        if unfit:
            log.error("When I take over, I will end at once: %s", unfit)
        echo(why)

    try:
        unfit = await key_fault(url, key)
        return await stack.enter_async_context(claimed(url, wanted.ids, wanted.count, waiting))
    except LedgerError as error:
        raise (TryAgain if isinstance(error, Unreachable) else OperatorError)(str(error)) from error


async def run(
    settings: Settings,
    echo: Callable[[str], object],
    *,
    pace: float = BOARD_PACE,
    budget: Budget | None = None,
) -> None:
    """Run on Discord until stopped by a signal. ``echo`` writes a line to the operator's terminal.

    ``pace`` and ``budget`` are those of `Bourse`; only benchmarks change the defaults.

    Raises `OperatorError` for every error that ends the program, and its `TryAgain` if another
    start may help.
    """
    assert settings.discord_token is not None
    override_addresses(settings.discord_api_url, settings.discord_gateway_url)
    with stop_signals() as stopped:
        try:
            async with AsyncExitStack() as stack:
                watch = Watch()
                if settings.bourse_http_port is not None:
                    await stack.enter_async_context(
                        watch.served(settings.bourse_http_host, settings.bourse_http_port)
                    )
                shards = None  # this is the only process
                if settings.shard_ids is not None and settings.shard_count is not None:
                    shards = Shards(settings.shard_ids, settings.shard_count)
                url, key = settings.database_url, settings.key()
                claim = await unless_stopped(stopped, claim_shards(stack, url, shards, echo, key))
                ledger = await unless_stopped(stopped, open_ledger(settings))
                stack.push_async_callback(ledger.close)
                collect_seldom()
                bot = Bourse(
                    settings,
                    ledger,
                    claim=claim,
                    shards=shards,
                    pace=pace,
                    budget=budget,
                    watch=watch,
                )
                await _run_on(bot, claim, stopped, echo)
        except Stopped:
            return
        except Exception as error:
            log.debug("this ends the program", exc_info=True)
            ends = OperatorError if needs_operator(error) else TryAgain
            raise ends(sentence(error, settings.discord_guild_id)) from None


def collect_seldom() -> None:
    """Make full garbage collections rare: one visits everything in memory, and nobody gets an
    answer meanwhile.
    """
    gc.freeze()  # what exists now lives as long as the program
    # a full collection only after some 2.5 million more objects were made than freed
    gc.set_threshold(20_000, 5, 25)


async def _run_on(
    bot: Bourse, claim: Claim, stopped: asyncio.Event, echo: Callable[[str], object]
) -> None:
    """Run a bot on its open ledger. Raises `Stopped` after a signal, or the error that ended the
    connection.
    """
    assert bot.settings.discord_token is not None
    # without __aexit__, which would wait for the connection to close if Discord is unreachable
    await bot.__aenter__()
    tasks = Tasks()
    tasks.keep("watching the database", bot.ledger.watch)
    if folder := bot.settings.bourse_backup_dir:
        tasks.keep("the daily backup", lambda: make_backups(bot.settings.database_url, folder))
    if days := bot.settings.bourse_keep_closed_days:
        tasks.keep("removing old tables", lambda: remove_old_tables(bot.service, days))
    try:
        without_retries(bot, bot.delivery.refused)
        await bot.join_others()
        await unless_stopped(
            stopped,
            _unless_taken_over(claim, bot.log_in(bot.settings.discord_token.get_secret_value())),
        )
        name = database_name(bot.settings.database_url)
        log.info("Bourse %s on %s: %s", __version__, name, await bot.ledger.summary())
        tasks.start("comparing the ledger with the games", _tell_unreadable(bot.ledger))
        tasks.start("uploading icons", bot.have_icons())
        echo(f"Add me to a server: {invite(bot.application_id or 0)}")
        try:
            await unless_stopped(stopped, _unless_taken_over(claim, bot.connect()))
        except Stopped:
            # the shards still receive interactions, which are turned away rather than ignored
            await bot.drain()
            raise
    finally:
        await tasks.close()
        if claim.lost.is_set():
            bot.ledger.messages.drop()  # the other process now records the state of the messages
        await bot.close()


async def _tell_unreadable(ledger: Ledger) -> None:
    """Log a line for each kind of entry in the ledger that can't be read here."""
    for line in unreadable(await ledger.entries.every_kind()):
        log.warning("%s", line)


async def _unless_taken_over(claim: Claim, work: Coroutine[Any, Any, None]) -> None:
    """Run ``work`` while this process holds its shards. Raises `TryAgain` when another process
    takes them.
    """
    try:
        await unless_stopped(claim.lost, work)
    except Stopped:
        raise TryAgain(TAKEN_OVER) from None


def invite(application_id: int) -> str:
    """Return the link that adds the bot to a server, with the permissions it needs."""
    return discord.utils.oauth_url(
        application_id, permissions=NEEDED, scopes=("bot", "applications.commands")
    )
