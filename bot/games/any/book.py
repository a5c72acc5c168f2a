"""What a table plays, and how far it has come: the part of the state, and the entries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field
from typing import ClassVar

from bot.api import (
    Change,
    Entry,
    Goods,
    GoodsMoved,
    GoodsOfSeat,
    StatePart,
    Table,
    Window,
    frozen,
    open_window,
    pair,
    part,
    quoted,
    replace,
    with_part,
)
from bot.games.any.definition import Definition, definition_of, digest

SAID_MAX = 300
"""The most characters that a sentence quotes of a text."""


def shortened(text: str) -> str:
    """Return the beginning of what a text says, as long as a sentence can have it."""
    return text if len(text) <= SAID_MAX else f"{text[:SAID_MAX]}…"


@frozen
class Book(StatePart):
    """The ``text`` that is played, the ``number``-th at this table; the seats that got what they
    begin with; the trades of each pair in this turn or phase; when the bell rings; the event that
    happened last, and the number of its entry.
    """

    text: str = ""
    number: int = 0
    begun: bool = False
    dealt: tuple[str, ...] = ()
    trades: Mapping[str, int] = field(default_factory=dict)
    bell: int | None = None
    happened: str = ""
    happened_since: int = 0

    def window_over(self) -> Book:
        return replace(self, trades={})

    def later(self, by: int) -> Book:
        return self if self.bell is None else replace(self, bell=self.bell + by)

    def since(self, table: Table, event: str) -> int:
        """Return the number of the entry since when this event could happen."""
        last = self.happened_since if event == self.happened else 0
        return max(table.window.since, last)

    def trades_of(self, first: str, second: str) -> int:
        """Return how often these two have traded in this turn or phase."""
        return self.trades.get(_both(first, second), 0)

    def traded(self, first: str, second: str) -> Book:
        """Return the book after a trade of these two."""
        trades = dict(self.trades)
        trades[_both(first, second)] = self.trades_of(first, second) + 1
        return replace(self, trades=trades)


def _both(first: str, second: str) -> str:
    return "+".join(pair(first, second))


def definition(table: Table) -> Definition | None:
    """Return what a table plays; None before that is chosen."""
    text = part(table, Book).text
    return definition_of(text) if text else None


def either(names: Iterable[str]) -> str:
    """Return names as a choice: ``talks or orders``."""
    return " or ".join(names)


class Defined(Entry):
    """The host said what is played, or changed it. ``text`` is all of it, ``changed`` what differs
    from before; ``window`` is the new one where play has begun.
    """

    repeats: ClassVar[bool] = True
    kind = "any.defined"
    number: int
    text: str
    phase: str
    window: int | None = None
    changed: tuple[str, ...] = ()

    def apply(self, table: Table) -> Table:
        book = replace(part(table, Book), text=self.text, number=self.number)
        own = definition_of(self.text).rules
        table = with_part(replace(table, phase=self.phase, house_rules=own), book)
        if self.window is None:
            return table
        window = replace(table.window, number=self.window, used=frozenset())
        return open_window(table, window, self.phase)

    def sentence(self, ruler: str) -> str:
        if not self.changed:
            name = definition_of(self.text).name
            return f"{ruler.capitalize()} chose **{name}** ({digest(self.text)})."
        changed = quoted(shortened("; ".join(self.changed)))
        return f"{ruler.capitalize()} changed the rules ({digest(self.text)}): {changed}."


class Dealt(GoodsMoved):
    """Seats got what they begin with; ``said`` is what the text gives them."""

    kind = "any.dealt"
    got: tuple[str, ...] = ()
    said: str = ""

    def apply(self, table: Table) -> Table:
        table = super().apply(table)
        book = part(table, Book)
        dealt = (*book.dealt, *self.got)
        return with_part(table, replace(book, begun=True, dealt=dealt))

    def seats(self) -> frozenset[str]:
        return frozenset(self.got)

    def sentence(self, ruler: str) -> str:
        who = f"<seat:{self.got[0]}>" if len(self.got) == 1 else "Everybody"
        return f"{who} got what they begin with{self.said}."


class PhaseBegun(Entry):
    """A phase began, and with it perhaps a seat's turn. ``bell`` is when it ends by itself.

    The board tells of a turn, and calls the player.
    """

    kind = "any.phase"
    phase: str
    seat: str | None = None
    window: int
    bell: int | None = None

    def begins_phase(self) -> str:
        return self.phase

    def is_news(self) -> bool:
        return self.seat is None

    def seats(self) -> frozenset[str]:
        return frozenset({self.seat} if self.seat else ())

    def apply(self, table: Table) -> Table:
        kind = "turn" if self.seat else "phase"
        window = Window(number=self.window, kind=kind, holder=self.seat)
        table = open_window(table, window, self.phase)
        return with_part(table, replace(part(table, Book), bell=self.bell))

    def sentence(self, ruler: str) -> str:
        ends = f" It ends <t:{self.bell // 1000}:R>." if self.bell else ""
        if self.seat:
            named = "" if self.phase == "turn" else f": **{self.phase}**"
            return f"It is <player:{self.seat}>'s turn{named}.{ends}"
        return f"The **{self.phase}** phase begins.{ends}"


class Banked(GoodsOfSeat):
    """A seat traded with the bank."""

    kind = "any.banked"

    def moves_text(self, describe: Callable[[Goods], str], teams: Mapping[str, str]) -> str:
        change = self.changes.get(self.seat, Change())
        if not change.lost or not change.gained:
            return ""
        gave, got = describe(change.lost), describe(change.gained)
        return f"<seat:{self.seat}> gave the bank {gave} for {got}."

    def sentence(self, ruler: str) -> str:
        return f"<seat:{self.seat}> traded with the bank."


class Happened(GoodsMoved):
    """An event of the definition gave goods to seats."""

    kind = "any.event"
    event: str

    def apply(self, table: Table) -> Table:
        table = super().apply(table)
        book = replace(part(table, Book), happened=self.event, happened_since=table.seq + 1)
        return with_part(table, book)

    def moves_text(self, describe: Callable[[Goods], str], teams: Mapping[str, str]) -> str:
        groups = dict[str, list[str]]()
        for seat, change in self.changes.items():
            got = describe(change.gained) if change.gained else "hidden cards"
            groups.setdefault(got, []).append(seat)
        texts = [f"{_together(seats, teams)} got {got}" for got, seats in groups.items()]
        event = self.event[:1].upper() + self.event[1:]
        return f"**{event}**: {'; '.join(texts)}." if texts else ""

    def sentence(self, ruler: str) -> str:
        return f"{ruler.capitalize()}: **{self.event}**."


def _together(seats: Collection[str], teams: Mapping[str, str]) -> str:
    """Return these seats in words: all of them, and whole teams, at once."""
    if len(seats) > 1 and len(seats) == len(teams):
        return "each"
    members = dict[str, list[str]]()
    for seat, names in teams.items():
        for team in filter(None, names.split(", ")):
            members.setdefault(team, []).append(seat)
    alone, whole = list(seats), list[str]()
    for team, inside in sorted(members.items()):
        if len(inside) > 1 and set(inside) <= set(alone):
            whole.append(f"each of {team}")
            alone = [seat for seat in alone if seat not in inside]
    *most, last = whole + [f"<seat:{seat}>" for seat in alone]
    return f"{', '.join(most)} and {last}" if most else last
