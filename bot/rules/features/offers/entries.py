"""Entries about offers, from posting to the transaction.

Each says by ``change`` what it does to its offer; an offer that is over with that leaves the table.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from bot.rules.entries import Entry, Reads, Reference, Sealed, as_json, reference
from bot.rules.features.holdings import GoodsMoved
from bot.rules.model.debts import without_words, words_of
from bot.rules.model.goods import NOTHING, Change, Goods
from bot.rules.model.offer import LIVE, Offer, OfferStatus, Sides, Signature
from bot.rules.model.people import Holders, Parties
from bot.rules.model.replacing import facts_of, replace
from bot.rules.model.table import Table
from bot.rules.model.values import frozen
from bot.rules.model.windows import pair
from bot.rules.registry import game_of

V = TypeVar("V")


@frozen
class Period:
    """When something happened in the game: the window's kind and holder, and the phase."""

    kind: str
    phase: str
    holder: str | None = None

    def text(self, window: int) -> str:
        """Return when it happened, with the window's number: ``<seat:sol>'s turn (window 3)``."""
        match self.kind:
            case "turn":
                name = f"<seat:{self.holder}>'s turn" if self.holder else "nobody's turn"
            case "none":
                name = f"the {self.phase} phase"
            case "trade":
                name = "the trade phase"
            case kind:
                name = f"the {kind}"
        return f"{name} (window {window})"


class OfferConfided(Entry):
    """Something happened to an answer to a wish, of which only its two learn: ``told`` is that
    entry, all of it.
    """

    kind = "offer.confided"
    announced = False
    told: Annotated[dict[str, Any] | None, Sealed("parties")] = None

    def sentence(self, ruler: str) -> str:
        return "Something was said in private."


class OfferEntry(Entry):
    """Something that happened to one offer.

    ``confided``: nobody but its two may know of it; it is then stored as `OfferConfided`.

    >>> class Praised(OfferEntry):
    ...     kind = "bazaar.praised"
    >>> Praised(offer=1).subject()
    'offer:1'
    """

    announced = False
    becomes: ClassVar[OfferStatus | None] = None
    offer: int
    confided: SkipJsonSchema[bool] = Field(default=False, exclude=True)

    def as_stored(self) -> Entry:
        """Return the entry, within one that says nothing to others if it is ``confided``."""
        return OfferConfided(told=as_json(self)) if self.confided else self

    def story(self) -> str:
        """Return the sentence as friends would tell it, without revisions and windows."""
        return self.sentence("")

    def subject(self) -> Reference | None:
        """Return the offer."""
        return reference("offer", self.offer)

    def change(self, offer: Offer) -> Offer:
        """Return the offer after this: with the status that it ``becomes``. What is over has
        nothing handed over.
        """
        if self.becomes is None:
            return offer
        handed = offer.handed if self.becomes in LIVE else {}
        return replace(offer, status=self.becomes, handed=handed)

    def changed(self, offer: Offer, holders: Holders) -> Offer:
        """Return the offer after this; a seat that becomes one of its two brings in the person who
        holds it.
        """
        after = self.change(offer)
        parties = Parties.of((after.seat, after.to), holders, offer.parties)
        return after if parties == after.parties else replace(after, parties=parties)

    def apply(self, table: Table) -> Table:
        """Return the table with the offer changed, or without it when it is over."""
        offer = table.offers.get(self.offer)
        if offer is None:
            return table
        after = made_by(self, table.seq + 1, self.changed(offer, table.holders()))
        return table.with_offer(after) if after.live else table.without_offer(after.number)


