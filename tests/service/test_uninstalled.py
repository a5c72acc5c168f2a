"""Tests of a table whose game is not installed: it can be viewed, audited, exported, verified and
closed only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, fields, replace
from typing import Annotated, Any, Literal, NamedTuple

import pytest

from bot.exports import FORMATS, export
from bot.ledger import Ledger, Published
from bot.rules import snapshots
from bot.rules.commands import Caller, Command
from bot.rules.entries import Entry, Sealed, split
from bot.rules.feature import Feature, Features
from bot.rules.features.audits import Audit
from bot.rules.features.holdings import GoodsMoved, SetHoldings
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.seats import Sit
from bot.rules.features.tables import (
    BeginClosing,
    ChangeSettings,
    CloseTable,
    ReopenTable,
    Tick,
)
from bot.rules.model.goods import NOTHING, Change, Goods
from bot.rules.model.table import GameState, Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_named
from bot.rules.uninstalled import ALLOWED, UnknownEntry, UnreadableEntry
from bot.rules.views import TableView
from bot.rules.vocabulary import CORE, read_entry
from bot.service import Filter, Outcome
from bot.show.board import board_card, table_card
from bot.show.narration import sentence
from bot.show.offer_cards import offer_card, offers_card
from bot.show.timeline import ledger_card, player_card, trade_card
from tests.ledger.samples import save_snapshot
from tests.plugin.bazaar.bourse_bazaar import GAME
from tests.plugin.bazaar.installing import installed, point
from tests.service.club import ALICE, BOB, CHANNEL, LEDGER, MONA, TABLE, Club, moderator, requester

REASON = "This table plays bazaar, which is not installed here."
REMEDY = "Its host can close it, export its ledger, or open another one in its channel."
SECRET = "saffron"
"""A word that stands only in what is sealed."""


# ---------------------------------------------------------------- a game with a secret


@dataclass(frozen=True, slots=True)
class StallState(GameState):
    """``stalls`` are the seats that have opened theirs."""

    stalls: frozenset[str] = frozenset()


class OpenStall(Command):
    """Open the host's stall, with goods that only they know of."""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        goods = Change(gained=Goods({SECRET: 3}))
        return [StallOpened(seat="red", hidden={"red": goods}, note=SECRET)]


class StallOpened(GoodsMoved):
    kind = "bazaar.stall.opened"
    seat: str
    share: float = 0.5
    note: Annotated[str | None, Sealed("keeper")] = None

    def subject(self) -> str | None:
        return f"stall:{self.seat}"

    def apply(self, table: Table) -> Table:
        assert isinstance(table.state, StallState)
        stalls = table.state.stalls | {self.seat}
        return replace(super().apply(table), state=StallState(stalls))


STALLS = Feature(commands=(OpenStall,), entries=(StallOpened,))
BAZAAR = replace(GAME, features=Features((STALLS,), StallState))


class Played(NamedTuple):
    """An evening at the bazaar as its ledger and its people had it while the game was installed."""

    ledger: Ledger
    table: Table
    published: list[Published]
    view: TableView


def silk(count: int) -> Goods:
    return Goods({"silk": count})


async def play(ledger: Ledger, open_on_close: Literal["yes", "no"] = "yes") -> Played:
    """Red opens a stall and gives Green what was in it; an offer of theirs stands at the end."""
    club = Club(ledger)
    await club.service.open_table(
        requester(ALICE),
        game="bazaar",
        name="Friday",
        channel_id=CHANNEL,
        open_on_close=open_on_close,
    )
    await club.does(ALICE, Sit("red"))
    await club.does(BOB, Sit("green"))
    await club.does(ALICE, SetHoldings("red", silk(2)))
    await club.does(ALICE, OpenStall())
    gift = Goods({"silk": 1, SECRET: 2})
    await club.does(ALICE, PostOffer(to="green", give=gift))
    await club.does(BOB, Sign(1))
    await club.does(ALICE, PostOffer(give=silk(1)))
    view = await club.sees(ALICE)
    return Played(ledger, await club.remembered(), await ledger.entries.published(TABLE), view)


@contextmanager
def gone() -> Iterator[None]:
    """The game is not installed, though others are."""
    market = replace(GAME.info, id="market")
    with installed(point(replace(GAME, info=market))):
        yield


@pytest.fixture
async def played(empty: Club) -> Played:
    with installed(point(BAZAAR)):
        return await play(empty.ledger)


@pytest.fixture
def club(played: Played) -> Iterator[Club]:
    """The table in a process where its game is not installed."""
    with gone():
        yield Club(played.ledger)


# ---------------------------------------------------------------- looking


