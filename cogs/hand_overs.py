"""**Hand over**: in games with hidden hands, each side of an agreed offer chooses in private which cards it gives.

Choosing only shows which cards would go. The button that names them hands them over.
"""

from __future__ import annotations

from bot.rules.features.offers.signing import HandOver
from bot.rules.model.actions import OfferAction
from bot.rules.model.goods import Goods
from bot.rules.model.picked import read_picked
from bot.rules.model.violation import Refused
from bot.rules.views import HandOverView, OfferView, TableView
from bot.show.actions import GiveCards, PickCards
from bot.show.cards import Card
from bot.show.hand_over import hand_over_card, nothing_to_choose, with_part
from cogs.offer_forms import find_open_offer
from cogs.offer_replies import execute_offer, result_for
from cogs.request import Request
from cogs.router import Router


class HandOvers:
    """Handles the button that opens the choice, its menus, and the button that hands over."""

    def __init__(self, router: Router) -> None:
        router.on(PickCards, self.picked)
        router.on(GiveCards, self.given)

    async def begin(self, request: Request, action: OfferAction) -> None:
        """Handle **Hand over**: show the cards to choose from, and the button that hands them over.

        In a DM, where the card shows the goods already, hand them over at once if there is nothing to choose.
        """
        view, offer, choices = await self._found(request, action)
        if request.in_dm and nothing_to_choose(choices):
            await self._execute(request, action, choices.named)  # if the hand lacks them, the rules say so
        else:
            await request.reply(hand_over_card(view, offer))

    async def picked(self, request: Request, select: PickCards) -> None:
        """Handle a choice: show the card with it. The table does not change."""
        view, offer, choices = await self._found(request, select)
        before = read_picked(choices.hand, select.picked, select.hand)
        if before is None:
            await _show(request, hand_over_card(view, offer))  # the hand has changed since
            return
        now = with_part(view, choices, before, select.part, request.values_chosen())
        await _show(request, hand_over_card(view, offer, now))

    async def given(self, request: Request, press: GiveCards) -> None:
        """Handle **Hand over** on the button that names the cards."""
        view, offer, choices = await self._found(request, press)
        goods = read_picked(choices.hand, press.picked, press.hand)
        if goods is None:
            await _show(request, hand_over_card(view, offer))
            raise Refused("", "Your hand has changed since I showed you this.", "Choose from what you have now.")
        await self._execute(request, press, goods)

    async def _found(
        self, request: Request, action: OfferAction | PickCards | GiveCards
    ) -> tuple[TableView, OfferView, HandOverView]:
        """Return the table, the offer, and the cards that the person may hand over for it. Raises `Refused`."""
        view, offer = await find_open_offer(request, action.offer, action.revision)
        if offer.own.choices is None or not offer.exact:
            raise Refused("", "That is for another player.", "/offer list shows your open offers.")
        return view, offer, offer.own.choices

    async def _execute(self, request: Request, action: OfferAction | GiveCards, goods: Goods) -> None:
        command = HandOver(action.offer, goods, action.revision)
        await execute_offer(request, command, result_for(request))


async def _show(request: Request, card: Card) -> None:
    """Replace the pressed card, which only this person sees, by this one."""
    if request.in_dm:
        await request.answer.put_aside(card)
    else:
        await request.answer.update(card)
