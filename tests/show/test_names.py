"""Tests of names in sentences, and of typed text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

import pytest

from bot.rules.features.holdings import SetHoldings
from bot.rules.features.offers.posting import PostOffer
from bot.rules.model.goods import Goods
from bot.rules.model.people import Names, Person
from bot.rules.model.text import one_line, quoted, visible
from bot.rules.model.violation import Refused
from bot.show import names as shown_names
from bot.show.board import board_card, table_card
from bot.show.cards import Card
from bot.show.forms import TITLE_MAX, offer_title
from bot.show.names import (
    FSI,
    PDI,
    aliases,
    escape,
    format_text,
    game_of,
    is_doubtful,
    mention_user,
    plain_text,
)
from bot.show.narration import plain_sentence, sentence
from bot.show.notices import prompt_card
from bot.show.offer_cards import offer_card, offer_line
from bot.show.pictures import ring
from bot.show.results import holdings_text
from cogs.completion import choices
from cogs.inputs import read_goods, seats_written
from tests.scale import variants
from tests.show.playing import World, lived, problems, table_of, text_problems

NAMES = Names(
    "ti4",
    {1: Person(1, 11, "al*ice"), 2: Person(2, None, "Player 2"), 3: Person(3, None, "")},
    {"hacan": 1, "sol": 2, "letnev": 3, "xxcha": None},
)


def test_each_mark_becomes_what_it_stands_for(subtests: pytest.Subtests) -> None:
    for text, formatted, plain in [
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
    ]:
        with subtests.test(text):
            assert format_text(NAMES, text) == formatted
            assert plain_text(NAMES, text) == plain


def test_a_name_that_would_be_misread_among_goods_does_not_stand_there(
    subtests: pytest.Subtests,
) -> None:
    for name in ["a, b", "a+b", "bob (Sol)", "Sol", "x), Sol's Ceasefire (bob", "the host"]:
        with subtests.test(name):
            people = {1: Person(1, 11, name)}
            names = Names("ti4", people, {"hacan": 1})
            assert plain_text(names, "<beside:hacan>") == format_text(names, "<beside:hacan>") == ""


def test_a_seat_is_meant_by_its_person_and_by_its_own_names() -> None:
    found = aliases(NAMES)
    for name in ("al*ice", "<@11>", "hacan", "the emirates of hacan"):
        assert found[name] == "hacan"


MARKUP = [
    "**bold**",
    "__u__ ~~s~~",
    "||hidden||",
    "`code`",
    "<@1> <#2>",
    "[a](https://b)",
    "# title",
    "a\\*b",
]


def test_names_are_shown_as_they_are_written(subtests: pytest.Subtests) -> None:
    """In text a name is escaped; where Discord draws no markdown it stands as it is."""
    for name in MARKUP:
        with subtests.test(name):
            world = table_of(2, {2: name})
            world.do(SetHoldings("hacan", Goods({"note:ceasefire:sol": 1})))
            view = world.view(1)
            doubtful = is_doubtful(view.names, view.names.people[2])
            assert (f"Sol's Ceasefire ({escape(name)})" in holdings_text(view, "hacan")) != doubtful
            world.do(PostOffer("sol", Goods({"trade_good": 1}), terms=name))
            view, offer = world.offer(1)
            assert f"promises**: {escape(name)}" in "\n".join(offer_card(view, offer).blocks)
            called = f"{name}{' (Sol)' if doubtful else ''}"
            assert f"→ {escape(called)} ·" in "\n".join(board_card(view).blocks)
            assert offer_line(view, offer).endswith(f"(to {called})")


def test_terms_are_one_line() -> None:
    """Nobody makes a card say what the bot does not: a line break would end the quote."""
    world = table_of(2)
    world.do(PostOffer("sol", Goods({"trade_good": 1}), terms="yes\n### Done: transaction 7\n-# x"))
    lines = "\n".join(offer_card(*world.offer(1)).blocks).splitlines()
    quotes = [line for line in lines if line.startswith(">")]
    assert quotes == ["> **p1 promises**: yes \\#\\#\\# Done: transaction 7 -\\# x"]


def test_a_name_that_looks_like_a_mark_of_ours(subtests: pytest.Subtests) -> None:
    """A person called so must not break the table for everybody, nor be shown as another."""
    for name in ["<person:x>", "<seat:nowhere>", "<person:99>", "<name:sol>"]:
        with subtests.test(name):
            world = table_of(2, {2: name})
            world.do(PostOffer("sol", Goods({"trade_good": 1})))
            assert name in offer_line(*world.offer(1))


def test_what_was_typed_is_no_mark_of_ours(subtests: pytest.Subtests) -> None:
    for typed in ["<person:x>", "<seat:nowhere>", "3 <person:1>"]:
        with subtests.test(typed):
            view = table_of(2).view()
            goods = game_of(view).goods
            with pytest.raises(Refused) as refused:
                goods.read(typed, list(view.seats), None, aliases(view))
            sentence = format_text(view, refused.value.violation.sentence())
            assert typed.rsplit(maxsplit=1)[-1].strip("<>") in sentence


def test_a_long_mistake_is_answered_within_the_limit() -> None:
    view = table_of(2).view()
    goods = game_of(view).goods
    with pytest.raises(Refused) as refused:
        goods.read("x" * 6000, list(view.seats), None, aliases(view))
    assert text_problems(format_text(view, refused.value.violation.sentence())) == []


# ---------------------------------------------------------------- names that could be taken for ano

CYRILLIC = "b\u043eb"
"""Looks like bob."""

DOUBTFUL = [
    CYRILLIC,
    "bob",
    "Bob",
    "b o b",
    "b\u200bob",
    "\u202ebob",
    "b0b",
    "Sol",
    "s\u043el",
    "the federation of sol",
    "Letnev",
    "Xxcha",
    "barony",
    "the host",
    "Bourse",
    "B\u043eurse",
    "everybody",
    "Player 3",
    "(no seat)",
    "bob (Hacan)",
    "bob: 9 tg for nothing",
]
CLEAR = ["alice", "bobby", "Zo\u00eb", "Tom and Jerry", "O'Brien", "\u738b", "\U0001f600", "al*ice"]


def two(called: str, host: str = "hosting") -> Names:
    """Return the names of a table: person 1 has this name, person 2 is bob, and person 3, who does
    not sit, hosts.
    """
    called_so = (called, "bob", host)
    people = {}
    for number, name in enumerate(called_so, 1):
        people[number] = Person(number, 10 + number, name)
    return Names("ti4", people, {"hacan": 1, "sol": 2, "letnev": None})


def test_a_name_that_could_be_taken_for_another_comes_with_its_seat(
    subtests: pytest.Subtests,
) -> None:
    for called in DOUBTFUL:
        with subtests.test(called):
            names = two(called)
            shown = one_line(called)
            for text in ("<seat:hacan>", "<player:hacan>", "<person:1>"):
                assert format_text(names, text) == "<@11> (Hacan)"
                assert plain_text(names, text) == f"{shown} (Hacan)"
            assert mention_user(names, 11) == "<@11> (Hacan)"
            assert (
                shown_names.name(names, "hacan")
                == plain_text(names, "<name:hacan>")
                == f"{shown} (Hacan)"
            )
            assert one_line(called).casefold() not in {*aliases(names)} - {
                "sol",
                "the federation of sol",
                "letnev",
            }


def test_a_name_like_no_other_stands_alone(subtests: pytest.Subtests) -> None:
    for called in CLEAR:
        with subtests.test(called):
            names = two(called)
            assert format_text(names, "<seat:hacan> <person:1> <seat:sol>") == "<@11> <@11> <@12>"
            assert (
                plain_text(names, "<seat:hacan> <person:1> <seat:sol>") == f"{called} {called} bob"
            )
            assert aliases(names)[called.casefold()] == "hacan"


def test_both_of_two_alike_are_told_apart_and_who_has_no_seat_by_number() -> None:
    names = two(CYRILLIC, host="B0B")
    assert format_text(names, "<seat:hacan> <seat:sol> <person:3>") == (
        "<@11> (Hacan) <@12> (Sol) <@13> (no seat, person 3)"
    )
    assert plain_text(names, "<person:1> <person:2> <person:3>") == (
        f"{CYRILLIC} (Hacan) bob (Sol) B0B (no seat, person 3)"
    )
    assert "bob" not in aliases(names)


def test_a_name_like_a_mention_is_no_mention() -> None:
    """Whoever calls herself <@12> is not meant where the person with that id is."""
    assert aliases(two("<@12>"))["<@12>"] == "sol"


def test_who_was_erased_is_marked_by_nothing_else() -> None:
    assert plain_text(NAMES, "<person:2>") == "Player 2"


def test_who_has_an_empty_name_is_called_by_number() -> None:
    names = two("\u200b\u3164")
    assert plain_text(names, "<person:1> <name:hacan> <beside:hacan>") == "Player 1 Hacan "


def test_the_ring_in_words_tells_two_apart() -> None:
    world = table_of(3, {1: "bob", 2: CYRILLIC, 3: "carol"})
    seen = ring.ring_of(world.view(), world.pairs())
    assert seen is not None
    assert f"bob (Hacan), {CYRILLIC} (Sol), carol (Letnev)" in ring.alt(seen)
    assert f"bob (Hacan) with {CYRILLIC} (Sol)" in ring.alt(seen)


# ---------------------------------------------------------------- what nobody sees

UNSEEN = "\u202e\u2066\u200b\u200d\ufeff\x00\x1b\x7f\xad\ue000\u3164\u2028"
NASTY = {n: f"{UNSEEN}p{n}@here\n### `[x](https://y)` <@{n}>{UNSEEN}" for n in range(1, 11)}
ALIKE = {
    n: "b" * n + "ob" * (30 - n) if n > 5 else ("bob", "Bob", "b0b", CYRILLIC, "b ob")[n - 1]
    for n in range(1, 11)
}


def told(card: Card) -> Iterator[str]:
    """Yield every text of a card."""
    yield from card.blocks
    for row in card.rows:
        yield from (
            (button.label for button in row)
            if isinstance(row, tuple)
            else (label for label, _ in row.options)
        )


def read_by(world: World, person: int) -> tuple[list[Card], list[str]]:
    """Return the cards of a table for a person, and every text that they read there."""
    view = world.view(person)
    cards = [offer_card(view, offer) for offer in view.offers.values()]
    cards += [table_card(view, world.pairs(person)), board_card(view)]
    cards += [prompt_card(view, prompt) for prompt in view.prompts]
    texts = list(chain.from_iterable(map(told, cards)))
    texts += [holdings_text(view, seat) for seat in view.seats]
    texts += [sentence(entry) for entry in world.entries(person)]
    texts += [plain_sentence(entry) for entry in world.entries(person)]
    return cards, texts


@pytest.mark.parametrize("seed", variants(*range(3)))
def test_no_card_and_no_sentence_has_what_nobody_sees(seed: int) -> None:
    world = lived(seed, called=NASTY)
    for person in (0, *range(1, 7)):
        cards, texts = read_by(world, person)
        # Our own signs, such as the pause of a suspended offer, choose their coloured shape with
        # U+FE0F; a good's icon stays on the line of its word.
        for text in texts:
            assert visible(text) == text.replace("\ufe0f", "").replace("\xa0<icon", " <icon")
        assert not any("\n### `" in text for text in texts)
        blocks = chain.from_iterable(card.blocks for card in cards)
        assert not any(re.search(r"(?<!\\)(\[x|@here)", text) for text in blocks)


@pytest.mark.parametrize("seed", variants(*range(3)))
def test_cards_have_room_for_the_marks(seed: int) -> None:
    world = lived(seed, called=ALIKE)
    for person in (0, 1, 2):
        view = world.view(person)
        assert problems(*(offer_card(view, offer) for offer in view.offers.values())) == []
        assert problems(table_card(view, world.pairs(person))) == []
        assert problems(board_card(view)) == []


def test_a_form_has_room_for_its_title() -> None:
    long = "b" + "ob" * 15 + "!"
    called = {n: long[: 32 - n // 8] for n in range(1, 9)}
    view = table_of(8, called).view(1)
    assert offer_title(view, "sol") == "An offer to Sol"
    assert max(len(offer_title(view, seat)) for seat in view.seats) <= TITLE_MAX
    assert offer_title(table_of(2, {2: long}).view(1), "sol") == f"An offer to {long}"


def test_no_text_of_a_person_begins_a_list() -> None:
    for text in ("- item", "+ item", "1. item", "12) item", "  - item"):
        assert escape(text) in ("\\- item", "\\+ item", "1\\. item", "12\\) item")


def test_no_text_of_a_person_looks_like_a_call() -> None:
    assert escape("@everyone @here <@&7>") == "\\@everyone \\@here \\<@&7\\>"


def test_no_link_of_a_person_is_previewed() -> None:
    assert escape("see https://a.b/c") == "see https:\\//a.b/c"
    assert escape("discord.gg/abc") == "discord.gg\\/abc"
    assert escape("discord.com/invite/abc") == "discord.com\\/invite/abc"
    assert escape("3/4 and/or") == "3/4 and/or"


def test_what_nobody_sees_is_not_shown_wherever_text_comes_from() -> None:
    assert escape(f"{UNSEEN}a{UNSEEN}*b*{UNSEEN}") == "a \\*b\\*"
    assert plain_text(NAMES, quoted(f"{UNSEEN}a{UNSEEN}b{UNSEEN}")) == "a b"


# ---------------------------------------------------------------- names that are written from right

HEBREW = {n: f"שלום {'*~_'[n % 3]} עליכם {n}" for n in range(1, 11)}
ISOLATED = re.compile(f"{FSI}[^{FSI}{PDI}]*{PDI}")


@pytest.mark.parametrize("seed", variants(*range(3)))
def test_a_name_in_another_direction_is_isolated_wherever_it_stands(seed: int) -> None:
    world = lived(seed, called=HEBREW)
    for person in (0, 1, 2):
        _, texts = read_by(world, person)
        assert any("עליכם" in text for text in texts)
        assert [
            text for text in texts if "ש" in ISOLATED.sub("", text) or FSI in ISOLATED.sub("", text)
        ] == []
    _, texts = read_by(lived(seed, called=NASTY), 1)
    assert not any(FSI in text for text in texts), "no other name needs it"


def test_so_are_a_table_s_name_and_whatever_else_was_typed() -> None:
    assert (
        escape("*ערב* 3")
        == plain_text(NAMES, quoted("*ערב* 3")).replace("*", "\\*")
        == f"{FSI}\\*ערב\\* 3{PDI}"
    )
    assert (
        escape(f"to {FSI}שלום{PDI}: {FSI}سلام{PDI}  now")
        == f"to {FSI}שלום{PDI}: {FSI}سلام{PDI} now"
    )


def test_it_is_the_same_name_with_and_without() -> None:
    """People copy what they read."""
    view = table_of(2, {2: "דוד"}).view(1)
    shown = shown_names.plain_player(view, "sol")
    assert shown == f"{FSI}דוד{PDI} (Sol)"
    assert [each.value for each in choices([(shown, "sol"), ("Letnev", "letnev")], "דוד")] == [
        "sol"
    ]
    assert seats_written(view, visible(shown)) == ("sol",)
    assert read_goods(view, visible(f"Sol's Ceasefire ({shown})"), None) == read_goods(
        view, "ceasefire (דוד)", None
    )
    assert aliases(view)["דוד"] == "sol"


def test_an_emoji_with_a_joiner_looks_like_the_same_without() -> None:
    assert shown_names.confusable("👨\u200d👩", "👨👩")


def test_a_name_like_a_nations_comes_with_the_seat(subtests: pytest.Subtests) -> None:
    for called in ["Egypt", "\u0415gypt", "CRETE", "Thrace"]:
        with subtests.test(called):
            people = {1: Person(1, 11, called)}
            names = Names("advciv", people, {"asia": 1, "egypt": None})
            assert format_text(names, "<seat:asia> <person:1>") == "<@11> (Asia) <@11> (Asia)"
            assert aliases(names)["egypt"] == "egypt"
