"""The state of play once a seat is out of the game, or goes on as another."""

from __future__ import annotations

from bot.api import Table, part, replace, with_part, with_parts
from bot.games.ti4.state import Round, renamed_pairs, state_of


def without(table: Table, seat: str) -> Table:
    """Return the table without a seat that is eliminated: nobody's neighbour, asked for nothing, without turns."""
    table = with_parts(table, lambda part: part.without(seat))
    state = state_of(table)
    changed = replace(
        state,
        eliminated=state.eliminated | {seat},
        replenished=tuple(each for each in state.replenished if each.seat != seat),
        permits=tuple(permit for permit in state.permits if seat not in permit.seats),
    )
    return table.with_state(changed)


def renamed(table: Table, before: str, now: str) -> Table:
    """Return the table with one seat in the place of another in everything that goes on: turns, pairs, the window.

    What the one has traded in this window the other has, so nobody trades twice for it. Both seats are there.
    """
    play, window = part(table, Round), table.window
    # The order as it was before the other seat was taken, so that the one keeps its place.
    sat = {before, *table.seated()} - {now}
    named = [seat for seat in play.order if seat in sat]
    order = (*named, *(seat for seat in table.seats if seat in sat and seat not in named))
    table = with_part(table, replace(play, order=order))
    table = with_parts(table, lambda part: part.renamed(before, now))
    state = state_of(table)

    def seat(id: str) -> str:
        return now if id == before else id

    changed = replace(
        state,
        replenished=tuple(replace(each, seat=seat(each.seat)) for each in state.replenished),
        permits=tuple(replace(permit, seats=tuple(map(seat, permit.seats))) for permit in state.permits),
    )
    holder = seat(window.holder) if window.holder else None
    window = replace(window, holder=holder, used=renamed_pairs(window.used, before, now))
    return replace(table, window=window, state=changed)
