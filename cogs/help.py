"""/help: shows what the person can do next, and short topics; each game adds its own. /about: which
bot this is.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.model.text import quoted
from bot.rules.model.violation import Refused
from bot.rules.registry import games
from bot.rules.views import TableView
from bot.show.actions import ShowTopic
from bot.show.guide import guide_card, no_table_card, title, topic_card, version_card
from bot.show.names import game_of
from cogs.completion import Choices, choices
from cogs.inquiry import AmbiguousTable
from cogs.request import Request
from cogs.router import Router
from cogs.slash import in_dms_too, slash

TOPICS = {
    "offers": (
        "### Offers\n"
        "**New offer** to **Everyone** is open to all, and you pick one of the players who "
        "accept. An offer doesn't reserve your goods.\n"
        "**Counter** answers an offer with another; **Alter**, **Suspend** and **Withdraw** are "
        "for your own. "
        "**Offers** shows the open offers. With `for: 10m` an offer ends by itself.\n"
        "**Menu** on the board has **Negotiate…**, a private thread for two, and **Deal…** for "
        "promises in words."
    ),
    "quarrels": (
        "### When you disagree\n"
        "Under **Menu**: **Look at the rules** explains a rule and how it applies at this table "
        "now, **Who has what** who you can trade with and why not, **History** what happened, as "
        "far as you may know.\n"
        "Hosts and moderators: **/audit trade** shows the whole story of one transaction, **/audit "
        "player** what came "
        "and went, **/audit verify** that nothing was changed. **/audit correct** fixes a slip, "
        "for everybody "
        "to see. **Privacy** shows what I store about you, **Pings** under **Menu** what I notify "
        "you of."
    ),
}


async def _topics(request: Request, typed: str) -> Choices:
    view, _ = await _here(request)
    return choices(
        ((f"{name} · {title(text)}", name) for name, text in topics_of(view).items()), typed
    )


class Help(commands.Cog):
    """The commands /help and /about. ``source`` is the address of the source code, if the operator
    names it.
    """

    def __init__(self, router: Router, source: str | None = None) -> None:
        self._source, self._since = source, discord.utils.utcnow()
        router.on(ShowTopic, self.chosen)

    @in_dms_too
    @slash("help", "What you can do now, and how to trade here")
    async def help(
        self,
        request: Request,
        topic: Annotated[
            app_commands.Range[str, 1, 60],
            "What to read about. Leave it out to see what is next",
            _topics,
        ] = "",
    ) -> None:
        """Show what the person can do next, or a topic."""
        view, room = await _here(request)
        topics = topics_of(view)
        if topic:
            await request.reply(
                topic_card(view.id if view else 0, topics, find_topic(topics, topic))
            )
        elif view is None:
            in_dm = request.in_dm
            elsewhere = "" if in_dm else await request.elsewhere()
            every = games().values()
            await request.reply(no_table_card(every, TOPICS, in_dm=in_dm, elsewhere=elsewhere))
        else:
            await request.reply(guide_card(view, topics, room=room, in_dm=request.in_dm))

    @in_dms_too
    @slash("about", "Which version I am, since when I run, and what I keep about you")
    async def about(self, request: Request) -> None:
        """Show the version, the uptime, and where to read on."""
        reads = request.interaction.client.intents.dm_messages
        await request.reply(version_card(self._since, self._source, reads=reads))

    async def chosen(self, request: Request, select: ShowTopic) -> None:
        view = await request.view(unread=True) if select.table else None
        topics = topics_of(view)
        card = topic_card(select.table, topics, find_topic(topics, request.chosen()[0]))
        await request.answer.update(card)


async def _here(request: Request) -> tuple[TableView | None, int | None]:
    """Return the table of this place and the negotiation of this thread; None for what is
    missing.

    Raises `AmbiguousTable` in a DM if the person has not chosen among several tables.
    """
    try:
        place = await request.place()
        return await request.view(unread=True), place.negotiation
    except AmbiguousTable:
        raise
    except Refused:
        return None, None


def topics_of(view: TableView | None) -> Mapping[str, str]:
    """Return the topics of a table's game; without a table, those of all games."""
    topics: dict[str, str] = {}
    for game in [game_of(view)] if view else games().values():
        topics.update(game.info.help)
    return topics | TOPICS


def find_topic(topics: Mapping[str, str], typed: str) -> str:
    """Return the name of the typed topic, found by its name or heading. Raises `Refused` if there
    is none.
    """
    wanted = typed.strip().casefold()
    named = {name.casefold(): name for name in topics} | {
        title(text).casefold(): name for name, text in topics.items()
    }
    near = [name for name in named if wanted and name.startswith(wanted)] or get_close_matches(
        wanted, named, n=1
    )
    if not near:
        raise Refused(
            f"I have no help about “{quoted(typed)}”.",
            f"There is /help for {', '.join(topics)}.",
        )
    return named[near[0]]
