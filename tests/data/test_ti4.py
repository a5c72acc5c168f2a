"""Tests of Twilight Imperium 4's factions and promissory notes: complete, consistent, and as
printed.
"""

from collections import Counter
from itertools import chain
from typing import Any

import pytest

from data._read import index, read
from data.ti4 import (
    _check,
    abilities,
    agenda_titles,
    boxes,
    commodity_losses,
    components,
    expansions,
    factions,
    find_commodity_loss,
    find_faction,
    find_note,
    find_permit_card,
    permit_cards,
    promissory_notes,
)


def test_factions_are_as_gathered(facts: dict[str, Any]) -> None:
    gathered = {row["id"]: row for row in facts["factions"]}
    assert set(factions()) == set(gathered)
    for id, row in gathered.items():
        faction = factions()[id]
        assert faction.name == row["name"]
        assert faction.expansion == row["expansion"]
        assert faction.commodity_value == row["commodity_value"]
        assert list(faction.notes) == row["faction_notes"]
        assert faction.playable_from_start is row.get("playable_from_start", True)
        assert faction.becomes == row.get("flips_to")
        assert set(row.get("aliases", ())) <= set(faction.aliases)


def test_notes_are_as_gathered(facts: dict[str, Any]) -> None:
    gathered = {row["id"]: row for row in facts["promissory_notes"]}
    assert set(promissory_notes()) == set(gathered)
    for id, row in gathered.items():
        note = promissory_notes()[id]
        assert note.name == row["name"]
        assert note.owner == row["owner"].replace("any_color", "any")
        assert note.expansion == row["expansion"]
        assert (note.enters_play != "never") is row["goes_to_play_area"]
        on_receipt = row["enters_play_area"] == "immediately_on_receipt"
        assert (note.enters_play == "on_receipt") is on_receipt
        assert (note.return_condition is not None) is row["returns_to_owner"]
        assert note.public_on_trade or not row.get("public_on_trade", False)
        assert note.purged_on_receipt is row.get("purged_on_receipt", False)
        assert note.replaces == row.get("replaces")


LIFTS = {
    "who": "neighbors",
    "how_many": "limit",
    "when": "window",
    "what": "goods",
    "commodity_value": "commodities",
    "hands": "hands",
}
"""What a permit is called that lifts a rule in this dimension."""


def test_cards_that_permit_lift_what_was_gathered_and_no_more(facts: dict[str, Any]) -> None:
    gathered = {row["id"]: row for row in facts["permit_cards"]}
    assert set(permit_cards()) == set(gathered)
    for id, row in gathered.items():
        card = permit_cards()[id]
        assert (card.name, card.expansion, card.faction) == (
            row["name"],
            row["expansion"],
            row.get("faction"),
        )
        assert set(card.lifts) == {LIFTS[each] for each in row["dimensions"]}
        assert list(card.components) == row.get("what", [])
        assert card.once is not (card.everybody or "lasts" in row), (
            "as long as it lasts, or for one trade"
        )


def test_effects_that_take_commodities_are_as_gathered(facts: dict[str, Any]) -> None:
    gathered = {row["id"]: row for row in facts["commodity_losses"]}
    assert set(commodity_losses()) == set(gathered)
    for id, row in gathered.items():
        loss = commodity_losses()[id]
        assert (loss.name, loss.expansion) == (row["name"], row["expansion"])
        assert loss.given == ("given_to" in row)
        assert (loss.to_faction or ("any" if loss.given else None)) == row.get("given_to")
        assert ("all" if loss.all else loss.amount) == row.get("amount")
        for text in (loss.id, loss.name.upper(), *loss.aliases):
            assert find_commodity_loss(text) == loss


def test_agendas_are_as_gathered(facts: dict[str, Any]) -> None:
    titled = set[tuple[str, str]]()
    for expansion, titles in agenda_titles().items():
        titled |= {(expansion, title) for title in titles}
    assert titled == {(row["expansion"], row["title"]) for row in facts["agendas"]}
    assert [len(titles) for titles in agenda_titles().values()] == [50, 13]


def test_a_card_that_permits_is_found_by_all_its_names() -> None:
    for card in permit_cards().values():
        names = [card.id, card.name, card.name.upper(), *card.aliases]
        for text in names:
            assert find_permit_card(text) == card
        assert card.faction is None or card.faction in factions()
    assert find_permit_card("commerce") is None


