"""Tests that every interaction is answered once, whatever Discord says."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.delivery import transport
from bot.delivery.life import MARKERS_FROM
from bot.show.actions import ChoosePartner
from bot.show.cards import Card, Select
from cogs import answers
from cogs.answers import Answer, InteractionExpired, answer_to
from tests.cogs.exchange import (
    ALREADY,
    CARD,
    COMMAND,
    COMPLETION,
    PRESS,
    PRESSED,
    UNKNOWN_INTERACTION,
    Exchange,
    FakePressed,
    Said,
    Taken,
    outage,
    pressed,
    told,
)
from tests.errors import error

pytestmark = pytest.mark.usefixtures("quick")

# ---------------------------------------------------------------- one response, then follow-ups

LIMITS = [error(429, 0), discord.RateLimited(0.0)]
"""What Discord and discord.py say to one who asks too often."""


async def test_the_first_message_is_the_response_and_the_others_follow() -> None:
    exchange = Exchange()
    answer = answer_to(exchange.it)
    await answer.send("one")
    await answer.send(CARD)
    assert exchange.said == [Said("send", "one"), Said("follow-up", "the card")]


async def test_there_is_one_answer_to_an_interaction() -> None:
    exchange = Exchange()
    assert answer_to(exchange.it) is answer_to(exchange.it)


@pytest.mark.parametrize("code", [UNKNOWN_INTERACTION, ALREADY])
async def test_a_follow_up_that_comes_too_late_is_let_go(code: tuple[int, int]) -> None:
    exchange = Exchange()
    await answer_to(exchange.it).send("one")
    exchange.errors = [error(*code)]
    await answer_to(exchange.it).send("two")
    assert told(exchange) == [("send", "one")]


async def test_a_follow_up_that_discord_refuses_is_known() -> None:
    exchange = Exchange()
    await answer_to(exchange.it).send("one")
    exchange.errors = [error(400, 50035)]
    with pytest.raises(discord.HTTPException):
        await answer_to(exchange.it).send("two")


async def test_what_only_the_person_sees_is_updated() -> None:
    exchange = pressed()
    await answer_to(exchange.it).update(CARD)
    await answer_to(exchange.it).update(Card("open", "another"))
    assert told(exchange) == [("update", "the card"), ("edit", "another")]


async def test_a_refused_choice_renews_the_menu_and_then_is_told() -> None:
    exchange = pressed(data={"component_type": 3})
    await answer_to(exchange.it).send("refused")
    await answer_to(exchange.it).send("and so")
    assert told(exchange) == [("update", ""), ("follow-up", "refused"), ("follow-up", "and so")]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("errors", [[error(404, 10008)], [outage()] * 4])
async def test_a_refused_choice_is_told_also_if_the_menu_can_t_be_renewed(
    errors: list[Exception],
) -> None:
    exchange = pressed(data={"component_type": 3}, errors=errors)
    await answer_to(exchange.it).send("refused")
    assert told(exchange) == [("send", "refused")]


async def test_an_answer_that_may_be_another_delivery_s_is_not_replaced() -> None:
    """Of the first message nobody knows whether Discord took it, or what another delivery had
    answered before.
    """
    exchange = pressed()
    exchange.errors = [Taken(outage())]
    await answer_to(exchange.it).send("one")
    await answer_to(exchange.it).update(CARD)
    assert told(exchange) == [("send", "one"), ("follow-up", "the card")]


async def test_what_all_see_is_never_replaced_by_what_is_for_one() -> None:
    exchange = pressed(private=False)
    await answer_to(exchange.it).update(CARD)
    assert exchange.said == [Said("send", "the card")]


# ---------------------------------------------------------------- Discord has errors

FAILURES: Iterable[Callable[[], Exception]] = (
    outage,
    lambda: error(500, 0),
    aiohttp.ServerDisconnectedError,
    ConnectionResetError,
    TimeoutError,
)


@pytest.mark.parametrize("failure", FAILURES)
async def test_a_response_is_tried_again(failure: Callable[[], Exception]) -> None:
    exchange = Exchange(errors=[failure(), failure(), failure()])
    await answer_to(exchange.it).send("one")
    await answer_to(exchange.it).send("two")
    assert exchange.asked == ["send"] * 4 + ["follow-up"]
    assert told(exchange) == [("send", "one"), ("follow-up", "two")]


@pytest.mark.parametrize("failure", FAILURES)
async def test_one_that_was_taken_although_discord_failed_counts(
    failure: Callable[[], Exception],
) -> None:
    """The next attempt is refused with 40060. What follows is a follow-up, since discord.py knows
    of no response.
    """
    exchange = Exchange(errors=[Taken(failure())])
    await answer_to(exchange.it).send("one")
    await answer_to(exchange.it).send("two")
    assert told(exchange) == [("send", "one"), ("follow-up", "two")]


async def test_it_is_not_tried_for_longer_than_discord_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The last attempt is made just in time, however long the pause would be."""
    assert answers.GIVE_UP_AFTER < 3
    monkeypatch.setattr(answers, "PAUSES", (0.01, 60.0, 60.0))
    monkeypatch.setattr(answers, "GIVE_UP_AFTER", 0.3)
    exchange = Exchange(errors=[outage() for _ in range(9)])
    await answer_to(exchange.it).send("one")
    assert exchange.asked == ["send"] * 3


