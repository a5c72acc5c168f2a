"""Pages: a message for its reader only, whose buttons turn the page, after a restart too."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.rules.views import EntryView, TableView
from bot.show.cards import Card
from bot.show.pictures import wealth
from cogs.answers import answer_to


async def pictured(card: Card, view: TableView, entries: Sequence[EntryView], seat: str | None) -> Card:
    """Return the card with a chart of the game, in which this seat's line is thick.

    It is drawn in a thread, since drawing would block the event loop and with it everybody's commands.
    """
    chart = wealth.chart_of(view, entries, seat)
    return replace(card, picture=await asyncio.to_thread(wealth.picture, chart) if chart else None)


async def show_page(interaction: discord.Interaction, card: Card) -> None:
    """Show this page in place of the one whose button was pressed."""
    await answer_to(interaction).update(card)
