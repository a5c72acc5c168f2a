"""Paint: turns the plain cards of `bot.show` into Discord's components."""

from __future__ import annotations

from io import BytesIO

import discord
from discord import ui

from bot.show.cards import Card, Mood, Select, Style
from bot.show.forms import Form, Text

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


def form(plain: Form) -> ui.Modal:
    """A form as a modal. Like a card it is forgotten once sent; the router takes what is submitted."""
    modal = ui.Modal(title=plain.title, custom_id=plain.action, timeout=None)
    for field in plain.fields:
        component: ui.TextInput[ui.Modal] | ui.Select[ui.Modal]
        if isinstance(field, Text):
            component = ui.TextInput(
                custom_id=field.id, default=field.value or None, placeholder=field.hint or None, required=False,
                max_length=field.most,
            )  # fmt: skip
        else:
            options = [discord.SelectOption(label=label, value=value, default=on) for label, value, on in field.options]
            component = ui.Select(
                custom_id=field.id, options=options, required=False, min_values=0, max_values=len(options)
            )
        modal.add_item(ui.Label(text=field.label, component=component))
    modal.stop()
    return modal


def paint(card: Card) -> ui.LayoutView:
    """A card as a Components V2 message.

    The view is stopped before it is sent: the library is to remember nothing of it, since every press goes through
    the router by its custom_id and so works after a restart too. A card with a picture needs its `files` sent along.
    """
    box = ui.Container[ui.LayoutView](accent_colour=ACCENTS[card.mood])
    for block in card.blocks:
        box.add_item(ui.TextDisplay(block))
    if card.picture:
        shown = discord.MediaGalleryItem(f"attachment://{card.picture.name}", description=card.picture.alt)
        box.add_item(ui.MediaGallery(shown))
    for row in card.rows:
        if isinstance(row, Select):
            choice = ui.Select[ui.LayoutView](
                placeholder=row.placeholder,
                custom_id=row.action,
                max_values=row.most,
                options=[
                    discord.SelectOption(label=label[:100], value=value, default=value in row.chosen)
                    for label, value in row.options
                ],
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


def files(card: Card) -> list[discord.File]:
    """What has to be uploaded with a card: its picture, if it has one."""
    picture = card.picture
    return [discord.File(BytesIO(picture.png), picture.name, description=picture.alt)] if picture else []
