"""What the operator must fix is one line on stderr and exit code 2, never a traceback."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.wire.loopback import Loopback
from tests.wire.process import process

pytestmark = pytest.mark.wire

NOBODY = "http://127.0.0.1:9/api/v10"  # the discard port: nothing listens


async def stops(folder: Path, settings: dict[str, str], *named: str) -> None:
    """The bot ends with 2 and one line that names what is wrong."""
    async with process(folder, settings) as bot:
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


async def test_a_discord_that_cannot_be_reached(discord: Loopback, tmp_path: Path) -> None:
    settings = {**discord.settings, "DISCORD_API_URL": NOBODY, "DATABASE_URL": f"sqlite:///{tmp_path}/bourse.db"}
    await stops(tmp_path, settings, "Discord")


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
