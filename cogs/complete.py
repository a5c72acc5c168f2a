"""Autocomplete: what may be typed next, from what this table allows and this person may know."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeVar

from discord.app_commands import Choice

from bot.desk import Look
from bot.show import names
from cogs.door import game

V = TypeVar("V", str, int)

SHOWN, LABEL = 25, 100
"""Discord's limits: choices shown at once, and characters of one."""


def choices(found: Iterable[tuple[str, V]], typed: str) -> list[Choice[V]]:
    """The choices that hold what was typed, those that begin with it first."""
    wanted = typed.strip().casefold()
    fitting = [(label, value) for label, value in found if wanted in f"{label} {value}".casefold()]
    fitting.sort(key=lambda choice: not choice[0].casefold().startswith(wanted))
    return [Choice(name=label[:LABEL], value=value) for label, value in fitting[:SHOWN]]


def complete_goods(look: Look, giver: str | None, typed: str, *, own: bool) -> list[Choice[str]]:
    """Complete the last of the goods typed so far, keeping those before it.

    ``own``: the goods are the typist's, so their hidden notes may be offered; of anybody else only what all know.
    """
    before, comma, last = typed.rpartition(",")
    kept = f"{before.strip()}, " if comma else ""
    words = game(look).suggest(look.table, giver, own)
    number = re.match(r"\s*(\d+)\s*", last)
    told = [names.plain(look, word) for word in words]
    if number:
        told = [re.sub(r"^\d+", number[1], word) for word in told if word[0].isdigit()]
    fitting = dict.fromkeys(word for word in told if _fits(word, last) and len(kept + word) <= LABEL)
    exact = [typed.strip()] if typed.strip() and len(typed) <= LABEL else []
    return [
        Choice(name=text, value=text) for text in list(dict.fromkeys([*(kept + w for w in fitting), *exact]))[:SHOWN]
    ]


def _fits(word: str, typed: str) -> bool:
    wanted = re.sub(r"^\d+\s*", "", typed.strip().casefold())
    return wanted in word.casefold()
