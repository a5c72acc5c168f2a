"""Where people meet: guilds, their channels and threads, and DMs; which of them are gone, closed or
archived.
"""

from __future__ import annotations

from typing import Any

from discord import Permissions

from tests.loopback.exchange import Refusal, snowflake
from tests.loopback.people import PLAYER, Person
from tests.loopback.screen import Json

GUILD, CHANNEL = str((1 << 22) + 1), "3001"  # the guild lives on shard 1 of 2, on 0 of 1
BOT_ROLE = "4001"
BOT = Person(
    1001,
    "bourse",
    PLAYER
    | Permissions(embed_links=True, attach_files=True, manage_messages=True, pin_messages=True)
    | Permissions(
        create_private_threads=True, create_public_threads=True, manage_threads=True, connect=True
    ),
    bot=True,
)
OWNER = Person(1, "owner")
APPLICATION = "1002"  # as of an old application: its id is not that of the bot's user
TEXT, VOICE, ANNOUNCEMENT, STAGE, FORUM = 0, 2, 5, 13, 15
PUBLIC_THREAD, PRIVATE_THREAD = 11, 12


def guild_on(shard: int, shards: int) -> str:
    """The id of a guild that lives on this one of so many shards."""
    return str((shards + shard << 22) + 1)


class Places:
    """Guilds, channels, threads and DMs."""

    def __init__(self) -> None:
        self.people: dict[str, Person] = {str(person.id): person for person in (BOT, OWNER)}
        self.guilds: dict[str, list[str]] = {}  # the ids of their channels
        self.left: set[str] = set()  # guilds from which the bot was kicked
        self.apart: set[str] = set()  # guilds that have the commands without the bot user
        self.unavailable: set[str] = set()  # guilds that an outage hides from the gateway
        self.closed_dms: set[Person] = set()
        # of private threads, and of channels that only they read
        self.thread_members: dict[str, set[str]] = {}
        self.gone: dict[str, Refusal] = {}  # channels that refuse everything
        self.denied: dict[str, Permissions] = {}  # what the bot may not do in a channel
        self._channels: dict[str, Json] = {}  # of guilds, threads among them
        # the bot runs as this one; another has DM channels of its own
        self.application = APPLICATION
        self._dms: dict[tuple[str, str], str] = {}  # application and user id -> channel id
        self._recipients: dict[str, str] = {}  # the same the other way round
        self.add_channel(GUILD, CHANNEL)

    @property
    def me(self) -> str:
        """The id of the bot's user; that of another application is another."""
        return str(BOT.id) if self.application == APPLICATION else self.application

    def add_channel(self, guild: str, channel: str = "", *, kind: int = TEXT) -> str:
        """Adds a channel, and its guild if that is new; returns its id. To be called before the bot
        starts.
        """
        number = channel or str(int(CHANNEL) + len(self._channels))
        self.guilds.setdefault(guild, []).append(number)
        place: Json = {
            "id": number,
            "type": kind,
            "guild_id": guild,
            "name": "table",
            "position": 0,
        }
        if kind in (VOICE, STAGE):
            place |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
        self._channels[number] = place | {"permissions": str(PLAYER.value)}
        return number

    # -- people ------------------------------------------------------------------------------------

    def meet(self, *people: Person) -> None:
        """Discord knows these people from now on."""
        self.people |= {str(person.id): person for person in people}

    def person(self, user: str) -> Person:
        """Whose id this is. Raises Refusal for nobody's."""
        if user not in self.people:
            raise Refusal(404, 10013, "Unknown User")
        return self.people[user]

    def dm_with(self, user: str) -> str:
        """The id of the channel for DMs with this user."""
        about = self.application, user
        if about not in self._dms:
            self._dms[about] = str(9001 + len(self._dms))
            self._recipients[self._dms[about]] = user
        return self._dms[about]

    def is_dm(self, channel: str) -> bool:
        """Whether it is a channel for DMs."""
        return channel in self._recipients

    def reads(self, user: str, channel: str) -> bool:
        """Whether this person can read what is written there."""
        if self.is_dm(channel):
            return self._recipients[channel] == user
        return channel not in self.thread_members or user in self.thread_members[channel]

    # -- channels ----------------------------------------------------------------------------------

    def channel(self, channel: str) -> Json:
        """The channel as Discord describes it to the bot. Raises Refusal where the bot has no
        access.
        """
        if channel in self.gone:
            raise self.gone[channel]
        if channel in self._channels:
            place = self._channels[channel]
            self.require_on(place["guild_id"])
            return place
        if self.is_dm(channel):
            if self.dm_with(self._recipients[channel]) != channel:
                raise Refusal(403, 50001, "Missing Access")  # it is another application's
            recipients = [self.person(self._recipients[channel]).user()]
            return {"id": channel, "type": 1, "recipients": recipients, "last_message_id": None}
        raise Refusal(404, 10003, "Unknown Channel")

    def pressed_in(self, channel: str) -> Json:
        """The channel as an interaction describes it: also where commands are, and the bot user is
        not.
        """
        apart = channel in self._channels and self._channels[channel]["guild_id"] in self.apart
        return self._channels[channel] if apart else self.channel(channel)

    def open(self, channel: str) -> bool:
        """Whether the bot has access to a channel."""
        try:
            self.channel(channel)
        except Refusal:
            return False
        return True

    def parent(self, channel: str) -> str:
        """The channel that a thread is in; of any other channel itself."""
        return str(self._channels.get(channel, {}).get("parent_id", channel))

    def editable(self, channel: str, *, files: bool = False) -> None:
        """Raises Refusal where the bot can't edit its messages now, or add files to them."""
        if files and self.denied.get(channel, Permissions.none()).attach_files:
            raise Refusal(403, 50013, "Missing Permissions")
        if self.channel(channel).get("thread_metadata", {}).get("archived"):
            raise Refusal(400, 50083, "Thread is archived")

    def writable(self, channel: str, *, files: bool = False) -> None:
        """Raises Refusal where the bot can't send now. Where people speak, it must be let in to
        write.
        """
        self.editable(channel, files=files)
        denied = self.denied.get(channel, Permissions.none())
        if denied.connect and self.channel(channel)["type"] in (VOICE, STAGE):
            raise Refusal(403, 50001, "Missing Access")
        if denied.send_messages:
            raise Refusal(403, 50013, "Missing Permissions")
        if any(
            self._dms.get((self.application, str(person.id))) == channel
            for person in self.closed_dms
        ):
            raise Refusal(403, 50007, "Cannot send messages to this user")

    def refuse(
        self, channel: str, status: int, code: int, message: str = "as the test wanted"
    ) -> None:
        """Everything in this channel is refused from now on, such as 403 50001 where the bot may
        not look.
        """
        self.gone[channel] = Refusal(status, code, message)

    def readmit(self, channel: str) -> None:
        """Takes back what `refuse` did."""
        self.gone.pop(channel, None)

    def remove_channel(self, channel: str) -> None:
        """The channel is deleted, and its threads with it."""
        for number, place in list(self._channels.items()):
            if channel in (number, place.get("parent_id")):
                self.gone[number] = Refusal(404, 10003, "Unknown Channel")

    def archive(self, thread: str, archived: bool = True) -> None:
        """As after days of silence: nothing can be sent or edited there until somebody opens it
        again.
        """
        self._channels[thread]["thread_metadata"]["archived"] = archived

    def threads(self) -> list[str]:
        """The threads that are not deleted, archived ones among them."""
        return [
            n
            for n, place in self._channels.items()
            if "thread_metadata" in place and n not in self.gone
        ]

    def start_thread(self, parent: str, body: Json) -> Json:
        """Start a thread and describe it."""
        guild, kind = self.channel(parent)["guild_id"], self.channel(parent)["type"]
        if kind != TEXT and body.get("type", PRIVATE_THREAD) == PRIVATE_THREAD:
            raise Refusal(400, 50024, "Cannot execute action on this channel type")
        thread: Json = {
            "id": snowflake(),
            "type": body.get("type", PRIVATE_THREAD),
            "guild_id": guild,
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
        self._channels[thread["id"]] = thread
        if thread["type"] == PRIVATE_THREAD:
            self.thread_members[thread["id"]] = set()
        return thread

    # -- guilds ------------------------------------------------------------------------------------

    def guilds_of(self, shard: int, shards: int) -> list[str]:
        """The guilds that live on this shard and that the bot is on, unavailable ones included."""
        absent = self.left | self.apart
        return [
            guild
            for guild in self.guilds
            if (int(guild) >> 22) % shards == shard and guild not in absent
        ]

    def require_on(self, guild: str) -> None:
        """Raises Refusal for a guild that there is not, or that the bot is not on."""
        if guild not in self.guilds:
            raise Refusal(404, 10004, "Unknown Guild")
        if guild in self.left | self.apart:
            raise Refusal(403, 50001, "Missing Access")

    def guild(self, guild: str) -> Json:
        """The guild as GUILD_CREATE tells it."""
        channels = [
            self._channels[one] | {"permission_overwrites": []} for one in self.guilds[guild]
        ]
        return {
            "id": guild,
            "name": "club",
            "owner_id": str(OWNER.id),
            "unavailable": False,
            "member_count": 5,
            "members": [{"user": BOT.user(), **BOT.member(), "roles": [BOT_ROLE]}],
            "roles": [
                _role(guild, "@everyone", PLAYER),
                _role(BOT_ROLE, BOT.name, BOT.permissions) | {"tags": {"bot_id": self.me}},
            ],
            "channels": channels,
            **{
                key: []
                for key in (
                    "emojis",
                    "threads",
                    "presences",
                    "features",
                    "stickers",
                    "voice_states",
                )
            },
            **{key: [] for key in ("stage_instances", "guild_scheduled_events")},
            **dict.fromkeys(
                ("verification_level", "explicit_content_filter", "premium_tier", "nsfw_level"), 0
            ),
            **dict.fromkeys(
                ("mfa_level", "system_channel_flags", "default_message_notifications"), 0
            ),
            "preferred_locale": "en-US",
            "afk_timeout": 300,
        }


def _role(rid: str, name: str, permissions: Permissions) -> Json:
    no_colors: Any = {"primary_color": 0, "secondary_color": None, "tertiary_color": None}
    role = {"id": rid, "name": name, "permissions": str(permissions.value), "colors": no_colors}
    plain = dict.fromkeys(("hoist", "managed", "mentionable"), False)
    return role | plain | {"position": 0, "color": 0, "flags": 0}
