"""Rule 28.4: the time for trade, its bell, and its end."""

from __future__ import annotations

import pytest

from bot.games.advciv.calamities import ShowCalamities
from bot.games.advciv.state import Bell
from bot.games.advciv.trading import (
    BellSet,
    CloseTrading,
    DoneTrading,
    OpenTrading,
    TradingClosed,
    TradingOpened,
    TradingWarned,
)
from bot.rules.features.offers.entries import OfferVoided
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.seats import Leave
from bot.rules.features.tables import PhaseSet, SetPhase, Tick, next_deadline
from bot.rules.model.parts import part
from bot.rules.model.table import MINUTE
from tests.games.advciv.playing import Evening, cards, dealt, held


def test_the_bell_rings_after_a_warning() -> None:
    evening = dealt()
    evening.do(1, OpenTrading(5), at=1000)
    assert next_deadline(evening.table) == 1000 + 4 * MINUTE
    assert evening.do(0, Tick(), at=1000 + 4 * MINUTE) == (TradingWarned(),)
    assert evening.do(0, Tick(), at=1000 + 4 * MINUTE) == ()
    assert next_deadline(evening.table) == 1000 + 5 * MINUTE
    (closed,) = evening.do(0, Tick(), at=1000 + 5 * MINUTE)
    assert isinstance(closed, TradingClosed)
    assert closed.reason == "bell"
    assert evening.table.phase == "after"
    assert next_deadline(evening.table) is None


def test_a_minute_needs_no_warning() -> None:
    evening = dealt()
    evening.do(1, OpenTrading(1))
    assert evening.do(0, Tick(), at=MINUTE - 1) == ()
    assert next_deadline(evening.table) == MINUTE


def test_the_bell_can_be_moved_while_trading_is_open() -> None:
    evening = dealt()
    evening.do(1, OpenTrading(0))
    window = evening.table.window
    assert evening.refused(1, OpenTrading()).reason == "Trading is open already."
    assert evening.do(1, OpenTrading(3), at=5) == (BellSet(bell=5 + 3 * MINUTE),)
    assert evening.table.window == window


def test_a_phase_opens_trading_for_as_long_as_the_table_is_set_to() -> None:
    evening = dealt(timer=10)
    phase, opened = evening.do(1, SetPhase("trade"), at=7)
    assert isinstance(phase, PhaseSet)
    assert isinstance(opened, TradingOpened)
    assert (opened.bell, opened.window) == (7 + 10 * MINUTE, phase.window + 1)
    assert evening.table.window.number == opened.window


def test_when_all_are_done_it_is_over() -> None:
    evening = dealt()
    evening.do(1, OpenTrading(0))
    evening.do(1, DoneTrading())
    evening.do(2, DoneTrading(True))
    assert evening.refused(2, DoneTrading(True)).reason == "You have already said so."
    evening.do(2, DoneTrading())
    assert part(evening.table, Bell).done == {"egypt"}
    evening.do(2, DoneTrading())
    closed = evening.do(3, DoneTrading())[-1]
    assert isinstance(closed, TradingClosed)
    assert closed.reason == "done"


def test_a_player_who_leaves_is_not_done_any_more() -> None:
    evening = dealt()
    evening.do(1, OpenTrading(0))
    evening.do(2, DoneTrading())
    evening.do(2, Leave())
    assert not part(evening.table, Bell).done


def test_the_host_opens_and_closes() -> None:
    evening = dealt()
    assert evening.refused(2, OpenTrading(0)).reason == "Only the host may open trading."
    evening.do(1, OpenTrading(0))
    assert evening.refused(2, CloseTrading()).reason == "Only the host may close trading."
    evening.do(1, CloseTrading())
    assert evening.refused(1, CloseTrading()).rule == "28.4"


@pytest.mark.parametrize("minutes", [-1, 1441])
def test_a_day_at_most(minutes: int) -> None:
    assert Evening().refused(1, OpenTrading(minutes)).reason == f"Trading can't last {minutes} minutes."


def test_offers_end_with_the_time_for_trade() -> None:
    evening = held({1: "3 salt", 2: "3 iron"})
    evening.do(1, PostOffer(give=cards("2 salt, ?"), want=cards("2 iron, ?")))
    voided, closed = evening.do(1, CloseTrading())
    assert isinstance(voided, OfferVoided)
    assert isinstance(closed, TradingClosed)
    assert not evening.table.offers


def test_there_is_no_more_trade_once_calamities_are_shown() -> None:
    evening = dealt()
    evening.do(1, SetPhase("after"))
    evening.do(1, ShowCalamities())
    for command in (OpenTrading(0), SetPhase("trade")):
        assert evening.refused(1, command).rule == "28.4"
