"""``bourse check``: looks at everything that running the bot needs, and says what is right and what
to do.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import aiohttp
import discord

from bot.app import NEEDED, invite
from bot.cli.output import Echo
from bot.discord_hooks import forget_session, override_addresses, own_guilds, without_voice
from bot.errors import OperatorError
from bot.ledger import Ledger, LedgerError, database_name, key_source, stored_format
from bot.lifecycle import folder_fault, intents, is_passing, sentence
from bot.lifecycle.failures import describe_error
from bot.rules.game_checks import storage_faults
from bot.rules.registry import games, left_out, named
from bot.rules.vocabulary import unreadable
from bot.settings import Settings, env_file_warning
from bot.show.guide import PERMISSIONS

Finding = tuple[str, str, str]
"""Whether it is right, the part of what running the bot needs, and a sentence."""

RIGHT, TO_DO = "right  ", "TO DO  "  # as wide as one another


async def check_all(settings: Settings, echo: Echo) -> int:
    """Check settings, games, database, key, backups and Discord. Write a line for each, and return
    the exit code.

    The code is 1 if there is something to do. Nothing is changed, in the database or at Discord.
    """
    code = 0
    async for mark, what, text in _findings(settings):
        echo(f"{mark} {what}: {text}")
        if mark is TO_DO:
            code = 1
    return code


async def _findings(settings: Settings) -> AsyncIterator[Finding]:
    if remark := env_file_warning():
        yield TO_DO, "settings", remark
    else:
        yield RIGHT, "settings", "each has a value that works."
    for finding in _games():
        yield finding
    try:
        text, unread = await _database(settings)
        yield RIGHT, "database", text
        for line in unread:
            cure = "Install a version that reads it, or close the tables: bourse tables."
            yield TO_DO, "games", f"{line} {cure}"
    except (OperatorError, LedgerError) as error:
        yield TO_DO, "database", str(error)
    if settings.database_url.startswith("sqlite"):
        yield _backups(settings)
    if settings.discord_token is None:
        yield (
            TO_DO,
            "token",
            "DISCORD_TOKEN is not set, so bourse opens a rehearsal table. Copy it from the page "
            "Bot of your application at Discord's developer portal.",
        )
        return
    without_voice()
    override_addresses(settings.discord_api_url, settings.discord_gateway_url)
    client = discord.Client(intents=intents(messages=settings.bourse_messages == "on"))
    try:
        await client.login(settings.discord_token.get_secret_value())
        async for finding in _discord(client, settings):
            yield finding
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        passing = is_passing(error)
        why = describe_error(error) if passing else sentence(error, settings.discord_guild_id)
        yield TO_DO, "Discord", why
    finally:
        await client.close()
        await forget_session(client)


def _games() -> Iterator[Finding]:
    for point, why in left_out().items():
        cure = "Update that package, or remove it."
        yield TO_DO, "games", f"{named(point)} is left out: {why} {cure}"
    for name, game in games().items():
        for fault in storage_faults(game.features):
            yield TO_DO, "games", f"{name}: {fault} Install Bourse again."
    if games():
        yield RIGHT, "games", f"{', '.join(game.info.name for game in games().values())}."
    else:
        yield TO_DO, "games", "none is installed, so nobody can open a table."


def _backups(settings: Settings) -> Finding:
    folder = settings.bourse_backup_dir
    if folder is None:
        yours = "yours to make, with bourse backup. BOURSE_BACKUP_DIR would make one every day."
        return RIGHT, "backups", yours
    if fault := folder_fault(folder):
        return TO_DO, "backups", fault
    return RIGHT, "backups", f"one every day in {folder}."


async def _discord(client: discord.Client, settings: Settings) -> AsyncIterator[Finding]:
    """Yield what Discord says of the application, its commands and its permissions."""
    yield RIGHT, "token", f"Discord knows it: it belongs to {client.user}."
    if settings.bourse_messages == "on":
        yield RIGHT, "messages", "I read those that are for me. No privileged intent is needed."
    else:
        yield RIGHT, "messages", "I read none, by BOURSE_MESSAGES=off."
    if app := client.application:
        missing = list(_portal(app))
        for line in missing:
            yield TO_DO, "portal", line
        if not missing and app.bot_public:
            yield RIGHT, "portal", "nothing is missing."
        elif not missing:
            yield RIGHT, "portal", "only its owner can add me to servers."
        verified = client.user is not None and client.user.public_flags.verified_bot
        if not verified and app.approximate_guild_count >= VERIFY_FROM:
            yield (
                TO_DO,
                "servers",
                f"I am on {app.approximate_guild_count}, and on {UNVERIFIED} at most until Discord "
                "has verified me. Ask for it at the portal, on the page App Verification.",
            )
    guilds, wanted = await own_guilds(client), settings.discord_guild_id
    tree = discord.app_commands.CommandTree(client)
    for place in (None, *(guild for guild, _, _ in guilds)):
        found = len(await tree.fetch_commands(guild=discord.Object(place) if place else None))
        if (finding := _commands(found, place, wanted)) is not None:
            yield finding
    lines = list(_permissions(guilds, wanted))
    for line in lines:
        yield TO_DO, "permissions", f"{line} Open {invite(client.application_id or 0)}"
    if not lines:
        text = "on each server I have what I need. A channel may still take some of it away."
        yield RIGHT, "permissions", text


def _commands(found: int, place: int | None, wanted: int | None) -> Finding | None:
    """Return what is to be said of the commands that Discord has of mine on the server ``place``,
    None for all servers. They should be on ``wanted``.
    """
    if place == wanted:
        if not found:
            none = "Discord has none of mine yet. bourse registers them when it starts."
            return RIGHT, "commands", none
        text = f"Discord has {found} of mine. bourse registers changes when it starts."
        return RIGHT, "commands", text
    if not found:
        return None
    if place is None:
        return (
            TO_DO,
            "commands",
            f"all servers have {found} of mine, and the one of DISCORD_GUILD_ID has its own, so "
            "people see each twice. Start bourse: it removes the others.",
        )
    return (
        TO_DO,
        "commands",
        f"the server {place} has {found} of its own, from an earlier DISCORD_GUILD_ID, so people "
        "see each twice. Start bourse: it removes what it remembers. If they stay, start it with "
        f"DISCORD_GUILD_ID={place} once.",
    )


async def _database(settings: Settings) -> tuple[str, list[str]]:
    """Return what is right about the database and its key, and a sentence for each kind of entry at
    open tables that can't be read.

    Raises `OperatorError` for an older format, and `LedgerError`.
    """
    url, name = settings.database_url, database_name(settings.database_url)
    found = await stored_format(url, settings.key())
    if found == "none":
        return f"{name} has no ledger yet. bourse makes one when it starts.", []
    if found == "older":
        raise OperatorError(
            f"an older Bourse wrote {name}. Make a copy, with bourse backup FILE or pg_dump; then "
            "start bourse, which "
            "upgrades it. The older Bourse can't use it after that."
        )
    ledger = await Ledger.open(url, settings.key(), create=False, reading=True)
    try:
        kept = key_source(url, settings.key())
        where = "BOURSE_KEY" if isinstance(kept, str) else kept
        text = (
            f"{name} has {await ledger.summary()}. It fits the key in {where}; keep a copy of that "
            "apart."
        )
        return text, list(unreadable(await ledger.entries.every_kind(only_open=True)))
    finally:
        await ledger.close()


UNVERIFIED, VERIFY_FROM = 100, 75
"""The most servers of an application that Discord has not verified, and from how many on it takes
requests.
"""


def _portal(app: discord.AppInfo) -> Iterator[str]:
    """Yield a sentence for each thing to do at Discord's developer portal. docs/hosting.md has
    texts to paste.

    An application that only its owner can add to servers needs no words for strangers.
    """
    if app.interactions_endpoint_url:
        yield (
            "General Information has an Interactions Endpoint URL, so no command reaches me. Clear "
            "it."
        )
    if app.bot_require_code_grant:
        yield "Bot has Requires OAuth2 Code Grant ticked, so nobody can add me. Untick it."
    if app.user_integration_config is not None:
        yield (
            "Installation has User Install ticked, where my commands can't work. Leave only Guild "
            "Install."
        )
    if not app.bot_public:
        return
    lacking = {
        "Description": app.description,
        "Tags": app.tags,
        "App Icon": app.icon,
        "Terms of Service URL": app.terms_of_service_url,
        "Privacy Policy URL": app.privacy_policy_url,
    }
    if empty := [name for name, there in lacking.items() if not there]:
        yield (
            f"General Information lacks {', '.join(empty)}, which strangers look for. Fill in what "
            "docs/hosting.md "
            "suggests; or untick Public Bot on the page Bot, if only you add me to servers."
        )
    found = app.guild_integration_config
    params = (found.oauth2_install_params if found else None) or app.install_params
    works = params is not None and "bot" in params.scopes and params.permissions >= NEEDED
    if not app.custom_install_url and not works:
        yield (
            "Installation has no Install Link that gives me what I need. Take the Discord Provided "
            "Link, with the "
            "scopes applications.commands and bot and the permissions of the address that bourse "
            "prints."
        )


def _permissions(guilds: list[tuple[int, str, int]], wanted: int | None) -> Iterator[str]:
    """Yield a sentence for each server, as (id, name, permissions), on which something is
    missing.
    """
    here = {guild for guild, _, _ in guilds}
    if wanted is not None and wanted not in here:
        yield f"I am not on the server {wanted} of DISCORD_GUILD_ID."
    elif not here:
        yield "I am on no server yet."
    for _, guild, value in guilds:
        given = discord.Permissions(value)
        missing = [permission for permission in PERMISSIONS if not getattr(given, permission)]
        if missing and not given.administrator:
            listed = ", ".join(missing).replace("_", " ").title()
            yield f"on {guild} I lack {listed}. A moderator can give it to my role there."
