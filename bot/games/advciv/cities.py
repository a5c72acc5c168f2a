"""Rule 27.1: everybody says how many cities they have. When all have, all draw in the right
order.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    Action,
    Caller,
    Command,
    Entry,
    Feature,
    LabelledAction,
    OfSeat,
    Refused,
    Since,
    Table,
    is_host,
    part,
    replace,
    require_tracked,
    seat_meant,
    with_part,
)
from bot.games.advciv.cards import count_cities
from bot.games.advciv.chance import has_seed
from bot.games.advciv.drawing import (
    all_have_said,
    draw_all,
    drawing_order,
    require_may_draw,
    said_by,
)
from bot.games.advciv.state import ACQUIRE, Draws, deals, require_now


class CitiesPrompt(Action):
    """The board's button **My cities**: opens the form."""

    name = "advciv.cities"
    since: Since = None


def my_cities(table: Table) -> LabelledAction:
    """Return the button that asks the presser how many cities they have."""
    return LabelledAction("My cities", CitiesPrompt(table.id, table.window.since))


class CitiesForm(Action):
    """The form with the number of cities that the person has."""

    name = "advciv.cities_form"
    since: Since = None


class SayCities(Command):
    """Say how many cities the caller or (hosts) another seat has. A later number replaces an
    earlier one.

    When all have said theirs, all draw in order. With physical cards, the channel is told the order
    instead. ``since``: what goes on.
    """

    cities: int
    seat: str | None = None
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_tracked(table)
        require_now(table, self.since, my_cities(table).action, "My cities")
        seat, cities = seat_meant(table, self.seat, caller), self.cities
        if seat.person != caller.person and not is_host(table, caller):
            raise Refused(
                "Only the host can say it for another player.", f"Ask <person:{table.host}>."
            )
        require_may_draw(table, seat, cities, caller)
        if table.phase != ACQUIRE:
            raise Refused(
                "It is too late to wait for everybody.", "Draw at once: /cards draw.", rule="27.1"
            )
        before = said_by(table)
        said = {**before, seat.id: cities}
        all_said = all_have_said(table, said)
        if before.get(seat.id) == cities and not (all_said and deals(table)):
            raise Refused(
                f"You have already said so: {count_cities(cities)}.",
                "Once everybody has said, all draw.",
            )
        if not all_said:
            return [CitiesSaid(seat=seat.id, cities=cities)]
        if not deals(table):
            return [CitiesSaid(seat=seat.id, cities=cities, order=drawing_order(said))]
        asked = seat.id if seat.person == caller.person else ""
        return [
            CitiesSaid(seat=seat.id, cities=cities),
            *draw_all(table, said, caller.chance, asked=asked),
        ]


class CitiesSaid(OfSeat):
    """A seat said how many cities it has [27.1].

    ``order`` is the order in which all draw. It is set only with physical cards, when all have said
    their cities; then the channel reads it. The numbers stand on the board.
    """

    kind = "advciv.cards.cities"
    cities: int
    order: tuple[tuple[str, int], ...] = ()

    def is_news(self) -> bool:
        return bool(self.order)

    def apply(self, table: Table) -> Table:
        draws = part(table, Draws)
        said = {**draws.said, self.seat: self.cities}
        return with_part(table, replace(draws, said=said))

    def sentence(self, ruler: str) -> str:
        in_order = ", ".join(f"<=seat:{each}> {many}" for each, many in self.order)
        order_text = f"\nEverybody has said. Draw in this order: {in_order}." if self.order else ""
        return f"<player:{self.seat}> has {count_cities(self.cities)}.{order_text}"


# ---------------------------------------------------------------- draws by the clock


def draws_are_due(table: Table) -> bool:
    """Return whether the clock must make all draw: the last player who had not said their cities
    has left.

    The table needs a seed of its own, because the clock has no ``chance``.
    """
    return (
        table.phase == ACQUIRE
        and deals(table)
        and has_seed(table)
        and all_have_said(table, said_by(table))
    )


FEATURE = Feature(commands=(SayCities,), entries=(CitiesSaid,), opens=(CitiesPrompt, CitiesForm))
