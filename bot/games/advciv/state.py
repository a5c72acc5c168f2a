"""The state of an Advanced Civilization table that several features read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Literal, TypeVar

from bot.api import (
    NOTHING,
    Action,
    GameState,
    Goods,
    LabelledAction,
    Refused,
    SettingOption,
    Since,
    StatePart,
    Table,
    TableView,
    frozen,
    part,
    replace,
    require_since,
)
from data.advciv import HAND_LIMIT

ACQUIRE, TRADE, AFTER = "acquire", "trade", "after"
"""The phases in order. While trading is open, there is a window of the kind ``TRADE``."""

TITLES = {ACQUIRE: "Drawing trade cards", TRADE: "Trading", AFTER: "The time after trading"}
"""The title of each phase on the board."""


def require_now(
    table: Table | TableView, since: Since, again: Action | None = None, label: str = ""
) -> None:
    """Raise `Refused` unless the phase of a button goes on, which the entry ``since`` began.

    ``again`` with this label is the button of now; see `require_since`.
    """
    buttons = (LabelledAction(label, again),) if again is not None else ()
    over = f"That is over. Now: {TITLES[table.phase].lower()}."
    require_since(since, table.window.since, over, *buttons)


Status = Mapping[str, Callable[[Table], str]]
"""Sentences of /rules show about a table, by the number of the rule. They never say what a hand
holds.
"""

UNKNOWN = ""
"""Stands for the trader of a calamity if only the table knows who traded it [29.61]."""

NINTH = 9
"""The number of the last stack, from which cards can be bought [27.5]."""

Stack = tuple[str, ...]
"""The tokens of stacked cards, top card first."""

P = TypeVar("P", bound="OfTurn")


@frozen
class AdvCivState(GameState):
    """The number of the turn; the features keep everything else."""

    turn: int = 1


@frozen
class OfTurn(StatePart):
    """A part of the state that is reset when the next turn begins, by default completely."""

    def turn_over(self: P) -> P:
        """Return the part as the next turn begins."""
        return type(self)()


@frozen
class Stacks(StatePart):
    """The nine stacks, empty with physical cards; see `bot.games.advciv.stacks`.

    ``seed`` is the seed of the shuffle; ``shuffles`` counts how often cards went back under the
    stacks. ``aside`` are the cards turned in and the calamities resolved this turn. ``returned``
    are the lost cards, which are secret; None if there was no loss. ``by_hand``: people have
    reported hands of physical cards. ``typed`` are the seats whose player last said that cards
    came. ``moved``: a card that the bot dealt was traded, bought or turned in.
    """

    stacks: tuple[Stack, ...] = ()
    seed: str = ""
    shuffles: int = 0
    aside: Goods = NOTHING
    returned: Goods | None = None
    by_hand: bool = False
    typed: frozenset[str] = frozenset()
    moved: bool = False


@frozen
class Draws(OfTurn):
    """The draws of this turn; see `bot.games.advciv.drawing`.

    ``said`` maps a seat that has not drawn yet to its number of cities; ``drawn`` maps a seat to
    the number of cities it drew for. ``late`` are the seats that drew after trading had opened
    and have not traded since. ``typed`` maps a seat whose hand was reported this turn to the cards
    that came. ``bought`` are the seats that bought a card. ``told`` maps a seat that typed fewer
    cards than it said cities to the number of the entry at which its player was told so.
    ``put_away``: the hands that the bot dealt this turn are gone, and it deals no others.
    """

    said: Mapping[str, int] = field(default_factory=dict)
    drawn: Mapping[str, int] = field(default_factory=dict)
    late: frozenset[str] = frozenset()
    typed: Mapping[str, Goods] = field(default_factory=dict)
    bought: frozenset[str] = frozenset()
    told: Mapping[str, int] = field(default_factory=dict)
    put_away: bool = False

    def vacated(self, seat: str) -> Draws:
        said = dict(self.said)
        said.pop(seat, None)
        return replace(self, said=said)

    def with_typed(self, seat: str, cards: Goods) -> Draws:
        """Return the part with the cards that came to this seat, as its player reported."""
        return replace(self, typed={**self.typed, seat: cards})


@frozen
class Trades(OfTurn):
    """``traded``: cards were traded this turn."""

    traded: bool = False


@frozen
class ShownCalamity:
    """A calamity that was shown after trading, and its victim ``seat``.

    ``trader`` is the seat that traded it to the victim, or `UNKNOWN`. It is set only if that
    changes the effect, because trades are secret [28.3]. ``never``: this nation can't be the
    victim, so the calamity has no effect.
    """

    calamity: str
    seat: str
    trader: str | None = None
    never: bool = False


@frozen
class Calamities(OfTurn):
    """``shown`` are the calamities that take effect, in order, None before they are shown;
    ``spared`` the others.
    """

    shown: tuple[ShownCalamity, ...] | None = None
    spared: tuple[ShownCalamity, ...] = ()


Over = Literal["bell", "host", "moderator", "done"]
"""Why trading has ended: the bell rang, somebody closed it, or all were done."""


@frozen
class Bell(StatePart):
    """The end of trading; see `bot.games.advciv.trading`.

    ``bell`` is the time when trading ends, in milliseconds since 1970, None for no limit.
    ``warned``: the last minute has been announced. ``done`` are the seats that are done trading.
    ``over`` is why trading has ended.
    """

    bell: int | None = None
    warned: bool = False
    done: frozenset[str] = frozenset()
    over: Over | None = None

    def vacated(self, seat: str) -> Bell:
        return replace(self, done=self.done - {seat})

    def later(self, by: int) -> Bell:
        return self if self.bell is None else replace(self, bell=self.bell + by)

    def window_over(self) -> Bell:
        return Bell()


def state_of(table: Table) -> AdvCivState:
    """Return the game's state of a table. Raises ``TypeError`` if the table plays another game."""
    if not isinstance(table.state, AdvCivState):
        raise TypeError(f"this is a table of {table.game}")
    return table.state


