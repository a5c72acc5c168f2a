"""Tests that each interaction's outcome and first answer are counted, and logged with its table."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from bot.ledger import LedgerError, NotWritten
from bot.lifecycle import Interactions
from bot.logs import fields_of
from bot.rules.features.offers.signing import Sign
from bot.service import Service
from bot.watch import Watch
from cogs.answers import Answers, answer_to
from cogs.fair_use import FairUse
from cogs.request import Request
from tests.cogs.evening import Evening, text_of
from tests.cogs.exchange import (
    UNKNOWN_INTERACTION,
    Exchange,
    Slow,
    nothing,
    nothing_recorded,
    outage,
)
from tests.errors import error
from tests.test_watch import figures
from tests.waiting import until


async def outcomes(counted: Watch) -> dict[tuple[str, ...], float]:
    """Return how many interactions ended, by command, kind and outcome."""
    return {
        key[1:]: many
        for key, many in (await figures(counted)).items()
        if key[0] == "bourse_interactions_total"
    }


async def test_commands_presses_and_completions_by_what_became_of_them(
    playing: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await outcomes(playing.bot.watch)
    await playing.types("alice", "offer post", to="@bob", want="2 tg")
    await playing.press("bob", "Accept")
    await playing.types("alice", "offer post", give="nonsense")
    await playing.completes("alice", "give", "3 t", "offer post")
    await playing.forge("alice", "no such button")

    errors: list[Exception] = [
        ZeroDivisionError(),
        NotWritten("the disk is full"),
        error(403, 50013),
    ]

    async def fails(*_: Any, **__: Any) -> None:
        raise errors.pop()

    with monkeypatch.context() as patch:
        patch.setattr(Request, "execute", fails)
        for _ in range(len(errors)):
            await playing.press("bob", "Accept")
    found = await figures(playing.bot.watch)
    after = await outcomes(playing.bot.watch)
    ended = {key: many - before.get(key, 0) for key, many in after.items()}
    assert {key: many for key, many in ended.items() if many} == {
        ("offer post", "command", "done"): 1,
        ("offer post", "command", "refused"): 1,
        ("offer post", "completion", "done"): 1,
        (Sign.kind, "press", "refused"): 1,
        (Sign.kind, "press", "defect"): 1,
        (Sign.kind, "press", "ledger"): 1,
        (Sign.kind, "press", "discord"): 1,
        ("unknown", "press", "outdated"): 1,
    }
    assert (found["bourse_refusals_total", "94.2"], found["bourse_refusals_total", "none"]) == (
        1,
        1,
    )
    assert found["bourse_answer_seconds_count", "reply", "press"] >= 5


async def test_a_line_is_about_the_table_the_offer_and_the_interaction(
    playing: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    about: list[tuple[str, dict[str, int]]] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            about.append((record.getMessage(), fields_of(record)))

    monkeypatch.setattr(logging.getLogger("cogs.answers"), "handlers", [Kept()])
    with caplog.at_level(logging.DEBUG, "cogs.answers"):
        await playing.types("alice", "offer post", to="@bob", want="2 tg")
        await playing.press("bob", "Accept")
        await playing.types("alice", "offer withdraw", offer="1")
    said = [(message, fields["table"], fields.get("offer")) for message, fields in about]
    assert said == [
        ("command offer post: done", 1, None),
        (f"press {Sign.kind}: refused by 94.2", 1, 1),
        ("command offer withdraw: done", 1, 1),
    ]
    assert len({fields["interaction"] for _, fields in about}) == 3


async def test_who_only_wanted_to_read_is_not_told_that_something_may_have_happened(
    playing: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: Any, **__: Any) -> None:
        raise LedgerError("the server is gone")

    monkeypatch.setattr(Service, "view", fails)
    reply = await playing.types("alice", "offer list")
    assert text_of(reply) == "I can't read my ledger just now. Try again in a moment."


@pytest.mark.usefixtures("quick", "soon")
async def test_those_that_are_not_answered_in_time() -> None:
    counted = Watch()
    answers = Answers(Interactions(), nothing_recorded, FairUse(1), watch=counted)

    async def replies() -> None:
        await answer_to(exchange.it).send("one")

    exchange = Exchange(errors=[error(*UNKNOWN_INTERACTION)])
    await answers.handle(exchange.it, Slow(nothing))
    exchange = Exchange(errors=[outage()] * 4)
    answers.fair_use = FairUse(None)
    await answers.handle(exchange.it, replies)
    exchange = Exchange()
    work = Slow(replies)
    task = asyncio.create_task(answers.handle(exchange.it, work))
    await until(lambda: exchange.said)
    work.released.set()
    await task
    found = await figures(counted)
    assert await outcomes(counted) == {
        ("unknown", "command", "late"): 1,
        ("unknown", "command", "unanswered"): 1,
        ("unknown", "command", "done"): 1,
    }
    assert found["bourse_answer_seconds_count", "deferral", "command"] == 1
    assert ("bourse_answer_seconds_count", "reply", "command") not in found


async def test_those_that_are_turned_away_or_stopped() -> None:
    counted, interactions = Watch(), Interactions()
    answers = Answers(interactions, nothing_recorded, FairUse(1), watch=counted)
    for _ in range(2):
        await answers.handle(Exchange().it, nothing)
    answers.fair_use = FairUse(None)
    task = asyncio.create_task(answers.handle(Exchange().it, Slow(nothing)))
    await until(lambda: interactions.under_way)
    await interactions.cancel()
    assert task.cancelled()
    assert await outcomes(counted) == {
        ("unknown", "command", "done"): 1,
        ("unknown", "command", "turned_away"): 1,
        ("unknown", "command", "stopped"): 1,
    }


async def test_whether_the_database_works_is_asked_of_it(
    playing: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = playing.bot.watch
    counted.shards[0] = True  # SimCord has no gateway
    assert await counted.why_not_ready() == []
    assert (await figures(counted))["bourse_open_tables",] == 1

    async def fails(*_: Any) -> int:
        raise LedgerError("it is gone")

    monkeypatch.setattr(playing.bot.ledger.tables, "open_tables", fails)
    assert len(await counted.why_not_ready()) == 1
    monkeypatch.undo()
    playing.bot.interactions.close()
    assert await counted.why_not_ready() == ["I am stopping."]
