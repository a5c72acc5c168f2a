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


def evenings_card(evenings: Evenings) -> Card:
    """Return the numbers, for their reader alone. Draws the picture, so call this in a thread."""
    if not evenings.evenings:
        return Card("over", NONE)
    number = plural(evenings.evenings, "evening")
    facts = f"{plural(evenings.trades, 'trade')} · {plural(evenings.kept, 'promise')} kept"
    if evenings.debts:
        facts += f" · {plural(evenings.debts, 'debt')} paid"
    blocks = [f"### {number} · {facts}"]
    if (trade := evenings.biggest) and (given := gifts(trade)):
        lines = [name_text(trade, line) for line in given]
        blocks.append("\n".join(("**Your biggest trade**", *lines)))
    lines, bars = ["**Who with whom**"], []
    for person in evenings.partners[:PEOPLE_MAX]:
        together, trades = plural(person.evenings, "evening"), plural(person.trades, "trade")
        lines.append(f"{escape(person.name)}: {together}, {trades}")
        bars.append(Bar(person.name, person.trades, trades, together))
    left = len(evenings.partners) - PEOPLE_MAX
    if left > 0:
        lines.append(f"-# and {left} more")
    if bars:
        blocks.append("\n".join(lines))
    blocks.append(
        "-# Closed tables of this server at which you sat. What was private counts nowhere. Only "
        "you see this."
    )
    picture = evenings_picture(number, facts, bars) if bars else None
    return Card("done", blocks, picture=picture)
