"""Tests of autocomplete in every command: it finds what can be named, whatever was typed, and
quickly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import discord
import pytest
from discord import app_commands
from simcord import interactions

from bot.rules.registry import games
from cogs import completion
from tests.cogs.evening import Evening

FREE = {
    "name": "a table is called as people like",
    "terms": "promises are in people's own words",
    "now": "promises are in people's own words",
    "when": "a day and a time are typed as people say them",
    "topic": "what two talk about is theirs to say",
    "words": "a house rule is in the host's own words",
    "line": "a line of an own game has any word of its text",
    "hash": "the head of a ledger is copied from where it was posted",
    "effect": "why goods are replenished once more is theirs to say",
    "reason": "why a host mends something, or which unknown card allows it, is theirs to say",
}
"""Options that take any text, and why nothing is suggested for them."""

TYPED = (
    "",
    "a",
    "1",
    "2 t",
    "ceasfire",
    "hacn",
    "1 tg, c",
    "#",
    "ZZ",
    "'",
    "(",
    "?" * 30,
    "🤝",
    "x" * 200,
)


def options(
    evening: Evening,
) -> Iterator[tuple[app_commands.Command[Any, Any, Any], app_commands.Parameter]]:
    for command in evening.bot.tree.walk_commands():
        if isinstance(command, app_commands.Command):
            yield from ((command, each) for each in command.parameters)


async def test_every_option_that_names_something_is_completed(evening: Evening) -> None:
    """Numbers of things and people are picked by Discord's own means; what is chosen from few has
    choices.
    """
    counts = {"cities", "cards", "amount", "minutes", "timer"}
    bare = {
        f"{command.qualified_name} {option.display_name}"
        for command, option in options(evening)
        if option.type
        in (discord.AppCommandOptionType.string, discord.AppCommandOptionType.integer)
        and not (option.autocomplete or option.choices)
        and option.display_name not in FREE
        and not (
            option.type is discord.AppCommandOptionType.integer and option.display_name in counts
        )
    }
    assert bare == set()


async def test_a_command_of_all_games_is_described_with_the_goods_of_none(
    evening: Evening,
) -> None:
    """Discord shows the same description at each table."""
    own, goods = set[str](), set[str]()
    for game in games().values():
        own.update(game.info.command_groups)
        for word in (*game.info.example.split(), *game.goods.words.values()):
            goods.add(word.strip(",?"))
    named = {}
    for command, option in options(evening):
        told = goods.intersection(re.findall(r"[a-z]+", option.description))
        if told and command.qualified_name.split()[0] not in own:
            named[f"{command.qualified_name} {option.display_name}"] = told
    assert named == {}


async def test_whatever_is_typed_into_any_option_gets_choices_that_discord_takes(
    playing: Evening,
) -> None:
    await playing.types("bob", "offer post", give="ceasefire", want="1 tg")
    await playing.types(
        "alice", "deal propose", **{"with": "@bob", "terms": "peace " * 30, "when": "later"}
    )
    asked = 0
    for command, option in list(options(playing)):
        if option.autocomplete:
            for typed in TYPED:
                await playing.completes("alice", option.display_name, typed, command.qualified_name)
                asked += 1
    assert asked > 500
    assert playing.errors() == ()


async def test_of_completions_that_arrive_together_only_the_newest_is_worked_on(
    playing: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord shows nobody the suggestions for what they typed before."""
    worked, rank = list[str](), completion.ranked
    monkeypatch.setattr(
        completion, "ranked", lambda typed, *more: worked.append(typed) or rank(typed, *more)
    )
    playing.requests()
    for typed in ("h", "ha", "hac"):
        for who in ("alice", "bob"):
            emit_typing(playing, who, "table sit", "seat", typed)
    await playing.env.settle()
    assert worked == ["hac", "hac"]
    offered = [
        one.json["data"]["choices"] for one in playing.requests("POST", "callback") if one.json
    ]
    assert [bool(each) for each in offered].count(True) == 2
    assert len(offered) == 6
    await playing.completes("alice", "seat", "s", "table sit")
    assert worked[-1] == "s"


def emit_typing(evening: Evening, who: str, path: str, option: str, typed: str) -> None:
    """Have a completion arrive, and don't wait for it."""
    name, below = path.split()
    focused = {"name": option, "type": 3, "value": typed, "focused": True}
    _, payload = interactions.base_payload(
        evening.env.backend,
        type=4,
        channel_id=evening.stage.channel.id,
        user_id=evening.stage.person(who).id,
        guild_id=evening.stage.guild.id,
        data={
            "id": "1",
            "name": name,
            "type": 1,
            "options": [{"name": below, "type": 1, "options": [focused]}],
        },
    )
    evening.env.backend.emit("INTERACTION_CREATE", payload)


async def test_a_list_of_people_is_short_enough_to_be_a_choice(playing: Evening) -> None:
    """However long it is already: one that Discord would not take as a choice is not offered."""
    assert await playing.completes("alice", "players", "bob,car", "table order")
    assert await playing.completes("alice", "players", "bob," * 60, "table order") == ()


async def test_every_choice_is_short_enough_to_read(playing: Evening) -> None:
    """Stage checks 1 to 100 characters; here that a long one is cut where a word ends."""
    await playing.types(
        "alice", "deal propose", **{"with": "@bob", "terms": "peace " * 30, "when": "later"}
    )
    [label] = await playing.completes("bob", "deal", "", "deal accept")
    assert label.startswith("Deal 1 with alice: peace peace")
    assert label.endswith("peace …")
