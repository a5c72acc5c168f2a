"""Tests of a table that moves to another channel: messages follow once, and the old channel gets
nothing new.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from bot.delivery import reconciler
from bot.delivery.desired import Desired, GameNotice
from bot.ledger import LedgerError
from tests.delivery.briefings import BOB, CHANNEL
from tests.delivery.display import Display
from tests.delivery.near import BOBS, SERVER
from tests.delivery.steps import CARD, LATER, OTHER, board, news, personal, public, whats

NEW = 501


def notice(number: int) -> Desired:
    return replace(public(), subject=GameNotice(number), entry=number)


@pytest.fixture
def moves(display: Display) -> Display:
    """A display whose table moves to the new channel, once a test asks for that."""
    display.discord.world.add_channel(str(SERVER), str(NEW))
    return display


async def test_everything_current_is_anew_in_the_new_channel_and_gone_from_the_old(
    moves: Display,
) -> None:
    steps = (board(), public(), notice(1), personal(), news())
    await moves.shows(*steps)
    dms = moves.seen(BOBS)
    moves.service.channel = NEW
    await moves.shows(*steps[:-1])
    assert moves.seen(NEW) == ["one"] * 3
    assert moves.seen(CHANNEL) == ["news"]
    assert moves.seen(BOBS) == dms
    assert await moves.shows(*steps[:-1]) == []
    assert await moves.restart(*steps[:-1]) == []
    assert whats(await moves.shows(board(OTHER), public())) == ["edit"]


async def test_it_moves_back_and_nonces_of_the_first_time_are_not_met(moves: Display) -> None:
    for channel in (CHANNEL, NEW, CHANNEL):
        moves.service.channel = channel
        await moves.shows(board())
    assert moves.seen(CHANNEL) == ["one"]
    assert moves.seen(NEW) == []


async def test_a_ping_in_the_old_channel_never_shows_what_is_private(moves: Display) -> None:
    moves.closes_dms()
    await moves.shows(board(), personal())
    ping = "<@12> <@12>, I can't reach you by DM, so your message is here. overheard"
    assert ping in moves.seen(CHANNEL)
    moves.service.channel = NEW
    await moves.shows(board(), personal(OTHER))
    await moves.later()
    assert moves.seen(CHANNEL) == []
    anew, ping = moves.seen(NEW)
    assert anew == "one"
    assert ping.endswith("overheard")
    moves.service.channel = CHANNEL
    moves.discord.works()
    await moves.shows(board(), personal(OTHER, wanted=False))
    assert moves.seen(NEW) == []


async def test_what_the_deleted_channel_is_owed_comes_in_the_new_one(moves: Display) -> None:
    await moves.shows(board(), public())
    moves.discord.fails("send", CHANNEL, 503, times=2)
    await moves.shows(board(), public(), news(2))
    assert moves.pauses
    moves.discord.world.remove_channel(str(CHANNEL))
    moves.service.channel = NEW
    requests = await moves.shows(board(), public())
    assert sorted(moves.seen(NEW)) == ["news", "one", "one"]
    assert sum(each.channel == CHANNEL for each in requests) == 1  # the next ones are spared
    assert (moves.pauses, moves.works) == ([], {})


@pytest.mark.parametrize("crashed", [False, True])
async def test_what_may_have_arrived_in_the_old_channel_is_deleted_there(
    moves: Display, crashed: bool
) -> None:
    await moves.shows(board())
    moves.discord.fails("send", CHANNEL, 503, times=math.inf, done=True)
    steps = board(), notice(2)
    await moves.shows(*steps)
    assert moves.pauses
    moves.service.channel = NEW
    await (moves.restart(*steps) if crashed else moves.shows(*steps))
    await moves.later()
    assert moves.seen(CHANNEL) == []
    assert moves.seen(NEW) == ["one"] * 2


async def test_a_request_that_hangs_in_the_old_channel_is_not_waited_for(
    moves: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconciler, "MOVES_WITHIN", 0.01)
    await moves.shows(board())
    hangs = await moves.hangs("edit", CHANNEL, board(OTHER))
    moves.service.channel = NEW
    await moves.shows(board(OTHER), public())
    assert moves.seen(NEW) == ["one", "two"] or moves.seen(NEW) == [
        "two",
        "one",
    ]
    hangs.released.set()
    assert moves.works == {}


async def test_an_edit_that_takes_effect_after_the_move_is_undone(
    moves: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconciler, "MOVES_WITHIN", 0.01)
    await moves.shows(board(), public())
    hangs = await moves.hangs("edit", CHANNEL, board(), public(OTHER))
    moves.service.channel = NEW
    await moves.shows(board(), public(OTHER))
    hangs.released.set()
    await hangs.answered.wait()
    await moves.later()
    assert moves.seen(CHANNEL) == []


async def test_a_dm_that_is_refused_during_the_move_is_no_ping_in_the_old_channel(
    moves: Display,
) -> None:
    await moves.shows(board())
    hangs = moves.discord.hangs("dm", BOB)
    moves.closes_dms()
    moves.begins(board(), personal())
    await moves.until(hangs.arrived.is_set)
    moves.service.channel = NEW
    moves.begins(board(), personal())
    await moves.until(lambda: all(each.moving for each in moves.works.values()))
    hangs.released.set()
    await moves.idle()
    await moves.later()
    assert moves.seen(CHANNEL) == []
    assert sum("I can't reach you by DM" in text for text in moves.seen(NEW)) == 1


async def test_what_only_waits_is_not_looked_for_before_the_move(moves: Display) -> None:
    await moves.shows(board())
    moves.discord.refuses("send", CHANNEL, 429)
    notices = [notice(number) for number in range(2, 8)]
    await moves.shows(board(), *notices)
    moves.service.channel = NEW
    requests = await moves.shows(board(), *notices)
    assert "history" not in whats(requests)
    assert moves.seen(NEW) == ["one"] * 7


async def test_a_crash_after_the_move_leaves_nothing_out_and_doubles_nothing(
    moves: Display,
) -> None:
    await moves.shows(board(), public())
    moves.service.channel = NEW
    await moves.restart(board(), replace(public(), card=OTHER))  # it moved, and nothing was planned
    await moves.shows(board(), public(OTHER))
    gate = moves.discord.hangs("send", NEW, done=True)
    moves.service.channel = CHANNEL
    await moves.shows(board(), public(OTHER))
    moves.service.channel = NEW
    moves.begins(board(), public(OTHER))
    await moves.until(gate.arrived.is_set)
    await moves.restart()
    await moves.later()
    assert sorted(moves.seen(NEW)) == ["one", "two"]


async def test_nor_does_a_crash_during_the_move(moves: Display) -> None:
    steps = (board(), public())
    await moves.shows(*steps)
    moves.service.channel = NEW
    sending = await moves.hangs("send", NEW, *steps, done=True)
    await moves.crash()
    sending.released.set()
    await moves.restart(*steps, after=LATER)
    assert moves.seen(NEW) == ["one", "one"]
    assert moves.seen(CHANNEL) == []


async def test_that_the_channel_was_deleted_is_found_out_once(moves: Display) -> None:
    await moves.shows(board())
    moves.discord.world.remove_channel(str(CHANNEL))
    assert not moves.briefing.gone
    await moves.shows(board(OTHER))
    assert moves.briefing.gone
    assert moves.store.deleted == {CHANNEL}
    await moves.restart(board(CARD))
    await moves.shows(board(CARD))
    assert moves.briefing.gone
    moves.service.channel = NEW
    await moves.shows(board(CARD))
    assert not moves.briefing.gone


async def test_that_the_channel_was_deleted_is_told_also_where_it_can_t_be_stored(
    moves: Display,
) -> None:
    async def broken(channel_id: int) -> None:
        raise LedgerError("The ledger could not be written: disk full.")

    moves.store.set_gone = broken  # type: ignore[method-assign]
    await moves.shows(board())
    moves.discord.world.remove_channel(str(CHANNEL))
    await moves.shows(board(OTHER))
    assert moves.briefing.gone
