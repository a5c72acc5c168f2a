"""The composition root: settings -> ledger -> service -> Discord client -> delivery -> cogs."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import entry_points

import discord
import orjson
import yarl
from discord import app_commands
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.delivery import Budget, Delivery, without_retries
from bot.errors import OperatorError
from bot.ledger import Ledger, LedgerError
from bot.rules.game import GameInfo
from bot.rules.model.actions import CORE_ACTIONS
from bot.rules.registry import games
from bot.service import Service
from bot.settings import Settings
from bot.show.actions import PRESENTATION_ACTIONS
from cogs.answers import Answers
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

# Without the libraries for voice, which Bourse does not use, discord.py would log warnings.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_private_threads=True,
    read_message_history=True,
    attach_files=True,
)
"""The permissions that the bot needs: read and write in a table's channel, open private threads, attach files."""

BOARD_PACE = 1.0
"""The minimum time between two edits of one table's board, in seconds."""


class Tree(app_commands.CommandTree["Bourse"]):
    """The slash commands, which are answered like presses, and whose errors go to `cogs.errors` as well."""

    async def _call(self, interaction: discord.Interaction[Bourse]) -> None:
        # Not a public method, but the only place that all commands and completions pass.
        await self.client.answers.handle(interaction, partial(super()._call, interaction))

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        """Explain an error to the person, or suggest nothing if it happened during autocomplete."""
        if interaction.type is discord.InteractionType.autocomplete:
            if not interaction.response.is_done():
                await interaction.response.autocomplete([])
            return
        await explain(interaction, error)


class Bourse(commands.AutoShardedBot):
    """The Discord client with the service, delivery and all cogs, on an open ledger.

    It asks Discord only for what interactions need: no messages, no members, no presence. ``pace`` is that of boards,
    0 where time stands still; ``budget`` limits the requests, by default as Discord does. Without ``shard_count``,
    Discord says how many shards there are.
    """

    def __init__(
        self,
        settings: Settings,
        ledger: Ledger,
        *,
        shard_count: int | None = None,
        pace: float = BOARD_PACE,
        budget: Budget | None = None,
    ) -> None:
        super().__init__(
            command_prefix=(),  # no text commands, only interactions
            help_command=None,
            tree_cls=Tree,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            shard_count=shard_count,
            guild_ready_timeout=0,  # on_ready need not wait for servers, since nothing is read from the cache
        )
        self.settings = settings
        self.ledger = ledger
        self.service = Service(ledger, discord.utils.utcnow)
        self.answers = Answers()
        self.delivery = Delivery(self, self.service, pace, budget=budget)
        self._caught_up = False

    async def setup_hook(self) -> None:
        """Add the cogs, check that every action has a handler, and register the commands if they changed."""
        context, router = CommandContext(self.service, self.delivery), Router(self.answers)
        for cog in (router, *core_cogs(context, router)):
            await self.add_cog(cog)
        router.check((*CORE_ACTIONS, *PRESENTATION_ACTIONS))
        for game in games().values():
            await self._add_game(game.info, context, router)
        await self._register()

    async def _add_game(self, info: GameInfo, context: CommandContext, router: Router) -> None:
        """Add the commands and buttons of a game from its entry point in ``bourse.cogs``.

        If that fails, the error is logged and the game's commands are left out; the other games are not affected.
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
                if cog.app_command is not None:  # remove_cog looks for the group by the cog's name, not by its own
                    self.tree.remove_command(cog.app_command.name)

    async def on_ready(self) -> None:
        """Deliver what the last run left. Only once, since Discord sends READY again after a lost connection."""
        if not self._caught_up:
            self._caught_up = True
            await self.delivery.start()

    async def close(self) -> None:
        """Disconnect from Discord. The ledger stays open; the code that opened it closes it."""
        await self.delivery.close()
        await super().close()

    async def _register(self) -> None:
        """Register the slash commands with Discord, unless it has them already: it allows 200 creations a day.

        The digest tells whether they changed since the last registration, the names whether Discord still has them.
        """
        guild = discord.Object(self.settings.discord_guild_id) if self.settings.discord_guild_id else None
        if guild:
            self.tree.copy_global_to(guild=guild)
        wanted = [command.to_dict(self.tree) for command in self.tree.get_commands(guild=guild)]
        digest = hashlib.sha256(orjson.dumps(wanted, option=orjson.OPT_SORT_KEYS)).hexdigest()
        key = f"commands:{self.application_id}:{self.settings.discord_guild_id or 'everywhere'}"
        registered = {command.name for command in await self.tree.fetch_commands(guild=guild)}
        if await self.ledger.key_value(key) == digest and registered == {command["name"] for command in wanted}:
            return
        await self.tree.sync(guild=guild)
        await self.ledger.set_key_value(key, digest)


def core_cogs(context: CommandContext, router: Router) -> Sequence[commands.Cog]:
    """Return the commands and buttons of all games."""
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


async def open_ledger(settings: Settings) -> Ledger:
    """Open the ledger of the settings. Raises `OperatorError` when it can't be opened."""
    try:
        return await Ledger.open(settings.database_url)
    except LedgerError as error:
        raise OperatorError(str(error)) from error


async def run(settings: Settings, echo: Callable[[str], object]) -> None:
    """Run on Discord until stopped. ``echo`` writes a line to the operator's terminal.

    Raises `OperatorError` for an error that the operator must fix.
    """
    assert settings.discord_token is not None
    _override_addresses(settings)
    ledger = await open_ledger(settings)
    try:
        async with Bourse(settings, ledger) as bot:
            without_retries(bot)
            await bot.login(settings.discord_token.get_secret_value())
            echo(f"Add me to a server: {invite(bot.application_id or 0)}")
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
    """Return the address that adds the bot to a server, with the permissions it needs."""
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=("bot", "applications.commands"))


def _override_addresses(settings: Settings) -> None:
    """Make discord.py use the REST and gateway addresses of the settings, such as those of a proxy."""
    if settings.discord_api_url:
        Route.BASE = settings.discord_api_url
    if settings.discord_gateway_url:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.discord_gateway_url)


__all__ = ("Bourse", "OperatorError", "invite", "open_ledger", "run")
