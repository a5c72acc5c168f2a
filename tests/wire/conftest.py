"""A Discord and a bot for each test; what the bot asked of Discord is held against the contract at the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from tests.loopback.loopback import Loopback
from tests.wire import scenes
from tests.wire.scenes import Ledger, Online

__all__ = ("Ledger", "Online")


@pytest.fixture
async def discord() -> AsyncIterator[Loopback]:
    """A Discord of its own; the test fails when the bot sent what Discord would refuse."""
    async with scenes.discord_to_check() as discord:
        yield discord


@pytest.fixture
def online(discord: Loopback, tmp_path: Path) -> Online:
    """`async with online() as bot` starts the bot, always on the same database, and kills it at the end.

    A traceback in its log fails the test.
    """
    return scenes.starting(discord, tmp_path)


@pytest.fixture
def recorded(tmp_path: Path) -> Ledger:
    """The kinds of entries in the ledger, oldest first; of one kind only, if one is named."""
    return scenes.reading(tmp_path)


@pytest.fixture(scope="module")
def ends(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, BaseException | None]:
    """How the tests of this module ended that are played at the same time (`scenes.at_once`)."""
    together = [
        item
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.path == request.path and hasattr(item.function, "scene")
    ]
    return asyncio.run(scenes.played(together, tmp_path_factory.mktemp("scenes")))
