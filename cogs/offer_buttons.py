"""The buttons under an offer, and those elsewhere that lead to one: the board's list, a match, **Tell me**."""

from __future__ import annotations

import discord

from bot.rules.model.actions import DeclareHoldings, MatchAction, OfferAction
from bot.rules.model.actions import PickTaker as PickAction
from bot.rules.model.violation import Refused
from bot.rules.offers.commands import Agree, Declare, EndOffer, PauseOffer, PickTaker, RepeatOffer, Sign
from bot.rules.offers.entries import Transaction
from bot.rules.views import EntryView, OfferView, TableView
from bot.show.actions import BrowseOffers, TellEntry
from bot.show.cards import Card
from bot.show.offers import offer_card
from bot.show.prompts import follow_up_card
from bot.show.refusals import refusal_card
from bot.show.results import result_card
from cogs.context import CommandContext, reply, requester
from cogs.hand_overs import HandOvers
from cogs.inputs import chosen
from cogs.offer_forms import OfferForms
from cogs.offer_replies import OfferReplies
from cogs.router import Router


class OfferButtons:
    """What happens when a button under an offer is pressed."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        self.replies = OfferReplies(context)
        self.forms = OfferForms(context, router, self.replies)
        self._hand_overs = HandOvers(router, self.forms, self.replies)
        router.on(OfferAction, self.pressed)
        router.on(PickAction, self.picked)
        router.on(DeclareHoldings, self.declared)
        router.on(MatchAction, self.matched)
        router.on(BrowseOffers, self.browsed)
        router.on(TellEntry, self.told)

    async def pressed(self, interaction: discord.Interaction, press: OfferAction) -> None:
        """A button under an offer."""
        table, offer = press.table, press.offer
        match press.what:
            case "accept" | "confirm":
                await self._sign(interaction, table, offer, press.revision)
            case "alter":
                await self.forms.ask_alter(interaction, table, offer, press.revision)
            case "counter":
                await self.forms.ask_counter(interaction, table, offer, press.revision)
            case "show":
                await self._show(interaction, table, offer)
            case "hand_over" | "accept_and_hand_over" | "choose_again":
                await self._hand_overs.ask(interaction, press)
            case "again":
                await self.replies.posted(interaction, RepeatOffer(offer), table_id=table)
            case "agree":
                await self.replies.done(interaction, Agree(offer, press.revision), table_id=table)
            case "suspend" | "resume":
                await self.replies.done(interaction, PauseOffer(offer, press.what == "suspend"), table_id=table)
            case "withdraw" | "decline" | "back_out":
                await self.replies.done(interaction, EndOffer(offer, press.what), table_id=table)

    async def picked(self, interaction: discord.Interaction, press: PickAction) -> None:
        """The poster of an offer to all picks one of those who accepted it."""
        command = PickTaker(press.offer, press.revision, press.taker)
        await self.replies.done(interaction, command, table_id=press.table)

    async def declared(self, interaction: discord.Interaction, press: DeclareHoldings) -> None:
        """**I do have them**, under the refusal of an offer."""
        await self._context.execute_publicly(interaction, Declare(press.offer), table_id=press.table)

    async def matched(self, interaction: discord.Interaction, press: MatchAction) -> None:
        """Under the notice that another's offer fits the presser's: accept it, or look at it."""
        if press.what == "show":
            await self._show(interaction, press.table, press.offer)
        else:
            await self._sign(interaction, press.table, press.offer, press.revision)

    async def browsed(self, interaction: discord.Interaction, select: BrowseOffers) -> None:
        """An offer was picked from a list."""
        await self._show(interaction, select.table, int(chosen(interaction)[0]))

    async def told(self, interaction: discord.Interaction, press: TellEntry) -> None:
        """**Tell me**: what an entry means for the presser, whom a DM did not reach."""
        view = await self._context.view(interaction, press.table)
        entry = await self._context.service.entry(press.table, requester(interaction), press.seq)
        cards = _private_cards(view, entry)
        if not cards:
            raise Refused("", "That is for somebody else.", "/history tells what you may know.")
        for card in cards:
            await reply(interaction, card)

    async def _sign(self, interaction: discord.Interaction, table_id: int, number: int, revision: int) -> None:
        """**Accept** or **Confirm**. A button of an older revision is refused with the newest card."""
        try:
            await self.replies.done(interaction, Sign(number, revision), table_id=table_id)
        except Refused as refused:
            view = await self._context.view(interaction, table_id)
            offer = view.offers.get(number)
            if offer is None or offer.role != "addressed" or offer.status != "open" or offer.revision == revision:
                raise
            await reply(interaction, refusal_card(refused, refused.names, offer_card(view, offer)))

    async def _show(self, interaction: discord.Interaction, table_id: int, number: int) -> None:
        """**Show me**, where a DM did not reach one of the two; or an offer that was picked from a list."""
        view = await self._context.view(interaction, table_id, offers=[number])
        offer = view.offers.get(number)
        if offer is None or not _for_viewer(view, offer):
            raise Refused("", "That is for somebody else.", "/offer list shows what stands for you.")
        await reply(interaction, offer_card(view, offer))


def _for_viewer(view: TableView, offer: OfferView) -> bool:
    """Return whether an offer is the viewer's, or open to all."""
    return offer.to is None or (offer.exact and offer.party(view.seat))


def _private_cards(view: TableView, entry: EntryView) -> list[Card]:
    """Return what an entry means for the viewer alone.

    A successor in a seat is not told what the person before traded.
    """
    done, seat = entry.entry, view.seat
    if seat is None or (seat in entry.seats and seat not in entry.mine):
        return []
    follow_ups = [follow_up_card(view, each, entry) for each in entry.follow_ups if each.seat == seat]
    if isinstance(done, Transaction) and seat in entry.mine:
        return [result_card(view, done, seat), *follow_ups]
    return follow_ups
