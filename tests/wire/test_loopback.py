"""Tests of the loopback with discord.py, also of what Bourse does not use yet."""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
import pytest
import yarl
from discord import app_commands, ui
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.loopback import screen
from tests.loopback.exchange import Refusal
from tests.loopback.loopback import Loopback
from tests.loopback.world import CHANNEL, GUILD, World, guild_on
from tests.wire.club import ALICE, BOB

pytestmark = pytest.mark.wire


class Toy(discord.AutoShardedClient):
    """One command for each way to answer, and a modal."""

    def __init__(self, **options: Any) -> None:
        super().__init__(intents=discord.Intents(guilds=True), guild_ready_timeout=0, **options)
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        group = app_commands.Group(name="try", description="d")
        for answer in (files, where, later, thread, fail):
            group.command(name=answer.__name__, description="d")(answer)
        self.tree.add_command(group)
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Not the five seconds between two of them that Discord asks for."""

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        data: Any = interaction.data
        match data.get("custom_id"):
            case "ask":
                modal = ui.Modal(title="Counter", custom_id="asked")
                modal.add_item(
                    ui.Label(
                        text="Terms", component=ui.TextInput(custom_id="terms", default="none")
                    )
                )
                cards = [
                    discord.SelectOption(label=name.title(), value=name)
                    for name in ("salt", "iron")
                ]
                modal.add_item(
                    ui.Label(text="Cards", component=ui.Select(custom_id="cards", options=cards))
                )
                modal.stop()
                await interaction.response.send_modal(modal)
            case "asked":
                terms, cards = (item["component"] for item in data["components"])
                await interaction.response.send_message(
                    f"{terms['value']} for {cards['values']}", ephemeral=True
                )
            case "pick":
                await interaction.response.defer()
                await interaction.edit_original_response(
                    content=f"picked {data['values']}", view=None
                )


async def files(interaction: discord.Interaction, who: discord.Member) -> None:
    shown = ui.View().add_item(ui.Button(label="Ask", custom_id="ask"))
    shown.add_item(
        ui.Select(custom_id="pick", options=[discord.SelectOption(label="Salt", value="salt")])
    )
    picture = discord.File(io.BytesIO(b"a picture"), "hand.png")
    await interaction.response.send_message(f"for {who.name}", file=picture, view=shown)
    shown.stop()


async def where(interaction: discord.Interaction) -> None:
    shard = 0 if interaction.guild is None else interaction.guild.shard_id
    await interaction.response.send_message(f"shard {shard} of {interaction.client.shard_count}")


async def later(interaction: discord.Interaction) -> None:
    await interaction.response.defer(ephemeral=True)
    await interaction.followup.send("first")
    await interaction.followup.send("second", ephemeral=True)
    await interaction.edit_original_response(content="changed")


async def thread(interaction: discord.Interaction, who: discord.Member) -> None:
    assert isinstance(interaction.channel, discord.TextChannel)
    made = await interaction.channel.create_thread(
        name="two", type=discord.ChannelType.private_thread
    )
    await made.add_user(who)
    await made.send("between us")
    await interaction.response.send_message("made", ephemeral=True)


async def fail(interaction: discord.Interaction) -> None:
    assert isinstance(interaction.channel, discord.TextChannel)
    try:
        await interaction.channel.send("hello")
    except discord.DiscordServerError as error:
        await interaction.response.send_message(f"failed with {error.status}, {error.code}")


@asynccontextmanager
async def toy(monkeypatch: pytest.MonkeyPatch, shards: int = 1) -> AsyncIterator[Loopback]:
    async with Loopback.running(shards) as server, client_of(monkeypatch, server):
        await server.until(lambda: server.gateway.identified == shards)
        yield server


@asynccontextmanager
async def client_of(
    monkeypatch: pytest.MonkeyPatch, server: Loopback, **options: Any
) -> AsyncIterator[Toy]:
    async with Toy(**options) as client:
        monkeypatch.setattr(Route, "BASE", server.settings["DISCORD_API_URL"])
        monkeypatch.setattr(
            DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(server.settings["DISCORD_GATEWAY_URL"])
        )
        await client.login(server.settings["DISCORD_TOKEN"])
        connection = client.loop.create_task(client.connect())
        yield client
        await client.close()
        await connection


async def test_a_modal_a_select_and_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    async with toy(monkeypatch) as server:
        shown = await server.slash("try files", user=ALICE, who=BOB)
        assert shown.text == "for bob"
        assert not shown.ephemeral
        (attachment,) = shown.messages[0]["attachments"]
        assert (attachment["filename"], server.world.files[attachment["id"]]) == (
            "hand.png",
            b"a picture",
        )
        opened = await server.press("Ask", user=BOB)
        assert (await server.submit(opened, Cards=["Iron"])).text == "none for ['iron']"
        assert (
            await server.submit(opened, Terms="2 ochre", cards=["Salt"])
        ).text == "2 ochre for ['salt']"
        with pytest.raises(ValueError, match="has no field Price"):
            await server.submit(opened, Price="3")
        picked = await server.choose("Salt", user=BOB)
        await server.until(lambda: picked.text == "picked ['salt']")
        assert screen.selects(picked.messages[0]) == []


async def test_a_deferred_answer_and_a_private_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    async with toy(monkeypatch) as server:
        answered = await server.slash("try later", user=ALICE)
        await server.until(lambda: answered.text == "changed\nsecond")
        assert answered.ephemeral
        assert server.world.visible(BOB) == []
        await server.slash("try thread", user=ALICE, who=BOB)
        await server.sees(BOB, "between us")
        assert "between us" not in map(screen.text_of, server.world.visible(ALICE))


async def test_an_error_and_a_session_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    async with toy(monkeypatch) as server:
        server.fail("POST", r"/channels/\d+/messages", 503, code=7)
        assert (await server.slash("try fail", user=ALICE)).text == "failed with 503, 7"
        await server.drop(resumable=False)
        await server.until(lambda: server.gateway.identified == 2)
        assert server.gateway.resumed == 0


@pytest.mark.parametrize(
    ("how", "again"),
    [
        ("asked to reconnect", (1, 1)),
        ("invalid, to be resumed", (1, 1)),
        ("invalid, not to be resumed", (2, 0)),
    ],
)
async def test_a_session_is_resumed_or_identified_anew(
    monkeypatch: pytest.MonkeyPatch, how: str, again: tuple[int, int]
) -> None:
    async with toy(monkeypatch) as server:
        if how == "asked to reconnect":
            await server.gateway.reconnect()
        else:
            await server.gateway.invalidate(resumable=how == "invalid, to be resumed")
        await server.until(lambda: (server.gateway.identified, server.gateway.resumed) == again)
        assert (await server.slash("try where", user=ALICE)).text == "shard 0 of 1"


async def test_a_guild_is_left_and_joined_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Loopback.running() as server, client_of(monkeypatch, server) as client:
        await client.wait_until_ready()
        for event, happens in (
            ("guild_remove", server.gateway.kick),
            ("guild_join", server.gateway.invite),
        ):
            told = client.loop.create_task(client.wait_for(event, timeout=300))
            await asyncio.sleep(0)
            await happens(GUILD)
            await told
        assert (await server.slash("try where", user=ALICE)).text == "shard 0 of 1"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who wants the processor")
async def test_it_is_not_quiet_while_a_bot_wants_the_processor() -> None:
    async with Loopback.running() as server:
        busy = await asyncio.create_subprocess_exec(sys.executable, "-c", "while True: pass")
        server.processes.add(busy.pid)
        try:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(server.quiet(0.1), 1)
        finally:
            busy.kill()
            await busy.wait()
        await server.quiet(0.1)


async def test_the_guild_is_on_the_second_of_two_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    async with toy(monkeypatch, shards=2) as server:
        assert (await server.slash("try where", user=ALICE)).text == "shard 1 of 2"
        assert (await server.slash("try where", user=ALICE, dm=True)).text == "shard 0 of 2"


async def test_two_clients_with_a_shard_each(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Loopback.running(2) as server:
        elsewhere = server.world.add_channel(guild_on(0, 2))
        async with client_of(monkeypatch, server, shard_ids=[1], shard_count=2) as second:
            async with client_of(monkeypatch, server, shard_ids=[0], shard_count=2) as first:
                await server.until(lambda: server.gateway.online([0, 1]))
                assert (await server.slash("try where", user=ALICE)).text == "shard 1 of 2"
                assert (
                    await server.slash("try where", user=ALICE, at=elsewhere)
                ).text == "shard 0 of 2"
                await server.until(lambda: first.is_ready() and second.is_ready())
                assert [len(client.guilds) for client in (first, second)] == [1, 1]
            server.gateway.forget([0])
            assert (await server.slash("try where", user=ALICE)).text == "shard 1 of 2"
            assert not server.gateway.online([0])


async def test_the_messages_of_a_channel_are_listed_from_anywhere() -> None:
    world = World()
    sent = [world.post(CHANNEL, {"content": str(number)}, {}) for number in range(9)]

    def listed(**bounds: int) -> str:
        return "".join(message["content"] for message in world.history(CHANNEL, 3, **bounds))

    fourth = int(sent[4]["id"])
    assert [listed(), listed(before=fourth), listed(after=fourth), listed(around=fourth)] == [
        "876",
        "321",
        "765",
        "543",
    ]


async def test_a_nonce_is_its_authors_and_lasts_a_while() -> None:
    world, once = World(), {"content": "once", "nonce": "7", "enforce_nonce": True}
    world.meet(ALICE)
    sent = world.post(CHANNEL, once, {})
    assert world.post(world.dm_with(str(ALICE.id)), once, {}) is sent, (
        "matched in another channel too"
    )
    world.delete(sent["id"])
    with pytest.raises(Refusal, match="Unknown Message"):
        world.post(CHANNEL, once, {})
    world.nonces_last = 0.0
    assert world.post(CHANNEL, once, {})["id"] != sent["id"]


@pytest.mark.parametrize(
    ("words", "options", "says"),
    [
        ("trie files", {}, "no command /trie"),
        ("try file", {}, "no subcommand file; it has files"),
        ("try", {}, "wants a subcommand: files"),
        ("try files", {}, "requires who"),
        ("try files", {"who": "bob"}, "wants a person"),
        ("try later", {"who": BOB}, "has no option who; it has none"),
    ],
)
async def test_what_nobody_can_type(
    monkeypatch: pytest.MonkeyPatch, words: str, options: dict[str, Any], says: str
) -> None:
    async with toy(monkeypatch) as server:
        with pytest.raises(ValueError, match=says):
            await server.slash(words, user=ALICE, **options)


# ---------------------------------------------------------------- the two kinds of message

V2 = {
    "components": [{"type": 10, "content": f"<@{BOB.id}>, a card"}],
    "flags": screen.COMPONENTS_V2,
}
ROW = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Accept", "custom_id": "a"}]}
CLASSICAL = {
    "content": f"<@{BOB.id}> your turn",
    "embeds": [{"description": "a board"}],
    "components": [ROW],
}


@pytest.mark.parametrize(
    ("sent", "change"),
    [
        (V2, {"content": "words"}),
        (V2, {"embeds": [{"description": "words"}]}),
        (V2, {"components": [ROW], "flags": 0}),
        (CLASSICAL, {"components": V2["components"], "flags": screen.COMPONENTS_V2}),
        (CLASSICAL, {"components": V2["components"]}),
        (CLASSICAL, {"components": [ROW] * 6}),
    ],
)
def test_a_message_is_of_one_kind_for_ever(sent: screen.Json, change: screen.Json) -> None:
    world = World()
    message = world.post(CHANNEL, sent, {})
    with pytest.raises(Refusal):
        world.change(message, change, {})
    assert world.messages[message["id"]] == message


def test_what_a_locked_phone_shows_and_who_is_notified() -> None:
    world = World()
    world.meet(ALICE, BOB)
    embedded = {"content": "a card", "embeds": [{"description": f"<@{BOB.id}>"}]}
    shown = [world.post(CHANNEL, each, {}) for each in (CLASSICAL, V2, embedded)]
    assert [screen.push(each) for each in shown] == [f"<@{BOB.id}> your turn", "", "a card"]
    classical, v2, in_embed = [message["mentions"] for message in shown]
    assert [person["username"] for person in (*classical, *v2)] == ["bob", "bob"]
    assert in_embed == []
