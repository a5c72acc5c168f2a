"""The herald: delivers what is owed. Cards in the channel and by DM, kept as the table is.

What is owed follows from the ledger: a cursor per table says up to which entry everybody has been told. Cards are
drawn from the table as it is now, so delivering twice changes nothing; a message sent again after a crash carries
the same nonce and does not double.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from weakref import WeakValueDictionary

import discord
from discord.abc import Messageable

from bot.desk import Desk, Look, Outcome
from bot.ledger import Ledger, LedgerError, Message, TableRow
from bot.paint import paint
from bot.rules.entries import Corrected, Looked, Recorded, TableClosed, Transaction
from bot.rules.offers import takers, to_confirm
from bot.rules.table import Negotiation, Offer
from bot.show.asks import ask_card, asks, follow_card, settled_card, told_card
from bot.show.audit import correction_card, head_card
from bot.show.cards import Card, missed_card, offer_card
from bot.show.names import game_of
from bot.show.negotiations import summary_card, thread_name
from bot.show.results import change_text, public_result_card, result_card
from bot.show.tables import board_card

log = logging.getLogger(__name__)

CLOSED_DMS = (50007, 50278)
"""Discord's codes for somebody who takes no messages from us."""

BREATH = 0.2
"""Seconds between two tables after a start, so that looking after thousands leaves room for those who act now."""

Where = Callable[[], Awaitable[Messageable]]
"""Opens the channel or DM that a message goes to."""


GONE = (10008, 30046)
"""A message that can't be redrawn: deleted, or over an hour old and edited too often. Posted anew if needed."""


@dataclass
class _Round:
    """One round of telling: the table as it is, and what has been shown where. ``check``: look whether it still is."""

    row: TableRow
    look: Look
    shown: dict[str, Message]
    check: bool


