"""Tests of tables that another process changes: what this one knows, shows and does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from bot.ledger import Ledger, LedgerError, LostRace
from bot.ledger.claims import claimed
from bot.rules.features.holdings import Gain, Spend
from bot.rules.features.tables import CloseTable, Tick
from bot.rules.model.violation import Refused
from bot.service import TableChange
from bot.service.peers import Peers
from bot.service.requests import Shards
from tests.ledger.prepared import DATABASES, emptied
from tests.ledger.samples import executed, new_table
from tests.service.club import ALICE, GUILD, TABLE, Club, requester, tg
from tests.service.conftest import Another
from tests.waiting import until

HERE, THERE = Shards((0,), 2), Shards((1,), 2)  # the club's server is on shard 0


def changes(club: Club) -> list[TableChange]:
    """What the listeners of this service are told from now on."""
    found: list[TableChange] = []
    club.service.subscribe(found.append)
    return found


# ---------------------------------------------------------------- what memory holds


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest, file: Path) -> str:
    """An empty database of either kind."""
    return f"sqlite:///{file}" if request.param == "sqlite" else request.getfixturevalue("server")


@pytest.fixture
def server(postgres: str) -> str:
    """An empty PostgreSQL database."""
    return emptied(postgres)


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


async def opened(url: str, stack: AsyncExitStack) -> Club:
    ledger = await Ledger.open(url)
    stack.push_async_callback(ledger.close)
    return Club(ledger)


@pytest.fixture
async def two(url: str, stack: AsyncExitStack) -> tuple[Club, Club]:
    """Two processes that both have the club's table in memory."""
    clubs = await opened(url, stack), await opened(url, stack)
    await clubs[0].set_up()
    await clubs[1].remembered()
    return clubs


LOOKS: dict[str, Callable[[Club], Awaitable[object]]] = {
    "execute": lambda club: club.does(ALICE, Gain(tg(1))),
    "execute what changes nothing": lambda club: club.does(ALICE, Tick()),
    "view": lambda club: club.sees(ALICE),
    "tick": lambda club: club.service.tick(TABLE),
    "refresh": lambda club: club.service.refresh(TABLE),
    "deadline": lambda club: club.service.deadline(TABLE),
    "remove": lambda club: club.service.remove(TABLE, requester(ALICE)),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS.keys())
async def test_a_table_that_was_removed_elsewhere_is_no_such_table(
    two: tuple[Club, Club], look: Callable[[Club], Awaitable[object]]
) -> None:
    first, second = two
    await first.does(ALICE, CloseTable())
    await first.service.remove(TABLE, requester(ALICE))
    for _ in range(2):
        with pytest.raises(Refused, match=r"There is no such table\."):
            await look(second)
    assert await second.service.briefing(TABLE, 0) is None
    assert second.records.known(TABLE) is None


async def test_a_table_that_was_closed_elsewhere_refuses(two: tuple[Club, Club]) -> None:
    first, second = two
    await first.does(ALICE, CloseTable())
    with pytest.raises(Refused, match="closed"):
        await second.does(ALICE, Gain(tg(1)))


async def test_a_command_of_which_nothing_comes_is_decided_on_the_latest_table(
    two: tuple[Club, Club],
) -> None:
    first, second = two
    await first.does(ALICE, Spend(tg(2)))
    outcome = await second.does(ALICE, Tick())
    assert outcome.entries == ()
    assert outcome.view.seats["hacan"].open["trade_good"] == 3


async def test_listeners_hear_of_a_refreshed_table_as_of_a_change(two: tuple[Club, Club]) -> None:
    first, second = two
    found = changes(second)
    await first.does(ALICE, Gain(tg(1)))
    assert found == []
    await second.service.refresh(TABLE)
    assert found == [TableChange(TABLE, GUILD, await first.seq(), None)]


async def test_heads(two: tuple[Club, Club]) -> None:
    first, second = two
    head = (TABLE, GUILD, await first.seq())
    assert await second.service.heads(Shards()) == [head]
    await first.does(ALICE, CloseTable())
    assert await second.service.heads(Shards()) == []


