"""SIGTERM and SIGINT: what is under way is answered, what comes then is turned away, and the bot ends with 0."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.loopback import screen
from tests.loopback.loopback import Loopback
from tests.loopback.process import ROOT, BotProcess, Finished, process
from tests.wire.club import ALICE, BOB, sit_down
from tests.wire.conftest import Ledger, Online

pytestmark = pytest.mark.wire

CALLBACK = r"/callback$"
STOPS = pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])


async def ended(bot: BotProcess, number: signal.Signals) -> Finished:
    """Sends a signal and waits for the end; whatever else, it says no traceback."""
    bot.process.send_signal(number)
    finished = await bot.ended()
    assert "Traceback" not in finished.err
    return finished


def at(discord: Loopback, folder: Path) -> dict[str, str]:
    return {**discord.settings, "DATABASE_URL": f"sqlite:///{folder / 'bourse.db'}"}


@STOPS
async def test_a_signal_ends_an_idle_bot(discord: Loopback, online: Online, number: signal.Signals) -> None:
    async with online() as bot:
        await sit_down(discord)
        assert (await ended(bot, number)).code == 0


@STOPS
async def test_a_signal_while_it_waits_for_discord(discord: Loopback, tmp_path: Path, number: signal.Signals) -> None:
    discord.fail("GET", r"/users/@me$", 503, times=1000)
    async with process(tmp_path, at(discord, tmp_path)) as bot:
        await discord.until(lambda: discord.calls)
        assert (await ended(bot, number)).code == 0


@pytest.mark.parametrize("after", [0.15, 0.4, 0.8])
async def test_a_signal_while_it_is_being_loaded(discord: Loopback, tmp_path: Path, after: float) -> None:
    async with process(tmp_path, at(discord, tmp_path)) as bot:
        await asyncio.sleep(after)  # whenever it comes, it ends the bot quietly
        finished = await ended(bot, signal.SIGTERM)
        assert finished.code in (0, -signal.SIGTERM), finished
        assert finished.err == "" or "INFO" in finished.err


INSIDE_A_CALLBACK = """
import os, signal, sys, weakref
from bot.cli import program

class Module: pass

def loads(settings):
    module = Module()
    told = weakref.ref(module, lambda _: os.kill(os.getpid(), signal.SIGTERM))
    del module
    return 3

program._connect = program._rehearse = loads
sys.exit(program.main([]))
"""


def test_a_signal_is_not_lost_where_python_ignores_exceptions(tmp_path: Path) -> None:
    """Python's own loading of modules has such places."""
    command = [sys.executable, "-c", INSIDE_A_CALLBACK]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


async def test_a_press_under_way_is_answered(discord: Loopback, online: Online, recorded: Ledger) -> None:
    async with online() as bot:
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c")
        await discord.quiet()
        held = discord.hold("POST", CALLBACK)
        accepted = await discord.press("Accept", user=BOB, wait=False)
        await held.arrived.wait()
        bot.process.terminate()
        await bot.said("SIGTERM")
        assert bot.process.returncode is None
        held.released.set()
        assert (await bot.ended()).code == 0
        assert accepted.answers
        assert recorded("offer.transaction") == ["offer.transaction"]
        shown = discord.world.visible(BOB)
        assert not any("Accept" in screen.labels(message) for message in shown), "delivered before the end"


async def test_what_comes_then_is_turned_away(discord: Loopback, online: Online, recorded: Ledger) -> None:
    async with online() as bot:
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c")
        card = await discord.sees(BOB, "3 trade goods", button="Accept")
        await discord.quiet()
        before = recorded()
        held = discord.hold("POST", CALLBACK)
        await discord.slash("offer list", user=ALICE, wait=False)
        await held.arrived.wait()
        bot.process.terminate()
        await bot.said("SIGTERM")
        for late in (
            await discord.press("Accept", user=BOB, on=card, wait=False),
            await discord.slash("offer post", user=ALICE, give="1 tg", wait=False),
        ):
            await discord.until(lambda late=late: late.answers)
            assert late.ephemeral
            assert "restarting" in late.text
        assert await discord.suggest("offer post", "give", "3", user=ALICE) == []
        held.released.set()
        assert (await bot.ended()).code == 0
        assert recorded() == before


async def test_an_answer_that_hangs_does_not_keep_it(discord: Loopback, online: Online) -> None:
    async with online() as bot:
        await sit_down(discord)
        held = discord.hold("POST", CALLBACK)
        await discord.slash("offer list", user=ALICE, wait=False)
        await held.arrived.wait()
        assert (await ended(bot, signal.SIGTERM)).code == 0


@STOPS
async def test_a_second_signal_ends_it_at_once(discord: Loopback, online: Online, number: signal.Signals) -> None:
    async with online() as bot:
        await sit_down(discord)
        held = discord.hold("POST", CALLBACK)
        await discord.slash("offer list", user=ALICE, wait=False)
        await held.arrived.wait()
        bot.process.terminate()
        await bot.said("SIGTERM")
        assert (await ended(bot, number)).code == -number


async def test_what_is_owed_is_delivered(discord: Loopback, online: Online) -> None:
    async with online() as bot:
        await sit_down(discord)
        await discord.quiet()
        discord.fail("POST", r"/channels/\d+/messages$", 503, times=1)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c")
        await discord.quiet()
        assert (await ended(bot, signal.SIGTERM)).code == 0
        shown = [message for message in discord.world.visible(BOB) if "Accept" in screen.labels(message)]
        assert len({message["channel_id"] for message in shown}) == len(shown) == 2, "in the channel and by DM"


async def test_a_discord_that_is_away_does_not_keep_it(discord: Loopback, online: Online) -> None:
    async with online() as bot:
        await sit_down(discord)
        await discord.quiet()
        discord.fail("POST", r"/channels/\d+/messages$", 503, times=1000)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c")
        assert (await ended(bot, signal.SIGTERM)).code == 0


async def test_a_locked_database_does_not_keep_it(discord: Loopback, online: Online, tmp_path: Path) -> None:
    async with online() as bot:
        await sit_down(discord)
        await discord.quiet()
        with closing(sqlite3.connect(tmp_path / "bourse.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c", wait=False)
            finished = await ended(bot, signal.SIGTERM)
        assert finished.code == 0, finished


async def test_what_discord_gave_up_on_while_a_new_process_was_stopped_is_not_carried_out(
    discord: Loopback, online: Online, recorded: Ledger
) -> None:
    async with online() as bot:
        await sit_down(discord)
        await discord.quiet()
        await ended(bot, signal.SIGTERM)
    before = recorded()
    async with online(constants={"cogs.answers:DEFER_AFTER": 1.5, "cogs.answers:GIVE_UP_AFTER": 2.8}) as bot:
        bot.process.send_signal(signal.SIGSTOP)
        posted = [await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg", wait=False) for _ in range(3)]
        patience, discord.rest.callback_within = discord.rest.callback_within, 3.0  # as the real Discord has it
        while any(each.age() <= discord.rest.callback_within for each in posted):  # noqa: ASYNC110  (time passes)
            await asyncio.sleep(0.1)
        bot.process.send_signal(signal.SIGCONT)
        await discord.until(lambda: all(each.too_late for each in posted))
        for each in posted:
            await bot.said(f"an interaction was not answered in time and is not carried out [interaction {each.id}]")
        assert recorded() == before
        discord.rest.callback_within = patience
        await discord.slash("offer post", user=ALICE, to=BOB, give="2 tg")
        assert recorded("offer.posted") == ["offer.posted"]
