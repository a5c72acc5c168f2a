"""Offers as state: who gives what for what, who has agreed, and what was handed over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.people import Parties
from bot.rules.model.replacing import replace

OfferStatus = Literal["open", "suspended", "resolved", "declined", "withdrawn", "expired", "void"]

LIVE: tuple[OfferStatus, ...] = ("open", "suspended")
"""The states in which an offer is not over."""


@dataclass(frozen=True, slots=True)
class Sides:
    """What an offer gives and wants, and its terms, as of `Offer`."""

    give: Goods = NOTHING
    want: Goods = NOTHING
    terms: str = ""
    terms_now: str = ""
    terms_card: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """A seat agreed to one revision of an offer, in one window."""

    revision: int
    window: int


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer: who gives what for what. ``to`` is None when it is open to all.

    ``agreed`` maps a seat to the revision it agreed to without signing. ``parent`` is the offer it answers.
    ``until`` is when it expires, in milliseconds since 1970, None for never; ``posted_at`` when it was posted, None
    where that was not recorded. ``negotiation`` is the one it belongs to.
    ``terms`` are words that come later, ``terms_now`` words that are done at once with the exchange; ``terms_card``:
    they rest on an action card's result. ``parties`` are the people in its two seats, who alone know what was meant for
    the two. ``private``: what is offered is for the two only. ``picked``: it was open to all until its poster picked
    one. ``handed`` is what each seat has handed over for it, sealed until both have; ``reasons`` is
    why it became void, for the seat concerned. ``before`` is what it was at the revision before this one, if any.
    """

    number: int
    seat: str
    to: str | None
    give: Goods
    want: Goods
    parties: Parties
    terms: str = ""
    terms_now: str = ""
    terms_card: bool = False
    revision: int = 1
    status: OfferStatus = "open"
    signatures: Mapping[str, Signature] = field(default_factory=dict)
    agreed: Mapping[str, int] = field(default_factory=dict)
    parent: int | None = None
    until: int | None = None
    posted_at: int | None = None
    negotiation: int | None = None
    transaction: int | None = None
    private: bool = False
    picked: bool = False
    handed: Mapping[str, Goods] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    before: Sides | None = None

    @property
    def live(self) -> bool:
        """Whether the offer is not over."""
        return self.status in LIVE

    @property
    def sides(self) -> Sides:
        """What it gives and wants, and its terms."""
        return Sides(self.give, self.want, self.terms, self.terms_now, self.terms_card)

    @property
    def has_terms(self) -> bool:
        """Whether anything is agreed on in words."""
        return bool(self.terms or self.terms_now)

    def party(self, seat: str | None) -> bool:
        """Return whether this seat posted the offer or is the only one it was made to."""
        return seat is not None and seat in (self.seat, self.to)

    def other(self, seat: str) -> str | None:
        """Return the other side of the offer: its poster, or for the poster the seat it is to (None: open to all)."""
        return self.to if seat == self.seat else self.seat

    def without(self, seat: str) -> Offer:
        """Return the offer without this seat's signature, agreement and goods handed over."""
        return replace(
            self,
            signatures={id: signature for id, signature in self.signatures.items() if id != seat},
            agreed={id: revision for id, revision in self.agreed.items() if id != seat},
            handed={id: goods for id, goods in self.handed.items() if id != seat},
        )