CARDS = SettingOption(
    "cards",
    ("undecided", "dealt", "real"),
    "dealt: I deal the cards. real: they lie on your table",
    question="Who deals the cards?",
    answers=("Not chosen yet", "I do", "You do: real cards"),
)
"""The table setting for who deals. If it is undecided, whoever draws or types first decides; see
`who_deals`.
"""


def dealt(table: Table) -> bool:
    """Return whether the bot has dealt cards: all cards come from its stacks."""
    return bool(part(table, Stacks).stacks)


def deals(table: Table) -> bool:
    """Return whether the bot deals, or would with the first draw.

    With physical cards it does not: people report their hands, or hands are not tracked.
    """
    by_hand = CARDS.of(table.settings) == "real" or part(table, Stacks).by_hand
    return table.tracked and (dealt(table) or not by_hand)


def trading(table: Table) -> bool:
    """Return whether trading is open."""
    return table.window.kind == TRADE


def cards_stay(table: Table) -> bool:
    """Return whether no card may leave a hand by a word or by chance: hands may hold calamities of
    this turn.

    That is from the first draw of the turn, or with physical cards from the opening of trading,
    until calamities have been shown: till then a calamity leaves a hand only in a trade [29.3].
    """
    began = table.phase != ACQUIRE or bool(part(table, Draws).drawn)
    return began and part(table, Calamities).shown is None


def over_limit(table: Table, seat: str) -> int:
    """Return how many commodity cards this seat has beyond the limit [31.71]."""
    return max(0, table.seats[seat].holdings.of_kind("commodity").total() - HAND_LIMIT)


def require_not_shown(table: Table) -> None:
    """Raise `Refused` if the calamities of this turn have been shown: trading is then over for the
    turn.
    """
    if part(table, Calamities).shown is not None:
        raise Refused(*why_closed(table), rule="28.4")


def why_closed(table: Table) -> tuple[str, str]:
    """Return why nothing is traded while trading is not open, and what opens it."""
    if part(table, Calamities).shown is not None:
        return (
            "Trading is over for this turn: the calamities have been shown.",
            "The host begins the next one: **Next turn** on the board.",
        )
    return (
        f"Trading is {'over' if table.phase == AFTER else 'not open'}.",
        "The host opens it with **Open trading**. It lasts until everybody is done or the bell "
        "rings [28.41].",
    )
