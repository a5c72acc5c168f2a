"""Two tables that agree on everything one viewer may know: doing the same and comparing.

``twins.py`` of each game says how the two begin, and how the secrets of a command differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from random import Random
from typing import Literal, get_args

from bot.rules.apply import replay
from bot.rules.commands import Caller
from bot.rules.entries import Entry
from bot.rules.features.audits import Audit
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.offers.entries import HandOverUndone, OfferVoided, Transaction
from bot.rules.features.offers.signing import HaveThem
from bot.rules.features.seats import Leave, Sit
from bot.rules.model.values import frozen
from bot.rules.model.violation import Refused
from bot.rules.viewers import everybody, person_viewer, room
from bot.rules.views import Viewer
from bot.rules.visible_entry import redact
from bot.rules.visible_table import see
from bot.testing import looks
from bot.testing.makers import likely
from bot.testing.world import EVERYONE, Ask, Decision, World, look_by

Who = Literal[
    "player",
    "seated host",
    "host who looks on",
    "spectator",
    "everybody",
    "former player",
    "successor",
    "overheard",
    "room",
    "moderator",
    "moderator who has not looked",
]
"""Kinds of viewers. ``everybody`` and ``room`` are places. Others read an ``overheard`` card."""

NOT_LOOKED: tuple[Who, ...] = ("host who looks on", "moderator who has not looked")
"""Hosts and moderators who have not looked at hands. They try every command."""

WHOS: tuple[Who, ...] = get_args(Who)

HOST, PLAYER, LOOKS_ON, NEWCOMER, MODERATOR = 1, 2, 11, 12, 13
"""Numbers of people. The newcomer sits down late."""

ROOM = 1
"""The negotiation whose thread is the viewer ``room``."""

SITS: tuple[Who, ...] = ("player", "seated host", "former player", "overheard")


def person_of(who: Who) -> int:
    """Return the number of this viewer; 0 for a place."""
    persons: dict[Who, int] = {
        "seated host": HOST,
        "successor": NEWCOMER,
        "host who looks on": LOOKS_ON,
        "spectator": LOOKS_ON,
        "moderator": MODERATOR,
        "moderator who has not looked": LOOKS_ON,
        "everybody": 0,
        "room": 0,
    }
    return persons.get(who, PLAYER)


@dataclass
class Pair:
    """Two worlds that are the same for one viewer.

    ``swapped``: two cards that have changed places wherever the viewer may not look; None: anything
    may differ there.
    """

    who: Who
    dice: Random
    swapped: tuple[str, str] | None = None
    one: World = field(default_factory=World)
    other: World = field(default_factory=World)
    done: list[tuple[Ask, Ask]] = field(default_factory=list)
    met: Counter[str] = field(default_factory=Counter)

    @property
    def worlds(self) -> tuple[World, World]:
        return self.one, self.other

    @property
    def me(self) -> int:
        return person_of(self.who)

    @property
    def caller(self) -> Caller:
        """The viewer as a caller."""
        moderators = ("seated host", "moderator", "moderator who has not looked")
        return Caller(self.me, moderator=self.who in moderators)

    @property
    def seat(self) -> str | None:
        """The seat whose secrets the viewer knows now."""
        if not self.me or self.who == "overheard":
            return None
        seat = self.one.table.seat_of(self.me)
        return seat.id if seat else None

    def mine(self, *seats: str | None) -> bool:
        """Return whether one of these is the viewer's seat."""
        return self.seat is not None and self.seat in seats

    def is_me(self, ask: Ask) -> bool:
        """Return whether the viewer gives this command, and nobody reads along."""
        return ask.person == self.me != 0 and self.who != "overheard"

    def room_of(self, negotiation: int | None) -> bool:
        """Return whether the viewer is the thread of this negotiation."""
        return self.who == "room" and negotiation == ROOM

    def viewer(self, world: World) -> Viewer:
        """Return the viewer at one of the worlds."""
        table = world.table
        match self.who:
            case "everybody":
                return everybody(table, EVERYONE)
            case "room":
                return room(table, EVERYONE, ROOM)
            case "overheard":
                return replace(person_viewer(table, EVERYONE, Caller(self.me)), shared=True)
            case "moderator":
                return person_viewer(table, EVERYONE, self.caller, look=look_by(self.me))
        # once they have sat, that shows no more
        look = look_by(self.me) if self.who in SITS else None
        return person_viewer(table, EVERYONE, self.caller, look=look)

    # ---------------------------------------------------------------- doing

    def both(self, play: PairMoves, ask: Ask, instead: Ask | None = None) -> bool:
        """Do a command at one world and its counterpart at the other. Return whether it was done.

        It is not done if the viewer may learn from it how the worlds differ.
        """
        asks = (ask, instead or ask)
        answers = [world.answer(asked) for world, asked in zip(self.worlds, asks, strict=True)]
        if self.is_me(ask) and not parts_gone(answers):
            alike = said(answers[0]) == said(answers[1])
            assert alike or play.tells(self, ask), (asks, answers)
        refused = [isinstance(answer, Refused) for answer in answers]
        if any(refused):
            assert all(refused) or play.rests_on_secrets(self, ask, answers), (asks, answers)
            return all(refused)
        if parts_gone(answers) or only_declared(answers, ask) or self._shows_more(answers):
            return False
        self.add(answers, asks)
        return True

    def add(self, answers: Sequence[Decision], asks: tuple[Ask, Ask]) -> None:
        """Record each answer's entries in its world. Count trades and differences."""
        for world, entries, ask in zip(self.worlds, answers, asks, strict=True):
            assert not isinstance(entries, Refused)
            world.add(entries, ask.caller)
        self.done.append(asks)
        for one, other in zip(*answers, strict=False):
            if isinstance(one, Transaction):
                whose = "mine" if self.mine(*one.parties()) else "others"
                what = "the same" if one == other else "other cards"
                self.met[f"trades: {whose}, {what}"] += 1
            elif one != other:
                self.met["other entries"] += 1
        one_table, other_table = self.one.table, self.other.table
        hands = [seat.holdings for seat in one_table.seats.values()]
        other_hands = [seat.holdings for seat in other_table.seats.values()]
        self.met["other hands"] += hands != other_hands
        sizes = [hand.total() for hand in hands]
        self.met["hands of other sizes"] += sizes != [hand.total() for hand in other_hands]

    def _shows_more(self, answers: Sequence[Decision]) -> bool:
        """Return whether the viewer, as a party, would learn other things in the other world."""
        seen: list[list[Entry]] = []
        for world, entries in zip(self.worlds, answers, strict=True):
            assert not isinstance(entries, Refused)
            seq = world.table.seq + 1
            own = [entry for entry in entries if self.mine(*entry.parties())]
            seen.append([redact(entry, self.viewer(world), seq) for entry in own])
        return seen[0] != seen[1]


