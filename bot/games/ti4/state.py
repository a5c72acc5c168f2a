"""The state of a Twilight Imperium 4 table that several features read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from bot.api import GameState, Pair, StatePart, Table, pair, part, replace
from data.ti4 import Lift

PHASES = ("strategy", "action", "status", "agenda")
"""The phases of a round, in order."""


@dataclass(frozen=True, slots=True)
class Ti4State(GameState):
    """The base class of the game's state. The features add their parts."""


# ---------------------------------------------------------------- parts of the state


@dataclass(frozen=True, slots=True)
class Map(StatePart):
    """The declared neighbours on the board; see `bot.games.ti4.neighbors`.

    ``neighbors`` are the pairs; ``parted`` are pairs that stopped being neighbours in this window. ``claims`` are
    unconfirmed: the seat that claims to be a neighbour, and the seat that must confirm. ``moved`` is the seat whose
    turn ended last, until its neighbours are declared: its ships may have moved. ``quiet``: nobody moved, so the board
    does not ask again in this round, unless a system is activated. ``said``: neighbours were declared one
    by one, or that there are none; a seat that nobody named has none.
    """

    neighbors: frozenset[Pair] = frozenset()
    parted: frozenset[Pair] = frozenset()
    claims: frozenset[Pair] = frozenset()
    moved: str | None = None
    said: bool = False
    quiet: bool = False

    def vacated(self, seat: str) -> Map:
        moved = None if self.moved == seat else self.moved
        return replace(self, claims=apart(self.claims, seat), moved=moved)

    def without(self, seat: str) -> Map:
        left = self.vacated(seat)
        return replace(left, neighbors=apart(self.neighbors, seat), parted=apart(self.parted, seat))

    def renamed(self, before: str, now: str) -> Map:
        claims = frozenset((now if a == before else a, now if b == before else b) for a, b in self.claims)
        neighbors, parted = renamed_pairs(self.neighbors, before, now), renamed_pairs(self.parted, before, now)
        moved = now if self.moved == before else self.moved
        return replace(self, neighbors=neighbors, parted=parted, claims=claims, moved=moved)

    def window_over(self) -> Map:
        return replace(self, parted=frozenset()) if self.parted else self

    def with_declared(self, *seats: str) -> Map:
        """Return the map after the neighbours of these seats were declared, so that nothing asks for them."""
        return replace(self, moved=None if self.moved in seats else self.moved, said=True)


@dataclass(frozen=True, slots=True)
class Combat(StatePart):
    """The pairs of seats that fight in the active system; see `bot.games.ti4.combat`.

    ``activated``: the seats whose units are in a system that the active player has activated in this turn.
    ``ended``: a combat has ended in this turn.
    """

    pairs: frozenset[Pair] = frozenset()
    activated: frozenset[str] = frozenset()
    ended: bool = False

    def without(self, seat: str) -> Combat:
        return replace(self, pairs=apart(self.pairs, seat), activated=self.activated - {seat})

    def renamed(self, before: str, now: str) -> Combat:
        activated = frozenset(now if each == before else each for each in self.activated)
        return replace(self, pairs=renamed_pairs(self.pairs, before, now), activated=activated)

    def window_over(self) -> Combat:
        return Combat()


@dataclass(frozen=True, slots=True)
class TurnBegun(StatePart):
    """What speaks against notes that are played at the start of a turn; see `bot.games.ti4.notes`.

    ``over``: the seats that have acted in their last turn, so that its start is over. ``played``: the notes that were
    played at the start of a seat's last turn. Both outlast the turn, which may be given back.
    """

    over: frozenset[str] = frozenset()
    played: frozenset[tuple[str, str]] = frozenset()

    def without(self, seat: str) -> TurnBegun:
        played = frozenset((each, note) for each, note in self.played if each != seat)
        return TurnBegun(self.over - {seat}, played)

    def renamed(self, before: str, now: str) -> TurnBegun:
        named = {before: now}
        over = frozenset(named.get(seat, seat) for seat in self.over)
        return TurnBegun(over, frozenset((named.get(seat, seat), note) for seat, note in self.played))


