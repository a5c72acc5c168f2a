"""An inquiry: what a person asks, in which place and about which table.

`cogs.request` makes one of an interaction, and `cogs.words` one of a message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, cast

import discord

from bot.delivery import Delivery
from bot.logs import note
from bot.rules.entries import Entry
from bot.rules.features.seats import TakeUp
from bot.rules.model.actions import LabelledAction
from bot.rules.model.values import frozen
from bot.rules.model.violation import Refused
from bot.rules.registry import games
from bot.rules.uninstalled import refusal
from bot.rules.views import PairView, TableView
from bot.service import Filter, Requester, Service, TableRow
from bot.show.actions import SetUpHere
from bot.show.cards import truncate
from bot.show.names import isolated

NAME_MAX = 28
"""The most characters of a table's or a channel's name on a button: phones cut longer labels."""


@frozen
class InquiryPlace:
    """Where an inquiry comes from: the table, and the negotiation if it is in one's thread.

    ``private``: the other players do not read there, since it is a DM or a private thread.
    """

    table_id: int
    negotiation: int | None = None
    private: bool = False


RECENT = 25
"""The most entries of `Inquiry.recent`."""

SET_UP_BUTTON = (LabelledAction("Set up a table", SetUpHere(0)),)
"""The button to show where there is no table."""


class AmbiguousTable(Refused):
    """A person at several tables asked in a DM; `cogs.errors` asks which they mean. ``tables`` are
    their names by id.
    """

    def __init__(self, tables: Mapping[int, str]) -> None:
        super().__init__("You sit at several tables.", "Choose which one your DMs are about.")
        self.tables = tables


class ServiceClient(Protocol):
    """The part of the client that inquiries need."""

    service: Service
    delivery: Delivery


class Inquiry:
    """What a person asks in a channel, None for nowhere. Subclasses know the ``requester``.

    Without a ``table``, `place` finds it. ``accepts_cached``: answer from memory, without waiting
    for the database.
    """

    def __init__(
        self, client: discord.Client, channel: Any, channel_id: int | None, table: int | None
    ) -> None:
        known = cast(ServiceClient, client)
        self._client = client
        self.service = known.service
        self.delivery = known.delivery
        self.accepts_cached = False
        self._channel = channel
        self._channel_id = channel_id
        self._table = table
        if table:
            note(table=table)

    @property
    def requester(self) -> Requester:
        """The person who asks. Raises `Refused` for a bot."""
        raise NotImplementedError

    @property
    def in_dm(self) -> bool:
        """Whether the person asks in a DM."""
        raise NotImplementedError

    @property
    def types(self) -> bool:
        """Whether the person is still typing, and asks for a completion."""
        return False

    # ---------------------------------------------------------------- which table

    async def place(self) -> InquiryPlace:
        """Return the place of the inquiry; from then on it is about the table there.

        In a DM that is the person's table. Raises `Refused` when there is no table, and
        `AmbiguousTable` in a DM when the person has not chosen among several.
        """
        place = await self._place()
        self._table = place.table_id
        note(table=place.table_id)
        return place

    async def _place(self) -> InquiryPlace:
        if self.in_dm:
            return InquiryPlace(await self._dm_table(), private=True)
        channel = self._channel
        if (row := await self.table_at(self._channel_id)) is not None:
            return InquiryPlace(row.id)
        if isinstance(channel, discord.Thread):
            row = await self.table_at(channel.parent_id)
        if row is None or not isinstance(channel, discord.Thread):
            reason, elsewhere = "There is no table in this channel.", await self.elsewhere()
            raise Refused(reason, elsewhere or "Try /table open.", options=SET_UP_BUTTON)
        negotiation = await self.delivery.negotiation_in(row.id, channel.id)
        private = negotiation is not None or channel.is_private()
        return InquiryPlace(row.id, negotiation, private)

    async def elsewhere(self) -> str:
        """Return in which channels of this server the person has a table; empty for none."""
        channels = [row.channel_id for row in await self.service.tables_of(self.requester)]
        gone = self.service.messages.gone
        links = [f"<#{channel}>" for channel in channels if not await gone(channel)]
        return f"You have a table in {', '.join(links)}." if links else ""

    async def table_at(self, channel_id: int | None) -> TableRow | None:
        """Return the open table of a channel; None if there is none."""
        return await self.service.table_at(channel_id or 0, self.requester)

    async def _dm_table(self) -> int:
        rows = await self.service.tables_of(self.requester)
        if not rows:
            raise Refused("You don't sit at a table.", "Open one in a channel with /table open.")
        if len(rows) > 1:
            gone = self.service.messages.gone
            rows = [row for row in rows if not await gone(row.channel_id)] or rows
        if len(rows) == 1:
            return rows[0].id
        chosen = await self.service.dm_choice(self.requester)
        if chosen is None or all(row.id != chosen for row in rows):
            names = self.told_apart(rows)
            raise AmbiguousTable({row.id: f"{names[row.id]} ({row.game})" for row in rows})
        return chosen

    def told_apart(self, rows: Sequence[TableRow]) -> dict[int, str]:
        """Return the names of tables by id; those of one name have their channel's beside it."""
        names = {row.id: truncate(row.name, NAME_MAX) for row in rows}
        alike = Counter(name.casefold() for name in names.values())
        told = {}
        for row in rows:
            name = names[row.id]
            told[row.id] = isolated(name)
            if alike[name.casefold()] > 1:
                channel = self._client.get_channel(row.channel_id)
                where = truncate(getattr(channel, "name", ""), NAME_MAX)
                told[row.id] += f" · #{where}" if where else f" · table {row.id}"
        return told

    async def table_id(self) -> int:
        """Return the id of the table that the inquiry is about; see `place`."""
        return (await self.place()).table_id if self._table is None else self._table

    async def require_of_now(self, stamp: str) -> None:
        """Raise `Refused` if no entry of the table has this stamp; an empty one says nothing."""
        if stamp and self._table:
            await self.service.require_stamp(self._table, self.requester, stamp)

    # ---------------------------------------------------------------- looking

    async def view(
        self, offers: Iterable[int] = (), *, unread: bool = False, acts: bool = True
    ) -> TableView:
        """Return the table as the person may see it, including these offers even if they are over.

        Who looks at a seat that another gave them takes it up, unless not ``acts``. To type is no
        act, so a completion does not know what is hidden in that hand.
        Raises `Refused` if its game is not installed, or can't read it, unless ``unread``.
        """
        view = await self.service.view(await self.table_id(), self.requester, offers=offers)
        if view.given and self.types:
            view = _without_own_hand(view)
        elif view.given and acts:
            looks = replace(self.requester, interaction=None)
            await self.service.execute(view.id, looks, TakeUp())
            view = await self.service.view(view.id, self.requester, offers=offers)
        self._looked(view)
        if view.game not in games() and not unread:
            raise refusal(view.game)
        return view

    def _looked(self, view: TableView) -> None:
        """Note what the person saw of the table."""

    async def pairs(self) -> Sequence[PairView]:
        """Return who can trade with whom."""
        return await self.service.pairs(await self.table_id(), self.requester)

    async def recent(self, view: TableView, kind: str) -> list[Entry]:
        """Return the newest entries of a kind about the viewer of a table, the last first."""
        me = view.names.holder(view.seat or "")
        if me is None:
            return []
        history = await self.service.history(
            view.id,
            self.requester,
            filter=Filter(person=me.number, kind=kind),
            until_seq=view.seq,
            page=1,
            size=RECENT,
        )
        return [each.entry for each in history.entries]


def _without_own_hand(view: TableView) -> TableView:
    """Return the view of somebody who may not know what is hidden in their own hand yet."""
    if view.seat is None:
        return view
    own = replace(view.seats[view.seat], hidden=None, hidden_count=None, exchangeable=None)
    return replace(view, seats={**view.seats, view.seat: own})
