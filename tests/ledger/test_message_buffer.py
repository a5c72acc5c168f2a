"""Tests of buffered message states: written with the next commit or after a moment, and never over
newer ones.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.ledger import Ledger, Message
from bot.ledger.messages import MANY, MessageBuffer
from tests.ledger.samples import new_table
from tests.tools.bench.counting import counting

CARD = Message("offer:1", 1, 2, "a", "editing")
SHOWN, OTHER = replace(CARD, fate="shown"), replace(CARD, subject="board", shown="b")


@pytest.fixture
async def ledger(tmp_path: Path) -> AsyncIterator[Ledger]:
    opened = await Ledger.open(f"sqlite:///{tmp_path / 'bourse.db'}")
    await new_table(opened, channel=1)
    await opened.messages.save(1, [CARD])
    yield opened
    await opened.close()


async def test_it_goes_with_what_is_saved_next_in_one_transaction(ledger: Ledger) -> None:
    with counting() as counts:
        ledger.messages.buffer(1, [SHOWN], forgotten=["news"])
        assert counts.statements == 0
        await ledger.messages.save(1, [OTHER], cursor=3)
    assert counts.commits == 1
    assert counts.statements == 4  # BEGIN, what is forgotten, what is stored, the cursor
    assert await ledger.messages.of_table(1) == [OTHER, SHOWN]


async def test_it_is_written_by_itself_after_a_moment(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger.messages, "_flush_interval", 0.01)
    with counting() as counts:
        ledger.messages.buffer(1, [SHOWN])
        await asyncio.sleep(0.02)
        await asyncio.gather(*ledger.messages._tasks.running)
    assert counts.commits == 1


async def test_many_are_written_at_once(ledger: Ledger) -> None:
    with counting() as counts:
        ledger.messages.buffer(
            1, [replace(CARD, subject=f"offer:{number}") for number in range(1, MANY)]
        )
        await asyncio.sleep(0.01)
        assert counts.commits == 0
        ledger.messages.buffer(1, [OTHER])
        await asyncio.sleep(0.01)
        await asyncio.gather(*ledger.messages._tasks.running)
    assert counts.commits == 1


async def test_whoever_reads_messages_reads_what_was_noted(ledger: Ledger) -> None:
    ledger.messages.buffer(1, [SHOWN])
    assert await ledger.messages.of_table(1) == [SHOWN]
    ledger.messages.buffer(1, [], forgotten=["offer:1"])
    assert await ledger.messages.of_table(1) == []


async def test_what_is_being_written_is_waited_for(ledger: Ledger) -> None:
    ledger.messages.buffer(1, [SHOWN])
    writing = asyncio.create_task(ledger.messages.flush())
    await asyncio.sleep(0)  # it is taken, and not yet written
    assert await ledger.messages.of_table(1) == [SHOWN]
    await writing


async def test_closing_writes_it(tmp_path: Path) -> None:
    first = await Ledger.open(f"sqlite:///{tmp_path / 'bourse.db'}")
    await new_table(first, channel=1)
    first.messages.buffer(1, [SHOWN])
    await first.close()
    again = await Ledger.open(f"sqlite:///{tmp_path / 'bourse.db'}")
    assert await again.messages.of_table(1) == [SHOWN]
    await again.close()


async def test_what_is_dropped_is_not_written(ledger: Ledger) -> None:
    """Another process has the table now and says itself what has become of its messages."""
    ledger.messages.buffer(1, [SHOWN])
    ledger.messages.drop()
    assert await ledger.messages.of_table(1) == [CARD]


async def test_what_is_saved_meanwhile_stays(ledger: Ledger) -> None:
    ledger.messages.buffer(1, [SHOWN])
    await ledger.messages.save(1, [replace(CARD, shown="newer")])
    assert await ledger.messages.of_table(1) == [replace(CARD, shown="newer")]


def test_what_could_not_be_written_is_noted_again_unless_something_newer_is() -> None:
    kept = MessageBuffer()
    a, b, c = (1, "a"), (1, "b"), (1, "c")
    kept.add({a: SHOWN, b: SHOWN, c: None})

    def fail() -> None:
        with kept.drained() as taken:
            assert taken == {a: SHOWN, b: SHOWN, c: None}
            kept.supersede({a: CARD})
            kept.add({b: OTHER})
            raise OSError("disk")

    with pytest.raises(OSError, match="disk"):
        fail()
    with kept.drained() as taken:
        assert taken == {b: OTHER, c: None}
    assert not kept


async def written_in(folder: Path) -> None:
    """Note as many outcomes as are written at once, and wait until they are."""
    opened = await Ledger.open(f"sqlite:///{folder / 'bourse.db'}")
    try:
        await new_table(opened, channel=1)
        opened.messages.buffer(1, [CARD])
        opened.messages.buffer(
            1, [replace(CARD, subject=f"offer:{number}") for number in range(2, MANY + 1)]
        )
        opened.messages.buffer(1, [OTHER])
        await asyncio.sleep(0.01)
        await asyncio.gather(*opened.messages._tasks.running)
    finally:
        await opened.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no uvloop")
def test_many_are_written_at_once_on_the_loop_of_the_program_too(tmp_path: Path) -> None:
    """Its timers are others than asyncio's: one that waits for nothing does not know when."""
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(written_in(tmp_path))
