"""The state of a Twilight Imperium 4 table that several features read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field
from itertools import chain
from typing import Literal, NamedTuple

from bot.api import (
    Action,
    Goods,
    LabelledAction,
    Pair,
    Refused,
    Seat,
    SeatId,
    Since,
    StatePart,
    Table,
    TableView,
    frozen,
    pair,
    part,
    quoted,
    replace,
    require_since,
    with_part,
)
from bot.games.ti4.components import describe, note_owner, open_goods
from data.ti4 import Lift

PHASES = ("strategy", "action", "status", "agenda")
"""The phases of a round, in order."""


# ---------------------------------------------------------------- parts of the state


@frozen
class Map(StatePart):
    """The declared neighbours on the board; see `bot.games.ti4.neighbors`.

    ``neighbors`` are the pairs; ``parted`` are pairs that stopped being neighbours in this window,
    and ``changed`` those that are neighbours now and were not when it began, or the reverse.
    ``moved`` is the seat whose turn ended last, until its neighbours are declared: its ships may
    have moved. ``quiet``: nobody moved, so the board does not ask again in this round, unless a
    system is activated. ``said``: neighbours were declared one by one, or that there are none; a
    seat that nobody named has none. ``around``: how all sit, as it was last said. ``since`` is the
    number of the entry by which neighbours, or the seat in ``moved``, last changed.
    """

    neighbors: frozenset[Pair] = frozenset()
    parted: frozenset[Pair] = frozenset()
    moved: SeatId | None = None
    said: bool = False
    quiet: bool = False
    around: tuple[SeatId, ...] = ()
    since: int = 1
    changed: frozenset[Pair] = frozenset()

    def vacated(self, seat: str) -> Map:
        # a newcomer has not seen where ships moved
        return replace(self, moved=None) if self.moved == seat else self

    def window_over(self) -> Map:
        return replace(self, parted=frozenset(), changed=frozenset())

    def with_declared(self, *seats: str) -> Map:
        """Return the map after the neighbours of these seats were declared."""
        return replace(self, moved=None if self.moved in seats else self.moved, said=True)


@frozen
class Question:
    """A question of ``seat`` to ``other``, or to whoever sits there when it is answered.

    ``about``: to replenish (Trade), to give a note of ``seat`` back, to confirm that the two are
    neighbours, or to take a trade back. ``which``: the note's id or the transaction's number.
    ``since`` is the number of the entry that asked it.
    """

    about: Literal["replenish", "note", "neighbors", "take_back"]
    seat: SeatId
    other: SeatId
    which: str = ""
    since: int = field(default=0, compare=False)

    @property
    def asked_again(self) -> str:
        """What is true if a button is about the same question, asked before."""
        return f"<=name:{self.seat}> has asked again since."


@frozen
class Questions(StatePart):
    """The questions that wait for an answer. Those to replenish or to take a trade back end with
    the window.

    ``chosen``: the seats that were chosen for Trade in this turn, whether they have replenished by
    it or still have to.
    """

    waiting: frozenset[Question] = frozenset()
    chosen: frozenset[SeatId] = frozenset()

    def window_over(self) -> Questions:
        return Questions(
            frozenset(each for each in self.waiting if each.about in ("note", "neighbors"))
        )


def questions(table: Table, about: str) -> list[Question]:
    """Return the questions about this that wait for an answer."""
    found = (each for each in part(table, Questions).waiting if each.about == about)
    return sorted(found, key=lambda each: (each.other, each.seat, each.which))


def asked(table: Table, question: Question) -> Question | None:
    """Return a question as it waits, with the entry that asked it; None if it does not wait."""
    for waiting in part(table, Questions).waiting:
        if waiting == question:
            return waiting
    return None


def with_question(table: Table, question: Question) -> Table:
    """Return the table with one more question, which waits for an answer."""
    now = part(table, Questions)
    question = replace(question, since=table.seq + 1)
    return with_part(table, replace(now, waiting=now.waiting | {question}))


def without_questions(table: Table, *done: Question) -> Table:
    """Return the table without these questions."""
    now = part(table, Questions)
    waiting = now.waiting.difference(done)
    return with_part(table, replace(now, waiting=waiting)) if done else table


@frozen
class Combat(StatePart):
    """The pairs of seats that fight in the active system; see `bot.games.ti4.combat`.

    ``activated``: the seats whose units are in a system that the active player has activated in
    this turn. ``fought``: the seats of the combats that have ended in this turn. ``acting`` acts
    out of turn now, and ``may_trade`` meanwhile. ``since`` is the number of the entry that began
    the last combat.
    """

    pairs: frozenset[Pair] = frozenset()
    activated: frozenset[SeatId] = frozenset()
    fought: frozenset[SeatId] = frozenset()
    acting: SeatId | None = None
    may_trade: bool = False
    since: int = 0

    def window_over(self) -> Combat:
        return Combat()

    def fighting(self) -> set[str]:
        """Return the seats that are in a combat."""
        return set(chain.from_iterable(self.pairs))

    def opponents(self, seat: str) -> set[str]:
        """Return the seats that fight this one."""
        fights = [fight for fight in self.pairs if seat in fight]
        return set(chain.from_iterable(fights)) - {seat}


@frozen
class TurnBegun(StatePart):
    """The limits of notes that are played at the start of a turn; see `bot.games.ti4.notes`.

    ``over``: the seats that have acted in their last turn: its start is over. ``played``: the notes
    that were played at the start of a seat's last turn. Both outlast the turn, which may be given
    back.
    """

    over: frozenset[SeatId] = frozenset()
    played: frozenset[tuple[SeatId, str]] = frozenset()


@frozen
class TradeCard(StatePart):
    """The last time that somebody played the strategy card Trade; see `bot.games.ti4.trade_card`.

    ``number`` is that of its entry, 0 for never. ``seat`` played it and let ``chosen`` replenish.
    ``done`` are the seats that have replenished by it, and how much each got. ``current``: its turn
    is not over.
    """

    number: int = 0
    seat: SeatId = ""
    chosen: tuple[SeatId, ...] = ()
    done: tuple[tuple[SeatId, int], ...] = ()
    current: bool = False

    @property
    def waiting(self) -> list[str]:
        """The chosen seats that have not replenished."""
        return [seat for seat in self.chosen if seat not in dict(self.done)]

    def window_over(self) -> TradeCard:
        return replace(self, current=False) if self.current else self


@frozen
class TurnTrades:
    """The pairs that have traded in a turn of ``seat``, kept in case it is given back.

    ``since`` is the number of the entry that began the turn. ``by`` is the host or moderator who
    ended it, None if its player did.
    """

    seat: SeatId
    used: frozenset[Pair] = frozenset()
    parted: frozenset[Pair] = frozenset()
    since: int = 0
    by: int | None = None


@frozen
class PlayedRound:
    """An action phase: the seats that have passed, the last turn, and the order of play."""

    passed: frozenset[SeatId]
    last: TurnTrades | None
    order: tuple[SeatId, ...] = ()


@frozen
class Round(StatePart):
    """The order of play, and the progress of the round; see `bot.games.ti4.turns`.

    ``order``: the initiative order of this round, empty if nobody has said it; a seat that it
    leaves out comes after it. ``passed``: seats that have passed for the round. ``last``: the
    previous turn in this action phase. ``interrupted``: turns that continue later, because an
    earlier turn was given back during them. ``played``: the action phase before this status phase,
    kept in case a pass is taken back.
    """

    order: tuple[SeatId, ...] = ()
    passed: frozenset[SeatId] = frozenset()
    last: TurnTrades | None = None
    interrupted: tuple[TurnTrades, ...] = ()
    played: PlayedRound | None = None

    def action_phase(self) -> PlayedRound:
        """Return the action phase that has just ended, or else this one so far."""
        return self.played or PlayedRound(self.passed, self.last, self.order)


@frozen
class TakenCard:
    """A strategy card before ``seat``. ``chooser`` took it, and gained the ``goods`` on it.

    ``number`` is that of the entry by which it was taken.
    """

    card: str
    seat: SeatId
    chooser: SeatId
    goods: int = 0
    number: int = 0


@frozen
class GameRound(StatePart):
    """What lasts a whole round, from one strategy phase to the next; see
    `bot.games.ti4.strategy_cards`.

    ``taken``: the strategy cards that were taken, in that order. ``goods``: the trade goods on the
    others when the strategy phase began, and ``laid``: those that got one more when it ended.
    ``known``: all had taken theirs, so the order of play is theirs. ``zero`` has the initiative 0
    though no note says so. ``began``: how many played in the first action phase, 0 before it.
    ``agendas`` were resolved in this round, and ``had_agenda``: one was revealed in this game.
    ``phase`` is that of the table, and ``changed`` the number of the entry that last changed the
    cards.
    """

    taken: tuple[TakenCard, ...] = ()
    goods: tuple[tuple[str, int], ...] = ()
    laid: frozenset[str] = frozenset()
    known: bool = False
    zero: SeatId | None = None
    began: int = 0
    agendas: int = 0
    had_agenda: bool = False
    phase: str = PHASES[0]
    changed: int = 0

    def without(self, seat: str) -> GameRound:
        """Return the part after this seat's cards have gone back [33.6]."""
        left = []
        for taken in self.taken:
            if taken.chooser == seat:  # who has nothing to give back any more
                taken = replace(taken, chooser=taken.seat, goods=0)
            if taken.seat != seat:
                left.append(taken)
        zero = None if self.zero == seat else self.zero
        return replace(self, taken=tuple(left), zero=zero)

    def cards_of(self, seat: str) -> list[str]:
        """Return the cards before this seat."""
        return [taken.card for taken in self.taken if taken.seat == seat]

    def holder(self, card: str) -> str | None:
        """Return the seat before which this card lies; None for nobody's."""
        for taken in self.taken:
            if taken.card == card:
                return taken.seat
        return None

    def goods_on(self, card: str) -> int:
        """Return how many trade goods lie on this card."""
        return dict(self.goods).get(card, 0) + (card in self.laid)

    def with_goods(self, card: str, goods: int) -> GameRound:
        """Return the part with so many trade goods on a card, before one more is laid there."""
        on_cards = {**dict(self.goods), card: goods}
        left = sorted(item for item in on_cards.items() if item[1])
        return replace(self, goods=tuple(left))


