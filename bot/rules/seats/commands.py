"""Commands about seats."""

from __future__ import annotations

from dataclasses import dataclass

from bot.rules.commands import Command


@dataclass(frozen=True, slots=True)
class Sit(Command):
    """Take a seat, or (hosts) give it to another person. ``person`` None: the caller."""

    seat: str
    person: int | None = None


@dataclass(frozen=True, slots=True)
class Leave(Command):
    """Leave the caller's own seat (None), or (hosts) free another one."""

    seat: str | None = None
