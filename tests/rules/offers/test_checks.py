"""Tests of refusals of commands about an offer, whatever is offered."""

from __future__ import annotations

import pytest

from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.turns import StartTurn
from bot.rules.commands import Command
from bot.rules.features.offers.entries import Signed, Transaction
from bot.rules.features.offers.posting import AlterOffer, CounterOffer, PauseOffer, PostOffer
from bot.rules.features.offers.signing import Agree, EndOffer, Sign
from bot.rules.model.goods import Goods
from tests.games.ti4.tables import after, all_done, done, having, refused, table_of

TABLE = all_done(
    having(table_of(("letnev", "sol", "xxcha")), "letnev", {"trade_good": 3}),
    [JoinNeighbors("letnev", "sol"), StartTurn()],
)
ONE = Goods({"trade_good": 1})
OFFERED = after(TABLE, PostOffer(to="sol", give=ONE))
ALTERED = after(OFFERED, AlterOffer(1, give=Goods({"trade_good": 2})))
LETNEV, SOL, XXCHA = 1, 2, 3


@pytest.mark.parametrize("command", [Sign(1, 1), Agree(1, 1)])
def test_an_older_revision_is_never_agreed_to(command: Command) -> None:
    assert "altered: it is now at revision 2" in refused(ALTERED, command, by=SOL).reason


@pytest.mark.parametrize("revision", [2, None])
def test_the_newest_revision_is_accepted_by_its_number_or_as_it_is(revision: int | None) -> None:
    signed, traded, *_ = done(ALTERED, Sign(1, revision), by=SOL)
    assert isinstance(signed, Signed)
    assert isinstance(traded, Transaction)
    assert traded.revision == 2


COUNTER = CounterOffer(1, give=ONE)


@pytest.mark.parametrize("command", [Sign(1), COUNTER, EndOffer(1, "decline")])
def test_an_offer_to_another_is_not_for_a_third(command: Command) -> None:
    assert refused(OFFERED, command, by=XXCHA).reason


@pytest.mark.parametrize(
    "command",
    [AlterOffer(1, terms="and peace"), PauseOffer(1, True), EndOffer(1, "withdraw")],
)
def test_only_the_poster_alters_suspends_and_withdraws(command: Command) -> None:
    assert "yours to" in refused(OFFERED, command, by=SOL).reason
    assert done(OFFERED, command, by=LETNEV)


def test_nobody_accepts_what_is_suspended_or_over() -> None:
    suspended = after(OFFERED, PauseOffer(1, True))
    assert "is suspended" in refused(suspended, Sign(1), by=SOL).reason
    withdrawn = after(OFFERED, EndOffer(1, "withdraw"))
    assert "no offer 1" in refused(withdrawn, Sign(1), by=SOL).reason
