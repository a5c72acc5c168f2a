"""The options of /table settings: the core's, and those that the installed games add.

discord.py makes a slash command's options from the signature of its function. The settings are
known only once the games are loaded, so the function takes any keyword arguments, and its
``__signature__`` is set here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, get_args, get_origin

from discord import app_commands
from discord.app_commands import Choice

from bot.rules.registry import games
from bot.rules.views import TableView
from bot.show.names import game_of
from cogs.completion import choices
from cogs.request import Request

F = TypeVar("F", bound=Callable[..., Any])


class CommandOption(NamedTuple):
    """An option of the command: its annotation for discord.py, its description, and what to suggest
    for a text.
    """

    annotation: Any
    description: str
    suggested: tuple[str, ...] = ()


CORE: dict[str, CommandOption] = {
    "rulings": CommandOption(
        Literal["refuse", "warn"],
        "refuse: what the rules forbid can't be done. warn: it can, and is recorded as against the "
        "rules",
    ),
    "inventory": CommandOption(
        Literal["tracked", "untracked"], "tracked: I count what everybody has. untracked: you do"
    ),
    "declare_holdings": CommandOption(
        Literal["players", "host"],
        "Who may say that a player gained goods: the players themselves, or only the host",
    ),
    "confirm": CommandOption(
        Literal["once", "twice"],
        "once: accepting is enough. twice: I ask both again, by DM, before every exchange",
    ),
    "timer": CommandOption(
        app_commands.Range[int, 0, 1440],
        "Minutes that an offer stays open or a trade phase lasts, unless you say otherwise. 0: no "
        "limit",
    ),
}
"""The settings that all games have, except ``open_on_close``, which is chosen when the table is
opened.
"""


def every_option() -> dict[str, CommandOption]:
    """Return all settings by name. A setting of two games accepts the values of both.

    What a game reads from text may be more than its values, which are only suggested.
    """
    options = list(chain.from_iterable(game.info.options for game in games().values()))
    own = dict[str, CommandOption]()
    for name in dict.fromkeys(option.name for option in options):
        alike = [option for option in options if option.name == name]
        values = tuple(dict.fromkeys(chain.from_iterable(option.values for option in alike)))
        suggested = next((each.values for each in reversed(alike) if each.read), ())
        annotation = app_commands.Range[str, 1, 100] if suggested else Literal[values]
        own[name] = CommandOption(annotation, alike[0].description, suggested)
    return {**CORE, **own}


def values_of(view: TableView) -> dict[str, tuple[str, ...]]:
    """Return the values to suggest for the settings of the table's game, by name. Settings with
    numbers have none.
    """
    info = game_of(view).info
    words = {
        name: option.annotation
        for name, option in CORE.items()
        if get_origin(option.annotation) is Literal
    }
    core = {
        name: get_args(annotation) for name, annotation in words.items() if name in info.settings
    }
    return {
        **core,
        **{option.name: option.values for option in info.options},
        **view.board.settings,
    }


def description_of(name: str) -> str:
    """Return what a setting means; empty for an unknown one."""
    found = every_option().get(name)
    return found.description if found else ""


def with_every_option(method: F) -> F:
    """Give a method with the parameters ``(self, request, **options)`` an option for every setting;
    see `cogs.slash`.
    """
    parameter, kind = inspect.Parameter, inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [parameter("self", kind), parameter("request", kind)]
    for name, option in every_option().items():
        annotation: Any = Annotated[option.annotation | None, option.description]
        if option.suggested:
            annotation = Annotated[annotation, partial(_suggest, option.suggested)]
        parameters.append(parameter(name, kind, default=None, annotation=annotation))
    method.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return method


async def _suggest(values: tuple[str, ...], request: Request, typed: str) -> list[Choice[str]]:
    return choices(((value, value) for value in values), typed)
