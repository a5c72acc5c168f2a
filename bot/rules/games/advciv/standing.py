"""Where a table stands towards a rule now, from what everybody may know: never what a hand holds."""

from __future__ import annotations

from collections.abc import Callable

from bot.rules.games.advciv.board import TITLES
from bot.rules.games.advciv.state import seated, state_of, trading
from bot.rules.games.advciv.story import told_calamities
from bot.rules.table import Table


def standing(table: Table, number: str) -> str:
    """Where this table stands towards the rule of this number, in a few sentences; empty where there is no saying."""
    teller = TOLD.get(number)
    return teller(table) if teller else ""


def _drawn(table: Table) -> str:
    drawn = state_of(table).drawn
    if table.phase != "acquire":
        return f"Cards are drawn before trading; now it is {TITLES[table.phase].lower()}."
    waits = ", ".join(f"<seat:{seat}>" for seat in seated(table) if seat not in drawn)
    have = ", ".join(f"<seat:{seat}> for {cities}" for seat, cities in drawn.items())
    return f"Have drawn, by cities: {have or 'nobody'}. Still to draw: {waits or 'nobody'}."


def _stacks(table: Table) -> str:
    stacks = state_of(table).stacks
    if not stacks:
        return "Here the cards lie on the table, and the bot does not deal."
    empty = ", ".join(str(number) for number, stack in enumerate(stacks, start=1) if not stack)
    return f"Empty stacks: {empty or 'none'}."


def _time(table: Table) -> str:
    if not trading(table):
        return f"Trading is not open; now it is {TITLES[table.phase].lower()}."
    bell = state_of(table).bell
    return (
        f"Trading is open; the bell rings <t:{bell // 1000}:R>." if bell else "Trading is open, without a time limit."
    )


def _done(table: Table) -> str:
    if not trading(table):
        return _time(table)
    left = ", ".join(f"<seat:{seat}>" for seat in seated(table) if seat not in state_of(table).done)
    return f"{_time(table)} Still trading: {left or 'nobody'}."


def _named(table: Table) -> str:
    may = "may" if table.settings.name_calamities == "yes" else "can't"
    return f"A calamity {may} be one of the cards that are named."


def _mined(table: Table) -> str:
    used = ", ".join(f"<seat:{seat}>" for seat in sorted(state_of(table).mined))
    return f"Have used Mining this turn: {used or 'nobody'}."


def _calamities(table: Table) -> str:
    state = state_of(table)
    if state.shown is None:
        return "The calamities of this turn have not been shown."
    return "\n" + "\n".join(told_calamities(state.shown, state.spared, reminded=False))


TOLD: dict[str, Callable[[Table], str]] = {
    "15.2": _stacks,
    "27.1": _drawn,
    "27.21": _stacks,
    "27.5": _drawn,
    "28.1": _time,
    "28.3": _named,
    "28.4": _time,
    "28.41": _done,
    "28.53": _mined,
    "29.3": _calamities,
    "29.5": _calamities,
    "29.6": _calamities,
    "29.61": _calamities,
}
"""Who tells where the table stands, by the rule's number."""
