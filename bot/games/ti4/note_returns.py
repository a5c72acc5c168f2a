"""69.3: a promissory note in play returns to its owner once its ability is completely resolved.

The data of each note says when (`data.ti4.Returns`). The bot sees the end of a combat, a turn, an
agenda or the status phase, and what the active player activates, and returns the notes that wait
for it. A holder can return others. The host can put back what a mistaken activation sent home.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, Literal

from bot.api import (
    NOTHING,
    Apply,
    Caller,
    Change,
    Command,
    Entry,
    Feature,
    FollowUpView,
    Goods,
    GoodsMoved,
    GoodsOfSeat,
    PhaseSet,
    Press,
    Reads,
    Refused,
    Seat,
    SettingsChanged,
    Since,
    StatePart,
    Table,
    frozen,
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
from bot.games.ti4.state import PHASES, Agenda, Combat, active_seat, require_now
from bot.games.ti4.turns import PassUndone
from data.ti4 import Returns

Occasion = Literal["combat", "turn", "agenda", "status", "activation"]
"""What can return notes: the end of a combat, a turn, an agenda or a phase; or an activation."""

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

    kind = "ti4.note.returned"
    always = True  # notes are in play also where holdings are not counted
    note: str
    said_by: str = ""
    after: Occasion | None = None

    def by_itself(self) -> bool:
        return self.after is not None

    def sentence(self, ruler: str) -> str:
        card = f"**{describe_token(self.note)}**"
        back = f"goes back from <seat:{self.seat}> to its owner"
        points = note_named(self.note).victory_points
        loses = f" <seat:{self.seat}> loses {_points(points)}." if points else ""
        if self.after == "activation":
            where = f"whose units are in the system that <seat:{self.seat}> activated"
            return f"{card} {back}, {where}.{loses}"
        if self.after is not None:
            over = "status phase" if self.after == "status" else self.after
            return f"{card} {back}, because the {over} is over.{loses}"
        if not self.said_by:
            returns = f"{ruler.capitalize()} returns {card}"
            return f"{returns} from <seat:{self.seat}> to its owner.{loses}"
        return f"<player:{self.seat}> gives {card} back to its owner.{loses}"


def _points(number: int) -> str:
    return f"{number} victory point{'s' if number != 1 else ''}"


def stays_in_play(token: str) -> bool:
    """Return whether this note stays in play after it is played."""
    return note_named(token).returns != "at_once"


def going_back(
    holder: Seat, token: str, *, said_by: str = "", after: Occasion | None = None
) -> NoteReturned:
    """Return the entry by which a note in play goes to its owner. See `NoteReturned`."""
    seat, owner, card = holder.id, note_owner(token)[1], Goods({token: 1})
    changes = {seat: Change(left_play=card), owner: Change(gained=card)}
    return NoteReturned(seat=seat, note=token, said_by=said_by, after=after, changes=changes)


# ---------------------------------------------------------------- returning notes


def brings(
    table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply
) -> tuple[Entry, ...]:
    """Return the entries of a command, each followed by the notes that go back with it."""
    if _waits(table) or any(_enters_play(entry) for entry in entries):
        return with_due(table, entries, apply, _notes_due)
    return entries  # the common case: no note waits for anything, nor will after these entries


def _waits(table: Table) -> bool:
    """Return whether a note in play waits for something that the bot sees."""
    for seat in table.seats.values():
        if any(note_named(token).returns in RETURNED for token in seat.in_play):
            return True
    return False


def _enters_play(entry: Entry) -> bool:
    if not isinstance(entry, GoodsMoved):
        return False
    changes = [*entry.changes.values(), *(entry.hidden or {}).values()]
    return any(change.entered_play for change in changes)


def _notes_due(before: Table, entry: Entry, after: Table, seq: int) -> Iterator[NoteReturned]:
    """Yield the notes that go back because of an entry, and of what ended with it."""
    if entry.undoes():
        return
    for seat in after.seats.values():
        for token in sorted(seat.in_play):
            occasions = ENDED_BY.get(note_named(token).returns, ())
            for ended in _what_ended(before, entry, after, seat.id):
                if ended in occasions:
                    yield going_back(seat, token, after=ended)
    activated = activation(before, entry)
    if activated is None:
        return
    holder, owner = after.seats[activated[0]], activated[1]
    for token in sorted(holder.in_play):
        if note_named(token).returns == "activation" and note_owner(token)[1] == owner:
            yield going_back(holder, token, after="activation")


def _what_ended(before: Table, entry: Entry, after: Table, holder: str) -> Iterator[Occasion]:
    """Yield what an entry ended for the holder of a note: not a combat that ends with its turn."""
    fought = holder in part(before, Combat).fighting()
    fights = holder in part(after, Combat).fighting()
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
    if last < first:
        last += len(PHASES)
    # or was skipped
    if "status" in (PHASES + PHASES)[first:last]:
        yield "status"


# ---------------------------------------------------------------- an activation said by mistake

LATER = 2
"""A note can be put back in so many more windows: in its turn, a gap, and the next turn."""


@frozen
class SentHome:
    """A note that went home from ``holder`` with entry ``number``, in the window with this number.

    ``after``: on which occasion; None where it was played for once. ``sure``: its owner still has
    it, as everybody knows.
    """

    note: str
    holder: str
    window: int
    after: Occasion | None = "activation"
    number: int = 0
    sure: bool = True

    @property
    def owner(self) -> str:
        """The seat whose note it is."""
        return note_owner(self.note)[1]

    def later(self, entry: Entry) -> SentHome:
        """Return the note after an entry, by public facts alone: which notes leave a hand is
        secret, and that some do is not.
        """
        match entry:
            case SettingsChanged() | NotesReprinted():  # these may take a note from any hand
                return replace(self, sure=False)
            case GoodsMoved(changes=changes, hidden=hidden):
                shown = NOTHING
                for change in changes.values():
                    shown += change.lost + change.entered_play
                secret = shown.missing((hidden or {}).get(self.owner, Change()).lost)
                if secret or self.note in shown:
                    return replace(self, sure=False)
        return self


@frozen
class Homecomings(StatePart):
    """The notes that went home lately. The host can put back those that are surely there."""

    notes: tuple[SentHome, ...] = ()

    def without(self, seat: str) -> Homecomings:
        return Homecomings()

    def renamed(self, before: str, now: str) -> Homecomings:
        return Homecomings()


def sent_home(table: Table) -> list[SentHome]:
    """Return the notes of activations that the host can put back now."""
    return [note for note in _lately(table) if note.after == "activation" and note.sure]


def _lately(table: Table) -> list[SentHome]:
    notes, window = part(table, Homecomings).notes, table.window.number
    return [note for note in notes if window - note.window <= LATER]


def recorded(table: Table, entry: Entry) -> Table:
    """Update the notes that the host can put back."""
    before = part(table, Homecomings).notes
    match entry:
        case NoteReturned(after=None):  # it takes nothing from an owner
            return table
        case NoteReturned(after=str(occasion), note=token, seat=seat):
            note = SentHome(token, seat, table.window.number, occasion, table.seq + 1)
            now = (*_lately(table), note)
        case NotesPutBack(seat=seat, owner=owner):
            left, activated = _lately(table), sent_home(table)
            back = [note for note in activated if (note.holder, note.owner) == (seat, owner)]
            now = tuple(note for note in left if note not in back)
        case _:
            now = tuple(note.later(entry) for note in before)
    return table if now == before else with_part(table, Homecomings(now))


class UndoActivation(Command):
    """Say that a seat has activated no system of ``owner``, and put its notes back in play."""

    kind = "ti4.unactivate"
    owner: str
    seat: str | None = None
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Put the notes of one activation back. ``seat`` is None for whoever activated last."""
        require_host(table, caller, "take an activation back")
        again = Press(table.id, replace(self, since=table.window.since))
        label = f"<name:{self.seat or ''}> activated no system of <name:{self.owner}>"
        require_now(table, self.since, again, label)
        notes = [note for note in sent_home(table) if note.owner == self.owner]
        if self.seat is not None:
            notes = [note for note in notes if note.holder == self.seat]
        if not notes:
            raise Refused(
                "There is nothing to put back.",
                "Notes can be put back in the turn in which they went home, or in the next, until "
                "their owner gives a note away. Later the host sets what a player has: /holdings "
                "set.",
            )
        seat = notes[-1].holder
        cards = Goods.of(note.note for note in notes if note.holder == seat)
        changes = {seat: Change(entered_play=cards), self.owner: Change(lost=cards)}
        return [NotesPutBack(seat=seat, owner=self.owner, changes=changes)]


