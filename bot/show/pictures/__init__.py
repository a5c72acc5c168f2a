"""Pictures: plain values in, PNG bytes out. What a picture shows, its ``alt`` says in words.

A picture is drawn on a dark card of its own, so that it reads the same in Discord's dark and light. Colour never
stands alone: a line style, a sign or a number says the same. Drawing takes some tens of milliseconds: do it in a
thread.
"""

from __future__ import annotations

from dataclasses import dataclass

ALT_MAX = 1024
"""Characters that Discord takes to describe a picture."""


@dataclass(frozen=True)
class Picture:
    """A PNG, its file name, and what it shows in words: at most `ALT_MAX` characters."""

    png: bytes
    name: str
    alt: str
