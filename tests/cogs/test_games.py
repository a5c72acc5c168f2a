"""Tests that a game with a mistake loses its own commands, and no other game or the core loses
any.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import app_commands
from discord.ext import commands

from bot.api.discord import Request, Router
from bot.app import Bourse
from bot.rules.feature import Feature, Features
from bot.rules.features.tables import SetPhase
from bot.rules.game import Game
from bot.rules.model.actions import Action
from cogs import games as module
from cogs.games import add_commands, leave_out_refused
from tests.plugin.bazaar.bourse_bazaar import GAME
from tests.plugin.bazaar.installing import Package


class Stalls(Action):
    name = "bazaar.stalls"


class Prices(Action):
    name = "bazaar.prices"


async def shows(request: Request, action: Action) -> None:
    raise AssertionError("nobody presses")


def cog(description: str = "Ring the bell", group: str = "bazaar") -> commands.Cog:
    """A cog with the command /bazaar ring, described so."""

    class Bell(commands.GroupCog, name=group, group_description="The bazaar"):
        @app_commands.command(name="ring", description=description)
        @app_commands.describe(often="How often")
        async def ring(self, interaction: discord.Interaction, often: int) -> None:
            raise AssertionError("nobody types")

    return Bell()


def bazaar(*groups: str) -> Game:
    features = Features((Feature(opens=(Stalls, Prices)),))
    return replace(
        GAME, info=replace(GAME.info, command_groups=frozenset(groups)), features=features
    )


@pytest.fixture
async def bot() -> Any:
    made = commands.Bot(command_prefix=(), intents=discord.Intents.none(), help_command=None)

    @made.tree.command(name="table", description="The core's")
    async def table(interaction: discord.Interaction) -> None:
        raise AssertionError("nobody types")

    return made


@pytest.fixture
def router() -> Router:
    return Router(None)  # type: ignore[arg-type]


@pytest.fixture
def provides(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Have the bazaar's package provide these cogs and bind these actions, as its entry point
    does.
    """

    def provide(*cogs: commands.Cog, binds: tuple[type[Action], ...] = (Stalls, Prices)) -> None:
        def load(router: Router) -> list[commands.Cog]:
            for kind in binds:
                router.on(kind, shows)
            return list(cogs)

        points = SimpleNamespace(select=lambda name: [SimpleNamespace(load=lambda: load)])
        monkeypatch.setattr(module, "_cogs_of_games", lambda: points)

    return provide


async def test_a_sound_game_has_its_commands(
    bot: Any, router: Router, provides: Callable[..., None]
) -> None:
    provides(cog())
    await add_commands(bot, bazaar("bazaar"), router)
    assert {each.name for each in bot.tree.get_commands()} == {"table", "bazaar"}
    assert {*router.handlers()} == {Stalls, Prices}


MISTAKES = {
    "a long description": (
        lambda: bazaar("bazaar"),
        lambda: (cog("a" * 226),),
        (Stalls, Prices),
        "the description of /bazaar ring has 226 characters, and Discord takes 1 to 100.",
    ),
    "a group without commands": (
        lambda: bazaar("bazaar", "market"),
        lambda: (cog(),),
        (Stalls, Prices),
        "its command group /market has no commands.",
    ),
    "a group that it doesn't name": (
        lambda: bazaar("bazaar"),
        lambda: (cog(), cog(group="bells")),
        (Stalls, Prices),
        "/bells is not among its command groups.",
    ),
    "a handler of the core's": (
        lambda: bazaar("bazaar"),
        lambda: (cog(),),
        (Stalls, Prices, SetPhase),
        "they handle SetPhase, which is not the game's.",
    ),
    "a handler missing": (
        lambda: bazaar("bazaar"),
        lambda: (cog(),),
        (Stalls,),
        "they can't be loaded (LookupError: no handler is bound to bazaar.prices)",
    ),
}


