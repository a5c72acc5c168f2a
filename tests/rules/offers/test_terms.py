"""Tests of terms for now and for later, and of the deals that an offer leaves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.ti4.turns import StartTurn
from bot.rules.apply import replay
from bot.rules.entries import Entry
from bot.rules.features.deals import DealProposed
from bot.rules.features.offers.posting import AlterOffer, PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.model.deals import DealTally
from bot.rules.model.goods import Goods
from bot.rules.model.table import Table
from tests.games.ti4.tables import after, done, having, table_of

ONE, BOB = Goods({"trade_good": 1}), 2
TABLE = having(after(table_of(), StartTurn("hacan")), "hacan", {"trade_good": 9})
BOTH = PostOffer("sol", ONE, terms="stay away", terms_now="retreat")


def deals(entries: tuple[Entry, ...]) -> list[DealProposed]:
    return [entry for entry in entries if isinstance(entry, DealProposed)]


def terms(table: Table, number: int = 1) -> tuple[str, str, bool]:
    offer = table.offers[number]
    return offer.terms_now, offer.terms, offer.terms_card


def test_what_binds_becomes_a_binding_deal_and_what_comes_later_a_promise() -> None:
    posted = after(TABLE, BOTH)
    entries = done(posted, Sign(1), by=BOB)
    binds, promise = deals(entries)
    assert (binds.deal, binds.terms, binds.later) == (1, "retreat", False)
    assert (promise.deal, promise.terms, promise.later) == (2, "stay away", True)
    assert [binds.card, promise.card] == [False, False]
    table = replay(entries, posted)
    assert table.deal_tally == DealTally(binding=1, promises=1)
    assert table.deals_proposed == 2


@pytest.mark.parametrize("words", [{"terms": "a"}, {"terms_now": "a"}, {}])
def test_each_half_that_is_there_becomes_one_deal(words: dict[str, str]) -> None:
    posted = after(TABLE, PostOffer("sol", ONE, **words))  # type: ignore[arg-type]
    entries = done(posted, Sign(1), by=BOB)
    assert [deal.later for deal in deals(entries)] == ["terms" in words] * len(words)


def test_altering_one_half_leaves_the_other() -> None:
    posted = after(TABLE, BOTH)
    assert terms(after(posted, AlterOffer(1, terms="go"))) == ("retreat", "go", False)
    assert terms(after(posted, AlterOffer(1, terms_now=""))) == ("", "stay away", False)
    assert terms(after(posted, AlterOffer(1, terms_card=True))) == ("retreat", "stay away", True)
    altered = after(posted, AlterOffer(1, terms_now=""))
    assert not altered.offers[1].signatures.get("sol")


def test_that_terms_rest_on_a_card_goes_with_the_last_word() -> None:
    posted = after(TABLE, replace(BOTH, terms_card=True))
    assert terms(after(posted, AlterOffer(1, terms=""))) == ("retreat", "", True)
    wordless = after(posted, AlterOffer(1, terms="", terms_now=""))
    assert terms(wordless) == ("", "", False)
