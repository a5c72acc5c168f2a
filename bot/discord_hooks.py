"""All uses of discord.py's private parts.

`tests/test_hooks.py` has a test for each, which a new version of discord.py must pass. Two more
hooks are methods of `bot.app.Bourse`: ``launch_shard``, which discord.py calls recursively, and
``connect``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import discord
import yarl
from discord import app_commands
from discord.app_commands import Namespace
from discord.gateway import DiscordWebSocket
from discord.http import Route, handle_message_parameters
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

__all__ = [
    "InterceptingTree",
    "RowsView",
    "WebhookAdapter",
    "complete",
    "delete_original",
    "edit_original",
    "forget_session",
    "interaction_from",
    "invoke",
    "limit_texts",
    "override_addresses",
    "own_guilds",
    "remove_unlisted",
    "use_adapter",
    "without_voice",
    "wrap_parser",
    "wrap_requests",
]

SlashCommand = app_commands.Command[Any, ..., Any]
Menu = app_commands.ContextMenu
Parser = Callable[[Any], None]
MakeRequest = Callable[..., Awaitable[Any]]
WebhookAdapter = AsyncWebhookAdapter
"""Makes the requests for responses and follow-ups to interactions. Subclasses override
``request``.
"""

# ---------------------------------------------------------------- messages


class RowsView(discord.ui.View):
    """The rows of a classical message. ``marker`` becomes the id of the first; discord.py gives
    rows no ids.
    """

    def __init__(self, rows: Sequence[Sequence[discord.ui.Item[Any]]], marker: int | None) -> None:
        super().__init__(timeout=None)
        self._marker = marker
        for number, row in enumerate(rows):
            for item in row:
                item.row = number
                self.add_item(item)

    def to_components(self) -> list[dict[str, Any]]:
        """Return what Discord gets."""
        rows: list[dict[str, Any]] = super().to_components()
        if rows and self._marker is not None:
            rows[0]["id"] = self._marker
        return rows


# ---------------------------------------------------------------- connections


def override_addresses(api: str | None, gateway: str | None) -> None:
    """Make discord.py use these addresses, such as a proxy's, instead of Discord's."""
    if api:
        Route.BASE = api
    if gateway:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)


async def own_guilds(client: discord.Client) -> list[tuple[int, str, int]]:
    """Return id, name and the bot's permissions of each server that it is on. discord.py drops the
    permissions.
    """
    found: list[tuple[int, str, int]] = []
    while page := await client.http.get_guilds(200, after=found[-1][0] if found else None):
        found += [(int(guild["id"]), guild["name"], int(guild["permissions"])) for guild in page]
    return found


def without_voice() -> None:
    """Turn off the warnings about missing voice libraries."""
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


async def forget_session(client: discord.Client) -> None:
    """Close the session of a failed login. The next login opens another, and discord.py would leave
    this one open.
    """
    await client.http.close()
    client.http.connector = discord.utils.MISSING


def wrap_requests(client: discord.Client, wrap: Callable[[MakeRequest], MakeRequest]) -> None:
    """Replace the method that makes a client's requests with ``wrap`` of that method."""
    http: Any = client.http
    http.request = wrap(http.request)


def use_adapter(adapter: WebhookAdapter) -> None:
    """Use this adapter in the current context and in tasks started from it."""
    async_context.set(adapter)


async def edit_original(webhook: discord.Webhook, **said: Any) -> None:
    """Edit the message that an interaction's token reaches. ``webhook`` holds the token.

    ``said`` is what ``discord.Message.edit`` takes.
    """
    with handle_message_parameters(**said) as params:
        await async_context.get().edit_original_interaction_response(
            webhook.id,
            _token(webhook),
            session=webhook.session,
            payload=params.payload,
            multipart=params.multipart,
            files=params.files,
        )


async def delete_original(webhook: discord.Webhook) -> None:
    """Delete the message that an interaction's token reaches."""
    adapter = async_context.get()
    await adapter.delete_original_interaction_response(
        webhook.id, _token(webhook), session=webhook.session
    )


