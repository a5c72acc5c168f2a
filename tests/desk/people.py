"""People before a desk, and what they may ask of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from bot.desk import Asker, Desk, Here, Outcome
from bot.ledger import Ledger
from bot.rules.commands import Command, Gain, PostOffer, SetHoldings, Sign, Sit
from bot.rules.entries import Recorded, Transaction
from bot.rules.games.ti4.commands import StartTurn
from bot.rules.goods import Goods
from bot.rules.table import Table

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
CHANNEL = 2**62
ALICE, BOB, CAROL = 101, 102, 103
NAMES = {ALICE: "alice", BOB: "bob", CAROL: "carol"}
TABLE = 1

Make = Callable[[Here], Command]


class Club:
    """A desk, and who stands before it. Interactions are numbered by the tests; None is none of Discord's."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.desk = Desk(ledger, lambda: NOON)

    async def set_up(self) -> None:
        await self.desk.open_table(asker(ALICE), game="ti4", name="Friday", guild_id=1, channel_id=CHANNEL)
        await self.do(ALICE, lambda here: Sit(by=here.me, seat="hacan", person=here.me))
        await self.do(BOB, lambda here: Sit(by=here.me, seat="sol", person=here.me))
        await self.do(ALICE, lambda here: SetHoldings(by=here.me, person=here.me, goods=tg(5)))
        await self.do(ALICE, lambda here: StartTurn(by=here.me, person=here.me))
        await self.do(ALICE, offered(BOB))

    async def do(self, user: int, make: Make, interaction: int | None = None) -> Outcome:
        return await self.desk.do(TABLE, asker(user, interaction), make)

    async def table(self) -> Table:
        return (await self.desk.look(TABLE)).table

    async def entries(self) -> list[Recorded]:
        return await self.ledger.read(TABLE)

    async def transactions(self) -> int:
        return sum(isinstance(one.entry, Transaction) for one in await self.entries())


def asker(user: int, interaction: int | None = None, name: str | None = None) -> Asker:
    return Asker(user, name or NAMES[user], interaction=interaction)


def tg(count: int) -> Goods:
    return Goods({"trade_good": count})


def offered(to: int) -> Make:
    return lambda here: PostOffer(by=here.me, to=here.person(to, NAMES[to]), give=tg(1))


def accepts(here: Here) -> Sign:
    return Sign(by=here.me, offer=1, revision=1)


def gains(here: Here) -> Gain:
    return Gain(by=here.me, goods=tg(2))
