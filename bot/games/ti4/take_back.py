"""Taking back a transaction that was made by mistake: one party asks, the other agrees.

This is a house rule, off by default, because 94.4.1 makes transactions final. Whether a transaction
can be taken back depends only on public facts, because a refusal reveals its reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from bot.api import (
    NOTHING,
    Apply,
    Caller,
    Change,
    Command,
    DealProposed,
    Entry,
    Feature,
    FollowUpView,
    Goods,
    GoodsMoved,
    LabelledAction,
    PromptView,
    Reads,
    Reference,
    Refused,
    SeatLeft,
    SeatTaken,
    SettingOption,
    SettingsChanged,
    StatePart,
    Table,
    TableSettings,
    ToAnother,
    Transaction,
    button,
    frozen,
    own_seat,
    pair,
    part,
    reference,
    replace,
    with_part,
)
from bot.games.ti4.agendas import BEGIN_WINDOWS
from bot.games.ti4.boxes import NotesReprinted
from bot.games.ti4.components import COMMODITY, describe, trade_goods
from bot.games.ti4.entries import GainedByEffect
from bot.games.ti4.holdings import commodity_value, unlimited
from bot.games.ti4.state import InForce, Question, questions, with_question, without_questions

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


# ---------------------------------------------------------------- what can be taken back


@frozen
class Undoable:
    """A transaction of this window that its parties may take back, with what Dark Pact brought.

    ``seq`` is the number of the entry. ``touched``: goods of a party have moved since. ``words``: a
    deal was agreed with it. Both may prevent it. ``later`` are the transactions that a party has
    made since; they are taken back first.
    """

    trade: Transaction
    seq: int
    touched: bool = False
    words: bool = False
    later: frozenset[int] = frozenset()

    def got(self, seat: str) -> Goods:
        """Return the goods that a seat received."""
        got = NOTHING
        for changes in (self.trade.changes, self.trade.hidden or {}):
            change = changes.get(seat, Change())
            got += change.gained + change.entered_play
        return got

    def gave(self, seat: str) -> Goods:
        """Return the goods that a seat gave."""
        gave = NOTHING
        for changes in (self.trade.changes, self.trade.hidden or {}):
            change = changes.get(seat, Change())
            gave += change.lost + change.left_play
        return gave


@frozen
class Undoables(StatePart):
    """The transactions of this window, oldest first.

    One with hidden goods is removed when somebody else takes a party's seat, who has not seen
    them.
    """

    trades: tuple[Undoable, ...] = ()

    def after(self, entry: Entry) -> Undoables:
        """Return the part after an entry, without what can't be taken back any more."""
        kept = []
        for before in self.trades:
            if (now := _after(before, entry)) is not None:
                kept.append(now)
        trades = tuple(kept)
        return self if trades == self.trades else Undoables(trades)

    def without(self, seat: str) -> Undoables:
        return Undoables()  # goods have moved at the whole table

    def renamed(self, before: str, now: str) -> Undoables:
        return Undoables()

    def window_over(self) -> Undoables:
        return Undoables()


def recorded(table: Table, entry: Entry) -> Table:
    """Update the transactions that can be taken back after an entry."""
    before = part(table, Undoables)
    now = before.after(entry)
    if isinstance(entry, Transaction) and is_on(table.settings):
        now = Undoables((*now.trades, Undoable(entry, table.seq + 1)))
    return table if now == before else with_part(table, now)


def _after(done: Undoable, entry: Entry) -> Undoable | None:
    """Return a transaction after an entry, None if it can't be taken back any more."""
    trade, seats = done.trade, done.trade.seats()
    match entry:
        case Transaction(number=number):
            again = not seats.isdisjoint(entry.seats())
            return replace(done, later=done.later | {number}) if again else done
        case TradeTakenBack(transaction=number):
            return replace(done, later=done.later - {number}) if trade.number != number else None
        case DealProposed(offer=int(offer)) if offer == trade.offer:
            return replace(done, words=True)
        case SeatTaken(seat=seat):
            return None if trade.hidden and seat in seats else done
        # tracking of holdings may have been switched on or off
        case SettingsChanged() | NotesReprinted():
            return None
        # it goes back with the trade: Dark Pact
        case GainedByEffect(since=since) if since == done.seq:
            return _with_effect(done, entry)
        case GoodsMoved() if not seats.isdisjoint(entry.seats() | entry.parties()):
            return replace(done, touched=True)
    return done


