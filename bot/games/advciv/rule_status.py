"""The public status of a table under each rule. It never says what a hand holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.api import Table, mentions, part
from bot.games.advciv.board import TITLES
from bot.games.advciv.calamities import describe_calamities
from bot.games.advciv.drawing import in_order, said_by, yet_to_draw
from bot.games.advciv.state import ACQUIRE, CARDS, Bell, Calamities, Draws, Stacks, trading
from bot.games.advciv.surrendering import Surrenders
from bot.games.advciv.taking import Requests
from bot.games.advciv.trade import may_name_calamities


def rule_status(table: Table, number: str) -> str:
    """Return the status of this table under the rule with this number; empty for none."""
    status = BY_RULE.get(number)
    return status(table) if status else ""


def _drawn(table: Table) -> str:
    drawn, said, late = part(table, Draws).drawn, said_by(table), yet_to_draw(table)
    if table.phase != ACQUIRE:
        now = f"Cards are drawn before trading; now it is {TITLES[table.phase].lower()}."
        return f"{now} Can still draw: {mentions(late)}." if late and part(table, Calamities).shown is None else now
    have = f"Have drawn, by cities: {_by_cities(drawn)}. "
    if said:
        waits = mentions(seat for seat in table.seated() if seat not in {**drawn, **said})
        return f"{have}Have said, by cities: {_by_cities(dict(in_order(said)))}. Still to say: {waits}."
    return f"{have}Still to draw: {mentions(seat for seat in table.seated() if seat not in drawn)}."


def _by_cities(cities: Mapping[str, int]) -> str:
    return ", ".join(f"<seat:{seat}> for {many}" for seat, many in cities.items()) or "nobody"


def _taken(table: Table) -> str:
    waiting = part(table, Requests).in_order()
    asked = "; ".join(f"<seat:{each.seat}> from <seat:{each.other}>" for each in waiting)
    return f"Waiting to take a card: {asked or 'nobody'}."


def _stacks(table: Table) -> str:
    stacks = part(table, Stacks).stacks
    if not stacks:
        if CARDS.of(table.settings) == "dealt":
            return "The stacks are shuffled with the first draw."
        return "This table uses real cards, so the bot does not deal."
    empty = ", ".join(str(number) for number, stack in enumerate(stacks, start=1) if not stack)
    return f"Empty stacks: {empty or 'none'}."


def _time(table: Table) -> str:
    if not trading(table):
        return f"Trading is not open; now it is {TITLES[table.phase].lower()}."
    bell = part(table, Bell).bell
    return (
        f"Trading is open; the bell rings <t:{bell // 1000}:R>." if bell else "Trading is open, without a time limit."
    )


def _done(table: Table) -> str:
    if not trading(table):
        return _time(table)
    left = mentions(seat for seat in table.seated() if seat not in part(table, Bell).done)
    return f"{_time(table)} Still trading: {left}."


def _named(table: Table) -> str:
    may = "may" if may_name_calamities(table) else "can't"
    return f"A calamity {may} be one of the named cards."


def _mined(table: Table) -> str:
    return f"Have used Mining this turn: {mentions(sorted(part(table, Surrenders).mined))}."


def _calamities(table: Table) -> str:
    now = part(table, Calamities)
    if now.shown is None:
        return "The calamities of this turn have not been shown."
    return "\n" + "\n".join(describe_calamities(now.shown, now.spared, reminded=False))


BY_RULE: Mapping[str, Callable[[Table], str]] = {
    "15.2": _stacks,
    "24.51": _taken,
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
    "30.52": _calamities,
}
"""The status functions, by the number of the rule."""
