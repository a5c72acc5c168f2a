"""The router: finds the handler of each press by the action or command in its custom_id.

When a button is pressed, the custom_id is decoded into a typed action, and the handler bound to the
action's type is called with it. A button that carries a command needs a handler only where the
reply differs. Errors are handled like those of slash commands. Nothing about messages is kept in
memory, so buttons work after a restart too.

A module of handlers has a function ``bind(router)``; a cog binds its own when it is made.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, TypeVar

import discord
from discord.ext import commands

from bot.logs import note
from bot.rules.commands import Command, Press
from bot.rules.guard import presented
from bot.rules.model.actions import Action
from bot.rules.model.codec import Codec
from bot.rules.model.stamps import Stamp
from bot.rules.model.violation import Outdated
from bot.rules.registry import games
from bot.service import Outcome
from bot.show import custom_ids
from bot.show.names import format_text
from cogs.answers import Answers, answer_to
from cogs.errors import explain
from cogs.request import Request, require_game

A = TypeVar("A", bound=Action | Command)

Handler = Callable[[Request, A], Awaitable[None]]
"""Handles a press of one type of action, or of a button with one type of command."""


class Router(commands.Cog):
    """Dispatches presses, choices and submitted forms to the handlers of their actions and
    commands.

    >>> def cogs(router: Router) -> list[commands.Cog]:
    ...     router.on(ShowStalls, show_stalls)
    ...     return [BazaarCommands()]
    """

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._handlers: dict[type, Handler[Any]] = {}

    def on(self, kind: type[A], handler: Handler[A]) -> None:
        """Bind a handler to a type of action or command. Raises ``ValueError`` if the type has one
        already.

        A command without a handler is carried out by `carry_out`.
        """
        if kind in self._handlers:
            raise ValueError(f"{kind.__name__} has a handler already")
        self._handlers[kind] = handler

    def handlers(self) -> dict[type, Handler[Any]]:
        """Return what is bound to each type, for `restore`."""
        return dict(self._handlers)

    def restore(self, handlers: dict[type, Handler[Any]]) -> None:
        """Bind what was bound when `handlers` was called, and nothing else."""
        self._handlers = handlers

    def check(self, actions: Iterable[type[Action]]) -> None:
        """Check that each of these types of action can be encoded in a custom_id and has a handler.

        Raises ``ValueError`` if two have the same name or one can't be encoded, and ``LookupError``
        if one has no handler.
        """
        kinds = Codec(dict.fromkeys(actions)).kinds
        missing = sorted(name for name, kind in kinds.items() if kind not in self._handlers)
        if missing:
            raise LookupError(f"no handler is bound to {', '.join(missing)}")

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Handle a press, a choice in a select, or a submitted form."""
        if interaction.type not in (
            discord.InteractionType.component,
            discord.InteractionType.modal_submit,
        ):
            return
        await self._answers.handle(interaction, partial(self._handle, interaction))

    async def _handle(self, interaction: discord.Interaction) -> None:
        data: Any = interaction.data or {}
        custom_id = data.get("custom_id")
        try:
            text = custom_ids.without_number(custom_id) if isinstance(custom_id, str) else ""
            await self._dispatch(interaction, custom_ids.decode(text), text)
        except Exception as error:  # noqa: BLE001  cogs.errors handles all of them
            await explain(interaction, error)

    async def _dispatch(
        self, interaction: discord.Interaction, action: Action | None, custom_id: str
    ) -> None:
        pressed: Any = action.command if isinstance(action, Press) else action
        usual: Handler[Any] | None = carry_out if isinstance(action, Press) else None
        handler = self._handlers.get(type(pressed), usual)
        if action is None or handler is None:
            # it may be of this table's game, which is not installed
            await require_game(interaction, table=custom_ids.table_in(custom_id))
            raise Outdated
        answer_to(interaction).command = name = (
            pressed.kind if isinstance(action, Press) else action.name
        )
        if offer := getattr(pressed, "offer", None):
            note(offer=offer)
        # The names of a game's actions and commands begin with its id and a dot; that is checked
        # when it is loaded.
        game = name.partition(".")[0]
        if game in games():
            await require_game(interaction, game, action.table)
        request = Request(interaction, action.table)
        if stamp := custom_ids.stamp_on(custom_id):
            await request.require_of_now(stamp)
            # a form that is opened without a look at the table has that of its button
            request.answer.stamp = Stamp(action.table, 0, stamp)
        await handler(request, pressed)


async def carry_out(request: Request, command: Command) -> None:
    """Execute the command of a button, and reply to everybody unless the command's reply is
    private.

    >>> class Shout(Command):
    ...     kind = "bazaar.shout"
    >>> router.on(Shout, carry_out)
    """
    if not command.private_reply:
        await request.respond(command)
        return

    def reply(outcome: Outcome) -> str:
        entries = [each.entry for each in outcome.entries]
        return format_text(outcome.view, presented(outcome.view.game, command.reply, entries))

    await request.respond(command, reply)
