"""**Offer again**, under the news that an offer was declined: opens a form filled with that offer."""

from __future__ import annotations

import discord

from bot.rules.model.violation import Refused
from bot.rules.views import OfferView, TableView
from bot.show.actions import OfferAgain, PostForm
from bot.show.forms import offer_form, offer_title
from cogs.answers import answer_to
from cogs.context import CommandContext
from cogs.inputs import own_seat
from cogs.router import Router


class OffersAgain:
    """Handles **Offer again**."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(OfferAgain, self.pressed)

    async def pressed(self, interaction: discord.Interaction, press: OfferAgain) -> None:
        """Open a form filled with the presser's own offer, to post it again or to change it first."""
        view = await self._context.view(interaction, press.table, offers=[press.offer], from_memory=True)
        own_seat(view)
        offer = view.offers.get(press.offer)
        if offer is None or offer.role != "poster" or not offer.exact:
            raise Refused("", "That is for somebody else.", "/offer post makes an offer of your own.")
        form = offer_form(
            view, offer_title(view, offer.to), PostForm(view.id, _user(view, offer), offer.negotiation or 0,
            offer.terms_card), other=offer.to, give=offer.gives, want=offer.wants, terms=offer.terms or "",
            terms_now=offer.terms_now or "",
        )  # fmt: skip
        await answer_to(interaction).open(form)


def _user(view: TableView, offer: OfferView) -> int:
    """Return the user the offer was for, 0 for all. Raises `Refused` if that person has left the seat."""
    if offer.to is None:
        return 0
    person = offer.names.holder(offer.to)
    if person is None or person.user_id is None or view.seats[offer.to].person != person.number:
        raise Refused("", "The player you offered that to has left that seat.", "/offer post makes a new offer.")
    return person.user_id
