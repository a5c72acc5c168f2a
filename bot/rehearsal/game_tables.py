"""The rehearsal's tables, one for each game: the first is set up at the start, others when
chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import simcord

from bot.errors import OperatorError
from bot.ledger import Ledger
from bot.rehearsal.cast import MEMBERS, Cast, CastError, set_up_table
from bot.rehearsal.places import Place, places_of
from bot.rules.rehearsals import Tap, Try


class RehearsalTables:
    """The cast and their tables so far. Implements `bot.rehearsal.places.PlaceSource` for the
    page.
    """

    def __init__(self, env: simcord.Env, cast: Cast, ledger: Ledger) -> None:
        self._env = env
        self._ledger = ledger
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
            if await self._ledger.tables.table_in(table.channel.id) is not None:
                # it can be chosen again; the page then says what is wrong
                with suppress(CastError):
                    await self.set_up(game)

    async def set_up(self, game: str) -> None:
        """Set up a game's table, if not done yet. Raises `CastError`, and ``KeyError`` for an
        unknown game.
        """
        table = self.cast.tables[game]
        if game not in self.ready:
            await set_up_table(self.cast, table, self._ledger)
            # Dismiss the private replies to what was typed, as people do. The channel then begins
            # with the board.
            store, channel = self._env.backend, table.channel.id
            for message in list(store.messages.get(channel, {}).values()):
                if message.is_ephemeral:
                    store.delete_message(channel, message.id)
            self.ready.add(game)

    def places(self) -> Iterator[Place]:
        """Yield each person's places at the tables that are set up."""
        ready = [table for table in self.cast.tables.values() if table.game in self.ready]
        channels = {table.game: table.channel for table in ready}
        for name, member in self.cast.people.items():
            yield from places_of(self._env, name, name, member, channels)

    def mentions(self) -> Mapping[int, str]:
        """Return how people and channels are written, by id."""
        names = {self.cast.people[each.name].id: f"@{each.shown}" for each in MEMBERS}
        for table in self.cast.tables.values():
            names |= {each.id: f"#{each.name}" for each in (table.channel, *table.channel.threads)}
        return names

    def described(self) -> list[dict[str, Any]]:
        """Return each game with its people and examples to try for the page, whether or not its
        table is set up.
        """
        described = []
        for game, table in self.cast.tables.items():
            people = []
            for member in MEMBERS:
                plays = table.rehearsal.seats[member.name].plays
                people.append({"name": member.name, "shown": member.shown, "plays": plays})
            tries = [_described(example, game) for example in table.rehearsal.tries]
            laid = game in self.ready
            described.append(
                {"id": game, "name": table.name, "laid": laid, "people": people, "tries": tries}
            )
        return described


def _described(example: Tap | Try, game: str) -> dict[str, Any]:
    """Return an example to try. A game calls its own channel ``table``; the page adds which table
    that is.
    """
    who, _, kind = example.place.partition(".")
    place = f"{who}.{game if kind == 'table' else kind}"
    if isinstance(example, Tap):
        return {"place": place, "buttons": example.buttons, "then": example.then}
    written = [f"{name}:{f'@{value}' if pick else value}" for name, value, pick in example.options]
    return {
        "place": place,
        "shown": " ".join([f"/{example.command}", *written]),
        "command": example.command,
        "options": [
            {"name": name, "value": value, "pick": pick} for name, value, pick in example.options
        ],
        "then": example.then,
    }