class NotesPutBack(GoodsOfSeat):
    """The host said that ``seat`` has activated no system of ``owner``. Notes are back in play.

    ``whole``: nothing has happened since, so all that the activation did is undone; see
    `bot.games.ti4.slips`.
    """

    kind = "ti4.note.restored"
    v: int = 2  # 2: whole
    reads: ClassVar[Reads] = {("ti4.note.restored", 1): None}
    owner: str
    whole: bool = False

    def undoes(self) -> bool:
        return self.whole

    def sentence(self, ruler: str) -> str:
        cards = self.changes[self.seat].entered_play
        points = sum(note_named(card).victory_points for card in cards)
        again = f" <They:{self.seat}> have {_points(points)} back." if points else ""
        says = f"{ruler.capitalize()} takes it back"
        none = f"<player:{self.seat}> has activated no system of <seat:{self.owner}>."
        where = f"In play before <them:{self.seat}> again"
        return f"{says}: {none} {where}: **{describe(cards)}**.{again}"

    def apply(self, table: Table) -> Table:
        table = super().apply(table)
        if active_seat(table) != self.seat:
            return table
        now = part(table, Combat)
        return with_part(table, replace(now, activated=now.activated - {self.owner}))


# ---------------------------------------------------------------- reminders


def waiting_for_status(table: Table) -> list[tuple[str, str]]:
    """Return the holder and token of each note that goes back when the status phase ends."""
    waiting = []
    for seat in table.seats.values():
        for token in sorted(seat.in_play):
            if note_named(token).returns == "status_ends":
                waiting.append((seat.id, token))
    return waiting


def goes_back(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Say at the start of the status phase which notes go back at its end."""
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


def costs_a_token(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Say at the start of the status phase which notes cost a token at its end."""
    if not isinstance(entry, PhaseSet) or entry.phase != "status":
        return
    for has in table.seats.values():
        for token in (has.holdings + has.in_play).of_kind("note"):
            if note_named(token).passes_on and note_owner(token)[1] != has.id:
                # Who has it may be a secret, so it must not be evident that anybody was told.
                lose = "When this status phase ends, you lose a fleet token"
                text = f"{lose}, if you still have {describe_token(token)}."
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
    follow_ups=(goes_back, costs_a_token),
)
