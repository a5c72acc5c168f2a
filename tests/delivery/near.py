"""The loopback Discord in the test's own process, with faults by request and short forms of what is
seen.
"""

from __future__ import annotations

import math
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

import discord
import pytest
from discord.http import Route

from bot.delivery import transport, without_retries
from tests.delivery.briefings import ALICE, BOB, CAROL, CHANNEL
from tests.loopback import exchange, screen
from tests.loopback.faults import Error, Held
from tests.loopback.loopback import TOKEN, Loopback
from tests.loopback.people import Person
from tests.loopback.rest import Call
from tests.loopback.screen import Json

SERVER = 7
ALICES, BOBS, CAROLS = 9001, 9002, 9003
"""The channels of their DMs."""

NUMBER = r"(\d+)"
ROUTES = {
    "send": ("POST", r"/channels/(\d+)/messages"),
    "edit": ("PATCH", r"/channels/(\d+)/messages/(\d+)"),
    "delete": ("DELETE", r"/channels/(\d+)/messages/(\d+)"),
    "history": ("GET", r"/channels/(\d+)/messages"),
    "fetch": ("GET", r"/channels/(\d+)/messages/(\d+)"),
    "dm": ("POST", r"/users/@me/channels()"),
    "thread": ("POST", r"/channels/(\d+)/threads"),
    "add": ("PUT", r"/channels/(\d+)/thread-members/(\d+)"),
    "archive": ("PATCH", r"/channels/(\d+)"),
    "threads": ("GET", r"/guilds/(\d+)/threads/active"),
    "channel": ("GET", r"/channels/(\d+)"),
    "member": ("GET", r"/guilds/(\d+)/members/(\d+)"),
}
"""Method and path of what delivery asks for. The first number is the channel's, or the server's."""


@dataclass(frozen=True)
class LoggedRequest:
    """What was asked, in brief. ``channel`` is the user for a DM that is opened, and the server for
    its threads.
    """

    what: str
    channel: int
    message: int = 0
    text: str = ""
    buttons: bool = False
    nonce: str = ""
    pings: tuple[int, ...] = ()
    marker: int = 0


@dataclass(frozen=True)
class Sent:
    """A message as people see it."""

    id: int
    channel: int
    text: str
    buttons: bool
    marker: int


class Near:
    """A Discord on which alice, bob and carol are, with one channel, for clients of this
    process.
    """

    def __init__(self, loopback: Loopback) -> None:
        self.world, self.rest = loopback.world, loopback.rest
        self._add = loopback.add
        self._clients: list[discord.Client] = []
        self.world.add_channel(str(SERVER), str(CHANNEL))
        for user, name, dm in (
            (ALICE, "alice", ALICES),
            (BOB, "bob", BOBS),
            (CAROL, "carol", CAROLS),
        ):
            self.world.meet(Person(user, name))
            assert self.world.dm_with(str(user)) == str(dm)

    async def client(
        self, refused: Callable[[int, float], None] = lambda status, banned_for: None
    ) -> discord.Client:
        """Return a client that is logged in, as one more process has it. ``refused``: see
        `without_retries`.
        """
        made = discord.Client(intents=discord.Intents(guilds=True))
        self._clients.append(made)
        without_retries(made, refused)
        await made.login(TOKEN)
        return made

    async def close(self) -> None:
        for each in self._clients:
            await each.close()

    # ------------------------------------------------------------ what goes wrong

    def fails(
        self,
        what: str,
        channel: int | None,
        status: int,
        code: int = 0,
        *,
        times: float = 1,
        done: bool = False,
    ) -> Error:
        """Answer the next requests of this kind, in any channel where none is named, with an error.

        ``done``: they take effect nevertheless.
        """
        method, path, text = _of(what, channel)
        return self._add(
            Error(
                method=method,
                path=path,
                text=text,
                status=status,
                code=code,
                times=times,
                effect=done,
            )
        )

    def meets(self, status: int, *, times: float = 1) -> Error:
        """Answer the next requests of any kind with an error."""
        return self._add(Error(status=status, times=times))

    def refuses(self, what: str, channel: int, status: int, code: int = 0) -> Error:
        """Answer every request of this kind with an error."""
        return self.fails(what, channel, status, code, times=math.inf)

    def hangs(self, what: str, channel: int, *, done: bool = False) -> Held:
        """Let the next request of this kind hang until it is released. ``done``: it has taken
        effect before.
        """
        method, path, text = _of(what, channel)
        return self._add(Held(method=method, path=path, text=text, times=1, late=done))

    def works(self) -> None:
        """Let nothing go wrong any more."""
        for fault in self.rest.faults:
            fault.over()

    # ------------------------------------------------------------ what there is

    @property
    def requests(self) -> list[LoggedRequest]:
        """What was asked, in the order in which it came, but for looks at channels, members and
        responses.
        """
        return [found for call in self.rest.calls if (found := _brief(call)) is not None]

    @property
    def messages(self) -> list[Sent]:
        """All messages, oldest first."""
        return [_sent(each) for each in self.world.messages.values()]

    def seen(self, channel: int) -> list[Sent]:
        """Return the messages of a channel, oldest first."""
        return [each for each in self.messages if each.channel == channel]

    def has_no_threads(self) -> None:
        """Make the channel one for voice."""
        channel = self.world.channel(str(CHANNEL))
        channel.update(type=2, bitrate=64000, user_limit=0)

    @property
    def threads(self) -> list[int]:
        """The threads there are."""
        return [int(each) for each in self.world.threads()]