def _with_effect(done: Undoable, entry: GainedByEffect) -> Undoable:
    """Return the transaction with what a party gained by an effect that it set off."""
    changes = dict(done.trade.changes)
    for seat, change in entry.changes.items():
        gained = changes[seat].gained + change.gained
        changes[seat] = replace(changes[seat], gained=gained)
    return replace(done, trade=done.trade.model_copy(update={"changes": changes}))


# ---------------------------------------------------------------- asking and agreeing


def asked_by(table: Table, done: Undoable) -> str | None:
    """Return the seat that asks to take a transaction back; None for none."""
    for question in questions(table, "take_back"):
        if question.which == str(done.trade.number):
            return question.seat
    return None


class TakeTradeBack(Command):
    """Ask the other party to take a transaction back, or agree; not ``agreed``: decline or cancel.

    ``offer``: the offer that it resolved, whose card an outdated button then shows; 0 where the
    command is typed.
    """

    kind = "ti4.takeback"
    transaction: int
    agreed: bool = True
    offer: int = 0

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        seat = own_seat(table, caller).id
        done = _undoable(table, self.transaction, seat)
        trade, asker = done.trade, asked_by(table, done)
        number, offer, other = trade.number, trade.offer, trade.other(seat)
        if not self.agreed:
            if asker is None:
                answered = "That question is already answered."
                raise Refused(answered, "**My goods** lists what you have.")
            return [TakeBackDenied(transaction=number, offer=offer, seat=seat, other=other)]
        _require_whole(table, done)
        if asker == seat:
            waits = f"Now <seat:{other}> must answer."
            raise Refused("You have already asked for that.", waits)
        if asker != other:
            return [TakeBackAsked(transaction=number, offer=offer, seat=seat, other=other)]
        return [
            TradeTakenBack(
                transaction=number,
                offer=offer,
                first=trade.first,
                second=trade.second,
                counted=trade.counts,
                permits=trade.permits,
                changes=_reversed(trade.changes),
                hidden=_reversed(trade.hidden or {}),
            )
        ]


def _reversed(changes: Mapping[str, Change]) -> dict[str, Change]:
    """Return the changes that undo these."""
    back = {}
    for seat, change in changes.items():
        lost, gained, left_play = change.gained, change.lost, change.entered_play
        back[seat] = Change(lost=lost, gained=gained, left_play=left_play)
    return back


def _undoable(table: Table, number: int, seat: str) -> Undoable:
    """Return a transaction of this seat. Raises `Refused` if it can't be taken back now."""
    if not is_on(table.settings):
        raise Refused(
            "Trades at this table are final.",
            "The host can let players take back a slip: **Settings** under **Menu**, **Host…**.",
            rule="94.4.1",
        )
    for done in part(table, Undoables).trades:
        if done.trade.number != number:
            continue
        if seat not in done.trade.seats():
            others = f"Transaction {number} was between others."
            raise Refused(others, "Only the two who made it can take it back.")
        if done.later:
            since = "One of you has traded since."
            raise Refused(
                since, f"Transaction {max(done.later)} must come back first.", rule="94.4.1"
            )
        return done
    known = 1 <= number <= table.transactions
    why = "can't be taken back any more" if known else "is not one of this table's"
    raise Refused(
        f"Transaction {number} {why}.",
        "That works only in the turn or agenda in which it was made: see **History** under "
        "**Menu**.",
        rule="94.4.1" if known else "",
    )


