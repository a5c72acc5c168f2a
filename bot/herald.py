"""The herald: delivers what is owed. Cards in the channel and by DM, kept as the table is.

What is owed follows from the ledger: a cursor per table says up to which entry everybody has been told. Cards are
drawn from the table as it is now, so delivering twice changes nothing; a message sent again after a crash carries
the same nonce and does not double.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from weakref import WeakValueDictionary

import discord

from bot.boards import Boards
from bot.desk import Desk, Look, Outcome
from bot.ledger import Ledger, Message
from bot.messenger import NOWHERE, ClosedDms, Messenger, Round
from bot.rules.entries import (
    Corrected,
    DealAnswered,
    HandedOver,
    Looked,
    Recorded,
    Signed,
    TableClosed,
    Transaction,
)
from bot.rules.offer_state import asked, exchange_of, takers
from bot.rules.table import Negotiation, Offer
from bot.rules.views import PUBLIC, view
from bot.show import names
from bot.show.asks import ask_card, asks, follow_card, overheard_card, settled_card, told_card
from bot.show.audit import correction_card, head_card
from bot.show.cards import Audience, Card, missed_card, offer_card, private_offer_card
from bot.show.deals import deal_card
from bot.show.happened import line
from bot.show.names import game_of
from bot.show.negotiations import summary_card, thread_name
from bot.show.results import change_text, public_result_card, result_card

log = logging.getLogger(__name__)

CHECKED_EVERY = 60.0
"""The least time between two looks whether a table's messages are all still there, in seconds."""

BREATH = 0.2
"""Seconds between two tables after a start, so that looking after thousands leaves room for those who act now."""

SERVER_ERROR = 500


