"""The tree of slash commands: answers commands and completions, even malformed ones.

discord.py trusts that an interaction fits the registered commands; this module does not. An unknown
or missing option, or one with a value of another type, is refused before the command sees it. A
completion that is refused or fails suggests nothing.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Protocol, cast

import discord
from discord import AppCommandOptionType as Kind
from discord import app_commands
from discord.app_commands import Namespace

from bot.discord_hooks import InterceptingTree, complete, invoke, limit_texts
from bot.rules.model.text import TYPED_MAX
from bot.rules.model.violation import Refused
from cogs.answers import Answers, answer_to
from cogs.errors import UnknownCommand, explain, outcome_of
from cogs.request import require_game

log = logging.getLogger(__name__)

GAME = "game"
"""The key in a command's ``extras`` for the id of the game whose cog has it."""

NUMBER_MAX = 2**53
"""Discord's limit for the absolute value of a number."""

MALFORMED = (LookupError, ValueError, TypeError, AttributeError, OverflowError)
"""The errors that discord.py raises for an interaction with missing parts or parts of unexpected
types.
"""


AnyCommand = app_commands.Command[Any, ..., Any] | app_commands.ContextMenu | app_commands.Group


class Answering(Protocol):
    """The part of the client that the tree needs."""

    answers: Answers


