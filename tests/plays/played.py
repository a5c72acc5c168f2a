"""Runs each play once, for all tests that look at its results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import discord
import orjson
import pytest

from bot.ledger import Ledger
from bot.rehearsal.grammar import read_file
from bot.rehearsal.plays import bourse, run_play
from bot.rehearsal.report import Report
from tests.ledger.prepared import prepared
from tests.loopback.exchange import MESSAGE
from tests.loopback.loopback import COMPONENT
from tests.loopback.screen import EPHEMERAL, SELECT
from tests.plays.kinds import SHOWN_IN, USED_IN, Made, noting

HERE = Path(__file__).parent
PLAYS = sorted(path.relative_to(HERE).as_posix() for path in HERE.rglob("*.play"))
EVENINGS = (
    "ti4/evening_by_buttons.play",
    "ti4/evening_of_six_by_thumb.play",
    "advciv/five_minutes_by_thumb.play",
    "advciv/28.41_one_more_minute.play",
)
"""Those that `test_evening.py` plays, and counts meanwhile what they take."""

ADVCIV = [name for name in PLAYS if name.startswith("advciv/") and name not in EVENINGS]
TI4 = [name for name in PLAYS if name.startswith("ti4/") and name not in EVENINGS]
OTHERS = [name for name in PLAYS if name not in {*ADVCIV, *TI4, *EVENINGS}]


@dataclass(frozen=True)
class Request:
    """A request the bot made of Discord, and the line of the play that led to it."""

    line: int
    method: str
    path: str
    body: bytes
    on_servers: frozenset[str] | set[str]

    @property
    def to_a_person(self) -> bool:
        """Whether this is a message in somebody's DMs."""
        match self.path.split("/"):
            case ["", "channels", channel, "messages", *_]:
                return channel not in self.on_servers
        return False

    @property
    def json(self) -> Any:
        """The body, read anew: kept as texts, those of all plays give the garbage collector nothing
        to go through.
        """
        return orjson.loads(self.body)


GAP = re.compile(r" [.,;:!](?:\s|$)|[a-z]\.\.(?:\s|$)|\S  \S")
"""What a sentence has where a name or a list is empty."""


@dataclass(frozen=True)
class Played:
    """What came of a play: every request that the bot made in it, and the kinds of messages that it
    sent.

    ``menus`` are the actions of the menus that people chose in, ``stuck`` the custom_ids that no
    choice renewed.
    """

    report: Report
    requests: list[Request]
    sent: frozenset[str]
    menus: set[str]
    stuck: list[str]


@cache
def played(name: str) -> Played:
    """Run a play, once."""
    made = Made()
    with TemporaryDirectory() as folder, noting(made):
        report = run_play(read_file(HERE / name), factory=on_a_copy, keep=Path(folder))
        rows, events = _rows(Path(folder, "requests.jsonl")), _rows(Path(folder, "gateway.jsonl"))
    arrived = [event for event in events if "payload" in event]
    on_servers = set(map(str, chain.from_iterable(map(_channels, arrived))))
    payloads = [event["payload"] for event in arrived]
    presses = [payload for payload in payloads if payload.get("type") == COMPONENT]
    picks = [each for each in presses if each["data"]["component_type"] == SELECT]
    requests = []
    for row in rows:
        body = orjson.dumps(row["json"])
        requests.append(Request(row["line"], row["method"], row["path"], body, on_servers))
    sent = made.sent({"\n".join(_texts_of(each.body)) for each in requests})
    return Played(
        report,
        requests,
        sent,
        {each["data"]["custom_id"].partition(":")[0] for each in picks},
        [each["data"]["custom_id"] for each in picks if not _renewed(each, rows)],
    )


def _renewed(pick: Any, rows: list[Any]) -> bool:
    """Return whether a choice was made in a private message, and answered by an update that renews
    the menu.

    A client keeps what was chosen until the menu has another custom_id, and sends nothing for the
    same choice.
    """
    private = "guild_id" not in pick or pick["message"]["flags"] & EPHEMERAL
    answers = [
        row["json"]
        for row in rows
        if f"/{pick['token']}/" in row["path"] and row["method"] != "GET"
    ]
    updates = [each.get("data", each) for each in answers if each.get("type") != MESSAGE]
    shown = next((each for each in updates if "components" in each), None)
    return bool(private) and shown is not None and pick["data"]["custom_id"] not in texts_in(shown)


def _rows(kept: Path) -> list[Any]:
    if not kept.exists():
        return []
    return [orjson.loads(line) for line in kept.read_bytes().splitlines()]


def _channels(event: Any) -> Iterator[str]:
    """Return the channels and threads of servers that an event of the gateway tells of."""
    match event["event"], event["payload"]:
        case "GUILD_CREATE", {"channels": channels}:
            yield from (each["id"] for each in channels)
        case (("THREAD_CREATE" | "CHANNEL_CREATE"), {"id": id}):
            yield id


def goes(name: str) -> None:
    """Fail unless a play goes as it says and shows the kinds of messages that name it."""
    play = played(name)
    if play.report.skipped is not None:
        pytest.skip(play.report.skipped)
    assert play.report.ok, f"\n{play.report}"
    missing = {kind for kind, shown_in in SHOWN_IN.items() if shown_in == name} - play.sent
    assert not missing, f"kinds of messages that name this play and are not sent in it: {missing}"
    unused = {menu for menu, used_in in USED_IN.items() if used_in == name} - play.menus
    assert not unused, f"menus that name this play and in which nobody chooses: {unused}"
    assert not play.stuck, "menus in which nobody can choose the same again"
    shared = [
        each
        for each in play.requests
        if re.match(r"/channels/\d+/messages", each.path) and not each.to_a_person
    ]
    assert not any(b'"options":' in each.body for each in shared), "a menu that several people see"
    gaps = []
    for request in play.requests:
        gaps += _gaps_in(request.body)
    assert not gaps, "sentences in which a word is missing"
    # Discord may draw a mention in a DM as a bare number: the app knows only the two of that
    # conversation.
    for request in play.requests:
        if request.to_a_person:
            assert not [text for text in _texts_of(request.body) if "<@" in text], request.line


# Each play registers the same commands, which have more texts than all its messages.
@lru_cache(maxsize=256)
def _texts_of(body: bytes) -> tuple[str, ...]:
    return tuple(texts_in(orjson.loads(body)))


@lru_cache(maxsize=256)
def _gaps_in(body: bytes) -> list[str]:
    return list(filter(GAP.search, _texts_of(body)))


async def on_a_copy(url: str, chance: str = "play") -> tuple[discord.Client, Ledger]:
    """Make the bot, on a copy of a database where it would have to make one."""
    if url.startswith("sqlite"):
        prepared(Path(url.removeprefix("sqlite:///")))
    return await bourse(url, chance)


def texts_in(value: Any) -> Iterator[str]:
    """Every text in the body of a request."""
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from texts_in(each)
        case list():
            for each in value:
                yield from texts_in(each)
