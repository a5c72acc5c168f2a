"""What a press shows is what it does: what people were shown is kept, and pressed again later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from random import Random
from typing import Any

from bot.delivery.desired import Board, Desired, user_of
from bot.delivery.planner import plan
from bot.rules.apply import apply
from bot.rules.commands import Caller, Press
from bot.rules.entries import Entry, number_in
from bot.rules.features.deals import DealVoided
from bot.rules.features.negotiations import NegotiationClosed
from bot.rules.features.offers.entries import OfferPosted, OfferVoided
from bot.rules.features.tables import SettingsChanged, TableClosed, TableClosing
from bot.rules.game import Game
from bot.rules.model.actions import Action, Choice
from bot.rules.model.parts import StatePart
from bot.rules.model.table import Table
from bot.rules.model.values import frozen
from bot.rules.registry import game_of
from bot.show.actions import AskForgive, AskPay, AskSetOff, BoardPress, SeatOrder
from bot.show.cards import Card, Select
from bot.testing.generated import made_by
from bot.testing.handled import Hands
from bot.testing.makers import Makers, likely
from bot.testing.presented import briefing_of
from bot.testing.world import World

QUESTIONS = (AskForgive, AskPay, AskSetOff, SeatOrder)
"""The core's actions that ask, beside those of games: what is asked is about what the button
said.
"""

ENDS_OF_TABLE = (TableClosing, TableClosed)
"""What ends a table, and with it what can be pressed there."""

ENDED = (OfferVoided, DealVoided, NegotiationClosed)
"""What ends with what a command does."""

PRESSED = 60
"""How often, of a hundred acts, something that was shown a moment ago is pressed."""

COMMANDS = 50
"""How often, of a hundred presses, it is on the board, or else a button with a command."""

LATEST, AGAIN = 100, 30
"""How much of what was shown counts as a moment ago; and how much is pressed after each act."""

LOOKED_AT = 12
"""The most kinds of buttons that a person presses at once to look around."""

LINES = 2
"""How many lines of a menu are kept: choosing one only shows what would follow."""


@frozen
class ShownButton:
    """A button or a line of a menu that a person was shown: its label, and what it carries."""

    person: int
    label: str
    action: Action
    chosen: str = ""

    @property
    def carried(self) -> Any:
        return self.action.command if isinstance(self.action, Press) else self.action

    @property
    def sort(self) -> object:
        """What kind of button it is."""
        return type(self.carried), getattr(self.carried, "what", None)

    @property
    def since(self) -> int | None:
        """The entry that began what it says it is about; None if it does not say."""
        return getattr(self.carried, "since", None)

    def names(self, table: Table) -> bool:
        """Return whether it says which seat it is about."""
        values = [getattr(self.carried, each.name) for each in fields(self.carried)]
        return any(isinstance(value, str) and value in table.seats for value in values)

    @property
    def data(self) -> dict[str, Any]:
        return {"values": [self.chosen]} if isinstance(self.action, Choice) else {}


def on(person: int, card: Card) -> Iterator[ShownButton]:
    """Yield the buttons and menu lines of a card."""
    for row in card.rows:
        if isinstance(row, Select):
            for label, value in row.options[:LINES]:
                yield ShownButton(person, label, row.action, value)
        elif not isinstance(row, str):
            for button in row:
                if not button.disabled:
                    yield ShownButton(person, button.label, button.action)


class Drawer:
    """What people were shown at a table, each with the number of the entry after which it was."""

    def __init__(self, game: Game) -> None:
        self.hands, self._opens = Hands(game), (*QUESTIONS, *game.features.opens)
        self.kept: dict[ShownButton, int] = {}
        self.board: list[ShownButton] = []

    # ------------------------------------------------------------ what is shown

    def keep(self, world: World, since: int, dice: Random) -> None:
        """Keep what the messages after the entries since this one show, and what somebody finds who
        looks around.
        """
        table = world.table
        people = [seat.person for seat in table.seats.values() if seat.person]
        for step in plan(briefing_of(world, since), {}):
            if isinstance(step, Desired):
                readers = {*people, table.host}
                if user := user_of(step):
                    readers = {user - 1000}
                for person in readers:
                    self._keep(world, on(person, step.card))
                if isinstance(step.subject, Board):
                    self.board = []
                    for person in readers:
                        self.board += on(person, step.card)
        if people:
            self._look_around(world, dice.choice([*people, table.host]), dice)

    def _keep(self, world: World, shown: Iterable[ShownButton]) -> None:
        for each in shown:
            self.kept.setdefault(each, world.table.seq)

    def _look_around(self, world: World, person: int, dice: Random) -> None:
        """Have a person press what only shows or asks something, and then what that shows."""
        table = world.table.id
        waiting = [ShownButton(person, "Menu", BoardPress(table, "more"))]
        waiting += [ShownButton(person, "My goods", BoardPress(table, "goods"))]
        waiting += [ShownButton(person, "Debts", BoardPress(table, "debts"))]
        waiting += [each for each in self.kept if each.person == person][-LATEST:]
        seen = set[object]()
        while waiting and len(seen) < LOOKED_AT:
            shown = waiting.pop(dice.randrange(len(waiting)))
            if shown.sort in seen or isinstance(shown.action, Press):
                continue
            seen.add(shown.sort)
            for card in self.hands.press(world, person, shown.action, shown.data).cards:
                found = [*on(person, card)]
                self._keep(world, found)
                waiting += found

    # ------------------------------------------------------------ what it does later

    def latest(self, dice: Random) -> ShownButton | None:
        """Return something that was shown a moment ago, mostly on the board, or a button with a
        command; None if nothing was.
        """
        latest = [*self.kept][-LATEST:]
        if self.board and likely(dice, COMMANDS):
            return dice.choice(self.board)
        if likely(dice, COMMANDS):
            latest = [shown for shown in latest if isinstance(shown.action, Press)]
        return _any(latest, dice) if latest else None

    def some(self, dice: Random) -> Iterator[ShownButton]:
        """Yield some of what is kept: of each kind as often as of others."""
        kept = _by_sort(self.kept)
        for kind in dice.choices(kept, k=AGAIN if kept else 0):
            yield dice.choice(kind)

    def taps_twice(self, world: World, shown: ShownButton) -> Iterator[str]:
        """Press it, record what it does, and press it again."""
        done = self.hands.done(world, shown.person, shown.action, shown.data).entries
        if done and not any(isinstance(entry, ENDS_OF_TABLE) for entry in done):
            world.add(done, Caller(shown.person, at=world.at))
            yield from self.press(world, shown)

    def press(self, world: World, shown: ShownButton) -> Iterator[str]:
        """Press it now, and record nothing. Yield in a sentence what it is about instead of what it
        said.
        """
        now = self._moment(world, shown)
        if not now.done:
            return
        seq = self.kept[shown]
        then = self._moment(world.as_of(seq), shown)
        if any(entries[0].repeats for entries in (*now.done, *then.done)):
            return
        asks = not isinstance(shown.action, Press)
        first = replace(now, done=now.done[:1])
        if why := another(then, first, shown.since, asks=asks, names=shown.names(now.table)):
            yield (
                f"“{shown.label}” ({shown.action}), shown to person {shown.person} after entry "
                f"{seq}, does after entry {now.table.seq}: {now.done[0][0]!r}; {why}"
            )

    def _moment(self, world: World, shown: ShownButton) -> Moment:
        seat = world.table.seat_of(shown.person)
        done = tuple(self._might(world, shown))
        return Moment(world.table, seat.id if seat else "", done)

    def _might(self, world: World, shown: ShownButton) -> Iterator[Sequence[Entry]]:
        """Yield the entries of what the press does, or of each answer to what it asks."""
        hands, person = self.hands, shown.person
        answered = hands.done(world, person, shown.action, shown.data)
        if answered.entries:
            yield answered.entries
        for card in answered.cards if self._asks(shown) else ():
            for answer in on(person, card):
                if isinstance(answer.action, Press):
                    done = hands.done(world, person, answer.action).entries
                    if done:
                        yield done

    def _asks(self, shown: ShownButton) -> bool:
        """Return whether it asks about what it says; a menu's line only shows what would follow."""
        return isinstance(shown.action, self._opens) and not isinstance(shown.action, Choice)


