"""What Advanced Civilization remembers of a table beyond what all games share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.api import NOTHING, GameState, Goods, Table
from data.advciv import HAND_LIMIT

ACQUIRE, TRADE, AFTER = "acquire", "trade", "after"
"""The phases in order. A window of the kind ``TRADE`` is open while cards are traded."""

NINTH = 9
"""The number of the last stack, from which cards can be bought [27.5]."""

Stack = tuple[str, ...]
"""Cards that lie on each other as tokens, the top one first."""


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
class CardRequest:
    """A seat takes a card of another's hand, which has still to agree [24.51]."""

    seat: str
    other: str


@dataclass(frozen=True, slots=True)
class AdvCivState(GameState):
    """The stacks, what happened this turn, and the limits of the time for trade.

    ``stacks`` are the nine stacks, empty where the cards lie on a real table. ``seed`` is what they were shuffled
    with, ``shuffles`` how often cards went back under them. ``aside`` are the cards turned in and the calamities
    resolved this turn; ``returned`` those that were lost, which nobody else may know, None if nobody lost any. ``sat``
    are the people who have ever had a seat. ``by_hand``: what hands hold has been said by people, since the cards lay
    on a real table then.

    ``digest`` and ``secret`` are what the table committed to as it opened, ``mixed`` the ids of the commands with which
    people sat down: the seed follows from them, see `bot.games.advciv.seeds`.

    ``over`` maps a seat to how many of the commodity cards that it kept from last turn still have to go [31.71]; only
    that seat may know. ``said`` maps a seat that has still to draw to the number of cities it says it has; ``drawn``
    maps a seat to the number that it drew for this turn, ``late`` are those that drew after trading had opened.
    ``typed`` are the seats whose hand was said this turn, by themselves or a host, and after they said their cities.
    ``traded``: cards have changed hands in a trade this turn. ``requests`` are the cards that are being taken;
    ``picks`` counts how often chance has picked cards of a hand. ``mined`` are the seats that have used Mining.
    ``paths``: see `bot.games.advciv.passing`. ``shown`` are the calamities that take effect, in order, None
    before they are shown; ``spared`` those that go back without effect.

    ``bell`` is when trading ends, in milliseconds since 1970, None for no limit; ``warned``: the last minute has been
    announced. ``done`` are the seats that are done trading. ``posted_to_all`` counts the offers to all there ever were.
    """

    stacks: tuple[Stack, ...] = ()
    seed: str = ""
    shuffles: int = 0
    digest: str = ""
    secret: str = ""
    mixed: tuple[int, ...] = ()
    aside: Goods = NOTHING
    returned: Goods | None = None
    turn: int = 1
    sat: frozenset[int] = frozenset()
    by_hand: bool = False
    over: Mapping[str, int] = field(default_factory=dict)
    said: Mapping[str, int] = field(default_factory=dict)
    drawn: Mapping[str, int] = field(default_factory=dict)
    late: frozenset[str] = frozenset()
    typed: frozenset[str] = frozenset()
    traded: bool = False
    requests: frozenset[CardRequest] = frozenset()
    picks: int = 0
    mined: frozenset[str] = frozenset()
    paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shown: tuple[Shown, ...] | None = None
    spared: tuple[Shown, ...] = ()
    bell: int | None = None
    warned: bool = False
    done: frozenset[str] = frozenset()
    posted_to_all: int = 0


def state_of(table: Table) -> AdvCivState:
    """Return the state of a table of Advanced Civilization. Raises ``TypeError`` for a table of another game."""
    if not isinstance(table.state, AdvCivState):
        raise TypeError(f"this is a table of {table.game}")
    return table.state


def dealt(table: Table) -> bool:
    """Return whether the bot deals: the stacks are its own, and cards come from nowhere else."""
    return bool(state_of(table).stacks)


def over_limit(table: Table, seat: str) -> int:
    """Return how many commodity cards this seat has beyond what may be kept [31.71]."""
    return max(0, table.seats[seat].holdings.of_kind("commodity").total() - HAND_LIMIT)


def trading(table: Table) -> bool:
    """Return whether trading is open."""
    return table.window.kind == TRADE
