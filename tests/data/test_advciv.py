"""Tests of Advanced Civilization's trade cards, calamities and nations: complete, consistent, and
as printed.
"""

from collections import Counter
from typing import Any

import pytest

from data import rules
from data.advciv import (
    CALAMITIES_MAX,
    CARDS_A_SIDE,
    HAND_LIMIT,
    NAMED_A_SIDE,
    NINTH_STACK_PRICE,
    TradeCard,
    calamities,
    commodities,
    find_nation,
    find_trade_card,
    nations,
)

EVERY: tuple[TradeCard, ...] = (*commodities().values(), *calamities().values())


def test_cards_are_as_gathered(facts: dict[str, Any]) -> None:
    assert list(commodities()) == [row["id"] for row in facts["commodities"]]
    for row in facts["commodities"]:
        card = commodities()[row["id"]]
        for field in ("name", "stack", "value", "count", "mineable"):
            assert getattr(card, field) == row[field]
        counts = range(1, card.count + 1)
        assert list(map(card.set_value, counts)) == row["set_values"]
        assert card.set_value(card.count) == row["full_set"]
    assert list(calamities()) == facts["calamity_resolution_order"]
    for row in facts["calamities"]:
        calamity = calamities()[row["id"]]
        assert calamity.name == row["name"].replace(" / ", " or ")
        assert (calamity.stack, calamity.order) == (row["stack"], row["resolution_order"])
        assert (calamity.tradable, calamity.trader_matters) == (
            row["tradable"],
            row["trader_matters"],
        )
        assert list(calamity.never) == row.get("never", [])
        assert set(calamity.never) <= set(nations())
    assert sum(card.count for card in commodities().values()) == facts["commodity_cards_total"]
    assert len(calamities()) == facts["calamity_cards_total"]
    constants = facts["constants"]
    assert constants["min_cards_per_side"] == CARDS_A_SIDE
    assert constants["min_truthful_named"] == NAMED_A_SIDE
    assert constants["hand_limit_commodity"] == HAND_LIMIT
    assert constants["ninth_stack_price_treasury"] == NINTH_STACK_PRICE
    assert constants["max_primary_calamities"] == CALAMITIES_MAX


def test_two_commodities_a_stack_and_calamities_from_the_second_on() -> None:
    stacks = Counter(card.stack for card in commodities().values())
    assert stacks == dict.fromkeys(range(1, 10), 2)
    assert {card.stack for card in calamities().values() if card.tradable} == {
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
    }
    kept = [card for card in calamities().values() if not card.tradable]
    assert {card.stack for card in kept} == {2, 3, 4, 5}


def test_commodities_stand_in_the_order_of_the_stacks() -> None:
    stacks = [card.stack for card in commodities().values()]
    assert stacks == sorted(stacks)


def test_calamities_are_resolved_upwards_and_the_untradable_first_29_6() -> None:
    every = list(calamities().values())
    assert [card.order for card in every] == list(range(1, 13))
    assert every == sorted(every, key=lambda card: (card.stack, card.tradable))


def test_no_set_is_bigger_than_what_was_printed_28_52() -> None:
    for card in commodities().values():
        for n in (-1, card.count + 1):
            with pytest.raises(ValueError, match=card.id):
                card.set_value(n)


def test_only_a_calamity_that_is_traded_asks_for_its_trader() -> None:
    asks = {card.id for card in calamities().values() if card.trader_matters}
    assert asks == {"treachery", "barbarian_hordes", "epidemic", "iconoclasm_heresy", "piracy"}
    for card in calamities().values():
        assert card.tradable or not card.trader_matters
        assert ("traded it" in card.reminder) is card.trader_matters


def test_a_reminder_is_one_sentence() -> None:
    for card in calamities().values():
        assert card.reminder.endswith(".")
        assert card.reminder.count(".") == 1


def test_a_card_is_found_by_all_its_names() -> None:
    for card in EVERY:
        for text in (card.id, card.name, *card.aliases):
            for typed in (text, text.upper(), f"  {text.lower()} ", text.replace(" ", "-")):
                assert find_trade_card(typed) == card, typed


