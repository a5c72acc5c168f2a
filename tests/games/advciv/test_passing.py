"""29.61: who traded a calamity to its victim, through trades and corrections."""

from __future__ import annotations

import pytest

from bot.games.advciv.calamities import CalamitiesShown, ShowCalamities, describe_calamities
from bot.games.advciv.passing import BREAK, Paths, after
from bot.games.advciv.state import Shown
from bot.rules.entries import Entry
from bot.rules.features.holdings import Corrected, Gained, GoodsMoved
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
        offer=1, number=1, revision=1, window=1, during=Period("trade", "trade"), first=giver, second=taker,
        changes={}, hidden=hidden,
    )  # fmt: skip


def corrected(seat: str, before: Goods, now: Goods) -> Entry:
    return Corrected(
        seat=seat, before=NOTHING, after=NOTHING, reason="", changes={seat: Change()},
        hidden={seat: Change(lost=before, gained=now)},
    )  # fmt: skip


def path(*entries: Entry) -> tuple[str, ...]:
    paths: Paths = {}
    held: dict[str, Goods] = {}
    for entry in entries:
        assert isinstance(entry, GoodsMoved)
        for seat, change in (entry.hidden or {}).items():
            held[seat] = change.gained
        paths = after(paths, entry, lambda seat, token: token in held.get(seat, NOTHING))
    return paths.get(EPIDEMIC, ())


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([], ()),
        ([drawn("egypt")], ("egypt",)),
        ([drawn("egypt"), trade("egypt", "crete")], ("egypt", "crete")),
        ([trade("egypt", "crete"), trade("crete", "egypt")], ("egypt", "crete", "egypt")),
        # taken from a hand and put back: nothing has changed
        (
            [trade("egypt", "crete"), corrected("crete", CARD, NOTHING), corrected("crete", NOTHING, CARD)],
            ("egypt", "crete"),
        ),
        # the hand was set to other goods, and the calamity stayed in it
        ([trade("egypt", "crete"), corrected("crete", CARD, CARD)], ("egypt", "crete")),
        # back with who gave it: that trade was undone
        ([trade("egypt", "crete"), corrected("egypt", NOTHING, CARD)], ("egypt",)),
        ([trade("egypt", "crete"), corrected("egypt", NOTHING, CARD), trade("egypt", "italy")], ("egypt", "italy")),
        # only the last of two trades was undone
        ([trade("egypt", "crete"), trade("crete", "italy"), corrected("crete", NOTHING, CARD)], ("egypt", "crete")),
        # with somebody whom nobody traded it to
        ([trade("egypt", "crete"), corrected("italy", NOTHING, CARD)], ("egypt", "crete", BREAK, "italy")),
        # and that was the slip: who traded it holds again
        (
            [trade("egypt", "crete"), corrected("italy", NOTHING, CARD), corrected("crete", NOTHING, CARD)],
            ("egypt", "crete"),
        ),
        # whoever then trades it on is who traded it
        (
            [trade("egypt", "crete"), corrected("italy", NOTHING, CARD), trade("italy", "asia")],
            ("egypt", "crete", BREAK, "italy", "asia"),
        ),
        # drawn anew
        ([trade("egypt", "crete"), corrected("crete", CARD, NOTHING), drawn("italy")], ("italy",)),
        # it lies in another hand, whatever somebody says
        ([trade("egypt", "crete"), drawn("italy")], ("egypt", "crete")),
        ([trade("egypt", "crete"), drawn("egypt")], ("egypt", "crete")),
        # traded by somebody of whom it was not known that they had it
        ([drawn("egypt"), trade("crete", "italy")], ("crete", "italy")),
    ],
)
def test_the_path_of_a_calamity(entries: list[Entry], expected: tuple[str, ...]) -> None:
    assert path(*entries) == expected


def traded(token: str) -> Evening:
    """Return a table after trading, where Egypt has traded this calamity to Italy."""
    name = calamities()[token].name
    evening = held({1: f"2 salt, {name}", 2: "3 gold", 3: "3 oil"})
    evening.do(1, PostOffer(to="italy", give=cards("2 salt, ?"), want=cards("3 oil")))
    evening.do(1, HandOver(1, cards(f"2 salt, {name}")))
    evening.do(3, HandOver(1, cards("3 oil")))
    evening.do(1, SetPhase("after"))
    return evening


@pytest.mark.parametrize("card", [card for card in calamities().values() if card.tradable], ids=lambda card: card.id)
def test_the_trader_is_told_where_that_matters_and_only_there(card: Calamity) -> None:
    token = card.id
    evening = traded(token)
    (shown,) = evening.do(1, ShowCalamities())
    assert isinstance(shown, CalamitiesShown)
    matters = calamities()[token].trader_matters
    assert shown.effects == (Shown(f"calamity:{token}", "italy", "egypt" if matters else None),)
    (line,) = describe_calamities(shown.effects, (), reminded=False)
    assert ("<seat:egypt>" in line, "drawn" in line) == (matters, False)


@pytest.mark.parametrize("card", [card for card in calamities().values() if card.tradable], ids=lambda card: card.id)
def test_where_it_does_not_matter_nobody_learns_whether_it_was_traded(card: Calamity) -> None:
    token = card.id
    kept = held({1: "2 salt", 2: "3 gold", 3: f"3 oil, {calamities()[token].name}"})
    kept.do(1, SetPhase("after"))
    one, other = (each.do(1, ShowCalamities()) for each in (kept, traded(token)))
    assert (one == other) is not calamities()[token].trader_matters