async def test_heads_of_some_shards_are_those_of_their_servers(two: tuple[Club, Club]) -> None:
    first, second = two
    await first.does(ALICE, CloseTable())
    a_shard = 2**22
    servers = [None, 1, a_shard, 3 * a_shard - 1, 2**62 + 7 * a_shard, 1_234_567_890_123_456_789]
    for channel, server in enumerate(servers, 1):
        await new_table(first.ledger, channel=channel, guild=server)
    for count in (1, 2, 5):
        for ids in combinations(range(count), (count + 1) // 2):
            shards = Shards(ids, count)
            found = [server for _, server, _ in await second.service.heads(shards)]
            assert found == [server for server in servers if shards.owns(server)]


# ---------------------------------------------------------------- who is woken


class Wire:
    """The claim of a process, whose notices a test carries to the other one."""

    def __init__(self) -> None:
        self.lost = asyncio.Event()
        self.sent: list[str] = []
        self.broken = False
        self.listeners: list[Callable[[str | None], None]] = []

    def listen(self, listener: Callable[[str | None], None]) -> None:
        self.listeners.append(listener)

    def hear(self, notice: str | None) -> None:
        for listener in self.listeners:
            listener(notice)

    async def notify(self, notices: Sequence[str]) -> None:
        if self.broken:
            raise LedgerError("The database does not answer.")
        self.sent += notices


@pytest.fixture
async def pair(another: Another) -> tuple[Club, Club]:
    """Two processes; their Discord servers and shards are what a test says they are."""
    clubs = await another(), await another()
    await clubs[0].set_up()
    return clubs


async def elsewhere(club: Club, shards: Shards, stack: AsyncExitStack) -> Wire:
    """Start a process with these shards, and return its claim."""
    wire = Wire()
    made = Peers(club.service, shards, wire)
    await made.start()
    stack.push_async_callback(made.close)
    return wire


async def test_a_change_to_anothers_table_wakes_its_owner(
    pair: tuple[Club, Club], stack: AsyncExitStack
) -> None:
    owner, other = pair
    theirs = await elsewhere(other, THERE, stack)
    mine = await elsewhere(owner, HERE, stack)
    found = changes(owner)
    await other.does(ALICE, Gain(tg(1)))
    await until(lambda: theirs.sent)
    assert found == []
    for notice in theirs.sent:
        mine.hear(notice)
    await until(lambda: found)
    assert [change.seq for change in found] == [await other.seq()]


async def test_a_change_to_ones_own_table_wakes_nobody(
    pair: tuple[Club, Club], stack: AsyncExitStack
) -> None:
    owner, other = pair
    mine = await elsewhere(owner, HERE, stack)
    theirs = await elsewhere(other, THERE, stack)
    await owner.does(ALICE, Gain(tg(1)))
    await other.does(ALICE, Gain(tg(1)))
    await until(lambda: theirs.sent)
    assert (mine.sent, len(theirs.sent)) == ([], 1)


async def test_a_notice_of_anothers_table_is_no_concern(
    pair: tuple[Club, Club], stack: AsyncExitStack
) -> None:
    owner, other = pair
    await elsewhere(owner, HERE, stack)
    theirs = await elsewhere(other, THERE, stack)
    await other.does(ALICE, Gain(tg(1)))
    await until(lambda: theirs.sent)
    found = changes(other)
    theirs.hear(theirs.sent[0])
    await asyncio.sleep(0.1)
    assert found == []


@pytest.mark.parametrize(
    ("shards", "lost"),
    [(THERE, 0), (HERE, 1)],
)
async def test_a_table_of_others_is_asked_for_before_it_is_changed(
    two: tuple[Club, Club], monkeypatch: pytest.MonkeyPatch, shards: Shards, lost: int
) -> None:
    """Its owner changes it all the time, so that what is in memory would nearly always lose the
    race.
    """
    owner, other = two
    other.service = other.started(shards)
    await other.remembered()
    races: list[object] = []
    append = other.ledger.entries.append

    async def appended(*args: Any, **kwargs: Any) -> Any:
        try:
            return await append(*args, **kwargs)
        except LostRace as race:
            races.append(race)
            raise

    monkeypatch.setattr(other.ledger.entries, "append", appended)
    await owner.does(ALICE, Gain(tg(1)))
    with executed(other.ledger) as statements:
        await other.does(ALICE, Gain(tg(1)))
    assert len(races) == lost
    # the head, the five of which a table is read, and the entries: so docs/scaling.md reckons
    assert len(statements) == (8 if lost else 7)
    with executed(owner.ledger) as statements:
        await owner.service.refresh(TABLE)
    assert len(statements) == 6


async def test_many_changes_at_once_are_few_notices(
    pair: tuple[Club, Club], stack: AsyncExitStack
) -> None:
    _, other = pair
    theirs = await elsewhere(other, THERE, stack)
    theirs.broken = True
    for _ in range(5):
        await other.does(ALICE, Gain(tg(1)))
    theirs.broken = False
    await until(lambda: theirs.sent)
    assert len(theirs.sent) == 1


async def test_what_a_lost_notice_was_about_is_found(
    pair: tuple[Club, Club], stack: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, other = pair
    monkeypatch.setattr("bot.service.peers.LOOK_EVERY", 0.1)
    await elsewhere(owner, HERE, stack)
    news = changes(owner)
    await other.does(ALICE, Gain(tg(1)))
    await until(lambda: news)
    assert news[0].seq == await other.seq()


async def test_a_process_that_may_have_missed_notices_hears_of_each_change_once(
    pair: tuple[Club, Club], stack: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A closed table is told of once more, as any change is, and then no more."""
    owner, other = pair
    monkeypatch.setattr("bot.service.peers.LOOK_EVERY", 600.0)
    mine = await elsewhere(owner, HERE, stack)
    news = changes(owner)

    async def missed(count: int) -> TableChange:
        mine.hear(None)
        await until(lambda: len(news) >= count)
        return news[-1]

    await other.does(ALICE, Gain(tg(1)))
    assert (await missed(1)).seq == await other.seq()
    await other.does(ALICE, CloseTable())
    assert (await missed(2)).seq == await other.seq()
    # each look has ended when the next finds something: so what is not told now never is
    second = await other.opens(channel=77)
    await missed(3)
    third = await other.opens(channel=78)
    await missed(4)
    tables = [change.table_id for change in news]
    assert tables == [TABLE, TABLE, second.table_id, third.table_id]


async def test_a_table_that_can_not_be_read_is_tried_again(
    pair: tuple[Club, Club], stack: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, other = pair
    tried: list[int] = []

    async def fails_first(table_id: int) -> None:
        tried.append(table_id)
        if len(tried) == 1:
            raise LedgerError("The database does not answer.")

    monkeypatch.setattr("bot.service.peers.LOOK_EVERY", 0.1)
    monkeypatch.setattr(owner.service, "refresh", fails_first)
    await elsewhere(owner, HERE, stack)
    await other.does(ALICE, Gain(tg(1)))
    await until(lambda: len(tried) > 1)
    assert set(tried) == {TABLE}


async def test_nonsense_is_ignored(pair: tuple[Club, Club], stack: AsyncExitStack) -> None:
    mine = await elsewhere(pair[0], HERE, stack)
    found = changes(pair[0])
    for notice in ("", "x", "1", "1 x", "9" * 40 + " 1"):
        mine.hear(notice)
    mine.hear(f"{TABLE} {GUILD}")
    await until(lambda: found)
    assert len(found) == 1


async def test_who_owns_every_server_does_nothing(
    pair: tuple[Club, Club], stack: AsyncExitStack
) -> None:
    owner, _ = pair
    mine = await elsewhere(owner, Shards(), stack)
    await owner.does(ALICE, Gain(tg(1)))
    assert mine.sent == []
    assert mine.listeners == []


@pytest.mark.postgres
async def test_from_one_process_to_another_through_postgresql(
    server: str, stack: AsyncExitStack
) -> None:
    clubs = await opened(server, stack), await opened(server, stack)
    owner, other = clubs
    await owner.set_up()
    for club, shards in zip(clubs, (HERE, THERE), strict=True):
        claim = await stack.enter_async_context(
            claimed(server, shards.ids, shards.count, pytest.fail)
        )
        made = Peers(club.service, shards, claim)
        await made.start()
        stack.push_async_callback(made.close)
    found = changes(owner)
    for _ in range(20):
        await other.does(ALICE, Gain(tg(1)))
    last = await other.seq()
    await until(lambda: found and found[-1].seq == last)
