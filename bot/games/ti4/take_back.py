"""Taking back a transaction that was made by mistake: one party asks, the other agrees, and the
goods move back.

This is a house rule, off by default, because 94.4.1 makes transactions final. Whether a transaction
can be taken back depends only on public facts, because a refusal reveals its reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from bot.api import (
    NOTHING,
    Caller,
    Change,
    Command,
    DealProposed,
    Entry,
    Feature,
    Goods,
    GoodsMoved,
    LabelledAction,
    PromptView,
    Reference,
    Refused,
    SeatTaken,
    SettingOption,
    SettingsChanged,
    StatePart,
    Table,
    TableSettings,
    Transaction,
    button,
    own_seat,
    pair,
    part,
    reference,
    replace,
    with_part,
)
from bot.games.ti4.boxes import NotesReprinted
from bot.games.ti4.components import COMMODITY, describe, trade_goods
from bot.games.ti4.entries import GainedByEffect, ToAnother
from bot.games.ti4.holdings import commodity_value, unlimited
from bot.games.ti4.state import Question, questions, with_question, without_questions

TAKING_BACK = SettingOption(
    "take_back",
    ("off", "on"),
    "on: two players can undo a trade made by mistake, in its turn or agenda. off: trades are "
    "final",
    new="on",
    question="Can a trade made by mistake be taken back?",
    answers=("No, trades are final", "Yes, if both agree"),
)
"""The table setting for taking transactions back."""

CORRECT = "If you all agree that it was a slip, the host can fix it: /holdings set."


def is_on(settings: TableSettings) -> bool:
    """Return whether transactions may be taken back at a table with these settings."""
    return TAKING_BACK.of(settings) == "on"


# ---------------------------------------------------------------- transactions that can be taken ba


@dataclass(frozen=True, slots=True)
class Undoable:
    """A transaction of this window that its parties may take back: its entry, with what Dark Pact
    brought.

    ``seq`` is the number of the entry. ``touched``: goods of a party have moved since. ``words``: a
    deal was agreed with it. Both may prevent it.
    """

    trade: Transaction
    seq: int
    touched: bool = False
    words: bool = False

    def got(self, seat: str) -> Goods:
        """Return the goods that a seat received."""
        both = [
            changes[seat]
            for changes in (self.trade.changes, self.trade.hidden or {})
            if seat in changes
        ]
        return sum((change.gained + change.entered_play for change in both), NOTHING)


@dataclass(frozen=True, slots=True)
class Undoables(StatePart):
    """The transactions of this window. Each is removed when one of its parties trades again.

    One with hidden goods is also removed when somebody else takes a party's seat, who has not seen
    them.
    """

    trades: tuple[Undoable, ...] = ()

    def without(self, seat: str) -> Undoables:
        return Undoables()  # goods have moved at the whole table

    def renamed(self, before: str, now: str) -> Undoables:
        return Undoables()

    def window_over(self) -> Undoables:
        return Undoables()


def recorded(table: Table, entry: Entry) -> Table:
    """Update the transactions that can be taken back after an entry."""
    before = part(table, Undoables)
    match entry:
        case Transaction():
            now = tuple(
                each for each in before.trades if each.trade.seats().isdisjoint(entry.seats())
            )
            if is_on(table.settings):
                now = (*now, Undoable(entry, table.seq + 1))
        case TradeTakenBack(transaction=number):
            now = tuple(each for each in before.trades if each.trade.number != number)
        case DealProposed(offer=int(offer)):
            now = tuple(
                replace(each, words=each.words or each.trade.offer == offer)
                for each in before.trades
            )
        case SeatTaken(seat=seat):
            now = tuple(
                each
                for each in before.trades
                if not each.trade.hidden or seat not in each.trade.seats()
            )
        # tracking of holdings may have been switched on or off
        case SettingsChanged() | NotesReprinted():
            now = ()
        # it goes back with the trade
        case GainedByEffect(since=seq) if any(each.seq == seq for each in before.trades):
            now = tuple(
                _with_effect(each, entry) if each.seq == seq else each for each in before.trades
            )
        case GoodsMoved():
            moved = entry.seats() | entry.parties()
            now = tuple(
                replace(each, touched=each.touched or bool(moved & each.trade.seats()))
                for each in before.trades
            )
        case _:
            return table
    return table if now == before.trades else with_part(table, Undoables(now))


def _with_effect(done: Undoable, entry: GainedByEffect) -> Undoable:
    """Return the transaction with what a party gained by an effect that it set off: Dark Pact."""
    changes = dict(done.trade.changes)
    for seat, change in entry.changes.items():
        changes[seat] = replace(changes[seat], gained=changes[seat].gained + change.gained)
    return replace(done, trade=done.trade.model_copy(update={"changes": changes}))


# ---------------------------------------------------------------- asking and agreeing


def asked_by(table: Table, done: Undoable) -> str | None:
    """Return the seat that asks to take a transaction back; None for none."""
    found = questions(table, "take_back")
    return next((each.seat for each in found if each.which == str(done.trade.number)), None)


@dataclass(frozen=True, slots=True)
class TakeTradeBack(Command):
    """Ask the other party to take a transaction back, or agree to that; not ``agreed``: decline or
    cancel.

    ``offer``: the offer that it resolved, whose card an outdated button then shows; 0 where the
    command is typed.
    """

    kind = "ti4.takeback"
    transaction: int
    agreed: bool = True
    offer: int = 0

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        seat = own_seat(table, caller).id
        done = _found(table, self.transaction, seat)
        trade, other, asked = done.trade, done.trade.other(seat), asked_by(table, done)
        if not self.agreed:
            if asked is None:
                raise Refused(
                    "", "That question is already answered.", "/holdings show lists what you have."
                )
            return [
                TakeBackDenied(transaction=trade.number, offer=trade.offer, seat=seat, other=other)
            ]
        _require_whole(table, done)
        if asked == seat:
            raise Refused(
                "", "You have already asked for that.", f"Now <seat:{other}> must answer."
            )
        if asked != other:
            return [
                TakeBackAsked(transaction=trade.number, offer=trade.offer, seat=seat, other=other)
            ]
        changes, hidden = (
            {
                seat: Change(lost=change.gained, gained=change.lost, left_play=change.entered_play)
                for seat, change in each.items()
            }
            for each in (trade.changes, trade.hidden or {})
        )
        return [
            TradeTakenBack(
                transaction=trade.number,
                offer=trade.offer,
                first=trade.first,
                second=trade.second,
                counted=trade.counts,
                changes=changes,
                hidden=hidden,
            )
        ]


def _found(table: Table, number: int, seat: str) -> Undoable:
    """Return a transaction of this seat. Raises `Refused` if it can't be taken back now."""
    if not is_on(table.settings):
        raise Refused(
            "94.4.1",
            "Trades at this table are final.",
            "The host can let players take back a slip: /table settings take_back:on.",
        )
    done = next(
        (each for each in part(table, Undoables).trades if each.trade.number == number), None
    )
    if done is None:
        known = 1 <= number <= table.transactions
        why = "can't be taken back any more" if known else "is not one of this table's"
        raise Refused(
            "94.4.1" if known else "",
            f"Transaction {number} {why}.",
            "A trade can be taken back only in the turn or agenda in which it was made, and only "
            "until one of "
            "the two trades again. /history names it.",
        )
    if seat not in done.trade.seats():
        raise Refused(
            "",
            f"Transaction {number} was between others.",
            "Only the two who made it can take it back.",
        )
    return done


