"""A new offer in two steps: choose the partner, then fill in the form. **New offer** on the board or /trade begins."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.model.violation import Refused
from bot.rules.views import TableView
from bot.show.actions import ChoosePartner, ChooseTerms, OfferTo, TermsKind
from bot.show.partners import new_offer_card
from cogs.inputs import own_seat, require_person
from cogs.offer_forms import open_post
from cogs.offer_terms import Terms
from cogs.request import Request
from cogs.router import Router

KINDS: dict[str, TermsKind] = {"later": "later", "now": "now", "both": "both", "card": "card"}


class NewOffers(commands.Cog):
    """The /trade command, and the buttons of the first step."""

    def __init__(self, router: Router) -> None:
        router.on(OfferTo, partner_pressed)
        router.on(ChoosePartner, partner_chosen)
        router.on(ChooseTerms, terms_chosen)

    @app_commands.command(name="trade", description="A new offer: pick with whom, then what for what")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.rename(other="with")
    @app_commands.describe(other="With whom. Leave out to see who can trade with you now")
    async def trade(self, interaction: discord.Interaction, other: discord.User | None = None) -> None:
        """Begin a new offer. With a partner, open its form at once."""
        request = Request(interaction)
        request.accepts_cached = other is not None
        place = await request.place()
        if other is None and place.negotiation is None:
            await ask(request)
            return
        require_person(other)
        await _open(request, other.id if other else 0, "later", place.negotiation)


async def ask(request: Request, kind: TermsKind = "later") -> None:
    """Ask for the partner. Raises `Refused` for a person without a seat, and while nothing can be offered."""
    view = await request.view()
    own_seat(view)
    pairs = await request.pairs()
    if not view.board.trades and (found := next((each.why_not for each in pairs if each.why_not), None)):
        raise Refused.because(found)
    _require_trade(view)
    await request.answer.update(new_offer_card(view, pairs, kind))


async def partner_pressed(request: Request, press: OfferTo) -> None:
    """Open the form for the player on a button, or for everybody."""
    await _open(request, press.to, press.terms)


async def partner_chosen(request: Request, select: ChoosePartner) -> None:
    """Open the form for a player with whom the person can't trade yet."""
    request.accepts_cached = True
    view = await request.view()
    value = request.chosen()[0]
    found = next((each for each in view.names.people.values() if str(each.user_id) == value), None)
    if found is None or found.user_id is None:
        raise Refused("", "They have never been at this table.", "Open **New offer** again.")
    await _open(request, found.user_id, select.terms)


async def terms_chosen(request: Request, select: ChooseTerms) -> None:
    """Ask for the partner again, for an offer with terms of this kind."""
    await ask(request, KINDS.get(request.chosen()[0], "later"))


async def _open(request: Request, to: int, kind: TermsKind, negotiation: int | None = None) -> None:
    request.accepts_cached = True
    view = await request.view()
    _require_trade(view)
    await open_post(request, view, to, negotiation, Terms(card=kind == "card"), kind)


def _require_trade(view: TableView) -> None:
    """Raise `Refused` for a person without a seat, and while no offer can be posted."""
    own_seat(view)
    if not view.board.trades:
        raise Refused("", "You can't make offers at this time.", "The board shows what comes next.")
