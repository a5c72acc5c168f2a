"""Commands about the table itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from bot.rules.commands import Command


@dataclass(frozen=True, slots=True)
class OpenTable(Command):
    """Open a table; the caller becomes its host.

    ``chance`` is random and known to nobody: the secret of a game that shuffles. Such a game commits to it right away.
    """

    game: str
    name: str = ""
    open_on_close: Literal["yes", "no"] = "yes"
    chance: str = ""


@dataclass(frozen=True, slots=True)
class CloseTable(Command):
    """End the table. Needs the host."""


@dataclass(frozen=True, slots=True)
class SetHost(Command):
    """Hand the table over. Needs the host."""

    person: int


@dataclass(frozen=True, slots=True)
class ChangeSettings(Command):
    """Change how the table plays: new values by the setting's name. Needs the host."""

    changes: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SetPhase(Command):
    """Begin a phase. Needs the host."""

    phase: str


@dataclass(frozen=True, slots=True)
class Tick(Command):
    """The clock: end what has run out by now."""
