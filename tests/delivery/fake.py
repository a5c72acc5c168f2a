"""A Discord of a few lines: it keeps what it is sent, writes down what it is asked, and fails where it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import discord

from bot.service import MembershipUnknown

DMS = 10_000
"""The DM channel of a user is this much more than their id."""

ME = 4242
"""The bot's own user."""

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    what: str
    channel: int
    message: int = 0
    text: str = ""
    buttons: bool = False
    nonce: str = ""
    pings: tuple[int, ...] = ()
    marker: int = 0


@dataclass
class Sent:
    """A message as Discord has it."""

    id: int
    channel: int
    marker: int
    text: str
    buttons: bool
    at: datetime
    nonce: str = ""

    @property
    def components(self) -> list[Any]:
        return [SimpleNamespace(id=self.marker, children=[SimpleNamespace(id=2)])]


@dataclass
class Fault:
    """What goes wrong with the next ``times`` requests of a kind. ``done``: Discord does as it was asked.

    ``gate``: the request hangs until it is opened, and then succeeds unless there is a ``status``.
    """

    what: str
    channel: int
    status: int = 0
    code: int = 0
    times: float = 1
    done: bool = False
    gate: asyncio.Event | None = None


@dataclass
class Discord:
    """Takes requests. Those of ``refusing`` it always answers with an error: (status, code) by (what, channel)."""

    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    requests: list[Request] = field(default_factory=list)
    refusing: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    messages: dict[int, Sent] = field(default_factory=dict)
    nonces: dict[str, int] = field(default_factory=dict)
    threads: list[Any] = field(default_factory=list)
    with_threads: bool = False
    gone: set[int] = field(default_factory=set)
    """Users who have left the server."""
    silent: bool = False
    """Whether it does not say who is on the server."""
    last: int = 100
    log: list[object] = field(default_factory=list)
    """Requests in the order in which they came; others may write into it what they did meanwhile."""

    application_id = ME

    async def is_member(self, guild_id: int, user_id: int) -> bool:
        """Return whether a user is on the server; it is not asked for by a request of its own here."""
        if self.silent:
            raise MembershipUnknown("nobody says")
        return user_id not in self.gone

    # ------------------------------------------------------------ what goes wrong

    def fails(
        self, what: str, channel: int, status: int, code: int = 0, *, times: float = 1, done: bool = False
    ) -> None:
        """Answer the next requests of this kind with an error. ``done``: they take effect nevertheless."""
        self.faults.append(Fault(what, channel, status, code, times, done))

    def hangs(self, what: str, channel: int, *, done: bool = False, status: int = 0) -> asyncio.Event:
        """Let the next request of this kind hang until the event is set. ``done``: it has taken effect before."""
        gate = asyncio.Event()
        self.faults.append(Fault(what, channel, status, done=done, gate=gate))
        return gate

    async def take(self, request: Request, effect: Callable[[], T]) -> T:
        self.requests.append(request)
        self.log.append(request)
        if refused := self.refusing.get((request.what, request.channel)):
            raise error(*refused)
        fault = self._fault(request)
        if fault is None:
            return effect()
        early = [effect()] if fault.done else []
        if fault.gate is not None:
            await fault.gate.wait()
        if fault.status:
            raise error(fault.status, fault.code)
        return early[0] if early else effect()

    def _fault(self, request: Request) -> Fault | None:
        for fault in self.faults:
            if fault.times and (fault.what, fault.channel) == (request.what, request.channel):
                fault.times -= 1
                return fault
        return None

    # ------------------------------------------------------------ what there is

    def seen(self, channel: int) -> list[Sent]:
        """Return the messages of a channel, oldest first."""
        return [each for each in self.messages.values() if each.channel == channel]

    def lands(self, request: Request) -> None:
        """Let a message come to be that a client asked for which is gone."""
        Channel(self, request.channel)._sent(request)

    def forget_nonces(self) -> None:
        """Let some minutes pass: Discord remembers a nonce for so long."""
        self.nonces.clear()

    # ------------------------------------------------------------ what a client asks

    def get_partial_messageable(self, id: int, *, guild_id: int | None = None) -> Channel:
        return Channel(self, id)

    async def create_dm(self, user: discord.Object) -> Channel:
        return await self.take(Request("dm", user.id + DMS), lambda: Channel(self, user.id + DMS))

    async def fetch_channel(self, id: int) -> object:
        return Parent(self, id) if self.with_threads else object()

    @property
    def http(self) -> Any:
        async def edit_channel(id: int, *, archived: bool) -> None:
            await self.take(Request("archive" if archived else "reopen", id), lambda: None)

        async def add_user_to_thread(id: int, user: int) -> None:
            await self.take(Request("add", id, pings=(user,)), lambda: None)

        async def get_active_threads(guild: int) -> Any:
            return await self.take(Request("threads", guild), lambda: {"threads": list(self.threads)})

        return SimpleNamespace(
            edit_channel=edit_channel, add_user_to_thread=add_user_to_thread, get_active_threads=get_active_threads
        )


