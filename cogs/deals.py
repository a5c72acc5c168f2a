"""/deal: proposes deals, which are agreements in words, and records whether they were kept."""

from __future__ import annotations

from typing import Literal

from discord import Interaction, User, app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.delivery import CommandDelivery, Prompt
from bot.rules.commands import Command
from bot.rules.features.deals import AnswerDeal, DealEntry, MarkDeal, ProposeDeal
from bot.rules.model.deals import ROUND
from bot.service import Outcome
from bot.show.cards import Card
from bot.show.choices import deals_among
from bot.show.deals import deal_card, deals_card
from cogs.completion import choices
from cogs.inputs import own_seat, require_person, seat_of
from cogs.offer_replies import DONE_BEFORE
from cogs.request import Request
from cogs.router import Router


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Deals(commands.GroupCog, group_name="deal", group_description="Deals: agreements in words"):
    """The /deal commands."""

    def __init__(self, router: Router) -> None:
        router.on(AnswerDeal, execute_deal)
        router.on(MarkDeal, execute_deal)

    @app_commands.command(name="propose", description="Propose a deal in words")
    @app_commands.rename(other="with")
    @app_commands.describe(
        other="With whom",
        terms="What you two agree on",
        when="now: all of it can be done at once. later: some of it comes later",
        card="Whether it depends on an action card's result",
        by="By the end of what it is kept: then I ask you both once whether it was",
    )
    async def propose(
        self,
        interaction: Interaction,
        other: User,
        terms: str,
        when: Literal["now", "later"],
        card: Literal["yes", "no"] = "no",
        by: str | None = None,
    ) -> None:
        """Propose a deal. If it is proposed in private, only the two of them see it."""
        request = Request(interaction)
        place = await request.place()
        view = await request.view()
        require_person(other)
        own_seat(view)
        command = ProposeDeal(
            to=seat_of(view, other),
            terms=terms.strip(),
            later=when == "later",
            card=card == "yes",
            private=place.private,
            by=(by or "").strip().casefold(),
        )
        await execute_deal(request, command)

    @app_commands.command(name="list", description="The deals of this table")
    async def list_deals(self, interaction: Interaction) -> None:
        request = Request(interaction)
        view = await request.view()
        # also those that are over, newest first
        deals = await request.service.deals(view.id, request.requester)
        none = "There are no deals at this table yet. /deal propose makes one."
        await request.reply(deals_card(view, deals) if deals else none)

    @app_commands.command(name="kept", description="The other player kept their part of a deal")
    @app_commands.describe(deal="Which deal")
    async def kept(self, interaction: Interaction, deal: int) -> None:
        await execute_deal(Request(interaction), MarkDeal(deal, "kept"))

    @app_commands.command(name="broken", description="The other player broke their part of a deal")
    @app_commands.describe(deal="Which deal")
    async def broken(self, interaction: Interaction, deal: int) -> None:
        await execute_deal(Request(interaction), MarkDeal(deal, "broken"))

    @app_commands.command(
        name="accept", description="Agree to a deal, as its button Accept or Agree does"
    )
    @app_commands.describe(deal="Which deal")
    async def accept(self, interaction: Interaction, deal: int) -> None:
        await execute_deal(Request(interaction), AnswerDeal(deal, agreed=True))

    @app_commands.command(name="decline", description="Decline a deal")
    @app_commands.describe(deal="Which deal")
    async def decline(self, interaction: Interaction, deal: int) -> None:
        await execute_deal(Request(interaction), AnswerDeal(deal, agreed=False))

    # ---------------------------------------------------------------- autocomplete

    @propose.autocomplete("by")
    async def _what_ends(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        window = (await Request(interaction).view()).window
        kinds = [*([window.kind] if window.kind != "none" else []), ROUND]
        return choices([(each, each) for each in kinds], typed)

    @kept.autocomplete("deal")
    @broken.autocomplete("deal")
    async def _agreed(self, interaction: Interaction, typed: int | str) -> list[Choice[int]]:
        request = Request(interaction)
        view = await request.view()
        deals = await request.service.deals(view.id, request.requester)
        mine = (deal for deal in deals if deal.status == "agreed" and deal.mine)
        return choices(
            deals_among(view, (deal for deal in mine if view.seat not in deal.marks)), str(typed)
        )

    @accept.autocomplete("deal")
    @decline.autocomplete("deal")
    async def _proposed(self, interaction: Interaction, typed: int | str) -> list[Choice[int]]:
        view = await Request(interaction).view()
        newest_first = list(view.deals.values())[::-1]
        mine = (deal for deal in newest_first if deal.mine and view.seat == deal.to)
        return choices(deals_among(view, mine), str(typed))


async def execute_deal(request: Request, command: Command) -> None:
    """Execute a command about a deal, and reply with its card."""
    await request.respond(command, _deal_card, beside=_private_note)


def _deal_card(outcome: Outcome) -> str | Card:
    """Return the card of the deal that a command was about, as it is now.

    There is none if Discord delivered the interaction again and the person has left the seat of a
    private deal since.
    """
    about = next(
        each.entry for each in reversed(outcome.entries) if isinstance(each.entry, DealEntry)
    )
    deal = outcome.view.deals.get(about.deal)
    return DONE_BEFORE if deal is None else deal_card(outcome.view, deal)


def _private_note(outcome: Outcome, messages: CommandDelivery) -> str | Card | None:
    """Return the deal's card for the person alone if they pressed a ping, which must not show it to
    others.
    """
    return (
        _deal_card(outcome)
        if messages.pressed and isinstance(messages.pressed.subject, Prompt)
        else None
    )
