"""Truncation: cut texts and lists to Discord's limits, and say how much is missing."""

from __future__ import annotations

from collections.abc import Sequence

TEXT_MAX = 3800
"""The most characters of variable text in a card. Discord's limit is 4000; the rest is for fixed text."""

LINE_MAX = 160
"""The most characters of a list's line: about three lines on a phone."""


def truncate_lines(lines: Sequence[str], length: int) -> list[str]:
    """Return as many lines as fit into ``length`` characters, then the number of the others.

    Each line is cut to `LINE_MAX` characters.
    """
    kept: list[str] = []
    room = length - 40  # for the words at the end
    for line in lines:
        # A backslash at the end would escape the ellipsis.
        short = line if len(line) <= LINE_MAX else f"{line[: LINE_MAX - 1].rstrip(chr(92))}…"
        if room < len(short) + 1:
            return [*kept, f"-# and {len(lines) - len(kept)} more"]
        kept.append(short)
        room -= len(short) + 1
    return kept


def truncate_list(line: str, length: int) -> str:
    """Cut a comma-separated list to ``length`` characters, at a comma, and say how many more follow."""
    if len(line) <= length:
        return line
    head = line[: length - 20].rpartition(", ")[0]
    return f"{head}, and {line[len(head) :].count(', ')} more"


def truncate(text: str, length: int) -> str:
    """Cut text to ``length`` characters, at a space, without cutting a mention or leaving bold open."""
    if len(text) <= length:
        return text
    cut = text[: length - 4].rsplit(" ", 1)[0]
    return f"{cut}{'**' if cut.count('**') % 2 else ''} …"
