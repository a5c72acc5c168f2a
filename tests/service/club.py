"""People who use a service on a real ledger, and their requests."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.turns import StartTurn
from bot.ledger import Ledger
from bot.rules.apply import replay
from bot.rules.commands import Command
from bot.rules.entries import Recorded
from bot.rules.features.audits import Audit
from bot.rules.features.holdings import Gain, SetHoldings
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.seats import Sit
from bot.rules.model.goods import Goods
from bot.rules.model.table import Table
from bot.rules.views import TableView
from bot.service import (
    BotRemoved,
    CommandFactory,
    ExportSource,
    Filter,
    HistoryPage,
    Members,
    MembershipUnknown,
    Outcome,
    Quotas,
    Requester,
    Service,
    Shards,
    TradeHistory,
)
from bot.service.records import TableRecords

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
CHANNEL = 2**62
GUILD = 1
ALICE, BOB, CAROL, DAVE, MONA = 101, 102, 103, 104, 105
NAMES = {ALICE: "alice", BOB: "bob", CAROL: "carol", DAVE: "dave", MONA: "mona"}
TABLE = 1
LEDGER = Audit("ledger")
ANYTHING = Filter()


class Clock:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def moves(self, **by: float) -> None:
        self.now += timedelta(**by)


class Server:
    """Who is on which server, as Discord says. Everybody is, but those who are ``gone``."""

    def __init__(self) -> None:
        self.gone: set[tuple[int, int]] = set()
        self.removed: set[int] = set()
        self.silent = False
        self.asked = 0

    async def look_up(self, guild_id: int, user_id: int) -> bool:
        self.asked += 1
        if guild_id in self.removed:
            raise BotRemoved("the bot is not there")
        if self.silent:
            raise MembershipUnknown("Discord does not say")
        return (guild_id, user_id) not in self.gone


class Club:
    """A service and the people who use it. Each request gets the interaction its test gives it, or
    none.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.clock = Clock()
        self.discord = Server()
        self.service = self.started()

    def started(self, shards: Shards | None = None, room: Quotas | None = None) -> Service:
        """Return a service as after a start: it remembers nothing."""
        members = Members(self.discord.look_up)
        return Service(self.ledger, self.clock, members, room, shards=shards)

    @property
    def records(self) -> TableRecords:
        """What the service keeps in memory."""
        return self.service._records

    async def opens(
        self,
        *,
        game: str = "ti4",
        open_on_close: Literal["yes", "no"] = "yes",
        channel: int = CHANNEL,
    ) -> Outcome:
        return await self.service.open_table(
            requester(ALICE),
            game=game,
            name="Friday",
            channel_id=channel,
            open_on_close=open_on_close,
        )

    async def set_up(self, *, open_on_close: Literal["yes", "no"] = "yes") -> None:
        """Alice hosts; she and Bob sit and may trade. It is her turn, and she offers Bob 1 trade
        good.
        """
        await self.opens(open_on_close=open_on_close)
        await self.does(ALICE, Sit("hacan"))
        await self.does(BOB, Sit("sol"))
        await self.does(ALICE, SetHoldings("hacan", tg(5)))
        await self.does(ALICE, JoinNeighbors("hacan", "sol"))
        await self.does(ALICE, StartTurn("hacan"))
        await self.does(ALICE, PostOffer(to="sol", give=tg(1)))

    async def does(
        self, user: int, command: Command | CommandFactory, interaction: int | None = None
    ) -> Outcome:
        return await self.service.execute(TABLE, requester(user, interaction), command)

    async def sees(
        self, user: int, *, offers: Iterable[int] = (), deals: Iterable[int] = ()
    ) -> TableView:
        """The table as a user sees it, with these offers and deals even if they are over."""
        return await self.service.view(TABLE, requester(user), offers=offers, deals=deals)

    async def looks(self, who: Requester, audit: Audit = LEDGER) -> int:
        """Look as a host or moderator. Return the entry before the one that records it, which
        reading needs.
        """
        outcome = await self.service.execute(TABLE, who, audit)
        return outcome.entries[-1].seq - 1

    async def history(
        self,
        who: Requester,
        only: Filter = ANYTHING,
        until_seq: int = 99,
        *,
        page: int = 1,
        size: int = 99,
        **more: Any,
    ) -> HistoryPage:
        """A page of what happened at the table."""
        return await self.service.history(
            TABLE, who, filter=only, until_seq=until_seq, page=page, size=size, **more
        )

    async def story(self, who: Requester, number: int) -> TradeHistory:
        """Look at a transaction."""
        return await self.service.trade_history(
            TABLE, who, number, until_seq=await self.looks(who, Audit("trade", number))
        )

    async def export(self, who: Requester) -> ExportSource:
        """Take a copy of the ledger."""
        return await self.service.export_source(
            TABLE, who, until_seq=await self.looks(who, Audit("export"))
        )

    async def public_view(self, after: int = 0) -> TableView:
        """The table as its channel shows it, with what the entries after a number are about."""
        briefing = await self.service.briefing(TABLE, after)
        assert briefing is not None
        return briefing.public

    async def entries(self, table: int = TABLE) -> list[Recorded]:
        return await self.ledger.entries.read(table)

    async def table(self, table: int = TABLE) -> Table:
        """The table that the ledger's entries lead to, whatever the service remembers."""
        entries = [recorded.entry for recorded in await self.entries(table)]
        return replay(entries, Table(id=table))

    async def remembered(self, table: int = TABLE) -> Table:
        """The table as the service has it."""
        return (await self.records.current(table)).table

    async def seq(self, table: int = TABLE) -> int:
        return (await self.ledger.entries.head(table)).seq

    async def transactions(self) -> int:
        return sum(isinstance(recorded.entry, Transaction) for recorded in await self.entries())


def requester(
    user: int,
    interaction: int | None = None,
    *,
    name: str | None = None,
    accepts_cached: bool = False,
) -> Requester:
    """A user of the table's server without any rights there."""
    called = NAMES[user] if name is None else name
    return Requester(user, called, GUILD, interaction=interaction, accepts_cached=accepts_cached)


def requester_at(user: int, guild: int | None) -> Requester:
    """The same user on another server or, for None, in a DM."""
    return Requester(user, NAMES[user] if guild else "", guild)


def moderator(user: int = MONA, guild: int | None = GUILD) -> Requester:
    """A user who may manage a server, the table's or another."""
    return Requester(user, NAMES[user], guild, manages_guild=True)


def tg(count: int) -> Goods:
    return Goods({"trade_good": count})


ACCEPT = Sign(1, 1)
GAIN = Gain(tg(2))
