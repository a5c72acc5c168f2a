"""Tests of rule 28.3: what may be offered and handed over, and which offers fit."""

from __future__ import annotations

import pytest

from bot.games.advciv.sets import likely
from bot.games.advciv.trade import follow_ups, matches, violations, why_not
from bot.rules.features.offers.menu import other_offers
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import HandOver
from bot.rules.game import Trade
from bot.rules.model.goods import NOTHING
from bot.rules.model.violation import Violation
from tests.games.advciv.playing import Evening, cards, held

HANDS = {1: "3 salt, iron, famine, epidemic", 2: "3 gold, oil", 3: "salt"}
SALT, GOLD = "2 salt, ?", "2 gold, ?"


def trading(**settings: str) -> Evening:
    return held(HANDS, **settings)


def post() -> PostOffer:
    return PostOffer(to="crete", give=cards(SALT), want=cards(GOLD))


def found(evening: Evening, gives: str, wants: str) -> list[Violation]:
    trade = Trade("egypt", "crete", cards(gives), cards(wants))
    return violations(evening.table, trade)


@pytest.mark.parametrize("wants", ["gold, 2 ?", "3 ?", "2 gold", "nothing", "2 gold or 2 oil, ?"])
def test_what_is_wanted_can_be_left_open_until_both_agree(wants: str) -> None:
    (violation,) = found(trading(), SALT, wants)
    assert violation.reason == (
        "This only opens a trade: both sides must name two of their cards before they agree."
    )
    assert not violation.permanent
    assert not violation.blocks_posting


@pytest.mark.parametrize(
    ("gives", "reason"),
    [
        ("4 salt", "You are short of 1 Salt, and named cards must be true."),
        ("3 salt, 3 ?", "You would give 6 cards, and can trade only 5."),
    ],
)
def test_only_the_owner_is_told_what_rests_on_a_hand(gives: str, reason: str) -> None:
    violation = found(trading(), gives, GOLD)[0]
    assert violation.reason == reason
    assert violation.known_to == "egypt"
    assert violation.short
    assert reason not in violation.redacted("crete").reason


def test_an_untracked_table_does_not_judge_hands() -> None:
    evening = Evening(2, inventory="untracked")
    assert [violation.rule for violation in found(evening, "9 salt", GOLD)] == ["28.4"]


# ---------------------------------------------------------------- handed over


@pytest.mark.parametrize(
    ("actual", "reason"),
    [
        ("3 salt", None),
        ("2 salt, epidemic", None),
        ("2 salt", "You chose 2 cards, but in this trade you give 3."),
        ("salt, iron, epidemic", "1 Salt must be among them, because the offer names it."),
        ("2 salt, oil", "You don't have 1 Oil to give."),
        ("2 salt, famine", "Famine can't be traded: it stays with the player who drew it."),
        ("2 salt, ?", "You can't hand over 1 unnamed card."),
    ],
)
def test_what_can_be_handed_over(actual: str, reason: str | None) -> None:
    violation = why_not(trading().table, "egypt", cards(SALT), cards(actual))
    assert (violation.reason if violation else None) == reason


def test_what_was_accepted_is_missed_too_and_what_was_not_is_nobodys() -> None:
    evening = trading()
    evening.do(1, post())
    assert other_offers(evening.table, "crete") == ()
    evening.do(2, HandOver(1, cards("3 gold")))
    (accepted,) = other_offers(evening.table, "crete")
    assert not accepted.posted
    assert accepted.unmet == ""
    evening.sets("crete", cards("8 timber"))
    (accepted,) = other_offers(evening.table, "crete")
    assert accepted.unmet.startswith("You are short of ")
    (posted,) = other_offers(evening.table, "egypt")
    assert posted.unmet == ""


def test_only_the_correction_that_took_cards_tells_that_they_are_gone() -> None:
    """A bot that was away reads several entries with one table, the last."""
    evening = trading()
    earlier = evening.sets("egypt", cards("3 salt, iron"))
    evening.do(1, post())
    evening.do(1, HandOver(1, cards("3 salt")))
    later = evening.sets("egypt", cards("salt, iron"))
    assert list(follow_ups(evening.table, earlier)) == []
    (news,) = follow_ups(evening.table, later)
    assert news.seat == "egypt"
    assert ": 2 Salt. " in news.text


def test_the_likely_cards_keep_the_promise_and_leave_the_most() -> None:
    gives, gets = cards(SALT), cards(GOLD)
    assert likely(cards("3 salt, hides"), gives, gets) == cards("2 salt, hides")
    assert likely(cards("2 salt, gold"), gives, gets) == cards("2 salt, gold")
    assert likely(cards("2 salt"), gives, gets) is None
    assert likely(cards("2 salt, famine"), gives, gets) is None, "it can't be traded [29.2]"


# ---------------------------------------------------------------- the market


@pytest.mark.parametrize(
    ("wanted", "given", "exactly", "fits"),
    [
        ("gold", "gold, salt, ?", False, True),
        ("gold", "2 salt, ? (gold)", False, True),
        ("gold", "2 salt, ?", False, False),
        ("2 gold, ?", "2 gold, salt", True, True),
        ("2 gold, ?", "2 gold, 2 salt", True, False),
        ("3 ?", "3 salt", True, False),
        ("salt, salt or oil", "salt, oil", False, True),
        ("salt, salt or oil", "salt, ?", False, False),
    ],
)
def test_offers_that_fit(wanted: str, given: str, exactly: bool, fits: bool) -> None:
    assert matches(cards(wanted), cards(given), exactly) is fits
    assert not matches(NOTHING, cards(given), exactly)
