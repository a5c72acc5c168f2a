"""Paint: turns the plain cards of `bot.show` into Discord's components."""

from __future__ import annotations

import discord
from discord import ui

from bot.show.cards import Card, Mood, Select, Style

ACCENTS: dict[Mood, discord.Colour] = {
    "open": discord.Colour(0x3BA55D),
    "waiting": discord.Colour(0xF0B232),
    "done": discord.Colour(0x5865F2),
    "over": discord.Colour(0x6D6F78),
}
STYLES: dict[Style, discord.ButtonStyle] = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


def paint(card: Card) -> ui.LayoutView:
    """A card as a Components V2 message.

    The view is stopped before it is sent: the library is to remember nothing of it, since every press goes through
    the router by its custom_id and so works after a restart too.
    """
    box = ui.Container[ui.LayoutView](accent_colour=ACCENTS[card.mood])
    for block in card.blocks:
        box.add_item(ui.TextDisplay(block))
    for row in card.rows:
        if isinstance(row, Select):
            choice = ui.Select[ui.LayoutView](
                placeholder=row.placeholder,
                custom_id=row.action,
                options=[discord.SelectOption(label=label[:100], value=value) for label, value in row.options],
            )
            box.add_item(ui.ActionRow(choice))
            continue
        box.add_item(
            ui.ActionRow(
                *(ui.Button(label=button.label, custom_id=button.action, style=STYLES[button.style]) for button in row)
            )
        )
    view = ui.LayoutView(timeout=None)
    view.add_item(box)
    view.stop()
    return view
