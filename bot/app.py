"""The app, where everything is put together: settings -> ledger -> service -> Discord client -> delivery -> cogs."""

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

from bot.delivery import Delivery
from bot.errors import OperatorError
from bot.ledger import Ledger, LedgerError
from bot.rules.game import GameInfo
from bot.rules.model.actions import CORE_ACTIONS
from bot.rules.registry import games
from bot.service import Service
from bot.settings import Settings
from bot.show.actions import PRESENTATION_ACTIONS
from cogs.audit import Audits
from cogs.context import CommandContext
from cogs.deals import Deals
from cogs.errors import explain
from cogs.help import Help
from cogs.history import History
from cogs.holdings import Holdings
from cogs.negotiations import Negotiations
from cogs.offer_buttons import OfferButtons
from cogs.offers import Offers
from cogs.phases import Phases
from cogs.privacy import Privacy
from cogs.prompts import Prompts
from cogs.router import Router
from cogs.rulebook import Rulebook
from cogs.tables import Tables

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
        """See `cogs.errors`. A refusal while a person still types means that there is nothing to offer."""
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
        self.service = Service(ledger, discord.utils.utcnow)
        self.delivery = Delivery(self, self.service, pace)
        self._caught_up = False

    async def setup_hook(self) -> None:
        """Add the cogs and register the commands if they changed."""
        context, router = CommandContext(self.service, self.delivery), Router()
        for cog in (router, *core_cogs(context, router)):
            await self.add_cog(cog)
        router.check((*CORE_ACTIONS, *PRESENTATION_ACTIONS))
        for game in games().values():
            await self._add_game(game.info, context, router)
        await self._register()

    async def _add_game(self, info: GameInfo, context: CommandContext, router: Router) -> None:
        """Add the commands and buttons of a game, as its entry point in ``bourse.cogs`` names them.

        A package that can't be loaded is left out with a line in the log; the other games run on.
        """
        added: list[commands.Cog] = []
        try:
            for point in entry_points(group="bourse.cogs", name=info.id):
                for cog in point.load()(context, router):
                    await self.add_cog(cog)
                    added.append(cog)
            router.check(info.actions)
        except Exception:
            log.exception("the commands of the game %s are left out: they can't be loaded", info.id)
            for cog in added:
                await self.remove_cog(cog.qualified_name)
                if cog.app_command is not None:  # discord.py looks for a group by its cog's name, not by its own
                    self.tree.remove_command(cog.app_command.name)

    async def on_ready(self) -> None:
        """Deliver what the last run left, once a start; a dropped connection comes by here again."""
        if not self._caught_up:
            self._caught_up = True
            await self.delivery.catch_up()

    async def close(self) -> None:
        """Leave Discord. The ledger stays open for the code that opened it."""
        self.delivery.close()
        await super().close()

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


def core_cogs(context: CommandContext, router: Router) -> Sequence[commands.Cog]:
    """Return the commands and buttons that every game has."""
    return (
        Tables(context),
        Phases(context),
        Offers(context, OfferButtons(context, router)),
        Holdings(context),
        Negotiations(context, router),
        Deals(context, router),
        Prompts(context, router),
        Rulebook(context),
        Audits(context, router),
        History(context, router),
        Privacy(context, router),
        Help(context),
    )


async def build(
    settings: Settings, *, ledger: Ledger, shard_count: int | None = None, pace: float = BOARD_PACE
) -> Bourse:
    """Return the bot on an open ledger, not connected to Discord yet. Where time stands still, ``pace`` is 0."""
    return Bourse(settings, ledger, shard_count, pace)


async def open_ledger(settings: Settings) -> Ledger:
    """Open the ledger of the settings. Raises `OperatorError` when it can't be opened."""
    try:
        return await Ledger.open(settings.database_url)
    except LedgerError as error:
        raise OperatorError(str(error)) from error


async def run(settings: Settings, say: Callable[[str], object]) -> None:
    """Run on Discord until stopped; ``say`` takes lines for the operator's terminal.

    Raises `OperatorError` for what the operator must fix.
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
        raise OperatorError("Discord rejected DISCORD_TOKEN. Copy it anew from your application's Bot page.") from None
    except discord.Forbidden:
        raise OperatorError(
            f"Discord will not let me register commands in server {settings.discord_guild_id}. "
            "Invite me there first, or take DISCORD_GUILD_ID out."
        ) from None
    except (discord.GatewayNotFound, OSError) as error:
        raise OperatorError(f"Discord can't be reached: {type(error).__name__}. Is this machine online?") from None
    finally:
        await ledger.close()


def invite(application_id: int) -> str:
    """Return the address that adds the bot to a server with no more permissions than it needs."""
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=("bot", "applications.commands"))


def _point_at(settings: Settings) -> None:
    """Let discord.py use another REST or gateway address, as behind a gateway proxy."""
    if settings.discord_api_url:
        Route.BASE = settings.discord_api_url
    if settings.discord_gateway_url:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.discord_gateway_url)


__all__: Sequence[str] = ("Bourse", "OperatorError", "build", "invite", "open_ledger", "run")
