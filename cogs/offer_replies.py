"""Commands about offers, and the replies to them: the offer's card, the receipt, or what the offer
waits for.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from bot.delivery import ROLES, CommandDelivery, PersonalOffer, ToConfirm
from bot.rules.commands import Command
from bot.rules.entries import Entry
from bot.rules.features.offers.entries import (
    HandedOver,
    HandOverUndone,
    OfferAgreed,
    OfferAltered,
    OfferBecameDeal,
    OfferDeclined,
    OfferEntry,
    OfferPosted,
    OfferResumed,
    OfferSuspended,
    OfferVoided,
    OfferWithdrawn,
    Signed,
    Transaction,
)
from bot.rules.features.offers.posting import PauseOffer
from bot.rules.features.offers.signing import Agree, HaveThem, Sign
from bot.rules.model.violation import Refused
from bot.rules.views import OfferView, TableView
from bot.service import Outcome
from bot.show.cards import Card
from bot.show.hand_over import accepted_card, hands_over, what_sealed_waits_for
from bot.show.names import escaped, game_of
from bot.show.offer_cards import (
    accept_card,
    is_backed_out,
    look_button,
    moves_hidden,
    offer_card,
    posted_receipt_card,
    stands_again_text,
    withdraw_button,
)
from bot.show.results import refusal_card, result_card
from cogs.request import Request
from cogs.router import Handler

DONE_BEFORE = "That was done before. You have left that seat since then, so I can't say more."
"""The reply to an interaction that Discord delivers again, if the person may no longer know what it
was about.
"""


def up_to_date(handler: Handler[Any]) -> Handler[Any]:
    """Return a handler that answers a press on an outdated card of an offer with the offer's
    present card.

    That card takes the place of a private message, which nothing else updates, so that it says what
    is true.

    >>> class Haggle(Command):
    ...     kind = "bazaar.haggle"
    ...     offer: int
    >>> router.on(Haggle, up_to_date(carry_out))
    """

    async def handle(request: Request, pressed: Any) -> None:
        try:
            await handler(request, pressed)
        except Refused as refused:
            view = await request.view(offers=[pressed.offer])
            offer = view.offers.get(pressed.offer)
            if offer is None or offer.role is None or not offer.exact:
                raise
            open_, acted = (
                offer.status == "open",
                view.seat in (*offer.progress.accepted, *offer.progress.sealed),
            )
            older = open_ and getattr(pressed, "revision", None) not in (None, offer.revision)
            changed = request.answer.pressed_ephemeral and (
                not open_ or acted or isinstance(pressed, PauseOffer)
            )
            if not older and not changed:
                raise
            request.answer.outcome, request.answer.rule = "refused", refused.violation.rule
            await request.answer.update(
                refusal_card(refused, refused.names, offer_card(view, offer, now=True))
            )

    return handle


async def sign(request: Request, command: Sign | Agree) -> None:
    """Handle **Accept**, **Agree** and **Confirm**.

    Under a shared card of an offer with hidden goods, show first in private what moves.
    """
    if not await _shown_first(request, command):
        await execute_offer(request, command)


async def _shown_first(request: Request, command: Sign | Agree) -> bool:
    """Show what an offer moves, if the person must see that first. Return whether it was shown.

    A private card shows it already, but not the refusal with **Agree for later**, which may settle
    by now. An offer that can't be accepted is refused at once.
    """
    if request.in_dm or (request.answer.pressed_ephemeral and isinstance(command, Sign)):
        return False
    view = await request.view()
    offer = view.offers.get(command.offer)
    if offer is None or offer.revision != command.revision or not offer.exact or not view.seat:
        return False
    if (
        offer.status != "open"
        or offer.role is None
        or offer.ruling.why_not is not None
        or not moves_hidden(view, offer)
    ):
        return False
    if offer.role == "poster" and not offer.progress.agreed_by_both:
        return False
    await request.reply(
        accept_card(view, offer, "confirm" if offer.progress.agreed_by_both else "accept")
    )
    request.keep_answer(view, offer)
    return True


async def execute_offer(request: Request, command: Command) -> None:
    """Execute a command about an offer, and reply with the offer's card or what it waits for.
    Raises `Refused`.
    """
    await request.respond(command, partial(result_of, in_dm=request.in_dm), beside=private_note)


async def execute_posting(request: Request, command: Command, over: str = "") -> None:
    """Execute a command that posts, changes, counters or repeats an offer; reply with a receipt.
    Raises `Refused`. ``over`` as in `Request.respond`.
    """
    await request.respond(command, posted_card, beside=private_note, over=over)


async def have_them(request: Request, command: HaveThem) -> None:
    """Execute **I do have them**, and reply as to accepting; or why that is not possible yet.
    Raises `Refused`.
    """

    def noted(outcome: Outcome) -> str | Card:
        if any(isinstance(each.entry, OfferEntry) for each in outcome.entries):
            return result_of(outcome, in_dm=request.in_dm)
        offer = outcome.view.offers.get(command.offer)
        if offer is None:
            return DONE_BEFORE
        card = offer_card(outcome.view, offer, now=True)
        if outcome.repeated:
            return card
        return replace(card, blocks=("You have them now, but can't accept yet.", *card.blocks))

    await request.respond(command, noted)


def posted_card(outcome: Outcome) -> str | Card:
    """Return the reply to posting, altering, countering or repeating an offer: its receipt."""
    offer = offer_of(outcome)
    if offer is None:
        return DONE_BEFORE
    if outcome.repeated and offer.status != "open":
        return offer_card(outcome.view, offer, now=True)
    altered = any(isinstance(each.entry, OfferAltered) for each in outcome.entries)
    return posted_receipt_card(outcome.view, offer, "changed" if altered else "posted")


def private_note(outcome: Outcome, messages: CommandDelivery) -> str | Card | None:
    """Return what to tell the person beside the shared card that they pressed and that changes;
    None for nothing.

    Nothing is needed if the person's own card in their DMs shows it.
    """
    view, offer = outcome.view, offer_of(outcome)
    if offer is None:
        return DONE_BEFORE
    if any(isinstance(each.entry, OfferPosted | OfferAltered) for each in outcome.entries):
        return posted_card(outcome)
    others = offer.progress.confirming if view.seat not in offer.progress.confirming else ()
    if others and not hands_over(view) and isinstance(_last(outcome, offer), Signed | OfferAgreed):
        return _accepted(outcome, offer)  # the answer to the press: it is not done yet
    if _has_own_card(view, offer, messages):
        return None
    done = next((each for each in outcome.entries if isinstance(each.entry, Transaction)), None)
    if done is not None:
        return result_card(view, done, outcome.entries, now=True)
    if offer.status == "resolved":
        return offer_card(view, offer)
    if (
        hands_over(view)
        and offer.status == "open"
        and (view.seat in offer.progress.waits_for or offer.to is None)
    ):
        return result_of(outcome, in_dm=False)
    return None


def _has_own_card(view: TableView, offer: OfferView, messages: CommandDelivery) -> bool:
    """Return whether the command changes the viewer's own card of the offer in their DMs."""
    person = view.names.people.get(view.names.holders.get(view.seat or "") or 0)
    if person is None or person.user_id is None:
        return False
    own = [PersonalOffer(offer.number, role, person.user_id) for role in ROLES]
    return any(map(messages.changes_dm, (*own, ToConfirm(offer.number, person.user_id))))


