"""Commands about negotiations."""

from __future__ import annotations

from dataclasses import dataclass

from bot.rules.commands import Command


@dataclass(frozen=True, slots=True)
class OpenNegotiation(Command):
    """Talk to another seat in private."""

    other: str
    topic: str = ""


@dataclass(frozen=True, slots=True)
class CloseNegotiation(Command):
    """End a negotiation of the caller's."""

    negotiation: int
