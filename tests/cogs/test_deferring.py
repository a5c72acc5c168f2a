"""Tests that slow replies are deferred in time and answered when they are done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import cast

import discord
import pytest

from bot.ledger import LedgerError
from bot.rules.commands import Command
from bot.rules.views import TableView
from bot.service import CommandFactory, Outcome
from cogs import answers
from cogs.answers import TOO_SLOW, answer_to
from cogs.request import Request
from tests.cogs.evening import Evening, private, text_of
from tests.cogs.exchange import (
    COMPLETION,
    FORM,
    FORM_TO_OPEN,
    PRESS,
    PRESSED,
    UNKNOWN_INTERACTION,
    Exchange,
    FakePressed,
    Said,
    Slow,
    Taken,
    answering,
    handled,
    nothing,
    outage,
    pressed,
    told,
)
from tests.errors import error
from tests.waiting import until

pytestmark = pytest.mark.usefixtures("quick")


@pytest.mark.usefixtures("soon")
async def test_a_command_is_deferred_in_private_and_then_filled() -> None:
    exchange = Exchange()

    async def then() -> None:
        await answer_to(exchange.it).send("one")
        await answer_to(exchange.it).send("two")

    await handled(exchange, then)
    assert exchange.said == [Said("think"), Said("edit", "one"), Said("follow-up", "two")]


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("kind", [PRESS, FORM])
async def test_a_press_is_deferred_without_a_word(kind: discord.InteractionType) -> None:
    """So is a form that a press opened: what was pressed stays as it is."""
    exchange = Exchange(kind, SimpleNamespace(id=PRESSED))
    await handled(exchange, lambda: answer_to(exchange.it).send("one"))
    assert exchange.said == [Said("defer"), Said("follow-up", "one")]


@pytest.mark.usefixtures("soon")
async def test_a_form_that_a_command_opened_is_deferred_in_private() -> None:
    exchange = Exchange(FORM)
    await handled(exchange, lambda: answer_to(exchange.it).send("one"))
    assert exchange.said == [Said("think"), Said("edit", "one")]


@pytest.mark.usefixtures("soon")
async def test_a_refused_choice_renews_its_menu_after_a_deferral_too() -> None:
    exchange = pressed(data={"component_type": 3})
    await handled(exchange, lambda: answer_to(exchange.it).send("refused"))
    assert told(exchange) == [("defer", ""), ("edit", ""), ("follow-up", "refused")]


@pytest.mark.usefixtures("soon")
async def test_the_message_that_was_pressed_is_updated_after_a_deferral_too() -> None:
    exchange, message = pressed(), FakePressed()
    await handled(exchange, lambda: answer_to(exchange.it).show(message.it))
    assert told(exchange) == [("defer", ""), ("edit", "the card")]
    assert message.is_shown


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("failure", [outage, TimeoutError, lambda: error(404, 10008)])
async def test_an_update_that_fails_after_a_deferral_is_left_to_delivery(
    failure: Callable[[], Exception],
) -> None:
    exchange, message = pressed(), FakePressed()

    async def then() -> None:
        exchange.errors = [failure()]
        await answer_to(exchange.it).show(message.it)

    await handled(exchange, then)
    assert not message.is_shown


@pytest.mark.usefixtures("soon")
async def test_a_form_can_not_be_opened_after_a_deferral() -> None:
    exchange = pressed()
    await handled(exchange, lambda: answer_to(exchange.it).open(FORM_TO_OPEN))
    assert exchange.said == [Said("defer"), Said("follow-up", TOO_SLOW)]


async def test_a_form_is_a_response() -> None:
    exchange = pressed()
    await answer_to(exchange.it).open(FORM_TO_OPEN)
    assert told(exchange) == [("form", "Alter")]


@pytest.mark.usefixtures("soon")
async def test_what_is_answered_in_time_is_not_deferred() -> None:
    exchange = Exchange()

    async def work() -> None:
        await answer_to(exchange.it).send("one")
        await asyncio.sleep(0.05)

    await answering().handle(exchange.it, work)
    await asyncio.sleep(0.05)
    assert exchange.asked == ["send"]


@pytest.mark.usefixtures("soon")
async def test_what_has_ended_is_not_deferred() -> None:
    exchange = Exchange()
    await answering().handle(exchange.it, nothing)
    await asyncio.sleep(0.05)
    assert exchange.asked == []


@pytest.mark.usefixtures("soon")
async def test_completions_are_never_deferred() -> None:
    exchange = Exchange(COMPLETION)

    async def work() -> None:
        await asyncio.sleep(0.05)

    await answering().handle(exchange.it, work)
    assert exchange.asked == ["suggest"]


@pytest.mark.usefixtures("soon")
async def test_a_completion_is_answered_though_discord_has_errors() -> None:
    exchange = Exchange(COMPLETION, errors=[error(500, 0), error(503, 0)])

    async def work() -> None:
        await answer_to(exchange.it).suggest(lambda: exchange.it.response.autocomplete([]))

    await answering().handle(exchange.it, work)
    assert exchange.asked == ["suggest"] * 3
    assert [each.what for each in exchange.said] == ["suggest"]


@pytest.mark.usefixtures("soon")
async def test_that_nothing_is_suggested_is_said_though_discord_has_errors() -> None:
    exchange = Exchange(COMPLETION, errors=[error(500, 0), error(503, 0)])

    async def work() -> None:
        """It finds nothing."""

    await answering().handle(exchange.it, work)
    assert [each.what for each in exchange.said] == ["suggest"]


async def test_a_completion_that_was_answered_is_not_answered_again() -> None:
    exchange = Exchange(COMPLETION)
    await answering().handle(exchange.it, lambda: exchange.it.response.autocomplete([]))
    assert exchange.asked == ["suggest"]


@pytest.mark.usefixtures("soon")
async def test_an_answer_waits_for_the_deferral_that_is_under_way() -> None:
    exchange = Exchange(gate=asyncio.Event())
    assert exchange.gate is not None
    work = Slow(lambda: answer_to(exchange.it).send("one"))
    task = asyncio.create_task(answering().handle(exchange.it, work))
    await until(lambda: exchange.asked == ["think"])
    work.released.set()
    for _ in range(20):
        await asyncio.sleep(0)
    assert exchange.asked == ["think"]
    exchange.gate.set()
    await task
    assert told(exchange) == [("think", ""), ("edit", "one")]


@pytest.mark.usefixtures("soon")
async def test_a_deferral_is_tried_again_too() -> None:
    exchange = Exchange(errors=[outage(), Taken(outage())])
    await handled(exchange, lambda: answer_to(exchange.it).send("one"))
    assert exchange.asked == ["think", "think", "think", "look", "edit"]
    assert told(exchange) == [("think", ""), ("edit", "one")]


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    "errors",
    [
        [error(*UNKNOWN_INTERACTION)],
        [outage() for _ in range(4)],
    ],
)
async def test_what_could_not_be_deferred_in_time_is_not_carried_out(
    errors: list[Exception],
) -> None:
    """The person was told that it failed, and may do it once more."""
    exchange = Exchange(errors=list(errors))
    work = Slow(nothing)
    await answering().handle(exchange.it, work)
    assert (work.done, exchange.said) == (False, [])


@pytest.mark.usefixtures("soon")
async def test_one_that_is_cancelled_otherwise_is_cancelled() -> None:
    task = asyncio.create_task(answering().handle(Exchange().it, Slow(nothing)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.usefixtures("soon")
async def test_a_message_that_waited_for_a_deferral_in_vain_is_left_to_delivery() -> None:
    """The command was carried out before it was known that the person was told otherwise. The
    others must see it.
    """
    exchange, message = (
        pressed(gate=asyncio.Event(), errors=[error(*UNKNOWN_INTERACTION)]),
        FakePressed(),
    )
    assert exchange.gate is not None
    work = Slow(lambda: answer_to(exchange.it).show(message.it))
    task = asyncio.create_task(answering().handle(exchange.it, work))
    await until(lambda: exchange.asked == ["defer"])
    work.released.set()
    for _ in range(20):
        await asyncio.sleep(0)
    exchange.gate.set()
    await task
    assert not message.is_shown


async def test_a_message_whose_response_is_broken_off_is_left_to_delivery() -> None:
    exchange, message = pressed(gate=asyncio.Event()), FakePressed()
    task = asyncio.create_task(answer_to(exchange.it).show(message.it))
    await until(lambda: exchange.asked == ["update"])
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not message.is_shown


def test_there_is_time_to_defer_and_to_try_that_again() -> None:
    assert answers.DEFER_AFTER <= 1.5
    assert answers.DEFER_AFTER < answers.GIVE_UP_AFTER < 3


# ---------------------------------------------------------------- what is said of it in the log


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("recorded", [True, False, LedgerError("it is gone")])
async def test_the_log_tells_what_became_of_one_that_was_not_answered(
    caplog: pytest.LogCaptureFixture, recorded: bool | LedgerError
) -> None:
    async def carried_out(_interaction: int) -> bool:
        if isinstance(recorded, LedgerError):
            raise recorded
        return recorded

    exchange = Exchange(errors=[error(*UNKNOWN_INTERACTION)])
    await answering(carried_out).handle(exchange.it, Slow(nothing))
    (said,) = (each.getMessage() for each in caplog.records)
    assert ("is not carried out" in said) is (recorded is False)
    assert ("but was carried out" in said) is (recorded is True)


# ---------------------------------------------------------------- on SimCord


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger that hangs until the interaction was deferred."""
    monkeypatch.setattr(answers, "DEFER_AFTER", 0.0)
    execute = Request.execute

    async def executed(self: Request, command: Command | CommandFactory) -> Outcome:
        await until(self.interaction.response.is_done)
        return await execute(self, command)

    monkeypatch.setattr(Request, "execute", executed)


