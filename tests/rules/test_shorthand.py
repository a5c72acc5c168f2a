"""Tests of the one reader of words: what people type at a table, in both games."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.advciv.cards import UNNAMED, box
from bot.games.advciv.cards import describe as describe_cards
from bot.games.advciv.cards import describe_short as describe_cards_short
from bot.games.ti4 import GAME as TI4
from bot.games.ti4.components import FRAGMENTS, UNITS, describe
from bot.rules.features.holdings import Gain
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.shorthand import Misread
from bot.rules.views import TableView
from bot.show import names
from bot.show.said import read_side
from data.ti4 import promissory_notes
from tests.games.advciv.playing import Evening
from tests.games.ti4.tables import seen, table_of, with_goods, without_goods

OURS = Goods({"trade_good": 5, "commodity": 4, "fragment:cultural": 2, "fragment:hazardous": 1})
THEIRS = Goods({"trade_good": 6, "commodity": 3, "fragment:industrial": 2})


def ti4_table() -> Table:
    """Return a table of alice (Hacan), bob (Sol) and carol (Letnev) with goods."""
    return with_goods(with_goods(table_of(), "hacan", OURS), "sol", THEIRS)


SPACE = seen(ti4_table(), 1)
"""Alice's view; she gives to bob, and wants from bob."""


def ancient(cards: dict[str, int], others: dict[str, int]) -> TableView:
    """Return the view of Egypt's player, who holds these cards, with Crete."""
    evening = Evening(3)
    evening.do(1, Gain(Goods(cards)))
    evening.do(2, Gain(Goods(others)))
    return evening.sees(1)


HAND = {"commodity:salt": 3, "commodity:iron": 2, "commodity:hides": 1}
SEA = ancient(HAND, {"commodity:grain": 3})


def read(view: TableView, side: str, text: str) -> Goods:
    other = "sol" if view.game == "ti4" else "crete"
    return read_side(view, text, view.seat if side == "give" else other)


def answer(view: TableView, side: str, text: str) -> tuple[Goods | None, str, str, str]:
    """Return the goods, or the refusal's rule, sentence and suggestion."""
    try:
        return read(view, side, text), "", "", ""
    except Refused as refused:
        meant = refused.meant if isinstance(refused, Misread) else ""
        return None, refused.violation.rule, refused.violation.sentence(), meant


# ---------------------------------------------------------------- phrases from people

