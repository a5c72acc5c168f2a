"""Tests of starts and stops of whole processes.

- A start that fails: exit code 2, one line on stderr, no token in it.
- A start that waits for Discord: the log of a whole program, and a signal meanwhile.
- A signal while modules are being loaded: no handler of ours is there yet.
- A signal to an idle bot, and one while an answer is under way: Python's handler wakes the loop.
- A second signal, by which the system ends the process.

Other sentences and other stops run in the test's own process, in `tests/lifecycle`.
"""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from tests.loopback import screen
from tests.loopback.loopback import Loopback
from tests.loopback.process import BotProcess, Finished, process
from tests.scale import variants
from tests.wire.club import ALICE, BOB, sit_down
from tests.wire.conftest import Ledger, Online

pytestmark = pytest.mark.wire

CALLBACK = r"/callback$"
SIGNALS = variants(signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
STOPS = pytest.mark.parametrize("number", SIGNALS)


async def ended(bot: BotProcess, number: signal.Signals) -> Finished:
    """Sends a signal and waits for the end; whatever else, it says no traceback."""
    bot.process.send_signal(number)
    finished = await bot.ended()
    assert "Traceback" not in finished.err
    return finished


def at(discord: Loopback, folder: Path, **settings: str) -> dict[str, str]:
    return {**discord.settings, "DATABASE_URL": f"sqlite:///{folder / 'bourse.db'}", **settings}


async def test_a_token_discord_rejects(discord: Loopback, tmp_path: Path) -> None:
    wrong = "not-the-token-of-this-bot"
    async with process(tmp_path, at(discord, tmp_path, DISCORD_TOKEN=wrong)) as bot:
        finished = await bot.ended()
    said = (
        "bourse: Discord rejected DISCORD_TOKEN. Copy it again from your application's Bot page.\n"
    )
    assert (finished.code, finished.out, finished.err) == (2, "", said)
    assert [call.path for call in discord.calls] == ["/users/@me"]


@STOPS
async def test_a_discord_in_trouble_is_waited_for(
    discord: Loopback, tmp_path: Path, number: signal.Signals
) -> None:
    discord.fail("GET", r"/users/@me$", 503, times=2)
    discord.gateway.shut = True
    soon = {"bot.lifecycle.failures:FIRST_PAUSE": 0.1}
    async with process(tmp_path, at(discord, tmp_path), constants=soon) as bot:
        await bot.said("Failed to connect for shard_id: 0. Retrying...")
        finished = await ended(bot, number)
    assert finished.code == 0
    told = [
        "I keep trying",
        "Discord answers again",
        "Bourse ",
        "Failed to connect",
        signal.Signals(number).name,
    ]
    for line, text in zip(finished.err.splitlines(), told, strict=True):
        assert text in line


@pytest.mark.parametrize("after", variants(0.4, 0.15, 0.8))
async def test_a_signal_while_it_is_being_loaded(
    discord: Loopback, tmp_path: Path, after: float
) -> None:
    async with process(tmp_path, at(discord, tmp_path)) as bot:
        await asyncio.sleep(after)  # whenever it comes, it ends the bot quietly
        finished = await ended(bot, signal.SIGTERM)
        assert finished.code in (0, -signal.SIGTERM), finished
        assert finished.err == "" or "INFO" in finished.err


@STOPS
async def test_an_idle_bot_delivers_what_is_owed(
    discord: Loopback, online: Online, number: signal.Signals
) -> None:
    async with online() as bot:
        await sit_down(discord)
        await discord.quiet()
        discord.fail("POST", r"/channels/\d+/messages$", 503, times=1)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c")
        await discord.quiet()
        assert (await ended(bot, number)).code == 0
        shown = [
            message for message in discord.world.visible(BOB) if "Accept" in screen.labels(message)
        ]
        assert len({message["channel_id"] for message in shown}) == len(shown) == 2, (
            "in the channel and by DM"
        )


async def test_a_press_under_way_is_answered_and_what_comes_then_is_turned_away(
    discord: Loopback, online: Online, recorded: Ledger
) -> None:
    patient = {"bot.app:ANSWER_WITHIN": 30.0, "bot.app:DELIVER_WITHIN": 60.0}
    async with online(constants=patient) as bot:
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c")
        card = await discord.sees(BOB, "3 trade goods", button="Accept")
        await discord.quiet()
        held = discord.hold("POST", CALLBACK)
        accepted = await discord.press("Accept", user=BOB, on=card, wait=False)
        await held.arrived.wait()
        before = recorded()
        assert before.count("offer.transaction") == 1
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
        assert bot.process.returncode is None
        held.released.set()
        assert (await bot.ended()).code == 0
        assert accepted.answers
        assert recorded() == before
        shown = discord.world.visible(BOB)
        assert not any("Accept" in screen.labels(message) for message in shown), (
            "delivered before the end"
        )


@STOPS
async def test_a_second_signal_ends_it_at_once(
    discord: Loopback, online: Online, number: signal.Signals
) -> None:
    async with online() as bot:
        await sit_down(discord)
        held = discord.hold("POST", CALLBACK)
        await discord.slash("offer list", user=ALICE, wait=False)
        await held.arrived.wait()
        bot.process.terminate()
        await bot.said("SIGTERM")
        assert (await ended(bot, number)).code == -number
