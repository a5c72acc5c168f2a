"""/audit: what moderators and hosts may look up and mend. Every use is checked, and is an entry itself.

Pages are drawn from the ledger up to the entry at which they were asked for; turning one asks again who may look.
"""

from __future__ import annotations

import asyncio
from io import BytesIO
from typing import Literal

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.desk import Here, Look, Outcome
from bot.exports import FORMATS, Format, Source, export
from bot.ledger import LedgerError
from bot.rules.audits import require_auditor
from bot.rules.books import seat_of
from bot.rules.commands import Audit, Command, SetHoldings
from bot.rules.entries import CORE
from bot.rules.game import games
from bot.rules.ruling import Refused
from bot.show import names
from bot.show.audit import Filter, Page, ledger_card, player_card, trade_card, verify_card
from bot.show.cards import Card
from cogs.complete import choices, complete_goods
from cogs.door import Door, answer, asker, goods, person
from cogs.offers import span
from cogs.pages import Opened, opened, pictured, turned
from cogs.router import Router

WHERE = r"(?P<table>\d+):(?P<upto>\d+):(?P<page>\d+)"
KINDS = sorted(
    {kind.model_fields["kind"].default for game in games().values() for kind in (*CORE, *game.entries)}
    | {kind.model_fields["kind"].default.split(".")[0] for game in games().values() for kind in (*CORE, *game.entries)}
)
"""What /audit ledger can be filtered by: kinds of entry, and what several begin with."""

SINCE = ("10m", "30m", "1h", "3h", "1d")


