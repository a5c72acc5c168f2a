"""Reading and telling the goods of Twilight Imperium 4: every way to write them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.desk import Look
from bot.rules.apply import with_, with_seat
from bot.rules.commands import OpenTable, Sit
from bot.rules.games.ti4 import GAME
from bot.rules.games.ti4.components import FRAGMENTS, UNITS, WORDS, read, tell
from bot.rules.goods import MOST, NOTHING, Goods
from bot.rules.ruling import Refused
from bot.rules.table import Table
from bot.show import names
from cogs.complete import complete_goods
from tests.rules.machine import World
from tests.show.looks import USER, look_at

PEOPLE = {1: "alice", 2: "bob", 3: "carol"}
SEATS = ("hacan", "sol", "letnev")


def at_table(people: dict[int, str] = PEOPLE, seats: Sequence[str] = SEATS) -> Look:
    world = World()
    world.do(OpenTable(by=1, game="ti4"))
    for person, seat in enumerate(seats, start=1):
        world.do(Sit(by=person, seat=seat, person=person))
    return look_at(world.table, people)


LOOK = at_table()
TABLE = LOOK.table


def written(text: str, giver: str | None = "hacan", look: Look = LOOK) -> Goods:
    return read(text, look.table, giver, names.spoken(look))


def refusal(text: str, giver: str | None = "hacan") -> str:
    with pytest.raises(Refused) as refused:
        written(text, giver)
    assert refused.value.ruling.rule == "", "a mistake in the input cites no rule"
    return refused.value.ruling.sentence()


# ---------------------------------------------------------------- every row

ROWS: list[tuple[str, dict[str, int]]] = [
    ("3 tg", {"trade_good": 3}),
    ("3 trade goods", {"trade_good": 3}),
    ("trade good", {"trade_good": 1}),
    ("2 c", {"commodity": 2}),
    ("2 comm", {"commodity": 2}),
    ("2 commodities", {"commodity": 2}),
    ("commodity", {"commodity": 1}),
    ("ceasefire", {"note:ceasefire:hacan": 1}),
    ("trade agreement", {"note:trade_agreement:hacan": 1}),
    ("alice's ceasefire", {"note:ceasefire:hacan": 1}),
    ("bob's ceasefire", {"note:ceasefire:sol": 1}),
    ("ceasefire of bob", {"note:ceasefire:sol": 1}),
    ("@bob's ceasefire", {"note:ceasefire:sol": 1}),
    (f"<@{USER + 2}>'s ceasefire", {"note:ceasefire:sol": 1}),
    ("sol's ceasefire", {"note:ceasefire:sol": 1}),
    ("the federation of sol's ceasefire", {"note:ceasefire:sol": 1}),
    ("bob’s ceasefire", {"note:ceasefire:sol": 1}),
    ("trade convoys", {"note:trade_convoys:hacan": 1}),
    ("military support", {"note:military_support:sol": 1}),
    ("2 cultural fragments", {"fragment:cultural": 2}),
    ("chrf", {"fragment:cultural": 1}),
    ("2 crf", {"fragment:cultural": 2}),
    ("hrf", {"fragment:hazardous": 1}),
    ("irf", {"fragment:industrial": 1}),
    ("3 urf", {"fragment:unknown": 3}),
    ("unknown relic fragment", {"fragment:unknown": 1}),
    ("2 action cards", {"action_card": 2}),
    ("captured cruiser of bob", {"captured:cruiser:sol": 1}),
    ("2 captured mechs of bob", {"captured:mech:sol": 2}),
    ("captured war sun of carol", {"captured:war sun:letnev": 1}),
    ("planet Arretze", {"planet:Arretze": 1}),
    ("relic The Silver Flame", {"relic:The Silver Flame": 1}),
    ("nothing", {}),
    ("", {}),
    ("  ", {}),
]


@pytest.mark.parametrize(("text", "means"), ROWS)
def test_what_is_written_is_understood(text: str, means: dict[str, int]) -> None:
    assert written(text) == Goods(means)


@pytest.mark.parametrize(
    "text", ["3 tg, 1 c, ceasefire", "1 C + CEASEFIRE+3 TG", "ceasefire + 3 tg + commodity", "2tg,c,tg, Ceasefire,"]
)
def test_parts_in_any_order_and_case(text: str) -> None:
    assert written(text) == Goods({"trade_good": 3, "commodity": 1, "note:ceasefire:hacan": 1})


WORD = st.sampled_from(sorted(WORDS))


@given(st.lists(st.tuples(st.integers(1, 9), WORD), min_size=1, max_size=5))
def test_any_mixture_is_the_sum_of_its_parts(parts: list[tuple[int, str]]) -> None:
    expected = sum((Goods({WORDS[word]: count}) for count, word in parts), NOTHING)
    told = [f"{count} {word.upper() if count % 2 else word}" for count, word in parts]
    assert written(", ".join(told)) == written("+".join(told)) == expected


# ---------------------------------------------------------------- told and read again

COUNTED = st.dictionaries(
    st.sampled_from(["trade_good", "commodity", "action_card", *(f"fragment:{kind}" for kind in FRAGMENTS)]),
    st.integers(1, MOST),
).map(Goods)

ONE_OF_A_KIND = [
    "note:ceasefire:hacan", "note:support_for_the_throne:sol", "note:trade_convoys:hacan", "captured:cruiser:sol",
    "captured:war sun:letnev", "captured:infantry:sol",
    "relic:The Codex",
]  # fmt: skip


def told(goods: Goods) -> str:
    """As a card tells it, with plain names."""
    return names.plain(LOOK, tell(goods))


@given(COUNTED)
def test_what_is_told_is_read_again(goods: Goods) -> None:
    assert written(told(goods)) == goods


@pytest.mark.parametrize("token", ONE_OF_A_KIND)
def test_what_is_told_of_notes_units_and_relics_is_read_again(token: str) -> None:
    assert written(told(Goods({token: 1})), giver=None) == Goods({token: 1})


@pytest.mark.parametrize("giver", [None, *SEATS])
@pytest.mark.parametrize("own", [True, False])
def test_what_is_suggested_is_understood(giver: str | None, own: bool) -> None:
    goods = Goods(
        {
            "trade_good": 3,
            "captured:cruiser:sol": 1,
            "captured:war sun:hacan": 2,
            "planet:Arretze": 1,
            "relic:The Codex": 1,
        }
    )
    table = _given(TABLE, giver, goods) if giver else TABLE
    look = look_at(table, PEOPLE)
    read_back = [written(names.plain(look, word), giver, look) for word in GAME.suggest(table, giver, own)]
    assert all(read_back)
    if giver and own:
        for token, count in table.seats[giver].holdings.items():
            assert any(found.count(token) == count for found in read_back), token


def _given(table: Table, seat: str, goods: Goods) -> Table:
    holder = table.seats[seat]
    return with_seat(table, holder.model_copy(update={"holdings": holder.holdings + goods}))


@pytest.mark.parametrize("name", [
        "O'Brien", "James", "the captain of industry", "Zoë", "ALICE B.",
        *(name
          for name in ("Tom and Jerry", "A, B", "1+1")),
    ])  # fmt: skip
def test_whatever_people_are_called_what_is_suggested_is_understood(name: str) -> None:
    look = at_table({1: "alice", 2: name})
    for word in GAME.suggest(look.table, "sol", False):
        text = names.plain(look, word)
        if "ceasefire" in text.casefold():
            assert written(text, "sol", look) == Goods({"note:ceasefire:sol": 1}), text


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "1,5", "1e3", "1000", "9" * 40])
def test_only_whole_numbers_from_1_are_amounts(number: str) -> None:
    refusal(f"{number} tg")


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("3 tradegoods", "3 trade goods"),
        ("comodities", "commodities"),
        ("2 cultral fragments", "2 cultural fragments"),
        ("ceasfire", "ceasefire"),
        ("suport for the throne", "support for the throne"),
        ("acton card", "action card"),
    ],
)
def test_a_slip_is_answered_with_the_nearest_word(slip: str, meant: str) -> None:
    assert f"Did you mean “{meant}”?" in refusal(slip)


def test_what_resembles_nothing_is_told_what_there_is() -> None:
    assert "I know trade goods (tg)" in refusal("3 dilithium")


def test_a_number_alone_a_note_of_nobody_and_a_unit_of_nobody() -> None:
    assert "not of what" in refusal("3")
    assert "Whose Ceasefire?" in refusal("ceasefire", giver=None)
    assert "Whose cruiser is it?" in refusal("captured cruiser")
    assert "Nobody here has Gift of Prescience" in refusal("gift of prescience")


@pytest.mark.parametrize("text", ["2 ceasefire", "3 planet Arretze", "2 relic The Codex"])
def test_there_is_one_of_each_note_planet_and_relic(text: str) -> None:
    assert "There is only one" in refusal(text)


@pytest.mark.parametrize("text", ["ceasefire, ceasefire", "ceasefire + alice's ceasefire", "planet X, planet X"])
def test_there_is_one_of_each_also_when_it_is_named_twice(text: str) -> None:
    assert "only one" in refusal(text)


def test_parts_together_are_no_more_than_the_most() -> None:
    refusal(f"{MOST} tg, {MOST} trade goods")


def test_a_note_that_a_faction_does_without_is_no_note() -> None:
    look = at_table(seats=("hacan", "mahact"))
    with pytest.raises(Refused):
        written("bob's alliance", look=look)


@pytest.mark.parametrize("text", ["planet Vefut II", "relic Maw of Worlds"])
def test_names_keep_their_capitals(text: str) -> None:
    assert text.split(" ", 1)[1] in tell(written(text))


# ---------------------------------------------------------------- hidden hands


def worlds() -> tuple[Table, Table]:
    """Two tables that differ in hidden hands only: bob's notes lie with carol, or at home."""
    bob, carol = TABLE.seats["sol"], TABLE.seats["letnev"]
    lent = bob.holdings.of_kind("note")
    return TABLE, with_(
        TABLE,
        seats=TABLE.seats
        | {
            "sol": bob.model_copy(update={"holdings": bob.holdings - lent}),
            "letnev": carol.model_copy(update={"holdings": carol.holdings + lent}),
        },
    )


