"""What the loopback Discord remembers: people, channels, messages, and the interactions under way."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from discord import Permissions

from tests.wire import screen
from tests.wire.people import PLAYER, Person
from tests.wire.screen import EPHEMERAL, Json

GUILD, CHANNEL = str((1 << 22) + 1), "3001"  # the guild lives on shard 1 of 2, on 0 of 1
BOT_ROLE = "4001"
BOT = Person(
    1001,
    "bourse",
    PLAYER
    | Permissions(embed_links=True, attach_files=True, manage_messages=True, pin_messages=True)
    | Permissions(create_private_threads=True, create_public_threads=True, manage_threads=True),
    bot=True,
)
OWNER = Person(1, "owner")

# The callbacks that answer an interaction
MESSAGE, THINKING, LATER, UPDATE, CHOICES, OPEN_MODAL = 4, 5, 6, 7, 8, 9
PRIVATE_THREAD = 12
FINISH_WITHIN = 45.0  # seconds

_Found = TypeVar("_Found")
_snowflakes = itertools.count(int(time.time() * 1000 - 1_420_070_400_000) << 22)


def snowflake() -> str:
    return str(next(_snowflakes))


class Refusal(Exception):
    """Discord says no: its words, its code, the HTTP status."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


@dataclass
class Exchange:
    """One interaction and everything the bot answered to it."""

    world: World
    id: str
    token: str
    kind: int
    user: Person
    channel: str
    source: Json | None = None  # the message whose button or select this was, as it was then
    body: Json = field(default_factory=dict)  # as it was delivered
    callbacks: list[Json] = field(default_factory=list)  # all the bot sent; Discord took the first
    loading: str = ""  # the message that says "thinking"
    answers: list[str] = field(default_factory=list)  # ids: the message that answers, then follow-ups

    @property
    def type(self) -> int:
        """The type of the callback Discord took."""
        return int(self.callbacks[0]["type"])

    @property
    def data(self) -> Json:
        return self.callbacks[0].get("data") or {}

    @property
    def messages(self) -> list[Json]:
        """What it came to, as it is now: the answer and its follow-ups, or the card it changed."""
        return [self.world.messages[mid] for mid in self.answers if mid in self.world.messages]

    @property
    def text(self) -> str:
        return "\n".join(screen.text_of(message) for message in self.messages)

    @property
    def ephemeral(self) -> bool:
        """Whether there was an answer and all of it was for this person only."""
        return bool(self.messages) and all(map(screen.is_ephemeral, self.messages))

    @property
    def choices(self) -> list[str]:
        """What autocomplete offered."""
        return [choice["name"] for choice in self.data.get("choices") or []]

    def finished(self) -> bool:
        """Whether a deferred answer has come, or has been taken back."""
        return self.type != THINKING or bool(self.answers) or self.loading not in self.world.messages


