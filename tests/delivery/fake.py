"""A Discord of a few lines: it writes down what it is asked, and refuses what it is told to refuse."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import discord

DMS = 10_000
"""The DM channel of a user is this much more than their id."""


@dataclass(frozen=True)
class Request:
    what: str
    channel: int
    message: int = 0
    text: str = ""
    buttons: bool = False
    nonce: str = ""
    pings: tuple[int, ...] = ()


@dataclass
class Discord:
    """Takes requests, and answers those of `refusing` with an error: (status, code) by (what, channel)."""

    requests: list[Request] = field(default_factory=list)
    refusing: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)
    last: int = 100

    def take(self, request: Request) -> None:
        self.requests.append(request)
        if refused := self.refusing.get((request.what, request.channel)):
            raise error(*refused)

    def get_partial_messageable(self, id: int, *, guild_id: int | None = None) -> Channel:
        return Channel(self, id)

    async def create_dm(self, user: discord.Object) -> Channel:
        return Channel(self, user.id + DMS)

    async def fetch_channel(self, id: int) -> object:
        return object()  # no text channel, so no thread can be opened in it

    @property
    def http(self) -> Any:
        async def edit_channel(id: int, **changes: object) -> None:
            self.take(Request("archive", id))

        return SimpleNamespace(edit_channel=edit_channel)


@dataclass
class Channel:
    server: Discord
    id: int

    async def send(
        self,
        text: str = "",
        *,
        allowed_mentions: discord.AllowedMentions,
        view: discord.ui.LayoutView | None = None,
        nonce: str = "",
    ) -> Any:
        users = allowed_mentions.users
        pings = tuple(user.id for user in users) if isinstance(users, list) else ()
        drawing = drawn(view) if view else (text, False)
        self.server.take(Request("send", self.id, 0, *drawing, nonce, pings))
        self.server.last += 1
        return SimpleNamespace(channel=self, id=self.server.last)

    def get_partial_message(self, id: int) -> Any:
        async def edit(*, view: discord.ui.LayoutView, allowed_mentions: discord.AllowedMentions) -> None:
            self.server.take(Request("edit", self.id, id, *drawn(view)))

        async def delete() -> None:
            self.server.take(Request("delete", self.id, id))

        return SimpleNamespace(edit=edit, delete=delete)


def drawn(view: discord.ui.LayoutView) -> tuple[str, bool]:
    items = list(view.walk_children())
    texts = [item.content for item in items if isinstance(item, discord.ui.TextDisplay)]
    return " ".join(texts), any(isinstance(item, discord.ui.Button) for item in items)


def error(status: int, code: int) -> discord.HTTPException:
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.HTTPException)
    return kind(cast(Any, SimpleNamespace(status=status, reason="")), {"code": code, "message": ""})