def test_every_expansion_has_a_name() -> None:
    printed = [*factions().values(), *promissory_notes().values(), *abilities()]
    used = {each.expansion for each in printed}
    assert used | set(components().values()) <= set(expansions())


def test_every_expansion_is_in_one_box() -> None:
    boxed = Counter(chain.from_iterable(box.has for box in boxes().values()))
    assert boxed == Counter(expansions().keys())


def test_abilities_and_components_came_with_what_was_gathered(facts: dict[str, Any]) -> None:
    gathered = {row["id"]: row["expansion"] for row in facts["modifiers"]}
    written = read("ti4", "permits")
    assert all("expansion" in row for row in written.values()), "say what it came with"
    for ability in abilities():
        assert gathered.get(ability.id, ability.expansion) == ability.expansion
    for token, id in (
        ("fragment", "relic_fragments"),
        ("captured", "captured_units"),
        ("zone", "demilitarized_zone"),
        ("station", "space_stations"),
        ("relic:Dynamis Core", "dynamis_core"),
        ("relic:The Silver Flame", "the_silver_flame"),
    ):
        assert components()[token] == gathered[id]


def test_a_second_printing_has_the_owner_of_the_first() -> None:
    second = [note for note in promissory_notes().values() if note.replaces]
    assert len(second) == 5
    for note in second:
        assert note.replaces is not None
        assert note.owner == promissory_notes()[note.replaces].owner


def test_a_faction_is_found_by_all_its_names() -> None:
    for faction in factions().values():
        for text in (
            faction.id,
            faction.name,
            faction.name.removeprefix("The "),
            faction.short,
            *faction.aliases,
        ):
            for typed in (text, text.upper(), f"  {text.lower()} "):
                assert find_faction(typed) == faction, typed


def test_a_faction_is_found_as_people_say_it(subtests: pytest.Subtests) -> None:
    for typed, id in [
        ("Hacan", "hacan"),
        ("emirates of hacan", "hacan"),
        ("Jol Nar", "jolnar"),
        ("N'orr", "sardakk"),
        ("norr", "sardakk"),
        ("mindnet", "l1z1x"),
        ("Cabal", "cabal"),
        ("ghosts", "creuss"),
        ("consortium", "ralnel"),
        ("keleresx", "keleres"),
    ]:
        with subtests.test(typed):
            assert find_faction(typed) == factions()[id]


def test_no_faction_is_guessed() -> None:
    assert [
        text for text in ("", "the", "of", "nobody", "hac") if find_faction(text) is not None
    ] == []


def test_a_note_is_found_by_all_its_names() -> None:
    for note in promissory_notes().values():
        names = [note.id, note.name, note.name.upper(), *note.aliases]
        for text in names:
            assert find_note(text) == note
    assert find_note("raghs call") == promissory_notes()["raghs_call"]
    assert find_note("stymie") == promissory_notes()["stymie"]
    assert find_note("Stymie Ω") == promissory_notes()["stymie_omega"]
    assert find_note("blank cheque") is None


def test_abilities_are_about_what_there_is() -> None:
    for ability in abilities():
        assert ability.faction is None or ability.faction in factions()
        kind, _, id = (ability.held or "").partition(":")
        assert kind != "note" or id in promissory_notes()


def test_a_name_for_two_is_an_error_and_a_hint_for_two_is_none() -> None:
    with pytest.raises(ValueError, match="names both"):
        index({"a": ["Sol"], "b": ["SOL"]})
    names = {"a": ["Sol"], "b": ["Yin"]}
    hints = {"a": ["x", "yin", "own"], "b": ["x"]}
    assert index(names, hints) == {"sol": "a", "yin": "b", "own": "a"}


def test_contradictions_are_found() -> None:
    every, notes = dict(factions()), dict(promissory_notes())
    hacan = every["hacan"]
    for wrong in (
        {"notes": ("spy_net",)},
        {"notes": ("no_such_note",)},
        {"lacks": ("spy_net",)},
        {"becomes": "nobody"},
    ):
        with pytest.raises(ValueError, match="hacan"):
            _check(every | {"hacan": hacan.model_copy(update=wrong)}, notes)
    convoys = notes["trade_convoys"]
    for wrong in (
        {"owner": "nobody"},
        {"owner": "sol"},
        {"never_to": ("nobody",)},
        {"replaces": "spy_net"},
    ):
        with pytest.raises(ValueError, match="trade_convoys"):
            _check(every, notes | {"trade_convoys": convoys.model_copy(update=wrong)})