class Herald:
    """Tells people what happened, once, and keeps every card as the table is.

    ``told`` is called with each table as it was told of. ``pace`` is the least time between two edits of one table's
    board, in seconds.
    """

    def __init__(self, client: discord.Client, desk: Desk, told: Callable[[Look], object], pace: float) -> None:
        self._client = client
        self._told = told
        self._pace = pace
        self._board_locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._board_at: dict[int, float] = {}
        self._boards_due: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._desk = desk
        self._ledger: Ledger = desk.ledger
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def deliver(self, table_id: int, *, check: bool = False) -> None:
        """Tell what happened at a table since the last time. ``check`` also looks whether each card is still there.

        What a channel that is gone or closed to us would not take is
        logged and not tried again; the ledger stands. Raises ``discord.HTTPException`` for anything else, and what
        is owed is told next time.
        """
        row = await self._ledger.table(table_id)
        if row is None:
            return
        await self._board(row, check)
        async with self._locks.setdefault(table_id, asyncio.Lock()):
            look = await self._desk.look(table_id)
            news = await self._ledger.read(table_id, after=await self._ledger.cursor(table_id), upto=look.table.seq)
            shown = {message.subject: message for message in await self._ledger.messages(table_id)}
            this = _Round(row, look, shown, check)
            await self._tell(this, news)
            if news:
                await self._ledger.set_cursor(table_id, look.table.seq)
            self._told(look)

    @contextlib.contextmanager
    def _closed_to_me(self, row: TableRow) -> Iterator[None]:
        """A channel that is gone or closed to us is nobody's mistake at the table."""
        try:
            yield
        except (discord.Forbidden, discord.NotFound) as error:
            log.warning("table %d: channel %d is closed to me (%d)", row.id, row.channel_id, error.code)

    async def unreached(self, outcome: Outcome) -> list[int]:
        """The users whom an offer of this outcome should have reached by DM, and who were pinged in the channel."""
        table_id = outcome.after.table_id
        row = await self._ledger.table(table_id)
        offers = dict.fromkeys(offer for one in outcome.entries if (offer := getattr(one.entry, "offer", None)))
        found = []
        for offer in offers:
            for message in await self._ledger.messages(table_id, f"offer:{offer}:"):
                if row is not None and message.channel_id == row.channel_id:
                    found.append(int(message.subject.rpartition(":")[2]))
        return found

    async def catch_up(self) -> None:
        """After a start: deliver what a crash left owing, and post anew every card whose message is gone."""
        owing = set(await self._ledger.owing())
        tables = sorted(owing | {row.id for row in await self._ledger.open_tables()})
        for number, table_id in enumerate(tables):
            if number:
                await asyncio.sleep(BREATH)
            try:
                await self._desk.tick(table_id)
                await self.deliver(table_id, check=True)
            except discord.HTTPException as error:
                log.warning("table %d: could not catch up (%s %s)", table_id, error.status, error.code)
            except LedgerError as error:
                log.error("table %d: could not catch up: %s", table_id, error)

    async def _tell(self, this: _Round, news: Sequence[Recorded]) -> None:
        for talks in this.look.table.negotiations.values():
            await self._negotiation(this, talks)
        touched = {offer for recorded in news if (offer := getattr(recorded.entry, "offer", None))}
        for offer in this.look.table.offers.values():
            if offer.status in ("open", "suspended") or offer.number in touched:
                await self._offer(this, offer)
        await self._asks(this)
        for recorded in news:
            if isinstance(recorded.entry, Transaction):
                await self._result(this, recorded, recorded.entry)
            await self._announce(this, recorded)

    async def _announce(self, this: _Round, recorded: Recorded) -> None:
        """What everybody is to know of the ledger itself: corrections with their reason, and the head of the chain."""
        match recorded.entry:
            case Corrected(reason=reason) as entry if reason:
                told = change_text(this.look, entry)
                card = correction_card(this.look, recorded, told)
                await self._show(this, f"correction:{recorded.seq}", self._channel(this.row), card, True)
            case TableClosed() | Looked(what="verify"):
                card = head_card(this.look, recorded)
                await self._show(this, f"head:{recorded.seq}", self._channel(this.row), card, True)

    async def _board(self, row: TableRow, check: bool) -> None:
        """The board, at most once every ``pace`` seconds; what comes meanwhile is shown together.

        It waits for no card that is still under way. With each turn, agenda or phase it moves down to where people
        are reading.
        """
        now = asyncio.get_running_loop().time()
        wait = self._board_at.get(row.id, -self._pace) + self._pace - now
        if wait > 0:
            if row.id not in self._boards_due:
                self._boards_due.add(row.id)
                asyncio.get_running_loop().call_later(wait, self._board_due, row.id)
            return
        async with self._board_locks.setdefault(row.id, asyncio.Lock()):
            look = await self._desk.look(row.id)
            shown = {message.subject: message for message in await self._ledger.messages(row.id, "board")}
            this = _Round(row, look, dict(shown), check)
            await self._show_board(this)
            if this.shown.get("board") != shown.get("board"):
                self._board_at[row.id] = now

    async def _show_board(self, this: _Round) -> None:
        before, window = this.shown.get("board"), this.shown.get("board-window")
        number = str(this.look.table.window.number)
        if window is None or window.shown != number:
            if before and this.look.table.open:
                await self._delete(before)
                del this.shown["board"]
            await self._remember(this, Message("board-window", this.row.channel_id, 0, number))
        await self._show_here(this, "board", self._channel(this.row), board_card(this.look), this.look.table.open)

    def _board_due(self, table_id: int) -> None:
        task = asyncio.get_running_loop().create_task(self._late_board(table_id))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _late_board(self, table_id: int) -> None:
        self._boards_due.discard(table_id)
        try:
            if (row := await self._ledger.table(table_id)) is not None:
                await self._board(row, check=False)
        except discord.HTTPException as error:
            log.warning("table %d: its board could not be shown (%s %s)", table_id, error.status, error.code)

    async def _offer(self, this: _Round, offer: Offer) -> None:
        """An offer's cards: in the channel for everybody, and to each who must act."""
        look, subject, live = this.look, f"offer:{offer.number}", offer.status in ("open", "suspended")
        where = self._channel(this.row)
        if offer.negotiation is not None:
            where = self._thread(this, offer.negotiation)
        await self._show_here(this, subject, where, offer_card(look, offer), live)
        asked = to_confirm(look.table, offer)
        if offer.to and (to := user_in(look, offer.to)):
            said = offer_card(look, offer, "addressed"), offer_card(look, offer, "addressed", overheard=True)
            await self._personal(this, f"{subject}:to:{to}", to, *said, live, anew=offer.to in asked)
        if by := user_in(look, offer.seat):
            acts = offer.seat in asked or bool(takers(look.table, offer))
            said = offer_card(look, offer, "poster"), offer_card(look, offer, "poster", overheard=True)
            await self._personal(this, f"{subject}:by:{by}", by, *said, acts, anew=acts)
        if offer.status == "resolved":
            for seat in offer.signatures:
                if not offer.party(seat) and (missed := user_in(look, seat)):
                    with contextlib.suppress(ClosedDms):
                        await self._dm(this, f"{subject}:missed:{missed}", missed, missed_card(look, offer), True)

    async def _result(self, this: _Round, recorded: Recorded, entry: Transaction) -> None:
        """The side that did not just press the button is told privately what it gave, got and has now."""
        if this.look.table.offers[entry.offer].negotiation is not None:  # talked over in private, resolved in public
            card = public_result_card(this.look, entry)
            await self._show_here(this, f"transaction:{entry.number}", self._channel(this.row), card, True)
        private = [
            (f"result:{entry.number}", seat, result_card(this.look, entry, seat))
            for seat in (entry.first, entry.second)
            if recorded.by != this.look.table.seats[seat].person
        ]
        follows = enumerate(game_of(this.look).follows(this.look.table, entry))
        private += [
            (f"follow:{entry.number}:{number}", follow.seat, follow_card(this.look, follow))
            for number, follow in follows
        ]
        for subject, seat, card in private:
            if user := user_in(this.look, seat):
                whistle = told_card(this.look, entry.number)
                await self._personal(this, f"{subject}:{user}", user, card, whistle, True)

    async def _negotiation(self, this: _Round, talks: Negotiation) -> None:
        """A private thread for two with its summary; archived once they are done."""
        subject, summary = f"thread:{talks.number}", f"summary:{talks.number}"
        if subject not in this.shown and talks.open:
            users = [user for seat in (talks.seat, talks.other) if (user := user_in(this.look, seat))]
            try:
                opened = await self._open_thread(this, talks, users)
            except discord.Forbidden:
                log.warning("table %d: I may not open private threads there", this.row.id)
                return
            await self._remember(this, Message(subject, opened, 0, "open"))
        thread = this.shown.get(subject)
        if thread is None or thread.shown == "closed":
            return
        await self._show_here(
            this, summary, self._thread(this, talks.number), summary_card(this.look, talks), talks.open
        )
        if not talks.open:
            with contextlib.suppress(discord.NotFound, discord.Forbidden):
                await self._client.http.edit_channel(thread.channel_id, archived=True)
            await self._remember(this, replace(thread, shown="closed"))

    async def _open_thread(self, this: _Round, talks: Negotiation, users: Sequence[int]) -> int:
        """Raises ``discord.Forbidden`` when the channel does not allow it."""
        channel = await self._client.fetch_channel(this.row.channel_id)
        if isinstance(channel, discord.Thread):
            channel = await self._client.fetch_channel(channel.parent_id)
        if not isinstance(channel, discord.TextChannel):
            raise TypeError(f"a {type(channel).__name__} has no private threads")
        thread = await channel.create_thread(
            name=thread_name(this.look, talks), type=discord.ChannelType.private_thread, invitable=False
        )
        for user in users:
            await thread.add_user(discord.Object(user))
        return thread.id

    async def thread_of(self, table_id: int, negotiation: int) -> int | None:
        """The thread of a negotiation; None when there is none."""
        message = await self._ledger.message(table_id, f"thread:{negotiation}")
        return message.channel_id if message else None

    async def negotiation_in(self, table_id: int, thread: int) -> int | None:
        """The negotiation whose thread this is."""
        threads = await self._ledger.messages(table_id, "thread:")
        found = next((message for message in threads if message.channel_id == thread), None)
        return int(found.subject.partition(":")[2]) if found else None

    async def _asks(self, this: _Round) -> None:
        """Questions to one person each; one that is settled since loses its buttons."""
        pending = {}
        for ask in asks(this.look):
            if user := user_in(this.look, ask.seat):
                pending[f"ask:{ask.key}:{user}"] = (user, ask_card(this.look, ask))
        for subject, (user, card) in pending.items():
            await self._personal(this, subject, user, card, card, True)
        for message in list(this.shown.values()):
            if message.subject.startswith("ask:") and message.subject not in pending:
                await self._redraw(message, settled_card(this.look))
                await self._ledger.forget_message(this.row.id, message.subject)
                del this.shown[message.subject]

    async def _personal(
        self, this: _Round, subject: str, user: int, card: Card, overheard: Card, wanted: bool, anew: bool = False
    ) -> None:
        """A card for one person: by DM; or where they take none, what others may overhear, in the channel with a ping.

        ``anew``: they have to act, so a card that asks for something else than the last one is sent as a new message
        and the last one loses its buttons.
        """
        last = this.shown.get(subject)
        if anew and last and last.shown != _digest(card) and not this.check:
            await self._redraw(last, replace(card, rows=()))
            del this.shown[subject]
            last = None
        pinged = last is not None and last.channel_id == this.row.channel_id
        try:
            if not pinged:
                await self._dm(this, subject, user, card, wanted)
        except ClosedDms:
            pinged = True
        if pinged:
            told = f"<@{user}>, I can't reach you by DM, so this waits for you here."
            said = replace(overheard, blocks=(told, *overheard.blocks))
            await self._show_here(this, subject, self._channel(this.row), said, wanted, ping=user)

    async def _dm(self, this: _Round, subject: str, user: int, card: Card, wanted: bool) -> None:
        """Raises ClosedDms when this person takes none."""

        async def direct() -> Messageable:
            return await self._client.create_dm(discord.Object(user))

        try:
            await self._show(this, subject, direct, card, wanted)
        except discord.Forbidden as error:
            if error.code in CLOSED_DMS:
                raise ClosedDms from None
            raise

    def _thread(self, this: _Round, negotiation: int) -> Where:
        """A negotiation's thread; the table's channel never shows what is said there."""

        async def thread() -> Messageable:
            return self._client.get_partial_messageable(this.shown[f"thread:{negotiation}"].channel_id)

        return thread

    def _channel(self, row: TableRow) -> Where:
        async def channel() -> Messageable:
            return self._client.get_partial_messageable(row.channel_id, guild_id=row.guild_id)

        return channel

    async def _show_here(
        self, this: _Round, subject: str, where: Where, card: Card, wanted: bool, *, ping: int | None = None
    ) -> None:
        """Show a card in a channel or thread; one that is gone or closed to us must not keep the DMs from coming."""
        with self._closed_to_me(this.row):
            await self._show(this, subject, where, card, wanted, ping=ping)

    async def _show(
        self, this: _Round, subject: str, where: Where, card: Card, wanted: bool, *, ping: int | None = None
    ) -> None:
        """Make the message of this subject look like the card; send one when there is none and one is ``wanted``."""
        digest = _digest(card)
        message = this.shown.get(subject)
        if message and message.shown == digest and not this.check:
            return
        if message and await self._redraw(message, card):
            await self._remember(this, replace(message, shown=digest))
        elif wanted:
            gone = message.message_id if message else 0
            channel = await where()
            mentions = discord.AllowedMentions(
                everyone=False, roles=False, users=[discord.Object(ping)] if ping else False
            )
            sent = await channel.send(
                view=paint(card), nonce=_nonce(this.look, f"{subject}:{gone}"), allowed_mentions=mentions
            )
            await self._remember(this, Message(subject, sent.channel.id, sent.id, digest))

    async def _redraw(self, message: Message, card: Card) -> bool:
        """Edit a message; False when that can't be done any more."""
        channel = self._client.get_partial_messageable(message.channel_id)
        try:
            await channel.get_partial_message(message.message_id).edit(
                view=paint(card), allowed_mentions=discord.AllowedMentions.none()
            )
        except discord.HTTPException as error:
            if error.code in GONE:
                return False
            raise
        return True

    async def _delete(self, message: Message) -> None:
        channel = self._client.get_partial_messageable(message.channel_id)
        with contextlib.suppress(discord.NotFound):
            await channel.get_partial_message(message.message_id).delete()

    async def _remember(self, this: _Round, message: Message) -> None:
        this.shown[message.subject] = message
        await self._ledger.save_message(this.row.id, message)


class ClosedDms(Exception):
    """This person takes no DMs from us."""


def user_in(look: Look, seat: str) -> int | None:
    """The Discord user in a seat, if anybody is."""
    person = look.people.get(look.table.seats[seat].person or 0)
    return person.user_id if person else None


def _digest(card: Card) -> str:
    return hashlib.sha256(repr(card).encode()).hexdigest()[:16]


def _nonce(look: Look, subject: str) -> str:
    """The same for the same news, so that sending it again after a crash gives the first message back."""
    return hashlib.sha256(f"{look.table_id}:{subject}:{look.table.seq}".encode()).hexdigest()[:25]
