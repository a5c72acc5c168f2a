"""Tests of records of messages: nonces, markers, and what the store keeps."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.delivery.desired import Board, OfferCard, PersonalOffer, Replaced, Subject
from bot.delivery.life import MARKERS_FROM, NONCE_MAX, Life, replaced
from bot.delivery.records import FATES, STAGES, Lives, TableMessages
from bot.service import Fate, Message
from tests.delivery.display import Store

BASE = Life(OfferCard(3), 500, entry=7, generation=1, at=99)


@pytest.mark.parametrize(
    "same",
    [
        Life(OfferCard(3), 500, 900, "other", "shown", 7, 1, "anchor", 99, "reason"),
        Life(OfferCard(3), 500, 0, "", "sending", 7, 1, at=99),
        Life(OfferCard(3), 500, 0, "", "given_up", 7, 1, at=99),
    ],
)
def test_the_nonce_is_the_same_whatever_became_of_the_message(same: Life) -> None:
    """After a crash it is made from the record, whatever the message shows by then."""
    assert same.nonce(1) == BASE.nonce(1)
    assert same.marker(1) == BASE.marker(1)


@pytest.mark.parametrize(
    ("table", "other"),
    [
        (2, BASE),
        (1, replace(BASE, subject=OfferCard(4))),
        (1, replace(BASE, subject=Board())),
        (1, replace(BASE, entry=8)),
        (1, replace(BASE, generation=2)),
    ],
)
def test_another_message_has_another_nonce_and_marker(table: int, other: Life) -> None:
    assert other.nonce(table) != BASE.nonce(1)
    assert other.marker(table) != BASE.marker(1)


def test_in_another_place_it_has_another_nonce_and_the_same_marker() -> None:
    """Discord matches nonces by author, so the ping in a channel would be answered with the DM that
    was refused.
    """
    elsewhere = replace(BASE, channel_id=501)
    assert elsewhere.nonce(1) != BASE.nonce(1)
    assert elsewhere.marker(1) == BASE.marker(1)


NUMBERS, TEXTS = st.integers(0), st.text()
IDS = st.integers(1, 2**63 - 1)
SUBJECTS: st.SearchStrategy[Subject] = st.one_of(
    st.builds(OfferCard, IDS),
    st.builds(PersonalOffer, IDS, st.just("poster"), IDS),
)


@given(st.integers(1), SUBJECTS, NUMBERS, NUMBERS, NUMBERS)
def test_discord_takes_every_nonce_and_every_marker(
    table: int, subject: Subject, channel: int, entry: int, generation: int
) -> None:
    shown = Life(subject, channel, entry=entry, generation=generation)
    assert 0 < len(shown.nonce(table)) <= NONCE_MAX == 25
    # Discord numbers components without an id from 1
    assert 1000 < MARKERS_FROM <= shown.marker(table) < 2**31


def test_markers_are_spread_out() -> None:
    lives = [Life(OfferCard(number), entry=number) for number in range(2000)]
    assert len({life.marker(1) for life in lives}) >= 1995


STORED = st.sampled_from(sorted({STAGES[fate] for fate in FATES.values()}))


@given(
    st.builds(
        Life, SUBJECTS, NUMBERS, NUMBERS, TEXTS, STORED, NUMBERS, NUMBERS, TEXTS, NUMBERS, TEXTS
    )
)
async def test_what_is_stored_is_read(shown: Life) -> None:
    lives, table = Lives(Store()), TableMessages(1, read={})
    await lives.store(table, shown, cursor=5)
    again = TableMessages(1)
    await lives.load(again)
    assert again.lives == table.lives == {shown.subject: shown}
    assert again.cursor == 5
    assert again.left == set() if shown.resting else {shown.subject}
    await lives.store(again, forgotten=[shown.subject])
    afterwards = TableMessages(1)
    await lives.load(afterwards)
    assert afterwards.lives == again.lives == {}


@pytest.mark.parametrize(
    ("fate", "stage"),
    [
        ("sending", "sending"),
        ("editing", "editing"),
        ("edited", "settling"),
        ("shown", "shown"),
        ("given_up", "given_up"),
    ],
)
async def test_each_stored_fate_is_a_stage(fate: Fate, stage: str) -> None:
    store, table = Store(), TableMessages(1)
    message = Message("board", 500, 12, "digest", fate, 7, 0, "", 99, "")
    store.kept["board"] = message
    await Lives(store).load(table)
    assert table.lives[Board()].stage == stage


async def test_a_board_that_is_to_be_deleted_is_still_that_in_the_next_process() -> None:
    shown = Life(Board(), 500, 12, "digest", entry=7)
    old = replaced(shown, 99)
    assert old.subject == Replaced(500, 12, 0)
    assert old.channel_id == 500
    assert old.message_id == 12
    assert old.stage == "replaced"
    lives, again = Lives(Store()), TableMessages(1)
    await lives.store(TableMessages(1, read={}), old)
    await lives.load(again)
    assert again.lives[old.subject].stage == "replaced"
    assert again.left == {old.subject}
