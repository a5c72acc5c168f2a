"""Truncation: what fits into one message, and a word on how much more there is."""

from __future__ import annotations

from collections.abc import Sequence

TEXT_MAX = 3800
"""Characters of text in one card; Discord takes 4000, and a card has some words of its own."""

LINE_MAX = 160
"""Characters of one line in a list: three lines on a phone."""


def truncate_lines(lines: Sequence[str], most: int) -> list[str]:
    """Return as many of these lines as fit into so many characters, then how many more there are.

    Each line is cut to `LINE_MAX` characters.
    """
    kept: list[str] = []
    room = most - 40  # for the words at the end
    for line in lines:
        # A backslash at the cut would escape the dots.
        short = line if len(line) <= LINE_MAX else f"{line[: LINE_MAX - 1].rstrip(chr(92))}…"
        if room < len(short) + 1:
            return [*kept, f"-# and {len(lines) - len(kept)} more"]
        kept.append(short)
        room -= len(short) + 1
    return kept


def truncate_list(line: str, most: int) -> str:
    """Return a line of things with commas between, cut at a comma to so many characters, and how many more follow."""
    if len(line) <= most:
        return line
    head = line[: most - 20].rpartition(", ")[0]
    return f"{head}, and {line[len(head) :].count(', ')} more"


def truncate(text: str, most: int) -> str:
    """Return text cut at a space to so many characters: no mention is cut in two, and no bold is left open."""
    if len(text) <= most:
        return text
    cut = text[: most - 4].rsplit(" ", 1)[0]
    return f"{cut}{'**' if cut.count('**') % 2 else ''} …"
