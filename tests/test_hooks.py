"""Tests of the hooks into private parts of discord.py and aiosqlite."""

from __future__ import annotations

import ast
import asyncio
import logging
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp
import aiosqlite
import discord
import orjson
import pytest
from discord import app_commands, ui
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot import discord_hooks
from bot.discord_hooks import (
    InterceptingTree,
    RowsView,
    WebhookAdapter,
    complete,
    delete_original,
    edit_original,
    forget_session,
    interaction_from,
    invoke,
    limit_texts,
    override_addresses,
    own_guilds,
    remove_unlisted,
    use_adapter,
    without_voice,
    wrap_parser,
    wrap_requests,
)
from bot.ledger import aiosqlite_hooks
from bot.ledger.aiosqlite_hooks import join, on_thread
from bot.rehearsal.plays import bourse
from bot.rehearsal.stage import staged
from cogs import answers
from tests.cogs.evening import Evening
from tests.ledger.prepared import prepared

PRESS = {
    "id": "5",
    "application_id": "1",
    "type": 3,
    "token": "t",
    "version": 1,
    "attachment_size_limit": 0,
}
NOWHERE = "http://127.0.0.1:9"
WHO = {"id": "7", "username": "alice", "discriminator": "0", "avatar": None}


@pytest.fixture
def client() -> discord.Client:
    return discord.Client(intents=discord.Intents(guilds=True))


