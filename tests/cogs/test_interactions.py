"""Commands and buttons on SimCord: old buttons, autocomplete, permissions, and when commands are registered."""

from __future__ import annotations

import logging

import pytest

from bot.rehearsal.stage import Reply
from bot.rules.commands import Press
from bot.rules.features.offers.posting import PauseOffer
from bot.rules.features.offers.signing import EndOffer, Sign
from bot.rules.model.actions import Action, OfferAction
from bot.rules.model.violation import Refused
from bot.show.custom_ids import encode
from cogs.help import Help
from cogs.request import Request
from tests.cogs.conftest import evening_on
from tests.cogs.evening import TABLE, Evening, private, text_of

CHOICES = 25


# ---------------------------------------------------------------- buttons


async def _press_as(playing: Evening, custom_id: str) -> Reply:
    """Have Bob press a button that has this custom_id."""
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


@pytest.mark.parametrize(
    "custom_id",
    [
        "trade:1:accept", "offer:1:1:accept", "offer:x:1:1:more", "offer:1:1:1:accept", "offer:1:1:1:more:more",
        "offer:1:1:1:", "nothing", "do:1:offer.sign:x:1", "do:1:offer.eat:1:1",
    ],
)  # fmt: skip
async def test_a_button_of_an_older_version_is_answered(playing: Evening, custom_id: str) -> None:
    reply = await _press_as(playing, custom_id)
    assert "older version of me" in text_of(reply)
    assert private(reply)
    assert playing.errors() == ()
    assert (await playing.table()).transactions == 0


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Press(99, Sign(1, 1)), "There is no such table"),
        (Press(1, Sign(99, 1)), "There is no offer 99"),
        (Press(1, Sign(1, 7)), "Offer 1 has been altered"),
    ],
)
async def test_a_button_of_what_is_no_more_is_refused(playing: Evening, action: Press, reason: str) -> None:
    reply = await _press_as(playing, encode(action))
    assert reason in text_of(reply)
    assert private(reply)


@pytest.mark.parametrize(
    ("what", "action"),
    [
        ("alter", OfferAction(1, 1, 1, "alter")),
        ("suspend", Press(1, PauseOffer(1, paused=True))),
        ("withdraw", Press(1, EndOffer(1, "withdraw"))),
    ],
)
async def test_the_posters_buttons_are_refused_to_others(playing: Evening, what: str, action: Action) -> None:
    reply = await _press_as(playing, encode(action))
    assert f"not yours to {what}" in text_of(reply)
    assert private(reply)
    assert playing.errors() == ()


