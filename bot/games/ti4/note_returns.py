"""69.3: a promissory note in play returns to its owner once its ability is completely resolved.

The data of each note says when (`data.ti4.Returns`). The bot sees the end of a combat, a turn, an
agenda or the status phase, and what the active player activates, and returns the notes that wait
for it. A holder can return others. The host can put back what a mistaken activation sent home.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from bot.api import (
    Apply,
    Caller,
    Change,
    Command,
    Corrected,
    Entry,
    Feature,
    FollowUpView,
    Goods,
    GoodsMoved,
    GoodsOfSeat,
    PhaseSet,
    Refused,
    Seat,
    SettingsChanged,
    StatePart,
    Table,
    part,
    replace,
    require_host,
    with_part,
)
from bot.games.ti4.agendas import BEGIN_WINDOWS, AgendaRevealed
from bot.games.ti4.boxes import NotesReprinted
from bot.games.ti4.combat import CombatBegun, CombatEnded, SystemActivated, activation
from bot.games.ti4.components import describe, describe_token, note_named, note_owner
from bot.games.ti4.entries import with_due
from bot.games.ti4.state import PHASES, Agenda, Combat, active_seat
from bot.games.ti4.turns import PassUndone
from data.ti4 import Returns

Occasion = Literal["combat", "turn", "agenda", "status", "activation"]
"""An end that can return notes, of a combat, a turn, an agenda or the status phase; or an
activation.
"""

ENDED_BY: Mapping[Returns, frozenset[Occasion]] = {
    "combat_ends": frozenset({"combat", "turn"}),
    "turn_ends": frozenset({"turn"}),
    "agenda_ends": frozenset({"agenda"}),
    "status_ends": frozenset({"status"}),
}
"""The occasions that return notes, for each kind of `Returns` that an end brings about."""

RETURNED: frozenset[Returns] = frozenset({*ENDED_BY, "activation"})
"""The kinds of `Returns` that the bot sees. It returns such notes itself."""


class NoteReturned(GoodsOfSeat):
    """A promissory note in play went back to its owner.

    ``after``: it went back by itself on this occasion. Otherwise ``said_by`` is the seat that
    returned it, "" for the host.
    """

    kind: Literal["ti4.note.returned"] = "ti4.note.returned"
    always: ClassVar[bool] = True  # notes are in play also where holdings are not counted
    note: str
    said_by: str = ""
    after: Occasion | None = None

    def by_itself(self) -> bool:
        return self.after is not None

    def sentence(self, ruler: str) -> str:
        card, back = (
            f"**{describe_token(self.note)}**",
            f"goes back from <seat:{self.seat}> to its owner",
        )
        points = note_named(self.note).victory_points
        loses = f" <seat:{self.seat}> loses {_points(points)}." if points else ""
        if self.after == "activation":
            return (
                f"{card} {back}, whose units are in the system that <seat:{self.seat}> "
                f"activated.{loses}"
            )
        if self.after is not None:
            over = "status phase" if self.after == "status" else self.after
            return f"{card} {back}, because the {over} is over.{loses}"
        if not self.said_by:
            return (
                f"{ruler.capitalize()} returns {card} from <seat:{self.seat}> to its owner.{loses}"
            )
        return f"<player:{self.seat}> gives {card} back to its owner.{loses}"


def _points(number: int) -> str:
    return f"{number} victory point{'s' if number != 1 else ''}"


def stays_in_play(token: str) -> bool:
    """Return whether this note stays in play after it is played."""
    return note_named(token).returns != "at_once"


def going_back(
    holder: Seat, token: str, *, said_by: str = "", after: Occasion | None = None
) -> NoteReturned:
    """Return the entry by which a note in play goes from its holder to its owner. See
    `NoteReturned`.
    """
    card = Goods({token: 1})
    changes = {holder.id: Change(left_play=card), note_owner(token)[1]: Change(gained=card)}
    return NoteReturned(seat=holder.id, note=token, said_by=said_by, after=after, changes=changes)


# ---------------------------------------------------------------- returning notes


def brings(
    table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply
) -> tuple[Entry, ...]:
    """Return the entries of a command, each followed by the notes that go back with it."""
    waits = any(
        note_named(token).returns in RETURNED
        for seat in table.seats.values()
        for token in seat.in_play
    )
    moved = (entry for entry in entries if isinstance(entry, GoodsMoved))
    changes = (
        each
        for entry in moved
        for each in (*entry.changes.values(), *(entry.hidden or {}).values())
    )
    if not waits and not any(each.entered_play for each in changes):
        return entries  # the common case: no note waits for anything, nor will after these entries
    return with_due(table, entries, apply, _notes_due)


def _notes_due(before: Table, entry: Entry, after: Table, seq: int) -> list[NoteReturned]:
    """Return the notes that go back because of an entry, and of what ended with it."""
    ended = [
        going_back(seat, token, after=moment)
        for seat in after.seats.values()
        for token in sorted(seat.in_play)
        for moment in _what_ended(before, entry, after, seat.id)
        if moment in ENDED_BY.get(note_named(token).returns, ())
    ]
    holder, owner = activation(before, entry) or ("", "")
    activated = [
        going_back(after.seats[holder], token, after="activation")
        for token in (sorted(after.seats[holder].in_play) if holder else ())
        if note_named(token).returns == "activation" and note_owner(token)[1] == owner
    ]
    return [*ended, *activated]


def _what_ended(before: Table, entry: Entry, after: Table, holder: str) -> Iterator[Occasion]:
    """Yield what an entry ended for the holder of a note. If a combat ends with its turn, only the
    turn.
    """
    fought, fights = (
        any(holder in two for two in part(table, Combat).pairs) for table in (before, after)
    )
    if before.window.number != after.window.number and before.window.kind == "turn":
        yield "turn"
    elif fought and not fights:
        yield "combat"
    # maybe within a turn
    resolved = part(before, Agenda).title is not None and part(after, Agenda).title is None
    # perhaps by one with the same title
    replaced = isinstance(entry, AgendaRevealed) and entry.replaces
    if resolved or replaced or before.phase == "agenda" != after.phase:
        yield "agenda"
    if isinstance(entry, PassUndone):  # back to the action phase: no other has passed
        return
    first, last = PHASES.index(before.phase), PHASES.index(after.phase)
    # or was skipped
    if "status" in (PHASES + PHASES)[first : last if last >= first else last + len(PHASES)]:
        yield "status"


# ---------------------------------------------------------------- an activation said by mistake

LATER = 2
"""A note can be put back until so many windows have begun: in its turn and the next, which a gap
may precede.
"""


@dataclass(frozen=True, slots=True)
class SentHome:
    """A note that went home from ``holder`` with an activation, in the window with this number."""

    note: str
    holder: str
    window: int

    @property
    def owner(self) -> str:
        """The seat whose note it is."""
        return note_owner(self.note)[1]


@dataclass(frozen=True, slots=True)
class Homecomings(StatePart):
    """The notes that the host can put back. They are surely with their owners, who have moved no
    goods since.
    """

    notes: tuple[SentHome, ...] = ()

    def without(self, seat: str) -> Homecomings:
        return Homecomings()

    def renamed(self, before: str, now: str) -> Homecomings:
        return Homecomings()


def sent_home(table: Table) -> list[SentHome]:
    """Return the notes that the host can put back now."""
    return [
        each
        for each in part(table, Homecomings).notes
        if table.window.number - each.window <= LATER
    ]


def recorded(table: Table, entry: Entry) -> Table:
    """Update the notes that the host can put back. Only public facts decide which: the owners'
    hands are secret.
    """
    match entry:
        case NoteReturned(after="activation"):
            now = [*sent_home(table), SentHome(entry.note, entry.seat, table.window.number)]
        case NotesPutBack():
            now = [
                each
                for each in sent_home(table)
                if (each.holder, each.owner) != (entry.seat, entry.owner)
            ]
        case NoteReturned():  # it takes nothing from an owner
            return table
        # these may take a note from any hand
        case Corrected() | SettingsChanged() | NotesReprinted():
            now = []
        case GoodsMoved():
            now = [
                each for each in part(table, Homecomings).notes if each.owner not in entry.seats()
            ]
        case _:
            return table
    return (
        with_part(table, Homecomings(tuple(now)))
        if tuple(now) != part(table, Homecomings).notes
        else table
    )


@dataclass(frozen=True, slots=True)
class UndoActivation(Command):
    """Say that a seat has activated no system of ``owner``, and put the notes back that went home
    with it.
    """

    kind = "ti4.unactivate"
    owner: str
    seat: str | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Put the notes of one activation back. ``seat`` is None for whoever activated last."""
        require_host(table, caller, "take an activation back")
        found = [
            each
            for each in sent_home(table)
            if each.owner == self.owner and self.seat in (None, each.holder)
        ]
        if not found:
            raise Refused(
                "",
                "There is nothing to put back.",
                "Notes can be put back in the turn in which they went home, or in the next, until "
                "their owner's goods "
                "move. Later the host sets what a player has: /holdings set.",
            )
        seat = found[-1].holder
        cards = Goods({each.note: 1 for each in found if each.holder == seat})
        changes = {seat: Change(entered_play=cards), self.owner: Change(lost=cards)}
        return [NotesPutBack(seat=seat, owner=self.owner, changes=changes)]


