"""Briefings, which are all that delivery needs to show a table, redacted for each person and place;
and its store.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial

from bot.ledger import Ledger
from bot.rules.entries import CALL_KINDS, CallKind, Recorded, reference
from bot.rules.features.deals import DealMarked
from bot.rules.features.holdings import GoodsMoved
from bot.rules.features.seats import SeatTaken
from bot.rules.features.tables import (
    PhaseSet,
    SettingsChanged,
    TableClosed,
    TableClosing,
    TableOpened,
    TablePaused,
    TableResumed,
)
from bot.rules.model.people import Person
from bot.rules.model.replacing import replace
from bot.rules.viewers import room
from bot.rules.views import EntryView, TableView
from bot.rules.visible_entry import see_entry
from bot.rules.visible_table import TableViews
from bot.rules.vocabulary import kinds_of
from bot.service import gate
from bot.service.history import with_subjects
from bot.service.records import Cache, LastChange, TableRecord
from bot.service.requests import Briefing, SeatBriefing

EVENING = (
    TableOpened,
    SettingsChanged,
    PhaseSet,
    SeatTaken,
    GoodsMoved,
    DealMarked,
    TablePaused,
    TableResumed,
    TableClosing,
)
"""The classes of entries that tell an evening: who had how much when, what was traded, which
promises were kept.
"""

MUTED_FOR = 60.0
"""How long a user's silenced calls are cached, in seconds. Another process may have changed
them.
"""


async def no_pause() -> None:
    """Go on at once."""


async def briefing(
    ledger: Ledger,
    record: TableRecord,
    after: int,
    also: Collection[int] = (),
    offers: Collection[int] = (),
    *,
    last: LastChange | None = None,
    pause: Callable[[], Awaitable[None]] = no_pause,
) -> Briefing:
    """Return the table's views for its channel, threads and seats, with the entries after
    ``after``.

    ``also`` are the numbers of earlier entries to include, ``offers`` the numbers of offers to
    include even if they are over. ``last``: the change after ``after``, if it is in memory.
    ``pause`` is awaited before each view: at a full table one takes some 15 ms, and answers may be
    due.
    """
    if last is not None:
        news, views = list(last.recorded), last.views
    else:
        first = min(after, min(also, default=after + 1) - 1)
        found = await ledger.entries.read(record.id, after=first, until_seq=record.table.seq)
        news = [each for each in found if each.seq > after or each.seq in also]
        views = TableViews(record.table, news)
    subjects = {subject for each in news if (subject := each.entry.subject())}
    subjects |= {reference("offer", number) for number in offers}
    table = await with_subjects(ledger, views.table, subjects)
    if table is not views.table:
        views = TableViews(table, news)
    # Not opened: closing a table reveals its secrets to those who ask, but does not post them in
    # the channel.
    everybody = replace(gate.public(record, table), opened=False)
    people = record.people.values()
    evening: list[EntryView] = []
    for closed in news:
        if isinstance(closed.entry, TableClosed):
            kinds = kinds_of(*EVENING)
            async for page in ledger.entries.stream(record.id, until_seq=closed.seq, kinds=kinds):
                evening += [see_entry(each, everybody, record.table.game) for each in page]
    talks = set(table.negotiations)
    for offer in table.offers.values():
        if offer.negotiation is not None:
            talks.add(offer.negotiation)
    await pause()
    public = views.see(everybody)
    rooms = dict[int, TableView]()
    for number in sorted(talks):
        await pause()
        viewer = replace(room(table, people, number), opened=False)
        rooms[number] = views.see(viewer)
    seats = dict[str, SeatBriefing]()
    for seat in table.seats.values():
        person = record.people.get(seat.person or 0)
        if person is not None and person.user_id is not None:
            await pause()
            seats[seat.id] = _seat(record, views, seat.id, person)
    host = record.people.get(table.host)
    return Briefing(
        table_id=record.id,
        guild_id=record.row.guild_id,
        channel_id=record.row.channel_id,
        seq=table.seq,
        open=table.running,
        public=public,
        rooms=rooms,
        seats=seats,
        entries=views.entries(everybody),
        commands=_commands(news),
        host=host.user_id if host is not None else None,
        users={each.number: each.user_id for each in people if each.user_id is not None},
        after=after,
        newcomers=await _newcomers(ledger, record, news),
        evening=tuple(evening),
    )


async def _newcomers(
    ledger: Ledger, record: TableRecord, news: Sequence[Recorded]
) -> frozenset[int]:
    """Return the numbers of the entries with which somebody sat down for the first time at any of
    the bot's tables.

    That follows from the entries, so nothing is stored for it, and who is forgotten is new again.
    """
    found = set[int]()
    for each in news:
        if not isinstance(each.entry, SeatTaken):
            continue
        person = record.people.get(each.entry.person)
        if person is None or person.user_id is None:
            continue
        if await ledger.tables.sat_before(record.id, person.user_id, each.at):
            continue
        kinds, before = [each.entry.kind], each.seq - 1
        sat = await ledger.entries.recent(record.id, until_seq=before, limit=before, kinds=kinds)
        seated = {taken.entry.person for taken in sat if isinstance(taken.entry, SeatTaken)}
        if person.number not in seated:
            found.add(each.seq)
    return frozenset(found)


def _commands(news: Sequence[Recorded]) -> Mapping[int, int]:
    """Map each entry's number to the first entry of its command.

    Only commands from interactions record how many entries they have; any other entry maps to
    itself.
    """
    found, first, last = {}, 0, 0
    for each in news:
        if each.command_size or each.seq > last:
            first, last = each.seq, each.seq + (each.command_size or 1) - 1
        found[each.seq] = first
    return found


def _seat(record: TableRecord, views: TableViews, seat: str, person: Person) -> SeatBriefing:
    viewer = replace(gate.seat_viewer(record, views.table, person.number), opened=False)
    return SeatBriefing(
        seat=seat,
        user_id=person.user_id or 0,
        person=person.number,
        view=views.see(viewer),
        make_shared_view=lambda: views.see(replace(viewer, shared=True)),
        entries=views.entries(viewer),
    )


# ---------------------------------------------------------------- stored state


def muted_key(user_id: int) -> str:
    """Return the key of a user's silenced calls. Its field with the id is why `erase_person`
    deletes it.
    """
    return f"muted:{user_id}"


async def muted(ledger: Ledger, user_id: int) -> frozenset[CallKind]:
    """Return the calls that a user has silenced, for all their tables. Their messages still come,
    without a sound.
    """
    stored = await ledger.key_value(muted_key(user_id)) or ""
    return frozenset(kind for kind in CALL_KINDS if kind in stored.split(","))


ARRIVED, GREETED = "arrived:", "yes"
"""The keys of the servers that the bot has joined, and the value once it has said hello there."""


class MessageStore:
    """The part of the ledger that delivery may read and write: ``messages``, and some facts. It has
    no entries.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.messages = ledger.messages
        self._muted: Cache[int, frozenset[CallKind]] = Cache(
            partial(muted, ledger), fresh_for=MUTED_FOR
        )

    async def dm_channel(self, user_id: int, application_id: int) -> int | None:
        """Return the channel of a user's DMs with an application, if it was opened before."""
        channel, _, application = (
            await self._ledger.key_value(f"dm-channel:{user_id}") or ""
        ).partition(":")
        return int(channel) if application == str(application_id) else None

    async def set_dm_channel(self, user_id: int, channel_id: int, application_id: int) -> None:
        """Store the channel of a user's DMs, which belongs to an application."""
        await self._ledger.set_key_value(f"dm-channel:{user_id}", f"{channel_id}:{application_id}")

    async def muted(self, user_id: int) -> frozenset[CallKind]:
        """Return the calls that a user has silenced. The answer may be up to `MUTED_FOR` old."""
        return await self._muted.get(user_id, accepts_cached=True)

    def forget_muted(self, user_id: int) -> None:
        """Drop the cached calls of a user who has changed them."""
        self._muted.forget(user_id)

    async def gone(self, channel_id: int) -> bool:
        """Return whether this channel is known to have been deleted."""
        return bool(await self._ledger.key_value(f"gone:{channel_id}"))

    async def set_gone(self, channel_id: int) -> None:
        await self._ledger.set_key_value(f"gone:{channel_id}", "yes")

    async def greeting(self, guild_id: int) -> str:
        """Return `GREETED` once the bot has said hello on a server, and before that the nonce of
        the message that is to say so; empty if it is not to say hello there.
        """
        return await self._ledger.key_value(f"{ARRIVED}{guild_id}") or ""

    async def set_greeting(self, guild_id: int, greeting: str) -> None:
        await self._ledger.set_key_value(f"{ARRIVED}{guild_id}", greeting)

    async def greetings_owed(self) -> dict[int, str]:
        """Return the servers on which the bot is still to say hello, each with its nonce."""
        greetings = await self._ledger.values_of(await self._ledger.keys(ARRIVED))
        owed = dict[int, str]()
        for key, greeting in greetings.items():
            if greeting not in ("", GREETED):
                owed[int(key.removeprefix(ARRIVED))] = greeting
        return owed
