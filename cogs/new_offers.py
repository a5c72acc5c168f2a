"""A new offer: choose the partner, then tap a proposal, build the offer with buttons, or write it
in a form.

**New offer** on the board or /trade begins. **Counter** and **Alter** begin with the goods of the
offer they answer.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import discord
from discord import User
from discord.ext import commands

from bot.rules.features.offers.entries import OfferVoided, Transaction
from bot.rules.features.offers.posting import AlterOffer, CounterOffer, PostOffer
from bot.rules.model.actions import LabelledAction, OfferAction
from bot.rules.model.goods import Goods
from bot.rules.model.offer import Sides
from bot.rules.model.violation import Refused
from bot.rules.views import OfferView, TableView
from bot.show import drafts, stock
from bot.show.actions import ChoosePartner, DraftPick, DraftPress, OfferTo, PickSide
from bot.show.cards import Card
from bot.show.drafts import (
    OfferDraft,
    answer_draft,
    build_card,
    can_repeat,
    draft_of,
    holds,
    page_in,
    picked,
    proposals_card,
)
from bot.show.hand_drafts import (
    hand_answer_draft,
    hand_draft_card,
    hand_new_draft,
    hand_picked,
    hand_ready_card,
    picked_cards,
    want_of,
)
from bot.show.hand_over import hands_over
from bot.show.names import escape
from bot.show.partners import new_offer_card
from bot.show.said import understand
from bot.show.stock import vocabulary
from bot.show.wishes import is_wish
from cogs.completion import Choices, goods_of_stock, seat_in
from cogs.inputs import own_seat, require_person
from cogs.offer_forms import find_offer_to_answer, open_answer, open_post, recipient
from cogs.offer_replies import execute_posting
from cogs.request import Request
from cogs.router import Router
from cogs.slash import in_dms_too, slash

EARLIER_MAX = 3
"""How many of the viewer's last trades, and of their offers that lapsed, to propose again."""


async def _said(request: Request, typed: str) -> Choices:
    view = await request.view()
    return goods_of_stock(view, stock.own(view, seat_in(view, request, "with")), typed)


class NewOffers(commands.Cog):
    """The /trade command, and the buttons that make an offer."""

    def __init__(self, router: Router) -> None:
        router.on(OfferTo, partner_pressed)
        router.on(ChoosePartner, partner_chosen)
        router.on(DraftPress, draft_pressed)
        router.on(DraftPick, cards_picked)

    @in_dms_too
    @slash("trade", "A new offer: pick with whom, then what for what")
    async def trade(
        self,
        request: Request,
        with_: Annotated[
            User | None, "With whom. Leave out to see who can trade with you now"
        ] = None,
        goods: Annotated[
            str | None,
            "Or say it at once: what you give, “for”, and what you get. You see it first",
            _said,
        ] = None,
    ) -> None:
        """Begin a new offer. With a partner, show at once what can be offered to them; with what
        somebody says, that offer.
        """
        if goods is None:
            await begin(request, with_)
        else:
            await say(request, goods, with_)


async def say(request: Request, text: str, other: discord.abc.User | None) -> None:
    """Show the offer that a sentence says, as it would be posted. Raises `Refused`."""
    require_person(other)
    place = await request.place()
    view = await request.view()
    require_trade(view)
    to = recipient(view, other.id if other else 0, place.negotiation)
    trade, question = understand(view, text, to), ""
    if trade.suggestion:
        question = f"Did you mean “{escape(trade.suggestion)}”?"
        trade = understand(view, trade.suggestion, to)
    if trade.refused is not None:
        raise trade.refused
    draft = OfferDraft(trade.to, place.negotiation or 0, trade.give, trade.get)
    if not holds(view, draft):
        longer = "**Write it…** takes longer offers."
        raise Refused("That is more than the buttons can hold.", longer)
    card = ready_card(view, draft)
    blocks = (question, *card.blocks) if question else card.blocks
    await request.answer.update(replace(card, blocks=blocks))


