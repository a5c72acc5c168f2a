"""/help: the first steps, short."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from cogs.door import answer

TOPICS = {
    "start": (
        "### A first trade\n"
        "1. **/table open** in a channel, then everybody **/table sit**.\n"
        "2. The host says what each has: **/holdings set**; who are neighbours: **/neighbors join**; "
        "and whose turn it is: **/turn start**.\n"
        "3. **/offer post** `to:` somebody `give: 3 tg` `want: 2 c`. They press **Accept**, and the goods have moved.\n"
        "-# What the rules forbid is refused, with the rule's number and what would make it legal."
    ),
    "goods": (
        "### Writing goods\n"
        "Parts joined by commas, in any order: `3 tg, 1 c, ceasefire`.\n"
        "`tg` trade goods · `c` commodities · `ceasefire`, `alice's ceasefire` promissory notes · "
        "`2 cultural fragments` or `crf`, `hrf`, `irf`, `urf` · `action card` · `captured cruiser of bob`."
    ),
    "offers": (
        "### Offers\n"
        "**/offer post** without `to:` is open to everybody. An offer stands until it is accepted, declined or "
        "withdrawn; it reserves nothing. If the turn changes, who posted it is asked to confirm it once more.\n"
        "**/offer list** shows what stands, **/offer withdraw** takes yours back. "
        "Buttons and commands do the same."
    ),
}


class Help(commands.Cog):
    """/help."""

    @app_commands.command(name="help", description="How to trade here")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.choices(topic=[app_commands.Choice(name=topic, value=topic) for topic in TOPICS])
    async def help(self, interaction: discord.Interaction, topic: str = "start") -> None:
        """Tell a topic, and which others there are."""
        others = ", ".join(f"**/help topic:{name}**" for name in TOPICS if name != topic)
        await answer(interaction, f"{TOPICS[topic]}\n-# More: {others}")
