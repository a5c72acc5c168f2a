"""Terms for now and for later: which deals remain of an offer, and what changes with its terms."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.ti4.turns import StartTurn
from bot.rules.apply import replay
from bot.rules.entries import Entry
from bot.rules.features.deals import DealProposed
from bot.rules.features.negotiations import OpenNegotiation
from bot.rules.features.offers.posting import AlterOffer, CounterOffer, PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.model.deals import DealTally
from bot.rules.model.goods import Goods
from bot.rules.model.table import Table
from bot.rules.model.violation import Violation
from tests.games.ti4.tables import after, done, having, refused, table_of

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
    assert (binds.deal, binds.terms, binds.later, binds.card) == (1, "retreat", False, False)
    assert (promise.deal, promise.terms, promise.later, promise.card) == (2, "stay away", True, False)
    table = replay(entries, posted)
    assert table.deal_tally == DealTally(binding=1, promises=1)
    assert table.deals_proposed == 2


@pytest.mark.parametrize("words", [{"terms": "a"}, {"terms_now": "a"}, {}])
def test_each_half_that_is_there_becomes_one_deal(words: dict[str, str]) -> None:
    entries = done(after(TABLE, PostOffer("sol", ONE, **words)), Sign(1), by=BOB)  # type: ignore[arg-type]
    assert [each.later for each in deals(entries)] == ["terms" in words] * len(words)


def test_what_rests_on_an_action_card_binds_nobody() -> None:
    table = after(after(TABLE, replace(BOTH, terms_card=True)), Sign(1), by=BOB)
    assert (table.deal_tally.binding, table.deal_tally.promises) == (0, 2)


def test_what_was_said_in_private_stays_private() -> None:
    talks = after(TABLE, OpenNegotiation("sol"))
    posted = after(talks, replace(BOTH, to=None, negotiation=1))
    found = deals(done(posted, Sign(1), by=BOB))
    assert [(each.terms, each.later, each.card, each.private) for each in found] == [("", None, None, True)] * 2
    assert [each.secret and each.secret.terms for each in found] == ["retreat", "stay away"]


def test_altering_one_half_leaves_the_other() -> None:
    posted = after(TABLE, BOTH)
    assert terms(after(posted, AlterOffer(1, terms="go"))) == ("retreat", "go", False)
    assert terms(after(posted, AlterOffer(1, terms_now=""))) == ("", "stay away", False)
    assert terms(after(posted, AlterOffer(1, terms_card=True))) == ("retreat", "stay away", True)
    assert not after(posted, AlterOffer(1, terms_now="")).offers[1].signatures.get("sol")


def test_that_terms_rest_on_a_card_goes_with_the_last_word() -> None:
    posted = after(TABLE, replace(BOTH, terms_card=True))
    assert terms(after(posted, AlterOffer(1, terms=""))) == ("retreat", "", True)
    assert terms(after(posted, AlterOffer(1, terms="", terms_now=""))) == ("", "", False)


def test_a_counter_has_its_own_terms() -> None:
    countered = after(after(TABLE, BOTH), CounterOffer(1, terms_now="hold"), by=BOB)
    assert terms(countered, 2) == ("hold", "", False)


@pytest.mark.parametrize(
    ("offer", "told"),
    [
        (PostOffer("sol", ONE, terms_now="x" * 301), "301 characters"),
        (PostOffer("sol", ONE, terms_card=True), "no terms"),
    ],
)
def test_terms_that_do_not_fit_are_refused(offer: PostOffer, told: str) -> None:
    violation: Violation = refused(TABLE, offer)
    assert told in violation.reason
