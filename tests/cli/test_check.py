"""Tests of bourse check: its findings about each thing that the bot needs. It changes nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import discord
import pytest
from discord.http import Route

from bot.app import NEEDED, invite
from bot.cli.check import _permissions, check_all
from bot.cli.program import main
from bot.games.ti4 import GAME as TI4
from bot.ledger import Ledger, opening
from bot.settings import Settings
from bot.show.guide import PERMISSIONS
from tests.cli.files import new_table
from tests.ledger.samples import by_hand, gained
from tests.loopback.loopback import Loopback
from tests.loopback.world import GUILD
from tests.plugin.bazaar.bourse_bazaar import GAME as BAZAAR
from tests.plugin.bazaar.installing import installed, point


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty folder, and the address of a database there."""
    monkeypatch.chdir(tmp_path)
    return "sqlite:///bourse.db"


@pytest.fixture
async def club(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Loopback]:
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    async with Loopback.running() as loopback:
        yield loopback


async def looked(**settings: object) -> tuple[int, dict[str, str]]:
    """The exit code, and what is said of each thing."""
    lines: list[str] = []
    code = await check_all(Settings(**settings), lines.append)
    found = {}
    for line in lines:
        verdict, text = line[:8].strip(), line[8:]
        thing, _, said = text.partition(": ")
        found[thing] = f"{verdict} {said}"
    return code, found


async def test_before_the_first_start(place: str) -> None:
    code, said = await looked(database_url=place)
    assert code == 1
    assert said["settings"] == "right each has a value that works."
    assert said["games"] == "right Advanced Civilization, Your own game, Twilight Imperium 4."
    assert said["database"] == "right bourse.db has no ledger yet. bourse makes one when it starts."
    assert said["backups"].startswith("right yours to make")
    assert said["token"].startswith("TO DO DISCORD_TOKEN is not set")
    assert list(Path().iterdir()) == []  # noqa: ASYNC240


