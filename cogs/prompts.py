"""**Show me**, in a ping in the channel: shows the prompt to a person whom DMs do not reach."""

from __future__ import annotations

from discord.ext import commands

from bot.rules.model.violation import Refused
from bot.show.actions import RevealPrompt
from bot.show.notices import prompt_card
from cogs.request import Request
from cogs.router import Router


class Prompts(commands.Cog):
    """Handles **Show me** for a prompt that others must not read."""

    def __init__(self, router: Router) -> None:
        router.on(RevealPrompt, self.revealed)

    async def revealed(self, request: Request, press: RevealPrompt) -> None:
        """Show the prompt to the person it is for."""
        view = await request.view()
        prompt = next((each for each in view.prompts if each.key == press.key), None)
        if prompt is None:
            raise Refused("", "That is for another player, or already answered.", "/history shows what you may know.")
        await request.reply(prompt_card(view, prompt))
