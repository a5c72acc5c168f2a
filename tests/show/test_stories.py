"""Tests of stories: where goods went, in plain words."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.rules.entries import Entry
from bot.rules.features.offers.entries import (
    HandedOver,
    OfferAgreed,
    OfferAltered,
    OfferDeclined,
    OfferEntry,
    OfferExpired,
    OfferPicked,
    OfferPosted,
    OfferResumed,
    OfferSuspended,
    OfferVoided,
    OfferWithdrawn,
    Period,
    Signed,
    Transaction,
)
from bot.rules.model.goods import NOTHING, Change, Goods
from bot.rules.model.offer import Sides
from bot.rules.model.people import Names, Person
from bot.rules.views import EntryView
from bot.service import Filter, HistoryPage
from bot.show.names import plain_text
from bot.show.narration import has_line, narrate, story
from bot.show.timeline import history_card
from tests.scale import variants
from tests.show.playing import lived, traded

PEOPLE = {
    1: Person(1, 11, "alice"),
    2: Person(2, 12, "bob"),
    3: Person(3, 13, "carol"),
}
NAMES = Names("ti4", PEOPLE, {"hacan": 1, "sol": 2, "letnev": 3})
TURN = Period("turn", "action", "hacan")
TWO = ("hacan", "sol")
ONE_GOOD, THREE = Goods({"trade_good": 1}), Goods({"commodity": 3})
NOTE, REDACTED = Goods({"note:ceasefire:hacan": 1}), Goods({"note": 1})


def seen(entry: Entry, by: int | None = None) -> EntryView:
    return EntryView(1, 9, 0, by, entry.kind, entry, NAMES, complete=True)


def told(entry: Entry) -> str:
    text = re.sub(r"\s<icon:[^>]*>", "", narrate(seen(entry), "story"))
    return plain_text(NAMES, text).replace("**", "")


def traded_for(
    first: Goods, second: Goods, first_gets: Goods, second_gets: Goods, **more: object
) -> Transaction:
    whole = {
        "number": 3,
        "offer": 7,
        "revision": 2,
        "window": 4,
        "during": TURN,
        "first": "hacan",
        "second": "sol",
        "changes": {"hacan": Change(first, first_gets), "sol": Change(second, second_gets)},
        "given": {"hacan": first, "sol": second},
    }
    return Transaction.model_validate(whole | more)


def posted(**changes: object) -> OfferPosted:
    whole = {"offer": 7, "seat": "hacan", "to": "sol", "give": ONE_GOOD, "want": THREE}
    return OfferPosted.model_validate(whole | changes)


STORIES: list[tuple[Entry, str]] = [
    (posted(), "alice offered bob 1 trade good for 3 commodities (offer 7)."),
    (posted(to=None, want=NOTHING), "alice offered everybody 1 trade good (offer 7)."),
    (posted(give=NOTHING), "alice asked bob for 3 commodities (offer 7)."),
    (
        posted(parent=5),
        "alice offered bob 1 trade good for 3 commodities (offer 7, answering offer 5).",
    ),
    (
        posted(terms="peace"),
        "alice offered bob 1 trade good for 3 commodities (offer 7). Terms: “peace”",
    ),
    (posted(private=True), "alice made bob an offer in private (offer 7)."),
    (
        posted(private=True, exact=Sides(NOTE, THREE)),
        "alice offered bob Hacan's Ceasefire (alice) for 3 commodities (offer 7).",
    ),
    (
        OfferAltered(
            offer=7, seat="hacan", to="sol", give=THREE + ONE_GOOD, want=NOTHING, revision=2
        ),
        "alice changed offer 7: now 1 trade good and 3 commodities for nothing.",
    ),
    (
        OfferAltered(
            offer=7, seat="hacan", to="sol", give=NOTHING, want=NOTHING, revision=2, private=True
        ),
        "alice changed offer 7 in private.",
    ),
    (OfferAgreed(offer=7, seat="sol", revision=2), "bob agreed to offer 7, to be confirmed later."),
    (Signed(offer=7, seat="sol", revision=2, window=4, during=TURN), "bob accepted offer 7."),
    (OfferSuspended(offer=7, seat="hacan"), "alice held offer 7 back."),
    (OfferResumed(offer=7, seat="hacan"), "alice put offer 7 up again."),
    (OfferPicked(offer=7, seat="hacan", taker="sol"), "alice picked bob for offer 7."),
    (OfferDeclined(offer=7, seat="sol"), "bob declined offer 7."),
    (OfferDeclined(offer=7, seat="sol", backed_out=True), "bob backed out of offer 7."),
    (OfferWithdrawn(offer=7, seat="hacan"), "alice withdrew offer 7."),
    (OfferWithdrawn(offer=7, seat="hacan", backed_out=True), "alice backed out of offer 7."),
    (OfferExpired(offer=7), "The time of offer 7 was up."),
    (OfferVoided(offer=7), "Offer 7 was no longer possible."),
    (
        OfferVoided(offer=7, reasons={"sol": "You left."}),
        "Offer 7 was no longer possible. You left.",
    ),
    (
        HandedOver(offer=7, seat="sol", revision=2),
        "bob handed over their part for offer 7, sealed.",
    ),
    (
        HandedOver(offer=7, seat="sol", revision=2, goods=ONE_GOOD),
        "bob handed over 1 trade good for offer 7, sealed.",
    ),
    (
        traded_for(NOTHING, THREE, Goods({"trade_good": 3}), NOTHING),
        "bob's 3 commodities became alice's 3 trade goods (transaction 3).",
    ),
    (
        traded_for(ONE_GOOD, THREE, Goods({"trade_good": 3}), ONE_GOOD),
        "alice gave bob 1 trade good; bob's 3 commodities became alice's 3 trade goods "
        "(transaction 3).",
    ),
    (
        traded_for(ONE_GOOD + THREE, NOTHING, NOTHING, Goods({"trade_good": 4})),
        "alice gave bob 1 trade good, and alice's 3 commodities became bob's 3 trade goods "
        "(transaction 3).",
    ),
    (
        traded_for(NOTHING, NOTHING, NOTHING, NOTHING),
        "alice and bob traded nothing (transaction 3).",
    ),
    (
        traded_for(ONE_GOOD, NOTHING, NOTHING, ONE_GOOD, overruled=["94.1"], permits=[2]),
        "alice gave bob 1 trade good (transaction 3). Against [94.1], which this table only warns "
        "of. "
        "A permit allowed it.",
    ),
    (
        traded_for(
            NOTHING,
            NOTHING,
            NOTHING,
            NOTHING,
            given={"hacan": REDACTED, "sol": ONE_GOOD},
            changes={"sol": Change(lost=ONE_GOOD), "hacan": Change(gained=ONE_GOOD)},
        ),
        "alice gave bob 1 promissory note; bob gave alice 1 trade good (transaction 3).",
    ),
]


def test_each_is_told_as_friends_would() -> None:
    assert [told(entry) for entry, _ in STORIES] == [expected for _, expected in STORIES]


def test_a_trade_has_an_icon_beside_each_of_its_goods() -> None:
    done = traded_for(ONE_GOOD, THREE, Goods({"trade_good": 3}), ONE_GOOD)
    text = story(seen(done))
    assert re.findall(r"<icon:(\w+):", text) == [
        "ti4_trade_good",
        "ti4_commodity",
        "ti4_trade_good",
    ]


TECHNICAL = re.compile(r"revision|window|signed|signature|entry|#\d", re.IGNORECASE)


@pytest.mark.slow
@pytest.mark.parametrize("seed", variants(*range(3)))
def test_no_offer_is_told_in_the_words_of_the_ledger(seed: int) -> None:
    world = lived(seed)
    for person in (0, 2):
        stories = [
            narrate(each, "story")
            for each in world.entries(person)
            if isinstance(each.entry, OfferEntry)
        ]
        assert len(stories) > 30
        assert [text for text in stories if TECHNICAL.search(text)] == []


def test_an_acceptance_that_completed_a_trade_goes_without_saying() -> None:
    signed = Signed(offer=7, seat="sol", revision=1, window=1, during=TURN, between=TWO)
    poster = signed.model_copy(update={"seat": "hacan"})
    done = traded_for(ONE_GOOD, NOTHING, NOTHING, ONE_GOOD)
    other = done.model_copy(update={"offer": 8})
    assert not has_line(seen(signed), seen(done))
    assert has_line(seen(signed), seen(other))
    assert has_line(seen(signed), None)
    assert not has_line(seen(poster), None), "who offers something stands by it"
    assert has_line(seen(done), None)


def test_what_happened_stands_under_the_turn_in_which_it_did() -> None:
    world = traded(2)
    entries = world.entries(1)[::-1]
    turn = next(entry for entry in entries if entry.entry.heading())
    begun = {entry.seq: turn for entry in entries if entry.seq >= turn.seq}
    view, newest = world.view(1), entries[0].seq
    page = HistoryPage(view, tuple(entries), len(entries), newest, 1, period_starts=begun)
    card = history_card(page, Filter())
    lines = card.blocks[1].splitlines()
    assert lines[0].startswith("**Your turn** · <t:")
    before = next(number for number, line in enumerate(lines) if line == "**Setting up**")
    assert any("gave" in line for line in lines[1:before])
    assert all("took the seat" not in line for line in lines[1:before])
    assert not any("It is <@" in line for line in lines), "the heading says it"


def test_names_are_those_of_the_time() -> None:
    entry = seen(OfferDeclined(offer=7, seat="sol"))
    later = replace(entry, names=Names("ti4", PEOPLE, {"sol": 3}))
    assert (story(entry), story(later)) == ("<@12> declined offer 7.", "<@13> declined offer 7.")
