"""Tests of smaller cards: tables, deals, prompts, negotiations, refusals, privacy, rules and
forms.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.ti4.turns import StartTurn
from bot.rules.commands import Press
from bot.rules.features.deals import AnswerDeal, MarkDeal, ProposeDeal
from bot.rules.features.negotiations import OpenNegotiation
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Agree, Declare
from bot.rules.features.tables import CloseTable, OpenTable
from bot.rules.model.actions import LabelledAction
from bot.rules.model.goods import Goods
from bot.rules.model.offer import Sides
from bot.rules.model.people import Names
from bot.rules.model.violation import Refused
from bot.rules.views import FollowUpView, PromptView
from bot.show.actions import ForgetMe, PostForm, RemoveTable, RevealPrompt, TellEntry
from bot.show.board import table_card
from bot.show.deals import deal_text, deals_card, summary_card, thread_name
from bot.show.forms import Form, Menu, MultiSelect, Radio, Text, offer_form, picks, terms_of
from bot.show.guide import find_rule, titles
from bot.show.notices import (
    follow_up_card,
    prompt_card,
    shared_prompt_card,
    undelivered_card,
)
from bot.show.picker import picked_goods
from bot.show.privacy import ask_me_card, ask_table_card, privacy_card
from bot.show.results import refusal_card, refusal_text
from tests.show.playing import World, buttons_of, labels_of, problems, table_of, traded

# ---------------------------------------------------------------- tables


def test_the_table_says_whom_the_reader_can_trade_with() -> None:
    world = table_of(3)
    world.do(StartTurn("hacan"))
    card = table_card(world.view(2), world.pairs(2))
    counted = "4 tg\xa0<icon:ti4_trade_good:🟡>, 1 c\xa0<icon:ti4_commodity:📦>"
    goods = f"{counted}, 1 unknown fragment\xa0<icon:ti4_fragment:🔷>"
    hacan, me, letnev = card.blocks[2].splitlines()
    assert hacan == f"🤝 <@1000000000000000001> (Hacan) · {goods}"
    assert me.startswith("👤 <@1000000000000000002> (Sol) · ")
    assert letnev.startswith("⏳ <@1000000000000000003> (Letnev)")
    assert labels_of(card) == [["My goods", "Who can I trade with?", "Offers", "History"]]


def test_an_empty_table_says_how_to_sit_down() -> None:
    world = World()
    world.do(OpenTable("ti4", "Friday"))
    assert (
        "Nobody sits here yet. **/table sit** takes a seat." in table_card(world.view(), ()).blocks
    )


def test_a_closed_table_says_so() -> None:
    world = traded(2)
    world.do(CloseTable())
    assert "This table is **closed**." in table_card(world.view(), ()).blocks


# ---------------------------------------------------------------- deals and prompts


def dealt(*, later: bool = True, card: bool = False) -> World:
    world = table_of(2)
    world.do(ProposeDeal("sol", "peace *now*", later=later, card=card))
    return world


@pytest.mark.parametrize(
    ("later", "card", "told"),
    [
        (False, False, "**Binding**"),
        (True, False, "can't all be resolved at once"),
        (False, True, "action card"),
    ],
)
def test_a_deal_says_whether_it_binds(later: bool, card: bool, told: str) -> None:
    view = dealt(later=later, card=card).view()
    assert told in deal_text(view, view.deals[1])


def test_a_deal_says_what_became_of_it() -> None:
    world = dealt()
    text = deal_text(world.view(), world.view().deals[1])
    assert text.endswith("Waiting for p2 to answer.")
    world.do(AnswerDeal(1, agreed=True), 2)
    world.do(MarkDeal(1, "broken"), 2)
    text = deal_text(world.view(), world.view().deals[1])
    assert text.endswith("p2 says that p1 **broke** it.")


def test_a_list_of_deals_says_how_many_are_not_in_it() -> None:
    view = dealt().view()
    assert deals_card(view, [view.deals[1]] * 12).blocks[-1] == "-# and 2 older ones"


def test_a_secret_prompt_is_overheard_as_a_button_only() -> None:
    view = table_of(2).view(1)
    prompt = PromptView(1, "deal-1", "hacan", "A secret.", (), secret=True)
    card = shared_prompt_card(view, prompt)
    assert "secret" not in "".join(card.blocks)
    assert buttons_of(card)[0][0].action == RevealPrompt(1, "deal-1")


def test_a_prompt_about_an_offer_shows_it_in_a_line() -> None:
    world = table_of(2)
    world.do(PostOffer("sol", Goods({"trade_good": 1})))
    prompt = PromptView(1, "match-2-1", "sol", "They fit.", (), offer=1)
    assert prompt_card(world.view(2), prompt).blocks[0].splitlines() == [
        "They fit.",
        "\\#1 p1: 1 trade good for nothing (to p2)",
    ]


def test_what_a_dm_did_not_carry_can_be_asked_for() -> None:
    world = traded(2)
    view, done = world.view(2), world.entries(2)[-1]
    card = undelivered_card(view, done)
    assert card.blocks == ("There is something about transaction 1 that only you can read.",)
    assert buttons_of(card)[0][0].action == TellEntry(1, done.seq)
    card = follow_up_card(view, FollowUpView("sol", "<seat:hacan> may answer."))
    assert card.blocks == ("p1 may answer.", "-# only you see this")


# ---------------------------------------------------------------- negotiations


def test_a_thread_lists_what_is_on_the_table_without_hidden_cards() -> None:
    world = table_of(3)
    world.do(OpenNegotiation("sol", "the *artifact* planet"))
    empty = summary_card(world.room(1), world.room(1).negotiations[1])
    assert "No offers yet: **New offer** makes one that only you two read." in empty.blocks
    world.do(PostOffer("sol", Goods({"note:ceasefire:hacan": 1}), negotiation=1))
    view = world.room(1)
    card = summary_card(view, view.negotiations[1])
    assert card.blocks[0].startswith("### the \\*artifact\\* planet\n")
    assert "\\#1 p1: 1 promissory note for nothing (to p2)" in card.blocks[1]
    assert labels_of(card) == [["New offer", "Close"]]
    assert thread_name(view, view.negotiations[1]) == "p1 and p2: the *artifact* planet"
    closed = replace(view.negotiations[1], open=False)
    assert labels_of(summary_card(view, closed)) == []


# ---------------------------------------------------------------- refusals


def test_a_refusal_has_buttons_for_what_can_be_done_instead() -> None:
    cure = LabelledAction("I do have them", Press(1, Declare(1)))
    later = LabelledAction("Agree for later", Press(1, Agree(1, 1)))
    refused = Refused("Not with <seat:sol>.", "Wait.", options=(cure, later), rule="94.1")
    names = table_of(2).view().names
    card = refusal_card(refused, names)
    assert card.blocks == ("⏳ Not with <@1000000000000000002>. Wait.\n-# [94.1]",)
    assert [(button.label, button.style) for button in buttons_of(card)[0]] == [
        ("I do have them", "primary"),
        ("Agree for later", "secondary"),
    ]
    assert refusal_text(refused, None) == "⏳ Not with <seat:sol>. Wait.\n-# [94.1]"


# ---------------------------------------------------------------- privacy and rules


def test_privacy_has_buttons_for_what_can_be_done() -> None:
    view = table_of(2).view()
    card = privacy_card(1, 2, view)
    actions = [button.action for button in buttons_of(card)[0]]
    assert actions == [ForgetMe(), RemoveTable(1)]
    assert "You are known at **1** closed table and **2** open tables." in card.blocks
    assert privacy_card(0, 0, None).rows == ()
    assert buttons_of(ask_me_card(1))[0][0].action == ForgetMe(sure=True)
    [[remove]] = buttons_of(ask_table_card(view))
    assert remove.action == RemoveTable(1, sure=True)
    assert problems(card, ask_me_card(2), ask_table_card(view)) == []


def test_every_rule_is_found_by_its_number_its_title_and_in_brackets() -> None:
    view = table_of(2).view()
    assert titles(view)
    for label, number in titles(view):
        assert find_rule(view, number).number == number
        assert find_rule(view, f"[{number}]").number == number
        title = label.partition(" · ")[2]
        assert find_rule(view, title.upper()).title == title


@pytest.mark.parametrize(
    ("game", "typed", "number"),
    [
        *(
            ("ti4", "[94.1]", "94.1"),
            ("ti4", "94 NOTE 3.1", "94 note 3.1"),
            ("ti4", "arbiters", "94.3.1"),
        ),
        *(
            ("ti4", "d2", "D2"),
            ("advciv", "28", "28.1"),
            ("advciv", "27.51", "27.5"),
            ("advciv", "mining", "28.53"),
        ),
        *(("advciv", "31.82", "31.81"), ("advciv", "31.8", "31.81")),
    ],
)
def test_a_rule_is_found_by_the_other_names_that_people_have_for_it(
    game: str, typed: str, number: str
) -> None:
    assert find_rule(Names(game, {}, {}), typed).number == number


def test_a_rule_that_is_not_known_is_refused_with_the_nearest() -> None:
    view = table_of(2).view()
    title = titles(view)[0][0].partition(" · ")[2]
    with pytest.raises(Refused, match="Did you mean"):
        find_rule(view, title[:-1])
    with pytest.raises(Refused, match="Pick one from the list"):
        find_rule(view, "qqqqqqqqqqq")


# ---------------------------------------------------------------- forms


def test_a_form_has_what_is_counted_to_type_then_terms_and_last_what_is_a_card_to_pick() -> None:
    view = table_of(2).view(1)
    give = Goods({"trade_good": 2, "note:ceasefire:hacan": 1})
    form = offer_form(view, "T", PostForm(1), "sol", Sides(give, terms="soon"))
    gives, wants, terms, kind, also = form.fields
    assert isinstance(gives, Text)
    assert (gives.value, gives.hint) == ("2 trade goods", "")
    assert gives.description == "You have: 4 trade goods, 1 commodity. For example: 2 tg, 1 c"
    assert isinstance(also, MultiSelect)
    assert [value for _, value, picked in also.options if picked] == ["note:ceasefire:hacan#1"]
    assert isinstance(wants, Text)
    assert wants.description == "They have: 4 trade goods, 1 commodity."
    assert isinstance(terms, Text)
    assert terms.value == "soon"
    assert isinstance(kind, Radio)
    values = [value for _, value, _ in kind.options]
    assert values == ["none", "later", "now", "both", "card"]
    assert kind.chosen == "later"


def test_words_of_both_kinds_are_two_lines() -> None:
    view = table_of(2).view(1)
    both = Sides(terms="b", terms_now="a")
    form = offer_form(view, "T", PostForm(1), "sol", both)
    words, kind = form.fields[2:4]
    assert isinstance(words, Text)
    assert isinstance(kind, Radio)
    assert (words.value, kind.chosen) == ("a\nb", "both")
    assert terms_of(words.value, kind.chosen) == ("b", "a")
    assert terms_of("a", "now") == ("", "a")
    assert (
        terms_of("b", "later")
        == terms_of("b", "")
        == terms_of("b", "card")
        == terms_of("b", "dance")
        == ("b", "")
    )
    for text, chosen in (("a", "none"), ("a", "both")):
        with pytest.raises(Refused):
            terms_of(text, chosen)


def test_a_form_to_everybody_has_an_example() -> None:
    view = table_of(2).view(1)
    form = offer_form(view, "T", PostForm(1), None, Sides())
    wants = next(field for field in form.fields if field.id == "want")
    assert isinstance(wants, Text)
    assert wants.description == "For example: 2 tg, 1 c"


def test_a_long_list_is_picked_from_in_several_fields() -> None:
    options = [(str(number), f"x{number}#1", False) for number in range(60)]
    found = picks(("a", "b", "c"), "Cards", options)
    assert [(field.label, len(field.options)) for field in found] == [
        ("Cards", 25),
        ("Cards (2)", 25),
        ("Cards (3)", 10),
    ]


@pytest.mark.parametrize(
    "empty",
    [
        Menu("give", "You give", ()),
        MultiSelect("give", "You give", ()),
        Radio("give", "You give", (), ""),
    ],
)
def test_a_list_with_nothing_to_pick_is_said_and_not_shown(
    empty: Menu | MultiSelect | Radio,
) -> None:
    there = Text("reason", "Why")
    with pytest.raises(Refused, match=r"There is nothing to pick yet for .*You give"):
        Form("The bank", PostForm(1), (there, empty))


def test_what_was_picked_comes_back_as_goods() -> None:
    assert picked_goods(["note:ceasefire:hacan#1", "x#1", "x#2"]) == Goods(
        {"note:ceasefire:hacan": 1, "x": 2}
    )