async def test_a_card_of_a_deferred_command_is_there_once(playing: Evening, slow: None) -> None:
    reply = await playing.types("alice", "offer post", to="@bob", give="1 tg")
    assert private(reply)
    assert "Offer 1 to bob is posted" in text_of(reply)
    await playing.delivered()
    assert sum("Offer 1 ·" in text for text in playing.channel()) == 1


async def test_a_press_that_is_deferred_updates_the_message_all_the_same(
    playing: Evening, slow: None
) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    await playing.delivered()
    await playing.press("bob", "Accept", "Offer 1")
    await playing.delivered()
    assert sum("Done · transaction 1" in text for text in playing.channel()) == 1
    assert sum("Offer 1 ·" in text for text in playing.channel()) == 1


async def test_a_public_reply_that_is_deferred_is_there_once(playing: Evening, slow: None) -> None:
    reply = await playing.types("bob", "holdings gain", goods="1 tg")
    assert private(reply)
    await playing.delivered()
    assert sum("gains" in text for text in playing.channel()) == 1


async def test_a_deferred_command_that_is_refused_says_why(playing: Evening, slow: None) -> None:
    reply = await playing.types("bob", "turn start")
    assert private(reply)
    assert len(reply.messages) == 1
    assert "End that first" in text_of(reply)


@pytest.mark.parametrize(("failures", "reminded"), [(0, 1), (9, 0)])
async def test_a_debtor_is_reminded_once_discord_has_the_line(
    monkeypatch: pytest.MonkeyPatch, failures: int, reminded: int
) -> None:
    """What was only written for them is told with the next answer."""
    monkeypatch.setattr("cogs.request.reminder", lambda view, debt: "You owe bob.")
    service = SimpleNamespace(reminded=set())
    client = SimpleNamespace(service=service, delivery=None)
    exchange = Exchange(errors=[error(503, 0)] * failures, client=client)
    debt, window = SimpleNamespace(number=1), SimpleNamespace(number=3)
    view = SimpleNamespace(id=1, window=window, seat="sol", debts=[debt], due=[1])

    async def work() -> None:
        request = Request(exchange.it)
        request._remind(cast(TableView, view))
        await request.answer.send("one")

    await answering().handle(exchange.it, work)
    assert len(service.reminded) == reminded