async def test_a_defect_after_the_deed_is_recorded_says_that_it_counts(
    playing: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    """The accept is in the ledger; only showing it failed, and the log says in which game and where."""
    handlers = playing.router._handlers

    async def cant_show(request: Request, command: Sign) -> None:
        await request.execute(command)
        error = ZeroDivisionError()
        error.add_note("in the game ti4: trade.neighbors")
        raise error

    works, handlers[Sign] = handlers[Sign], cant_show
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    with caplog.at_level(logging.ERROR):
        reply = await playing.press("bob", "Accept")
    handlers[Sign] = works
    assert text_of(reply).startswith("It counts: what you did is recorded. But I can't show it, and it is my fault.")
    assert " in the game ti4: trade.neighbors" in caplog.text
    assert "gave" in text_of(await playing.types("bob", "history"))


async def test_a_defect_is_logged_and_apologised_for_with_a_word_to_quote(
    playing: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    """Errors of buttons take the path of those of commands; the bot runs on."""
    handlers = playing.router._handlers
    works = handlers[Sign]

    async def breaks(request: Request, command: Sign) -> None:
        raise ZeroDivisionError

    handlers[Sign] = breaks
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    with caplog.at_level(logging.ERROR):
        reply = await playing.press("bob", "Accept")
    word = text_of(reply).rpartition("word: ")[2]
    assert "it is my fault" in text_of(reply)
    assert private(reply)
    assert f"defect {word}" in caplog.text
    assert "ZeroDivisionError" in caplog.text
    handlers[Sign] = works
    assert "transaction 1" in text_of(await playing.press("bob", "Accept"))


async def test_the_refusal_of_a_button_names_the_rule_to_the_presser_only(playing: Evening) -> None:
    await playing.types("alice", "offer post", to="@bob", want="2 tg")
    reply = await playing.press("bob", "Accept")
    assert "[94.2]" in text_of(reply)
    assert private(reply)
    assert playing.errors() == ()


# ---------------------------------------------------------------- autocomplete


async def test_free_seats_are_suggested(playing: Evening) -> None:
    every = await playing.completes("dave", "seat", "", "table sit")
    assert len(every) == CHOICES
    suggested = await playing.completes("dave", "seat", "ha", "table sit")
    assert "The Emirates of Hacan" not in suggested
    assert "The Mahact Gene-Sorcerers" in suggested
    assert (await playing.completes("dave", "seat", "the x", "table sit"))[0] == "The Xxcha Kingdom"


async def test_offers_that_a_player_may_accept_or_withdraw_are_suggested(playing: Evening) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    await playing.types("bob", "offer post", want="1 tg")
    to_bob = "Offer 1: alice offers you 1 trade good for nothing"
    to_all = "Offer 2: bob asks everybody for 1 trade good"
    own = "Offer 2: you ask everybody for 1 trade good"
    assert await playing.completes("bob", "offer", "", "offer accept") == (to_bob,)
    assert await playing.completes("carol", "offer", "", "offer accept") == (to_all,)
    assert await playing.completes("bob", "offer", "", "offer withdraw") == (own,)
    assert await playing.completes("dave", "offer", "", "offer accept") == ()


async def test_goods_are_completed_from_the_players_own(playing: Evening) -> None:
    assert "5 trade goods" in await playing.completes("alice", "give", "", "offer post")
    offered = await playing.completes("alice", "give", "3 tg, cease", "offer post")
    assert offered == ("3 tg, Hacan's Ceasefire (alice)",), "what would be refused is not offered"
    for typed in ("alice's cea", "hacan's cea", "ceasefire (ali"):
        assert await playing.completes("alice", "give", typed, "offer post") == ("Hacan's Ceasefire (alice)",)
    for typed in ("2", "two", "two trade"):
        assert "2 trade goods" in await playing.completes("alice", "give", typed, "offer post")
    for kept in ("3 tg and", "3 tg &", "a tg;"):
        offered = await playing.completes("alice", "give", f"{kept} cease", "offer post")
        assert offered == (f"{kept} Hacan's Ceasefire (alice)",)
    offered = await playing.completes("alice", "give", "tg tg and two tg", "offer post")
    assert offered == ("tg tg and 2 trade goods",)
    assert await playing.completes("alice", "give", "tg tg and four tg", "offer post") == (
        "tg tg and 3 trade goods (all you have)",
    )
    assert await playing.completes("alice", "give", "3 dilithium", "offer post") == ()


async def test_what_one_does_not_have_is_not_suggested_but_where_it_is_gained(playing: Evening) -> None:
    assert await playing.completes("alice", "give", "2 fragments", "offer post") == ()
    offered = await playing.completes("alice", "goods", "2 fragments", "holdings gain")
    assert offered[:2] == ("2 cultural fragments", "2 hazardous fragments")
    assert not any("Ceasefire" in each for each in await playing.completes("alice", "goods", "", "holdings gain"))
    assert await playing.completes("alice", "goods", "c", "holdings spend") == ()
    assert await playing.completes("alice", "goods", "7 tg", "holdings spend") == ("5 trade goods (all you have)",)


async def test_what_is_hidden_in_another_hand_is_never_suggested(playing: Evening) -> None:
    """Carol holds Bob's Ceasefire. To others who want something of her, only her own notes are suggested."""
    await playing.types("alice", "holdings set", player="@carol", goods="bob's ceasefire")
    for who in ("alice", "bob"):
        wanted = await playing.completes(who, "want", "cease", "offer post", to="@carol")
        assert "Letnev's Ceasefire (carol)" in wanted
        assert not any("(bob)" in word for word in wanted)
    wanted = await playing.completes("alice", "want", "cease", "offer post", to="@bob")
    assert wanted == ("Sol's Ceasefire (bob)",)
    assert await playing.completes("bob", "want", "cease", "offer post", to="@bob") == (), "nobody trades with himself"
    assert not any("(bob)" in word for word in await playing.completes("bob", "give", "cease", "offer post"))
    assert "Sol's Ceasefire (bob)" in await playing.completes("carol", "give", "cease", "offer post")
    offered = await playing.completes("alice", "goods", "cease", "holdings set", player="@carol")
    assert len(offered) == 3, "anybody's may be set; which are where plays no part"
    wanted = await playing.completes("carol", "want", "cease", "offer post", to="@bob")
    assert wanted == (), "it is in her own hand"


async def test_without_a_table_nothing_is_suggested_and_nothing_breaks(evening: Evening) -> None:
    assert await evening.completes("alice", "give", "3", "offer post") == ()
    assert await evening.completes("alice", "seat", "", "table sit") == ()
    assert evening.errors() == ()


# ---------------------------------------------------------------- registering commands


async def test_commands_are_registered_once_and_again_only_when_they_changed(evening: Evening) -> None:
    assert len(evening.requests("PUT", "/commands")) == 1
    await evening.stage.restart()
    assert evening.requests("PUT", "/commands") == []


async def test_commands_that_changed_are_registered_again(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    evening.requests()
    command = Help.__cog_app_commands__[0]
    monkeypatch.setattr(command, "description", "Something else")
    await evening.stage.restart()
    assert len(evening.requests("PUT", "/commands")) == 1


async def test_commands_that_were_removed_are_registered_again(evening: Evening) -> None:
    evening.requests()
    await evening.bot.tree.sync()
    await evening.bot.http.bulk_upsert_global_commands(evening.bot.application_id or 0, payload=[])
    evening.requests()
    await evening.stage.restart()
    assert len(evening.requests("PUT", "/commands")) == 1


# ---------------------------------------------------------------- permissions


async def test_whether_a_person_is_a_moderator_is_checked_at_every_use(playing: Evening) -> None:
    stage = playing.stage
    assert "Only the host" in text_of(await playing.types("mona", "holdings set", player="@bob", goods="3 tg"))
    stage.moderate("mona")
    assert "3 trade goods" in text_of(await playing.types("mona", "holdings set", player="@bob", goods="3 tg"))
    moderators = stage._moderators
    assert moderators is not None
    playing.env.backend.remove_member_role(stage.guild.id, stage.person("mona").id, moderators.id)
    assert "Only the host" in text_of(await playing.types("mona", "holdings set", player="@bob", goods="4 tg"))
    assert "Trade goods: 3" in text_of(await playing.types("bob", "holdings show"))


async def test_in_a_dm_nobody_is_a_moderator(playing: Evening) -> None:
    playing.stage.moderate("bob")
    assert "Only the host" in text_of(
        await playing.types("bob", "holdings set", in_dm=True, player="@bob", goods="3 tg")
    )
    assert "5 trade goods" in text_of(
        await playing.types("alice", "holdings set", in_dm=True, player="@bob", goods="5 tg")
    )


async def test_another_persons_button_is_refused(playing: Evening) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    for name, label, reason in (
        ("carol", "Accept", "is for @bob"),
        ("carol", "Counter", "is for @bob"),
        ("dave", "Accept", "You have no seat"),
    ):
        reply = await playing.press(name, label, "Offer 1")
        assert reason in text_of(reply)
        assert private(reply)
    assert [person.name for person in await playing.bot.ledger.tables.people(1)] == ["alice", "bob", "carol"]


async def test_a_bot_is_no_player(playing: Evening) -> None:
    playing.env.backend.users[playing.stage.person("robby").id].bot = True
    assert "bots don't play" in text_of(await playing.types("alice", "offer post", to="@robby", give="1 tg"))


async def test_in_a_dm_a_person_at_two_tables_is_asked_which(playing: Evening) -> None:
    assert "Trade goods: 5" in text_of(await playing.types("alice", "holdings show", in_dm=True))
    assert "You don't sit at a table" in text_of(await playing.types("dave", "holdings show", in_dm=True))
    playing.stage.channel = playing.stage.guild.create_text_channel("other")
    await playing.types("alice", "table open", game="ti4", name="Saturday")
    reply = await playing.types("alice", "holdings show", in_dm=True)
    assert "You sit at several tables" in text_of(reply)
    assert "Saturday" in text_of(reply)


# ---------------------------------------------------------------- what people type


@pytest.mark.parametrize("typed", ["3 <person:x>", "<seat:nowhere>"])
async def test_any_text_is_at_worst_a_mistake_and_never_a_defect(playing: Evening, typed: str) -> None:
    reply = await playing.types("alice", "offer post", to="@bob", give=typed)
    assert "I don't know" in text_of(reply)
    assert playing.errors() == ()


async def test_a_refusal_is_an_answer_and_no_error(playing: Evening) -> None:
    """SimCord lists the refusal of a command among the errors."""
    reply = await playing.types("alice", "offer post", to="@alice", give="1 tg")
    assert "You can't trade with yourself" in text_of(reply)
    assert private(reply)
    assert all(isinstance(error.__cause__, Refused) for error in playing.env.errors)


async def test_two_evenings_on_one_database_are_one_table(url: str) -> None:
    async with evening_on(url) as first:
        await first.seat("alice", "bob")
        await first.types("alice", "offer post", to="@bob", give="1 tg")
        assert await first.owed() == []
    async with evening_on(url) as second:
        assert second.errors() == ()
        view = await second.bot.service.view(TABLE, second.requester("carol"))
        assert [offer.status for offer in view.offers.values()] == ["open"]
        assert len((await second.table()).open_offers()) == 1
