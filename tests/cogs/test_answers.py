"""Answers: every interaction is answered in time and once, whatever takes longer and whatever Discord says."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
import pytest
from aiohttp import web

from bot.delivery import Claim
from bot.delivery.records import Look
from bot.ledger import LedgerError
from bot.lifecycle import DiscordTime, Interactions, interactions
from bot.rules.commands import Command
from bot.rules.model.actions import OfferAction
from bot.service import CommandFactory, Outcome
from bot.show.cards import Card
from bot.show.forms import Form
from cogs import answers
from cogs.answers import TOO_SLOW, Answers, answer_to
from cogs.request import Request
from tests.cogs.evening import Evening, private, text_of
from tests.errors import error

COMMAND, PRESS, COMPLETION, FORM = (
    discord.InteractionType.application_command,
    discord.InteractionType.component,
    discord.InteractionType.autocomplete,
    discord.InteractionType.modal_submit,
)
CARD = Card("open", ("the card",))
UNKNOWN_INTERACTION, ALREADY = (404, 10062), (400, 40060)
FORM_TO_OPEN = Form("Alter", OfferAction(1, 1, 1, "alter"), ())
PRESSED, MADE = 55, 900
"""The ids of the message that was pressed, and of the one that a response makes."""


@dataclass
class Said:
    """What Discord was told: a response (by its kind), a change of it, or a follow-up."""

    what: str
    text: str = ""
    public: bool = False


@dataclass
class Exchange:
    """An interaction, and a Discord that takes one response to it. ``errors`` are what it says to the next requests."""

    type: discord.InteractionType = COMMAND
    message: Any = None
    data: Any = None
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    errors: list[Exception] = field(default_factory=list)
    gate: asyncio.Event | None = None
    asked: list[str] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    extras: dict[str, Any] = field(default_factory=dict)
    taken: bool = False
    done: bool = False
    id: int = 77

    @property
    def it(self) -> discord.Interaction[Any]:
        return cast(Any, self)

    # ------------------------------------------------------------ as discord.py has it

    @property
    def context(self) -> Any:
        return SimpleNamespace(private_channel=False)

    @property
    def user(self) -> Any:
        return SimpleNamespace(id=1)

    @property
    def response(self) -> Exchange:
        return self

    @property
    def followup(self) -> Any:
        return SimpleNamespace(send=self._follow_up)

    def is_done(self) -> bool:
        return self.done

    async def defer(self, *, ephemeral: bool = False, thinking: bool = False) -> None:
        await self._respond(Said("think" if thinking else "defer", public=thinking and not ephemeral))

    async def send_message(self, text: str = "", *, ephemeral: bool = False, **options: Any) -> Any:
        await self._respond(Said("send", text or read(options), public=not ephemeral))
        return SimpleNamespace(message_id=MADE)

    async def edit_message(self, **options: Any) -> None:
        await self._respond(Said("update", read(options)))

    async def autocomplete(self, choices: list[Any]) -> None:
        await self._respond(Said("suggest", str(len(choices))))

    async def send_modal(self, modal: discord.ui.Modal) -> None:
        await self._respond(Said("form", modal.title))

    async def original_response(self) -> Any:
        raise NotImplementedError

    async def edit_original_response(self, *, content: str = "", **options: Any) -> None:
        await self._request("edit")
        assert self.taken
        self.said.append(Said("edit", content or read(options)))

    async def _follow_up(self, text: str = "", *, ephemeral: bool, **options: Any) -> None:
        await self._request("follow-up")
        assert self.taken
        self.said.append(Said("follow-up", text or read(options), public=not ephemeral))

    async def _respond(self, said: Said) -> None:
        await self._request(said.what, said)
        if self.taken:
            raise error(*ALREADY)
        self._take(said)
        self.done = True  # discord.py knows it only now

    async def _request(self, what: str, said: Said | None = None) -> None:
        self.asked.append(what)
        if self.gate is not None:
            await self.gate.wait()
        if self.errors:
            failure = self.errors.pop(0)
            if isinstance(failure, Taken) and said is not None and not self.taken:
                self._take(said)
            raise failure.error if isinstance(failure, Taken) else failure

    def _take(self, said: Said) -> None:
        self.taken = True
        self.said.append(said)


class Taken(Exception):
    """Discord does what it was asked, and answers with this error."""

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.error = error


def read(options: dict[str, Any]) -> str:
    items = options["view"].walk_children()
    return " ".join(item.content for item in items if isinstance(item, discord.ui.TextDisplay))


async def nothing_recorded(_interaction: int) -> bool:
    return False


def answering(
    carried_out: Callable[[int], Awaitable[bool]] = nothing_recorded, time: DiscordTime | None = None
) -> Answers:
    return Answers(Interactions(), carried_out, time=time)


@dataclass
class FakeClaim:
    """A message that the response is to show."""

    updates: bool = False
    pings: tuple[int, ...] = ()
    card: Card = CARD
    marker: int = 2**30
    fate: list[object] = field(default_factory=list)
    look: Look | None = None

    async def shown(self, message_id: int) -> None:
        self.fate.append(message_id)

    def failed(self, *, unsure: bool = True, look: Look | None = None) -> None:
        self.fate.append("unsure" if unsure else "failed")
        self.look = look

    @property
    def it(self) -> Claim:
        return cast(Any, self)


def outage() -> Exception:
    return error(503, 0)


def pressed(*, private: bool = True, **changes: Any) -> Exchange:
    """A press on a message that only the person sees, or all."""
    message = SimpleNamespace(id=PRESSED, components=[], flags=SimpleNamespace(ephemeral=private))
    return Exchange(PRESS, message, **changes)


def told(exchange: Exchange) -> list[tuple[str, str]]:
    return [(each.what, each.text) for each in exchange.said]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts follow each other at once."""
    monkeypatch.setattr(answers, "PAUSES", (0.0, 0.0, 0.0))


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