def _by_sort(shown: Iterable[ShownButton]) -> list[list[ShownButton]]:
    sorts: dict[object, list[ShownButton]] = {}
    for each in shown:
        sorts.setdefault(each.sort, []).append(each)
    return [*sorts.values()]


def _any(shown: Sequence[ShownButton], dice: Random) -> ShownButton:
    return dice.choice(dice.choice(_by_sort(shown)))


# ---------------------------------------------------------------- a table


ASKED = 10
"""How many random commands are tried until one is allowed."""


def _act(world: World, makers: Makers, dice: Random) -> None:
    for _ in range(ASKED):
        before = world.table
        world.tries(made_by(makers, before, dice))
        if world.table is not before:
            return


def breaches(world: World, makers: Makers, dice: Random, acts: int) -> Iterator[str]:
    """Play a table with random commands and presses. Yield, in sentences, what presses later are
    about instead of what they said.
    """
    drawer, since = Drawer(game_of(world.table)), 0
    for _ in range(acts):
        if not world.table.open:
            return
        before, shown = world.table, drawer.latest(dice)
        if shown is not None and likely(dice, PRESSED):
            yield from drawer.taps_twice(world, shown)
        else:
            _act(world, makers, dice)
        if world.table is not before:
            drawer.keep(world, since, dice)
            since = world.table.seq
            for each in drawer.some(dice):
                yield from drawer.press(world, each)


