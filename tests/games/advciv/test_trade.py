"""Rule 28.3: what may be offered, handed over, and what becomes of it."""

from __future__ import annotations

import pytest

from bot.games.advciv.passing import Passed
from bot.games.advciv.sets import likely, outlook
from bot.games.advciv.trade import follow_ups, matches, redact, settle, violations, why_not
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.offers.menu import other_offers
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import HandOver
from bot.rules.game import Trade
from bot.rules.model.goods import NOTHING
from bot.rules.model.parts import part
from bot.rules.model.violation import Violation
from tests.games.advciv.playing import Evening, cards, held

HANDS = {1: "3 salt, iron, famine, epidemic", 2: "3 gold, oil", 3: "salt"}
SALT, GOLD = "2 salt, ?", "2 gold, ?"


def trading(**settings: str) -> Evening:
    return held(HANDS, minutes=0, **settings)


def found(evening: Evening, gives: str, wants: str, other: str = "crete") -> list[Violation]:
    trade = Trade("egypt", other, cards(gives), cards(wants))
    return violations(evening.table, trade)


def reasons(evening: Evening, gives: str, wants: str, other: str = "crete") -> list[str]:
    return [violation.reason for violation in found(evening, gives, wants, other)]


def test_three_cards_a_side_two_of_them_named() -> None:
    evening = trading()
    assert not found(evening, SALT, GOLD)
    assert reasons(evening, "2 salt", GOLD) == ["You would give 2 cards, and each side gives at least three."]
    assert reasons(evening, "salt, 2 ?", GOLD) == ["You would give 3 cards and name 1; two must be named."]


@pytest.mark.parametrize("wants", ["gold, 2 ?", "3 ?", "2 gold", "nothing", "2 gold or 2 oil, ?"])
def test_what_is_wanted_can_be_left_open_until_both_agree(wants: str) -> None:
    (only,) = found(trading(), SALT, wants)
    assert only.reason == "This only opens a trade: both sides must name two of their cards before they agree."
    assert not only.permanent
    assert not only.blocks_posting


def test_what_is_given_can_not_be_left_open() -> None:
    (only,) = found(trading(), "2 salt or 2 hides, ?", GOLD)
    assert only.permanent
    assert only.reason == "You would give 2 Salt or 2 Hides, and it must be clear which."


def test_a_request_does_not_say_yet_what_it_gives() -> None:
    evening = trading()
    assert reasons(evening, "nothing", "gold") == ["This is only a wish: it does not say yet which cards it gives."]
    assert found(evening, "nothing", "nothing")[0].permanent


def test_calamities() -> None:
    evening = trading()
    assert (
        reasons(evening, "2 salt, famine", GOLD)[0] == "Famine can't be traded: it stays with the player who drew it."
    )
    named = "At this table, Epidemic can't be one of the named cards."
    assert reasons(evening, "2 salt, epidemic", GOLD) == [named]
    assert reasons(trading(name_calamities="yes"), "2 salt, epidemic", GOLD) == []


def test_trading_has_to_be_open() -> None:
    evening = Evening(2)
    closed = found(evening, SALT, GOLD)[0]
    assert (closed.rule, closed.reason, closed.of_goods) == ("28.4", "Trading is not open.", False)
    assert closed.blocks_posting


@pytest.mark.parametrize(
    ("gives", "reason"),
    [
        ("4 salt", "You are short of 1 Salt, and named cards must be true."),
        ("3 salt, 3 ?", "You would give 6 cards, and can trade only 5."),
    ],
)
def test_only_the_owner_is_told_what_rests_on_a_hand(gives: str, reason: str) -> None:
    violation = found(trading(), gives, GOLD)[0]
    assert (violation.reason, violation.known_to, violation.short) == (reason, "egypt", True)
    assert reason not in violation.redacted("crete").reason


def test_fewer_than_three_cards_can_not_be_traded() -> None:
    violation = found(trading(), SALT, SALT, "italy")[0]
    assert violation.known_to == "italy"
    assert violation.reason == "You have 1 card that can be traded, and each side gives at least three."


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


