"""Tests of neighbour claims, beyond the plays: who may make one, of whom, and when it ends."""

from __future__ import annotations

import pytest

from bot.games.ti4 import GAME
from bot.games.ti4.neighbors import ClaimNeighbor, JoinNeighbors
from bot.games.ti4.state import are_neighbors
from bot.games.ti4.turns import StartTurn
from bot.rules.commands import Press
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.seats import Leave
from bot.rules.features.tables import ChangeSettings
from bot.rules.model.actions import LabelledAction
from bot.rules.model.goods import Goods
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from tests.games.ti4.tables import after, having, refused, seen, table_of

TABLE = table_of(("letnev", "sol", "xxcha"))
HOST_ONLY = after(TABLE, ChangeSettings({"declare_neighbors": "host"}))
BUTTON = LabelledAction("We are neighbours now", Press(1, ClaimNeighbor("sol")))
CLAIM_LETNEV = Press(1, ClaimNeighbor("letnev"))
CLAIMED = after(TABLE, ClaimNeighbor("letnev"), by=2)


def offered(table: Table, to: str | None = "sol") -> Table:
    """Letnev's turn, with an offer of one trade good from Letnev."""
    turn = after(having(table, "letnev", {"trade_good": 1}), StartTurn())
    return after(turn, PostOffer(to=to, give=Goods({"trade_good": 1})))


def remedies(table: Table, person: int) -> tuple[LabelledAction, ...]:
    """The buttons that this person sees to cure what forbids offer 1."""
    return seen(table, person).offers[1].buttons.remedies


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
    neighbors = after(TABLE, JoinNeighbors("letnev", "sol"))
    assert remedies(offered(TABLE), 1) == (BUTTON,)
    assert not remedies(offered(HOST_ONLY), 1)
    assert not remedies(offered(neighbors), 1)


def test_who_has_claimed_is_not_asked_again() -> None:
    claimed = after(TABLE, ClaimNeighbor("sol"))
    assert not remedies(offered(claimed), 1)


def test_a_stranger_claims_to_be_the_neighbour_of_who_posted_to_all() -> None:
    with pytest.raises(Refused) as refusal:
        after(offered(TABLE, to=None), Sign(1), by=3)
    assert next(option.action for option in refusal.value.options) == CLAIM_LETNEV


def test_a_third_player_can_claim_nothing_about_an_offer_to_another() -> None:
    assert not remedies(offered(TABLE), 3)
