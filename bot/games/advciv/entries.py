"""Entries of Advanced Civilization: stacks, drawing, trading, calamities, cards turned in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from bot.api import Call, Entry, Goods, GoodsMoved, GoodsOfSeat, Sealed
from bot.games.advciv.state import ACQUIRE, AFTER, TRADE, Shown, Stack


@dataclass(frozen=True, slots=True)
class Shuffle:
    """What only the keeper of the stacks knows: the seed, and the cards as they lie, stack by stack."""

    seed: str
    stacks: tuple[Stack, ...]


@dataclass(frozen=True, slots=True)
class SeedSecret:
    """What the seed of the stacks follows from, together with those who sit down."""

    secret: str


class SeedCommitted(Entry):
    """The table committed to a secret before anybody sat down: ``digest`` is its SHA-256, in hex.

    The secret stays sealed until the table closes.
    """

    kind: Literal["advciv.seed.committed"] = "advciv.seed.committed"
    digest: str
    secret: Annotated[SeedSecret | None, Sealed("keeper")] = None


class StacksShuffled(Entry):
    """The nine stacks were made up for this number of players [15.2].

    Their order stays secret until the table closes.
    """

    kind: Literal["advciv.cards.shuffled"] = "advciv.cards.shuffled"
    players: int
    secret: Annotated[Shuffle | None, Sealed("keeper")] = None


class StacksRestored(Entry):
    """The cards that were turned in, resolved and lost went back under their stacks [31.81, 15.62].

    ``cards`` are those that everybody saw. ``shuffle`` counts the shuffles with one seed. ``secret`` holds what lies
    under each stack now, in order.
    """

    kind: Literal["advciv.cards.restored"] = "advciv.cards.restored"
    cards: Goods
    shuffle: int
    secret: Annotated[Shuffle | None, Sealed("keeper")] = None


class CitiesSaid(Entry):
    """A seat says how many cities it has [27.1].

    ``order`` is the order in which all draw, once all have said, where the cards lie on a real table; else it is empty.
    """

    kind: Literal["advciv.cards.cities"] = "advciv.cards.cities"
    seat: str
    cities: int
    order: tuple[tuple[str, int], ...] = ()

    def seats(self) -> frozenset[str]:
        """Return the seat."""
        return frozenset({self.seat})


class CardsDrawn(GoodsOfSeat):
    """A seat collected the top card of each of these ``stacks`` [27.2]. Which cards they are, only it knows.

    ``before`` are seats that had said fewer cities and had not drawn yet [27.1]. ``told``: the seat did not ask for it
    just then, so it gets a message of its own.
    """

    kind: Literal["advciv.cards.drawn"] = "advciv.cards.drawn"
    cities: int
    stacks: tuple[int, ...]
    before: tuple[str, ...] = ()
    told: bool = False


class CardBought(GoodsOfSeat):
    """A seat bought the top card of the ninth stack [27.5]."""

    kind: Literal["advciv.cards.bought"] = "advciv.cards.bought"


class _BetweenTwo(Entry):
    """Something between ``seat``, who takes a card, and ``other``, whose card it is [24.51]."""

    seat: str
    other: str

    def seats(self) -> frozenset[str]:
        """Return both."""
        return frozenset({self.seat, self.other})


class CardRequested(_BetweenTwo):
    """A seat takes a card at random from another's hand, and the other is asked."""

    kind: Literal["advciv.cards.requested"] = "advciv.cards.requested"


class CardDenied(_BetweenTwo):
    """The other says that no card of theirs is taken."""

    kind: Literal["advciv.cards.denied"] = "advciv.cards.denied"


class CardTaken(GoodsOfSeat):
    """A seat took a card at random from another's hand [24.51]; which one, or that there was none, only the two know.

    ``by_host``: a host said so for them.
    """

    kind: Literal["advciv.cards.taken"] = "advciv.cards.taken"
    other: str
    by_host: bool = False

    def seats(self) -> frozenset[str]:
        """Return both."""
        return frozenset({self.seat, self.other})