def _require_whole(table: Table, done: Undoable) -> None:
    """Raise `Refused` if public facts say that a transaction can't be undone completely."""
    if done.words:
        terms = "It came with agreed terms, and these can't be taken back."
        raise Refused(terms, CORRECT, rule="94.4.1")
    changes, hidden = done.trade.changes, done.trade.hidden or {}
    lost, got = NOTHING, NOTHING
    for change in (*changes.values(), *hidden.values()):
        lost += change.lost
    for seat in done.trade.seats():
        got += done.got(seat)
    # A unit that went back to its owner, or a purged note, has left the game. Commodities became
    # trade goods.
    if got.missing(lost.without_kind(COMMODITY) + trade_goods(lost.count(COMMODITY))):
        raise Refused("Something traded in it has left the game.", CORRECT, rule="94.4.1")
    if not table.tracked:
        return
    if done.touched and (hidden or lost.count(COMMODITY)):
        raise Refused("One of you has gained or lost goods since then.", CORRECT, rule="94.4.1")
    for seat, change in changes.items():
        holder = table.seats[seat]
        missing = holder.holdings.missing(change.gained)
        missing += holder.in_play.missing(change.entered_play)
        if missing:
            raise Refused(
                f"<seat:{seat}> no longer has {describe(missing)}.", CORRECT, rule="94.4.1"
            )
        returns = change.lost.count(COMMODITY)
        beyond = holder.holdings.count(COMMODITY) + returns > commodity_value(holder)
        if returns and beyond and not unlimited(table, seat):
            no_room = f"<seat:{seat}> no longer has room for those commodities."
            raise Refused(no_room, CORRECT, rule="94.4.1")


class OfTransaction(ToAnother):
    """An entry about a transaction, from ``seat`` to ``other``, which resolved ``offer``."""

    transaction: int
    offer: int

    def subject(self) -> Reference | None:
        return reference("offer", self.offer)

    def question(self, seat: str, other: str) -> Question:
        """Return the question of a seat to another about the transaction."""
        return Question("take_back", seat, other, str(self.transaction))


class TakeBackAsked(OfTransaction):
    """A seat asks to take a transaction back. Nothing moves until the other agrees."""

    kind = "ti4.takeback.asked"

    def sentence(self, ruler: str) -> str:
        return (
            f"<seat:{self.seat}> asks <seat:{self.other}> to take back transaction "
            f"{self.transaction}, made by mistake."
        )

    def apply(self, table: Table) -> Table:
        return with_question(table, self.question(self.seat, self.other))


class TakeBackDenied(OfTransaction):
    """A seat declined to take a transaction back, or cancelled its own request."""

    kind = "ti4.takeback.denied"

    def sentence(self, ruler: str) -> str:
        return f"<seat:{self.seat}> keeps transaction {self.transaction} as it is."

    def apply(self, table: Table) -> Table:
        asked = self.question(self.seat, self.other)
        answered = self.question(self.other, self.seat)
        return without_questions(table, asked, answered)


class TakeBackLapsed(OfTransaction):
    """The question of ``seat`` was over before ``other`` answered."""

    announced = False
    kind = "ti4.takeback.lapsed"

    def by_itself(self) -> bool:
        return True

    def sentence(self, ruler: str) -> str:
        asked = f"<seat:{self.seat}> asked to take back transaction {self.transaction}"
        return f"{asked}, and that is over without an answer. The trade stands."

    def apply(self, table: Table) -> Table:
        return without_questions(table, self.question(self.seat, self.other))


def brings(
    table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply
) -> tuple[Entry, ...]:
    """Return the entries of a command, and at last the questions that end with it unanswered: the
    trade can't be taken back any more, or had something hidden and one of the two has left.
    """
    lapsed = _asked(table)
    if not lapsed:
        return entries
    left = set[str]()
    for entry in entries:
        table = apply(table, entry)
        match entry:
            case SeatLeft(seat=seat):
                left.add(seat)
            case TakeBackDenied(transaction=number) | TradeTakenBack(transaction=number):
                lapsed.pop(number, None)
    for number, (_, trade) in _asked(table).items():
        if not trade.hidden or left.isdisjoint(trade.seats()):
            lapsed.pop(number, None)
    ends = [
        TakeBackLapsed(transaction=number, offer=trade.offer, seat=asker, other=trade.other(asker))
        for number, (asker, trade) in lapsed.items()
    ]
    return (*entries, *ends)


