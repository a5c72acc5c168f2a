"""Tests of offers as cards and lines: their texts and buttons for each person."""

from __future__ import annotations

import re

import pytest

from bot.games.ti4.turns import StartTurn
from bot.rules.commands import Press
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.offers.posting import PauseOffer, PostOffer
from bot.rules.features.offers.signing import Declare, Sign
from bot.rules.features.seats import SeatLeft, SeatTaken
from bot.rules.model.actions import LabelledAction
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.offer import Sides
from bot.rules.model.violation import Violation
from bot.rules.views import OfferMove
from bot.show.cards import Card, Select
from bot.show.deals import deal_text
from bot.show.offer_cards import (
    confirmed_card,
    missed_card,
    offer_card,
    offers_card,
    posted_receipt_card,
    timeless,
)
from bot.show.results import public_result_card, result_card
from tests.show.playing import World, buttons_of, labels_of, table_of, with_changes

TRADE_GOOD = Goods({"trade_good": 1})


def offered(to: str | None = "sol", turn: bool = True) -> World:
    world = table_of(3)
    if turn:
        world.do(StartTurn("hacan"))
    world.do(PostOffer(to, TRADE_GOOD, Goods({"commodity": 1}), "soon"))
    return world


# ---------------------------------------------------------------- who sees which buttons


@pytest.mark.parametrize("person", [0, 1, 3])
def test_a_card_that_stays_is_the_same_in_every_turn(person: int) -> None:
    """Else every turn would redraw every card."""
    mine, others = offered(), offered()
    others.do(StartTurn("letnev"))
    now, then = mine.offer(1, person), others.offer(1, person)
    assert now[1].ruling.why_not is None
    assert then[1].ruling.why_not is not None
    assert offer_card(*now) == offer_card(*then)
    assert offer_card(*now, now=True) != offer_card(*then, now=True)


def test_only_the_card_of_the_one_it_is_for_says_what_accepting_does_now() -> None:
    mine, others = offered(), offered()
    others.do(StartTurn("letnev"))
    now, then = mine.offer(1, 2), others.offer(1, 2)
    assert offer_card(*now).blocks != offer_card(*then).blocks
    before = offer_card(now[0], timeless(*now))
    assert before == offer_card(then[0], timeless(*then))


def test_those_who_accepted_are_picked_from_above_the_posters_row() -> None:
    view, offer = offered(to=None).offer(1, 1)
    takers = ("sol", "letnev") * 6
    card = offer_card(view, with_changes(offer, takers=takers, pickable=takers))
    assert [len(row) for row in buttons_of(card)] == [5, 5, 3]
    assert labels_of(card)[0][:2] == ["Trade with p2", "Trade with p3"]
    assert card.blocks[-1].startswith("🤝 Accepted by p2, p3, ")


def test_only_the_message_that_asks_to_confirm_has_that_button() -> None:
    view, offer = offered().offer(1, 1)
    agreed = with_changes(
        offer, agreed_by_both=True, confirming=("hacan", "sol"), actions=("confirm", "back_out")
    )
    assert labels_of(offer_card(view, agreed, now=True)) == [["Confirm", "Back out"]]
    assert labels_of(offer_card(view, agreed)) == [["Back out"]]


# ---------------------------------------------------------------- how it stands


AGREED = "🤝 Agreed by both, not binding yet. "
NOT_NOW = Violation("94.1", "Not now,", "<seat:sol>.")

