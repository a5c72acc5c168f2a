"""Debts as numbers: a side of an offer may owe goods. That binds nobody, but it is counted until it
is paid.

An offer in which both sides only owe moves nothing: it is a deal, possible at any time. A debt is
paid with a trade that says so, and what a trade paid comes back if it is taken back. A debt moves
with its seats, and ends with either of them. What was agreed in private is for the two alone. Games
with open counted goods may have debts (`Game.debts`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from bot.rules.access import own_seat
from bot.rules.commands import Caller, Command
from bot.rules.entries import Entry, Reference, Sealed, reference
from bot.rules.feature import Feature
from bot.rules.features.deals import require_short
from bot.rules.features.holdings import GoodsMoved
from bot.rules.features.offers.entries import OfferBecameDeal, Transaction
from bot.rules.game import Trade
from bot.rules.model.debts import OWED, PAYS, Debt, debt_paid, is_private, is_word, without_words
from bot.rules.model.goods import Goods, kind_of
from bot.rules.model.offer import Offer
from bot.rules.model.parts import StatePart, name_of, part, with_part
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table
from bot.rules.model.text import quoted
from bot.rules.model.violation import Refused, Violation
from bot.rules.registry import game_of

# ---------------------------------------------------------------- what is owed


@dataclass(frozen=True, slots=True)
class OpenDebts(StatePart):
    """The debts of a table, oldest first; until the window is over also those that were paid in
    it.
    """

    debts: tuple[Debt, ...] = ()

    def vacated(self, seat: str) -> OpenDebts:
        """Return the debts; what was said in private against one, the next player does not
        learn.
        """
        return OpenDebts(
            tuple(
                replace(each, disputed="") if each.private and each.between(seat) else each
                for each in self.debts
            )
        )

    def window_over(self) -> OpenDebts:
        left = tuple(each for each in self.debts if each.left)
        return self if left == self.debts else OpenDebts(left)


def debts_of(table: Table) -> tuple[Debt, ...]:
    """Return the debts of a table, maybe paid in this window; none where the game has none or is
    not here.
    """
    return part(table, OpenDebts).debts if hasattr(table.state, name_of(OpenDebts)) else ()


def open_debts(table: Table) -> tuple[Debt, ...]:
    """Return what is still owed at a table."""
    return tuple(each for each in debts_of(table) if each.left)


def after(table: Table, entry: Entry) -> Table:
    """Count what was owed and paid with an entry, and what comes back as a trade is taken back."""
    now = debts_of(table)
    if isinstance(entry, Transaction | OfferBecameDeal):
        number = entry.number if isinstance(entry, Transaction) else 0
        for seat, words in sorted((entry.said or {}).items()):
            for word, count in words.items():
                if kind_of(word) == OWED:
                    debt = Debt(
                        entry.offer,
                        seat,
                        entry.other(seat),
                        count,
                        entry.private,
                        number,
                        table.window.number,
                    )
                    now = (*now, debt)
                else:
                    now = tuple(_paid(each, word, seat, number, count) for each in now)
    elif (number := entry.takes_back() or 0) and now:
        back = (
            replace(each, paid=tuple(one for one in each.paid if one[0] != number)) for each in now
        )
        now = tuple(each for each in back if each.transaction != number)
    return table if now == debts_of(table) else with_part(table, OpenDebts(now))


def _paid(debt: Debt, word: str, seat: str, transaction: int, count: int) -> Debt:
    if (debt.number, debt.debtor) != (debt_paid(word), seat) or not debt.left:
        return debt
    return replace(debt, paid=(*debt.paid, (transaction, min(count, debt.left))))


COUNTED_DEBTS = Feature(state=OpenDebts, hears=(GoodsMoved, OfferBecameDeal), after=after)
"""The part of a game with `Debts` that counts them. Such a game lists it among its features.

