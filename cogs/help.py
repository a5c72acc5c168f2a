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
        "**/offer post** without `to:` is open to everybody, and you pick one of those who accept; without goods it "
        "opens a form. An offer reserves nothing, and if the turn changes you are asked to confirm it once more.\n"
        "**Counter** answers an offer with another; **Alter**, **Suspend** and **Withdraw** are for your own. "
        "**/offer list** shows what stands. `for: 10m` lets an offer run out by itself.\n"
        "**/negotiate open** makes a private thread for two. **/deal propose** is for promises in words."
    ),
    "turns": (
        "### Keeping up with the table\n"
        "The board in the channel has **End turn** and **Pass** for whose turn it is, and **Combat**, **Agenda** and "
        "**Phase**. **/table order** sets who comes next.\n"
        "Gains and losses away from trade: **/holdings gain**, **/holdings spend**, **/commodities replenish**, "
        "**/note play**. A card that I don't know, a host allows with **/permit grant**."
    ),
    "quarrels": (
        "### When you disagree\n"
        "**/rules show** tells a rule and where this table stands towards it; **/table show** whom you can trade with "
        "and why not; **/history** what happened, as far as you may know.\n"
        "Hosts and moderators: **/audit trade** tells the whole story of one transaction, **/audit player** what came "
        "and went, **/audit verify** that nothing was changed since, and **/audit correct** mends a mistake, for all "
        "to see. **/privacy** tells what is stored about you."
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
