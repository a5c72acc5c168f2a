"""Tests that a message of no table comes, however long Discord takes none."""

from __future__ import annotations

import pytest

from bot.delivery import delivery
from tests.cogs.evening import Evening


@pytest.fixture
def down(playing: Evening, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Discord takes the second announcement only."""
    monkeypatch.setattr(delivery, "ANNOUNCE_LATER", 0.0)
    announce, attempts = playing.bot.delivery.announce, list[int]()

    async def announced(channel_id: int, *about: object) -> str:
        attempts.append(channel_id)
        return "not now" if len(attempts) == 1 else await announce(channel_id, *about)  # type: ignore[arg-type]

    monkeypatch.setattr(playing.bot.delivery, "announce", announced)
    return attempts


async def test_everybody_learns_that_a_table_was_removed(playing: Evening, down: list[int]) -> None:
    await playing.types("alice", "table close", sure="yes")
    await playing.stage.wait(600)
    await playing.types("alice", "privacy")
    await playing.press("alice", "Remove this table")
    await playing.press("alice", "Yes, remove it")
    await playing.until(lambda: any("removed the closed" in text for text in playing.channel()))
    assert len(down) == 2


async def test_a_negotiation_says_who_else_reads_it(
    playing: Evening, down: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    carol = playing.stage.person("carol").id
    monkeypatch.setattr(playing.bot.service.members, "readers", lambda guild_id: [carol])
    await playing.types("alice", "negotiate open", **{"with": "@bob"})
    await playing.until(lambda: len(down) == 2)
    thread = down[1]
    await playing.until(
        lambda: "can read this thread too" in str(playing.env.backend.messages[thread])
    )
