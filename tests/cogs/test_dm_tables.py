"""Tests of DMs of a person at several tables: they are asked which table is meant."""

from __future__ import annotations

import pytest

from bot.rehearsal.script import Say
from bot.service import gate
from tests.cogs.evening import Evening, text_of


async def test_a_dm_asks_which_table_and_remembers(playing: Evening) -> None:
    elsewhere = playing.stage.guild.create_text_channel("elsewhere")
    alice = playing.stage.person("alice").member
    await alice.slash(elsewhere, "table open", game="ti4", name="Saturday")
    await alice.slash(elsewhere, "table sit", seat="xxcha")
    playing.stage.look()

    asked = await playing.types("alice", "holdings show", in_dm=True)
    assert "Which one are your DMs about?" in text_of(asked)
    playing.stage.look()
    chosen = await playing.stage.choose("alice", ("Saturday (ti4)",), None)
    assert "Your DMs are about Saturday now" in text_of(chosen)
    assert not chosen.messages, "it replaces the question"
    shown = await playing.types("alice", "holdings show", in_dm=True)
    assert "Xxcha" in text_of(shown)
    assert "Trade goods: 0" in text_of(shown)


async def test_two_tables_of_one_name_are_told_apart_by_their_channel(playing: Evening) -> None:
    alice = playing.stage.person("alice").member
    for place in ("games", "attic"):
        channel = playing.stage.guild.create_text_channel(place)
        await alice.slash(channel, "table open", game="ti4", name="Saturday")
        await alice.slash(channel, "table sit", seat="xxcha")
    playing.stage.look()

    await playing.types("alice", "holdings show", in_dm=True)
    playing.stage.look()
    chosen = await playing.stage.choose("alice", ("Saturday · #attic (ti4)",), None)
    assert "Your DMs are about Saturday now" in text_of(chosen)


async def test_a_table_is_called_as_its_text_says(playing: Evening) -> None:
    alice = playing.stage.person("alice").member
    for place, preset in (("games", "shops"), ("attic", "market")):
        channel = playing.stage.guild.create_text_channel(place)
        await alice.slash(channel, "table open", game="any")
        await alice.slash(channel, "any use", preset=preset)
        await alice.slash(channel, "table sit", seat="s1")
    playing.stage.look()

    await playing.types("alice", "holdings show", in_dm=True)
    playing.stage.look()
    chosen = await playing.stage.choose("alice", ("Shops and lots (any)",), None)
    assert "Your DMs are about Shops and lots now" in text_of(chosen)


async def test_words_by_dm_ask_which_table_too(playing: Evening) -> None:
    elsewhere = playing.stage.guild.create_text_channel("elsewhere")
    alice = playing.stage.person("alice").member
    await alice.slash(elsewhere, "table open", game="ti4", name="Saturday")
    await alice.slash(elsewhere, "table sit", seat="xxcha")
    playing.stage.look()

    asked = await playing.stage.say("alice", Say("2 tg", in_dm=True))
    assert "Which one are your DMs about?" in text_of(asked)
    chosen = await playing.stage.choose("alice", ("Saturday (ti4)",), None)
    assert "Your DMs are about Saturday now" in text_of(chosen)
    assert not chosen.messages, "it replaces the question"
    shown = await playing.stage.say("alice", Say("2 tg", in_dm=True))
    assert "Offer to everyone" in text_of(shown)


async def test_who_was_banned_sits_at_no_table_in_their_dms(
    playing: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    assert "Trade goods" in text_of(await playing.types("bob", "holdings show", in_dm=True))
    monkeypatch.setattr(gate, "KEPT_FOR", 0.0)  # a minute passes
    members = playing.env.backend.guilds[playing.stage.guild.id].members
    del members[playing.stage.person("bob").id]
    assert "You don't sit at a table" in text_of(
        await playing.types("bob", "holdings show", in_dm=True)
    )
    before = playing.direct("bob")
    assert "Offer 1" in before[-1]
    await playing.types("alice", "offer alter", offer="1", give="3 tg")
    assert playing.direct("bob") == before


async def test_while_discord_does_not_say_who_is_on_the_server_a_dm_waits(
    playing: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "KEPT_FOR", 0.0)
    playing.env.inject_error("GET", "/guilds/*/members/*", status=503, code=0, times=1)
    asked = await playing.types("bob", "holdings show", in_dm=True)
    assert "can't check with Discord right now" in text_of(asked)
    assert "Trade goods" in text_of(await playing.types("bob", "holdings show", in_dm=True))
