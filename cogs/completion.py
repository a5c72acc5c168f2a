"""Autocomplete: suggestions from what the table allows and the person may know."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

import discord
from discord.app_commands import Choice

from bot.rules.registry import game_named
from bot.rules.views import TableView
from bot.show import names
from cogs.context import CommandContext

V = TypeVar("V", str, int)

SHOWN, LABEL = 25, 100
"""Discord's limits for the number of choices, and for the characters of one."""


def choices(found: Iterable[tuple[str, V]], typed: str) -> list[Choice[V]]:
    """Return the choices that contain what was typed, those that begin with it first."""
    wanted = typed.strip().casefold()
    whole = ((label, value) for label, value in found if len(str(value)) <= LABEL)
    fitting = [(label, value) for label, value in whole if wanted in f"{label} {value}".casefold()]
    fitting.sort(key=lambda choice: not choice[0].casefold().startswith(wanted))
    return [Choice(name=label[:LABEL], value=value) for label, value in fitting[:SHOWN]]


def own_goods(view: TableView, typed: str) -> list[Choice[str]]:
    """Complete goods of the person who types, including hidden ones."""
    seat = view.seats.get(view.seat or "")
    return _goods(view, game_named(view.game).goods.suggest(seat), typed)


def goods_of(view: TableView, seat: str | None, typed: str) -> list[Choice[str]]:
    """Complete goods that another seat (None: any seat) could have as far as everybody knows."""
    other = view.seats.get(seat or "")
    known = replace(other, hidden=None) if other else None
    return _goods(view, game_named(view.game).goods.suggest(known), typed)


async def goods_of_user(
    context: CommandContext, interaction: discord.Interaction, option: str, typed: str
) -> list[Choice[str]]:
    """Complete goods of the user who is named in another option of the command, if it is filled in already."""
    view = await context.view(interaction)
    user = getattr(interaction.namespace, option, None)
    return goods_of(view, view.seat_of_user(user.id) if user else None, typed)


def _goods(view: TableView, words: Iterable[str], typed: str) -> list[Choice[str]]:
    """Complete the last of the goods typed so far, keeping those before it and its number."""
    before, comma, last = typed.rpartition(",")
    kept = f"{before.strip()}, " if comma else ""
    named = [names.plain_text(view, word) for word in words]
    if number := re.match(r"\s*(\d+)\s*", last):
        named = [re.sub(r"^\d+", number[1], word) for word in named if word[0].isdigit()]
    fitting = (kept + word for word in named if _fits(word, last) and len(kept + word) <= LABEL)
    exact = [typed.strip()] if typed.strip() and len(typed) <= LABEL else []
    return [Choice(name=text, value=text) for text in list(dict.fromkeys([*fitting, *exact]))[:SHOWN]]


def _fits(word: str, typed: str) -> bool:
    """Return whether goods have all words that were typed, so that a note is found by its person too."""
    wanted = re.sub(r"^\d+\s*", "", typed.strip().casefold())
    return all(part in word.casefold() for part in re.split(r"['’]s?(?:\s|$)|\s", wanted))
