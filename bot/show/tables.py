"""The table as it stands: who sits where, whose turn it is, and whom the asker can trade with now."""

from __future__ import annotations

from bot.desk import Look
from bot.rules.game import Trade
from bot.rules.goods import NOTHING
from bot.rules.offers import rulings
from bot.show import names
from bot.show.cards import Card, offer_line


def table_card(look: Look, asker: str | None) -> Card:
    """The table for one who asks; ``asker`` is their seat, if they have one."""
    table = look.table
    blocks = [f"### {names.escape(table.name)}\n{names.tell(look, f'Host: <person:{table.host}>')}"]
    blocks.append(_now(look))
    blocks.append(_seats(look, asker))
    if offers := table.open_offers():
        blocks.append("**Open offers**\n" + "\n".join(names.escape(offer_line(look, offer)) for offer in offers[-10:]))
    return Card("open" if table.open else "over", tuple(blocks))


def _now(look: Look) -> str:
    table = look.table
    if not table.open:
        return "This table is **closed**."
    if table.window.holder:
        return f"{table.phase.capitalize()} phase · it is {names.player(look, table.window.holder)}'s turn."
    return f"{table.phase.capitalize()} phase."


def _seats(look: Look, asker: str | None) -> str:
    if not look.table.seats:
        return "Nobody sits here yet. **/table sit** takes a seat."
    return "\n".join(f"{names.player(look, seat)}{_with(look, asker, seat)}" for seat in look.table.seats)


def _with(look: Look, asker: str | None, seat: str) -> str:
    """Whether the asker can trade with this seat now, and if not why not."""
    if asker is None:
        return ""
    if asker == seat:
        return " · you"
    found = why_not(look, asker, seat)
    return f" · 🔒 {names.tell(look, found)}" if found else " · 🤝 you can trade now"


def why_not(look: Look, first: str, second: str) -> str:
    """Why these two can't trade anything now, in a sentence; empty when they can."""
    empty = Trade(first=first, second=second, first_gives=NOTHING, second_gives=NOTHING)
    found = [ruling for ruling in rulings(look.table, empty) if not ruling.lasting]
    return found[0].sentence() if found else ""
