"""Tests that /rules, the history and suggestions are short and show nothing of hands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.advciv import GAME, STATUS
from bot.games.advciv.calamities import ShowCalamities
from bot.games.advciv.cities import SayCities
from bot.games.advciv.drawing import BuyCard
from bot.games.advciv.holdings import describe_holdings
from bot.games.advciv.losing import LoseCards
from bot.games.advciv.shorthand import suggest
from bot.games.advciv.surrendering import SurrenderCards, TakeBackCards
from bot.games.advciv.taking import AnswerTake, TakeCard
from bot.games.advciv.trading import (
    BellSet,
    CloseTrading,
    DoneTrading,
    OpenTrading,
    TradingWarned,
    UndoTrading,
)
from bot.rules.features.holdings import Gain, Spend
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import EndOffer, Sign
from bot.rules.features.seats import Sit
from bot.rules.features.tables import ChangeSetting, OpenTable, SetPhase, Tick
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.table import Table
from bot.rules.views import SeatView
from bot.rules.visible_table import see
from bot.show.setup import free_seats
from bot.testing.world import World
from data import rules
from tests.games.advciv.playing import Evening, cards, dealt, held
from tests.rules.viewing import viewer

FITS = 2500
"""With everybody's names in it, a text of this length still fits into one message of 4000
characters.
"""


def whole_turn() -> Evening:
    """A turn with every kind of entry of the game."""
    evening = Evening(4)
    evening.do(1, Gain(cards("salt")))
    evening.do(1, Spend(cards("salt")))
    evening.do(1, ChangeSetting("cards", "dealt"))
    for person in (1, 2, 3, 4):
        evening.do(person, SayCities(7))
    evening.do(3, BuyCard())
    evening.do(1, OpenTrading(0))
    evening.do(1, UndoTrading())
    evening.do(1, OpenTrading(0))
    give, want = evening.three_commodities(1), evening.three_commodities(2)
    evening.do(1, PostOffer(to="crete", give=give, want=want))
    evening.do(2, Sign(1))
    evening.do(1, CloseTrading())
    evening.do(1, OpenTrading(0))
    evening.do(1, EndOffer(1, "withdraw"))
    evening.do(1, OpenTrading(5))
    evening.do(0, Tick(), at=4 * 60_000)
    for person in (1, 2, 3, 4):
        evening.do(person, DoneTrading())
    evening.do(1, ShowCalamities())
    for agreed in (False, True):
        evening.do(1, TakeCard("crete"))
        evening.do(2, AnswerTake("egypt", agreed))
    evening.do(2, LoseCards(cards=1))
    for person in (1, 2, 3, 4):
        evening.do(person, SurrenderCards(evening.hand(person).of_kind("commodity")))
    evening.do(1, TakeBackCards())
    evening.do(1, SetPhase("acquire"))
    return evening


# ---------------------------------------------------------------- the rules' status


def test_only_rules_that_there_are_have_a_status() -> None:
    assert set(STATUS) <= set(rules("advciv"))
    assert set(GAME.info.rule_numbers.values()) <= set(rules("advciv"))


def bare(table: Table) -> Table:
    """Return the table with empty hands."""
    seats = {}
    for id, seat in table.seats.items():
        seats[id] = replace(seat, holdings=NOTHING)
    return replace(table, seats=seats)


def test_it_fits_on_a_phone_and_tells_no_hand(subtests: pytest.Subtests) -> None:
    some_hold = held({1: "9 salt, famine", 2: "3 gold"})
    tables = [Evening().table, dealt(4).table, some_hold.table]
    for number in rules("advciv"):
        with subtests.test(number):
            for table in tables:
                text = GAME.commands.rule_status(table, number)
                assert len(text) < FITS
                assert text == GAME.commands.rule_status(bare(table), number)


# ---------------------------------------------------------------- entries and state


def test_every_kind_has_its_sentence() -> None:
    evening = whole_turn()
    sentences = {}
    for view in evening.views():
        sentences[view.kind] = view.entry.sentence(view.ruler)
    for kind in GAME.features.entries:
        assert sentences[kind.kind]
    assert sentences[TradingWarned.kind].startswith("⏳ **One minute left")
    assert sentences[BellSet.kind].startswith("🔔 **Trading is open** until <t:300:T>")


# ---------------------------------------------------------------- hands in words


def egypt(hand: str) -> SeatView:
    return SeatView(id="egypt", name="Egypt", short="Egypt", person=1, hidden=cards(hand))


def test_a_hand_is_described_to_those_who_may_see_it() -> None:
    seat = egypt("3 salt, iron, epidemic, famine")
    assert describe_holdings(seat) == [
        "Iron x1 = 2\u00a0<icon:advciv_iron:⛏️>",
        "Salt x3 = 27\u00a0<icon:advciv_salt:🧂>",
        "Epidemic: calamity, can be traded\u00a0<icon:advciv_calamity:🌋>",
        "Famine: calamity, stays with you\u00a0<icon:advciv_calamity:🌋>",
        "6 cards, sets worth 29",
    ]
    assert describe_holdings(replace(seat, hidden=NOTHING)) == ["No cards"]
    assert describe_holdings(replace(seat, hidden=None)) == []


def written(seat: SeatView, beside: Goods = NOTHING) -> dict[str, int]:
    """Return what is suggested to everybody, and the most of it."""
    common = [card for card in suggest(seat, beside) if not card.uncommon]
    return {card.one: card.most for card in common}


def test_suggestions_tell_nothing_of_another_hand() -> None:
    seat = egypt("3 salt, famine")
    assert written(seat) == {"salt": 3, "?": 3}
    to_others = written(replace(seat, hidden=None))
    assert to_others == written(replace(seat, hidden=None, person=2))
    assert "gold" in to_others


def test_what_is_written_already_is_not_suggested_again() -> None:
    seat = egypt("3 salt, 2 iron, famine")
    assert written(seat, cards("2 salt")) == {"iron": 2, "salt": 1, "?": 3}
    assert written(seat, cards("2 salt, ?, ?, ?")) == {"iron": 2, "salt": 1}


def test_a_barred_nation_is_not_offered() -> None:
    """Iberia takes Italy's place."""
    world = World()
    world.do(1, OpenTable("advciv"))
    assert {"iberia", "italy"} <= {*free_seats(see(world.table, viewer(world, 1)))}
    world.do(1, Sit("italy"))
    assert not {"iberia", "italy"} & {*free_seats(see(world.table, viewer(world, 1)))}
