"""**Hand over**: in games with hidden hands, each side of an agreed offer chooses in private which
cards it gives.

Choosing only shows which cards would go. The button that names them hands them over.
"""

from __future__ import annotations

from bot.rules.features.offers.signing import HandOver
from bot.rules.model.actions import OfferAction
from bot.rules.model.codec import read_picked
from bot.rules.model.violation import Refused
from bot.rules.views import HandOverView, OfferView, TableView
from bot.show.actions import GiveCards, PickCards
from bot.show.hand_over import chosen_anew, hand_over_card, nothing_to_choose
from cogs.offer_forms import find_open_offer
from cogs.offer_replies import execute_offer, up_to_date
from cogs.request import Request
from cogs.router import Router


def bind(router: Router) -> None:
    """Bind the handlers of this module."""
    router.on(PickCards, up_to_date(choose_cards))
    router.on(GiveCards, up_to_date(given))


async def begin(request: Request, action: OfferAction) -> None:
    """Handle **Hand over**: show the cards to choose from, and the button that hands them over.

    In a DM, where the card shows the goods already, hand them over at once if there is nothing to
    choose.
    """
    view, offer, choices = await _found(request, action)
    if request.in_dm and nothing_to_choose(choices):
        # If the hand lacks them, the rules say so.
        await execute_offer(request, HandOver(action.offer, choices.named, action.revision))
    else:
        await request.reply(hand_over_card(view, offer))


async def choose_cards(request: Request, select: PickCards) -> None:
    """Handle a choice: show the card with it. The table does not change."""
    view, offer, choices = await _found(request, select)
    before = read_picked(choices.hand, select.picked, select.hand)
    if before is None:
        await request.answer.replace(hand_over_card(view, offer))  # the hand has changed since
        return
    now = chosen_anew(view, offer, choices, before, select.part, request.values_chosen())
    await request.answer.replace(hand_over_card(view, offer, now))


async def given(request: Request, press: GiveCards) -> None:
    """Handle **Hand over** on the button that names the cards, and **Details**: what the trade
    depends on.
    """
    view, offer, choices = await _found(request, press)
    goods = read_picked(choices.hand, press.picked, press.hand)
    if goods is not None and not press.details:
        await execute_offer(request, HandOver(press.offer, goods, press.revision))
        return
    await request.answer.replace(hand_over_card(view, offer, goods, details=press.details))
    if not press.details:
        raise Refused(
            "Your hand has changed since I showed you this.", "Choose from what you have now."
        )


async def _found(
    request: Request, action: OfferAction | PickCards | GiveCards
) -> tuple[TableView, OfferView, HandOverView]:
    """Return the table, the offer, and the cards that the person may hand over for it now. Raises
    `Refused`.
    """
    view, offer = await find_open_offer(request, action.offer, action.revision)
    if offer.own.choices is None or not offer.exact:
        raise Refused("That is for another player.", "**Offers** on the board shows yours.")
    if offer.ruling.why_not is not None:
        raise Refused.because(offer.ruling.why_not)
    return view, offer, offer.own.choices
