"""Tests of the gate: moderators act only at tables of their own server, and others are refused."""

from __future__ import annotations

import asyncio
import inspect
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.permits import GrantPermit
from bot.games.ti4.turns import SetOrder
from bot.rules.commands import Caller, Command
from bot.rules.engine import decide
from bot.rules.entries import Entry
from bot.rules.features.audits import Audit
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.offers.signing import EndOffer
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import ChangeSettings, CloseTable, SetHost, SetPhase
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.service import Filter, Requester, Service, gate
from bot.service.gate import Admitted, BotRemoved, Members, MembershipUnknown, random_chance
from bot.service.records import TableRecord, no_such_table
from tests.ledger.samples import by_hand
from tests.service.club import (
    ACCEPT,
    ALICE,
    BOB,
    CHANNEL,
    GAIN,
    GUILD,
    LEDGER,
    MONA,
    TABLE,
    Club,
    moderator,
    requester,
    requester_at,
    tg,
)

Look = Callable[[Club, Requester, int], Awaitable[object]]
"""Looks as somebody, with the number of the entry before the one that records it."""

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


async def _hands(club: Club, who: Requester, until_seq: int) -> object:
    return await club.service.audited_view(TABLE, who, HANDS, until_seq=until_seq)


async def _ledger(club: Club, who: Requester, until_seq: int) -> object:
    return await club.history(who, until_seq=until_seq, audit=LEDGER)


async def _trade(club: Club, who: Requester, until_seq: int) -> object:
    return await club.service.trade_history(TABLE, who, 1, until_seq=until_seq)


async def _books(club: Club, who: Requester, until_seq: int) -> object:
    view = await club.service.audited_view(TABLE, who, PLAYER, until_seq=until_seq)
    return view, await club.service.entries(TABLE, who, until_seq=until_seq, audit=PLAYER)


async def _export(club: Club, who: Requester, until_seq: int) -> object:
    return await club.service.export_source(TABLE, who, until_seq=until_seq)


async def _verify(club: Club, who: Requester, _until_seq: int) -> object:
    return await club.service.verify(TABLE, who)


PLAYER = Audit("player", 2)
HANDS = Audit("holdings", 2)

AUDITS: dict[str, tuple[Audit, Look]] = {
    "open hands": (HANDS, _hands),
    "ledger": (LEDGER, _ledger),
    "player's books": (PLAYER, _books),
    "trade": (Audit("trade", 1), _trade),
    "export": (Audit("export"), _export),
    "verify": (Audit("verify"), _verify),
}
"""What an audit records, and what it then shows."""

