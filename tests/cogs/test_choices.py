"""Tests that a choice in a menu changes nothing until a button is pressed."""

from __future__ import annotations

import inspect

from bot.rules.model.actions import Choice
from bot.show import custom_ids
from bot.show.cards import Select
from cogs.router import Router
from tests.cogs.evening import Evening

CHOICES = sorted(
    (kind for kind in custom_ids.codec().kinds.values() if issubclass(kind, Choice)),
    key=lambda k: k.name,
)

COMMITS = ("execute", "open_table", "remove(", "forget_person")
"""What a handler calls that changes a table."""


def test_menus_take_choices_only() -> None:
    assert Select.__annotations__["action"] == "Choice"
    every = {
        "browse",
        "hand-pick",
        "offer-other",
        "draft-pick",
        "setting-choose",
        "seat-choose",
        "ti4.meets",
    }
    assert every <= {kind.name for kind in CHOICES}


async def test_what_handles_a_choice_changes_no_table(evening: Evening) -> None:
    """Read from its code, so that it holds for every choice that will ever be added."""
    router = evening.bot.get_cog("Router")
    assert isinstance(router, Router)
    for kind in CHOICES:
        source = inspect.getsource(router._handlers[kind])
        assert not any(call in source for call in COMMITS), f"{kind.name} commits: {source}"
