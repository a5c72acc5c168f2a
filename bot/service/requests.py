"""What goes into the service and what comes out: plain values, and views that are redacted already."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from bot.ledger import Bad, Published
from bot.rules.commands import Command
from bot.rules.model.people import Person
from bot.rules.views import EntryView, TableView


@dataclass(frozen=True, slots=True)
class Requester:
    """A Discord user who asks. ``manages_guild``: they may manage the server ``guild_id`` that the request came from.

    ``name`` is what they are called there, empty where that is not known, as in a DM. ``interaction`` is the request's
    unique id: what comes with one id is carried out once.
    """

    user_id: int
    name: str
    guild_id: int | None = None
    manages_guild: bool = False
    interaction: int | None = None


class People:
    """The people of a table as a command names them: a Discord user who is new to it gets the next number."""

    def __init__(self, known: Mapping[int, Person]) -> None:
        self._known = known
        self.newcomers: list[Person] = []

    def number(self, user_id: int, name: str) -> int:
        """Return the number of a Discord user at this table."""
        everybody = (*self._known.values(), *self.newcomers)
        for person in everybody:
            if person.user_id == user_id:
                return person.number
        number = max((person.number for person in everybody), default=0) + 1
        self.newcomers.append(Person(number=number, user_id=user_id, name=name))
        return number

    @property
    def all(self) -> dict[int, Person]:
        """Everybody known at the table, newcomers included, by number."""
        return {**self._known, **{person.number: person for person in self.newcomers}}


CommandFactory = Callable[[People], Command]
"""Makes a command that names people who may be new to the table; called again when a race was lost."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a command, as the caller may see it and as everybody may.

    Offers and deals that ended with it are still in the views. ``repeated``: this very interaction had been carried out
    before, and nothing changed now.
    """

    table_id: int
    view: TableView
    entries: tuple[EntryView, ...]
    public_view: TableView
    public: tuple[EntryView, ...]
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Filter:
    """Which entries of a ledger: of one person, of one kind, from one number on, of one offer; 0 or empty for all."""

    person: int = 0
    kind: str = ""
    since: int = 0
    offer: int = 0


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """One page of a table's entries, newest first. ``total`` counts those that pass the filter, up to ``upto``."""

    view: TableView
    entries: tuple[EntryView, ...]
    total: int
    upto: int
    page: int


@dataclass(frozen=True, slots=True)
class TradeStory:
    """Every entry that led to a transaction, the transaction itself (``done``), and what followed from it.

    ``rulings`` is what the rules said at an entry, by its number: the sentence of the first violation that the viewer
    may know of, or empty where nothing forbade it. Entries it says nothing about are not in it.
    """

    view: TableView
    number: int
    done: EntryView
    entries: tuple[EntryView, ...]
    rulings: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeatBriefing:
    """What the person in one seat may see. ``overheard``: the same buttons, but no more than everybody may know."""

    seat: str
    user_id: int
    person: int
    view: TableView
    overheard: TableView
    entries: tuple[EntryView, ...]


@dataclass(frozen=True, slots=True)
class Briefing:
    """Everything that delivery needs to show a table: views for its channel, its threads and each seat.

    ``entries`` are those after the one that was asked for, as everybody may see them; offers and deals that they are
    about are in the views though they may be over.
    """

    table_id: int
    guild_id: int | None
    channel_id: int
    seq: int
    open: bool
    public: TableView
    rooms: Mapping[int, TableView]
    seats: Mapping[str, SeatBriefing]
    entries: tuple[EntryView, ...]


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of checking a table's chain up to its head; ``bad`` is the first entry that does not verify."""

    name: str
    seq: int
    head: str
    bad: Bad | None


@dataclass(frozen=True, slots=True)
class ExportSource:
    """A table's ledger for one reader: entries oldest first, the same as published, and the sealed parts they may read.

    ``disclosed[seq][part]`` is ``{"salt", "data"}`` where the reader may see the whole part, else ``{"data"}`` with
    what they may see of it. ``sees_all``: nothing is hidden from them.
    """

    view: TableView
    entries: Sequence[EntryView]
    published: Sequence[Published]
    disclosed: Mapping[int, Mapping[str, Mapping[str, object]]]
    upto: int
    sees_all: bool
