"""Table: the whole state of one game table, as a value. It is rebuilt by applying the table's entries in order."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, SerializeAsAny, ValidationInfo, field_validator

from bot.rules.goods import NOTHING, Goods

Pair = tuple[str, str]
"""Two seats, in alphabetical order; see `pair`."""


def pair(first: str, second: str) -> Pair:
    """The pair of two seats, the same whichever is named first."""
    return (first, second) if first <= second else (second, first)


class Value(BaseModel):
    """A frozen value that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class GameState(Value):
    """What a game remembers of a table beyond what all games share. Each game has its own."""


class Change(Value):
    """What one seat lost and gained at once, and what went into its play area or out of it."""

    lost: Goods = NOTHING
    gained: Goods = NOTHING
    entered_play: Goods = NOTHING
    left_play: Goods = NOTHING


class Settings(Value):
    """What a host may choose for a table. Which of these mean something is the game's to say (`Game.settings`).

    ``rulings``: what the rules forbid is refused, or only warned of and recorded. ``inventory``: whether holdings are
    counted. ``declare_neighbors``, ``declare_holdings``: whether players may say so themselves, or the host only.
    ``confirm``: whether both are asked once more, privately, before every exchange. ``name_calamities``: whether a
    calamity may be one of the cards that an offer names. ``timer``: for how many minutes an offer stands, or where all
    trade at once, trading lasts, unless something else is said; 0 for no limit. ``open_on_close``: whether what was
    secret opens to everybody when the table closes; chosen at opening and never again.
    """

    rulings: Literal["refuse", "warn"] = "refuse"
    inventory: Literal["tracked", "untracked"] = "tracked"
    declare_neighbors: Literal["players", "host"] = "players"
    declare_holdings: Literal["players", "host"] = "players"
    confirm: Literal["once", "twice"] = "once"
    name_calamities: Literal["yes", "no"] = "no"
    timer: int = 0
    open_on_close: Literal["yes", "no"] = "yes"


class Seat(Value):
    """A chair at the table: a faction or nation, who sits there (a person's number, or nobody), what it holds.

    ``last`` is who sits there or did last. ``since`` is the entry with which they took it over from somebody else, 0
    when nobody had sat there before.
    """

    id: str
    person: int | None
    last: int | None = None
    since: int = 0
    holdings: Goods = NOTHING
    in_play: Goods = NOTHING


class Window(Value):
    """The time in which trade may happen: a turn, an agenda, a trading phase. Or ``none``.

    ``number`` grows whenever one window ends and another state begins, so a signature from before is told apart.
    ``holder`` is the seat whose turn it is. ``used`` are the pairs that have had their transaction in it.
    """

    number: int = 0
    kind: str = "none"
    holder: str | None = None
    used: frozenset[Pair] = frozenset()


class Signature(Value):
    """A seat agreed to one revision of an offer, in one window."""

    revision: int
    window: int


Status = Literal["open", "suspended", "resolved", "declined", "withdrawn", "expired", "void"]


class Offer(Value):
    """An offer: who gives what for what. ``to`` is None when it is open to all.

    ``agreed`` says which seat has agreed to which revision without signing it. ``parent`` is the offer it answers.
    ``until`` is when it runs out, in milliseconds since 1970, None for never. ``negotiation`` is the one it belongs to.
    ``passed_on`` are those of its two chairs that somebody else has taken over since: what was meant for who sat there
    before is not for them. ``private``: what is offered is for the two only. ``picked``: it was open to all, until its
    poster picked one. ``handed`` is what each seat has handed over for it, sealed until both have; ``reasons`` is why
    it became void, for the seat it concerns.
    """

    number: int
    seat: str
    to: str | None
    give: Goods
    want: Goods
    terms: str = ""
    revision: int = 1
    status: Status = "open"
    signatures: dict[str, Signature] = {}
    agreed: dict[str, int] = {}
    parent: int | None = None
    until: int | None = None
    negotiation: int | None = None
    transaction: int | None = None
    passed_on: frozenset[str] = frozenset()
    private: bool = False
    picked: bool = False
    handed: dict[str, Goods] = {}
    reasons: dict[str, str] = {}

    def party(self, seat: str) -> bool:
        """Whether this seat posted the offer or it was made to it alone."""
        return seat in (self.seat, self.to)

    def shown_to(self, seat: str | None) -> bool:
        """Whether this seat (None: everybody) may know of the offer; what is offered in private is for the two."""
        return not self.private or self.known_to(seat)

    def known_to(self, seat: str | None) -> bool:
        """Whether this seat (None: everybody) may know exactly what is offered, where that is for the two only."""
        return seat is not None and self.party(seat) and seat not in self.passed_on


class Negotiation(Value):
    """Two seats that talk in private, and about what."""

    number: int
    seat: str
    other: str
    topic: str = ""
    open: bool = True


DealStatus = Literal["proposed", "agreed", "declined"]


class Deal(Value):
    """An agreement in words between two seats. ``later``: some of it can't be done at once. ``card``: it rests on an
    action card's result. ``marks``: what each of the two says of the other's part: kept, or broken.
    ``offer`` is the offer whose terms these were, if any; ``private`` when that was made in a negotiation.
    ``passed_on`` as of `Offer`.
    """

    number: int
    seat: str
    to: str
    terms: str
    later: bool
    card: bool = False
    status: DealStatus = "proposed"
    marks: dict[str, Literal["kept", "broken"]] = {}
    offer: int | None = None
    private: bool = False
    passed_on: frozenset[str] = frozenset()

    def shown_to(self, seat: str | None) -> bool:
        """Whether this seat (None: everybody) may know of it; what was said in private is for the two."""
        return not self.private or (seat in (self.seat, self.to) and seat not in self.passed_on)


class Table(Value):
    """One game table. ``seq`` is the number of the last entry applied, 0 for a table that is not opened yet."""

    seq: int = 0
    game: str = ""
    name: str = ""
    host: int = 0
    open: bool = False
    settings: Settings = Settings()
    seats: dict[str, Seat] = {}
    phase: str = ""
    window: Window = Window()
    offers: dict[int, Offer] = {}
    transactions: int = 0
    deals: dict[int, Deal] = {}
    negotiations: dict[int, Negotiation] = {}
    state: SerializeAsAny[GameState] = GameState()

    @field_validator("state", mode="before")
    @classmethod
    def _state_of_its_game(cls, value: Any, info: ValidationInfo) -> Any:
        """A snapshot holds the state as plain JSON; the game knows its shape."""
        if isinstance(value, GameState) or not info.data.get("game"):
            return value
        from bot.rules.game import game_named

        return game_named(info.data["game"]).state.model_validate(value)

    def seat_of(self, person: int) -> Seat | None:
        """The seat this person sits in, if any."""
        return next((seat for seat in self.seats.values() if seat.person == person), None)

    def open_offers(self) -> list[Offer]:
        """Offers that can still be signed, oldest first."""
        return [offer for offer in self.offers.values() if offer.status == "open"]

    def live_offers(self) -> list[Offer]:
        """Offers that are not over: open, or suspended."""
        return [offer for offer in self.offers.values() if offer.status in ("open", "suspended")]
