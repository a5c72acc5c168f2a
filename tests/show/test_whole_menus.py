"""Tests that no menu is made by cutting: what does not fit is in a second one, or said."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from bot.rules.features.holdings import SetHoldings
from bot.rules.model.goods import Goods
from bot.rules.model.offer import Sides
from bot.rules.registry import game_named
from bot.show.actions import ChoosePlayer, PostForm
from bot.show.cards import SELECT_MAX, Button, Select, button_rows, selects
from bot.show.custom_ids import encode, placed, renumbered, without_number
from bot.show.forms import MultiSelect, Text, offer_form
from bot.show.picker import in_parts, menus, picked_goods, ticked
from tests.show.playing import table_of

ROOT = Path(__file__).parents[2]

BUILDERS = {
    "bot/show/cards.py": {"selects", "rows_of"},
    "bot/show/picker.py": {"in_parts", "menus"},
    "bot/show/forms.py": {"_side", "picks"},
    "bot/show/drafts.py": {"number_menu", "_side_rows"},
    "bot/show/menu.py": {"menu_card"},
    "bot/show/hand_drafts.py": {"_likely_wants"},  # the menu below has all of them
    "bot/show/hand_over.py": {"picks", "_rows"},  # **Details** shows what its rows leave out
    "bot/show/debts.py": {"debt_rows", "_parts"},
}
"""The functions that make menus and rows of buttons, each of which says what it leaves out."""

ALL_AT_ONCE = {
    "cogs/ti4/neighbors.py": {"neighbors_card"},
    "cogs/ti4/permits.py": {"permit_form"},
    "bot/show/forms.py": {"deal_form"},
    "bot/show/setup.py": {"seat_form"},
    "cogs/advciv/cards.py": {"asked_for_cities"},
    "cogs/ti4/commodities.py": {"ask_count"},  # a field beside it takes larger numbers
    "cogs/any/playing.py": {"bank_asked"},  # a text has at most 25 kinds of goods
    "cogs/any/questions.py": {"good_form"},
}
"""Functions that make a menu of few things: the players of a table, its seats, numbers up to 9."""

MENUS = ("Select", "MultiSelect", "Menu")
LIMITS = (
    "SELECT_MAX",
    "FIELDS_MAX",
    "PARTS",
    "BUTTONS_MAX",
    "ROWS_MAX",
    "REMEDIES_MAX",
    "TAKERS_MAX",
    "OWN_MAX",
)


def cuts(source: str) -> Iterator[tuple[str, int]]:
    """Yield the function and the line of each menu that is made, and of each slice by a limit."""
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MENUS:
                yield function.name, node.lineno
            if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
                for part in ast.walk(node.slice):
                    limit = getattr(part, "id", getattr(part, "value", None))
                    if limit in LIMITS or limit == SELECT_MAX:
                        yield function.name, node.lineno


def test_a_menu_is_made_where_what_it_leaves_out_is_said() -> None:
    found = []
    for path in sorted([*ROOT.glob("bot/**/*.py"), *ROOT.glob("cogs/**/*.py")]):
        name = path.relative_to(ROOT).as_posix()
        allowed = BUILDERS.get(name, set()) | ALL_AT_ONCE.get(name, set())
        source = path.read_text(encoding="utf-8")
        if not any(word in source for word in (*LIMITS, *MENUS, ":25]")):
            continue
        for function, line in cuts(source):
            if function not in allowed and not name.startswith("bot/testing"):
                found.append(f"{name}:{line} {function}")
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "options = options[:SELECT_MAX]",
        "shown = tuple(every[0:25])",
        "card = Select('Which?', action, options)",
    ],
)
def test_a_cut_is_found(line: str) -> None:
    assert list(cuts(f"def show():\n    {line}\n")) == [("show", 2)]


def test_what_is_chosen_comes_first_and_the_rest_is_said() -> None:
    options = [(f"player {number}", f"{number}") for number in range(60)]
    first, second, rest = selects(
        "Who?", ChoosePlayer(1), options, "/holdings show", chosen=("58",)
    )
    assert isinstance(first, Select)
    assert isinstance(second, Select)
    assert first.options[0] == ("player 58", "58")
    assert first.chosen == ("58",)
    assert second.chosen == ()
    assert len(first.options) == len(second.options) == SELECT_MAX
    assert rest == "10 more: /holdings show"


def test_of_buttons_that_have_no_place_the_number_is_said() -> None:
    buttons = [Button(f"Pay {number}", ChoosePlayer(1)) for number in range(12)]
    *rows, rest = button_rows(buttons, 10, "/debt pay")
    assert [len(row) for row in rows] == [5, 5]
    assert rest == "2 more: /debt pay"
    assert len(button_rows(buttons[:10], 10, "/debt pay")) == 2


def test_what_fits_keeps_its_order() -> None:
    options = [(f"player {number}", f"{number}") for number in range(SELECT_MAX)]
    [only] = selects("Who?", ChoosePlayer(1), options, "", chosen=("3",))
    assert isinstance(only, Select)
    assert list(only.options) == options


def test_two_menus_of_one_action_have_two_custom_ids_and_two_others_after_each_choice() -> None:
    one = encode(ChoosePlayer(1))
    before = {one, placed(one, 1)}
    for _ in range(6):
        first = min(before)
        now = {renumbered(each, first) for each in before}
        assert len(now) == 2
        assert not now & before
        assert {without_number(each) for each in now} == {one}
        before = now


def test_a_tick_in_one_menu_leaves_those_of_the_other() -> None:
    parts = in_parts([(f"card {number}", f"card:{number}", number == 30) for number in range(40)])
    assert [len(part) for part in parts] == [SELECT_MAX, 15]
    assert ticked(parts, 0, ["card:2"]) == ["card:2", "card:30"]
    assert ticked(parts, 1, []) == []


def test_of_more_amounts_than_fit_the_chosen_one_is_there() -> None:
    options = [(f"{count} of iron", f"iron#{count}", count == 28) for count in range(1, 31)]
    [part] = in_parts(options)
    [menu] = menus("Give", [part], lambda place: ChoosePlayer(1))
    assert menu.chosen == ("iron#28",)
    assert menu.options[-1][0] == "28 of iron (5 more amounts: Write it…)"


def test_the_form_keeps_in_its_text_what_its_menu_does_not_hold() -> None:
    world = table_of(8)
    seats = [world.seat(person) for person in range(1, 9)]
    notes = [f"note:{note}:{seat}" for note, seat in product(NOTES, seats)]
    held = Goods(dict.fromkeys([*notes, "note:trade_convoys:hacan", OWN], 1))
    world.do(SetHoldings("hacan", held))
    form = offer_form(world.view(1), "T", PostForm(1), "sol", Sides(held))
    gives = next(field for field in form.fields if isinstance(field, Text))
    also = next(field for field in form.fields if isinstance(field, MultiSelect))
    assert len(also.options) == SELECT_MAX
    assert also.description.endswith("2 more: type them in “You give”")
    listed = picked_goods([value for _, value, on in also.options if on])
    [left] = held - listed
    words = game_named("ti4").goods.describe(Goods({left: 1}))
    assert words.partition("<")[0] in gives.value


NOTES = ("ceasefire", "trade_agreement", "political_secret")
OWN = "note:support_for_the_throne:hacan"
