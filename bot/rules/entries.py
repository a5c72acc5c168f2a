"""Entries: what happened at a table. The ledger's vocabulary.

An entry says everything that applying it needs: goods as they really moved, numbers as they were given.
Fields marked ``Sealed`` are not for everybody; `split` parts them from what is public before anything is stored.

The kinds of the core are here; a game adds its own (``Game.entries``). Together they form one union, told apart
by ``kind``. A kind keeps its meaning for ever: when its fields change, ``v`` grows and the old shape is still read.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, Union

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from bot.rules.goods import NOTHING, Goods
from bot.rules.table import Change, Settings, Value

Part = Literal["parties", "keeper"]


class Sealed:
    """Marks a field that only the entry's ``parties()`` may see; or, until the table closes, nobody (``keeper``)."""

    def __init__(self, part: Part) -> None:
        self.part: Part = part


class Entry(BaseModel):
    """Something that happened. Frozen; applying it never fails and never asks the clock."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    kind: str
    v: int = 1

    def parties(self) -> frozenset[str]:
        """The seats that may see what is sealed for the parties."""
        return frozenset()


class Recorded(BaseModel):
    """An entry in its place in the ledger. ``at`` is in milliseconds since 1970, UTC; ``by`` a person's number."""

    model_config = ConfigDict(frozen=True)
    table_id: int
    seq: int
    at: int
    by: int | None
    entry: Entry
    hash: str


class TableOpened(Entry):
    """A table came to be, with whoever opened it as its host."""

    kind: Literal["table.opened"] = "table.opened"
    game: str
    name: str
    host: int
    settings: Settings


class TableClosed(Entry):
    """The table is over."""

    kind: Literal["table.closed"] = "table.closed"


class HostChanged(Entry):
    """The table was handed over."""

    kind: Literal["host"] = "host"
    person: int


class SettingsChanged(Entry):
    """The host changed how the table plays. All settings, not only what changed."""

    kind: Literal["settings"] = "settings"
    settings: Settings


class PhaseSet(Entry):
    """A phase began. It closes whatever window was open."""

    kind: Literal["phase"] = "phase"
    phase: str
    window: int


class SeatTaken(Entry):
    """``start`` is what the seat holds before anything happens, ``{}`` when somebody takes over an empty chair."""

    kind: Literal["seat.taken"] = "seat.taken"
    seat: str
    person: int
    start: Goods = NOTHING


class SeatLeft(Entry):
    """Somebody left their seat; what lies before it stays."""

    kind: Literal["seat.left"] = "seat.left"
    seat: str
    person: int