async def test_an_interaction_that_another_answered_is_left_to_it() -> None:
    """Discord delivered it twice."""
    exchange = Exchange(taken=True)
    await answer_to(exchange.it).send("one")
    assert exchange.asked == ["send"]
    assert exchange.said == []


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


async def test_after_a_response_the_message_of_a_command_is_sent_by_delivery() -> None:
    exchange, claim = Exchange(), FakeClaim()
    await answer_to(exchange.it).send("one")
    await answer_to(exchange.it).show(claim.it)
    assert told(exchange) == [("send", "one")]
    assert claim.fate == ["failed"]


# ---------------------------------------------------------------- what takes long


@dataclass
class Slow:
    """Work that waits for a ledger that hangs until somebody releases it, and then does something."""

    then: Callable[[], Awaitable[None]]
    released: asyncio.Event = field(default_factory=asyncio.Event)
    done: bool = False

    async def __call__(self) -> None:
        await self.released.wait()
        await self.then()
        self.done = True


async def nothing() -> None:
    """Work without an answer."""


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interactions are deferred soon."""
    monkeypatch.setattr(answers, "DEFER_AFTER", 0.01)


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not true():  # noqa: ASYNC110  (the one that is waited for tells nobody)
            await asyncio.sleep(0.001)


async def handled(exchange: Exchange, then: Callable[[], Awaitable[None]]) -> None:
    """Handle an interaction whose work waits until it was deferred, and then does this."""
    work = Slow(then)
    task = asyncio.create_task(answering().handle(exchange.it, work))
    await until(lambda: exchange.said)
    work.released.set()
    await task
    assert work.done


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
async def test_a_public_card_is_sent_by_delivery_after_a_deferral_in_private() -> None:
    exchange, claim = Exchange(), FakeClaim()
    await handled(exchange, lambda: answer_to(exchange.it).show(claim.it))
    assert claim.fate == ["failed"]
    assert told(exchange) == [("think", ""), ("edit", "Done. It stands in the table's channel.")]


@pytest.mark.usefixtures("soon")
async def test_the_message_that_was_pressed_is_updated_after_a_deferral_too() -> None:
    exchange, claim = pressed(), FakeClaim(updates=True)
    await handled(exchange, lambda: answer_to(exchange.it).show(claim.it))
    assert told(exchange) == [("defer", ""), ("edit", "the card")]
    assert claim.fate == [PRESSED]


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("failure", [outage, TimeoutError, lambda: error(404, 10008)])
async def test_an_update_that_fails_after_a_deferral_is_left_to_delivery(failure: Callable[[], Exception]) -> None:
    exchange, claim = pressed(), FakeClaim(updates=True)

    async def then() -> None:
        exchange.errors = [failure()]
        await answer_to(exchange.it).show(claim.it)

    await handled(exchange, then)
    assert len(claim.fate) == 1
    assert claim.fate != [PRESSED]


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
    assert exchange.asked == ["think", "think", "think", "edit"]
    assert told(exchange) == [("think", ""), ("edit", "one")]


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    "errors",
    [
        [error(*UNKNOWN_INTERACTION)],
        [outage() for _ in range(4)],
    ],
)
async def test_what_could_not_be_deferred_in_time_is_not_carried_out(errors: list[Exception]) -> None:
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
    """The command was carried out before it was known that the person was told otherwise. The others must see it."""
    exchange, claim = Exchange(gate=asyncio.Event(), errors=[error(*UNKNOWN_INTERACTION)]), FakeClaim()
    assert exchange.gate is not None
    work = Slow(lambda: answer_to(exchange.it).show(claim.it))
    task = asyncio.create_task(answering().handle(exchange.it, work))
    await until(lambda: exchange.asked == ["think"])
    work.released.set()
    for _ in range(20):
        await asyncio.sleep(0)
    exchange.gate.set()
    await task
    assert claim.fate == ["unsure"]


async def test_a_message_whose_response_is_broken_off_is_left_to_delivery() -> None:
    exchange, claim = Exchange(gate=asyncio.Event()), FakeClaim()
    task = asyncio.create_task(answer_to(exchange.it).show(claim.it))
    await until(lambda: exchange.asked == ["send"])
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert claim.fate == ["unsure"]


def test_there_is_time_to_defer_and_to_try_that_again() -> None:
    assert answers.DEFER_AFTER <= 1.5
    assert answers.DEFER_AFTER < answers.GIVE_UP_AFTER < 3


# ---------------------------------------------------------------- what comes late


@dataclass
class Clocks:
    """A steady clock, and Discord's time, which is ahead of it by so much."""

    steady: float = 1_000.0
    ahead: float = 1_700_000_000.3

    def discord(self) -> DiscordTime:
        return DiscordTime(lambda: self.steady)

    def date(self) -> datetime:
        """Discord's time as a response over HTTP tells it."""
        return datetime.fromtimestamp(int(self.steady + self.ahead), UTC)

    def responds(self, time: DiscordTime, took: float = 0.1) -> None:
        """A request is answered, on whose way back half of the time passes."""
        sent = self.steady
        self.steady += took / 2
        date = self.date()
        self.steady += took / 2
        time.responded(sent, date)

    def made(self, ago: float) -> datetime:
        return datetime.fromtimestamp(self.steady + self.ahead - ago, UTC)


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