@frozen
class Agenda(StatePart):
    """The title of the current agenda, whether in the agenda phase or within a turn; None for
    none.

    ``since`` is the number of the entry that revealed it or, within a turn, resolved the last.
    """

    title: str | None = None
    since: int = 0

    def window_over(self) -> Agenda:
        return Agenda()


@frozen
class Permit:
    """Rules that a host has lifted because of a card.

    ``seats``: it holds for trades between two seats, of one seat with anybody, or (empty) of
    everybody. ``once``: it ends when it is used. ``until``: it ends with the turn or agenda
    ("window"), or only when a host revokes it. ``components``: the components that it allows if it
    lifts "goods", empty for all. ``card``: the id of a known card, whose name is then the reason.
    """

    number: int
    seats: tuple[SeatId, ...]
    lifts: tuple[Lift, ...]
    once: bool
    reason: str
    components: tuple[str, ...] = ()
    until: Literal["window", "revoked"] = "revoked"
    card: str = ""


@frozen
class InForce(StatePart):
    """The permits in force; see `bot.games.ti4.permits`. ``granted`` is the number of the last
    permit. ``used`` are those that transactions of this window have used up.
    """

    permits: tuple[Permit, ...] = ()
    granted: int = 0
    used: tuple[Permit, ...] = ()

    def without(self, seat: str) -> InForce:
        return self.without_permits(lambda permit: seat in permit.seats)

    def window_over(self) -> InForce:
        left = self.without_permits(lambda permit: permit.until == "window")
        return replace(left, used=()) if left.used else left

    def with_used(self, numbers: Collection[int]) -> InForce:
        """Return the part after a transaction has used up these permits."""
        used = [permit for permit in self.permits if permit.number in numbers]
        left = tuple(permit for permit in self.permits if permit not in used)
        return replace(self, permits=left, used=(*self.used, *used))

    def with_unused(self, numbers: Collection[int]) -> InForce:
        """Return the part after a transaction that had used these permits was taken back."""
        back = [permit for permit in self.used if permit.number in numbers]
        permits = sorted((*self.permits, *back), key=lambda permit: permit.number)
        used = tuple(permit for permit in self.used if permit not in back)
        return replace(self, permits=tuple(permits), used=used)

    def without_permits(self, over: Callable[[Permit], bool]) -> InForce:
        """Return the part without the permits that are ``over``."""
        left = tuple(permit for permit in self.permits if not over(permit))
        used = tuple(permit for permit in self.used if not over(permit))
        now = replace(self, permits=left, used=used)
        return self if now == self else now


