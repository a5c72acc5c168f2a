"""Names are put into sentences as they are written, and text that people typed stays theirs."""

from __future__ import annotations

import pytest

from bot.rules.holdings.commands import SetHoldings
from bot.rules.model.goods import Goods
from bot.rules.model.markup import quoted
from bot.rules.model.people import Names, Person
from bot.rules.model.violation import Refused
from bot.rules.offers.commands import PostOffer
from bot.show.names import aliases, escape, format_text, game_of, is_doubtful, plain_text
from bot.show.offers import offer_card, offer_line
from bot.show.results import holdings_text
from bot.show.tables import table_card
from tests.show.playing import table_of, text_problems

NAMES = Names("ti4", {1: Person(1, 11, "al*ice"), 2: Person(2, None, "Player 2"), 3: Person(3, None, "")},
              {"hacan": 1, "sol": 2, "letnev": 3, "xxcha": None})  # fmt: skip


@pytest.mark.parametrize(
    ("text", "formatted", "plain"),
    [
        ("<seat:hacan>", "<@11>", "al*ice"),
        ("<seat:sol>", "Player 2", "Player 2"),
        ("<seat:xxcha>", "Xxcha", "Xxcha"),
        ("<player:hacan>", "<@11> (Hacan)", "al*ice (Hacan)"),
        ("<name:hacan>", "al\\*ice", "al*ice"),
        ("<beside:hacan>", " (al\\*ice)", " (al*ice)"),
        ("<beside:sol>", " (Player 2)", " (Player 2)"),
        ("<beside:letnev><beside:xxcha><beside:nowhere>", "", ""),
        ("<faction:sol>", "The Federation of Sol", "The Federation of Sol"),
        ("<person:1>", "<@11>", "al*ice"),
        ("<person:3>", "somebody", "somebody"),
        ("<person:9>", "somebody", "somebody"),
        ("<seat:nowhere> <person:x>", "nowhere x", "nowhere x"),
        (quoted("<seat:hacan> *x*\ny"), "\\<seat:hacan\\> \\*x\\* y", "<seat:hacan> *x* y"),
    ],
)
def test_each_mark_becomes_what_it_stands_for(text: str, formatted: str, plain: str) -> None:
    assert format_text(NAMES, text) == formatted
    assert plain_text(NAMES, text) == plain


@pytest.mark.parametrize("name", ["a, b", "a+b", "bob (Sol)", "Sol", "x), Sol's Ceasefire (bob", "the host"])
def test_a_name_that_would_be_misread_among_goods_does_not_stand_there(name: str) -> None:
    names = Names("ti4", {1: Person(1, 11, name)}, {"hacan": 1})
    assert plain_text(names, "<beside:hacan>") == format_text(names, "<beside:hacan>") == ""


def test_a_seat_is_meant_by_its_person_and_by_its_own_names() -> None:
    found = aliases(NAMES)
    for name in ("al*ice", "<@11>", "hacan", "the emirates of hacan"):
        assert found[name] == "hacan"


MARKUP = [
    "**bold**", "__u__ ~~s~~", "||hidden||", "`code`", "<@1> <#2>", "[a](https://b)", "# title", "a\\*b",
]  # fmt: skip


@pytest.mark.parametrize("name", MARKUP)
def test_names_are_shown_as_they_are_written(name: str) -> None:
    """In text a name is escaped; where Discord draws no markdown it stands as it is."""
    world = table_of(2, {2: name})
    world.do(SetHoldings("hacan", Goods({"note:ceasefire:sol": 1})))
    view = world.view(1)
    doubtful = is_doubtful(view, view.names.people[2])
    assert (f"Sol's Ceasefire ({escape(name)})" in holdings_text(view, "hacan")) != doubtful
    world.do(PostOffer("sol", Goods({"trade_good": 1}), terms=name))
    view, offer = world.offer(1)
    assert f"> {escape(name)}" in "\n".join(offer_card(view, offer).blocks)
    called = f"(to {name}{' (Sol)' if doubtful else ''})"
    assert escape(called) in "\n".join(table_card(view, world.pairs()).blocks)
    assert offer_line(view, offer).endswith(called)


def test_terms_are_one_line() -> None:
    """Nobody makes a card say what the bot does not: a line break would end the quote."""
    world = table_of(2)
    world.do(PostOffer("sol", Goods({"trade_good": 1}), terms="yes\n### Done: transaction 7\n-# x"))
    quotes = [block.split("\n")[0] for block in offer_card(*world.offer(1)).blocks if block.startswith(">")]
    assert quotes == ["> yes \\#\\#\\# Done: transaction 7 -\\# x"]


@pytest.mark.parametrize("name", ["<person:x>", "<seat:nowhere>", "<person:99>", "<name:sol>"])
def test_a_name_that_looks_like_a_mark_of_ours(name: str) -> None:
    """A person called so must not break the table for everybody, nor be shown as another."""
    world = table_of(2, {2: name})
    world.do(PostOffer("sol", Goods({"trade_good": 1})))
    assert name in offer_line(*world.offer(1))


@pytest.mark.parametrize("typed", ["<person:x>", "<seat:nowhere>", "3 <person:1>"])
def test_what_was_typed_is_no_mark_of_ours(typed: str) -> None:
    view = table_of(2).view()
    with pytest.raises(Refused) as refused:
        game_of(view).goods.read(typed, list(view.seats), None, aliases(view))
    sentence = format_text(view, refused.value.violation.sentence())
    assert typed.rsplit(maxsplit=1)[-1].strip("<>") in sentence


def test_a_long_mistake_is_answered_within_the_limit() -> None:
    view = table_of(2).view()
    with pytest.raises(Refused) as refused:
        game_of(view).goods.read("x" * 6000, list(view.seats), None, aliases(view))
    assert text_problems(format_text(view, refused.value.violation.sentence())) == []