NOTES = [
    "ceasefire",
    "trade agreement",
    "bob's ceasefire",
    "carol's alliance",
    "military support",
    "war funding",
    "ceasfire",
]


@pytest.mark.parametrize("text", NOTES)
@pytest.mark.parametrize("giver", [None, *SEATS])
def test_reading_never_looks_at_hands(text: str, giver: str | None) -> None:
    answers = []
    for table in worlds():
        try:
            answers.append(repr(written(text, giver, look_at(table, PEOPLE))))
        except Refused as refused:
            answers.append(refused.ruling.sentence())
    assert answers[0] == answers[1]


@pytest.mark.parametrize("typed", ["", "c", "3 ", "bob", "1 c, "])
@pytest.mark.parametrize("giver", [None, *SEATS])
def test_suggestions_never_look_at_the_hands_of_others(typed: str, giver: str | None) -> None:
    one, other = (complete_goods(look_at(table, PEOPLE), giver, typed, own=False) for table in worlds())
    assert [choice.value for choice in one] == [choice.value for choice in other]


def test_in_ones_own_hand_the_notes_one_holds_are_suggested() -> None:
    at_home, lent = (complete_goods(look_at(table, PEOPLE), "sol", "ceasefire", own=True) for table in worlds())
    assert "bob's Ceasefire" in [choice.value for choice in at_home]
    assert "bob's Ceasefire" not in [choice.value for choice in lent]


def test_every_unit_can_be_named() -> None:
    for unit in UNITS:
        assert written(f"captured {unit} of bob") == Goods({f"captured:{unit}:sol": 1})
