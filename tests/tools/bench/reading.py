"""Reads a long table as the commands on Discord do: pages, charts, accounts, exports."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from bot.exports import export
from bot.rules.features.audits import Audit
from bot.service import Filter
from bot.show.timeline import LINES, history_card, ledger_card, trade_card
from cogs.pages import charted, player_page
from tests.tools.bench.workload import Bench, host

OF_OFFER = 3
"""An early offer, which is over."""


@dataclass(frozen=True)
class Reader:
    """The host, who reads at a table."""

    opened: Bench
    table: int

    async def history(self) -> None:
        """Read the first page of /history, without its chart."""
        who, last = host(), self.opened.service.seq(self.table)
        only = Filter()
        found = await self.opened.service.history(
            self.table, who, filter=only, until_seq=last or _FAR, page=1, size=LINES, begun=True
        )
        history_card(found, only)

    async def lists(self) -> None:
        """Read first pages that are filtered, and the lists of deals and transactions."""
        service, who = self.opened.service, host()
        for only in (
            Filter(kind="transaction"),
            Filter(kind="correction"),
            Filter(kind="opened"),
            Filter(offer=OF_OFFER),
            Filter(person=1),
        ):
            found = await service.history(
                self.table, who, filter=only, until_seq=_FAR, page=1, size=LINES, begun=True
            )
            ledger_card(found, only)
        await service.deals(self.table, who)
        await service.transactions(self.table, who)


_FAR = 2**31
"""Later than any entry: a page that ends here ends with the last."""


def long_work(
    opened: Bench, long: int, charted_table: int
) -> Mapping[str, Callable[[], Awaitable[object]]]:
    """Return what takes long at a long table, by name. A chart is drawn of another one, which may
    have one.
    """
    who = host()

    async def look(command: Audit) -> int:
        """Record a look. Return the last entry before it."""
        done = await opened.service.execute(long, host(), command)
        return done.entries[-1].seq - 1

    async def chart() -> None:
        view = await opened.service.view(charted_table, who)
        assert await charted(opened.service, who, view, view.seq, view.seat)

    async def trade() -> None:
        number = (await opened.service.view(long, who)).transactions
        until_seq = await look(Audit("trade", number))
        trade_card(
            await opened.service.trade_history(long, who, number, until_seq=until_seq), until_seq
        )

    async def player() -> None:
        until_seq = await look(Audit("player", 1))
        await player_page(opened.service, who, long, person=1, until_seq=until_seq, page=2)

    async def exported() -> None:
        until_seq = await look(Audit("export"))
        source = await opened.service.export_source(long, who, until_seq=until_seq)
        await asyncio.to_thread(export, "csv", source)
        await source.free_entries()

    async def verified() -> None:
        await opened.service.verify(long, who)

    return {
        "history": Reader(opened, long).history,
        "chart": chart,
        "audit trade": trade,
        "audit player": player,
        "export": exported,
        "verify": verified,
    }
