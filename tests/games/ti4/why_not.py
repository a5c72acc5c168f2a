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
from bot.rules.viewers import everybody, person_viewer
from bot.rules.visible_table import see, see_pairs
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
    """Return why this seat reads that it can't trade with each other; empty when it can."""
    viewer = person_viewer(table, EVERYONE, Caller(table.seats[seat].person or 0))
    pairs = {row.seats: row.why_not for row in see_pairs(table, viewer)}
    reasons = {}
    for other in table.seated():
        if other != seat:
            why_not = pairs[pair(seat, other)]
            reasons[other] = why_not.sentence() if why_not else ""
    return reasons


def tried(table: Table, first: str, second: str, why_not: str) -> str:
    """Return why a trade that only turns and neighbours can forbid is refused; empty when it isn't.

    A table that only warns lets it pass, whatever the reason ``why_not`` against it.
    """
    if table.settings.rulings == "warn":
        return why_not
    giver, taker = (table.seats[seat].person for seat in (first, second))
    assert giver is not None
    assert taker is not None
    world = World(table)
    if table.tracked:
        world.do(giver, Gain(ONE))
    # they may have posted the same before
    world.do(giver, PostOffer(to=second, give=ONE), at=LATER)
    sign = Sign(world.table.offers_posted, 1)
    answer = world.tries(Ask(sign, Caller(taker)))
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
    viewer = person_viewer(table, EVERYONE, Caller(person))
    own = see(table, viewer).offers[offer.number]
    sign = Sign(offer.number, offer.revision)
    answer = World(table).tries(Ask(sign, Caller(person)))
    mine = [violation for violation in found if violation.known_to in ("", to)]
    stops = list(mine)
    if signed_now(table, offer, offer.seat):  # else nobody is stopped by what they may not know
        stops += [violation.redacted(to) for violation in found if violation not in mine]
    assert isinstance(answer, Refused) == bool(stops)
    assert card is not None or offer.private
    if card is not None:
        assert card.ruling.why_not == next((each for each in found if not each.known_to), None)
    assert own.ruling.why_not == next(iter(mine), None)
    if isinstance(answer, Refused):
        first = stops[0]
        assert answer.violation.rule == first.rule
        assert answer.violation.reason == first.reason
        assert answer.violation.remedy.startswith(first.remedy)  # terms add [D2]
