"""Deals: agreements in words between any two players, at any time [D1]. The game says whether deals
can bind.

If they can, a deal binds if all of it can be done at once [D3]. It must be kept [D4], and counts as
kept from the start. A deal that depends on the result of an action card never binds [D5], nor does
one that comes later [D6]. These are promises; players can only mark them as kept or broken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, ClassVar

from bot.rules.access import deal_numbered, own_seat, taken_seat
from bot.rules.agreements import NotBinding
from bot.rules.commands import Caller, Command, button
from bot.rules.entries import Entry, Reads, Reference, Sealed, ToAnother, reference
from bot.rules.feature import Feature
from bot.rules.features.house_rules import rules_named
from bot.rules.limits import require_room_for_deal
from bot.rules.model.actions import LabelledAction
from bot.rules.model.deals import Deal, Mark, Wording, ends
from bot.rules.model.people import Holders, Parties
from bot.rules.model.replacing import facts_of, replace
from bot.rules.model.table import Table
from bot.rules.model.text import quoted, rules_then
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of

TERMS_MAX = 300
"""The longest terms, in characters: what a phone shows without scrolling."""


def require_short(terms: str) -> None:
    """Raise `Refused` if the terms are longer than `TERMS_MAX`."""
    if len(terms) > TERMS_MAX:
        raise Refused(f"Those terms are {len(terms)} characters long.", f"Use at most {TERMS_MAX}.")


def not_binding(table: Table, deal: Deal) -> NotBinding:
    """Return why a deal binds nobody; empty if it binds."""
    if not game_of(table).info.agreements.deals_bind:
        return "never"
    if deal.card:
        return "card"
    return "later" if deal.later else ""


class DealEntry(Entry):
    """An entry about one deal."""

    announced = False
    deal: int
    seat: str

    def subject(self) -> Reference | None:
        return reference("deal", self.deal)

    def change(self, deal: Deal) -> Deal:
        """Return the deal after this entry."""
        return deal


class _DealOfTwo(DealEntry, ToAnother):
    """An entry about a deal, with the seat on the ``other`` side."""

    def parties(self) -> frozenset[str]:
        return frozenset({self.seat, self.other})


# ---------------------------------------------------------------- proposing


class ProposeDeal(Command):
    """Propose an agreement in words to the seat ``to``. ``private``: only the two of them can read
    the channel.

    ``by`` is as in `Deal`.
    """

    words = ("terms",)
    to: str
    terms: str
    later: bool
    card: bool = False
    private: bool = False
    by: str = ""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """D1: any two players may make a deal, neighbours or not, in any phase.

        Deals are always private in games with private offers.
        """
        seat = own_seat(table, caller)
        if self.to == seat.id:
            raise Refused("You can't make a deal with yourself.", "Name another player.")
        if not self.terms:
            raise Refused("A deal needs terms.", "Write in a sentence what you two agree on.")
        require_short(self.terms)
        to = taken_seat(table, self.to).id
        if self.by and not self.later:
            raise Refused(
                "What is done at once has no end to wait for.",
                "Say when:later, or leave out by.",
            )
        if self.by and self.by not in ends(table.window):
            raise Refused(
                f"No {quoted(self.by)} is under way.", "Leave out by, or say when it has begun."
            )
        require_room_for_deal(table, seat.id, to)
        rules = rules_named(table.house_rules, self.terms)
        words = Wording(self.terms, self.later, self.card, self.by, rules)
        private = self.private or game_of(table).trade.private_offers
        return [proposed(table, seat.id, to, words, private=private)]


def proposed(
    table: Table, seat: str, to: str, words: Wording, *, offer: int | None = None, private: bool
) -> DealProposed:
    """Return the entry for the table's next deal. The words of a private deal are sealed."""
    number = table.deals_proposed + 1
    if private:
        return DealProposed(deal=number, seat=seat, to=to, offer=offer, private=True, secret=words)
    return DealProposed(
        deal=number,
        seat=seat,
        to=to,
        offer=offer,
        **facts_of(words, Wording),
    )


