"""**Hand over**: where hands are hidden, each side of an agreed offer chooses in private which cards it gives."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.rules.model.actions import ChooseCards, OfferAction
from bot.rules.model.goods import Goods
from bot.rules.model.violation import Refused
from bot.rules.offers.commands import HandOver
from bot.show.actions import HandOverForm
from bot.show.forms import HAND_FIELDS, hand_form
from bot.show.hand_over import hand_options
from cogs.answers import answer_to
from cogs.context import CommandContext
from cogs.inputs import chosen, picked, submitted
from cogs.offer_forms import OfferForms
from cogs.offer_replies import execute_offer, result_for
from cogs.router import Router


class HandOvers:
    """Handles the select under an offer, and the form of its button."""

    def __init__(self, context: CommandContext, router: Router, forms: OfferForms) -> None:
        self._context = context
        self._forms = forms
        router.on(ChooseCards, self.chosen)
        router.on(HandOverForm, self.sent)

    async def begin(self, interaction: discord.Interaction, action: OfferAction) -> None:
        """Handle **Hand over**: hand over at once if there is nothing to choose, otherwise open the form."""
        view, offer = await self._forms.find_open_offer(interaction, action.table, action.offer, action.revision)
        if offer.choices is None or not offer.exact:
            raise Refused("", "That is for somebody else.", "/offer list shows what stands for you.")
        named = offer.choices.named
        if named.total() == offer.choices.total or not hand_options(view, offer):
            await self._execute(interaction, action, named)  # if that is not possible, the rules say why
            return
        await answer_to(interaction).open(hand_form(view, offer))

    async def chosen(self, interaction: discord.Interaction, action: ChooseCards) -> None:
        """Handle the choice of cards in the select under an offer."""
        await self._hand_over(interaction, action, chosen(interaction))

    async def sent(self, interaction: discord.Interaction, form: HandOverForm) -> None:
        """Handle the submitted form."""
        values = submitted(interaction)
        await self._hand_over(interaction, form, [value for field in HAND_FIELDS for value in values.get(field, [])])

    async def _hand_over(
        self, interaction: discord.Interaction, action: ChooseCards | HandOverForm, values: Sequence[str]
    ) -> None:
        """Hand over the cards whose options were picked."""
        view = await self._context.view(interaction, action.table)
        await self._execute(interaction, action, picked(view, values))

    async def _execute(
        self, interaction: discord.Interaction, action: OfferAction | ChooseCards | HandOverForm, goods: Goods
    ) -> None:
        command = HandOver(action.offer, goods, action.revision)
        await execute_offer(self._context, interaction, command, result_for(interaction), table_id=action.table)
