"""Commands and buttons on SimCord: the router, autocomplete, who may what, and what is registered when."""

from __future__ import annotations

import logging
import re

import pytest

from bot.rehearsal.stage import Reply
from bot.rules.ruling import Refused
from cogs.router import Router
from tests.discord.conftest import evening_on
from tests.discord.evening import Evening, said

CHOICES = 25


def private(reply: Reply) -> bool:
    return all(message.private for message in reply.messages)


# ---------------------------------------------------------------- the router


async def _press_as(playing: Evening, custom_id: str) -> Reply:
    """Bob presses a button that an older version of us has left behind."""
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    for messages in playing.env.backend.messages.values():
        for message in messages.values():
            _rename(message.components, custom_id)
    playing.stage.look()
    return await playing.press("bob", "Accept")


def _rename(components: list[dict[str, object]], custom_id: str) -> None:
    for item in components:
        if item.get("label") == "Accept":
            item["custom_id"] = custom_id
        for below in item.get("components") or ():  # type: ignore[attr-defined]
            _rename([below], custom_id)


@pytest.mark.parametrize("custom_id", ["trade:1:accept", "offer:1:1:sign", "offer:x:1:1:sign", "offer:1:1:1:sign:more"])
async def test_a_button_of_an_older_version_is_answered(playing: Evening, custom_id: str) -> None:
    reply = await _press_as(playing, custom_id)
    assert "older version of me" in said(reply)
    assert private(reply)
    assert playing.errors() == ()


@pytest.mark.parametrize(
    ("custom_id", "why"),
    [
        ("offer:99:1:1:sign", "There is no such table"),
        ("offer:1:99:1:sign", "There is no offer #99"),
        ("offer:1:1:7:sign", "Offer #1 has been altered"),
    ],
)
async def test_a_button_of_what_is_no_more_is_refused(playing: Evening, custom_id: str, why: str) -> None:
    reply = await _press_as(playing, custom_id)
    assert why in said(reply)
    assert private(reply)


