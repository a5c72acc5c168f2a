"""What Advanced Civilization remembers of a table, as far as several features read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from bot.api import NOTHING, GameState, Goods, Refused, StatePart, Table, part, replace
from data.advciv import HAND_LIMIT

ACQUIRE, TRADE, AFTER = "acquire", "trade", "after"
"""The phases in order. A window of the kind ``TRADE`` is open while cards are traded."""

NINTH = 9
"""The number of the last stack, from which cards can be bought [27.5]."""

Stack = tuple[str, ...]
"""Cards that lie on each other as tokens, the top one first."""

P = TypeVar("P", bound="OfTurn")


@dataclass(frozen=True, slots=True)
class AdvCivState(GameState):
    """The number of the turn; the features keep everything else."""

    turn: int = 1


@dataclass(frozen=True, slots=True)
class OfTurn(StatePart):
    """A part that is forgotten, in whole or in part, when the next turn begins."""

    def turn_over(self: P) -> P:
        """Return the part as the next turn begins."""
        return type(self)()


@dataclass(frozen=True, slots=True)
class Stacks(StatePart):
    """The nine stacks, empty where the cards lie on a real table; see `bot.games.advciv.stacks`.

    ``seed`` is what they were shuffled with, ``shuffles`` counts how often cards went back under them. ``aside`` are
    the cards turned in and the calamities resolved this turn. ``returned`` are those that were lost, which nobody else
    may know; None if nobody lost any. ``by_hand``: people have said what hands hold, since the cards lay on a real
    table.
    """

    stacks: tuple[Stack, ...] = ()
    seed: str = ""
    shuffles: int = 0
    aside: Goods = NOTHING
    returned: Goods | None = None
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Draws(OfTurn):
    """Who draws how many cards this turn; see `bot.games.advciv.drawing`.

    ``said`` maps a seat that has still to draw to the number of cities it says it has; ``drawn`` maps a seat to the
    number that it drew for. ``late`` are the seats that drew after trading had opened. ``typed`` are the seats whose
    hand was said this turn, by themselves or a host, and after they said their cities.
    """

    said: Mapping[str, int] = field(default_factory=dict)
    drawn: Mapping[str, int] = field(default_factory=dict)
    late: frozenset[str] = frozenset()
    typed: frozenset[str] = frozenset()

    def vacated(self, seat: str) -> Draws:
        return replace(self, said={each: cities for each, cities in self.said.items() if each != seat})


@dataclass(frozen=True, slots=True)
class Trades(OfTurn):
    """``traded``: cards have changed hands in a trade this turn. ``posted_to_all`` counts the offers to all ever."""

    traded: bool = False
    posted_to_all: int = 0

    def turn_over(self) -> Trades:
        return replace(self, traded=False)


@dataclass(frozen=True, slots=True)
class Shown:
    """A calamity as it was shown after trading, and its victim.

    ``trader`` is the seat that traded it to them, if any did and that changes what it does; a trade is nobody else's
    business [28.3]. ``never``: this nation can't be its victim, so it takes no effect.
    """

    calamity: str
    seat: str
    trader: str | None = None
    never: bool = False


@dataclass(frozen=True, slots=True)
class Calamities(OfTurn):
    """``shown`` are the calamities that take effect, in order, None before they are shown; ``spared`` the others."""

    shown: tuple[Shown, ...] | None = None
    spared: tuple[Shown, ...] = ()


@dataclass(frozen=True, slots=True)
class Bell(StatePart):
    """The limits of the time for trade, see `bot.games.advciv.trading`.

    ``bell`` is when trading ends, in milliseconds since 1970, None for no limit; ``warned``: the last minute has been
    announced. ``done`` are the seats that are done trading.
    """

    bell: int | None = None
    warned: bool = False
    done: frozenset[str] = frozenset()

    def vacated(self, seat: str) -> Bell:
        return replace(self, done=self.done - {seat})

    def window_over(self) -> Bell:
        return Bell()


def state_of(table: Table) -> AdvCivState:
    """Return the state of a table of Advanced Civilization. Raises ``TypeError`` for a table of another game."""
    if not isinstance(table.state, AdvCivState):
        raise TypeError(f"this is a table of {table.game}")
    return table.state


def dealt(table: Table) -> bool:
    """Return whether the bot deals: the stacks are its own, and cards come from nowhere else."""
    return bool(part(table, Stacks).stacks)


def trading(table: Table) -> bool:
    """Return whether trading is open."""
    return table.window.kind == TRADE


def over_limit(table: Table, seat: str) -> int:
    """Return how many commodity cards this seat has beyond what may be kept [31.71]."""
    return max(0, table.seats[seat].holdings.of_kind("commodity").total() - HAND_LIMIT)


def require_not_shown(table: Table) -> None:
    """Raise `Refused` when the calamities of this turn have been shown: then there is no more trade."""
    if part(table, Calamities).shown is not None:
        raise Refused(
            "28.4", "Trading is over for this turn: the calamities have been shown.",
            "The next turn begins with /phase set phase:acquire.",
        )  # fmt: skip
