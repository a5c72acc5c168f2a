"""Turns: what must happen before a phase begins, and what happens when it begins.

The first phase begins a new turn.
"""

from __future__ import annotations

from bot.api import (
    Action,
    Apply,
    Caller,
    Entry,
    Feature,
    OfferVoided,
    PhaseSet,
    Refused,
    Since,
    Table,
    agreed_deals,
    part,
    replace,
    with_parts,
)
from bot.games.advciv.stacks import restored
from bot.games.advciv.state import (
    ACQUIRE,
    TITLES,
    TRADE,
    Calamities,
    OfTurn,
    require_not_shown,
    state_of,
    trading,
)
from bot.games.advciv.surrendering import kept
from bot.games.advciv.trading import OpenTrading, go_on, opened_for, require_drawn


def phases(
    table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply
) -> tuple[Entry, ...]:
    """Return the entry that begins a phase with what happens right before and after it.

    Before the next turn, it is recorded how many cards each player keeps, and this turn's cards go
    back under the stacks. With the trade phase, trading opens for the duration in the settings.
    """
    phase = next((entry.phase for entry in entries if isinstance(entry, PhaseSet)), None)
    if phase is None:
        return entries
    if phase == table.phase and (phase != TRADE or trading(table)):
        raise Refused(f"{TITLES[phase]} has already begun.", "Name another phase.")
    if phase == ACQUIRE and table.tracked:
        if part(table, Calamities).shown is None:
            raise Refused(
                "Everybody must show their calamities before the next turn.",
                "Once trading is over: **Show calamities**. Opened too early? **Undo a slip** "
                "under **Menu**, **Host…**.",
                rule="29.3",
            )
        return (kept(table), *restored(table), *entries)
    if phase == ACQUIRE:
        return entries
    stay = agreed_deals(table)  # they go on if trading opens again
    entries = tuple(
        entry for entry in entries if not isinstance(entry, OfferVoided) or entry.offer not in stay
    )
    if phase != TRADE:
        return entries
    require_not_shown(table)
    since = table.window.since
    require_drawn(table, OpenTrading(table.settings.timer, anyway=True, since=since))
    # The phase's own entry takes the next window number, so trading opens in the one after it.
    opened = opened_for(table.settings.timer, caller.at, window=table.window.number + 2)
    return (*entries, opened, *go_on(table, opened.window))


def begun(table: Table, entry: Entry) -> Table:
    """Begin the next turn with the first phase, and reset the parts of the state that last for a
    turn.
    """
    if not isinstance(entry, PhaseSet) or entry.phase != ACQUIRE:
        return table
    state = state_of(table)
    table = table.with_state(replace(state, turn=state.turn + 1))
    return with_parts(table, lambda part: part.turn_over() if isinstance(part, OfTurn) else part)


class AskNextTurn(Action):
    """The board's button **Next turn**: asks the host to confirm, because it can't be taken
    back.
    """

    name = "advciv.ask_next_turn"
    since: Since = None


FEATURE = Feature(opens=(AskNextTurn,), hears=(PhaseSet,), after=begun, brings=phases)
