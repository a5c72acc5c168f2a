"""Tests that looking back at a long table stops nobody else and takes little memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.rules.features.audits import Audit
from bot.service import Filter, HistoryPage, Service
from bot.show import names
from tests.cogs.conftest import evening_on
from tests.cogs.evening import TABLE, Evening
from tests.cogs.long_life import HOST, ask, live, steps

ENTRIES = 3300
STEP_MAX = 20_000
"""Functions that one step of the event loop may call."""

PAGE_MAX = 4e6
"""Bytes that a page may take while it is made; all entries of such a life take ten times as
much.
"""

LOOKS: dict[str, dict[str, Any]] = {
    "history": {},
    "history player": {"player": "2"},
    "audit ledger": {},
    "audit ledger kind": {"kind": "transaction"},
    "audit ledger since": {"since": "1d"},
    "audit ledger player": {"player": "2"},
    "audit trade": {"number": 5},
    "audit player": {"player": "2"},
    "audit verify": {},
}
"""What is looked at, by the command and the option that is given."""


def command(look: str) -> str:
    return look.removesuffix(" player") if look == "history player" else " ".join(look.split()[:2])


@pytest.mark.slow
async def test_nobody_waits_while_somebody_looks_back(tmp_path: Path) -> None:
    url = await live(tmp_path, ENTRIES)
    async with evening_on(url) as evening:
        await ask(evening, "history")
        names.skeletons("alice")  # the list of look-alikes is read once a process
        for look, options in LOOKS.items():

            async def asked(look: str = look, options: dict[str, Any] = options) -> None:
                record = await ask(evening, command(look), **options)
                assert "it is my fault" not in said(evening, record.message_id), look

            longest = await longest_step(asked)
            assert longest < STEP_MAX, f"{look} kept the loop for {longest} calls"
        assert evening.errors() == ()
        await followed_and_small(evening)


async def longest_step(work: Callable[[], Awaitable[object]]) -> int:
    """Return how many functions the longest step of some work calls."""
    with steps() as found:
        await work()
    return max(found)


def said(evening: Evening, message_id: int | None) -> str:
    for messages in evening.env.backend.messages.values():
        for message in messages.values():
            if message.id == message_id:
                return str(message.components or message.content)
    return ""


async def followed_and_small(evening: Evening) -> None:
    """The whole ledger for an export, without keeping the loop; and the memory that a page
    takes.
    """
    service = evening.bot.service
    outcome = await service.execute(TABLE, HOST, Audit("export"))
    seq = outcome.entries[-1].seq - 1

    async def exported() -> None:
        source = await service.export_source(TABLE, HOST, until_seq=seq)
        assert len(source.entries) == len(source.published) == seq

    longest = await longest_step(exported)
    assert longest < STEP_MAX, f"the source of an export kept the loop for {longest} calls"
    for only in (
        Filter(),
        Filter(person=2),
        Filter(kind="transaction"),
        Filter(since=100),
        Filter(offer=3),
    ):
        for number in (1, 300):
            tracemalloc.start()
            page = await service.history(
                TABLE, HOST, filter=only, until_seq=seq, page=number, size=8
            )
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert len(page.entries) <= 8
            assert peak < PAGE_MAX, f"{only}: {peak / 1e6:.1f} MB"
    assert (await turned(service, seq)) > 3


async def turned(service: Service, seq: int) -> int:
    """Return how many pages of a person who never did anything are turned until there is nothing
    older.
    """
    page: HistoryPage | None = None
    count = 0
    while page is None or page.older:
        page = await service.history(
            TABLE,
            HOST,
            filter=Filter(person=99),
            until_seq=seq,
            page=1,
            size=8,
            cursor=page.older if page else 0,
        )
        count += 1
        assert count < 100
    return count