@frozen
class OutOfGame(StatePart):
    """The seats that have been eliminated; see `bot.games.ti4.departures`."""

    seats: frozenset[str] = frozenset()

    def without(self, seat: str) -> OutOfGame:
        return OutOfGame(self.seats | {seat})


class Public(NamedTuple):
    """What the game's cogs read of a table; everybody may know it."""

    map: Map
    round: GameRound


def public(table: Table) -> Public:
    """Return what everybody may know of a table, for the game's cogs."""
    return Public(part(table, Map), part(table, GameRound))


def out_of_game(table: Table) -> frozenset[str]:
    """Return the seats that have left the game for good: eliminated, or turned into another
    faction.
    """
    return part(table, OutOfGame).seats.union(table.became)


def are_neighbors(table: Table, first: str, second: str) -> bool:
    """Return whether two seats are neighbours on the board now."""
    return pair(first, second) in part(table, Map).neighbors


def in_combat(table: Table, first: str, second: str) -> bool:
    """Return whether two seats fight each other in the active system."""
    return pair(first, second) in part(table, Combat).pairs


def meet(table: Table, first: str, second: str) -> bool:
    """Return whether two seats are neighbours now [60.1]: on the board, or in combat in the active
    system.
    """
    return are_neighbors(table, first, second) or in_combat(table, first, second)


