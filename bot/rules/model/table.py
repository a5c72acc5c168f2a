"""Table: the whole state of one game table, as an immutable value rebuilt from the table's entries.

With it its seats.

Offers, deals and negotiations that are over are removed, so that a table stays small after
thousands of offers. They are read from the ledger when needed; see `bot.rules.recall`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from typing import Literal, NamedTuple

from bot.rules.model.deals import Deal, DealTally, Negotiation
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.offer import Offer
from bot.rules.model.people import Hosting, Tenure
from bot.rules.model.replacing import replace
from bot.rules.model.stamps import with_stamps
from bot.rules.model.values import frozen
from bot.rules.model.windows import Window


@frozen
class Seat:
    """A seat of the table. ``person`` is the number of its holder, None if it is empty; ``last`` is
    the last holder.

    >>> seat: Seat = table.seats["red"]
    >>> seat.holdings
    Goods({'silk': 2})
    """

    id: str
    person: int | None
    last: int | None = None
    holdings: Goods = NOTHING
    in_play: Goods = NOTHING


MINUTE = 60_000
"""A minute in milliseconds.

>>> Caller(person=1, at=10 * MINUTE).at
600000
"""

HOUR = 60 * MINUTE


class Earlier(NamedTuple):
    """A person of an earlier table that is played once more, and the seat that they had there."""

    person: int
    seat: str


@frozen
class NextTime:
    """When the people of a table meet again, in milliseconds since 1970, and those who said that
    they come. ``since`` is the number of the entry that said so.
    """

    at: int
    coming: tuple[int, ...] = ()
    since: int = 0

    @property
    def reminds_at(self) -> int:
        """When those who come are reminded."""
        return self.at - HOUR


@frozen
class GameState:
    """The game's own state of a table. Each game has a subclass.

    >>> @frozen
    ... class BazaarState(GameState):
    ...     bells: int = 0
    >>> Features((), BazaarState).state().bells
    0
    """


@frozen
class TableSettings:
    """How a table plays. A game uses some of these settings (`GameInfo.settings`) and may add
    ``options``.

    ``rulings``: refuse illegal trades, or only warn and record. ``inventory``: whether holdings are
    counted. ``declare_holdings``: who may declare open goods. ``confirm``: whether both sides
    confirm once more before every exchange. ``timer``: default duration of an offer, or of trading,
    in minutes; 0 for no limit. ``open_on_close``: whether secrets open to all when the table
    closes; fixed at opening.

    >>> TableSettings(timer=5, options={"stalls": "many"}).items()["stalls"]
    'many'
    """

    rulings: Literal["refuse", "warn"] = "refuse"
    inventory: Literal["tracked", "untracked"] = "tracked"
    declare_holdings: Literal["players", "host"] = "players"
    confirm: Literal["once", "twice"] = "once"
    timer: int = 0
    open_on_close: Literal["yes", "no"] = "yes"
    options: Mapping[str, str] = field(default_factory=dict)

    def items(self) -> dict[str, str]:
        """Return every setting by name as text, the game's own among them."""
        core = {name: str(getattr(self, name)) for name in CORE_SETTINGS}
        return {**core, **self.options}


CORE_SETTINGS = tuple(each.name for each in fields(TableSettings) if each.name != "options")
"""The names of the settings of the core, in display order."""

NO_WINDOW, NO_DEALS, NO_STATE = Window(), DealTally(), GameState()

DEFAULT_SETTINGS = TableSettings()
"""The settings of a table that changes none.

>>> DEFAULT_SETTINGS.rulings
'refuse'
"""


@frozen
class TableFacts:
    """What a table and every view of it say alike: all of it is public.

    ``id`` is its number in the ledger; ``seq`` counts its entries, 0 before it is opened.
    ``offers_posted``, ``deals_proposed`` and ``transactions`` count all that ever existed; the
    newest has that number. ``closing``: nothing happens any more, but until then (in milliseconds
    since 1970) the table can be opened again, and its secrets stay secret. ``paused``: since when
    it is paused. ``became`` maps each seat that became another to its current id. ``earlier`` are
    the people of the table that this one repeats, in order. ``next_time`` is when people meet
    again, once they have said so; ``zone`` the time zone that they think in. ``house_rules`` are
    the host's own words, by number. ``phase_since`` is the number of the entry that began the
    phase, ``since`` of the one by which the table was last opened, closed, paused or resumed.
    ``stamps`` are those of its entries; see `bot.rules.model.stamps`.
    """

    id: int = 0
    seq: int = 0
    game: str = ""
    name: str = ""
    host: int = 0
    closing: int | None = None
    paused: int | None = None
    settings: TableSettings = DEFAULT_SETTINGS
    phase: str = ""
    phase_since: int = 0
    since: int = 0
    window: Window = NO_WINDOW
    offers_posted: int = 0
    transactions: int = 0
    deals_proposed: int = 0
    became: Mapping[str, str] = field(default_factory=dict)
    earlier: tuple[Earlier, ...] = ()
    next_time: NextTime | None = None
    zone: str = ""
    house_rules: Mapping[str, str] = field(default_factory=dict)
    stamps: str = field(default="", compare=False)  # it tells no more than the entries do

    @property
    def tracked(self) -> bool:
        """Whether holdings are counted at this table."""
        return self.settings.inventory == "tracked"


