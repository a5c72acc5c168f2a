"""Tests of messages owed: outdated ones are not sent, each table's share is bounded, and the log
counts them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.delivery import delivery
from bot.delivery.budget import Budget, RateLimit
from bot.delivery.desired import Desired, OfferCard, Retired, Step
from bot.ledger import LedgerError
from bot.rules.features.offers.signing import EndOffer
from bot.rules.model.violation import Refused
from tests.delivery.briefings import ALICE, CHANNEL
from tests.delivery.display import Display
from tests.delivery.near import BOBS, LoggedRequest
from tests.delivery.steps import LATER, OTHER, OVER, THEIRS, THIRD, news, personal, public, whats
from tests.delivery.test_delivery import Club, club, to_bob

__all__ = ("club",)

CLOSED = RateLimit(1, 3600.0)
"""After its first request, the budget grants none for an hour."""


def closes(delivery_: delivery.Delivery) -> Callable[[], None]:
    """Let no request go, as where Discord's limit is used up. Return what lets all go."""
    budget = delivery_._budget
    before, budget._overall = budget._overall, Budget(CLOSED)._overall
    budget._overall.block(asyncio.get_running_loop().time() + 3600.0)

    def opens() -> None:
        budget._overall = before
        budget._grant()

    return opens


async def changes(display: Display, *steps: Desired | Retired) -> None:
    """Let the message become each of these, one after another."""
    for step in steps:
        await display.plans(step)
        for _ in range(20):
            await asyncio.sleep(0)


async def asked(display: Display, opens: Callable[[], None]) -> list[LoggedRequest]:
    before = len(display.discord.requests)
    opens()
    await display.idle()
    return display.discord.requests[before:]


# ---------------------------------------------------------------- what is outdated is not sent


async def test_what_changes_before_it_is_sent_is_sent_once_as_it_is_then(display: Display) -> None:
    opens = closes(display.delivery)
    await changes(display, public(), public(OTHER), public(THIRD))
    [request] = await asked(display, opens)
    assert (request.what, request.text) == ("send", "three")
    assert await display.shows(public(THIRD)) == []


async def test_what_changes_before_it_is_edited_is_edited_once(display: Display) -> None:
    await display.shows(public())
    opens = closes(display.delivery)
    await changes(display, public(OTHER), public(OVER), public(THIRD))
    [request] = await asked(display, opens)
    assert (request.what, request.text) == ("edit", "three")
    assert await display.shows(public(THIRD)) == []


@pytest.mark.parametrize("final", [False, True])
async def test_what_is_over_before_it_is_sent_is_not_sent(display: Display, final: bool) -> None:
    opens = closes(display.delivery)
    over = replace(public(OVER, wanted=False), final=final)
    await changes(display, public(), public(OTHER), over)
    assert (display.works, display.store.kept) == ({}, {})
    assert await asked(display, opens) == []


async def test_a_dm_that_is_retired_before_it_is_sent_is_not_sent(display: Display) -> None:
    # now Bob's DMs are open
    await display.shows(replace(personal(), subject=replace(THEIRS, offer=2)))
    opens = closes(display.delivery)
    await changes(display, personal(), Retired(THEIRS, OVER, OVER))
    assert THEIRS not in display.works
    assert await asked(display, opens) == []
    assert len(display.discord.seen(BOBS)) == 1


async def test_what_may_have_been_sent_is_looked_for_though_it_waits_to_be_sent_again(
    display: Display,
) -> None:
    display.discord.fails("send", CHANNEL, 503, done=True)
    await display.shows(public())
    opens = closes(display.delivery)
    display.waiting[0].fire()
    await changes(display, public(OVER, wanted=False))
    assert whats(await asked(display, opens)) == ["history", "edit"]
    assert display.seen(CHANNEL) == ["two, closed"]


async def test_what_may_have_been_sent_is_looked_for_once_its_nonce_is_old(
    display: Display,
) -> None:
    """Its turn came a minute later, when Discord has forgotten the nonce."""
    display.discord.fails("send", CHANNEL, 503, done=True)
    await display.shows(public())
    opens = closes(display.delivery)
    display.waiting[0].fire()
    recall = display.works[OfferCard(1)].recall
    await display.until(lambda: recall.until < float("inf"))
    recall.until = 0.0
    display.ahead += LATER
    display.discord.world.forget_nonces()
    assert whats(await asked(display, opens)) == ["history"]
    assert display.seen(CHANNEL) == ["one"]


async def test_a_message_that_changes_again_and_again_keeps_its_place(display: Display) -> None:
    """Others that come later do not overtake it."""
    await display.shows(public(), public(offer=2))
    opens = closes(display.delivery)
    for card in (OTHER, OVER, THIRD):
        await display.plans(public(card), public(offer=2))
        for _ in range(20):
            await asyncio.sleep(0)
    await display.plans(public(THIRD), public(OTHER, offer=2))
    await display.plans(public(OTHER), public(OTHER, offer=2))
    first, second = display.discord.seen(CHANNEL)
    requests = await asked(display, opens)
    assert [each.message for each in requests] == [first.id, second.id]


