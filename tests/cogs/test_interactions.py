"""Tests of commands and buttons on SimCord: old buttons, autocomplete, permissions,
registration.
"""

from __future__ import annotations

import logging

import pytest

from bot.ledger import LedgerError
from bot.rehearsal.simulated_server import ImpossibleAction
from bot.rehearsal.stage import Reply
from bot.rules.features.offers.signing import Sign
from bot.rules.model.actions import OfferAction
from bot.rules.model.violation import Refused
from bot.service import Outcome
from bot.show.custom_ids import encode
from cogs.help import Help
from cogs.inquiry import SET_UP_BUTTON
from cogs.request import Request
from tests.cogs.evening import Evening, private, text_of
from tests.errors import error

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
        "trade:1:accept",
        "offer:1:1:accept",
        "offer:x:1:1:more",
        "offer:1:1:1:accept",
        "offer:1:1:1:more:more",
        "offer:1:1:1:",
        "nothing",
        "do:1:offer.sign:x:1",
        "do:1:offer.eat:1:1",
    ],
)
async def test_a_button_of_an_older_version_is_answered(playing: Evening, custom_id: str) -> None:
    reply = await _press_as(playing, custom_id)
    assert "older version of me" in text_of(reply)
    assert private(reply)
    assert playing.errors() == ()
    assert (await playing.table()).transactions == 0


async def test_the_form_to_alter_an_offer_is_its_posters(playing: Evening) -> None:
    reply = await _press_as(playing, encode(OfferAction(1, 1, 1, "alter")))
    assert "not yours to alter" in text_of(reply)
    assert private(reply)
    assert playing.errors() == ()


async def test_a_defect_after_the_deed_is_recorded_says_that_it_counts(
    playing: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    """The accept is in the ledger; only showing it failed, and the log says in which game and
    where.
    """
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
    assert text_of(reply).startswith(
        "It counts: what you did is recorded. But I can't show it, and it is my fault."
    )
    assert " in the game ti4: trade.neighbors" in caplog.text
    assert "gave" in text_of(await playing.types("bob", "history"))


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (error(429, 0), "But Discord refused my answer (0)."),
        (error(403, 50013), "But Discord refused my answer (50013)."),
        (
            LedgerError("it is gone"),
            "But my ledger fails just now. History under Menu shows it in a while.",
        ),
        (Refused("Too late.", rule="27.1"), "27.1"),
        (Refused("Too late.", "Look.", options=SET_UP_BUTTON), "Too late."),
    ],
)
async def test_whatever_fails_after_the_deed_is_recorded_the_reply_says_so(
    playing: Evening, failure: Exception, told: str
) -> None:
    async def cant_answer(request: Request, command: Sign) -> None:
        await request.execute(command)
        raise failure

    playing.router._handlers[Sign] = cant_answer
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    reply = text_of(await playing.press("bob", "Accept"))
    assert reply.startswith("It counts: what you did is recorded. ")
    assert told in reply


async def test_a_defect_in_a_reply_does_not_leave_the_card_as_it_was(
    playing: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(outcome: Outcome, *, in_dm: bool) -> str:
        raise ZeroDivisionError

    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    monkeypatch.setattr("cogs.offer_replies.result_of", breaks)
    reply = await playing.press("bob", "Decline", on="To the table")
    assert text_of(reply).startswith("It counts: what you did is recorded.")
    with pytest.raises(ImpossibleAction):
        await playing.press("bob", "Decline", on="To the table")
    assert await playing.owed() == []


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


# ---------------------------------------------------------------- autocomplete


async def test_free_seats_are_suggested(playing: Evening) -> None:
    every = await playing.completes("dave", "seat", "", "table sit")
    assert len(every) == CHOICES
    suggested = await playing.completes("dave", "seat", "ha", "table sit")
    assert "The Emirates of Hacan" not in suggested
    assert "The Mahact Gene-Sorcerers" in suggested
    assert (await playing.completes("dave", "seat", "the x", "table sit"))[0] == "The Xxcha Kingdom"


async def test_what_one_does_not_have_is_not_suggested_but_where_it_is_gained(
    playing: Evening,
) -> None:
    assert await playing.completes("alice", "give", "2 fragments", "offer post") == ()
    offered = await playing.completes("alice", "goods", "2 fragments", "holdings gain")
    assert offered[:2] == ("2 cultural fragments", "2 hazardous fragments")
    assert not any(
        "Ceasefire" in each
        for each in await playing.completes("alice", "goods", "", "holdings gain")
    )
    assert await playing.completes("alice", "goods", "c", "holdings spend") == ()
    assert await playing.completes("alice", "goods", "7 tg", "holdings spend") == (
        "5 trade goods (all you have)",
    )


# ---------------------------------------------------------------- registering commands


async def test_commands_that_changed_are_registered_again(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.requests()
    command = Help.__cog_app_commands__[0]
    monkeypatch.setattr(command, "description", "Something else")
    await evening.stage.restart()
    assert len(evening.requests("PUT", "/commands")) == 1


# ---------------------------------------------------------------- permissions


async def test_whether_a_person_is_a_moderator_is_checked_at_every_use(playing: Evening) -> None:
    stage = playing.stage
    assert "Only the host" in text_of(
        await playing.types("mona", "holdings set", player="@bob", goods="3 tg")
    )
    stage.moderate("mona")
    assert "3 trade goods" in text_of(
        await playing.types("mona", "holdings set", player="@bob", goods="3 tg")
    )
    moderators = stage._moderators
    assert moderators is not None
    playing.env.backend.remove_member_role(stage.guild.id, stage.person("mona").id, moderators.id)
    assert "Only the host" in text_of(
        await playing.types("mona", "holdings set", player="@bob", goods="4 tg")
    )
    assert "Trade goods: 3" in text_of(await playing.types("bob", "holdings show"))


async def test_in_a_dm_nobody_is_a_moderator(playing: Evening) -> None:
    playing.stage.moderate("bob")
    assert "Only the host" in text_of(
        await playing.types("bob", "holdings set", in_dm=True, player="@bob", goods="3 tg")
    )
    assert "5 trade goods" in text_of(
        await playing.types("alice", "holdings set", in_dm=True, player="@bob", goods="5 tg")
    )


async def test_a_bot_is_no_player(playing: Evening) -> None:
    playing.env.backend.users[playing.stage.person("robby").id].bot = True
    assert "bots don't play" in text_of(
        await playing.types("alice", "offer post", to="@robby", give="1 tg")
    )
