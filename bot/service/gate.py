"""The gate: decides whether a requester may access a table, and who they are there. Every command
and read passes here.

Only `Gate.admit` creates an `Admitted`, which is required for everything a requester may do or see.
A table that the requester may not access looks as if it did not exist:

- a request from a server reaches only the tables of that server;
- a request from a DM reaches the tables that know its user, while that user is on the table's
  server. For a DM Discord does not say who is on which server, so `Members` asks it and caches the
  answer for a minute.

Whom a moderator has put in time-out Discord keeps silent on the server, but not in DMs: `Gate` lets
no new words of theirs reach the table from there. They trade on.

Moderators have their rights only at tables of the server that the request came from. A user whom
the table does not know is `NOBODY` there.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields

from bot.ledger import TableRow
from bot.rules.commands import NOBODY, Caller, Command
from bot.rules.entries import Recorded
from bot.rules.model.goods import Goods
from bot.rules.model.people import Names
from bot.rules.model.table import Table
from bot.rules.model.values import frozen
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of, variant_of
from bot.rules.viewers import everybody, person_viewer
from bot.rules.views import Viewer
from bot.service.records import Recent, TableRecord, no_such_table
from bot.service.requests import People, Requester
from bot.tasks import Tasks, loop_time

KEPT_FOR = 60.0
"""How long a cached answer is valid, in seconds."""

ITSELF = 0
"""In place of a user's id: the bot."""

ANSWERS_KEPT = 8192
"""The most cached answers, and the most users who may read private threads."""


@frozen
class Membership:
    """Whether a user is on a server, and until when they are in time-out there, in milliseconds
    since 1970; 0 for not.
    """

    member: bool
    silent_until: int = 0


LookUp = Callable[[int, int], Awaitable[Membership | bool]]
"""Called with the ids of a server and a user. Returns their membership, without a time-out if that
is a bool, or raises `MembershipUnknown`.
"""

_PASSED = object()


def random_chance() -> str:
    """Return the chance of one command: 256 random bits, as 64 hexadecimal digits."""
    return secrets.token_hex(32)


@frozen
class Admitted:
    """A requester who may access a table, and that table. Only `Gate.admit` creates it."""

    record: TableRecord
    requester: Requester
    chance: Callable[[], str]
    passed: object

    def __post_init__(self) -> None:
        """Raise ``TypeError`` unless the gate created it."""
        if self.passed is not _PASSED:
            raise TypeError("only the gate admits")

    def at(self, record: TableRecord) -> Admitted:
        """Return the same requester at a later state of the same table, without another check.

        Nobody is denied the result of their own command.
        """
        if record.id != self.record.id:
            raise ValueError(f"admitted to table {self.record.id}, not to {record.id}")
        return Admitted(record, self.requester, self.chance, self.passed)

    @property
    def moderates(self) -> bool:
        """Whether the requester moderates the table's server."""
        return self.requester.manages_guild and self.requester.guild_id is not None

    @property
    def reader(self) -> Caller:
        """The requester as a reader, who is not added to the table's people."""
        person = self.record.person(self.requester.user_id)
        return Caller(person=person.number if person else NOBODY, moderator=self.moderates)

    def caller(self, people: People, at: int) -> Caller:
        """Return the requester as the caller of a command. A new requester is added to
        ``people``.
        """
        person = people.number(self.requester.user_id, self.requester.name)
        interaction = self.requester.interaction
        return Caller(person, self.moderates, at, interaction=interaction, chance=self.chance())

    def viewer(self, *, look: Recorded | None = None) -> Viewer:
        """Return the requester as a viewer of the table.

        ``look`` is the entry that records an audit; it opens the hands to a host or moderator who
        never sat at the table.
        """
        return person_viewer(self.record.table, self.record.people.values(), self.reader, look=look)