@pytest.fixture(autouse=True)
def _addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test overrides is as before afterwards."""
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
    monkeypatch.setattr(discord.VoiceClient, "warn_nacl", discord.VoiceClient.warn_nacl)
    monkeypatch.setattr(discord.VoiceClient, "warn_dave", discord.VoiceClient.warn_dave)


def typed(kind: int, *, focused: bool = False) -> dict[str, Any]:
    """A command with an option, or a completion, as Discord sends it."""
    option: dict[str, Any] = {"name": "goods", "type": 3, "value": "2 tg"}
    if focused:
        option["focused"] = True
    data = {"id": "9", "name": "gain", "type": 1, "options": [option]}
    channel = {"id": "3", "type": 1}
    return {**PRESS, "type": kind, "data": data, "user": WHO, "channel": channel}


class Tree(InterceptingTree):
    """Notes what it is to handle."""

    def __init__(self, client: discord.Client) -> None:
        super().__init__(client)
        self.handled: list[discord.InteractionType] = []
        self.gained: list[str] = []

        @self.command(description="Gain goods")
        async def gain(interaction: discord.Interaction, goods: str) -> None:
            self.gained.append(goods)

        @gain.autocomplete("goods")
        async def suggest(
            interaction: discord.Interaction, typed: str
        ) -> list[app_commands.Choice[str]]:
            self.gained.append(f"{typed}?")
            return []

    async def handle(self, interaction: discord.Interaction) -> None:
        self.handled.append(interaction.type)


def test_each_hook_has_a_test() -> None:
    asked = {
        each.id
        for each in ast.walk(ast.parse(Path(__file__).read_text("utf-8")))
        if isinstance(each, ast.Name)
    }
    assert set(discord_hooks.__all__) <= asked
    functions = ast.parse(Path(aiosqlite_hooks.__file__).read_text("utf-8")).body
    assert {
        each.name for each in functions if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    } <= asked


# ---------------------------------------------------------------- messages


def test_the_first_row_of_a_classical_message_has_the_marker() -> None:
    button, menu = (
        ui.Button[RowsView](label="Accept", custom_id="a"),
        ui.Select[RowsView](custom_id="b"),
    )
    first, second = RowsView([[button], [menu]], 2**30).to_components()
    assert first["id"] == 2**30
    assert [each["custom_id"] for each in first["components"]] == ["a"]
    assert [each["custom_id"] for each in second["components"]] == ["b"]
    assert RowsView([], 2**30).to_components() == []


# ---------------------------------------------------------------- connections


async def test_addresses(client: discord.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    override_addresses(f"{NOWHERE}/api", "ws://127.0.0.1:9/gateway")
    assert Route("GET", "/users/@me").url == f"{NOWHERE}/api/users/@me"
    asked: list[str] = []

    async def ws_connect(url: str, **_options: Any) -> Any:
        asked.append(url)
        raise ConnectionError

    monkeypatch.setattr(client.http, "ws_connect", ws_connect)
    with pytest.raises(ConnectionError):
        await DiscordWebSocket.from_client(client)
    assert asked[0].startswith("ws://127.0.0.1:9/gateway")
    override_addresses(None, None)
    assert f"{NOWHERE}/api" == Route.BASE


def test_warnings_about_voice(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # whoever has set up logging before
    monkeypatch.setattr(logging.getLogger("discord"), "propagate", True)
    monkeypatch.setattr(logging.getLogger("discord.client"), "disabled", False)
    caplog.set_level(logging.WARNING, "discord")
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = True
    discord.Client(intents=discord.Intents(guilds=True))
    assert len(caplog.records) == 2
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = True
    without_voice()
    caplog.clear()
    discord.Client(intents=discord.Intents(guilds=True))
    assert not caplog.records


async def test_a_login_that_failed_leaves_nothing_behind(client: discord.Client) -> None:
    override_addresses(NOWHERE, None)
    sessions: list[Any] = []
    # the second time it is the network again that fails, and not a closed session
    for _ in range(2):
        wrap_requests(client, lambda _request: _refused)
        with pytest.raises(aiohttp.ClientConnectionError, match="refused"):
            await client.login("token")
        sessions.append(vars(client.http)["_HTTPClient__session"])
        await forget_session(client)
    assert sessions[0] is not sessions[1]
    assert all(each.closed for each in sessions)


async def _refused(*_about: Any, **_options: Any) -> Any:
    raise aiohttp.ClientConnectionError("refused")


async def test_the_servers_come_with_the_bots_permissions(
    client: discord.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [
        [{"id": "7", "name": "club", "permissions": "2048"}],
        [{"id": "9", "name": "den", "permissions": "0"}],
        [],
    ]
    after = []

    async def request(route: Route, *, params: dict[str, Any]) -> Any:
        assert (route.method, route.path) == ("GET", "/users/@me/guilds")
        after.append(params.get("after"))
        return pages.pop(0)

    monkeypatch.setattr(client.http, "request", request)
    assert await own_guilds(client) == [(7, "club", 2048), (9, "den", 0)]
    assert after == [None, 7, 9]


async def test_every_request_can_be_wrapped(client: discord.Client) -> None:
    asked: list[tuple[str, dict[str, Any]]] = []

    def wrap(_request: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def wrapped(route: Route, **options: Any) -> Any:
            asked.append((f"{route.method} {route.path}", options))
            return {}

        return wrapped

    wrap_requests(client, wrap)
    await client.http.get_user(7)
    await client.http.delete_message(1, 2)
    assert [path for path, _ in asked] == [
        "GET /users/{user_id}",
        "DELETE /channels/{channel_id}/messages/{message_id}",
    ]


async def test_a_request_takes_the_options_of_aiohttp(
    client: discord.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They go to the session, which raises at a server error before discord.py can repeat the
    request.
    """
    given: dict[str, Any] = {}

    class Session:
        def request(self, *_about: Any, **options: Any) -> Any:
            given.update(options)
            raise aiohttp.ClientConnectionError("noted")

    unlimited = asyncio.Event()
    unlimited.set()
    monkeypatch.setitem(vars(client.http), "_HTTPClient__session", Session())
    monkeypatch.setattr(client.http, "_global_over", unlimited)
    with pytest.raises(aiohttp.ClientConnectionError, match="noted"):
        await client.http.request(Route("GET", "/x"), raise_for_status=True, timeout=3)
    assert (given["raise_for_status"], given["timeout"]) == (True, 3)


async def test_responses_and_follow_ups_go_through_the_adapter(client: discord.Client) -> None:
    asked: list[str] = []

    class Noting(WebhookAdapter):
        async def request(self, route: Any, session: Any, **_options: Any) -> Any:
            asked.append(f"{route.method} {route.path}")
            return {"interaction": {"id": "5", "type": 3}}

    use_adapter(Noting())
    interaction = interaction_from(client, PRESS)
    await interaction.response.defer()
    with pytest.raises(Exception):  # noqa: B017, PT011  (the answer is no message)
        await interaction.followup.send("one", wait=True)
    assert asked == [
        "POST /interactions/{webhook_id}/{webhook_token}/callback",
        "POST /webhooks/{webhook_id}/{webhook_token}",
    ]


