"""/calamities: show everybody's calamities after trading."""

from __future__ import annotations

from typing import Annotated, Literal

from discord.ext import commands

from bot.api import PhaseSet, kinds_of
from bot.api.discord import Request, Router, in_dms_too, names, slash
from bot.games.advciv.calamities import (
    CalamitiesShown,
    SeeCalamities,
    ShowCalamities,
    describe_calamities,
    shown_this_turn,
)


@in_dms_too
class CalamityCommands(
    commands.GroupCog, group_name="calamities", group_description="Calamities, after trading"
):
    """The /calamities command."""

    def __init__(self, router: Router) -> None:
        router.on(SeeCalamities, self.pressed)

    @slash("show", "After trading: who has which calamity, and who traded it to them")
    async def show(
        self,
        request: Request,
        anyway: Annotated[
            Literal["yes", "no"],
            "Even if somebody still has cards to draw. They can't draw after that",
        ] = "no",
    ) -> None:
        """Reveal everybody's calamities, or repeat what was revealed this turn."""
        await self._show(request, await request.table_id(), ShowCalamities(anyway == "yes"))

    async def pressed(self, request: Request, press: SeeCalamities) -> None:
        """Handle **Show calamities** of the board: asks first if that ends an agreed deal."""
        await self._show(request, press.table, ShowCalamities(ask=True, since=press.since))

    async def _show(self, request: Request, table_id: int, command: ShowCalamities) -> None:
        view = await request.view()
        kinds = kinds_of(CalamitiesShown, PhaseSet)
        shown = shown_this_turn(
            await request.service.entries(table_id, request.requester, kinds=kinds)
        )
        if shown.shown is not None:
            lines = describe_calamities(shown.shown, shown.spared)
            await request.reply(names.format_text(view, "\n".join(lines)))
            return
        await request.respond(command)
