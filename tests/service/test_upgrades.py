"""Tests of new versions of a game: they read earlier entries, or the table is laid aside."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

import pytest

from bot.exports import export
from bot.rules import snapshots
from bot.rules.apply import apply
from bot.rules.commands import Caller, Command
from bot.rules.entries import Entry, Reads
from bot.rules.feature import Feature, Features
from bot.rules.features.audits import Audit
from bot.rules.features.holdings import GoodsMoved
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.seats import Sit
from bot.rules.features.tables import TableOpened
from bot.rules.game import Game
from bot.rules.model.goods import Change, Goods
from bot.rules.model.parts import StatePart, part, with_part
from bot.rules.model.table import GameState, Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_named
from bot.rules.uninstalled import UnreadableEntry
from bot.rules.vocabulary import kinds_of, unreadable
from bot.service import Filter
from tests.exports.checked import fault_in
from tests.plugin.bazaar.bourse_bazaar import GAME
from tests.plugin.bazaar.installing import installed, point
from tests.service.club import ALICE, BOB, CHANNEL, LEDGER, TABLE, Club, requester

REASON = "This table was opened with bazaar 1.0, and the version installed here can't read it."


# ---------------------------------------------------------------- versions of a game

HAULED = ("bazaar.hauled", 1)


def silk(count: int) -> Goods:
    return Goods({"silk": count})


@dataclass(frozen=True, slots=True)
class Crates(StatePart):
    """How many crates were unloaded."""

    count: int = 0


class Unload(Command):
    """Unload two crates for the host."""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        goods = Change(gained=silk(2))
        return [Hauled(seat="red", crates=2, changes={"red": goods})]


class Hauled(GoodsMoved):
    """Version 1: a crate is a bale of silk."""

    kind = "bazaar.hauled"
    seat: str
    crates: int

    def apply(self, table: Table) -> Table:
        count = part(table, Crates).count + self.crates
        return with_part(super().apply(table), Crates(count))


class Unloaded(Hauled):
    """Version 2, with another name, in which the seat is called a stall."""

    kind = "bazaar.unloaded"  # type: ignore[assignment]
    v: int = 2
    seat: str = ""
    stall: str


def renamed(old: dict[str, Any]) -> dict[str, Any]:
    return {"stall": old["seat"], "crates": old["crates"], "changes": old["changes"]}


class Reading(Unloaded):
    """Version 2 that reads what version 1 wrote."""

    reads: ClassVar[Reads] = {HAULED: renamed}


class Weighed(Hauled):
    """Version 2 with one field more, which what version 1 wrote can do without."""

    v: int = 2
    reads: ClassVar[Reads] = {HAULED: None}
    weight: int = 7


class Failing(Unloaded):
    """Version 2 whose upgrade fails."""

    reads: ClassVar[Reads] = {HAULED: lambda old: {"stall": old["place"]}}


class Misfitting(Unloaded):
    """Version 2 whose upgrade forgets a field."""

    reads: ClassVar[Reads] = {HAULED: lambda old: {"stall": old["seat"]}}


class Later(Hauled):
    """The next version of a kind that keeps its name."""

    v: int = 2


class Stricter(Hauled):
    """An author changed the entry and left its ``v`` as it was."""

    weight: int


class Unappliable(Hauled):
    """An entry that is read, but can't be applied any more."""

    def apply(self, table: Table) -> Table:
        raise ZeroDivisionError


def bazaar(*kinds: type[Entry]) -> Game:
    crates = Feature(state=Crates, commands=(Unload,), entries=kinds)
    return replace(GAME, features=Features((crates,)))


VERSION_1 = bazaar(Hauled)


@contextmanager
def version_1() -> Iterator[None]:
    with installed(point(VERSION_1, version="1.0")):
        yield


@contextmanager
def version_2(*kinds: type[Entry]) -> Iterator[None]:
    with installed(point(bazaar(*kinds), version="2.0")):
        yield


UNREADABLE: dict[str, Callable[[], Any]] = {
    "renamed": lambda: version_2(Unloaded),
    "a later version": lambda: version_2(Later),
    "the upgrade fails": lambda: version_2(Failing),
    "the upgrade forgets a field": lambda: version_2(Misfitting),
    "a field more in the same version": lambda: version_2(Stricter),
    "it can't be applied": lambda: version_2(Unappliable),
    "the kind is gone": version_2,
}