def _of(what: str, channel: int | None) -> tuple[str, str, str]:
    """Return the method, the path and a text of the requests of this kind."""
    method, path = ROUTES[what]
    if what == "dm":
        return method, path, f'"recipient_id": {channel}'
    return method, f"^{path.replace(NUMBER, str(channel or NUMBER), 1)}$", ""


def _brief(call: Call) -> LoggedRequest | None:
    for what, (method, path) in ROUTES.items():
        if (
            what in ("fetch", "channel", "member")
            or call.method != method
            or not (found := re.fullmatch(path, call.path))
        ):
            continue
        channel = int(found[1] or call.json["recipient_id"])
        last = int(found[found.re.groups] or 0)
        match what:
            case "send" | "edit":
                pings = tuple(map(int, call.json["allowed_mentions"].get("users", ())))
                drawn, marker = _drawn(call.json), _marker(call.json)
                message = last if what == "edit" else 0
                return LoggedRequest(
                    what, channel, message, *drawn, call.json.get("nonce", ""), pings, marker
                )
            case "delete":
                return LoggedRequest(what, channel, last)
            case "thread":
                return LoggedRequest(what, channel, text=call.json["name"])
            case "add":
                return LoggedRequest(what, channel, pings=(last,))
            case "archive":
                return LoggedRequest(what if call.json["archived"] else "reopen", channel)
            case _:
                return LoggedRequest(what, channel)
    return None


def _sent(message: Json) -> Sent:
    id, channel = int(message["id"]), int(message["channel_id"])
    return Sent(id, channel, *_drawn(message), _marker(message))


def _drawn(message: Json) -> tuple[str, bool]:
    """Return what a message says, in one line, and whether it has buttons. The link to the table is
    left out.
    """
    text = re.sub(r"\n-# \[To the table\]\([^)]*\)", "", screen.text_of(message))
    return text.replace("\n", " "), bool(screen.buttons(message, enabled=False))


def _marker(message: Json) -> int:
    """Return the id of a message's container or first row; 0 if it has neither."""
    components = message["components"]
    return int(components[0].get("id", 0)) if components else 0


@asynccontextmanager
async def near(monkeypatch: pytest.MonkeyPatch, now: Callable[[], datetime]) -> AsyncIterator[Near]:
    """A Discord by this clock, which tells the time by the ids of messages and threads."""
    monkeypatch.setattr(transport, "MEMBERSHIP_WAIT", 60.0)  # a busy machine is late
    monkeypatch.setattr(transport, "REMEMBERED", 60.0)
    monkeypatch.setattr(exchange, "_snowflakes", exchange.ids(lambda: now().timestamp()))
    async with Loopback.running() as loopback:
        monkeypatch.setattr(Route, "BASE", loopback.settings["DISCORD_API_URL"])
        made = Near(loopback)
        try:
            yield made
        finally:
            await made.close()
