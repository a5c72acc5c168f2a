"""Tests of /audit on Discord: crashes are reported once, files fit their reader, tampering
shows.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.rules.features.tables import CloseTable
from tests.cogs.evening import Evening, text_of
from tests.ledger.samples import by_hand


async def test_the_head_is_posted_once_though_the_bot_was_killed_in_between(
    playing: Evening,
) -> None:
    outcome = await playing.behind_the_scenes("alice", CloseTable())
    head = outcome.entries[-1].hash[:20]
    assert not any(head in text for text in playing.channel())
    for _ in range(2):
        await playing.restart()
        await playing.env.settle()
        playing.stage.look()
        assert sum(head in text for text in playing.channel()) == 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            "UPDATE entries SET public = replace(public, 'hacan', 'xxcha') WHERE seq = 2",
            "the hash does not fit",
        ),
        ("UPDATE entries SET public = '{}' WHERE seq = 2", "its kind and version are not"),
    ],
)
async def test_what_was_changed_by_hand_is_named(
    playing: Evening, tmp_path: Path, change: str, reason: str
) -> None:
    playing.stage.moderate("mona")
    by_hand(tmp_path / "bourse.db", change)
    await playing.restart()
    reply = await playing.types("mona", "audit verify")
    assert f"The chain does not hold. Entry 2: {reason}" in reply.messages[0].text


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entries SET public = replace(public, 'hacan', 'xxcha') WHERE seq = 2",
        "UPDATE entries SET seal = NULL",
        "UPDATE people SET name = 'x' WHERE person = 2",
    ],
)
async def test_a_table_that_was_changed_by_hand_says_so(
    playing: Evening, tmp_path: Path, change: str
) -> None:
    before = (await playing.table()).seq
    by_hand(tmp_path / "bourse.db", change)
    await playing.restart()
    for _ in range(2):
        reply = await playing.types("alice", "offer post", give="1 tg", want="1 tg")
        assert text_of(reply).startswith(
            "The record of table 1 was changed outside the bot, so I write nothing more to it. "
            "Please tell the bot's"
        )
    assert (await playing.bot.ledger.entries.stored_head(1)).seq == before


async def test_no_message_is_edited_where_somebody_put_it_by_hand(
    playing: Evening, tmp_path: Path
) -> None:
    await playing.types("alice", "offer post", give="1 tg", want="1 tg")
    await playing.env.settle()
    await playing.bot.ledger.messages.flush()
    by_hand(tmp_path / "bourse.db", "UPDATE messages SET channel_id = 4242, message_id = 4243")
    await playing.restart()
    await playing.types("alice", "offer post", give="2 tg", want="1 tg")
    await playing.env.settle()
    assert not playing.requests(path="/channels/4242")
    reply = await playing.types("alice", "offer post", give="3 tg", want="1 tg")
    assert "was changed outside the bot" in text_of(reply)
