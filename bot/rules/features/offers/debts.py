"""Debts as numbers: a side of an offer may owe goods. That binds nobody, but it is counted until it
is paid.

An offer in which both sides only owe moves nothing: it is a deal, possible at any time. So is one
in which each side only pays a debt: the two are set off. A debt is paid with a trade that says so,
and what a trade paid comes back if it is taken back. A debt moves
with its seats, and ends with either of them. What was agreed in private is for the two alone. Games
with open counted goods may have debts (`Game.debts`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

from bot.rules.access import own_seat, require_host
from bot.rules.commands import Caller, Command
from bot.rules.entries import Entry, Reads, Reference, Sealed, reference
from bot.rules.feature import Feature
from bot.rules.features.deals import require_short
from bot.rules.features.holdings import GoodsMoved
from bot.rules.features.offers.entries import OfferBecameDeal, Transaction
from bot.rules.game import Debts, Trade
from bot.rules.model.debts import OWED, PAYS, Debt, debt_paid, is_private, is_word, without_words
from bot.rules.model.goods import Goods, kind_of
from bot.rules.model.offer import Offer
from bot.rules.model.parts import StatePart, name_of, part, with_part
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table
from bot.rules.model.text import quoted
from bot.rules.model.values import frozen
from bot.rules.model.violation import Refused, Violation
from bot.rules.registry import game_of

SLIP_WINDOWS = 8
"""For how many windows what was forgiven by mistake can be given back: a round of eight turns."""

# ---------------------------------------------------------------- what is owed


@frozen
class OpenDebts(StatePart):
    """The debts of a table, oldest first; until the window is over also those that were paid in it,
    and for some windows those that were forgiven.

    >>> OpenDebts().debts
    ()
    """

    debts: tuple[Debt, ...] = ()

    def vacated(self, seat: str) -> OpenDebts:
        """Return the debts; what was said in private against one, the next player does not
        learn.
        """
        left = []
        for debt in self.debts:
            silenced = debt.private and debt.between(seat)
            left.append(replace(debt, disputed="") if silenced else debt)
        return OpenDebts(tuple(left))

    def window_over(self) -> OpenDebts:
        kept = []
        for debt in map(_older, self.debts):
            if debt.left or debt.slip:
                kept.append(debt)
        left = tuple(kept)
        return self if left == self.debts else OpenDebts(left)


def _older(debt: Debt) -> Debt:
    """Return a debt as another window begins: after some of them a slip stands."""
    age = debt.slip_age + 1
    if not debt.slip:
        return debt
    if age == SLIP_WINDOWS:
        return replace(debt, slip=0, slip_age=0)
    return replace(debt, slip_age=age)


def debts_of(table: Table) -> tuple[Debt, ...]:
    """Return the debts of a table, maybe paid in this window; none where the game has none or is
    not here.
    """
    return part(table, OpenDebts).debts if hasattr(table.state, name_of(OpenDebts)) else ()


def open_debts(table: Table) -> tuple[Debt, ...]:
    """Return what is still owed at a table."""
    return tuple(debt for debt in debts_of(table) if debt.left)


def slips(table: Table, seat: str | None) -> tuple[Debt, ...]:
    """Return the debts of which some was forgiven lately, maybe by mistake: the public ones, and
    private ones that this seat owed.
    """
    forgiven = []
    for debt in debts_of(table):
        if debt.slip and (not debt.private or debt.debtor == seat):
            forgiven.append(debt)
    return tuple(forgiven)


def _open_debt(table: Table, number: int, debtor: str | None) -> Debt | None:
    for debt in open_debts(table):
        if (debt.number, debt.debtor) == (number, debtor):
            return debt
    return None


def after(table: Table, entry: Entry) -> Table:
    """Count what was owed and paid with an entry, and what comes back as a trade is taken back."""
    before = now = debts_of(table)
    number = entry.takes_back()
    if isinstance(entry, Transaction | OfferBecameDeal):
        now = _after_words(table, before, entry)
    elif number:
        now = tuple(_unpaid(debt, number) for debt in before if debt.transaction != number)
    return table if now == before else with_part(table, OpenDebts(now))


def _after_words(
    table: Table, debts: tuple[Debt, ...], entry: Transaction | OfferBecameDeal
) -> tuple[Debt, ...]:
    """Return the debts after what each side said in an offer: what it owes, or pays."""
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
                debts = (*debts, debt)
            else:
                debts = tuple(_paid(debt, word, seat, number, count) for debt in debts)
    return debts


def _unpaid(debt: Debt, transaction: int) -> Debt:
    payments = tuple(payment for payment in debt.paid if payment[0] != transaction)
    return replace(debt, paid=payments)


def _paid(debt: Debt, word: str, seat: str, transaction: int, count: int) -> Debt:
    is_it = (debt.number, debt.debtor) == (debt_paid(word), seat)
    if not is_it or not debt.left:
        return debt
    payment = (transaction, min(count, debt.left))
    return replace(debt, paid=(*debt.paid, payment))


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
    debts = game_of(table).debts
    if debts is None:
        raise Refused("Nothing is owed in this game.", "Promise it in words: terms.")
    give_room, want_room = debts.worth(offer.give), debts.worth(offer.want)
    if _sets_off(offer.give, offer.want):
        of_seat, of_other = (debt_paid(next(iter(side))) for side in (offer.give, offer.want))
        mine = _open_debt(table, of_seat, offer.seat)
        theirs = _open_debt(table, of_other, offer.to)
        if mine is not None and theirs is not None:
            give_room = want_room = min(mine.left, theirs.left)
    give = _written(table, debts, offer.give, offer.seat, offer.to, give_room)
    want = _written(table, debts, offer.want, offer.to, offer.seat, want_room)
    return replace(offer, give=give, want=want)


def _sets_off(give: Goods, want: Goods) -> bool:
    """Return whether each side pays one debt and nothing else, so that one pays for the other."""
    return all(len(side) == 1 and bool(side.of_kind(PAYS)) for side in (give, want))


def _written(
    table: Table, debts: Debts, goods: Goods, giver: str | None, receiver: str | None, room: int
) -> Goods:
    """Return a side with its words as they stand now; ``room`` is how much of a debt it can pay."""
    side = without_words(goods)
    for word, count in goods.items():
        if kind_of(word) == OWED:
            side += Goods({word: count})
        if kind_of(word) != PAYS:
            continue
        number = debt_paid(word)
        debt = _open_debt(table, number, giver)
        # the same answer whether it is between others or not there
        if debt is None or debt.creditor != receiver:
            raise Refused(
                f"No debt {number} is open between you two on that side.",
                "**My goods** shows what is.",
            )
        if not room:
            raise Refused(
                f"Nothing is given for debt {number}.",
                f"Try: {debts.example}, pays debt {number}.",
            )
        count = min(debt.left, room)
        side += Goods({debt.payment: count})
        room -= count
    return side


def violations(table: Table, trade: Trade) -> list[Violation]:
    """Return why a trade can't pay what it says: that is paid or forgiven. Of a private debt, only
    the two read it.
    """
    found = list[Violation]()
    sides = ((trade.first, trade.first_says), (trade.second, trade.second_says))
    set_off = trade.only_says and _sets_off(trade.first_says, trade.second_says)
    for giver, words in sides:
        for word, count in words.of_kind(PAYS).items():
            number = debt_paid(word)
            debt = _open_debt(table, number, giver)
            left = debt.left if debt is not None and debt.creditor == trade.other(giver) else 0
            if left >= (count if set_off else 1):
                continue
            reason = f"Debt {number} is not owed any more."
            if left:
                reason = f"Of debt {number} only {left} is still owed."
            remedy = "Alter the offer, or post a new one."
            violation = Violation("", reason, remedy, short=True, about=giver)
            if is_private(word):
                found += violation.for_each(trade.first, trade.second)
            else:
                found.append(violation)
    return found


# ---------------------------------------------------------------- Forgive, Dispute


Word = Literal["forgave", "disputes", "slipped"]


@frozen
class Statement:
    """A seat's word about its debt with the other seat, for the two alone.

    ``amount`` is how much it forgave, or had forgiven by mistake; 0 for all that was left.
    """

    debt: int
    seat: str
    other: str
    word: Word
    reason: str = ""
    amount: int = 0


class DebtCommand(Command):
    """A command about a debt by its number."""

    debt: int

    def require_debt(self, table: Table, caller: Caller, *, debtor: bool) -> Debt:
        """Return the caller's debt; ``debtor``: the caller owes it. Raises `Refused` for others."""
        seat, who = own_seat(table, caller).id, "owes" if debtor else "is owed"
        for debt in open_debts(table):
            side = debt.debtor if debtor else debt.creditor
            if (debt.number, side) == (self.debt, seat):
                return debt
        raise Refused(
            f"There is no debt {self.debt} for you: only the one who {who} can do that.",
            "**My goods** shows what is owed.",
        )