@frozen
class Table(TableFacts):
    """One game table.

    ``version`` is that of the game's package when the table was opened, empty if it is not known.

    ``offers``, ``deals`` and ``negotiations`` hold those that are not over; of negotiations,
    ``negotiations_opened`` counts all that ever existed. ``ending`` are the agreed deals of which
    both are asked, when a turn or the like is over, whether they were kept. ``looked`` are the
    people who have looked at hidden goods, and so can't play here. ``hosts`` is the history of
    hosts; the last is ``host``.

    >>> isinstance(table, Table)
    True
    >>> table.game, table.seated(), table.seat_of(2).id
    ('bazaar', ['red', 'green'], 'green')
    """

    version: str = ""
    hosts: tuple[Hosting, ...] = ()
    open: bool = False
    seats: Mapping[str, Seat] = field(default_factory=dict)
    tenures: tuple[Tenure, ...] = ()
    offers: Mapping[int, Offer] = field(default_factory=dict)
    deals: Mapping[int, Deal] = field(default_factory=dict)
    deal_tally: DealTally = NO_DEALS
    ending: Mapping[int, Deal] = field(default_factory=dict)
    negotiations: Mapping[int, Negotiation] = field(default_factory=dict)
    negotiations_opened: int = 0
    looked: frozenset[int] = frozenset()
    state: GameState = NO_STATE

    @property
    def running(self) -> bool:
        """Whether play goes on: the table is open, and not about to close."""
        return self.open and self.closing is None

    def seat_of(self, person: int) -> Seat | None:
        """Return this person's seat, if any."""
        for seat in self.seats.values():
            if seat.person == person:
                return seat
        return None

    def held_by(self, person: int) -> list[Tenure | Hosting]:
        """Return what this person holds here now: their seat, and the host's part."""
        held: list[Tenure | Hosting] = [
            each for each in self.tenures if each.person == person and each.until is None
        ]
        return [*held, *self.hosts[-1:]] if self.hosts and person == self.host else held

    def holders(self) -> dict[str, int | None]:
        """Return the holder of each seat, None for an empty seat."""
        return {seat.id: seat.person for seat in self.seats.values()}

    def seated(self) -> list[str]:
        """Return the ids of the taken seats, in the order in which they were first taken."""
        return [seat.id for seat in self.seats.values() if seat.person is not None]

    def others(self, seat: str | None) -> list[str]:
        """Return the ids of the taken seats but this one."""
        return [other for other in self.seated() if other != seat]

    def open_offers(self) -> list[Offer]:
        """Return the offers with status ``open``, oldest first."""
        return [offer for offer in self.offers.values() if offer.status == "open"]

    def live_offers(self) -> list[Offer]:
        """Return the open and suspended offers, oldest first."""
        return [offer for offer in self.offers.values() if offer.live]

    def with_offer(self, offer: Offer) -> Table:
        """Return the table with this offer added, or replacing the one with its number."""
        return replace(self, offers={**self.offers, offer.number: offer})

    def without_offer(self, number: int) -> Table:
        """Return the table without the offer with this number."""
        offers = dict(self.offers)
        offers.pop(number, None)
        return replace(self, offers=offers)

    def with_deal(self, deal: Deal) -> Table:
        """Return the table with this deal added, or replacing the one with its number."""
        return replace(self, deals={**self.deals, deal.number: deal})

    def without_deal(self, number: int) -> Table:
        """Return the table without the deal with this number."""
        deals = dict(self.deals)
        deals.pop(number, None)
        return replace(self, deals=deals)

    def with_negotiation(self, negotiation: Negotiation) -> Table:
        """Return the table with this negotiation added, or replacing the one with its number."""
        return replace(self, negotiations={**self.negotiations, negotiation.number: negotiation})

    def with_seat(self, seat: Seat) -> Table:
        """Return the table with this seat added, or replacing the one with its id."""
        return replace(self, seats={**self.seats, seat.id: seat})

    def recorded(self, at: int) -> Table:
        """Return the table with the stamps of its last entries, which were recorded at this time,
        in milliseconds since 1970.
        """
        return replace(self, stamps=with_stamps(self.stamps, self.seq, at))

    def with_state(self, state: GameState) -> Table:
        """Return the table with this game state."""
        return replace(self, state=state)
