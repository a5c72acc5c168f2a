"""Tests that invisible characters are removed from input before anything reads it."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands

import cogs
from bot.rules.model.text import visible
from cogs.completion import choices
from cogs.inputs import cleaned
from tests.cogs.evening import Evening

UNSEEN = "\u202e\u200b\x00\ue000\u3164\ud800"
DIRTY = f"{UNSEEN}te{UNSEEN}xt"


def values(data: Any) -> list[str]:
    """Return every text that a person typed or chose, wherever Discord puts it."""
    if isinstance(data, list):
        return list(chain.from_iterable(map(values, data)))
    if not isinstance(data, dict):
        return []
    own = [data.get("value"), *(data.get("values") or ())]
    return [text for text in own if isinstance(text, str)] + values([*data.values()])


def slash(command: app_commands.Command[Any, Any, Any]) -> dict[str, Any]:
    """Return the data of a slash command with this text in every option, as Discord sends them."""
    kinds = {
        discord.AppCommandOptionType.string: DIRTY,
        discord.AppCommandOptionType.integer: 2**63,
    }
    options = []
    for each in command.parameters:
        value = kinds.get(each.type, "1")
        options.append({"name": each.name, "type": each.type.value, "value": value})
    data: dict[str, Any] = {"name": command.name, "options": options}
    parent = command.parent
    while parent is not None:
        data = {"name": parent.name, "options": [{**data, "type": 1}]}
        parent = parent.parent
    return data


async def test_every_option_of_every_command(evening: Evening) -> None:
    commands = [
        slash(command)
        for command in evening.bot.tree.walk_commands()
        if isinstance(command, app_commands.Command)
    ]
    assert len(commands) > 40
    typed = values(commands)
    left = values(list(map(cleaned, commands)))
    assert typed.count(DIRTY) == left.count("text") > 40
    assert [text for text in left if visible(text) != text] == []


@pytest.mark.parametrize(
    "component",
    [
        {"type": 18, "component": {"type": 4, "custom_id": "terms", "value": DIRTY}},
        {"type": 1, "components": [{"type": 4, "custom_id": "terms", "value": DIRTY}]},
        {"type": 18, "component": {"type": 3, "custom_id": "give_also", "values": [DIRTY, DIRTY]}},
    ],
)
def test_every_field_of_a_form(component: dict[str, Any]) -> None:
    data = {"custom_id": "x", "components": [component]}
    assert set(values(cleaned(data))) == {"text"}


NAMELESS = {"inputs.py", "request.py"}
"""Replies to one person about somebody who may not be known at the table at all."""


def test_people_are_named_where_a_name_like_anothers_is_marked() -> None:
    """Cogs name people by `bot.show.names`, which marks them; a mention made here would not be."""
    folder = Path(cogs.__file__).parent
    sources = {path.name: path.read_text(encoding="utf-8") for path in folder.rglob("*.py")}
    assert len(sources) > 30
    own = re.compile(r"(?<!names)\.mention\b|f\"[^\"]*<@\{")
    mentioning = {name for name, source in sources.items() if own.search(source)}
    assert mentioning - {*NAMELESS} == set()


def test_nothing_else_is_touched() -> None:
    data = {
        "custom_id": DIRTY,
        "options": [{"name": DIRTY, "value": 2**64}],
        "values": [1, None],
        "resolved": None,
    }
    assert cleaned(data) == data
    assert cleaned(None) is None


def test_nothing_is_suggested_that_discord_would_refuse() -> None:
    long = "x" * 101
    short, cut = choices((("short", "ok"), ("long", long), (long, "label")), "")
    assert (short.name, short.value) == ("short", "ok")
    assert (cut.name, cut.value) == ("x" * 100, "label")