def said(answer: Decision) -> object:
    """Return what the caller is told: the refusal, or that it was done."""
    if isinstance(answer, Refused):
        return answer.violation, answer.options
    return [entry.kind for entry in answer]


def parts_gone(answers: Sequence[Decision]) -> bool:
    """Return whether there is a trade in one world, and in the other a hand lacks its goods.

    By the rules all see that, so such a step is not taken.
    """
    if any(isinstance(answer, Refused) for answer in answers):
        return False
    one, other = map(kinds_of, answers)
    return one != other and not {OfferVoided, HandOverUndone}.isdisjoint((*one, *other))


def kinds_of(answer: Decision) -> list[type[Entry]]:
    """Return the kinds of the entries of an answer; none for a refusal."""
    return [] if isinstance(answer, Refused) else [type(entry) for entry in answer]


def only_declared(answers: Sequence[Decision], ask: Ask) -> bool:
    """Return whether **I do have them** leads to a trade in one world only.

    In the other its presser lacks something that can't be declared. All see that there is no trade,
    so such a step is not taken.
    """
    one, other = map(kinds_of, answers)
    return isinstance(ask.command, HaveThem) and len(one) != len(other)


# ---------------------------------------------------------------- comparing


def same(pair: Pair, since: int, *, at_length: bool = False) -> None:
    """Compare everything that the viewer sees in both worlds, with the entries after ``since``."""
    looking = [(world, pair.viewer(world)) for world in pair.worlds]
    compare(pair, [looks.short_looks(world, viewer, since) for world, viewer in looking])
    if at_length:
        compare(pair, [looks.told_at_length(world, viewer) for world, viewer in looking])


def compare(pair: Pair, seen: Iterable[Iterator[looks.Look]]) -> None:
    """Raise `AssertionError` for the first view that differs, with the differences."""
    for (what, one), (_, other) in zip(*seen, strict=True):
        if one != other:
            how = "; ".join(differences(one, other))
            raise AssertionError(f"{pair.who} sees {what}: {how} after {pair.done[-1:]}")


def differences(one: object, other: object, path: str = "") -> Iterator[str]:
    """Yield where two values differ, for a message that can be read."""
    parts, other_parts = pieces_of(one), pieces_of(other)
    if type(one) is type(other) and parts and parts.keys() == other_parts.keys():
        for key, part in parts.items():
            yield from differences(part, other_parts[key], f"{path}{key}")
    elif one != other:
        yield f"{path}: {one!r} but {other!r}"


