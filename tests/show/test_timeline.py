"""Tests of pages of a table's ledger: they fit, they turn, and say what was and was not
anybody's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.games.ti4 import GAME
from bot.games.ti4.agendas import AgendaRevealed
from bot.games.ti4.components import FRAGMENTS
from bot.games.ti4.turns import StartTurn
from bot.ledger import BadEntry
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import CloseTable
from bot.rules.model.goods import Goods
from bot.rules.views import EntryView, FollowUpView
from bot.service import Filter, HistoryPage, PostedHead, TradeHistory, Verification, read_head
from bot.show.actions import TurnAccount, TurnHistory, TurnLedger
from bot.show.cards import Card
from bot.show.custom_ids import decode, encode
from bot.show.evening import evening_card
from bot.show.timeline import (
    LINES,
    correction_card,
    details_card,
    head_text,
    history_card,
    ledger_card,
    player_card,
    trade_card,
    verify_card,
)
from tests.scale import variants
from tests.show.playing import World, buttons_of, lived, problems, table_of, traded

LONG = {n: f"{n:02}" + "*_`~|\\" * 5 for n in range(1, 11)}
TERMS = "*_~|" * 75


def page(world: World, number: int, person: int = 0, *, audits: bool = False) -> HistoryPage:
    """Return a page of all entries, as the service makes it."""
    every = world.entries(person, audits=audits)[::-1]
    shown = every[(number - 1) * LINES : number * LINES]
    view = world.view(person, audits=audits)
    return HistoryPage(view, tuple(shown), len(every), len(every), number)


def with_begun(found: HistoryPage) -> HistoryPage:
    """Return the page as if each entry had begun something of its own: no page has more
    headings.
    """
    began = next(entry for entry in found.entries)
    return replace(
        found,
        period_starts={
            entry.seq: replace(began, seq=-entry.seq, entry=BEGUN) for entry in found.entries
        },
    )


BEGUN = AgendaRevealed(title="*_~|" * 20, window=1)


def story(world: World, number: int, person: int = 0, *, audits: bool = False) -> TradeHistory:
    """Return the entries about a transaction's offer."""
    every = world.entries(person, audits=audits)
    done = next(
        each
        for each in every
        if isinstance(each.entry, Transaction) and each.entry.number == number
    )
    offer = getattr(done.entry, "offer", None)
    about = [each for each in every if getattr(each.entry, "offer", None) == offer]
    return TradeHistory(world.view(person, audits=audits), number, done, tuple(about))


