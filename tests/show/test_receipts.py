"""What the two of a trade are told of it: the receipt, the news for the other, and the details of an offer."""

from __future__ import annotations

import re

from bot.games.ti4.turns import StartTurn
from bot.rules.features.holdings import Gain
from bot.rules.features.offers.entries import OfferEntry, Transaction
from bot.rules.features.offers.posting import AlterOffer, PostOffer
from bot.rules.features.offers.signing import EndOffer, Sign
from bot.rules.features.tables import ChangeSettings
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.views import EntryView
from bot.show.cards import Card
from bot.show.results import result_card
from bot.show.timeline import OFFER_LINES, offer_history_card
from tests.show.playing import World, labels_of, problems, table_of

TRADE_GOOD, COMMODITY = Goods({"trade_good": 3}), Goods({"commodity": 1})


def traded() -> World:
    """Return a table at which p2 has accepted what p1 offered."""
    world = table_of(3)
    world.do(StartTurn("hacan"))
    world.do(PostOffer("sol", TRADE_GOOD, COMMODITY))
    world.do(Sign(1), 2)
    return world


def words(card: Card | None) -> str:
    assert card is not None
    return re.sub(r"<icon:[^>]*> |\*\*", "", "\n".join(card.blocks))


def done(world: World, person: int) -> tuple[EntryView, list[EntryView]]:
    entries = world.entries(person)
    return next(each for each in entries if isinstance(each.entry, Transaction)), entries


def receipt(world: World, person: int) -> Card | None:
    return result_card(world.view(person), *done(world, person))


def test_who_completed_it_has_a_receipt() -> None:
    card = receipt(traded(), 2)
    assert words(card).splitlines() == [
        "-# Offer 1 · p1 (Hacan) · transaction 1 · Friday",
        "✅ You gave 1 commodity, got 3 trade goods.",
        "-# 4 → 7 trade goods · 1 → 0 commodities",
    ]
    assert card is not None
    assert labels_of(card) == [["More…"]]


def test_the_words_agreed_on_stand_in_both_receipts() -> None:
    world = table_of(3)
    world.do(StartTurn("hacan"))
    world.do(PostOffer("sol", TRADE_GOOD, COMMODITY, terms="I leave *Abyz*", terms_now="you vote"))
    world.do(Sign(1), 2)
    for person in (1, 2):
        said = words(receipt(world, person)).splitlines()
        assert said[2:6] == ["> you vote", "-# Agreed with it.", "> I leave \\*Abyz\\*", "-# Promised with it."]


def test_the_other_is_told_who_did_what() -> None:
    """A commodity that is received is a trade good [21.5]."""
    card = receipt(traded(), 1)
    assert words(card).splitlines()[1:] == [
        "🤝 p2 accepted offer 1. You gave 3 trade goods, got 1 trade good.",
        "-# 4 → 2 trade goods",
    ]
    assert card is not None
    assert labels_of(card) == [["Details"]]


def test_nobody_else_has_either() -> None:
    assert receipt(traded(), 3) is None


def test_a_receipt_counts_nothing_once_something_else_has_moved_goods() -> None:
    """It stays as it is, and would say that the trade did it."""
    world = traded()
    world.do(Gain(Goods({"trade_good": 1})), 2)
    assert "→" not in words(receipt(world, 2))
    assert "→" not in words(result_card(world.view(1), done(world, 1)[0]))


def test_a_gift_is_told_as_what_it_is() -> None:
    world = table_of(2)
    world.do(StartTurn("hacan"))
    world.do(PostOffer("sol", TRADE_GOOD, NOTHING))
    world.do(Sign(1), 2)
    assert "✅ You got 3 trade goods.\n" in words(receipt(world, 2))
    assert "You gave 3 trade goods.\n" in words(receipt(world, 1))


# ---------------------------------------------------------------- details


def details(world: World, person: int) -> Card:
    entries = [each for each in world.entries(person) if isinstance(each.entry, OfferEntry)]
    return offer_history_card(*world.offer(1, person), entries)


def test_details_tell_the_life_of_an_offer() -> None:
    world = traded()
    assert "It can't be undone" not in words(details(world, 3)), "the two can take it back"
    world.do(ChangeSettings({"take_back": "off"}))
    told = [re.sub(r"^<t:\d+:R> ", "", line) for line in words(details(world, 3)).splitlines()]
    assert told == [
        "-# Offer 1 · p1 (Hacan) → p2 (Sol)",
        "p1 offered p2 3 trade goods for 1 commodity (offer 1).",
        "p1 gave p2 3 trade goods; p2's 1 commodity became p1's 1 trade good (transaction 1).",
        "-# It can't be undone [94.4.1].",
    ]


def test_details_name_a_note_to_the_two_only() -> None:
    world = table_of(3)
    world.do(PostOffer("sol", Goods({"note:ceasefire:hacan": 1})))
    world.do(AlterOffer(1, give=COMMODITY))
    world.do(EndOffer(1, "decline"), 2)
    for person, named in ((1, True), (2, True), (3, False)):
        assert ("Ceasefire" in words(details(world, person))) == named


def test_details_of_a_long_life_begin_with_its_beginning() -> None:
    world = table_of(2)
    world.do(PostOffer("sol", COMMODITY, terms="x" * 300))
    for number in range(2, 30):
        world.do(AlterOffer(1, terms=f"{number}" * 150))
    card = details(world, 1)
    lines = card.blocks[1].splitlines()
    assert len(lines) == OFFER_LINES + 1
    assert "offered" in lines[0]
    assert lines[1] == f"-# {29 - OFFER_LINES} more steps in between"
    assert problems(card) == []
