"""/history: shows what happened at a table, as far as the person may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from discord import User
from discord.ext import commands

from bot.rules.model.violation import Refused
from bot.rules.views import EntryView
from bot.service import Filter
from bot.show.accounts import SEAT_AND_DEAL_KINDS, seat_of
from bot.show.actions import TurnHistory
from bot.show.cards import Card
from bot.show.choices import CHOICES, offer_choice
from bot.show.timeline import LINES, details_card, history_card
from cogs.completion import Choices, choices
from cogs.inputs import known_person
from cogs.pages import pictured
from cogs.request import Request
from cogs.router import Router
from cogs.slash import in_dms_too, slash


async def _offers(request: Request, typed: str) -> Choices:
    newest = (await request.last_view()).offers_posted
    # The newest and the one typed: reading thousands that are over would take longer than
    # Discord waits.
    numbers = list(range(newest, max(0, newest - 2 * CHOICES), -1))
    if typed.isdecimal() and 0 < int(typed) <= newest:
        numbers.append(int(typed))
    view = await request.view(offers=numbers)
    offers = sorted(view.offers.values(), key=lambda offer: -offer.number)
    return choices(((offer_choice(view, offer), offer.number) for offer in offers), typed)


class History(commands.Cog):
    """The /history command. It shows a moderator no more than a player; /audit shows more, and
    records the look.
    """

    def __init__(self, router: Router) -> None:
        router.on(TurnHistory, self.turned)

    @in_dms_too
    @slash("history", "What happened at this table, as far as you may know")
    async def history(
        self,
        request: Request,
        player: Annotated[User | None, "Only what this player did or was part of"] = None,
        offer: Annotated[int | None, "Only this offer", _offers] = None,
    ) -> None:
        """Show what happened, newest first."""
        view = await request.last_view()
        person = known_person(view, player) if player else 0
        if offer is not None and not 1 <= offer <= view.offers_posted:
            raise Refused(
                f"There was no offer {offer} at this table.",
                "Pick one from the list as you type.",
            )
        first = TurnHistory(view.id, until_seq=view.seq, page=1, person=person, offer=offer or 0)
        await request.reply(await self._card(request, first))

    async def turned(self, request: Request, turn: TurnHistory) -> None:
        """Handle a button under the history: turn the page, or switch between details and
        summary.
        """
        await request.answer.update(await self._card(request, turn))

    async def _card(self, request: Request, turn: TurnHistory) -> Card:
        """Return a page. The first one has a chart, unless it is about one offer or in detail."""
        caller, service = request.requester, request.service
        only = Filter(person=turn.person, offer=turn.offer)
        found = await service.history(
            turn.table,
            caller,
            filter=only,
            until_seq=turn.until_seq or service.seq(turn.table),
            page=turn.page,
            size=LINES,
            cursor=turn.cursor,
            begun=not turn.details,
        )
        seat_and_deal_entries: Sequence[EntryView] = ()
        if turn.person:
            seat_and_deal_entries = await service.entries(
                turn.table, caller, until_seq=found.until_seq, kinds=SEAT_AND_DEAL_KINDS
            )
        if turn.details:
            return details_card(found, only, seat_and_deal_entries)
        card = history_card(found, only, seat_and_deal_entries)
        if turn.page > 1 or turn.cursor or turn.offer:
            return card
        seat = seat_of(seat_and_deal_entries, turn.person) if turn.person else found.view.seat
        return await pictured(request, card, found.view, found.until_seq, seat)
