"""Answers: every interaction is answered once, whatever Discord says."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.delivery import transport
from bot.show.cards import Card
from cogs import answers
from cogs.answers import InteractionExpired, answer_to
from tests.cogs.exchange import (
    ALREADY,
    CARD,
    COMMAND,
    COMPLETION,
    MADE,
    PRESS,
    PRESSED,
    UNKNOWN_INTERACTION,
    Exchange,
    FakeClaim,
    Said,
    Taken,
    outage,
    pressed,
    told,
)
from tests.errors import error

pytestmark = pytest.mark.usefixtures("quick")

# ---------------------------------------------------------------- one response, then follow-ups


@pytest.mark.parametrize("public", [False, True])
async def test_the_first_message_is_the_response_and_the_others_follow(public: bool) -> None:
    exchange = Exchange()
    answer = answer_to(exchange.it)
    await answer.send("one", public=public)
    await answer.send(CARD)
    await answer.send("three", public=True)
    assert exchange.said == [
        Said("send", "one", public), Said("follow-up", "the card"), Said("follow-up", "three", public=True)
    ]  # fmt: skip


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
    await answer_to(exchange.it).update(Card("open", ("another",)))
    assert told(exchange) == [("update", "the card"), ("edit", "another")]


async def test_an_answer_that_may_be_another_delivery_s_is_not_replaced() -> None:
    """Of the first message nobody knows whether Discord took it, or what another delivery had answered before."""
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
async def test_one_that_was_taken_although_discord_failed_counts(failure: Callable[[], Exception]) -> None:
    """The next attempt is refused with 40060. What follows is a follow-up, since discord.py knows of no response."""
    exchange = Exchange(errors=[Taken(failure())])
    await answer_to(exchange.it).send("one")
    await answer_to(exchange.it).send("two")
    assert told(exchange) == [("send", "one"), ("follow-up", "two")]


async def test_it_is_not_tried_for_longer_than_discord_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "PAUSES", (0.01, 5.0))
    exchange = Exchange(errors=[outage() for _ in range(9)])
    await answer_to(exchange.it).send("one")
    assert exchange.asked == ["send", "send"]
    assert answers.GIVE_UP_AFTER < 3


@pytest.mark.parametrize("limit", [error(429, 0), discord.RateLimited(0.0)])
async def test_a_response_that_discord_limits_is_tried_again(limit: Exception) -> None:
    exchange, claim = Exchange(errors=[limit] * 3), FakeClaim()
    await answer_to(exchange.it).show(claim.it)
    assert exchange.asked == ["send"] * 4
    assert claim.fate == [MADE]


async def test_a_response_waits_as_long_as_discord_says_and_no_longer_than_it_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answers, "GIVE_UP_AFTER", 0.3)
    exchange, claim, began = Exchange(errors=[discord.RateLimited(60.0)] * 9), FakeClaim(), time.monotonic()
    await answer_to(exchange.it).show(claim.it)
    assert time.monotonic() - began >= 0.3
    assert exchange.asked == ["send", "send"]
    assert claim.fate == ["unsure"]


async def test_discord_py_does_not_wait_for_the_limit_of_a_response() -> None:
    waits = list[bool]()

    async def suggesting() -> None:
        waits.append(not transport._tried_once.get())

    await answer_to(Exchange(COMPLETION).it).suggest(suggesting)
    assert waits == [False]


@pytest.mark.parametrize("limit", [error(429, 0), discord.RateLimited(0.0)])
async def test_after_a_limit_a_response_that_is_there_is_another_delivery_s(limit: Exception) -> None:
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
    """The first attempt to defer met an error, so that 40060 could mean that Discord took it: it did not."""
    exchange = Exchange(type=PRESS if message else COMMAND, message=message, taken=True, errors=[outage()])
    with pytest.raises(InteractionExpired):
        await answer_to(exchange.it).defer()
    assert exchange.said == []


@pytest.mark.parametrize("message", [None, SimpleNamespace(id=PRESSED)])
async def test_a_deferral_that_was_taken_although_discord_failed_counts(message: Any) -> None:
    exchange = Exchange(type=PRESS if message else COMMAND, message=message, errors=[Taken(outage())])
    await answer_to(exchange.it).defer()
    await answer_to(exchange.it).send("one")
    expected = [("defer", ""), ("follow-up", "one")] if message else [("think", ""), ("edit", "one")]
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


# ---------------------------------------------------------------- responses that are messages of the table


async def test_a_new_message_is_the_response() -> None:
    exchange, claim = Exchange(), FakeClaim()
    await answer_to(exchange.it).show(claim.it)
    assert exchange.said == [Said("send", "the card", public=True)]
    assert claim.fate == [MADE]


async def test_a_press_updates_the_message_that_was_pressed() -> None:
    exchange, claim = pressed(), FakeClaim(updates=True)
    await answer_to(exchange.it).show(claim.it)
    assert told(exchange) == [("update", "the card")]
    assert claim.fate == [PRESSED]


@pytest.mark.parametrize("updates", [False, True])
@pytest.mark.parametrize(
    ("errors", "fate"),
    [
        ([outage() for _ in range(4)], "unsure"),
        ([Taken(outage())], "unsure"),  # it is there, but its id is not known
        ([error(*UNKNOWN_INTERACTION)], "unsure"),
        ([error(*ALREADY)], "unsure"),
    ],
)
async def test_what_no_response_shows_for_sure_is_left_to_delivery(
    errors: list[Exception], fate: str, updates: bool
) -> None:
    exchange, claim = pressed(errors=list(errors)), FakeClaim(updates)
    await answer_to(exchange.it).show(claim.it)
    assert claim.fate == [fate]
    assert claim.look == exchange.original_response


async def test_what_discord_refuses_as_a_response_is_left_to_delivery_and_known() -> None:
    exchange, claim = Exchange(errors=[error(400, 50035)]), FakeClaim()
    with pytest.raises(discord.HTTPException):
        await answer_to(exchange.it).show(claim.it)
    assert claim.fate == ["failed"]


@pytest.mark.parametrize("failure", [KeyError, asyncio.CancelledError])
async def test_what_no_response_shows_because_of_a_defect_is_left_to_delivery(failure: type[BaseException]) -> None:
    exchange, claim = Exchange(errors=[failure()]), FakeClaim()  # type: ignore[list-item]
    with pytest.raises(failure):
        await answer_to(exchange.it).show(claim.it)
    assert claim.fate == ["unsure"]


async def test_after_a_response_the_message_of_a_command_is_sent_by_delivery() -> None:
    exchange, claim = Exchange(), FakeClaim()
    await answer_to(exchange.it).send("one")
    await answer_to(exchange.it).show(claim.it)
    assert told(exchange) == [("send", "one")]
    assert claim.fate == ["failed"]
