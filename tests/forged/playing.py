"""A table that gets forged interactions, and the invariants after each of them."""

from __future__ import annotations

import gc
import logging
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from simcord import interactions
from simcord.backend import serializers
from simcord.backend.models import Interaction
from sqlalchemy import func, select

from bot.ledger.schema import entries
from bot.rehearsal.limits import refused
from tests.cogs.evening import ADVCIV_SEATS, SEATS, Evening, Typed, opened, slash
from tests.forged.payloads import COMPONENT, FORM, Forged, Forger, Json

DEFECT = "it is my fault"

TIDIED_EVERY = 250
"""Interactions between two looks at the requests, after which they are forgotten."""

GAMES: Mapping[str, Sequence[Typed]] = {
    "ti4": (
        *opened("ti4", *SEATS[:3]),
        ("alice", "holdings set", {"player": "@alice", "goods": "5 tg, 2 c"}),
        ("alice", "holdings set", {"player": "@bob", "goods": "3 tg, 2 c"}),
        ("alice", "turn start", {}),
        ("alice", "offer post", {"to": "@bob", "give": "1 tg", "want": "1 c"}),
        ("bob", "offer post", {"give": "1 tg"}),
        ("alice", "deal propose", {"with": "@bob", "terms": "Peace", "when": "later"}),
        ("alice", "negotiate open", {"with": "@carol"}),
    ),
    "advciv": (
        *opened("advciv", *ADVCIV_SEATS[:3]),
        ("alice", "holdings set", {"player": "@alice", "goods": "3 salt, 2 ochre"}),
        ("alice", "holdings set", {"player": "@bob", "goods": "2 grain, 2 hides"}),
        ("alice", "phase set", {"phase": "trade"}),
        ("alice", "offer post", {"to": "@bob", "give": "3 salt", "want": "2 grain, 1 hides"}),
        ("alice", "negotiate open", {"with": "@carol"}),
    ),
    "any": (
        *opened("any", "Red", "Blue", "White", also=[("alice", "any use", {"preset": "island"})]),
        ("alice", "any begin", {}),
        ("alice", "offer post", {"to": "@bob", "give": "1 brick", "want": "1 ore"}),
        ("bob", "deal propose", {"with": "@alice", "terms": "Peace, by R1", "when": "later"}),
        ("alice", "negotiate open", {"with": "@carol"}),
    ),
}
"""What is done before at a table of each game."""


