"""Tests that delivery finishes what the response to a press may not have done."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from bot.delivery import CommandDelivery, PressedMessage, delivery
from bot.delivery.desired import (
    Board,
    Fallback,
    HiddenPrompt,
    OfferCard,
    PersonalOffer,
    Prompt,
    Retired,
    Step,
    TableChannel,
)
from bot.delivery.verdicts import NO_COMMON_SERVER
from bot.ledger import LedgerError
from bot.show.cards import Card
from tests.delivery.briefings import BOB, CAROL, CHANNEL
from tests.delivery.display import Display
from tests.delivery.near import BOBS, SERVER
from tests.delivery.steps import OTHER, THEIRS, THIRD, board, fate, personal, public, whats
from tests.drawn import message as drawn

QUESTION = Prompt("deal-1", BOB, 1)
SETTLED = Retired(QUESTION, OTHER, Card("over", "heard"))


async def carry_out(messages: CommandDelivery, execute: Callable[[], Awaitable[None]]) -> None:
    async with messages.lock:
        await execute()
        await messages.plan()


@asynccontextmanager
async def command(
    display: Display, *steps: Step, on: int | None = None
) -> AsyncIterator[CommandDelivery]:
    """Carry out a command after which these messages are wanted, by a press on a message or without
    one.
    """

    async def execute() -> None:
        display.wants(*steps)
        display.delivery.wake(1)  # as the service does, before the response is made

    async with display.delivery.for_command(1, on) as messages:
        await carry_out(messages, execute)
        await display.idle()
        yield messages
    await display.idle()


@asynccontextmanager
async def press(
    display: Display, step: Step, channel: int = CHANNEL
) -> AsyncIterator[PressedMessage]:
    """Press on the only message in a channel, which is to become this."""
    async with command(display, step, on=display.only(channel).id) as messages:
        assert messages.pressed is not None
        yield messages.pressed


def responds(display: Display, message: PressedMessage) -> None:
    """Have Discord take the response, which updates the message."""
    where = BOBS if isinstance(message.subject, Prompt | PersonalOffer) else CHANNEL
    world = display.discord.world
    shown = world.messages[str(display.only(where).id)]
    world.change(shown, drawn(message.card, message.way, message.marker), {})
    message.shown()


async def test_the_response_updates_the_message_and_nothing_else_does(display: Display) -> None:
    await display.shows(public())
    async with press(display, public(OTHER)) as message:
        assert message.card == OTHER
        assert not message.retires
        assert not message.replaced
        assert message.marker == display.only(CHANNEL).marker
        await display.shows(public(OTHER))
        responds(display, message)
    assert whats(display.discord.requests) == ["send"]
    assert await display.shows(public(OTHER)) == []


async def test_what_changed_before_the_response_was_made_is_changed_then(display: Display) -> None:
    await display.shows(public())
    async with press(display, public(OTHER)) as message:
        await display.shows(public(THIRD))
        responds(display, message)
    assert whats(display.discord.requests) == ["send", "edit"]
    assert display.seen(CHANNEL) == ["three"]


async def test_what_the_response_showed_too_late_to_be_true_is_remembered_until_it_is_edited(
    display: Display,
) -> None:
    """The entries that made it untrue are planned already, so that only the record can tell the
    next process.
    """
    await display.shows(public())
    editing = display.discord.hangs("edit", CHANNEL)
    async with press(display, public(OTHER)) as message:
        await display.shows(public(THIRD))
        responds(display, message)
        assert fate(display, OfferCard(1)) == "editing"
        await display.crash()
    await display.begin()
    await display.delivery.start()
    editing.released.set()
    await display.idle()
    await display.later()
    assert display.seen(CHANNEL) == ["three"]


async def test_the_response_may_say_more_until_the_message_changes(display: Display) -> None:
    await display.shows(public())
    more = replace(OTHER, blocks=("Done.", "two"))
    async with press(display, public(OTHER)) as message:
        responds(display, message.with_card(more))
    assert display.seen(CHANNEL) == ["Done. two"]
    await display.shows(public(THIRD))
    assert display.seen(CHANNEL) == ["three"]


@pytest.mark.parametrize(
    "error", [None, ValueError("a reply that can't be drawn"), asyncio.CancelledError()]
)
async def test_whatever_the_response_did_not_do_is_done(
    display: Display, error: BaseException | None
) -> None:
    await display.shows(public())
    try:
        async with press(display, public(OTHER)):
            if error is not None:
                raise error
    except (ValueError, asyncio.CancelledError):
        await display.idle()
    assert whats(display.discord.requests) == ["send", "edit"]
    assert display.seen(CHANNEL) == ["two"]
    assert display.delivery.owed()[0] == 0


async def test_a_new_message_is_delivery_s_own_also_where_the_press_came_from(
    display: Display,
) -> None:
    await display.shows(public())
    pressed, new = display.only(CHANNEL).id, public(OTHER, offer=2)
    async with command(display, public(), new, on=pressed) as messages:
        assert messages.pressed is None
        assert display.seen(CHANNEL) == ["one", "two"]


async def test_a_press_on_what_stays_as_it_is_or_on_another_message_updates_nothing(
    display: Display,
) -> None:
    await display.shows(public())
    pressed = display.only(CHANNEL).id
    async with command(display, public(), on=pressed) as messages:
        assert messages.pressed is None
    async with command(display, public(OTHER), on=pressed + 1) as messages:
        assert messages.pressed is None
    assert display.seen(CHANNEL) == ["two"]


async def test_a_board_that_another_replaces_is_deleted_after_the_answer(display: Display) -> None:
    await display.shows(board())
    async with press(display, board(OTHER, "2")) as message:
        assert message.replaced
        assert display.seen(CHANNEL) == ["one", "two"]
    assert whats(display.discord.requests) == ["send", "send", "delete"]
    assert display.only(CHANNEL).text == "two"
    assert Board() in display.subjects()


async def test_a_press_does_not_end_the_wait_for_an_edit_of_the_last_process(
    display: Display,
) -> None:
    """That edit may take effect after the response."""
    await display.shows(public())
    late = await display.hangs("edit", CHANNEL, public(OTHER))
    await display.crash()
    await display.begin()
    async with press(display, public(THIRD)) as message:
        responds(display, message)
    late.released.set()
    await late.answered.wait()
    assert display.seen(CHANNEL) == ["two"]
    await display.idle()
    await display.later()
    assert display.seen(CHANNEL) == ["three"]
    assert await display.shows(public(THIRD)) == []


async def test_a_press_that_settles_a_question_takes_its_buttons_away(display: Display) -> None:
    await display.shows(replace(personal(), subject=QUESTION))
    async with press(display, SETTLED, BOBS) as message:
        assert message.retires
        assert message.card.blocks == ("two",)
        assert message.card.rows == ()
        responds(display, message)
    assert display.store.kept == {}
    assert whats(display.discord.requests) == ["dm", "send"]


async def test_where_others_read_a_settled_question_it_says_no_more_than_they_may_know(
    display: Display,
) -> None:
    display.closes_dms()
    await display.shows(replace(personal(), subject=QUESTION))
    async with press(display, SETTLED) as message:
        assert message.card.blocks == ("heard",)


# ---------------------------------------------------------------- while a command is carried out


async def test_while_a_command_is_carried_out_nothing_else_plans_the_messages(
    display: Display,
) -> None:
    going_on, over = asyncio.Event(), asyncio.Event()

    async def execute() -> None:
        display.begins(public(), personal())
        going_on.set()
        await over.wait()

    async with display.delivery.for_command(1) as messages:
        task = asyncio.create_task(carry_out(messages, execute))
        await going_on.wait()
        for _ in range(50):
            await asyncio.sleep(0)
        assert display.discord.requests == []
        over.set()
        await task
    await display.idle()
    assert len(display.seen(CHANNEL)) == 1


async def test_a_command_that_ends_in_an_error_holds_nothing(display: Display) -> None:
    async def execute() -> None:
        display.begins(public())
        raise ValueError("refused")

    with pytest.raises(ValueError, match="refused"):
        async with display.delivery.for_command(1) as messages:
            await carry_out(messages, execute)
    await display.idle()
    assert display.seen(CHANNEL) == ["one"]


@pytest.mark.parametrize("failure", [LedgerError("disk full"), ZeroDivisionError()])
async def test_a_command_counts_though_its_messages_can_not_be_planned(
    display: Display, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    async def fails(*_: Any, **__: Any) -> None:
        raise failure

    with monkeypatch.context() as patch:
        patch.setattr(display.delivery, "_plan", fails)
        async with display.delivery.for_command(1) as messages:
            display.wants(public())
            await messages.plan()
            assert messages.pressed is None
    await display.shows(public())
    assert display.seen(CHANNEL) == ["one"]


# ---------------------------------------------------------------- whom DMs do not reach


async def test_those_who_were_pinged_are_named(display: Display) -> None:
    display.closes_dms()
    carols = replace(personal(), subject=PersonalOffer(1, "addressed", CAROL))
    async with command(display, public(), personal(), carols) as made:
        assert await made.unreached() == ([BOB], [], False, [])


@pytest.mark.parametrize("code", [50007, 50035])
async def test_so_are_those_whom_nothing_reaches(display: Display, code: int) -> None:
    display.discord.refuses("send", BOBS, 403, code)
    display.discord.refuses("send", CHANNEL, 403, 50013)
    hidden = replace(personal(), subject=HiddenPrompt("?", BOB), fallback=None)
    async with command(display, personal(), hidden) as made:
        assert await made.unreached() == ([], [BOB], False, []), "of what is hidden nobody learns"
    display.discord.works()
    await display.later()
    async with command(display, personal(offer=2)) as made:
        assert await made.unreached() == ([], [], False, [])


@pytest.mark.parametrize(
    ("left", "told"), [(True, ([], [], False, [BOB])), (False, ([BOB], [], False, []))]
)
async def test_who_has_left_the_server_is_told_apart_from_closed_dms(
    display: Display, left: bool, told: tuple[list[int], list[int], bool, list[int]]
) -> None:
    display.discord.refuses("send", BOBS, 403, NO_COMMON_SERVER)
    if left:
        display.discord.refuses("member", SERVER, 404, 10007)
        display.service.members.note(SERVER, BOB, member=True)  # a moment ago they were there
    async with command(display, public(), personal()) as made:
        assert await made.unreached() == told


async def test_a_card_that_the_channel_does_not_take_is_told_of(display: Display) -> None:
    """As by a server's AutoMod."""
    display.discord.refuses("send", CHANNEL, 400, 200000)
    async with command(display, public(), personal()) as made:
        assert await made.unreached() == ([], [], True, [])