class Gate:
    """Admits requesters to tables. ``chance`` returns what their commands draw from; plays, which
    repeat, set it.
    """

    def __init__(self, members: Members, chance: Callable[[], str] | None = None) -> None:
        self._members = members
        self.chance = chance or random_chance

    async def admit(self, record: TableRecord, requester: Requester) -> Admitted:
        """Admit the requester to this table. Raises `Refused`, as for a missing table, if they may
        not access it.

        Also raises `Refused`, with the reason, when Discord can't say whether the user is still on
        the server.
        """
        known = record.person(requester.user_id) is not None
        await self.require_reach(record.row, requester, known=known)
        return Admitted(record, requester, self.chance, _PASSED)

    async def require_reach(self, row: TableRow, requester: Requester, *, known: bool) -> None:
        """Raise `Refused` unless the requester may know of this table. ``known``: the table knows
        the requester.
        """
        try:
            reached = await self.may_know_of(row, requester, known=known)
        except BotRemoved:
            raise bot_removed() from None
        if not reached:
            raise no_such_table()

    async def may_know_of(self, row: TableRow, requester: Requester, *, known: bool) -> bool:
        """Return whether the requester may know of this table.

        Raises `Refused` when Discord can't say, and `BotRemoved` where the bot is no longer on the
        table's server.
        """
        if requester.guild_id is not None:
            for user_id in (requester.user_id, *requester.present):
                self._members.note(requester.guild_id, user_id, member=True)
            self._members.note_reader(
                requester.guild_id, requester.user_id, reads=requester.reads_threads
            )
            return requester.guild_id == row.guild_id
        if not known or row.guild_id is None:
            return known
        try:
            return await self._members.is_member(row.guild_id, requester.user_id)
        except BotRemoved:
            raise
        except MembershipUnknown:
            raise _cannot_check() from None

    async def require_voice(self, admitted: Admitted, command: Command, at: int) -> None:
        """Raise `Refused` for new words by DM from somebody who is in time-out on the table's
        server at this time, in milliseconds since 1970.
        """
        row, requester = admitted.record.row, admitted.requester
        if requester.guild_id is not None or row.guild_id is None:
            return
        if not new_words(admitted.record.table, command):
            return
        try:
            until = await self._members.silent_until(row.guild_id, requester.user_id)
        except BotRemoved:
            raise bot_removed() from None
        except MembershipUnknown:
            raise _cannot_check() from None
        if until > at:
            raise Refused(
                f"You are in time-out on the server until <t:{until // 1000}:f>. Until then I pass "
                "on no new words of yours.",
                "Trades without words go on.",
            )


def _cannot_check() -> Refused:
    return Refused(
        "I can't check with Discord right now whether you are still on the table's server.",
        "Try again in a moment, or in the table's channel.",
    )


def new_words(table: Table, command: Command) -> bool:
    """Return whether a command brings words of its person's own to the table that do not stand
    there yet: texts, and names of goods that could be called anything.
    """
    known = {""}
    named = set[str]()
    for offer in table.offers.values():
        known |= {offer.terms, offer.terms_now}
        named |= {*offer.give, *offer.want}
    for name in command.words:
        if (getattr(command, name) or "") not in known:
            return True
    for seat in table.seats.values():
        named |= {*seat.holdings, *seat.in_play}
    for field in fields(command):
        goods = getattr(command, field.name)
        if isinstance(goods, Goods):
            free = goods.of_kind(*game_of(table).goods.any_name)
            if any(token not in named for token in free):
                return True
    return False


def seat_viewer(record: TableRecord, table: Table, person: int) -> Viewer:
    """Return a person of the table as a viewer, for messages delivered without a request."""
    return person_viewer(table, record.people.values(), Caller(person=person))


def public(record: TableRecord, table: Table | None = None) -> Viewer:
    """Return the table's channel as a viewer."""
    return everybody(table or record.table, record.people.values())


@contextmanager
def with_names(record: TableRecord, reader: Caller, people: People | None = None) -> Iterator[None]:
    """Add the names that its sentences need, including newcomers', to a refusal raised in this
    block for ``reader``.
    """
    try:
        yield
    except Refused as refused:
        table = record.table
        everybody, words = people.all if people else record.people, game_of(table).words(table)
        variant = variant_of(table)
        refused.names = Names(table.game, everybody, table.holders(), words, reader.person, variant)
        raise


# ---------------------------------------------------------------- membership


class MembershipUnknown(Exception):
    """Discord can't say just now whether a user is on a server."""


class BotRemoved(MembershipUnknown):
    """The bot is not on a server any more, so Discord does not tell it who is."""


def bot_removed() -> Refused:
    """Return the refusal of what is about a table on a server that the bot has left."""
    return Refused(
        "I am no longer on this table's server.", "Ask somebody who manages it to add me again."
    )


