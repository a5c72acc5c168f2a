"""Emojis: the icons of goods, as emojis of the bot's own application.

Discord keeps up to 2,000 emojis for an application, which it can use everywhere. Icons that it has none of yet are
drawn and uploaded, at leisure; until then, and wherever that fails, an icon is a Unicode symbol. A changed drawing is
uploaded once somebody has deleted the old one on Discord's page for developers.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Collection, Sequence

import aiohttp
import discord

from bot.rules.game import Icon
from bot.show.pictures.icons import icon_png

log = logging.getLogger(__name__)

TEXT_MAX = 4000
"""Discord's limit for the text of one message in characters. An emoji counts with its name and its number."""

AFTER_START, BETWEEN = 60.0, 1.0
"""Seconds before the first upload and between two: what people wait for goes first."""

_ICON = re.compile(r"(?<!\\)<icon:([a-z0-9_]+):([^:>]+)>")

_known: dict[str, str] = {}
"""The markup of each emoji by its name. There is one application in a process."""


def with_icons(blocks: Sequence[str]) -> list[str]:
    """Return texts with an emoji in place of each ``<icon:name:symbol>``.

    It is the symbol where there is no such emoji, and in a message that would become too long with emojis.
    """
    drawn = [_ICON.sub(lambda icon: _known.get(icon[1], icon[2]), block) for block in blocks]
    return drawn if sum(map(len, drawn)) <= TEXT_MAX else [_ICON.sub(r"\2", block) for block in blocks]


def know(emojis: Collection[discord.Emoji]) -> None:
    """Use these emojis, and no others, from now on."""
    _known.clear()
    _known.update((each.name, str(each)) for each in emojis)


async def have_icons(client: discord.Client, icons: Collection[Icon], *, upload: bool) -> None:
    """Use the emojis that the application has; ``upload`` those that it lacks. What fails is left out and logged."""
    await asyncio.sleep(AFTER_START)
    try:
        know(await client.fetch_application_emojis())
        missing = [icon for icon in icons if icon.shape and icon.name not in _known]
        for icon in missing if upload else ():
            png = await asyncio.to_thread(icon_png, icon)
            _known[icon.name] = str(await client.create_application_emoji(name=icon.name, image=png))
            await asyncio.sleep(BETWEEN)
    except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
        log.warning("icons are shown as symbols until the next start, as far as they are not uploaded: %s", error)
