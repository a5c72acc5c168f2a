"""What a wire test takes place in: a Discord, a bot on one database, its ledger. And tests that go on at the same time.

Many of these tests mostly wait: for a pause to be over, or for nothing to come. Those of a module that are decorated
with `at_once` are played at the same time, when the first of them is run, each with a Discord and a bot of its own.
"""

from __future__ import annotations

import asyncio
import inspect
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path

import pytest

from tests.contract.check import check
from tests.loopback.loopback import Loopback
from tests.loopback.process import BotProcess, Constants, connected

Online = Callable[..., AbstractAsyncContextManager[BotProcess]]
Ledger = Callable[..., list[str]]

PLACE = ("discord", "online", "recorded", "tmp_path")
"""What a decorated test may ask for, beside its parameters."""

AS_MANY = 6
"""Tests that go on at the same time: with more, they would wait for the processor."""


@asynccontextmanager
async def discord_to_check() -> AsyncIterator[Loopback]:
    """Run a Discord. What the bot asked of it is held against the contract at the end."""
    async with Loopback.running() as discord:
        yield discord
    assert check(discord.calls) == []


def starting(discord: Loopback, folder: Path, *, aloud: bool = True) -> Online:
    """Return what starts the bot, always on the database in ``folder``, and kills it at the end of the block.

    A traceback in its log fails the test.
    """

    @asynccontextmanager
    async def start(*, constants: Constants | None = None, **settings: str) -> AsyncIterator[BotProcess]:
        database = f"sqlite:///{folder / 'bourse.db'}"
        async with connected(discord, folder, database, constants=constants, aloud=aloud, **settings) as bot:
            try:
                yield bot
            except Exception as error:
                if not aloud:
                    error.add_note(f"The bot's log:\n{bot.err[-20_000:]}")
                raise
        assert "Traceback" not in bot.err

    return start


def reading(folder: Path) -> Ledger:
    """Return what tells the kinds of entries in the ledger, oldest first; of one kind only, if one is named."""

    def kinds(*only: str) -> list[str]:
        with closing(sqlite3.connect(folder / "bourse.db")) as database:
            rows = database.execute("SELECT kind FROM entries ORDER BY table_id, seq").fetchall()
        return [kind for (kind,) in rows if not only or kind in only]

    return kinds


# ---------------------------------------------------------------- at the same time


def at_once(scene: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Run this test beside all others of its module that are decorated. It may ask for `PLACE` and has parameters."""

    def test(request: pytest.FixtureRequest, ends: Mapping[str, BaseException | None], **_: object) -> None:
        error = ends[request.node.nodeid]
        if error is not None:
            raise error

    own = [each for each in inspect.signature(scene).parameters.values() if each.name not in PLACE]
    fixtures = list(inspect.signature(test).parameters.values())[:2]
    test.__signature__ = inspect.Signature([*fixtures, *own])  # type: ignore[attr-defined]
    test.__name__, test.__doc__, test.__module__ = scene.__name__, scene.__doc__, scene.__module__
    test.scene = scene  # type: ignore[attr-defined]
    return test


async def played(items: Sequence[pytest.Function], folder: Path) -> Mapping[str, BaseException | None]:
    """Run these tests at the same time, each in a folder of its own. Return how each ended, by the item's id."""
    free = asyncio.Semaphore(AS_MANY)

    async def play(item: pytest.Function, folder: Path) -> None:
        scene = item.function.scene  # type: ignore[attr-defined]
        wanted = inspect.signature(scene).parameters
        async with free, discord_to_check() as discord:
            place = (discord, starting(discord, folder, aloud=False), reading(folder), folder)
            given = dict(zip(PLACE, place, strict=True)) | (item.callspec.params if hasattr(item, "callspec") else {})
            await scene(**{name: given[name] for name in wanted})

    folders = [folder / str(number) for number in range(len(items))]
    for each in folders:
        each.mkdir()
    ends = await asyncio.gather(*map(play, items, folders), return_exceptions=True)
    return {item.nodeid: end for item, end in zip(items, ends, strict=True)}
