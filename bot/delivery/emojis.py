"""Emojis: the icons of goods, as emojis of the bot's own application.

An application can have up to 2,000 emojis and use them everywhere. Missing icons are drawn and uploaded slowly; until
then, or if that fails, an icon is a Unicode symbol. A changed drawing is uploaded once somebody has deleted the old
emoji on Discord's page for developers.
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
"""Discord's limit for the text of one message, in characters. An emoji counts with its name and its id."""

AFTER_START, BETWEEN = 60.0, 1.0
"""Seconds before the first upload and between two uploads, so that messages for people go first."""

_ICON = re.compile(r"(?<!\\)<icon:([a-z0-9_]+):([^:>]+)>")

_known: dict[str, str] = {}
"""The markup of each emoji by its name. There is one application in a process."""


def with_icons(blocks: Sequence[str]) -> list[str]:
    """Return texts with an emoji in place of each ``<icon:name:symbol>``.

    An unknown emoji becomes its symbol. If the texts together would exceed `TEXT_MAX`, all become symbols.
    """
    drawn = [_ICON.sub(lambda icon: _known.get(icon[1], icon[2]), block) for block in blocks]
    return drawn if sum(map(len, drawn)) <= TEXT_MAX else [_ICON.sub(r"\2", block) for block in blocks]


def know(emojis: Collection[discord.Emoji]) -> None:
    """Replace the known emojis by these."""
    _known.clear()
    _known.update((each.name, str(each)) for each in emojis)


async def have_icons(client: discord.Client, icons: Collection[Icon], *, upload: bool) -> None:
    """Use the emojis of the application; with ``upload``, upload those that it lacks. An error is logged."""
    await asyncio.sleep(AFTER_START)
    try:
        know(await client.fetch_application_emojis())
        missing = [icon for icon in icons if icon.shape and icon.name not in _known]
        for icon in missing if upload else ():
            png = await asyncio.to_thread(icon_png, icon)
            _known[icon.name] = str(await client.create_application_emoji(name=icon.name, image=png))
            await asyncio.sleep(BETWEEN)
    except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
        log.warning("icons that are not uploaded yet are shown as symbols until the next start: %s", error)
