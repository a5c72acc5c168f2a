"""Tests that callers, memory and listeners learn each command's outcome, although commits fail and
callers leave.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

import pytest

from bot.ledger import LedgerError, NotWritten, OutcomeUnknown, Unread
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.tables import CloseTable
from bot.service import TableChange
from tests.ledger.failing import Moment, failing_commits, slow_commits
from tests.service.club import ACCEPT, ALICE, BOB, CAROL, GAIN, TABLE, Club, requester, tg

MOMENTS = pytest.mark.parametrize("moment", ["before", "after"])
MINUTE = 60_000


async def fails(*_: object, **__: object) -> None:
    raise LedgerError("The disk is gone.")


async def doubtful(*_: object, **__: object) -> None:
    raise OutcomeUnknown("The line was cut.")


async def consistent(club: Club, told: list[TableChange]) -> None:
    """Memory and listeners know what the ledger has."""
    assert club.records.seq(TABLE) == await club.seq() == told[-1].seq
    assert await club.remembered() == await club.table()


@pytest.fixture
def told(club: Club) -> list[TableChange]:
    """What the service's listeners were told."""
    changes: list[TableChange] = []
    club.service.subscribe(changes.append)
    return changes


# ---------------------------------------------------------------- commits that fail


@MOMENTS
@pytest.mark.parametrize("interaction", [None, 1001])
async def test_a_trade_whose_commit_fails_is_made_once(
    club: Club, told: list[TableChange], moment: Moment, interaction: int | None
) -> None:
    with failing_commits(club.ledger, moment) as failed:
        outcome = await club.does(BOB, ACCEPT, interaction)
    assert failed == [moment]
    assert outcome.view.transactions == await club.transactions() == 1
    await consistent(club, told)
    if interaction:
        assert (await club.does(BOB, ACCEPT, interaction)).entries == outcome.entries


@MOMENTS
async def test_a_tick_whose_commit_fails_ends_an_offer_once(
    club: Club, told: list[TableChange], moment: Moment
) -> None:
    await club.does(ALICE, PostOffer(to="sol", give=tg(1), lasts=MINUTE))
    club.clock.moves(minutes=2)
    with failing_commits(club.ledger, moment) as failed:
        assert await club.service.tick(TABLE) is None
    assert failed == [moment]
    assert [each.entry.kind for each in await club.entries()].count("offer.expired") == 1
    await consistent(club, told)


async def test_a_doubt_that_can_not_be_settled_is_told_and_looked_into(
    club: Club, told: list[TableChange], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock hears of a deadline that is now, so that it looks at the table again."""
    with monkeypatch.context() as broken:
        broken.setattr(club.ledger.entries, "append", doubtful)
        with pytest.raises(OutcomeUnknown):
            await club.does(BOB, ACCEPT, 1001)
    now = int(club.clock().timestamp() * 1000)
    assert [change.deadline for change in told] == [now]
    await club.does(BOB, ACCEPT, 1001)
    await consistent(club, told)


async def test_a_doubt_about_the_clock_is_none_about_the_command(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.does(ALICE, PostOffer(to="sol", give=tg(1), lasts=MINUTE))
    club.clock.moves(minutes=2)
    monkeypatch.setattr(club.ledger.entries, "append", doubtful)
    with pytest.raises(NotWritten):
        await club.does(BOB, GAIN, 1001)
    with pytest.raises(OutcomeUnknown):
        await club.service.tick(TABLE)


# ---------------------------------------------------------------- reads that fail


async def test_nothing_has_happened_when_the_table_can_not_be_read(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.records.forget(TABLE)
    monkeypatch.setattr(club.ledger.entries, "stored", fails)
    with pytest.raises(NotWritten):
        await club.does(BOB, ACCEPT, 1001)


async def test_a_refusal_is_not_believed_while_the_first_delivery_may_be_the_reason(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.does(BOB, ACCEPT, 1001)
    monkeypatch.setattr(club.ledger.entries, "answered", fails)
    with pytest.raises(OutcomeUnknown):
        await club.does(BOB, ACCEPT, 1001)


async def test_what_is_recorded_but_can_not_be_read_is_not_denied(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.does(BOB, ACCEPT, 1001)
    monkeypatch.setattr(club.ledger.entries, "read", fails)
    with pytest.raises(Unread):
        await club.does(BOB, ACCEPT, 1001)


# ---------------------------------------------------------------- callers who leave


@pytest.mark.parametrize("moved", [False, True], ids=["kept", "read anew"])
async def test_a_command_may_be_cancelled_at_any_time(
    club: Club, told: list[TableChange], moved: bool
) -> None:
    """It takes place or not; in either case memory is right, and whoever has to know is told."""
    done = 0
    for steps in range(40):
        if moved:
            club.records.forget(TABLE)
        before = await club.seq()
        command = asyncio.ensure_future(club.does(BOB, GAIN, 5000 + steps))
        for _ in range(steps):
            await asyncio.sleep(0)
        command.cancel()
        await asyncio.gather(command, return_exceptions=True)
        await club.ledger.set_key_value("a", "b")  # after whatever was being written
        await asyncio.sleep(0)
        if await club.seq() > before:
            done += 1
            await consistent(club, told)
    assert done == (await club.table()).seats["sol"].holdings.count("trade_good") // 2
    await club.does(BOB, GAIN)
    await consistent(club, told)


async def leaves(club: Club, doing: Awaitable[object]) -> None:
    """Do something, and leave while it is being written."""
    with slow_commits(club.ledger) as slow:
        task = asyncio.ensure_future(doing)
        await slow.begun()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        slow.go_on()
        await club.ledger.set_key_value("a", "b")  # after what was being written


async def test_a_command_that_is_written_as_its_caller_leaves_is_told_to_listeners(
    club: Club, told: list[TableChange]
) -> None:
    await leaves(club, club.does(BOB, ACCEPT, 1001))
    assert await club.transactions() == 1
    await consistent(club, told)
    again = await club.does(BOB, ACCEPT, 1001)  # Discord delivers it again
    assert again.view.transactions == await club.transactions() == 1


async def test_the_next_command_after_one_that_left_is_decided_on_what_that_one_did(
    club: Club, told: list[TableChange]
) -> None:
    with slow_commits(club.ledger) as slow:
        first = asyncio.ensure_future(club.does(BOB, GAIN, 1001))
        await slow.begun()
        first.cancel()
        second = asyncio.ensure_future(club.does(BOB, GAIN, 1002))
        await asyncio.gather(first, return_exceptions=True)
        slow.go_on()
        outcome = await second
    assert (await club.table()).seats["sol"].holdings.count("trade_good") == 4
    assert outcome.view.seq == await club.seq()
    await consistent(club, told)


async def test_a_table_that_is_removed_as_its_caller_leaves_is_gone(club: Club) -> None:
    await club.does(ALICE, CloseTable())
    await leaves(club, club.service.remove(TABLE, requester(ALICE)))
    assert club.records.seq(TABLE) == 0
    assert await club.ledger.tables.table(TABLE) is None


async def test_somebody_is_forgotten_as_their_caller_leaves(club: Club) -> None:
    await club.does(ALICE, CloseTable())
    await leaves(club, club.service.forget_person(requester(BOB)))
    assert (await club.sees(CAROL)).person_of_user(BOB) is None
    await club.sees(CAROL)
    await leaves(club, club.service.forget_person(requester(ALICE)))
    assert club.records.seq(TABLE) == 0, "and so is what was kept in memory"