class ForgiveDebt(DebtCommand):
    """**Forgive** what is still owed to the caller, or this ``amount`` of it.

    ``left`` is how much the caller was shown to be owed; 0 where they were not shown it.
    """

    kind = "debt.forgive"
    amount: int = 0
    left: int = 0

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        debt = self.require_debt(table, caller, debtor=False)
        amount = self.amount or debt.left
        if self.left not in (0, debt.left) or not 0 < amount <= debt.left:
            owes = f"<seat:{debt.debtor}> owes you {debt.left} now."
            raise Refused(owes, "**My goods** shows what is owed.")
        two = (debt.creditor, debt.debtor)
        return [_said(debt, Statement(debt.number, *two, "forgave", amount=amount))]


class UnforgiveDebt(Command):
    """Say that what was forgiven of a debt was a slip, and is owed again. The host says so; of a
    private debt whoever owed it, since nobody else knows of it.
    """

    kind = "debt.unforgive"
    debt: int
    debtor: str
    amount: int

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        seat = table.seat_of(caller.person)
        found: Debt | None = None
        for debt in slips(table, seat.id if seat else None):
            if (debt.number, debt.debtor, debt.slip) == (self.debt, self.debtor, self.amount):
                found = debt
        if found is None or not found.private:
            require_host(table, caller, "give back what was forgiven")
        if found is not None:
            two = (found.creditor, found.debtor)
            said = Statement(found.number, *two, "slipped", amount=found.slip)
            return [_said(found, said)]
        raise Refused(
            f"There is nothing of debt {self.debt} to give back now.",
            "**My goods** shows what is owed.",
        )


