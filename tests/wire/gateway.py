"""The loopback's gateway: sessions that are identified, dropped and resumed, and the events that wait for them."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from tests.wire.screen import Json
from tests.wire.world import BOT, GUILD, World, guild, snowflake

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, INVALID_SESSION, HELLO, HEARTBEAT_ACK = 0, 1, 2, 6, 9, 10, 11
DROPPED, WRONG_TOKEN = 4000, 4004  # close codes: come back and resume; do not come back


@dataclass
class Session:
    """What Discord keeps of a connection, so that a resumed one misses nothing."""

    shard: int
    shards: int
    ws: web.WebSocketResponse | None
    id: str = field(default_factory=snowflake)
    sent: list[Json] = field(default_factory=list)

    async def send(self, event: str, data: Any) -> None:
        packet = {"op": DISPATCH, "t": event, "s": len(self.sent) + 1, "d": data}
        self.sent.append(packet)
        if self.ws is not None:
            with suppress(ConnectionError):
                await self.ws.send_str(json.dumps(packet))


class Gateway:
    """Speaks version 10, JSON, uncompressed."""

    def __init__(self, world: World, token: str) -> None:
        self.identified = self.resumed = 0  # how often
        self.url = ""
        self._world, self._token = world, token
        self._sessions: dict[str, Session] = {}

    async def dispatch(self, event: str, data: Json) -> None:
        """To the shard Discord would choose: (guild_id >> 22) % shards, and 0 for anything without a guild.

        Waits for a bot that is starting; one whose connection dropped is sent the event when it resumes.
        """

        def session() -> Session | None:
            for one in self._sessions.values():
                wanted = (int(data["guild_id"]) >> 22) % one.shards if "guild_id" in data else 0
                if one.shard == wanted:
                    return one
            return None

        await (await self._world.until(session)).send(event, data)

    async def drop(self, *, resumable: bool = True) -> None:
        """Closes every connection; a session that is not resumable must be identified anew."""
        open_ones = [(session, session.ws) for session in self._sessions.values()]
        if not resumable:
            self._sessions.clear()
        for session, ws in open_ones:
            session.ws = None
            if ws is not None:
                await ws.close(code=DROPPED)

    def forget(self) -> None:
        """The bot's process is gone, and its sessions with it."""
        self._sessions.clear()

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        ws = web.WebSocketResponse(compress=False, timeout=0.1)
        await ws.prepare(request)
        await ws.send_json({"op": HELLO, "d": {"heartbeat_interval": 41250}})
        async for frame in ws:
            if frame.type is not WSMsgType.TEXT:
                break
            packet = json.loads(frame.data)
            if packet["op"] == HEARTBEAT:
                await ws.send_json({"op": HEARTBEAT_ACK})
            elif packet["op"] in (IDENTIFY, RESUME) and packet["d"]["token"] != self._token:
                await ws.close(code=WRONG_TOKEN, message=b"Authentication failed.")
            elif packet["op"] == IDENTIFY:
                await self._identify(ws, *packet["d"].get("shard", [0, 1]))
            elif packet["op"] == RESUME:
                await self._resume(ws, packet["d"])
        return ws

    async def _identify(self, ws: web.WebSocketResponse, shard: int, shards: int) -> None:
        for old in [one for one in self._sessions.values() if one.shard == shard or one.shards != shards]:
            del self._sessions[old.id]
        session = Session(shard, shards, ws)
        mine = (int(GUILD) >> 22) % shards == shard
        ready = {
            "v": 10,
            "user": BOT.user(),
            "guilds": [{"id": GUILD, "unavailable": True}] if mine else [],
            "session_id": session.id,
            "shard": [shard, shards],
            "resume_gateway_url": self.url,
            "application": {"id": str(BOT.id), "flags": 0},
        }
        await session.send("READY", ready)
        if mine:
            await session.send("GUILD_CREATE", guild())
        self._sessions[session.id] = session  # only now: nothing may overtake READY
        self.identified += 1
        self._world.changed.set()

    async def _resume(self, ws: web.WebSocketResponse, data: Json) -> None:
        session = self._sessions.get(data["session_id"])
        if session is None:
            await ws.send_json({"op": INVALID_SESSION, "d": False})
            return
        for packet in session.sent[data["seq"] :]:
            await ws.send_str(json.dumps(packet))
        session.ws = ws
        await session.send("RESUMED", {})
        self.resumed += 1
        self._world.changed.set()