READ: list[tuple[TableView, str, str, str]] = [
    (SPACE, "give", "i'd give 3 tgs", "3 tg"),
    (SPACE, "give", "three TG please and thank you!", "3 tg"),
    (SPACE, "give", "my comms, all of them pls", ""),
    (SPACE, "give", "all of my comms", "4 c"),
    (SPACE, "give", "every comm", "4 c"),
    (SPACE, "give", "half my comms", "2 c"),
    (SPACE, "give", "2 c and the rest of my tg", "2 c, 5 tg"),
    (SPACE, "give", "1 tg and the rest of my tg", "5 tg"),
    (SPACE, "give", "a couple of comms n a tg", "2 c, 1 tg"),
    (SPACE, "give", "both my crfs", "2 crf"),
    (SPACE, "give", "a pair of blue frags", "2 crf"),
    (SPACE, "give", "my red frag", "1 hrf"),
    (SPACE, "give", "throne", "my support for the throne"),
    (SPACE, "give", "my s4tt plus 1 tg", "my support for the throne, 1 tg"),
    (SPACE, "give", "convoys + 2", ""),
    (SPACE, "give", "my faction note", "trade convoys"),
    (SPACE, "give", "my race pn & alliance", "trade convoys, alliance"),
    (SPACE, "give", "i owe you 3 tg", "3 tg later"),
    (SPACE, "give", "iou 2tg, ta", "2 tg later, ta"),
    (SPACE, "give", "1 tg now and 2 tg later", "1 tg, 2 tg later"),
    (SPACE, "give", "my cf | my ta", "cf, ta"),
    (SPACE, "give", "2 tg w/ my cf", "2 tg, cf"),
    (SPACE, "give", "tg 3", "3 tg"),
    (SPACE, "give", "tgx3; c*2", "3 tg, 2 c"),
    (SPACE, "give", "3x tg", "3 tg"),
    (SPACE, "give", "3tg1c", "3 tg, 1 c"),
    (SPACE, "give", "zero tg", "nothing"),
    (SPACE, "give", "zilch", "nothing"),
    (SPACE, "give", "for free", "nothing"),
    (SPACE, "give", "0 c, 1 tg", "1 tg"),
    (SPACE, "give", "- 2 tg\n- 1 c", "2 tg, 1 c"),
    (SPACE, "give", "**2 tg** 🟡 · 1 c 📦", "2 tg, 1 c"),
    (SPACE, "give", "(2 tg and 1 c)", "2 tg, 1 c"),
    (SPACE, "give", "“2 tg”", "2 tg"),
    (SPACE, "give", "just 1 lonely tg", ""),
    (SPACE, "give", "only one tg :)", "1 tg"),
    (SPACE, "give", "2 comodities", "2 c"),
    (SPACE, "give", "2 commoditeis", "2 c"),
    (SPACE, "give", "tradde agreement", "ta"),
    (SPACE, "give", "trade agr", "ta"),
    (SPACE, "give", "politcal secret", "ps"),
    (SPACE, "give", "trade good 2", "2 tg"),
    (SPACE, "want", "ur ta", "bob's ta"),
    (SPACE, "want", "your support pls", "bob's support"),
    (SPACE, "want", "ur comms", "3 c"),
    (SPACE, "want", "all ur comms and ur cf", "3 c, bob's cf"),
    (SPACE, "want", "half ur tg", "3 tg"),
    (SPACE, "want", "2 of ur comms", "2 c"),
    (SPACE, "want", "bobs comms", "3 c"),
    (SPACE, "want", "sols ceasefire", "bob's cf"),
    (SPACE, "want", "cf from bob", "bob's cf"),
    (SPACE, "want", "the ceasefire of carol", "letnev's cf"),
    (SPACE, "want", "my ceasefire back", "hacan's cf"),
    (SPACE, "want", "political", "bob's political secret"),
    (SPACE, "want", "military", "military support"),
    (SPACE, "want", "ur faction pn", "military support"),
    (SPACE, "want", "pn: alliance", "bob's alliance"),
    (SPACE, "want", "a note: ur ceasefire, 1 tg", "bob's cf, 1 tg"),
    (SPACE, "want", "pn alliance + 1 tg", "bob's alliance, 1 tg"),
    (SPACE, "want", "any pn", "any note"),
    (SPACE, "want", "a note of your choice", "any note"),
    (SPACE, "want", "one of each frag", "1 crf, 1 hrf, 1 irf"),
    (SPACE, "want", "ind", "1 irf"),
    (SPACE, "want", "2 green fragments", "2 irf"),
    (SPACE, "want", "captured sol dread", "captured dreadnought of sol"),
    (SPACE, "want", "ur cf, ta, and 2tg.", "bob's cf, bob's ta, 2 tg"),
    (SPACE, "want", "2 trade goods + ceasefire, bob's", "2 tg, bob's cf"),
    (SPACE, "want", "Trade goods: 2", "2 tg"),
    (SEA, "give", "2 of my salt, iron", "2 salt, iron"),
    (SEA, "give", "all my salt", "3 salt"),
    (SEA, "give", "all 3 salt", "3 salt"),
    (SEA, "give", "my hides", "hides"),
    (SEA, "give", "both my iron and some", ""),
    (SEA, "give", "both irons", "2 iron"),
    (SEA, "give", "a pair of iron, whatever", "2 iron, ?"),
    (SEA, "give", "salt salt + junk", "2 salt, ?"),
    (SEA, "give", "2 salt & 1 mystery card", "2 salt, ?"),
    (SEA, "give", "2 salt n a surprise", "2 salt, ?"),
    (SEA, "give", "salt iron filler", "salt, iron, ?"),
    (SEA, "give", "2 salt, one face down", "2 salt, ?"),
    (SEA, "give", "2 salt / ?", "2 salt, ?"),
    (SEA, "give", "iron/salt, hides", "iron or salt, hides"),
    (SEA, "give", "saltx2 iron", "2 salt, iron"),
    (SEA, "give", "2 salt, plus one random", "2 salt, ?"),
    (SEA, "give", "papyrsu", "papyrus"),
    (SEA, "give", "3 cards: salt, salt pls", "2 salt, ?"),
    (SEA, "give", "2 salt, ? (no calamity!)", "2 salt, ? (no calamity!)"),
    (SEA, "give", "2 Salt 🧂 · 1 unnamed (Silver) 🎴", "2 salt, ? (silver)"),
    (SEA, "give", "salt. iron. wine.", "salt, iron, wine"),
    (SEA, "want", "ur grain, ?", "grain, ?"),
    (SEA, "want", "2 grain thx + something else", "2 grain, ?"),
    (SEA, "want", "grain or oil, 2 unknown", "grain or oil, 2 ?"),
    (SEA, "want", "anything", "?"),
    (SEA, "want", "a couple of grain", "2 grain"),
]
"""What people type, and the same as the shorthand has it; empty where it must be refused without a
suggestion.
"""


