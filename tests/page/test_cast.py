"""The cast is the same in every run, and no id is made twice."""

from datetime import UTC, datetime, timedelta

import discord
import simcord
from discord.ext import commands

from bot.rehearsal.cast import FOUNDED, gather, set_clock
from bot.rehearsal.page import CLOCK, _beginning


def world(now: datetime) -> tuple[simcord.Env, list[int]]:
    bot = commands.AutoShardedBot("!", intents=discord.Intents(guilds=True), shard_count=1)
    env = simcord.Env(bot)
    cast = gather(env)
    set_clock(env, now)
    people = [number for person in cast.people.values() for number in (person.user.id, person.dm.id)]
    return env, [env.backend.bot_user.id, cast.guild.id, cast.table.id, *people]


def test_ids_are_the_same_in_every_run() -> None:
    first, later = world(datetime(2026, 2, 1, tzinfo=UTC))[1], world(datetime(2027, 2, 1, tzinfo=UTC))[1]
    assert first == later
    assert len(set(first)) == 11


def test_ids_hold_the_simulated_instant() -> None:
    now = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
    env, ids = world(now)
    assert discord.utils.snowflake_time(ids[1]) == FOUNDED
    assert discord.utils.snowflake_time(env.backend.snowflake()) == now


class Ledger:
    def __init__(self, **marks: str) -> None:
        self.marks = marks

    async def mark(self, key: str) -> str | None:
        return self.marks.get(key)


async def test_a_run_begins_after_the_one_before_even_if_the_clock_was_set_back() -> None:
    now = datetime.now(UTC)
    assert await _beginning(Ledger()) >= now
    assert await _beginning(Ledger(**{CLOCK: (now - timedelta(days=1)).isoformat()})) >= now
    ahead = now + timedelta(hours=2)
    assert await _beginning(Ledger(**{CLOCK: ahead.isoformat()})) == ahead