def offer_of(outcome: Outcome) -> OfferView | None:
    """Return the offer that a command was about, as it is now.

    None if Discord delivered the interaction again and the person has left the seat of a private
    offer since.
    """
    for each in outcome.entries:
        if isinstance(each.entry, OfferEntry):
            return outcome.view.offers.get(each.entry.offer)
    return None


def result_of(outcome: Outcome, *, in_dm: bool) -> str | Card:
    """Return the reply to a command about an offer, for the person who acted.

    If Discord delivered the interaction again, more may have happened since, so it is the offer as
    it is now, unless the command ended it or the person's part in it.
    """
    view, offer = outcome.view, offer_of(outcome)
    if offer is None:
        return DONE_BEFORE
    for each in outcome.entries:
        if isinstance(each.entry, Transaction):
            # A person who has left the seat since learns only that the transaction is done.
            card = result_card(view, each, outcome.entries, now=not in_dm)  # in a DM it stays
            return card or f"Transaction {each.entry.number} is done."
        if isinstance(each.entry, OfferVoided | OfferBecameDeal):
            return offer_card(view, offer, now=True)
    last = _last(outcome, offer)
    if outcome.repeated and not isinstance(last, OfferWithdrawn | OfferDeclined):
        return offer_card(view, offer, now=offer.live or not in_dm)
    shows_it = isinstance(last, OfferSuspended | OfferResumed) or not offer.live
    if shows_it and in_dm:
        # replaces the pressed card, with nothing beside it
        return offer_card(view, offer, now=offer.live)
    if in_dm and (offer.to or offer.role == "poster") and isinstance(last, HandedOver):
        return offer_card(view, offer)  # it says that the cards are sealed
    if in_dm and isinstance(last, OfferAgreed) and not offer.progress.confirming:
        return _for_later(offer)  # their card of the offer says the rest
    return _poster_or_decline(outcome, offer) or _accepted(outcome, offer)


