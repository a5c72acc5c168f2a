"""Tests of neighbour claims, beyond the plays: who may make one, of whom, and when it ends."""

from __future__ import annotations

from bot.games.ti4 import GAME
from bot.games.ti4.neighbors import (
    ClaimNeighbor,
    ClaimTradePartner,
    JoinNeighbors,
    NeighborsClaimed,
)
from bot.games.ti4.state import are_neighbors
from bot.games.ti4.turns import StartTurn
from bot.rules.commands import Press
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.seats import Leave
from bot.rules.features.tables import ChangeSettings
from bot.rules.model.actions import LabelledAction
from bot.rules.model.goods import Goods
from bot.rules.model.table import Table
from tests.games.ti4.tables import after, done, having, refused, seen, table_of

TABLE = table_of(("letnev", "sol", "xxcha"))
HOST_ONLY = after(TABLE, ChangeSettings({"declare_neighbors": "host"}))
BUTTON = LabelledAction("We are neighbours now", Press(1, ClaimTradePartner(1)))
CLAIMED = after(TABLE, ClaimNeighbor("letnev"), by=2)


def offered(table: Table, to: str | None = "sol") -> Table:
    """Letnev's turn, with an offer of one trade good from Letnev."""
    turn = after(having(table, "letnev", {"trade_good": 1}), StartTurn())
    return after(turn, PostOffer(to=to, give=Goods({"trade_good": 1})))


def test_a_claim_is_made_once_and_of_another_seat() -> None:
    assert "already said so" in refused(CLAIMED, ClaimNeighbor("letnev"), by=2).reason
    assert "another player at this table" in refused(TABLE, ClaimNeighbor("sol"), by=2).reason
    assert "another player at this table" in refused(TABLE, ClaimNeighbor("hacan"), by=2).reason
    assert "no seat" in refused(TABLE, ClaimNeighbor("sol"), by=9).reason


def test_who_says_the_same_confirms_a_claim() -> None:
    assert are_neighbors(after(CLAIMED, ClaimNeighbor("sol")), "letnev", "sol")


def test_a_claim_outlasts_the_person_who_made_it() -> None:
    (prompt,) = GAME.features.prompts(after(CLAIMED, Leave(), by=2))
    assert prompt.seat == "letnev"


def test_the_poster_of_an_offer_to_a_stranger_can_claim_where_players_may() -> None:
    assert seen(offered(TABLE), 1).offers[1].buttons.remedies == (BUTTON,)
    assert not seen(offered(HOST_ONLY), 1).offers[1].buttons.remedies
    assert (
        not seen(offered(after(TABLE, JoinNeighbors("letnev", "sol"))), 1)
        .offers[1]
        .buttons.remedies
    )


def test_only_the_two_sides_of_an_offer_may_say_it_of_each_other() -> None:
    assert "is for <seat:sol>" in refused(offered(TABLE), ClaimTradePartner(1), by=3).reason
    assert isinstance(
        done(offered(TABLE, to=None), ClaimTradePartner(1), by=3)[-1], NeighborsClaimed
    )