class World:
    """What a person or the bot can look at. A message that changes is replaced: one held on to is history."""

    def __init__(self) -> None:
        self.commands: list[Json] = []
        self.messages: dict[str, Json] = {}  # by id, oldest first; what was deleted is gone
        self.files: dict[str, bytes] = {}  # by attachment id
        self.closed_dms: set[Person] = set()
        self.people: dict[str, Person] = {str(person.id): person for person in (BOT, OWNER)}
        self.exchanges: dict[str, Exchange] = {}  # by token
        self.thread_members: dict[str, set[str]] = {}  # of private threads only
        self.changed = asyncio.Event()
        self._dms: dict[str, str] = {}  # user id -> channel id
        self._threads: dict[str, Json] = {}
        self._audience: dict[str, str] = {}  # ephemeral message id -> the one user who sees it
        self._nonces: dict[tuple[str, str], str] = {}

    # -- waiting -----------------------------------------------------------------------------------

    async def until(self, what: Callable[[], _Found | None], within: float = FINISH_WITHIN) -> _Found:
        """The first truthy answer of `what`, asked again whenever something happened. Raises TimeoutError."""
        async with asyncio.timeout(within):
            while not (found := what()):
                self.changed.clear()
                await self.changed.wait()
            return found

    async def quiet(self, seconds: float = 0.2) -> None:
        """Returns once nothing has happened for that long: the only way to see that nothing comes."""
        while True:
            self.changed.clear()
            try:
                await asyncio.wait_for(self.changed.wait(), seconds)
            except TimeoutError:
                return

    # -- people and channels -----------------------------------------------------------------------

    def meet(self, *people: Person) -> None:
        self.people |= {str(person.id): person for person in people}

    def person(self, user: str) -> Person:
        if user not in self.people:
            raise Refusal(404, 10013, "Unknown User")
        return self.people[user]

    def dm_with(self, user: str) -> str:
        return self._dms.setdefault(user, str(9001 + len(self._dms)))

    def is_dm(self, channel: str) -> bool:
        return channel in self._dms.values()

    def channel(self, channel: str) -> Json:
        if channel == CHANNEL:
            place = {"id": CHANNEL, "type": 0, "guild_id": GUILD, "name": "table", "position": 0}
            return place | {"permissions": str(PLAYER.value)}
        if channel in self._threads:
            return self._threads[channel]
        for user, dm in self._dms.items():
            if dm == channel:
                recipients = [self.person(user).user()]
                return {"id": dm, "type": 1, "recipients": recipients, "last_message_id": None}
        raise Refusal(404, 10003, "Unknown Channel")

    def start_thread(self, parent: str, body: Json) -> Json:
        thread: Json = {
            "id": snowflake(),
            "type": body.get("type", PRIVATE_THREAD),
            "guild_id": GUILD,
            "parent_id": parent,
            "owner_id": str(BOT.id),
            "name": body["name"],
            "message_count": 0,
            "member_count": 1,
            "rate_limit_per_user": 0,
            "permissions": str(PLAYER.value),
            "thread_metadata": {
                "archived": False,
                "auto_archive_duration": body.get("auto_archive_duration") or 1440,
                "archive_timestamp": "2026-01-01T00:00:00+00:00",
                "locked": False,
            },
        }
        self._threads[thread["id"]] = thread
        if thread["type"] == PRIVATE_THREAD:
            self.thread_members[thread["id"]] = set()
        return thread

    def visible(self, person: Person) -> list[Json]:
        """The messages this person can see, oldest first."""
        return [message for message in self.messages.values() if self._can_see(str(person.id), message)]

    def _can_see(self, user: str, message: Json) -> bool:
        channel: str = message["channel_id"]
        if screen.is_ephemeral(message):
            return self._audience.get(message["id"]) == user
        if self.is_dm(channel):
            return self._dms.get(user) == channel
        return channel not in self.thread_members or user in self.thread_members[channel]

    # -- messages ----------------------------------------------------------------------------------

    def post(self, channel: str, body: Json, files: dict[str, bytes]) -> Json:
        """A message of the bot's own accord; the same nonce, enforced, gives the one that stands already."""
        self.channel(channel)
        if any(self._dms.get(str(person.id)) == channel for person in self.closed_dms):
            raise Refusal(403, 50007, "Cannot send messages to this user")
        nonce = (channel, str(body.get("nonce")))
        if body.get("enforce_nonce") and nonce in self._nonces:
            return self.messages[self._nonces[nonce]]
        message = self._create(channel, body, files)
        self._nonces[nonce] = message["id"]
        return message

    def answer(self, exchange: Exchange, body: Json, files: dict[str, bytes]) -> Json:
        """A message that answers an interaction, or follows its answer up."""
        if exchange.loading and not exchange.answers:
            message = self.change(self.messages[exchange.loading], body, files)
        else:
            message = self._create(exchange.channel, body, files, exchange)
        exchange.answers.append(message["id"])
        return message

    def think(self, exchange: Exchange) -> Json:
        """The message that says the bot is thinking; the first follow-up or an edit fills it."""
        message = self._create(exchange.channel, exchange.data, {}, exchange)
        exchange.loading = message["id"]
        return message

    def _create(self, channel: str, body: Json, files: dict[str, bytes], exchange: Exchange | None = None) -> Json:
        message: Json = {
            "id": snowflake(),
            "channel_id": channel,
            "author": BOT.user(),
            "content": "",
            "embeds": [],
            "components": [],
            "attachments": [],
            "flags": 0,
            "type": 0,
            "mentions": [],
            "mention_roles": [],
            "mention_everyone": False,
            "pinned": False,
            "tts": False,
            "edited_timestamp": None,
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime()),
        }
        if exchange is not None:
            message |= {"type": 20, "webhook_id": str(BOT.id), "application_id": str(BOT.id)}
            if (body.get("flags") or 0) & EPHEMERAL:
                self._audience[message["id"]] = str(exchange.user.id)
        return self.change(message, body, files)

    def change(self, message: Json, body: Json, files: dict[str, bytes]) -> Json:
        """The message as a body makes it: keys left out stay, and who may see it stays."""
        message = dict(message)
        ephemeral = message["flags"] & EPHEMERAL
        for key, empty in (("content", ""), ("embeds", []), ("components", []), ("flags", 0)):
            if key in body:
                message[key] = json.loads(json.dumps(body[key])) or empty
        message["flags"] |= ephemeral
        for number, item in enumerate(screen.walk(message["components"]), 1):
            item.setdefault("id", number)  # Discord numbers the components that came without an id
        if "attachments" in body:
            message["attachments"] = [self._attach(meta, files) for meta in body["attachments"] or []]
        self.messages[message["id"]] = message
        return message

    def _attach(self, meta: Json, files: dict[str, bytes]) -> Json:
        """An attachment as Discord lists it: a new one was uploaded as `files[id]`, a kept one stays."""
        upload = files.get(f"files[{meta['id']}]")
        if upload is None:
            return {"filename": "", "size": 0, "url": "", "proxy_url": "", **meta}
        mine, name = snowflake(), meta.get("filename") or "file"
        self.files[mine] = upload
        url = f"http://127.0.0.1/attachments/{mine}/{name}"  # nobody follows it: tests look into `files`
        return {**meta, "id": mine, "filename": name, "size": len(upload), "url": url, "proxy_url": url}

    def message(self, mid: str, *, channel: str = "", exchange: Exchange | None = None) -> Json:
        """The message a path names. An ephemeral one is found only through its interaction's token."""
        if exchange is not None and mid == "@original":
            mid = exchange.loading or next(iter(exchange.answers), "")
            if not mid and exchange.callbacks and exchange.type == LATER and exchange.source is not None:
                mid = exchange.source["id"]
        found = self.messages.get(mid)
        hidden = found is not None and (screen.is_ephemeral(found) or found["channel_id"] != channel)
        if found is None or (exchange is None and hidden):
            raise Refusal(404, 10008, "Unknown Message")
        return found