def _last(outcome: Outcome, offer: OfferView) -> Entry:
    """Return the last entry about the offer, without what follows from it for other offers."""
    about = (each.entry for each in outcome.entries if isinstance(each.entry, OfferEntry))
    return [entry for entry in about if entry.offer == offer.number][-1]


def _poster_or_decline(outcome: Outcome, offer: OfferView) -> str | Card | None:
    """Return the reply to a command that does not wait for the other side; None for the others."""
    match _last(outcome, offer):
        case OfferWithdrawn() if not is_backed_out(offer):
            return _over(outcome.view, offer, f"Offer {offer.number} is withdrawn.")
        case OfferWithdrawn() | OfferDeclined():
            # an offer to all stays open for the others
            took_back = offer.live or is_backed_out(offer)
            did = "backed out of" if took_back else "declined"
            return _over(outcome.view, offer, f"You {did} offer {offer.number}.")
        case OfferSuspended():
            text = f"Offer {offer.number} is suspended: nobody can agree to it until you resume it."
            card = offer_card(outcome.view, offer, now=True)  # with the button to resume it
            return replace(card, blocks=(text, *card.blocks))
        case OfferResumed():
            return f"Offer {offer.number} is open again."
        case OfferAgreed() if not offer.progress.confirming:
            return f"{_for_later(offer)} {game_of(outcome.view).info.agreements.ahead}"
    return None


def _for_later(offer: OfferView) -> str:
    return f"Not possible now: you agree to offer {offer.number} for later."


def _over(view: TableView, offer: OfferView, text: str) -> str | Card:
    """Return the reply to ending an offer: when another stands again for that, with its button."""
    if (first := offer.links.stands_again) is None:
        return text
    text = f"{text} {stands_again_text(view, offer)}"
    press = withdraw_button if offer.role == "addressed" else look_button
    return Card("over", text, ((press(view, first),),))


def _accepted(outcome: Outcome, offer: OfferView) -> str | Card:
    """Return the reply to agreeing or handing over before the other side has."""
    view = outcome.view
    if offer.to is None:
        return _accepted_by_one_of_many(view, offer)
    by_hand = hands_over(view)
    if by_hand and view.seat in offer.progress.waits_for:
        return offer_card(view, offer, now=True)
    waiting = " and ".join(escaped(view, seat) for seat in offer.progress.waits_for)
    if isinstance(_last(outcome, offer), HandedOver | HandOverUndone):
        waits = waiting or escaped(
            offer, (offer.to or "") if offer.role == "poster" else offer.poster
        )
        return (
            f"Your part of offer {offer.number} is handed over, sealed. It moves once {waits} has "
            "handed over too."
        )
    if by_hand:
        return f"You agree to offer {offer.number}. Now {waiting} must hand over; I asked by DM."
    # The same words whether they were asked or not: else it tells what their hand lacks.
    can = "both still can" if len(offer.progress.waits_for) > 1 else "they still can"
    return f"You agree to offer {offer.number}. Now {waiting} must confirm it, if {can}."


def _accepted_by_one_of_many(view: TableView, offer: OfferView) -> str | Card:
    """Return the reply to a taker who accepts an offer to all, or to its poster who hands over."""
    if offer.role == "poster":
        sealed = f"Your part of offer {offer.number} is handed over, sealed."
        if not offer.progress.sealed_takers:
            return f"{sealed} The first player to hand over gets the trade."
        card = offer_card(view, offer, now=True)  # with a button for each taker
        return replace(card, blocks=(sealed, *card.blocks))
    poster = escaped(offer, offer.poster)
    if offer.own.handed is not None:
        waits = what_sealed_waits_for(view, offer)
        return f"You agree to offer {offer.number}. Your cards are sealed with it. {waits}"
    agree = "agree to" if offer.buttons.only_agrees else "accept"
    accepted = f"You {agree} offer {offer.number}."
    if hands_over(view) and view.seat:  # the card says what follows
        return accepted_card(view, offer, accepted)
    return f"{accepted} {poster} picks one of the players who do."