async def test_nobody_waits_long_for_those_who_may_have_to_be_pinged(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "UNREACHABLE_WITHIN", 0.01)
    hanging = display.discord.hangs("send", BOBS)
    async with display.delivery.for_command(1) as made:
        display.wants(personal())
        await made.plan()
        assert await made.unreached() == ([], [], False, [])
    hanging.released.set()


async def test_what_is_told_in_private_is_known(display: Display) -> None:
    async with command(display, public(), personal()) as made:
        assert made.changes_dm(THEIRS)
        assert not made.changes_dm(OfferCard(1))
    async with command(display, public(OTHER), personal()) as made:
        assert not made.changes_dm(THEIRS)  # it does not change


@pytest.mark.parametrize("by_dm", [True, False])
async def test_so_is_a_question_that_is_settled(display: Display, by_dm: bool) -> None:
    if not by_dm:
        display.closes_dms()
    await display.shows(replace(personal(), subject=QUESTION))
    on = display.only(BOBS if by_dm else CHANNEL).id
    async with command(display, Retired(QUESTION, OTHER, OTHER), on=on) as made:
        assert made.changes_dm(QUESTION) is by_dm


async def test_what_is_told_by_a_ping_is_not_private(display: Display) -> None:
    display.closes_dms()
    await display.shows(personal())
    heard = replace(OTHER, blocks=("heard anew",))
    fallback = Fallback(TableChannel(), heard)
    async with command(display, replace(personal(OTHER), fallback=fallback)) as made:
        assert not made.changes_dm(THEIRS)
    assert "heard anew" in display.only(CHANNEL).text
