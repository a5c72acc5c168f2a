"""The rules of trade of a definition: a function for each rule, with the number that it cites."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from bot.api import (
    NOTHING,
    Change,
    Goods,
    Moves,
    Refused,
    Settlement,
    Table,
    Trade,
    Violation,
    kind_of,
    part,
)
from bot.games.any.book import Book, either
from bot.games.any.definition import Definition, definition_of
from bot.games.any.goods import Language, only_kind


@dataclass(frozen=True)
class Trading:
    """The rules of trade, and how goods move, by one definition."""

    found: Definition
    language: Language

    def violations(self, table: Table, trade: Trade) -> list[Violation]:
        """Return all that forbids a trade, what no wait can cure last."""
        found = [*self.times(table), *self._pair(table, trade)]
        found += self._goods(trade)
        for seat in filter(None, (trade.first, trade.second)):
            gets = trade.gives(trade.other(seat))
            found += [*self.short(table, seat, trade.gives(seat))]
            found += self._too_many(table, seat, trade.gives(seat), gets)
        return found

    # ------------------------------------------------------------ who and when

    def times(self, table: Table) -> Iterator[Violation]:
        """Yield that nobody trades in this phase."""
        when = self.found.trade.when
        if when and table.phase not in when:
            phases = either(when)
            reason = f"Nobody trades in the {table.phase} phase."
            later = f"in the {phases} phase"
            yield Violation("H3", reason, f"Wait for {phases}.", of_goods=False, when=later)

    def _pair(self, table: Table, trade: Trade) -> Iterator[Violation]:
        first, second, rules = trade.first, trade.second, self.found.trade
        if not second:
            return
        holder = table.window.holder
        if rules.who == "turn" and holder not in (first, second):
            now = "Every trade is with the player whose turn it is, and now it is nobody's."
            if holder:
                now = f"It is <seat:{holder}>'s turn, and every trade now is with <them:{holder}>."
            remedy = "You two can trade on a turn of either of you."
            later = "on {other}'s turn, or yours"
            yield Violation("H2", now, remedy, of_goods=False, when=later)
        if rules.who == "neighbours" and not neighbours(table, first, second):
            reason = "You two don't sit side by side."
            yield Violation("H2", reason, "Trade with a neighbour.", of_goods=False)
        if rules.who == "pairs" and not self._paired(first, second):
            reason = "You two may not trade with each other."
            yield Violation("H2", reason, "/rules show H2 says who may.", of_goods=False)
        most = rules.per_partner
        if most and part(table, Book).trades_of(first, second) >= most:
            times = "once" if most == 1 else f"{most} times"
            reason = f"You two have traded {times} now."
            yield Violation("H4", reason, "Wait for the next turn or phase.", of_goods=False)

    def _paired(self, first: str, second: str) -> bool:
        meant = self.found.meant
        for one, other in self.found.trade.pairs:
            for here, there in ((one, other), (other, one)):
                if first in meant(here) and second in meant(there):
                    return True
        return False

    # ------------------------------------------------------------ which goods, and how many

    def _goods(self, trade: Trade) -> Iterator[Violation]:
        rules, sides = self.found.trade, (trade.first_gives, trade.second_gives)
        kept = list(filter(self._kept, {**sides[0], **sides[1]}))
        if kept:
            reason = f"Nobody gives away {self.language.kinds[kind_of(kept[0])].several}."
            yield Violation("H5", reason, permanent=True, blocks_posting=True)
        if trade.only_says:
            return
        if not rules.gifts and not all(sides):
            reason = "A trade needs something from both sides."
            yield Violation("H6", reason, "Ask for something.", permanent=True)
        alike = set(map(kind_of, sides[0])).intersection(map(kind_of, sides[1]))
        if not rules.same and alike:
            name = self.language.kinds[min(alike)].name
            reason = f"{name.capitalize()} for {name} is no trade."
            yield Violation("H7", reason, permanent=True)
        counts = [goods.total() for goods in sides]
        if rules.least and any(0 < count < rules.least for count in counts):
            yield Violation("H8", f"Each side gives at least {rules.least}.", permanent=True)
        if rules.equal and all(counts) and counts[0] != counts[1]:
            yield Violation("H8", "Both sides give the same number.", permanent=True)
        if rules.one_kind and any(goods and not only_kind(goods) for goods in sides):
            yield Violation("H8", "Each side gives one kind of goods.", permanent=True)

    def _kept(self, token: str) -> bool:
        good = self.language.kinds.get(kind_of(token))
        return good is not None and good.kept

    def short(self, table: Table, seat: str, goods: Goods) -> Iterator[Violation]:
        """Yield what a seat lacks of goods: for all to read what lies open, else for it alone."""
        if not table.tracked or seat not in table.seats:
            return
        missing = table.seats[seat].holdings.missing(goods)
        lies_open = self.language.open(missing)
        if lies_open:
            reason = f"<seat:{seat}> does not have {self._asked(goods, lies_open)}."
            yield Violation(
                "H1", reason, short=True, missing=lies_open, action="holdings", about=seat
            )
        if lies_open != missing:
            hidden = lies_open.missing(missing)
            reason = f"<seat:{seat}> does not have {self._asked(goods, hidden)}."
            yield Violation("H1", reason, short=True, known_to=seat, about=seat)

    def _asked(self, goods: Goods, missing: Goods) -> str:
        """Return all that is asked of the kinds that somebody has too few of."""
        return self.language.describe(Goods({token: goods[token] for token in missing}))

    def _too_many(self, table: Table, seat: str, gives: Goods, gets: Goods) -> Iterator[Violation]:
        """Yield the limits that a seat would go over, as far as everybody sees what it has.

        What is hidden has limits that are told to its owner alone, and refuse nothing.
        """
        if not table.tracked or seat not in table.seats:
            return
        held = table.seats[seat].holdings
        after = gives.missing(held) + gets
        for token in self.language.open(gets):
            kind = kind_of(token)
            most = self.language.kinds[kind].most
            if most and after.of_kind(kind).total() > most:
                some = self.language.called(kind, most)
                reason = f"<seat:{seat}> would have more than {some}."
                yield Violation("H10", reason, "That is the limit.", about=seat)
        hand, now = self.found.hand, held.total()
        if hand and now - gives.total() + gets.total() > max(hand, now):
            reason = f"<seat:{seat}> would have more than {hand} goods."
            yield Violation("H10", reason, "That is the limit of a hand.", about=seat)

    # ------------------------------------------------------------ what moves

    def settle(self, table: Table, trade: Trade) -> Settlement:
        changes = dict[str, Change]()
        for seat in (trade.first, trade.second):
            gets = trade.gives(trade.other(seat))
            changes[seat] = Change(trade.gives(seat), gets)
        moves = self.language.apart(changes)
        traded = part(table, Book).trades_of(trade.first, trade.second) + 1
        last = 0 < self.found.trade.per_partner <= traded
        return Settlement(moves.changes, moves.hidden, counts=last)

    def gain(self, table: Table, seat: str, goods: Goods) -> Moves:
        for violation in self._too_many(table, seat, NOTHING, goods):
            raise Refused.because(violation)
        self.require_there(table, goods)
        return self.language.apart({seat: Change(gained=goods)})

    def require_there(self, table: Table, goods: Goods) -> None:
        """Raise `Refused` if more of an open kind would be in play than there are."""
        for token, count in self.language.open(goods).items():
            good = self.language.kinds[kind_of(token)]
            total = 1 if good.numbered else good.total
            out = sum(seat.holdings.count(token) for seat in table.seats.values())
            if total and out + count > total:
                raise Refused(
                    self.language.all_there(token, total), "Give back some first.", rule="H10"
                )

    def spend(self, table: Table, seat: str, goods: Goods) -> Moves:
        for violation in self.short(table, seat, goods):
            raise Refused.because(violation)
        return self.language.apart({seat: Change(lost=goods)})

    def correct(self, table: Table, seat: str, goods: Goods) -> Moves:
        held = table.seats[seat].holdings
        change = Change(goods.missing(held), held.missing(goods))
        return self.language.apart({seat: change})


def in_order(table: Table) -> list[str]:
    """Return the taken seats in the order of the definition."""
    return sorted(table.seated(), key=lambda seat: int(seat[1:]))


def neighbours(table: Table, first: str, second: str) -> bool:
    """Return whether two sit side by side, in the order of the seats that are taken."""
    ring = in_order(table)
    if first not in ring or second not in ring:
        return False
    apart = abs(ring.index(first) - ring.index(second))
    return apart in (1, len(ring) - 1)


@lru_cache(maxsize=256)
def trading_by(text: str) -> Trading:
    """Return the rules of trade of a text that a table plays."""
    found = definition_of(text)
    return Trading(found, Language(found))


def trading_at(table: Table) -> Trading:
    """Return the rules of trade at a table. Raises `Refused` while it plays nothing yet."""
    text = part(table, Book).text
    if not text:
        raise Refused(
            "No game is chosen yet.", "The host does that on the table's message.", rule="H0"
        )
    return trading_by(text)