@dataclass(frozen=True, slots=True)
class TradeCard(StatePart):
    """The last time that somebody played the strategy card Trade; see `bot.games.ti4.trade_card`.

    ``number`` is that of its entry, 0 for never. ``seat`` played it and let ``chosen`` replenish. ``done`` are the
    seats that have replenished by it, and how much each got. ``current``: its turn is not over.
    """

    number: int = 0
    seat: str = ""
    chosen: tuple[str, ...] = ()
    done: tuple[tuple[str, int], ...] = ()
    current: bool = False

    @property
    def waiting(self) -> list[str]:
        """The chosen seats that have not replenished."""
        return [seat for seat in self.chosen if seat not in dict(self.done)]

    def vacated(self, seat: str) -> TradeCard:
        return replace(self, chosen=tuple(each for each in self.chosen if each != seat or each in dict(self.done)))

    def without(self, seat: str) -> TradeCard:
        return TradeCard() if seat == self.seat or seat in self.chosen or seat in dict(self.done) else self

    def renamed(self, before: str, now: str) -> TradeCard:
        named = {before: now}
        done = tuple((named.get(seat, seat), amount) for seat, amount in self.done)
        chosen = tuple(named.get(seat, seat) for seat in self.chosen)
        return replace(self, seat=named.get(self.seat, self.seat), chosen=chosen, done=done)

    def window_over(self) -> TradeCard:
        return replace(self, current=False) if self.current else self