def _require_whole(table: Table, done: Undoable) -> None:
    """Raise `Refused` if the transaction can't be undone completely, judged by public facts
    only.
    """
    if done.words:
        raise Refused(
            "94.4.1", "It came with agreed terms, and these can't be taken back.", CORRECT
        )
    if done.trade.permits:
        raise Refused("94.4.1", "It used up a card's permission.", CORRECT)
    changes, hidden = done.trade.changes, done.trade.hidden or {}
    lost = sum((change.lost for change in (*changes.values(), *hidden.values())), NOTHING)
    # A unit that went back to its owner, or a purged note, has left the game. Commodities became
    # trade goods.
    became = lost.without_kind(COMMODITY) + trade_goods(lost.count(COMMODITY))
    if sum(map(done.got, done.trade.seats()), NOTHING).missing(became):
        raise Refused("94.4.1", "Something traded in it has left the game.", CORRECT)
    if not table.tracked:
        return
    if done.touched and (hidden or lost.count(COMMODITY)):
        raise Refused("94.4.1", "One of you has gained or lost goods since then.", CORRECT)
    for seat, change in changes.items():
        holder = table.seats[seat]
        missing = holder.holdings.missing(change.gained) + holder.in_play.missing(
            change.entered_play
        )
        if missing:
            raise Refused("94.4.1", f"<seat:{seat}> no longer has {describe(missing)}.", CORRECT)
        held = holder.holdings.count(COMMODITY) + change.lost.count(COMMODITY)
        if (
            held > commodity_value(holder)
            and change.lost.count(COMMODITY)
            and not unlimited(table, seat)
        ):
            raise Refused(
                "94.4.1", f"<seat:{seat}> no longer has room for those commodities.", CORRECT
            )