@pytest.fixture
async def before(empty: Club) -> Club:
    """A table as version 1 had it: Alice's seat has two bales, and offers one."""
    with version_1():
        await empty.service.open_table(
            requester(ALICE), game="bazaar", name="Friday", channel_id=CHANNEL
        )
        await empty.does(ALICE, Sit("red"))
        await empty.does(BOB, Sit("green"))
        await empty.does(ALICE, Unload())
        await empty.does(ALICE, PostOffer(give=silk(1)))
    return empty


@pytest.fixture(params=UNREADABLE.values(), ids=UNREADABLE)
def club(before: Club, request: pytest.FixtureRequest) -> Iterator[Club]:
    """The table in a process whose version of the game can't read it."""
    with request.param():
        yield Club(before.ledger)


# ---------------------------------------------------------------- what is read


async def test_the_entry_that_opens_a_table_names_the_game_and_its_version(before: Club) -> None:
    opened = (await before.entries())[0].entry
    assert isinstance(opened, TableOpened)
    assert (opened.v, opened.game, opened.version) == (1, "bazaar", "1.0")
    with version_1():
        assert (await before.remembered()).version == "1.0"


E = TypeVar("E", bound=Hauled)


async def hauled(club: Club, kind: type[E]) -> E:
    """The table's one entry of a class."""
    [entry] = [each.entry for each in await club.entries() if isinstance(each.entry, kind)]
    return entry


async def test_what_a_version_says_it_reads_is_read(before: Club) -> None:
    with version_1():
        was = await before.remembered()
    with version_2(Reading):
        club = Club(before.ledger)
        now = await club.remembered()
        assert replace(now, state=was.state) == was
        assert part(now, Crates) == Crates(2)
        entry = await hauled(club, Reading)
        assert (entry.kind, entry.v) == ("bazaar.unloaded", 2)
        assert (entry.stall, entry.crates) == ("red", 2)
        outcome = await club.does(ALICE, PostOffer(give=silk(2)))
        assert outcome.view.offers[2].live
        assert (await club.service.verify(TABLE, requester(ALICE))).bad is None


async def test_an_entry_whose_fields_fit_as_they_are_keeps_its_version(before: Club) -> None:
    with version_2(Weighed):
        club = Club(before.ledger)
        entry = await hauled(club, Weighed)
        assert (entry.v, entry.crates, entry.weight) == (1, 2, 7)
        assert part(await club.remembered(), Crates) == Crates(2)


async def test_what_looks_for_a_kind_finds_it_under_its_old_name(before: Club) -> None:
    with version_2(Reading):
        assert {"bazaar.hauled", "bazaar.unloaded"} <= kinds_of(GoodsMoved)
        club = Club(before.ledger)
        until_seq = await club.looks(requester(ALICE))
        for word in ("unloaded", "bazaar.unloaded"):
            page = await club.service.history(
                TABLE,
                requester(ALICE),
                filter=Filter(kind=word),
                until_seq=until_seq,
                page=1,
                size=9,
                audit=LEDGER,
            )
            assert [each.kind for each in page.entries] == ["bazaar.unloaded"]


async def test_an_export_holds_what_was_written_whatever_reads_it(before: Club) -> None:
    with version_1():
        written = await before.ledger.entries.published(TABLE)
    with version_2(Reading):
        club = Club(before.ledger)
        content = export("json", await club.export(requester(ALICE)))
        assert fault_in(content) == ""
        assert b"bazaar.hauled" in content
        assert (await club.ledger.entries.published(TABLE))[: len(written)] == written


async def test_a_snapshot_of_another_version_is_not_read(before: Club) -> None:
    """It may rest on entries that this version reads in another way, or not at all. Those of other
    games are read.
    """
    ti4 = game_named("ti4")
    other = Table(game="ti4", state=ti4.features.state())
    with installed(point(VERSION_1, version="1.0"), point(ti4)):
        table = await before.remembered()
        text, others = snapshots.dump(table), snapshots.dump(other)
        assert snapshots.load(table.seq, text) == table
    with installed(point(VERSION_1, version="2.0"), point(ti4)):
        assert snapshots.load(table.seq, text) is None
        assert snapshots.load(other.seq, others) == other


def test_each_kind_that_cant_be_read_is_told_with_game_version_and_number_of_tables() -> None:
    found = [
        ("bazaar.hauled", 1, 2),
        ("bazaar.unloaded", 2, 1),
        ("chess.moved", 1, 3),
        ("offer.posted", 9, 1),
    ]
    with version_2(Unloaded):
        assert list(unreadable(found)) == [
            "bazaar.hauled (version 1) at 2 tables can't be read: bazaar 2.0 does not read it.",
            "chess.moved (version 1) at 3 tables can't be read: the game chess is not installed.",
            "offer.posted (version 9) at 1 table can't be read: it is of a later Bourse.",
        ]
    with version_2(Reading):
        assert list(unreadable(found[:2])) == []


