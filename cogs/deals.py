"""/deal: proposes deals, which are agreements in words, and records whether they were kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from discord import User
from discord.ext import commands

from bot.delivery import CommandDelivery, Prompt
from bot.rules.commands import Command
from bot.rules.features.deals import AnswerDeal, DealEntry, MarkDeal, ProposeDeal
from bot.rules.model.actions import OfferAction
from bot.rules.model.deals import ends
from bot.rules.shorthand import Lexicon
from bot.rules.views import TableView
from bot.service import Outcome
from bot.show.actions import AskDeal, DealForm
from bot.show.board import board_button
from bot.show.cards import Button, Card
from bot.show.choices import deals_among
from bot.show.deals import deal_card, deals_card
from bot.show.forms import deal_form
from cogs.completion import Choices, choices
from cogs.inputs import own_seat, require_person, require_seated, seat_of
from cogs.offer_replies import DONE_BEFORE
from cogs.request import Request
from cogs.router import Router
from cogs.slash import in_dms_too, slash
from data import words


def _what_ends(view: TableView, typed: str) -> Choices:
    return choices([(each, each) for each in ends(view.window)], read_end(view, typed))


def read_end(view: TableView, text: str) -> str:
    """Return what ends, of a text such as ``the end of this round``; the text for anything else."""
    plain = text.strip().casefold()
    if plain in ("", *ends(view.window)):
        return plain
    names: dict[str, str] = {}
    for lead in words("", "ends"):
        for kind in ends(view.window):
            names[f"{lead} {kind}"] = kind
    lexicon = Lexicon.of("", names, lambda meaning: True)
    reading = lexicon.read(plain, lambda written: None)
    if reading.strange or len(reading.parts) != 1:
        return plain
    return reading.parts[0].meaning or plain


async def _agreed(request: Request, typed: str) -> Choices:
    view = await request.view()
    deals = await request.service.deals(view.id, request.requester)
    mine = (deal for deal in deals if deal.status == "agreed" and deal.mine)
    return choices(deals_among(view, (deal for deal in mine if view.seat not in deal.marks)), typed)


def _proposed(view: TableView, typed: str) -> Choices:
    newest_first = list(view.deals.values())[::-1]
    mine = (deal for deal in newest_first if deal.mine and view.seat == deal.to)
    return choices(deals_among(view, mine), typed)


async def execute_deal(request: Request, command: Command) -> None:
    """Execute a command about a deal, and reply with its card."""
    await request.respond(command, _deal_card, beside=_private_note)


def _deal_card(outcome: Outcome) -> str | Card:
    """Return the card of the deal that a command was about, as it is now.

    There is none if Discord delivered the interaction again and the person has left the seat of a
    private deal since.
    """
    *_, about = (each.entry for each in outcome.entries if isinstance(each.entry, DealEntry))
    deal = outcome.view.deals.get(about.deal)
    if deal is None:
        return DONE_BEFORE
    card = deal_card(outcome.view, deal)
    if card.rows or deal.offer is None:
        return card
    # It was pressed under the receipt of a trade, which the way back leads to.
    back = OfferAction(deal.table, deal.offer, 1, "more")
    return replace(card, rows=((Button("More…", back),),))


def _private_note(outcome: Outcome, messages: CommandDelivery) -> str | Card | None:
    """Return the deal's card for the person alone if they pressed a ping, which must not show it to
    others.
    """
    return (
        _deal_card(outcome)
        if messages.pressed and isinstance(messages.pressed.subject, Prompt)
        else None
    )


AgreedDeal = Annotated[int, "Which deal", _agreed]
ProposedDeal = Annotated[int, "Which deal", _proposed]


@in_dms_too
class Deals(commands.GroupCog, group_name="deal", group_description="Deals: agreements in words"):
    """The /deal commands."""

    def __init__(self, router: Router) -> None:
        router.on(AnswerDeal, execute_deal)
        router.on(MarkDeal, execute_deal)
        router.on(AskDeal, self.ask)
        router.on(DealForm, self.submitted)

    @slash("propose", "Propose a deal in words")
    async def propose(
        self,
        request: Request,
        with_: Annotated[User, "With whom"],
        terms: Annotated[str, "What you two agree on"],
        when: Annotated[
            Literal["now", "later"],
            "now: all of it can be done at once. later: some of it comes later",
        ],
        card: Annotated[
            Literal["yes", "no"], "Whether it depends on an action card's result"
        ] = "no",
        by: Annotated[
            str | None,
            "By the end of what it is kept: then I ask you both once whether it was",
            _what_ends,
        ] = None,
    ) -> None:
        """Propose a deal. If it is proposed in private, only the two of them see it."""
        place = await request.place()
        view = await request.view()
        require_person(with_)
        own_seat(view)
        command = ProposeDeal(
            to=seat_of(view, with_),
            terms=terms.strip(),
            later=when == "later",
            card=card == "yes",
            private=place.private,
            by=read_end(view, by or ""),
        )
        await execute_deal(request, command)

    async def ask(self, request: Request, press: AskDeal) -> None:
        """Handle the choice of a player under **Deal…**: open the form."""
        request.accepts_cached = True
        view = await request.view()
        own_seat(view)
        require_seated(view, press.seat)
        await request.answer.open(deal_form(view, press.seat))

    async def submitted(self, request: Request, form: DealForm) -> None:
        """Propose the deal in the form."""
        view, kind = await request.view(), request.text_submitted("kind")
        place = await request.place()
        command = ProposeDeal(
            to=form.seat,
            terms=request.text_submitted("terms").strip(),
            later=kind == "later",
            card=kind == "card",
            private=place.private,
            by=read_end(view, request.text_submitted("by")),
        )
        await execute_deal(request, command)

    @slash("list", "The deals of this table")
    async def list_deals(self, request: Request) -> None:
        view = await request.view()
        # also those that are over, newest first
        deals = await request.service.deals(view.id, request.requester)
        first = board_button(view, "Deal…", "deal")
        none = Card("waiting", "There are no deals at this table yet.", ((first,),))
        await request.reply(deals_card(view, deals) if deals else none)

    @slash("kept", "The other player kept their part of a deal", execute_deal)
    def kept(self, deal: AgreedDeal) -> Command:
        return MarkDeal(deal, "kept")

    @slash("broken", "The other player broke their part of a deal", execute_deal)
    def broken(self, deal: AgreedDeal) -> Command:
        return MarkDeal(deal, "broken")

    @slash("accept", "Agree to a deal, as its button Accept or Agree does", execute_deal)
    def accept(self, deal: ProposedDeal) -> Command:
        return AnswerDeal(deal, agreed=True)

    @slash("decline", "Decline a deal", execute_deal)
    def decline(self, deal: ProposedDeal) -> Command:
        return AnswerDeal(deal, agreed=False)
