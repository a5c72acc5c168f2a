"""/evenings: the reader's numbers over the closed tables of a server, with a picture of who traded
with whom.
"""

from __future__ import annotations

from bot.service.evenings import Evenings
from bot.show.cards import Card, plural
from bot.show.names import escape, name_text
from bot.show.narration import gifts
from bot.show.pictures.evenings import Bar, evenings_picture

NONE = (
    "You have sat at no table of this server that is closed and counts. Tables whose secrets stay "
    "secret at the end "
    "don't count."
)

PEOPLE_MAX = 8
"""The most people in the list and in the picture."""


def evenings_card(found: Evenings) -> Card:
    """Return the numbers, for their reader alone. Draws the picture, so call this in a thread."""
    if not found.evenings:
        return Card("over", (NONE,))
    facts = [plural(found.trades, "trade"), f"{plural(found.kept, 'promise')} kept"]
    if found.debts:
        facts.append(f"{plural(found.debts, 'debt')} paid")
    told = (
        "\n".join(name_text(found.biggest, line) for line in gifts(found.biggest))
        if found.biggest
        else ""
    )
    lines = [
        f"{escape(each.name)}: {plural(each.evenings, 'evening')}, {plural(each.trades, 'trade')}"
        for each in found.partners[:PEOPLE_MAX]
    ]
    left = len(found.partners) - PEOPLE_MAX
    blocks = (
        f"### {plural(found.evenings, 'evening')} · {' · '.join(facts)}",
        f"**Your biggest trade**\n{told}" if told else "",
        "\n".join(("**Who with whom**", *lines, *([f"-# and {left} more"] if left > 0 else [])))
        if lines
        else "",
        "-# Closed tables of this server at which you sat. What was private counts nowhere. Only "
        "you see this.",
    )
    bars = [Bar(each.name, each.trades, each.evenings) for each in found.partners[:PEOPLE_MAX]]
    drawn = (
        evenings_picture(plural(found.evenings, "evening"), " · ".join(facts), bars)
        if bars
        else None
    )
    return Card("done", tuple(filter(None, blocks)), picture=drawn)
