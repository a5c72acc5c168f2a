"""What the operator must fix is one line on stderr and exit code 2, never a traceback; what passes is waited for."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
from pathlib import Path

import pytest
from aiohttp import web

from bot.ledger import Ledger
from bot.rules.features.seats import Sit
from tests.loopback.faults import Fault, Serve
from tests.loopback.loopback import Loopback
from tests.loopback.process import BotProcess, process
from tests.loopback.world import GUILD
from tests.service.club import ALICE as HOST
from tests.service.club import Club
from tests.service.test_upgrades import Unload, version_1
from tests.wire.club import ALICE, sit_down
from tests.wire.conftest import Online

pytestmark = pytest.mark.wire


def at(discord: Loopback, folder: Path, **settings: str) -> dict[str, str]:
    return {**discord.settings, "DATABASE_URL": f"sqlite:///{folder / 'bourse.db'}", **settings}


async def stops(folder: Path, settings: dict[str, str], *named: str) -> None:
    """The bot ends with 2 and one line that names what is wrong."""
    async with process(folder, settings) as bot:
        await has_ended(bot, *named)


async def has_ended(bot: BotProcess, *named: str) -> None:
    finished = await bot.ended()
    assert finished.code == 2, finished
    assert finished.err.startswith("bourse: "), finished
    assert finished.err.count("\n") == 1, finished
    assert finished.err.endswith((".\n", "?\n")), finished
    assert "Traceback" not in finished.err + finished.out
    for name in named:
        assert name in finished.err


async def test_a_token_discord_rejects(discord: Loopback, tmp_path: Path) -> None:
    wrong = "not-the-token-of-this-bot"
    settings = {**discord.settings, "DISCORD_TOKEN": wrong, "DATABASE_URL": f"sqlite:///{tmp_path}/bourse.db"}
    await stops(tmp_path, settings, "DISCORD_TOKEN")
    assert wrong not in (tmp_path / "stderr").read_text()
    assert [call.path for call in discord.calls] == ["/users/@me"]


async def test_a_database_that_cannot_be_opened(discord: Loopback, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    await stops(tmp_path, {**discord.settings, "DATABASE_URL": f"sqlite:///{tmp_path}/file/bourse.db"}, "bourse.db")
    assert discord.calls == []


async def test_a_database_server_that_is_not_there(discord: Loopback, tmp_path: Path) -> None:
    await stops(tmp_path, {**discord.settings, "DATABASE_URL": "postgresql://bourse:hidden@127.0.0.1:9/bourse"})
    assert "hidden" not in (tmp_path / "stderr").read_text()


async def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        settings = {"BOURSE_PORT": port, "DATABASE_URL": f"sqlite:///{tmp_path}/bourse.db"}
        await stops(tmp_path, settings, "BOURSE_PORT", port)


@pytest.mark.parametrize(
    ("name", "value"),
    [("BOURSE_PORT", "eight"), ("DISCORD_TOKN", "secret")],
)
async def test_a_wrong_or_unknown_setting(name: str, value: str, tmp_path: Path) -> None:
    await stops(tmp_path, {name: value}, name)


# -- Discord refuses ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "status", "code", "named"),
    [
        (r"/users/@me$", 403, 0, "403"),
        (r"/users/@me$", 404, 0, "DISCORD_API_URL"),
        (r"/applications/@me$", 401, 0, "DISCORD_TOKEN"),
        (r"/commands$", 400, 50035, "50035"),
        (r"/gateway/bot$", 401, 0, "DISCORD_TOKEN"),
    ],
)
async def test_what_discord_refuses_at_the_start(
    discord: Loopback, tmp_path: Path, path: str, status: int, code: int, named: str
) -> None:
    for method in ("GET", "PUT"):
        discord.fail(method, path, status, code=code, times=100)
    await stops(tmp_path, at(discord, tmp_path), named)


@pytest.mark.parametrize(("status", "code"), [(403, 50001), (404, 10004)])
async def test_a_server_that_it_is_not_on(discord: Loopback, tmp_path: Path, status: int, code: int) -> None:
    discord.fail("GET", r"/commands$", status, code=code)
    await stops(tmp_path, at(discord, tmp_path, DISCORD_GUILD_ID=GUILD), GUILD, "DISCORD_GUILD_ID")


@pytest.mark.parametrize(
    ("code", "named"),
    [(4004, "DISCORD_TOKEN"), (4010, "SHARD"), (4011, "SHARD"), (4012, "newer"), (4013, "intents"), (4014, "intents")],
)
async def test_a_connection_that_discord_ends_for_good(
    discord: Loopback, online: Online, code: int, named: str
) -> None:
    async with online() as bot:
        await sit_down(discord)
        await discord.quiet()
        (bot.folder / "stderr").write_text("")
        await hang_up(discord, code)
        await has_ended(bot, named)


async def hang_up(discord: Loopback, code: int) -> None:
    """Closes every connection with this code."""
    for session in discord.gateway._sessions.values():
        assert session.ws is not None
        await session.ws.close(code=code)


async def test_no_more_new_commands_today(discord: Loopback, online: Online, tmp_path: Path) -> None:
    discord.fail("PUT", r"/commands$", 400, code=30034)
    await stops(tmp_path, at(discord, tmp_path), "200 a day", "tomorrow")
    async with online():
        pass
    gone = next(each for each in reversed(discord.world.commands) if each["type"] == 1)
    discord.world.commands.remove(gone)
    kept = {command["name"] for command in discord.world.commands}
    discord.world.commands.append({**gone, "id": "5000", "name": "yore", "options": []})
    discord.fail("PUT", r"/commands$", 400, code=30034)
    async with online() as bot:
        await sit_down(discord)
        assert bot.err.count("CRITICAL") == 1
        assert "200 a day" in bot.err
        assert all(f"/{name}" in bot.err for name in kept)
        assert "another version" in (await discord.slash("yore", user=ALICE)).text
    async with online():
        assert len([call for call in discord.calls if call.method == "PUT"]) == 4, "the next start tries again"


# -- what passes by itself ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", r"/users/@me$", 503),
        ("GET", r"/users/@me$", 500),
        ("GET", r"/applications/@me$", 503),
        ("GET", r"/commands$", 502),
        ("PUT", r"/commands$", 503),
        ("GET", r"/gateway/bot$", 503),
    ],
)
async def test_a_discord_in_trouble_is_waited_for(
    discord: Loopback, online: Online, method: str, path: str, status: int
) -> None:
    discord.fail(method, path, status, times=2)
    async with online(constants={"bot.lifecycle.failures:FIRST_PAUSE": 0.1}) as bot:
        await discord.slash("table open", user=ALICE, game="ti4")
        assert bot.err.count("I keep trying") == 1
        assert str(status) in bot.err
        assert bot.err.count("Discord answers again") == 1
        assert "Unclosed" not in bot.err


@pytest.mark.parametrize(
    "api", ["http://127.0.0.1:9/api/v10", "http://nowhere.invalid/api/v10"], ids=["refused", "unknown"]
)
async def test_a_discord_that_cannot_be_reached_is_waited_for(discord: Loopback, tmp_path: Path, api: str) -> None:
    async with process(tmp_path, at(discord, tmp_path, DISCORD_API_URL=api)) as bot:
        await bot.said("can't be reached")
        await asyncio.sleep(2)  # it says so once, however often it tries
        bot.process.send_signal(signal.SIGTERM)
        finished = await bot.ended()
    assert finished.code == 0
    assert finished.err.count("can't be reached") == 1
    assert "Traceback" not in finished.err


async def test_connections_used_up_for_today_are_waited_for(discord: Loopback, online: Online) -> None:
    discord.rest.faults.append(UsedUp(method="GET", path="/gateway/bot$", times=1))
    async with online() as bot:
        await discord.slash("table open", user=ALICE, game="ti4")
        assert re.search(r"1000 connections a day.* I wait until 20\d\d-", bot.err)


class UsedUp(Fault):
    """Discord's answer when a bot has connected too often; soon it may again."""

    async def answer(self, serve: Serve) -> web.StreamResponse:
        limit = {"total": 1000, "remaining": 0, "reset_after": 1500, "max_concurrency": 1}
        body = json.dumps({"url": "ws://127.0.0.1:9", "shards": 1, "session_start_limit": limit})
        return web.Response(body=body.encode(), headers={"Content-Type": "application/json"})


