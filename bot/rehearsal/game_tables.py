"""The rehearsal's tables, one for each game: the first is set up at the start, others when chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

import simcord

from bot.errors import OperatorError
from bot.rehearsal.cast import Cast, CastError, GameTable, TableLookup, set_up_table
from bot.rehearsal.places import Place


class RehearsalTables:
    """The cast and their tables so far. Implements `bot.rehearsal.places.PlaceSource` for the page."""

    def __init__(self, env: simcord.Env, cast: Cast, tables: TableLookup) -> None:
        self._env = env
        self._tables = tables
        self.cast = cast
        self.avatars = cast.avatars
        self.ready: set[str] = set()

    async def open(self) -> None:
        """Set up the first table, and return to the tables that the ledger has.

        Raises `OperatorError` when the first table could not be set up.
        """
        try:
            await self.set_up(self.cast.game)
        except CastError as problem:
            raise OperatorError(str(problem)) from problem
        for game, table in self.cast.tables.items():
            if await self._tables.table_in(table.channel.id) is not None:
                with suppress(CastError):  # it can be chosen again; the page then says what is wrong
                    await self.set_up(game)

    async def set_up(self, game: str) -> None:
        """Set up a game's table, if not done yet. Raises `CastError`, and ``KeyError`` for an unknown game."""
        table = self.cast.tables[game]
        if game not in self.ready:
            await set_up_table(self.cast, table, self._tables)
            self._dismiss_replies(table.channel)
            self.ready.add(game)

    def _dismiss_replies(self, channel: simcord.ChannelHandle) -> None:
        """Dismiss the private replies to what was typed, as people do, so that they begin with the board."""
        store = self._env.backend
        for message in list(store.messages.get(channel.id, {}).values()):
            if message.is_ephemeral:
                store.delete_message(channel.id, message.id)

    def tables(self) -> Iterator[GameTable]:
        """Yield the tables that are set up."""
        for game, table in self.cast.tables.items():
            if game in self.ready:
                yield table

    def places(self) -> Iterator[Place]:
        """Yield each person's places: the tables, the DM with the bot, and their threads."""
        for name, person in self.cast.people.items():
            for table in self.tables():
                yield Place(
                    f"{name}.{table.game}",
                    name,
                    person,
                    "table",
                    table.channel.name or "table",
                    table.game,
                    table.channel,
                )
            yield Place(f"{name}.dm", name, person, "dm", "Bourse", "", person.dm)
            for table in self.tables():
                for thread in table.channel.threads:
                    if person.user.id in self._env.backend.channels[thread.id].thread_members:
                        yield Place(
                            f"{name}.{thread.id}", name, person, "thread", thread.name or "thread", table.game, thread
                        )

    def mentions(self) -> Mapping[int, str]:
        """Return how people and channels are written, by id."""
        names = {person.user.id: f"@{person.cast_member.shown}" for person in self.cast.people.values()}
        for table in self.cast.tables.values():
            names |= {each.id: f"#{each.name}" for each in (table.channel, *table.channel.threads)}
        return names