async def begin(request: Request, other: discord.abc.User | None) -> None:
    """Show what can be offered to a person. Without one, ask for the partner, or take that of the
    negotiation.
    """
    place = await request.place()
    if other is None and place.negotiation is None:
        await ask(request)
        return
    require_person(other)
    await _propose(request, other.id if other else 0, place.negotiation)


async def ask(request: Request) -> None:
    """Ask for the partner. Raises `Refused` for a person without a seat, and while nothing can be
    offered.
    """
    view, place = await request.view(), await request.place()
    own_seat(view)
    if place.negotiation is not None:
        await _propose(request, 0, place.negotiation)
        return
    pairs = await request.pairs()
    if not view.board.trades and (
        found := next((each.why_not for each in pairs if each.why_not), None)
    ):
        raise Refused.because(found)
    require_trade(view)
    await request.answer.update(new_offer_card(view, pairs))


# ---------------------------------------------------------------- the partner is chosen


async def partner_pressed(request: Request, press: OfferTo) -> None:
    """Show what can be offered to the player on a button, or to everybody."""
    await _propose(request, press.to)


async def partner_chosen(request: Request, select: ChoosePartner) -> None:
    """Show what can be offered to a player with whom the person can't trade yet."""
    view, value = await request.view(), request.chosen()[0]
    known = {str(person.user_id): person for person in view.names.people.values()}
    found = known.get(value)
    if found is None or found.user_id is None:
        raise Refused("They have never been at this table.", "Open **New offer** again.")
    await _propose(request, found.user_id)


async def _propose(request: Request, to: int, negotiation: int | None = None) -> None:
    """Show what can be offered to a Discord user, 0 for everybody or the partner in the
    negotiation.
    """
    view = await request.view()
    require_trade(view)
    other = recipient(view, to, negotiation)
    by_hand = hands_over(view)
    draft = (
        hand_new_draft(view, other, negotiation or 0)
        if by_hand
        else OfferDraft(other, negotiation or 0)
    )
    earlier = await _earlier(request, view, draft)
    await request.answer.update(
        hand_draft_card(view, draft, earlier, first=True)
        if by_hand
        else proposals_card(view, draft, earlier)
    )


async def begin_answer(
    request: Request, number: int, revision: int, *, alters: bool = False
) -> None:
    """Show a counter, or an alteration, with the goods of the offer that it answers. Without room,
    open its form.
    """
    view, offer = await find_offer_to_answer(request, number, revision, alters=alters)
    if not alters:
        require_trade(view)
    draft = hand_answer_draft(view, offer) if hands_over(view) else answer_draft(offer)
    if draft.fits and view.board.trades and not (alters and set(draft.want) - vocabulary(view)):
        await request.answer.update(draft_card(view, draft))
    else:
        await open_answer(request, number, revision, alters=alters)


async def _earlier(request: Request, view: TableView, draft: OfferDraft) -> list[OfferView]:
    """Return what can be offered again: the last trade of the viewer with the partner, and their
    offers that lapsed.
    """
    found: list[int] = []
    for kind in ("offer.transaction", "offer.voided"):
        entries = await request.recent(view, kind)
        trades = [
            each.offer
            for each in entries
            if isinstance(each, Transaction) and draft.to in each.parties()
        ]
        found += [*trades[:1], *(each.offer for each in entries if isinstance(each, OfferVoided))]
    offers = (await request.view(offers=found)).offers if found else {}
    again = [
        offers[number]
        for number in found
        if number in offers and can_repeat(view, draft, offers[number])
    ]
    return list({each.sides: each for each in again}.values())[:EARLIER_MAX]


# ---------------------------------------------------------------- the offer is made