async def test_the_ledger_counts_the_tables_of_each_kind(before: Club) -> None:
    with version_1():
        await before.service.open_table(
            requester(BOB), game="bazaar", name="Saturday", channel_id=CHANNEL + 1
        )
    found = await before.ledger.entries.every_kind()
    assert ("table.opened", 1, 2) in found
    assert ("bazaar.hauled", 1, 1) in found
    with version_1():
        await before.service.close_for_operator(TABLE)
    still = await before.ledger.entries.every_kind(only_open=True)
    assert ("table.opened", 1, 1) in still
    assert not any(kind == "bazaar.hauled" for kind, _, _ in still)


async def test_an_upgrade_that_fails_is_logged_once(
    before: Club, caplog: pytest.LogCaptureFixture
) -> None:
    with version_2(Failing), caplog.at_level(logging.ERROR, "bot.rules.vocabulary"):
        for _ in range(2):
            assert any(
                isinstance(each.entry, UnreadableEntry)
                for each in await Club(before.ledger).entries()
            )
    assert caplog.messages == ["the game bazaar 2.0 can't read an entry bazaar.hauled (v 1)"]
    assert "in the game bazaar: Failing.reads" in caplog.text


# ---------------------------------------------------------------- a table that can't be read


async def test_every_command_is_refused_with_a_sentence_of_its_own(club: Club) -> None:
    before = await club.ledger.entries.head(TABLE)
    for command in (Sit("blue"), Unload(), PostOffer(give=silk(1))):
        with pytest.raises(Refused) as refused:
            await club.does(ALICE, command)
        assert refused.value.violation.reason == REASON
    assert await club.ledger.entries.head(TABLE) == before


async def test_an_operator_can_close_it(club: Club) -> None:
    await club.service.close_for_operator(TABLE)
    assert not (await club.remembered()).open


async def test_its_channel_is_free_for_another_table_of_its_host(club: Club) -> None:
    with pytest.raises(Refused, match="already has a table"):
        await club.service.open_table(
            requester(BOB), game="bazaar", name="Again", channel_id=CHANNEL
        )
    opened = await club.service.open_table(
        requester(ALICE), game="bazaar", name="Again", channel_id=CHANNEL
    )
    assert opened.table_id == TABLE + 1
    ended = (await club.entries())[-1]
    assert (ended.entry.kind, ended.by) == ("table.closed", None)
    row = await club.service.table_at(CHANNEL, requester(ALICE))
    assert row
    assert row.id == opened.table_id
    assert (
        await club.service.execute(opened.table_id, requester(ALICE), Sit("red"))
    ).view.game == "bazaar"


async def test_a_table_that_can_be_read_keeps_its_channel(before: Club) -> None:
    with version_2(Reading), pytest.raises(Refused, match="This channel already has a table"):
        await Club(before.ledger).service.open_table(
            requester(BOB), game="bazaar", name="Again", channel_id=CHANNEL
        )


async def test_what_is_written_meanwhile_is_read_once_the_version_is_back(before: Club) -> None:
    with version_1():
        was = await before.remembered()
    with version_2(Unloaded):
        await Club(before.ledger).does(ALICE, Audit("ledger"))
    with version_1():
        back = await Club(before.ledger).remembered()
        assert replace(back, seq=was.seq) == was
        assert isinstance(back.state, GameState)


async def test_an_entry_after_it_that_could_be_read_changes_nothing_either(before: Club) -> None:
    """The state of its game is not there."""
    with version_2(Unloaded):
        table = await Club(before.ledger).remembered()
        goods = Change(gained=silk(1))
        readable = Unloaded(stall="red", crates=1, changes={"red": goods})
        assert apply(table, readable) == replace(table, seq=table.seq + 1)


async def test_tables_whose_first_version_is_not_known(empty: Club) -> None:
    with installed(point(bazaar(Hauled))):
        await empty.service.open_table(
            requester(ALICE), game="bazaar", name="Friday", channel_id=CHANNEL
        )
        await empty.does(ALICE, Sit("red"))
        await empty.does(ALICE, Unload())
    with (
        version_2(Unloaded),
        pytest.raises(Refused, match=r"^This table was opened with another version of bazaar, "),
    ):
        await Club(empty.ledger).does(ALICE, Sit("blue"))
