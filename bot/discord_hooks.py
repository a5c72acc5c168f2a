"""Every hook into discord.py that its documentation does not promise; nothing else relies on its insides.

`tests/test_hooks.py` has a test for each, which a new version of discord.py must pass. Two more are methods of
`bot.app.Bourse`: ``launch_shard``, which discord.py calls from itself, and ``connect``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import discord
import yarl
from discord import app_commands
from discord.app_commands import Namespace
from discord.gateway import DiscordWebSocket
from discord.http import Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

__all__ = [
    "WebhookAdapter",
    "WholeTree",
    "complete",
    "forget_session",
    "interaction_from",
    "invoke",
    "limit_texts",
    "override_addresses",
    "use_adapter",
    "without_voice",
    "wrap_parser",
    "wrap_requests",
]

Command = app_commands.Command[Any, ..., Any]
Parser = Callable[[Any], None]
Request = Callable[..., Awaitable[Any]]
WebhookAdapter = AsyncWebhookAdapter
"""Makes the requests for responses and follow-ups to interactions. A subclass overrides ``request``."""

# ---------------------------------------------------------------- connections


def override_addresses(api: str | None, gateway: str | None) -> None:
    """Make discord.py use these addresses, such as those of a proxy, in place of Discord's."""
    if api:
        Route.BASE = api
    if gateway:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)


def without_voice() -> None:
    """Leave out the warnings about libraries for voice that are not installed."""
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


async def forget_session(client: discord.Client) -> None:
    """Close the session of a login that failed: the next one makes its own, and discord.py would forget this one."""
    await client.http.close()
    client.http.connector = discord.utils.MISSING


def wrap_requests(client: discord.Client, wrap: Callable[[Request], Request]) -> None:
    """Have every request of a client made by what ``wrap`` makes of the method that makes it now."""
    http: Any = client.http
    http.request = wrap(http.request)


def use_adapter(adapter: WebhookAdapter) -> None:
    """Use this adapter in the current context and the tasks begun in it."""
    async_context.set(adapter)


# ---------------------------------------------------------------- what arrives


def wrap_parser(client: discord.Client, event: str, wrap: Callable[[Parser], Parser]) -> None:
    """Have the data of an event of the gateway read by what ``wrap`` makes of the function that reads it now."""
    parsers: Any = client._connection.parsers
    parsers[event] = wrap(parsers[event])


def interaction_from(client: discord.Client, data: Mapping[str, Any]) -> discord.Interaction[Any]:
    """Return the interaction of these data."""
    state: Any = client._connection
    return discord.Interaction[Any](data=data, state=state)  # type: ignore[arg-type]


class WholeTree(app_commands.CommandTree[discord.Client]):
    """A tree of commands whose `handle` gets every command and completion before discord.py does anything with it."""

    async def handle(self, interaction: discord.Interaction) -> None:
        """Handle a command or a completion."""
        raise NotImplementedError

    async def _call(self, interaction: discord.Interaction) -> None:
        await self.handle(interaction)

    def parse(self, interaction: discord.Interaction) -> tuple[Command, Namespace, str]:
        """Return the command, its options by name, and the one that is being typed.

        Raises ``CommandNotFound`` and what Python raises where the data are not as Discord describes them.
        """
        data: Any = interaction.data
        command, options = self._get_app_command_options(data)
        namespace = Namespace(interaction, data.get("resolved", {}), options)
        focused = next((each["name"] for each in options if each.get("focused")), "")
        interaction._cs_command, interaction._cs_namespace = command, namespace  # type: ignore[attr-defined]
        return command, namespace, focused


async def invoke(command: Command, interaction: discord.Interaction, namespace: Namespace) -> None:
    """Invoke a command with these options."""
    await command._invoke_with_namespace(interaction, namespace)


async def complete(command: Command, interaction: discord.Interaction, option: str, namespace: Namespace) -> None:
    """Suggest values for an option of a command."""
    await command._invoke_autocomplete(interaction, option, namespace)


def limit_texts(command: Command, most: int) -> None:
    """Let no text option of a command take more characters than this. Options with choices stay as they are."""
    for parameter in command._params.values():
        if parameter.type is discord.AppCommandOptionType.string and not parameter.choices:
            parameter.max_value = min(parameter.max_value or most, most)
