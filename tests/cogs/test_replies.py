"""Replies: the response to a command or press is the card itself, so that nothing is there twice or costs a request."""

from __future__ import annotations

import pytest

from tests.cogs.evening import Evening, private, text_of


def asked(playing: Evening) -> list[tuple[str, str]]:
    """Return the bot's requests since the last call, as the method and the person or #table; without responses."""
    dms = {str(playing.stage.person(name).user.dm_channel.id): name for name in ("alice", "bob", "carol")}
    places = dms | {str(playing.stage.channel.id): "#table"}
    found = [
        (one.method, place)
        for one in playing.requests(path="/channels/")
        for place in places.values()
        if f"/channels/{next(id for id, name in places.items() if name == place)}/" in one.path and one.method != "GET"
    ]
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


async def test_posting_in_the_channel_is_answered_with_the_card(open_dms: Evening) -> None:
    reply = await open_dms.types("alice", "offer post", to="@bob", give="1 tg")
    [card] = reply.messages
    assert not card.private
    assert "Offer 4 ·" in card.text
    assert asked(open_dms) == [BOARD, ("POST", "bob")]
    assert sum("Offer 4 ·" in text for text in open_dms.channel()) == 1


async def test_what_is_for_the_poster_alone_follows_in_private(open_dms: Evening) -> None:
    reply = await open_dms.types("bob", "offer post", to="@carol", give="1 commodity")  # in alice's turn
    card, own = reply.messages
    assert not card.private
    assert own.private
    assert "Not now" in own.text
    assert "Not now" not in card.text
    assert asked(open_dms) == [BOARD, ("POST", "carol")]


async def test_a_card_that_was_posted_is_a_message_like_any_other(open_dms: Evening) -> None:
    await open_dms.types("alice", "offer post", to="@bob", give="1 tg")
    asked(open_dms)
    await open_dms.types("alice", "offer withdraw", offer="4", in_dm=True)
    assert asked(open_dms) == [BOARD, ("PATCH", "bob")]  # the card itself is edited by its command's token
    [card] = [text for text in open_dms.channel() if "Offer 4 ·" in text]
    assert "Withdrawn" in card


async def test_posting_in_a_dm_leaves_the_card_to_delivery(open_dms: Evening) -> None:
    reply = await open_dms.types("alice", "offer post", in_dm=True, to="@bob", give="1 tg")
    assert "Offer 4 to bob (Sol) ·" in text_of(reply)
    assert all(message.where.startswith("DM") for message in reply.messages)
    assert asked(open_dms) == [BOARD, ("POST", "#table"), ("POST", "bob")]


async def test_a_press_in_a_dm_updates_that_message(open_dms: Evening) -> None:
    await open_dms.types("alice", "offer post", to="@bob", give="1 tg")
    asked(open_dms)
    before = len(open_dms.direct("bob"))
    await open_dms.press("bob", "Accept", "Offer 4")
    assert len(open_dms.direct("bob")) == before
    assert sum("✅ You got 🟡 1 trade good" in text for text in open_dms.direct("bob")) == 1
    assert asked(open_dms) == [BOARD, ("POST", "alice")]


async def test_a_press_in_the_channel_updates_the_card(open_dms: Evening) -> None:
    await open_dms.types("alice", "offer post", give="1 tg")
    asked(open_dms)
    await open_dms.press("bob", "Accept", "Offer 4")
    assert asked(open_dms) == [("POST", "alice")]
    await open_dms.press("alice", "More…", "Offer 4")
    await open_dms.press("alice", "Suspend")
    assert asked(open_dms) == [BOARD, ("PATCH", "alice")]
    assert sum("Suspended" in text for text in open_dms.channel()) == 1


async def test_what_everybody_should_know_is_the_public_reply(open_dms: Evening) -> None:
    reply = await open_dms.types("carol", "holdings gain", goods="1 tg")
    assert not private(reply)
    assert asked(open_dms) == []
    assert sum("gains" in text for text in open_dms.channel()) == 1


async def test_from_a_dm_the_channel_reads_it_as_well(open_dms: Evening) -> None:
    reply = await open_dms.types("carol", "holdings gain", in_dm=True, goods="1 tg")
    assert "gains" in text_of(reply)
    assert asked(open_dms) == [("POST", "#table")]
    assert sum("gains" in text for text in open_dms.channel()) == 1


async def test_what_only_one_person_needs_to_see_costs_nothing(open_dms: Evening) -> None:
    for path in ("holdings show", "offer list", "history", "help"):
        reply = await open_dms.types("carol", path)
        assert private(reply)
    assert asked(open_dms) == []


async def test_however_many_offers_stand_a_turn_redraws_none_of_them(open_dms: Evening) -> None:
    for number in range(12):
        await open_dms.types("alice", "offer post", to="@bob", give="1 tg", terms=f"{number}")
    asked(open_dms)
    await open_dms.types("alice", "turn end")
    await open_dms.types("alice", "turn start", player="@bob")
    assert {one for one in asked(open_dms) if one != BOARD} <= {("POST", "#table"), ("DELETE", "#table")}
    cards = [text for text in open_dms.channel() if text.startswith("Offer ")]
    assert len(cards) == 15