@dataclass
class Forging:
    """Sends forged interactions to a bot, and collects what should not have happened."""

    evening: Evening
    chance: random.Random
    found: list[str] = field(default_factory=list)
    sent: Counter[str] = field(default_factory=Counter)
    grew: int = 0

    def __post_init__(self) -> None:
        self.log = _Errors()
        logging.getLogger().addHandler(self.log)
        store = self.evening.env.backend
        self.people = [
            self.evening.stage.person(name) for name in ("alice", "bob", "carol", "dave")
        ]
        users: dict[int, Json] = {}
        for person in self.people:
            users[person.id] = dict(serializers.user_payload(store.get_user(person.id)))
        tree = self.evening.bot.tree
        commands = [command.to_dict(tree) for command in tree.get_commands()]
        me = dict(serializers.user_payload(store.get_user(self.evening.bot.user.id)))
        self.forger = Forger(commands, users, self.chance, me, self.seen)

    def close(self) -> None:
        """Listen to the log no more."""
        gc.collect()  # errors of tasks that nobody awaited are told then
        self.found += [f"afterwards: {line}" for line in self.log.take()]
        logging.getLogger().removeHandler(self.log)

    def seen(self) -> Sequence[str]:
        """Return the custom_ids in the newest messages of the channel."""
        channel = self.evening.stage.channel.id
        stored = self.evening.env.backend.messages.get(channel, {})
        newest = sorted(stored.values(), key=lambda message: message.id)[-30:]
        return list(chain.from_iterable(_custom_ids(each.components) for each in newest))

    async def send(self, count: int) -> None:
        """Send this many, each to a bot that has come to rest."""
        for number in range(1, count + 1):
            await self.one(self.forger.one())
            if number % TIDIED_EVERY == 0 or number == count:
                self._tidy()

    async def one(self, forged: Forged) -> None:
        """Send one, and look at what came of it."""
        self.sent[forged.what.split(" ")[0].split(":")[0]] += 1
        before = await self._length()
        record = await self._deliver(forged)
        problems = [f"logged: {line}" for line in self.log.take()]
        problems += [f"raised: {error!r}" for error in self.evening.errors()]
        answers = self._callbacks(record)
        if not record.responded or len(answers) != 1:
            kinds = [one["type"] for one in answers]
            problems.append(
                f"answered with {kinds}, {'taken' if record.responded else 'none taken'}"
            )
        if any(DEFECT in str(one) for one in answers):
            problems.append("told of a defect")
        after = await self._length()
        if after != before and forged.impossible:
            problems.append(f"recorded {after - before} entries")
        self.grew += after - before
        self.found += [f"{forged.what}: {each}\n    {_short(forged)}" for each in problems]

    async def _deliver(self, forged: Forged) -> Interaction:
        env, person = self.evening.env, self.chance.choice(self.people)
        channel = person.user.dm_channel if forged.in_dm else self.evening.stage.channel
        record, payload = interactions.base_payload(
            env.backend,
            type=forged.type,
            channel_id=channel.id,
            user_id=person.id,
            data={},
            guild_id=None if forged.in_dm else self.evening.stage.guild.id,
        )
        payload["data"] = forged.data  # SimCord would read it
        message = self._message(channel.id) if forged.type in (COMPONENT, FORM) else None
        if message is not None:
            payload["message"] = dict(serializers.message_payload(env.backend, message))
            record.source_message_id = message.id
        payload |= forged.changes
        for key in forged.missing:
            payload.pop(key, None)
        if "message" in forged.missing:
            record.source_message_id = None
        env.backend.emit("INTERACTION_CREATE", payload)
        await env._settle_internal(dispatch="INTERACTION_CREATE")
        return record

    def _message(self, channel: int) -> Any:
        stored = self.evening.env.backend.messages.get(channel, {})
        own = [one for one in stored.values() if one.components]
        return self.chance.choice(own[-20:]) if own else None

    def _callbacks(self, record: Interaction) -> list[Any]:
        path = f"/interactions/{record.id}/"
        latest = self.evening.env.http_requests[-40:]
        return [request.json for request in latest if path in request.path]

    async def _length(self) -> int:
        """Return the number of entries in the ledger."""
        counted = await self.evening.bot.ledger._access.run(
            lambda db: db.scalar(select(func.count()).select_from(entries))
        )
        return int(counted or 0)

    def _tidy(self) -> None:
        """Compare the requests with what Discord takes, then forget them and the oldest
        messages.
        """
        env = self.evening.env
        self.found += [f"Discord would refuse: {each}" for each in refused(env.http_requests)]
        env.http_requests.clear()


class _Errors(logging.Handler):
    """Collects what is logged as an error or with a traceback."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno < logging.ERROR and not record.exc_info:
            return
        error = record.exc_info[1] if record.exc_info else None
        self._lines.append(f"{record.name}: {record.getMessage()[:200]} {error!r}"[:500])

    def take(self) -> list[str]:
        taken, self._lines = self._lines, []
        return taken


def _custom_ids(components: Any) -> Iterator[str]:
    match components:
        case {"custom_id": str(id)}:
            yield id
        case {"components": inside}:
            yield from _custom_ids(inside)
        case [*several]:
            for each in several:
                yield from _custom_ids(each)


def _short(forged: Forged) -> str:
    return f"{forged.type} {forged.data} {dict(forged.changes)} -{forged.missing}"[:700]


async def begin(evening: Evening, game: str) -> None:
    """Open a table of this game and do what its list says."""
    for who, path, options in GAMES[game]:
        await evening.stage.slash(who, slash(path, options))
    assert evening.errors() == ()
