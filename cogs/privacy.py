"""/privacy: shows what is stored, removes a person's name from closed tables, and removes closed
tables.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Literal

from discord.ext import commands

from bot.rules.model.violation import Refused
from bot.show import names
from bot.show.actions import ForgetMe, RemoveTable, ShowPrivacy
from bot.show.cards import text_card
from bot.show.privacy import ask_me_card, ask_table_card, privacy_card
from cogs.request import Request
from cogs.router import Router
from cogs.slash import in_dms_too, slash


class Privacy(commands.Cog):
    """The /privacy command and its buttons, which ask for confirmation before anything is
    deleted.
    """

    def __init__(self, router: Router) -> None:
        router.on(ForgetMe, self.me_pressed)
        router.on(RemoveTable, self.table_pressed)
        router.on(ShowPrivacy, self.shown)

    @in_dms_too
    @slash("privacy", "What I keep about you, and how to be forgotten")
    async def privacy(
        self,
        request: Request,
        forget: Annotated[
            Literal["me", "table"] | None,
            "me: take my name out of closed tables. table: for hosts, remove this closed table",
        ] = None,
    ) -> None:
        """Show what is stored, or ask for confirmation."""
        if forget == "me":
            await self._ask_me(request)
        elif forget == "table":
            await self._ask_table(request, await request.last_table_id())
        else:
            await self.shown(request)

    async def shown(self, request: Request, press: ShowPrivacy | None = None) -> None:
        """Handle **Privacy** under /help: show what is stored."""
        removable = None  # the closed table of this channel, if the person may remove it
        if not request.in_dm:
            with suppress(Refused):
                removable = await request.service.removable(
                    await request.last_table_id(), request.requester
                )
        closed, still_open = await request.service.known_at(request.requester)
        reads = request.interaction.client.intents.dm_messages
        await request.reply(privacy_card(closed, still_open, removable, reads=reads))

    async def me_pressed(self, request: Request, press: ForgetMe) -> None:
        """Handle **Take my name out**, and its confirmation."""
        if not press.sure:
            await self._ask_me(request)
            return
        count = await request.service.forget_person(request.requester)
        text = (
            f"Your name and id are taken out of {count} closed "
            f"{'table' if count == 1 else 'tables'}."
        )
        await request.reply(text if count else "No closed table has your name any more.")

    async def table_pressed(self, request: Request, press: RemoveTable) -> None:
        """Handle **Remove this table**, and its confirmation."""
        if not press.sure:
            await self._ask_table(request, press.table)
            return
        # for its name, before it is gone
        view = await request.service.removable(press.table, request.requester)
        removal = await request.service.remove(press.table, request.requester)
        who, table = names.mention_user(view, request.interaction.user.id), names.escape(view.name)
        text = f"removed the closed table **{table}** with all its {removal.last_seq} entries."
        head = f"The head of its chain was\n`{removal.head}`"
        await request.answer.update(f"You {text} {head}")
        # It has no messages any more, and everybody should know.
        channel_id = request.interaction.channel_id or 0
        card = text_card(f"{who} {text} {head}")
        await request.delivery.announce_until_taken(channel_id, card, f"removed-{press.table}")

    async def _ask_me(self, request: Request) -> None:
        closed, still_open = await request.service.known_at(request.requester)
        if not closed:
            first = (
                "Leave the open ones. Once they are closed, you can be forgotten."
                if still_open
                else ""
            )
            raise Refused("No closed table has your name.", first)
        await request.reply(ask_me_card(closed))

    async def _ask_table(self, request: Request, table_id: int) -> None:
        await request.reply(
            ask_table_card(await request.service.removable(table_id, request.requester))
        )
