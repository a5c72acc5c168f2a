"""Tests that a note which its giver chooses tells nobody else what the hand holds."""

from __future__ import annotations

import pytest

from bot.games.ti4.components import ANY_NOTE
from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.turns import StartTurn
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.tables import ChangeSettings
from bot.rules.model.goods import Goods
from bot.rules.model.table import Table
from bot.rules.model.violation import Undecided
from tests.games.ti4.tables import (
    after,
    done,
    having,
    refused,
    seen,
    table_of,
    with_goods,
    without_goods,
)

HOST, GIVER, ASKER = 1, 2, 3
ALLIANCE, CEASEFIRE = "note:alliance:sol", "note:ceasefire:sol"
SUPPORT, SECRET = "note:support_for_the_throne:sol", "note:political_secret:sol"


def asked(*hand: str) -> Table:
    """Return a table at which Mahact asks Sol, who has these notes in hand, for any note."""
    table = having(table_of(("hacan", "sol", "mahact")), "mahact", {"trade_good": 3})
    table = without_goods(table, "sol", table.seats["sol"].holdings.of_kind("note"))
    table = with_goods(table, "sol", Goods.of(hand))
    table = after(after(table, JoinNeighbors("mahact", "sol")), StartTurn("sol"))
    return after(table, PostOffer(to="sol", want=Goods({ANY_NOTE: 1})), by=ASKER)


def test_only_the_giver_learns_that_nothing_can_be_given() -> None:
    assert refused(asked(ALLIANCE), Sign(1), by=GIVER).rule == "Hubris"
    with pytest.raises(Undecided) as question:
        done(asked(ALLIANCE, CEASEFIRE), Sign(1), by=GIVER)
    assert len(question.value.options) == 1


@pytest.mark.parametrize("viewer", [HOST, 9])
def test_what_was_chosen_reads_the_same_for_others(viewer: int) -> None:
    first, second = asked(CEASEFIRE, SECRET), asked(CEASEFIRE, SECRET)
    first = after(first, Sign(1, gives=CEASEFIRE), by=GIVER)
    second = after(second, Sign(1, gives=SECRET), by=GIVER)
    assert seen(first, viewer) == seen(second, viewer)
    assert seen(first, ASKER) != seen(second, ASKER)


@pytest.mark.parametrize("viewer", [HOST, ASKER, 9])
def test_a_support_that_may_not_be_swapped_is_left_out_in_silence(viewer: int) -> None:
    settings = ChangeSettings({"support_swaps": "refused"})
    theirs = Goods({"note:support_for_the_throne:hacan": 1})
    offer = PostOffer(to="sol", give=theirs, want=Goods({ANY_NOTE: 1}))
    tables = []
    for hand in ((SUPPORT, CEASEFIRE), (SECRET, CEASEFIRE)):
        tables.append(after(after(asked(*hand), settings), offer, by=HOST))
    assert seen(tables[0], viewer) == seen(tables[1], viewer)
    with pytest.raises(Undecided) as question:
        done(tables[0], Sign(2), by=GIVER)
    assert len(question.value.options) == 1


@pytest.mark.parametrize("viewer", [HOST, ASKER, 9])
def test_what_was_chosen_with_the_first_yes_is_the_givers_own_until_they_confirm(
    viewer: int,
) -> None:
    first = after(asked(CEASEFIRE, SECRET), ChangeSettings({"confirm": "twice"}))
    second = first
    first = after(first, Sign(1, gives=CEASEFIRE), by=GIVER)
    second = after(second, Sign(1, gives=SECRET), by=GIVER)
    assert seen(first, viewer) == seen(second, viewer)
    assert seen(first, GIVER) != seen(second, GIVER)
    first, second = after(first, Sign(1), by=ASKER), after(second, Sign(1), by=ASKER)
    assert seen(first, viewer) == seen(second, viewer)
    done(first, Sign(1), by=GIVER)
