"""A new offer in two steps: choose the partner, then fill in the form. **New offer** on the board or /trade begins."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.model.violation import Refused
from bot.rules.views import TableView
from bot.show.actions import ChoosePartner, ChooseTerms, OfferTo, TermsKind
from bot.show.new_offer import new_offer_card
from cogs.answers import answer_to
from cogs.context import CommandContext, requester
from cogs.inputs import chosen, own_seat, require_person
from cogs.offer_forms import OfferForms
from cogs.router import Router

KINDS: dict[str, TermsKind] = {"later": "later", "now": "now", "both": "both", "card": "card"}


class NewOffers(commands.Cog):
    """The /trade command, and the buttons of the first step."""

    def __init__(self, context: CommandContext, router: Router, forms: OfferForms) -> None:
        self._context = context
        self._forms = forms
        router.on(OfferTo, self.partner_pressed)
        router.on(ChoosePartner, self.partner_chosen)
        router.on(ChooseTerms, self.terms_chosen)

    @app_commands.command(name="trade", description="A new offer: pick with whom, then what for what")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.rename(other="with")
    @app_commands.describe(other="With whom; leave out to see who can trade with you now")
    async def trade(self, interaction: discord.Interaction, other: discord.User | None = None) -> None:
        """Begin a new offer. With a partner, open its form at once."""
        place = await self._context.place(interaction, from_memory=other is not None)
        if other is None and place.negotiation is None:
            await self.ask(interaction, place.table_id)
            return
        require_person(other)
        await self._open(interaction, place.table_id, other.id if other else 0, "later", place.negotiation)

    async def ask(self, interaction: discord.Interaction, table_id: int) -> None:
        """Ask for the partner. Raises `Refused` for a person without a seat, and while nothing can be offered."""
        view = await self._context.view(interaction, table_id)
        own_seat(view)
        pairs = await self._context.service.pairs(view.id, requester(interaction))
        if not view.board.trades and (found := next((each.why_not for each in pairs if each.why_not), None)):
            raise Refused.because(found)
        _require_trade(view)
        await answer_to(interaction).update(new_offer_card(view, pairs))

    async def partner_pressed(self, interaction: discord.Interaction, press: OfferTo) -> None:
        """Open the form for the player on a button, or for everybody."""
        await self._open(interaction, press.table, press.to, press.terms)

    async def partner_chosen(self, interaction: discord.Interaction, select: ChoosePartner) -> None:
        """Open the form for a player with whom the person can't trade yet."""
        view = await self._context.view(interaction, select.table, from_memory=True)
        value = chosen(interaction)[0]
        found = next((each for each in view.names.people.values() if str(each.user_id) == value), None)
        if found is None or found.user_id is None:
            raise Refused("", "They have had no part in this table.", "Open **New offer** again.")
        await self._open(interaction, select.table, found.user_id, select.terms)

    async def terms_chosen(self, interaction: discord.Interaction, select: ChooseTerms) -> None:
        """Ask for the partner again, for an offer with terms of this kind."""
        kind = KINDS.get(chosen(interaction)[0], "later")
        view = await self._context.view(interaction, select.table)
        _require_trade(view)
        pairs = await self._context.service.pairs(view.id, requester(interaction))
        await answer_to(interaction).update(new_offer_card(view, pairs, kind))

    async def _open(
        self, interaction: discord.Interaction, table_id: int, to: int, kind: TermsKind, negotiation: int | None = None
    ) -> None:
        view = await self._context.view(interaction, table_id, from_memory=True)
        _require_trade(view)
        await self._forms.open_new(interaction, view, to, kind, negotiation)


def _require_trade(view: TableView) -> None:
    """Raise `Refused` for a person without a seat, and while no offer can be posted."""
    own_seat(view)
    if not view.board.trades:
        raise Refused("", "Nothing can be offered at this time.", "The board tells what comes next.")
