"""What fits into one message: lists are cut at a line, with a word on how much more there is."""

from __future__ import annotations

from collections.abc import Sequence

TEXT_MOST = 3800
"""Characters of text in one card; Discord takes 4000, and a card has some words of its own."""

LINE_MOST = 160
"""Characters of one line in a list: three lines on a phone."""


def fitting(lines: Sequence[str], most: int) -> list[str]:
    """As many of these lines as fit into so many characters, each cut to `LINE_MOST`; then how many more there are."""
    kept: list[str] = []
    room = most - 40  # for the words at the end
    for line in lines:
        short = line if len(line) <= LINE_MOST else f"{line[: LINE_MOST - 1].rstrip(chr(92))}…"
        if room < len(short) + 1:
            return [*kept, f"-# and {len(lines) - len(kept)} more"]
        kept.append(short)
        room -= len(short) + 1
    return kept


def enumeration(line: str, most: int) -> str:
    """One line that lists things with commas, cut at a comma to so many characters, with how many more there are."""
    if len(line) <= most:
        return line
    head = line[: most - 20].rpartition(", ")[0]
    return f"{head}, and {line[len(head) :].count(', ')} more"
