"""Tests of the reconciler after a crash: unfinished messages are found or sent again, and never
doubled.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from itertools import chain
from typing import Any

import pytest

from bot.delivery.desired import (
    Board,
    Desired,
    OfferCard,
    Priority,
    Retired,
    Step,
    encode,
    user_of,
)
from bot.delivery.life import LOOKS
from bot.delivery.transport import Transport
from bot.ledger import LedgerError
from bot.rules.entries import CallKind
from bot.service import Briefing
from tests.delivery.briefings import CHANNEL
from tests.delivery.display import Display
from tests.delivery.near import BOBS
from tests.delivery.steps import (
    CARD,
    LATER,
    OTHER,
    OVER,
    THEIRS,
    THIRD,
    board,
    channels,
    fate,
    news,
    personal,
    public,
    whats,
)
from tests.loopback.faults import Held

# ---------------------------------------------------------------- intents


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (public(), public(OVER, wanted=False)),
        (board(anchor="1"), board(anchor="2")),
    ],
)
async def test_a_change_while_a_message_is_looked_for_has_an_intent_too(
    display: Display, monkeypatch: pytest.MonkeyPatch, before: Step, after: Step
) -> None:
    """A look may wait for minutes, and a process that knows nothing of the change would leave its
    buttons for ever.
    """
    await display.shows(before)
    old = display.only(CHANNEL)

    async def never(self: Transport, *of: Any, **options: Any) -> None:
        await asyncio.Event().wait()

    with monkeypatch.context() as patch:
        patch.setattr(Transport, "look", never)
        display.wants(before)
        display.delivery.check(1)
        await display.until(lambda: before.subject in display.works)
        display.begins(after)
        await display.until(lambda: display.table.cursor == display.service.last)
        assert fate(display, before.subject) == "editing"
        await display.crash()
    assert display.only(CHANNEL) == old
    await display.restart(after)
    assert display.only(CHANNEL) != old


@pytest.mark.parametrize("deleted", [False, True])
async def test_a_message_that_is_sent_anew_has_an_intent_too(
    display: Display, deleted: bool
) -> None:
    await display.shows(personal(anchor="1"))
    if deleted:
        display.discord.world.messages.clear()
    before = len(display.discord.requests)
    await display.shows(personal(OTHER, anchor="1" if deleted else "2"))
    at = before + whats(display.discord.requests[before:]).index("send")
    earlier = [saved.messages for saved in display.store.saved if saved.requests <= at]
    assert (encode(THEIRS), "sending", 1) in [
        (intent.subject, intent.fate, intent.generation) for intent in chain.from_iterable(earlier)
    ]


async def test_without_an_intent_nothing_is_sent(
    display: Display, caplog: pytest.LogCaptureFixture
) -> None:
    display.store.broken = True
    display.begins(public())
    await display.idle()
    assert (display.discord.requests, display.works) == ([], {})
    display.store.broken = False
    assert whats(await display.later()) == ["send"]
    assert "could not be planned" in caplog.text


async def test_a_plan_that_the_ledger_stopped_is_made_anew_in_the_same_way(
    display: Display,
) -> None:
    """Nothing new is recorded at the table: what was to be checked is checked all the same."""
    await display.shows(public())
    display.discord.world.messages.clear()

    async def broken(*args: object, **options: object) -> Briefing:
        raise LedgerError("The ledger could not be read: disk I/O error.")

    briefing = display.service.briefing
    display.service.briefing = broken  # type: ignore[method-assign]
    display.delivery.check(1)
    await display.idle()
    display.service.briefing = briefing  # type: ignore[method-assign]
    assert whats(await display.later())[-1] == "send"


async def test_what_readers_have_muted_is_read_again_where_the_ledger_could_not_say(
    display: Display,
) -> None:
    """The message is stored by then, so no later plan would begin it."""

    async def broken(user_id: int) -> frozenset[CallKind]:
        raise LedgerError("The ledger could not be read: connection closed.")

    muted = display.store.muted
    display.store.muted = broken  # type: ignore[method-assign]
    await display.plans(personal())
    await display.idle()
    display.store.muted = muted  # type: ignore[method-assign]
    await display.later()
    assert display.seen(BOBS) == ["one"]


async def test_a_message_is_not_replaced_by_one_without_an_intent(
    display: Display, caplog: pytest.LogCaptureFixture
) -> None:
    await display.shows(public())
    display.discord.world.messages.clear()
    gate = await display.hangs("edit", CHANNEL, public(OTHER))
    display.store.broken = True
    gate.released.set()
    await display.idle()
    assert "send" not in whats(display.discord.requests[1:])
    assert "record can't be written" in caplog.text
    display.store.broken = False
    assert "send" in whats(await display.later())
    assert display.seen(CHANNEL) == ["two"]


@pytest.mark.parametrize("broken", [False, True])
async def test_what_is_wanted_again_while_it_is_retired_is_sent_anew(
    display: Display, *, broken: bool
) -> None:
    await display.shows(public())
    gate = await display.hangs("edit", CHANNEL, Retired(OfferCard(1), OVER, OVER))
    await display.plans(public(THIRD))
    display.store.broken = broken
    gate.released.set()
    await display.idle()
    display.store.broken = False
    await display.later()
    assert display.seen(CHANNEL) == ["two, closed", "three"]
    assert fate(display, OfferCard(1)) == "shown"


async def test_what_is_sent_in_place_of_a_closed_message_has_an_intent_too(
    display: Display,
) -> None:
    await display.shows(public())
    closing = await display.hangs("edit", CHANNEL, Retired(OfferCard(1), OVER, OVER))
    await display.plans(public(THIRD))
    sending = display.discord.hangs("send", CHANNEL, done=True)
    display.store.forgetful = True
    closing.released.set()
    await display.until(sending.arrived.is_set)
    await display.crash()
    sending.released.set()
    display.store.forgetful = False
    await display.restart(public(THIRD))
    assert display.seen(CHANNEL) == ["two, closed", "three"]


async def test_what_was_shown_is_noted_while_the_store_is_broken(display: Display) -> None:
    gate = await display.hangs("send", CHANNEL, public())
    display.store.broken = True
    gate.released.set()
    await display.idle()
    display.store.broken = False
    assert fate(display, OfferCard(1)) == "shown"
    assert whats(await display.shows(public(OTHER))) == ["edit"]


# ---------------------------------------------------------------- after a crash that took what was


@pytest.mark.parametrize(
    "after", [timedelta(), timedelta(hours=1)], ids=["at once", "an hour later"]
)
async def test_outcomes_that_were_lost_are_found_out_once_more(
    display: Display, after: timedelta
) -> None:
    """Messages that were sent, edited, and sent for good: each is there once, and shows what it
    should.
    """
    display.store.forgetful = True
    steps = (public(), board(), personal(anchor="1"), news())
    assert sorted(whats(await display.shows(*steps))) == ["send"] * 4
    await display.restart(*steps, after=after)
    changed = (public(OTHER), board(OTHER), personal(OTHER, anchor="1"))
    await display.shows(*changed)
    await display.restart(*changed, after=after)
    while await display.later():
        pass
    assert display.seen(CHANNEL) == ["two", "two", "news"]
    assert "delete" not in whats(display.discord.requests)
    display.store.forgetful = False
    await display.shows(public(), board(), personal(anchor="1"))
    assert display.seen(CHANNEL) == ["one", "one", "news"]
    assert fate(display, OfferCard(1)) == fate(display, Board()) == "shown"


# ---------------------------------------------------------------- after a crash


async def crashed_while_sending(
    display: Display, *steps: Desired, done: bool = True, what: str = "send"
) -> Held:
    """Have the process die when Discord has taken requests (``done``) or has not; return the last,
    which may go on.
    """
    before = len(display.discord.requests)
    places = [BOBS if user_of(step) else CHANNEL for step in steps]
    held = [display.discord.hangs(what, place, done=done) for place in places]
    display.begins(*steps)
    await asyncio.gather(*(each.arrived.wait() for each in held))
    assert whats(display.discord.requests[before:]).count(what) == len(steps)
    await display.crash()
    return held[-1]


async def takes_effect(held: Held) -> None:
    """Let a request of a process that is gone take effect now."""
    held.released.set()
    await held.answered.wait()


@pytest.mark.parametrize("done", [True, False])
async def test_it_is_looked_for_where_it_may_be_though_the_place_is_closed_for_a_while(
    display: Display, done: bool
) -> None:
    """A ping in the channel would be a second message, and nobody would take the buttons of the
    first away.
    """
    await crashed_while_sending(display, personal(), done=done)
    display.discord.refuses("history", BOBS, 403, 50001)
    await display.restart()
    await display.later()
    assert display.seen(CHANNEL) == []
    display.discord.works()
    await display.later()
    assert display.seen(BOBS) == ["one"]
    assert display.seen(CHANNEL) == []
    assert fate(display, THEIRS) == "shown"


async def test_a_ping_that_is_found_changes_what_else_is_shown(display: Display) -> None:
    """The offer's card stands beside it, where the ping alone should be."""
    display.closes_dms()
    await display.hangs("send", CHANNEL, personal(), done=True)
    await display.crash()
    before = len(display.service.briefed)
    looked, *_ = await display.restart()
    assert (looked.what, fate(display, THEIRS)) == ("history", "shown")
    assert len(display.service.briefed[before:]) == 2, "it is planned again"