async def test_the_table_can_be_looked_at(club: Club) -> None:
    view = await club.sees(BOB)
    assert view.game == "bazaar"
    assert view.open
    assert view.seated() == ["red", "green"]
    assert view.board.lines == (f"{REASON} {REMEDY}",)
    assert view.seats["red"].name == "Red"
    assert view.seats["green"].short == "Green"
    found = view.offers[2].ruling.why_not
    assert found
    assert found.sentence() == f"{REASON} {REMEDY}"
    pairs = await club.service.pairs(TABLE, requester(BOB))
    for card in (
        table_card(view, pairs),
        board_card(view),
        offers_card(view),
        offer_card(view, view.offers[2]),
    ):
        assert card


async def test_a_seat_s_holdings_are_nobody_else_s_to_see(club: Club) -> None:
    for seen in (requester(BOB), requester(MONA)):
        red = (await club.service.view(TABLE, seen)).seats["red"]
        assert (red.open, red.hidden) == (NOTHING, None)
    own = (await club.sees(ALICE)).seats["red"]
    assert game_named("bazaar").goods.describe_holdings(own) == [
        f"I can't show what this seat holds. {REASON}"
    ]


async def test_at_a_table_that_only_warns_nothing_can_be_traded_either(played: Played) -> None:
    with installed(point(BAZAAR)):
        await Club(played.ledger).does(ALICE, ChangeSettings({"rulings": "warn"}))
    with gone():
        pairs = await Club(played.ledger).service.pairs(TABLE, requester(BOB))
        assert all(pair.why_not for pair in pairs)


async def test_history_and_audit_tell_every_entry(club: Club) -> None:
    for who in (requester(BOB), requester(ALICE), moderator()):
        audit = None if who.user_id == BOB else LEDGER
        until_seq = await club.looks(who) if audit else await club.seq()
        page = await club.history(who, until_seq=until_seq, audit=audit)
        told = [sentence(entry) for entry in page.entries]
        assert len(told) == until_seq
        [stall] = [text for text in told if text.startswith(f"**stall opened** (<@{ALICE}>): ")]
        assert 'seat "red" · share 0.5' in stall
        unknown = [entry for entry in page.entries if isinstance(entry.entry, UnknownEntry)]
        assert unknown
        assert SECRET not in repr(unknown)
        assert ledger_card(page, Filter())


async def test_entries_of_the_game_can_be_filtered(club: Club) -> None:
    async def kinds(**only: Any) -> list[str]:
        until_seq = await club.looks(moderator())
        page = await club.history(moderator(), Filter(**only), until_seq, audit=LEDGER)
        return [entry.kind for entry in page.entries]

    assert await kinds(kind="stall") == ["bazaar.stall.opened"]
    assert "bazaar.stall.opened" in await kinds(person=1)
    assert "bazaar.stall.opened" not in await kinds(person=2)


async def test_a_trade_and_a_player_can_be_audited(club: Club) -> None:
    for command in (
        Audit("ledger"),
        Audit("trade", 1),
        Audit("player", 1),
        Audit("verify"),
        Audit("export"),
    ):
        assert (await club.does(ALICE, command)).entries[-1].kind == "audit.looked"
    until_seq = await club.looks(moderator(), Audit("trade", 1))
    story = await club.service.trade_history(TABLE, moderator(), 1, until_seq=until_seq)
    assert trade_card(story, 99, 1)
    look = Audit("player", 1)
    until_seq = await club.looks(moderator(), look)
    view = await club.service.audited_view(TABLE, moderator(), look, until_seq=until_seq)
    entries = await club.service.entries(TABLE, moderator(), until_seq=until_seq, audit=look)
    assert player_card(view, entries, 1, 99, 1)


# ---------------------------------------------------------------- exporting and verifying


async def test_a_whole_evening_of_another_game_can_be_looked_at_verified_exported_and_closed(
    evening: Club,
) -> None:
    with gone():
        without = Club(evening.ledger)
        host = requester((await without.sees(ALICE)).host + 100)
        for who in (host, moderator()):
            source = await without.export(who)
            for form in FORMATS:
                assert export(form, source)
        assert await without.service.briefing(TABLE, 0)
        await without.service.execute(TABLE, moderator(), CloseTable())
        assert (await without.service.verify(TABLE, moderator())).bad is None


async def test_what_the_ledger_publishes_is_the_same_to_the_byte(
    played: Played, club: Club
) -> None:
    assert await club.ledger.entries.published(TABLE) == played.published
    for each, recorded in zip(played.published, await club.entries(), strict=True):
        assert split(recorded.entry)[0] == each.public
        assert (split(recorded.entry)[1] == {}) >= isinstance(recorded.entry, UnknownEntry)


async def test_what_is_sealed_by_the_game_is_shown_to_nobody_even_when_the_table_closes(
    club: Club,
) -> None:
    await club.does(ALICE, CloseTable())
    unknown = next(
        each.seq for each in await club.entries() if isinstance(each.entry, UnknownEntry)
    )
    for who in (requester(ALICE), requester(BOB), moderator()):
        entries = await club.service.entries(TABLE, who)
        assert SECRET not in repr(entries[unknown - 1])
    source = await club.export(moderator())
    assert source.sees_all
    assert source.disclosed[unknown] == {}