async def test_the_message_that_a_token_reaches_is_edited_and_deleted_as_the_original(
    client: discord.Client,
) -> None:
    asked: list[tuple[str, Any]] = []

    class Noting(WebhookAdapter):
        async def request(self, route: Any, session: Any, **options: Any) -> Any:
            asked.append((f"{route.method} {route.path}", options.get("payload")))

    use_adapter(Noting())
    webhook, view = interaction_from(client, PRESS).followup, discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.TextDisplay("one"))
    view.stop()
    await edit_original(
        webhook, view=view, attachments=[], allowed_mentions=discord.AllowedMentions.none()
    )
    await delete_original(webhook)
    (edited, body), (deleted, nothing) = asked
    original = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
    assert (edited, deleted, nothing) == (f"PATCH {original}", f"DELETE {original}", None)
    assert body["components"][0]["content"] == "one"
    assert body["allowed_mentions"] == {"parse": []}
    assert body["attachments"] == []


# ---------------------------------------------------------------- commands


def test_texts_of_a_command_can_be_limited() -> None:
    @app_commands.command(description="Gain goods")
    async def gain(
        interaction: discord.Interaction, goods: str, short: app_commands.Range[str, 1, 5]
    ) -> None: ...

    limit_texts(gain, 400)
    made: Any = gain.to_dict(
        app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    )
    assert [option.get("max_length") for option in made["options"]] == [400, 5]


# ---------------------------------------------------------------- what arrives


async def test_what_the_gateway_delivers_can_be_read_otherwise(
    client: discord.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Any] = []

    async def nothing(*_about: Any, **_options: Any) -> Any:
        return object()

    wrap_parser(client, "INTERACTION_CREATE", lambda _parse: read.append)
    monkeypatch.setattr(client.http, "ws_connect", nothing)
    monkeypatch.setattr(DiscordWebSocket, "poll_event", nothing)
    monkeypatch.setattr(DiscordWebSocket, "identify", nothing)
    gateway = await DiscordWebSocket.from_client(client)
    event = {"op": 0, "s": 1, "t": "INTERACTION_CREATE", "d": PRESS}
    await gateway.received_message(orjson.dumps(event).decode())
    assert read == [PRESS]


async def test_servers_that_a_new_session_does_not_list_are_removed() -> None:
    client = discord.AutoShardedClient(intents=discord.Intents(guilds=True))
    remove_unlisted(client)
    state: Any = client._connection
    state.shard_count, state.shard_ids = 2, [0, 1]
    told: list[object] = []
    state.dispatch = lambda event, *about: told.append(
        (event, *(getattr(each, "id", each) for each in about))
    )
    sessions = [(0, [0, 2]), (1, [1, 3]), (0, [2])]
    for shard, guilds in sessions:
        listed = [{"id": str(guild << 22), "unavailable": True} for guild in guilds]
        bot_itself = WHO | {"id": "1"}
        application = {"id": "1", "flags": 0}
        ready = {"user": bot_itself, "guilds": listed, "shard": [shard, 2]}
        state.parsers["READY"]({**ready, "application": application})
    assert {guild.id >> 22 for guild in client.guilds} == {1, 2, 3}
    assert ("guild_remove", 0) in told
    for task in (state._ready_task, *state._ready_tasks.values()):
        task.cancel()


async def test_an_interaction_is_made_of_its_data(client: discord.Client) -> None:
    interaction = interaction_from(client, PRESS)
    assert (interaction.id, interaction.type) == (5, discord.InteractionType.component)
    assert not interaction.response.is_done()


@pytest.mark.parametrize("kind", [2, 4], ids=["command", "completion"])
async def test_the_tree_gets_all_that_is_typed(client: discord.Client, kind: int) -> None:
    tree = Tree(client)
    await client._async_setup_hook()
    client._connection.parsers["INTERACTION_CREATE"](typed(kind, focused=kind == 4))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert [each.value for each in tree.handled] == [kind]