class _OfferVersion(OfferEntry):
    """What an offer is from this entry on.

    ``give``, ``want`` and the terms are as everybody may read them; ``exact`` is for the two.
    ``to`` is None when it is open to all. ``private``: it is for the two only. ``rules`` and
    ``when`` as in `Offer`.
    """

    seat: str
    to: str | None
    give: Goods
    want: Goods
    terms: str = ""
    terms_now: str = ""
    terms_card: bool = False
    rules: Mapping[str, str] = {}
    exact: Annotated[Sides | None, Sealed("parties")] = None
    private: bool = False
    when: str = ""

    def parties(self) -> frozenset[str]:
        """Return the two it is between."""
        return frozenset(seat for seat in (self.seat, self.to) if seat)

    def seats(self) -> frozenset[str]:
        """Return the two it is between."""
        return self.parties()

    def sides(self) -> Sides:
        """Return what the offer gives and wants, exactly where that is in this entry."""
        if self.exact is not None:
            return self.exact
        return Sides(self.give, self.want, self.terms, self.terms_now, self.terms_card, self.rules)


class OfferPosted(_OfferVersion):
    """An offer was posted.

    ``parent`` is the offer it answers, ``until`` when it expires and ``posted_at`` when it was
    posted, in milliseconds since 1970. ``stands``: see `Offer`.

    >>> def posts(entries: list[Entry]) -> list[int]:
    ...     return [entry.offer for entry in entries if isinstance(entry, OfferPosted)]
    >>> posts([SeatLeft(seat="red", person=1)])
    []
    """

    kind = "offer.posted"
    v: int = 2  # 2: rules
    reads: ClassVar[Reads] = {("offer.posted", 1): None}
    posted_at: int | None = None
    parent: int | None = None
    until: int | None = None
    negotiation: int | None = None
    stands: bool = False

    def posted(self, holders: Holders) -> Offer:
        """Return the offer as it begins, between those who hold its seats."""
        return Offer(
            **facts_of(self.sides(), Sides),
            number=self.offer,
            seat=self.seat,
            to=self.to,
            parent=self.parent,
            until=self.until,
            posted_at=self.posted_at,
            negotiation=self.negotiation,
            private=self.private,
            confided=self.confided,
            when=self.when,
            stands=self.stands,
            parties=Parties.of((self.seat, self.to), holders),
        )

    def apply(self, table: Table) -> Table:
        """Return the table with the offer."""
        posted = made_by(self, table.seq + 1, self.posted(table.holders()))
        offers = {**table.offers, self.offer: posted}
        return replace(table, offers=offers, offers_posted=self.offer)


class OfferAltered(_OfferVersion):
    """A new revision of an offer; every signature to the old one is void.

    ``passed_over`` are those who had agreed to it while it was open to all, if another was picked.
    """

    kind = "offer.altered"
    v: int = 3  # 2: passed_over; 3: rules
    reads: ClassVar[Reads] = {("offer.altered", 1): None, ("offer.altered", 2): None}
    revision: int
    passed_over: tuple[str, ...] = ()

    def change(self, offer: Offer) -> Offer:
        """Return the offer at its new revision, signed by nobody."""
        return replace(
            offer,
            **facts_of(self.sides(), Sides),
            revision=self.revision,
            signatures={},
            agreed={},
            picks={},
            handed={},
            reasons={},
            private=self.private,
            when=self.when,
            stands=False,
            before=offer.sides,
            earlier=offer.earlier | {*offer.signatures, *offer.agreed, *offer.handed},
        )


class _Between(OfferEntry):
    """Something that happened to an offer ``between`` its two seats, or its poster alone while it
    is open to all.
    """

    between: tuple[str, ...] = ()

    def seats(self) -> frozenset[str]:
        """Return the seats it is between."""
        return frozenset(self.between)


class _Statement(_Between):
    """Something that one seat did about an offer."""

    seat: str

    def seats(self) -> frozenset[str]:
        """Return the seat and those it is between."""
        return frozenset({self.seat, *self.between})


