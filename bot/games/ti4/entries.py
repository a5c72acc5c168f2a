"""Entries of Twilight Imperium 4 that several features build on."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bot.api import Apply, Entry, Goods, GoodsOfSeat, Table, quoted
from bot.games.ti4.components import describe


class OfPair(Entry):
    """An entry about two seats."""

    first: str
    second: str

    def seats(self) -> frozenset[str]:
        return frozenset({self.first, self.second})


class GainedByEffect(GoodsOfSeat):
    """A player gained goods by an effect that the entry ``since`` triggered."""

    kind = "ti4.goods.gained"
    goods: Goods
    effect: str
    since: int

    def sentence(self, ruler: str) -> str:
        return f"<player:{self.seat}> gains **{describe(self.goods)}** {by_effect(self.effect)}."


def with_due(
    table: Table,
    entries: Iterable[Entry],
    apply: Apply,
    due: Callable[[Table, Entry, Table, int], Iterable[Entry]],
) -> tuple[Entry, ...]:
    """Return the entries of a command, each followed by those that are ``due`` with it.

    ``due`` gets the table before the entry, the entry, the table after it, and the entry's number.
    """
    all_entries, first = list[Entry](), table.seq + 1
    for entry in entries:
        before, table, number = table, apply(table, entry), first + len(all_entries)
        all_entries.append(entry)
        for consequence in due(before, entry, table, number):
            all_entries.append(consequence)
            table = apply(table, consequence)
    return tuple(all_entries)


def by_effect(effect: str, ruler: str = "") -> str:
    """Return "by" with the name of an effect, if known, and of the host who says so."""
    says = f", as {ruler} says" if ruler else ""
    return f"by **{quoted(effect)}**{says}" if effect else f"by an effect{says}"
