"""Tests that the state's records of a seat are renamed and removed with it."""

from __future__ import annotations

from dataclasses import fields

import pytest

from bot.games.ti4 import GAME
from bot.games.ti4.agendas import Agenda
from bot.games.ti4.colors import Colors
from bot.games.ti4.counting import Counting, Row
from bot.games.ti4.hand_limit import TooMany
from bot.games.ti4.note_claims import NoteClaim, NoteClaims
from bot.games.ti4.note_moments import Overruled
from bot.games.ti4.note_returns import Homecomings
from bot.games.ti4.pillage import PillageChance, Pillages
from bot.games.ti4.slips import Slip
from bot.games.ti4.state import (
    Combat,
    GameRound,
    InForce,
    Map,
    OutOfGame,
    Permit,
    PlayedRound,
    Question,
    Questions,
    Round,
    TakenCard,
    TradeCard,
    TurnBegun,
    TurnTrades,
)
from bot.games.ti4.take_back import Undoables
from bot.games.ti4.trade_agreements import Replenishing, Replenishings
from bot.rules.features.offers.debts import OpenDebts
from bot.rules.model.debts import Debt
from bot.rules.model.goods import Change
from bot.rules.model.parts import StatePart
from bot.rules.model.windows import pair

SOL = frozenset({"sol"})
PAIR = frozenset({pair("sol", "hacan")})
TURN = TurnTrades("sol", PAIR, PAIR)
PLAYED = PlayedRound(SOL, TURN, ("sol",))
PERMIT = Permit(1, ("sol", "hacan"), ("limit",), False, "")
ASKED_FOR_NOTE = Question("note", "sol", "hacan", "alliance")
ASKED_IF_NEIGHBORS = Question("neighbors", "hacan", "sol")
OF_SOL, OF_HACAN = PillageChance("mentak", "sol", 1), PillageChance("sol", "hacan", 1)
OF_SOL_CHOSEN_BY_HACAN = TakenCard("trade", "sol", "hacan", 1)
CHOSEN_BY_SOL = TakenCard("politics", "hacan", "sol", 2)
PARTS: list[StatePart] = [
    GameRound((OF_SOL_CHOSEN_BY_HACAN, CHOSEN_BY_SOL), zero="sol"),
    Map(PAIR, PAIR, "sol"),
    Questions(frozenset({ASKED_FOR_NOTE, ASKED_IF_NEIGHBORS}), SOL),
    Combat(PAIR, SOL),
    TurnBegun(SOL, frozenset({("sol", "alliance")})),
    TradeCard(1, "sol", ("hacan",), (("sol", 4),)),
    TradeCard(1, "hacan", ("sol",), (("hacan", 6), ("sol", 4))),
    Round(("hacan", "sol"), SOL, TURN, (TURN,), PLAYED),
    InForce((PERMIT,)),
    Colors((("blue", "sol"),)),
    Counting((Row("sol", 1, 1, Change()),)),
    Replenishings((Replenishing("sol", 1, 4, 4, 1),)),
    NoteClaims((NoteClaim(1, "sol", "", doubted="hacan"),)),
    OpenDebts((Debt(1, "sol", "hacan", 2),)),
    Pillages((OF_SOL,), (OF_HACAN,)),
    TooMany((("sol", 2, 7),)),
]
FORGET = (Agenda, Overruled, Homecomings, Undoables, OutOfGame, Slip)
"""Parts without a seat, or that forget everything, or hold just those that are gone."""


def test_every_part_is_here() -> None:
    state = GAME.features.state()
    kinds = set()
    for field in fields(state):
        part = getattr(state, field.name)
        if isinstance(part, StatePart):
            kinds.add(type(part))
    assert kinds == {*map(type, PARTS), *FORGET}


@pytest.mark.parametrize("part", PARTS)
def test_it_is_renamed_and_removed(part: StatePart) -> None:
    renamed = repr(part.renamed("sol", "arborec"))
    assert "'sol'" in repr(part)
    assert "'sol'" not in renamed
    assert renamed.count("'arborec'") == repr(part).count("'sol'")
    assert "'sol'" not in repr(part.without("sol"))
    assert part.without("arborec") == part


def test_pairs_stay_in_order_and_a_turn_loses_only_the_pairs() -> None:
    assert Map(PAIR).renamed("sol", "arborec").neighbors == {("arborec", "hacan")}
    assert Round(last=TurnTrades("xxcha", PAIR)).without("sol").last == TurnTrades("xxcha")
