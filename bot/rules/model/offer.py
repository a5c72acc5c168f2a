"""Offers as state: who gives what for what, who has agreed, and what was handed over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.people import Parties
from bot.rules.model.replacing import replace
from bot.rules.model.values import frozen, frozen_by_name

OfferStatus = Literal[
    "open",
    "suspended",
    "countered",
    "resolved",
    "declined",
    "withdrawn",
    "expired",
    "void",
    "superseded",
]

LIVE: tuple[OfferStatus, ...] = ("open", "suspended", "countered")
"""The statuses of a live offer: one that is not over."""


@frozen
class Sides:
    """The goods that an offer gives and wants, and its terms.

    ``terms`` are promises for later, ``terms_now`` are done at once with the exchange;
    ``terms_card``: they depend on the result of an action card. ``rules`` are the house rules that
    they name, in the words of when they were written.
    """

    give: Goods = NOTHING
    want: Goods = NOTHING
    terms: str = ""
    terms_now: str = ""
    terms_card: bool = False
    rules: Mapping[str, str] = field(default_factory=dict, hash=False)


@frozen
class Signature:
    """A seat's binding agreement to one revision of an offer, in one window; ``holder`` is whose
    turn it was.
    """

    revision: int
    window: int
    holder: str | None = None


@frozen_by_name
class Offer(Sides):
    """An offer: who gives what for what. ``to`` is None if it is open to all.

    ``agreed`` maps a seat to the revision it agreed to without signing. ``parent`` is the offer it
    answers. ``until`` is when it expires, in milliseconds since 1970, None for never; ``posted_at``
    is when it was posted, None before it is. ``negotiation`` is the number of the negotiation it
    belongs to. ``parties`` are the people in its seats; a successor must not learn what was meant
    for them. ``private``: only the parties see the goods and terms. ``confided``: nobody else
    learns of it at all. ``picked``: it was open to all until its poster picked a taker. ``handed``
    is what each seat has handed over, sealed until both have. ``reasons`` says why it ended or what
    was handed over is undone, for each seat concerned, and under an empty id for everybody.
    ``before`` are the sides of the previous revision, if any. ``answer``: the offer that stands in
    place of a countered one, that did so before this one stood again, or with which a superseded
    one ended. ``earlier`` are the seats that agreed to an earlier revision, whether or not they
    agreed to this one. ``when``: it was not possible when this revision was posted; this says when
    it is, as in `Violation`.
    ``stands``: it was posted ahead to stand for the poster's next turn, who is then not asked to
    confirm it. ``taken_back``: so was its transaction. ``chosen`` is what a seat gave as it
    resolved, where the offer had left that open, and ``picks`` what a seat will give that has
    chosen before it confirms: only that seat knows. ``made`` is the number of the entry that made
    this revision, or resolved it.

    >>> offer: Offer = table.offers[1]
    >>> offer.give, offer.status
    (Goods({'silk': 1}), 'open')
    """

    number: int
    seat: str
    to: str | None
    parties: Parties
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
    confided: bool = False
    picked: bool = False
    handed: Mapping[str, Goods] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    before: Sides | None = None
    earlier: frozenset[str] = frozenset()
    answer: int | None = None
    when: str = ""
    stands: bool = False
    taken_back: bool = False
    chosen: Mapping[str, Goods] = field(default_factory=dict)
    picks: Mapping[str, Goods] = field(default_factory=dict)
    made: int = 0

    @property
    def live(self) -> bool:
        """Whether the offer is not over."""
        return self.status in LIVE

    @property
    def lapsed(self) -> bool:
        """Whether the offer ended because the time for it was over or the table closed, or with a
        seat.
        """
        return self.status == "void" and not self.reasons.keys() - {""}

    @property
    def to_all(self) -> bool:
        """Whether the offer was posted to everybody, even if a taker has been picked since."""
        return self.to is None or self.picked

    @property
    def sides(self) -> Sides:
        """The goods that the offer gives and wants, and its terms."""
        return Sides(self.give, self.want, self.terms, self.terms_now, self.terms_card, self.rules)

    def settled(self) -> Offer:
        """Return the offer with what was chosen when it resolved, where it left that open."""
        return self._giving(self.chosen)

    def picked_by(self, seat: str | None) -> Offer:
        """Return the offer with what this seat has chosen to give, as it may read it."""
        goods = self.picks.get(seat or "")
        return self._giving({seat: goods}) if seat and goods else self

    def _giving(self, chosen: Mapping[str, Goods]) -> Offer:
        if not chosen:
            return self
        give = chosen.get(self.seat, self.give)
        want = chosen.get(self.to or "", self.want)
        return replace(self, give=give, want=want)

    @property
    def has_terms(self) -> bool:
        """Whether the offer has terms of either kind."""
        return bool(self.terms or self.terms_now)

    def party(self, seat: str | None) -> bool:
        """Return whether this seat posted the offer or is named as its addressee."""
        return seat is not None and seat in (self.seat, self.to)

    def other(self, seat: str) -> str | None:
        """Return the other side: for the poster the seat it is addressed to (None: open to all),
        else the poster.
        """
        return self.to if seat == self.seat else self.seat

    def renamed(self, became: Mapping[str, str]) -> Offer:
        """Return the offer between the current ids of seats that have become others."""
        seat = became.get(self.seat, self.seat)
        to = became.get(self.to, self.to) if self.to else None
        return replace(self, seat=seat, to=to, parties=self.parties.renamed(became))

    def without(self, seat: str) -> Offer:
        """Return the offer without this seat's signature, agreement and handed over goods."""
        return replace(
            self,
            signatures={id: signature for id, signature in self.signatures.items() if id != seat},
            agreed={id: revision for id, revision in self.agreed.items() if id != seat},
            picks={id: goods for id, goods in self.picks.items() if id != seat},
            handed={id: goods for id, goods in self.handed.items() if id != seat},
            earlier=self.earlier - {seat},
        )
