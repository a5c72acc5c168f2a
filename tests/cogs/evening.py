"""An evening on SimCord: the bot as the program makes it, its people, and the requests to
Discord.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simcord.backend import serializers
from simcord.types import HttpLogEntry

from bot.app import Bourse
from bot.rehearsal.limits import refused
from bot.rehearsal.script import Option, Slash
from bot.rehearsal.stage import Reply, Stage
from bot.rules.apply import replay
from bot.rules.commands import Command
from bot.rules.model.table import Table
from bot.service import Outcome, Requester
from cogs.router import Router

SEATS = ("hacan", "sol", "letnev", "xxcha")
ADVCIV_SEATS = ("egypt", "crete", "italy", "asia")

PEOPLE = ("alice", "bob", "carol", "dave")

Typed = tuple[str, str, Mapping[str, Any]]
"""Who types which command, with what in its options."""


def opened(game: str, *seats: str, also: Sequence[Typed] = ()) -> list[Typed]:
    """Return how Alice opens a table, what is ``also`` done there, and how people take these
    seats.
    """
    begun: list[Typed] = [("alice", "table open", {"game": game}), *also]
    for name, seat in zip(PEOPLE, seats, strict=False):
        begun.append((name, "table sit", {"seat": seat}))
    return begun


TABLE = 1

BUTTON, SELECT = 2, 3
"""Discord's numbers for components."""

COMPONENT_USED, FORM_SENT = 3, 5
"""Discord's numbers for interactions."""


