"""Tests that a first answer never looks like the last: what a screen reader says of it."""

from __future__ import annotations

import re

from discord import ui

from bot.delivery import payload
from bot.games.ti4.turns import StartTurn
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.model.goods import Goods
from bot.show.cards import Card
from bot.show.debts import debts_card, forgive_card
from bot.show.offer_cards import accept_card, moves_hidden
from tests.show.playing import World, table_of

NOTE = "note:trade_convoys:hacan"


def spoken(card: Card) -> list[str]:
    """What a screen reader says of a private card: its texts, then its buttons, without marks."""
    said = []
    for item in payload(card)["view"].walk_children():
        if isinstance(item, ui.TextDisplay):
            words = re.sub(
                r"<a?:\w+:\d+>|[*_`~\\]|^(-?#+|>) ", "", item.content, flags=re.MULTILINE
            )
            said.append(words)
        elif isinstance(item, ui.Button):
            said.append(f"button {item.label}")
    return said


def offered(goods: Goods, *, to: str | None = "sol") -> World:
    world = table_of(3)
    world.do(StartTurn("hacan"))
    world.do(SetHoldings("hacan", Goods({NOTE: 1, "trade_good": 3})))
    world.do(PostOffer(to, goods))
    return world


def test_the_question_before_a_note_says_first_that_nothing_is_accepted_yet() -> None:
    view, offer = offered(Goods({NOTE: 1})).offer(1, 2)
    said = spoken(accept_card(view, offer, "accept"))
    assert said[0] == "Not accepted yet. Only you see what it is. Accept below does it."
    assert "You get Hacan's Trade Convoys" in said[2]
    assert said[-1] == "button Accept"
    assert sum(word.startswith("button") for word in said) == 1


def test_whoever_confirms_reads_that_it_is_not_confirmed_yet() -> None:
    view, offer = offered(Goods({NOTE: 1})).offer(1, 2)
    said = spoken(accept_card(view, offer, "confirm"))
    assert said[0].startswith("Not confirmed yet.")
    assert said[-1] == "button Confirm"


def test_the_question_before_forgiving_names_whom_and_how_much_before_its_buttons() -> None:
    world = table_of(3)
    world.do(StartTurn("hacan"))
    world.do(PostOffer("sol", Goods({"trade_good": 1, "owed:trade_good": 2})))
    world.do(SetHoldings("hacan", Goods({"trade_good": 1})))
    world.do(Sign(1, 1), 2)
    view = world.view(2)
    assert spoken(debts_card(view))[-1] == "button Forgive p1 2 trade goods…"
    [debt] = view.debts
    said = spoken(forgive_card(view, debt, 1))
    assert said[0].startswith("Not forgiven yet. Forgive <@")
    assert said[0].endswith("1 trade good of 2 (debt 1)?")
    assert said[1:] == [
        "Everybody reads it.",
        "button Forgive 1 of 2",
        "button Back",
    ]


def test_there_is_no_question_where_the_shared_card_shows_all() -> None:
    support = Goods({"note:support_for_the_throne:hacan": 1})
    assert not moves_hidden(*offered(support).offer(1, 2))
    assert not moves_hidden(*offered(Goods({NOTE: 1}), to=None).offer(1, 2))
    assert not moves_hidden(*offered(Goods({"trade_good": 1})).offer(1, 2))
    assert moves_hidden(*offered(Goods({NOTE: 1})).offer(1, 2))