async def test_in_the_end_it_goes_elsewhere(display: Display) -> None:
    await crashed_while_sending(display, personal(), done=False)
    display.discord.refuses("history", BOBS, 403, 50001)
    await display.restart()
    for _ in range(LOOKS):
        await display.later()
    assert len(display.seen(CHANNEL)) == 1


@pytest.mark.parametrize("done", [True, False])
async def test_it_is_looked_for_and_sent_with_the_same_nonce_unless_it_is_there(
    display: Display, done: bool
) -> None:
    await crashed_while_sending(display, public(), done=done)
    [first] = display.discord.requests
    looked, *again = await display.restart()
    assert looked.what == "history"
    assert [(each.what, each.nonce, each.marker) for each in again] == (
        [] if done else [("send", first.nonce, first.marker)]
    )
    assert display.seen(CHANNEL) == ["one"]
    assert fate(display, OfferCard(1)) == "shown"
    assert whats(await display.shows(public(OTHER))) == ["edit"]


async def test_a_request_that_outlives_its_process_doubles_nothing(display: Display) -> None:
    """It reaches Discord after the next process has looked for the message. The nonce is the same,
    so it is the one.
    """
    first = await crashed_while_sending(display, public(), done=False)
    gate = display.discord.hangs("history", CHANNEL, done=True)
    restarted = asyncio.create_task(display.restart(public(OTHER)))
    await display.until(lambda: whats(display.discord.requests)[-1] == "history")
    await takes_effect(first)
    gate.released.set()
    await restarted
    assert display.seen(CHANNEL) == ["two"]
    assert await display.shows(public(OTHER)) == []


