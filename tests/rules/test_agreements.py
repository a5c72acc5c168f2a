"""Tests that the game decides what a deal is worth, and its words."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from bot.rules.agreements import Agreements, NotBinding
from bot.rules.features.deals import MarkDeal, ProposeDeal, not_binding
from bot.rules.model.deals import Deal
from bot.rules.model.people import Parties
from bot.rules.registry import games
from tests.games.advciv.playing import Evening
from tests.games.ti4.tables import table_of

EVERY = tuple(product((False, True), repeat=2))


def worth(later: bool, card: bool) -> Deal:
    parties = Parties.of(("hacan", "sol"), {})
    return Deal(
        number=1, seat="hacan", to="sol", terms="peace", later=later, parties=parties, card=card
    )


@pytest.mark.parametrize(("later", "card"), EVERY)
def test_where_deals_bind_those_do_that_are_done_at_once(later: bool, card: bool) -> None:
    expected: NotBinding = "card" if card else "later" if later else ""
    assert not_binding(table_of(), worth(later, card)) == expected


@pytest.mark.parametrize(("later", "card"), EVERY)
def test_where_words_never_bind_no_deal_does_and_any_can_be_called_broken(
    later: bool, card: bool
) -> None:
    evening = Evening()
    evening.do(1, ProposeDeal("crete", "peace", later, card))
    deal = evening.table.deals[1]
    assert not_binding(evening.table, deal) == "never"
    evening.table = evening.table.with_deal(replace(deal, status="agreed"))
    evening.do(2, MarkDeal(1, "broken"))


def test_each_game_says_each_of_its_own_reasons_and_no_other() -> None:
    for game in games().values():
        texts = game.info.agreements
        reasons = {"", "card", "later"} if texts.deals_bind else {"never"}
        assert set(texts.deal) == reasons, game.info.id
        assert "bind" in texts.terms


def test_a_game_that_says_nothing_has_promises() -> None:
    for why in ("", "card", "later", "never"):
        assert Agreements().of_deal(why) == ("**A promise**: nobody has to keep it.")  # type: ignore[arg-type]
