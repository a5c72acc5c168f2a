"""Entries of Advanced Civilization: stacks, drawing, trading, calamities, what is turned in."""

from __future__ import annotations

from typing import Annotated, Literal

from bot.rules.entries import Entry, GoodsMoved, Sealed
from bot.rules.games.advciv.state import Shown, Stack
from bot.rules.goods import Goods
from bot.rules.table import Value


class Shuffle(Value):
    """What only the keeper of the stacks knows: the seed, and the cards as they lie, stack by stack."""

    seed: str
    stacks: tuple[Stack, ...]


class StacksShuffled(Entry):
    """The nine stacks were made up for so many players [15.2]. Their order stays secret until the table closes."""

    kind: Literal["cards.shuffled"] = "cards.shuffled"
    players: int
    secret: Annotated[Shuffle | None, Sealed("keeper")] = None


class StacksRestored(Entry):
    """What was turned in and resolved went back under its stacks [31.81]. ``secret`` is what lies there now, in order.

    ``shuffle`` counts the shuffles with one seed.
    """

    kind: Literal["cards.restored"] = "cards.restored"
    cards: Goods
    shuffle: int
    secret: Annotated[Shuffle | None, Sealed("keeper")] = None


class CardsDrawn(GoodsMoved):
    """A seat collected its cards: the top one of each of these ``stacks`` [27.2]. Which, only it knows."""

    kind: Literal["cards.drawn"] = "cards.drawn"
    seat: str
    cities: int
    stacks: tuple[int, ...]


class CardBought(GoodsMoved):
    """A seat bought the top card of the ninth stack [27.5]."""

    kind: Literal["cards.bought"] = "cards.bought"
    seat: str


class CardsSurrendered(GoodsMoved):
    """A seat turned in cards, for all to see [31.71]. ``worth``: of their sets. ``mining``: what Mining counted for."""

    kind: Literal["cards.surrendered"] = "cards.surrendered"
    seat: str
    worth: int
    mining: str = ""


class CalamitiesShown(GoodsMoved):
    """Trading is over, and all showed their calamities [29.3]. ``effects`` are those that take effect, in order
    [29.6]; ``spared`` go back without, where somebody had more than two [29.5].
    """

    kind: Literal["cards.calamities"] = "cards.calamities"
    effects: tuple[Shown, ...]
    spared: tuple[Shown, ...] = ()


class TradingOpened(Entry):
    """Trading begins. ``bell`` is when it ends, in milliseconds since 1970, None for no limit. ``warned``: so soon that
    nobody needs a warning.
    """

    kind: Literal["trading.opened"] = "trading.opened"
    window: int
    bell: int | None = None
    warned: bool = False


class BellSet(Entry):
    """While trading is open, the bell was set to another time, or taken away; as of `TradingOpened`."""

    kind: Literal["trading.bell"] = "trading.bell"
    bell: int | None = None
    warned: bool = False


class TradingWarned(Entry):
    """A minute is left."""

    kind: Literal["trading.warned"] = "trading.warned"


class TradingDone(Entry):
    """A seat has made the trades it wants; or wants to trade on."""

    kind: Literal["trading.done"] = "trading.done"
    seat: str
    done: bool


class TradingClosed(Entry):
    """Trading is over: by the bell, by the host, or because all were done."""

    kind: Literal["trading.closed"] = "trading.closed"
    window: int
    why: Literal["bell", "host", "done"]


ADVCIV: tuple[type[Entry], ...] = (
    StacksShuffled,
    StacksRestored,
    CardsDrawn,
    CardBought,
    CardsSurrendered,
    CalamitiesShown,
    TradingOpened,
    BellSet,
    TradingWarned,
    TradingDone,
    TradingClosed,
)
