"""/negotiate: opens a private thread for two. Also handles the choice of the table that a person's
DMs are about.
"""

from __future__ import annotations

from typing import Annotated

import discord
from discord import User, app_commands
from discord.ext import commands

from bot.rules.features.negotiations import CloseNegotiation, NegotiationOpened, OpenNegotiation
from bot.rules.model.violation import Refused
from bot.show import names
from bot.show.actions import AskTalk, ChooseTable
from bot.show.cards import text_card
from bot.show.deals import absent_text, readers_text
from cogs.inputs import own_seat, require_person, seat_of
from cogs.request import Request
from cogs.router import Router
from cogs.slash import slash

NO_THREAD = (
    "I can't open private threads in this channel. An admin can allow **Create Private Threads** "
    "and "
    "**Send Messages in Threads**; until then, offers go to the channel and by DM."
)
TEXT_ONLY = (
    "Private threads exist in text channels only. Here, offers go to the channel and by DM; in a "
    "text channel, the "
    "host can bring the table there: **/table move**."
)


@app_commands.guild_only()
class Negotiations(
    commands.GroupCog, group_name="negotiate", group_description="A private thread for two"
):
    """The /negotiate commands."""

    def __init__(self, router: Router) -> None:
        router.on(CloseNegotiation, close_negotiation)
        router.on(ChooseTable, self.table_chosen)
        router.on(AskTalk, self.asked)

    @slash("open", "Talk to another player in a private thread")
    async def open(
        self,
        request: Request,
        with_: Annotated[User, "With whom"],
        topic: Annotated[str, "What about"] = "",
    ) -> None:
        view = await request.view()
        require_person(with_)
        own_seat(view)
        await open_negotiation(request, seat_of(view, with_), " ".join(topic.split()))

    async def asked(self, request: Request, press: AskTalk) -> None:
        """Handle the choice of a player under **Negotiate…**: open a thread with them."""
        await open_negotiation(request, press.seat)

    @slash("close", "Close the negotiation in this thread")
    async def close(self, request: Request) -> None:
        place = await request.place()
        if place.negotiation is None:
            raise Refused(
                "This thread is not a negotiation.",
                "Type it in the thread that you want to close.",
            )
        await close_negotiation(request, CloseNegotiation(place.negotiation))

    async def table_chosen(self, request: Request, select: ChooseTable) -> None:
        """Store the choice of the table that a person's DMs are about."""
        table_id = request.chosen_number()
        await request.service.choose_for_dm(request.requester, table_id)
        view = await Request(request.interaction, table_id).view()
        await request.answer.replace(
            f"Your DMs are about {names.escape(view.name)} now. Please try again."
        )


async def open_negotiation(request: Request, seat: str, topic: str = "") -> None:
    """Open a private thread with another player. Raises `Refused`."""
    command = OpenNegotiation(seat, topic)
    # the thread takes Discord several requests, and one of ours waits for them
    await request.answer.defer()
    outcome = await request.execute(command)
    entries = (each.entry for each in outcome.entries)
    opened = next(entry for entry in entries if isinstance(entry, NegotiationOpened))
    thread, absent = await request.delivery.thread_of(outcome.table_id, opened.negotiation)
    if thread is None:
        channel = request.interaction.channel
        parent = channel.parent if isinstance(channel, discord.Thread) else channel
        has_threads = parent is None or (
            isinstance(parent, discord.TextChannel) and not parent.is_news()
        )
        await request.reply(NO_THREAD if has_threads else TEXT_ONLY)
        return
    talk = f"You and {names.mention(outcome.view, opened.other)} can talk in <#{thread}>."
    await request.reply(absent_text(outcome.view, absent) or talk)
    users = request.service.members.readers(request.interaction.guild_id or 0)
    read = {outcome.view.seat_of_user(user) for user in users} - opened.parties()
    readers = [seat for seat in outcome.view.seated() if seat in read]
    if text := readers_text(outcome.view, readers):
        nonce = f"read-{request.interaction.id}"
        await request.delivery.announce_until_taken(thread, text_card(text), nonce)


async def close_negotiation(request: Request, command: CloseNegotiation) -> None:
    """Close a negotiation. Raises `Refused`."""
    # The reply comes before the thread is archived.
    async with request.delivery.before_planning(await request.table_id()):
        await request.execute(command)
        await request.reply("This negotiation is closed, and its thread is archived.")