class Evening:
    """What a test does and sees."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.env = stage.env
        self._counted = 0
        self._used: dict[str, int] = {}

    @property
    def bot(self) -> Bourse:
        assert isinstance(self.env.bot, Bourse)
        return self.env.bot

    @property
    def router(self) -> Router:
        router = self.bot.get_cog("Router")
        assert isinstance(router, Router)
        return router

    # ------------------------------------------------------------ doing

    async def seat(self, *people: str) -> None:
        """Open a table and sit down; the first is the host, has 5 trade goods, and it is their
        turn.
        """
        host = people[0]
        await self.types(host, "table open", game="ti4")
        for name, seat in zip(people, SEATS, strict=False):
            await self.types(name, "table sit", seat=seat)
        await self.types(host, "holdings set", player=f"@{host}", goods="5 tg")
        await self.types(host, "turn start")

    async def types(self, who: str, path: str, /, *, in_dm: bool = False, **options: str) -> Reply:
        """Type a slash command."""
        return await self.stage.slash(who, slash(path, options, in_dm=in_dm))

    async def completes(
        self, name: str, option: str, typed: str, path: str, **options: str
    ) -> Sequence[str]:
        """Return the choices offered while a person types into an option."""
        completion = await self.stage.complete(name, typed, option, slash(path, options))
        return completion.choices or ()

    async def press(self, name: str, label: str, on: str | None = None) -> Reply:
        return await self.stage.press(name, label, on)

    async def forge(
        self, name: str, custom_id: str, *, values: Sequence[str] = (), form: bool = False
    ) -> Reply:
        """Use a component or send a form with any custom_id, as no client of Discord lets a person
        do.
        """
        person, channel = self.stage.person(name), self.stage.channel
        if self._used.get(name) not in self.env.backend.messages[channel.id]:
            # Looking for it takes longer than all the rest, once there are a thousand messages.
            seen = self.stage.sees(name)
            self._used[name] = next(
                each.id for each in seen if each.where == "#table" and not each.private
            )
        stored = self.env.backend.get_message(channel.id, self._used[name])
        data: dict[str, Any] = {"custom_id": custom_id}
        data |= (
            {"components": []}
            if form
            else {"component_type": SELECT if values else BUTTON, "values": list(values)}
        )
        result = await person.member._dispatch_interaction(
            FORM_SENT if form else COMPONENT_USED,
            channel,
            data,
            source_message_id=stored.id,
            extra={"message": dict(serializers.message_payload(self.env.backend, stored))},
        )
        return self.stage._reply(person, result, stored.id)

    async def behind_the_scenes(
        self, name: str, command: Command, *, table: int = TABLE
    ) -> Outcome:
        """Have the service do it and deliver nothing: the bot is gone between the two."""
        service = self.bot.service
        listeners, service._listeners = service._listeners, []
        try:
            return await service.execute(table, self.requester(name), command)
        finally:
            service._listeners = listeners

    async def restart(self) -> None:
        """Kill the bot, so that it does nothing more, and start another one on the same
        database.
        """
        await self.bot.clock.close()
        await self.bot.delivery.close()
        await self.stage.restart()

    async def delete(self, text: str) -> None:
        """A moderator deletes the newest message in the channel that holds this text."""
        channel = self.stage.channel.id
        found = [
            seen
            for seen in self.stage.sees("alice")
            if text in seen.text and seen.where == "#table"
        ]
        self.env.backend.delete_message(channel, found[-1].id)
        await self.env.settle()
        self.stage.look()

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until this is so, although nobody does anything."""
        async with asyncio.timeout(60):
            while not true():
                await asyncio.sleep(0.01)
                self.stage.look()

    async def delivered(self) -> None:
        """Wait until nothing is owed."""
        async with asyncio.timeout(60):
            while await self.owed():  # noqa: ASYNC110  (the ledger tells nobody)
                await asyncio.sleep(0.01)
        self.stage.look()

    # ------------------------------------------------------------ seeing

    def requester(self, name: str) -> Requester:
        """Return a person as the service knows them, without any rights on the server."""
        return Requester(self.stage.person(name).id, name, self.stage.guild.id)

    async def table(self) -> Table:
        """Return the table that the entries in the ledger lead to, whatever the bot remembers."""
        stored = await self.bot.ledger.entries.read(TABLE)
        return replay([each.entry for each in stored], Table(id=TABLE))

    def requests(self, method: str = "*", path: str = "") -> list[HttpLogEntry]:
        """Return what was asked of Discord since this was last called."""
        found = self.env.http_requests[self._counted :]
        self._counted = len(self.env.http_requests)
        return [one for one in found if method in ("*", one.method) and path in one.path]

    def channel(self, name: str = "alice") -> list[str]:
        """Return the messages of the game channel that are for everybody, as this person reads
        them.
        """
        return [
            seen.text
            for seen in self.stage.sees(name)
            if seen.where == "#table" and not seen.private
        ]

    def direct(self, name: str) -> list[str]:
        """Return the messages of this person's DMs."""
        return [seen.text for seen in self.stage.sees(name) if seen.where == "DM"]

    async def cursor(self) -> int:
        """Return up to which entry everything was delivered."""
        return await self.bot.ledger.messages.cursor(TABLE)

    async def owed(self) -> list[int]:
        """Return the tables with entries that were not delivered."""
        return await self.bot.service.undelivered()

    def errors(self) -> tuple[BaseException, ...]:
        return self.stage.errors()

    def check_contract(self) -> None:
        """Fail unless Discord would take every request so far."""
        problems = refused(self.env.http_requests)
        assert problems == [], problems[:5]


def slash(path: str, options: Mapping[str, str], *, in_dm: bool = False) -> Slash:
    return Slash(
        path=path,
        options=tuple(Option(name, value) for name, value in options.items()),
        in_dm=in_dm,
    )


def pinged(requests: Sequence[HttpLogEntry]) -> list[int]:
    """Return the users whom these requests ping. Fails when one leaves open whom it may ping."""
    found: list[int] = []
    for one in requests:
        body: Any = one.json or {}
        body = body.get("data", body) if "callback" in one.path else body
        if not isinstance(body, dict) or not (body.get("content") or body.get("components")):
            continue
        allowed = body.get("allowed_mentions")
        assert allowed is not None, f"{one.method} {one.path} does not say whom it may ping"
        assert not allowed.get("parse"), f"{one.path} may ping {allowed['parse']}"
        if one.method == "PATCH":  # an edit notifies nobody; it names whom the message has notified
            continue
        found += [int(user) for user in allowed.get("users") or []]
    return found


def text_of(reply: Reply) -> str:
    """Return everything that a reply says."""
    return "\n".join(reply.texts())


def private(reply: Reply) -> bool:
    """Return whether only the person who acted reads the reply."""
    return all(message.private for message in reply.messages)
