"""Tests that the cast has the same ids in every run, and that no id is made twice."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import discord
import pytest
import simcord
from discord.ext import commands

from bot.errors import OperatorError
from bot.rehearsal import cast as casting
from bot.rehearsal.cast import (
    CHANNEL,
    FOUNDED,
    allow_a_slow_machine,
    choose_game,
    gather,
    rehearsals,
    set_clock,
)
from bot.rehearsal.page import CLOCK, start_time


def world(now: datetime) -> tuple[simcord.Env, list[int]]:
    bot = commands.AutoShardedBot("!", intents=discord.Intents(guilds=True), shard_count=1)
    env = simcord.Env(bot)
    cast = gather(env)
    set_clock(env, now)
    ids = [env.backend.bot_user.id, *env.backend.guilds, cast.tables[cast.game].channel.id]
    for person in cast.people.values():
        ids += [person.id, person.user.dm_channel.id]
    return env, ids


def test_ids_are_the_same_in_every_run() -> None:
    first, later = (
        world(datetime(2026, 2, 1, tzinfo=UTC))[1],
        world(datetime(2027, 2, 1, tzinfo=UTC))[1],
    )
    assert first == later
    assert len(set(first)) == 11


def test_ids_hold_the_simulated_instant() -> None:
    now = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
    env, ids = world(now)
    assert discord.utils.snowflake_time(ids[1]) == FOUNDED
    assert discord.utils.snowflake_time(env.backend.snowflake()) == now


class SlowBot(commands.AutoShardedBot):
    """Its start takes half a second."""

    async def setup_hook(self) -> None:
        self.starting = asyncio.create_task(asyncio.to_thread(time.sleep, 0.5))


@pytest.mark.parametrize(
    ("timers", "within", "starts"), [(30.0, 30.0, True), (0.1, 30.0, True), (0.1, 0.1, False)]
)
async def test_a_start_may_take_longer_than_timers_are_waited_for(
    timers: float, within: float, starts: bool
) -> None:
    bot = SlowBot("!", intents=discord.Intents(guilds=True), shard_count=1)
    env = simcord.Env(bot, settle_timeout=timers)
    allow_a_slow_machine(env, within)
    try:
        await env.start()
    except TimeoutError:
        assert not starts
    else:
        assert starts
        await env.shutdown()


class Ledger:
    def __init__(self, **key_values: str) -> None:
        self.key_values = key_values

    async def key_value(self, key: str) -> str | None:
        return self.key_values.get(key)


async def test_a_run_begins_after_the_one_before_even_if_the_clock_was_set_back() -> None:
    now = datetime.now(UTC)
    assert await start_time(Ledger()) >= now
    assert await start_time(Ledger(**{CLOCK: (now - timedelta(days=1)).isoformat()})) >= now
    ahead = now + timedelta(hours=2)
    assert await start_time(Ledger(**{CLOCK: ahead.isoformat()})) == ahead


def installed(monkeypatch: pytest.MonkeyPatch, **channels: str | None) -> None:
    """Games by id, each with the channel of its rehearsal."""
    found = {
        id: SimpleNamespace(
            info=SimpleNamespace(rehearsal=SimpleNamespace(channel=channel) if channel else None)
        )
        for id, channel in channels.items()
    }
    monkeypatch.setattr(casting, "games", lambda: found)


def test_games_in_the_first_channel_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, go=None, whist="hall", bridge="hall", chess=CHANNEL)
    assert list(rehearsals()) == ["chess", "bridge", "whist"]
    assert choose_game(None) == "chess"
    assert choose_game("whist") == "whist"


def test_a_game_without_a_rehearsal_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, go=None, whist="hall", chess=CHANNEL)
    with pytest.raises(
        OperatorError,
        match=r"^The game go sets up no .* table; set BOURSE_GAME to chess or whist\.$",
    ):
        choose_game("go")
    installed(monkeypatch, go=None)
    with pytest.raises(
        OperatorError,
        match=r"^No installed game sets up a rehearsal table; install one that does\.$",
    ):
        choose_game(None)
