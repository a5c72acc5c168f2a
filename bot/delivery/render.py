"""Rendering: turns the plain cards and forms of `bot.show` into Discord's components.

Icons of goods are emojis of the bot's own application, which can have up to 2,000 and use them
everywhere. Missing ones are drawn and uploaded slowly; until then, or if that fails, an icon is a
Unicode symbol. A changed drawing is uploaded once somebody has deleted the old emoji on Discord's
page for developers.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Collection, Sequence
from io import BytesIO
from itertools import chain
from typing import Any, assert_never

import discord
from discord import ui

from bot.delivery.desired import Way
from bot.delivery.verdicts import FAILURES
from bot.discord_hooks import RowsView
from bot.rules.game import Icon
from bot.rules.model.replacing import replace
from bot.rules.model.stamps import Stamp
from bot.rules.model.text import longest
from bot.rules.registry import game_named
from bot.show.cards import Button, Card, Mood, Select, Style, packed, truncate
from bot.show.custom_ids import encode, placed
from bot.show.forms import Form, Menu, MultiSelect, Radio, Text
from bot.show.pictures import Picture, Sketch
from bot.show.pictures.icons import icon_png

log = logging.getLogger(__name__)

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

MENTION = re.compile(r"<@(\d+)>")

LABEL_MAX = 100
"""Discord's limit for an option's label, in characters."""


def payload(
    message: str | Card,
    way: Way = "v2",
    *,
    marker: int | None = None,
    pings: Sequence[int] = (),
    edit: bool = False,
) -> dict[str, Any]:
    """Return what discord.py's methods to send a message, or with ``edit`` to edit one, are called
    with.

    ``way``: how the message is drawn. ``marker`` becomes the id of the outermost component or the
    first row, which identifies the message. ``pings`` are the only users whose mention notifies
    them. An edit notifies nobody, and keeps the mark of the mentions in the card's line. A card's
    picture must be drawn; see `with_picture`.

    Views are stopped before they are sent: discord.py would otherwise keep them in memory and
    dispatch their presses itself. All presses go through the router by their custom_id instead, so
    that they work after a restart too.
    """
    named = MENTION.findall(message.line) if edit and isinstance(message, Card) else pings
    users = [discord.Object(user) for user in named]
    said: dict[str, Any] = {
        "allowed_mentions": discord.AllowedMentions(
            everyone=False, roles=False, users=users or False
        )
    }
    if isinstance(message, str):
        return said | {"content": with_icons([message])[0]}
    match way:
        case "v2":
            said["view"] = _layout(message, marker)
        case "classical":
            said |= _classical(message, marker)
        case _:
            assert_never(way)
    files = render_files(message)
    if edit:  # in place of those that the message has
        said["attachments"] = files
    elif files:
        said["files"] = files
    return said


COMPONENTS_MAX = 40
"""The most components of a message, with its container, rows and buttons."""


def _layout(card: Card, marker: int | None) -> ui.LayoutView:
    """Return a card as a Components V2 message, its links as plain text; see `linked`.

    Blocks for which Discord has no room stand in the last one.
    """
    view = ui.LayoutView(timeout=None)
    if card.plain:  # no frame, no buttons
        view.add_item(ui.TextDisplay("\n".join(with_icons(card.blocks)), id=marker))
        view.stop()
        return view
    box = ui.Container[ui.LayoutView](accent_colour=ACCENTS[card.mood], id=marker)
    blocks = with_icons(card.blocks)
    taken = (
        1
        + bool(card.picture)
        + sum(1 if isinstance(row, str) else 1 + len(_items(row, None)) for row in card.rows)
    )
    room = COMPONENTS_MAX - taken
    if len(blocks) > room:
        blocks[room - 1 :] = ["\n".join(blocks[room - 1 :])]
    above = len(blocks) if card.picture_after is None else card.picture_after
    for block in blocks[:above]:
        box.add_item(ui.TextDisplay(block))
    if card.picture:
        shown = discord.MediaGalleryItem(
            f"attachment://{card.picture.name}", description=card.picture.alt
        )
        box.add_item(ui.MediaGallery(shown))
    for block in blocks[above:]:
        box.add_item(ui.TextDisplay(block))
    for row in card.rows:
        box.add_item(
            ui.TextDisplay(f"-# {row}")
            if isinstance(row, str)
            else ui.ActionRow(*_items(row, card.stamp))
        )
    view.add_item(box)
    view.stop()
    return view


def _classical(card: Card, marker: int | None) -> dict[str, Any]:
    """Return a card as a classical message: its line, an embed of the same colour and words, and
    its rows.

    A plain card has no embed: its text is the content.
    """
    *blocks, line = with_icons((*card.blocks, card.line))
    text = "\n".join(blocks)
    rows = [_items(row, card.stamp) for row in packed(card.rows)]
    view = RowsView(rows, marker)
    view.stop()
    if card.plain:
        return {"content": line or text, "embeds": [], "view": view}
    embed = discord.Embed(description=text, colour=ACCENTS[card.mood])
    if card.picture:
        embed.set_image(url=f"attachment://{card.picture.name}")
    return {"content": line, "embeds": [embed], "view": view}


async def with_picture(card: Card) -> Card:
    """Return the card with a sketched picture drawn, in a thread; without one if the game fails to
    draw it.
    """
    sketch = card.picture
    if not isinstance(sketch, Sketch):
        return card
    draw = game_named(sketch.game).draw
    png = await asyncio.to_thread(draw, sketch.of) if draw is not None else b""
    return replace(
        card,
        picture=Picture(png, sketch.name, sketch.alt) if png and isinstance(png, bytes) else None,
    )


def render_files(card: Card) -> list[discord.File]:
    """Return the files to upload with a card: its picture, if any, which must be drawn; see
    `with_picture`.
    """
    picture = card.picture
    assert not isinstance(picture, Sketch)
    return (
        [discord.File(BytesIO(picture.png), picture.name, description=picture.alt)]
        if picture
        else []
    )


def render_form(form: Form, stamp: Stamp | None = None) -> ui.Modal:
    """Return a form as a modal, with this stamp. It is stopped like a card, so that the router
    receives the submission.
    """
    modal = ui.Modal(title=form.title, custom_id=encode(form.action, stamp), timeout=None)
    for field in form.fields:
        component: ui.Item[ui.Modal]
        match field:
            case Text():
                most = min(field.max_length, longest(field.id))
                component = ui.TextInput(
                    custom_id=field.id,
                    default=field.value[:most] or None,
                    placeholder=field.hint or None,
                    required=False,
                    max_length=most,
                    style=discord.TextStyle.paragraph if field.long else discord.TextStyle.short,
                )
            case MultiSelect():
                options = [
                    discord.SelectOption(label=label, value=value, default=on)
                    for label, value, on in field.options
                ]
                component = ui.Select(
                    custom_id=field.id,
                    options=options,
                    required=False,
                    min_values=0,
                    max_values=len(options),
                )
            case Menu():
                options = [
                    discord.SelectOption(label=label[:LABEL_MAX], value=value, emoji=symbol or None)
                    for label, value, symbol in field.options
                ]
                component = ui.Select(
                    custom_id=field.id, options=options, required=False, min_values=0
                )
            case Radio():
                radios = [
                    discord.RadioGroupOption(
                        label=label,
                        value=value,
                        description=detail or None,
                        default=value == field.chosen,
                    )
                    for label, value, detail in field.options
                ]
                component = ui.RadioGroup(custom_id=field.id, options=radios, required=False)
        modal.add_item(
            ui.Label(text=field.label, description=field.description or None, component=component)
        )
    modal.stop()
    return modal


def _items(row: tuple[Button, ...] | Select, stamp: Stamp | None) -> list[ui.Item[Any]]:
    """Return the buttons of a row, or its select, with this stamp."""
    if not isinstance(row, Select):
        return [
            ui.Button(
                label=each.label,
                custom_id=encode(each.action, stamp),
                style=STYLES[each.style],
                disabled=each.disabled,
                emoji=_known.get(each.icon.name, each.icon.symbol) if each.icon else None,
            )
            for each in row
        ]
    details = row.details or ("",) * len(row.options)
    options = [
        discord.SelectOption(
            label=truncate(label, LABEL_MAX),
            value=value,
            default=value in row.chosen,
            description=truncate(detail, LABEL_MAX) or None,
        )
        for (label, value), detail in zip(row.options, details, strict=True)
    ]
    return [
        ui.Select(
            placeholder=row.placeholder,
            custom_id=placed(encode(row.action, stamp), row.place),
            min_values=row.min_values,
            max_values=row.max_values,
            options=options,
        )
    ]


# ---------------------------------------------------------------- icons

TEXT_MAX = 4000
"""Discord's limit for the text of one message, in characters. An emoji counts with its name and its
id.
"""

AFTER_START, BETWEEN = 60.0, 1.0
"""Seconds before the first upload and between two uploads, so that messages for people go first."""

# Each begins with a literal character: searching for one is quicker than trying a lookbehind
# everywhere.
_LINK = re.compile(r"<(?<!\\<)at:([a-z-]+(?::[0-9a-z]+)*)>(.*?)(?<!\\)</at>")

_ICON = re.compile(r"<(?<!\\<)icon:([a-z0-9_]+):([^:>]+)>")

_known: dict[str, str] = {}
"""The markup of each emoji by its name. There is one application in a process."""


def with_icons(blocks: Sequence[str]) -> list[str]:
    """Return texts with an emoji in place of each ``<icon:name:symbol>``.

    An unknown emoji becomes its symbol. If the texts together would exceed `TEXT_MAX`, all become
    symbols. Links that `linked` has not drawn become plain text.
    """
    blocks = [_LINK.sub(r"\2", block) for block in blocks]
    drawn = [_ICON.sub(lambda icon: _known.get(icon[1], icon[2]), block) for block in blocks]
    return (
        drawn if sum(map(len, drawn)) <= TEXT_MAX else [_ICON.sub(r"\2", block) for block in blocks]
    )


def linked(card: Card, address: Callable[[str], str | None]) -> Card:
    """Return a card with its links drawn. ``address`` returns where a subject is shown; None if
    that is not known.

    A digest is made of the card without them, so a link that becomes known is no reason to edit a
    message. A card that has no room for its links has none.
    """

    def drawn(found: re.Match[str]) -> str:
        where = address(found[1])
        return f"[{found[2]}]({where})" if where else found[2]

    if not any(_LINK.search(block) for block in card.blocks):
        return card
    blocks = tuple(_LINK.sub(drawn, block) for block in card.blocks)
    return replace(card, blocks=blocks) if sum(map(len, with_icons(blocks))) <= TEXT_MAX else card


def with_way_back(card: Card, table: str | None) -> Card:
    """Return a card for direct messages with a small link to the table's channel, where its URL is
    known.
    """
    if table is None or not card.blocks:
        return card
    *others, last = card.blocks
    way_back = f"\n-# [To the table]({table})"
    blocks = (*others, f"{last.removesuffix(way_back)}{way_back}")
    return replace(card, blocks=blocks) if sum(map(len, with_icons(blocks))) <= TEXT_MAX else card


def links(card: Card) -> list[str]:
    """Return what a card links to: encoded subjects, or ``table``."""
    found = chain.from_iterable(map(_LINK.finditer, card.blocks))
    return [link[1] for link in found]


def know(emojis: Collection[discord.Emoji]) -> None:
    """Replace the known emojis by these."""
    _known.clear()
    _known.update((each.name, str(each)) for each in emojis)


async def have_icons(client: discord.Client, icons: Collection[Icon], *, upload: bool) -> None:
    """Use the emojis of the application; with ``upload``, upload those that it lacks. An error is
    logged.
    """
    await asyncio.sleep(AFTER_START)
    try:
        know(await client.fetch_application_emojis())
        missing = [icon for icon in icons if icon.shape and icon.name not in _known]
        for icon in missing if upload else ():
            png = await asyncio.to_thread(icon_png, icon)
            _known[icon.name] = str(
                await client.create_application_emoji(name=icon.name, image=png)
            )
            await asyncio.sleep(BETWEEN)
    except (discord.DiscordException, *FAILURES) as error:
        log.warning(
            "icons that are not uploaded yet appear as symbols until the next start: %s", error
        )
