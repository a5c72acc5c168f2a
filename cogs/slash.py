"""Slash commands: the signature of a method declares the options, each once.

A method that only fills in a command of the rules returns it. Any other is a coroutine, and its
first parameter is the request.

    @slash("close", "Close a stall")
    def close(self, stall: Annotated[Seat, "Whose stall"]) -> Command:
        return CloseStall(stall)

    @slash("price", "What something costs")
    async def price(self, request: Request, goods: Annotated[str, "What", suggest_goods]) -> None:
        await request.reply(price_of(goods))

An option is written ``Annotated[TYPE, DESCRIPTION, …]``. TYPE is one that discord.py knows, or one
that is read from such a type, as `Seat`. A function among the rest suggests values, from the view
of the person who types; a coroutine gets the request instead. A list holds the choices. An option
that can be left out has a default. An underscore at the end of its name is not part of it on
Discord: ``for_``.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar, get_args

import discord
from discord import app_commands

from bot.rules.model.goods import Goods
from bot.rules.model.values import frozen
from bot.rules.views import TableView
from cogs.inputs import read_goods, seat_of
from cogs.request import Request


def in_dms_too(commands: T) -> T:
    """Let people type a command, or those of a cog, in a DM to the bot too.

    >>> @in_dms_too
    ... class Bazaar(commands.GroupCog, group_name="bazaar"):
    ...     @slash("hello", "Say hello")
    ...     async def hello(self, request: Request) -> None:
    ...         await request.reply("Hello!")
    """
    return app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)(commands)


T = TypeVar("T")

SlashCommand = app_commands.Command[Any, ..., Any]


@frozen
class FromDiscord:
    """Reads the value of an option from what Discord sends, a value of the type ``takes``."""

    takes: Any
    read: Callable[[TableView, Any], Any]


Seat = Annotated[str, FromDiscord(discord.User, seat_of)]
"""An option for a user, read as the id of their seat. Raises `Refused` as `seat_of`.

>>> @slash("bow", "Bow to a player")
... async def bow(self, request: Request, player: Annotated[Seat | None, "Whom"] = None) -> None:
...     await request.reply("You bow.")
"""

OwnGoods = Annotated[Goods, FromDiscord(str, lambda view, text: read_goods(view, text, view.seat))]
"""A text, read as goods that the person gives. Raises `Refused` as `read_goods`."""


def slash(
    name: str,
    description: str,
    by: Callable[[Request, Any], Awaitable[None]] = Request.respond,
) -> Callable[[Callable[..., Any]], SlashCommand]:
    """Make a slash command of a method, or of a command class without fields.

    ``by`` executes the command that the method returns, and answers the person.

    >>> class Bazaar(commands.GroupCog, group_name="bazaar"):
    ...     @slash("greet", "Greet a player")
    ...     async def greet(self, request: Request, player: Annotated[Seat, "Whom"]) -> None:
    ...         await request.reply(f"Hello, {player}!")
    """

    def declare(method: Callable[..., Any]) -> SlashCommand:
        if isinstance(method, type):
            return declare(lambda self: method())
        takes_request = inspect.iscoroutinefunction(method)
        parameters = list(inspect.signature(method, eval_str=True).parameters.values())
        options = parameters[2:] if takes_request else parameters[1:]
        readers = {each.name: reader for each in options if (reader := _reader(each))}

        async def callback(cog: Any, interaction: discord.Interaction, **values: Any) -> None:
            request = Request(interaction)
            if readers:
                view = await request.view(acts=False)
                for option, reader in readers.items():
                    if values[option] is not None:
                        values[option] = reader.read(view, values[option])
            if takes_request:
                await method(cog, request, **values)
            else:
                await by(request, method(cog, **values))

        return app_commands.command(name=name, description=description)(_with(callback, options))

    return declare


def _with(callback: Callable[..., Any], options: list[inspect.Parameter]) -> Any:
    """Give a callback its options in the way that discord.py reads them."""
    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [each.replace(annotation=_discord_type(each)) for each in options]
    callback.__signature__ = inspect.Signature([first, *parameters])  # type: ignore[attr-defined]
    for option in options:
        name = option.name
        app_commands.rename(**{name: name.removesuffix("_")})(callback)
        for note in _notes(option):
            if isinstance(note, str):
                app_commands.describe(**{name: note})(callback)
            elif isinstance(note, list):
                app_commands.choices(**{name: note})(callback)
            elif callable(note):
                app_commands.autocomplete(**{name: _completing(note)})(callback)
    return callback


def _notes(option: inspect.Parameter) -> list[Any]:
    """Return what an annotation says beside the type; the ``Seat`` of ``Seat | None`` says more."""
    kind, *notes = get_args(option.annotation)
    for part in get_args(kind):
        notes += getattr(part, "__metadata__", ())
    return notes


def _reader(option: inspect.Parameter) -> FromDiscord | None:
    readers = [note for note in _notes(option) if isinstance(note, FromDiscord)]
    return readers[0] if readers else None


def _discord_type(option: inspect.Parameter) -> Any:
    reader = _reader(option)
    if reader is None:
        return get_args(option.annotation)[0]
    return reader.takes if option.default is option.empty else reader.takes | None


def _completing(suggest: Callable[[Any, str], Any]) -> Any:
    async def complete(interaction: discord.Interaction, typed: Any) -> Any:
        request = Request(interaction)
        if inspect.iscoroutinefunction(suggest):
            return await suggest(request, str(typed))
        return suggest(await request.view(), str(typed))

    return complete