@pytest.mark.parametrize(("game", "cogs", "binds", "told"), MISTAKES.values(), ids=MISTAKES)
async def test_a_mistake_leaves_the_game_s_commands_out_and_says_which(
    bot: Any,
    router: Router,
    provides: Callable[..., None],
    caplog: pytest.LogCaptureFixture,
    game: Callable[[], Game],
    cogs: Callable[[], Any],
    binds: tuple[type[Action], ...],
    told: str,
) -> None:
    provides(*cogs(), binds=binds)
    with caplog.at_level(logging.ERROR, "cogs.games"):
        await add_commands(bot, game(), router)
    assert caplog.messages == [f"the commands of the game bazaar are left out: {told}"]
    assert [each.name for each in bot.tree.get_commands()] == ["table"]
    assert router.handlers() == {}, "handlers are bound all or none"


async def test_cogs_of_another_package_than_the_game_s_are_not_taken_and_the_game_keeps_its_own(
    bot: Any, router: Router, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def from_package(name: str, group: str) -> Any:
        return SimpleNamespace(
            load=lambda: lambda router: [cog(group=group)], dist=Package(name, "1")
        )

    points = [from_package("bourse-trick", "trick"), from_package("bourse-bazaar", "bazaar")]
    monkeypatch.setattr(
        module, "_cogs_of_games", lambda: SimpleNamespace(select=lambda name: points)
    )
    monkeypatch.setattr(module, "package_of", lambda game: "bourse-bazaar")
    game = replace(bazaar("bazaar"), features=Features())
    assert await add_commands(bot, game, router) == ""
    assert [each.name for each in bot.tree.get_commands()] == ["table", "bazaar"]
    assert caplog.messages == [
        "commands for the game bazaar are left out: they come from bourse-trick, and the game from "
        "bourse-bazaar."
    ]


# ---------------------------------------------------------------- Discord refuses them


def refusal(*places: int) -> discord.HTTPException:
    wrong = {
        "description": {
            "_errors": [{"code": "BASE_TYPE_BAD_LENGTH", "message": "Must be shorter."}]
        }
    }
    errors = {str(place): wrong for place in places}
    response: Any = SimpleNamespace(status=400, reason="Bad Request")
    return discord.HTTPException(
        response, {"code": 50035, "message": "Invalid Form Body", "errors": errors}
    )


async def test_the_games_that_discord_refuses_are_left_out_and_the_rest_starts(
    bot: Any,
    router: Router,
    provides: Callable[..., None],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for id, group in (("bazaar", "bazaar"), ("market", "market"), ("port", "port")):
        provides(cog(group=group))
        game = bazaar(group)
        await add_commands(bot, replace(game, info=replace(game.info, id=id)), Router(None))  # type: ignore[arg-type]
    sent: list[list[str]] = []

    async def sync(guild: object) -> None:
        names = [each.name for each in bot.tree.get_commands()]
        sent.append(names)
        if "market" in names:
            raise refusal(names.index("market"))
        if "port" in names:
            raise refusal()  # Discord does not say which command it means

    async def nothing(*_: object, **__: object) -> list[str]:
        return []

    monkeypatch.setattr(bot.tree, "sync", sync)
    monkeypatch.setattr(bot.tree, "fetch_commands", nothing)
    stored: dict[str, str] = {}

    async def key_value(key: str) -> str | None:
        return stored.get(key)

    async def set_key_value(key: str, value: str) -> None:
        stored[key] = value

    async def keys(prefix: str) -> list[str]:
        return []

    ledger = SimpleNamespace(key_value=key_value, set_key_value=set_key_value, keys=keys)
    starting: Any = SimpleNamespace(
        settings=SimpleNamespace(discord_guild_id=None),
        tree=bot.tree,
        application_id=1,
        ledger=ledger,
    )
    await Bourse._register(starting)
    assert sent == [
        ["table", "bazaar", "market", "port"],
        ["table", "bazaar", "port"],
        ["table", "bazaar"],
    ]
    assert [message.partition(":")[0] for message in caplog.messages] == [
        "the commands of the game market are left out",
        "the commands of the game port are left out",
    ]
    assert len(stored) == 1


async def test_what_is_wrong_with_the_core_s_own_commands_ends_the_start(bot: Any) -> None:
    assert not leave_out_refused(bot.tree, refusal(0), None)
