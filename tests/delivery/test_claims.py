"""Turns: the response to a command or press is one of the messages that it changes, and nothing else sends that one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from bot.delivery import CommandDelivery, Headlines, InteractionSource, OfferCard, ResponseMessage, claims
from bot.delivery.desired import Desired, DirectMessages, Fallback, PersonalOffer, Prompt, Retired, Step, TableChannel
from bot.delivery.records import Look
from bot.delivery.render import render_card
from bot.ledger import LedgerError
from bot.rules.commands import Press
from bot.rules.entries import CallKind
from bot.rules.features.offers.signing import Sign
from bot.show.cards import Button, Card
from tests.delivery.briefings import BOB, CAROL, CHANNEL
from tests.delivery.display import Display
from tests.delivery.near import BOBS, Request

CARD = Card("open", ("one",), ((Button("Accept", Press(1, Sign(1, 1))),),))
OTHER = replace(CARD, blocks=("two",))
THIRD = replace(CARD, blocks=("three",))
THEIRS = PersonalOffer(1, "addressed", BOB)
HERE = InteractionSource(CHANNEL)
OFFERS = (OfferCard,)


def public(card: Card = CARD, *, offer: int = 1) -> Desired:
    return Desired(OfferCard(offer), TableChannel(), card)


def personal(card: Card = CARD, *, user: int = BOB) -> Desired:
    fallback = Fallback(TableChannel(), replace(card, blocks=("overheard",)), Card("over", ("replaced",)))
    return Desired(PersonalOffer(1, "addressed", user), DirectMessages(user), card, fallback=fallback, call="offer")


def news(seq: int) -> Desired:
    return Desired(Headlines(seq), TableChannel(), Card("open", ("news",), plain=True), final=True, entry=seq)


def whats(requests: list[Request]) -> list[str]:
    return [each.what for each in requests if each.what != "dm"]


@asynccontextmanager
async def turn(display: Display, *steps: Step) -> AsyncIterator[CommandDelivery]:
    """Carry a command out after which these messages are wanted."""
    async with display.delivery.for_command(1) as made:
        display.wants(*steps)
        display.delivery.wake(1)  # as the service does, while the command is still being answered
        yield made


async def claimed(display: Display, *steps: Step, where: InteractionSource = HERE) -> ResponseMessage:
    """Carry a command out whose reply takes for ever."""
    claim = await answers(display, *steps, where=where)
    assert claim is not None
    return claim


async def answers(display: Display, *steps: Step, where: InteractionSource) -> ResponseMessage | None:
    made = await display.delivery.for_command(1).__aenter__()
    display.wants(*steps)
    display.delivery.wake(1)
    claim = await made.answer(where, OFFERS)
    await display.idle()
    return claim


def responds(display: Display, claim: ResponseMessage) -> int:
    """Have Discord take a response that is a new message, and return its id."""
    return int(display.discord.world.post(str(CHANNEL), drawn(claim.card, claim.marker), {})["id"])


def drawn(card: Card, marker: int) -> dict[str, Any]:
    return {"components": render_card(card, marker).to_components()}  # type: ignore[no-untyped-call]


# ---------------------------------------------------------------- a new message


async def test_the_response_shows_the_card_and_nothing_else_sends_it(display: Display) -> None:
    claim = await claimed(display, public(), personal())
    assert (claim.card, claim.updates, claim.retires) == (CARD, False, False)
    assert [each.channel for each in display.discord.messages] == [BOBS]
    record = display.record(OfferCard(1))
    assert record is not None
    assert (record.fate, record.message_id) == ("answering", 0)
    for _ in range(2):
        await display.shows(*display.wanted)
    assert display.seen(CHANNEL) == []
    response = responds(display, claim)
    await claim.shown(response)
    assert await display.shows(*display.wanted) == []
    assert await display.shows(public(OTHER), personal()) != []
    assert display.seen(CHANNEL) == [("two", True)]


async def test_what_changed_before_the_response_was_there_is_changed_then(display: Display) -> None:
    claim = await claimed(display, public())
    await display.shows(public(OTHER))
    response = responds(display, claim)
    assert display.seen(CHANNEL) == [("one", True)]
    await claim.shown(response)
    await display.idle()
    assert display.seen(CHANNEL) == [("two", True)]


async def test_news_that_the_response_shows_need_not_be_remembered(display: Display) -> None:
    async with turn(display, news(1)) as made:
        claim = await made.answer(HERE, (Headlines,), 1)
        assert claim is not None
        await claim.shown(responds(display, claim))
    assert display.store.kept == {}
    assert await display.shows(news(1)) == []


async def test_only_what_the_command_made_is_the_response(display: Display) -> None:
    """A message that is owed from before, of another kind, or in another place, is not."""
    display.service.last = 4
    async with turn(display, news(3), news(5)) as made:
        claim = await made.answer(HERE, (Headlines,), 5)
        assert claim is not None
        assert claim.subject == Headlines(5)
        await claim.shown(900)
    async with turn(display, news(6)) as made:
        assert await made.answer(HERE, OFFERS, 6) is None
    async with turn(display, news(7)) as made:
        assert await made.answer(InteractionSource(CHANNEL + 1), (Headlines,), 7) is None
    async with turn(display, news(8)) as made:
        assert await made.answer(HERE) is None
    await display.idle()
    assert [each.text for each in display.discord.seen(CHANNEL)] == ["news"] * 4


async def test_the_card_of_the_response_may_say_more(display: Display) -> None:
    claim = await claimed(display, public())
    more = replace(CARD, blocks=("Done.", "one"))
    await claim.shown(responds(display, claim.with_card(more)))
    await display.idle()
    assert display.seen(CHANNEL) == [("Done. one", True)]
    await display.shows(public(OTHER))
    assert display.seen(CHANNEL) == [("two", True)]


# ---------------------------------------------------------------- a response that failed


async def test_a_response_that_failed_is_looked_for_and_then_sent(display: Display) -> None:
    claim = await claimed(display, public())
    before = len(display.discord.requests)
    claim.failed()
    await display.idle()
    assert whats(display.discord.requests[before:]) == ["history", "send"]
    assert display.seen(CHANNEL) == [("one", True)]
    assert display.discord.seen(CHANNEL)[0].marker == claim.marker


async def test_a_response_that_is_there_all_the_same_is_adopted(display: Display) -> None:
    claim = await claimed(display, public())
    response = responds(display, claim.with_card(replace(CARD, blocks=("Done.", "one"))))
    claim.failed()
    await display.idle()
    assert display.only(CHANNEL).id == response
    assert display.seen(CHANNEL) == [("one", True)]
    await display.shows(public(OTHER))
    assert display.seen(CHANNEL) == [("two", True)]


async def test_a_response_that_can_be_fetched_is_not_searched_for(display: Display) -> None:
    """To fetch it costs nothing of what Discord allows, and a search does."""
    claim = await claimed(display, public())
    response = responds(display, claim)
    before = len(display.discord.requests)
    claim.failed(look=fetching(display, response))
    await display.idle()
    assert whats(display.discord.requests[before:]) == ["edit"]
    assert display.seen(CHANNEL) == [("one", True)]


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("other", [True, False])
async def test_where_the_response_is_another_or_none_the_channel_is_searched(
    display: Display, *, there: bool, other: bool
) -> None:
    """Discord may have answered an earlier delivery of the interaction, or not know its own response yet."""
    claim = await claimed(display, public())
    elsewhere = int(display.discord.world.post(str(CHANNEL), drawn(OTHER, 5), {})["id"]) if other else 900
    if there:
        responds(display, claim)
    before = len(display.discord.requests)
    claim.failed(look=fetching(display, elsewhere))
    await display.idle()
    assert whats(display.discord.requests[before:]) == ["history", "edit" if there else "send"]
    assert [each for each in display.seen(CHANNEL) if each[0] == "one"] == [("one", True)]


async def test_after_a_quarter_of_an_hour_a_response_is_searched_for(display: Display) -> None:
    claim = await claimed(display, public())
    response = responds(display, claim)
    display.discord.fails("fetch", CHANNEL, 401, 50027)
    before = len(display.discord.requests)
    claim.failed(look=fetching(display, response))
    await display.idle()
    assert whats(display.discord.requests[before:]) == ["history", "edit"]
    assert display.only(CHANNEL).id == response


async def test_fetching_a_response_is_tried_until_it_works(display: Display) -> None:
    claim = await claimed(display, public())
    response = responds(display, claim)
    display.discord.fails("fetch", CHANNEL, 503, times=2)
    before = len(display.discord.requests)
    claim.failed(look=fetching(display, response))
    await display.idle()
    await display.later()
    assert display.pauses == [1.0]
    await display.later()
    assert whats(display.discord.requests[before:]) == ["edit"]
    assert display.only(CHANNEL).id == response


def fetching(display: Display, response: int) -> Look:
    """Return a way to fetch the response."""
    return partial(display.client.get_partial_messageable(CHANNEL).fetch_message, response)


async def test_what_was_found_before_the_response_is_not_believed(display: Display) -> None:
    """Two responses fail one after the other, in one channel. What a search finds is remembered for a moment."""
    first, second = await claimed(display, public()), await claimed(display, public(), public(OTHER, offer=2))
    first.failed()
    await display.idle()
    responds(display, second)
    second.failed()
    await display.idle()
    assert sorted(display.seen(CHANNEL)) == [("one", True), ("two", True)]


async def test_a_response_that_certainly_was_not_sent_is_not_looked_for(display: Display) -> None:
    claim = await claimed(display, public())
    before = len(display.discord.requests)
    claim.failed(unsure=False)
    await display.idle()
    assert whats(display.discord.requests[before:]) == ["send"]


async def test_looking_for_a_response_is_tried_until_it_works(display: Display) -> None:
    claim = await claimed(display, public())
    response = responds(display, claim)
    display.discord.fails("history", CHANNEL, 503, times=2)
    claim.failed()
    await display.idle()
    await display.later()
    assert display.pauses == [1.0]
    await display.later()
    assert display.only(CHANNEL).id == response
    assert display.record(OfferCard(1)).message_id == response  # type: ignore[union-attr]


@pytest.mark.parametrize("after", [0, 3600])
@pytest.mark.parametrize("there", [True, False])
async def test_after_a_crash_a_response_is_looked_for_too(display: Display, *, there: bool, after: int) -> None:
    """A response carries no nonce, so it is never sent without a look."""
    claim = await claimed(display, public())
    if there:
        responds(display, claim)
    requests = await display.restart(after=timedelta(seconds=after))
    assert whats(requests) == ["history", "edit" if there else "send"]
    assert display.seen(CHANNEL) == [("one", True)]
    assert await display.shows(public()) == []


@pytest.mark.parametrize("there", [True, False])
async def test_a_command_does_not_answer_with_what_another_interaction_answered(
    display: Display, *, there: bool
) -> None:
    """Its process was killed, and Discord delivers an older command again, whose own response is long there."""
    claim = await claimed(display, public())
    if there:
        responds(display, claim)
    await display.crash()
    await display.begin()
    before = len(display.discord.requests)
    async with turn(display, public()) as made:
        assert await made.answer(HERE, OFFERS) is None
    await display.idle()
    assert whats(display.discord.requests[before:]) == ["history", "edit" if there else "send"]
    assert display.seen(CHANNEL) == [("one", True)]


async def test_a_command_does_not_answer_with_what_is_being_sent_again(display: Display) -> None:
    """Its request met an error, so it may be there."""
    display.discord.fails("send", CHANNEL, 503, done=True)
    await display.shows(public())
    await display.crash()
    await display.begin()
    async with turn(display, public()) as made:
        assert await made.answer(HERE, OFFERS) is None
    await display.idle()
    assert display.seen(CHANNEL) == [("one", True)]


# ---------------------------------------------------------------- a response that is never made


class Stop(BaseException):
    """The program ends."""


@pytest.mark.parametrize("error", [None, ValueError, asyncio.CancelledError, Stop])
@pytest.mark.parametrize("new", [True, False])
async def test_what_the_reply_does_not_show_is_shown_however_it_ends(
    display: Display, error: type[BaseException] | None, *, new: bool
) -> None:
    if not new:
        await display.shows(public(OTHER))
    where = HERE if new else InteractionSource(CHANNEL, display.only(CHANNEL).id)
    with suppress(error or ()):
        async with turn(display, public()) as made:
            assert await made.answer(where, OFFERS) is not None
            if error is not None:
                raise error
    await display.idle()
    assert display.seen(CHANNEL) == [("one", True)]
    assert await display.shows(public(THIRD)) != []
    assert display.seen(CHANNEL) == [("three", True)]


async def test_so_it_is_when_it_ends_before_it_is_known_whom_to_notify(display: Display) -> None:
    asked = asyncio.Event()

    async def slow(user_id: int) -> frozenset[CallKind]:
        if not asked.is_set():
            asked.set()
            await asyncio.Event().wait()
        return frozenset()

    display.store.muted = slow  # type: ignore[method-assign]

    async def command() -> None:
        async with turn(display, replace(public(), rings=(BOB,), call="turn")) as made:
            await made.answer(HERE, OFFERS)

    task = asyncio.create_task(command())
    await asked.wait()
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    await display.idle()
    assert display.seen(CHANNEL) == [("one", True)]


async def test_a_command_that_ends_while_messages_are_planned_does_not_keep_its_table(display: Display) -> None:
    release, saving = asyncio.Event(), display.store.save

    async def slow(*saved: Any, **options: Any) -> None:
        if not release.is_set():
            release.set()
            await asyncio.Event().wait()
        await saving(*saved, **options)

    display.store.save = slow  # type: ignore[method-assign]

    async def command() -> None:
        async with turn(display, public()) as made:
            await made.answer(HERE, OFFERS)

    task = asyncio.create_task(command())
    await release.wait()
    task.cancel()
    await asyncio.wait([task])
    await display.idle()
    assert display.seen(CHANNEL) == [("one", True)]


# ---------------------------------------------------------------- a press


async def pressed(
    display: Display, step: Step, channel: int = CHANNEL, *, other: bool = False
) -> ResponseMessage | None:
    """Press on the message in a channel, or on another one."""
    where = InteractionSource(channel, display.only(channel).id + other)
    return await answers(display, step, where=where)


async def test_a_press_updates_the_message_that_was_pressed(display: Display) -> None:
    await display.shows(public())
    claim = await pressed(display, public(OTHER))
    assert claim is not None
    assert (claim.updates, claim.retires, claim.card) == (True, False, OTHER)
    assert claim.marker == display.only(CHANNEL).marker
    await claim.shown(display.only(CHANNEL).id)
    assert whats(display.discord.requests) == ["send"]
    assert await display.shows(public(OTHER)) == []
    assert display.record(OfferCard(1)).message_id == display.only(CHANNEL).id  # type: ignore[union-attr]


async def test_an_update_that_failed_is_made_by_a_request(display: Display) -> None:
    await display.shows(public())
    claim = await pressed(display, public(OTHER))
    assert claim is not None
    claim.failed()
    await display.idle()
    assert whats(display.discord.requests) == ["send", "edit"]
    assert display.seen(CHANNEL) == [("two", True)]


async def test_a_press_does_not_end_the_wait_for_an_edit_of_the_last_process(display: Display) -> None:
    """That edit may take effect after the response."""
    await display.shows(public())
    late = display.discord.hangs("edit", CHANNEL)
    display.wants(public(OTHER))
    display.delivery.wake(1)
    await display.until(late.arrived.is_set)
    await display.crash()
    await display.begin()
    claim = await pressed(display, public(THIRD))
    assert claim is not None
    message = display.only(CHANNEL).id
    display.discord.world.change(display.discord.world.messages[str(message)], drawn(claim.card, claim.marker), {})
    await claim.shown(message)
    late.released.set()
    await late.answered.wait()
    assert display.seen(CHANNEL) == [("two", True)]
    await display.idle()
    await display.later()
    assert display.seen(CHANNEL) == [("three", True)]
    assert await display.shows(public(THIRD)) == []


async def test_a_press_on_what_stays_as_it_is_updates_nothing(display: Display) -> None:
    await display.shows(public())
    assert await pressed(display, public()) is None
    assert await pressed(display, public(OTHER), other=True) is None  # another message
    assert display.seen(CHANNEL) == [("two", True)]


async def test_a_press_that_settles_a_question_takes_its_buttons_away(display: Display) -> None:
    question = Prompt("deal-1", BOB, 1)
    await display.shows(replace(personal(), subject=question))
    claim = await pressed(display, Retired(question, OTHER, Card("over", ("heard",))), BOBS)
    assert claim is not None
    assert (claim.updates, claim.retires) == (True, True)
    assert (claim.card.blocks, claim.card.rows) == (("two",), ())
    await claim.shown(display.only(BOBS).id)
    assert display.store.kept == {}
    assert whats(display.discord.requests) == ["send"]


async def test_where_others_read_a_settled_question_it_says_no_more_than_they_may_know(display: Display) -> None:
    question = Prompt("deal-1", BOB, 1)
    display.discord.refuses("send", BOBS, 403, 50007)
    await display.shows(replace(personal(), subject=question))
    claim = await pressed(display, Retired(question, OTHER, Card("over", ("heard",))))
    assert claim is not None
    assert claim.card.blocks == ("heard",)


# ---------------------------------------------------------------- while a command is carried out


async def test_while_a_command_is_carried_out_nothing_else_plans_the_messages(display: Display) -> None:
    async with turn(display, public(), personal()) as made:
        for _ in range(50):
            await asyncio.sleep(0)
        assert display.discord.requests == []
        assert await made.answer(HERE, OFFERS) is not None
        await display.idle()
        assert display.seen(CHANNEL) == []


async def test_a_command_that_ends_in_an_error_holds_nothing(display: Display) -> None:
    with pytest.raises(ValueError, match="refused"):
        async with turn(display, public()):
            raise ValueError("refused")
    await display.idle()
    assert display.seen(CHANNEL) == [("one", True)]


async def test_messages_that_can_not_be_planned_now_are_planned_later(display: Display) -> None:
    display.store.broken = True
    with pytest.raises(LedgerError):
        await claimed(display, public())
    await display.idle()
    assert (display.discord.requests, display.works) == ([], {})
    display.store.broken = False
    await display.later()
    assert display.seen(CHANNEL) == [("one", True)]


# ---------------------------------------------------------------- whom DMs do not reach


async def test_those_who_were_pinged_are_named(display: Display) -> None:
    display.discord.refuses("send", BOBS, 403, 50007)
    async with turn(display, public(), personal(), personal(user=CAROL)) as made:
        await made.answer(HERE, OFFERS)
    assert await made.unreachable_users() == [BOB]


async def test_nobody_waits_long_for_those_who_may_have_to_be_pinged(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "UNREACHABLE_WITHIN", 0.01)
    display.discord.hangs("send", BOBS)
    async with turn(display, personal()) as made:
        await made.answer(HERE)
    assert await made.unreachable_users() == []


async def test_what_is_told_in_private_is_known(display: Display) -> None:
    async with turn(display, public(), personal()) as made:
        await made.answer(HERE, OFFERS)
    assert made.changes_dm(THEIRS)
    assert not made.changes_dm(OfferCard(1))
    async with turn(display, public(OTHER), personal()) as made:
        await made.answer(HERE, OFFERS)
    assert not made.changes_dm(THEIRS)  # it does not change


@pytest.mark.parametrize("by_dm", [True, False])
async def test_so_is_a_question_that_is_settled(display: Display, by_dm: bool) -> None:
    question = Prompt("deal-1", BOB, 1)
    if not by_dm:
        display.discord.refuses("send", BOBS, 403, 50007)
    await display.shows(replace(personal(), subject=question))
    async with turn(display, Retired(question, OTHER, OTHER)) as made:
        await made.answer(HERE)
    assert made.changes_dm(question) is by_dm


async def test_what_is_told_by_a_ping_is_not_private(display: Display) -> None:
    display.discord.refuses("send", BOBS, 403, 50007)
    await display.shows(personal())
    fallback = Fallback(TableChannel(), replace(OTHER, blocks=("heard anew",)), Card("over", ()))
    async with turn(display, replace(personal(OTHER), fallback=fallback)) as made:
        await made.answer(HERE)
    await display.idle()
    assert "heard anew" in display.only(CHANNEL).text
    assert not made.changes_dm(THEIRS)