@pytest.mark.parametrize("limit", LIMITS)
async def test_a_response_that_discord_limits_is_tried_again(limit: Exception) -> None:
    exchange, message = pressed(errors=[limit] * 3), FakePressed()
    await answer_to(exchange.it).show(message.it)
    assert exchange.asked == ["update"] * 4
    assert message.is_shown


async def test_a_response_waits_as_long_as_discord_says_and_no_longer_than_it_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answers, "GIVE_UP_AFTER", 0.3)
    exchange, message, began = (
        pressed(errors=[discord.RateLimited(60.0)] * 9),
        FakePressed(),
        time.monotonic(),
    )
    await answer_to(exchange.it).show(message.it)
    assert time.monotonic() - began >= 0.3
    assert exchange.asked == ["update", "update"]
    assert not message.is_shown


async def test_discord_py_does_not_wait_for_the_limit_of_a_response() -> None:
    waits = list[bool]()

    async def suggesting() -> None:
        waits.append(not transport._tried_once.get())

    await answer_to(Exchange(COMPLETION).it).suggest(suggesting)
    assert waits == [False]


@pytest.mark.parametrize("limit", LIMITS)
async def test_after_a_limit_a_response_that_is_there_is_another_delivery_s(
    limit: Exception,
) -> None:
    exchange = Exchange(taken=True, errors=[limit])
    await answer_to(exchange.it).send("one")
    await answer_to(exchange.it).send("two")
    assert exchange.said == []


async def test_an_interaction_that_another_answered_is_left_to_it() -> None:
    """Discord delivered it twice."""
    exchange = Exchange(taken=True)
    await answer_to(exchange.it).send("one")
    assert exchange.asked == ["send"]
    assert exchange.said == []


@pytest.mark.parametrize("message", [None, SimpleNamespace(id=PRESSED)])
async def test_nor_is_it_deferred_over_that_answer_behind_an_error(message: Any) -> None:
    """The first attempt to defer met an error, so that 40060 could mean that Discord took it: it
    did not.
    """
    exchange = Exchange(
        type=PRESS if message else COMMAND, message=message, taken=True, errors=[outage()]
    )
    with pytest.raises(InteractionExpired):
        await answer_to(exchange.it).defer()
    assert exchange.said == []


@pytest.mark.parametrize("message", [None, SimpleNamespace(id=PRESSED)])
async def test_a_deferral_that_was_taken_although_discord_failed_counts(message: Any) -> None:
    exchange = Exchange(
        type=PRESS if message else COMMAND, message=message, errors=[Taken(outage())]
    )
    await answer_to(exchange.it).defer()
    await answer_to(exchange.it).send("one")
    expected = (
        [("defer", ""), ("follow-up", "one")] if message else [("think", ""), ("edit", "one")]
    )
    assert told(exchange) == expected


async def test_one_that_is_too_old_is_let_go() -> None:
    exchange = Exchange(errors=[error(*UNKNOWN_INTERACTION)])
    await answer_to(exchange.it).send("one")
    assert exchange.asked == ["send"]


async def test_any_other_refusal_is_known() -> None:
    exchange = Exchange(errors=[error(400, 50035)])
    with pytest.raises(discord.HTTPException):
        await answer_to(exchange.it).send("one")
    await answer_to(exchange.it).send("That went wrong.")
    assert told(exchange) == [("send", "That went wrong.")]