# ---------------------------------------------------------------- a table's share


async def test_a_table_that_goes_on_and_on_owes_what_stands_and_no_more(club: Club) -> None:
    """Alice posts and withdraws a hundred offers while Discord takes nothing."""
    opens = closes(club.delivery)
    owed = set[int]()
    for number in range(1, 101):
        await club.does(ALICE, to_bob())
        await club.delivery._plan_alone(1)
        await asyncio.sleep(0)
        await club.does(ALICE, EndOffer(number, "withdraw"))
        await club.delivery._plan_alone(1)
        for _ in range(20):  # what is withdrawn ends by itself
            await asyncio.sleep(0)
        owed.add(len(club.delivery._tables[1].works))
    assert max(owed) <= 4
    before = len(club.discord.requests)
    opens()
    await club.idle()
    assert len(club.discord.requests) - before <= 4


async def test_a_table_that_owes_its_share_takes_no_commands_until_some_is_sent(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "TABLE_SHARE", 5)
    opens = closes(display.delivery)
    for number in range(1, 6):
        async with display.delivery.for_command(1):
            display.wants(*(news(seq) for seq in range(1, number + 1)))
        await display.delivery._plan_alone(1)
    with pytest.raises(Refused) as refused:
        async with display.delivery.for_command(1):
            pytest.fail("the command is carried out")
    assert "half a minute" in refused.value.violation.remedy
    await asked(display, opens)
    async with display.delivery.for_command(1):
        pass


async def test_no_two_tables_are_planned_in_the_same_round_of_the_loop(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds, planned_in = 0, list[int]()

    async def counts() -> None:
        nonlocal rounds
        while True:
            rounds += 1
            await asyncio.sleep(0)

    def plans(*_: object, **__: object) -> list[Step]:
        planned_in.append(rounds)
        return []

    monkeypatch.setattr(delivery, "plan", plans)
    counting = asyncio.create_task(counts())
    await asyncio.gather(*map(display.delivery._plan_alone, (1, 2, 3)))
    counting.cancel()
    assert len(planned_in) == len({*planned_in}) == 3


# ---------------------------------------------------------------- how much it is


async def test_a_message_that_waits_is_owed_after_five_seconds(display: Display) -> None:
    opens = closes(display.delivery)
    await changes(display, public())
    assert display.delivery.owed()[0] == 0
    display.ahead = timedelta(seconds=5)
    assert display.delivery.owed() == (1, 5.0)
    await asked(display, opens)
    assert display.delivery.owed() == (0, 0.0)


async def test_a_message_that_waits_for_its_response_is_owed_too(display: Display) -> None:
    await display.shows(public())
    async with display.delivery.for_command(1, display.only(CHANNEL).id) as made:
        display.wants(public(OTHER))
        await made.plan()
        assert made.pressed is not None
        display.ahead = timedelta(seconds=6)
        assert display.delivery.owed() == (1, 6.0)
        made.pressed.shown()
        await display.idle()
        assert display.delivery.owed() == (0, 0.0)


async def test_a_message_that_is_only_looked_for_is_not_owed(display: Display) -> None:
    await display.shows(public())
    opens = closes(display.delivery)
    display.delivery.check(1)
    for _ in range(20):
        await asyncio.sleep(0)
    display.ahead = timedelta(seconds=5)
    assert display.delivery.owed() == (0, 0.0)
    await changes(display, public(OTHER))
    display.ahead = timedelta(seconds=10)
    assert display.delivery.owed()[0] == 1
    looked = await asked(display, opens)
    assert [each.what for each in looked] == ["history", "edit"]


@pytest.mark.parametrize("failure", [LedgerError("it is gone"), ZeroDivisionError()])
async def test_a_table_whose_messages_can_not_be_planned_is_owed(
    display: Display, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    def breaks(*_: object, **__: object) -> list[Step]:
        raise failure

    monkeypatch.setattr(delivery, "plan", breaks)
    display.begins(public())
    await display.idle()
    display.ahead = timedelta(seconds=7)
    assert display.delivery.owed() == (1, 7.0)
    monkeypatch.setattr(delivery, "plan", display.plan)
    await display.shows(public())
    assert display.delivery.owed() == (0, 0.0)


# ---------------------------------------------------------------- the log


async def test_the_log_says_now_and_then_how_much_is_owed_and_how_old_it_is(
    display: Display, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "bot.delivery")
    opens = closes(display.delivery)
    await changes(display, public())
    display.ahead = timedelta(seconds=5)
    await changes(display, replace(public(), subject=OfferCard(2)))
    for seconds in (20, 60, 120):
        display.ahead = timedelta(seconds=seconds)
        display.delivery.report()
        assert display.delivery._report is not None, "it looks again"
    assert [each.getMessage() for each in caplog.records] == [
        "2 messages are owed, at 1 tables, the oldest for 60 s",
        "2 messages are owed, at 1 tables, the oldest for 120 s",
    ]
    await asked(display, opens)
    display.delivery.report()
    assert (len(caplog.records), display.delivery._report) == (2, None)
    await display.shows(public(OTHER))
    assert display.delivery._report is not None
