"""Two worlds on SimCord, each a bot with a database of its own, and what one player sees of each. Whatever is done in
both, or another thing in each, has to look the same to that player.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import re
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import zip_longest
from operator import is_
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from simcord.backend import serializers
from simcord.results import ResponseMessage

from bot.desk import Look
from bot.rehearsal import reading
from bot.rehearsal.plays import bourse
from bot.rehearsal.reading import Control
from bot.rehearsal.stage import staged
from bot.rules.table import Table
from tests.discord.evening import TABLE, Evening, slash

SEATS = {
    "alice": "egypt", "bob": "crete", "carol": "italy", "dave": "asia", "erin": "babylon", "frank": "assyria",
}  # fmt: skip
HOST, MODERATOR = "alice", "gina"
"""Who opens the table, and plays; who types in what others hold, and does not."""

T = TypeVar("T")
Two = tuple[T, T]
"""Something in the one world and in the other."""


class World:
    """One of the two. It has a loop of its own, since SimCord runs once a loop; only one of them turns at a time."""

    def __init__(self, url: str, viewer: str) -> None:
        self.viewer = viewer
        self.chance = ""
        """What the bot is given for randomness when it makes up the stacks."""
        self._runner = asyncio.Runner()
        self._over = asyncio.Event()
        self.evening = self.run(self._begin(url))
        self._seen: dict[int, tuple[Sequence[object], str]] = {}
        self._numbers: dict[int, int] = {}
        for name in (*SEATS, MODERATOR):
            self.evening.stage.person(name)
        self.evening.stage.moderate(MODERATOR)

    def run(self, what: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(what)

    async def _begin(self, url: str) -> Evening:
        """SimCord wants to be left by the task that entered it, so that one lives as long as the world."""
        begun: asyncio.Future[Evening] = asyncio.get_running_loop().create_future()

        async def lives() -> None:
            async with staged(bourse, url) as stage:
                begun.set_result(Evening(stage))
                await self._over.wait()

        self._life = asyncio.create_task(lives())
        await asyncio.wait([self._life, begun], return_when=asyncio.FIRST_COMPLETED)  # type: ignore[type-var]
        return begun.result()

    async def _end(self) -> None:
        self._over.set()
        await self._life

    def close(self) -> None:
        with closing(self._runner):
            self.run(self._end())

    def look(self) -> Look:
        return self.run(self.evening.bot.desk.look(TABLE))

    def now(self) -> int:
        return int(self.evening.env.now().timestamp() * 1000)

    # ------------------------------------------------------------ seen

    def news(self) -> list[str]:
        """Every message that came, changed or went for the viewer since this was last asked, and every request of the
        bot's that their client is told of, though it may show nothing.
        """
        stage, viewer = self.evening.stage, self.evening.stage.person(self.viewer)
        store, read = self.evening.env.backend, stage.channels_of(viewer)
        now = {
            message.id: message
            for channel in sorted(read)
            for message in store.messages.get(channel, {}).values()
            if message.visible_to(viewer.id)
        }
        for id in sorted(now):
            self._numbers.setdefault(id, len(self._numbers) + 1)
        lines = [f"gone: message {self._numbers[id]}" for id in self._seen if id not in now]
        self._seen = {id: seen for id, seen in self._seen.items() if id in now}
        for id, message in now.items():
            # An edit puts new lists in place of the old.
            parts = (message.content, message.flags, message.components, message.embeds, message.attachments)
            before, text = self._seen.get(id, ((), ""))
            if len(before) == len(parts) and all(map(is_, before, parts)):
                continue
            whole = self._whole(serializers.message_payload(store, message, for_user=viewer.id))
            if whole != text:
                lines.append(f"{'changed' if text else 'new'}: message {self._numbers[id]}: {whole}")
            self._seen[id] = (parts, whole)
        places = {f"/channels/{id}/" for id in read}
        for request in self.evening.requests():
            if request.method != "GET" and any(request.path.startswith(place) for place in places):
                # The nonce is a digest of the message before, by its id.
                body = {key: value for key, value in (request.json or {}).items() if key != "nonce"}
                lines.append(f"{request.method} {self.plain(request.path)} {self.plain(body)}")
        return lines

    def plain(self, told: object) -> str:
        """As it is, but for what differs without telling anything: Discord's ids, which count what is written to others
        too, and the hashes of the ledger, which are commitments with salt.
        """
        text = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False, default=str)
        return re.sub(r"\b[0-9a-f]{64}\b", "<hash>", re.sub(r"\b\d{17,20}\b", self._what, text))

    def _what(self, found: re.Match[str]) -> str:
        store, id = self.evening.env.backend, int(found[0])
        if id in store.users:
            return f"<user {store.users[id].name}>"
        if id in store.channels:
            return f"<channel {store.channels[id].name}>"
        return f"<message {self._numbers[id]}>" if id in self._numbers else "<id>"

    def _whole(self, payload: Any) -> str:
        """A message to the last field; of people their names, since the rest of them is Discord's."""
        files = [self._file(one) for one in payload["attachments"]]
        mentions = [one["username"] for one in payload["mentions"]]
        asked = payload.get("interaction_metadata")
        by = {"by": asked["user"]["username"], "name": asked.get("name")} if asked else None
        author = payload["author"]["username"]
        people = {"author": author, "mentions": mentions, "interaction_metadata": by}
        return self.plain({**payload, **people, "attachments": files})

    def _file(self, attachment: Mapping[str, Any]) -> dict[str, Any]:
        """A file by its bytes."""
        content = self.evening.env.backend.cdn.get(attachment["url"]) or b""
        image = str(attachment["content_type"]).startswith("image/")
        return {**attachment, "content": hashlib.md5(content).hexdigest() if image else content.decode()}

    # ------------------------------------------------------------ done

    def types(self, who: str, path: str, options: Mapping[str, str], *, in_dm: bool = False) -> list[str]:
        """Type a command; gives the form that it opened, if any."""
        reply = self.run(self.evening.stage.slash(who, slash(path, options, in_dm=in_dm)))
        return [f"form: {reply.modal}"] if reply.modal is not None else []

    def completes(self, path: str, option: str, typed: str, filled: Mapping[str, str]) -> list[str]:
        """What the viewer is offered while typing, with what each choice stands for."""
        stage = self.evening.stage
        person = stage.person(self.viewer)
        given = {
            name: int(value) if value.isdigit() else stage.person(value[1:]).member if value[0] == "@" else value
            for name, value in filled.items()
        }
        found = self.run(person.member.autocomplete(stage.channel, path, option, typed, **given))
        return [f"choices: {self.plain(found)}"]

    def controls(self, who: str) -> list[tuple[int, Control]]:
        """What somebody could press or choose from now, by the message it is in."""
        stage = self.evening.stage
        person, store = stage.person(who), self.evening.env.backend
        return [
            (message.id, control)
            for channel in sorted(stage.channels_of(person))
            for message in store.messages.get(channel, {}).values()
            if message.visible_to(person.id)
            for control in reading.controls({"components": message.components}, stage.names, self.evening.env.now())
            if control.enabled
        ]

    def clicks(self, who: str, id: int, control: Control, values: Sequence[str]) -> list[str]:
        """Press a button or choose; gives the form that it opened, if any."""
        stage = self.evening.stage
        message = next(found for each in self.evening.env.backend.messages.values() if (found := each.get(id)))
        actor, pressed = stage.actor(stage.person(who), message.channel_id), ResponseMessage(self.evening.env, message)
        if control.is_button:
            result = self.run(actor.click(pressed, custom_id=control.custom_id))
        else:
            result = self.run(actor.select(pressed, list(values), custom_id=control.custom_id))
        stage.look()
        return [f"form: {self.plain(result.modal)}"] if result.modal else []


