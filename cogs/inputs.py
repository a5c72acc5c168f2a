"""Parses inputs: players, goods, spans of time, the fields of a form."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, overload

import discord

from bot.rules.features.tables import ReopenTable, ResumeTable
from bot.rules.model.actions import take_a_seat
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.text import characters, longest, quoted, visible
from bot.rules.model.violation import Outdated, Refused
from bot.rules.views import TableView
from bot.show import names
from bot.show.goods_choices import without_remarks
from bot.show.names import game_of
from bot.show.picker import picked_goods
from bot.show.said import read_side
from bot.show.stock import vocabulary

VALUES = ("value", "values")
"""The keys of an interaction's data that hold what a person typed or chose."""

SECONDS_IN = {"s": 1, "m": 60, "h": 3600, "d": 86400}
"""Units of time, in seconds."""


def own_seat(view: TableView) -> str:
    """Return the viewer's seat. Raises `Refused` when they have none, and while the table is
    paused or can only be opened again.

    >>> own_seat(view)
    'red'
    """
    if view.paused is not None and view.open:
        raise ResumeTable.needed(view.id, view.since)
    if view.closing is not None:
        raise ReopenTable.needed(view.id, view.closing, view.since)
    if view.seat is None:
        raise Refused(
            "You have no seat at this table.",
            "Take one: **Take a seat**.",
            options=take_a_seat(view.id),
        )
    return view.seat


@overload
def seat_of(view: TableView, user: discord.abc.User) -> str: ...
@overload
def seat_of(view: TableView, user: discord.abc.User | None) -> str | None: ...
def seat_of(view: TableView, user: discord.abc.User | None) -> str | None:
    """Return the seat of a Discord user; None for nobody. Raises `Refused` for a bot, and for a
    user without a seat.

    >>> async def greet(self, interaction: discord.Interaction, player: discord.User) -> None:
    ...     request = Request(interaction)
    ...     await request.reply(f"They play {seat_of(await request.view(), player)}.")
    """
    require_person(user)
    return None if user is None else seat_of_id(view, user.id)


def seat_of_id(view: TableView, user_id: int) -> str:
    """Return the seat of the Discord user with this id. Raises `Refused` when they have none."""
    seat = view.seat_of_user(user_id)
    if seat is None:
        raise Refused(f"<@{user_id}> has no seat at this table.", "They take one: /table sit.")
    return seat


def seats_written(view: TableView, text: str) -> tuple[str, ...]:
    """Return the seats of a written list of people, in that order: ``@bob @carol`` or ``Sol (bob),
    Letnev``.

    Raises `Refused` for a user without a seat, and for a word that names nobody at the table.

    >>> seats_written(view, "Green (bob), Red")
    ('green', 'red')
    """
    parts = (part.strip() for part in _LIST.split(_BESIDE.sub("", text)))
    return tuple(_seat_written(view, part) for part in parts if part)


_LIST = re.compile(r"[,;\n]|\band\b|(?<=>)\s+|(?<!\s)\s+(?=<@)", re.IGNORECASE)
"""The separators in a list of people."""

_BESIDE = re.compile(r"(?<!\s)\s*\([^()]*\)")
"""A person's name in parentheses after their seat, which is ignored."""


def _seat_written(view: TableView, word: str) -> str:
    if user := re.fullmatch(r"<@!?(\d+)>", word):
        return seat_of_id(view, int(user[1]))
    option = game_of(view).seats.find(word)
    seat = (
        option.id
        if option is not None
        else names.aliases(view).get(word.casefold().removeprefix("@"))
    )
    if seat is None or seat not in view.seated():
        here = ", ".join(names.seat_name(view, each) for each in view.seated())
        raise Refused(
            f"I can't tell who “{quoted(word[:60])}” is.", f"Try {here}, or name people with @."
        )
    return seat


def require_person(user: discord.abc.User | None) -> None:
    """Raise `Refused` if the user is a bot."""
    if user is not None and user.bot:
        raise Refused(f"{user.mention} is a bot, and bots don't play.", "Name a person.")


def require_seated(view: TableView, seat: str) -> None:
    """Raise `Refused` if nobody plays this seat."""
    if seat not in view.seated():
        raise Refused(
            "Nobody plays that seat any more.",
            "**Who has what** under **Menu** lists the players.",
        )


def require_member(user: discord.abc.User | None) -> None:
    """Raise `Refused` if the user is a bot, or is not on the server where the command was typed."""
    require_person(user)
    if user is not None and not isinstance(user, discord.Member):
        raise Refused(
            f"{user.mention} is not on this server.",
            "Invite them, or name a person who is here.",
        )


def known_person(view: TableView, user: discord.abc.User) -> int:
    """Return the person number of a user. Raises `Refused` for a user who was never part of the
    table.
    """
    person = view.person_of_user(user.id)
    if person is None:
        raise Refused(f"{user.mention} has never been at this table.", "Name a player or a host.")
    return person.number


def read_goods(view: TableView, text: str | None, giver: str | None) -> Goods:
    """Parse goods. ``giver`` is the seat that would give them, or None. Raises `Refused`.

    >>> read_goods(view, "two silk", "red")
    Goods({'silk': 2})
    """
    if not text:
        return NOTHING
    return read_side(view, without_remarks(text), giver)


def read_span(text: str | None) -> int | None:
    """Parse a span of time such as ``10m`` or ``2h`` into milliseconds; None for no text. Raises
    `Refused`.
    """
    if not text:
        return None
    found = re.fullmatch(r"(\d{1,6})\s*([smhd])[a-z]*", text.strip().casefold())
    if found is None:
        raise Refused(
            f"“{quoted(text[:60])}” is not a length of time I know.", "Try 10m, 2h or 1d."
        )
    return int(found[1]) * SECONDS_IN[found[2]] * 1000


def cleaned(data: Any) -> Any:
    """Return the data of an interaction, with `bot.rules.model.text.visible` applied to each typed
    or chosen value.

    This must come before anything else reads the data. Raises `Refused` for a text longer than its
    field takes; see `bot.rules.model.text.longest`.
    """
    match data:
        case list():
            return [cleaned(each) for each in data]
        case dict():
            most = longest(str(data.get("custom_id")))
            return {
                key: _cleaned_value(each, most) if key in VALUES else cleaned(each)
                for key, each in data.items()
            }
        case _:
            return data


def _cleaned_value(value: Any, most: int) -> Any:
    match value:
        case str():
            if (length := characters(value, most)) > most:
                raise Refused(f"That is {length} characters long.", f"Use at most {most}.")
            return visible(value)
        case list():
            return [_cleaned_value(each, most) for each in value]
        case _:
            return value


def selected_goods(view: TableView, values: Iterable[str]) -> Goods:
    """Return the goods picked in a list, from the values of its options.

    Raises `Refused` for what this table does not know. The rules check whether the person has the
    goods.

    >>> goods = selected_goods(await request.view(), request.submitted()["cards"])
    """
    goods = picked_goods(dict.fromkeys(values))
    if not vocabulary(view).issuperset(goods):
        raise Outdated
    return goods
