"""What the board, /rules and the history say: short enough, in step with the table, and nothing that a hand hides."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bot.games.advciv import GAME
from bot.games.advciv.board import board
from bot.games.advciv.calamities import SeeCalamities, ShowCalamities
from bot.games.advciv.cities import CitiesPrompt, SayCities
from bot.games.advciv.drawing import BuyCard
from bot.games.advciv.holdings import describe_holdings
from bot.games.advciv.losing import LoseCards
from bot.games.advciv.rule_status import BY_RULE, rule_status
from bot.games.advciv.shorthand import suggest
from bot.games.advciv.surrendering import SurrenderCards, SurrenderPrompt, TakeBackCards
from bot.games.advciv.taking import AnswerTake, TakeCard
from bot.games.advciv.trading import BellSet, CloseTrading, DoneTrading, OpenTrading, TradingWarned, UndoTrading
from bot.games.advciv.turns import AskNextTurn
from bot.rules import snapshots
from bot.rules.commands import Press
from bot.rules.entries import kind_name, split
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import EndOffer, Sign
from bot.rules.features.tables import SetPhase, Tick
from bot.rules.model.actions import Action
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.table import Table
from bot.rules.registry import check
from bot.rules.views import SeatView
from bot.rules.vocabulary import read_entry
from data import rules
from tests.games.advciv.playing import Evening, cards, dealt, held

FITS = 2500
"""With everybody's names in it, a text of this length still fits into one message of 4000 characters."""


def whole_turn() -> Evening:
    """A turn with every kind of entry of the game."""
    evening = Evening(4)
    for person in (1, 2, 3, 4):
        evening.do(person, SayCities(7))
    evening.do(3, BuyCard())
    evening.do(1, OpenTrading(0))
    evening.do(1, UndoTrading())
    evening.do(1, OpenTrading(0))
    give, want = (Goods.of([*evening.hand(person).of_kind("commodity").tokens()][:3]) for person in (1, 2))
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


def pressed(table: Table) -> list[Action]:
    return [each.action for each in board(table).buttons if not isinstance(each.action, SurrenderPrompt)]


def in_menu(table: Table) -> list[str]:
    return [each.label for each in board(table).menu]


def test_the_registry_takes_the_game() -> None:
    check(GAME, ())


def test_the_board_follows_the_phases() -> None:
    evening = dealt()
    assert pressed(evening.table) == [CitiesPrompt(1), Press(1, OpenTrading())]
    assert not board(evening.table).trades
    assert in_menu(evening.table) == ["Buy a card"]
    assert in_menu(Evening().table) == ["Buy a card", "Take a card: you eliminated a city", "Lose cards"]
    assert board(evening.table).lines[-1] == "Still to draw: nobody"
    evening.do(1, OpenTrading(0))
    assert pressed(evening.table) == [Press(1, DoneTrading())]
    assert board(evening.table).trades
    assert in_menu(evening.table) == ["Close trading"]
    evening.do(1, DoneTrading())
    assert board(evening.table).lines == ("Done: <name:egypt>", "Still trading: <name:crete>, <name:italy>")
    evening.do(1, SetPhase("after"))
    assert pressed(evening.table) == [SeeCalamities(1), Press(1, OpenTrading(1, anyway=True))]
    evening.do(1, ShowCalamities())
    assert pressed(evening.table) == [AskNextTurn(1)]


# ---------------------------------------------------------------- the rules' status


def test_only_rules_that_there_are_have_a_status() -> None:
    assert set(BY_RULE) <= set(rules("advciv"))
    assert set(GAME.info.rule_numbers.values()) <= set(rules("advciv"))


def test_it_fits_on_a_phone_and_tells_no_hand(subtests: pytest.Subtests) -> None:
    for number in rules("advciv"):
        with subtests.test(number):
            for evening in (Evening(), dealt(4), held({1: "9 salt, famine", 2: "3 gold"})):
                bare = {id: replace(seat, holdings=NOTHING) for id, seat in evening.table.seats.items()}
                said = rule_status(evening.table, number)
                assert len(said) < FITS
                assert said == rule_status(replace(evening.table, seats=bare), number)


# ---------------------------------------------------------------- entries and state


def test_every_kind_has_its_sentence() -> None:
    evening = whole_turn()
    said = {view.kind: view.entry.sentence(view.ruler) for view in evening.views()}
    assert {kind_name(kind) for kind in GAME.features.entries} <= {*said}
    assert all(said[kind_name(kind)] for kind in GAME.features.entries)
    assert said[kind_name(TradingWarned)].startswith("⏳ **One minute left")
    assert said[kind_name(BellSet)].startswith("🔔 **Trading is open** until <t:300:T>")


def test_entries_and_snapshots_come_back_as_they_were() -> None:
    evening = whole_turn()
    for entry in evening.entries:
        public, sealed = json.loads(json.dumps(split(entry)))
        assert read_entry(public, sealed) == entry
    for table in (*evening.tables[1:], evening.table):
        assert snapshots.load(table.seq, snapshots.dump(table)) == table


# ---------------------------------------------------------------- hands in words


def test_a_hand_is_described_to_those_who_may_see_it() -> None:
    seat = SeatView(id="egypt", name="Egypt", short="Egypt", person=1, hidden=cards("3 salt, iron, epidemic, famine"))
    assert describe_holdings(seat) == [
        "Iron x1 = 2", "Salt x3 = 27", "Epidemic: calamity, can be traded", "Famine: calamity, stays with you",
        "6 cards, sets worth 29",
    ]  # fmt: skip
    assert describe_holdings(replace(seat, hidden=NOTHING)) == ["No cards"]
    assert describe_holdings(replace(seat, hidden=None)) == []


def written(seat: SeatView, beside: Goods = NOTHING) -> dict[str, int]:
    """What is suggested to everybody, and the most of it."""
    return {each.one: each.most for each in suggest(seat, beside) if not each.uncommon}


def test_suggestions_tell_nothing_of_another_hand() -> None:
    seat = SeatView(id="egypt", name="Egypt", short="Egypt", person=1, hidden=cards("3 salt, famine"))
    assert written(seat) == {"salt": 3, "?": 3}
    anothers = written(replace(seat, hidden=None))
    assert anothers == written(replace(seat, hidden=None, person=2))
    assert "gold" in anothers


def test_what_is_written_already_is_not_suggested_again() -> None:
    seat = SeatView(id="egypt", name="Egypt", short="Egypt", person=1, hidden=cards("3 salt, 2 iron, famine"))
    assert written(seat, cards("2 salt")) == {"iron": 2, "salt": 1, "?": 3}
    assert written(seat, cards("2 salt, ?, ?, ?")) == {"iron": 2, "salt": 1}
