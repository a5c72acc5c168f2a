"""A table in memory: commands are decided and applied, and all entries are kept.

Like `bot.service` with a ledger, it puts ended offers and deals back into the table for commands
about them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bot.rules.apply import apply
from bot.rules.commands import Caller, Command
from bot.rules.engine import decide
from bot.rules.entries import Entry, Recorded, Reference
from bot.rules.features.audits import Looked
from bot.rules.features.seats import with_first_act
from bot.rules.model.people import Person
from bot.rules.model.table import Table
from bot.rules.model.values import frozen
from bot.rules.model.violation import Refused
from bot.rules.recall import recalled

TABLE = 7
"""The number of every table here."""

EVERYONE = [Person(number, 1000 + number, f"person {number}") for number in range(1, 14)]
"""People of a table by number, more than it has seats: some only look on."""

Decision = tuple[Entry, ...] | Refused


@frozen
class Ask:
    """A command with the one who asks for it."""

    command: Command
    caller: Caller

    @property
    def person(self) -> int:
        return self.caller.person

    def with_fields(self, **fields: object) -> Ask:
        """Return the same from the same person, with other values in the command."""
        return replace(self, command=replace(self.command, **fields))


def look_by(person: int) -> Recorded:
    """Return the entry by which this person looks at the ledger as a host or moderator."""
    look = Looked(person=person, what="ledger", hidden=True)
    return Recorded(TABLE, 1, 0, person, look, "")


class World:
    """A table, the entries that led to it, and the table after each of them."""

    def __init__(self, table: Table | None = None) -> None:
        self.table = table or Table(id=TABLE)
        self.recorded: list[Recorded] = []
        self.tables: list[Table] = []
        self.by_subject: dict[Reference, list[Recorded]] = {}

    def copied(self) -> World:
        """Return a copy, which can go on in another way."""
        made = World(self.table)
        made.recorded, made.tables = [*self.recorded], [*self.tables]
        made.by_subject = {subject: [*recorded] for subject, recorded in self.by_subject.items()}
        return made

    @property
    def entries(self) -> list[Entry]:
        return [recorded.entry for recorded in self.recorded]

    @property
    def at(self) -> int:
        """The time of the last entry."""
        return self.recorded[-1].at if self.recorded else 0

    def as_of(self, seq: int) -> World:
        """Return the world as it was after this entry."""
        earlier = World(self.tables[seq - 1])
        earlier.recorded, earlier.tables = self.recorded[:seq], self.tables[:seq]
        for recorded in earlier.recorded:
            subject = recorded.entry.subject() or Reference("")
            earlier.by_subject.setdefault(subject, []).append(recorded)
        return earlier

    def do(
        self, person: int, command: Command, *, moderator: bool = False, at: int = 0
    ) -> tuple[Entry, ...]:
        """Decide and apply. Raises `Refused`, and then nothing has changed."""
        return self.ask(Ask(command, Caller(person, moderator, at, chance="chance")))

    def ask(self, ask: Ask) -> tuple[Entry, ...]:
        """Like `do`."""
        entries = self.decided(ask)
        self.add(entries, ask.caller)
        return entries

    def tries(self, ask: Ask) -> Decision:
        """Like `ask`, with the refusal as an answer."""
        try:
            return self.ask(ask)
        except Refused as refused:
            return refused

    def answer(self, ask: Ask) -> Decision:
        """Return the answer without recording anything."""
        try:
            return self.decided(ask)
        except Refused as refused:
            return refused

    def decided(self, ask: Ask) -> tuple[Entry, ...]:
        return decide(self.recall(ask.command.subjects()), ask.command, ask.caller)

    def recall(self, subjects: Iterable[Reference]) -> Table:
        """Return the table with these offers and deals, even if they are over."""
        known = [subject for subject in subjects if subject in self.by_subject]
        recorded = {subject: self.by_subject[subject] for subject in known}
        return recalled(self.table, recorded) if recorded else self.table

    def recall_all(self) -> Table:
        """Return the table with every offer and deal there ever was."""
        return recalled(self.table, self.by_subject)

    def add(self, entries: Iterable[Entry], caller: Caller) -> None:
        """Record entries and apply them, after that the caller takes up what was given to them."""
        for entry in with_first_act(self.table, tuple(entries), caller):
            seq, by = self.table.seq + 1, caller.person or None
            recorded = Recorded(TABLE, seq, caller.at, by, entry, "")
            self.recorded.append(recorded)
            subject = entry.subject() or Reference("")
            self.by_subject.setdefault(subject, []).append(recorded)
            self.table = apply(self.table, entry)
            self.tables.append(self.table)

    def seat(self, person: int) -> str:
        """Return the seat of this person, who has one."""
        seat = self.table.seat_of(person)
        assert seat is not None
        return seat.id
