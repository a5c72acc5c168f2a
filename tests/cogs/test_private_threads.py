"""Tests that people in a private thread are told who else can read it."""

from __future__ import annotations

import discord

from tests.cogs.evening import Evening

TOLD = "can read this thread too: they may manage threads here"


def let(playing: Evening, name: str, **permissions: bool) -> None:
    """Give a person a role with these permissions."""
    role = playing.stage.guild.create_role("staff", permissions=discord.Permissions(**permissions))
    playing.env.backend.add_member_role(
        playing.stage.guild.id, playing.stage.person(name).id, role.id
    )


async def opened(playing: Evening) -> str:
    """Return what bob reads in the thread that alice opens with him."""
    before = {seen.id for seen in playing.stage.sees("bob")}
    await playing.types("alice", "negotiate open", **{"with": "@bob"})
    news = [seen for seen in playing.stage.sees("bob") if seen.id not in before]
    return "\n".join(seen.text for seen in news)


async def test_a_player_who_may_manage_threads_is_named_as_a_thread_opens(playing: Evening) -> None:
    await playing.types("carol", "table show")
    assert "carol" not in await opened(playing)
    for permission in ("manage_threads", "administrator"):
        let(playing, "carol", **{permission: True})
        assert TOLD not in await opened(playing), "nobody knows of it before carol acts"
        await playing.types("carol", "table show")
        assert f"carol {TOLD}" in await opened(playing)
        await playing.restart()
    assert TOLD not in await opened(playing)


async def test_what_everybody_reads_in_a_thread(playing: Evening) -> None:
    let(playing, "alice", manage_threads=True)
    read = await opened(playing)
    assert "Whoever may manage threads here can read this; DMs with me nobody else can." in read
    assert TOLD not in read, "alice is one of the two"


async def test_the_owner_of_the_server_reads_it_too(playing: Evening) -> None:
    guild = playing.env.backend.guilds[playing.stage.guild.id]
    guild.owner_id = playing.stage.person("carol").id
    await playing.types("carol", "table show")
    assert f"carol {TOLD}" in await opened(playing)
