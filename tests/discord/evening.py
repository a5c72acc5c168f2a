"""An evening on SimCord: the bot as the program makes it, people who type and press, and what Discord was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simcord.types import HttpLogEntry

from bot.app import Bourse
from bot.desk import Asker, Here, Outcome
from bot.rehearsal.script import Option, Slash
from bot.rehearsal.stage import Reply, Stage
from bot.rules.commands import Command
from tests.contract.check import check

SEATS = ("hacan", "sol", "letnev")
TABLE = 1


class Evening:
    """What a test does and sees."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.env = stage.env
        self._counted = 0

    @property
    def bot(self) -> Bourse:
        assert isinstance(self.env.bot, Bourse)
        return self.env.bot

    # ------------------------------------------------------------ doing

    async def seat(self, *people: str) -> None:
        """Open a table and sit down; the first is the host, has 5 trade goods, and it is their turn."""
        host = people[0]
        await self.types(host, "table open", game="ti4")
        for name, seat in zip(people, SEATS, strict=False):
            await self.types(name, "table sit", seat=seat)
        await self.types(host, "holdings set", player=f"@{host}", goods="5 tg")
        await self.types(host, "turn start")

    async def types(self, who: str, path: str, /, *, in_dm: bool = False, **options: str) -> Reply:
        """Type a slash command."""
        return await self.stage.slash(who, slash(path, options, in_dm=in_dm))

    async def completes(self, name: str, option: str, typed: str, path: str, **options: str) -> Sequence[str]:
        """What is offered as somebody types into an option."""
        return (await self.stage.complete(name, typed, option, slash(path, options))).choices or ()

    async def press(self, name: str, label: str, on: str | None = None) -> Reply:
        return await self.stage.press(name, label, on)

    async def behind_the_scenes(self, name: str, command: Command) -> Outcome:
        """Have the desk do it and tell nobody: the bot is gone between the two."""
        person = self.stage.person(name)

        def make(_: Here) -> Command:
            return command

        return await self.bot.desk.do(TABLE, Asker(person.id, name), make)

    async def delete(self, text: str) -> None:
        """A moderator deletes the newest message in the channel that holds this text."""
        channel = self.stage.channel.id
        found = [seen for seen in self.stage.sees("alice") if text in seen.text and seen.where == "#table"]
        self.env.backend.delete_message(channel, found[-1].id)
        await self.env.settle()
        self.stage.look()

    # ------------------------------------------------------------ seeing

    def requests(self, method: str = "*", path: str = "") -> list[HttpLogEntry]:
        """What Discord was asked since this was last called."""
        found = self.env.http_requests[self._counted :]
        self._counted = len(self.env.http_requests)
        return [one for one in found if method in ("*", one.method) and path in one.path]

    def channel(self, name: str = "alice") -> list[str]:
        """The messages of the game channel that are for everybody, as this person reads them."""
        return [seen.text for seen in self.stage.sees(name) if seen.where == "#table" and not seen.private]

    def direct(self, name: str) -> list[str]:
        """The messages of this person's DMs."""
        return [seen.text for seen in self.stage.sees(name) if seen.where == "DM"]

    async def cursor(self) -> int:
        return await self.bot.ledger.cursor(TABLE)

    async def owed(self) -> list[int]:
        return await self.bot.ledger.owing()

    def errors(self) -> tuple[BaseException, ...]:
        return self.stage.errors()

    def none_against_the_contract(self) -> None:
        """Every request so far is one that Discord would take."""
        assert check(self.env.http_requests) == []


def slash(path: str, options: Mapping[str, str], *, in_dm: bool = False) -> Slash:
    return Slash(path=path, options=tuple(Option(name, value) for name, value in options.items()), in_dm=in_dm)


def pinged(requests: Sequence[HttpLogEntry]) -> list[int]:
    """Whom these requests ping: what is allowed, and everybody named where nothing was said about it."""
    found: list[int] = []
    for one in requests:
        body: Any = one.json or {}
        body = body.get("data", body) if "callback" in one.path else body
        if not isinstance(body, dict) or not (body.get("content") or body.get("components")):
            continue
        allowed = body.get("allowed_mentions")
        assert allowed is not None, f"{one.method} {one.path} says nothing of whom it may ping"
        assert not allowed.get("parse"), f"{one.path} may ping {allowed['parse']}"
        found += [int(user) for user in allowed.get("users") or []]
    return found


def said(reply: Reply) -> str:
    return "\n".join(reply.texts())
