"""The colours that the players have, once the table says them: then “red's Ceasefire” is
understood.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    Caller,
    Command,
    Entry,
    Feature,
    OfSeat,
    Refused,
    SeatId,
    StatePart,
    Table,
    frozen,
    part,
    require_host,
    seat_meant,
    with_part,
)

COLORS = ("red", "blue", "green", "yellow", "purple", "black", "orange", "pink")


@frozen
class Colors(StatePart):
    """The colours that were said, each with its seat."""

    said: tuple[tuple[str, SeatId], ...] = ()


class SayColor(Command):
    """Say which colour a seat plays, None for the caller's own."""

    color: str
    seat: str | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        seat, color = seat_meant(table, self.seat, caller), self.color.strip().casefold()
        if seat.person != caller.person:
            require_host(table, caller, "say another player's colour")
        if color not in COLORS:
            raise Refused("That is no colour of the game.", f"Try {', '.join(COLORS)}.")
        if whose := dict(part(table, Colors).said).get(color):
            raise Refused(
                f"<seat:{whose}> plays {color}.", "Name another colour, or change theirs first."
            )
        return [ColorSaid(seat=seat.id, color=color)]


class ColorSaid(OfSeat):
    """A seat's colour was said. It replaces an earlier one."""

    kind = "ti4.color.said"
    color: str

    def sentence(self, ruler: str) -> str:
        return f"<player:{self.seat}> plays {self.color}."

    def apply(self, table: Table) -> Table:
        others = part(table, Colors).without(self.seat).said
        return with_part(table, Colors((*others, (self.color, self.seat))))


FEATURE = Feature(state=Colors, commands=(SayColor,), entries=(ColorSaid,))
