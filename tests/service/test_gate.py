"""The gate: a moderator is one at the tables of their own server only, and what is not theirs is refused."""

from __future__ import annotations

import inspect
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.rules.audits.commands import Audit
from bot.rules.commands import Command
from bot.rules.games.ti4.commands import GrantPermit, JoinNeighbors, SetOrder
from bot.rules.holdings.commands import SetHoldings
from bot.rules.model.violation import Refused
from bot.rules.offers.commands import EndOffer
from bot.rules.seats.commands import Leave, Sit
from bot.rules.tables.commands import ChangeSettings, CloseTable, SetHost, SetPhase
from bot.service import Filter, MessageStore, Requester, Service
from tests.ledger.samples import by_hand
from tests.service.club import ACCEPT, ALICE, BOB, GUILD, MONA, TABLE, Club, moderator, requester, tg

Look = Callable[[Service, Requester], Awaitable[object]]

OTHERS = {
    "a passer-by": requester(MONA),
    "a player": requester(BOB),
    "another server's moderator": moderator(guild=2),
    "a moderator of no server, as in a DM": moderator(guild=None),
    "a player who moderates another server": moderator(BOB, guild=2),
    "someone who only names the server": Requester(MONA, "mona", GUILD, manages_guild=False),
}
"""People who neither host the table nor moderate its server."""

others = pytest.mark.parametrize("who", OTHERS.values(), ids=OTHERS.keys())


AUDITS: dict[str, Look] = {
    "open hands": lambda service, who: service.view(TABLE, who, audits=True),
    "ledger": lambda service, who: service.history(
        TABLE, who, filter=Filter(), until_seq=5, page=1, size=5, audits=True
    ),
    "the view of an audit": lambda service, who: service.audited_view(TABLE, who),
    "player's books": lambda service, who: service.entries(TABLE, who, audits=True),
    "trade": lambda service, who: service.trade_history(TABLE, who, 1, until_seq=99),
    "export": lambda service, who: service.export_source(TABLE, who, until_seq=9),
    "verify": lambda service, who: service.verify(TABLE, who),
}

FOR_HOSTS: list[Command] = [
    *(Audit(what, about=1) for what in ("ledger", "trade", "player", "verify", "export")),
    CloseTable(),
    SetHost(3),
    ChangeSettings({"rulings": "warn"}),
    SetPhase("strategy"),
    SetHoldings("hacan", tg(9)),
    Sit("letnev", person=1),
    Leave("hacan"),
    SetOrder(("sol", "hacan")),
    GrantPermit("hacan", "sol", lifts="neighbors", reason="a card"),
]


def rows(file: Path) -> str:
    """Everything in the database."""
    connection = sqlite3.connect(file)
    try:
        return "\n".join(connection.iterdump())
    finally:
        connection.close()


@pytest.fixture
async def traded(club: Club) -> Club:
    """The table after its first transaction."""
    await club.does(BOB, ACCEPT)
    return club


@others
@pytest.mark.parametrize("look", AUDITS.values(), ids=AUDITS.keys())
async def test_audits_are_refused_to_others(traded: Club, file: Path, who: Requester, look: Look) -> None:
    before = rows(file)
    with pytest.raises(Refused):
        await look(traded.service, who)
    assert rows(file) == before


@others
async def test_what_only_hosts_may_do_is_refused_to_others(traded: Club, file: Path, who: Requester) -> None:
    before = rows(file)
    for command in FOR_HOSTS:
        with pytest.raises(Refused):
            await traded.service.execute(TABLE, who, command)
    assert rows(file) == before


@others
async def test_removing_is_refused_to_others(traded: Club, file: Path, who: Requester) -> None:
    await traded.does(ALICE, CloseTable())
    before = rows(file)
    with pytest.raises(Refused, match="Only the host"):
        await traded.service.removable(TABLE, who)
    with pytest.raises(Refused, match="Only the host"):
        await traded.service.remove(TABLE, who)
    assert rows(file) == before


async def test_a_moderator_of_the_tables_server_may_all_of_it(traded: Club) -> None:
    for look in AUDITS.values():
        await look(traded.service, moderator())
    for command in FOR_HOSTS:
        if not isinstance(command, CloseTable | SetHost | Sit | Leave):
            await traded.service.execute(TABLE, moderator(), command)
    await traded.service.execute(TABLE, moderator(), Leave("hacan"))
    await traded.service.execute(TABLE, moderator(), CloseTable())
    assert (await traded.service.removable(TABLE, moderator())).hosts
    assert (await traded.service.remove(TABLE, moderator())).table_id == TABLE
    with pytest.raises(Refused, match="no such table"):
        await traded.service.view(TABLE, requester(ALICE))


