"""Pages: a message that only its reader sees and turns with its buttons, after a restart too."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.delivery import render_card, render_files
from bot.rules.views import EntryView, TableView
from bot.show.cards import Card
from bot.show.pictures import wealth
from cogs.context import ALREADY_ANSWERED, EXPIRED


async def pictured(card: Card, view: TableView, entries: Sequence[EntryView], seat: str | None) -> Card:
    """Return the card with the game so far drawn under it, told for this seat.

    It is drawn in a thread: that takes too long for the event loop, on which everybody else's commands wait.
    """
    chart = wealth.chart_of(view, entries, seat)
    return replace(card, picture=await asyncio.to_thread(wealth.picture, chart) if chart else None)


async def show_page(interaction: discord.Interaction, card: Card) -> None:
    """Show this page in place of the one whose button was pressed."""
    try:
        await interaction.response.edit_message(
            view=render_card(card), attachments=render_files(card), allowed_mentions=discord.AllowedMentions.none()
        )
    except discord.HTTPException as error:
        if error.code not in (ALREADY_ANSWERED, EXPIRED):
            raise
