"""What a press shows is what it does: what people were shown is kept, and pressed again later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from bot.delivery.desired import Desired, DirectMessages
from bot.delivery.planner import plan
from bot.rules.apply import apply
from bot.rules.commands import Caller, Press
from bot.rules.entries import Entry, number_in
from bot.rules.features.deals import DealVoided
from bot.rules.features.negotiations import NegotiationClosed
from bot.rules.features.offers.entries import OfferPosted, OfferVoided
from bot.rules.features.tables import TableClosed, TableClosing
from bot.rules.game import Game
from bot.rules.model.actions import Action, Choice
from bot.rules.model.parts import StatePart
from bot.rules.model.table import Table
from bot.rules.registry import game_of
from bot.show.actions import AskForgive, AskPay, AskSetOff, BoardPress, SeatOrder
from bot.show.cards import Card, Select
from bot.testing.generated import made_by
from bot.testing.handled import Answered, Hands
from bot.testing.makers import Makers, likely
from bot.testing.presented import briefing_of
from bot.testing.world import World

QUESTIONS = (AskForgive, AskPay, AskSetOff, SeatOrder)
"""The core's actions that ask, beside those of games: what is asked is about what the button
said.
"""

ENDS = (TableClosing, TableClosed)
"""What ends a table, and with it what can be pressed there."""

ENDED = (OfferVoided, DealVoided, NegotiationClosed)
"""What ends with what a command does."""

PRESSED = 40
"""How often, of a hundred acts, something that was shown a moment ago is pressed."""

LATEST, AGAIN = 60, 20
"""How much of what was shown counts as a moment ago; and how much is pressed after each act."""

LOOKED_AT = 40
"""The most buttons that a person presses at once to look around."""


@dataclass(frozen=True)
class Shown:
    """A button or a line of a menu that a person was shown: its label, and what it carries."""

    person: int
    label: str
    action: Action
    chosen: str = ""

    @property
    def data(self) -> dict[str, Any]:
        return {"values": [self.chosen]} if isinstance(self.action, Choice) else {}


def on(person: int, card: Card) -> Iterator[Shown]:
    """Yield the buttons and menu lines of a card."""
    for row in card.rows:
        if isinstance(row, Select):
            for label, value in row.options:
                yield Shown(person, label, row.action, value)
        elif not isinstance(row, str):
            for button in row:
                if not button.disabled:
                    yield Shown(person, button.label, button.action)


class Drawer:
    """What people were shown at a table, each with the number of the entry after which it was."""

    def __init__(self, game: Game) -> None:
        self.hands, self._opens = Hands(game), (*QUESTIONS, *game.features.opens)
        self.kept: dict[Shown, int] = {}

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
                if isinstance(step.place, DirectMessages):
                    readers = {step.place.user - 1000}
                for person in readers:
                    self._keep(world, on(person, step.card))
        if people:
            self._look_around(world, dice.choice([*people, table.host]), dice)

    def _keep(self, world: World, shown: Iterable[Shown]) -> None:
        for each in shown:
            self.kept.setdefault(each, world.table.seq)

    def _look_around(self, world: World, person: int, dice: Random) -> None:
        """Have a person press what only shows or asks something, and then what that shows."""
        table, seen = world.table.id, set[Shown]()
        waiting = [Shown(person, "More…", BoardPress(table, "more"))]
        waiting += [Shown(person, "My goods", BoardPress(table, "goods"))]
        waiting += [Shown(person, "Debts", BoardPress(table, "debts"))]
        waiting += [each for each in self.kept if each.person == person][-LOOKED_AT:]
        while waiting and len(seen) < LOOKED_AT:
            shown = waiting.pop(dice.randrange(len(waiting)))
            if shown in seen or isinstance(shown.action, Press):
                continue
            seen.add(shown)
            for card in self.hands.press(world, person, shown.action, shown.data).cards:
                found = [*on(person, card)]
                self._keep(world, found)
                waiting += found

    # ------------------------------------------------------------ what it does later

    def latest(self, dice: Random) -> Shown | None:
        """Return something that was shown a moment ago; None if nothing was."""
        return dice.choice([*self.kept][-LATEST:]) if self.kept else None

    def some(self, dice: Random) -> Iterator[Shown]:
        """Yield some of what is kept: of each kind as often as of others."""
        kinds: dict[object, list[Shown]] = {}
        for shown in self.kept:
            pressed: Any = shown.action.command if isinstance(shown.action, Press) else shown.action
            what = getattr(pressed, "what", None)
            kinds.setdefault((type(pressed), what), []).append(shown)
        for kind in dice.choices([*kinds.values()], k=AGAIN if kinds else 0):
            yield dice.choice(kind)

    def taps_twice(self, world: World, shown: Shown) -> Iterator[str]:
        """Press it, record what it does, and press it again."""
        done = self.hands.press(world, shown.person, shown.action, shown.data).entries
        if done and not any(isinstance(entry, ENDS) for entry in done):
            world.add(done, Caller(shown.person, at=world.at))
            yield from self.press(world, shown)

    def press(self, world: World, shown: Shown) -> Iterator[str]:
        """Press it now, and record nothing. Yield in a sentence what it is about instead of what it
        said.
        """
        seq, done = self.kept[shown], next(self._might(world, shown), None)
        if done is None:
            return
        then = world.as_of(seq)
        meant = [*self._might(then, shown)]
        if any(entries[0].repeats for entries in (done, *meant)):
            return
        why = another(then.table, world.table, meant, done, asks=self._asks(shown))
        if why:
            yield (
                f"“{shown.label}” ({shown.action}), shown to person {shown.person} after entry "
                f"{seq}, does after entry {world.table.seq}: {done[0]!r}; {why}"
            )

    def _might(self, world: World, shown: Shown) -> Iterator[Sequence[Entry]]:
        """Yield the entries of what the press does, or of each answer to what it asks."""
        hands, person = self.hands, shown.person
        answered = hands.press(world, person, shown.action, shown.data)
        yield from self._done(world, person, answered)
        if self._asks(shown):
            for card in answered.cards:
                for answer in on(person, card):
                    if isinstance(answer.action, Press):
                        done = hands.press(world, person, answer.action)
                        yield from self._done(world, person, done)

    def _asks(self, shown: Shown) -> bool:
        """Return whether it asks about what it says; a menu's line only shows what would follow."""
        return isinstance(shown.action, self._opens) and not isinstance(shown.action, Choice)

    def _done(self, world: World, person: int, answered: Answered) -> Iterator[Sequence[Entry]]:
        if answered.form is not None:
            answered = self.hands.submit(world, person, answered.form)
        if answered.entries:
            yield answered.entries


