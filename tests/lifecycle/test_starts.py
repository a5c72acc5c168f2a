"""Tests of starts: permanent errors are one sentence, temporary ones are retried.

`tests/wire/test_starts_and_stops.py` shows what a whole process makes of it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from pathlib import Path

import pytest
from aiohttp import web

from bot.ledger import Ledger
from bot.lifecycle import failures
from bot.rules.features.seats import Sit
from tests.loopback.faults import Fault, Serve
from tests.loopback.inside import inside
from tests.loopback.loopback import Loopback
from tests.loopback.process import START_WITHIN
from tests.loopback.world import GUILD
from tests.scale import long, variants
from tests.service.club import ALICE as HOST
from tests.service.club import Club
from tests.service.test_upgrades import Unload, version_1
from tests.wire.club import ALICE, sit_down


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'bourse.db'}"


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again at once what passes by itself."""
    monkeypatch.setattr(failures, "FIRST_PAUSE", 0.01)


async def why_it_ends(discord: Loopback, database: str, **settings: str) -> str:
    """Return the one sentence with which a start ends."""
    async with inside(discord, database, **settings) as bot:
        said = await bot.ended()
    assert re.fullmatch(r"[A-Z].*\.", said)
    return said


async def logged(caplog: pytest.LogCaptureFixture, text: str) -> None:
    async with asyncio.timeout(START_WITHIN):
        while text not in caplog.text:  # noqa: ASYNC110  (a log tells nobody)
            await asyncio.sleep(0.01)


async def test_a_database_that_cannot_be_opened(discord: Loopback, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    assert "bourse.db" in await why_it_ends(discord, f"sqlite:///{tmp_path}/file/bourse.db")
    assert discord.calls == []


async def test_a_database_server_that_is_not_there(discord: Loopback) -> None:
    said = await why_it_ends(
        discord, "postgresql://bourse:hidden@127.0.0.1:9/bourse", BOURSE_KEY="k" * 32
    )
    assert "hidden" not in said
    assert discord.calls == []


# -- Discord refuses
# ---------------------------------------------------------------------------------


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
    discord: Loopback, database: str, path: str, status: int, code: int, named: str
) -> None:
    for method in ("GET", "PUT"):
        discord.fail(method, path, status, code=code, times=100)
    assert named in await why_it_ends(discord, database)


@pytest.mark.parametrize(("status", "code"), [(403, 50001), (404, 10004)])
async def test_a_server_that_it_is_not_on(
    discord: Loopback, database: str, status: int, code: int
) -> None:
    discord.fail("GET", r"/commands$", status, code=code)
    said = await why_it_ends(discord, database, DISCORD_GUILD_ID=GUILD)
    assert f"server {GUILD}" in said
    assert "DISCORD_GUILD_ID" in said


@pytest.mark.parametrize(
    ("code", "named"),
    [(4004, "DISCORD_TOKEN"), (4014, "intents"), *long([(4010, "SHARD")])],
)
async def test_a_connection_that_discord_ends_for_good(
    discord: Loopback, database: str, code: int, named: str
) -> None:
    async with inside(discord, database) as bot:
        await bot.online()
        await sit_down(discord)
        await discord.gateway.drop(code=code)
        assert named in await bot.ended()


@pytest.mark.parametrize(("before", "after"), [(GUILD, None), (None, GUILD)])
async def test_no_command_is_there_twice_when_the_setting_changes(
    discord: Loopback, database: str, before: str | None, after: str | None
) -> None:
    for setting in (before, after):
        async with inside(
            discord, database, **({"DISCORD_GUILD_ID": setting} if setting else {})
        ) as bot:
            await bot.online()
    everywhere, here = discord.world.commands, discord.world.guild_commands[GUILD]
    assert [bool(everywhere), bool(here)] == [after is None, after is not None]
    assert {tuple(each["integration_types"]) for each in (*everywhere, *here)} == {(0,)}
    assert all(each["contexts"] in ([0], [0, 1]) for each in (*everywhere, *here))
    writes = [call for call in discord.calls if call.method == "PUT"]
    async with inside(discord, database, **({"DISCORD_GUILD_ID": after} if after else {})) as bot:
        await bot.online()
    assert [call for call in discord.calls if call.method == "PUT"] == writes


async def test_on_a_server_that_it_has_left_there_is_nothing_to_remove(
    discord: Loopback, database: str
) -> None:
    async with inside(discord, database, DISCORD_GUILD_ID=GUILD) as bot:
        await bot.online()
    discord.world.left.add(GUILD)
    for _ in range(2):
        async with inside(discord, database) as bot:
            await bot.online()
    assert len([call for call in discord.calls if call.method == "PUT"]) == 3


