"""Rule 27.1: everybody says how many cities they have, and when all have, all draw in the right order."""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import Caller, Entry, Refused, Table, is_host, require_tracked, seat_meant
from bot.games.advciv.cards import count_cities
from bot.games.advciv.commands import SayCities
from bot.games.advciv.drawing import draw_all, require_may_draw
from bot.games.advciv.entries import CitiesSaid
from bot.games.advciv.order import all_have_said, deals, draws_are_due, in_order, said_by
from bot.games.advciv.state import ACQUIRE


def say(table: Table, command: SayCities, caller: Caller) -> Iterable[Entry]:
    """Record how many cities a seat has, in place of what it said before; when all have said, all draw.

    Where the cards lie on a real table, the order in which to draw is told then. Raises `Refused` for another's seat
    unless a host asks, for the same number again, and by 27.1 once trading has been opened and for who has drawn.
    """
    require_tracked(table)
    seat, cities = seat_meant(table, command.seat, caller), command.cities
    if seat.person != caller.person and not is_host(table, caller):
        raise Refused("", "Only the host says it for somebody else.", f"Ask <person:{table.host}>.")
    require_may_draw(table, seat, cities, caller)
    if table.phase != ACQUIRE:
        raise Refused("27.1", "It is too late to wait for one another.", "Draw at once: /cards draw.")
    before = said_by(table)
    said, all_said = {**before, seat.id: cities}, all_have_said(table, {**before, seat.id: cities})
    if before.get(seat.id) == cities and not (all_said and deals(table)):
        raise Refused("", f"You have said so already: {count_cities(cities)}.", "When all have said, all draw.")
    if not all_said:
        return [CitiesSaid(seat=seat.id, cities=cities)]
    if not deals(table):
        return [CitiesSaid(seat=seat.id, cities=cities, order=in_order(said))]
    asked = seat.id if seat.person == caller.person else ""
    return [CitiesSaid(seat=seat.id, cities=cities), *draw_all(table, said, command.chance, asked=asked)]


def tick(table: Table) -> list[Entry]:
    """Return the draws of all when the last to say nothing has left the table."""
    return draw_all(table, said_by(table), "") if draws_are_due(table) else []
