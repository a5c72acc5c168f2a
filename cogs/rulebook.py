"""/rules: shows what a rule says, and the status of this table under it."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.show.guide import find_rule, rule_card, titles
from cogs.completion import choices
from cogs.request import Request


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Rulebook(commands.GroupCog, group_name="rules", group_description="The rules by their numbers"):
    """The /rules command."""

    @app_commands.command(name="show", description="A rule in our own words, and how it applies at this table now")
    @app_commands.describe(number="Its number, as refusals show it, or what it is about")
    async def show(self, interaction: discord.Interaction, number: app_commands.Range[str, 1, 80]) -> None:
        request = Request(interaction)
        view = await request.view()
        rule = find_rule(view, number)
        status = await request.service.rule_status(view.id, request.requester, rule.number)
        await request.reply(rule_card(view, rule, status))

    @show.autocomplete("number")
    async def _numbers(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        return choices(titles(await Request(interaction).view()), typed)