# ---------------------------------------------------------------- a table


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
            world.tries(made_by(makers, before, dice))
        if world.table is not before:
            drawer.keep(world, since, dice)
            since = world.table.seq
            for each in drawer.some(dice):
                yield from drawer.press(world, each)


# ---------------------------------------------------------------- the law


def another(
    then: Table,
    now: Table,
    meant: Sequence[Sequence[Entry]],
    done: Sequence[Entry],
    *,
    asks: bool = False,
) -> str:
    """Return why what is ``done`` is about something else than what was ``meant`` then; empty if it
    is not.

    ``meant`` is what the press would have recorded then, nothing if it was refused; where it
    ``asks``, by each answer.
    """
    about = _own(done)
    if meant and not any(alike(now, _own(each), about, asks=asks) for each in meant):
        found = [entry for each in meant for entry in _common(now, each, done, asks=asks)]
        if not found:
            return f"then it would have recorded {meant[0][0]!r}"
        about = found[0]
    subject = about.subject()
    number = number_in(subject, "offer") if subject else None
    if number is not None and number in then.offers and number in now.offers:
        was, is_ = then.offers[number].revision, now.offers[number].revision
        return f"offer {number} was at revision {was}, and is at {is_}" if was != is_ else ""
    for what, before, begun in begun_by(then, now, about):
        if before != begun:
            return f"{what} of then began with entry {before}, that of now with {begun}"
    return ""


def _own(done: Sequence[Entry]) -> Entry:
    """Return the entry that a command is for: about an offer or the like, else its first. What ends
    with it does not count.
    """
    acts = [entry for entry in done if not isinstance(entry, ENDED)]
    of_something = [entry for entry in acts if entry.subject() is not None]
    return (of_something or acts or done)[0]


def _common(
    now: Table, meant: Sequence[Entry], done: Sequence[Entry], *, asks: bool
) -> Iterator[Entry]:
    """Yield the entry that was meant first, or is done first, if it is among those of the other.

    What a command ends before its own entry, such as offers, may differ.
    """
    for entry in done:
        if alike(now, meant[0], entry, asks=asks):
            yield entry
    if any(alike(now, each, done[0], asks=asks) for each in meant):
        yield done[0]


def begun_by(then: Table, now: Table, entry: Entry) -> Iterator[tuple[str, int, int]]:
    """Yield what an entry changes that begins and ends: its name, and the number of the entry that
    began it, then and now.
    """
    after = apply(now, entry)
    if (now.open, now.closing, now.paused) != (after.open, after.closing, after.paused):
        yield "the pause", then.since, now.since
    if now.phase != after.phase or entry.begins_phase():
        yield "the phase", then.phase_since, now.phase_since
    elif now.window.number != after.window.number or (
        entry.subject() is None and any(_ends_with_window(*parts) for parts in _changed(now, after))
    ):
        yield "the turn", then.window.since, now.window.since


def _changed(now: Table, after: Table) -> Iterator[tuple[StatePart, StatePart]]:
    for name in vars(type(now.state)).get("__dataclass_fields__", ()):
        before, changed = getattr(now.state, name), getattr(after.state, name)
        if isinstance(before, StatePart) and before != changed:
            yield before, changed


def _ends_with_window(before: StatePart, after: StatePart) -> bool:
    """Return whether all that has changed would be gone with the turn."""
    return before.window_over() == after.window_over()


def alike(now: Table, meant: Entry, entry: Entry, *, asks: bool = False) -> bool:
    """Return whether an entry is about the same as the one that was meant."""
    subject = meant.subject()
    if type(meant) is not type(entry):  # *Accept* may agree or trade
        of_one = subject is not None and subject == entry.subject()
        return of_one or entry.seats() == meant.seats() != frozenset()
    if isinstance(entry, OfferPosted):
        return True  # the button holds it, or the number of the one that it repeats
    if subject != entry.subject():
        return False
    said = _said(now, meant).items()
    return said <= _said(now, entry).items() if not asks else _acts(meant) == _acts(entry)


def _acts(entry: Entry) -> object:
    return getattr(entry, "seat", None)


def _said(now: Table, entry: Entry) -> dict[str, object]:
    """Return the seats, people, phases and directions that an entry names."""
    known = {*now.seats, *game_of(now).info.phases}
    said: dict[str, object] = {}
    for name, value in entry:
        # what was added later, or follows from the table, has a default
        direction = isinstance(value, bool) and type(entry).model_fields[name].is_required()
        if direction or name == "person" or (isinstance(value, str) and value in known):
            said[name] = value
    return said
