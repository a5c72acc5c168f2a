"""Tests of delivery on SimCord: each message once, whatever is deleted, forbidden or broken."""

from __future__ import annotations

import pytest

from bot.rules.features.deals import AnswerDeal
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.seats import Leave, Sit
from bot.rules.model.goods import Goods
from cogs import answers
from tests.cogs.evening import Evening, pinged, text_of

ONE = Goods({"trade_good": 1})
OFFER = PostOffer(to="sol", give=ONE)


def about(texts: list[str], what: str) -> int:
    return sum(what in text for text in texts)


# ---------------------------------------------------------------- cards that are gone


async def test_a_deleted_card_is_posted_anew_when_the_table_is_shown(playing: Evening) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    await playing.delete("Offer 1")
    assert about(playing.channel(), "Offer 1") == 0
    await playing.types("carol", "table show")
    assert about(playing.channel(), "Offer 1") == 1
    await playing.press("bob", "Accept")
    assert about(playing.channel(), "Done · transaction 1") == 1


async def test_a_deleted_card_is_posted_anew_when_it_changes(playing: Evening) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    await playing.delete("Offer 1")
    await playing.restart()
    assert about(playing.channel(), "Offer 1 ·") == 0  # a start looks only at what was left to do
    await playing.types("alice", "offer suspend", offer="1")
    assert about(playing.channel(), "Offer 1 ·") == 1
    await playing.types("alice", "offer resume", offer="1")
    await playing.press("bob", "Accept")
    assert about(playing.channel(), "Done · transaction 1") == 1


async def test_the_card_of_an_offer_that_is_over_is_not_posted_anew(playing: Evening) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    await playing.types("alice", "offer withdraw", offer="1")
    await playing.delete("Offer 1")
    await playing.types("carol", "table show")
    await playing.restart()
    assert about(playing.channel(), "Offer 1") == 0


# ---------------------------------------------------------------- a crash between the ledger and th


async def test_what_was_owed_to_a_person_is_not_told_to_a_successor(playing: Evening) -> None:
    """The answer to what carol proposed is carol's, who left before it could be delivered."""
    await playing.types(
        "carol", "deal propose", **{"with": "@bob", "terms": "peace", "when": "later"}
    )
    await playing.behind_the_scenes("bob", AnswerDeal(1, agreed=True))
    await playing.behind_the_scenes("carol", Leave())
    await playing.behind_the_scenes("dave", Sit("letnev"))
    await playing.restart()
    assert about(playing.direct("dave"), "peace") == 0


async def test_what_was_not_told_is_told_with_the_next_thing_that_happens(playing: Evening) -> None:
    await playing.behind_the_scenes("alice", OFFER)
    await playing.types("bob", "holdings gain", goods="1 tg")
    assert about(playing.channel(), "Offer 1") == 1
    assert await playing.owed() == []


# ---------------------------------------------------------------- Discord will not


async def test_a_channel_that_is_gone_does_not_break_the_table(playing: Evening) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    playing.env.inject_error(
        "*", f"/channels/{playing.stage.channel.id}/messages*", status=404, code=10003, times=None
    )
    await playing.press("bob", "Accept", "Offer 1")
    assert "Trade goods: 1" in text_of(await playing.types("bob", "holdings show"))
    assert playing.errors() == ()
    assert await playing.owed() == []


async def test_a_response_that_discord_does_not_take_at_first_is_given_again(
    playing: Evening,
) -> None:
    playing.env.inject_error("POST", "/interactions/*/callback", status=503, times=2)
    reply = await playing.types("alice", "offer post", to="@bob", give="1 tg")
    assert "Offer 1 to bob is posted" in text_of(reply)
    assert about(playing.channel(), "Offer 1 ·") == 1


async def test_a_card_that_no_response_could_show_is_sent(
    playing: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "PAUSES", (0.0, 0.0))
    playing.env.inject_error("POST", "/interactions/*/callback", status=503, times=3)
    reply = await playing.types("alice", "offer post", to="@bob", give="1 tg")
    assert not reply.answered
    playing.stage.look()
    assert about(playing.channel(), "Offer 1 ·") == 1
    assert await playing.owed() == []
    await playing.press("bob", "Accept", "Offer 1")
    assert about(playing.channel(), "Done · transaction 1") == 1


async def test_a_card_that_discord_refuses_as_a_response_is_sent(playing: Evening) -> None:
    playing.env.inject_error("POST", "/interactions/*/callback", status=404, code=10015)
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    playing.stage.look()
    assert about(playing.channel(), "Offer 1 ·") == 1
    assert await playing.owed() == []


# ---------------------------------------------------------------- closed DMs


@pytest.mark.parametrize("code", [50007, 50278])
async def test_a_person_who_takes_no_dms_is_pinged_in_the_channel(
    playing: Evening, code: int
) -> None:
    bob = playing.stage.person("bob")
    playing.env.inject_error(
        "POST", f"/channels/{bob.user.dm_channel.id}/messages", status=403, code=code, times=None
    )
    playing.requests()
    reply = await playing.types("alice", "offer post", to="@bob", give="1 tg")
    assert "@bob can't be reached by DM" in text_of(reply)
    assert about(playing.channel(), "I can't reach you by DM") == 1
    assert pinged(playing.requests("POST")) == [bob.id]
    await playing.press("bob", "Accept", "I can't reach you by DM")
    assert about(playing.channel("bob"), "Done · transaction 1") == 1, "it is the offer's card"
    assert not playing.stage.has("bob", "Accept")


async def test_a_result_that_nobody_waits_for_is_not_told_in_the_channel(playing: Evening) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    playing.stage.close_dms("alice")
    await playing.press("bob", "Accept", "Offer 1")
    assert about(playing.channel(), "You gave") == 0
    assert await playing.owed() == []
    assert playing.errors() == ()


# ---------------------------------------------------------------- pings


async def test_only_those_who_must_act_are_pinged(playing: Evening) -> None:
    """In the channel nobody, as the card by DM is ping enough."""
    playing.requests()
    await playing.types("alice", "offer post", to="@bob", give="1 tg", terms="@everyone <@1> hello")
    await playing.types("alice", "table show")
    await playing.types("alice", "holdings gain", goods="1 tg")
    await playing.types("bob", "turn end")
    await playing.press("bob", "Accept", "Offer 1")
    assert pinged(playing.requests()) == []
