"""Arguments and results of the service: plain values, and views that are already redacted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from bot.ledger import Bad, Published
from bot.rules.commands import Command
from bot.rules.model.people import Person
from bot.rules.views import EntryView, TableView

FREED = 256
"""Entries of an export that are freed before other tasks run: about a millisecond's work."""


@dataclass(frozen=True, slots=True)
class Requester:
    """A Discord user who makes a request.

    ``name`` is their display name, empty where it is not known, as in a DM. ``manages_guild``: they may manage the
    server ``guild_id`` that the request came from. ``interaction`` is the id of Discord's interaction: a command with a
    known id is not carried out again. ``present`` are the users of whom Discord says with the request that they are on
    that server.
    """

    user_id: int
    name: str
    guild_id: int | None = None
    manages_guild: bool = False
    interaction: int | None = None
    present: tuple[int, ...] = ()


class People:
    """The people of a table while a command is made and decided. A Discord user who is new gets the next number."""

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
"""Makes a command that names people who may be new to the table. It is called again when a race was lost."""


class Outcome:
    """The result of a command: the table and the new entries as the requester may see them.

    Offers and deals that ended with it are still in ``view``. ``public`` are the entries as everybody may see them.
    An interaction that is delivered again gets the entries of its first delivery.

    Each of the three is made when it is first asked for, as of the command, whatever has happened since: tables are
    values. ``recorded``: the command led to at least one entry.
    """

    def __init__(
        self,
        table_id: int,
        *,
        recorded: bool,
        view: Callable[[], TableView],
        entries: Callable[[], Iterable[EntryView]],
        public: Callable[[], Iterable[EntryView]],
    ) -> None:
        self.table_id = table_id
        self.recorded = recorded
        self._view, self._entries, self._public = view, entries, public

    @cached_property
    def view(self) -> TableView:
        """The table, as the requester may see it."""
        return self._view()

    @cached_property
    def entries(self) -> tuple[EntryView, ...]:
        """The new entries, as the requester may see them."""
        return tuple(self._entries())

    @cached_property
    def public(self) -> tuple[EntryView, ...]:
        """The new entries, as everybody may see them."""
        return tuple(self._public())


@dataclass(frozen=True, slots=True)
class Change:
    """A table that changed: its server, its last entry, and its next deadline in milliseconds since 1970 (or None)."""

    table_id: int
    guild_id: int | None
    seq: int
    deadline: int | None


@dataclass(frozen=True, slots=True)
class Filter:
    """Selects entries by person, kind, first number and offer; 0 or empty selects all."""

    person: int = 0
    kind: str = ""
    since: int = 0
    offer: int = 0


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """One page of a table's entries, newest first. ``total`` counts those that pass the filter, up to ``until_seq``.

    One person's entries are not counted unless they fit on the page: whose they are shows only when they are read.
    Their pages are found from the entry beside them: older ones than ``older``, newer ones than ``newer``, 0 for none.
    ``begun`` has for an entry's number the entry with which its turn or phase began, where that was asked for.
    """

    view: TableView
    entries: tuple[EntryView, ...]
    total: int | None
    until_seq: int
    page: int
    newer: int = 0
    older: int = 0
    begun: Mapping[int, EntryView] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TradeHistory:
    """Every entry that led to a transaction, the transaction itself (``done``), and what followed from it.

    ``violations`` is what the rules said at an entry, by its number: the sentence of the first violation the viewer
    may know of, or empty where nothing forbade it. Entries it says nothing about are not in it.
    """

    view: TableView
    number: int
    done: EntryView
    entries: tuple[EntryView, ...]
    violations: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SeatBriefing:
    """What the person in one seat may see. ``overhear`` makes the view `overheard`."""

    seat: str
    user_id: int
    person: int
    view: TableView
    overhear: Callable[[], TableView]
    entries: tuple[EntryView, ...]

    @cached_property
    def overheard(self) -> TableView:
        """The table with the same buttons, but no more than everybody may know.

        It is made when it is first asked for: only who is not reached by DM has others read along.
        """
        return self.overhear()


@dataclass(frozen=True, slots=True)
class Briefing:
    """Everything that delivery needs to show a table: views for its channel, its threads and each seat.

    ``rooms`` are the views for threads, by the number of the negotiation. ``entries`` are the new ones as everybody may
    see them; the views include the offers and deals that these are about, even if over. ``commands`` is the first entry
    of the command that an entry belongs to, by the entry's number. What is not newer than ``after`` is here again
    because of messages that are still owed.
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
    commands: Mapping[int, int] = field(default_factory=dict)
    after: int = 0


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of checking a table up to its head; ``bad`` is the first entry that does not verify.

    ``elsewhere``: something is wrong with the ledger that is not of this table, which only the operator may read.
    ``held``: the head that this was held against, empty for none.
    """

    name: str
    seq: int
    head: str
    bad: Bad | None
    elsewhere: bool = False
    held: str = ""


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
    until_seq: int
    sees_all: bool

    async def let_go(self) -> None:
        """Empty it little by little. To free tens of thousands of entries at once would stop the event loop."""
        for held in (self.entries, self.published):
            while isinstance(held, list) and held:
                del held[-FREED:]
                await asyncio.sleep(0)
        while isinstance(self.disclosed, dict) and self.disclosed:
            for seq in list(islice(self.disclosed, FREED)):
                del self.disclosed[seq]
            await asyncio.sleep(0)
