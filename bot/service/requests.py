"""The service's arguments and results: plain values, and views that are already redacted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from bot.ledger import BadEntry, Published
from bot.rules.commands import Command
from bot.rules.model.people import Person
from bot.rules.model.values import frozen
from bot.rules.views import EntryView, TableView

FREED = 256
"""Entries of an export freed before other tasks run: about a millisecond's work."""


@frozen
class Requester:
    """A Discord user who makes a request.

    ``name`` is their display name, empty if unknown, as in a DM. ``manages_guild``: they may manage
    the server ``guild_id``, from which the request came. ``interaction`` is the id of Discord's
    interaction: a command with a recorded id is not carried out again. ``present`` are users who
    are on that server according to the request. ``reads_threads``: they may read every private
    thread there.

    ``accepts_cached``: answer from memory and don't wait for the database. This is for completions
    and forms, which can't be deferred. The answer may be outdated; what the person then submits is
    checked again. The ledger is read only for what is not in memory, such as offers and deals that
    are over; the caller may limit that wait by cancelling.
    """

    user_id: int
    name: str
    guild_id: int | None = None
    manages_guild: bool = False
    interaction: int | None = None
    present: tuple[int, ...] = ()
    reads_threads: bool = False
    accepts_cached: bool = False


class People:
    """The people of a table while a command is built and decided. A new Discord user gets the next
    number.
    """

    def __init__(self, known: Mapping[int, Person]) -> None:
        self._known = known
        self.newcomers: list[Person] = []

    def number(self, user_id: int, name: str) -> int:
        """Return a Discord user's number at this table, adding them if they are new."""
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
"""Builds a command that names people who may be new to the table. It is called again after a lost
race.
"""


@frozen
class TableChange:
    """A changed table: its server, its last entry, and its next deadline in milliseconds since 1970
    (or None).
    """

    table_id: int
    guild_id: int | None
    seq: int
    deadline: int | None


@frozen
class Filter:
    """Selects entries by person, kind, lowest number and offer. 0 or an empty string matches every
    entry.
    """

    person: int = 0
    kind: str = ""
    since: int = 0
    offer: int = 0


@frozen
class HistoryPage:
    """One page of a table's entries, newest first. ``total`` counts the entries that pass the
    filter, to ``until_seq``.

    For one person's entries, ``total`` is None unless they fit on the page, because counting
    requires reading them. Such a page is found from the entry beside it: the next older page from
    ``older``, the next newer one from ``newer``; 0 for no such page. ``period_starts`` maps an
    entry's number to the entry that began its turn or phase, if requested; ``beside`` are then
    entries of other pages, newest first, that may be told in one sentence with some of this one.
    """

    view: TableView
    entries: tuple[EntryView, ...]
    total: int | None
    until_seq: int
    page: int
    newer: int = 0
    older: int = 0
    period_starts: Mapping[int, EntryView] = field(default_factory=dict)
    beside: tuple[EntryView, ...] = ()


@frozen
class TradeHistory:
    """Every entry that led to a transaction, the transaction itself (``done``), and what followed
    from it.

    ``violations`` maps the number of a signature or transaction to the sentence of the first
    violation that the viewer may know of, empty if there was none. It omits private offers that the
    viewer may not see.
    """

    view: TableView
    number: int
    done: EntryView
    entries: tuple[EntryView, ...]
    violations: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SeatBriefing:
    """The views and entries for the person in one seat. ``make_shared_view`` computes
    `shared_view`.
    """

    seat: str
    user_id: int
    person: int
    view: TableView
    make_shared_view: Callable[[], TableView]
    entries: tuple[EntryView, ...]

    @cached_property
    def shared_view(self) -> TableView:
        """The table with the same buttons, but only with what everybody may know.

        It is lazy, since it is needed only for a person whom DMs don't reach: others read their
        message.
        """
        return self.make_shared_view()


@frozen
class Briefing:
    """Everything that delivery needs to show a table: views for its channel, its threads and each
    seat.

    ``rooms`` are the views for threads, by negotiation number. ``entries`` are the new entries as
    everybody may see them; the views include the offers and deals that they are about, even if
    over. ``commands`` maps an entry's number to the first entry of its command. Entries up to
    ``after`` are included again for messages that are still owed. ``newcomers`` are the numbers of
    entries with which somebody sat down for the first time at any of the bot's tables. ``evening``
    has the entries that tell the evening of a table that has just closed for good. ``users`` maps
    the table's people to their Discord users. ``host`` is the host's Discord user. ``gone``: the
    table's channel was deleted, as delivery knows.
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
    newcomers: frozenset[int] = frozenset()
    evening: tuple[EntryView, ...] = ()
    users: Mapping[int, int] = field(default_factory=dict)
    host: int | None = None
    gone: bool = False


@frozen
class Verification:
    """The result of checking a table up to its head. ``bad`` is the first entry that does not
    verify.

    ``other_faults``: the ledger has a fault outside this table, whose details only the operator may
    read. ``held``: the posted head that was looked for, empty if there was none. ``unread``: why
    what the entries lead to can't be checked here, and from which on; empty if it can.
    """

    name: str
    seq: int
    head: str
    bad: BadEntry | None
    other_faults: bool = False
    held: str = ""
    unread: str = ""


@frozen
class ExportSource:
    """A table's ledger for one reader: entries oldest first, their public form, and the sealed
    parts they may read.

    ``disclosed[seq][part]`` is ``{"salt", "data"}`` for a reader with ``sees_all``, from whom
    nothing is hidden. For others it is ``{"data"}``, with only the data that they may see.
    """

    view: TableView
    entries: Sequence[EntryView]
    published: Sequence[Published]
    disclosed: Mapping[int, Mapping[str, Mapping[str, object]]]
    until_seq: int
    sees_all: bool

    async def free_entries(self) -> None:
        """Free the entries little by little. Freeing tens of thousands at once would block the
        event loop.
        """
        for held in (self.entries, self.published):
            while isinstance(held, list) and held:
                del held[-FREED:]
                await asyncio.sleep(0)
        while isinstance(self.disclosed, dict) and self.disclosed:
            for seq in list(islice(self.disclosed, FREED)):
                del self.disclosed[seq]
            await asyncio.sleep(0)


@frozen
class Quotas:
    """The most open tables on one server, and the most at which one person sits or hosts. A channel
    has one.

    ``entries_a_day`` and ``tables_a_day``: the most entries that one person records, and tables
    that they open, in a day.
    """

    server: int = 2500
    person: int = 25
    entries_a_day: int = 2000
    tables_a_day: int = 20


@frozen
class Shards:
    """The shards of this process, numbered from 0, out of ``count``. By default, it has the only
    shard.

    Discord divides a bot's servers among shards, and thereby among processes.
    """

    ids: tuple[int, ...] = (0,)
    count: int = 1

    def owns(self, guild_id: int | None) -> bool:
        """Return whether this process delivers for a server and runs its tables' clocks.

        A table that was opened in a direct message has no server (None). It belongs to shard 0,
        like direct messages.
        """
        return ((guild_id or 0) >> 22) % self.count in self.ids

    @property
    def all(self) -> bool:
        """Whether this process owns every server, so that there is no other process."""
        return len(self.ids) == self.count

    def __str__(self) -> str:
        """Return words such as "shards 0 and 1 of 4"."""
        *most, last = map(str, self.ids)
        names = f"shards {', '.join(most)} and {last}" if most else f"shard {last}"
        return f"{names} of {self.count}"
