"""Tests of refusals that no play shows."""

from __future__ import annotations

import pytest

from bot.games.ti4.agendas import ResolveAgenda
from bot.games.ti4.combat import BeginCombat, EndCombat
from bot.games.ti4.departures import ChangeFaction
from bot.games.ti4.neighbors import AnswerClaim, ClaimNeighbor, JoinNeighbors, SetNeighbors
from bot.games.ti4.take_back import TakeTradeBack
from bot.games.ti4.turns import EndTurn, StartTurn
from bot.rules.commands import Command
from bot.rules.features.holdings import Gain, SetHoldings
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.seats import Sit
from bot.rules.features.tables import ChangeSettings
from bot.rules.model.goods import Goods
from tests.games.ti4.tables import after, all_done, having, refused, table_of

HOST, BOB, CAROL = 1, 2, 3
TABLE = after(having(table_of(), "hacan", {"trade_good": 1}), StartTurn("hacan"))

BASE, FRAGMENT = ChangeSettings({"expansions": "base"}), Goods({"fragment:cultural": 1})

Commands = tuple[Command, ...]

REFUSED: list[tuple[Commands, int, Command, str]] = [
    ((JoinNeighbors("hacan", "sol"),), HOST, JoinNeighbors("sol", "hacan"), "already neighbours"),
    ((ClaimNeighbor("sol"),), HOST, ClaimNeighbor("sol"), "already said so"),
    ((), BOB, AnswerClaim("hacan", agreed=True), "already answered"),
    ((), HOST, TakeTradeBack(2), "is not one of this table's"),
    ((EndTurn(),), HOST, ResolveAgenda(), "No agenda"),
    ((EndTurn(),), HOST, BeginCombat("hacan", "sol"), "during a turn"),
    ((), HOST, BeginCombat("hacan", "hacan"), "can't fight yourself"),
    ((), HOST, BeginCombat("sol", "letnev"), "must be one of the two"),
    ((BeginCombat("hacan", "sol"),), CAROL, EndCombat(), "not in this combat"),
    ((BeginCombat("hacan", "sol"),), HOST, BeginCombat("hacan", "sol"), "are already fighting"),
    ((), BOB, StartTurn("letnev"), "Only the host"),
    ((), HOST, SetNeighbors("hacan", ("xxcha",)), "Nobody plays"),
    ((BASE,), HOST, Gain(FRAGMENT), "Prophecy of Kings"),
    ((BASE,), CAROL, Sit("argent"), "Prophecy of Kings"),
    ((BASE,), HOST, PostOffer(to="sol", give=FRAGMENT), "Prophecy of Kings"),
    ((SetHoldings("sol", FRAGMENT),), HOST, BASE, "cultural fragment"),
    (
        (ChangeSettings({"declare_neighbors": "host"}),),
        BOB,
        BeginCombat(None, "hacan"),
        "Only the host may say who",
    ),
    ((), HOST, ChangeFaction("sol"), "can't become another faction"),
]
"""What has been done by the host, whose command is refused then, and in which words."""


@pytest.mark.parametrize(("before", "by", "command", "says"), REFUSED)
def test_it_is_refused(before: Commands, by: int, command: Command, says: str) -> None:
    assert says in refused(all_done(TABLE, before), command, by).sentence()