class Worlds:
    """Both, and what is held against them after everything that happens."""

    def __init__(self, folder: Path, viewer: str, caplog: pytest.LogCaptureFixture) -> None:
        self.viewer, self._caplog = viewer, caplog
        self.both = tuple(World(f"sqlite:///{folder / name}.db", viewer) for name in ("one", "other"))
        self.turning = self.both[0]
        self.looks: Two[Look] = (Look(0, Table(), {}), Look(0, Table(), {}))
        """The table in each world, as it was after what was done last."""
        self.told: list[str] = []

    def tables(self) -> Two[Table]:
        return self.looks[0].table, self.looks[1].table

    def person(self, name: str) -> int:
        """Somebody's number at the table, the same in both worlds."""
        id = self.both[0].evening.stage.person(name).id
        found = self.looks[0].person(id)
        assert found is not None
        return found.number

    def do(self, what: str, *deeds: Any) -> None:
        """Have something done in each world: ``deeds`` are two functions of a world, or one for both."""
        seen: list[list[str]] = []
        for world, deed in zip(self.both, deeds * (2 // len(deeds)), strict=True):
            self._caplog.clear()
            self.turning = world
            lines = deed(world)
            errors = world.evening.errors()
            assert not errors, f"{what}: {errors}"
            logged = [
                f"log: {record.name} {record.levelname} {world.plain(record.getMessage())}"
                for record in self._caplog.records
                if record.name.split(".")[0] in ("bot", "cogs")
            ]
            seen.append([*(lines or []), *world.news(), *logged])
        self.told.append(what)
        if seen[0] != seen[1]:
            pytest.fail(self._difference(what, *seen))
        self.looks = (self.both[0].look(), self.both[1].look())

    def types(self, who: str, path: str, *options: Mapping[str, str], in_dm: bool = False) -> None:
        """Have a command typed, with the same options in both worlds or others in each."""
        one, other = options * (2 // len(options)) if options else ({}, {})
        self.do(
            f"{who}: /{path} {dict(one)}{'' if one == other else f' and {dict(other)}'}",
            lambda world: world.types(who, path, one, in_dm=in_dm),
            lambda world: world.types(who, path, other, in_dm=in_dm),
        )

    def dms(self, who: str, *, opened: bool) -> None:
        """Have somebody open or close their DMs."""

        def done(world: World) -> None:
            stage = world.evening.stage
            (stage.open_dms if opened else stage.close_dms)(who)
            stage.look()

        self.do(f"{who} {'opens' if opened else 'closes'} dms", done)

    def hold(self, who: str, *hands: str) -> None:
        """Have the moderator type in a hand, or another in each world."""
        self.types(MODERATOR, "holdings set", *({"player": f"@{who}", "goods": goods} for goods in hands))
        self.in_step()

    def in_step(self) -> None:
        """The ledgers are of one length: what was done was allowed in both worlds or refused in both."""
        assert self.looks[0].table.seq == self.looks[1].table.seq, self.told[-1]

    def _difference(self, what: str, one: list[str], other: list[str]) -> str:
        parts = next(two for two in zip_longest(one, other, fillvalue="nothing") if two[0] != two[1])
        same = next(place for place, (a, b) in enumerate(zip_longest(*parts)) if a != b)
        told = "\n".join(f"  …{line[max(0, same - 200) : same + 300]}…" for line in parts)
        return f"{self.viewer} can tell the worlds apart by {what}\n{told}\nBefore: " + "\n".join(self.told[-6:-1])

    def close(self) -> None:
        for world in self.both:
            world.close()


@contextmanager
def two_worlds(
    folder: Path, viewer: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Worlds]:
    """Two tables of Advanced Civilization with six people; in each, the stacks lie by a chance of its own."""
    with caplog.at_level(logging.INFO, "bot"), caplog.at_level(logging.INFO, "cogs"):
        worlds = Worlds(folder, viewer, caplog)
        chance = SimpleNamespace(token_hex=lambda size: worlds.turning.chance)
        monkeypatch.setattr("cogs.advciv.cards.secrets", chance)
        try:
            worlds.types(HOST, "table open", {"game": "advciv", "name": "Thursday"})
            for name, seat in SEATS.items():
                worlds.types(name, "table sit", {"seat": seat})
            worlds.types(MODERATOR, "holdings show", {"player": f"@{HOST}"})
            yield worlds
        finally:
            worlds.close()