class GoodsMoved(Entry):
    """Anything that changes holdings. ``hidden`` are the changes that only the seat itself may know, each its own."""

    changes: dict[str, Change] = {}
    hidden: Annotated[dict[str, Change] | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """Each seat whose hidden goods changed."""
        return frozenset(self.hidden or ())


class Corrected(GoodsMoved):
    """A host or moderator said what a seat really has: set-up, or the mending of a mistake, with its ``reason``.

    ``before`` and ``after`` are what lay open before the seat and lies there now. That hidden cards came to this hand
    is public (``hidden_moved`` of them, where their number is), which ones is not.
    """

    kind: Literal["correction"] = "correction"
    seat: str
    hidden_moved: int = 0
    reason: str = ""
    before: Goods = NOTHING
    after: Goods = NOTHING


class Looked(Entry):
    """A host or moderator looked into the ledger: that they did is for everybody to know.

    ``about`` is the number of the transaction or person they looked at.
    """

    kind: Literal["audit.looked"] = "audit.looked"
    what: Literal["ledger", "trade", "player", "verify", "export"]
    about: int | None = None


class Gained(GoodsMoved):
    """``declared``: said at one tap to lie open at the table, when a trade was short of it."""

    kind: Literal["holdings.gained"] = "holdings.gained"
    seat: str
    declared: bool = False


class Spent(GoodsMoved):
    """A seat spent goods, other than by trade."""

    kind: Literal["holdings.spent"] = "holdings.spent"
    seat: str


class Topic(Value):
    """Words that are not for everybody."""

    text: str = ""


class Sides(Value):
    """What the one gives and wants, and the terms."""

    give: Goods = NOTHING
    want: Goods = NOTHING
    terms: str = ""


class OfferPosted(Entry):
    """``to`` is None when the offer is open to all.

    ``parent`` is the offer it answers, ``until`` when it runs out, in milliseconds since 1970.
    ``give``, ``want`` and ``terms`` are as everybody may read them; where that hides which card is meant, or was said
    in private, ``exact`` is for the two.
    """

    kind: Literal["offer.posted"] = "offer.posted"
    offer: int
    seat: str
    to: str | None
    give: Goods
    want: Goods
    terms: str = ""
    exact: Annotated[Sides | None, Sealed("parties")] = None
    parent: int | None = None
    until: int | None = None
    negotiation: int | None = None

    def parties(self) -> frozenset[str]:
        """The two it is between."""
        return frozenset(seat for seat in (self.seat, self.to) if seat)


class OfferAltered(Entry):
    """A new revision of an offer, as of `OfferPosted`; every signature to the old one is void."""

    kind: Literal["offer.altered"] = "offer.altered"
    offer: int
    revision: int
    seat: str
    to: str | None
    give: Goods
    want: Goods
    terms: str = ""
    exact: Annotated[Sides | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """The two it is between."""
        return frozenset(seat for seat in (self.seat, self.to) if seat)


class NegotiationOpened(Entry):
    """Two seats began to talk in private. That they do is public, what about is not."""

    kind: Literal["negotiation.opened"] = "negotiation.opened"
    negotiation: int
    seat: str
    other: str
    topic: Annotated[Topic | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """The two who talk."""
        return frozenset({self.seat, self.other})


class NegotiationClosed(Entry):
    """They are done."""

    kind: Literal["negotiation.closed"] = "negotiation.closed"
    negotiation: int


class OfferAgreed(Entry):
    """A seat agreed to one revision without signing it: ahead of time, or where everything is confirmed."""

    kind: Literal["offer.agreed"] = "offer.agreed"
    offer: int
    revision: int
    seat: str


class OfferSuspended(Entry):
    """Who posted it holds it back."""

    kind: Literal["offer.suspended"] = "offer.suspended"
    offer: int
    seat: str


class OfferResumed(Entry):
    """Who posted it puts it up again."""

    kind: Literal["offer.resumed"] = "offer.resumed"
    offer: int
    seat: str


class OfferPicked(Entry):
    """Of those who accepted an offer to all, its poster picked one."""

    kind: Literal["offer.picked"] = "offer.picked"
    offer: int
    seat: str
    taker: str


class OfferExpired(Entry):
    """Its time was up."""

    kind: Literal["offer.expired"] = "offer.expired"
    offer: int


class OfferDeclined(Entry):
    """The one it was made to does not want it."""

    kind: Literal["offer.declined"] = "offer.declined"
    offer: int
    seat: str


class OfferWithdrawn(Entry):
    """Who posted it took it back."""

    kind: Literal["offer.withdrawn"] = "offer.withdrawn"
    offer: int
    seat: str


class OfferVoided(Entry):
    """An offer ended because of something else than its two people's word: somebody left the table, the table or the
    time for trade closed, or what one had handed over is not theirs any more. Then ``why`` says so, to that seat only;
    ``between`` are the two, so that nobody else learns whom it concerns.
    """

    kind: Literal["offer.voided"] = "offer.voided"
    offer: int
    between: tuple[str, ...] = ()
    why: Annotated[dict[str, Topic] | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """The two it was between; `view` leaves each only what is said to them."""
        return frozenset(self.between)


class HandedOver(Entry):
    """A seat handed over what it gives, sealed until the other has too. That it did is public, what is only its own."""

    kind: Literal["offer.handed"] = "offer.handed"
    offer: int
    revision: int
    seat: str
    goods: Annotated[Goods | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """Whose goods these are."""
        return frozenset({self.seat})


class Signed(Entry):
    """A signature is good for one revision of the offer and for the window it was given in."""

    kind: Literal["signature"] = "signature"
    offer: int
    revision: int
    seat: str
    window: int


class Transaction(GoodsMoved):
    """Goods changed hands: what each side ``lost`` is what it gave; what it ``gained`` is what that became.

    ``given`` is what each gave as everybody may read it. ``overruled`` are the rules that forbade it, at a table that
    only warns. ``permits`` are the numbers of the permits that it used up.
    """

    kind: Literal["transaction"] = "transaction"
    number: int
    offer: int
    revision: int
    window: int
    first: str
    second: str
    given: dict[str, Goods] = {}
    overruled: tuple[str, ...] = ()
    permits: tuple[int, ...] = ()

    def parties(self) -> frozenset[str]:
        """The two that traded."""
        return frozenset({self.first, self.second})


class DealProposed(Entry):
    """See `bot.rules.table.Deal`. The terms of a resolved offer become a deal that is agreed at once.

    Of terms said in private, ``terms`` is empty and ``secret`` holds them for the two.
    """

    kind: Literal["deal.proposed"] = "deal.proposed"
    deal: int
    seat: str
    to: str
    terms: str
    later: bool
    card: bool = False
    offer: int | None = None
    secret: Annotated[Topic | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """The two it is between."""
        return frozenset({self.seat, self.to})


class DealAnswered(Entry):
    """The other agreed to a deal, or did not."""

    kind: Literal["deal.answered"] = "deal.answered"
    deal: int
    seat: str
    agreed: bool


class DealMarked(Entry):
    """One of the two says of the other's part that it was kept, or broken."""

    kind: Literal["deal.marked"] = "deal.marked"
    deal: int
    seat: str
    mark: Literal["kept", "broken"]


CORE: tuple[type[Entry], ...] = (
    TableOpened, TableClosed, HostChanged, SettingsChanged, PhaseSet, SeatTaken, SeatLeft,
    Corrected, Looked, Gained, Spent,
    OfferPosted, OfferAltered, OfferAgreed, OfferSuspended, OfferResumed, OfferPicked, OfferExpired,
    OfferDeclined, OfferWithdrawn, OfferVoided, HandedOver, Signed, Transaction,
    DealProposed, DealAnswered, DealMarked, NegotiationOpened, NegotiationClosed,
)  # fmt: skip


@cache
def entry_adapter() -> TypeAdapter[Entry]:
    """The one union of all kinds, the core's and those of every installed game."""
    from bot.rules.game import games

    kinds = CORE + tuple(kind for game in games().values() for kind in game.entries)
    union = Union[kinds]  # type: ignore[valid-type]  # noqa: UP007  (made at run time)
    return TypeAdapter(Annotated[union, Field(discriminator="kind")])


@cache
def sealed_fields(kind: type[Entry]) -> Mapping[str, Part]:
    """Which fields of this kind are sealed, and for whom."""
    return {
        name: mark.part
        for name, field in kind.model_fields.items()
        for mark in field.metadata
        if isinstance(mark, Sealed)
    }


def split(entry: Entry) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Part an entry into what everybody may read, and what is sealed: ``{"parties": {...}, "keeper": {...}}``.

    A part that the kind has but this entry leaves empty is sealed all the same, so that its presence tells nothing.
    """
    public = entry.model_dump(mode="json")
    sealed: dict[str, dict[str, Any]] = {}
    for name, part in sealed_fields(type(entry)).items():
        sealed.setdefault(part, {})[name] = public.pop(name)
    return public, sealed


def join(public: Mapping[str, Any], sealed: Mapping[str, Mapping[str, Any]]) -> Entry:
    """The inverse of `split`; without a part, its fields are None.

    Raises ``pydantic.ValidationError`` when this is no entry that any installed game knows.
    """
    whole = dict(public)
    for fields in sealed.values():
        whole.update(fields)
    return entry_adapter().validate_python(whole)
