"""The app: settings -> ledger -> desk -> Discord client -> cogs."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points

import discord
import orjson
import yarl
from discord import app_commands
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.deadlines import Deadlines
from bot.desk import Desk
from bot.herald import Herald
from bot.ledger import Ledger, LedgerError
from bot.settings import Settings
from bot.stop import Stop
from cogs.asks import Asks
from cogs.audit import Audits
from cogs.deals import Deals
from cogs.door import Door
from cogs.errors import explain
from cogs.help import Help
from cogs.history import History
from cogs.holdings import Holdings
from cogs.negotiations import Negotiations
from cogs.offer_buttons import OfferButtons
from cogs.offers import Offers
from cogs.privacy import Privacy
from cogs.router import Router
from cogs.rulebook import Rulebook
from cogs.tables import Phases, Tables

log = logging.getLogger(__name__)

discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # a table needs no voice

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_private_threads=True,
    read_message_history=True,
    attach_files=True,
)
"""The least that the bot needs: to see and write in a table's channel, to open threads for two, to send files."""


BOARD_PACE = 1.0
"""The least time between two edits of one table's board, in seconds."""


class Tree(app_commands.CommandTree):
    """The slash commands; what goes wrong in one is explained like anything else."""

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        """See `cogs.errors`. A refusal while somebody still types means that there is nothing to offer."""
        if interaction.type is discord.InteractionType.autocomplete:
            if not interaction.response.is_done():
                await interaction.response.autocomplete([])
            return
        await explain(interaction, error)


class Bourse(commands.AutoShardedBot):
    """The Discord client with everything on it. Make it with `build`."""

    def __init__(self, settings: Settings, ledger: Ledger, shard_count: int | None, pace: float) -> None:
        super().__init__(
            command_prefix=(),
            help_command=None,
            tree_cls=Tree,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            shard_count=shard_count,
            guild_ready_timeout=0,
        )
        self.settings = settings
        self.ledger = ledger
        self.desk = Desk(ledger, discord.utils.utcnow)
        self.deadlines = Deadlines(discord.utils.utcnow, self._due)
        self.herald = Herald(self, self.desk, lambda look: self.deadlines.note(look.table_id, look.table), pace)
        self.door = Door(self.desk, self.herald)
        self._caught_up = False

    async def setup_hook(self) -> None:
        """Add the cogs and register the commands if they changed."""
        router = Router()
        for cog in (
            router,
            Tables(self.door),
            Phases(self.door),
            Offers(self.door, OfferButtons(self.door, router)),
            Holdings(self.door),
            Negotiations(self.door, router),
            Deals(self.door, router),
            Asks(self.door, router),
            *(cog for point in entry_points(group="bourse.cogs") for cog in point.load()(self.door, router)),
            Rulebook(self.door),
            Audits(self.door, router),
            History(self.door, router),
            Privacy(self.door, router),
            Help(self.door),
        ):
            await self.add_cog(cog)
        await self._register()

    async def on_ready(self) -> None:
        """Deliver what is owed, once a start; a dropped connection comes by here again."""
        if not self._caught_up:
            self._caught_up = True
            await self.herald.catch_up()

    async def close(self) -> None:
        """Leave Discord; the ledger is closed by whoever opened it."""
        self.deadlines.stop()
        self.herald.close()
        await super().close()

    async def _due(self, table_id: int) -> None:
        """The clock reached a table's deadline."""
        await self.desk.tick(table_id)
        await self.herald.deliver(table_id)

    async def _register(self) -> None:
        """Register the slash commands, only when they are not what Discord has: 200 a day may be created."""
        guild = discord.Object(self.settings.discord_guild_id) if self.settings.discord_guild_id else None
        if guild:
            self.tree.copy_global_to(guild=guild)
        wanted = [command.to_dict(self.tree) for command in self.tree.get_commands(guild=guild)]
        digest = hashlib.sha256(orjson.dumps(wanted, option=orjson.OPT_SORT_KEYS)).hexdigest()
        key = f"commands:{self.application_id}:{self.settings.discord_guild_id or 'everywhere'}"
        registered = {command.name for command in await self.tree.fetch_commands(guild=guild)}
        if await self.ledger.mark(key) == digest and registered == {command["name"] for command in wanted}:
            return
        await self.tree.sync(guild=guild)
        await self.ledger.set_mark(key, digest)


async def build(
    settings: Settings, *, ledger: Ledger, shard_count: int | None = None, pace: float = BOARD_PACE
) -> Bourse:
    """The bot on an open ledger, not connected to Discord yet. Where time stands still, ``pace`` is 0."""
    return Bourse(settings, ledger, shard_count, pace)


async def open_ledger(settings: Settings) -> Ledger:
    """The ledger of the settings. Raises `Stop` when it cannot be opened."""
    try:
        return await Ledger.open(settings.database_url)
    except LedgerError as error:
        raise Stop(str(error)) from error


async def run(settings: Settings, say: Callable[[str], object]) -> None:
    """Run on Discord until stopped; ``say`` takes lines for the owner's terminal.

    Raises `Stop` for what the owner must mend.
    """
    assert settings.discord_token is not None
    _point_at(settings)
    ledger = await open_ledger(settings)
    try:
        bot = await build(settings, ledger=ledger)
        async with bot:
            await bot.login(settings.discord_token.get_secret_value())
            say(f"Add me to a server: {invite(bot.application_id or 0)}")
            await bot.connect()
    except discord.LoginFailure:
        raise Stop("Discord rejected DISCORD_TOKEN. Copy it anew from your application's Bot page.") from None
    except discord.Forbidden:
        raise Stop(
            f"Discord will not let me register commands in server {settings.discord_guild_id}. "
            "Invite me there first, or take DISCORD_GUILD_ID out."
        ) from None
    except (discord.GatewayNotFound, OSError) as error:
        raise Stop(f"Discord can't be reached: {type(error).__name__}. Is this machine online?") from None
    finally:
        await ledger.close()


def invite(application_id: int) -> str:
    """The address that adds the bot to a server with no more permissions than it needs."""
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=("bot", "applications.commands"))


def _point_at(settings: Settings) -> None:
    """Let discord.py use another REST or gateway address, as behind a gateway proxy."""
    if settings.discord_api_url:
        Route.BASE = settings.discord_api_url
    if settings.discord_gateway_url:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.discord_gateway_url)


__all__: Sequence[str] = ("Bourse", "Stop", "build", "invite", "open_ledger", "run")
