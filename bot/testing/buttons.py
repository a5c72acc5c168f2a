"""Green means now: a green button on an offer's card does what it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from bot.rules.commands import Caller, Press
from bot.rules.engine import decide
from bot.rules.features.offers.entries import Signed, Transaction
from bot.rules.features.offers.signing import Agree, HaveThem, OfferCommand, Sign
from bot.rules.features.offers.state import forbidding, trade_of
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.viewers import everybody, person_viewer
from bot.rules.visible_table import TableViews
from bot.show.cards import Card
from bot.show.offer_cards import confirm_card, offer_card
from bot.testing.world import EVERYONE

ANSWERS = (Sign, Agree, HaveThem)
"""The commands of the buttons that accept or confirm an offer."""


def green_means_now(table: Table, at: int = 0) -> None:
    """Press the green buttons of all offers. Raises ``AssertionError`` for one that fails.

    On a card that several read, each person who may press it does. A button is left out where
    another's secret forbids the trade.
    """
    if not table.running:
        return
    views = TableViews(table)
    shared = views.see(everybody(table, EVERYONE))
    for seat in [table.seats[id] for id in table.seated()]:
        caller = Caller(seat.person or 0, at=at)
        own = views.see(person_viewer(table, EVERYONE, caller))
        for offer in own.offers.values():
            if offer.role is not None and offer.live:
                cards = [
                    offer_card(own, offer),
                    offer_card(own, offer, now=True),
                    confirm_card(own, offer),
                ]
                _keep_their_word(table, caller, seat.id, "their own card", cards)
            if offer.role == "addressed" and offer.number in shared.offers:
                cards = [offer_card(shared, shared.offers[offer.number])]
                _keep_their_word(table, caller, seat.id, "the channel's card", cards)


def _keep_their_word(
    table: Table, caller: Caller, seat: str, where: str, cards: Iterable[Card]
) -> None:
    for label, command in set(chain.from_iterable(map(_green, cards))):
        against = forbidding(table, trade_of(table.offers[command.offer], seat))
        if any(each.known_to not in ("", seat) for each in against):
            continue
        said = f"“{label}” on {where} of offer {command.offer} is green for {seat}"
        try:
            entries = decide(table, command, caller)
        except Refused as refused:
            raise AssertionError(f"{said}, and is refused: {refused}") from refused
        done = any(isinstance(each, Transaction) for each in entries)
        confirmed = label == "Confirm" and any(isinstance(each, Signed) for each in entries)
        assert done or confirmed, f"{said}, and nothing is settled"


def _green(card: Card) -> Iterator[tuple[str, OfferCommand]]:
    for row in card.rows:
        for each in row if isinstance(row, tuple) else ():
            pressed = each.action.command if isinstance(each.action, Press) else None
            if each.style == "success" and isinstance(pressed, ANSWERS):
                yield each.label, pressed
