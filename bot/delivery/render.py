"""Rendering: turns the plain cards and forms of `bot.show` into Discord's components."""

from __future__ import annotations

from io import BytesIO

import discord
from discord import ui

from bot.delivery.emojis import with_icons
from bot.rules.model.text import TYPED_MAX
from bot.show.cards import Button, Card, Mood, Select, Style
from bot.show.custom_ids import encode
from bot.show.forms import Form, Pick, Text

ACCENTS: dict[Mood, discord.Colour] = {
    "open": discord.Colour(0x5865F2),
    "waiting": discord.Colour(0xF0B232),
    "done": discord.Colour(0x3BA55D),
    "over": discord.Colour(0x6D6F78),
}
STYLES: dict[Style, discord.ButtonStyle] = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}

LABEL_MAX = 100
"""Discord's limit for an option's label, in characters."""


def render_card(card: Card, marker: int | None = None) -> ui.LayoutView:
    """Return a card as a Components V2 message. The files of `render_files` must be sent with it.

    ``marker`` becomes the id of the outermost component, which identifies the message.

    The view is stopped before it is sent: discord.py would otherwise keep it in memory and dispatch its presses itself.
    All presses go through the router by their custom_id instead, so that they work after a restart too.
    """
    if card.plain:
        return _plain(card, marker)
    box = ui.Container[ui.LayoutView](accent_colour=ACCENTS[card.mood], id=marker)
    blocks = with_icons(card.blocks)
    above = len(blocks) if card.picture_after is None else card.picture_after
    for block in blocks[:above]:
        box.add_item(ui.TextDisplay(block))
    if card.picture:
        shown = discord.MediaGalleryItem(f"attachment://{card.picture.name}", description=card.picture.alt)
        box.add_item(ui.MediaGallery(shown))
    for block in blocks[above:]:
        box.add_item(ui.TextDisplay(block))
    for row in card.rows:
        box.add_item(_row(row))
    view = ui.LayoutView(timeout=None)
    view.add_item(box)
    view.stop()
    return view


def _plain(card: Card, marker: int | None) -> ui.LayoutView:
    """Return a card as plain text: no frame, no buttons."""
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay("\n".join(with_icons(card.blocks)), id=marker))
    view.stop()
    return view


def render_files(card: Card) -> list[discord.File]:
    """Return the files to upload with a card: its picture, if any."""
    picture = card.picture
    return [discord.File(BytesIO(picture.png), picture.name, description=picture.alt)] if picture else []


def render_form(form: Form) -> ui.Modal:
    """Return a form as a modal. It is stopped like a card, so that the router receives the submission."""
    modal = ui.Modal(title=form.title, custom_id=encode(form.action), timeout=None)
    for field in form.fields:
        component = _text(field) if isinstance(field, Text) else _pick(field)
        modal.add_item(ui.Label(text=field.label, description=field.description or None, component=component))
    modal.stop()
    return modal


def _row(row: tuple[Button, ...] | Select) -> ui.ActionRow[ui.LayoutView]:
    if isinstance(row, Select):
        return ui.ActionRow(_select(row))
    buttons = (
        ui.Button[ui.LayoutView](label=each.label, custom_id=encode(each.action), style=STYLES[each.style])
        for each in row
    )
    return ui.ActionRow(*buttons)


def _select(select: Select) -> ui.Select[ui.LayoutView]:
    details = select.details or ("",) * len(select.options)
    options = [
        discord.SelectOption(
            label=label[:LABEL_MAX], value=value, default=value in select.chosen, description=detail[:LABEL_MAX] or None
        )
        for (label, value), detail in zip(select.options, details, strict=True)
    ]
    return ui.Select(
        placeholder=select.placeholder, custom_id=encode(select.action), min_values=select.min_values,
        max_values=select.max_values, options=options,
    )  # fmt: skip


def _text(field: Text) -> ui.TextInput[ui.Modal]:
    most = min(field.max_length, TYPED_MAX)
    return ui.TextInput(
        custom_id=field.id, default=field.value[:most] or None, placeholder=field.hint or None, required=False,
        max_length=most,
    )  # fmt: skip


def _pick(field: Pick) -> ui.Select[ui.Modal]:
    options = [discord.SelectOption(label=label, value=value, default=on) for label, value, on in field.options]
    return ui.Select(custom_id=field.id, options=options, required=False, min_values=0, max_values=len(options))
