"""Neighbours: declared by one, confirmed by the other, or said by the host."""

from __future__ import annotations

from bot.games.ti4 import GAME
from bot.games.ti4.neighbors import (
    AnswerClaim,
    ClaimNeighbor,
    ClaimTradePartner,
    JoinNeighbors,
    NeighborsClaimed,
    NeighborsJoined,
    PartNeighbors,
)
from bot.games.ti4.state import Map, are_neighbors
from bot.games.ti4.turns import StartTurn
from bot.rules.commands import Press
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import EndOffer
from bot.rules.features.seats import Leave
from bot.rules.features.tables import ChangeSettings
from bot.rules.model.actions import LabelledAction
from bot.rules.model.goods import Goods
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from tests.games.ti4.tables import after, done, having, refused, seen, table_of

TABLE = table_of(("letnev", "sol", "xxcha"))
CLAIMED = after(TABLE, ClaimNeighbor("letnev"), by=2)
HOST_ONLY = after(TABLE, ChangeSettings({"declare_neighbors": "host"}))
BUTTON = LabelledAction("We are neighbours now", Press(1, ClaimTradePartner(1)))


def offered(table: Table, to: str | None = "sol") -> Table:
    """Letnev's turn, with an offer of one trade good from Letnev."""
    turn = after(having(table, "letnev", {"trade_good": 1}), StartTurn())
    return after(turn, PostOffer(to=to, give=Goods({"trade_good": 1})))


def test_the_host_or_one_of_the_two_says_so() -> None:
    assert done(TABLE, JoinNeighbors("sol", "xxcha")) == (NeighborsJoined(first="sol", second="xxcha"),)
    [own] = done(TABLE, JoinNeighbors("letnev", "sol"), by=2)
    assert own == NeighborsJoined(first="letnev", second="sol", said_by=("sol",))
    assert "only say who your own neighbours are" in refused(TABLE, JoinNeighbors("letnev", "xxcha"), by=2).reason
    assert "own neighbour" in refused(TABLE, JoinNeighbors("sol", "sol"), by=2).reason


def test_neighbours_part_and_are_remembered_for_the_window() -> None:
    assert "not neighbours" in refused(TABLE, PartNeighbors("letnev", "sol")).reason
    met = after(TABLE, JoinNeighbors("letnev", "sol"))
    assert "already neighbours" in refused(met, JoinNeighbors("sol", "letnev")).reason
    assert part(after(met, PartNeighbors("sol", "letnev")), Map).parted == {("letnev", "sol")}


def test_the_other_is_asked_and_nobody_else() -> None:
    [prompt] = GAME.features.prompts(CLAIMED)
    assert (prompt.key, prompt.seat) == ("ti4-claim-sol-letnev", "letnev")
    assert [each.action for each in prompt.buttons] == [
        Press(1, AnswerClaim("sol", agreed)) for agreed in (True, False)
    ]
    assert seen(CLAIMED, 1).prompts == (prompt,)
    assert not seen(CLAIMED, 2).prompts
    assert not seen(CLAIMED).prompts


def test_the_other_confirms_it() -> None:
    joined = NeighborsJoined(first="sol", second="letnev", said_by=("sol", "letnev"))
    assert done(CLAIMED, AnswerClaim("sol", agreed=True)) == (joined,)
    assert done(CLAIMED, ClaimNeighbor("sol")) == (joined,), "saying the same is as good"
    assert are_neighbors(after(CLAIMED, ClaimNeighbor("sol")), "letnev", "sol")


def test_the_other_denies_it() -> None:
    denied = after(CLAIMED, AnswerClaim("sol", agreed=False))
    assert not part(denied, Map).claims
    assert "already answered" in refused(denied, AnswerClaim("sol", agreed=True)).reason


def test_a_claim_is_made_once_and_of_another_seat() -> None:
    assert "already said so" in refused(CLAIMED, ClaimNeighbor("letnev"), by=2).reason
    assert "another player at this table" in refused(TABLE, ClaimNeighbor("sol"), by=2).reason
    assert "another player at this table" in refused(TABLE, ClaimNeighbor("hacan"), by=2).reason
    assert "no seat" in refused(TABLE, ClaimNeighbor("sol"), by=9).reason


def test_a_claim_ends_with_the_person_who_made_it() -> None:
    assert not GAME.features.prompts(after(CLAIMED, Leave(), by=2))


def test_where_only_the_host_declares_players_do_not() -> None:
    for command in (JoinNeighbors("letnev", "sol"), ClaimNeighbor("letnev")):
        assert "only the host says" in refused(HOST_ONLY, command, by=2).reason


def test_from_an_offer_the_other_side_is_claimed() -> None:
    table = offered(TABLE)
    assert done(table, ClaimTradePartner(1), by=2) == (NeighborsClaimed(seat="sol", other="letnev"),)
    assert done(table, ClaimTradePartner(1), by=1) == (NeighborsClaimed(seat="letnev", other="sol"),)


def test_an_offer_to_all_or_that_is_over_has_no_other_side() -> None:
    assert "Nobody has accepted" in refused(offered(TABLE, to=None), ClaimTradePartner(1)).reason
    withdrawn = after(offered(TABLE), EndOffer(1, "withdraw"))
    assert "no offer 1" in refused(withdrawn, ClaimTradePartner(1)).reason


def test_the_poster_of_an_offer_to_a_stranger_can_claim_where_players_may() -> None:
    assert seen(offered(TABLE), 1).offers[1].buttons.remedies == (BUTTON,)
    assert not seen(offered(HOST_ONLY), 1).offers[1].buttons.remedies
    assert not seen(offered(after(TABLE, JoinNeighbors("letnev", "sol"))), 1).offers[1].buttons.remedies


def test_only_the_two_sides_of_an_offer_may_say_it_of_each_other() -> None:
    assert "is for <seat:sol>" in refused(offered(TABLE), ClaimTradePartner(1), by=3).reason
    assert isinstance(done(offered(TABLE, to=None), ClaimTradePartner(1), by=3)[-1], NeighborsClaimed)
