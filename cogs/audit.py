"""/audit: moderators and hosts look things up and correct them. The rules check every use and
record it as an entry.

Pages show the ledger up to the entry of the command; turning a page checks again who may look.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from io import BytesIO
from typing import Annotated, Literal

import discord
from discord import User, app_commands
from discord.ext import commands

from bot.exports import FORMATS, export
from bot.ledger import LedgerError
from bot.rules.features.audits import Audit
from bot.rules.features.holdings import Corrected, SetHoldings
from bot.rules.model.text import quoted
from bot.rules.model.violation import Refused
from bot.rules.registry import games
from bot.rules.vocabulary import entry_kinds, kind_matches
from bot.service import HEAD_DIGITS, Filter, read_head
from bot.show import names
from bot.show.actions import TurnAccount, TurnLedger
from bot.show.cards import Card
from bot.show.timeline import LINES, ledger_card, trade_card, verify_card
from cogs.completion import EVERYTHING, Choices, choices, goods_to_set, words
from cogs.inputs import known_person, read_goods, read_span, require_person, seat_of
from cogs.pages import pictured, player_page
from cogs.request import Request
from cogs.router import Router
from cogs.slash import slash

SINCE = ("10m", "30m", "1h", "3h", "1d")
"""The suggestions for ``since``."""


async def _kinds(request: Request, typed: str) -> Choices:
    """Suggest kinds of entry, and the parts of their names."""
    kinds = set(entry_kinds())
    for kind in entry_kinds():
        kinds.update(kind.split("."))
    return choices([(kind, kind) for kind in sorted(kinds.difference(games()))], typed)


async def _times(request: Request, typed: str) -> Choices:
    return words(SINCE, typed)


async def _trades(request: Request, typed: str) -> Choices:
    view = await request.last_view()
    done = await request.service.transactions(view.id, request.requester)
    labels = (
        (
            f"Transaction {number}: {names.name(view, first)} with {names.name(view, second)}",
            number,
        )
        for number, first, second in done
    )
    return choices(labels, typed)


@app_commands.guild_only()
class Audits(
    commands.GroupCog,
    group_name="audit",
    group_description="For moderators and hosts: the ledger. Looks are recorded; if you see hands, "
    "you can't play",
):
    """The /audit commands."""

    def __init__(self, router: Router) -> None:
        router.on(TurnLedger, self.turned)
        router.on(TurnAccount, self.turned)

    @slash("ledger", "What happened at this table, entry by entry")
    async def ledger(
        self,
        request: Request,
        player: Annotated[User | None, "Only what this player did or was part of"] = None,
        kind: Annotated[
            str | None,
            "Only this kind of entry, for example: transaction, offer, correction",
            _kinds,
        ] = None,
        since: Annotated[
            str | None, "Only since then: 30m, 2h, 1d, or an entry's number such as #40", _times
        ] = None,
    ) -> None:
        view = await request.last_view()
        person = known_person(view, player) if player else 0
        wanted = (kind or "").strip().casefold()
        if wanted and not any(kind_matches(each, wanted) for each in entry_kinds()):
            raise Refused(
                f"There is no kind of entry “{quoted(wanted[:40])}”.", "Pick one as you type."
            )
        number = (since or "").strip().removeprefix("#")
        span = None if number.isdecimal() else read_span(since)
        outcome = await request.execute(Audit("ledger"))
        looked = outcome.entries[-1]  # pages end before this entry
        first = int(number[:9]) if number.isdecimal() else 0
        if span is not None:
            first = await request.service.first_since(view.id, request.requester, looked.at - span)
        page = TurnLedger(view.id, looked.seq - 1, 1, person, wanted, first)
        await request.reply(await self._page(request, page))

    @slash("trade", "One transaction with everything that led to it and followed")
    async def trade(
        self, request: Request, number: Annotated[int, "Which transaction", _trades]
    ) -> None:
        await request.last_table_id()
        outcome = await request.execute(Audit("trade", number))
        page = TurnAccount(outcome.table_id, outcome.entries[-1].seq - 1, 1, number, trade=True)
        await request.reply(await self._page(request, page))

    @slash("player", "What a player has, where it came from, and their promises")
    async def player(self, request: Request, player: Annotated[User, "Whose books"]) -> None:
        view = await request.last_view()
        person = known_person(view, player)
        outcome = await request.execute(Audit("player", person))
        page = TurnAccount(view.id, outcome.entries[-1].seq - 1, 1, person)
        await request.reply(await self._page(request, page))

    @slash("verify", "Check that nothing in the ledger was changed")
    async def verify(
        self,
        request: Request,
        hash_: Annotated[
            app_commands.Range[str, 1, 200] | None,
            "A line I posted earlier, such as #41 and its hash, to check that it is still in "
            "the ledger",
        ] = None,
    ) -> None:
        """Check the ledger, compare it with a posted head, and post its present head."""
        head = read_head(hash_) if hash_ else None
        if hash_ and head is None:
            raise Refused(
                f"I need an entry's number and at least the first {HEAD_DIGITS} digits of its "
                "hash.",
                "Copy the whole line that I posted: #41 and the digits.",
            )
        table_id = await request.last_table_id()
        # tampering made it unreadable: show what is wrong without recording the look
        with suppress(LedgerError):
            await request.execute(Audit("verify"))
            await request.answer.defer()
        await request.reply(
            verify_card(table_id, await request.service.verify(table_id, request.requester, head))
        )

    @slash("export", "The ledger as a file, for you only")
    async def export(
        self,
        request: Request,
        format_: Annotated[
            Literal["csv", "json"],
            "csv: a spreadsheet. json: all entries",
        ],
    ) -> None:
        await request.last_table_id()
        outcome = await request.execute(Audit("export"))
        await request.answer.defer()
        table_id, until_seq = outcome.table_id, outcome.entries[-1].seq - 1
        source = await request.service.export_source(
            table_id, request.requester, until_seq=until_seq
        )
        # a thread keeps the event loop free
        content = await asyncio.to_thread(export, format_, source)
        await source.free_entries()
        file = discord.File(BytesIO(content), f"table-{table_id}.{FORMATS[format_]}")
        name = names.escape(outcome.view.name)
        text = f"The ledger of **{name}** up to entry {until_seq}, as far as you may see it."
        await request.interaction.followup.send(text, file=file, ephemeral=True)

    @slash("correct", "Say what a player really has, and why. Everybody is told")
    async def correct(
        self,
        request: Request,
        player: Annotated[User, "Whose holdings"],
        goods_: Annotated[str, EVERYTHING, goods_to_set],
        reason: Annotated[app_commands.Range[str, 1, 200], "Why; everybody reads it"],
    ) -> None:
        """Add a correction to the ledger. Entries are never rewritten."""
        one_line = " ".join(reason.split())
        if not one_line:
            raise Refused("A correction needs a reason.", "Say in a sentence what went wrong.")
        view = await request.last_view()
        require_person(player)
        goods = read_goods(view, goods_, view.seat_of_user(player.id))
        command = SetHoldings(seat_of(view, player), goods, one_line)
        outcome = await request.execute(command)
        seq = next(each.seq for each in outcome.entries if isinstance(each.entry, Corrected))
        whose = names.mention_user(view, player.id)
        text = f"Entry {seq} corrects what {whose} has, and everybody is told in the channel."
        await request.reply(text)

    # ---------------------------------------------------------------- pages

    async def turned(self, request: Request, page: TurnLedger | TurnAccount) -> None:
        """Handle a button under a page: turn it."""
        await request.answer.update(await self._page(request, page))

    async def _page(self, request: Request, page: TurnLedger | TurnAccount) -> Card:
        """Return a page. The first one of a player's accounts has a chart."""
        service, who = request.service, request.requester
        match page:
            case TurnLedger():
                only = Filter(page.person, page.kind, page.since)
                found = await service.history(
                    page.table,
                    who,
                    filter=only,
                    until_seq=page.until_seq,
                    page=page.page,
                    size=LINES,
                    audit=Audit("ledger"),
                    cursor=page.cursor,
                )
                return ledger_card(found, only)
            case TurnAccount(trade=True):
                trade = await service.trade_history(
                    page.table, who, page.number, until_seq=page.until_seq
                )
                return trade_card(trade, page.until_seq, page.page)
            case TurnAccount():
                card, view, seat = await player_page(
                    service,
                    who,
                    page.table,
                    person=page.number,
                    until_seq=page.until_seq,
                    page=page.page,
                )
                return (
                    card
                    if page.page > 1
                    else await pictured(request, card, view, page.until_seq, seat)
                )