class Herald:
    """Tells people what happened, once, and keeps every card as the table is.

    ``told`` is called with each table as it was told of. ``pace`` is the least time between two edits of one table's
    board, in seconds.
    """

    def __init__(self, client: discord.Client, desk: Desk, told: Callable[[Look], object], pace: float) -> None:
        self._client = client
        self._told = told
        self._checked_at: dict[int, float] = {}
        self._desk = desk
        self._post = Messenger(client, desk.ledger)
        self._boards = Boards(desk, self._post, pace)
        self._ledger: Ledger = desk.ledger
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def deliver(self, table_id: int, *, check: bool = False) -> None:
        """Tell what happened at a table since the last time. ``check`` also looks whether each card is still there.

        What a channel that is gone or closed to us would not take is logged and not tried again; the ledger stands.
        Raises ``discord.HTTPException`` for anything else, and what is owed is told next time.
        """
        row = await self._ledger.table(table_id)
        if row is None:
            return
        now = asyncio.get_running_loop().time()
        check = check and now - self._checked_at.get(table_id, -CHECKED_EVERY) >= CHECKED_EVERY
        if check:
            self._checked_at[table_id] = now
        await self._boards.show(row, check)
        async with self._locks.setdefault(table_id, asyncio.Lock()):
            look = await self._desk.look(table_id)
            news = await self._ledger.read(table_id, after=await self._ledger.cursor(table_id), upto=look.table.seq)
            shown = {message.subject: message for message in await self._ledger.messages(table_id)}
            this = Round(row, look, shown, check)
            await self._tell(this, news)
            if news:
                await self._ledger.set_cursor(table_id, look.table.seq)
            self._told(look)
            if not look.table.open:
                self._boards.forget(table_id)
                self._checked_at.pop(table_id, None)

    def close(self) -> None:
        """Start nothing more; the ledger knows what is owed."""
        self._boards.close()

    async def channel_of(self, table_id: int) -> int | None:
        """The channel of a table."""
        row = await self._ledger.table(table_id)
        return row.channel_id if row else None

    async def say(self, table_id: int, text: str) -> None:
        """Say something in a table's channel that was typed elsewhere."""
        row = await self._ledger.table(table_id)
        if row is not None:
            with self._post.closed_to_me(row):
                channel = self._client.get_partial_messageable(row.channel_id, guild_id=row.guild_id)
                await channel.send(text, allowed_mentions=discord.AllowedMentions.none())

    async def unreached(self, outcome: Outcome) -> list[int]:
        """The users whom an offer of this outcome should have reached by DM, and who were pinged where others read."""
        table_id = outcome.after.table_id
        row = await self._ledger.table(table_id)
        offers = dict.fromkeys(offer for one in outcome.entries if (offer := getattr(one.entry, "offer", None)))
        open_places = {thread.channel_id for thread in await self._ledger.messages(table_id, "thread:")}
        open_places |= {row.channel_id} if row else set()
        messages = [message for offer in offers for message in await self._ledger.messages(table_id, f"offer:{offer}:")]
        return [int(each.subject.rpartition(":")[2]) for each in messages if each.channel_id in open_places]

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
            except Exception:
                log.exception("table %d: could not catch up", table_id)

    async def _tell(self, this: Round, news: Sequence[Recorded]) -> None:
        for recorded in news:
            await self._struck(this, recorded)
        for talks in this.look.table.negotiations.values():
            await self._negotiation(this, talks)
        touched = {offer for recorded in news if (offer := getattr(recorded.entry, "offer", None))}
        handed = {one.entry.offer for one in news if isinstance(one.entry, HandedOver)}
        asked_anew = touched - handed | {one.entry.offer for one in news if isinstance(one.entry, Signed)}
        for offer in this.look.table.offers.values():
            if offer.status in ("open", "suspended") or offer.number in touched:
                await self._offer(this, offer, fresh=offer.number in asked_anew)
        await self._asks(this)
        for recorded in news:
            if isinstance(recorded.entry, Transaction):
                await self._result(this, recorded, recorded.entry)
            await self._announce(this, recorded)

    async def _struck(self, this: Round, recorded: Recorded) -> None:
        """What the clock brought is said before all else: nobody acted, so nobody was answered."""
        if recorded.by is None and (said := line(this.look, view(recorded.entry, PUBLIC))):
            card = Card("waiting", (names.tell(this.look, said),))
            await self._post.show_here(this, f"clock:{recorded.seq}", this.table_home, card, True)

    async def _announce(self, this: Round, recorded: Recorded) -> None:
        """What everybody is to know of the ledger itself: corrections with their reason, and the head of the chain."""
        match recorded.entry:
            case Corrected(reason=reason) as entry if reason:
                told = change_text(this.look, entry)
                card = correction_card(this.look, recorded, told)
                await self._post.show_here(this, f"correction:{recorded.seq}", this.table_home, card, True)
            case DealAnswered(deal=number):
                deal = this.look.table.deals[number]
                if user := user_in(this.look, deal.seat):
                    with contextlib.suppress(ClosedDms):
                        await self._post.dm(this, f"deal:{number}:{user}", user, deal_card(this.look, deal), True)
            case TableClosed() | Looked(what="verify"):
                card = head_card(this.look, recorded)
                await self._post.show_here(this, f"head:{recorded.seq}", this.table_home, card, True)

    async def _offer(self, this: Round, offer: Offer, *, fresh: bool) -> None:
        """An offer's cards: in the channel for everybody, and to each who must act; as a new message, where what they
        are asked for is ``fresh``.
        """
        look, subject, live = this.look, f"offer:{offer.number}", offer.status in ("open", "suspended")
        home = this.home(offer.negotiation)
        hidden = offer.private and offer.negotiation is None  # nobody else has to read that there is something
        if home is not None and (not hidden or subject in this.shown):
            await self._post.show_here(this, subject, home, offer_card(look, offer), live)
        waiting = asked(look.table, offer)
        roles: tuple[tuple[Audience, str, str | None, bool, bool], ...] = (
            ("addressed", "to", offer.to, live, offer.to in waiting),
            ("poster", "by", offer.seat, acts := _concerns_poster(look, offer), acts),
        )
        told = set()
        for audience, role, seat, wanted, anew in roles:
            if seat and (user := user_in(look, seat)):
                card = offer_card(look, offer, audience)
                overheard = offer_card(look, offer, audience, overheard=True)
                if home is None or offer.private or exchange_of(look.table) is not None:
                    overheard = private_offer_card(look, offer)
                told.add(f"{subject}:{role}:{user}")
                await self._post.personal(
                    this, f"{subject}:{role}:{user}", user, card, overheard, wanted, anew and fresh, offer.negotiation
                )
        await self._no_more(this, offer, told)
        if offer.status == "resolved":
            for seat in offer.signatures:
                if not offer.party(seat) and (missed := user_in(look, seat)):
                    with contextlib.suppress(ClosedDms):
                        await self._post.dm(this, f"{subject}:missed:{missed}", missed, missed_card(look, offer), True)

    async def _no_more(self, this: Round, offer: Offer, told: set[str]) -> None:
        """Who has left their seat, or lost it, has nothing to press any more."""
        for message in list(this.shown.values()):
            personal = message.subject.startswith((f"offer:{offer.number}:to:", f"offer:{offer.number}:by:"))
            if personal and message.subject not in told:
                await self._post.close_card(this, message, replace(offer_card(this.look, offer), rows=()))
                await self._ledger.forget_message(this.row.id, message.subject)
                del this.shown[message.subject]

    async def _result(self, this: Round, recorded: Recorded, entry: Transaction) -> None:
        """The side that did not just press the button is told privately what it gave, got and has now."""
        talked = this.look.table.offers[entry.offer].negotiation is not None
        if talked and not game_of(this.look).private_offers:  # talked over in private, resolved in public
            card = public_result_card(this.look, entry)
            await self._post.show_here(this, f"transaction:{entry.number}", this.table_home, card, True)
        private = [
            (f"result:{entry.number}", seat, result_card(this.look, entry, seat))
            for seat in (entry.first, entry.second)
            if recorded.by != this.look.table.seats[seat].person
        ]
        for number, follow in enumerate(game_of(this.look).follows(this.look.table, entry)):
            subject, card = f"follow:{entry.number}:{number}", follow_card(this.look, follow)
            if exchange_of(this.look.table) is None:
                private.append((subject, follow.seat, card))
            elif user := user_in(this.look, follow.seat):  # a ping where others read would tell of a hidden hand
                with contextlib.suppress(ClosedDms):
                    await self._post.dm(this, f"{subject}:{user}", user, card, True)
        for subject, seat, card in private:
            if user := user_in(this.look, seat):
                whistle = told_card(this.look, entry.number)
                await self._post.personal(this, f"{subject}:{user}", user, card, whistle, True)

    async def _negotiation(self, this: Round, talks: Negotiation) -> None:
        """A private thread for two with its summary; archived once they are done."""
        subject, summary = f"thread:{talks.number}", f"summary:{talks.number}"
        if subject not in this.shown and talks.open:
            await self._open_thread(this, talks, subject)
        thread = this.shown.get(subject)
        home = this.home(talks.number)
        if thread is None or home is None or thread.shown == "closed":
            return
        await self._post.show_here(this, summary, home, summary_card(this.look, talks), talks.open)
        if not talks.open:
            with contextlib.suppress(discord.NotFound, discord.Forbidden):
                await self._client.http.edit_channel(thread.channel_id, archived=True)
            await self._post.remember(this, replace(thread, shown="closed"))

    async def _open_thread(self, this: Round, talks: Negotiation, subject: str) -> None:
        """Open it once; where that can't be done, remember so and do without."""
        try:
            channel = await self._client.fetch_channel(this.row.channel_id)
            if isinstance(channel, discord.Thread):
                channel = await self._client.fetch_channel(channel.parent_id)
            if not isinstance(channel, discord.TextChannel):
                await self._post.remember(this, Message(subject, NOWHERE, 0, "none"))
                return
            thread = await channel.create_thread(
                name=thread_name(this.look, talks), type=discord.ChannelType.private_thread, invitable=False
            )
        except discord.HTTPException as error:
            if error.status >= SERVER_ERROR:
                raise
            log.warning("table %d: no private thread can be opened there (%d)", this.row.id, error.code)
            await self._post.remember(this, Message(subject, NOWHERE, 0, "none"))
            return
        await self._post.remember(this, Message(subject, thread.id, 0, "open"))
        for seat in (talks.seat, talks.other):
            if user := user_in(this.look, seat):
                with contextlib.suppress(discord.Forbidden, discord.NotFound):
                    await thread.add_user(discord.Object(user))

    async def thread_of(self, table_id: int, negotiation: int) -> int | None:
        """The thread of a negotiation; None when there is none."""
        message = await self._ledger.message(table_id, f"thread:{negotiation}")
        return message.channel_id if message and message.channel_id != NOWHERE else None

    async def negotiation_in(self, table_id: int, thread: int) -> int | None:
        """The negotiation whose thread this is."""
        threads = await self._ledger.messages(table_id, "thread:")
        found = next((message for message in threads if message.channel_id == thread), None)
        return int(found.subject.partition(":")[2]) if found else None

    async def _asks(self, this: Round) -> None:
        """Questions to one person each; one that is settled since loses its buttons."""
        pending = {}
        for ask in asks(this.look):
            if user := user_in(this.look, ask.seat):
                pending[f"ask:{ask.key}:{user}"] = (user, ask)
        for subject, (user, ask) in pending.items():
            await self._post.personal(
                this, subject, user, ask_card(this.look, ask), overheard_card(this.look, ask), True
            )
        for message in list(this.shown.values()):
            if message.subject.startswith("ask:") and message.subject not in pending:
                subject = message.subject if message.channel_id != this.row.channel_id else ""
                await self._post.close_card(this, message, settled_card(this.look, subject))
                await self._ledger.forget_message(this.row.id, message.subject)
                del this.shown[message.subject]


def _concerns_poster(look: Look, offer: Offer) -> bool:
    """Whether who posted an offer has to act on it, or is told why it came to nothing."""
    waits = offer.seat in asked(look.table, offer) or bool(takers(look.table, offer))
    unseen = offer.private and offer.negotiation is None  # no card elsewhere would say so
    return waits or offer.seat in offer.reasons or (unseen and offer.status in ("declined", "expired"))


def user_in(look: Look, seat: str) -> int | None:
    """The Discord user in a seat, if anybody is."""
    person = look.people.get(look.table.seats[seat].person or 0)
    return person.user_id if person else None