# ---------------------------------------------------------------- the law


@frozen
class Moment:
    """A table, whose ``own`` seat the presser's is, and what the press does there: the entries of
    its command or, where it asks, of each answer.
    """

    table: Table
    own: str
    done: Sequence[Sequence[Entry]]

    def said(self, entry: Entry, now: Table, *, seats: bool) -> dict[str, object]:
        """Return the people, phases, directions and ``seats`` that an entry names, each seat by the
        faction that it is ``now``.
        """
        known = {*game_of(self.table).info.phases}
        if seats:
            known.update(self.table.seats)
        said: dict[str, object] = {}
        for name, value in entry:
            # what was added later, or follows from the table, has a default
            direction = isinstance(value, bool) and type(entry).model_fields[name].is_required()
            if direction or name == "person" or (isinstance(value, str) and value in known):
                said[name] = "own" if value == self.own else _renamed(now, value)
        return said


def _renamed(now: Table, value: object) -> object:
    while isinstance(value, str) and value in now.became:
        value = now.became[value]
    return value


def another(then: Moment, now: Moment, since: int | None, *, asks: bool, names: bool) -> str:
    """Return why what is done ``now`` is about something else than what was meant ``then``; empty
    if it is not.

    ``since`` is as in `ShownButton`. Where the press ``asks``, the answer is the person's own. One
    that ``names`` no seat, and is about what goes on, leaves open who is next.
    """
    about = _own(now.done[0])
    seats = names or since not in beginnings(then.table) & beginnings(now.table)
    meant = [_own(each) for each in then.done]
    if meant and not any(alike(then, now, each, about, asks=asks, seats=seats) for each in meant):
        found = list[Entry]()
        for each in then.done:
            found += _common(then, now, each, asks=asks)
        if not found:
            return f"then it would have recorded {then.done[0][0]!r}"
        about = found[0]
    subject = about.subject()
    number = number_in(subject, "offer") if subject else None
    offers = [moment.table.offers.get(number or 0) for moment in (then, now)]
    if all(offers):
        was, is_ = (offer.revision for offer in offers if offer is not None)
        return f"offer {number} was at revision {was}, and is at {is_}" if was != is_ else ""
    if since in beginnings(then.table) and since not in beginnings(now.table):
        return f"what began with entry {since} is over"
    lasts = subject is not None or isinstance(about, SettingsChanged)
    turn = not lasts and since in (None, then.table.window.since)
    for what, before, after in begun_by(then.table, now.table, about, turn=turn):
        if before != after:
            return f"{what} of then began with entry {before}, that of now with {after}"
    return ""