>>> Features((COUNTED_DEBTS,)).state().opendebts.debts
()
"""

# ---------------------------------------------------------------- in an offer


def written(table: Table, offer: Offer) -> Offer:
    """Return an offer whose words pay the debts as they are now. Raises `Refused` for a debt of
    other seats.
    """
    if not any(map(is_word, (*offer.give, *offer.want))):
        return offer
    give = _written(table, offer.seat, offer.to, offer.give)
    return replace(offer, give=give, want=_written(table, offer.to, offer.seat, offer.want))


def _written(table: Table, giver: str | None, receiver: str | None, goods: Goods) -> Goods:
    debts = game_of(table).debts
    if debts is None:
        raise Refused("", "Nothing is owed in this game.", "Promise it in words: terms.")
    side = without_words(goods)
    room = debts.worth(side)
    for word, count in goods.items():
        if kind_of(word) == OWED:
            side += Goods({word: count})
        if kind_of(word) != PAYS:
            continue
        number = debt_paid(word)
        debt = next(
            (each for each in open_debts(table) if (each.number, each.debtor) == (number, giver)),
            None,
        )
        # the same answer whether it is between others or not there
        if debt is None or debt.creditor != receiver:
            raise Refused(
                "",
                f"No debt {number} is open between you two on that side.",
                "/debt list shows what is.",
            )
        if not room:
            raise Refused(
                "",
                f"Nothing is given for debt {number}.",
                f"Try: {debts.example}, pays debt {number}.",
            )
        side += Goods({debt.payment: min(debt.left, room)})
        room -= min(debt.left, room)
    return side


def violations(table: Table, trade: Trade) -> list[Violation]:
    """Return why a trade can't pay what it says: that is paid or forgiven. Of a private debt, only
    the two read it.
    """
    found = []
    for giver, words in ((trade.first, trade.first_says), (trade.second, trade.second_says)):
        for word in words.of_kind(PAYS):
            number, two = (
                debt_paid(word),
                (trade.first, trade.second) if is_private(word) else ("",),
            )
            owed = (number, giver, trade.other(giver))
            if owed not in [
                (each.number, each.debtor, each.creditor) for each in open_debts(table)
            ]:
                reason, remedy = (
                    f"Debt {number} is not owed any more.",
                    "Alter the offer, or post a new one.",
                )
                found += [Violation("", reason, remedy, short=True, known_to=each) for each in two]
    return found


# ---------------------------------------------------------------- Forgive, Dispute


Word = Literal["forgave", "disputes"]


@dataclass(frozen=True, slots=True)
class Statement:
    """A seat's word about its debt with the other seat, for the two alone."""

    debt: int
    seat: str
    other: str
    word: Word
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DebtCommand(Command):
    """A command about a debt by its number."""

    debt: int

    def found(self, table: Table, caller: Caller, *, debtor: bool) -> Debt:
        """Return the caller's debt; ``debtor``: the caller owes it. Raises `Refused` for others."""
        seat, who = own_seat(table, caller).id, "owes" if debtor else "is owed"
        for each in open_debts(table):
            if each.number == self.debt and seat == (each.debtor if debtor else each.creditor):
                return each
        raise Refused(
            "",
            f"There is no debt {self.debt} for you: only the one who {who} can do that.",
            "/debt list shows what is owed.",
        )


@dataclass(frozen=True, slots=True)
class ForgiveDebt(DebtCommand):
    """**Forgive** what is still owed to the caller."""

    kind = "debt.forgive"

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        debt = self.found(table, caller, debtor=False)
        return [_said(debt, Statement(debt.number, debt.creditor, debt.debtor, "forgave"))]


@dataclass(frozen=True, slots=True)
class DisputeDebt(DebtCommand):
    """**Dispute** what the caller is said to owe. It stays, with what they say."""

    reason: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        debt = self.found(table, caller, debtor=True)
        if not self.reason:
            raise Refused("", "You did not say why.", "Write it in a sentence.")
        require_short(self.reason)
        return [
            _said(debt, Statement(debt.number, debt.debtor, debt.creditor, "disputes", self.reason))
        ]


def _said(debt: Debt, said: Statement) -> DebtSaid:
    return DebtSaid(secret=said) if debt.private else DebtSaid(said=said)


class DebtSaid(Entry):
    """The creditor forgave a debt, or the debtor disputes it. Of a private debt all is in
    ``secret``.
    """

    kind: Literal["debt.said"] = "debt.said"
    announced: ClassVar[bool] = False
    said: Statement | None = None
    secret: Annotated[Statement | None, Sealed("parties")] = None

    def statement(self) -> Statement | None:
        """Return what was said; None if it is sealed."""
        return self.said or self.secret

    def subject(self) -> Reference | None:
        return reference("offer", self.said.debt) if self.said else None

    def parties(self) -> frozenset[str]:
        return frozenset({self.secret.seat, self.secret.other} if self.secret else ())

    def seats(self) -> frozenset[str]:
        return frozenset({self.said.seat, self.said.other} if self.said else ())

    def is_news(self) -> bool:
        return self.said is not None

    def sentence(self, ruler: str) -> str:
        said = self.statement()
        if said is None:
            return "Something was said in private."
        seat, other = f"<seat:{said.seat}>", f"<seat:{said.other}>"
        if said.word == "forgave":
            return f"{seat} **forgave** {other} debt {said.debt}."
        return f"{seat} **disputes** debt {said.debt} to {other}: “{quoted(said.reason)}”"

    def apply(self, table: Table) -> Table:
        said, every = self.statement(), debts_of(table)
        if said is None or not every:
            return table
        if said.word == "forgave":
            # What was paid is kept until the window is over: if that is taken back, it is owed
            # again.
            forgiven = (said.debt, said.seat)
            left = (
                replace(each, owed=each.owed - each.left)
                if (each.number, each.creditor) == forgiven
                else each
                for each in every
            )
            return with_part(table, OpenDebts(tuple(each for each in left if each.owed)))
        mine = (said.debt, said.seat)
        found = (
            replace(each, disputed=said.reason) if (each.number, each.debtor) == mine else each
            for each in every
        )
        return with_part(table, OpenDebts(tuple(found)))


FEATURE = Feature(commands=(ForgiveDebt, DisputeDebt), entries=(DebtSaid,))
