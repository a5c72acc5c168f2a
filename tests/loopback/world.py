"""What the loopback Discord remembers: messages, commands, and the interactions under way."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from tests.loopback import screen
from tests.loopback.exchange import Exchange, Refusal, snowflake
from tests.loopback.people import Person
from tests.loopback.places import BOT, CHANNEL, GUILD, OWNER, Places, guild_on
from tests.loopback.screen import COMPONENTS_V2, EPHEMERAL, LOADING, ONLY_V2, Json

__all__ = ("BOT", "CHANNEL", "FINISH_WITHIN", "GUILD", "OWNER", "Exchange", "World", "guild_on")

FINISH_WITHIN = 120.0  # seconds
ROWS = 5  # the most rows of a classical message
NONCES_LAST = 300.0  # seconds; Discord says "a few minutes"
LOOK = 0.02  # seconds from one look to the next at whether all is quiet
BUSY = "RD"  # what Linux calls a thread that works or waits for a processor, or for a disk

_Found = TypeVar("_Found")


PORTAL: Json = {
    "bot_public": True,
    "description": "Trading at a live table.",
    "icon": "0" * 32,
    "tags": ["games"],
    "terms_of_service_url": "https://club.example/terms",
    "privacy_policy_url": "https://club.example/privacy",
    "interactions_endpoint_url": None,
    "install_params": {
        "scopes": ["applications.commands", "bot"],
        "permissions": str(BOT.permissions.value),
    },
}
"""An application to which nothing is missing."""


def is_busy(process: int) -> bool:
    """Whether one of its threads works, or waits for a processor or a disk. Only Linux tells."""
    for thread in Path(f"/proc/{process}/task").glob("*/stat"):
        # it may have ended since it was listed
        with suppress(OSError):
            state = thread.read_text("utf-8", "replace").rpartition(")")[2].split()[0]
            if state in BUSY:
                return True
    return False


class World(Places):
    """What a person or the bot can look at. A message that changes is replaced: one held on to is
    history.
    """

    def __init__(self) -> None:
        super().__init__()
        self.commands: list[Json] = []  # those of all guilds
        self.guild_commands: dict[str, list[Json]] = {}  # those of one guild only
        self.portal: Json = PORTAL  # what the operator filled in at the developer portal
        self.emojis: list[Json] = []
        self.messages: dict[str, Json] = {}  # by id, oldest first; what was deleted is gone
        self.files: dict[str, bytes] = {}  # by attachment id
        self.exchanges: dict[str, Exchange] = {}  # by token
        self.changed = asyncio.Event()
        # seconds in which an enforced nonce gives the message that is there
        self.nonces_last = NONCES_LAST
        # is told of every message sent or changed
        self.watch: Callable[[Json], None] = lambda message: None
        # what a client shows in (user, message, custom_id)
        self._picked: dict[tuple[str, str, str], list[str]] = {}
        self._audience: dict[str, str] = {}  # ephemeral message id -> the one user who sees it
        self._nonces: dict[str, tuple[float, str]] = {}  # when it was sent, and the message

    # -- waiting -----------------------------------------------------------------------------------

    async def until(
        self, what: Callable[[], _Found | None], within: float = FINISH_WITHIN
    ) -> _Found:
        """The first truthy answer of `what`, asked again whenever something happened. Raises
        TimeoutError.
        """
        async with asyncio.timeout(within):
            while not (found := what()):
                self.changed.clear()
                await self.changed.wait()
            return found

    async def quiet(self, seconds: float = 0.2, processes: Collection[int] = ()) -> None:
        """Returns once nothing has happened for that long: the only way to see that nothing
        comes.

        A look at which one of the processes is busy does not count: where the machine is, that may
        be about to do something.
        """
        looks = 0
        while looks * LOOK < seconds:
            self.changed.clear()
            try:
                await asyncio.wait_for(self.changed.wait(), LOOK)
            except TimeoutError:
                if not any(map(is_busy, processes)):
                    looks += 1
            else:
                looks = 0

    # -- looking -----------------------------------------------------------------------------------

    def offered(self, channel: str, *, to_user: bool = False) -> list[Json]:
        """The commands that a client offers in a channel: all guilds', and then its own guild's.

        `to_user`: of an application that a person has installed for themselves.
        """
        dm = self.is_dm(channel)
        own: list[Json] = []
        if not dm:
            own = self.guild_commands.get(self.pressed_in(channel)["guild_id"], [])
        return [
            command
            for command in (*self.commands, *own)
            if int(dm) in (command["contexts"] or (0, 1, 2))
            and int(to_user) in command["integration_types"]
        ]

    def visible(self, person: Person) -> list[Json]:
        """The messages this person can see, oldest first."""
        user = str(person.id)
        return [message for message in self.messages.values() if self.can_see(user, message)]

    def can_see(self, user: str, message: Json) -> bool:
        """Whether a user sees this message."""
        if screen.is_ephemeral(message):
            return self._audience.get(message["id"]) == user
        return self.reads(user, message["channel_id"])

    def history(
        self, channel: str, limit: int = 50, *, before: int = 0, after: int = 0, around: int = 0
    ) -> list[Json]:
        """A channel's messages, the newest first, as the bot may list them; one of the bounds at
        most.
        """
        self.channel(channel)
        here = [
            m
            for m in self.messages.values()
            if m["channel_id"] == channel and not screen.is_ephemeral(m)
        ]
        here.sort(key=lambda message: -int(message["id"]))
        if around:
            newer = sum(int(message["id"]) > around for message in here)
            return here[max(0, newer - limit // 2) :][:limit]
        if after:
            return [m for m in here if int(m["id"]) > after][-limit:]
        if before:
            here = [message for message in here if int(message["id"]) < before]
        return here[:limit]

    def pick(self, user: str, message: str, select: Json, values: list[str]) -> bool:
        """Whether a client sends this choice: what its menu shows already, it doesn't.

        A menu shows the last choice until the message comes without that menu, which its custom_id
        names. (On a phone any update does.)
        """
        used, chosen = (user, message, select["custom_id"]), sorted(values)
        shown = self._picked.get(
            used, sorted(one["value"] for one in select["options"] if one.get("default"))
        )
        self._picked[used] = chosen
        return chosen != shown

    # -- messages ----------------------------------------------------------------------------------

    def source(self, exchange: Exchange) -> Json:
        """The message whose button was pressed, as it is now."""
        assert exchange.source is not None
        if exchange.source["id"] not in self.messages:
            raise Refusal(404, 10008, "Unknown Message")
        return self.messages[exchange.source["id"]]

    def post(self, channel: str, body: Json, files: dict[str, bytes]) -> Json:
        """A message of the bot's own accord; the same nonce, enforced, gives the one that stands
        already.

        Nonces are the author's: one that was used elsewhere gives the message that is there. Raises
        Refusal where that was deleted.
        """
        self.writable(channel, files=bool(files))
        nonce = body.get("nonce")
        if body.get("enforce_nonce") and nonce is not None:
            sent_at, sent = self._nonces.get(str(nonce), (0.0, ""))
            if sent and time.monotonic() - sent_at < self.nonces_last:
                if sent not in self.messages:  # it was deleted meanwhile
                    raise Refusal(404, 10008, "Unknown Message")
                return self.messages[sent]
        message = self._create(channel, body, files)
        if nonce is not None:
            self._nonces[str(nonce)] = (time.monotonic(), message["id"])
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
        message["flags"] |= LOADING
        exchange.loading = message["id"]
        return message

    def delete(self, message: str) -> None:
        """Somebody deletes a message."""
        del self.messages[message]
        self.changed.set()

    def forget_nonces(self) -> None:
        """What was sent so far was sent minutes ago: its nonces mean nothing any more."""
        self._nonces.clear()

    def _create(
        self, channel: str, body: Json, files: dict[str, bytes], exchange: Exchange | None = None
    ) -> Json:
        message: Json = {
            "id": snowflake(),
            "channel_id": channel,
            "author": BOT.user() | {"id": self.me},
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
        message["mentions"] = [person.user() for person in self._pinged(body)]
        if body.get("nonce") is not None:
            message["nonce"] = body["nonce"]
        if exchange is not None:
            message |= {"type": 20, "webhook_id": str(BOT.id), "application_id": self.application}
            message["interaction_metadata"] = exchange.metadata()
            if (body.get("flags") or 0) & EPHEMERAL:
                self._audience[message["id"]] = str(exchange.user.id)
        return self.change(message, body, files)

    def _pinged(self, body: Json) -> list[Person]:
        """Whom a new message notifies: those it names outside embeds, as far as it allows that."""
        text = screen.text_of({**body, "embeds": []})
        allowed = body.get("allowed_mentions")
        if allowed is None:
            allowed = {"parse": ["users"]}
        everybody = "users" in allowed.get("parse", [])
        named = set(map(str, allowed.get("users", [])))
        return [
            p
            for user, p in self.people.items()
            if f"<@{user}>" in text and (everybody or user in named)
        ]

    def change(self, message: Json, body: Json, files: dict[str, bytes]) -> Json:
        """The message as a body makes it: keys left out stay, and who may see it stays."""
        before, message = message, dict(message)
        ephemeral = message["flags"] & EPHEMERAL
        message["flags"] &= ~LOADING
        empty: Json = {"content": "", "embeds": [], "components": [], "flags": 0}
        for key in empty.keys() & body.keys():
            message[key] = json.loads(json.dumps(body[key])) or empty[key]
        message["flags"] |= ephemeral
        _consistent(before, message)
        _number(message["components"])
        if "attachments" in body:
            message["attachments"] = [
                self._attach(meta, files) for meta in body["attachments"] or []
            ]
        self.messages[message["id"]] = message
        menus = [select["custom_id"] for select in screen.selects(message)]
        self._picked = {
            one: chosen
            for one, chosen in self._picked.items()
            if one[1] != message["id"] or one[2] in menus
        }
        self.watch(message)
        return message

    def _attach(self, meta: Json, files: dict[str, bytes]) -> Json:
        """An attachment as Discord lists it: a new one was uploaded as `files[id]`, a kept one
        stays.
        """
        upload = files.get(f"files[{meta['id']}]")
        if upload is None:
            return {"filename": "", "size": 0, "url": "", "proxy_url": "", **meta}
        mine, name = snowflake(), meta.get("filename") or "file"
        self.files[mine] = upload
        # nobody follows it: tests look into `files`
        url = f"http://127.0.0.1/attachments/{mine}/{name}"
        return {
            **meta,
            "id": mine,
            "filename": name,
            "size": len(upload),
            "url": url,
            "proxy_url": url,
        }

    def message(self, mid: str, *, channel: str = "", exchange: Exchange | None = None) -> Json:
        """The message a path names. An ephemeral one is found only through its interaction's token.

        A token reaches only what it made, and what was pressed if the answer was to update that.
        """
        if exchange is None:
            self.channel(channel)
        else:
            mid = exchange.original if mid == "@original" else mid
            if not exchange.reaches(mid):
                raise Refusal(404, 10008, "Unknown Message")
        found = self.messages.get(mid)
        hidden = found is not None and (
            screen.is_ephemeral(found) or found["channel_id"] != channel
        )
        if found is None or (exchange is None and hidden):
            raise Refusal(404, 10008, "Unknown Message")
        return found


def _consistent(before: Json, message: Json) -> None:
    """Refuses what Discord does: text beside Components V2, its components without it, and taking
    its flag off.
    """
    v2 = message["flags"] & COMPONENTS_V2
    only_v2 = any(each["type"] in ONLY_V2 for each in screen.walk(message["components"]))
    if v2 and (message["content"] or message["embeds"]):
        raise Refusal(
            400,
            50035,
            "The 'content' and 'embeds' fields cannot be used with MessageFlags.IS_COMPONENTS_V2",
        )
    if not v2 and (before["flags"] & COMPONENTS_V2 or only_v2 or len(message["components"]) > ROWS):
        raise Refusal(400, 50035, "Invalid Form Body")


def _number(components: list[Json]) -> None:
    """Gives an id to every component that came without one, as Discord does."""
    items = list(screen.walk(components))
    taken = {item["id"] for item in items if item.get("id")}
    free = (number for number in range(1, 2**31) if number not in taken)
    for item in items:
        if not item.get("id"):
            item["id"] = next(free)