def active_seat(table: Table | TableView) -> str | None:
    """Return the seat whose turn it is, in the action phase."""
    return table.window.holder if table.window.kind == "turn" else None


def under_way(table: Table | TableView) -> str:
    """Return what is under way, as a clause: whose turn it is, an agenda, or the phase."""
    active = active_seat(table)
    if active is not None:
        return f"it is <=name:{active}>'s turn"
    if table.window.kind == "agenda":
        return "an agenda is being resolved"
    return f"it is the {table.phase} phase, and nobody's turn"


def gone_on(table: Table | TableView) -> str:
    """Return what is true now, for a button that is about what is over."""
    return f"The game has gone on: {under_way(table)}."


def require_now(
    table: Table | TableView, since: Since, again: Action | None = None, label: str = ""
) -> None:
    """Raise `Refused` unless the turn, the agenda, or the time between turns of a button goes on.

    ``since`` is the number of the entry that began it. ``again`` with this label is the button of
    now; see `require_since`.
    """
    buttons = (LabelledAction(label, again),) if again is not None else ()
    require_since(since, table.window.since, gone_on(table), *buttons)


def acting_seat(table: Table) -> str | None:
    """Return the active seat of the action at hand: who acts out of turn, or whose turn it is."""
    return part(table, Combat).acting or active_seat(table)


def require_turn(table: Table, reason: str) -> str:
    """Return the active seat. Raises `Refused` for this reason if no turn is under way."""
    if (active := active_seat(table)) is None:
        raise Refused(reason, "In the action phase, **Start my turn** begins one.")
    return active


def titled(title: str | None, bold: str = "") -> str:
    """Return the title of an agenda behind a colon; empty for none."""
    return f": {bold}{quoted(title)}{bold}" if title else ""


def voted_on(table: Table) -> str | None:
    """Return the title of the agenda that is voted on within the current turn; None for none."""
    return part(table, Agenda).title if table.window.kind == "turn" else None


# ---------------------------------------------------------------- what /rules show says of a table

Status = Mapping[str, tuple[Callable[[Table], str], ...]]
"""Sentences about a table, by the number of the rule. They never say what a hand holds; an empty
one is left out.
"""

LIST_MAX = 12
"""The most items of a list. The rest is only counted."""


def listed(items: Iterable[str], none: str = "none", most: int = LIST_MAX) -> str:
    """Return these in a row, with semicolons."""
    row = list(items)
    if len(row) > most:
        row[most:] = [f"and {len(row) - most} more"]
    return "; ".join(row) or none


def pairs_listed(pairs: Iterable[Pair]) -> str:
    """Return the two seats of each pair, as `listed`."""
    return listed(f"<=seat:{first}> and <=seat:{second}>" for first, second in sorted(pairs))


def each_seat(
    title: str, described: Callable[[Table, Seat], str | None], none: str = "none"
) -> Callable[[Table], str]:
    """Return the sentence that describes each seat of a table, but those of which there is nothing
    to say (None).
    """

    def status(table: Table) -> str:
        if not table.tracked:
            return "This table does not keep count of holdings."
        parts = []
        for seat in table.seats.values():
            what = described(table, seat)
            if what is not None:
                parts.append(f"<=seat:{seat.id}> {what}".strip())
        return f"{title}: {listed(parts, none)}."

    return status


def each_with(title: str, *kinds: str) -> Callable[[Table], str]:
    """Return the sentence that says which open goods of these kinds each seat has."""

    def described(table: Table, seat: Seat) -> str | None:
        goods = open_goods(seat.holdings.of_kind(*kinds))
        return describe(goods) if goods else None

    return each_seat(title, described)


def each_note_in_play(title: str, note: str = "") -> Callable[[Table], str]:
    """Return the sentence that says which notes, or which copies of one, lie before each seat."""

    def described(table: Table, seat: Seat) -> str | None:
        tokens = [token for token in seat.in_play if note in ("", note_owner(token)[0])]
        return describe(Goods.of(tokens)) if tokens else None

    return each_seat(title, described)