class OfferAgreed(_Statement):
    """A seat agreed to one revision without signing it: ahead of time, or where everything is
    confirmed.

    Both sides then have agreed, and must confirm. ``gives``: what it has chosen to give, where the
    offer leaves that open; until it confirms, nobody else learns that it has.
    """

    kind = "offer.agreed"
    v: int = 2  # 2: gives
    reads: ClassVar[Reads] = {("offer.agreed", 1): None}
    revision: int
    gives: Annotated[Goods | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """Return the seat that chose."""
        return frozenset({self.seat})

    def sentence(self, ruler: str) -> str:
        return (
            f"<seat:{self.seat}> agreed to offer {self.offer}, revision {self.revision}, to be "
            "confirmed later."
        )

    def story(self) -> str:
        return f"<seat:{self.seat}> agreed to offer {self.offer}, to be confirmed later."

    def change(self, offer: Offer) -> Offer:
        """Return the offer with this agreement, and the other side's signature as one too."""
        agreed = {**offer.agreed, self.seat: self.revision}
        if self.gives is not None:
            offer = replace(offer, picks={**offer.picks, self.seat: self.gives})
        if offer.to is None:
            return replace(offer, agreed=agreed)
        signatures = dict(offer.signatures)
        for seat in (offer.seat, offer.to):
            if seat in signatures:
                agreed.setdefault(seat, signatures.pop(seat).revision)
        return replace(offer, agreed=agreed, signatures=signatures)


class Signed(_Statement):
    """A signature is good for one revision of the offer and for the window it was given in.

    >>> class Deed(Signed):
    ...     kind = "bazaar.deed"
    >>> issubclass(Deed, OfferEntry)
    True
    """

    kind = "offer.signature"
    revision: int
    window: int
    during: Period

    def sentence(self, ruler: str) -> str:
        what = f"offer {self.offer}, revision {self.revision}"
        return f"<seat:{self.seat}> **signed** {what}, in {self.during.text(self.window)}."

    def story(self) -> str:
        return f"<seat:{self.seat}> accepted offer {self.offer}."

    def change(self, offer: Offer) -> Offer:
        """Return the offer with this signature."""
        signature = Signature(self.revision, self.window, self.during.holder)
        return replace(offer, signatures={**offer.signatures, self.seat: signature})


class OfferStands(_Statement):
    """The poster's turn has come, for which the offer stands: their word is good for it, unless
    they are ``short``, which only the two know.
    """

    kind = "offer.stands"
    v: int = 2  # 2: short is sealed
    reads: ClassVar[Reads] = {("offer.stands", 1): None}
    revision: int
    window: int
    short: Annotated[bool | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """Return the two it is between."""
        return frozenset(self.between)

    def sentence(self, ruler: str) -> str:
        if self.short is None:
            return f"Offer {self.offer} was to stand for <seat:{self.seat}>'s turn, which begins."
        if self.short:
            return (
                f"Offer {self.offer} does not stand: <seat:{self.seat}> is short of what it gives."
            )
        return f"Offer {self.offer} stands for <seat:{self.seat}>'s turn."

    def change(self, offer: Offer) -> Offer:
        """Return the offer with its poster's signature for this turn, after which it does not stand
        again.
        """
        offer = replace(offer, stands=False)
        signed = {**offer.signatures, self.seat: Signature(self.revision, self.window)}
        return offer if self.short else replace(offer, signatures=signed)


class OfferSuspended(_Statement):
    """The poster holds the offer back."""

    kind = "offer.suspended"
    becomes = "suspended"

    def sentence(self, ruler: str) -> str:
        return f"<seat:{self.seat}> suspended offer {self.offer}."

    def story(self) -> str:
        return f"<seat:{self.seat}> held offer {self.offer} back."


class OfferCountered(_Statement):
    """Another offer, ``by``, stands in place of this one until it is over. ``seat`` posted that
    one.

    What this seat had agreed to before is off. Counters posted before this kind existed left the
    first offer open.
    """

    kind = "offer.countered"
    by: int

    def sentence(self, ruler: str) -> str:
        return f"Offer {self.by} stands in place of offer {self.offer}."

    def change(self, offer: Offer) -> Offer:
        """Return the offer as countered."""
        offer = offer if self.seat == offer.seat else offer.without(self.seat)
        return replace(offer, status="countered", answer=self.by)


class OfferRestored(_Between):
    """The offer that stood in place of this one came to nothing, so this one stands again."""

    kind = "offer.restored"
    becomes = "open"

    def sentence(self, ruler: str) -> str:
        return f"Offer {self.offer} stands again."


class OfferResumed(_Statement):
    """The poster puts the offer up again.

    >>> OfferResumed(offer=1, seat="red", between=("red", "green")).offer
    1
    """

    kind = "offer.resumed"
    becomes = "open"

    def sentence(self, ruler: str) -> str:
        return f"<seat:{self.seat}> resumed offer {self.offer}."

    def story(self) -> str:
        return f"<seat:{self.seat}> put offer {self.offer} up again."


class OfferPicked(_Statement):
    """The poster picked one of those who accepted an offer to all."""

    kind = "offer.picked"
    taker: str

    def seats(self) -> frozenset[str]:
        """Return the two it is between now."""
        return frozenset({self.seat, self.taker})

    def sentence(self, ruler: str) -> str:
        return f"<seat:{self.seat}> picked <seat:{self.taker}> for offer {self.offer}."

    def change(self, offer: Offer) -> Offer:
        """Return the offer as one to the seat that was picked."""
        return replace(offer, to=self.taker, picked=True)


class OfferDeclined(_Statement):
    """The one it was made to does not want it; of an offer to all, one who had accepted takes that
    back. ``backed_out``: they had agreed to it.
    """

    kind = "offer.declined"
    v: int = 2  # 2: backed_out
    reads: ClassVar[Reads] = {("offer.declined", 1): None}
    becomes = "declined"
    backed_out: bool = False

    def sentence(self, ruler: str) -> str:
        did = "backed out of" if self.backed_out else "declined"
        return f"<seat:{self.seat}> {did} offer {self.offer}."

    def change(self, offer: Offer) -> Offer:
        """Return the offer as over, or as open to all again."""
        if offer.to is None or (offer.picked and not offer.private):
            # that was for the two
            return replace(offer.without(self.seat), to=None, picked=False, before=None)
        return super().change(offer)


class OfferWithdrawn(_Statement):
    """The poster took it back. ``backed_out``: the one it was made to had agreed to it."""

    kind = "offer.withdrawn"
    v: int = 2  # 2: backed_out
    reads: ClassVar[Reads] = {("offer.withdrawn", 1): None}
    becomes = "withdrawn"
    backed_out: bool = False

    def sentence(self, ruler: str) -> str:
        did = "backed out of" if self.backed_out else "withdrew"
        return f"<seat:{self.seat}> {did} offer {self.offer}."


class OfferExpired(_Between):
    """Its time was up."""

    kind = "offer.expired"
    becomes = "expired"

    def sentence(self, ruler: str) -> str:
        return f"Offer {self.offer} ran out."

    def story(self) -> str:
        return f"The time of offer {self.offer} was up."


class OfferVoided(_Between):
    """An offer ended for another reason than its two people's word.

    A player left the table, the table or the time for trade closed, or what one side had handed
    over is not theirs any more. Then ``reasons`` tells each seat concerned its own; ``between`` are
    the two, so that nobody else learns which. ``why`` is a reason that everybody knows.

    >>> void_offers(table.offers[1]) == OfferVoided(offer=1, between=("red", "green"))
    True
    """

    kind = "offer.voided"
    v: int = 2  # 2: why
    reads: ClassVar[Reads] = {("offer.voided", 1): None}
    becomes = "void"
    reasons: Annotated[dict[str, str] | None, Sealed("parties")] = None
    why: str = ""

    def parties(self) -> frozenset[str]:
        """Return the two it was between."""
        return frozenset(self.between)

    def redacted(self, seats: frozenset[str]) -> Entry:
        """Return the entry with the reason that concerns these seats only."""
        if self.reasons is None or self.reasons.keys() <= seats:
            return self
        theirs = {seat: reason for seat, reason in self.reasons.items() if seat in seats}
        return self.model_copy(update={"reasons": theirs})

    def _why(self) -> str:
        return " ".join((self.why, *(self.reasons or {}).values())).strip()

    def sentence(self, ruler: str) -> str:
        return f"Offer {self.offer} became void. {self._why()}".strip()

    def story(self) -> str:
        return f"Offer {self.offer} was no longer possible. {self._why()}".strip()

    def change(self, offer: Offer) -> Offer:
        """Return the offer as over, with what each of the two may know of why."""
        reasons = dict(self.reasons or {})
        if self.why:
            reasons[""] = self.why
        return replace(super().change(offer), reasons=reasons)


class OfferSuperseded(_Between):
    """The offer ended with another, ``by``: a counter was accepted in its place, or the offer to
    all that it answered ``became`` this. ``chooser`` took another answer to that, their wish.
    """

    kind = "offer.superseded"
    v: int = 3  # 2: chooser, 3: became
    reads: ClassVar[Reads] = {("offer.superseded", 1): None, ("offer.superseded", 2): None}
    becomes = "superseded"
    by: int
    chooser: str = ""
    became: OfferStatus | None = None

    def sentence(self, ruler: str) -> str:
        if self.chooser:
            return f"<seat:{self.chooser}> took another answer than offer {self.offer}."
        return f"Offer {self.offer} ended with offer {self.by}."

    def change(self, offer: Offer) -> Offer:
        """Return the offer as over, with the other one and, for its two, why."""
        ended, reasons = super().change(offer), {}
        if self.became is not None:
            reasons[""] = f"It answered offer {self.by}, which {HOW_IT_ENDED[self.became]}."
        for seat in between(offer) if self.chooser else ():
            reasons[seat] = f"<name:{self.chooser}> took another answer."
        return replace(ended, answer=self.by, reasons=reasons)


HOW_IT_ENDED: dict[OfferStatus, str] = {
    "resolved": "was accepted",
    "declined": "was declined",
    "withdrawn": "was withdrawn",
    "expired": "has run out",
    "void": "is no longer possible",
}
"""What became of an offer, in words that follow its number."""


class HandedOver(_Statement):
    """A seat handed over what it gives, sealed until the other has too. That it did is public, what
    is its own.
    """

    kind = "offer.handed"
    revision: int
    goods: Annotated[Goods | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """Return the seat whose goods these are."""
        return frozenset({self.seat})

    def change(self, offer: Offer) -> Offer:
        """Return the offer with these goods handed over."""
        handed = {**offer.handed, self.seat: self.goods or NOTHING}
        return replace(offer, handed=handed, reasons=_without(offer.reasons, self.seat))


class HandOverUndone(_Statement):
    """Something that a seat handed over has left its hand, so it hands over again. Only it knows
    what is ``gone``.

    >>> HandOverUndone(offer=1, seat="red").parties()
    frozenset({'red'})
    """

    kind = "offer.undone"
    gone: Annotated[str | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """Return the seat whose goods these were."""
        return frozenset({self.seat})

    def sentence(self, ruler: str) -> str:
        return (
            f"<seat:{self.seat}> has not handed over for offer {self.offer} yet. {self.gone or ''}"
        ).strip()

    def change(self, offer: Offer) -> Offer:
        """Return the offer without what this seat handed over. Its signature stands."""
        reasons = {**offer.reasons, self.seat: self.gone} if self.gone else offer.reasons
        return replace(offer, handed=_without(offer.handed, self.seat), reasons=reasons)


def _without(values: Mapping[str, V], seat: str) -> dict[str, V]:
    return {each: value for each, value in values.items() if each != seat}


class _Resolved(OfferEntry):
    """Both agreed to an offer, ``first`` and ``second``. ``private`` and ``negotiation`` are as of
    the offer.

    ``said`` are the words of each side, by which it owes or pays, and ``promised`` those of them
    that everybody may read.
    """

    becomes = "resolved"
    revision: int
    first: str
    second: str
    private: bool = False
    negotiation: int | None = None
    promised: dict[str, Goods] = Field(default_factory=dict)
    said: Annotated[dict[str, Goods] | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """Return the two that agreed."""
        return frozenset({self.first, self.second})

    def seats(self) -> frozenset[str]:
        """Return the two that agreed."""
        return frozenset({self.first, self.second})

    def other(self, seat: str) -> str:
        """Return the seat on the other side."""
        return self.second if seat == self.first else self.first

    def apply(self, table: Table) -> Table:
        """Return the table with the offer over, and counted as resolved in its negotiation."""
        table = super().apply(table)
        talks = table.negotiations.get(self.negotiation or 0)
        if talks is None:
            return table
        return table.with_negotiation(replace(talks, resolved=(*talks.resolved, self.offer)))


class Transaction(_Resolved, GoodsMoved):
    """Goods changed hands: what each side ``lost`` is what it gave; what it ``gained`` is what that
    became.

    ``given`` is what each gave as everybody may read it. ``overruled`` are the rules that forbade
    it, at a table that only warns. ``permits`` are the numbers of the permits that it used up.
    ``confirmed``: both had agreed before, and whoever completed it was asked to confirm.
    ``counts``: it is the one transaction of these two in this window, where there is but one.

    >>> def traded(entries: list[Entry]) -> list[frozenset[str]]:
    ...     return [entry.parties() for entry in entries if isinstance(entry, Transaction)]
    >>> traded([])
    []
    """

    kind = "offer.transaction"
    number: int
    window: int
    during: Period
    given: dict[str, Goods] = Field(default_factory=dict)
    overruled: tuple[str, ...] = ()
    permits: tuple[int, ...] = ()
    confirmed: bool = False
    counts: bool = True

    def redacted(self, seats: frozenset[str]) -> Entry:
        """Return the entry whole: each of the two sees what the other gave."""
        return self

    def change(self, offer: Offer) -> Offer:
        """Return the offer as resolved by this."""
        chosen = {} if offer.handed else self._chosen(offer)
        return replace(super().change(offer), transaction=self.number, chosen=chosen)

    def _chosen(self, offer: Offer) -> dict[str, Goods]:
        """Return all that a side gave, where the offer had left open which goods."""
        chosen = {}
        for seat, side in ((self.first, offer.give), (self.second, offer.want)):
            named, gave = without_words(side), NOTHING
            for changes in (self.changes, self.hidden or {}):
                gave += changes.get(seat, Change()).lost
            # what is lost besides makes it more goods than it names
            if gave != named and gave.total() == named.total():
                chosen[seat] = gave + words_of(side)
        return chosen

    def apply(self, table: Table) -> Table:
        """Return the table after the exchange: goods moved, the pair's transaction used, the offer
        over.
        """
        table = super().apply(GoodsMoved.apply(self, table))
        used = {pair(self.first, self.second)} if self.counts else set()
        window = replace(table.window, used=table.window.used | used)
        return replace(table, transactions=self.number, window=window)


class OfferBecameDeal(_Resolved):
    """Both agreed to an offer that moves nothing, since its sides only owe: a deal, and no
    transaction.
    """

    kind = "offer.deal"


def made_by(entry: OfferEntry, seq: int, offer: Offer) -> Offer:
    """Return the offer with the number of this entry, if it is one that made or resolved it."""
    makes = isinstance(entry, OfferPosted | OfferAltered | _Resolved)
    return replace(offer, made=seq) if makes else offer


# ---------------------------------------------------------------- ends of offers that nobody withdr


def between(offer: Offer) -> tuple[str, ...]:
    """Return the seats an offer is between: the two, or its poster while it is open to all."""
    return (offer.seat, offer.to) if offer.to else (offer.seat,)


def voided(offer: Offer, why: str = "") -> OfferVoided:
    """Return the end of this offer for a reason that everybody knows.

    >>> void_offers(table.offers[1]).between
    ('red', 'green')
    """
    return OfferVoided(offer=offer.number, between=between(offer), why=why)


def with_window(table: Table, but: Collection[int] = ()) -> list[Entry]:
    """Return the end of all offers but these, in a game where they live no longer than their
    window.

    >>> with_window(table)
    []
    """
    ends = table.live_offers() if game_of(table).trade.offers_end else ()
    return [voided(offer, TRADING_OVER) for offer in ends if offer.number not in but]


TRADING_OVER = "Trading is over."