class DealProposed(DealEntry):
    """A deal was proposed; see `bot.rules.model.deals.Deal`. With an ``offer``, its terms are
    agreed at once.

    A private deal keeps its words in ``secret``; only its existence is public.

    >>> DealProposed(deal=1, seat="red", to="green", terms="Silk for a year").to
    'green'
    """

    kind = "deal.proposed"
    v: int = 2  # 2: rules
    reads: ClassVar[Reads] = {("deal.proposed", 1): None}
    to: str
    terms: str = ""
    later: bool | None = None
    card: bool | None = None
    offer: int | None = None
    private: bool = False
    by: str = ""
    rules: Mapping[str, str] = {}
    secret: Annotated[Wording | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        return frozenset({self.seat, self.to})

    def seats(self) -> frozenset[str]:
        return frozenset({self.seat, self.to})

    def wording(self) -> Wording | None:
        """Return the words of the deal; None if they are sealed."""
        if self.private:
            return self.secret
        return Wording(self.terms, bool(self.later), bool(self.card), self.by, self.rules)

    def sentence(self, ruler: str) -> str:
        words = self.wording()
        by = f", by the end of the {words.by}" if words and words.by else ""
        text = "in private."
        if words:
            text = f"“{quoted(words.terms)}”{by}{rules_then(words.rules)}"
        if self.offer:
            two = f"<seat:{self.seat}> and <seat:{self.to}>"
            return f"Deal {self.deal}: {two} promised each other, with offer {self.offer}: {text}"
        return f"Deal {self.deal}: <seat:{self.seat}> proposed to <seat:{self.to}>: {text}"

    def proposed(self, holders: Holders) -> Deal:
        """Return the new deal, between the current holders of the seats. With an offer, it is
        agreed at once.
        """
        words = self.wording() or Wording("", later=True)
        return Deal(
            number=self.deal,
            seat=self.seat,
            to=self.to,
            **facts_of(words, Wording),
            offer=self.offer,
            private=self.private,
            status="proposed" if self.offer is None else "agreed",
            parties=Parties.of((self.seat, self.to), holders),
        )

    def apply(self, table: Table) -> Table:
        table = replace(table, deals_proposed=self.deal)
        deal = replace(self.proposed(table.holders()), made=table.seq + 1)
        if deal.status == "proposed":
            return table.with_deal(deal)
        return table if self.private else _tallied(table, deal.binding)


def _tallied(table: Table, binding: bool) -> Table:
    """Return the table with one more agreed deal counted."""
    tally = table.deal_tally
    if binding:
        tally = replace(tally, binding=tally.binding + 1)
    else:
        tally = replace(tally, promises=tally.promises + 1)
    return replace(table, deal_tally=tally)


# ---------------------------------------------------------------- answering


class DealCommand(Command):
    """A command about a deal by its number. The deal may have been answered."""

    deal: int

    def subjects(self) -> tuple[Reference, ...]:
        return (reference("deal", self.deal),)


class AnswerDeal(DealCommand):
    """Agree to a proposed deal, or decline it."""

    kind = "deal.answer"
    agreed: bool

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        deal, seat = deal_numbered(table, self.deal), own_seat(table, caller)
        # others must not learn its status
        if deal.private and not deal.parties.include(caller.person, seat.id):
            raise Refused(f"Deal {deal.number} is between others.", "Only they can answer it.")
        if deal.status == "void":
            raise Refused(
                f"Deal {deal.number} ended when one of the two left.",
                "**Deal…** under **Menu** makes a new one.",
            )
        if deal.status != "proposed":
            raise Refused(f"Deal {deal.number} is already {deal.status}.", "/deal list shows all.")
        party = deal.parties.include(caller.person, seat.id)
        if seat.id != deal.to or not party:
            asked = deal.parties.people[deal.to]
            raise Refused(
                f"Deal {deal.number} waits for <person:{asked}>.", "Only they can answer it."
            )
        if deal.private:
            return [
                DealAnswered(
                    deal=deal.number,
                    seat=seat.id,
                    other=deal.seat,
                    private=True,
                    secret=self.agreed,
                )
            ]
        return [
            DealAnswered(
                deal=deal.number,
                seat=seat.id,
                other=deal.seat,
                agreed=self.agreed,
                binding=not not_binding(table, deal),
            )
        ]


class DealAnswered(_DealOfTwo):
    """The other side agreed to a deal or declined it. ``other`` proposed it.

    A private deal keeps the answer in ``secret``; ``agreed`` and ``binding`` are None.
    """

    kind = "deal.answered"
    agreed: bool | None = None
    binding: bool | None = None
    private: bool = False
    secret: Annotated[bool | None, Sealed("parties")] = None

    def answer(self) -> bool | None:
        """Return whether the deal was agreed to; None if that is sealed."""
        return self.secret if self.private else self.agreed

    def sentence(self, ruler: str) -> str:
        agreed = self.answer()
        if agreed is None:
            return f"<seat:{self.seat}> answered deal {self.deal} in private."
        return f"<seat:{self.seat}> {'agreed to' if agreed else 'declined'} deal {self.deal}."

    def change(self, deal: Deal) -> Deal:
        return replace(deal, status="agreed" if self.answer() else "declined")

    def apply(self, table: Table) -> Table:
        deal, table = table.deals.get(self.deal), table.without_deal(self.deal)
        if deal is not None and deal.by and self.answer():
            ending = {**table.ending, self.deal: self.change(deal)}
            table = replace(table, ending=ending)
        return _tallied(table, bool(self.binding)) if self.agreed else table


def voided(table: Table, seat: str) -> list[DealVoided]:
    """Return the entries that end every proposed deal of this seat, because its person leaves.

    >>> void_deals(table, "red")
    []
    """
    return [
        DealVoided(deal=deal.number, seat=deal.seat, other=deal.to, private=deal.private)
        for deal in table.deals.values()
        if deal.status == "proposed" and deal.party(seat)
    ]


class DealVoided(_DealOfTwo):
    """A proposed deal ended without an answer, because a party left. ``other`` was asked."""

    kind = "deal.voided"
    private: bool = False

    def sentence(self, ruler: str) -> str:
        return f"Deal {self.deal} ended unanswered, because one of the two left."

    def change(self, deal: Deal) -> Deal:
        return replace(deal, status="void")

    def apply(self, table: Table) -> Table:
        return table.without_deal(self.deal)


# ---------------------------------------------------------------- marking as kept or broken


class MarkDeal(DealCommand):
    """Say that the other side kept or broke its part of a deal.

    >>> MarkDeal(1, "kept").mark
    'kept'
    """

    kind = "deal.mark"
    mark: Mark

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Each party may do so once."""
        deal, seat = deal_numbered(table, self.deal), own_seat(table, caller)
        if not deal.parties.include(caller.person, seat.id):
            raise Refused(
                f"Deal {deal.number} is between others.",
                "Only they can say whether it was kept.",
            )
        if deal.status != "agreed":
            raise Refused(
                f"Deal {deal.number} is {deal.status}, not agreed.", "/deal list shows all."
            )
        if self.mark == "broken" and not not_binding(table, deal):
            info = game_of(table).info
            raise Refused(
                info.agreements.unbreakable.format(deal=deal.number),
                "If something else happened, the host can fix what each player has: /holdings set.",
                rule=info.rule_number("kept"),
            )
        if seat.id in deal.marks:
            raise Refused(f"You have already marked deal {deal.number} as {deal.marks[seat.id]}.")
        other = deal.other(seat.id)
        promised_by = deal.parties.people[other]
        if deal.private:
            gone = table.seats[other].person != promised_by
            return [
                DealMarked(
                    deal=deal.number,
                    seat=seat.id,
                    other=other,
                    promised_by=promised_by,
                    private=True,
                    succeeded=gone,
                    secret=self.mark,
                )
            ]
        breaks = self.mark == "broken" and "broken" not in deal.marks.values()
        return [
            DealMarked(
                deal=deal.number,
                seat=seat.id,
                other=other,
                promised_by=promised_by,
                mark=self.mark,
                breaks=breaks,
            )
        ]


class DealMarked(_DealOfTwo):
    """A party said that the other side kept or broke its part of a deal.

    ``promised_by`` is the person whose part it is; they may have left the seat ``other``.
    ``breaks``: this is the first mark that calls a public promise broken, so it is counted. Private
    deals keep the mark in ``secret``. ``succeeded``: somebody else has the seat ``other`` now, who
    may not know of the deal.
    """

    kind = "deal.marked"
    promised_by: int
    mark: Mark | None = None
    breaks: bool = False
    private: bool = False
    succeeded: bool = False
    secret: Annotated[Mark | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """Return the seats that may know of the deal: not ``other`` if somebody else has that seat
        now.
        """
        return frozenset({self.seat} if self.succeeded else {self.seat, self.other})

    def said(self) -> Mark | None:
        """Return the mark; None if it is sealed."""
        return self.secret if self.private else self.mark

    def sentence(self, ruler: str) -> str:
        deal, mark = f"deal {self.deal}", self.said()
        if mark is None:
            return (
                f"<seat:{self.seat}> said in private what became of {deal} with "
                f"<person:{self.promised_by}>."
            )
        did = "kept" if mark == "kept" else "broke"
        return f"<seat:{self.seat}> said that <person:{self.promised_by}> **{did}** {deal}."

    def change(self, deal: Deal) -> Deal:
        said = self.said()
        return replace(deal, marks={**deal.marks, self.seat: said}) if said else deal

    def apply(self, table: Table) -> Table:
        ending = dict(table.ending)
        deal = ending.pop(self.deal, None)
        if deal is not None:
            marked = self.change(deal)
            if len(marked.marks) < 2:
                ending[self.deal] = marked
            table = replace(table, ending=ending)
        if self.breaks:
            tally = replace(table.deal_tally, broken=table.deal_tally.broken + 1)
            table = replace(table, deal_tally=tally)
        return table


# ---------------------------------------------------------------- buttons


def deal_buttons(table: Table, deal: Deal, seat: str | None) -> tuple[LabelledAction, ...]:
    """Return the buttons of a deal for the party in this seat; None: for a public card, those of
    either party.
    """
    if not table.running:
        return ()
    if deal.status == "proposed" and seat in (None, deal.to):
        return deal_answers(table, deal)
    if deal.status != "agreed":
        return ()
    if seat is None:
        marked = len(deal.marks) == len(deal.parties.people)
    else:
        marked = seat in deal.marks
    return () if marked else marks(table, deal)


def deal_answers(table: Table, deal: Deal) -> tuple[LabelledAction, ...]:
    """Return the two answers to a proposed deal. "Accept" is for binding deals, "Agree" for
    others.
    """
    label = "Agree" if not_binding(table, deal) else "Accept"
    agree = button(label, table, AnswerDeal(deal.number, agreed=True))
    decline = button("Decline", table, AnswerDeal(deal.number, agreed=False))
    return agree, decline


def marks(table: Table, deal: Deal) -> tuple[LabelledAction, ...]:
    """Return the buttons that mark the other side's part. A binding deal can't be called broken
    [D4].
    """
    broken = button("They broke it", table, MarkDeal(deal.number, "broken"))
    kept = button("They kept it", table, MarkDeal(deal.number, "kept"))
    return (kept, broken) if not_binding(table, deal) else (kept,)


FEATURE = Feature(
    commands=(ProposeDeal, AnswerDeal, MarkDeal),
    entries=(DealProposed, DealAnswered, DealVoided, DealMarked),
)
