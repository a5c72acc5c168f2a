"""Discord's own menus: what a long press on a person or a message offers under *Apps*.

Each does what a slash command or button does, by the same code, and only the person who chose it
sees the answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import discord
from discord import app_commands

from bot.rules.commands import Press
from bot.rules.model.violation import Refused
from bot.show import custom_ids
from cogs import holdings, new_offers, offer_buttons
from cogs.request import Request


@app_commands.context_menu(name="Trade with…")
@app_commands.guild_only()
async def trade_with(interaction: discord.Interaction, user: discord.User) -> None:
    """Begin an offer to this person, as ``/trade with:`` does."""
    await new_offers.begin(Request(interaction), user)


@app_commands.context_menu(name="What has…")
@app_commands.guild_only()
async def what_has(interaction: discord.Interaction, user: discord.User) -> None:
    """Show what this person has, as ``/holdings show player:`` does. A host is asked before a look
    is recorded.
    """
    await holdings.show(Request(interaction), user, asks_first=True)


@app_commands.context_menu(name="Look at this offer")
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
async def look_at_offer(interaction: discord.Interaction, message: discord.Message) -> None:
    """Show the offer of a card with the buttons that this person has now.

    The card's buttons name it; no card of an open offer is without.
    """
    me = interaction.client.user
    # a forged one may have no author
    mine = me is not None and getattr(message, "author", None) == me
    data: Any = interaction.data
    found = set[tuple[int, int, str]]()  # by table, number and stamp
    for custom_id in _custom_ids(data["resolved"]["messages"][str(message.id)]) if mine else ():
        action = custom_ids.decode(custom_id)
        about = action.command if isinstance(action, Press) else action
        if action is not None and (offer := getattr(about, "offer", 0)):
            found.add((action.table, offer, custom_ids.stamp_on(custom_id)))
    if len(found) != 1:
        remedy = "Choose this on one of my offer cards; **Offers** on the board shows what is open."
        raise Refused("That message shows no open offer.", remedy)
    ((table, number, stamp),) = found
    request = Request(interaction, table)
    await request.require_of_now(stamp)
    await offer_buttons.look(request, number)


MENUS: tuple[app_commands.ContextMenu, ...] = (trade_with, what_has, look_at_offer)


def _custom_ids(components: Any) -> Iterator[str]:
    match components:
        case {"custom_id": str(id)}:
            yield id
        case {"components": inside} | {"accessory": inside}:
            yield from _custom_ids(inside)
        case [*several]:
            for each in several:
                yield from _custom_ids(each)
