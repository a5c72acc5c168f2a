"""Commands and callers: what a person wants, and who asks.

Each feature and each game defines its own commands in its ``commands.py`` and lists their handlers. A command says
only what is wanted; who asks, with which rights and when is the `Caller`, given to `bot.rules.engine.decide` beside it.
People are numbers of their table, seats the ids of their game; nothing here knows Discord.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from bot.rules.entries import Entry
from bot.rules.model.table import Table

NOBODY = 0
"""The number of no person: the clock."""


@dataclass(frozen=True, slots=True)
class Command:
    """Something a person wants."""

    def subjects(self) -> tuple[str, ...]:
        """Return the subjects of entries that it is about: they are recalled if the table has them no more."""
        return ()


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. ``person`` is their number, ``moderator`` whether they moderate the server of this very table.

    ``at`` is when they ask, in milliseconds since 1970, UTC.
    """

    person: int
    moderator: bool = False
    at: int = 0


C = TypeVar("C", bound=Command)

Handler = Callable[[Table, Any, Caller], Iterable[Entry]]
"""Answers one kind of command with entries, or raises `Refused`."""

Handlers = Mapping[type[Command], Handler]


def handler(command: type[C], function: Callable[[Table, C, Caller], Iterable[Entry]]) -> tuple[type[Command], Handler]:
    """Bind a function to the command it answers; the type checker holds the one against the other."""
    return command, function
