"""Tests of how goods of Twilight Imperium 4 are written and described."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.ti4 import GAME, language
from bot.games.ti4.colors import SayColor
from bot.games.ti4.components import FRAGMENTS, UNITS, describe
from bot.games.ti4.shorthand import WORDS, played_version, read
from bot.rules.model.goods import COUNT_MAX, NOTHING, Goods
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.views import SeatView, TableView
from bot.show import names
from data import not_traded
from data.ti4 import factions, promissory_notes
from tests.games.ti4.tables import SEATS, USER, all_done, seen, table_of, with_goods, without_goods
from tests.rules import ways_of_writing

TABLE = table_of()
VIEW = seen(TABLE)


def written(text: str, giver: str | None = "hacan", view: TableView = VIEW) -> Goods:
    return read(text, view.seats, giver, names.aliases(view))


def refusal(text: str, giver: str | None = "hacan") -> str:
    with pytest.raises(Refused) as refused:
        written(text, giver)
    assert refused.value.violation.rule == "", "a mistake in the input cites no rule"
    return refused.value.violation.sentence()


def suggested(view: TableView, giver: str | None) -> list[str]:
    """Return what is suggested for this seat, or all that there is, written as in this view."""
    suggestions = GAME.goods.every(view)
    if giver:
        suggestions = GAME.goods.suggest(view.seats[giver], NOTHING)
    texts = []
    for goods in suggestions:
        text = goods.one
        if goods.several and goods.most > 1:
            text = f"{goods.most} {goods.several}"
        texts.append(names.plain_text(view, text))
    return texts


def looking(table: Table, giver: str | None, own: bool) -> TableView:
    """The table as the giver sees it, or as everybody does."""
    return seen(table, table.seats[giver].person if giver and own else None)


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
    ("demilitarized zone Arretze", {"zone:Arretze": 1}),
    ("space station Oluz", {"station:Oluz": 1}),
    ("nothing", {}),
    ("", {}),
    ("  ", {}),
]


def test_what_is_written_is_understood(subtests: pytest.Subtests) -> None:
    for text, means in ROWS:
        with subtests.test(text):
            assert written(text) == Goods(means)


def test_parts_in_any_order_and_case() -> None:
    texts = (
        "3 tg, 1 c, ceasefire",
        "1 C + CEASEFIRE+3 TG",
        "ceasefire + 3 tg + commodity",
        "2tg,c,tg, Ceasefire,",
    )
    assert {written(text) for text in texts} == {
        Goods({"trade_good": 3, "commodity": 1, "note:ceasefire:hacan": 1})
    }


PART = st.tuples(st.integers(1, 9), st.sampled_from(sorted(WORDS)))


@given(st.lists(PART, min_size=1, max_size=5))
def test_any_mixture_is_the_sum_of_its_parts(parts: list[tuple[int, str]]) -> None:
    expected, pieces = NOTHING, []
    for count, word in parts:
        expected += Goods({WORDS[word]: count})
        pieces.append(f"{count} {word.upper() if count % 2 else word}")
    assert written(", ".join(pieces)) == expected
    assert written("+".join(pieces)) == expected


def test_number_words_and_connectives(subtests: pytest.Subtests) -> None:
    for text, means in [
        ("a trade good and two commodities", {"trade_good": 1, "commodity": 2}),
        ("3 tg & ceasefire", {"trade_good": 3, "note:ceasefire:hacan": 1}),
        ("an action card + ten tg", {"action_card": 1, "trade_good": 10}),
        ("3 tg 2 c", {"trade_good": 3, "commodity": 2}),
        ("3tg 2c ceasefire", {"trade_good": 3, "commodity": 2, "note:ceasefire:hacan": 1}),
        ("tg x3, 2× crf", {"trade_good": 3, "fragment:cultural": 2}),
        ("3 tg, and a crf", {"trade_good": 3, "fragment:cultural": 1}),
        ("a ceasefire of bob and a hrf", {"note:ceasefire:sol": 1, "fragment:hazardous": 1}),
        (
            "ceasefire of sol & captured mech of bob",
            {"note:ceasefire:sol": 1, "captured:mech:sol": 1},
        ),
        ("Two Captured Mechs of Sol and a tg", {"captured:mech:sol": 2, "trade_good": 1}),
        ("planet Arretze and 2 tg", {"planet:Arretze": 1, "trade_good": 2}),
        ("trade good trade agreement", {"trade_good": 1, "note:trade_agreement:hacan": 1}),
    ]:
        with subtests.test(text):
            assert written(text) == Goods(means)


def test_a_name_is_not_split_nor_counted(subtests: pytest.Subtests) -> None:
    for name in [
        "Tom and Jerry",
        "Tom & Jerry",
        "and",
        "A",
        "Two",
        "An Ann",
        "salt & pepper and oil",
    ]:
        with subtests.test(name):
            view = seen(TABLE, names={1: "alice", 2: name, 3: "carol"})
            for form in (
                "{}'s ceasefire",
                "ceasefire of {}",
                "Sol's Ceasefire ({})",
                "a ceasefire from {}",
            ):
                assert written(f"2 tg and {form.format(name)} & a c", view=view) == Goods(
                    {"trade_good": 2, "note:ceasefire:sol": 1, "commodity": 1}
                ), form


def test_every_note_is_whole_among_connectives() -> None:
    for note in promissory_notes().values():
        owner = note.owner if note.owner != "any" else "hacan"
        if note.id in factions()[owner].lacks:
            continue
        view = seen(table_of((owner, "yssaril" if owner != "yssaril" else "yin")))
        among = written(f"a tg and {note.name} & two c", owner, view)
        alone = written(note.name, owner, view)
        assert among == alone + Goods({"trade_good": 1, "commodity": 2}), note.id


# ---------------------------------------------------------------- described and read again

MANY = ["trade_good", "commodity", "action_card", *(f"fragment:{kind}" for kind in FRAGMENTS)]
COUNTED = st.dictionaries(st.sampled_from(MANY), st.integers(1, COUNT_MAX)).map(Goods)


def described(goods: Goods) -> str:
    """As a card describes it, with plain names."""
    return names.plain_text(VIEW, describe(goods))


NAMES = {
    "note:ceasefire:hacan": "Hacan's Ceasefire (alice)",
    "note:military_support:sol": "military support of sol",
    "note:trade_convoys:hacan": "trade convoys",
}


@given(st.data(), COUNTED, st.sets(st.sampled_from(sorted(NAMES))))
def test_whichever_way_it_is_written_it_is_read_as_it_was_meant(
    data: st.DataObject, goods: Goods, notes: set[str]
) -> None:
    parts = [(NAMES[token], 1, False) for token in notes]
    for token, count in goods.items():
        name = describe(Goods({token: 2})).removeprefix("2 ")
        parts.append((name, count, True))
    text = data.draw(ways_of_writing.written(parts))
    assert written(text) == goods + Goods.of(notes), text


@given(st.data(), COUNTED)
def test_goods_with_their_numbers_need_nothing_between_them(
    data: st.DataObject, goods: Goods
) -> None:
    said = [described(Goods({token: count})) for token, count in goods.items()]
    assert written(" ".join(data.draw(st.permutations(said)))) == goods


def test_what_is_suggested_is_understood(subtests: pytest.Subtests) -> None:
    for own, giver in product([True, False], [None, *SEATS]):
        with subtests.test(f"{giver}, {own}"):
            goods = Goods(
                {
                    "trade_good": 3,
                    "captured:cruiser:sol": 1,
                    "captured:war sun:hacan": 2,
                    "planet:Arretze": 1,
                    "relic:The Codex": 1,
                }
            )
            table = with_goods(TABLE, giver, goods) if giver else TABLE
            view = looking(table, giver, own)
            read_back = [written(word, giver, view) for word in suggested(view, giver)]
            assert all(read_back)
            if giver and own:
                for token, count in table.seats[giver].holdings.items():
                    counts = [goods.count(token) for goods in read_back]
                    assert count in counts, token


def test_whatever_people_are_called_what_is_suggested_is_understood(
    subtests: pytest.Subtests,
) -> None:
    for name in [
        "O'Brien",
        "James",
        "the captain of industry",
        "Zoë",
        "ALICE B.",
        "Tom and Jerry",
        "A, B",
        "1+1",
    ]:
        with subtests.test(name):
            view = seen(TABLE, names={1: "alice", 2: name})
            words = suggested(view, "sol")
            ceasefires = [word for word in words if "ceasefire" in word.casefold()]
            assert ceasefires
            for text in ceasefires:
                assert written(text, "sol", view) == Goods({"note:ceasefire:sol": 1}), text


# ---------------------------------------------------------------- whose it is


BOBS = {1: "bob", 2: "b\u043eb", 3: "carol"}
"""Two people whose names look alike: the second is written with a Cyrillic o."""

FORMS = (
    "{}'s ceasefire",
    "ceasefire of {}",
    "ceasefire from {}",
    "ceasefire ({})",
    "{}'s Ceasefire note",
)


def test_a_factions_word_is_the_factions_whoever_is_called_so(subtests: pytest.Subtests) -> None:
    """Alice, who plays Hacan, calls herself like another faction."""
    for called, form in product(["sol", "Sol", "The Federation of Sol"], FORMS):
        with subtests.test(form.format(called)):
            view = seen(TABLE, names={1: called, 2: "bob", 3: "carol"})
            assert written(form.format(called), view=view) == Goods({"note:ceasefire:sol": 1})
            assert written(f"captured mech of {called}", view=view) == Goods(
                {"captured:mech:sol": 1}
            )


def test_no_alias_comes_before_a_factions_word() -> None:
    aliases = dict.fromkeys(("sol", "the federation of sol", "federation of sol"), "hacan")
    for called in aliases:
        assert read(f"{called}'s ceasefire", VIEW.seats, None, aliases) == Goods(
            {"note:ceasefire:sol": 1}
        )


def test_a_faction_that_is_not_here_is_nobody_who_is_called_so(subtests: pytest.Subtests) -> None:
    for form in FORMS:
        with subtests.test(form):
            view = seen(TABLE, names={1: "l1z1x", 2: "bob", 3: "carol"})
            with pytest.raises(Refused, match="can't tell whose"):
                written(form.format("l1z1x"), view=view)


def test_a_name_that_two_could_have_means_nobody(subtests: pytest.Subtests) -> None:
    for called, form in product(
        ["bob", "B\u043eb", "Bob", "b\u200bob", "@bob"], [*FORMS, "captured mech of {}"]
    ):
        with subtests.test(form.format(called)):
            view = seen(TABLE, names=BOBS)
            with pytest.raises(Refused) as refused:
                written(form.format(called), view=view)
            sentence = names.plain_text(view, refused.value.violation.sentence())
            assert "I can't tell whose" in sentence
            assert sentence.endswith(
                "Try it with the faction: Hacan (bob), Sol (b\u043eb), Letnev (carol)."
            )
            assert written(form.format("carol"), view=view).total() == 1


def test_nobodys_name_means_nobody() -> None:
    for form in (*FORMS, "captured mech of {}"):
        assert "I can't tell whose" in refusal(form.format("zed")), form


def test_with_the_faction_the_person_beside_it_may_be_called_anything(
    subtests: pytest.Subtests,
) -> None:
    for called in ["bob", "Bob", "b\u043eb", "anything at all", "sol"]:
        with subtests.test(called):
            view = seen(TABLE, names={**BOBS, 1: "alice", 3: "bob"})
            assert written(f"Sol's Ceasefire ({called})", view=view) == Goods(
                {"note:ceasefire:sol": 1}
            )
            assert written(f"2 captured mechs of Sol ({called})", view=view) == Goods(
                {"captured:mech:sol": 2}
            )


def test_two_who_are_named_at_once_are_no_owner() -> None:
    for text in (
        "sol's ceasefire (alice)",
        "bob's ceasefire (hacan)",
        "captured mech of sol (carol)",
    ):
        assert "I can't tell whose" in refusal(text), text


def test_a_factions_own_note_is_nobody_elses() -> None:
    for text in ("bob's trade convoys", "trade convoys (sol)", "trade convoys of carol"):
        assert "Trade Convoys is not one of <player:" in refusal(text), text
    for text in ("alice's trade convoys", "hacan's trade convoys (alice)", "trade convoys"):
        assert written(text) == Goods({"note:trade_convoys:hacan": 1})


# ---------------------------------------------------------------- mistakes


def test_only_whole_numbers_from_1_are_amounts(subtests: pytest.Subtests) -> None:
    for number in ["-1", "1.5", "1,5", "1e3", "1000", "0003", "9" * 40, "9" * 5000]:
        with subtests.test(number[:9]):
            refusal(f"{number} tg")


def test_a_slip_in_a_long_word_is_read(subtests: pytest.Subtests) -> None:
    for slip, meant in [
        ("comodities", "1 c"),
        ("2 commoditeis", "2 c"),
        ("2 cultral fragments", "2 crf"),
        ("ceasfire", "ceasefire"),
        ("suport for the throne", "support for the throne"),
        ("bob's aliance", "bob's alliance"),
    ]:
        with subtests.test(slip):
            assert written(slip) == written(meant)


def test_a_slip_in_a_short_word_is_asked_about(subtests: pytest.Subtests) -> None:
    for slip, meant in [
        ("3 tradegoods", "3 trade goods"),
        ("acton card", "action card"),
        ("2 tg, 1 comn later, ceasefire", ""),
        ("2 tg, 1 comn, bob's ceasefire", "2 tg, 1 comm, bob's ceasefire"),
        ("2 coins and ceasefire", "2 tg and ceasefire"),
    ]:
        with subtests.test(slip):
            if meant:
                assert f"Did you mean “{meant}”?" in refusal(slip)
            else:
                assert "Did you mean" not in refusal(slip)


def test_what_the_rules_keep_out_is_refused_by_them(subtests: pytest.Subtests) -> None:
    rules: dict[str, str] = {}
    for group in not_traded("ti4"):
        if not group.under:
            rules = dict.fromkeys(group.words, group.rule) | rules
    for word, rule in rules.items():
        with subtests.test(word):
            as_typed = (
                word,
                f"2 {word}s",
                f"a {word}",
                f"3 tg and one {word.upper()}",
                f"my {word}",
            )
            for text in as_typed:
                with pytest.raises(Refused) as refused:
                    written(text)
                assert refused.value.violation.rule == rule, text
                assert "can't be traded" in refused.value.violation.reason


def test_a_fragment_of_no_kind_is_asked_about() -> None:
    which = "does not say which: cultural, hazardous, industrial or unknown."
    for text in ("2 fragments", "fragment", "a relic fragment", "3 tg and 2 relic fragments", "rf"):
        assert which in refusal(text), text


def test_what_resembles_nothing_is_answered_with_what_there_is() -> None:
    assert "I know trade goods (tg)" in refusal("3 dilithium")


def test_a_note_without_an_owner_is_the_givers_own() -> None:
    for text in (
        "ceasefire",
        "a ceasefire, whoever's",
        "Ceasefire, anyone’s",
        "the giver's own Ceasefire",
    ):
        assert written(text, giver=None) == Goods({"note:ceasefire:own": 1}), text
        assert written(text, giver="sol") == Goods({"note:ceasefire:sol": 1}), text
    assert written("2 tg, ceasefire, whoever's, 1 c", giver=None).total() == 4
    assert written("whoever's trade convoys", giver=None) == Goods({"note:trade_convoys:hacan": 1})
    assert "I can't tell whose" in refusal("whoever's captured cruiser", giver=None)


def test_a_number_alone_and_a_unit_of_nobody() -> None:
    assert "not what" in refusal("3")
    assert "Whose cruiser is it?" in refusal("captured cruiser")
    assert "Nobody here has Gift of Prescience" in refusal("gift of prescience")


def test_there_is_one_of_each_note_planet_and_relic() -> None:
    for text in ("2 ceasefire", "3 planet Arretze", "2 relic The Codex"):
        assert "There is only one" in refusal(text), text


def test_there_is_one_of_each_also_when_it_is_named_twice() -> None:
    for text in ("ceasefire, ceasefire", "ceasefire + alice's ceasefire", "planet X, planet X"):
        assert "only one" in refusal(text), text


def test_parts_together_are_no_more_than_the_most() -> None:
    refusal(f"{COUNT_MAX} tg, {COUNT_MAX} trade goods")


def test_the_name_of_a_card_has_an_end() -> None:
    assert "not the name of a card" in refusal(f"planet {'x' * 60}")


def test_a_note_that_a_faction_does_without_is_no_note() -> None:
    view = seen(table_of(("hacan", "mahact")))
    with pytest.raises(Refused):
        written("bob's alliance", view=view)


def test_names_keep_their_capitals() -> None:
    for text in ("planet Vefut II", "relic Maw of Worlds"):
        assert text.split(" ", 1)[1] in describe(written(text))


def test_every_unit_can_be_named() -> None:
    for unit in UNITS:
        assert written(f"captured {unit} of bob") == Goods({f"captured:{unit}:sol": 1})


# ---------------------------------------------------------------- hidden hands


def worlds() -> tuple[Table, Table]:
    """Two tables that differ in hidden hands: bob's notes are in his own hand, or in carol's."""
    notes = TABLE.seats["sol"].holdings.of_kind("note")
    return TABLE, with_goods(without_goods(TABLE, "sol", notes), "letnev", notes)


def test_in_the_own_hand_the_notes_that_are_in_it_are_suggested() -> None:
    at_home, lent = (suggested(seen(table, 2), "sol") for table in worlds())
    assert "Sol's Ceasefire (bob)" in at_home
    assert "Sol's Ceasefire (bob)" not in lent


def test_cards_are_those_of_the_own_hand_and_of_anothers_all_that_could_be_in_it() -> None:
    _, lent = worlds()
    assert not GAME.goods.cards(seen(lent, 2).seats["sol"])
    assert GAME.goods.cards(seen(lent).seats["sol"]) == GAME.seats.start("sol")


def test_holdings_are_described_as_far_as_the_view_has_them() -> None:
    goods = Goods({"trade_good": 4, "captured:mech:hacan": 1, "action_card": 2})
    table = with_goods(TABLE, "sol", goods)
    own = GAME.goods.describe_holdings(seen(table, 2).seats["sol"])
    public = GAME.goods.describe_holdings(seen(table).seats["sol"])
    notes = [line for line in own if line not in public]
    assert all(line.startswith("Promissory notes: ") for line in notes)
    assert [line for line in public if line not in own] == ["Promissory notes: 6 in hand"]
    assert public == [
        "Trade goods: 4",
        "Commodities: 0 of 4",
        "Action cards: 2",
        "Promissory notes: 6 in hand",
        "Captured units: 1 mech of Hacan<beside:hacan>",
        "Tokens: trade goods 1×3 + 1×1",
    ]


def test_a_station_in_view_adds_to_the_commodity_value() -> None:
    station = Goods({"station:Oluz": 1})
    view = SeatView(id="sol", name="", short="", person=2, open=station)
    assert "Commodities: 0 of 5" in GAME.goods.describe_holdings(view)


# ---------------------------------------------------------------- other names


def everywhere(text: str, giver: str | None = "hacan") -> Goods:
    """Read a text at a table of all factions."""
    return read(text, tuple(factions()), giver, {})


def test_every_note_is_known_by_each_of_its_names(subtests: pytest.Subtests) -> None:
    for note in promissory_notes().values():
        owner = "sol" if note.owner == "any" else note.owner
        whose = factions()[owner].short.casefold()
        token = f"note:{note.id if note.owner == 'any' else played_version(note.id)}:{owner}"
        for name in (note.name.casefold(), *note.aliases):
            ways = (
                name,
                f"{name}s",
                f"the {name}",
                f"{name} note",
                f"{name} pn",
                f"{whose}'s {name}",
                f"{whose} {name}",
            )
            for typed in ways:
                with subtests.test(typed):
                    assert everywhere(typed, owner) == Goods({token: 1})


OTHER_NAMES: list[tuple[str, dict[str, int]]] = [
    ("2 cultural frags", {"fragment:cultural": 2}),
    ("a blue frag", {"fragment:cultural": 1}),
    ("2 red fragments", {"fragment:hazardous": 2}),
    ("haz frag", {"fragment:hazardous": 1}),
    ("2 ind frags", {"fragment:industrial": 2}),
    ("green relic frag", {"fragment:industrial": 1}),
    ("3 unk fragments", {"fragment:unknown": 3}),
    ("2 crfs", {"fragment:cultural": 2}),
    ("2 cultural", {"fragment:cultural": 2}),
    (
        "1 of each fragment",
        {"fragment:cultural": 1, "fragment:hazardous": 1, "fragment:industrial": 1},
    ),
    (
        "one of each frag",
        {"fragment:cultural": 1, "fragment:hazardous": 1, "fragment:industrial": 1},
    ),
    (
        "2 of each relic fragment",
        {"fragment:cultural": 2, "fragment:hazardous": 2, "fragment:industrial": 2},
    ),
    ("2 com", {"commodity": 2}),
    ("2 commods", {"commodity": 2}),
    ("2 commodity tokens", {"commodity": 2}),
    ("3 trade good tokens", {"trade_good": 3}),
    ("3 tg tokens", {"trade_good": 3}),
    ("captured dread of sol", {"captured:dreadnought:sol": 1}),
    ("2 captured dreads of sol", {"captured:dreadnought:sol": 2}),
    ("captured sol dread", {"captured:dreadnought:sol": 1}),
    ("sol's captured ws", {"captured:war sun:sol": 1}),
    ("captured flag of sol", {"captured:flagship:sol": 1}),
    ("3 captured inf of sol", {"captured:infantry:sol": 3}),
    ("cf", {"note:ceasefire:hacan": 1}),
    ("sol cf", {"note:ceasefire:sol": 1}),
    ("convoys", {"note:trade_convoys:hacan": 1}),
    (
        "sftt, ta and ps",
        {
            "note:support_for_the_throne:hacan": 1,
            "note:trade_agreement:hacan": 1,
            "note:political_secret:hacan": 1,
        },
    ),
    ("2 frags", {}),
    ("captured dread", {}),
    ("captured ship of sol", {}),
    ("captured unit", {}),
    ("1 of each", {}),
    ("a promissory note", {}),
    ("2 pns", {}),
    ("2 cf", {}),
    ("3 tg counters", {}),
    ("2 commodity upgrade", {}),
    ("trade convoys technology", {}),
    ("cultural fragment station", {}),
    ("support token", {}),
]
"""What players type, and what it means. Empty: it is unclear, and the answer names a legal good."""


@pytest.mark.parametrize(("typed", "tokens"), OTHER_NAMES)
def test_a_legal_good_under_another_name(typed: str, tokens: dict[str, int]) -> None:
    if tokens:
        assert everywhere(typed) == Goods(tokens)
        return
    with pytest.raises(Refused) as refused:
        everywhere(typed)
    violation = refused.value.violation
    assert violation.rule == ""
    legal = (
        "tg",
        "commodity",
        "crf",
        "fragment",
        "ceasefire",
        "captured cruiser",
        "captured dread",
        "convoys",
        "support",
    )
    answer = f"{violation.reason} {violation.remedy}".casefold()
    assert any(word in answer for word in legal)


def rule_against(text: str) -> str:
    """Return the rule by which these goods are refused; empty if there is none."""
    try:
        everywhere(text)
    except Refused as refused:
        return refused.violation.rule
    return ""


def test_no_note_becomes_untradeable_by_a_word_beside_it(subtests: pytest.Subtests) -> None:
    names = ["tg", "trade good", "commodity"]
    names += [note.name.casefold() for note in promissory_notes().values()]
    names += [f"{kind} fragment" for kind in FRAGMENTS]
    words: list[str] = []
    for group in not_traded("ti4"):
        words += group.words[::7]
    for name, word in product(names, words):
        with subtests.test(name, beside=word):
            assert rule_against(f"{name} {word}") == ""


def test_my_your_colours_and_all_are_read_as_the_viewer_means_them() -> None:
    table = with_goods(TABLE, "sol", Goods({"commodity": 3}))
    table = all_done(table, [SayColor("red"), SayColor("black", "sol")])
    view = seen(table, table.seats["hacan"].person)

    def here(text: str, giver: str | None) -> Goods:
        return language.read_here(view, text, giver, names.aliases(view))

    hacans = Goods({"note:support_for_the_throne:hacan": 1})
    assert here("my support", "sol") == hacans
    assert here("red's support", "sol") == hacans
    assert here("support", "hacan") == hacans
    sols = Goods({"note:support_for_the_throne:sol": 1})
    assert here("your support", "sol") == sols
    assert here("black's support", None) == sols
    assert here("black support", "hacan") == sols
    assert here("all commodities", "sol") == Goods({"commodity": 3})
    assert here("all of your commodities", "sol") == Goods({"commodity": 3})
    for text, giver in (
        ("your support", "hacan"),
        ("blue's support", "sol"),
        ("all commodities", None),
        ("all tg c", "sol"),
    ):
        with pytest.raises(Refused) as refused:
            here(text, giver)
        assert refused.value.violation.rule == ""