@pytest.fixture
def time(clocks: Clocks) -> DiscordTime:
    """What a new process knows after a few requests."""
    time = clocks.discord()
    for _ in range(3):
        clocks.responds(time)
        clocks.steady += 0.4
    return time


async def arrive(clocks: Clocks, time: DiscordTime, age: float, **changes: Any) -> tuple[Exchange, list[float]]:
    """Have an interaction of this age arrive; return it, and its age if it was carried out."""
    exchange, done = Exchange(created_at=clocks.made(age), **changes), list[float]()

    async def work() -> None:
        done.append(age)
        await answer_to(exchange.it).send("one")

    await answering(time=time).handle(exchange.it, work)
    return exchange, done


AT_ONCE, AFTER_A_WHILE = [("send", "one")], [("think", ""), ("edit", "one")]


async def test_one_that_comes_late_is_deferred_first(clocks: Clocks, time: DiscordTime) -> None:
    exchange, done = await arrive(clocks, time, 2.2)
    assert told(exchange) == AFTER_A_WHILE
    assert done == [2.2]


async def test_one_whose_person_was_told_that_it_failed_is_not_carried_out(clocks: Clocks, time: DiscordTime) -> None:
    exchange, done = await arrive(clocks, time, 3.0, errors=[error(*UNKNOWN_INTERACTION)])
    assert (exchange.asked, done) == (["think"], [])


async def test_nor_is_a_late_one_that_can_not_be_deferred(clocks: Clocks, time: DiscordTime) -> None:
    _, done = await arrive(clocks, time, 2.2, errors=[outage() for _ in range(9)])
    assert done == []


async def test_one_that_another_process_answers_is_not_carried_out_late(clocks: Clocks, time: DiscordTime) -> None:
    _, done = await arrive(clocks, time, 2.2, taken=True)
    assert done == []


async def test_one_that_comes_in_time_is_not_deferred(clocks: Clocks, time: DiscordTime) -> None:
    exchange, _ = await arrive(clocks, time, 0.9)
    assert told(exchange) == AT_ONCE


async def test_its_deferral_is_counted_from_when_it_was_made(clocks: Clocks, time: DiscordTime) -> None:
    exchange = Exchange(created_at=clocks.made(1.4))
    work = Slow(lambda: answer_to(exchange.it).send("one"))
    answer = answers.Answer(exchange.it, time.age(exchange.created_at))
    answer.arm()
    assert answer._timer is not None
    assert answer._timer.when() <= asyncio.get_running_loop().time() + answers.DEFER_AFTER - 0.4
    answer.disarm()
    assert not work.done


