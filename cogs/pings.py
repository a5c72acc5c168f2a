"""/pings: lets a person choose what notifies them."""

from __future__ import annotations

from discord.ext import commands

from bot.show.actions import MutePing
from bot.show.notices import pings_card
from cogs.boards import show_pings
from cogs.request import Request
from cogs.router import Router
from cogs.slash import in_dms_too, slash


class Pings(commands.Cog):
    """The /pings command and the buttons of its card."""

    def __init__(self, router: Router) -> None:
        router.on(MutePing, self.muted)

    @in_dms_too
    @slash("pings", "What I notify you of, at all your tables")
    async def pings(self, request: Request) -> None:
        """Show what notifies the person, with a button for each kind of call."""
        await show_pings(request)

    async def muted(self, request: Request, press: MutePing) -> None:
        """Handle a button: mute or unmute one kind of call for the presser."""
        service, who = request.service, request.requester
        before = await service.muted(who)
        now = before | {press.kind} if press.muted else before - {press.kind}
        if now != before:
            await service.mute(who, now)
        await request.answer.replace(pings_card(now))