def guild() -> Json:
    """The guild as GUILD_CREATE tells it."""
    return {
        "id": GUILD,
        "name": "club",
        "owner_id": str(OWNER.id),
        "unavailable": False,
        "member_count": 5,
        "members": [{"user": BOT.user(), **BOT.member(), "roles": [BOT_ROLE]}],
        "roles": [_role(GUILD, "@everyone", PLAYER), _role(BOT_ROLE, BOT.name, BOT.permissions)],
        "channels": [{"id": CHANNEL, "type": 0, "name": "table", "position": 0}],
        **{key: [] for key in ("emojis", "threads", "presences", "features", "stickers", "voice_states")},
        **{key: [] for key in ("stage_instances", "guild_scheduled_events")},
        **dict.fromkeys(("verification_level", "explicit_content_filter", "premium_tier", "nsfw_level"), 0),
        **dict.fromkeys(("mfa_level", "system_channel_flags", "default_message_notifications"), 0),
        "preferred_locale": "en-US",
        "afk_timeout": 300,
    }


def _role(rid: str, name: str, permissions: Permissions) -> Json:
    no_colors: Any = {"primary_color": 0, "secondary_color": None, "tertiary_color": None}
    role = {"id": rid, "name": name, "permissions": str(permissions.value), "colors": no_colors}
    plain = dict.fromkeys(("hoist", "managed", "mentionable"), False)
    return role | plain | {"position": 0, "color": 0, "flags": 0}