@dataclass(frozen=True, slots=True)
class TurnTrades:
    """The pairs that have traded in a turn of ``seat``, kept in case the turn is given back. ``parted``: see `Map`."""

    seat: str
    used: frozenset[Pair] = frozenset()
    parted: frozenset[Pair] = frozenset()

    def renamed(self, before: str, now: str) -> TurnTrades:
        """Return the same with the seat ``before`` replaced by ``now``."""
        used, parted = renamed_pairs(self.used, before, now), renamed_pairs(self.parted, before, now)
        return TurnTrades(now if self.seat == before else self.seat, used, parted)


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """An action phase that has ended: the seats that had passed, the last turn, and the order of play."""

    passed: frozenset[str]
    last: TurnTrades | None
    order: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Round(StatePart):
    """The order of play, and the progress of the round; see `bot.games.ti4.turns`.

    ``order``: the initiative order of this round, empty if nobody has said it; a seat that it leaves out comes after
    it. ``passed``: seats that have passed for the round. ``last``: the previous turn in this action phase.
    ``interrupted``: turns that continue later, because an earlier turn was given back during them. ``played``: the
    action phase before this status phase, kept in case a pass is taken back.
    """

    order: tuple[str, ...] = ()
    passed: frozenset[str] = frozenset()
    last: TurnTrades | None = None
    interrupted: tuple[TurnTrades, ...] = ()
    played: PlayedRound | None = None

    def without(self, seat: str) -> Round:
        order = tuple(each for each in self.order if each != seat)
        return replace(self, order=order, passed=self.passed - {seat})

    def renamed(self, before: str, now: str) -> Round:
        def seats(found: frozenset[str]) -> frozenset[str]:
            return frozenset(now if each == before else each for each in found)

        def trades(turn: TurnTrades | None) -> TurnTrades | None:
            return turn.renamed(before, now) if turn else None

        def ordered(order: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(now if each == before else each for each in order)

        played = self.played
        return Round(
            order=ordered(self.order),
            passed=seats(self.passed),
            last=trades(self.last),
            interrupted=tuple(each.renamed(before, now) for each in self.interrupted),
            played=PlayedRound(seats(played.passed), trades(played.last), ordered(played.order)) if played else None,
        )


@dataclass(frozen=True, slots=True)
class Agenda(StatePart):
    """The title of the current agenda, whether in the agenda phase or within a turn; None for none."""

    title: str | None = None

    def window_over(self) -> Agenda:
        return Agenda()


@dataclass(frozen=True, slots=True)
class Permit:
    """Rules that a host has lifted because of a card.

    ``seats``: it holds for trades between two seats, of one seat with anybody, or (empty) of everybody. ``once``: it
    ends when it is used. ``until``: it ends with the turn or agenda ("window"), or only when a host revokes it.
    ``components``: the components that it allows if it lifts "goods", empty for all. ``card``: the id of a known card,
    whose name is then the reason.
    """

    number: int
    seats: tuple[str, ...]
    lifts: tuple[Lift, ...]
    once: bool
    reason: str
    components: tuple[str, ...] = ()
    until: Literal["window", "revoked"] = "revoked"
    card: str = ""


@dataclass(frozen=True, slots=True)
class InForce(StatePart):
    """The permits in force; see `bot.games.ti4.permits`. ``granted`` is the number of the last permit."""

    permits: tuple[Permit, ...] = ()
    granted: int = 0

    def without(self, seat: str) -> InForce:
        return self.ended(lambda permit: seat in permit.seats)

    def renamed(self, before: str, now: str) -> InForce:
        def seats(permit: Permit) -> tuple[str, ...]:
            return tuple(now if each == before else each for each in permit.seats)

        return replace(self, permits=tuple(replace(permit, seats=seats(permit)) for permit in self.permits))

    def window_over(self) -> InForce:
        return self.ended(lambda permit: permit.until == "window")

    def ended(self, over: Callable[[Permit], bool]) -> InForce:
        """Return the part without the permits that are ``over``."""
        left = tuple(permit for permit in self.permits if not over(permit))
        return self if left == self.permits else replace(self, permits=left)


@dataclass(frozen=True, slots=True)
class OutOfGame(StatePart):
    """The seats that have been eliminated; see `bot.games.ti4.departures`."""

    seats: frozenset[str] = frozenset()

    def without(self, seat: str) -> OutOfGame:
        return OutOfGame(self.seats | {seat})


def apart(pairs: frozenset[Pair], seat: str) -> frozenset[Pair]:
    """Return the pairs without this seat."""
    return frozenset(two for two in pairs if seat not in two)


def renamed_pairs(pairs: frozenset[Pair], before: str, now: str) -> frozenset[Pair]:
    """Return the pairs with the seat ``before`` replaced by ``now``."""
    return frozenset(pair(now if a == before else a, now if b == before else b) for a, b in pairs)


def out_of_game(table: Table) -> frozenset[str]:
    """Return the seats that have left the game for good: eliminated, or turned into another faction."""
    return part(table, OutOfGame).seats.union(table.became)


def are_neighbors(table: Table, first: str, second: str) -> bool:
    """Return whether two seats are neighbours on the board now."""
    return pair(first, second) in part(table, Map).neighbors


def in_combat(table: Table, first: str, second: str) -> bool:
    """Return whether two seats fight each other in the active system."""
    return pair(first, second) in part(table, Combat).pairs


def meet(table: Table, first: str, second: str) -> bool:
    """Return whether two seats are neighbours now [60.1]: on the board, or in combat in the active system."""
    return are_neighbors(table, first, second) or in_combat(table, first, second)


def active_seat(table: Table) -> str | None:
    """Return the seat whose turn it is, in the action phase."""
    return table.window.holder if table.window.kind == "turn" else None


def voted_on(table: Table) -> str | None:
    """Return the title of the agenda that is voted on within the current turn; None for none."""
    return part(table, Agenda).title if table.window.kind == "turn" else None


def turn_order(table: Table) -> list[str]:
    """Return the taken seats: those of this round's order of play, then the others as they sat down."""
    seated = table.seated()
    order = [seat for seat in part(table, Round).order if seat in seated]
    return order + [seat for seat in seated if seat not in order]


def up_next(table: Table, after: str | None) -> list[str]:
    """Return the seats that may have the next turn: none when all have passed.

    Where the order of play was said, it is the next in order that has not passed; else every other that has not passed.
    It is ``after`` itself when it is the only one left.
    """
    order, now = turn_order(table), part(table, Round)
    if not now.order:
        left = [seat for seat in order if seat not in now.passed]
        return [seat for seat in left if seat != after] or left
    start = order.index(after) + 1 if after in order else 0
    return [seat for seat in order[start:] + order[:start] if seat not in now.passed][:1]


def next_seat(table: Table, after: str | None) -> str | None:
    """Return the seat that has the next turn; None when all have passed, or when it depends on an order nobody said."""
    found = up_next(table, after)
    return found[0] if len(found) == 1 else None