STATES: list[tuple[dict[str, object], tuple[str, str], tuple[str, str]]] = [
    ({}, ("✅ Possible now.", "open"), ("", "open")),
    ({"sides": Sides(Goods({"note": 1}))}, ("✅ The rules allow it now.", "open"), ("", "open")),
    ({"until": 60_000}, ("✅ Possible now. Ends <t:60:R>.", "open"), ("Ends <t:60:R>.", "open")),
    (
        {"overruled": "94.1"},
        ("⚠️ Possible here, but against [94.1]: this table only warns.", "open"),
        ("", "open"),
    ),
    (
        {"overruled": "94.1", "warns_of": "94.1"},
        ("⚠️ Possible here, but against [94.1]: this table only warns.", "open"),
        ("⚠️ Against [94.1]: this table only warns.", "open"),
    ),
    ({"why_not": NOT_NOW}, ("⏳ Not now. Not now, p2.\n-# [94.1]", "waiting"), ("", "open")),
    (
        {"agreed_by_both": True, "ahead": True, "confirming": ("sol",)},
        (f"{AGREED}Waiting for p2 to confirm.", "open"),
        (f"{AGREED}It counts once it is confirmed; I ask when it is possible.", "open"),
    ),
    (
        {"agreed_by_both": True, "ahead": True, "why_not": NOT_NOW},
        (f"{AGREED}⏳ Not now. Not now, p2.\n-# [94.1]", "waiting"),
        (f"{AGREED}It counts once it is confirmed; I ask when it is possible.", "open"),
    ),
    (
        {"agreed_by_both": True, "handing_over": ("hacan", "sol")},
        ("🤝 Agreed. Waiting for p1 and p2 to hand over.", "open"),
        ("🤝 Agreed by both", "open"),
    ),
    (
        {"takers": ("sol",), "to": None},
        ("🤝 Accepted by p2. p1 picks one.", "open"),
        ("🤝 Accepted by p2.", "open"),
    ),
    (
        {"asks_only": True, "opens": True, "to": None, "why_not": Violation("", "x")},
        ("🔎 A wish: tap what you want for it.", "waiting"),
        ("🔎 A wish: tap what you want for it.", "open"),
    ),
    (
        {"opens": True, "why_not": Violation("", "x")},
        ("🔎 This opens a trade: press **Counter**", "waiting"),
        ("🔎 This opens a trade: press **Counter**", "open"),
    ),
    *(
        (changes, (text, "over"), (text, "over"))
        for changes, text in (
            ({"status": "void", "end_reason": "Gone."}, "✖️ No longer possible. Gone."),
            ({"status": "expired"}, "✖️ Time is up."),
            ({"status": "declined"}, "✖️ Declined by p2."),
            ({"status": "withdrawn"}, "✖️ Withdrawn by p1."),
            (
                {"status": "declined", "accepted": ("sol",)},
                "✖️ p2 backed out. Nothing has moved.",
            ),
            (
                {"status": "withdrawn", "accepted": ("sol",)},
                "✖️ p1 backed out. Nothing has moved.",
            ),
        )
    ),
    ({"status": "suspended"}, ("⏸️ Suspended by p1.", "waiting"), ("⏸️ Suspended by p1.", "waiting")),
]
"""What is changed, and the text and mood of a reply that says how it is now, and of a card that
stays.
"""


def test_how_an_offer_stands(subtests: pytest.Subtests) -> None:
    for changes, now, stays in STATES:
        with subtests.test(f"{changes}"):
            view, offer = offered().offer(1)
            changed = with_changes(offer, **changes)
            for card, (told, mood) in (
                (offer_card(view, changed, now=True), now),
                (offer_card(view, changed), stays),
            ):
                assert len(card.blocks) == (2 if told else 1)
                assert card.blocks[-1].startswith(told)
                assert card.mood == mood


def test_its_one_reader_is_called_you() -> None:
    world = offered()
    world.do(PauseOffer(1, paused=True))
    assert offer_card(*world.offer(1, 1)).blocks[-1] == "⏸️ You suspended it."
    assert offer_card(*world.offer(1, 2)).blocks[-1] == "⏸️ Suspended by p1."
    card = offer_card(*world.offer(1, 1, shared=True))
    assert card.blocks[-1] == "⏸️ Suspended by p1."


# ---------------------------------------------------------------- what for what


def lines(card: Card) -> list[str]:
    """Return the lines of a card's first block, without icons and bold."""
    text = re.sub(r"\s<icon:[^>]*>|\*\*", "", card.blocks[0])
    return text.splitlines()


# ---------------------------------------------------------------- what only the poster reads


def test_a_poster_alone_is_told_why_it_is_not_possible_now_and_what_cures_it() -> None:
    view, offer = offered(turn=False).offer(1, 1)
    assert offer.ruling.why_not is not None
    remedies = (LabelledAction("I do have them", Press(1, Declare(1))),)
    card = posted_receipt_card(view, with_changes(offer, remedies=remedies), "posted")
    assert card.blocks[0].startswith("✅ **Offer 1 to ")
    assert card.blocks[-1].startswith("⏳ Not now.")
    assert labels_of(card) == [["I do have them", "Withdraw", "Another"]]
    assert card.mood == "waiting"


