"""**Accept** under a shared card of an offer with hidden goods: shows first in private what moves."""

from __future__ import annotations

from typing import Literal

from bot.rules.features.offers.signing import Sign
from bot.rules.model.actions import OfferAction
from bot.show.actions import AcceptAsShown
from bot.show.offers import accept_card, moves_hidden
from cogs.offer_replies import execute_offer, result_for
from cogs.request import Request
from cogs.router import Router


class Acceptances:
    """Asks before an acceptance that moves hidden goods, and handles the button that names them."""

    def __init__(self, router: Router) -> None:
        router.on(AcceptAsShown, self.accepted)

    async def asked(self, request: Request, press: OfferAction, what: Literal["accept", "confirm"]) -> bool:
        """Show what an offer moves, if the person must see that first. Return whether it was shown.

        A private card shows it already, and an offer that can't be accepted is refused at once.
        """
        pressed = request.interaction.message
        if request.in_dm or pressed is None or pressed.flags.ephemeral:
            return False
        view = await request.view()
        offer = view.offers.get(press.offer)
        if offer is None or offer.revision != press.revision or not offer.exact or not view.seat:
            return False
        if (
            offer.status != "open"
            or offer.role is None
            or offer.ruling.why_not is not None
            or not moves_hidden(view, offer)
        ):
            return False
        if (what == "accept") == (offer.role == "poster"):
            return False
        await request.reply(accept_card(view, offer, what))
        return True

    async def accepted(self, request: Request, press: AcceptAsShown) -> None:
        """Accept the offer, or confirm it, as it was shown."""
        command = Sign(press.offer, press.revision)
        await execute_offer(request, command, result_for(request))
