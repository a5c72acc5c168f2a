"""/audit: moderators and hosts look things up and correct them. The rules check every use and
record it as an entry.

Pages show the ledger up to the entry of the command; turning a page checks again who may look.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from io import BytesIO
from typing import Literal

import discord
from discord import Interaction, User, app_commands
from discord.app_commands import Choice
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
from cogs.completion import choices, goods_to_set, words
from cogs.inputs import known_person, read_goods, read_span, require_person, seat_of
from cogs.pages import pictured, player_page
from cogs.request import Request
from cogs.router import Router

KINDS = sorted({word for kind in entry_kinds() for word in (kind, *kind.split("."))} - set(games()))
"""The filters of /audit ledger: kinds of entry, and the parts of their names."""

SINCE = ("10m", "30m", "1h", "3h", "1d")
"""The suggestions for ``since``."""


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

    @app_commands.command(name="ledger", description="What happened at this table, entry by entry")
    @app_commands.describe(
        player="Only what this player did or was part of",
        kind="Only this kind of entry, for example: transaction, offer, correction",
        since="Only since then: 30m, 2h, 1d, or an entry's number such as #40",
    )
    async def ledger(
        self,
        interaction: Interaction,
        player: User | None = None,
        kind: str | None = None,
        since: str | None = None,
    ) -> None:
        request = Request(interaction)
        view = await request.last_view()
        person = known_person(view, player) if player else 0
        wanted = (kind or "").strip().casefold()
        if wanted and not any(kind_matches(each, wanted) for each in entry_kinds()):
            raise Refused(
                "", f"There is no kind of entry “{quoted(wanted[:40])}”.", "Pick one as you type."
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

    @app_commands.command(
        name="trade", description="One transaction with everything that led to it and followed"
    )
    @app_commands.describe(number="Which transaction")
    async def trade(self, interaction: Interaction, number: int) -> None:
        request = Request(interaction)
        await request.last_table_id()
        outcome = await request.execute(Audit("trade", number))
        page = TurnAccount(outcome.table_id, outcome.entries[-1].seq - 1, 1, number, trade=True)
        await request.reply(await self._page(request, page))

    @app_commands.command(
        name="player", description="What a player has, where it came from, and their promises"
    )
    @app_commands.describe(player="Whose books")
    async def player(self, interaction: Interaction, player: User) -> None:
        request = Request(interaction)
        view = await request.last_view()
        person = known_person(view, player)
        outcome = await request.execute(Audit("player", person))
        page = TurnAccount(view.id, outcome.entries[-1].seq - 1, 1, person)
        await request.reply(await self._page(request, page))

    @app_commands.command(name="verify", description="Check that nothing in the ledger was changed")
    @app_commands.rename(posted="hash")
    @app_commands.describe(
        posted="A line I posted earlier, such as #41 and its hash, to check that it is still in "
        "the ledger"
    )
    async def verify(
        self, interaction: Interaction, posted: app_commands.Range[str, 1, 200] | None = None
    ) -> None:
        """Check the ledger, compare it with a posted head, and post its present head."""
        request = Request(interaction)
        head = read_head(posted) if posted else None
        if posted and head is None:
            raise Refused(
                "",
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

    @app_commands.command(name="export", description="The ledger as a file, for you only")
    @app_commands.rename(file_format="format")
    @app_commands.describe(file_format="csv: a spreadsheet. json: all entries")
    async def export(self, interaction: Interaction, file_format: Literal["csv", "json"]) -> None:
        request = Request(interaction)
        await request.last_table_id()
        outcome = await request.execute(Audit("export"))
        await request.answer.defer()
        table_id, until_seq = outcome.table_id, outcome.entries[-1].seq - 1
        source = await request.service.export_source(
            table_id, request.requester, until_seq=until_seq
        )
        # a thread keeps the event loop free
        content = await asyncio.to_thread(export, file_format, source)
        await source.free_entries()
        file = discord.File(BytesIO(content), f"table-{table_id}.{FORMATS[file_format]}")
        name = names.escape(outcome.view.name)
        text = f"The ledger of **{name}** up to entry {until_seq}, as far as you may see it."
        await interaction.followup.send(text, file=file, ephemeral=True)

    @app_commands.command(
        name="correct", description="Say what a player really has, and why. Everybody is told"
    )
    @app_commands.rename(written="goods")
    @app_commands.describe(
        player="Whose holdings",
        written="Everything they have now, for example: 3 tg, 2 c. Notes you name go into their "
        "hand",
        reason="Why; everybody reads it",
    )
    async def correct(
        self,
        interaction: Interaction,
        player: User,
        written: str,
        reason: app_commands.Range[str, 1, 200],
    ) -> None:
        """Add a correction to the ledger. Entries are never rewritten."""
        request = Request(interaction)
        one_line = " ".join(reason.split())
        if not one_line:
            raise Refused("", "A correction needs a reason.", "Say in a sentence what went wrong.")
        view = await request.last_view()
        require_person(player)
        goods = read_goods(view, written, view.seat_of_user(player.id))
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

    # ---------------------------------------------------------------- autocomplete

    @ledger.autocomplete("kind")
    async def _kinds(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        return choices(((kind, kind) for kind in KINDS), typed)

    @ledger.autocomplete("since")
    async def _times(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        return words(SINCE, typed)

    @trade.autocomplete("number")
    async def _trades(self, interaction: Interaction, typed: int | str) -> list[Choice[int]]:
        request = Request(interaction)
        view = await request.last_view()
        done = await request.service.transactions(view.id, request.requester)
        labels = (
            (
                f"Transaction {number}: {names.name(view, first)} with {names.name(view, second)}",
                number,
            )
            for number, first, second in done
        )
        return choices(labels, str(typed))

    @correct.autocomplete("written")
    async def _goods(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        return await goods_to_set(Request(interaction), "player", typed)