# ---------------------------------------------------------------- closing, and nothing else


def ending(closed: Outcome) -> list[str]:
    return [entry.kind for entry in closed.entries]


def any_(command: type[Command]) -> Command:
    """A command with something in each field."""
    examples = {"int": 1, "str": "red", "bool": True, "Goods": silk(1)}
    values = {}
    for field in fields(command):
        if field.init and field.default is MISSING and field.default_factory is MISSING:
            first_type = str(field.type).split()[0]
            values[field.name] = examples.get(first_type, "withdraw")
    return command(**values)


OTHERS = [command for command in CORE.commands if command.__name__ not in ALLOWED] + [OpenStall]


def test_the_commands_that_it_takes_are_commands_of_the_core() -> None:
    assert {command.__name__ for command in CORE.commands} >= ALLOWED
    closing = {CloseTable.__name__, BeginClosing.__name__, ReopenTable.__name__}
    assert {*closing, Audit.__name__, Tick.__name__} == ALLOWED


async def test_every_other_command_is_refused_and_changes_nothing(
    subtests: pytest.Subtests, club: Club
) -> None:
    for command in OTHERS:
        with subtests.test(command.__name__):
            before = await club.ledger.entries.head(TABLE)
            for user in (ALICE, BOB):
                with pytest.raises(Refused) as refused:
                    await club.does(user, any_(command))
                assert (refused.value.violation.reason, refused.value.violation.remedy) == (
                    REASON,
                    REMEDY,
                )
            assert await club.ledger.entries.head(TABLE) == before


async def test_time_goes_on_so_that_the_table_can_be_closed(played: Played) -> None:
    with installed(point(BAZAAR)):
        offer = PostOffer(give=silk(1), lasts=60_000)
        await Club(played.ledger).does(ALICE, offer)
    with gone():
        later = Club(played.ledger)
        later.clock.moves(hours=1)
        await later.service.tick(TABLE)
        assert [entry.entry.kind for entry in await later.entries()][-1] == "offer.expired"
        assert ending(await later.does(ALICE, CloseTable())) == ["offer.voided", "table.closed"]


# ---------------------------------------------------------------- the game comes back


async def test_with_the_game_back_the_table_is_as_it_was(played: Played) -> None:
    with gone():
        without = Club(played.ledger)
        assert (await without.table()).state == GameState()
        await without.does(ALICE, Audit("ledger"))
    with installed(point(BAZAAR)):
        back = Club(played.ledger)
        assert replace(await back.remembered(), seq=played.table.seq) == played.table
        again = await back.sees(ALICE)
        assert again.stamps.startswith(played.view.stamps)
        assert replace(again, seq=played.view.seq, stamps=played.view.stamps) == played.view
        outcome = await back.does(ALICE, PostOffer(give=silk(1), terms="again"))
        assert outcome.view.offers[3].sides.give == silk(1)


async def test_a_snapshot_without_the_game_is_not_read_with_it(played: Played) -> None:
    with gone():
        poorer = await Club(played.ledger).table()
        text = snapshots.dump(poorer)
    with installed(point(BAZAAR)):
        assert snapshots.load(poorer.seq, text) is None
        await save_snapshot(played.ledger, TABLE, poorer.seq, text)
        assert await Club(played.ledger).remembered() == played.table


async def test_a_snapshot_without_the_game_is_not_read_at_all(played: Played) -> None:
    """Whichever games are there: other sets of games may have states of the same shape."""
    with gone():
        poorer = await Club(played.ledger).table()
        assert snapshots.load(poorer.seq, snapshots.dump(poorer)) is None


# ---------------------------------------------------------------- entries


def test_only_a_kind_of_another_game_is_unknown() -> None:
    with gone():
        assert isinstance(
            read_entry({"kind": "bazaar.stall.opened", "v": 1, "seat": "red"}, {}), UnknownEntry
        )
        assert isinstance(read_entry({"kind": "market.bogus", "v": 1}, {}), UnreadableEntry)
        for kind in ("offer.bogus", "bogus", ".bogus", "bazaar.", "", 3, None):
            with pytest.raises(ValueError, match="there is no entry of the kind"):
                read_entry({"kind": kind, "v": 1}, {})


def test_an_unknown_entry_may_hold_anything() -> None:
    public = {
        "kind": "bazaar.odd",
        "v": 2,
        "seat": ["red"],
        "person": "alice",
        "seats": 1,
        "apply": None,
        "subject": {},
        "parties": 0.25,
        "_x": True,
        "model_extra": [],
        "offer": "1",
    }
    entry = read_entry(public, {"parties": {"hand": SECRET}})
    assert isinstance(entry, UnknownEntry)
    assert split(entry) == (public, {})
    assert entry.seat is None
    assert not entry.seats()
    assert entry.subject() is None
    assert entry.apply(Table()) == Table()
