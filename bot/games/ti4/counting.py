"""Goods counted by hand: the buttons of a player's own goods add and take away trade goods and
commodities.

Each press is an entry. The channel reads no line about it. Presses soon after each other are a
*row*: the board and the history tell a row as one, and for Pillage it is one gain. A commodity
can't be spent [21.7], so its player says why there is one less.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from bot.api import (
    COUNT_MAX,
    MINUTE,
    Caller,
    Change,
    Command,
    Corrected,
    Entry,
    Feature,
    Gained,
    Goods,
    GoodsOfSeat,
    Refused,
    SeatId,
    Spent,
    StatePart,
    Table,
    Transaction,
    Undecided,
    button,
    frozen,
    own_seat,
    part,
    replace,
    require_tracked,
    with_part,
)
from bot.games.ti4.commodities import MayReplenish
from bot.games.ti4.components import COMMODITY, TRADE_GOOD, commodities, describe, trade_goods
from bot.games.ti4.holdings import gained

Why = Literal["", "turned", "lost", "slip"]
Reason = Literal[Why, "replenished"]

WHY: dict[Why, tuple[str, str]] = {
    "turned": ("Turned over", "turned over"),
    "lost": ("Lost by an effect", "lost by an effect"),
    "slip": ("A slip", "a slip"),
}
"""Why there are fewer commodities: as a button and in a sentence."""

ROW = 2 * MINUTE
"""How long after a press the next one still belongs to its row, in milliseconds."""

PILLAGE_FROM = 3
"""Pillage needs a neighbour with at least this many trade goods."""

Gain = Literal["", "same", "another"]
"""Whether a press belongs to the gain of its row, where its player was asked."""

GAINS: dict[Gain, str] = {"same": "The same gain", "another": "Another gain"}
"""The answers as buttons."""

# ---------------------------------------------------------------- state


@frozen
class Row:
    """Presses of a seat in a row: the first's entry, the last's time, and their change together.

    ``pillaged``: Mentak has taken a good because of one of them.
    """

    seat: SeatId
    first: int
    at: int
    change: Change
    why: tuple[Reason, ...] = ()
    pillaged: bool = False


@frozen
class Counting(StatePart):
    """The last row of each seat in this window. ``told``: their goods changed, but by no trade."""

    rows: tuple[Row, ...] = ()
    told: frozenset[SeatId] = frozenset()

    def vacated(self, seat: str) -> Counting:
        return self.without_rows({seat})

    def window_over(self) -> Counting:
        return Counting() if self.rows or self.told else self

    def without_rows(self, seats: Iterable[str]) -> Counting:
        """Return the part without the rows of these seats."""
        left = tuple(each for each in self.rows if each.seat not in seats)
        return self if len(left) == len(self.rows) else replace(self, rows=left)

    def row(self, seat: str) -> Row | None:
        """Return the last row of a seat."""
        return next((each for each in self.rows if each.seat == seat), None)


def pillaged(table: Table, seat: str, since: int | None) -> Table:
    """Return the table after Mentak took a good of this seat, because of the entry ``since``."""
    now = part(table, Counting)
    row = now.row(seat)
    if row is None or since is None or since < row.first:
        return table
    rows = (*now.without_rows({seat}).rows, replace(row, pillaged=True))
    return with_part(table, replace(now, rows=rows))


def after(table: Table, entry: Entry) -> Table:
    """End a seat's row when its goods change in another way but Pillage, which may answer it."""
    now = part(table, Counting)
    if isinstance(entry, GoodsOfSeat) and entry.seat not in now.told:
        change = entry.changes.get(entry.seat, Change())
        if (change.lost + change.gained).of_kind(TRADE_GOOD, COMMODITY):
            table = with_part(table, replace(now, told=now.told | {entry.seat}))
    match entry:
        case Transaction(first=first, second=second):
            return with_part(table, part(table, Counting).without_rows({first, second}))
        case Gained(seat=seat) | Spent(seat=seat) | Corrected(seat=seat):
            return with_part(table, part(table, Counting).without_rows({seat}))
    return table


def unsaid(table: Table, seat: str) -> bool:
    """Return whether a player may say what they have, and has said nothing of it in this window."""
    may = table.tracked and table.settings.declare_holdings == "players"
    return may and seat not in part(table, Counting).told


def lines(table: Table) -> Iterator[str]:
    """Yield the board's line about what was counted in this window."""
    counts = []
    for row in part(table, Counting).rows:
        if changes := _changes(row.change, row.why):
            counts.append(f"<=name:{row.seat}>: {changes}")
    if counts:
        yield f"-# {'; '.join(counts)}"


# ---------------------------------------------------------------- counting