def pieces_of(value: object) -> dict[str, object]:
    """Return what a value consists of, by the way to it; nothing for a plain value."""
    match value:
        case Entry():
            return {f"[{name!r}]": part for name, part in value}
        case Mapping():
            return {f"[{key!r}]": part for key, part in value.items()}
        case tuple() | list():
            return {f"[{place}]": part for place, part in enumerate(value)}
    if is_dataclass(value):
        return {f".{field.name}": getattr(value, field.name) for field in fields(value)}
    return {}


# ---------------------------------------------------------------- a life


@frozen
class PairMoves:
    """How pairs of tables of one game are played.

    ``made`` makes a random command, ``steps`` does it at both tables. ``evens`` makes both hands of
    a seat the same, before another person takes it over. ``probes`` are commands that the viewer
    may try after each step, to learn from how they are refused. ``rests_on_secrets``: a command may
    be refused in one world only, as its caller knows something that the viewer does not. ``tells``:
    by the rules, the answer tells the caller about another's hand.
    """

    made: Callable[[Pair], Ask]
    steps: Callable[[Pair, Ask], bool]
    evens: Callable[[Pair, str], bool]
    probes: Callable[[Pair], list[Ask]]
    rests_on_secrets: Callable[[Pair, Ask, list[Decision]], bool]
    tells: Callable[[Pair, Ask], bool]


def play_pair(
    pair: Pair,
    play: PairMoves,
    life: int,
    *,
    at_length: int,
    probes: int,
    after: Callable[[], object] = lambda: None,
) -> None:
    """Play ``life`` commands. After each, compare the worlds and call ``after``.

    After every ``at_length`` of them, compare everything long too. ``probes``: how many commands
    the viewer tries.
    """
    seen, moves = 0, life // 2
    for number in range(1, life + 1):
        if number >= moves and _changes_chairs(pair, play):
            moves = life + 1
        ask = play.made(pair)
        if pair.who in NOT_LOOKED and likely(pair.dice, 25):
            ask = Ask(ask.command, replace(pair.caller, at=ask.caller.at))
        if not _left_out(pair, ask):
            play.steps(pair, ask)
        long = number % at_length == 0 or number == life
        if long or seen < len(pair.one.recorded):
            same(pair, seen, at_length=long)
            seen = len(pair.one.recorded)
            _same_when_tried(pair, play, 10**6 if long else probes)
        after()


def _left_out(pair: Pair, ask: Ask) -> bool:
    """Return whether this would change the viewer's seat, or let them look at hands."""
    command = ask.command
    if isinstance(command, Audit):
        return pair.who in NOT_LOOKED and ask.person == pair.me
    if isinstance(command, Sit):
        return (command.person or ask.person) in (pair.me, HOST, LOOKS_ON, NEWCOMER, MODERATOR)
    if isinstance(command, Leave):
        table = pair.one.table
        seat = table.seats.get(command.seat) if command.seat else table.seat_of(ask.person)
        return seat is not None and seat.person in (pair.me, HOST)
    return False


def _changes_chairs(pair: Pair, play: PairMoves) -> bool:
    """Have a former player leave, or a successor sit down. Return whether all is done."""
    table = pair.one.table
    if pair.who == "former player" and pair.seat:
        return pair.both(play, Ask(Leave(), Caller(pair.me)))
    if pair.who == "successor" and pair.seat is None:
        others = [seat for seat in table.seated() if table.seats[seat].person != HOST]
        seat = pair.dice.choice(others or [""])
        if not seat or not play.evens(pair, seat):
            return False
        hands = [world.table.seats[seat].holdings for world in pair.worlds]
        assert hands[0] == hands[1]
        leaver = Caller(table.seats[seat].person or 0)
        assert pair.both(play, Ask(Leave(), leaver))
        assert pair.both(play, Ask(Sit(seat), Caller(NEWCOMER)))
        pair.met["took over"] += 1
    return True


def _same_when_tried(pair: Pair, play: PairMoves, most: int) -> None:
    """Try up to ``most`` commands of the viewer: both worlds answer each alike."""
    if pair.seat is None and not pair.me:
        return
    probes = play.probes(pair)
    for probe in pair.dice.sample(probes, min(most, len(probes))):
        answers = [world.answer(probe) for world in pair.worlds]
        if parts_gone(answers) or play.tells(pair, probe):
            continue
        assert said(answers[0]) == said(answers[1]), (probe, answers)
        if pair.who in NOT_LOOKED and isinstance(probe.command, SetHoldings):
            views = []
            for world, answer in zip(pair.worlds, answers, strict=True):
                entries = () if isinstance(answer, Refused) else answer
                views.append(see(replay(entries, world.table), pair.viewer(world)))
            assert views[0] == views[1], (probe, [*differences(views[0], views[1])])