async def test_a_retry_that_finds_what_an_attempt_sent_brings_it_up_to_date(
    display: Display,
) -> None:
    display.discord.fails("send", CHANNEL, 503, done=True)
    display.discord.fails("edit", CHANNEL, 503)
    await display.shows(public())
    await display.shows(public(OTHER))
    await display.later()
    await display.later()
    assert display.seen(CHANNEL) == ["two"]
    await display.later()  # a lost edit is made twice
    assert display.pauses == []


async def test_news_that_a_retry_finds_are_brought_up_to_date_too(display: Display) -> None:
    display.discord.fails("send", BOBS, 503, done=True)
    await display.shows(personal())
    await display.shows(replace(personal(OTHER), final=True))
    await display.later()
    assert display.seen(BOBS) == ["two"]
    assert display.store.kept == {}


async def test_long_after_the_crash_the_message_is_found_by_its_marker_and_adopted(
    display: Display,
) -> None:
    await display.shows(news())  # discord.py sends the first message in a channel by itself
    await crashed_while_sending(display, public(), public(offer=2))
    display.discord.world.forget_nonces()
    requests = await display.restart(public(OTHER), public(THIRD, offer=2), after=LATER)
    assert sorted(whats(requests)) == ["edit", "edit", "history"]  # one search in each channel
    assert sorted(display.seen(CHANNEL)[1:]) == ["three", "two"]
    assert {fate(display, OfferCard(n)) for n in (1, 2)} == {"shown"}


async def test_news_that_were_sent_are_not_sent_again(display: Display) -> None:
    await crashed_while_sending(display, news())
    display.discord.world.forget_nonces()
    assert "send" not in whats(await display.restart(after=LATER))
    assert len(display.discord.seen(CHANNEL)) == 1
    assert display.store.kept == {}