def test_a_poster_alone_is_told_what_it_would_mean_for_them_and_can_hand_over_early() -> None:
    view, offer = offered().offer(1, 1)
    early: tuple[OfferMove, ...] = (*offer.buttons.actions, "hand_over")
    card = posted_receipt_card(
        view, with_changes(offer, advice=("You would have none.",), actions=early), "posted"
    )
    assert "You would have none." in card.blocks[1]
    assert labels_of(card) == [["Hand over", "Withdraw", "Another"]]


# ---------------------------------------------------------------- after the question to confirm


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"confirmed": ("hacan",)}, "You have confirmed it."),
        ({}, "⏳ Not possible now. I ask again when it is."),
        ({"status": "withdrawn"}, "You withdrew it."),
        ({"status": "resolved", "transaction": 3}, "✅ Done · transaction 3"),
    ],
)
def test_what_the_question_to_confirm_becomes(changes: dict[str, object], told: str) -> None:
    view, offer = offered().offer(1, 1)
    card = confirmed_card(view, with_changes(offer, agreed_by_both=True, **changes))  # type: ignore[arg-type]
    assert sum(told in block for block in card.blocks) == 1
    assert not any("when it is possible" in block for block in card.blocks)


# ---------------------------------------------------------------- what it says


def test_the_list_offers_those_to_look_at_that_are_for_the_reader() -> None:
    world = offered()
    world.do(PostOffer("letnev", TRADE_GOOD))
    card = offers_card(world.view(2))
    assert card is not None
    assert card.blocks[0] == "**2 open offers**"
    [select] = card.rows
    assert isinstance(select, Select)
    assert [value for _, value in select.options] == ["1"]
    assert offers_card(table_of(2).view(1)) is None


# ---------------------------------------------------------------- handing over


def test_what_was_handed_over_and_what_it_would_mean_is_said_to_its_one() -> None:
    view, offer = offered().offer(1, 1)
    card = offer_card(
        view, with_changes(offer, handed=Goods({"commodity": 2}), advice=("You would have none.",))
    )
    told = (
        "🔒 You have handed over 2 commodities. They move when the other player has handed over "
        "too."
    )
    assert lines(card)[-2:] == [told, "You would have none."]


# ---------------------------------------------------------------- in place of it


def test_who_was_not_picked_is_thanked() -> None:
    view, offer = offered(to=None).offer(1)
    card = missed_card(view, with_changes(offer, to="letnev"))
    assert card.blocks[0] == "Offer 1 went to p3. Thanks for your answer."
    assert card.rows == ()


# ---------------------------------------------------------------- seats that change hands


def traded_and_swapped() -> World:
    """alice and bob have traded, and then bob got alice's seat, and carol his."""
    world = table_of(2, called={1: "alice", 2: "bob", 3: "carol"})
    world.do(StartTurn("hacan"))
    world.do(PostOffer("sol", TRADE_GOOD, terms="peace"))
    world.do(Sign(1), 2)
    for left, person in (("hacan", 1), ("sol", 2)):
        world.adds(SeatLeft(seat=left, person=person))
    for taken, person in (("hacan", 2), ("sol", 3)):
        world.adds(SeatTaken(seat=taken, person=person, takes_over=True, hand=NOTHING))
    return world


def test_a_receipt_is_for_the_person_who_traded_and_for_no_seat() -> None:
    """Not for who has the seat now, and not from the other side for one who got the other's
    seat.
    """
    world = traded_and_swapped()
    trades = [each for each in world.entries() if isinstance(each.entry, Transaction)]
    done = trades[0].seq
    for person in (1, 2, 3, 4):
        assert result_card(world.view(person), world.entries(person)[done - 1]) is None


def test_a_card_keeps_the_names_of_the_two_it_was_between() -> None:
    world = traded_and_swapped()
    view, made = world.offer(1)
    text = repr(offer_card(view, made).blocks)
    assert "alice (Hacan) → bob (Sol)" in text
    assert "carol" not in text
    assert "alice (Hacan) and bob (Sol)" in deal_text(view, view.deals[1])
    receipt = next(each for each in world.entries() if isinstance(each.entry, Transaction))
    assert isinstance(receipt.entry, Transaction)
    assert "carol" not in repr(public_result_card(view, receipt, receipt.entry))


def test_nobody_has_a_part_in_what_others_offered_from_their_seats() -> None:
    world = traded_and_swapped()
    for person in (1, 2, 3):
        assert world.offer(1, person)[1].role is None
    for person in (1, 2, 3):
        assert not world.view(person).deals[1].mine
