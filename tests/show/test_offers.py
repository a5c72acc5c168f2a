"""Offers as cards and lines: what they say, and which buttons they have for whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.rules.commands import Command
from bot.rules.games.ti4.commands import StartTurn
from bot.rules.model.actions import DeclareHoldings, LabelledAction, OfferAction, PickTaker
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.violation import Violation
from bot.rules.offers.commands import EndOffer, PauseOffer, PostOffer, Sign
from bot.rules.offers.entries import Transaction
from bot.rules.seats.entries import SeatLeft, SeatTaken
from bot.show.cards import Select
from bot.show.deals import deal_text
from bot.show.offers import (
    confirmed_card,
    missed_card,
    offer_card,
    offer_line,
    offers_card,
    private_offer_card,
    private_part,
)
from bot.show.results import public_result_card, result_card
from tests.show.playing import USER, World, buttons_of, labels_of, table_of

TRADE_GOOD = Goods({"trade_good": 1})


def offered(to: str | None = "sol", turn: bool = True) -> World:
    world = table_of(3)
    if turn:
        world.do(StartTurn("hacan"))
    world.do(PostOffer(to, TRADE_GOOD, Goods({"commodity": 1}), "soon"))
    return world


# ---------------------------------------------------------------- who sees which buttons


def test_the_channels_card_has_everybodys_buttons() -> None:
    rows = [["Accept", "Counter", "Decline"], ["Alter", "Suspend", "Withdraw"]]
    assert labels_of(offer_card(*offered().offer(1))) == rows


def test_the_posters_and_the_others_have_their_own() -> None:
    world = offered()
    assert labels_of(offer_card(*world.offer(1, 1))) == [["Alter", "Suspend", "Withdraw"]]
    assert labels_of(offer_card(*world.offer(1, 2))) == [["Accept", "Counter", "Decline"]]


def test_an_offer_to_all_cannot_be_declined() -> None:
    assert labels_of(offer_card(*offered(to=None).offer(1, 2))) == [["Accept", "Counter"]]


@pytest.mark.parametrize(("turn", "style"), [(True, "success"), (False, "secondary")])
def test_accept_is_grey_while_it_would_be_refused(turn: bool, style: str) -> None:
    accept = buttons_of(offer_card(*offered(turn=turn).offer(1, 2), now=True))[0][0]
    assert (accept.label, accept.style) == ("Accept", style)


@pytest.mark.parametrize("person", [0, 1, 2, 3])
def test_a_card_that_stays_is_the_same_in_every_turn(person: int) -> None:
    """Else every turn would redraw every card."""
    mine, others = offered(), offered()
    others.do(StartTurn("letnev"))
    now, then = mine.offer(1, person), others.offer(1, person)
    assert now[1].why_not is None
    assert then[1].why_not is not None
    assert offer_card(*now) == offer_card(*then)
    assert offer_card(*now, now=True) != offer_card(*then, now=True)


def test_a_suspended_offer_can_be_resumed_by_its_poster() -> None:
    world = offered()
    world.do(PauseOffer(1, paused=True))
    assert labels_of(offer_card(*world.offer(1, 1))) == [["Resume", "Withdraw"]]
    assert labels_of(offer_card(*world.offer(1, 2))) == []


def test_those_who_accepted_are_picked_from_above_the_posters_row() -> None:
    view, offer = offered(to=None).offer(1, 1)
    picks = tuple(PickTaker(1, 1, 1, seat) for seat in ("sol", "letnev") * 6)
    card = offer_card(view, replace(offer, takers=("sol", "letnev"), actions=(*picks, *offer.actions)))
    assert [len(row) for row in buttons_of(card)] == [5, 5, 3]
    assert labels_of(card)[0][:2] == ["Trade with p2", "Trade with p3"]
    assert "**Accepted** by" in card.blocks[-1]


def test_what_cures_an_offer_stands_in_its_posters_row() -> None:
    view, offer = offered(turn=False).offer(1, 1)
    cure = LabelledAction("I do have them", DeclareHoldings(1, 1))
    cured = replace(offer, remedies=(cure,))
    card = offer_card(view, cured, now=True)
    assert labels_of(card) == [["Alter", "Suspend", "Withdraw", "I do have them"]]
    assert buttons_of(card)[0][-1].style == "primary"
    assert labels_of(offer_card(view, cured)) == [["Alter", "Suspend", "Withdraw"]]


def test_only_the_message_that_asks_to_confirm_has_that_button() -> None:
    view, offer = offered().offer(1, 1)
    asked = tuple(OfferAction(1, 1, 1, what) for what in ("confirm", "back_out"))
    agreed = replace(offer, agreed_by_both=True, confirming=("hacan", "sol"), actions=asked)
    assert labels_of(offer_card(view, agreed, now=True)) == [["Confirm", "Back out"]]
    assert labels_of(offer_card(view, agreed)) == [["Back out"]]


def test_a_button_names_the_table_the_offer_and_the_revision() -> None:
    world = offered()
    for person in (0, 1, 2):
        for row in buttons_of(offer_card(*world.offer(1, person))):
            assert all(isinstance(button.action, OfferAction) for button in row)
            assert {(button.action.table, button.action.offer) for button in row} == {(1, 1)}  # type: ignore[attr-defined]
    assert f"<@{USER + 1}>" in offer_card(*world.offer(1)).blocks[0]


# ---------------------------------------------------------------- how it stands


@pytest.mark.parametrize(
    ("told", "commands"),
    [
        ("Declined", [(2, EndOffer(1, "decline"))]),
        ("Withdrawn", [(1, EndOffer(1, "withdraw"))]),
        ("Done: transaction 1", [(2, Sign(1))]),
    ],
)
def test_every_end_of_an_offer_is_told(told: str, commands: Sequence[tuple[int, Command]]) -> None:
    """An offer that is over has no buttons, and says how it ended."""
    world = offered()
    for person, command in commands:
        world.do(command, person)
    for person in (0, 1, 2):
        card = offer_card(*world.offer(1, person))
        assert told in card.blocks[-1]
        assert labels_of(card) == ([["Again"]] if told.startswith("Done") else [])
        assert "revision 1" in card.blocks[-1]


AGREED = "🤝 **Agreed** by both, binding nobody yet. "
NOT_NOW = Violation("94.1", "Not now,", "<seat:sol>.")

STATES: list[tuple[dict[str, object], tuple[str, str], tuple[str, str]]] = [
    ({}, ("🟢 **Possible now.**", "open"), ("🟢 **Open.**", "open")),
    ({"until": 60_000}, ("🟢 **Possible now.** It ends <t:60:R>.", "open"), ("🟢 **Open.** It ends <t:60:R>.", "open")),
    (
        {"overruled": "94.1"},
        ("⚠️ **Possible here**, though against [94.1]: this table only warns.", "open"), ("🟢 **Open.**", "open"),
    ),
    (
        {"overruled": "94.1", "warns_of": "94.1"},
        ("⚠️ **Possible here**, though against [94.1]: this table only warns.", "open"),
        ("⚠️ **Open**, though against [94.1]: this table only warns.", "open"),
    ),
    ({"why_not": NOT_NOW}, ("⏳ **Not now.** [94.1] Not now, <@", "waiting"), ("🟢 **Open.**", "open")),
    (
        {"agreed_by_both": True, "confirming": ("sol",)},
        (f"{AGREED}Waits for <@{USER + 2}> to confirm it.", "open"),
        (f"{AGREED}I ask you both to confirm it once it is possible.", "open"),
    ),
    (
        {"agreed_by_both": True, "why_not": NOT_NOW},
        (f"{AGREED}⏳ **Not now.** [94.1]", "waiting"),
        (f"{AGREED}I ask you both to confirm it once it is possible.", "open"),
    ),
    (
        {"handing_over": ("hacan", "sol")},
        ("🤝 **Agreed.** Waits for", "open"), ("🤝 **Agreed.** Waits for", "open"),
    ),
    (
        {"takers": ("sol",), "to": None},
        ("🟢 **Accepted** by", "open"), ("🟢 **Accepted** by", "open"),
    ),
    (
        {"asks_only": True, "why_not": Violation("", "x")},
        ("🔎 **Wanted.** Answer with an offer:", "waiting"), ("🔎 **Wanted.** Answer with an offer:", "open"),
    ),
    *(
        (changes, (text, "over"), (text, "over"))
        for changes, text in (
            ({"status": "void", "end_reason": "Gone."}, "✖️ **No longer possible.** Gone."),
            ({"status": "expired"}, "✖️ **Its time is up.**"),
            ({"status": "declined"}, f"✖️ **Declined** by <@{USER + 2}>."),
            ({"status": "withdrawn"}, f"✖️ **Withdrawn** by <@{USER + 1}>."),
        )
    ),
    ({"status": "suspended"}, (f"⏸️ **Suspended** by <@{USER + 1}>.", "waiting"), ("⏸️ **Suspended**", "waiting")),
    ({"status": "resolved", "transaction": 3}, ("✅ **Done: transaction 3.**", "done"), ("✅ **Done", "done")),
]  # fmt: skip
"""What is changed, and the text and mood of a reply that says how it is now, and of a card that stays."""


@pytest.mark.parametrize(("changes", "now", "stays"), STATES)
def test_how_an_offer_stands(changes: dict[str, object], now: tuple[str, str], stays: tuple[str, str]) -> None:
    view, offer = offered().offer(1)
    changed = replace(offer, **changes)  # type: ignore[arg-type]
    for card, (told, mood) in ((offer_card(view, changed, now=True), now), (offer_card(view, changed), stays)):
        assert card.blocks[-1].startswith(told)
        assert card.mood == mood


# ---------------------------------------------------------------- what only the poster reads


def test_a_poster_is_told_nothing_that_everybodys_card_says_already() -> None:
    assert private_part(*offered().offer(1, 1)) is None


def test_a_poster_alone_is_told_why_it_is_not_possible_now_and_what_cures_it() -> None:
    view, offer = offered(turn=False).offer(1, 1)
    assert offer.why_not is not None
    card = private_part(view, replace(offer, remedies=(LabelledAction("I do have them", DeclareHoldings(1, 1)),)))
    assert card is not None
    assert card.blocks[0].startswith("⏳ **Not now.**")
    assert card.blocks[-1] == "-# Offer #1 · only you see this"
    assert labels_of(card) == [["I do have them"]]
    assert card.mood == "waiting"


def test_a_poster_alone_is_told_what_it_would_mean_for_them_and_can_hand_over_early() -> None:
    view, offer = offered().offer(1, 1)
    early = (*offer.actions, OfferAction(1, 1, 1, "hand_over"))
    card = private_part(view, replace(offer, advice=("You would have none.",), actions=early))
    assert card is not None
    assert "You would have none." in card.blocks[0]
    assert labels_of(card) == [["Hand over"]]


# ---------------------------------------------------------------- after the question to confirm


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"confirmed": ("hacan",)}, "You have confirmed it."),
        ({}, "⏳ **Not now:** the time for it has passed. I ask again when it comes."),
        ({"status": "withdrawn"}, "**Withdrawn**"),
        ({"status": "resolved", "transaction": 3}, "**Done: transaction 3.**"),
    ],
)
def test_what_the_question_to_confirm_becomes(changes: dict[str, object], told: str) -> None:
    view, offer = offered().offer(1, 1)
    card = confirmed_card(view, replace(offer, agreed_by_both=True, **changes))  # type: ignore[arg-type]
    assert sum(told in block for block in card.blocks) == 1
    assert not any("I ask you both" in block for block in card.blocks)


# ---------------------------------------------------------------- what it says


def test_terms_are_quoted_with_a_word_on_what_they_are_worth() -> None:
    assert "> soon\n-# The trade binds; these words are a promise [D6]." in offer_card(*offered().offer(1)).blocks


def test_a_hidden_card_is_named_to_the_two_only() -> None:
    world = table_of(3)
    world.do(PostOffer("sol", Goods({"note:ceasefire:hacan": 1})))
    for person, named in ((0, False), (1, True), (2, True), (3, False)):
        view, offer = world.offer(1, person)
        assert ("Ceasefire" in "".join(offer_card(view, offer).blocks)) == named
        assert ("Ceasefire" in offer_line(view, offer)) == named
    assert "Ceasefire" not in "".join(offer_card(*world.offer(1, 2, overheard=True)).blocks)


def test_a_card_that_others_read_has_the_buttons_of_its_one() -> None:
    world = offered()
    own, overheard = offer_card(*world.offer(1, 2)), offer_card(*world.offer(1, 2, overheard=True))
    assert own.rows == overheard.rows


def test_one_line() -> None:
    assert offer_line(*offered().offer(1)) == "#1 p1: 1 trade good for 1 commodity (to p2)"
    assert offer_line(*offered(to=None).offer(1)).endswith("(to all)")


def test_the_list_offers_those_to_look_at_that_are_for_the_reader() -> None:
    world = offered()
    world.do(PostOffer("letnev", TRADE_GOOD))
    card = offers_card(world.view(2))
    assert card is not None
    assert card.blocks[0] == "**2 standing**"
    [select] = card.rows
    assert isinstance(select, Select)
    assert [value for _, value in select.options] == ["1"]
    assert offers_card(table_of(2).view(1)) is None


# ---------------------------------------------------------------- handing over


def test_handing_over_early_stands_in_the_posters_row() -> None:
    view, offer = offered().offer(1, 1)
    early = (*offer.actions, OfferAction(1, 1, 1, "hand_over"))
    [row] = buttons_of(offer_card(view, replace(offer, actions=early)))
    assert [(button.label, button.style) for button in row][-1] == ("Hand over", "secondary")


def test_what_was_handed_over_and_what_it_would_mean_is_said_to_its_one() -> None:
    view, offer = offered().offer(1, 1)
    card = offer_card(view, replace(offer, handed=Goods({"commodity": 2}), advice=("You would have none.",)))
    told = "🔒 You have handed over **2 commodities**. It moves when the other's part is there too."
    assert f"{told}\nYou would have none." in card.blocks


# ---------------------------------------------------------------- in place of it


def test_what_a_dm_could_not_carry_says_nothing_of_the_offer() -> None:
    view, offer = offered().offer(1, 2)
    card = private_offer_card(view, offer)
    assert card.blocks == ("There is something private for you.", "-# Friday")
    assert labels_of(card) == [["Show me"]]


def test_who_was_not_picked_is_thanked() -> None:
    view, offer = offered(to=None).offer(1)
    card = missed_card(view, replace(offer, to="letnev"))
    assert card.blocks[0] == "Offer #1 went to somebody else: <@1000000000000000003>. Thank you for your answer."
    assert card.rows == ()


def test_nothing_is_written_as_such() -> None:
    world = table_of(2)
    world.do(PostOffer("sol", TRADE_GOOD, NOTHING))
    assert "gives **nothing**" in offer_card(*world.offer(1)).blocks[2]


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
    """Not for who has the seat now, and not from the other side for one who got the other's seat."""
    world = traded_and_swapped()
    done = next(each.seq for each in world.entries() if isinstance(each.entry, Transaction))
    for person in (1, 2, 3, 4):
        assert result_card(world.view(person), world.entries(person)[done - 1]) is None


def test_a_card_keeps_the_names_of_the_two_it_was_between() -> None:
    world = traded_and_swapped()
    view, made = world.offer(1)
    text = repr(offer_card(view, made).blocks)
    assert f"<@{USER + 1}>" in text
    assert f"<@{USER + 2}>" in text
    assert f"<@{USER + 3}>" not in text
    assert f"<@{USER + 1}> and <@{USER + 2}>" in deal_text(view, view.deals[1])
    receipt = next(each for each in world.entries() if isinstance(each.entry, Transaction))
    assert isinstance(receipt.entry, Transaction)
    assert f"<@{USER + 3}>" not in repr(public_result_card(view, receipt, receipt.entry))


def test_nobody_has_a_part_in_what_others_offered_from_their_seats() -> None:
    world = traded_and_swapped()
    assert [world.offer(1, person)[1].role for person in (1, 2, 3)] == [None, None, None]
    assert not any(world.view(person).deals[1].mine for person in (1, 2, 3))