class OfTransaction(ToAnother):
    """An entry about a transaction, from ``seat`` to ``other``. ``offer`` is the offer that it
    resolved.
    """

    transaction: int
    offer: int

    def subject(self) -> Reference | None:
        return reference("offer", self.offer)

    def question(self, seat: str, other: str) -> Question:
        """Return the question of a seat to another about the transaction."""
        return Question("take_back", seat, other, str(self.transaction))


class TakeBackAsked(OfTransaction):
    """A seat asks to take a transaction back. Nothing moves until the other agrees."""

    kind: Literal["ti4.takeback.asked"] = "ti4.takeback.asked"

    def sentence(self, ruler: str) -> str:
        return (
            f"<seat:{self.seat}> asks <seat:{self.other}> to take back transaction "
            f"{self.transaction}, made by mistake."
        )

    def apply(self, table: Table) -> Table:
        return with_question(table, self.question(self.seat, self.other))


class TakeBackDenied(OfTransaction):
    """A seat declined to take a transaction back, or cancelled its own request."""

    kind: Literal["ti4.takeback.denied"] = "ti4.takeback.denied"

    def sentence(self, ruler: str) -> str:
        return f"<seat:{self.seat}> keeps transaction {self.transaction} as it is."

    def apply(self, table: Table) -> Table:
        return without_questions(
            table, self.question(self.seat, self.other), self.question(self.other, self.seat)
        )


class TradeTakenBack(GoodsMoved):
    """Both parties took a transaction back: each returned what it had received.

    ``counted``: it had used up the transaction of this pair in this window, which they may now have
    again.
    """

    kind: Literal["ti4.takeback.done"] = "ti4.takeback.done"
    transaction: int
    offer: int
    first: str
    second: str
    counted: bool

    def subject(self) -> Reference | None:
        return reference("offer", self.offer)

    def takes_back(self) -> int | None:
        return self.transaction

    def parties(self) -> frozenset[str]:
        return frozenset({self.first, self.second})

    def seats(self) -> frozenset[str]:
        return frozenset({self.first, self.second})

    def redacted(self, seats: frozenset[str]) -> Entry:
        """Return the whole entry: both parties know what the other gave."""
        return self

    def sentence(self, ruler: str) -> str:
        free = " They can trade once more in this turn or agenda." if self.counted else ""
        return (
            f"↩️ **<seat:{self.first}> and <seat:{self.second}> took transaction "
            f"{self.transaction} back.** "
            f"Both have back what they gave.{free}"
        )

    def apply(self, table: Table) -> Table:
        table = super().apply(table)
        used = table.window.used - (
            {pair(self.first, self.second)} if self.counted else frozenset()
        )
        return replace(table, window=replace(table.window, used=used))


# ---------------------------------------------------------------- buttons


def offered(table: Table, entry: Entry, seat: str) -> LabelledAction | None:
    """Return the button under a party's receipt of a transaction; None if it can't be taken
    back.
    """
    if (
        not isinstance(entry, Transaction)
        or not is_on(table.settings)
        or seat not in (entry.first, entry.second)
    ):
        return None
    return button("Take back", table, TakeTradeBack(entry.number, offer=entry.offer))


def prompts(table: Table) -> Iterable[PromptView]:
    """Yield the questions to players who are asked to take a transaction back."""
    for done in part(table, Undoables).trades:
        if (seat := asked_by(table, done)) is None:
            continue
        number, offer, other = done.trade.number, done.trade.offer, done.trade.other(seat)
        back, gets = describe(done.got(other)), describe(done.got(seat))
        yield PromptView(
            table=table.id,
            key=f"ti4-takeback-{number}-{seat}",
            seat=other,
            evident=True,
            secret=bool(done.trade.hidden),
            buttons=(
                button("Take it back", table, TakeTradeBack(number, offer=offer)),
                button("Leave it", table, TakeTradeBack(number, agreed=False, offer=offer)),
            ),
            text=f"<seat:{seat}> asks to take back transaction {number}, made by mistake. You "
            "would "
            f"give back **{back}**, and get back what you gave in place of **{gets}**.",
        )


FEATURE = Feature(
    state=Undoables,
    commands=(TakeTradeBack,),
    entries=(TakeBackAsked, TakeBackDenied, TradeTakenBack),
    options=(TAKING_BACK,),
    hears=(GoodsMoved, DealProposed, SeatTaken, SettingsChanged),
    after=recorded,
    prompts=prompts,
)