async def test_a_gateway_that_cannot_be_reached_is_one_line(discord: Loopback, tmp_path: Path) -> None:
    settings = at(discord, tmp_path, DISCORD_GATEWAY_URL="ws://127.0.0.1:9/gateway")
    discord.gateway.url = settings["DISCORD_GATEWAY_URL"]
    async with process(tmp_path, settings) as bot:
        await bot.said("Connect call failed")
        await asyncio.sleep(6)  # discord.py tries again after five
        bot.process.send_signal(signal.SIGTERM)
        finished = await bot.ended()
    assert finished.code == 0
    assert finished.err.count("Connect call failed") == 1
    assert "Traceback" not in finished.err


# -- what the ledger has and no game reads -----------------------------------------------------------


async def test_kinds_of_entries_that_no_game_reads_are_told(discord: Loopback, online: Online, tmp_path: Path) -> None:
    ledger = await Ledger.open(f"sqlite:///{tmp_path / 'bourse.db'}")
    try:
        with version_1():
            club = Club(ledger)
            await club.opens(game="bazaar")
            await club.does(HOST, Sit("red"))
            await club.does(HOST, Unload())
    finally:
        await ledger.close()
    async with online() as bot:
        await bot.said("bazaar.hauled (version 1) at 1 table can't be read: the game bazaar is not installed.")
        assert bot.err.count("can't be read") == 1
        assert "Traceback" not in bot.err
