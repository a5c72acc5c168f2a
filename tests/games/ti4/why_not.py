"""Compares the reasons shown against trades with those that `decide` gives."""

from __future__ import annotations

from bot.rules.commands import Caller
from bot.rules.features.holdings import Gain
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.offers.state import signed_now, trade_of, violations
from bot.rules.model.goods import Goods
from bot.rules.model.offer import Offer
from bot.rules.model.table import MINUTE, Table
from bot.rules.model.violation import Refused
from bot.rules.model.windows import pair
from bot.rules.visibility import everybody, person_viewer, see, see_pairs
from bot.testing.world import EVERYONE, Ask, World

ONE = Goods({"trade_good": 1})
LATER = 10 * MINUTE
LATEST = 3
"""Open offers that are looked at after a step; the older ones have been looked at before."""


def reasons_agree(table: Table) -> None:
    """What the list of pairs and the cards say is what trying would bring."""
    sitting = table.seated()
    if sitting:
        asker = sitting[table.seq % len(sitting)]
        for other, why_not in shown(table, asker).items():
            assert why_not == tried(table, asker, other, why_not)
    for offer in table.open_offers()[-LATEST:]:
        if offer.to is not None and not signed_now(table, offer, offer.to):
            _card_agrees(table, offer, offer.to)


def shown(table: Table, seat: str) -> dict[str, str]:
    """Return why the person in this seat reads that they can't trade with each other seat; empty
    when they can.
    """
    viewer = person_viewer(table, EVERYONE, Caller(table.seats[seat].person or 0))
    pairs = {each.seats: each.why_not for each in see_pairs(table, viewer)}
    others = {other: pairs[pair(seat, other)] for other in table.seated() if other != seat}
    return {other: why_not.sentence() if why_not else "" for other, why_not in others.items()}


def tried(table: Table, first: str, second: str, why_not: str) -> str:
    """Return what comes of a trade that nothing but turns and neighbours can forbid; empty when it
    resolves.

    A table that only warns lets it pass, whatever the reason ``why_not`` against it.
    """
    if table.settings.rulings == "warn":
        return why_not  # see test_a_table_that_only_warns_says_so
    giver, taker = (table.seats[seat].person for seat in (first, second))
    assert giver is not None
    assert taker is not None
    world = World(table)
    if table.tracked:
        world.do(giver, Gain(ONE))
    # they may have posted the same before
    world.do(giver, PostOffer(to=second, give=ONE), at=LATER)
    answer = world.tries(Ask(Sign(world.table.offers_posted, 1), Caller(taker)))
    if isinstance(answer, Refused):
        return answer.violation.sentence()
    if table.settings.confirm == "twice":
        return ""  # both are asked to confirm it
    assert any(isinstance(entry, Transaction) for entry in answer)
    return ""


def _card_agrees(table: Table, offer: Offer, to: str) -> None:
    person = table.seats[to].person
    assert person is not None, "an open offer is addressed to an empty chair"
    if table.settings.rulings == "warn" or table.settings.confirm == "twice":
        return
    found = violations(table, trade_of(offer))
    card = see(table, everybody(table, EVERYONE)).offers.get(offer.number)
    own = see(table, person_viewer(table, EVERYONE, Caller(person))).offers[offer.number]
    answer = World(table).tries(Ask(Sign(offer.number, offer.revision), Caller(person)))
    # else nobody is stopped by what they may not know
    closes = signed_now(table, offer, offer.seat)
    mine = [each for each in found if each.known_to in ("", to)]
    stops = [*mine, *(each.redacted(to) for each in found if closes and each not in mine)]
    assert isinstance(answer, Refused) == bool(stops)
    assert card is not None or offer.private
    if card is not None:
        assert card.ruling.why_not == next((each for each in found if not each.known_to), None)
    assert own.ruling.why_not == next(iter(mine), None)
    if isinstance(answer, Refused):
        first = stops[0]
        assert (answer.violation.rule, answer.violation.reason) == (first.rule, first.reason)
        assert answer.violation.remedy.startswith(first.remedy)  # terms add [D2]
