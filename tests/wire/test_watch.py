"""Tests of the monitoring pages and the log of a bot on Discord, without secrets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import signal
from pathlib import Path

import aiohttp
import pytest

from tests.loopback.loopback import TOKEN, Loopback
from tests.loopback.process import BotProcess, process
from tests.wire.club import ALICE, BOB, CAROL
from tests.wire.conftest import Online, Shared, Table
from tests.wire.test_starts_and_stops import at

pytestmark = pytest.mark.wire
sharing = pytest.mark.asyncio(loop_scope="module")

SETTINGS = {"BOURSE_HTTP_PORT": "0"}
"""Of the bot that tests share."""

SERVED = re.compile(r"are at (http://127\.0\.0\.1:\d+)")


async def read(bot: BotProcess, path: str) -> tuple[int, str]:
    """Return the status and the text of one of the pages, whose address is in the log."""
    await bot.said("are at http://")
    found = SERVED.search(bot.err)
    assert found is not None
    async with aiohttp.ClientSession() as session, session.get(found[1] + path) as answer:
        return answer.status, await answer.text()


async def until(bot: BotProcess, path: str, status: int) -> str:
    """Wait until a page has this status, and return its text."""
    async with asyncio.timeout(60):
        while (found := await read(bot, path))[0] != status:  # noqa: ASYNC110  (another process, which tells nobody)
            await asyncio.sleep(0.05)
    return found[1]


async def measured(bot: BotProcess, *lines: str) -> str:
    """Wait until a line of the metrics matches each of these patterns, and return the page.

    An interaction is counted when it has ended, which may be after its answer was read.
    """
    missing = list(lines)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(60):
            while missing:
                _, page = await read(bot, "/metrics")
                missing = [line for line in lines if not re.search(f"^{line}$", page, re.M)]
                await asyncio.sleep(0.05 if missing else 0)
    assert not missing, page
    return page


@sharing
async def test_a_bot_that_answers_people(table: Table, shared: Shared) -> None:
    """No other test has a table: what is counted is what happens here."""
    discord, bot = table.discord, shared.bot
    await table.slash("offer post", user=table.alice, to=table.bob, want="2 tg")
    refused = await discord.press("Accept", user=table.bob)
    assert "[94.2]" in refused.text
    await discord.suggest("offer post", "give", "3 t", user=table.alice, at=table.at)
    assert (await read(bot, "/healthz"))[0] == 200
    assert await until(bot, "/readyz", 200) == "I answer people.\n"
    page = await measured(
        bot,
        r'bourse_interactions_total\{command="offer post",kind="command",outcome="done"\} 1\.0',
        r'bourse_interactions_total\{command="offer post",kind="completion",outcome="done"\} 1\.0',
        r'bourse_interactions_total\{command="[\w.]+",kind="press",outcome="refused"\} 1\.0',
        r'bourse_refusals_total\{rule="94\.2"\} 1\.0',
        r'bourse_answer_seconds_count\{answer="reply",kind="command"\} 7\.0',
        r"bourse_request_wait_seconds_count [1-9].*",
        r'bourse_gateway_connected\{shard="0"\} 1\.0',
        r"bourse_open_tables 1\.0",
        r"bourse_ready 1\.0",
    )
    for secret in (TOKEN, "alice", "bob"):
        assert secret not in page


async def test_a_discord_that_is_gone_is_the_reason(discord: Loopback, tmp_path: Path) -> None:
    settings = at(
        discord, tmp_path, DISCORD_API_URL="http://127.0.0.1:9/api/v10", BOURSE_HTTP_PORT="0"
    )
    async with process(tmp_path, settings) as bot:
        await bot.said("can't be reached")
        status, why = await read(bot, "/readyz")
        assert (status, why.count("\n")) == (503, 1)
        assert why.startswith("Not connected to Discord: shard 0. Discord can't be reached (")
        assert (await read(bot, "/healthz"))[0] == 200
        assert "bourse_ready 0.0" in (await read(bot, "/metrics"))[1]
        bot.process.send_signal(signal.SIGTERM)
        assert (await bot.ended()).code == 0


@sharing
async def test_a_gateway_that_is_gone_is_the_reason(shared: Shared) -> None:
    discord, bot = shared.discord, shared.bot
    await until(bot, "/readyz", 200)
    discord.gateway.shut = True
    await discord.drop()
    assert await until(bot, "/readyz", 503) == "Not connected to Discord: shard 0.\n"
    assert 'bourse_gateway_connected{shard="0"} 0.0' in (await read(bot, "/metrics"))[1]
    discord.gateway.shut = False
    await until(bot, "/readyz", 200)


HANDS = {
    ALICE: ("egypt", "7 salt, 6 hides"),
    BOB: ("crete", "7 grain, 7 iron"),
    CAROL: ("italy", "6 wine, 5 ochre"),
}
WORDS = "the-promise-nobody-else-reads"


async def test_an_evening_at_debug_level_leaves_no_secret_in_the_log(
    discord: Loopback, online: Online, tmp_path: Path
) -> None:
    """Neither the token and the key, nor cards in hidden hands, nor what was promised."""
    async with online(BOURSE_LOG="debug", BOURSE_LOG_FORMAT="json", BOURSE_HTTP_PORT="0") as bot:
        await discord.slash("table open", user=ALICE, game="advciv")
        for person, (seat, _) in HANDS.items():
            await discord.slash("table sit", user=person, seat=seat)
        for person, (_, cards) in HANDS.items():
            await discord.slash("holdings set", user=ALICE, player=person, goods=cards)
        await discord.slash("trading open", user=ALICE)
        offer = {"give": "2 salt, ?", "want": "grain, iron, ?", "terms": WORDS}
        await discord.slash("offer post", user=ALICE, **offer, to=BOB)
        await discord.slash("offer post", user=ALICE, **offer)
        # which he does not have
        await discord.slash("offer post", user=BOB, give="9 wine", want="?")
        # which is not hers
        await discord.suggest("offer hand", "cards", "sal", user=CAROL, offer=1)
        await discord.press("Agree", user=BOB, on="Offer 1")
        await discord.slash("offer hand", user=ALICE, offer=1, cards="2 salt, hides")
        await discord.slash("offer hand", user=BOB, offer=1, cards="grain, 2 iron")
        await discord.slash("deal propose", user=ALICE, with_=BOB, terms=WORDS, when="later")
        deal = next(command for command in discord.world.commands if command["name"] == "deal")
        propose = next(each for each in deal["options"] if each["name"] == "propose")
        # of another version
        del next(option for option in propose["options"] if option["name"] == "when")["choices"]
        outdated = await discord.slash(
            "deal propose", user=ALICE, with_=BOB, terms="soon", when=WORDS
        )
        assert "another version" in outdated.text
        await discord.redeliver(await discord.slash("holdings show", user=BOB, dm=True))
        await discord.quiet()
        key = (tmp_path / "bourse.db.key").read_text().strip()
        _, page = await read(bot, "/metrics")
        finished = await bot.stop()
    said = finished.err.replace(json.dumps(str(tmp_path))[1:-1], "")
    lines = [json.loads(line) for line in said.splitlines()]
    cards = re.findall("[a-z]+", " ".join(hand for _, hand in HANDS.values()))
    for secret in (TOKEN, key, WORDS, *cards):
        assert not re.search(rf"(?<![a-z]){secret}(?![a-z])", said + page, re.I), secret
    ended = [
        line
        for line in lines
        if line["logger"] == "cogs.answers" and line["message"].startswith("command offer")
    ]
    assert len(ended) >= 5
    assert all(line.get("table") == 1 and line.get("interaction") for line in ended), ended
    assert {line["message"] for line in ended if line.get("offer") == 1} == {
        "command offer hand: done"
    }
    assert {"info", "debug"} <= {line["level"] for line in lines}