def cards(world: World, person: int, *, audits: bool = False) -> Iterator[Card]:
    """Yield every page of everything that can be looked up at this table."""
    every, view, until_seq = (
        world.entries(person, audits=audits),
        world.view(person, audits=audits),
        world.table.seq,
    )
    for number in range(1, -(-until_seq // LINES) + 1):
        yield ledger_card(page(world, number, person, audits=audits), Filter())
        for shown in (
            page(world, number, person, audits=audits),
            with_begun(page(world, number, person, audits=audits)),
        ):
            yield history_card(shown, Filter(person=2), every)
            yield details_card(shown, Filter(person=2), every)
    for number in range(1, min(world.table.transactions, 8) + 1):
        yield from (
            trade_card(story(world, number, person, audits=audits), until_seq, turned)
            for turned in (1, 2)
        )
    for who in (1, 2, 10):
        for turned in (1, 2, 3):
            yield player_card(view, every, who, until_seq, turned)


def text_of(card: Card) -> str:
    return "\n".join(card.blocks)


# ---------------------------------------------------------------- pages


@pytest.mark.slow
@pytest.mark.parametrize("seed", variants(*range(2)))
def test_every_page_fits_and_its_buttons_come_back(seed: int) -> None:
    world = lived(seed, called=LONG)
    for person in (0, 10):
        for card in cards(world, person, audits=bool(person)):
            assert problems(card) == []
            for row in buttons_of(card):
                assert all(decode(encode(button.action)) == button.action for button in row)


def test_every_page_fits_at_a_table_where_everything_is_long() -> None:
    """Eight people with the longest names, who have some of everything and trade it, with the
    longest terms.
    """
    world = table_of(8, LONG)
    world.do(StartTurn("hacan"))
    tokens = [
        "trade_good",
        "action_card",
        *(f"fragment:{kind}" for kind in FRAGMENTS),
        *GAME.seats.start("hacan"),
    ]
    counts = dict.fromkeys(tokens, 1) | dict.fromkeys(tokens[:6], 999)
    world.do(SetHoldings("hacan", Goods(counts)))
    for person in range(2, 9):
        give = world.table.seats["hacan"].holdings.without_kind("note", "action_card")
        world.tries(PostOffer(world.seat(person), give, terms=TERMS))
        world.tries(Sign(world.table.offers_posted), person)
        much = Goods({"trade_good": 999})
        world.do(SetHoldings(world.seat(person), much, "*" * 200))
    for person in (0, 10):
        assert problems(*cards(world, person, audits=bool(person))) == []


@pytest.mark.slow
def test_pages_hold_each_entry_once_the_newest_first() -> None:
    world = lived(2)
    found: list[int] = []
    for number in range(1, -(-world.table.seq // LINES) + 1):
        text = text_of(ledger_card(page(world, number), Filter()))
        found += [int(seq) for seq in re.findall(r"^\*\*#(\d+)\*\*", text, re.MULTILINE)]
    assert found == list(range(world.table.seq, 0, -1))


def test_the_buttons_turn_to_the_pages_before_and_after_with_the_same_filter() -> None:
    world = lived(2)
    until_seq, only = world.table.seq, Filter(person=2, kind="offer", since=3)
    [[first]] = buttons_of(ledger_card(page(world, 1), only))
    assert first.label == "More"
    assert first.action == TurnLedger(1, until_seq, 2, 2, "offer", 3)
    second_page = page(world, 2)
    [[back, more, details]] = buttons_of(history_card(second_page, Filter(offer=4)))
    assert back.action == TurnHistory(1, until_seq, 1, 0, 4)
    assert more.action == TurnHistory(1, until_seq, 3, 0, 4)
    assert (details.label, details.action) == (
        "Details",
        TurnHistory(1, until_seq, 2, 0, 4, details=True),
    )
    [[back, more, short]] = buttons_of(details_card(second_page, Filter(offer=4)))
    assert back.action == TurnHistory(1, until_seq, 1, 0, 4, details=True)
    assert short.label == "In short"
    assert short.action == TurnHistory(1, until_seq, 2, 0, 4)
    own = player_card(world.view(1), world.entries(1), 1, until_seq)
    [[turn]] = buttons_of(own)
    assert turn.action == TurnAccount(1, until_seq, 2, 1)


def test_a_page_says_what_it_is_filtered_by() -> None:
    world = traded(2)
    only = Filter(person=2, kind="offer", since=3, offer=1)
    title = ledger_card(page(world, 1), only).blocks[0]
    assert title == f"### Ledger of Friday · offer · <@{10**18 + 2}> · offer 1 · from #3 on"


def test_no_entry_is_said_as_such() -> None:
    empty = HistoryPage(traded(2).view(), (), 0, 9, 1)
    assert ledger_card(empty, Filter()).blocks[1:] == (
        "There is nothing here. **/help** says what you can do next.",
        "-# Page 1 of 1 · 0 lines · as of entry 9",
    )


# ---------------------------------------------------------------- one transaction


def trade_of(violations: dict[int, str]) -> str:
    world = traded(2)
    told = replace(story(world, 1), violations=violations)
    return text_of(trade_card(told, world.table.seq))


def test_a_trade_is_told_with_what_the_rules_said_then() -> None:
    done = story(traded(2), 1).done.seq
    assert "The rules said then: [94.1] <@1000000000000000002> is far." in trade_of(
        {done: "[94.1] <seat:sol> is far."}
    )
    assert "Nothing forbade it." in trade_of({done: ""})
    assert "Nothing forbade it." not in trade_of({})


def test_a_signature_that_nothing_forbade_needs_no_word() -> None:
    signed = next(
        each.seq for each in story(traded(2), 1).entries if each.kind == "offer.signature"
    )
    assert "Nothing forbade it." not in trade_of({signed: ""})


def test_what_may_follow_is_told_to_those_it_was_said_to() -> None:
    world = traded(2)
    told = story(world, 1)
    done = replace(told.done, follow_ups=(FollowUpView("sol", "You may now smile."),))
    text = text_of(trade_card(replace(told, done=done), world.table.seq))
    assert "↳ Said to <@1000000000000000002> only: You may now smile." in text


def test_a_long_story_is_turned() -> None:
    world = traded(2)
    told = story(world, 1)
    long = replace(told, entries=told.entries * 3)
    [[more]] = buttons_of(trade_card(long, 40))
    assert more.action == TurnAccount(1, 40, 2, 1, trade=True)


# ---------------------------------------------------------------- one player


def test_a_player_reads_each_good_with_the_entries_it_is_the_sum_of() -> None:
    world = traded(2)
    view, every = world.view(1), world.entries(1)
    taken, dealt, gave = (each.seq for each in every if _about_trade_goods(each))
    assert f"**3 trade goods** = #{dealt} +4 #{gave} -1" in text_of(
        player_card(view, every, 1, world.table.seq)
    )
    assert taken < dealt < gave


def _about_trade_goods(view: EntryView) -> bool:
    about = view.entry.seats() | view.entry.parties()
    return "hacan" in about and view.kind in (
        "seat.taken",
        "holdings.correction",
        "offer.transaction",
    )


def test_a_person_without_a_seat_has_no_goods() -> None:
    world = table_of(2)
    card = player_card(world.view(1), world.entries(1), 9, 9)
    assert "They have had no seat at this table, and so no goods." in card.blocks


def test_a_seat_that_had_others_is_theirs_for_their_time_only() -> None:
    world = table_of(2)
    world.do(Leave(), 1)
    world.do(Sit("hacan", 5), 5)
    view, entries = world.view(2), world.entries(2)
    texts = {}
    for who in (1, 2, 5):
        texts[who] = text_of(player_card(view, entries, who, 99))
    left = next(each.seq for each in world.entries() if each.kind == "seat.left")
    assert (
        f"They took this seat with entry 2 and left it with entry {left}; only that counts for "
        "them." in texts[1]
    )
    assert f"They took this seat with entry {left + 1}; only that counts for them." in texts[5]
    assert "Others have sat here" not in texts[2]


# ---------------------------------------------------------------- the chain


def test_heads_are_told_with_what_to_do_with_them() -> None:
    world = table_of(2)
    world.do(CloseTable())
    last = world.entries()[-1]
    closed, text = evening_card(world.view(), world.entries(), head_text(last)).blocks
    assert closed == "**Friday** is closed."
    assert text == f"-# Ledger `#{last.seq} {last.hash[:20]}`"
    assert read_head(text) == PostedHead(last.hash[:20], seq=last.seq)
    assert read_head(text[:-2]) is None, "19 digits"
    assert (
        f"bourse verify --head 1:{last.hash}"
        in verify_card(1, Verification("x", 9, last.hash, None)).blocks[-1]
    )
    assert (
        "Entry 4: the entry is missing"
        in verify_card(1, Verification("x", 9, "", BadEntry(4, "the entry is missing"))).blocks[1]
    )


def test_a_correction_says_who_made_it_and_that_nothing_was_rewritten() -> None:
    world = table_of(2)
    world.do(SetHoldings("sol", Goods({"trade_good": 2}), "a miscount"))
    card = correction_card(world.entries()[-1])
    assert "a miscount" in card.blocks[0]
    assert card.blocks[1].startswith(
        f"-# Entry {world.table.seq}, by <@{10**18 + 1}>. Nothing before it was rewritten"
    )
