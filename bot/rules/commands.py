"""Commands and callers: what is wanted, and who asks.

Each feature of the core or of a game defines its own commands. A command says only what is wanted,
and decides which entries follow. The `Caller`, passed to `bot.rules.engine.decide` beside it, says
who asks, with which rights and when. People are numbers within their table, seats are ids within
their game. Nothing here knows Discord.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cache
from typing import Any, ClassVar, TypeVar

from bot.rules.entries import Entry, Reference
from bot.rules.model.actions import Action, LabelledAction
from bot.rules.model.goods import Goods
from bot.rules.model.table import Table
from bot.rules.model.text import visible
from bot.rules.model.values import Value, frozen

NOBODY = 0
"""The number that stands for no person: the clock, or everybody in a channel."""


class Command(Value):
    """A request to change the table, from a person or the clock.

    A command with a ``kind`` can be the payload of a button; see `button`. ``private_reply``: only
    the person who pressed sees the result, as the text of `reply`; otherwise everybody sees it.
    ``words`` names the fields with words of the person's own, which others read.

    >>> class Ring(Command):
    ...     kind = "bazaar.ring"
    ...     def decide(self, table, caller):
    ...         require_host(table, caller, "ring the bell")
    ...         return [PhaseSet(phase="market", window=table.window.number + 1)]
    >>> [entry.kind for entry in Ring().decide(table, caller)]
    ['table.phase']
    """

    kind: ClassVar[str] = ""
    private_reply: ClassVar[bool] = False
    words: ClassVar[tuple[str, ...]] = ()

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Return the entries that carry out the command. Raises `Refused` if it is not allowed."""
        raise NotImplementedError(f"{type(self).__name__} has no decide()")

    def reply(self, entries: Sequence[Entry]) -> str:
        """Return the private reply about these entries, with markup."""
        return ""

    def subjects(self) -> tuple[Reference, ...]:
        """Return what the command is about, as in `Entry.subject`. `bot.rules.recall` restores
        those that are over.
        """
        return ()


@frozen
class Caller:
    """The giver of a command. ``person`` is their number; ``moderator``: they moderate the server
    of this table.

    ``at`` is the time, in milliseconds since 1970, UTC. ``interaction`` is Discord's id of the
    interaction, if the command came from one; neither players nor the owner of the bot can choose
    it. ``chance`` is fresh randomness for each command; nobody knows it beforehand.

    >>> is_host(table, Caller(person=9)), is_host(table, Caller(person=9, moderator=True))
    (False, True)
    """

    person: int
    moderator: bool = False
    at: int = 0
    interaction: int | None = None
    chance: str = field(default="", repr=False)


class Press(Action):
    """Carry out the command when the button is pressed.

    >>> Press(table.id, SetPhase("market")).command.kind
    'table.phase'
    """

    name = "do"
    command: Command


def button(label: str, table: Table, command: Command) -> LabelledAction:
    """Return a button that carries out a command at this table. The command needs a ``kind``.

    >>> button("Begin", table, SetPhase("market")).label
    'Begin'
    """
    return LabelledAction(label, Press(table.id, command))


C = TypeVar("C", bound=Command)


def cleaned(command: C) -> C:
    """Return the command with invisible characters removed from all its texts, names of goods
    included.
    """
    kind: Any = type(command)  # mypy takes a class of dataclasses for one without a hash
    found = ((name, getattr(command, name)) for name in _fields(kind))
    changes = {name: new for name, value in found if value and (new := _cleaned(value)) != value}
    return replace(command, **changes) if changes else command


@cache
def _fields(kind: type[Command]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


def _cleaned(value: Any) -> Any:
    match value:
        case str():
            return visible(value)
        case Goods() if any(visible(token) != token for token in value):
            return Goods.of(map(visible, value.tokens()))
        case tuple():
            return tuple(map(_cleaned, value))
        case Mapping() if not isinstance(value, Goods):
            return {_cleaned(key): _cleaned(each) for key, each in value.items()}
        case _:
            return value