class Count(Command):
    """Change the caller's own trade goods and commodities by these numbers. ``why``: commodities
    are fewer. ``gain``: what they answered, where Mentak could pillage twice.
    """

    kind = "ti4.count"
    trade_goods: int
    commodities: int
    why: Why = ""
    gain: Gain = ""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Raises `Undecided` by 21.7 for fewer commodities without a reason, and where a row may be
        two gains.
        """
        require_tracked(table)
        seat, fewer = own_seat(table, caller), max(0, -self.commodities)
        if (
            not (self.trade_goods or self.commodities)
            or max(abs(self.trade_goods), abs(self.commodities)) > COUNT_MAX
        ):
            raise Refused(
                "That changes nothing I can count.", f"Count up or down by 1 to {COUNT_MAX}."
            )
        lost = trade_goods(max(0, -self.trade_goods)) + commodities(fewer)
        for token in seat.holdings.missing(lost):
            held = seat.holdings.count(token)
            has = (
                describe(Goods({token: held}))
                if held
                else f"no {describe(Goods({token: 2})).removeprefix('2 ')}"
            )
            raise Refused(f"You have {has}.", "There is nothing to count down.")
        if fewer and not self.why:
            raise Undecided(
                f"{describe(commodities(fewer))} fewer: why? They can't be spent.",
                options=tuple(
                    button(label, table, replace(self, why=why)) for why, (label, _) in WHY.items()
                ),
                rule="21.7",
            )
        why: tuple[Reason, ...] = (self.why,) if fewer else ()
        more = gained(
            table,
            seat.id,
            trade_goods(max(0, self.trade_goods)) + commodities(max(0, self.commodities)),
        )
        got = more.gained + trade_goods(fewer if "turned" in why else 0)
        row, held = recent_row(table, seat.id, caller.at), seat.holdings.count(TRADE_GOOD)
        reaches = held < PILLAGE_FROM <= held + self.trade_goods
        if row is not None and row.pillaged and reaches and not self.gain:
            raise Undecided(
                "Mentak has pillaged you for what you counted before. Is this the same gain?",
                options=tuple(
                    button(label, table, replace(self, gain=gain)) for gain, label in GAINS.items()
                ),
                rule="Pillage",
            )
        change, new = Change(lost, got), self.gain == "another"
        return [counted(table, seat.id, change, why, caller.at, new=new)]


def recent_row(table: Table, seat: str, at: int) -> Row | None:
    """Return the row of a seat that a press at this time continues."""
    row = part(table, Counting).row(seat)
    return row if row is not None and at - row.at <= ROW else None


def counted(
    table: Table,
    seat: str,
    change: Change,
    why: tuple[Reason, ...],
    at: int,
    *,
    new: bool = False,
) -> GoodsCounted:
    """Return the entry of a press at this time. It continues the seat's row if that is recent,
    unless it begins a ``new`` one.
    """
    row = None if new else recent_row(table, seat, at)
    first = row.first if row is not None else table.seq + 1
    return GoodsCounted(seat=seat, first=first, at=at, why=why, changes={seat: change})


class GoodsCounted(MayReplenish):
    """A player counted their own goods up or down. ``first``: the row's first entry, ``at``: when.

    ``why`` are the reasons why commodities are fewer, or that they were replenished. Those turned
    over became trade goods, which are not gained.
    """

    announced = False
    repeats = True
    kind = "ti4.goods.counted"
    first: int
    at: int
    why: tuple[Reason, ...] = ()

    def replenishes(self) -> bool:
        return "replenished" in self.why

    def gain(self) -> int:
        """Return how many trade goods were gained (21.5.3)."""
        return 0 if "turned" in self.why else self.changes[self.seat].gained.count(TRADE_GOOD)

    def merged(self, later: Entry) -> Entry | None:
        """Return both presses as one, if they are in the same row."""
        if not isinstance(later, GoodsCounted):
            return None
        seat = self.seat
        if (later.seat, later.first) != (seat, self.first):
            return None
        change = _both(self.changes[seat], later.changes[seat])
        why = _once(self.why, later.why)
        return later.model_copy(update={"changes": {seat: change}, "why": why})

    def sentence(self, ruler: str) -> str:
        changes = _changes(self.changes[self.seat], self.why)
        if not changes:
            changes = f"<their:{self.seat}> goods: there are as many as before"
        return f"<player:{self.seat}> counts **{changes}**."

    def apply(self, table: Table) -> Table:
        table, now = super().apply(table), part(table, Counting)
        if not table.tracked:
            return table
        seat, change, why = self.seat, self.changes[self.seat], self.why
        before = now.row(seat)
        was_pillaged = False
        if before is not None and before.first == self.first:
            change, why = _both(before.change, change), _once(before.why, why)
            was_pillaged = before.pillaged
        row = Row(seat, self.first, self.at, change, why, was_pillaged)
        rows = (*now.without_rows({seat}).rows, row)
        return with_part(table, replace(now, rows=rows))


def _both(first: Change, second: Change) -> Change:
    """Return what two changes make together."""
    lost, got = first.lost + second.lost, first.gained + second.gained
    return Change(got.missing(lost), lost.missing(got))


def _once(first: Sequence[Reason], second: Sequence[Reason]) -> tuple[Reason, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _changes(change: Change, why: Sequence[Reason]) -> str:
    """Return a change in words: ``+2 trade goods, −1 commodity (a slip)``; empty for none."""
    parts = []
    for token in (TRADE_GOOD, COMMODITY):
        for sign, goods in (("+", change.gained), ("−", change.lost)):
            if count := goods.count(token):
                parts.append(f"{sign}{describe(Goods({token: count}))}")
    if COMMODITY in change.lost or COMMODITY in change.gained:
        reasons = [WHY[reason][1] if reason in WHY else reason for reason in why]
        listed = f" ({', '.join(reasons)})" if reasons else ""
        return ", ".join(parts) + listed
    if "replenished" in why:
        parts.append("replenished, to as many as before")
    return ", ".join(parts)


FEATURE = Feature(
    state=Counting,
    commands=(Count,),
    entries=(GoodsCounted,),
    hears=(GoodsOfSeat, Transaction),
    after=after,
)
