"""Tests that replies with nothing to show name the next step: a command, a button, or a person to
ask.

Every command is typed on an empty server, at a table where nobody sits, and at one where nothing
has happened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from discord import AppCommandType

from bot.rehearsal.stage import Reply
from tests.cogs.evening import ADVCIV_SEATS, SEATS, Evening, Typed, opened
from tests.scale import long

USER, NUMBERS = 6, (4, 10)
"""Discord's numbers for options."""

VALUES = {
    "game": "ti4",
    "goods": "1 tg",
    "give": "1 tg",
    "seat": "sol",
    "phase": "action",
    "players": "@bob",
    "note": "ceasefire",
    "number": "94.1",
    "cards": "salt",
    "exact": "3",
}
"""What is typed into required options; anything else is nonsense."""

NOTHING = re.compile(
    r"^(🚫(?![^🚫]*^\[)|There (is|are|was|were) (no|nothing)|No |None|Nobody|Nothing|You have "
    r"no|They have no)"
    r"|: (nobody|nothing|none)$",
    re.MULTILINE,
)
"""What a line of a reply says that has nothing to show, or refuses for no rule: a rule says itself
what it wants.
"""

STEP = re.compile(
    r"/[a-z]+( [a-z]+)?\b|\b(Ask|Name|Pick|Type|Press|Try|Copy|Invite|Say|Choose|For example|Did "
    r"you mean|I know)\b|\b(New offer|Start my turn|My goods|Offers on the board)\b|"
    r"\b(Remind us|Build it)…| under (Menu|Host…)"
)
"""What names a next step."""

SETTLED = ("can't become another faction here", "can't be their own neighbour")
"""Replies that are complete: they say what would have to be otherwise."""

SITUATIONS: dict[str, list[Typed]] = {
    "no table": [],
    "nobody sits": opened("ti4"),
    "nobody sits, cards": opened("advciv"),
    "nothing has happened": opened("ti4", *SEATS[:2]),
    "no card is drawn": opened("advciv", *ADVCIV_SEATS[:2]),
}
EVERY = set(product(SITUATIONS, ("alice", "bob", "carol")))
OFTEN = {
    ("no table", "alice"),
    ("nobody sits", "alice"),
    ("nobody sits, cards", "carol"),
    ("nothing has happened", "bob"),
    ("no card is drawn", "bob"),
}
"""Who looks in which situation: these in `make test`, all in `make long`."""

LAST = {
    "neighbors nobody",
    "table close",
    "table pause",
    "table reopen",
    "table host",
    "table open",
    "table leave",
    "table sit",
    "phase set",
}
"""Commands that would make another situation of it."""


Node = dict[str, Any]
"""A command, a group or an option, as Discord gets it."""


def commands(evening: Evening) -> Iterator[tuple[str, Node]]:
    def leaves(path: str, node: Node) -> Iterator[tuple[str, Node]]:
        below = [each for each in node.get("options") or () if each["type"] in (1, 2)]
        if not below:
            yield path, node
        for each in below:
            yield from leaves(f"{path} {each['name']}", each)

    for command in evening.bot.tree.get_commands(type=AppCommandType.chat_input):
        yield from leaves(command.name, command.to_dict(evening.bot.tree))


def filled(command: dict[str, Any]) -> dict[str, str]:
    """Return something for each option that is required."""
    found = {}
    for option in command.get("options") or ():
        if option.get("required"):
            choices = option.get("choices") or ()
            typed = "3" if option["type"] in NUMBERS else VALUES.get(option["name"], "x")
            plain = "@bob" if option["type"] == USER else typed
            found[option["name"]] = str(choices[0]["value"]) if choices else plain
    return found


def leads_on(evening: Evening, who: str, reply: Reply) -> bool:
    """Return whether a reply has something to show, or says what to do next."""
    text = "\n".join(reply.texts())
    if not NOTHING.search(text) or STEP.search(text):
        return True
    if any(each in text for each in SETTLED):
        return True
    stage = evening.stage
    return any(stage._controls(stage._shown[each.id]) for each in reply.messages)


@pytest.mark.parametrize(("situation", "who"), [*sorted(OFTEN), *long(sorted(EVERY - OFTEN))])
async def test_every_command_leads_on(evening: Evening, situation: str, who: str) -> None:
    for name in ("alice", "bob", "carol"):
        evening.stage.person(name)
    for name, path, options in SITUATIONS[situation]:
        await evening.types(name, path, **options)
    silent = []
    for path, command in commands(evening):
        if path not in LAST:
            reply = await evening.types(who, path, **filled(command))
            assert reply.answered, path
            if not leads_on(evening, who, reply):
                silent.append((path, reply.texts()))
    assert not silent, "\n".join(f"/{path}: {texts}" for path, texts in silent)