FOR_HOSTS: list[Command] = [
    *(
        Audit(what, about=1)
        for what in ("ledger", "trade", "player", "holdings", "verify", "export")
    ),
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


async def test_audits_are_refused_to_others(
    traded: Club, file: Path, subtests: pytest.Subtests
) -> None:
    """Also with the number of a look that somebody else was allowed."""
    for what, (audit, look) in AUDITS.items():
        at = await traded.looks(moderator(), audit)
        before = rows(file)
        for name, who in OTHERS.items():
            with subtests.test(f"{what}: {name}"):
                with pytest.raises(Refused):
                    await traded.looks(who, audit)
                with pytest.raises(Refused):
                    await look(traded, who, at)
                assert rows(file) == before


RECORDED = [name for name in AUDITS if name != "verify"]


@pytest.mark.parametrize(("audit", "look"), [AUDITS[name] for name in RECORDED], ids=RECORDED)
async def test_nothing_is_shown_without_a_record_of_that_very_look(
    traded: Club, audit: Audit, look: Look
) -> None:
    """A moderator who looked at something else, or whose look is another entry, has not looked at
    this.
    """
    every = [each for each, _ in AUDITS.values()]
    records = {await traded.looks(moderator(), each): each for each in every}
    await traded.looks(requester(ALICE), LEDGER)
    beyond = await traded.seq() + 2
    for at in (*range(-1, beyond), 2**63, -(2**63)):
        if records.get(at) == audit:
            await look(traded, moderator(), at)
        else:
            with pytest.raises(Refused, match="no record that you looked"):
                await look(traded, moderator(), at)


@others
async def test_what_only_hosts_may_do_is_refused_to_others(
    traded: Club, file: Path, who: Requester
) -> None:
    before = rows(file)
    for command in FOR_HOSTS:
        with pytest.raises(Refused):
            await traded.service.execute(TABLE, who, command)
    assert rows(file) == before


@others
async def test_removing_is_refused_to_others(traded: Club, file: Path, who: Requester) -> None:
    await traded.does(ALICE, CloseTable())
    before = rows(file)
    with pytest.raises(Refused, match=r"Only the host|no such table"):
        await traded.service.removable(TABLE, who)
    with pytest.raises(Refused, match=r"Only the host|no such table"):
        await traded.service.remove(TABLE, who)
    assert rows(file) == before


async def test_a_moderator_of_the_tables_server_may_all_of_it(traded: Club) -> None:
    for audit, look in AUDITS.values():
        await look(traded, moderator(), await traded.looks(moderator(), audit))
    for command in FOR_HOSTS:
        if not isinstance(command, CloseTable | SetHost | Sit | Leave):
            await traded.service.execute(TABLE, moderator(), command)
    await traded.service.execute(TABLE, moderator(), Leave("hacan"))
    await traded.service.execute(TABLE, moderator(), CloseTable())
    assert (await traded.service.removable(TABLE, moderator())).hosts
    assert (await traded.service.remove(TABLE, moderator())).table_id == TABLE
    with pytest.raises(Refused, match="no such table"):
        await traded.sees(ALICE)


async def test_a_table_without_a_server_has_no_moderators(empty: Club) -> None:
    """No server is not the same server."""
    opened = await empty.service.open_table(
        Requester(ALICE, "alice", None), game="ti4", name="DM", channel_id=1, open_on_close="yes"
    )
    for guild in (None, 1):
        with pytest.raises(Refused):
            await empty.service.verify(opened.table_id, moderator(guild=guild))


async def test_a_ledger_that_cant_be_read_is_verified_for_moderators_only(
    club: Club, file: Path
) -> None:
    """Its host is unknown then: who hosts is in the entries."""
    by_hand(file, "UPDATE entries SET public = '{}' WHERE seq = 2")
    fresh = club.started()
    found = await fresh.verify(TABLE, moderator())
    assert found.bad is not None
    assert found.bad.seq == 2
    for who in (requester(ALICE), *OTHERS.values()):
        with pytest.raises(
            Refused, match="can't be read" if who.guild_id == GUILD else "no such table"
        ):
            await fresh.verify(TABLE, who)


async def test_delivery_gets_no_entries(club: Club) -> None:
    """What delivery may write to is its own memory: there is no way from it to a table's
    entries.
    """
    store = club.service.messages
    assert {name for name in dir(store) if not name.startswith("_")} == {
        "messages",
        "dm_channel",
        "set_dm_channel",
        "muted",
        "forget_muted",
        "greeting",
        "set_greeting",
        "greetings_owed",
        "gone",
        "set_gone",
    }
    assert {name for name in dir(store.messages) if not name.startswith("_")} == {
        "of_table",
        "cursor",
        "undelivered",
        "save",
        "buffer",
        "flush",
        "forget",
        "drop",
        "close",
    }


# ---------------------------------------------------------------- who may come to a table at all

Asks = Callable[[Service, Requester], Awaitable[object]]

EVERYTHING: dict[str, Asks] = {
    "audited_view": lambda service, who: service.audited_view(TABLE, who, HANDS, until_seq=3),
    "an audit's entries": lambda service, who: service.entries(
        TABLE, who, until_seq=3, audit=PLAYER
    ),
    "move_table": lambda service, who: service.move_table(TABLE, who, 5),
    "export_source": lambda service, who: service.export_source(TABLE, who, until_seq=3),
    "verify": lambda service, who: service.verify(TABLE, who),
    "view": lambda service, who: service.view(TABLE, who, offers=[1], deals=[1]),
    "game": lambda service, who: service.game(TABLE, who),
    "require_stamp": lambda service, who: service.require_stamp(TABLE, who, "of a lost entry"),
    "pairs": lambda service, who: service.pairs(TABLE, who),
    "rule_status": lambda service, who: service.rule_status(TABLE, who, "94.1"),
    "last_variant": lambda service, who: service.last_variant(TABLE, who),
    "deals": lambda service, who: service.deals(TABLE, who),
    "transactions": lambda service, who: service.transactions(TABLE, who),
    "entry": lambda service, who: service.entry(TABLE, who, 1),
    "history": lambda service, who: service.history(
        TABLE, who, filter=Filter(), until_seq=5, page=1, size=5
    ),
    "entries": lambda service, who: service.entries(TABLE, who),
    "walk": lambda service, who: anext(service.walk(TABLE, who)),
    "first_since": lambda service, who: service.first_since(TABLE, who, 0),
    "trade_history": lambda service, who: service.trade_history(TABLE, who, 1, until_seq=99),
    "removable": lambda service, who: service.removable(TABLE, who),
    "remove": lambda service, who: service.remove(TABLE, who),
    "choose_for_dm": lambda service, who: service.choose_for_dm(who, TABLE),
    **{
        f"execute {type(command).__name__}": lambda service, who, command=command: service.execute(
            TABLE, who, command
        )
        for command in (
            *FOR_HOSTS,
            ACCEPT,
            GAIN,
            EndOffer(1, how="withdraw"),
            JoinNeighbors("hacan", "sol"),
        )
    },
}
"""Everything that the service does at a table for a requester."""

STRANGERS: dict[str, Requester] = {
    "another server's moderator": moderator(guild=2),
    "the host, from another server": requester_at(ALICE, 2),
    "a player, from another server that they moderate": moderator(BOB, guild=2),
    "somebody unknown, by DM": requester_at(MONA, None),
    "somebody unknown who says that they moderate, by DM": moderator(guild=None),
    "the host who has left the server, by DM": requester_at(ALICE, None),
    "a player who was banned, by DM": requester_at(BOB, None),
}
"""People who may not know of the table. Everybody has left its server."""


@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
async def test_to_a_stranger_there_is_no_such_table(
    traded: Club, file: Path, closed: bool, subtests: pytest.Subtests
) -> None:
    """Word for word as for a table that does not exist, and with no names that a card could
    show.
    """
    if closed:
        await traded.does(ALICE, CloseTable())
    traded.discord.gone |= {(GUILD, user) for user in (ALICE, BOB, MONA)}
    before = rows(file)
    for name, who in STRANGERS.items():
        for asker in (who, replace(who, accepts_cached=True)):
            with subtests.test(name, accepts_cached=asker.accepts_cached):
                service = traded.started()
                for what, asks in EVERYTHING.items():
                    with pytest.raises(Refused) as refused:
                        await asks(service, asker)
                    assert refused.value.violation == no_such_table().violation, what
                    assert (refused.value.options, refused.value.names) == ((), None), what
                assert await service.tables_of(asker) == []
                for channel in (service.table_at, service.last_table_at, service.last_closed_at):
                    assert (await channel(CHANNEL, asker)) is None
                assert rows(file) == before


async def test_nor_can_a_channel_of_another_server_be_asked_what_is_played_there(
    club: Club,
) -> None:
    """A channel has one table, and a forged channel does not tell which."""
    with pytest.raises(Refused, match="no such table"):
        await club.service.open_table(
            moderator(guild=2), game="ti4", name="Mine", channel_id=CHANNEL
        )


async def test_a_member_plays_and_hosts_by_dm(club: Club) -> None:
    service = club.started()
    assert (await service.view(TABLE, requester_at(BOB, None))).seat == "sol"
    assert (await service.view(TABLE, requester_at(ALICE, None))).hosts
    assert [row.id for row in await service.tables_of(requester_at(BOB, None))] == [TABLE]
    await service.execute(TABLE, requester_at(BOB, None), ACCEPT)


async def test_discord_is_asked_once_a_minute_and_not_of_those_who_act_on_the_server(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, by_dm = club.started(), requester_at(BOB, None)
    for _ in range(3):
        await service.view(TABLE, by_dm)
    assert club.discord.asked == 1
    monkeypatch.setattr(gate, "KEPT_FOR", 0.0)
    club.discord.gone.add((GUILD, BOB))
    with pytest.raises(Refused, match="no such table"):
        await service.view(TABLE, by_dm)
    assert club.discord.asked == 2
    monkeypatch.undo()
    await service.view(TABLE, requester(BOB))  # they are back, and act on the server
    assert (await service.view(TABLE, by_dm)).seat == "sol"
    assert club.discord.asked == 2


async def test_whom_a_command_on_the_server_names_discord_is_not_asked_about(club: Club) -> None:
    service = club.started()
    await service.view(TABLE, replace(requester(ALICE), present=(BOB,)))
    assert await service.members.is_member(GUILD, BOB)
    assert (await service.view(TABLE, requester_at(BOB, None))).seat == "sol"
    assert club.discord.asked == 0


async def test_where_the_bot_is_not_any_more_its_people_are_told_so_and_others_nothing(
    club: Club,
) -> None:
    service = club.started()
    moved: list[int] = []
    service.members.moved = moved.append
    club.discord.removed.add(GUILD)
    for _ in range(2):
        with pytest.raises(Refused, match="I am no longer on this table's server"):
            await service.view(TABLE, requester_at(BOB, None))
    with pytest.raises(Refused, match="no such table"):
        await service.view(TABLE, requester_at(MONA, None))
    assert (club.discord.asked, moved) == (1, [GUILD])
    with pytest.raises(Refused, match="I am no longer on this table's server"):
        await service.tables_of(requester_at(ALICE, None))
    elsewhere = requester_at(ALICE, 99)
    other = await service.open_table(
        elsewhere, game="ti4", name="Den", channel_id=99, open_on_close="yes"
    )
    assert [row.id for row in await service.tables_of(requester_at(ALICE, None))] == [
        other.table_id
    ]
    club.discord.removed.clear()
    service.members.note_bot(GUILD, here=True)
    assert (await service.view(TABLE, requester_at(BOB, None))).seat == "sol"


async def test_what_discord_said_before_an_invitation_does_not_count_after_it() -> None:
    asked, invited = asyncio.Event(), asyncio.Event()

    async def refused(_guild: int, _user: int) -> bool:
        asked.set()
        await invited.wait()
        raise BotRemoved("Discord answered 403 (50001)")

    members = Members(refused)
    members.note_bot(GUILD, here=False)
    members.note_bot(GUILD, here=True)
    asking = asyncio.create_task(members.is_member(GUILD, BOB))
    await asked.wait()
    members.note_bot(GUILD, here=True)
    invited.set()
    with pytest.raises(MembershipUnknown) as answer:
        await asking
    assert not isinstance(answer.value, BotRemoved)
    assert not members.removed(GUILD)


async def test_while_discord_does_not_say_who_is_on_the_server_dms_wait(
    club: Club, file: Path
) -> None:
    service, before = club.started(), rows(file)
    club.discord.silent = True
    for what, asks in EVERYTHING.items():
        with pytest.raises(Refused, match="can't check with Discord right now") as refused:
            await asks(service, requester_at(BOB, None))
        assert "Friday" not in str(refused.value), what
    with pytest.raises(Refused, match="can't check with Discord right now"):
        await service.tables_of(requester_at(BOB, None))
    # and whom the table does not know learns nothing of it
    with pytest.raises(Refused, match="no such table"):
        await service.view(TABLE, requester_at(MONA, None))
    assert rows(file) == before
    club.discord.silent = False
    await service.view(TABLE, requester_at(BOB, None))


async def test_several_who_ask_at_once_ask_discord_once(club: Club) -> None:
    service = club.started()
    views = [service.view(TABLE, requester_at(BOB, None)) for _ in range(9)]
    await asyncio.gather(*views)
    assert club.discord.asked == 1


async def test_who_may_read_private_threads_is_remembered_of_the_latest_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gate, "ANSWERS_KEPT", 3)
    members = Members()
    for guild in range(5):
        members.note_reader(guild, BOB, reads=True)
    members.note_reader(4, BOB, reads=False)
    readers = [members.readers(guild) for guild in range(5)]
    assert readers == [[], [], [BOB], [BOB], []]


def test_nobody_but_the_gate_admits() -> None:
    with pytest.raises(TypeError, match="only the gate"):
        Admitted(cast(TableRecord, None), requester(ALICE), random_chance, object())


WITHOUT_REQUESTER = {
    *(
        "briefing",
        "tick",
        "deadline",
        "now",
        "deadlines",
        "undelivered",
        "seq",
        "table_in",
        "tables_on",
    ),  # delivery and the clock
    *("subscribe", "heads", "refresh"),  # who must know of changes, and other processes
    *(
        "ends",
        "has_head",
        "has_stamps",
    ),  # what was posted of each table is compared with the ledger
    "newest_stamp",  # what a refusal offers is about the table of now
    "open_tables",  # the operator's monitoring, which gets a number
    *("close_for_operator", "remove_closed_before"),  # the operator's commands and setting
}
"""What the service does for nobody in particular."""

OF_NO_TABLE = {
    *(
        "open_table",
        "table_at",
        "last_table_at",
        "last_closed_at",
        "tables_of",
        "dm_choice",
        "known_at",
    ),
    "evenings",  # of those that the requester sat at
    "forget_person",
    *("muted", "mute"),  # what a person wants to be notified of is the same at all tables
}
"""What it does for a requester, but not at a table that they name."""


def test_all_else_that_the_service_does_is_for_a_requester_whom_the_gate_knows() -> None:
    methods = {
        name: each
        for name, each in inspect.getmembers(Service, inspect.isfunction)
        if name[0] != "_"
    }
    without = {
        name
        for name, each in methods.items()
        if "requester" not in inspect.signature(each).parameters
    }
    assert without == WITHOUT_REQUESTER
    asked = {what.split()[0] for what in EVERYTHING} & set(methods)
    assert set(methods) - without - OF_NO_TABLE == asked


async def test_each_command_comes_with_a_chance_of_its_own(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game may leave something to it: nobody at the table has a hand in it, or can guess it."""
    heard: list[str] = []

    def decided(table: Table, command: Command, caller: Caller) -> tuple[Entry, ...]:
        heard.append(caller.chance)
        return decide(table, command, caller)

    monkeypatch.setattr("bot.service.service.decide", decided)
    for _ in range(2):
        await club.does(BOB, GAIN)
    assert {len(chance) for chance in heard} == {64}
    assert len({*heard}) == len(heard) == 2
    assert heard[0] not in repr(Caller(1, chance=heard[0]))


async def test_delivery_finds_the_dms_of_its_own_application(empty: Club) -> None:
    store = empty.service.messages
    await store.set_dm_channel(BOB, 9001, 7)
    assert await store.dm_channel(BOB, 7) == 9001
    assert await store.dm_channel(BOB, 8) is None