async def test_no_more_new_commands_today(
    discord: Loopback, database: str, caplog: pytest.LogCaptureFixture
) -> None:
    discord.fail("PUT", r"/commands$", 400, code=30034)
    said = await why_it_ends(discord, database)
    assert "200 a day" in said
    assert "tomorrow" in said
    async with inside(discord, database) as bot:
        await bot.online()
    gone = next(each for each in reversed(discord.world.commands) if each["type"] == 1)
    discord.world.commands.remove(gone)
    kept = {command["name"] for command in discord.world.commands}
    discord.world.commands.append({**gone, "id": "5000", "name": "yore", "options": []})
    discord.fail("PUT", r"/commands$", 400, code=30034)
    async with inside(discord, database) as bot:
        await bot.online()
        await sit_down(discord)
        (told,) = [record.message for record in caplog.records if record.levelname == "CRITICAL"]
        assert "200 a day" in told
        assert all(f"/{name}" in told for name in kept)
        assert "another version" in (await discord.slash("yore", user=ALICE)).text
    async with inside(discord, database) as bot:
        await bot.online()
        assert len([call for call in discord.calls if call.method == "PUT"]) == 4, (
            "the next start tries again"
        )


# -- what passes by itself
# ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        *variants(("GET", r"/users/@me$", 503), ("GET", r"/users/@me$", 500)),
        ("GET", r"/applications/@me$", 503),
        ("GET", r"/commands$", 502),
        ("PUT", r"/commands$", 503),
        ("GET", r"/gateway/bot$", 503),
    ],
)
async def test_a_discord_in_trouble_is_waited_for(
    discord: Loopback,
    database: str,
    caplog: pytest.LogCaptureFixture,
    method: str,
    path: str,
    status: int,
) -> None:
    discord.fail(method, path, status, times=4)
    async with inside(discord, database) as bot:
        await bot.online()
        await discord.slash("table open", user=ALICE, game="ti4")
    assert caplog.messages == [
        f"Discord answers with an error ({status}). I keep trying.",
        "Discord answers again.",
    ]


@pytest.mark.parametrize("host", ["127.0.0.1:9", *long(["nowhere.invalid"])])
async def test_a_discord_that_cannot_be_reached_is_waited_for(
    discord: Loopback, database: str, caplog: pytest.LogCaptureFixture, host: str
) -> None:
    async with inside(discord, database, DISCORD_API_URL=f"http://{host}/api/v10") as bot:
        await logged(caplog, "can't be reached")
        assert await bot.stop() == ""


async def test_connections_used_up_for_today_are_waited_for(
    discord: Loopback, database: str, caplog: pytest.LogCaptureFixture
) -> None:
    discord.rest.faults.append(UsedUp(method="GET", path="/gateway/bot$", times=1))
    async with inside(discord, database) as bot:
        await bot.online()
        await discord.slash("table open", user=ALICE, game="ti4")
    assert re.search(r"1000 connections a day.* I wait until 20\d\d-", caplog.text)
    asked, again = [call.at for call in discord.calls if call.path == "/gateway/bot"][:2]
    assert again - asked > 1


class UsedUp(Fault):
    """Discord's answer when a bot has connected too often; soon it may again."""

    async def answer(self, serve: Serve) -> web.StreamResponse:
        limit = {"total": 1000, "remaining": 0, "reset_after": 200, "max_concurrency": 1}
        body = json.dumps({"url": "ws://127.0.0.1:9", "shards": 1, "session_start_limit": limit})
        return web.Response(body=body.encode(), headers={"Content-Type": "application/json"})


async def test_no_port_is_opened_unless_it_is_set(
    discord: Loopback, database: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with inside(discord, database) as bot:
        await bot.online()
    assert "are at http://" not in caplog.text


# -- what the ledger has and no game reads
# -----------------------------------------------------------


async def test_kinds_of_entries_that_no_game_reads_are_told(
    discord: Loopback, database: str, caplog: pytest.LogCaptureFixture
) -> None:
    ledger = await Ledger.open(database)
    try:
        with version_1():
            club = Club(ledger)
            await club.opens(game="bazaar")
            await club.does(HOST, Sit("red"))
            await club.does(HOST, Unload())
    finally:
        await ledger.close()
    async with inside(discord, database) as bot:
        await bot.online()
        await logged(caplog, "can't be read")
    told = "bazaar.hauled (version 1) at 1 table can't be read: the game bazaar is not installed."
    assert [line for line in caplog.messages if "can't be read" in line] == [told]
