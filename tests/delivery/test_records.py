"""Records of messages: nonces, markers, and what of them survives in the store."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.delivery.desired import Board, OfferCard, PersonalOffer, Replaced, Subject
from bot.delivery.records import MARKERS_FROM, NONCE_MAX, MessageRecord, MessageRecords, TableMessages, replaced
from tests.delivery.display import Store

BASE = MessageRecord(OfferCard(3), 500, entry=7, generation=1)


@pytest.mark.parametrize(
    "same",
    [
        MessageRecord(OfferCard(3), 500, 900, "other", "shown", 7, 1, "anchor", 12345, "reason"),
        MessageRecord(OfferCard(3), 500, 0, "", "sending", 7, 1),
        MessageRecord(OfferCard(3), 500, 0, "", "given_up", 7, 1, at=99),
    ],
)
def test_the_nonce_is_the_same_whatever_became_of_the_message(same: MessageRecord) -> None:
    """After a crash it is made from the record, whatever the message shows by then."""
    assert same.nonce(1) == BASE.nonce(1)
    assert same.marker(1) == BASE.marker(1)


@pytest.mark.parametrize(
    ("table", "other"),
    [
        (2, BASE),
        (1, MessageRecord(OfferCard(4), 500, entry=7, generation=1)),
        (1, MessageRecord(Board(), 500, entry=7, generation=1)),
        (1, MessageRecord(OfferCard(3), 500, entry=8, generation=1)),
        (1, MessageRecord(OfferCard(3), 500, entry=7, generation=2)),
    ],
)
def test_another_message_has_another_nonce_and_marker(table: int, other: MessageRecord) -> None:
    assert other.nonce(table) != BASE.nonce(1)
    assert other.marker(table) != BASE.marker(1)


def test_in_another_place_it_has_another_nonce_and_the_same_marker() -> None:
    """Discord matches nonces by author, so the ping in a channel would be answered with the DM that was refused."""
    elsewhere = MessageRecord(OfferCard(3), 501, entry=7, generation=1)
    assert elsewhere.nonce(1) != BASE.nonce(1)
    assert elsewhere.marker(1) == BASE.marker(1)


SUBJECTS: st.SearchStrategy[Subject] = st.one_of(
    st.builds(OfferCard, st.integers(1, 2**63 - 1)),
    st.builds(PersonalOffer, st.integers(1, 2**63 - 1), st.just("poster"), st.integers(1, 2**63 - 1)),
)


@given(st.integers(1), SUBJECTS, st.integers(0), st.integers(0), st.integers(0))
def test_discord_takes_every_nonce_and_every_marker(
    table: int, subject: Subject, channel: int, entry: int, generation: int
) -> None:
    shown = MessageRecord(subject, channel, entry=entry, generation=generation)
    assert 0 < len(shown.nonce(table)) <= NONCE_MAX == 25
    assert 1000 < MARKERS_FROM <= shown.marker(table) < 2**31  # Discord numbers components without an id from 1


def test_markers_are_spread_out() -> None:
    found = {MessageRecord(OfferCard(number), entry=number).marker(1) for number in range(2000)}
    assert len(found) >= 1995


FATES = st.sampled_from(("sending", "answering", "editing", "edited", "shown", "given_up"))
NUMBERS, TEXTS = st.integers(0), st.text()


@given(st.builds(MessageRecord, SUBJECTS, NUMBERS, NUMBERS, TEXTS, FATES, NUMBERS, NUMBERS, TEXTS, NUMBERS, TEXTS))
async def test_what_is_stored_is_read(shown: MessageRecord) -> None:
    records, table = MessageRecords(Store()), TableMessages(1, shown={})
    await records.store(table, shown, cursor=5)
    again = TableMessages(1)
    await records.load(again)
    assert again.records == table.records == {shown.subject: shown}
    assert (again.cursor, again.left) == (5, set() if shown.settled else {shown.subject})
    await records.store(again, forgotten=[shown.subject])
    afterwards = TableMessages(1)
    await records.load(afterwards)
    assert afterwards.records == again.records == {}


@pytest.mark.parametrize(
    ("fate", "settled"),
    [("sending", False), ("answering", False), ("editing", False), ("shown", True), ("given_up", True)],
)
def test_what_is_left_after_a_crash(fate: str, settled: bool) -> None:
    assert MessageRecord(Board(), fate=fate).settled is settled  # type: ignore[arg-type]


@pytest.mark.parametrize(("delete", "state"), [(True, "delete"), (False, "close")])
def test_a_message_that_was_replaced_is_left_to_be_closed(delete: bool, state: str) -> None:
    old = replaced(MessageRecord(Board(), 500, 12, "digest", entry=7), delete=delete, at=99)
    assert (old.subject, old.channel_id, old.message_id) == (Replaced(500, 12), 500, 12)
    assert (old.state, old.settled) == (state, False)
