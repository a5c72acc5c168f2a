"""Table: the whole state of one game table, as an immutable value rebuilt from the table's entries.

Offers, deals and negotiations that are over leave it; they are read from the ledger when needed, so that a table that
has seen thousands of offers is as small as a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Literal

from bot.rules.model.deals import Deal, DealTally, Negotiation
from bot.rules.model.offers import Offer
from bot.rules.model.people import Hosting, Tenure
from bot.rules.model.replacing import replace
from bot.rules.model.seats import Seat
from bot.rules.model.windows import Window

MINUTE = 60_000
"""A minute in milliseconds."""


@dataclass(frozen=True, slots=True)
class GameState:
    """What a game remembers of a table beyond what all games share. Each game has its own subclass."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """How a table plays. Which of these mean something is the game's decision (`GameInfo.settings`).

    ``rulings``: what the rules forbid is refused, or only warned of and recorded. ``inventory``: whether holdings are
    counted. ``declare_holdings``: whether players may declare open goods themselves, or only the host. ``confirm``:
    whether both sides are asked once more before every exchange. ``timer``: minutes that an offer stands, or that
    trading lasts, unless the player says otherwise; 0 for no limit. ``open_on_close``: whether secrets open to all
    when the table closes; chosen at opening. ``options`` are the settings that the game adds, by name.
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
        return {**{name: str(getattr(self, name)) for name in CORE_SETTINGS}, **self.options}


CORE_SETTINGS = tuple(each.name for each in fields(TableSettings) if each.name != "options")
"""The names of the settings that are not a game's own, in the order in which they are shown."""

NO_WINDOW, NO_DEALS, NO_STATE, DEFAULT_SETTINGS = Window(), DealTally(), GameState(), TableSettings()


@dataclass(frozen=True, slots=True)
class Table:
    """One game table. ``id`` is its number in the ledger; ``seq`` counts its entries, 0 before it is opened.

    ``offers``, ``deals`` and ``negotiations`` hold those that are not over. ``offers_posted``, ``deals_proposed``,
    ``negotiations_opened`` and ``transactions`` count all there ever were; the newest has that number.
    ``looked`` are the people who have looked at what is hidden: they can't play here. ``hosts`` are all who have ever
    hosted it, the last of whom is ``host``. ``became`` leads from each seat that has become another to that one, which
    goes on for it.
    """

    id: int = 0
    seq: int = 0
    game: str = ""
    name: str = ""
    host: int = 0
    hosts: tuple[Hosting, ...] = ()
    open: bool = False
    settings: TableSettings = DEFAULT_SETTINGS
    seats: Mapping[str, Seat] = field(default_factory=dict)
    tenures: tuple[Tenure, ...] = ()
    phase: str = ""
    window: Window = NO_WINDOW
    offers: Mapping[int, Offer] = field(default_factory=dict)
    offers_posted: int = 0
    transactions: int = 0
    deals: Mapping[int, Deal] = field(default_factory=dict)
    deals_proposed: int = 0
    deal_tally: DealTally = NO_DEALS
    negotiations: Mapping[int, Negotiation] = field(default_factory=dict)
    negotiations_opened: int = 0
    looked: frozenset[int] = frozenset()
    became: Mapping[str, str] = field(default_factory=dict)
    state: GameState = NO_STATE

    @property
    def tracked(self) -> bool:
        """Whether holdings are counted at this table."""
        return self.settings.inventory == "tracked"

    def seat_of(self, person: int) -> Seat | None:
        """Return the seat this person sits in, if any."""
        return next((seat for seat in self.seats.values() if seat.person == person), None)

    def holders(self) -> dict[str, int | None]:
        """Return who holds each seat, None for an empty one."""
        return {seat.id: seat.person for seat in self.seats.values()}

    def seated(self) -> list[str]:
        """Return the ids of the seats that are taken, in the order in which they were first taken."""
        return [seat.id for seat in self.seats.values() if seat.person is not None]

    def open_offers(self) -> list[Offer]:
        """Return the offers that can be signed, oldest first."""
        return [offer for offer in self.offers.values() if offer.status == "open"]

    def live_offers(self) -> list[Offer]:
        """Return the offers that are not over: open, or suspended."""
        return [offer for offer in self.offers.values() if offer.live]

    def with_offer(self, offer: Offer) -> Table:
        """Return the table with this offer in place of the one of its number."""
        return replace(self, offers={**self.offers, offer.number: offer})

    def without_offer(self, number: int) -> Table:
        """Return the table without the offer of this number."""
        return replace(self, offers={each: offer for each, offer in self.offers.items() if each != number})

    def with_deal(self, deal: Deal) -> Table:
        """Return the table with this deal in place of the one of its number."""
        return replace(self, deals={**self.deals, deal.number: deal})

    def without_deal(self, number: int) -> Table:
        """Return the table without the deal of this number."""
        return replace(self, deals={each: deal for each, deal in self.deals.items() if each != number})

    def with_negotiation(self, negotiation: Negotiation) -> Table:
        """Return the table with this negotiation in place of the one of its number."""
        return replace(self, negotiations={**self.negotiations, negotiation.number: negotiation})

    def with_seat(self, seat: Seat) -> Table:
        """Return the table with this seat in place of the one of its id."""
        return replace(self, seats={**self.seats, seat.id: seat})

    def with_state(self, state: GameState) -> Table:
        """Return the table with this state of its game."""
        return replace(self, state=state)