def _token(webhook: discord.Webhook) -> str:
    assert webhook.token is not None
    return webhook.token


# ---------------------------------------------------------------- what arrives


def wrap_parser(client: discord.Client, event: str, wrap: Callable[[Parser], Parser]) -> None:
    """Replace the function that parses a gateway event with ``wrap`` of that function."""
    parsers: Any = client._connection.parsers
    parsers[event] = wrap(parsers[event])


def remove_unlisted(client: discord.Client) -> None:
    """At each READY, remove the servers of its shard that it does not list: the bot was removed
    from them meanwhile.

    With several shards discord.py keeps them.
    """
    connection: Any = client._connection

    def removing(parse: Parser) -> Parser:
        def read(data: Any) -> None:
            listed, shard = {int(guild["id"]) for guild in data["guilds"]}, data["shard"][0]
            for guild in client.guilds:
                if guild.shard_id == shard and guild.id not in listed:
                    connection.parse_guild_delete({"id": str(guild.id)})
            parse(data)

        return read

    wrap_parser(client, "READY", removing)


def interaction_from(client: discord.Client, data: Mapping[str, Any]) -> discord.Interaction[Any]:
    """Return the interaction for raw data from Discord."""
    state: Any = client._connection
    return discord.Interaction[Any](data=data, state=state)  # type: ignore[arg-type]


class InterceptingTree(app_commands.CommandTree[discord.Client]):
    """A command tree whose `handle` receives every command and completion before discord.py
    processes it.
    """

    async def handle(self, interaction: discord.Interaction) -> None:
        raise NotImplementedError

    async def _call(self, interaction: discord.Interaction) -> None:
        await self.handle(interaction)

    def parse(self, interaction: discord.Interaction) -> tuple[SlashCommand, Namespace, str]:
        """Return the command, its options by name, and the name of the option being typed, or an
        empty string.

        Raises ``CommandNotFound``, and Python's own errors if the data don't have the documented
        shape.
        """
        data: Any = interaction.data
        command, options = self._get_app_command_options(data)
        namespace = Namespace(interaction, data.get("resolved", {}), options)
        focused = next((each["name"] for each in options if each.get("focused")), "")
        interaction._cs_command, interaction._cs_namespace = command, namespace  # type: ignore[attr-defined]
        return command, namespace, focused

    def parse_menu(self, interaction: discord.Interaction) -> tuple[Menu, Any]:
        """Return the user or message command of an interaction, and the person or message that it
        was chosen on.

        Raises as `parse` does, and ``LookupError`` for a target that Discord did not describe.
        """
        data: Any = interaction.data
        kind = discord.AppCommandType(data["type"])
        menu = self.get_command(data["name"], type=kind)
        if not isinstance(menu, app_commands.ContextMenu):
            raise app_commands.CommandNotFound(data["name"], [], kind)
        interaction._cs_command = menu  # type: ignore[attr-defined]
        found = Namespace._get_resolved_items(interaction, data["resolved"])
        wanted = (
            discord.Message
            if kind is discord.AppCommandType.message
            else discord.User | discord.Member
        )
        targets = [
            each
            for key, each in found.items()
            if key.id == data["target_id"] and isinstance(each, wanted)
        ]
        return menu, targets[0]


async def invoke(
    command: SlashCommand, interaction: discord.Interaction, namespace: Namespace
) -> None:
    """Invoke a command with the options in ``namespace``."""
    await command._invoke_with_namespace(interaction, namespace)


async def complete(
    command: SlashCommand, interaction: discord.Interaction, option: str, namespace: Namespace
) -> None:
    """Suggest values for an option of a command."""
    await command._invoke_autocomplete(interaction, option, namespace)


def limit_texts(command: SlashCommand, most: int) -> None:
    """Limit the text options of a command to ``most`` characters. Options with choices are not
    changed.
    """
    for parameter in command._params.values():
        if parameter.type is discord.AppCommandOptionType.string and not parameter.choices:
            parameter.max_value = min(parameter.max_value or most, most)