# ---------------------------------------------------------------- the pressed message


async def test_a_press_updates_the_message_that_was_pressed() -> None:
    exchange, message = pressed(private=False), FakePressed()
    await answer_to(exchange.it).show(message.it)
    assert told(exchange) == [("update", "the card")]
    assert message.is_shown


@pytest.mark.parametrize(
    ("errors", "doubted"),
    [
        ([outage() for _ in range(4)], True),
        ([Taken(outage())], True),  # perhaps by another delivery of the interaction
        ([outage(), error(*UNKNOWN_INTERACTION)], True),
        ([error(*UNKNOWN_INTERACTION)], False),
        ([error(*ALREADY)], False),
    ],
)
async def test_an_update_is_doubted_if_it_may_still_be_made(
    errors: list[Exception], *, doubted: bool
) -> None:
    exchange, message = pressed(private=False, errors=list(errors)), FakePressed()
    await answer_to(exchange.it).show(message.it)
    assert (message.is_shown, message.is_doubted) == (False, doubted)


@pytest.mark.parametrize(
    ("failure", "doubted"),
    [(error(400, 50035), False), (KeyError(), True), (asyncio.CancelledError(), True)],
)
async def test_the_failure_of_an_update_is_known(failure: BaseException, *, doubted: bool) -> None:
    exchange, message = pressed(private=False, errors=[failure]), FakePressed()  # type: ignore[list-item]
    with pytest.raises(type(failure)):
        await answer_to(exchange.it).show(message.it)
    assert (message.is_shown, message.is_doubted) == (False, doubted)


async def test_an_edit_by_token_whose_answer_was_lost_is_doubted() -> None:
    exchange, message = pressed(private=False), FakePressed()
    await answer_to(exchange.it).defer()
    exchange.errors.append(outage())
    await answer_to(exchange.it).show(message.it)
    assert (message.is_shown, message.is_doubted) == (False, True)


async def test_after_another_response_the_pressed_message_is_edited_with_its_token() -> None:
    exchange, message = pressed(private=False), FakePressed()
    await answer_to(exchange.it).defer()
    await answer_to(exchange.it).show(message.it)
    assert told(exchange) == [("defer", ""), ("edit", "the card")]
    assert message.is_shown


# ---------------------------------------------------------------- the token


class Kept(list[tuple[int, int]]):
    def keep(self, message: int, channel: int, webhook: object, age: float) -> None:
        self.append((message, channel))


@pytest.mark.parametrize(
    ("respond", "private", "kept"),
    [
        (lambda answer: answer.defer(), False, [(PRESSED, 500)]),
        (lambda answer: answer.show(FakePressed().it), False, [(PRESSED, 500)]),
        # the token reaches that reply, not the pressed message
        (lambda answer: answer.send("one"), False, []),
        (lambda answer: answer.update(CARD), True, []),  # nobody edits it later
    ],
)
async def test_the_token_is_kept_where_it_reaches_a_shared_message(
    respond: Callable[[Answer], Awaitable[None]], private: bool, kept: list[tuple[int, int]]
) -> None:
    found = Kept()
    await respond(Answer(pressed(private=private).it, keep=found.keep))
    assert found == kept


@pytest.mark.parametrize("marked", [False, True])
async def test_a_message_with_a_marker_is_no_receipt(marked: bool) -> None:
    """Delivery finds it by its marker and keeps it up to date; a receipt is edited without one."""
    exchange = pressed()
    marker = SimpleNamespace(id=MARKERS_FROM if marked else 1)
    exchange.it.message.components = [marker]  # type: ignore[union-attr]
    answer = answer_to(exchange.it)
    await answer.replace(CARD)
    assert told(exchange) == [("update", "the card")]
    assert (answer.private is None) == marked


@pytest.mark.parametrize(("way", "what"), [("v2", "update"), ("classical", "send")])
async def test_a_card_with_more_menus_than_a_message_takes_is_a_new_one(
    way: str, what: str
) -> None:
    menu = Select("Whom?", ChoosePartner(1), (("Bob", "2"),))
    exchange = pressed()
    exchange.message.flags.components_v2 = way == "v2"
    await answer_to(exchange.it).replace(replace(CARD, rows=(menu,) * 6))
    assert told(exchange) == [(what, "the card")]