@pytest.mark.parametrize(("view", "side", "text", "means"), READ)
def test_what_people_type_means_this(view: TableView, side: str, text: str, means: str) -> None:
    goods, _, sentence, meant = answer(view, side, text)
    if not means:
        assert (goods, meant) == (None, ""), sentence
        return
    assert goods == read(view, side, means), sentence


ASKED: list[tuple[TableView, str, str, str]] = [
    (SPACE, "give", "2 coins", "2 tg"),
    (SPACE, "give", "my ceasefire and 2 credits", "my ceasefire and 2 tg"),
    (SPACE, "give", "2 gold later", "2 tg later"),
    (SPACE, "give", "3 tg counters", "3 tg"),
    (SPACE, "want", "1 blue, ur cf", "1 crf, ur cf"),
    (SPACE, "want", "1 yellow frag", "1 urf"),
    (SPACE, "want", "3 tradegoods", "3 trade goods"),
    (SPACE, "want", "acton card", "action card"),
    (SEA, "give", "2 slats, iron", "2 salt, iron"),
    (SEA, "give", "barbarian hords, ?", "barbarian hordes, ?"),
    (SEA, "give", "2 salt, irom, ?", "2 salt, iron, ?"),
]
"""What is asked back, whole."""


@pytest.mark.parametrize(("view", "side", "text", "whole"), ASKED)
def test_a_suggestion_is_the_whole_text(view: TableView, side: str, text: str, whole: str) -> None:
    goods, rule, sentence, meant = answer(view, side, text)
    assert (goods, rule, meant) == (None, "", whole)
    assert f"Did you mean “{whole}”?" in sentence
    assert read(view, side, meant)


NOT_ASKED: list[tuple[TableView, str, str, str]] = [
    (
        SPACE,
        "give",
        "2 tg next round",
        "I read 2 trade goods. “next round” I don't know: something for later is written “2 tg "
        "later”.",
    ),
    (SPACE, "give", "2 tg and a hug", "I read 2 trade goods. “a hug” I don't know."),
    (SPACE, "give", "3 tg for ur ceasefire", "names both sides"),
    (SPACE, "give", "2-3 tg", "leaves open"),
    (SPACE, "give", "up to 3 tg", "leaves open"),
    (SPACE, "give", "2 tg or 1 c", "leaves open"),
    (SPACE, "give", "ur cf", "can't tell whose"),
    (SPACE, "give", "my tg", "How many is “my tg”? There are 5."),
    (SPACE, "want", "my comms", "is not what this side of the trade has"),
    (SPACE, "want", "2 doubloons", "I don't know “2 doubloons”"),
    (SPACE, "want", "ur pn", "does not say which"),
    (SEA, "give", "one face up", "I don't know “one face up”"),
    (SEA, "give", "2 salt and no calamity", "I read 2 Salt. “no calamity” I don't know."),
    (SEA, "give", "salt?", "a named card or only a claim"),
    (SEA, "give", "2 salt later", "put it into the terms"),
    (SEA, "give", "my salt", "How many is “my salt”? There are 3."),
]
"""What is refused without a suggestion, since that would be another trade."""


