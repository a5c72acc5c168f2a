"""Two worlds on SimCord, each a bot on its own database, and what the viewers see of each.

Something is done in both worlds, the same or something else in each; it must look the same to every
viewer.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import lru_cache, partial
from itertools import zip_longest
from operator import is_
from pathlib import Path
from typing import Any, Literal, TypeVar

import pytest
from simcord.backend import serializers
from simcord.backend.models import Message
from simcord.results import ResponseMessage
from simcord.types import HttpLogEntry

from bot.rehearsal import reading
from bot.rehearsal.plays import bourse
from bot.rehearsal.reading import Control
from bot.rehearsal.stage import staged
from bot.rules.apply import replay
from bot.rules.model.table import Table
from tests.cogs.evening import TABLE, Evening, slash
from tests.ledger.prepared import prepared

T = TypeVar("T")
Where = Literal["channel", "dm", "thread"]
"""Where a command is typed: in the channel, to the bot in private, or in the newest thread."""

Two = tuple[T, T]
"""A value for each of the two worlds."""


class World:
    """One of the two. It has its own event loop, since SimCord runs once a loop; only one of them
    runs at a time.
    """

    def __init__(
        self, url: str, viewers: Sequence[str], people: Iterable[str], moderators: Iterable[str]
    ) -> None:
        self.chance = ""
        """What commands draw from. Empty when the table opens: it commits to no secret, and takes
        each draw's.
        """
        self._runner = asyncio.Runner()
        self._over = asyncio.Event()
        self.evening = self.run(self._begin(url))
        self.table = Table(id=TABLE)
        for name in (*people, *moderators):
            self.evening.stage.person(name)
        for name in moderators:
            self.evening.stage.moderate(name)
        self.eyes = {name: Eyes(self.evening, name) for name in viewers}

    def run(self, what: Coroutine[Any, Any, T]) -> T:
        # The runner's own `run` also handles Ctrl-C, for which it writes out what the last step
        # returned.
        return self._runner.get_loop().run_until_complete(what)

    async def _begin(self, url: str) -> Evening:
        """SimCord must be left by the task that entered it, so that task runs as long as the world
        does.
        """
        begun: asyncio.Future[Evening] = asyncio.get_running_loop().create_future()

        async def run() -> None:
            async with staged(partial(bourse, chance=lambda: self.chance), url) as stage:
                begun.set_result(Evening(stage))
                await self._over.wait()

        self._task = asyncio.create_task(run())
        await asyncio.wait([self._task, begun], return_when=asyncio.FIRST_COMPLETED)  # type: ignore[type-var]
        return begun.result()

    async def _end(self) -> None:
        self._over.set()
        await self._task

    def close(self) -> None:
        with closing(self._runner):
            self.run(self._end())

    def read(self) -> None:
        """Bring ``table`` up to date from the ledger."""
        read = self.evening.bot.ledger.entries.read(TABLE, after=self.table.seq)
        news = [stored.entry for stored in self.run(read)]
        self.table = replay(news, self.table)

    # ------------------------------------------------------------ seen

    def news(self) -> list[str]:
        """Return what each viewer could notice since the last call; see `Eyes.news`."""
        requests = self.evening.requests()
        news = list[str]()
        for name, eyes in self.eyes.items():
            news += [f"{name}: {line}" for line in eyes.news(requests)]
        return news

    def plain(self, value: object, who: str = "") -> str:
        """Return a value as text, as one viewer numbers messages; see `Eyes.plain`."""
        anybody = next(iter(self.eyes.values()))
        return self.eyes.get(who, anybody).plain(value)

    # ------------------------------------------------------------ done

    def types(
        self, who: str, path: str, options: Mapping[str, str], *, where: Where = "channel"
    ) -> list[str]:
        """Type a command; return the form that it opened, if any."""
        typed = replace(slash(path, options, in_dm=where == "dm"), in_thread=where == "thread")
        reply = self.run(self.evening.stage.slash(who, typed))
        return [f"form: {reply.modal}"] if reply.modal is not None and who in self.eyes else []

    def completes(
        self, who: str, path: str, option: str, typed: str, filled: Mapping[str, str]
    ) -> list[str]:
        """Return the choices that a viewer is offered while typing, with the value of each."""
        stage = self.evening.stage
        person = stage.person(who)
        given = {
            name: int(value)
            if value.isdigit()
            else stage.person(value[1:]).member
            if value[0] == "@"
            else value
            for name, value in filled.items()
        }
        found = self.run(person.member.autocomplete(stage.channel, path, option, typed, **given))
        return [f"choices: {self.plain(found, who)}"]

    def controls(self, who: str) -> list[tuple[int, Control]]:
        """Return what a person could press or choose from now, each with the message it is in."""
        found = list[tuple[int, Control]]()
        for message in visible_to(self.evening, who):
            controls = reading.controls({"components": message.components})
            found += [(message.id, control) for control in controls if control.enabled]
        return found

    def clicks(self, who: str, id: int, control: Control, values: Sequence[str]) -> list[str]:
        """Press a button or choose; return the form that it opened, if any."""
        stage = self.evening.stage
        channels = self.evening.env.backend.messages.values()
        message = next(messages[id] for messages in channels if id in messages)
        actor, pressed = (
            stage.actor(stage.person(who), message.channel_id),
            ResponseMessage(self.evening.env, message),
        )
        if control.is_button:
            result = self.run(actor.click(pressed, custom_id=control.custom_id))
        else:
            result = self.run(actor.select(pressed, list(values), custom_id=control.custom_id))
        stage.look()
        return (
            [f"form: {self.plain(result.modal, who)}"] if result.modal and who in self.eyes else []
        )


def visible_to(evening: Evening, who: str) -> Iterator[Message]:
    """Yield the messages that a person sees now, channel by channel."""
    person = evening.stage.person(who)
    for channel in sorted(evening.stage.channels_of(person)):
        for message in evening.env.backend.messages.get(channel, {}).values():
            if message.visible_to(person.id):
                yield message


class Eyes:
    """What one viewer sees of a world: messages, numbered as they come to them."""

    def __init__(self, evening: Evening, name: str) -> None:
        self.evening, self.name = evening, name
        self._seen: dict[int, tuple[Sequence[object], str]] = {}
        self._numbers: dict[int, int] = {}

    def news(self, requests: Sequence[HttpLogEntry]) -> list[str]:
        """Return what the viewer could notice since the last call.

        That is every message that came, changed or went, and every request of the bot that their
        client is told of, though it may show nothing.
        """
        stage, viewer = self.evening.stage, self.evening.stage.person(self.name)
        store, read, own_id = self.evening.env.backend, stage.channels_of(viewer), viewer.id
        now = {message.id: message for message in visible_to(self.evening, self.name)}
        # What comes at the same time is numbered by what it says: which of two requests is the
        # faster tells nothing.
        new = [id for id in sorted(now) if id not in self._numbers]
        if len(new) > 1:
            new.sort(
                key=lambda id: self._whole(
                    serializers.message_payload(store, now[id], for_user=own_id)
                )
            )
        for id in new:
            self._numbers[id] = len(self._numbers) + 1
        lines = [f"gone: message {self._numbers[id]}" for id in self._seen if id not in now]
        self._seen = {id: seen for id, seen in self._seen.items() if id in now}
        for id in sorted(now, key=self._numbers.__getitem__):
            message = now[id]
            # An edit puts new lists in place of the old.
            parts = (
                message.content,
                message.flags,
                message.components,
                message.embeds,
                message.attachments,
            )
            before, text = self._seen.get(id, ((), ""))
            if len(before) == len(parts) and all(map(is_, before, parts)):
                continue
            shown = self._whole(serializers.message_payload(store, message, for_user=own_id))
            if shown != text:
                lines.append(
                    f"{'changed' if text else 'new'}: message {self._numbers[id]}: {shown}"
                )
            self._seen[id] = (parts, shown)
        places = {f"/channels/{id}/" for id in read}
        asked = []
        for request in requests:
            if request.method != "GET" and any(request.path.startswith(place) for place in places):
                # The nonce is a digest of the message before, by its id.
                body = dict(request.json or {})
                body.pop("nonce", None)
                asked.append(f"{request.method} {self.plain(request.path)} {self.plain(body)}")
        return [*lines, *sorted(asked)]

    def plain(self, value: object) -> str:
        """Return a value as text, without what differs but tells nothing.

        That is Discord's ids, which count what is written to others too, markers, which are digests
        of such ids, the hashes of the ledger, which are salted commitments, and times: what is
        written to others takes its turn too.
        """
        parts = _parts(
            value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        )
        return "".join(
            self._named(int(part)) if place % 2 else part for place, part in enumerate(parts)
        )

    def _named(self, id: int) -> str:
        store = self.evening.env.backend
        if id in store.users:
            return f"<user {store.users[id].name}>"
        if id in store.channels:
            return f"<channel {store.channels[id].name}>"
        return f"<message {self._numbers[id]}>" if id in self._numbers else "<id>"

    def _whole(self, payload: Any) -> str:
        """Return a message to the last field; of people only their names, since the rest is
        Discord's.
        """
        files = [self._file(one) for one in payload["attachments"]]
        mentions = [one["username"] for one in payload["mentions"]]
        asked = payload.get("interaction_metadata")
        by = None
        if asked:
            by = {"by": asked["user"]["username"], "name": asked.get("name")}
        author = payload["author"]["username"]
        people = {"author": author, "mentions": mentions, "interaction_metadata": by}
        return self.plain({**payload, **people, "attachments": files})

    def _file(self, attachment: Mapping[str, Any]) -> dict[str, Any]:
        """Return a file with its content."""
        content = self.evening.env.backend.cdn.get(attachment["url"]) or b""
        image = str(attachment["content_type"]).startswith("image/")
        return {
            **attachment,
            "content": hashlib.md5(content).hexdigest() if image else content.decode(),
        }


@lru_cache(maxsize=256)
def _parts(text: str) -> list[str]:
    """Return a text in parts, without markers, hashes and times; every second one is an id of
    Discord's.

    Most of it all viewers see alike, one after the other.
    """
    text = re.sub(r"<t:\d+|\b20\d\d-\d\d-\d\d[T ][\d:.]+(\+00:00|Z)?|\b17\d{11}\b", "<time>", text)
    text = re.sub(
        r"\b(?:[0-9a-f]{64}|[0-9a-f]{20})\b",
        "<hash>",
        re.sub(r'"id": \d{10}\b', '"id": "<marker>"', text),
    )
    return re.split(r"\b(\d{17,20})\b", text)


class Worlds:
    """Both worlds, compared after everything that happens."""

    def __init__(
        self,
        folder: Path,
        viewers: Sequence[str],
        caplog: pytest.LogCaptureFixture,
        people: Iterable[str],
        moderators: Iterable[str],
    ) -> None:
        self._caplog = caplog
        urls = [f"sqlite:///{prepared(folder / name)}" for name in ("one.db", "other.db")]
        self.both = tuple(World(url, viewers, people, moderators) for url in urls)
        self.running = self.both[0]
        self.done: list[str] = []

    def tables(self) -> Two[Table]:
        """Return the table in each world, as it was after the last step."""
        return self.both[0].table, self.both[1].table

    def do(self, what: str, *steps: Any) -> None:
        """Have something done in each world: ``steps`` are two functions of a world, or one for
        both.
        """
        seen: list[list[str]] = []
        for world, step in zip(self.both, steps * (2 // len(steps)), strict=True):
            self._caplog.clear()
            self.running = world
            lines = step(world)
            errors = world.evening.errors()
            assert not errors, f"{what}: {errors}"
            logged = [
                f"log: {record.name} {record.levelname} {world.plain(record.getMessage())}"
                for record in self._caplog.records
                if record.name.split(".")[0] in ("bot", "cogs")
            ]
            seen.append([*(lines or []), *world.news(), *logged])
        self.done.append(what)
        if seen[0] != seen[1]:
            pytest.fail(self._difference(what, *seen))
        for world in self.both:
            world.read()

    def types(
        self, who: str, path: str, *options: Mapping[str, str], where: Where = "channel"
    ) -> None:
        """Have a command typed, with the same options in both worlds or its own in each."""
        one, other = options * (2 // len(options)) if options else ({}, {})
        self.do(
            f"{who}: /{path} {dict(one)}{'' if one == other else f' and {dict(other)}'}",
            lambda world: world.types(who, path, one, where=where),
            lambda world: world.types(who, path, other, where=where),
        )

    def in_step(self) -> None:
        """Check that the ledgers have the same length: what was done was allowed in both worlds or
        refused in both.
        """
        one, other = self.tables()
        assert one.seq == other.seq, self.done[-1]

    def _difference(self, what: str, one: list[str], other: list[str]) -> str:
        parts = next(
            two for two in zip_longest(one, other, fillvalue="nothing") if two[0] != two[1]
        )
        letters = enumerate(zip_longest(*parts))
        same = next(place for place, (a, b) in letters if a != b)
        shown = "\n".join(f"  …{line[max(0, same - 200) : same + 300]}…" for line in parts)
        return f"A viewer can tell the worlds apart by {what}\n{shown}\nBefore: " + "\n".join(
            self.done[-6:-1]
        )

    def close(self) -> None:
        for world in self.both:
            world.close()
