"""What people see: the messages they can read, which of them changed, and their buttons and
selects.

`bot.rehearsal.reading` turns messages into text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import simcord
from simcord.backend.models import Message as StoredMessage
from simcord.enums import ChannelType, MessageType

from bot.rehearsal import reading
from bot.rehearsal.reading import Control
from bot.rehearsal.simulated_server import PlayPerson, SimulatedServer, listing
from bot.rules.model.values import frozen


@frozen
class Seen:
    """A message as a person reads it. ``private``: nobody else can read it."""

    id: int
    where: str
    private: bool
    text: str
    images: tuple[str, ...] = ()


@dataclass(slots=True)
class _Shown:
    """A message at the last look, with its payload then."""

    message: StoredMessage
    payload: dict[str, Any]
    text: str | None = None
    at: datetime | None = None
    controls: tuple[Control, ...] | None = None

    def is_stale(self) -> bool:
        """Return whether the message was edited since. SimCord then replaces its lists, even by
        equal ones.
        """
        now = _payload(self.message)
        return any(now[part] is not before for part, before in self.payload.items())


def _payload(message: StoredMessage) -> dict[str, Any]:
    return {
        "content": message.content,
        "embeds": message.embeds,
        "components": message.components,
        "attachments": message.attachments,
        "flags": message.flags,
    }


@dataclass(slots=True)
class _Change:
    """What changed between two looks.

    ``touched`` are messages that came or were edited, visibly or not; ``changed`` are those that
    read or look different. ``opened`` are channels that a person, by id, could not see before.
    """

    touched: set[int] = field(default_factory=set)
    changed: set[int] = field(default_factory=set)
    opened: dict[int, set[int]] = field(default_factory=dict)


class Scene(SimulatedServer):
    """The server as its people see it. `look` records what changed since the last look."""

    def __init__(self, env: simcord.Env) -> None:
        super().__init__(env)
        self._shown: dict[int, _Shown] = {}  # oldest first
        self._open: dict[int, frozenset[int]] = {}
        self._change = _Change()

    def person(self, name: str) -> PlayPerson:
        """Return the person with this name. What a new person can see already is not a change."""
        person = super().person(name)
        if person.id not in self._open:
            self._open[person.id] = self.channels_of(person)
        return person

    def look(self) -> None:
        """Record what changed since the last look. Every action ends with a look."""
        change = _Change()
        present = dict[int, StoredMessage]()
        for messages in self.env.backend.messages.values():
            present.update(messages)
        for gone in self._shown.keys() - present.keys():
            del self._shown[gone]
        for id, before in self._shown.items():
            if before.is_stale():
                self._shown[id] = after = _Shown(before.message, _payload(before.message))
                change.touched.add(id)
                if self._looks(before) != self._looks(after):
                    change.changed.add(id)
        new = [message for id, message in present.items() if id not in self._shown]
        for message in sorted(new, key=lambda each: (each.timestamp, each.id)):
            self._shown[message.id] = _Shown(message, _payload(message))
            change.touched.add(message.id)
            change.changed.add(message.id)
        for person in self.people.values():
            before_open, now_open = self._open[person.id], self.channels_of(person)
            self._open[person.id] = now_open
            change.opened[person.id] = set(now_open - before_open)
        self._change = change

    def came(self, name: str, channel: int | None = None) -> tuple[Seen, ...]:
        """Return the messages that had come or changed for this person at the last look, oldest
        first; with ``channel``, only those there.
        """
        person, change = self.person(name), self._change
        opened = change.opened.get(person.id)
        if opened:
            visible = ((each, each.message) for each in self._visible(person))
            found = [
                each
                for each, sent in visible
                if sent.id in change.changed or sent.channel_id in opened
            ]
        else:
            changed = (self._shown[id] for id in sorted(change.changed))
            found = [each for each in changed if self._can_see(person, each.message)]
        if channel is not None:
            found = [each for each in found if each.message.channel_id == channel]
        return tuple(map(self._seen, found))

    def sees(self, name: str) -> tuple[Seen, ...]:
        """Return every message that this person can see, oldest first."""
        return tuple(map(self._seen, self._visible(self.person(name))))

    def message(self, id: int) -> Seen:
        """Return a message as it reads now."""
        return self._seen(self._shown[id])

    def changed_since_look(self, id: int) -> bool:
        """Return whether a message had come or been edited at the last look, visibly or not."""
        return id in self._change.touched

    def has(self, name: str, label: str) -> bool:
        """Return whether this person can see an enabled button or select with this label."""
        return self._newest(self.person(name), lambda each: each.label == label)[0] is not None

    def available_controls(self, name: str) -> str:
        """Return sentences that list the buttons and selects this person can see."""
        person = self.person(name)
        return f"{self._buttons(person)} {self._selects(person)}"

    def image(self, url: str) -> bytes | None:
        """Return an attachment's content by its URL."""
        return self.env.backend.cdn.get(url)

    # ------------------------------------------------------------ inside: messages

    def _visible(self, person: PlayPerson, *, newest_first: bool = False) -> Iterator[_Shown]:
        """Yield what a person can see, oldest first or newest first."""
        found = self._shown.values()
        return (
            each
            for each in (reversed(found) if newest_first else found)
            if self._can_see(person, each.message)
        )

    def _can_see(self, person: PlayPerson, message: StoredMessage) -> bool:
        """Return whether a person can see a message of the bot's. What people say is not looked
        at: a play is about what the bot shows.
        """
        return (
            message.author_id == self.env.backend.bot_user.id
            and message.channel_id in self._open[person.id]
            and message.visible_to(person.id)
            and not self._invented(message)
        )

    def _invented(self, message: StoredMessage) -> bool:
        """Return whether only SimCord posts this message: it also announces private threads in the
        parent channel.
        """
        if message.type != MessageType.THREAD_CREATED or message.system_metadata is None:
            return False
        thread = self.env.backend.channels.get(message.system_metadata.channel_id or 0)
        return thread is None or thread.type == ChannelType.PRIVATE_THREAD

    def _seen(self, shown: _Shown) -> Seen:
        message = shown.message
        private = message.is_ephemeral or self.is_dm(message.channel_id)
        channel = self.env.backend.channels[message.channel_id]
        if channel.guild_id is None:
            where = "DM"
        elif channel.is_thread:
            where = f"thread {channel.name}"
        else:
            where = f"#{channel.name}"
        if message.is_ephemeral:
            where += ", only visible to them"
        images = reading.images(shown.payload)
        return Seen(message.id, where, private, self._text(shown), images)

    def _text(self, shown: _Shown) -> str:
        now = self.env.now()
        if shown.text is None or shown.at != now:
            shown.text, shown.at = reading.read_message(shown.payload, self.names, now), now
        return shown.text

    def _looks(self, shown: _Shown) -> object:
        """Return everything visible in a message."""
        controls = tuple(replace(each, custom_id="") for each in self._controls(shown))
        return self._text(shown), controls, reading.images(shown.payload)

    # ------------------------------------------------------------ inside: buttons and selects

    def _controls(self, shown: _Shown) -> tuple[Control, ...]:
        if shown.controls is None:
            shown.controls = reading.controls(shown.payload)
        return shown.controls

    def _newest(
        self, person: PlayPerson, wanted: Callable[[Control], bool], on: str | None = None
    ) -> tuple[StoredMessage | None, list[Control]]:
        """Return the newest message with a wanted, enabled control, and all such controls in it."""
        for shown in self._visible(person, newest_first=True):
            found = [each for each in self._controls(shown) if each.enabled and wanted(each)]
            if found and (on is None or on in self._text(shown)):
                return shown.message, found
        return None, []

    def _all_controls(self, person: PlayPerson) -> Iterator[Control]:
        for shown in self._visible(person, newest_first=True):
            yield from self._controls(shown)

    def _buttons(self, person: PlayPerson) -> str:
        buttons = [each for each in self._all_controls(person) if each.is_button]
        enabled = dict.fromkeys(each.label for each in buttons if each.enabled)
        greyed = dict.fromkeys(each.label for each in buttons if each.label not in enabled)
        return listing("Buttons to press", enabled) + listing(" Greyed", greyed, silent=True)

    def _selects(self, person: PlayPerson) -> str:
        selects = [
            each for each in self._all_controls(person) if not each.is_button and each.enabled
        ]
        return listing("Selects to choose from", dict.fromkeys(each.label for each in selects))
