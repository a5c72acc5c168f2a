"""Tests of texts at random tables of both games: each good by its word, and the reader as *you*."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import chain
from random import Random

import pytest

from bot.rules.commands import NOBODY, Caller
from bot.rules.features.offers.entries import Transaction
from bot.rules.model.goods import Goods
from bot.rules.model.people import Names
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_named, game_of
from bot.rules.viewers import everybody, person_viewer
from bot.rules.views import EntryView, TableView
from bot.rules.visible_entry import see_entry
from bot.rules.visible_table import TableViews, see_pairs
from bot.show import names
from bot.show.board import board_card, said_card, table_card
from bot.show.cards import Card
from bot.show.menu import menu_card, my_goods_card, own_said_card
from bot.show.names import format_text, name_text
from bot.show.narration import headline_text, sentence, story, told_text
from bot.show.notices import follow_up_card, lapsed_card, prompt_card
from bot.show.offer_cards import (
    accept_card,
    confirm_card,
    missed_card,
    more_card,
    offer_card,
    posted_receipt_card,
    uncovered_card,
)
from bot.show.partners import new_offer_card, partners_card
from bot.show.results import (
    holdings_card,
    others_holdings_card,
    public_result_card,
    refusal_text,
    result_card,
)
from bot.show.stock import vocabulary
from bot.testing.world import EVERYONE, Ask, World
from tests.games.advciv import machine as advciv
from tests.games.ti4 import machine as ti4
from tests.scale import at_scale, seeds
from tests.show.playing import buttons_of

OPENED = {"ti4": ti4.opened, "advciv": advciv.opened}
MACHINES: Mapping[str, Callable[[Table, Random], Ask]] = {
    "ti4": ti4.MACHINE.any,
    "advciv": advciv.made,
}
"""How to open a random table of each game, and what is done at it."""

Told = tuple[int, str]
"""A person, 0 for everybody, and a text that they read."""

Seen = tuple[Mapping[str, set[str]], list[Card]]
"""The words for goods of each icon, and the cards that somebody sees."""


@cache
def table(game: str, seed: int) -> tuple[list[Told], list[Seen]]:
    """Play a random table, and return what people are told in it and the cards that they see.

    A name that is a label, such as in a list, is only a label here.
    """
    with pytest.MonkeyPatch.context() as patch:
        addressed = names._addressed
        patch.setattr(
            names,
            "_addressed",
            lambda named, text: re.sub(r"<=\w+:[^>]+>", "label", addressed(named, text)),
        )
        return _played(game, seed)


def _played(game: str, seed: int) -> tuple[list[Told], list[Seen]]:
    dice, sentences, cards = Random(seed), list[Told](), list[Seen]()
    world = OPENED[game](4, dice)
    for act in range(350):
        before, ask = world.table, MACHINES[game](world.table, dice)
        answer = world.tries(ask)
        if isinstance(answer, Refused):
            words = game_of(before).words(before)
            people = {each.number: each for each in EVERYONE}
            answer.names = Names(game, people, before.holders(), words, ask.person)
            sentences.append((ask.person, refusal_text(answer, answer.names)))
        elif world.table is not before:
            sentences += _sentences(world, before.seq)
            cards += _cards(world, before.seq) if act % 20 == 0 else ()
    return sentences, cards


def _views(world: World) -> Iterator[tuple[int, TableView]]:
    views = TableViews(world.table)
    yield 0, views.see(everybody(world.table, EVERYONE))
    for seat in world.table.seated():
        person = world.table.seats[seat].person or NOBODY
        yield person, views.see(person_viewer(world.table, EVERYONE, Caller(person)))


def _entries(world: World, person: int, since: int) -> list[EntryView]:
    viewer = (
        person_viewer(world.table, EVERYONE, Caller(person))
        if person
        else everybody(world.table, EVERYONE)
    )
    return [
        see_entry(each, viewer, world.table.game, world.tables[each.seq - 1])
        for each in world.recorded[since:]
    ]


def _sentences(world: World, since: int) -> Iterator[Told]:
    for person, view in _views(world):
        for entry in _entries(world, person, since):
            texts = [sentence(entry), story(entry), headline_text(entry)]
            for text in (*texts, told_text([entry])):
                yield person, text
            yield from ((person, name_text(entry, each.text)) for each in entry.follow_ups)
        yield from ((person, name_text(view, prompt.text)) for prompt in view.prompts)
        yield from (
            (person, format_text(view, line)) for line in (view.board.heading, *view.board.lines)
        )
        for offer in view.offers.values():
            if offer.ruling.why_not is not None:
                yield person, name_text(view, offer.ruling.why_not.sentence())


def _cards(world: World, since: int) -> Iterator[Seen]:
    for person, view in _views(world):
        pairs = see_pairs(world.table, person_viewer(world.table, EVERYONE, Caller(person)))
        found: list[Card | None] = [
            board_card(view),
            table_card(view, pairs),
            menu_card(view),
            said_card(view),
        ]
        for offer in view.offers.values():
            found += [
                offer_card(view, offer),
                offer_card(view, offer, now=True),
                more_card(view, offer),
            ]
            found += [posted_receipt_card(view, offer, "is posted"), missed_card(view, offer)]
            if offer.role is not None and offer.live:
                found += [
                    confirm_card(view, offer),
                    uncovered_card(view, offer),
                    accept_card(view, offer, "accept"),
                ]
        if view.offers:
            found.append(lapsed_card(view, list(view.offers.values())))
        found += [prompt_card(view, prompt) for prompt in view.prompts]
        for entry in _entries(world, person, since):
            found += [follow_up_card(view, each, entry) for each in entry.follow_ups]
            if isinstance(entry.entry, Transaction):
                found += [result_card(view, entry), public_result_card(view, entry, entry.entry)]
        if view.seat is not None:
            found += [
                my_goods_card(view, view.seat),
                holdings_card(view, view.seat),
                own_said_card(view, view.seat),
            ]
            found += [partners_card(view, pairs), new_offer_card(view, pairs)]
        found += [others_holdings_card(view, seat) for seat in view.seated()]
        yield words_of(view), [card for card in found if card is not None]


# ---------------------------------------------------------------- words and icons

_ICON = re.compile(r"<icon:(\w+):([^:>]+)>")


def alone(text: str, words: Mapping[str, set[str]]) -> list[str]:
    """Return each icon in a text with what stands before it, if that is no word for it."""
    found = []
    for icon in _ICON.finditer(text):
        before = re.split(r"[·\n]|<icon:[^>]*>", text[: icon.start()])[-1]
        if not before.endswith("\xa0") or words[icon[1]].isdisjoint(
            re.findall(r"[^\W\d_]+", before.lower())
        ):
            found.append(f"{before}{icon[0]}")
    return found


def words_of(view: TableView) -> dict[str, set[str]]:
    """Return the words for goods of each icon, by its name."""
    language = game_named(view.game).goods
    found = defaultdict[str, set[str]](set)
    offered = [offer.sides.give + offer.sides.want for offer in view.offers.values()]
    for token in vocabulary(view).union(*offered):
        icon = language.icon(token)
        for count in (1, 2):
            told = (
                f"{language.describe(Goods({token: count}))} "
                f"{language.describe_shortest(token, count)}"
            )
            found[icon.name if icon else ""] |= {
                *re.findall(r"[^\W\d_]+", re.sub(r"<[^>]*>", "", told).lower())
            }
    return found


@pytest.mark.parametrize("seed", seeds(at_scale(1, 2)))
@pytest.mark.parametrize("game", MACHINES)
def test_no_good_is_told_by_an_icon_alone(game: str, seed: int) -> None:
    _, seen = table(game, seed)
    icons = 0
    for words, cards in seen:
        for block in chain.from_iterable(card.blocks for card in cards):
            assert alone(block, words) == []
            icons += block.count("<icon:")
    assert icons > 50


@pytest.mark.parametrize("seed", seeds(at_scale(1, 2)))
@pytest.mark.parametrize("game", MACHINES)
def test_a_button_with_an_icon_says_in_words_what_it_is(game: str, seed: int) -> None:
    _, seen = table(game, seed)
    cards = chain.from_iterable(found for _, found in seen)
    rows = chain.from_iterable(map(buttons_of, cards))
    labels = [button.label for button in chain.from_iterable(rows) if button.icon]
    assert [label for label in labels if not re.search(r"[^\W\d_]", label)] == []


# ---------------------------------------------------------------- you

_GOODS = re.compile(r" \(person \d+\)")
"""Whose a note or a captured unit is, which is a part of its name."""


@pytest.mark.parametrize("seed", seeds(at_scale(1, 2)))
@pytest.mark.parametrize("game", MACHINES)
def test_nobody_reads_their_own_name(game: str, seed: int) -> None:
    sentences, _ = table(game, seed)
    own = {person: re.compile(rf"person {person}\b|<@{1000 + person}>") for person in range(14)}
    found = {
        text for person, text in sentences if person and own[person].search(_GOODS.sub("", text))
    }
    assert found == set()
    assert {person for person, _ in sentences} >= {0, 1, 2, 3, 4}