class Tree(InterceptingTree):
    """The slash commands. They are answered like presses, and `cogs.errors` explains their errors
    too.
    """

    def __init__(self, client: discord.Client, **options: Any) -> None:
        # Otherwise a person who has installed the application for themselves could use the commands
        # anywhere.
        super().__init__(
            client,
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            **options,
        )
        self._newest: dict[int, int] = {}  # by person, the completion that has not begun

    def add_command(self, command: AnyCommand, /, **where: Any) -> None:
        """Add a command or a group with its commands, and limit the text of their options to
        `TYPED_MAX` characters.
        """
        every = (
            [command, *command.walk_commands()]
            if isinstance(command, app_commands.Group)
            else [command]
        )
        for each in every:
            if isinstance(each, app_commands.Command):
                limit_texts(each, TYPED_MAX)
        super().add_command(command, **where)

    async def handle(self, interaction: discord.Interaction) -> None:
        answers = cast(Answering, self.client).answers
        await answers.handle(interaction, lambda: self._handle(interaction))

    async def on_error(
        self, interaction: discord.Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        await explain(interaction, error)

    async def _handle(self, interaction: discord.Interaction) -> None:
        typing = interaction.type is discord.InteractionType.autocomplete
        try:
            kind = interaction.data.get("type") if isinstance(interaction.data, dict) else None
            if not typing and kind in (
                discord.AppCommandType.user.value,
                discord.AppCommandType.message.value,
            ):
                await self._choose(interaction)
                return
            try:
                command, namespace, focused = self._parse(interaction)
            except (UnknownCommand, app_commands.CommandNotFound):
                # it may be one of this table's game, which is not installed
                await require_game(interaction)
                raise
            answer_to(interaction).command = command.qualified_name
            if game := command.extras.get(GAME):
                await require_game(interaction, game)
            if typing:
                await self._complete(interaction, command, namespace, focused)
            else:
                check_options(command, namespace)
                await invoke(command, interaction, namespace)
        except Exception as error:  # noqa: BLE001  cogs.errors handles all of them
            await (
                self._suggest_nothing(interaction, error) if typing else explain(interaction, error)
            )

    async def _choose(self, interaction: discord.Interaction) -> None:
        """Carry out a user or message command. Raises `UnknownCommand`."""
        try:
            menu, target = self.parse_menu(interaction)
        except MALFORMED as error:
            raise UnknownCommand(f"malformed: {error!r:.100}") from error
        answer_to(interaction).command = menu.name
        callback: Any = menu.callback
        await callback(interaction, target)

    def _parse(
        self, interaction: discord.Interaction
    ) -> tuple[app_commands.Command[Any, ..., Any], Namespace, str]:
        """Return the command, its options by name, and the name of the option being typed. Raises
        `UnknownCommand`.

        This does what discord.py does, but accepts malformed data, and logs no traceback when a
        completion fails.
        """
        data: Any = interaction.data
        try:
            if data.get("type", 1) != discord.AppCommandType.chat_input.value:
                raise UnknownCommand(f"a command of type {data['type']!r}")
            return self.parse(interaction)
        except MALFORMED as error:
            raise UnknownCommand(f"malformed: {error!r:.100}") from error

    async def _complete(
        self,
        interaction: discord.Interaction,
        command: app_commands.Command[Any, ..., Any],
        namespace: Namespace,
        focused: str,
    ) -> None:
        """Suggest values for the option being typed. Values of other options that do not fit are
        ignored.

        Discord shows only the suggestions for the last text. When several completions of a person
        arrive together, only the newest gets suggestions.
        """
        parameters = {each.display_name: each for each in command.parameters}
        if focused not in parameters or not parameters[focused].autocomplete:
            raise UnknownCommand(f"no suggestions for {focused[:40]!r}")
        person = interaction.user.id
        self._newest[person] = interaction.id
        await asyncio.sleep(0)  # let the completions that arrived with it begin
        if self._newest.get(person) != interaction.id:
            return
        del self._newest[person]
        filled = vars(namespace)
        for name, value in list(filled.items()):
            # In a completion a user may be only an id, and a number only begun.
            users = name in parameters and parameters[name].type is Kind.user
            kinds = (discord.User, discord.Member, discord.Object) if users else (str, int)
            if name not in parameters or not isinstance(value, kinds):
                del filled[name]
        filled[focused] = str(filled.get(focused, ""))
        await answer_to(interaction).suggest(
            lambda: complete(command, interaction, focused, namespace)
        )

    async def _suggest_nothing(self, interaction: discord.Interaction, error: Exception) -> None:
        """Offer no choices, and log errors. A refusal is not an error."""
        answer = answer_to(interaction)
        answer.outcome, answer.rule = outcome_of(error)
        if answer.outcome in ("ledger", "discord"):
            log.warning("nothing could be suggested: %s", error)
        elif answer.outcome == "defect":
            log.error("defect %x: nothing could be suggested", interaction.id, exc_info=error)
        await answer.suggest_nothing()


# ---------------------------------------------------------------- options


def check_options(command: app_commands.Command[Any, ..., Any], namespace: Namespace) -> None:
    """Check that the options fit the command. Raises `UnknownCommand`, or `Refused` for an unknown
    user.

    discord.py checks only that those are there which must be.
    """
    parameters = {each.display_name: each for each in command.parameters}
    for name, value in vars(namespace).items():
        parameter = parameters.get(name)
        if parameter is None:
            raise UnknownCommand(f"no option {name[:40]!r}")
        if parameter.type is Kind.user and isinstance(value, discord.Object):
            raise Refused("I can't find that person.", "Name a person who is here.")
        if not _fits(parameter, value):
            raise UnknownCommand(f"{name} does not take this {type(value).__name__}")


def _fits(parameter: app_commands.Parameter, value: Any) -> bool:
    """Return whether an option of this type takes this value. Discord keeps people to the lengths
    of texts.
    """
    if parameter.choices:
        return any(value == choice.value for choice in parameter.choices)
    least, most = parameter.min_value, parameter.max_value
    match parameter.type:
        case Kind.string:
            return isinstance(value, str)
        case Kind.integer:
            low, high = (
                -NUMBER_MAX if least is None else least,
                NUMBER_MAX if most is None else most,
            )
            return type(value) is int and low <= value <= high
        case Kind.boolean:
            return type(value) is bool
        case Kind.user:
            return isinstance(value, discord.User | discord.Member)
        case Kind.attachment:
            return isinstance(value, discord.Attachment)
        case _:
            return True
