"""Tests of who traded a calamity to its victim, through trades and corrections [29.61]."""

from __future__ import annotations

import pytest

from bot.games.advciv.calamities import CalamitiesShown, ShowCalamities, describe_calamities
from bot.games.advciv.passing import Paths, after, trader
from bot.games.advciv.state import UNKNOWN, ShownCalamity
from bot.rules.entries import Entry
from bot.rules.features.holdings import Corrected, Gain, Gained, GoodsMoved
from bot.rules.features.offers.entries import Period, Transaction
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import HandOver
from bot.rules.features.tables import SetPhase
from bot.rules.model.goods import NOTHING, Change, Goods
from data.advciv import Calamity, calamities
from tests.games.advciv.playing import Evening, cards, held

EPIDEMIC = "calamity:epidemic"
CARD = Goods({EPIDEMIC: 1})


def drawn(seat: str) -> Entry:
    hidden = {seat: Change(gained=CARD)}
    return Gained(seat=seat, changes={seat: Change()}, hidden=hidden)


def trade(giver: str, taker: str) -> Entry:
    hidden = {giver: Change(lost=CARD), taker: Change(gained=CARD)}
    return Transaction(
        offer=1,
        number=1,
        revision=1,
        window=1,
        during=Period("trade", "trade"),
        first=giver,
        second=taker,
        changes={},
        hidden=hidden,
    )


def corrected(seat: str, before: Goods, now: Goods) -> Entry:
    return Corrected(
        seat=seat,
        before=NOTHING,
        after=NOTHING,
        reason="",
        changes={seat: Change()},
        hidden={seat: Change(lost=before, gained=now)},
    )


def set_into(seat: str) -> Entry:
    return corrected(seat, NOTHING, CARD)


OPENED = None
"""Trading opens."""

EGYPT_DRAWS = drawn("egypt")
ITALY_DRAWS = drawn("italy")
EGYPT_TO_CRETE = trade("egypt", "crete")
CRETE_TO_EGYPT = trade("crete", "egypt")
CRETE_TO_ITALY = trade("crete", "italy")
ITALY_TO_ASIA = trade("italy", "asia")


@pytest.mark.parametrize(
    ("entries", "holder", "expected"),
    [
        ([EGYPT_DRAWS], "egypt", None),
        ([EGYPT_DRAWS, OPENED, EGYPT_TO_CRETE], "crete", "egypt"),
        ([EGYPT_DRAWS, OPENED, EGYPT_TO_CRETE, CRETE_TO_EGYPT], "egypt", "crete"),
        # typed when trading has opened: it may have come by a trade at the table
        ([OPENED, EGYPT_DRAWS], "egypt", UNKNOWN),
        ([OPENED, EGYPT_DRAWS, EGYPT_TO_CRETE], "crete", "egypt"),
        ([EGYPT_DRAWS, OPENED, EGYPT_TO_CRETE, EGYPT_DRAWS], "egypt", UNKNOWN),
        ([EGYPT_DRAWS, OPENED, EGYPT_TO_CRETE, ITALY_DRAWS], "crete", "egypt"),
        # set by the host before and after that
        ([set_into("egypt")], "egypt", None),
        ([OPENED, set_into("egypt")], "egypt", UNKNOWN),
        # two have typed it before: neither by a trade
        ([EGYPT_DRAWS, ITALY_DRAWS, OPENED], "italy", None),
        ([EGYPT_DRAWS, ITALY_DRAWS, OPENED], "egypt", None),
        # taken from a hand and put back: nothing has changed
        (
            [OPENED, EGYPT_TO_CRETE, corrected("crete", CARD, NOTHING), set_into("crete")],
            "crete",
            "egypt",
        ),
        # the hand was set to other goods, and the calamity stayed in it
        ([OPENED, EGYPT_TO_CRETE, corrected("crete", CARD, CARD)], "crete", "egypt"),
        # back with who gave it: that trade was undone
        ([EGYPT_DRAWS, OPENED, EGYPT_TO_CRETE, set_into("egypt")], "egypt", None),
        # only the last of two trades was undone
        ([OPENED, EGYPT_TO_CRETE, CRETE_TO_ITALY, set_into("crete")], "crete", "egypt"),
        # with somebody whom nobody is known to have traded it to
        ([OPENED, EGYPT_TO_CRETE, set_into("italy")], "italy", UNKNOWN),
        # and that was the slip: who traded it holds again
        ([OPENED, EGYPT_TO_CRETE, set_into("italy"), set_into("crete")], "crete", "egypt"),
        # whoever then trades it on is who traded it
        ([OPENED, EGYPT_TO_CRETE, set_into("italy"), ITALY_TO_ASIA], "asia", "italy"),
    ],
)
def test_who_traded_a_calamity(
    entries: list[Entry | None], holder: str, expected: str | None
) -> None:
    paths: Paths = {}
    opened = False
    for entry in entries:
        if isinstance(entry, GoodsMoved):
            paths = after(paths, entry, opened=opened)
        opened = opened or entry is OPENED
    assert trader(paths, EPIDEMIC, holder) == expected


each_tradable_calamity = pytest.mark.parametrize(
    "calamity",
    [calamity for calamity in calamities().values() if calamity.tradable],
    ids=lambda calamity: calamity.id,
)


def traded(calamity: Calamity) -> Evening:
    """Return a table in trading, where Egypt has traded this calamity to Italy."""
    evening = held({1: f"2 salt, {calamity.name}", 2: "3 gold", 3: "3 oil"})
    offer = PostOffer(to="italy", give=cards("2 salt, ?"), want=cards("3 oil"))
    evening.do(1, offer)
    evening.do(1, HandOver(1, cards(f"2 salt, {calamity.name}")))
    evening.do(3, HandOver(1, cards("3 oil")))
    return evening


def shown(evening: Evening) -> CalamitiesShown:
    evening.do(1, SetPhase("after"))
    (entry,) = evening.do(1, ShowCalamities())
    assert isinstance(entry, CalamitiesShown)
    return entry


@each_tradable_calamity
def test_the_trader_is_told_where_that_matters_and_only_there(calamity: Calamity) -> None:
    (effect,) = shown(traded(calamity)).effects
    trader = "egypt" if calamity.trader_matters else None
    assert effect == ShownCalamity(f"calamity:{calamity.id}", "italy", trader)
    (line,) = describe_calamities((effect,), (), reminded=False)
    assert ("<seat:egypt>" in line) is calamity.trader_matters
    assert "drawn" not in line


@each_tradable_calamity
def test_where_it_does_not_matter_nobody_learns_how_it_came(calamity: Calamity) -> None:
    kept = held({1: "2 salt", 2: "3 gold", 3: f"3 oil, {calamity.name}"})
    typed = held({1: "2 salt", 2: "3 gold", 3: "3 oil"})
    typed.do(3, Gain(cards(calamity.name)))
    drawn_by_italy = shown(kept)
    assert (shown(typed) != drawn_by_italy) is calamity.trader_matters
    assert (shown(traded(calamity)) != drawn_by_italy) is calamity.trader_matters
