"""The slash commands of games: a game's are taken as a whole or not at all, and none can break the
core's or another's.

Discord takes all commands of a bot in one request and refuses them all for one mistake. So each
game's commands are checked before they are sent; if Discord still refuses, the games it complains
about are left out, and the rest is sent.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoints, entry_points
from itertools import chain
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.game import Game
from bot.rules.registry import package, package_of
from cogs.router import Router
from cogs.tree import GAME, AnyCommand

log = logging.getLogger(__name__)

TEXT_MAX, ALL_TEXT_MAX, OPTIONS_MAX = 100, 8000, 25
"""Discord's limits: characters of a description or choice, of all texts of a command; options or
choices of one.
"""


class BrokenCommands(Exception):
    """A game's commands can't be used. The message is one sentence that says why."""


@cache
def _cogs_of_games() -> EntryPoints:
    """Return the entry points of all games' cogs. Cached, since it reads the metadata of every
    installed package.
    """
    return entry_points(group="bourse.cogs")


async def add_commands(
    bot: commands.Bot | commands.AutoShardedBot, game: Game, router: Router
) -> str:
    """Add a game's commands and buttons from its entry point in ``bourse.cogs``. Return why not;
    empty if added.

    If anything is wrong with them, log it, and leave out all of the game's commands and handlers.
    Nothing else changes.
    """
    added, handlers, id, fault = list[commands.Cog](), router.handlers(), game.info.id, ""
    try:
        for point in _cogs_of_games().select(name=id):
            (of, _), expected = package(point), package_of(id)
            if expected and of != expected:
                log.error(
                    "commands for the game %s are left out: they come from %s, and the game from "
                    "%s.",
                    id,
                    of or "no package",
                    expected,
                )
                continue
            for cog in point.load()(router):
                for command in cog.walk_app_commands():
                    command.extras[GAME] = id
                await bot.add_cog(cog)
                added.append(cog)
        router.check(game.features.opens)
        if (
            foreign := router.handlers().keys()
            - handlers.keys()
            - {*game.features.opens, *game.features.commands}
        ):
            raise BrokenCommands(f"they handle {foreign.pop().__name__}, which is not the game's.")
        if fault := next(command_faults(game, bot.tree, added), ""):
            raise BrokenCommands(fault)
    except Exception as error:  # it may raise anything
        if isinstance(error, BrokenCommands):
            fault = str(error)
            log.error("the commands of the game %s are left out: %s", id, fault)
        else:
            fault = f"they can't be loaded ({' '.join(f'{type(error).__name__}: {error}'.split())})"
            log.exception("the commands of the game %s are left out: %s", id, fault)
        router.restore(handlers)
        for cog in added:
            await bot.remove_cog(cog.qualified_name)
            # remove_cog looks up the group by the cog's name, not the group's own
            if cog.app_command is not None:
                bot.tree.remove_command(cog.app_command.name)
    return fault


def command_faults(
    game: Game, tree: app_commands.CommandTree[Any], cogs: list[commands.Cog]
) -> Iterator[str]:
    """Yield what is wrong with a game's commands, each in one sentence."""
    roots = {}
    for command in chain.from_iterable(cog.walk_app_commands() for cog in cogs):
        root = command.root_parent or command
        roots[root.name] = root
    for group in sorted(game.info.command_groups - roots.keys()):
        yield f"its command group /{group} has no commands."
    for name in sorted(roots.keys() - game.info.command_groups):
        yield f"/{name} is not among its command groups."
    for root in roots.values():
        payload = root.to_dict(tree)
        yield from _faults(payload, "")
        if (length := _length(payload)) > ALL_TEXT_MAX:
            yield (
                f"the texts of /{root.name} have {length} characters, and Discord takes "
                f"{ALL_TEXT_MAX}."
            )


def _faults(payload: Mapping[str, Any], within: str) -> Iterator[str]:
    """Yield the faults of a command, group or option, and of all in it."""
    name = f"{within} {payload['name']}" if within else f"/{payload['name']}"
    if not 1 <= (length := len(payload.get("description", ""))) <= TEXT_MAX:
        yield (
            f"the description of {name} has {length} characters, and Discord takes 1 to {TEXT_MAX}."
        )
    for kind in ("options", "choices"):
        if len(found := payload.get(kind) or ()) > OPTIONS_MAX:
            yield f"{name} has {len(found)} {kind}, and Discord takes {OPTIONS_MAX}."
    for choice in payload.get("choices") or ():
        if not all(1 <= len(str(choice[each])) <= TEXT_MAX for each in ("name", "value")):
            yield (
                f"the choice “{choice['name']:.40}” of {name} should have 1 to {TEXT_MAX} "
                "characters."
            )
    for option in payload.get("options") or ():
        yield from _faults(option, name)


def _length(payload: Mapping[str, Any]) -> int:
    texts = (payload["name"], payload.get("description", ""), str(payload.get("value", "")))
    within = (*(payload.get("options") or ()), *(payload.get("choices") or ()))
    return sum(map(len, texts)) + sum(map(_length, within))


def leave_out_refused(
    tree: app_commands.CommandTree[Any],
    refused: discord.HTTPException,
    guild: discord.Object | None,
) -> bool:
    """Take the commands of games out of the tree that Discord refused, and return whether there
    were any.

    Where Discord does not say which it means, the last game's are taken out: the caller tries
    again.
    """
    every = tree.get_commands(guild=guild)
    places = {int(place) for place in re.findall(r"^In (\d+)\b", refused.text, re.MULTILINE)}
    named = [
        game
        for place, command in enumerate(every)
        if place in places and (game := _game_of(command))
    ]
    games = named or [game for command in every if (game := _game_of(command)) and not places][-1:]
    for game in sorted({*games}):
        why = " ".join(refused.text.split())
        log.error("the commands of the game %s are left out: Discord refuses them (%s)", game, why)
        for command in every:
            if _game_of(command) == game:
                tree.remove_command(command.name)
                tree.remove_command(command.name, guild=guild)
    return bool(games)


def _game_of(command: AnyCommand) -> str:
    """Return the id of the game whose command or group this is; empty for the core's."""
    within = (
        [command, *command.walk_commands()]
        if isinstance(command, app_commands.Group)
        else [command]
    )
    return next((str(each.extras[GAME]) for each in within if GAME in each.extras), "")