class Members:
    """Caches who is on which server. Without a ``look_up``, it knows only what `note` recorded.

    ``here`` returns whether the bot is on a server; None if nothing is known. ``moved`` is called
    with the id of a server that the bot has left or joined.
    """

    def __init__(
        self,
        look_up: LookUp | None = None,
        here: Callable[[int], bool | None] = lambda guild_id: None,
    ) -> None:
        self._look_up = look_up
        self._here = here
        self.moved: Callable[[int], None] = lambda guild_id: None
        # the servers that the bot has left, as far as this process has learned
        self._left = set[int]()
        self._known = Recent[tuple[int, int], tuple[float, bool]](ANSWERS_KEPT)
        # until when users are in time-out, as Discord said at a time
        self._silent = Recent[tuple[int, int], tuple[float, int]](ANSWERS_KEPT)
        # (server, user): who may read every private thread there; a few on each server
        self._readers = Recent[tuple[int, int], None](ANSWERS_KEPT)
        self._asking: dict[tuple[int, int], asyncio.Task[bool | MembershipUnknown]] = {}
        self._tasks = Tasks()

    def known(self, guild_id: int, user_id: int) -> bool | None:
        """Return from the cache whether the user is on the server; None if there is no valid
        answer.
        """
        at, member = self._known.get((guild_id, user_id), (-KEPT_FOR, False))
        return member if loop_time() - at < KEPT_FOR else None

    def note(self, guild_id: int, user_id: int, *, member: bool) -> None:
        """Record a fact that was just observed, for example that the user sent an interaction from
        the server.
        """
        self._known[guild_id, user_id] = loop_time(), member

    def forget(self, guild_id: int, user_id: int) -> None:
        """Forget whether the user is on the server: Discord has said something else since."""
        self._known.pop((guild_id, user_id), None)

    def note_reader(self, guild_id: int, user_id: int, *, reads: bool) -> None:
        """Record whether the user, who has just sent an interaction, may read every private thread
        of the server.
        """
        if reads:
            self._readers[guild_id, user_id] = None
        else:
            self._readers.pop((guild_id, user_id), None)

    def readers(self, guild_id: int) -> list[int]:
        """Return the users who, by their last interaction on the server, may read every private
        thread there.
        """
        here = [user_id for guild, user_id in self._readers if guild == guild_id]
        return [user_id for user_id in here if self.known(guild_id, user_id) is not False]

    def note_bot(self, guild_id: int, *, here: bool) -> None:
        """Record that the bot has left a server or joined it."""
        self.note(guild_id, ITSELF, member=here)
        (self._left.discard if here else self._left.add)(guild_id)
        self.moved(guild_id)

    def listed_anew(self) -> None:
        """Note that Discord has listed the bot's servers: an invitation may have come while there
        was no connection.
        """
        for guild_id in [each for each in self._left if self._here(each)]:
            self.note_bot(guild_id, here=True)

    def removed(self, guild_id: int) -> bool:
        """Return whether the bot is known not to be on the server."""
        removed = self.known(guild_id, ITSELF) is False or self._here(guild_id) is False
        if removed:
            self._left.add(guild_id)  # what asks rests from now on: it must hear of an invitation
        return removed

    async def is_member(self, guild_id: int, user_id: int) -> bool:
        """Return whether the user is on the server. Raises `MembershipUnknown`, or `BotRemoved`."""
        if self.known(guild_id, ITSELF) is False:
            raise BotRemoved("the bot is not on this server")
        if (known := self.known(guild_id, user_id)) is not None:
            return known
        return await self._looked_up(guild_id, user_id)

    async def silent_until(self, guild_id: int, user_id: int) -> int:
        """Return until when the user is in time-out on the server, in milliseconds since 1970; 0
        for not. Raises `MembershipUnknown`, or `BotRemoved`.

        Nobody is where there is nobody to ask.
        """
        at, until = self._silent.get((guild_id, user_id), (-KEPT_FOR, 0))
        if loop_time() - at < KEPT_FOR or self._look_up is None:
            return until
        await self._looked_up(guild_id, user_id)
        return self._silent.get((guild_id, user_id), (0.0, 0))[1]

    async def _looked_up(self, guild_id: int, user_id: int) -> bool:
        if self._look_up is None:
            raise MembershipUnknown("there is nobody to ask")
        # Concurrent callers with the same question share one request.
        task = self._asking.get((guild_id, user_id))
        if task is None:
            task = self._tasks.start(
                "asking for a member", self._ask(self._look_up, guild_id, user_id)
            )
            self._asking[guild_id, user_id] = task
            task.add_done_callback(lambda _: self._asking.pop((guild_id, user_id), None))
        # Shielded: cancelling one caller must not cancel the shared request.
        answer = await asyncio.shield(task)
        if isinstance(answer, MembershipUnknown):
            raise answer
        return answer

    async def _ask(self, look_up: LookUp, guild_id: int, user_id: int) -> bool | MembershipUnknown:
        began = loop_time()
        try:
            answer = await look_up(guild_id, user_id)
        except BotRemoved as removed:
            at, here = self._known.get((guild_id, ITSELF), (began, False))
            if here and at > began:
                return MembershipUnknown("the bot was invited while it asked")
            self.note_bot(guild_id, here=False)
            return removed
        except MembershipUnknown as unknown:
            return unknown
        found = answer if isinstance(answer, Membership) else Membership(answer)
        self.note(guild_id, user_id, member=found.member)
        self._silent[guild_id, user_id] = loop_time(), found.silent_until
        return found.member
