"""Buttons that carry a command: executes it, and replies to everybody unless the command's reply is private."""

from __future__ import annotations

import discord

from bot.rules.commands import Press
from bot.service import Outcome
from bot.show.names import format_text
from cogs.context import CommandContext
from cogs.router import Router


class Presses:
    """Handles every press that needs no handler of its own."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context, self._router = context, router
        router.on(Press, self.pressed)

    async def pressed(self, interaction: discord.Interaction, press: Press) -> None:
        command = press.command
        if not command.private_reply:
            card = self._router.private_card(command)
            await self._context.execute_publicly(interaction, command, table_id=press.table, privately=card)
            return

        def reply(outcome: Outcome) -> str:
            return format_text(outcome.view, command.reply([each.entry for each in outcome.entries]))

        await self._context.execute_privately(interaction, command, reply, table_id=press.table)