def test_cards_change_hands_when_both_have_handed_over() -> None:
    evening = trading()
    evening.do(1, PostOffer(to="crete", give=cards(SALT), want=cards(GOLD)))
    assert not any(isinstance(entry, Transaction) for entry in evening.do(1, HandOver(1, cards("2 salt, epidemic"))))
    done = evening.do(2, HandOver(1, cards("3 gold")))[-1]
    assert isinstance(done, Transaction)
    assert evening.hand(1) == cards("salt, iron, famine, 3 gold")
    assert evening.hand(2) == cards("2 salt, epidemic, oil")
    assert part(evening.table, Passed).paths["calamity:epidemic"] == ("egypt", "crete")


def test_cards_given_away_are_missed_where_they_were_handed_over_before() -> None:
    evening = trading()
    for words in ("", "as the first"):
        evening.do(1, PostOffer(to="crete", give=cards(SALT), want=cards(GOLD), terms=words, handed=cards("3 salt")))
    evening.do(2, HandOver(1, cards("3 gold")))
    (second,) = other_offers(evening.table, "egypt")
    gone = "You no longer have all the cards you handed over for offer 2: 3 Salt."
    assert (second.offer, second.unmet) == (2, f"You are short of 2 Salt. {gone}")
    assert other_offers(evening.table, "crete") == ()


def test_only_the_correction_that_took_cards_tells_that_they_are_gone() -> None:
    """A bot that was away reads several entries with one table, the last."""
    evening = trading()
    earlier = evening.sets("egypt", cards("3 salt, iron"))
    evening.do(1, PostOffer(to="crete", give=cards(SALT), want=cards(GOLD), handed=cards("3 salt")))
    later = evening.sets("egypt", cards("salt, iron"))
    assert list(follow_ups(evening.table, earlier)) == []
    (told,) = follow_ups(evening.table, later)
    assert told.seat == "egypt"
    assert ": 2 Salt. " in told.text


def test_what_was_accepted_is_missed_too_and_what_was_not_is_nobodys() -> None:
    evening = trading()
    evening.do(1, PostOffer(to="crete", give=cards(SALT), want=cards(GOLD)))
    assert other_offers(evening.table, "crete") == ()
    evening.do(2, HandOver(1, cards("3 gold")))
    assert [(each.posted, each.unmet) for each in other_offers(evening.table, "crete")] == [(False, "")]
    evening.sets("crete", cards("8 timber"))
    (accepted,) = other_offers(evening.table, "crete")
    assert accepted.unmet.startswith("You are short of ")
    assert [each.unmet for each in other_offers(evening.table, "egypt")] == [""]


def test_the_two_learn_what_the_others_do_not() -> None:
    settlement = settle(trading().table, Trade("egypt", "crete", cards("3 salt"), cards("3 gold")))
    assert all(not change.lost and not change.gained for change in settlement.changes.values())
    assert settlement.hidden["crete"].gained == cards("3 salt")
    assert redact(cards("3 salt")) == redact(cards("gold"))


def test_the_outlook_is_about_the_own_sets() -> None:
    evening = trading()
    evening.do(1, PostOffer(to="crete", give=cards(SALT), want=cards(GOLD)))
    seen = outlook(evening.table.seats["egypt"].holdings, cards(SALT), cards(GOLD), None)
    assert seen is not None
    assert seen.line == "Sets **29 → 38 to 41**"
    assert seen.details == (
        "Your sets are worth 38 to 41 after: 41 if your unnamed card is Epidemic, 38 if it is Salt."
    )
    own = evening.sees(1).offers[1].own
    assert (own.advice, own.details) == ((seen.line,), (seen.details,))
    assert own.choices is not None
    assert own.choices.chosen == cards("2 salt, epidemic")


def test_the_likely_cards_keep_the_promise_and_leave_the_most() -> None:
    assert likely(cards("3 salt, hides"), cards("2 salt, ?"), cards("2 gold, ?")) == cards("2 salt, hides")
    assert likely(cards("2 salt, gold"), cards("2 salt, ?"), cards("2 gold, ?")) == cards("2 salt, gold")
    assert likely(cards("2 salt"), cards("2 salt, ?"), cards("2 gold, ?")) is None
    assert likely(cards("2 salt, famine"), cards("2 salt, ?"), cards("2 gold, ?")) is None, "it can't be traded [29.2]"


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
