"""Tests of the hand-over card: its text, its menu that changes nothing, and its button."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.games.advciv.cards import box
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.model.codec import digest_of_hand, read_picked, write_picked
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.views import HandOverView, OfferView, TableView
from bot.show.actions import GiveCards, PickCards
from bot.show.cards import LABEL_MAX, SELECT_MAX
from bot.show.custom_ids import encode
from bot.show.hand_over import HAND_OVER, cards_label, chosen_anew, hand_over_card
from bot.show.offer_cards import offer_card
from bot.show.picker import card_options, in_parts
from tests.games.advciv.playing import Evening, cards, held
from tests.scale import at_scale
from tests.show.playing import buttons_of, labels_of, problems, selects_of, with_changes


def agreed(hand: str = "3 salt, hides", give: str = "2 salt, ?") -> Evening:
    """Egypt and Crete have agreed; Egypt is asked to hand over."""
    evening = held({1: hand, 2: "2 grain, iron", 3: "oil"})
    want = cards("2 grain, ?")
    evening.do(1, PostOffer(to="crete", give=cards(give), want=want))
    evening.do(2, Sign(1))
    return evening


def asked(evening: Evening, person: int = 1) -> tuple[TableView, OfferView]:
    view = evening.sees(person)
    return view, view.offers[1]


def choices_of(offer: OfferView) -> HandOverView:
    assert offer.own.choices is not None
    return offer.own.choices


def test_it_says_what_comes_what_goes_and_what_is_still_to_choose() -> None:
    view, offer = asked(agreed())
    card = offer_card(view, offer)
    assert card == replace(
        hand_over_card(view, offer), line="Agreed: hand over for offer 1 · Friday"
    )
    assert card.blocks[0].splitlines()[0] == "### Choose 1 more card"
    assert card.blocks[1].splitlines()[0].endswith("and one of your choice")
    assert card.blocks[1].splitlines()[1].startswith("You get ")
    assert card.blocks[1].splitlines()[2] == "Sets **28 → 17 to 19**", "in one line"
    [menu] = selects_of(card)
    assert menu.placeholder == "Choose 3 cards"
    assert [label for label, _ in menu.options] == ["Hides", "Salt", "2 Salt", "3 Salt"]
    assert menu.details == ("set 1 → 0", "set 27 → 12", "set 27 → 3", "set 27 → 0")
    assert menu.chosen == ("commodity:hides#1", "commodity:salt#2"), "what is likely"
    hands_over = ["Hand over Salt, Salt, Hides", "Hand over Salt, Salt, Salt"]
    assert labels_of(card) == [hands_over, ["Back out", "Details"]]
    assert "19 if your unnamed card is Hides, 17 if it is Salt" in "\n".join(
        hand_over_card(view, offer, details=True).blocks
    )


def test_the_label_follows_the_choice() -> None:
    view, offer = asked(agreed())
    choices = choices_of(offer)
    for values, labels in (
        (
            ["commodity:salt#2", "commodity:hides#1"],
            ["Hand over Salt, Salt, Hides", "Hand over Salt, Salt, Salt"],
        ),
        (
            ["commodity:salt#2", "commodity:salt#3", "commodity:hides#1"],
            ["Hand over Salt, Salt, Salt", "Hand over with Hides"],
        ),
    ):
        picked = chosen_anew(view, offer, choices, choices.chosen, 0, values)
        card = hand_over_card(view, offer, picked)
        assert labels_of(card) == [labels, ["Back out", "Details"]]
        [[give, _], _] = buttons_of(card)
        assert isinstance(give.action, GiveCards)
        assert read_picked(choices.hand, give.action.picked, give.action.hand) == picked
    assert labels_of(hand_over_card(view, offer, cards("salt, hides"))) == [["Back out", "Details"]]


def test_where_every_card_was_named_there_is_nothing_to_choose() -> None:
    view, offer = asked(agreed(give="3 salt"))
    card = hand_over_card(view, offer)
    assert not selects_of(card)
    assert card.blocks[0].startswith("### Hand over 3 cards to person 2")
    assert labels_of(card) == [["Hand over Salt, Salt, Salt"], ["Back out", "Details"]]


def test_of_another_hand_the_button_means_nothing() -> None:
    before, after = (
        choices_of(asked(agreed())[1]).hand,
        choices_of(asked(agreed("3 salt, silver"))[1]).hand,
    )
    given = write_picked(before, cards("3 salt"))
    assert read_picked(before, given, digest_of_hand(before)) == cards("3 salt")
    assert read_picked(before, given, "x") is None
    assert read_picked(after, given, digest_of_hand(before)) is None


def test_a_hand_too_big_for_one_menu_has_several_and_no_kind_is_in_two() -> None:
    view, offer = asked(agreed("7 ochre, 7 hides, 8 iron, 7 papyrus", "4 iron, 2 ?"))
    card = hand_over_card(view, offer)
    assert [len(menu.options) for menu in selects_of(card)] == [22, 7]
    kinds = []
    for menu in selects_of(card):
        kinds.append({value.partition("#")[0] for _, value in menu.options})
    assert not set.intersection(*kinds)
    choices = choices_of(offer)
    picked = chosen_anew(view, offer, choices, choices.named, 1, ["commodity:papyrus#2"])
    assert picked == cards("4 iron, 2 papyrus"), "the other menu stays as it was"
    assert labels_of(hand_over_card(view, offer, picked))[0][0] == "Hand over Iron ×4, Papyrus ×2"


def test_a_stranger_value_picks_nothing() -> None:
    view, offer = asked(agreed())
    assert (
        chosen_anew(view, offer, choices_of(offer), NOTHING, 0, ["commodity:gold#1", "", "x"])
        == NOTHING
    )
    assert chosen_anew(view, offer, choices_of(offer), NOTHING, 7, ["commodity:salt#1"]) == NOTHING


@settings(max_examples=at_scale(80, 200))
@given(st.data())
def test_whatever_a_hand_and_a_choice_it_is_read_back_and_fits_discord(data: st.DataObject) -> None:
    every = dict(box())
    kinds = data.draw(
        st.lists(st.sampled_from(sorted(every)), min_size=1, max_size=40, unique=True)
    )
    counts = {kind: data.draw(st.integers(1, every[kind])) for kind in kinds}
    hand = Goods(counts)
    drawn = {kind: data.draw(st.integers(0, count)) for kind, count in counts.items()}
    picked = Goods({kind: count for kind, count in drawn.items() if count})
    view, offer = asked(agreed())
    total = max(1, picked.total())
    choices = HandOverView(named=NOTHING, total=total, hand=hand, chosen=picked)
    card = hand_over_card(
        view, with_changes(offer, table=2**40, number=99_999, choices=choices), picked
    )
    action = selects_of(card)[0].action
    assert isinstance(action, PickCards)
    assert read_picked(hand, write_picked(hand, picked), action.hand) == picked
    for menu in selects_of(card):
        assert isinstance(menu.action, PickCards)
        assert 1 <= len(menu.options) == len(menu.details) <= SELECT_MAX
        assert len(menu.chosen) <= menu.max_values
        encode(menu.action)
    assert len(cards_label(view, HAND_OVER, choices.named, picked)) <= LABEL_MAX
    for row in buttons_of(card):
        for button in row:
            encode(button.action)
    assert problems(replace(card, line="Agreed")) == []


def test_what_does_not_fit_into_five_rows_is_behind_details() -> None:
    view, offer = asked(agreed())
    choices = HandOverView(named=NOTHING, total=3, hand=box(), chosen=NOTHING)
    card, whole = (
        hand_over_card(view, with_changes(offer, choices=choices), details=more)
        for more in (False, True)
    )
    assert problems(replace(card, line="Agreed")) == []
    assert len(card.rows) == 5
    assert labels_of(card) == [["Back out", "Details"]]
    parts = in_parts(card_options(view, box(), NOTHING))
    assert len(selects_of(whole)) == len(parts) > 5
    assert problems(whole) == []
