"""The loopback's REST side: every request is written down, then answered, failed or held as a test
asked.
"""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.loopback.answers import answered, rate_limited, refused
from tests.loopback.exchange import LATER, MESSAGE, THINKING, UPDATE, Exchange, Refusal
from tests.loopback.faults import Fault, through
from tests.loopback.gateway import Gateway
from tests.loopback.limits import Limits, Verdict
from tests.loopback.screen import Json
from tests.loopback.world import BOT, OWNER, World

API = "/api/v10"
BODY: web.RequestKey[Any] = web.RequestKey("body", object)
FILES = web.RequestKey("files", dict[str, bytes])
NO_CONTENT = 204
CALLBACK_WITHIN = 60.0  # seconds; Discord waits 3, but a busy machine is no defect of ours
TOKENS_LAST = 900.0  # seconds after the interaction
TOO_MANY_OLD_EDITS = 30046


@dataclass
class Call:
    """A request of the bot: `path` is below /api/v10, `json` the body or, of an upload,
    `payload_json`.
    """

    method: str
    path: str
    json: Any
    query: dict[str, str] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    at: float = field(default_factory=time.monotonic)
    status: int = 0  # of the answer, 0 until there is one


class Rest:
    """The routes a bot uses, as far as Bourse uses them; anything else is 404 and in `calls`."""

    def __init__(self, world: World, gateway: Gateway, token: str, shards: int) -> None:
        self.calls: list[Call] = []
        self.faults: list[Fault] = []
        self.limits = Limits()
        self.callback_within = CALLBACK_WITHIN
        self.tokens_last = TOKENS_LAST
        self._world, self._gateway, self._token, self._shards = world, gateway, token, shards

    def routes(self) -> list[web.RouteDef]:
        """Every route that is answered."""
        app, hook = f"{API}/applications/{{app}}", f"{API}/webhooks/{{app}}/{{token}}"
        channel = f"{API}/channels/{{channel}}"
        return [
            web.get(f"{API}/users/@me", self._me),
            web.get(f"{API}/users/@me/guilds", self._guilds),
            web.get(f"{API}/users/{{user}}", self._user),
            web.get(f"{API}/guilds/{{guild}}/members/{{user}}", self._member),
            web.get(f"{API}/guilds/{{guild}}/threads/active", self._active_threads),
            web.get(f"{API}/oauth2/applications/@me", self._application),
            web.get(f"{API}/applications/@me", self._application),
            web.get(f"{API}/gateway/bot", self._gateway_bot),
            web.get(f"{app}/emojis", self._get_emojis),
            web.post(f"{app}/emojis", self._add_emoji),
            web.get(f"{app}/commands", self._get_commands),
            web.put(f"{app}/commands", self._put_commands),
            web.get(f"{app}/guilds/{{guild}}/commands", self._get_commands),
            web.put(f"{app}/guilds/{{guild}}/commands", self._put_commands),
            web.post(f"{API}/interactions/{{id}}/{{token}}/callback", self._callback),
            web.post(hook, self._follow_up),
            web.get(f"{hook}/messages/{{message}}", self._get_message),
            web.patch(f"{hook}/messages/{{message}}", self._edit_message),
            web.delete(f"{hook}/messages/{{message}}", self._delete_message),
            web.post(f"{API}/users/@me/channels", self._open_dm),
            web.get(channel, self._get_channel),
            web.patch(channel, self._edit_channel),
            web.post(f"{channel}/typing", self._nothing),
            web.post(f"{channel}/threads", self._start_thread),
            web.put(f"{channel}/thread-members/{{user}}", self._join_thread),
            web.delete(f"{channel}/thread-members/{{user}}", self._leave_thread),
            web.get(f"{channel}/messages", self._history),
            web.post(f"{channel}/messages", self._post_message),
            web.put(f"{channel}/messages/pins/{{message}}", self._nothing),
            web.delete(f"{channel}/messages/pins/{{message}}", self._nothing),
            web.get(f"{channel}/messages/{{message}}", self._get_message),
            web.patch(f"{channel}/messages/{{message}}", self._edit_message),
            web.delete(f"{channel}/messages/{{message}}", self._delete_message),
        ]

    @web.middleware
    async def front_door(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """What every request passes: the record, the faults, the token, and Discord's way of saying
        no.
        """
        if not request.path.startswith(API):
            return await handler(request)
        request[BODY], request[FILES] = await _body(request)
        path = request.path.removeprefix(API)
        query = dict(request.query)
        call = Call(request.method, path, request[BODY], query, request[FILES])
        self.calls.append(call)
        verdict = self.limits.ask(request.method, path)
        response = await self._answer(request, path, handler, verdict)
        call.status = response.status
        for name, value in verdict.headers.items():
            response.headers.setdefault(name, value)
        self._world.changed.set()
        return response

    async def _answer(
        self,
        request: web.Request,
        path: str,
        handler: Callable[[web.Request], Awaitable[web.StreamResponse]],
        verdict: Verdict,
    ) -> web.StreamResponse:
        if verdict.wait:
            return rate_limited(verdict.wait, overall=verdict.overall)
        carries_its_own_token = path.startswith(("/interactions/", "/webhooks/"))
        if (
            not carries_its_own_token
            and request.headers.get("Authorization") != f"Bot {self._token}"
        ):
            return refused(401, 0, "401: Unauthorized")

        async def serve() -> web.StreamResponse:
            try:
                return await handler(request)
            except web.HTTPNotFound:
                return refused(404, 0, "404: Not Found")
            except Refusal as refusal:
                return refused(refusal.status, refusal.code, refusal.args[0])
            finally:
                self._world.changed.set()

        return await through(self.faults, request.method, path, request[BODY], serve)

    # -- the bot itself ----------------------------------------------------------------------------

    async def _me(self, _: web.Request) -> web.Response:
        return answered(BOT.user())

    async def _user(self, request: web.Request) -> web.Response:
        return answered(self._world.person(request.match_info["user"]).user())

    async def _member(self, request: web.Request) -> web.Response:
        self._world.require_on(request.match_info["guild"])
        person = self._world.person(request.match_info["user"])
        return answered({"user": person.user(), **person.member()})

    async def _application(self, _: web.Request) -> web.Response:
        app: Json = {
            "id": self._world.application,
            "name": BOT.name,
            "owner": OWNER.user(),
            "team": None,
        }
        app |= {"bot_require_code_grant": False, "verify_key": "0" * 64, "flags": 0, "summary": ""}
        return answered(app | {"approximate_guild_count": 1} | self._world.portal)

    async def _gateway_bot(self, _: web.Request) -> web.Response:
        limit = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
        return answered(
            {"url": self._gateway.url, "shards": self._shards, "session_start_limit": limit}
        )

    async def _guilds(self, request: web.Request) -> web.Response:
        given = str(BOT.permissions.value)
        there = [] if "after" in request.query else self._world.guilds_of(0, 1)
        return answered([{"id": guild, "name": "club", "permissions": given} for guild in there])

    async def _get_emojis(self, _: web.Request) -> web.Response:
        return answered({"items": self._world.emojis})

    async def _add_emoji(self, request: web.Request) -> web.Response:
        emoji: Json = {
            "id": str(6001 + len(self._world.emojis)),
            "name": request[BODY]["name"],
            "roles": [],
        }
        emoji |= {"require_colons": True, "managed": False, "animated": False, "available": True}
        self._world.emojis.append(emoji)
        return answered(emoji)

    async def _get_commands(self, request: web.Request) -> web.Response:
        guild = request.match_info.get("guild")
        if guild is None:
            return answered(self._world.commands)
        self._world.require_on(guild)
        return answered(self._world.guild_commands.get(guild, []))

    async def _put_commands(self, request: web.Request) -> web.Response:
        guild = request.match_info.get("guild")
        defaults: Json = {"options": [], "default_member_permissions": None, "dm_permission": True}
        defaults |= {"description": "", "nsfw": False, "type": 1, "version": "1"}
        defaults["application_id"] = self._world.application
        # a new application is for users, too
        defaults |= {"contexts": None, "integration_types": [0, 1]}
        first = 5001 if guild is None else 5501
        commands = list[Json]()
        for number, command in enumerate(request[BODY], start=first):
            given = {key: value for key, value in command.items() if value is not None}
            commands.append({**defaults, **given, "id": str(number)})
        if guild is None:
            self._world.commands = commands
        else:
            self._world.require_on(guild)
            self._world.guild_commands[guild] = commands
        return answered(commands)

    # -- interactions ------------------------------------------------------------------------------

    def _exchange(self, request: web.Request) -> Exchange | None:
        """Whose token the path carries, if it carries one."""
        if "token" not in request.match_info:
            return None
        return self._acknowledged(request)

    def _acknowledged(self, request: web.Request) -> Exchange:
        """The interaction that a follow-up or the edit of an answer belongs to."""
        exchange = self._world.exchanges.get(request.match_info["token"])
        if exchange is None or exchange.age() > self.tokens_last:
            raise Refusal(401, 50027, "Invalid Webhook Token")
        if not exchange.callbacks:
            raise Refusal(404, 10015, "Unknown Webhook")
        return exchange

    async def _callback(self, request: web.Request) -> web.Response:
        exchange, body, files = (
            self._world.exchanges.get(request.match_info["token"]),
            request[BODY],
            request[FILES],
        )
        if exchange is None or (exchange.age() > self.callback_within and not exchange.callbacks):
            if exchange is not None:
                exchange.too_late = True
            raise Refusal(404, 10062, "Unknown interaction")
        data, message = body.get("data") or {}, None
        if body["type"] == UPDATE and exchange.source is not None and not exchange.callbacks:
            self._world.source(exchange)
        exchange.callbacks.append(body)
        if len(exchange.callbacks) > 1:
            raise Refusal(400, 40060, "Interaction has already been acknowledged.")
        exchange.answered_at = time.monotonic()
        exchange.answered.set()
        if body["type"] == MESSAGE:
            message = self._world.answer(exchange, data, files)
        elif body["type"] == THINKING:
            message = self._world.think(exchange)
        elif body["type"] == UPDATE and exchange.source is not None:
            message = self._world.change(self._world.source(exchange), data, files)
            exchange.answers.append(message["id"])
        answer: Json = {"interaction": {"id": exchange.id, "type": exchange.kind}}
        if message is not None:
            answer["interaction"]["response_message_id"] = message["id"]
            answer["interaction"]["response_message_loading"] = body["type"] == THINKING
            answer["resource"] = {"type": body["type"], "message": message}
        return answered(answer)

    async def _follow_up(self, request: web.Request) -> web.Response:
        exchange = self._acknowledged(request)
        if wait := self.limits.follow_up(exchange.channel):
            return rate_limited(wait)
        return answered(self._world.answer(exchange, request[BODY], request[FILES]))

    # -- messages ----------------------------------------------------------------------------------

    def _message(self, request: web.Request) -> Json:
        path = request.match_info
        return self._world.message(
            path["message"], channel=path.get("channel", ""), exchange=self._exchange(request)
        )

    async def _post_message(self, request: web.Request) -> web.Response:
        return answered(
            self._world.post(request.match_info["channel"], request[BODY], request[FILES])
        )

    async def _get_message(self, request: web.Request) -> web.Response:
        return answered(self._message(request))

    async def _edit_message(self, request: web.Request) -> web.Response:
        message, exchange = self._message(request), self._exchange(request)
        if exchange is None:
            self._world.editable(message["channel_id"], files=bool(request[FILES]))
            if message["author"]["id"] != self._world.me:
                raise Refusal(403, 50005, "Cannot edit a message authored by another user")
            if wait := self.limits.old_edit(message["channel_id"], message["id"]):
                return rate_limited(wait, code=TOO_MANY_OLD_EDITS)
        message = self._world.change(message, request[BODY], request[FILES])
        answers = exchange is not None and (
            exchange.type == LATER or message["id"] == exchange.loading
        )
        if exchange is not None and answers and message["id"] not in exchange.answers:
            exchange.answers.insert(0, message["id"])
        return answered(message)

    async def _delete_message(self, request: web.Request) -> web.Response:
        del self._world.messages[self._message(request)["id"]]
        return web.Response(status=NO_CONTENT)

    async def _history(self, request: web.Request) -> web.Response:
        query = {key: int(value) for key, value in request.query.items()}
        return answered(self._world.history(request.match_info["channel"], **query))

    # -- channels ----------------------------------------------------------------------------------

    async def _get_channel(self, request: web.Request) -> web.Response:
        return answered(self._world.channel(request.match_info["channel"]))

    async def _edit_channel(self, request: web.Request) -> web.Response:
        channel, body = self._world.channel(request.match_info["channel"]), dict(request[BODY])
        meta = {
            key: body.pop(key)
            for key in ("archived", "locked", "auto_archive_duration")
            if key in body
        }
        channel.get("thread_metadata", {}).update(meta)
        channel.update(body)
        return answered(channel)

    async def _open_dm(self, request: web.Request) -> web.Response:
        user = str(request[BODY]["recipient_id"])
        self._world.person(user)
        return answered(self._world.channel(self._world.dm_with(user)))

    async def _start_thread(self, request: web.Request) -> web.Response:
        thread = self._world.start_thread(request.match_info["channel"], request[BODY])
        if self._gateway.online():  # else nobody listens, as where a test has REST only
            await self._gateway.dispatch("THREAD_CREATE", {**thread, "newly_created": True})
        return answered(thread, 201)

    async def _active_threads(self, request: web.Request) -> web.Response:
        self._world.require_on(request.match_info["guild"])
        found = map(self._world.channel, self._world.threads())
        here = [each for each in found if each["guild_id"] == request.match_info["guild"]]
        return answered(
            {
                "threads": [each for each in here if not each["thread_metadata"]["archived"]],
                "members": [],
            }
        )

    async def _join_thread(self, request: web.Request) -> web.Response:
        members = self._world.thread_members.setdefault(request.match_info["channel"], set())
        members.add(request.match_info["user"])
        return web.Response(status=NO_CONTENT)

    async def _leave_thread(self, request: web.Request) -> web.Response:
        members = self._world.thread_members.setdefault(request.match_info["channel"], set())
        members.discard(request.match_info["user"])
        return web.Response(status=NO_CONTENT)

    async def _nothing(self, _: web.Request) -> web.Response:
        return web.Response(status=NO_CONTENT)


async def _body(request: web.Request) -> tuple[Any, dict[str, bytes]]:
    """A request's JSON, and its uploads by field name when it is multipart."""
    if request.content_type != "multipart/form-data":
        text = await request.text()
        return (json.loads(text) if text else None), {}
    payload, files = None, {}
    form = await request.post()
    for name, part in form.items():
        if isinstance(part, web.FileField):
            files[name] = part.file.read()
        elif name == "payload_json":
            payload = json.loads(part if isinstance(part, (str, bytes)) else bytes(part))
    return payload, files