async def test_an_edit_that_was_under_way_is_made_again(display: Display) -> None:
    await display.shows(public())
    await crashed_while_sending(display, public(OTHER), done=False, what="edit")
    assert fate(display, OfferCard(1)) == "editing"
    assert whats(await display.restart()) == ["edit"]
    assert display.seen(CHANNEL) == ["two"]


@pytest.mark.parametrize(
    "wanted",
    [
        personal(THIRD, anchor="1"),
        personal(anchor="1"),
        Retired(THEIRS, THIRD, THIRD),
    ],
    ids=["another card", "the card it had", "retired"],
)
async def test_an_edit_that_takes_effect_after_the_crash_is_undone(
    display: Display, wanted: Step
) -> None:
    """Discord was slow with it: the next process has made its own edit before."""
    await display.shows(personal(anchor="1"))
    late = await crashed_while_sending(
        display, personal(OTHER, anchor="1"), done=False, what="edit"
    )
    await display.restart(wanted)
    shown = display.seen(BOBS)
    await takes_effect(late)
    assert display.seen(BOBS) != shown
    await display.later()
    assert display.seen(BOBS) == shown
    await display.later()
    assert all(each.fate == "shown" for each in display.store.kept.values())


async def test_news_during_that_edit_do_not_wait_either(display: Display) -> None:
    await display.shows(public())
    await crashed_while_sending(display, public(OTHER), done=False, what="edit")
    gate, before = display.discord.hangs("edit", CHANNEL), len(display.discord.requests)
    starting = asyncio.create_task(display.restart())
    await display.until(lambda: "edit" in whats(display.discord.requests[before:]))
    planned = len(display.service.briefed)
    display.begins(public(THIRD))
    await display.until(lambda: len(display.service.briefed) > planned)
    gate.released.set()
    await starting
    assert display.seen(CHANNEL) == ["three"]
    assert whats(await display.later()) == ["edit"]
    assert await display.later() == []


async def test_an_edit_that_was_made_is_made_again_later_after_another_crash(
    display: Display,
) -> None:
    """Else a bot that is killed often would do the same again and again, and nothing else."""
    await display.shows(public())
    await crashed_while_sending(display, public(OTHER), done=False, what="edit")
    assert whats(await display.restart()) == ["edit"]
    assert fate(display, OfferCard(1)) == "edited"
    assert await display.restart() == []
    assert whats(await display.later()) == ["edit"]
    assert fate(display, OfferCard(1)) == "shown"
    assert await display.restart() == []


async def test_a_message_sent_anew_after_a_deletion_is_not_doubled_by_a_crash(
    display: Display,
) -> None:
    await display.shows(public())
    display.discord.world.messages.clear()
    await crashed_while_sending(display, public(OTHER))
    display.discord.world.forget_nonces()
    await display.restart(after=LATER)
    assert display.seen(CHANNEL) == ["two"]


async def test_an_edit_that_waits_for_its_turn_gives_way_to_more_urgent_news(
    display: Display,
) -> None:
    """What it would show is not so any more, and it would come after what is less urgent."""
    await display.shows(public())
    display.delivery._budget.limited(("edit", CHANNEL), 0.1)
    works = display.delivery._tables[1].works
    display.begins(replace(public(OTHER), priority=Priority.LEISURE))
    await display.until(lambda: OfferCard(1) in works)
    display.begins(replace(public(THIRD), priority=Priority.ACT))
    await display.until(lambda: not works)
    assert [each.text for each in display.discord.requests] == ["one", "three"]


async def test_what_nobody_wanted_any_more_and_is_wanted_again_does_not_wait(
    display: Display,
) -> None:
    await crashed_while_sending(display, personal(), done=False)
    await display.restart(Retired(THEIRS, OTHER, CARD))
    assert whats(await display.shows(personal())) == ["history", "send"]
    assert display.seen(BOBS) == ["one"]


async def test_what_was_not_sent_and_nobody_wants_any_more_is_owed_no_longer(
    display: Display,
) -> None:
    await crashed_while_sending(display, public(), done=False)
    assert channels(await display.restart(personal())) == [BOBS]
    assert display.subjects() == {THEIRS}
