"""The reasons people are shown against the reasons `decide` gives: they must be the same."""

from __future__ import annotations

from bot.rules.commands import Gain, PostOffer, Sign
from bot.rules.entries import Transaction
from bot.rules.goods import Goods
from bot.rules.offer_state import rulings, signed_now, trade_of
from bot.rules.ruling import Refused
from bot.rules.table import Offer, Table
from bot.show import names
from bot.show.cards import offer_card
from bot.show.tables import why_not
from tests.rules.machine import World
from tests.show.looks import look_at

ONE = Goods({"trade_good": 1})
LATEST = 3
"""Open offers that are looked at after a step; the older ones have been looked at before."""


def reasons_agree(table: Table) -> None:
    """What /table show and the cards say is what trying would bring."""
    sitting = [seat.id for seat in table.seats.values() if seat.person is not None]
    if sitting:
        asker = sitting[table.seq % len(sitting)]
        for other in sitting:
            if other != asker:
                assert _shown(table, asker, other) == tried(table, asker, other)
    for offer in table.open_offers()[-LATEST:]:
        if offer.to is not None and not signed_now(table, offer, offer.to):
            _card_agrees(table, offer, offer.to)


def _shown(table: Table, first: str, second: str) -> str:
    found = why_not(look_at(table), first, second, first)
    return found.sentence() if found else ""


def tried(table: Table, first: str, second: str) -> str:
    """What comes of trying a trade that nothing but turns and neighbours can forbid; empty when it resolves."""
    if table.settings.rulings == "warn":
        return _shown(table, first, second)  # see test_a_table_that_only_warns_says_so
    giver, taker = (table.seats[seat].person for seat in (first, second))
    assert giver is not None
    assert taker is not None
    world = World(table)
    if table.settings.inventory == "tracked":
        world.do(Gain(by=giver, goods=ONE))
    world.do(PostOffer(by=giver, to=taker, give=ONE))
    answer = world.tries(Sign(by=taker, offer=len(world.table.offers), revision=1))
    if table.settings.confirm == "twice" and not isinstance(answer, Refused):
        return ""  # both are asked to confirm it
    if isinstance(answer, Refused):
        return answer.ruling.sentence()
    assert any(isinstance(entry, Transaction) for entry in answer)
    return ""


def _card_agrees(table: Table, offer: Offer, to: str) -> None:
    person = table.seats[to].person
    assert person is not None, "an open offer is addressed to an empty chair"
    if table.settings.rulings == "warn" or table.settings.confirm == "twice":
        return
    look = look_at(table)
    found = rulings(table, trade_of(offer))
    shown = "\n".join(offer_card(look, offer).blocks)
    answer = World(table).tries(Sign(by=person, offer=offer.number, revision=offer.revision))
    assert isinstance(answer, Refused) == bool(found)
    assert ("Not now" in shown) == any(not ruling.known_to for ruling in found)
    if isinstance(answer, Refused):
        first = found[0].seen_by(to)
        assert (answer.ruling.rule, answer.ruling.why) == (first.rule, first.why)
        assert answer.ruling.remedy.startswith(first.remedy)  # terms add [D2]
        if not found[0].known_to:
            assert names.tell(look, first.sentence()) in shown
