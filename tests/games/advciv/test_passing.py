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
    return Gained(seat=seat, changes={seat: Change()}, hidden={seat: Change(gained=CARD)})


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


OPENED = None
"""Trading opens."""


@pytest.mark.parametrize(
    ("entries", "holder", "expected"),
    [
        ([drawn("egypt")], "egypt", None),
        ([drawn("egypt"), OPENED, trade("egypt", "crete")], "crete", "egypt"),
        (
            [drawn("egypt"), OPENED, trade("egypt", "crete"), trade("crete", "egypt")],
            "egypt",
            "crete",
        ),
        # typed when trading has opened: it may have come by a trade at the table
        ([OPENED, drawn("egypt")], "egypt", UNKNOWN),
        ([OPENED, drawn("egypt"), trade("egypt", "crete")], "crete", "egypt"),
        ([drawn("egypt"), OPENED, trade("egypt", "crete"), drawn("egypt")], "egypt", UNKNOWN),
        ([drawn("egypt"), OPENED, trade("egypt", "crete"), drawn("italy")], "crete", "egypt"),
        # set by the host before and after that
        ([corrected("egypt", NOTHING, CARD)], "egypt", None),
        ([OPENED, corrected("egypt", NOTHING, CARD)], "egypt", UNKNOWN),
        # two have typed it before: neither by a trade
        ([drawn("egypt"), drawn("italy"), OPENED], "italy", None),
        ([drawn("egypt"), drawn("italy"), OPENED], "egypt", None),
        # taken from a hand and put back: nothing has changed
        (
            [
                OPENED,
                trade("egypt", "crete"),
                corrected("crete", CARD, NOTHING),
                corrected("crete", NOTHING, CARD),
            ],
            "crete",
            "egypt",
        ),
        # the hand was set to other goods, and the calamity stayed in it
        ([OPENED, trade("egypt", "crete"), corrected("crete", CARD, CARD)], "crete", "egypt"),
        # back with who gave it: that trade was undone
        (
            [drawn("egypt"), OPENED, trade("egypt", "crete"), corrected("egypt", NOTHING, CARD)],
            "egypt",
            None,
        ),
        # only the last of two trades was undone
        (
            [
                OPENED,
                trade("egypt", "crete"),
                trade("crete", "italy"),
                corrected("crete", NOTHING, CARD),
            ],
            "crete",
            "egypt",
        ),
        # with somebody whom nobody is known to have traded it to
        ([OPENED, trade("egypt", "crete"), corrected("italy", NOTHING, CARD)], "italy", UNKNOWN),
        # and that was the slip: who traded it holds again
        (
            [
                OPENED,
                trade("egypt", "crete"),
                corrected("italy", NOTHING, CARD),
                corrected("crete", NOTHING, CARD),
            ],
            "crete",
            "egypt",
        ),
        # whoever then trades it on is who traded it
        (
            [
                OPENED,
                trade("egypt", "crete"),
                corrected("italy", NOTHING, CARD),
                trade("italy", "asia"),
            ],
            "asia",
            "italy",
        ),
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


def traded(token: str) -> Evening:
    """Return a table after trading, where Egypt has traded this calamity to Italy."""
    name = calamities()[token].name
    evening = held({1: f"2 salt, {name}", 2: "3 gold", 3: "3 oil"})
    evening.do(1, PostOffer(to="italy", give=cards("2 salt, ?"), want=cards("3 oil")))
    evening.do(1, HandOver(1, cards(f"2 salt, {name}")))
    evening.do(3, HandOver(1, cards("3 oil")))
    evening.do(1, SetPhase("after"))
    return evening


@pytest.mark.parametrize(
    "card", [card for card in calamities().values() if card.tradable], ids=lambda card: card.id
)
def test_the_trader_is_told_where_that_matters_and_only_there(card: Calamity) -> None:
    token = card.id
    evening = traded(token)
    (shown,) = evening.do(1, ShowCalamities())
    assert isinstance(shown, CalamitiesShown)
    matters = calamities()[token].trader_matters
    assert shown.effects == (
        ShownCalamity(f"calamity:{token}", "italy", "egypt" if matters else None),
    )
    (line,) = describe_calamities(shown.effects, (), reminded=False)
    assert ("<seat:egypt>" in line, "drawn" in line) == (matters, False)


@pytest.mark.parametrize(
    "card", [card for card in calamities().values() if card.tradable], ids=lambda card: card.id
)
def test_where_it_does_not_matter_nobody_learns_how_it_came(card: Calamity) -> None:
    token = card.id
    kept = held({1: "2 salt", 2: "3 gold", 3: f"3 oil, {calamities()[token].name}"})
    typed = held({1: "2 salt", 2: "3 gold", 3: "3 oil"})
    typed.do(3, Gain(cards(calamities()[token].name)))
    for evening in (kept, typed):
        evening.do(1, SetPhase("after"))
    one, *others = (each.do(1, ShowCalamities()) for each in (kept, typed, traded(token)))
    assert all((one == other) is not calamities()[token].trader_matters for other in others)
