"""`bourse` without a token: the bot at a table on this machine, with a page to play in.

Everything runs in this process: the bot on SimCord, a Preview for each opened place (`places`), and
in front of them one web server on one address (`server`). Simulated time follows real time.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
import sys
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

import simcord
from aiohttp import web

from bot.app import Bourse, claim_shards, open_ledger
from bot.delivery import Budget
from bot.errors import OperatorError
from bot.ledger import Ledger
from bot.lifecycle import stop_signals
from bot.rehearsal.cast import allow_a_slow_machine, gather, set_clock
from bot.rehearsal.game_tables import RehearsalTables
from bot.rehearsal.places import Places
from bot.rehearsal.server import PageServer
from bot.settings import Settings
from bot.tasks import Stopped, Tasks, unless_stopped

HOST: Final = "127.0.0.1"
SETTLE_TIMEOUT: Final = 10.0
"""Seconds. An action waits for timers that are due within this time."""
WITHIN: Final = 60.0
"""Seconds of real time allowed for one action. After that, the bot counts as hung."""
CLOCK: Final = "rehearsal.clock"
"""Ledger key of the saved clock: an instant later than every id of earlier runs."""
TOKEN: Final = "rehearsal.token"
"""Ledger key of the token in the page's address. With it, an open page reconnects after a
restart.
"""
CLOCK_SAVED_EVERY: Final = 15.0
"""Seconds between two saves of the clock."""


async def serve(settings: Settings) -> None:
    """Serve the page until Ctrl-C or SIGTERM, and print its address.

    The table of one game is set up; those of other games are when somebody chooses them. Needs
    asyncio's own event loop, since SimCord reads its timers.

    Raises `OperatorError` when the ledger cannot be opened, the port is taken, or the first table
    could not be set up.
    """
    with stop_signals() as stopped:
        async with contextlib.AsyncExitStack() as stack:
            try:
                await unless_stopped(
                    stopped, claim_shards(stack, settings.database_url, None, _say)
                )
            except Stopped:
                return
            listening = _bind(settings.bourse_port)
            stack.callback(listening.close)
            # SimCord would wait for a late write
            ledger = await open_ledger(settings, flush_interval=0)
            stack.push_async_callback(ledger.close)
            bot = Bourse(settings, ledger, shard_count=1, pace=0, budget=Budget(None, None))
            token = await token_of(ledger)
            env = simcord.Env(bot, settle_timeout=SETTLE_TIMEOUT)
            allow_a_slow_machine(env, WITHIN)
            cast = gather(env, settings.bourse_game)
            set_clock(env, await start_time(ledger))
            await env.start()
            stack.push_async_callback(env.shutdown)
            # Let the bot explain a command's errors to the person. SimCord's own handler collects
            # them for tests; the page would then treat a refusal as a failed action and leave the
            # command in the input.
            vars(bot.tree).pop("on_error", None)
            stack.enter_context(env.time_context())
            rehearsal_tables = RehearsalTables(env, cast, ledger)
            await rehearsal_tables.open()
            places = Places(env, rehearsal_tables)
            stack.push_async_callback(places.close)
            server = PageServer(listening.getsockname()[1], token, rehearsal_tables, places)
            stack.push_async_callback(server.play_routes.close)
            runner = web.AppRunner(server.app, access_log=None, shutdown_timeout=1)
            await runner.setup()
            stack.push_async_callback(runner.cleanup)
            await web.SockSite(runner, listening).start()
            tasks = Tasks()
            stack.push_async_callback(tasks.close)
            for work in (places.keep_time, partial(_save_clock, env, ledger)):
                tasks.keep("a task of the page", work)
            _say(
                f"Bourse is at the table: http://{HOST}:{server.port}/{token}/\n"
                "Ctrl-C stops it. The tables are still there when you start it again."
            )
            await stopped.wait()
            await bot.drain()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _bind(port: int) -> socket.socket:
    """Listen on a port. Raises `OperatorError` when that is not possible."""
    try:
        return socket.create_server((HOST, port))
    except OSError as problem:
        raise OperatorError(
            f"Port {port} can't be used on this machine ({problem.strerror}): another program uses "
            "it, "
            "or you may not. Set BOURSE_PORT to another, such as 8770."
        ) from problem


async def token_of(ledger: Ledger) -> str:
    """Return the page's token for this ledger. It is drawn at random for the first page served on
    the ledger.
    """
    token = await ledger.key_value(TOKEN)
    if token is None:
        token = secrets.token_urlsafe(16)
        await ledger.set_key_value(TOKEN, token)
    return token


async def start_time(ledger: Ledger) -> datetime:
    """Return the start time of this run: now, or the saved clock if the machine's clock was set
    back since.

    Discord's ids hold their time of creation, and the ledger refuses an interaction id that it
    knows.
    """
    now = datetime.now(UTC)
    saved = await ledger.key_value(CLOCK)
    return max(now, datetime.fromisoformat(saved)) if saved else now


async def _save_clock(env: simcord.Env, ledger: Ledger) -> None:
    """Save, again and again, an instant that this run will not reach before the next save. Never
    returns.
    """
    while True:
        await ledger.set_key_value(
            CLOCK, (env.now() + timedelta(seconds=2 * CLOCK_SAVED_EVERY)).isoformat()
        )
        await asyncio.sleep(CLOCK_SAVED_EVERY)