def beginnings(table: Table) -> set[int | None]:
    """Return the numbers of the entries that began what goes on."""
    return {table.since, table.phase_since, table.window.since, *parts_begun(table).values()}


def parts_begun(table: Table) -> dict[str, int]:
    """Return the numbers of the entries that began what parts of the state are about, by name."""
    found = {}
    for name in vars(type(table.state)).get("__dataclass_fields__", ()):
        since = getattr(getattr(table.state, name), "since", None)
        if isinstance(since, int):
            found[name] = since
    return found


def _own(done: Sequence[Entry]) -> Entry:
    """Return the entry that a command is for: about an offer or the like, else its first. What ends
    with it does not count.
    """
    acts = [entry for entry in done if not isinstance(entry, ENDED)]
    of_something = [entry for entry in acts if entry.subject() is not None]
    return (of_something or acts or done)[0]


def _common(then: Moment, now: Moment, meant: Sequence[Entry], *, asks: bool) -> Iterator[Entry]:
    """Yield the entry that was meant first, or is done first, if it is among those of the other.

    What a command ends before its own entry, such as offers, may differ.
    """
    [done] = now.done
    for entry in done:
        if alike(then, now, meant[0], entry, asks=asks):
            yield entry
    if any(alike(then, now, each, done[0], asks=asks) for each in meant):
        yield done[0]


def begun_by(
    then: Table, now: Table, entry: Entry, *, turn: bool
) -> Iterator[tuple[str, int, int]]:
    """Yield what an entry changes that begins and ends: its name, and the number of the entry that
    began it, then and now. ``turn``: also where it changes only what ends with the turn.
    """
    after = apply(now, entry)
    if (now.open, now.closing, now.paused) != (after.open, after.closing, after.paused):
        yield "the pause", then.since, now.since
    if now.phase_since != after.phase_since:  # also the same phase anew, or one taken back
        yield "the phase", then.phase_since, now.phase_since
    elif now.window.number != after.window.number or (turn and _of_the_turn(now, after)):
        yield "the turn", then.window.since, now.window.since
    if turn and now.window == after.window and not entry.seats():  # a vote within a turn
        was, is_, becomes = (parts_begun(table) for table in (then, now, after))
        for name in is_:
            if is_[name] != becomes[name]:
                yield name, was[name], is_[name]


def _of_the_turn(now: Table, after: Table) -> bool:
    """Return whether something has changed that will be gone with the turn."""
    for name in vars(type(now.state)).get("__dataclass_fields__", ()):
        before, changed = getattr(now.state, name), getattr(after.state, name)
        part_of_state = before != changed and isinstance(before, StatePart)
        if part_of_state and before.window_over() == changed.window_over():
            return True
    return False


def alike(
    then: Moment, now: Moment, meant: Entry, entry: Entry, *, asks: bool, seats: bool = True
) -> bool:
    """Return whether an entry is about the same as the one that was meant, and the same
    ``seats``.
    """
    subject = meant.subject()
    if type(meant) is not type(entry):  # *Accept* may agree or trade
        of_one = subject is not None and subject == entry.subject()
        return of_one or entry.seats() == meant.seats() != frozenset()
    if asks or isinstance(entry, OfferPosted):
        return True  # a button holds the offer, or the number of the one that it repeats
    was = then.said(meant, now.table, seats=seats)
    is_ = now.said(entry, now.table, seats=seats)
    # who it would be was not known then: nobody had bid
    known = {name: value for name, value in is_.items() if getattr(meant, name) != ""}
    return subject == entry.subject() and (meant == entry or was == known)
