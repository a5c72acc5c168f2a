"""The tree of slash commands: it answers commands and completions, whatever arrives.

discord.py trusts that what arrives fits the registered commands. Nothing here rests on that: an option that is not of
its command, lacks its value or has one of another type is refused before the command sees it. A completion that is
refused, or goes wrong, offers nothing.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Protocol, cast

import discord
from discord import AppCommandOptionType as Kind
from discord import app_commands
from discord.app_commands import Namespace

from bot.discord_hooks import WholeTree, complete, invoke, limit_texts
from bot.ledger import LedgerError
from bot.rules.model.text import TYPED_MAX
from bot.rules.model.violation import Refused
from cogs.answers import Answers, answer_to
from cogs.errors import Misfit, explain

log = logging.getLogger(__name__)

NUMBER_MAX = 2**53
"""Discord's limit for the amount of a number."""

MALFORMED = (LookupError, ValueError, TypeError, AttributeError, OverflowError)
"""What discord.py raises for an interaction whose parts are missing or of other types than Discord says."""


AnyCommand = app_commands.Command[Any, ..., Any] | app_commands.ContextMenu | app_commands.Group


class Answering(Protocol):
    """The client, as far as the tree needs it."""

    answers: Answers


class Tree(WholeTree):
    """The slash commands, which are answered like presses, and whose errors go to `cogs.errors` as well."""

    def __init__(self, client: discord.Client, **options: Any) -> None:
        super().__init__(client, **options)
        self._newest: dict[int, int] = {}  # of each person, the completion that has not begun

    def add_command(self, command: AnyCommand, /, **where: Any) -> None:
        """Add a command, or a group with all that is in it; no text of theirs has more than `TYPED_MAX` characters."""
        every = [command, *command.walk_commands()] if isinstance(command, app_commands.Group) else [command]
        for each in every:
            if isinstance(each, app_commands.Command):
                limit_texts(each, TYPED_MAX)
        super().add_command(command, **where)

    async def handle(self, interaction: discord.Interaction) -> None:
        """Handle a command or a completion."""
        answers = cast(Answering, self.client).answers
        await answers.handle(interaction, lambda: self._handle(interaction))

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        """Explain an error to the person."""
        await explain(interaction, error)

    async def _handle(self, interaction: discord.Interaction) -> None:
        typing = interaction.type is discord.InteractionType.autocomplete
        try:
            command, namespace, focused = self._parse(interaction)
            if typing:
                await self._complete(interaction, command, namespace, focused)
            else:
                check(command, namespace)
                await invoke(command, interaction, namespace)
        except Exception as error:  # noqa: BLE001  cogs.errors handles all of them
            await (self._suggest_nothing(interaction, error) if typing else explain(interaction, error))

    def _parse(self, interaction: discord.Interaction) -> tuple[app_commands.Command[Any, ..., Any], Namespace, str]:
        """Return the command, its options by name, and the one that is being typed. Raises `Misfit`.

        It does what discord.py does, but for its traceback when a completion fails, and without trust in what arrived.
        """
        data: Any = interaction.data
        try:
            if data.get("type", 1) != discord.AppCommandType.chat_input.value:
                raise Misfit(f"a command of type {data['type']!r}")
            return self.parse(interaction)
        except MALFORMED as error:
            raise Misfit(f"malformed: {error!r:.100}") from error

    async def _complete(
        self,
        interaction: discord.Interaction,
        command: app_commands.Command[Any, ..., Any],
        namespace: Namespace,
        focused: str,
    ) -> None:
        """Suggest values for the option that is being typed. Odd values of the others are left out.

        Discord shows the suggestions for what was typed last. Of completions that arrive together, only the newest of
        each person is worked on, and the others get none.
        """
        parameters = {each.display_name: each for each in command.parameters}
        if focused not in parameters or not parameters[focused].autocomplete:
            raise Misfit(f"no suggestions for {focused[:40]!r}")
        person = interaction.user.id
        self._newest[person] = interaction.id
        await asyncio.sleep(0)  # those that arrived with it come first
        if self._newest.get(person) != interaction.id:
            return
        del self._newest[person]
        filled = vars(namespace)
        odd = [
            name
            for name, value in filled.items()
            if name not in parameters or not _fits_loosely(parameters[name], value)
        ]
        for name in odd:
            del filled[name]
        filled[focused] = str(filled.get(focused, ""))
        await answer_to(interaction).suggest(lambda: complete(command, interaction, focused, namespace))

    async def _suggest_nothing(self, interaction: discord.Interaction, error: Exception) -> None:
        """Offer no choices. A refusal is no error; what is one is logged."""
        match error:
            case Refused() | Misfit() | app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
                log.debug("nothing is suggested: %s", error)
            case LedgerError() | discord.HTTPException():
                log.warning("nothing could be suggested: %s", error)
            case _:
                log.error("defect %x: nothing could be suggested", interaction.id, exc_info=error)
        await answer_to(interaction).suggest_nothing()


# ---------------------------------------------------------------- options


def check(command: app_commands.Command[Any, ..., Any], namespace: Namespace) -> None:
    """Check that the options are those of the command. Raises `Misfit`, or `Refused` for a person who is not there."""
    parameters = {each.display_name: each for each in command.parameters}
    filled = vars(namespace)
    if odd := [name for name in filled if name not in parameters]:
        raise Misfit(f"no option {odd[0][:40]!r}")
    for name, parameter in parameters.items():
        if name in filled:
            _check_value(parameter, filled[name])
        elif parameter.required:
            raise Misfit(f"{name} is missing")


def _check_value(parameter: app_commands.Parameter, value: Any) -> None:
    if parameter.type is Kind.user and isinstance(value, discord.Object):
        raise Refused("", "I can't find that person.", "Name somebody who is here.")
    if not _fits(parameter, value):
        raise Misfit(f"{parameter.display_name} is {value!r:.40}")


def _fits(parameter: app_commands.Parameter, value: Any) -> bool:
    """Return whether a value is one that Discord lets a person give to an option."""
    least, most = parameter.min_value, parameter.max_value
    if parameter.choices and all(value != choice.value for choice in parameter.choices):
        return False
    match parameter.type:
        case Kind.string:
            # What is too short may have been longer: characters that nobody sees are taken out as it arrives.
            return isinstance(value, str) and (most is None or len(value) <= most)
        case Kind.integer:
            low, high = -NUMBER_MAX if least is None else least, NUMBER_MAX if most is None else most
            return type(value) is int and low <= value <= high
        case Kind.boolean:
            return type(value) is bool
        case Kind.user:
            return isinstance(value, discord.User | discord.Member)
        case _:
            return True


def _fits_loosely(parameter: app_commands.Parameter, value: Any) -> bool:
    """Return whether a value is of its option's type, as far as it is known while a person types: users are ids."""
    if parameter.type is Kind.user:
        return isinstance(value, discord.User | discord.Member | discord.Object)
    return isinstance(value, str | int)