class CardsLost(GoodsOfSeat):
    """A seat lost cards at random, which go back to the stacks [15.62]; which ones, only it knows.

    It lost this ``count`` of cards, or all but one for each of ``cities``: then only it knows how many. ``by_host``: a
    host said so for it.
    """

    kind: Literal["advciv.cards.lost"] = "advciv.cards.lost"
    count: int | None = None
    cities: int | None = None
    by_host: bool = False


class CardsSurrendered(GoodsOfSeat):
    """A seat turned in cards, for all to see [31.71].

    ``worth`` is the value of their sets, ``mining`` the token of the commodity that Mining counted for.
    """

    kind: Literal["advciv.cards.surrendered"] = "advciv.cards.surrendered"
    worth: int
    mining: str = ""


class CardsKept(Entry):
    """How many commodity cards each seat keeps for the next turn, for all to know [31.71].

    Cards beyond the limit are not among them: they still have to go.
    """

    kind: Literal["advciv.cards.kept"] = "advciv.cards.kept"
    kept: dict[str, int]

    def seats(self) -> frozenset[str]:
        """Return the seats that keep cards, or could."""
        return frozenset(self.kept)


class CalamitiesShown(GoodsMoved):
    """Trading is over, and all calamities were shown [29.3].

    ``effects`` are those that take effect, in order [29.6]; ``spared`` go back without: from hands that held more than
    one player suffers [29.5], and those that their holder's nation never suffers [30.52].
    """

    kind: Literal["advciv.cards.calamities"] = "advciv.cards.calamities"
    effects: tuple[Shown, ...]
    spared: tuple[Shown, ...] = ()

    def seats(self) -> frozenset[str]:
        """Return the seats that held a calamity."""
        return frozenset(each.seat for each in (*self.effects, *self.spared))


class TradingOpened(Entry):
    """Trading begins.

    ``bell`` is when it ends, in milliseconds since 1970, None for no limit. ``warned``: it ends so soon that no
    warning is needed.
    """

    kind: Literal["advciv.trading.opened"] = "advciv.trading.opened"
    window: int
    bell: int | None = None
    warned: bool = False

    def calls(self) -> Call | None:
        """Return that everybody may trade."""
        return Call("opens")

    def begins_phase(self) -> str:
        """Return the trade phase."""
        return TRADE


class TradingUndone(Entry):
    """That trading was opened is taken back: it is as before, and cards are drawn and bought."""

    kind: Literal["advciv.trading.undone"] = "advciv.trading.undone"
    window: int

    def begins_phase(self) -> str:
        """Return the phase before trading."""
        return ACQUIRE


class BellSet(Entry):
    """The bell was set to another time while trading was open, or taken away. Fields as of `TradingOpened`."""

    kind: Literal["advciv.trading.bell"] = "advciv.trading.bell"
    bell: int | None = None
    warned: bool = False


class TradingWarned(Entry):
    """The last minute of trading was announced."""

    kind: Literal["advciv.trading.warned"] = "advciv.trading.warned"

    def calls(self) -> Call | None:
        """Return that everybody has a minute left."""
        return Call("last_minute")


class TradingDone(Entry):
    """A seat is done trading, or trades on."""

    kind: Literal["advciv.trading.done"] = "advciv.trading.done"
    seat: str
    done: bool

    def seats(self) -> frozenset[str]:
        """Return the seat."""
        return frozenset({self.seat})


class TradingClosed(Entry):
    """Trading is over: the bell rang, the host or a moderator closed it, or all are done."""

    kind: Literal["advciv.trading.closed"] = "advciv.trading.closed"
    window: int
    reason: Literal["bell", "host", "done"]

    def begins_phase(self) -> str:
        """Return the phase after trading."""
        return AFTER


ENTRIES: tuple[type[Entry], ...] = (
    SeedCommitted, StacksShuffled, StacksRestored, CitiesSaid, CardsDrawn, CardBought, CardRequested, CardDenied,
    CardTaken, CardsLost, CardsSurrendered, CardsKept, CalamitiesShown,
    TradingOpened, TradingUndone, BellSet, TradingWarned, TradingDone, TradingClosed,
)  # fmt: skip