class DisputeDebt(DebtCommand):
    """**Dispute** what the caller is said to owe. It stays, with what they say."""

    words = ("reason",)
    reason: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        debt = self.require_debt(table, caller, debtor=True)
        if not self.reason:
            raise Refused("You did not say why.", "Write it in a sentence.")
        require_short(self.reason)
        said = Statement(debt.number, debt.debtor, debt.creditor, "disputes", self.reason)
        return [_said(debt, said)]


def _said(debt: Debt, said: Statement) -> DebtSaid:
    return DebtSaid(secret=said) if debt.private else DebtSaid(said=said)


class DebtSaid(Entry):
    """The creditor forgave some of a debt, the debtor disputes it, or what was forgiven by mistake
    is owed again. Of a private debt all is in ``secret``.
    """

    kind = "debt.said"
    v: int = 2  # 2: amount, slipped
    reads: ClassVar[Reads] = {("debt.said", 1): None}
    announced = False
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
            what = f"{said.amount} of debt" if said.amount else "debt"
            return f"{seat} **forgave** {other} {what} {said.debt}."
        if said.word == "slipped":
            again = f"{other} owes {seat} {said.amount} of debt {said.debt} again."
            by_host = f"{ruler.capitalize()} undid a slip: {again}"
            return by_host if self.said else again
        return f"{seat} disputes debt {said.debt} to {other}: “{quoted(said.reason)}”"

    def apply(self, table: Table) -> Table:
        said, debts = self.statement(), list[Debt]()
        if said is None:
            return table
        about = (said.debt, said.seat)
        for debt in debts_of(table):
            if said.word == "disputes" and (debt.number, debt.debtor) == about:
                debt = replace(debt, disputed=said.reason)
            elif said.word != "disputes" and (debt.number, debt.creditor) == about:
                amount = said.amount or debt.left
                if said.word == "slipped":
                    amount = -amount
                # It is kept for a while: what was paid may be taken back, and a slip undone.
                forgiven, slip = debt.forgiven + amount, debt.slip + amount
                debt = replace(debt, forgiven=forgiven, slip=slip, slip_age=0)
            debts.append(debt)
        return with_part(table, OpenDebts(tuple(debts))) if debts else table


FEATURE = Feature(commands=(ForgiveDebt, UnforgiveDebt, DisputeDebt), entries=(DebtSaid,))
