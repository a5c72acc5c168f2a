"""Tests that a button which was kept, and is pressed later, is about what it was drawn for."""

from __future__ import annotations

import pytest

from tests.cogs.evening import TABLE, Evening, text_of


async def records(playing: Evening, who: str, custom_id: str, says: str) -> int:
    """Press it. Return how many entries it recorded."""
    before = (await playing.table()).seq
    assert says in text_of(await playing.forge(who, custom_id))
    return (await playing.table()).seq - before


def carried_by(playing: Evening, who: str, label: str) -> str:
    """Return what the newest button with this label carries."""
    person = playing.stage.person(who)
    _, [button] = playing.stage._newest(person, lambda control: control.label == label)
    return button.custom_id


@pytest.mark.parametrize(
    ("who", "carried"),
    [
        ("bob", "offer.end:1:decline:1"),
        ("alice", "offer.end:1:withdraw:1"),
        ("alice", "offer.pause:1:1:1"),
        ("alice", "offer.declare:1:1"),
        ("bob", "offer.sign:1:1:"),
    ],
)
async def test_a_card_of_an_earlier_revision(playing: Evening, who: str, carried: str) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    await playing.types("alice", "offer alter", offer="1", give="2 tg")
    assert await records(playing, who, f"do:{TABLE}:{carried}", "altered") == 0


@pytest.mark.parametrize(
    ("who", "carried"),
    [
        ("bob", "offer.end:1:decline"),
        ("alice", "offer.end:1:withdraw"),
        ("alice", "offer.pause:1:1"),
    ],
)
async def test_a_card_of_1_0_0_names_its_offer(playing: Evening, who: str, carried: str) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    await playing.types("alice", "offer alter", offer="1", give="2 tg")
    assert await records(playing, who, f"do:{TABLE}:{carried}", "") == 1


@pytest.mark.parametrize("carried", ["seat.leave:sol", "table.coming:1", "ti4.ring", "ti4.peace"])
async def test_what_1_0_0_left_open_is_asked(playing: Evening, carried: str) -> None:
    assert await records(playing, "alice", f"do:{TABLE}:{carried}", "") == 0


async def test_cards_to_discard_are_those_of_the_question(playing: Evening) -> None:
    await playing.types("alice", "holdings set", player="@bob", goods="7 action cards")
    await playing.types("bob", "holdings gain", goods="1 action card")
    one = carried_by(playing, "bob", "I have discarded 1")
    await playing.types("bob", "holdings gain", goods="1 action card")
    assert await records(playing, "bob", one, "You have 2 action cards too many now.") == 0
    await playing.press("bob", "I have discarded 2")
    assert await records(playing, "bob", one, "You don't have too many action cards.") == 0


async def test_one_more_minute_is_of_the_bell_that_rang(evening: Evening) -> None:
    await evening.types("alice", "table open", game="advciv")
    for name, seat in (("alice", "egypt"), ("bob", "crete")):
        await evening.types(name, "table sit", seat=seat)
    for _ in range(2):
        await evening.types("alice", "trading open", anyway="yes")
        await evening.types("alice", "trading close")
        minute = carried_by(evening, "alice", "One more minute")
        await evening.press("alice", "One more minute")
        assert await records(evening, "alice", minute, "That is over. Now: trading.") == 0
        await evening.types("alice", "trading close")
        assert await records(evening, "alice", minute, "Now: the time after trading.") == 0


async def test_a_claim_is_answered_that_was_asked(playing: Evening) -> None:
    await playing.types("alice", "turn start", player="@bob")
    await playing.press("carol", "Who can I trade with?")
    await playing.press("carol", "bob and I are neighbours")
    first = carried_by(playing, "bob", "Accept")
    await playing.press("bob", "Not so")
    await playing.press("carol", "Who can I trade with?")
    await playing.press("carol", "bob and I are neighbours")
    assert await records(playing, "bob", first, "carol has asked again since.") == 0
    assert await records(playing, "bob", carried_by(playing, "bob", "Accept"), "now") == 1


async def test_a_note_goes_back_when_asked_for_now(playing: Evening) -> None:
    await playing.types("alice", "holdings set", player="@alice", goods="sol's alliance")
    await playing.types("alice", "note play", note="sol's alliance")
    await playing.types("bob", "note return", note="alliance")
    first = carried_by(playing, "alice", "Give it back")
    await playing.press("alice", "Keep it")
    await playing.types("bob", "note return", note="alliance")
    assert await records(playing, "alice", first, "bob has asked again since.") == 0


async def test_a_card_is_taken_by_the_request_of_now(evening: Evening) -> None:
    await evening.types("alice", "table open", game="advciv")
    for name, seat in (("alice", "egypt"), ("bob", "crete")):
        await evening.types(name, "table sit", seat=seat)
    await evening.types("alice", "cards take", **{"from": "@bob"})
    first = carried_by(evening, "bob", "Let them take it")
    await evening.press("bob", "No")
    await evening.types("alice", "cards take", **{"from": "@bob"})
    assert await records(evening, "bob", first, "alice has asked again since.") == 0