async def test_an_open_table_is_not_removed(club: Club) -> None:
    for who in (requester(ALICE), moderator()):
        with pytest.raises(Refused, match="still open"):
            await club.service.remove(TABLE, who)


async def test_a_table_without_a_server_has_no_moderators(empty: Club) -> None:
    """No server is not the same server."""
    opened = await empty.service.open_table(
        Requester(ALICE, "alice", None), game="ti4", name="DM", channel_id=1, open_on_close="yes"
    )
    for guild in (None, 1):
        with pytest.raises(Refused):
            await empty.service.verify(opened.table_id, moderator(guild=guild))


async def test_a_host_who_plays_sees_no_hands(traded: Club) -> None:
    """They audit as a player; only one who never sat sees what others hold."""
    with pytest.raises(Refused, match="secret"):
        await traded.service.view(TABLE, requester(ALICE), audits=True)
    source = await traded.service.export_source(TABLE, requester(ALICE), until_seq=await traded.seq())
    assert not source.sees_all
    assert source.view.seats["sol"].hidden is None
    view = await traded.service.view(TABLE, moderator(), audits=True)
    assert view.seats["sol"].hidden is not None


async def test_a_moderator_sees_no_more_than_others_unless_they_audit(club: Club) -> None:
    """Rights are used on purpose: /audit says in public that somebody looked."""
    theirs = await club.service.view(TABLE, moderator())
    everybody = await club.service.view(TABLE, requester(MONA))
    assert replace(theirs, hosts=False) == everybody
    assert await club.service.entries(TABLE, moderator()) == await club.service.entries(TABLE, requester(MONA))
    assert await club.service.deals(TABLE, moderator()) == []


async def test_another_servers_moderator_is_a_passer_by(club: Club) -> None:
    for who in (moderator(guild=2), moderator(guild=None)):
        assert await club.service.view(TABLE, who) == await club.service.view(TABLE, requester(MONA))
        assert await club.service.pairs(TABLE, who) == await club.service.pairs(TABLE, requester(MONA))


async def test_a_forged_server_makes_no_host_of_a_player(club: Club) -> None:
    """What counts is the server that the ledger has for the table, not one that comes with the request."""
    with pytest.raises(Refused, match="is not yours to withdraw"):
        await club.service.execute(TABLE, moderator(BOB, guild=2), EndOffer(1, how="withdraw"))
    with pytest.raises(Refused):
        await club.service.execute(TABLE, moderator(BOB, guild=2), JoinNeighbors("hacan", "hacan"))


async def test_a_ledger_that_cant_be_read_is_verified_for_moderators_only(club: Club, file: Path) -> None:
    """Its host is unknown then: who hosts is in the entries."""
    by_hand(file, "UPDATE entries SET public = '{}' WHERE seq = 2")
    fresh = Service(club.ledger, club.clock)
    found = await fresh.verify(TABLE, moderator())
    assert found.bad is not None
    assert found.bad.seq == 2
    for who in (requester(ALICE), *OTHERS.values()):
        with pytest.raises(Refused, match="can't be read"):
            await fresh.verify(TABLE, who)


def test_delivery_gets_no_entries() -> None:
    """What delivery may write to is its own memory: there is no way from it to a table's entries."""
    public = {name for name in vars(MessageStore) if not name.startswith("_")}
    assert public == {"messages", "save", "cursor", "dm_channel", "set_dm_channel"}


WITHOUT_REQUESTER = {
    *("briefing", "tick", "deadline", "deadlines", "undelivered", "seq"),  # delivery and the clock
    *("subscribe", "heads", "refresh"),  # who must know of changes, and other processes
    *("table", "table_at", "last_table_at"),  # where a table is played
    *("tables_of", "dm_choice", "choose_for_dm", "known_at", "forget_person"),  # of a user, who is named
}
"""What the service does for nobody in particular."""


def test_all_else_that_the_service_does_is_for_a_requester_whom_the_gate_knows() -> None:
    methods = {name: each for name, each in vars(Service).items() if inspect.isfunction(each) and name[0] != "_"}
    without = {name for name, each in methods.items() if "requester" not in inspect.signature(each).parameters}
    assert without == WITHOUT_REQUESTER