def _asked(table: Table) -> dict[int, tuple[str, Transaction]]:
    """Return who asks to take which transaction back, by its number."""
    asked = {}
    for done in part(table, Undoables).trades:
        if (seat := asked_by(table, done)) is not None:
            asked[done.trade.number] = (seat, done.trade)
    return asked


def unanswered(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell who asked to take a transaction back that nobody answers any more, or that the other has
    left.
    """
    if isinstance(entry, TakeBackLapsed):
        question = f"Your question whether to take back transaction {entry.transaction}"
        why = f"<seat:{entry.other}> didn't answer in time"
        if table.seats[entry.other].person is None:
            why = f"the player of <faction:{entry.other}> has left"
        text = f"{question} is over: {why}. The trade stands."
        yield FollowUpView(seat=entry.seat, evident=True, text=text)
    if not isinstance(entry, SeatLeft):
        return
    for number, (asker, trade) in _asked(table).items():
        if entry.seat == trade.other(asker):
            left = f"The player of <faction:{entry.seat}> has left without an answer"
            next_one = "Whoever takes the seat before this turn or agenda ends can answer it."
            question = f"your question whether to take back transaction {number}"
            text = f"{left} to {question}. {next_one}"
            yield FollowUpView(seat=asker, evident=True, text=text)


class TradeTakenBack(GoodsMoved):
    """Both parties took a transaction back: each returned what it had received.

    ``counted``: it had used up this pair's transaction in this window, which they have again.
    ``permits``: it had used up these, which are in force again.
    """

    kind = "ti4.takeback.done"
    v: int = 2  # 2: permits
    reads: ClassVar[Reads] = {("ti4.takeback.done", 1): None}
    transaction: int
    offer: int
    first: str
    second: str
    counted: bool
    permits: tuple[int, ...] = ()

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
        free = " The two can trade once more in this turn or agenda." if self.counted else ""
        if self.permits:
            free += " The permit that it used is in force again."
        return (
            f"↩️ **<seat:{self.first}> and <seat:{self.second}> took transaction "
            f"{self.transaction} back.** "
            f"Both have back what they gave.{free}"
        )

    def apply(self, table: Table) -> Table:
        table = super().apply(table)
        if self.permits:
            table = with_part(table, part(table, InForce).with_unused(self.permits))
        if not self.counted:
            return table
        used = table.window.used - {pair(self.first, self.second)}
        return replace(table, window=replace(table.window, used=used))


# ---------------------------------------------------------------- buttons


def offered(table: Table, entry: Entry, seat: str) -> LabelledAction | None:
    """Return the button under a party's receipt of a transaction; None where it would be refused
    at once, as for a trade that came with agreed terms.
    """
    if not isinstance(entry, Transaction):
        return None
    try:
        _require_whole(table, _undoable(table, entry.number, seat))
    except Refused:
        return None
    return button("Take back", table, TakeTradeBack(entry.number, offer=entry.offer))


def prompts(table: Table) -> Iterable[PromptView]:
    """Yield the questions to players who are asked to take a transaction back."""
    for done in part(table, Undoables).trades:
        if done.later or (seat := asked_by(table, done)) is None:
            continue
        number, offer = done.trade.number, done.trade.offer
        other = done.trade.other(seat)
        back, gets = describe(done.got(other)), describe(done.gave(other))
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
            f"would give back **{back}**, and get back **{gets}**.",
        )


FEATURE = Feature(
    state=Undoables,
    commands=(TakeTradeBack,),
    entries=(TakeBackAsked, TakeBackDenied, TakeBackLapsed, TradeTakenBack),
    options=(TAKING_BACK,),
    hears=(
        GoodsMoved,
        DealProposed,
        SeatLeft,
        SeatTaken,
        SettingsChanged,
        TakeBackLapsed,
        *BEGIN_WINDOWS,
    ),
    after=recorded,
    brings=brings,
    prompts=prompts,
    follow_ups=unanswered,
)