def test_a_card_is_found_as_people_say_it(subtests: pytest.Subtests) -> None:
    for typed, id in [
        ("ochres", "ochre"),
        ("ocher", "ochre"),
        ("hide", "hides"),
        ("irons", "iron"),
        ("papyri", "papyrus"),
        ("Salts", "salt"),
        ("timbers", "timber"),
        ("grains", "grain"),
        ("oils", "oil"),
        ("cloths", "cloth"),
        ("wines", "wine"),
        ("bronzes", "bronze"),
        ("silvers", "silver"),
        ("SPICE", "spices"),
        ("resins", "resin"),
        ("gem", "gems"),
        ("dyes", "dye"),
        ("golds", "gold"),
        ("ivories", "ivory"),
        ("volcano", "volcano_earthquake"),
        ("volcanoes", "volcano_earthquake"),
        ("Earthquake", "volcano_earthquake"),
        ("volcanic eruption", "volcano_earthquake"),
        ("Volcanic Eruption / Earthquake", "volcano_earthquake"),
        ("treacheries", "treachery"),
        ("famines", "famine"),
        ("civil wars", "civil_war"),
        ("revolt", "slave_revolt"),
        ("floods", "flood"),
        ("barbarians", "barbarian_hordes"),
        ("barbarian", "barbarian_hordes"),
        ("barbarian horde", "barbarian_hordes"),
        ("epidemics", "epidemic"),
        ("disorder", "civil_disorder"),
        ("iconoclasm", "iconoclasm_heresy"),
        ("heresy", "iconoclasm_heresy"),
        ("iconoclasm & heresy", "iconoclasm_heresy"),
        ("pirates", "piracy"),
    ]:
        with subtests.test(typed):
            assert find_trade_card(typed) == {card.id: card for card in EVERY}[id]


def test_no_card_is_guessed() -> None:
    typed = ("", "?", "s", "papyru", "civil", "nothing", "2", "card", "water", "egypt")
    assert [text for text in typed if find_trade_card(text) is not None] == []


def test_ten_nations_in_ast_order() -> None:
    # Iberia takes Italy's place
    places = [nation.ast for nation in nations().values()]
    assert places == [1, 2, 2, *range(3, 10)]
    africa, *_, egypt = nations()
    assert (africa, egypt) == ("africa", "egypt")
    assert list(nations())[1:4] == ["italy", "iberia", "illyria"]


def test_a_nation_is_found_by_all_its_names() -> None:
    for nation in nations().values():
        for text in (nation.id, nation.name, nation.short):
            for typed in (text, text.upper(), f"  {text.lower()} "):
                assert find_nation(typed) == nation, typed


def test_no_nation_is_guessed() -> None:
    for text in ("", "persia", "gold", "a"):
        assert find_nation(text) is None, text


def test_what_can_be_refused_and_what_the_bot_sees_to() -> None:
    refusable = {number for number, rule in rules("advciv").items() if rule.refusable}
    drawing_and_trade = {"27.1", "27.4", "27.5", "28.1", "28.2", "28.3", "28.4", "28.41", "28.53"}
    assert refusable == drawing_and_trade | {
        "15.62",
        "24.51",
        "29.1",
        "29.2",
        "29.3",
        "31.1",
        "31.71",
        "31.72",
    }
    assert set(rules("advciv")) - refusable == {
        *("15.2", "24.53"),
        *("27.2", "27.21", "27.3"),
        *("28.5", "28.51", "28.52"),
        *("29.5", "29.6", "29.61", "29.7"),
        "30.52",
        "31.81",
    }


def test_every_number_in_the_rules_own_words_fits_the_cards() -> None:
    """The examples that the rules give are worked out from the cards."""
    texts = {number: rule.text for number, rule in rules("advciv").items()}
    assert f"= {commodities()['salt'].set_value(4)}." in texts["28.51"]
    gold = commodities()["gold"]
    assert f"three gold make {gold.set_value(4)} and not {gold.set_value(3)}" in texts["28.53"]
    assert commodities()["salt"].value == commodities()["timber"].value
    assert f"costs {NINTH_STACK_PRICE} tokens" in texts["27.5"]
    assert all(card.tradable or card.name in texts["29.2"] for card in calamities().values())
