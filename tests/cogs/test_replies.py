"""Tests that replies are private or update the pressed message, and that only the bot posts."""

from __future__ import annotations

import pytest

from tests.cogs.evening import Evening, private, text_of


def asked(playing: Evening) -> list[tuple[str, str]]:
    """Return the bot's requests since the last call, as the method and the person or #table;
    without responses.
    """
    places = {str(playing.stage.channel.id): "#table"}
    for name in ("alice", "bob", "carol"):
        places[str(playing.stage.person(name).user.dm_channel.id)] = name
    found = list[tuple[str, str]]()
    for request in playing.requests(path="/channels/"):
        channel = request.path.partition("/channels/")[2].partition("/")[0]
        if channel in places and request.method != "GET":
            found.append((request.method, places[channel]))
    return sorted(found)


@pytest.fixture
async def open_dms(playing: Evening) -> Evening:
    """The table, with everybody's DM channel known, and nothing asked yet."""
    for name in ("bob", "carol"):
        await playing.types("alice", "offer post", to=f"@{name}", give="1 tg")
    await playing.types("bob", "offer post", to="@alice", give="1 commodity")
    for number, name in (("1", "alice"), ("2", "alice"), ("3", "bob")):
        await playing.types(name, "offer withdraw", offer=number)
    playing.requests()
    return playing


BOARD = ("PATCH", "#table")


async def test_posting_is_answered_with_a_receipt_that_says_what_only_the_poster_reads(
    open_dms: Evening,
) -> None:
    # in alice's turn
    reply = await open_dms.types("bob", "offer post", to="@carol", give="1 commodity")
    [receipt] = reply.messages
    assert receipt.private
    assert "✅ Offer 4 to carol is posted" in receipt.text
    assert "Not now" in receipt.text
    assert asked(open_dms) == [BOARD, ("POST", "#table"), ("POST", "carol")]
    [card] = [text for text in open_dms.channel() if "Offer 4 ·" in text]
    assert "Not now" not in card


async def test_a_card_that_was_posted_is_a_message_like_any_other(open_dms: Evening) -> None:
    await open_dms.types("alice", "offer post", to="@bob", give="1 tg")
    asked(open_dms)
    await open_dms.types("alice", "offer withdraw", offer="4", in_dm=True)
    # the card too: no token reaches what the bot has sent
    assert asked(open_dms) == [BOARD, BOARD, ("PATCH", "bob")]
    [card] = [text for text in open_dms.channel() if "Offer 4 ·" in text]
    assert "Withdrawn" in card


async def test_posting_in_a_dm_leaves_the_card_to_delivery(open_dms: Evening) -> None:
    reply = await open_dms.types("alice", "offer post", in_dm=True, to="@bob", give="1 tg")
    assert "Offer 4 to bob is posted" in text_of(reply)
    assert all(message.where.startswith("DM") for message in reply.messages)
    assert asked(open_dms) == [BOARD, ("POST", "#table"), ("POST", "bob")]


async def test_a_press_in_a_dm_updates_that_message(open_dms: Evening) -> None:
    await open_dms.types("alice", "offer post", to="@bob", give="1 tg")
    asked(open_dms)
    before = len(open_dms.direct("bob"))
    await open_dms.press("bob", "Accept", "You get")
    assert len(open_dms.direct("bob")) == before
    assert sum("✅ You got 1 trade good 🟡" in text for text in open_dms.direct("bob")) == 1
    assert asked(open_dms) == [BOARD, BOARD, ("POST", "alice")]


async def test_a_press_in_the_channel_updates_the_card(open_dms: Evening) -> None:
    await open_dms.types("alice", "offer post", give="1 tg")
    asked(open_dms)
    await open_dms.press("bob", "Accept", "Offer 4")
    assert asked(open_dms) == [("POST", "alice")]
    await open_dms.press("alice", "More…", "Offer 4")
    await open_dms.press("alice", "Suspend")
    assert asked(open_dms) == [BOARD, ("PATCH", "alice")]
    assert sum("Suspended" in text for text in open_dms.channel()) == 1


async def test_what_everybody_should_know_is_posted_by_the_bot(open_dms: Evening) -> None:
    reply = await open_dms.types("carol", "holdings gain", goods="1 tg")
    assert private(reply)
    assert "You gain" in text_of(reply)
    assert asked(open_dms) == [("POST", "#table")]
    assert sum("gains" in text for text in open_dms.channel()) == 1


async def test_from_a_dm_the_channel_reads_it_as_well(open_dms: Evening) -> None:
    reply = await open_dms.types("carol", "holdings gain", in_dm=True, goods="1 tg")
    assert "You gain" in text_of(reply)
    assert asked(open_dms) == [("POST", "#table")]
    assert sum("gains" in text for text in open_dms.channel()) == 1


async def test_what_only_one_person_needs_to_see_costs_nothing(open_dms: Evening) -> None:
    for path in ("holdings show", "offer list", "history", "help"):
        reply = await open_dms.types("carol", path)
        assert private(reply)
    assert asked(open_dms) == []


async def test_however_many_offers_stand_a_turn_redraws_the_newest_five_for_the_one_they_are_for(
    open_dms: Evening,
) -> None:
    for number in range(12):
        await open_dms.types("alice", "offer post", to="@bob", give="1 tg", terms=f"{number}")
    asked(open_dms)
    await open_dms.types("alice", "turn end")
    await open_dms.types("alice", "turn start", player="@bob")
    requests = [one for one in asked(open_dms) if one != BOARD]
    edited = [one for one in requests if one[0] == "PATCH"]
    assert set(requests) - set(edited) <= {("POST", "#table"), ("DELETE", "#table")}
    assert len(edited) <= 2 * 5, "five cards at each of two turns"
    assert "#table" not in {place for _, place in edited}
    cards = [text for text in open_dms.channel() if text.startswith("Offer ")]
    assert len(cards) == 15
