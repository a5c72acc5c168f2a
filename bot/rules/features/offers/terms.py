"""The terms of an offer in words: those for now bind with the exchange, where the game says so; those for later do not.

Words that are not said to be for now are for later: nobody is bound by a word that they did not mean to bind them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bot.rules.features.deals import DealProposed, proposed, require_short
from bot.rules.features.offers.commands import AlterOffer
from bot.rules.model.deals import Wording
from bot.rules.model.offers import Offer
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of


def require_fitting(table: Table, offer: Offer) -> None:
    """Raise `Refused` for terms that are too long, and for terms for now where words never bind."""
    require_short(offer.terms)
    require_short(offer.terms_now)
    if (offer.terms_now or offer.terms_card) and not game_of(table).info.agreements.deals_bind:
        raise Refused("", "In this game words are only words, whenever they are kept.", "Say them as terms only.")
    if offer.terms_card and not offer.has_terms:
        raise Refused("", "There are no terms here that could rest on an action card.", "Say what you agree on.")


def with_changes(offer: Offer, command: AlterOffer) -> Offer:
    """Return the offer with its terms as the command changes them. That they rest on a card goes with the last word."""
    changed = replace(
        offer,
        terms=offer.terms if command.terms is None else command.terms,
        terms_now=offer.terms_now if command.terms_now is None else command.terms_now,
    )
    if command.terms_card is not None:
        return replace(changed, terms_card=command.terms_card)
    return replace(changed, terms_card=offer.terms_card and changed.has_terms)


def promises(table: Table, offer: Offer, to: str) -> Iterable[DealProposed]:
    """Yield the terms of an offer that resolves, as the deals that remain: what binds, then what is a promise.

    What was said in private stays private.
    """
    every = (Wording(offer.terms_now, later=False, card=offer.terms_card), Wording(offer.terms, True, offer.terms_card))
    for words in every:
        if words.terms:
            deal = proposed(table, offer.seat, to, words, offer=offer.number, private=offer.private)
            yield deal
            table = replace(table, deals_proposed=deal.deal)
