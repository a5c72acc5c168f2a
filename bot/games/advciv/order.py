"""Rule 27.1: who still has cards to draw, and in which order all draw."""

from __future__ import annotations

from collections.abc import Mapping

from bot.api import LabelledAction, Refused, Table, mentions
from bot.games.advciv.seeds import has_seed
from bot.games.advciv.state import ACQUIRE, dealt, state_of
from data.advciv import nations


def in_order(cities: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Return these seats with their cities in the order in which they draw: fewest first, ties as on the A.S.T."""
    return tuple(sorted(cities.items(), key=lambda each: (each[1], nations()[each[0]].ast)))


def deals(table: Table) -> bool:
    """Return whether the bot deals, or would with the first draw.

    It does not where the cards lie on a real table: people said what they hold, or their hands are not counted.
    """
    return table.tracked and (dealt(table) or not state_of(table).by_hand)


def yet_to_draw(table: Table) -> list[str]:
    """Return the seats that still have cards to draw this turn, as far as everybody knows.

    Where the cards lie on a real table, people say what they hold. Some do so of a game that is under way, so in the
    first turn nobody is missed there until somebody has said a number of cities.
    """
    state = state_of(table)
    if not table.tracked or (state.turn == 1 and not state.said and not dealt(table)):
        return []
    if deals(table):
        return [seat for seat in table.seated() if seat not in state.drawn]
    return [seat for seat in table.seated() if seat not in state.typed and state.said.get(seat) != 0]


def all_have_said(table: Table, said: Mapping[str, int]) -> bool:
    """Return whether, with these, everybody who has still to draw has said how many cities they have."""
    waiting = [seat for seat in table.seated() if seat not in state_of(table).drawn]
    return bool(waiting) and all(seat in said for seat in waiting)


def said_by(table: Table) -> dict[str, int]:
    """Return how many cities the players say they have who have still to draw."""
    return {seat: cities for seat, cities in state_of(table).said.items() if seat in table.seated()}


def draws_are_due(table: Table) -> bool:
    """Return whether all have said, and nobody has had them draw: the last one to say nothing has left.

    Only where the seed was committed to, since no command comes with a chance then.
    """
    state = state_of(table)
    ready = table.phase == ACQUIRE and deals(table) and has_seed(state)
    return ready and all_have_said(table, said_by(table))


def require_all_drawn(table: Table, rule: str, remedy: str, *options: LabelledAction) -> None:
    """Raise `Refused` by this rule while somebody still has cards to draw; ``options`` go on all the same."""
    if waiting := yet_to_draw(table):
        has = "still has" if len(waiting) == 1 else "still have"
        raise Refused(rule, f"{mentions(waiting)} {has} cards to draw.", remedy, options)