@app_commands.guild_only()
class Audits(commands.GroupCog, group_name="audit", group_description="For moderators and hosts: the ledger"):
    """Everything about the moderators' ledger."""

    def __init__(self, door: Door, router: Router) -> None:
        self._door = door
        router.route(rf"audit:ledger:{WHERE}:(?P<who>\d+),(?P<kind>[a-z.]*),(?P<since>\d+)", self.turned_ledger)
        router.route(rf"audit:trade:{WHERE}:(?P<number>\d+)", self.turned_trade)
        router.route(rf"audit:player:{WHERE}:(?P<who>\d+)", self.turned_player)

    @app_commands.command(name="ledger", description="What happened at this table, entry by entry")
    @app_commands.describe(
        player="Only what this player did or was part of",
        kind="Only this kind of entry, for example: transaction, offer, correction",
        since="Only from then on: 30m, 2h, 1d, or an entry's number such as #40",
    )
    async def ledger(
        self,
        interaction: discord.Interaction,
        player: discord.User | None = None,
        kind: str | None = None,
        since: str | None = None,
    ) -> None:
        """Show the ledger in pages."""
        look = await self._allowed(interaction)
        who = self._known(look, player) if player else 0
        chosen = (kind or "").strip().casefold()
        if chosen and chosen not in KINDS:
            raise Refused("", f"There is no kind of entry “{names.escape(chosen[:40])}”.", "Pick one as you type.")
        when = _Since(since)
        outcome = await self._look(interaction, "ledger")
        upto = outcome.entries[-1].seq - 1
        book = await opened(self._door, outcome.after.table_id, upto, interaction.user.id, audits=True)
        first = when.first(book, outcome.entries[-1].at)
        page = Page("audit:ledger", upto, filters=f"{who},{chosen},{first}")
        card = ledger_card(book.look, book.life, book.viewer, page, Filter(who, chosen, first))
        await self._said(interaction, outcome, card)

    @app_commands.command(name="trade", description="One transaction with everything that led to it and followed")
    @app_commands.describe(number="Which transaction")
    async def trade(self, interaction: discord.Interaction, number: int) -> None:
        """Show the whole story of a transaction."""
        outcome = await self._look(interaction, "trade", number)
        upto = outcome.entries[-1].seq - 1
        book = await opened(self._door, outcome.after.table_id, upto, interaction.user.id, audits=True)
        page = Page("audit:trade", upto, filters=str(number))
        await self._said(interaction, outcome, trade_card(book.look, book.life, book.viewer, page, number))

    @app_commands.command(name="player", description="What a player has and how it came, and their promises")
    @app_commands.describe(player="Whose books")
    async def player(self, interaction: discord.Interaction, player: discord.User) -> None:
        """Show one player's books."""

        def make(here: Here) -> Audit:
            about = self._known(here.look, player)
            return Audit(by=here.me, moderator=here.asker.moderator, what="player", about=about)

        look = await self._allowed(interaction)
        outcome = await self._door.do(interaction, make, table_id=look.table_id)
        upto = outcome.entries[-1].seq - 1
        who = self._known(outcome.after, player)
        book = await opened(self._door, outcome.after.table_id, upto, interaction.user.id, audits=True)
        page = Page("audit:player", upto, filters=str(who))
        await self._said(interaction, outcome, await self._books(book, page, who))

    @app_commands.command(name="verify", description="Whether anything in the ledger was changed since it was written")
    async def verify(self, interaction: discord.Interaction) -> None:
        """Check the hash chain, and have its head posted."""
        try:
            outcome = await self._look(interaction, "verify")
        except LedgerError:
            await self._unreadable(interaction)
            return
        if not interaction.response.is_done():
            await interaction.response.defer(ephemeral=True)
        look = outcome.after
        await self._said(interaction, outcome, await self._checked(look.table_id, look.table.name))

    @app_commands.command(name="export", description="The ledger as a file, for you only")
    @app_commands.rename(form="format")
    @app_commands.describe(form="csv: for a spreadsheet. json: every entry a line. beancount: a double-entry journal")
    async def export(self, interaction: discord.Interaction, form: Literal["csv", "json", "beancount"]) -> None:
        """Send the ledger as a file."""
        outcome = await self._look(interaction, "export")
        if not interaction.response.is_done():
            await interaction.response.defer(ephemeral=True)
        table_id, upto = outcome.after.table_id, outcome.entries[-1].seq - 1
        book = await opened(self._door, table_id, upto, interaction.user.id, audits=True)
        content = await written(self._door, book, form, upto)
        suffix = FORMATS[form]
        file = discord.File(BytesIO(content), f"table-{table_id}.{suffix}")
        told = f"The ledger of **{names.escape(book.look.table.name)}** up to entry {upto}, as far as you may see it."
        await interaction.followup.send(told, file=file, ephemeral=True)
        await self._door.tell(interaction, outcome)

    @app_commands.command(name="correct", description="Say what a player really has, and why. Everybody is told")
    @app_commands.rename(written_goods="goods")
    @app_commands.describe(
        player="Whose holdings",
        written_goods="All they have now, for example: 3 tg, 2 c. A note that is named comes to their hand",
        reason="Why; everybody reads it",
    )
    async def correct(
        self,
        interaction: discord.Interaction,
        player: discord.User,
        written_goods: str,
        reason: app_commands.Range[str, 1, 200],
    ) -> None:
        """Add a correction to the ledger; nothing is ever rewritten."""
        why = " ".join(reason.split())
        if not why:
            raise Refused("", "A correction needs a reason.", "Say in a sentence what went wrong.")

        def make(here: Here) -> SetHoldings:
            require_auditor(here.table, Command(by=here.me, moderator=here.asker.moderator))
            who = person(here, player)
            sits = here.table.seat_of(who)
            return SetHoldings(
                by=here.me,
                moderator=here.asker.moderator,
                person=who,
                goods=goods(here.look, written_goods, sits.id if sits else None),
                reason=why,
            )

        outcome = await self._door.do(interaction, make, table_id=await self._door.last_table_id(interaction))
        seq = outcome.entries[-1].seq
        await answer(
            interaction, f"Entry {seq} corrects what {player.mention} has, and everybody is told in the channel."
        )
        await self._door.tell(interaction, outcome)

    async def _checked(self, table_id: int, name: str) -> Card:
        """What checking a table's chain comes to."""
        ledger = self._door.desk.ledger
        bad = await ledger.verify(table_id)
        seq, head = await ledger.head(table_id)
        return verify_card(table_id, name, bad.seq if bad else seq, head, bad.why if bad else None)

    async def _unreadable(self, interaction: discord.Interaction) -> None:
        """Of a ledger that was changed so that it can't even be read nobody knows the host; moderators are told why."""
        row = await self._door.desk.ledger.table(await self._door.last_table_id(interaction))
        if row is None or not asker(interaction).moderator:
            raise Refused("", "This table's ledger can't be read.", "Somebody who may manage the server can say why.")
        await answer(interaction, await self._checked(row.id, row.name))

    # ---------------------------------------------------------------- pages

    async def turned_ledger(
        self, interaction: discord.Interaction, table: str, upto: str, page: str, who: str, kind: str, since: str
    ) -> None:
        """A button under the ledger."""
        book = await self._again(interaction, int(table), int(upto))
        this = Page("audit:ledger", int(upto), int(page), f"{who},{kind},{since}")
        only = Filter(int(who), kind, int(since))
        await turned(interaction, ledger_card(book.look, book.life, book.viewer, this, only))

    async def turned_trade(
        self, interaction: discord.Interaction, table: str, upto: str, page: str, number: str
    ) -> None:
        """A button under a transaction's story."""
        book = await self._again(interaction, int(table), int(upto))
        this = Page("audit:trade", int(upto), int(page), number)
        await turned(interaction, trade_card(book.look, book.life, book.viewer, this, int(number)))

    async def turned_player(self, interaction: discord.Interaction, table: str, upto: str, page: str, who: str) -> None:
        """A button under a player's books."""
        book = await self._again(interaction, int(table), int(upto))
        this = Page("audit:player", int(upto), int(page), who)
        await turned(interaction, await self._books(book, this, int(who)))

    async def _again(self, interaction: discord.Interaction, table_id: int, upto: int) -> Opened:
        """A page is turned: the same look goes on, if whoever looks still may. Raises `Refused`."""
        self._require(await self._door.desk.look(table_id), interaction)
        return await opened(self._door, table_id, upto, interaction.user.id, audits=True)

    # ---------------------------------------------------------------- inside

    async def _books(self, book: Opened, page: Page, who: int) -> Card:
        """A player's books; on the first page with the game's story drawn."""
        card = player_card(book.look, book.life, book.viewer, page, who)
        return card if page.number > 1 else await pictured(card, book, seat_of(book.life, who))

    async def _allowed(self, interaction: discord.Interaction) -> Look:
        """The table of this channel, open or the last that was, for who may audit it. Raises `Refused`."""
        look = await self._door.desk.look(await self._door.last_table_id(interaction))
        self._require(look, interaction)
        return look

    def _require(self, look: Look, interaction: discord.Interaction) -> None:
        who, known = asker(interaction), look.person(interaction.user.id)
        try:
            require_auditor(look.table, Command(by=known.number if known else 0, moderator=who.moderator))
        except Refused as refused:
            ruling = refused.ruling
            raise Refused(ruling.rule, ruling.why, names.tell(look, ruling.remedy)) from None

    async def _look(
        self,
        interaction: discord.Interaction,
        what: Literal["ledger", "trade", "player", "verify", "export"],
        about: int | None = None,
    ) -> Outcome:
        """Record that somebody looks; whoever may not is refused. Raises `Refused`."""
        table_id = await self._door.last_table_id(interaction)
        return await self._door.do(
            interaction,
            lambda here: Audit(by=here.me, moderator=here.asker.moderator, what=what, about=about),
            table_id=table_id,
        )

    async def _said(self, interaction: discord.Interaction, outcome: Outcome, card: Card) -> None:
        await answer(interaction, card)
        await self._door.tell(interaction, outcome)

    def _known(self, look: Look, player: discord.abc.User) -> int:
        """The number of somebody known at the table. Raises `Refused`."""
        known = look.person(player.id)
        if known is None:
            raise Refused("", f"{player.mention} has had no part in this table.", "Name somebody who plays or hosts.")
        return known.number

    # ---------------------------------------------------------------- as somebody types

    @ledger.autocomplete("kind")
    async def _kinds(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        return choices(((kind, kind) for kind in KINDS), typed)

    @ledger.autocomplete("since")
    async def _times(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        own = [typed.strip()] if typed.strip() and typed.strip() not in SINCE else []
        return choices(((each, each) for each in (*own, *SINCE)), typed)

    @trade.autocomplete("number")
    async def _trades(self, interaction: discord.Interaction, typed: int | str) -> list[Choice[int]]:
        look = await self._door.desk.look(await self._door.last_table_id(interaction))
        done = [offer for offer in look.table.offers.values() if offer.transaction and offer.to]
        labels = [
            (f"{o.transaction}: {names.name(look, o.seat)} and {names.name(look, o.to or '')}", o.transaction or 0)
            for o in sorted(done, key=lambda offer: -(offer.transaction or 0))
        ]
        return choices(labels, str(typed))

    @correct.autocomplete("written_goods")
    async def _goods(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        look = await self._door.look(interaction)
        who = getattr(interaction.namespace, "player", None)
        return complete_goods(look, look.seat(who.id) if who else None, typed, own=False)


async def written(door: Door, book: Opened, form: Format, upto: int) -> bytes:
    """A table's ledger as a file, for whoever has it opened."""
    published = await door.desk.ledger.published(book.look.table_id, upto=upto)
    sealed = await door.desk.ledger.sealed(book.look.table_id)
    source = Source(book.look.table_id, book.look.people, book.life, published, sealed, book.viewer)
    return await asyncio.to_thread(export, form, source)


class _Since:
    """From when on: a span of time, or an entry's number. Raises `Refused` for anything else."""

    def __init__(self, text: str | None) -> None:
        self._number, self._span = 0, None
        if text and (number := text.strip().removeprefix("#")).isdigit():
            self._number = int(number[:9])
        elif text:
            self._span = span(text)

    def first(self, book: Opened, now: int) -> int:
        """The number of the first entry that counts."""
        if self._span is None:
            return self._number
        seqs = (step.recorded.seq for step in book.life if step.recorded.at >= now - (self._span or 0))
        return next(seqs, len(book.life) + 1)
