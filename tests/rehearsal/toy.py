"""A small bot with a ledger of one column, to test the runner without Bourse."""

from __future__ import annotations

import asyncio
import io
import sqlite3

import discord
from discord import app_commands, ui
from discord.ext import commands
from PIL import Image
from sqlalchemy.engine import make_url

from bot.rehearsal.grammar import read_play
from bot.rehearsal.plays import run_play
from bot.rehearsal.report import Report

DUPLICATES = ("Salt", "Salt", "Iron", "Wine")


class Notes:
    """The rows that a play's ``records`` looks at."""

    def __init__(self, url: str) -> None:
        self._rows = sqlite3.connect(str(make_url(url).database), isolation_level=None)
        self._rows.execute("PRAGMA journal_mode = WAL")
        self._rows.execute("CREATE TABLE IF NOT EXISTS entries (table_id INT, seq INT, kind TEXT)")

    def add(self, *kinds: str, table: int = 1) -> None:
        for kind in kinds:
            seq = (
                1
                + self._rows.execute(
                    "SELECT count(*) FROM entries WHERE table_id = ?", (table,)
                ).fetchone()[0]
            )
            self._rows.execute("INSERT INTO entries VALUES (?, ?, ?)", (table, seq, kind))

    @property
    def messages(self) -> Notes:
        return self

    async def flush(self) -> None:
        pass

    async def close(self) -> None:
        self._rows.close()


async def toy(url: str, chance: str = "play") -> tuple[discord.Client, Notes]:
    notes = Notes(url)
    return Toy(notes), notes


def played(text: str) -> Report:
    """Run a play on the toy."""
    return run_play(read_play(text, "toy.play"), factory=toy)


def why(text: str) -> str:
    """Run a play that goes wrong, and give what is told of it."""
    report = played(text)
    assert not report.ok, "everything went as expected"
    return str(report)


def card(number: int, text: str, *labels: str, greyed: bool = False) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    box: ui.Container[ui.LayoutView] = ui.Container(
        ui.TextDisplay(f"## Offer {number}"), ui.TextDisplay(text)
    )
    if labels:
        row: ui.ActionRow[ui.LayoutView] = ui.ActionRow()
        for label in labels:
            row.add_item(
                ui.Button(label=label, custom_id=f"{label.lower()}:{number}", disabled=greyed)
            )
        box.add_item(row)
    view.add_item(box)
    view.stop()
    return view


class Toy(commands.AutoShardedBot):
    def __init__(self, notes: Notes) -> None:
        super().__init__("!", intents=discord.Intents(guilds=True), shard_count=1)
        self.notes = notes
        self.offers = 0

    async def setup_hook(self) -> None:
        await self.add_cog(Commands(self))
        await self.tree.sync()

    async def on_interaction(self, ask: discord.Interaction) -> None:
        data = ask.data or {}
        if ask.type is discord.InteractionType.modal_submit:
            await self.submitted(ask)
        elif ask.type is discord.InteractionType.component:
            word, _, number = str(data["custom_id"]).partition(":")
            await getattr(self, f"on_{word}")(ask, number)

    async def on_accept(self, ask: discord.Interaction, number: str) -> None:
        self.notes.add("signature.given", "transaction")
        await ask.response.edit_message(view=card(int(number), f"Accepted by {ask.user.mention}"))

    async def on_decline(self, ask: discord.Interaction, number: str) -> None:
        await ask.response.defer()
        assert ask.message is not None
        await ask.message.edit(view=card(int(number), "Declined", "Accept", greyed=True))

    async def on_counter(self, ask: discord.Interaction, number: str) -> None:
        await ask.response.send_modal(form(number))

    async def on_pick(self, ask: discord.Interaction, number: str) -> None:
        values = ", ".join((ask.data or {}).get("values", ()))
        await ask.response.send_message(f"picked {values} in {number}", ephemeral=True)

    async def submitted(self, ask: discord.Interaction) -> None:
        told = []
        for row in (ask.data or {})["components"]:
            child = row.get("component")
            if child is None:
                continue
            told.append(f"{child['custom_id']}={child.get('value', child.get('values'))}")
        await ask.response.send_message("; ".join(told), ephemeral=True)


def form(number: str) -> ui.Modal:
    modal = ui.Modal(title=f"Counter offer {number}", custom_id=f"counter:{number}", timeout=None)
    goods = [
        discord.SelectOption(label=label, value=f"{i}", default=i == 2)
        for i, label in enumerate(DUPLICATES)
    ]
    modal.add_item(ui.TextDisplay("What do you **give**?"))
    modal.add_item(
        ui.Label(
            text="Terms",
            description="In words",
            component=ui.TextInput(custom_id="terms", default="3 tg"),
        )
    )
    modal.add_item(
        ui.Label(
            text="Goods",
            component=ui.Select(
                custom_id="goods", options=goods, min_values=0, max_values=3, required=False
            ),
        )
    )
    modal.add_item(
        ui.Label(
            text="Note", component=ui.TextInput(custom_id="note", required=False, max_length=9)
        )
    )
    modal.stop()
    return modal


