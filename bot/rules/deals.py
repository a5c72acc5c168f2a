"""Deals: agreements in words, at any time and between any two [D1]. Which of them bind is the game's rule, not ours.

A deal binds when all of it can be resolved at once [D3]; then it is kept as it is made, and must be [D4]. What rests
on an action card's result never binds [D5], nor does anything that comes later [D6]: those are promises, and all that
can be said of them is whether they were kept.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.commands import AnswerDeal, MarkDeal, ProposeDeal
from bot.rules.entries import DealAnswered, DealMarked, DealProposed, Entry, Topic
from bot.rules.game import Cited, game_named
from bot.rules.ruling import Refused
from bot.rules.seats import own_seat, seat_of
from bot.rules.table import Deal, Offer, Table

TERMS_MOST = 300
"""The longest terms, in characters: what a phone shows without scrolling."""


def require_short(terms: str) -> None:
    """Raises `Refused` for terms that no phone shows."""
    if len(terms) > TERMS_MOST:
        raise Refused("", f"Those terms are {len(terms)} characters long.", f"Say it in {TERMS_MOST}.")


def binds(deal: Deal) -> bool:
    """D3, D5, D6: whether all of it can be resolved at once, and nothing of it is an action card's result."""
    return not deal.later and not deal.card


def why_not_binding(deal: Deal) -> Cited | None:
    """Why this deal does not bind: it rests on a card's result [D5], or comes later [D6]; None when it does."""
    return "card" if deal.card else "later" if deal.later else None


def promise(table: Table, offer: Offer, to: str) -> DealProposed:
    """The terms of an offer that resolves, as the deal that stays behind; said in private, they stay private."""
    private = offer.private
    return DealProposed(
        deal=len(table.deals) + 1, seat=offer.seat, to=to, later=True, offer=offer.number,
        terms="" if private else offer.terms, secret=Topic(text=offer.terms) if private else None,
    )  # fmt: skip


def propose(table: Table, command: ProposeDeal) -> Iterable[Entry]:
    """D1: any two may make a deal, neighbours or not, whatever phase it is."""
    seat = own_seat(table, command)
    if command.to == command.by:
        raise Refused("", "You can't make a deal with yourself.", "Name another player.")
    if not command.terms:
        raise Refused("", "A deal needs terms.", "Say in a sentence what you two agree on.")
    require_short(command.terms)
    to = seat_of(table, command.to).id
    number = len(table.deals) + 1
    return [
        DealProposed(
            deal=number, seat=seat.id, to=to, later=command.later, card=command.card,
            terms="" if command.private else command.terms,
            secret=Topic(text=command.terms) if command.private else None,
        )
    ]  # fmt: skip


def answer(table: Table, command: AnswerDeal) -> Iterable[Entry]:
    """The other agrees, or does not."""
    deal, seat = _deal(table, command.deal), own_seat(table, command)
    if seat.id != deal.to:
        raise Refused("", f"Deal #{deal.number} waits for <seat:{deal.to}>.", "Only they can answer it.")
    if deal.status != "proposed":
        raise Refused("", f"Deal #{deal.number} is {deal.status} already.", "/deal list shows all.")
    return [DealAnswered(deal=deal.number, seat=seat.id, agreed=command.agreed)]


def mark(table: Table, command: MarkDeal) -> Iterable[Entry]:
    """Each of the two may say, once, whether the other kept their part. D4: of a binding deal there is no question."""
    deal, seat = _deal(table, command.deal), own_seat(table, command)
    if seat.id not in (deal.seat, deal.to) or not deal.shown_to(seat.id):
        raise Refused("", f"Deal #{deal.number} is between others.", "Only they can say whether it was kept.")
    if deal.status != "agreed":
        raise Refused("", f"Deal #{deal.number} is {deal.status}, not agreed.", "/deal list shows all.")
    if binds(deal) and command.mark == "broken":
        raise Refused(
            game_named(table.game).cites.get("kept", ""),
            f"Deal #{deal.number} is binding: it was resolved when you agreed, and must be kept.",
            "If the table did otherwise, the host can mend what each has: /holdings set.",
        )  # fmt: skip
    if seat.id in deal.marks:
        raise Refused("", f"You have marked deal #{deal.number} as {deal.marks[seat.id]} already.")
    return [DealMarked(deal=deal.number, seat=seat.id, mark=command.mark)]


def _deal(table: Table, number: int) -> Deal:
    deal = table.deals.get(number)
    if deal is None:
        raise Refused("", f"There is no deal #{number} at this table.", "/deal list shows all.")
    return deal
