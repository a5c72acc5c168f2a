"""Pages: a message for its reader only, whose buttons turn the page, after a restart too."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import discord

from bot.rules.registry import game_named
from bot.rules.views import TableView
from bot.show.cards import Card
from bot.show.pictures import wealth
from cogs.answers import answer_to
from cogs.context import CommandContext, requester

CHARTED = 4000
"""The most entries of a table of which a chart is drawn. An evening has some hundreds."""

TOO_LONG = f"-# There is no chart of a table with more than {CHARTED} entries."


async def pictured(
    context: CommandContext, interaction: discord.Interaction, card: Card, view: TableView, until_seq: int,
    seat: str | None,
) -> Card:  # fmt: skip
    """Return the card with a chart of the game, in which this seat's line is thick.

    It is drawn in a thread, since drawing would block the event loop and with it everybody's commands.
    """
    if until_seq > CHARTED:
        return replace(card, blocks=(*card.blocks, TOO_LONG))
    course = wealth.Course(game_named(view.game))
    walk = context.service.walk(view.id, requester(interaction), until_seq=until_seq, kinds=wealth.kinds())
    async for some in walk:
        course.add(some)
    chart = course.chart(view, seat)
    return replace(card, picture=await asyncio.to_thread(wealth.picture, chart) if chart else None)


async def show_page(interaction: discord.Interaction, card: Card) -> None:
    """Show this page in place of the one whose button was pressed."""
    await answer_to(interaction).update(card)