class NotesPutBack(GoodsOfSeat):
    """The host said that ``seat`` has activated no system of ``owner``, and put notes back in play
    before ``seat``.
    """

    kind: Literal["ti4.note.restored"] = "ti4.note.restored"
    owner: str

    def sentence(self, ruler: str) -> str:
        cards = self.changes[self.seat].entered_play
        points = sum(note_named(card).victory_points for card in cards)
        again = f" They have {_points(points)} back." if points else ""
        return (
            f"{ruler.capitalize()} takes it back: <player:{self.seat}> has activated no system of "
            f"<seat:{self.owner}>. "
            f"In play before them again: **{describe(cards)}**.{again}"
        )

    def apply(self, table: Table) -> Table:
        table = super().apply(table)
        if active_seat(table) != self.seat:
            return table
        now = part(table, Combat)
        return with_part(table, replace(now, activated=now.activated - {self.owner}))


# ---------------------------------------------------------------- reminders


def waiting_for_status(table: Table) -> list[tuple[str, str]]:
    """Return the holder and token of each note in play that goes back when the status phase
    ends.
    """
    return [
        (seat.id, token)
        for seat in table.seats.values()
        for token in sorted(seat.in_play)
        if note_named(token).returns == "status_ends"
    ]


def reminders(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """When the status phase begins, say what happens at its end: which notes go back, and who pays
    for Malevolency.
    """
    if not isinstance(entry, PhaseSet) or entry.phase != "status":
        return
    for holder, token in waiting_for_status(table):
        for seat in (holder, note_owner(token)[1]):
            yield FollowUpView(
                seat=seat,
                evident=True,
                text=f"When this status phase ends, **{describe_token(token)}** goes back to its "
                "owner automatically.",
            )
    for has in table.seats.values():
        for token in (has.holdings + has.in_play).of_kind("note"):
            if note_named(token).passes_on and note_owner(token)[1] != has.id:
                # Who has it may be a secret, so it must not be evident that anybody was told.
                card = describe_token(token)
                text = (
                    "When this status phase ends, you lose a fleet token, if you still have "
                    f"{card}."
                )
                yield FollowUpView(seat=has.id, text=text)


FEATURE = Feature(
    state=Homecomings,
    commands=(UndoActivation,),
    entries=(NoteReturned, NotesPutBack),
    hears=(
        GoodsMoved,
        SettingsChanged,
        *BEGIN_WINDOWS,
        CombatBegun,
        CombatEnded,
        SystemActivated,
        PassUndone,
    ),
    after=recorded,
    brings=brings,
    follow_ups=reminders,
)