async def draft_pressed(request: Request, press: DraftPress) -> None:
    """Show a draft, open the form with it, or post it."""
    request.accepts_cached = press.what == "write"  # a form opens
    view, draft = await _draft(request, press)
    match press.what:
        case "build":
            await request.answer.replace(draft_card(view, draft))
        case "write" if draft.answers:
            first, goods = view.offers.get(draft.answers), (draft.give, want_of(view, draft))
            alters = first is not None and first.role == "poster"
            await open_answer(request, draft.answers, draft.revision, goods=goods, alters=alters)
        case "write":
            person = view.names.holder(draft.to) if draft.to else None
            user = (person.user_id or 0) if person else 0
            await open_post(
                request,
                view,
                user,
                draft.negotiation or None,
                Sides(draft.give, want_of(view, draft)),
            )
        case "post" | "hand":
            handed = (
                picked_cards(view, draft) if press.what == "hand" and hands_over(view) else None
            )
            command = PostOffer(
                draft.to,
                draft.give,
                want_of(view, draft),
                negotiation=draft.negotiation or None,
                handed=handed,
                stands=True,
            )
            answer = _answer(view, draft, handed) if draft.answers else command
            await execute_posting(request, answer, over="It is posted.")


def _answer(view: TableView, draft: OfferDraft, handed: Goods | None) -> AlterOffer | CounterOffer:
    """Return the counter or alteration of a draft, with the terms of what it answers. Raises
    `Refused` if that was altered.
    """
    first = view.offers.get(draft.answers)
    if first is None:
        return CounterOffer(draft.answers)  # refused: it says what became of the offer
    if first.revision != draft.revision:
        look = OfferAction(view.id, first.number, first.revision, "show")
        raise Refused(
            f"Offer {first.number} has been altered since then.",
            "Look at the new version.",
            options=(LabelledAction(f"Look at offer {first.number}", look),),
        )
    want, said = want_of(view, draft), first.sides
    if first.role == "poster":
        return AlterOffer(first.number, first.revision, draft.give, want, handed=handed)
    return CounterOffer(
        first.number, draft.give, want, said.terms, said.terms_now, said.terms_card, handed=handed
    )


async def cards_picked(request: Request, select: DraftPick) -> None:
    """Show a draft with the cards that were picked."""
    view, before = await _draft(request, select)
    change = hand_picked if hands_over(view) else picked
    draft = change(view, before, select.side, select.part, request.values_chosen())
    if not draft.fits:
        raise Refused(
            "That is more than I can keep on this card.", "**Write it…** takes longer offers."
        )
    page = page_in(request.values_chosen())
    await request.answer.replace(draft_card(view, draft, select.side, page))


def draft_card(
    view: TableView, draft: OfferDraft, side: PickSide | None = None, page: int = 0
) -> Card:
    """Return the card of an offer that is being made, with **Offer it**. ``side`` and ``page`` as
    in `build_card`.
    """
    if hands_over(view):
        return hand_draft_card(view, draft, page=page)
    return build_card(view, draft, side, page)


def ready_card(view: TableView, draft: OfferDraft) -> Card:
    """Return an offer as it would be posted, with **Offer it**."""
    return hand_ready_card(view, draft) if hands_over(view) else drafts.ready_card(view, draft)


async def _draft(request: Request, action: DraftPress | DraftPick) -> tuple[TableView, OfferDraft]:
    """Return the table and the draft of an action. Raises `Refused`."""
    view = await request.view()
    require_trade(view)
    first = view.offers.get(action.answers)
    if first is not None and is_wish(first) and first.role == "poster" and action.to:
        raise Refused(f"Offer {first.number} is your own wish.", "Others answer it.")
    draft = draft_of(view, action)
    if draft is None:
        raise Refused(
            "The player or the goods of this offer are no longer here.",
            "Open **New offer** again.",
        )
    return view, draft


def require_trade(view: TableView) -> None:
    """Raise `Refused` for a person without a seat, and while no offer can be posted."""
    own_seat(view)
    if not view.board.trades:
        raise Refused("You can't make offers at this time.", "The board shows what comes next.")