async def test_a_game_that_cannot_be_stored(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    monkeypatch.setattr("bot.cli.check.storage_faults", lambda features: ["Turn is not the same."])
    assert await check_all(Settings(database_url=place), lines.append) == 1
    assert "TO DO   games: ti4: Turn is not the same. Install Bourse again." in lines


async def test_a_game_that_claims_what_ours_has(place: str) -> None:
    """The package to remove is the one from outside."""
    lines: list[str] = []
    trick = replace(BAZAAR, info=replace(BAZAAR.info, command_groups=frozenset({"turn"})))
    tricks = point(trick, version="2", package="a-trick")
    with installed(tricks, point(TI4, version="1")):
        assert await check_all(Settings(database_url=place), lines.append) == 1
    assert [line for line in lines if "games: " in line] == [
        "TO DO   games: bazaar (of a-trick 2) is left out: the command group /turn is taken by ti4 "
        "of bourse-bot. "
        "Update that package, or remove it.",
        "right   games: Twilight Imperium 4.",
    ]


async def test_all_is_right(place: str, club: Loopback) -> None:
    ledger = await Ledger.open(place)
    await new_table(ledger, [gained()])
    await ledger.close()
    given = club.settings
    code, said = await looked(
        database_url=place,
        discord_token=given["DISCORD_TOKEN"],
        discord_api_url=given["DISCORD_API_URL"],
    )
    assert said["database"] == (
        "right bourse.db has 1 table, 1 of them open; 0 messages owed. It fits the key in "
        "bourse.db.key; keep a copy "
        "of that apart."
    )
    assert said["token"].startswith("right Discord knows it")
    assert said["commands"].startswith("right Discord has none of mine yet.")
    assert said["permissions"].startswith("right on each server")
    assert code == 0
    assert {call.method for call in club.calls} == {"GET"}


async def test_a_token_that_is_wrong_and_a_server_that_it_is_not_on(
    place: str, club: Loopback
) -> None:
    given = club.settings
    code, said = await looked(
        database_url=place, discord_token="x" * 60, discord_api_url=given["DISCORD_API_URL"]
    )
    assert (code, said["Discord"].startswith("TO DO Discord rejected DISCORD_TOKEN.")) == (1, True)
    code, said = await looked(
        database_url=place,
        discord_token=given["DISCORD_TOKEN"],
        discord_api_url=given["DISCORD_API_URL"],
        discord_guild_id=7,
    )
    assert code == 1
    assert "the server 7 of DISCORD_GUILD_ID" in " ".join(said.values())


EMPTY = {
    "description": "",
    "icon": None,
    "tags": [],
    "terms_of_service_url": None,
    "privacy_policy_url": None,
    "install_params": None,
}


@pytest.mark.parametrize(
    ("portal", "to_do"),
    [
        ({}, []),
        (
            EMPTY,
            [
                "General Information lacks Description, Tags, App Icon, Terms of Service URL, "
                "Privacy Policy URL,",
                "Installation has no Install Link",
            ],
        ),
        ({**EMPTY, "bot_public": False}, []),
        ({"icon": None}, ["General Information lacks App Icon, "]),
        (
            {"install_params": {"scopes": ["bot"], "permissions": "0"}},
            ["Installation has no Install Link"],
        ),
        ({"install_params": None, "custom_install_url": "https://club.example"}, []),
        (
            {"interactions_endpoint_url": "https://club.example"},
            ["General Information has an Interactions Endpoint"],
        ),
        (
            {"bot_public": False, "bot_require_code_grant": True},
            ["Bot has Requires OAuth2 Code Grant ticked"],
        ),
        (
            {"integration_types_config": {"0": {}, "1": {}}},
            ["Installation has User Install ticked"],
        ),
        ({"approximate_guild_count": 74}, []),
        (
            {"approximate_guild_count": 75},
            ["I am on 75, and on 100 at most until Discord has verified me."],
        ),
    ],
    ids=str,
)
async def test_what_is_missing_at_the_portal(
    place: str, club: Loopback, portal: dict[str, object], to_do: list[str]
) -> None:
    club.world.portal = {**club.world.portal, **portal}
    given, lines = club.settings, list[str]()
    settings = Settings(
        database_url=place,
        discord_token=given["DISCORD_TOKEN"],
        discord_api_url=given["DISCORD_API_URL"],
    )
    assert await check_all(settings, lines.append) == bool(to_do)
    said = [line.partition(": ")[2] for line in lines if line.startswith("TO DO")]
    assert len(said) == len(to_do)
    for line, begin in zip(said, to_do, strict=True):
        assert line.startswith(begin)
    portals = [line for line in lines if line.startswith("right   portal")]
    assert portals == [] or portals[0].endswith(
        ("nothing is missing.", "only its owner can add me to servers.")
    )
    assert {call.method for call in club.calls} == {"GET"}


@pytest.mark.parametrize(
    ("setting", "told"),
    [(None, f"the server {GUILD} has 1 of its own"), (GUILD, "all servers have 1 of mine")],
)
async def test_commands_that_people_see_twice(
    place: str, club: Loopback, setting: str | None, told: str
) -> None:
    await (await Ledger.open(place)).close()
    club.world.commands = [
        {"id": "1", "application_id": "1001", "name": "offer", "description": "", "version": "1"}
    ]
    club.world.guild_commands[GUILD] = [{**club.world.commands[0], "id": "2"}]
    given = club.settings
    lines: list[str] = []
    settings = Settings(
        database_url=place,
        discord_token=given["DISCORD_TOKEN"],
        discord_api_url=given["DISCORD_API_URL"],
        discord_guild_id=setting,
    )
    assert await check_all(settings, lines.append) == 1
    found = sorted(line for line in lines if "commands: " in line)
    assert [line.partition("commands: ")[0] for line in found] == ["TO DO   ", "right   "]
    assert told in found[0]
    assert {call.method for call in club.calls} == {"GET"}


def test_the_invitation_asks_for_every_permission_that_can_be_missing() -> None:
    [value] = parse_qs(urlsplit(invite(1)).query)["permissions"]
    asked = discord.Permissions(int(value))
    assert [name for name in PERMISSIONS if not getattr(asked, name)] == []


def test_what_is_missing_on_a_server_is_named() -> None:
    less = discord.Permissions(NEEDED.value)
    less.update(view_channel=False, attach_files=False)
    administrator = discord.Permissions(administrator=True)
    servers = [(1, "club", less.value), (2, "den", administrator.value)]
    assert list(_permissions(servers, None)) == [
        "on club I lack View Channel, Attach Files. A moderator can give it to my role there."
    ]
    assert list(_permissions([], None)) == ["I am on no server yet."]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            "UPDATE alembic_version SET version_num = '9_9'",
            "TO DO A newer Bourse, or one from before 1.0.0, wrote",
        ),
        (
            "UPDATE key_values SET seal = 'x' WHERE key = 'key'",
            "TO DO The database was created with another key",
        ),
    ],
)
async def test_a_database_that_needs_something(place: str, change: str, says: str) -> None:
    await (await Ledger.open(place)).close()
    by_hand(Path("bourse.db"), change)
    code, said = await looked(database_url=place, bourse_backup_dir="none")
    assert code == 1
    assert said["database"].startswith(says)
    assert said["backups"].startswith("TO DO there is no folder /")
    assert said["backups"].endswith("/none. Make it, or change BOURSE_BACKUP_DIR.")


async def test_a_database_of_an_older_bourse(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    await (await Ledger.open(place)).close()
    monkeypatch.setattr(opening, "STEPS", (*opening.STEPS, "1_1_0"))
    code, said = await looked(database_url=place)
    assert code == 1
    assert said["database"].startswith("TO DO an older Bourse wrote bourse.db. Make a copy")


def test_as_it_is_typed(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bourse.db.key").write_text("k" * 40)
    assert main(["check"]) == 1
    assert (
        "TO DO   database: The key bourse.db.key is there, but its ledger is not"
        in capsys.readouterr().out
    )
