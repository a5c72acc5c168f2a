"""Buttons that carry a command: executes it, and replies to everybody unless the command's reply is private."""

from __future__ import annotations

from bot.rules.commands import Press
from bot.service import Outcome
from bot.show.names import format_text
from cogs.request import Request
from cogs.router import Router


class Presses:
    """Handles every press that needs no handler of its own."""

    def __init__(self, router: Router) -> None:
        self._router = router
        router.on(Press, self.pressed)

    async def pressed(self, request: Request, press: Press) -> None:
        command = press.command
        if not command.private_reply:
            card = self._router.private_card(command)
            await request.execute_publicly(command, privately=card)
            return

        def reply(outcome: Outcome) -> str:
            return format_text(outcome.view, command.reply([each.entry for each in outcome.entries]))

        await request.execute_privately(command, reply)
