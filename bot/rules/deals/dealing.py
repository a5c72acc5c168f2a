"""Deals: agreements in words, at any time and between any two [D1]. Which of them bind is the game's rule.

Where deals bind at all, one does when all of it can be resolved at once [D3]; then it is kept as it is made, and must
be [D4]. What depends on an action card's result never binds [D5], nor does anything that comes later [D6]: those are
promises, and all that can be said of them is whether they were kept.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.agreements import NotBinding
from bot.rules.caps import require_room_for_deal
from bot.rules.commands import Caller, Handlers, handler
from bot.rules.deals.commands import AnswerDeal, MarkDeal, ProposeDeal
from bot.rules.deals.entries import DealAnswered, DealMarked, DealProposed, DealVoided
from bot.rules.entries import Entry
from bot.rules.lookup import deal_numbered, own_seat, taken_seat
from bot.rules.model.deals import Deal, Wording
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of

TERMS_MAX = 300
"""The longest terms, in characters: what a phone shows without scrolling."""


def require_short(terms: str) -> None:
    """Raise `Refused` for terms longer than `TERMS_MAX`."""
    if len(terms) > TERMS_MAX:
        raise Refused("", f"Those terms are {len(terms)} characters long.", f"Say it in {TERMS_MAX}.")


def not_binding(table: Table, deal: Deal) -> NotBinding:
    """Return why a deal binds nobody, in this game or because of what it says; empty if it binds."""
    if not game_of(table).info.agreements.deals_bind:
        return "never"
    return "card" if deal.card else "later" if deal.later else ""


def proposed(
    table: Table, seat: str, to: str, words: Wording, *, offer: int | None = None, private: bool
) -> DealProposed:
    """Return the next deal of the table; of a private one, everybody may know only that there is one."""
    number = table.deals_proposed + 1
    if private:
        return DealProposed(deal=number, seat=seat, to=to, offer=offer, private=True, secret=words)
    return DealProposed(
        deal=number, seat=seat, to=to, offer=offer, terms=words.terms, later=words.later, card=words.card
    )


def propose(table: Table, command: ProposeDeal, caller: Caller) -> Iterable[Entry]:
    """Propose a deal. D1: any two may make one, neighbours or not, in any phase.

    It is for the two only if it is said in private, and always where an offer to one seat is.

    Raises `Refused` for a deal with oneself, for terms that are missing or too long, and for one deal too many.
    """
    seat = own_seat(table, caller)
    if command.to == seat.id:
        raise Refused("", "You can't make a deal with yourself.", "Name another player.")
    if not command.terms:
        raise Refused("", "A deal needs terms.", "Say in a sentence what you two agree on.")
    require_short(command.terms)
    to = taken_seat(table, command.to).id
    require_room_for_deal(table, seat.id, to)
    words = Wording(command.terms, command.later, command.card)
    private = command.private or game_of(table).trade.private_offers
    return [proposed(table, seat.id, to, words, private=private)]


def answer(table: Table, command: AnswerDeal, caller: Caller) -> Iterable[Entry]:
    """Agree to a deal, or decline it. Raises `Refused` for anyone but the other side, and when it needs no answer."""
    deal, seat = deal_numbered(table, command.deal), own_seat(table, caller)
    if deal.private and not deal.parties.include(caller.person, seat.id):  # others must not learn what became of it
        raise Refused("", f"Deal {deal.number} is between others.", "Only they can answer it.")
    if deal.status == "void":
        raise Refused("", f"Deal {deal.number} ended when one of the two left.", "/deal propose makes a new one.")
    if deal.status != "proposed":
        raise Refused("", f"Deal {deal.number} is {deal.status} already.", "/deal list shows all.")
    if seat.id != deal.to or not deal.parties.include(caller.person, seat.id):
        asked = deal.parties.people[deal.to]
        raise Refused("", f"Deal {deal.number} waits for <person:{asked}>.", "Only they can answer it.")
    if deal.private:
        return [DealAnswered(deal=deal.number, seat=seat.id, other=deal.seat, private=True, secret=command.agreed)]
    return [
        DealAnswered(
            deal=deal.number, seat=seat.id, other=deal.seat, agreed=command.agreed, binding=not not_binding(table, deal)
        )
    ]  # fmt: skip


def mark(table: Table, command: MarkDeal, caller: Caller) -> Iterable[Entry]:
    """Say whether the other side kept its part; each of the two may do so once.

    Raises `Refused` for others, for a deal that is not agreed, for a second mark, and by D4 for the word that a binding
    deal was broken: it is kept as it is made.
    """
    deal, seat = deal_numbered(table, command.deal), own_seat(table, caller)
    if not deal.parties.include(caller.person, seat.id):
        raise Refused("", f"Deal {deal.number} is between others.", "Only they can say whether it was kept.")
    if deal.status != "agreed":
        raise Refused("", f"Deal {deal.number} is {deal.status}, not agreed.", "/deal list shows all.")
    if command.mark == "broken" and not not_binding(table, deal):
        info = game_of(table).info
        raise Refused(
            info.rule_number("kept"), info.agreements.unbreakable.format(deal=deal.number),
            "If the table did otherwise, the host can mend what each has: /holdings set.",
        )  # fmt: skip
    if seat.id in deal.marks:
        raise Refused("", f"You have marked deal {deal.number} as {deal.marks[seat.id]} already.")
    other = deal.other(seat.id)
    promised_by = deal.parties.people[other]
    if deal.private:
        gone = table.seats[other].person != promised_by
        return [
            DealMarked(
                deal=deal.number, seat=seat.id, other=other, promised_by=promised_by, private=True, succeeded=gone,
                secret=command.mark,
            )
        ]  # fmt: skip
    breaks = command.mark == "broken" and "broken" not in deal.marks.values()
    return [
        DealMarked(
            deal=deal.number, seat=seat.id, other=other, promised_by=promised_by, mark=command.mark, breaks=breaks
        )
    ]  # fmt: skip


def voided(table: Table, seat: str) -> list[DealVoided]:
    """Return the end of every proposed deal of this seat, whose person leaves."""
    return [
        DealVoided(deal=deal.number, seat=deal.seat, other=deal.to, private=deal.private)
        for deal in table.deals.values()
        if deal.status == "proposed" and deal.party(seat)
    ]


HANDLERS: Handlers = dict([handler(ProposeDeal, propose), handler(AnswerDeal, answer), handler(MarkDeal, mark)])