async def test_a_defect_is_logged_and_apologised_for_with_a_word_to_quote(
    playing: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    """Errors of buttons take the path of those of commands; the rest goes on."""
    router = playing.bot.get_cog("Router")
    assert isinstance(router, Router)

    async def breaks(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    router._routes.insert(0, (re.compile("offer:.*"), breaks))
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    with caplog.at_level(logging.ERROR):
        reply = await playing.press("bob", "Accept")
    word = said(reply).rpartition("word: ")[2]
    assert "it is my fault" in said(reply)
    assert private(reply)
    assert f"defect {word}" in caplog.text
    assert "ZeroDivisionError" in caplog.text
    del router._routes[0]
    assert "transaction 1" in said(await playing.press("bob", "Accept"))


async def test_a_refusal_of_a_button_says_the_rule_to_who_pressed_and_nobody_else(playing: Evening) -> None:
    await playing.types("alice", "offer post", to="@bob", want="2 tg")
    reply = await playing.press("bob", "Accept")
    assert "[94.2]" in said(reply)
    assert private(reply)
    assert playing.errors() == ()


# ---------------------------------------------------------------- autocomplete


async def test_seats_that_are_free_are_offered(playing: Evening) -> None:
    every = await playing.completes("dave", "seat", "", "table sit")
    assert len(every) == CHOICES
    offered = await playing.completes("dave", "seat", "ha", "table sit")
    assert "The Emirates of Hacan" not in offered
    assert "The Mahact Gene-Sorcerers" in offered
    assert (await playing.completes("dave", "seat", "the x", "table sit"))[0] == "The Xxcha Kingdom"


async def test_offers_that_one_may_accept_or_withdraw_are_offered(playing: Evening) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    await playing.types("bob", "offer post", want="1 tg")
    to_bob, to_all = "#1 alice: 1 trade good for nothing (to bob)", "#2 bob: nothing for 1 trade good (to all)"
    assert await playing.completes("bob", "offer", "", "offer accept") == (to_bob,)
    assert await playing.completes("carol", "offer", "", "offer accept") == (to_all,)
    assert await playing.completes("bob", "offer", "", "offer withdraw") == (to_all,)
    assert await playing.completes("dave", "offer", "", "offer accept") == ()


async def test_goods_are_completed_with_what_one_has(playing: Evening) -> None:
    assert "5 trade goods" in await playing.completes("alice", "give", "", "offer post")
    offered = await playing.completes("alice", "give", "3 tg, cease", "offer post")
    assert offered == ("3 tg, alice's Ceasefire", "3 tg, cease")
    assert "2 trade goods" in await playing.completes("alice", "give", "2", "offer post")


async def test_what_lies_hidden_in_another_hand_is_never_offered(playing: Evening) -> None:
    """Carol holds Bob's Ceasefire: who wants something of her is offered her own notes, as if she held just those."""
    await playing.types("alice", "holdings set", player="@carol", goods="bob's ceasefire")
    for who in ("alice", "bob"):
        wanted = await playing.completes(who, "want", "cease", "offer post", to="@carol")
        assert "carol's Ceasefire" in wanted
        assert not any("bob's" in word for word in wanted)
        wanted = await playing.completes(who, "want", "cease", "offer post", to="@bob")
        assert "bob's Ceasefire" in wanted
    assert not any("bob's" in word for word in await playing.completes("bob", "give", "cease", "offer post"))
    assert "bob's Ceasefire" in await playing.completes("carol", "give", "cease", "offer post")
    offered = await playing.completes("alice", "goods", "cease", "holdings set", player="@carol")
    assert not any("bob's" in word for word in offered)


async def test_where_there_is_no_table_nothing_is_offered_and_nothing_breaks(evening: Evening) -> None:
    assert await evening.completes("alice", "give", "3", "offer post") == ()
    assert await evening.completes("alice", "seat", "", "table sit") == ()
    assert evening.errors() == ()


# ---------------------------------------------------------------- what is registered when


async def test_commands_are_registered_once_and_again_only_when_they_changed(evening: Evening) -> None:
    assert len(evening.requests("PUT", "/commands")) == 1
    await evening.stage.restart()
    assert evening.requests("PUT", "/commands") == []


async def test_commands_that_changed_are_registered_again(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    evening.requests()
    from cogs.help import Help

    command = Help.__cog_app_commands__[0]
    monkeypatch.setattr(command, "description", "Something else")
    await evening.stage.restart()
    assert len(evening.requests("PUT", "/commands")) == 1


async def test_commands_that_somebody_removed_are_registered_again(evening: Evening) -> None:
    evening.requests()
    await evening.bot.tree.sync()  # what Discord has is what is there
    await evening.bot.http.bulk_upsert_global_commands(evening.bot.application_id or 0, payload=[])
    evening.requests()
    await evening.stage.restart()
    assert len(evening.requests("PUT", "/commands")) == 1


# ---------------------------------------------------------------- who may what


async def test_whether_somebody_is_a_moderator_is_asked_at_every_use(playing: Evening) -> None:
    stage = playing.stage
    assert "Only the host" in said(await playing.types("mona", "holdings set", player="@bob", goods="3 tg"))
    stage.moderate("mona")
    assert "3 trade goods" in said(await playing.types("mona", "holdings set", player="@bob", goods="3 tg"))
    moderators = stage._moderators
    assert moderators is not None
    playing.env.backend.remove_member_role(stage.guild.id, stage.person("mona").id, moderators.id)
    assert "Only the host" in said(await playing.types("mona", "holdings set", player="@bob", goods="4 tg"))
    assert "Trade goods: 3" in said(await playing.types("bob", "holdings show"))


async def test_in_a_dm_nobody_is_a_moderator(playing: Evening) -> None:
    playing.stage.moderate("bob")
    assert "Only the host" in said(await playing.types("bob", "holdings set", in_dm=True, player="@bob", goods="3 tg"))
    assert "5 trade goods" in said(
        await playing.types("alice", "holdings set", in_dm=True, player="@bob", goods="5 tg")
    )


async def test_who_presses_anothers_button_is_refused(playing: Evening) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    for name, label, why in (
        ("carol", "Accept", "is for @bob"),
        ("carol", "Withdraw", "not yours to withdraw"),
        ("dave", "Accept", "You have no seat"),
    ):
        reply = await playing.press(name, label, "Offer #1")
        assert why in said(reply)
        assert private(reply)
    assert [person.name for person in await playing.bot.ledger.people(1)] == ["alice", "bob", "carol"]


async def test_a_bot_is_no_player(playing: Evening) -> None:
    playing.env.backend.users[playing.stage.person("robby").id].bot = True
    assert "bots don't play" in said(await playing.types("alice", "offer post", to="@robby", give="1 tg"))


async def test_in_a_dm_who_sits_at_two_tables_is_asked_which(playing: Evening) -> None:
    assert "Trade goods: 5" in said(await playing.types("alice", "holdings show", in_dm=True))
    assert "You sit at no table" in said(await playing.types("dave", "holdings show", in_dm=True))
    playing.stage.channel = playing.stage.guild.create_text_channel("other")
    await playing.types("alice", "table open", game="ti4", name="Saturday")
    reply = await playing.types("alice", "holdings show", in_dm=True)
    assert "You sit at several tables" in said(reply)
    assert "Saturday" in said(reply)


# ---------------------------------------------------------------- what people type


@pytest.mark.parametrize("typed", ["3 <person:x>", "<seat:nowhere>"])
async def test_whatever_is_typed_is_a_mistake_and_no_defect_of_ours(playing: Evening, typed: str) -> None:
    reply = await playing.types("alice", "offer post", to="@bob", give=typed)
    assert "I don't know" in said(reply)
    assert playing.errors() == ()


async def test_the_desk_asks_the_game_and_not_the_cog(playing: Evening) -> None:
    """What SimCord shows as an error is none: a refusal is an answer."""
    reply = await playing.types("alice", "offer post", to="@alice", give="1 tg")
    assert "You can't trade with yourself" in said(reply)
    assert private(reply)
    assert all(isinstance(error.__cause__, Refused) for error in playing.env.errors)


async def test_two_evenings_on_one_database_are_one_table(url: str) -> None:
    async with evening_on(url) as first:
        await first.seat("alice", "bob")
        await first.types("alice", "offer post", to="@bob", give="1 tg")
        assert await first.owed() == []
    async with evening_on(url) as second:
        assert second.errors() == ()
        look = await second.bot.desk.look(1)
        assert len(look.table.open_offers()) == 1
