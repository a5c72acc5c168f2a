"""Commands of Twilight Imperium 4."""

from __future__ import annotations

from bot.rules.commands import Command


class StartTurn(Command):
    """A person's turn begins; whoever was active before is not any more."""

    person: int


class EndTurn(Command):
    pass


class JoinNeighbors(Command):
    first: int
    second: int


class PartNeighbors(Command):
    first: int
    second: int