async def test_a_command_is_parsed_and_invoked(client: discord.Client) -> None:
    tree = Tree(client)
    interaction = interaction_from(client, typed(2))
    command, namespace, focused = tree.parse(interaction)
    assert (command.name, focused) == ("gain", "")
    assert vars(namespace) == {"goods": "2 tg"}
    assert interaction.command is command
    assert vars(interaction.namespace) == {"goods": "2 tg"}
    await invoke(command, interaction, namespace)
    assert tree.gained == ["2 tg"]


async def test_a_menu_is_parsed(client: discord.Client) -> None:
    tree = Tree(client)

    @tree.context_menu(name="Greet")
    async def greet(interaction: discord.Interaction, user: discord.User) -> None:
        tree.gained.append(user.name)

    chosen = {
        "id": "9",
        "name": "Greet",
        "type": 2,
        "target_id": "7",
        "resolved": {"users": {"7": WHO}},
    }
    interaction = interaction_from(client, {**typed(2), "data": chosen})
    menu, target = tree.parse_menu(interaction)
    assert (menu, target.id) == (greet, 7)
    assert interaction.command is greet
    for changed in ({"target_id": "8"}, {"resolved": {"users": {}}}):
        with pytest.raises(LookupError):
            tree.parse_menu(interaction_from(client, {**typed(2), "data": chosen | changed}))
    renamed = chosen | {"name": "Bow"}
    with pytest.raises(app_commands.CommandNotFound):
        tree.parse_menu(interaction_from(client, {**typed(2), "data": renamed}))


async def test_a_completion_is_parsed_and_made(client: discord.Client) -> None:
    tree = Tree(client)
    interaction = interaction_from(client, typed(4, focused=True))
    command, namespace, focused = tree.parse(interaction)
    assert focused == "goods"

    class Noting(WebhookAdapter):
        async def request(self, *_about: Any, **_options: Any) -> Any:
            return {"interaction": {"id": "5", "type": 4}}

    use_adapter(Noting())
    await complete(command, interaction, focused, namespace)
    assert tree.gained == ["2 tg?"]


# ---------------------------------------------------------------- aiosqlite


async def test_a_function_runs_on_the_thread_of_its_connection() -> None:
    threads: list[threading.Thread] = []

    def connect() -> sqlite3.Connection:
        threads.append(threading.current_thread())
        return sqlite3.connect(":memory:")

    connection = await aiosqlite.Connection(connect, iter_chunk_size=64)
    assert await on_thread(connection, lambda: threads.append(threading.current_thread()) or 7) == 7
    with pytest.raises(ZeroDivisionError):
        await on_thread(connection, lambda: 1 // 0)
    await connection.close()
    assert threads[0] is threads[1] is not threading.current_thread()


async def test_the_thread_of_a_connection_that_failed_is_waited_for() -> None:
    threads: list[threading.Thread] = []

    def connect() -> sqlite3.Connection:
        threads.append(threading.current_thread())
        raise PermissionError

    connection = aiosqlite.Connection(connect, iter_chunk_size=64)
    with pytest.raises(PermissionError):
        await connection
    join(connection)
    assert not threads[0].is_alive()


async def test_it_keeps_no_view_and_no_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The router answers presses by their custom_ids; discord.py would answer them too, and forget
    them in between.
    """
    monkeypatch.setattr(answers, "DEFER_AFTER", 60.0)  # no form opens after a deferral
    monkeypatch.setattr(answers, "GIVE_UP_AFTER", 90.0)
    async with staged(bourse, f"sqlite:///{prepared(tmp_path / 'bourse.db')}") as stage:
        evening = Evening(stage)
        await evening.seat("alice", "bob")
        await evening.types("alice", "offer post", give="1 tg")
        await evening.types("alice", "offer list")
        await stage.choose("alice", ("#1 alice: 1 trade good for nothing (to all)",), None)
        assert (await evening.types("alice", "offer post")).modal
        store = evening.bot._connection._view_store
        assert (store._views, store._synced_message_views, store._modals, store._dynamic_items) == (
            {},
            {},
            {},
            {},
        )
