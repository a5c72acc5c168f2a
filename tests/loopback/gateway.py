"""The loopback's gateway: sessions that are identified, dropped and resumed, and the events that
wait for them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from tests.loopback.exchange import snowflake
from tests.loopback.screen import Json
from tests.loopback.world import BOT, World

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID_SESSION, HELLO, HEARTBEAT_ACK = (
    0,
    1,
    2,
    6,
    7,
    9,
    10,
    11,
)
IN_GUILDS, IN_DMS = 1 << 9, 1 << 12  # the intents for messages
DROPPED, WRONG_TOKEN = 4000, 4004  # close codes: come back and resume; do not come back
HEARTBEATS = 41250  # milliseconds between two of them


@dataclass
class Session:
    """What Discord keeps of a connection, so that a resumed one misses nothing."""

    shard: int
    shards: int
    ws: web.WebSocketResponse | None
    intents: int = 0
    id: str = field(default_factory=snowflake)
    sent: list[Json] = field(default_factory=list)
    silent: bool = False  # the connection stands, and nothing comes through it

    async def send(self, event: str, data: Any) -> None:
        """Send an event, and keep it for a session that is resumed."""
        packet = {"op": DISPATCH, "t": event, "s": len(self.sent) + 1, "d": data}
        self.sent.append(packet)
        await self.say(packet)

    async def say(self, packet: Json) -> None:
        """Send a packet, if anything comes through."""
        if self.ws is not None and not self.silent:
            with suppress(ConnectionError):
                await self.ws.send_str(json.dumps(packet))

    def serves(self, guild: str | None) -> bool:
        """Whether events of this guild, or without one, are this session's: (guild_id >> 22) %
        shards, else 0.
        """
        return self.shard == ((int(guild) >> 22) % self.shards if guild else 0)


class Gateway:
    """Speaks version 10, JSON, uncompressed, to any number of processes with shards of their
    own.
    """

    def __init__(self, world: World, token: str) -> None:
        self.identified = self.resumed = 0  # how often
        # by shard: when it last identified or resumed, on time.monotonic()
        self.came: dict[int, float] = {}
        self.url = ""
        self.heartbeats = HEARTBEATS
        self.shut = False  # whether new connections are refused
        self.copies = False  # whether several programs connect with the token, and all hear all
        self._world, self._token = world, token
        self._sessions: dict[str, Session] = {}

    def online(self, shards: Collection[int] | None = None) -> bool:
        """Whether each of these shards, or any, has a session."""
        return self.shards >= set(shards) if shards is not None else bool(self.shards)

    @property
    def shards(self) -> set[int]:
        """The shards that have a session, though its connection may be lost."""
        return {session.shard for session in self._sessions.values()}

    async def dispatch(self, event: str, data: Json) -> None:
        """To the shard Discord would choose.

        Waits for a bot that is starting; one whose connection dropped is sent the event when it
        resumes.
        """

        def session() -> Session | None:
            guild = data.get("guild_id")
            for session in self._sessions.values():
                if session.serves(guild):
                    return session
            return None

        first = await self._world.until(session)
        if not self.copies:
            await first.send(event, data)
            return
        quicker, *slower = reversed(list(self._sessions.values()))  # the newest is the quickest
        await quicker.send(event, data)
        exchange = self._world.exchanges.get(data.get("token", ""))
        if exchange is not None and slower:
            await self._world.until(lambda: exchange.callbacks)
        for copy in slower:
            await copy.send(event, data)

    async def written(self, message: Json, bot: str) -> None:
        """Tell of what somebody wrote, to a session that asked for such messages.

        Without the privileged intent it has its text only in DMs and where it mentions the bot.
        """
        guild = message.get("guild_id")
        named = f"<@{bot}>" in message["content"]
        if guild and not named:
            message = message | {"content": "", "embeds": [], "components": [], "attachments": []}
        for session in self._sessions.values():
            if session.serves(guild) and session.intents & (IN_GUILDS if guild else IN_DMS):
                await session.send("MESSAGE_CREATE", message)

    # -- how it misbehaves -------------------------------------------------------------------------

    async def drop(self, *, resumable: bool = True, code: int = DROPPED) -> None:
        """Closes every connection with this code; a session that is not resumable must be
        identified anew.
        """
        open_ones = [(session, session.ws) for session in self._sessions.values()]
        if not resumable:
            self._sessions.clear()
        for session, ws in open_ones:
            session.ws = None
            if ws is not None:
                await ws.close(code=code)

    async def reconnect(self) -> None:
        """Asks every session to come again and resume, as before Discord restarts a gateway."""
        for session in list(self._sessions.values()):
            await session.say({"op": RECONNECT, "d": None})

    async def invalidate(self, *, resumable: bool) -> None:
        """Tells every session that it is not valid; one that is not resumable must be identified
        anew.
        """
        sessions = list(self._sessions.values())
        if not resumable:
            self._sessions.clear()
        for session in sessions:
            await session.say({"op": INVALID_SESSION, "d": resumable})
            session.ws = None

    def fall_silent(self) -> None:
        """Every connection stands but nothing comes through any more, no heartbeat's answer either
        (a zombie).
        """
        for session in self._sessions.values():
            session.silent = True

    async def kick(self, guild: str) -> None:
        """The bot is kicked from a guild: it is told so, and its channels are closed to it."""
        self._world.left.add(guild)
        await self.dispatch("GUILD_DELETE", {"id": guild, "guild_id": guild})

    async def invite(self, guild: str) -> None:
        """The bot is added to a guild, again or to its commands."""
        self._world.left.discard(guild)
        self._world.apart.discard(guild)
        told = {
            key: value for key, value in self._world.guild(guild).items() if key != "unavailable"
        }
        await self.dispatch("GUILD_CREATE", {**told, "guild_id": guild})

    async def list_anew(self) -> None:
        """Every session gets another READY, as a new session would that a bot has to wait for."""
        for session in self._sessions.values():
            await self._list(session)

    async def outage(self, guild: str) -> None:
        """An outage of Discord's hides a guild: the bot is still on it."""
        self._world.unavailable.add(guild)
        await self.dispatch("GUILD_DELETE", {"id": guild, "guild_id": guild, "unavailable": True})

    async def available(self, guild: str) -> None:
        """That outage is over."""
        self._world.unavailable.discard(guild)
        await self.dispatch("GUILD_CREATE", {**self._world.guild(guild), "guild_id": guild})

    def forget(self, shards: Collection[int] | None = None) -> None:
        """The process with these shards, or with all, is gone, and its sessions with it; which of
        several copies, nobody knows.
        """
        if self.copies:
            return
        for session in list(self._sessions.values()):
            if shards is None or session.shard in shards:
                del self._sessions[session.id]

    # -- serving -----------------------------------------------------------------------------------

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection of a bot until it ends."""
        if self.shut:
            raise web.HTTPServiceUnavailable
        ws = web.WebSocketResponse(compress=False, timeout=0.1)
        await ws.prepare(request)
        await ws.send_json({"op": HELLO, "d": {"heartbeat_interval": self.heartbeats}})
        async for frame in ws:
            if frame.type is not WSMsgType.TEXT:
                break
            packet = json.loads(frame.data)
            if packet["op"] == HEARTBEAT:
                await self._acknowledge(ws)
            elif packet["op"] in (IDENTIFY, RESUME) and packet["d"]["token"] != self._token:
                await ws.close(code=WRONG_TOKEN, message=b"Authentication failed.")
            elif packet["op"] == IDENTIFY:
                await self._identify(ws, packet["d"])
            elif packet["op"] == RESUME:
                await self._resume(ws, packet["d"])
        return ws

    async def _acknowledge(self, ws: web.WebSocketResponse) -> None:
        if not any(session.silent for session in self._sessions.values() if session.ws is ws):
            await ws.send_json({"op": HEARTBEAT_ACK})

    async def _identify(self, ws: web.WebSocketResponse, data: Json) -> None:
        shard, shards = data.get("shard", [0, 1])
        for old in [
            one for one in self._sessions.values() if one.shard == shard or one.shards != shards
        ]:
            if not self.copies:
                del self._sessions[old.id]
        session = Session(shard, shards, ws, data["intents"])
        await self._list(session)
        self._sessions[session.id] = session  # only now: nothing may overtake READY
        self.identified += 1
        self.came[shard] = time.monotonic()
        self._world.changed.set()

    async def _list(self, session: Session) -> None:
        mine = self._world.guilds_of(session.shard, session.shards)
        ready = {
            "v": 10,
            "user": BOT.user(),
            "guilds": [{"id": guild, "unavailable": True} for guild in mine],
            "session_id": session.id,
            "shard": [session.shard, session.shards],
            "resume_gateway_url": self.url,
            "application": {"id": self._world.application, "flags": 0},
        }
        await session.send("READY", ready)
        for guild in mine:
            if guild not in self._world.unavailable:
                await session.send("GUILD_CREATE", self._world.guild(guild))

    async def _resume(self, ws: web.WebSocketResponse, data: Json) -> None:
        session = self._sessions.get(data["session_id"])
        if session is None:
            await ws.send_json({"op": INVALID_SESSION, "d": False})
            return
        session.silent = False
        for packet in session.sent[data["seq"] :]:
            await ws.send_str(json.dumps(packet))
        session.ws = ws
        await session.send("RESUMED", {})
        self.resumed += 1
        self.came[session.shard] = time.monotonic()
        self._world.changed.set()