@pytest.mark.parametrize("stopped", [3.0, 5.0, 3600.0])
async def test_what_waited_while_a_new_process_was_stopped_is_not_carried_out(stopped: float) -> None:
    """The first interactions of a process, after a single request."""
    for fraction in range(10):
        clocks = Clocks(ahead=1_700_000_000 + fraction / 10)
        time = clocks.discord()
        clocks.responds(time, took=0.4)
        made = clocks.made(0.0)
        clocks.steady += stopped
        for _ in range(3):
            exchange, done = Exchange(created_at=made, errors=[error(*UNKNOWN_INTERACTION)]), list[str]()

            async def work(done: list[str] = done) -> None:
                done.append("done")

            await answering(time=time).handle(exchange.it, work)
            assert (exchange.asked, done) == (["think"], [])


@pytest.mark.parametrize("step", [-3600.0, -2.0, 2.0, 3600.0])
async def test_a_clock_that_was_set_keeps_nobody_waiting(clocks: Clocks, time: DiscordTime, step: float) -> None:
    """Nobody can set the steady clock; but were it to jump, the next response puts that right."""
    clocks.ahead += step
    await arrive(clocks, time, 0.2)
    clocks.responds(time)
    exchange, _ = await arrive(clocks, time, 0.2)
    assert told(exchange) == AT_ONCE
    assert time.age(clocks.made(3.0)) > answers.DEFER_AFTER


async def test_a_clock_that_runs_wrong_is_followed(clocks: Clocks, time: DiscordTime) -> None:
    for drift in (-0.0002, 0.0002):
        for _ in range(500):
            clocks.steady += 60
            clocks.ahead += 60 * drift
            clocks.responds(time)
            exchange, _ = await arrive(clocks, time, 0.2)
            assert told(exchange) == AT_ONCE
            assert time.age(clocks.made(3.0)) > answers.DEFER_AFTER


async def test_the_machines_clock_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    time = DiscordTime()
    time.responded(interactions.steady(), datetime.now(UTC))
    made = datetime.now(UTC)
    monkeypatch.setattr(interactions.time, "time", lambda: 0.0)
    assert 0 <= time.age(made) < 1.5


async def test_before_discord_said_what_time_it_is_nothing_is_late(clocks: Clocks) -> None:
    exchange, _ = await arrive(clocks, clocks.discord(), 5.0)
    assert told(exchange) == AT_ONCE


async def test_responses_tell_the_time() -> None:
    async def answer(_request: web.Request) -> web.Response:
        return web.Response(headers={"Date": "Tue, 14 Nov 2023 22:13:20 GMT"})

    async def without(_request: web.Request) -> web.Response:
        return web.Response(headers={"Date": "noon"})

    app, clocks = web.Application(), Clocks(ahead=1_700_000_000 - 1_000.0)
    app.add_routes([web.get("/", answer), web.get("/without", without)])
    time, runner = clocks.discord(), web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    try:
        async with aiohttp.ClientSession(trace_configs=[time.trace()]) as session:
            await (await session.get(f"http://127.0.0.1:{port}/without")).read()
            assert time.age(clocks.made(5.0)) == 0
            await (await session.get(f"http://127.0.0.1:{port}/")).read()
            assert time.age(clocks.made(5.0)) == 5
    finally:
        await runner.cleanup()


async def test_a_late_completion_is_made_all_the_same(clocks: Clocks, time: DiscordTime) -> None:
    _, done = await arrive(clocks, time, 2.5, type=COMPLETION)
    assert done == [2.5]


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
    assert "It stands in the table's channel" in text_of(reply)
    await playing.until(lambda: sum("Offer 1 ·" in text for text in playing.channel()) == 1)
    assert await playing.owed() == []


async def test_a_press_that_is_deferred_updates_the_message_all_the_same(playing: Evening, slow: None) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    await playing.until(lambda: any("Offer 1 ·" in text for text in playing.channel()))
    await playing.press("bob", "Accept", "Offer 1")
    playing.stage.look()
    assert sum("Done · transaction 1" in text for text in playing.channel()) == 1
    assert sum("Offer 1 ·" in text for text in playing.channel()) == 1


async def test_a_public_reply_that_is_deferred_is_there_once(playing: Evening, slow: None) -> None:
    reply = await playing.types("bob", "holdings gain", goods="1 tg")
    assert private(reply)
    await playing.until(lambda: sum("gains" in text for text in playing.channel()) == 1)


async def test_a_deferred_command_that_is_refused_says_why(playing: Evening, slow: None) -> None:
    reply = await playing.types("bob", "turn start")
    assert private(reply)
    assert len(reply.messages) == 1
    assert "It must end first" in text_of(reply)
