"""The garbage collector does not stop the program for long, and garbage is collected in the end."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from bot.lifecycle import collect_now_and_then, garbage, seldom_collected


class Ring:
    """Refers to itself, so that only the collector frees it."""

    def __init__(self) -> None:
        self.me = self


def thrown_away() -> asyncio.Event:
    """Return an event that is set when some garbage is collected."""
    collected = asyncio.Event()
    weakref.finalize(Ring(), collected.set)
    return collected


def test_no_full_search_begins_by_itself() -> None:
    before, full = gc.get_threshold(), 0

    def note(phase: str, info: dict[str, int]) -> None:
        nonlocal full
        full += phase == "start" and info["generation"] == 2

    with seldom_collected():
        assert gc.get_freeze_count() > 0
        gc.callbacks.append(note)
        try:
            kept = [[each] for each in range(300_000)]
        finally:
            gc.callbacks.remove(note)
        assert len(kept) == 300_000
        assert full == 0
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)


def test_what_is_new_is_searched() -> None:
    with seldom_collected():
        ring = weakref.ref(Ring())
        kept = [[each] for each in range(garbage.NEW * (garbage.LATELY + 2))]
        assert kept
        assert ring() is None


async def test_everything_is_searched_now_and_then_at_a_quiet_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "FULL_EVERY", 0.0)
    monkeypatch.setattr(garbage, "MOMENT", 0.001)
    quiet = False
    with seldom_collected():
        collecting = asyncio.create_task(collect_now_and_then(lambda: quiet))
        collected = thrown_away()
        for _ in range(5):
            await asyncio.sleep(0.001)
        assert not collected.is_set()
        quiet = True
        await collected.wait()
        collecting.cancel()


async def test_where_it_is_never_quiet_it_is_searched_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "FULL_EVERY", 0.0)
    monkeypatch.setattr(garbage, "MOMENT", 0.0)
    collecting = asyncio.create_task(collect_now_and_then(lambda: False))
    await thrown_away().wait()
    collecting.cancel()
