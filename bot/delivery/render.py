"""Rendering: turns the plain cards and forms of `bot.show` into Discord's components."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import discord
from discord import ui

from bot.delivery.emojis import with_icons
from bot.show.cards import Button, Card, Mood, Select, Style
from bot.show.custom_ids import encode
from bot.show.forms import Form, Pick, Text
from bot.show.pictures import Picture

ACCENTS: dict[Mood, int] = {"open": 0x5865F2, "waiting": 0xF0B232, "done": 0x3BA55D, "over": 0x6D6F78}
STYLES: dict[Style, int] = {
    style: discord.ButtonStyle[style].value for style in ("primary", "secondary", "success", "danger")
}

ACTION_ROW, BUTTON, TEXT_DISPLAY, GALLERY, CONTAINER = (
    kind.value
    for kind in (
        discord.ComponentType.action_row,
        discord.ComponentType.button,
        discord.ComponentType.text_display,
        discord.ComponentType.media_gallery,
        discord.ComponentType.container,
    )
)
"""Discord's numbers for the kinds of components."""

LABEL_MAX = 100
"""Discord's limit for an option's label, in characters."""


class Components(ui.LayoutView):
    """Finished components, in the place of the items that a view is otherwise made of.

    discord.py would make an object of each, count and walk them, and turn them into these dictionaries at each request:
    half of what it costs to send a card. A finished view is neither kept in memory nor do its presses come to it: they
    all go through the router by their custom_id, so that they work after a restart too.
    """

    def __init__(self, components: list[dict[str, Any]]) -> None:
        """Take the components as they are. What the base class prepares is for items, timeouts and presses."""
        self._components = components

    def to_components(self) -> list[dict[str, Any]]:
        """Return the components as Discord takes them."""
        return self._components

    def has_components_v2(self) -> bool:
        """Return that these are Components V2."""
        return True

    @property  # type: ignore[misc]  # nobody sets it: that is for views that take presses
    def timeout(self) -> None:
        """How long it lasts: for ever."""
        return None

    def is_finished(self) -> bool:
        """Return that discord.py need not keep it."""
        return True

    def is_dispatchable(self) -> bool:
        """Return that no press is for discord.py to dispatch."""
        return False


def render_card(card: Card, marker: int | None = None) -> Components:
    """Return a card as a Components V2 message. The files of `render_files` must be sent with it.

    ``marker`` becomes the number of the outermost component, by which the message can be recognised.
    """
    blocks = with_icons(card.blocks)
    if card.plain:  # looks like text that somebody wrote: no frame, no buttons
        outermost: dict[str, Any] = _text_display("\n".join(blocks))
    else:
        inside = [_text_display(block) for block in blocks]
        if card.picture:
            inside.insert(len(inside) if card.picture_after is None else card.picture_after, _gallery(card.picture))
        inside += [_row(row) for row in card.rows]
        outermost = {"type": CONTAINER, "accent_color": ACCENTS[card.mood], "spoiler": False, "components": inside}
    if marker is not None:
        outermost["id"] = marker
    return Components([outermost])


def _text_display(text: str) -> dict[str, Any]:
    return {"type": TEXT_DISPLAY, "content": text}


def _gallery(picture: Picture) -> dict[str, Any]:
    shown = discord.MediaGalleryItem(f"attachment://{picture.name}", description=picture.alt)
    return {"type": GALLERY, "items": [shown.to_dict()]}


def render_files(card: Card) -> list[discord.File]:
    """Return the files to upload with a card: its picture, if it has one."""
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


def _row(row: tuple[Button, ...] | Select) -> dict[str, Any]:
    if isinstance(row, Select):
        return {"type": ACTION_ROW, "components": [_select(row).to_component_dict()]}
    return {"type": ACTION_ROW, "components": [_button(each) for each in row]}


def _button(button: Button) -> dict[str, Any]:
    return {
        "type": BUTTON, "style": STYLES[button.style], "label": button.label, "disabled": False,
        "custom_id": encode(button.action),
    }  # fmt: skip


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
    return ui.TextInput(
        custom_id=field.id, default=field.value[: field.max_length] or None, placeholder=field.hint or None,
        required=False, max_length=field.max_length,
    )  # fmt: skip


def _pick(field: Pick) -> ui.Select[ui.Modal]:
    options = [discord.SelectOption(label=label, value=value, default=on) for label, value, on in field.options]
    return ui.Select(custom_id=field.id, options=options, required=False, min_values=0, max_values=len(options))