class Commands(commands.Cog):
    def __init__(self, bot: Toy) -> None:
        self.bot = bot

    offer = app_commands.Group(name="offer", description="offers")

    @offer.command()
    async def post(
        self, ask: discord.Interaction, give: str, to: discord.User | None = None
    ) -> None:
        """Post an offer."""
        await ask.response.defer(ephemeral=True)
        self.bot.offers += 1
        number = self.bot.offers
        self.bot.notes.add("offer.posted")
        assert isinstance(ask.channel, discord.abc.Messageable)
        await ask.channel.send(
            view=card(number, f"gives **{give}**", "Accept", "Decline", "Counter")
        )
        told = "posted"
        if to is not None:
            try:
                await to.send(
                    view=card(number, f"for you: **{give}** from {ask.user.mention}", "Accept")
                )
            except discord.Forbidden as error:
                told = f"posted, but {to.mention} could not be told ({error.status}, {error.code})"
        await ask.edit_original_response(content=told)

    @app_commands.command()
    async def refuse(self, ask: discord.Interaction, how: str = "well") -> None:
        """Refuse, well or badly."""
        if how == "growing":
            self.bot.notes.add("offer.posted")
        if how == "modal":
            await ask.response.send_modal(form("0"))
            return
        await ask.response.send_message("**No.** [94.1] Once a turn.", ephemeral=how != "publicly")

    @app_commands.command()
    async def pick(self, ask: discord.Interaction, several: bool = False) -> None:
        """Show selects."""
        goods = [
            discord.SelectOption(label=label, value=f"v{i}") for i, label in enumerate(DUPLICATES)
        ]
        view = ui.LayoutView(timeout=None)
        view.add_item(
            ui.ActionRow(
                ui.Select(custom_id="pick:goods", placeholder="Goods", options=goods, max_values=3)
            )
        )
        if several:
            view.add_item(
                ui.ActionRow(ui.Select(custom_id="pick:more", placeholder="More", options=goods))
            )
            view.add_item(
                ui.ActionRow(
                    ui.Select(custom_id="pick:no", placeholder="Shut", options=goods, disabled=True)
                )
            )
        view.stop()
        await ask.response.send_message(view=view, ephemeral=True)

    @app_commands.command()
    async def history(self, ask: discord.Interaction) -> None:
        """Show two buttons of one label."""
        view = ui.LayoutView(timeout=None)
        for number in (1, 2):
            view.add_item(ui.ActionRow(ui.Button(label="Undo", custom_id=f"undo:{number}")))
        view.stop()
        await ask.response.send_message(view=view, ephemeral=True)

    @app_commands.command()
    @app_commands.choices(colour=[app_commands.Choice(name="Red as blood", value="r")])
    async def typed(
        self,
        ask: discord.Interaction,
        text: str = "",
        whole: app_commands.Range[int, 1, 9] | None = None,
        part: float | None = None,
        flag: bool | None = None,
        who: discord.User | None = None,
        where: discord.TextChannel | None = None,
        colour: str | None = None,
    ) -> None:
        """Say what came."""
        person = who.mention if who else None
        told = f"{text!r} {whole!r} {part!r} {flag!r} {person} {colour}"
        await ask.response.send_message(told, ephemeral=True)

    @app_commands.command()
    async def seat(
        self, ask: discord.Interaction, faction: str, player: discord.User | None = None
    ) -> None:
        """Sit down."""
        await ask.response.send_message(f"sits as {faction}")

    @seat.autocomplete("faction")
    async def factions(self, ask: discord.Interaction, text: str) -> list[app_commands.Choice[str]]:
        if text == "many":
            return [app_commands.Choice(name=f"{n}", value=f"{n}") for n in range(26)]
        player = getattr(ask.namespace, "player", None)
        found = [name for name in ("Hacan", "Sol") if text.lower() in name.lower()]
        return [
            app_commands.Choice(name=f"{name} for {player.id}" if player else name, value=name)
            for name in found
        ]

    @app_commands.command()
    async def picture(self, ask: discord.Interaction, sound: bool) -> None:
        """Send a picture."""
        data = io.BytesIO()
        Image.new("RGB", (4, 4)).save(data, "PNG")
        raw = data.getvalue() if sound else data.getvalue()[:40]
        await ask.response.send_message(
            file=discord.File(io.BytesIO(raw), "hand.png"), ephemeral=True
        )

    @app_commands.command()
    @app_commands.guild_only()
    async def talk(self, ask: discord.Interaction, to: discord.Member) -> None:
        """Open a private thread."""
        assert isinstance(ask.channel, discord.TextChannel)
        thread = await ask.channel.create_thread(
            name="Quiet", type=discord.ChannelType.private_thread
        )
        await thread.send("before you came")
        await thread.add_user(to)
        await thread.send(f"Welcome {to.mention} to {thread.mention}")
        await ask.response.send_message("opened", ephemeral=True)

    @app_commands.command()
    async def boom(self, ask: discord.Interaction) -> None:
        """Raise."""
        await ask.response.send_message("well", ephemeral=True)
        raise RuntimeError("stock ran out")

    @app_commands.command()
    async def mute(self, ask: discord.Interaction) -> None:
        """Say nothing."""

    @app_commands.command()
    async def later(self, ask: discord.Interaction) -> None:
        """Say something in five minutes."""
        channel, loop = ask.channel, asyncio.get_running_loop()
        assert isinstance(channel, discord.abc.Messageable)
        at = int(discord.utils.utcnow().timestamp()) + 300

        async def tell() -> None:
            self.bot.notes.add("deal.expired")
            await channel.send("Time is up")

        self.bot.pending = loop.call_later(
            300, lambda: setattr(self.bot, "telling", loop.create_task(tell()))
        )
        await ask.response.send_message(f"It ends <t:{at}:R>")

    @app_commands.command()
    async def remembered(self, ask: discord.Interaction) -> None:
        """Say how many offers are in memory."""
        await ask.response.send_message(
            f"{self.bot.offers} offers; {discord.utils.utcnow():%H:%M}", ephemeral=True
        )

    @app_commands.command()
    @app_commands.default_permissions(manage_guild=True)
    async def audit(self, ask: discord.Interaction) -> None:
        """Moderators only."""
        await ask.response.send_message("all is well", ephemeral=True)