@dataclass
class Channel:
    server: Discord
    id: int

    async def send(
        self,
        *,
        view: discord.ui.LayoutView,
        allowed_mentions: discord.AllowedMentions,
        nonce: str,
        silent: bool = False,
        files: Sequence[discord.File] = (),
    ) -> Sent:
        users = allowed_mentions.users
        pings = tuple(user.id for user in users) if isinstance(users, list) else ()
        request = Request("send", self.id, 0, *drawn(view), nonce, pings, marker_of(view))
        return await self.server.take(request, lambda: self._sent(request))

    def _sent(self, request: Request) -> Sent:
        """Return the message; for a nonce that was used a moment ago, the message of then."""
        server = self.server
        if request.nonce not in server.nonces:
            server.last += 1
            server.nonces[request.nonce] = server.last
            server.messages[server.last] = Sent(
                server.last, self.id, request.marker, request.text, request.buttons, server.now(), request.nonce
            )
        found = server.messages.get(server.nonces[request.nonce])
        return found or cast(Sent, SimpleNamespace(id=server.nonces[request.nonce]))

    async def history(self, *, limit: int, after: datetime, oldest_first: bool) -> AsyncIterator[Sent]:
        found = await self.server.take(Request("history", self.id), lambda: self.server.seen(self.id))
        for each in [each for each in found if each.at >= after][:limit]:
            yield each

    def get_partial_message(self, id: int) -> Any:
        async def edit(*, view: discord.ui.LayoutView, allowed_mentions: discord.AllowedMentions) -> None:
            request = Request("edit", self.id, id, *drawn(view), marker=marker_of(view))
            await self.server.take(request, lambda: self._edit(id, request))

        async def delete() -> None:
            await self.server.take(
                Request("delete", self.id, id), lambda: self._found(id) and messages.pop(id) and None
            )

        messages = self.server.messages
        return SimpleNamespace(edit=edit, delete=delete)

    def _found(self, id: int) -> Sent:
        if (message := self.server.messages.get(id)) is None:
            raise error(404, 10008)
        return message

    def _delete(self, id: int) -> None:
        del self.server.messages[self._found(id).id]

    def _edit(self, id: int, request: Request) -> None:
        message = self._found(id)
        message.text, message.buttons, message.marker = request.text, request.buttons, request.marker


class Parent(discord.TextChannel):
    """A text channel, in which threads can be opened."""

    __slots__ = ("server",)

    def __init__(self, server: Discord, id: int) -> None:
        self.server, self.id, self.guild = server, id, cast(discord.Guild, SimpleNamespace(id=7))

    async def create_thread(self, *, name: str, type: discord.ChannelType, invitable: bool) -> Any:
        request = Request("thread", self.id, text=name)
        found = await self.server.take(request, lambda: self._opened(name))
        return SimpleNamespace(id=int(found["id"]))

    def _opened(self, name: str) -> dict[str, Any]:
        id = discord.utils.time_snowflake(self.server.now()) + len(self.server.threads)
        thread = {"id": str(id), "owner_id": str(ME), "parent_id": str(self.id), "name": name}
        self.server.threads.append(thread)
        return thread


def drawn(view: discord.ui.LayoutView) -> tuple[str, bool]:
    items = list(view.walk_children())
    texts = [item.content for item in items if isinstance(item, discord.ui.TextDisplay)]
    return " ".join(texts), any(isinstance(item, discord.ui.Button) for item in items)


def marker_of(view: discord.ui.LayoutView) -> int:
    return view.children[0].id or 0


def error(status: int, code: int) -> discord.HTTPException:
    kinds = {403: discord.Forbidden, 404: discord.NotFound}
    kind = discord.DiscordServerError if status >= 500 else kinds.get(status, discord.HTTPException)
    return kind(cast(Any, SimpleNamespace(status=status, reason="")), {"code": code, "message": ""})