@pytest.mark.parametrize(("view", "side", "text", "says"), NOT_ASKED)
def test_no_suggestion_stands_for_another_trade(
    view: TableView, side: str, text: str, says: str
) -> None:
    goods, _, sentence, meant = answer(view, side, text)
    assert (goods, meant) == (None, "")
    assert says in names.plain_text(view, sentence)


def test_all_of_a_hidden_hand_is_refused_by_its_rule() -> None:
    for text in ("all your grain", "half your grain", "all ur cards"):
        assert answer(SEA, "want", text)[1] == "27.4", text
    assert "secret" in answer(SPACE, "want", "all your notes")[2]


# ---------------------------------------------------------------- what the bot prints

COUNTED = ("trade_good", "commodity", "action_card", *(f"fragment:{kind}" for kind in FRAGMENTS))
NOTES = [f"note:{note}:sol" for note in ("ceasefire", "trade_agreement", "alliance")]
ONCE = [*NOTES, "any:note", "planet:Mecatol Rex", "relic:Maw of Worlds", "station:Oluz"]
SINGLE = st.sampled_from([*ONCE, *(f"captured:{unit}:letnev" for unit in UNITS)])
LATER = st.just("owed:trade_good")
TI4_GOODS = st.dictionaries(st.sampled_from(COUNTED) | LATER, st.integers(1, 99), max_size=4)


@given(TI4_GOODS, st.sets(SINGLE, max_size=3))
def test_every_description_of_twilight_imperium_is_read_back(
    counted: dict[str, int], single: set[str]
) -> None:
    goods = Goods(counted) + Goods.of(single)
    for shown in (describe, TI4.goods.describe_short):
        printed = names.plain_text(SPACE, shown(goods))
        for marked in (printed, f"**{printed}**", f"{printed}.", printed.replace(", ", " · ")):
            assert read_side(SPACE, marked, "sol") == goods, marked


CLAIMS = ("claim:silver", "claim:silver/gold", "said:no calamity", "either:2*grain/1*oil", UNNAMED)
CARDS = st.dictionaries(st.sampled_from((*box(), *CLAIMS)), st.just(1), max_size=6)


@given(CARDS)
def test_every_description_of_advanced_civilization_is_read_back(counts: dict[str, int]) -> None:
    goods = Goods(counts)
    for shown in (describe_cards, describe_cards_short):
        printed = names.plain_text(SEA, shown(goods))
        for marked in (printed, f"{printed}.", printed.replace(", ", " · ")):
            assert read_side(SEA, marked, "crete") == goods, marked


# ---------------------------------------------------------------- secrets and long texts

TEXTS = st.lists(
    st.sampled_from(
        [text for _, _, text, _ in (*READ, *ASKED, *NOT_ASKED)]
        + [note.name for note in promissory_notes().values()]
        + ["all", "your", "rest of", "half", "salt", "grain", ",", "and", "2", "ur", "?", "cf"]
    ),
    max_size=5,
).map(" ".join)


def ti4_twins() -> tuple[TableView, TableView]:
    """Return alice's views of two tables: bob's notes are in his own hand, or in carol's."""
    table = ti4_table()
    notes = table.seats["sol"].holdings.of_kind("note")
    return SPACE, seen(with_goods(without_goods(table, "sol", notes), "letnev", notes), 1)


TWINS = (ti4_twins(), (SEA, ancient(HAND, {"commodity:oil": 1, "calamity:famine": 1})))


@given(TEXTS)
def test_twins_that_differ_in_anothers_hand_read_and_suggest_the_same(text: str) -> None:
    for one, other in TWINS:
        for side in ("give", "want"):
            assert answer(one, side, text) == answer(other, side, text)


@given(TEXTS)
def test_what_is_suggested_is_read(text: str) -> None:
    for view in (SPACE, SEA):
        for side in ("give", "want"):
            meant = answer(view, side, text)[3]
            assert not meant or read(view, side, meant) != NOTHING
