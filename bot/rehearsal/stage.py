"""The simulated world of a play: a server, a game channel, people, the bot, a clock; and what people can see.

SimCord is the Discord; here is only what a play needs on top of it. People act as they would in Discord's
client: what it would not let them do raises `Impossible`. What they see is text, read by
`bot.rehearsal.reading`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Protocol

import discord
import simcord
from simcord.actors import MemberActor
from simcord.backend.access import channel_accessible
from simcord.backend.errors import BackendError
from simcord.backend.models import Channel as StoredChannel
from simcord.backend.models import Message as StoredMessage
from simcord.builders import ChannelHandle, GuildHandle, RoleHandle, UserHandle
from simcord.enums import ChannelType, MessageType, OptionType
from simcord.interactions import parse_option_input, walk_to_subcommand
from simcord.results import InteractionResult, ResponseMessage

from bot.rehearsal import reading
from bot.rehearsal.reading import Control, Field
from bot.rehearsal.script import NAME, Slash, people_in, with_people
from bot.rules.ruling import Refused

GUILD, CHANNEL = "The games room", "table"
SETTLED_WITHIN = 10.0
"""Seconds of real time that one action may take; more means that the bot waits for what never comes."""
_CHOICES = 25
"""The choices that Discord takes for one autocomplete."""


class Closable(Protocol):
    """A ledger, as far as the stage needs to know it."""

    async def close(self) -> None:
        """Close it."""


Factory = Callable[[str], Awaitable[tuple[discord.Client, Closable]]]
"""Opens a ledger on a database's address and makes a bot on it, as the program does when it starts."""


class Impossible(Exception):
    """What Discord would not let this person do, or what is not there to be done. Its text says why."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the table. In direct messages they act as a user, elsewhere as a member of the server."""

    name: str
    user: UserHandle
    member: MemberActor

    @property
    def id(self) -> int:
        """The number Discord knows them by."""
        return self.user.id


@dataclass(frozen=True, slots=True)
class Seen:
    """A message as somebody reads it. ``private``: nobody else can."""

    id: int
    where: str
    private: bool
    text: str
    images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back to whoever acted. ``pressed``: the message they pressed in, where it was edited."""

    answered: bool = True
    messages: tuple[Seen, ...] = ()
    pressed: Seen | None = None
    modal: str | None = None
    choices: tuple[str, ...] | None = None

    def texts(self) -> tuple[str, ...]:
        """Everything in it that is read."""
        texts = [message.text for message in self.messages]
        texts += [self.pressed.text] if self.pressed else []
        texts += [self.modal] if self.modal is not None else []
        texts += ["\n".join(self.choices)] if self.choices is not None else []
        return tuple(texts)


@dataclass(slots=True)
class _Modal:
    """A modal open before somebody, and what is in its fields so far."""

    result: InteractionResult
    title: str
    fields: tuple[Field, ...]
    values: dict[str, tuple[str, ...]]
    pressed: int | None


@dataclass(slots=True)
class _Shown:
    """A message as it was last looked at. An edit puts new lists in place of the old: ``is`` finds it."""

    message: StoredMessage
    content: str
    embeds: list[dict[str, Any]]
    components: list[dict[str, Any]]
    attachments: list[dict[str, Any]]
    flags: int
    text: str | None = None
    at: datetime | None = None
    controls: tuple[Control, ...] | None = None

    @classmethod
    def of(cls, message: StoredMessage) -> _Shown:
        return cls(message, message.content, message.embeds, message.components, message.attachments, message.flags)

    def stale(self) -> bool:
        """The message was edited since."""
        now = self.message
        return (
            now.components is not self.components
            or now.content != self.content
            or now.flags != self.flags
            or now.embeds is not self.embeds
            or now.attachments is not self.attachments
        )

    def payload(self) -> dict[str, Any]:
        return {
            "content": self.content,
            "embeds": self.embeds,
            "components": self.components,
            "attachments": self.attachments,
            "flags": self.flags,
        }


@dataclass(slots=True)
class _Change:
    """What one look found since the look before."""

    touched: set[int] = dataclasses.field(default_factory=set)
    """Messages that came or were edited, whether or not the edit shows."""
    changed: set[int] = dataclasses.field(default_factory=set)
    """Those that read or look different now."""
    opened: dict[int, set[int]] = dataclasses.field(default_factory=dict)
    """Channels that a person, by number, could not see before."""


class _Names:
    """Who stands behind an id, out of SimCord's own store."""

    def __init__(self, env: simcord.Env) -> None:
        self._store = env.backend

    def user(self, id: int) -> str | None:
        user = self._store.users.get(id)
        return None if user is None else user.global_name or user.name

    def channel(self, id: int) -> str | None:
        channel = self._store.channels.get(id)
        return None if channel is None else channel.name

    def role(self, id: int) -> str | None:
        found = (guild.roles[id].name for guild in self._store.guilds.values() if id in guild.roles)
        return next(found, None)


@asynccontextmanager
async def staged(factory: Factory, url: str, *, later: float = 0.0) -> AsyncIterator[Stage]:
    """Raise a stage on a database's address, and take it down again.

    ``later`` puts the clock on by so many seconds before anybody exists: on a database that has seen other
    plays it makes every id a new one. Errors of the bot are not raised here; see `Stage.errors`.
    """
    bot, ledger = await factory(url)
    ledgers = [ledger]
    try:
        running = simcord.run(bot, check_errors=False, settle_timeout=SETTLED_WITHIN)
        _hurry(running._env)
        async with running as env:
            env.backend.advance_clock(later)
            stage = Stage(env, factory, url, ledgers)
            await env.settle()
            stage.look()
            yield stage
    finally:
        # The dropped ones too: nothing is written any more, and their threads must end.
        for each in reversed(ledgers):
            await each.close()


def _hurry(env: simcord.Env) -> None:
    """Have SimCord look again after a millisecond, not after 50, where something is still about to happen.

    It nearly always is: the task that handled the interaction has ended, and who waits for it is not yet told.
    SimCord 3.2.1 has the pause as a parameter, but only where one asks it to settle oneself.
    """
    env._settle_internal = partial(env._settle_internal, idle=0.001)  # type: ignore[method-assign]


class Stage:
    """See the module. One operation at a time; after each of them `look` says what changed."""

    def __init__(self, env: simcord.Env, factory: Factory, url: str, ledgers: list[Closable]) -> None:
        self.env = env
        self.guild: GuildHandle = env.create_guild(GUILD)
        self.channel: ChannelHandle = self.guild.create_text_channel(CHANNEL)
        self.people: dict[str, Person] = {}
        self.names = _Names(env)
        self._factory = factory
        self._url = url
        self._ledgers = ledgers
        self._moderators: RoleHandle | None = None
        self._modals: dict[str, _Modal] = {}
        self._closed: dict[str, dict[str, Any]] = {}
        self._shown: dict[int, _Shown] = {}  # oldest first
        self._open: dict[int, frozenset[int]] = {}
        self._change = _Change()
        self._errors = 0

    # ------------------------------------------------------------ people

    def person(self, name: str) -> Person:
        """Give the person of this name, who exists from their first mention on."""
        if name not in self.people:
            user = self.env.create_user(name)
            self.people[name] = Person(name, user, self.guild.add_member(user))
            self._open[user.id] = self._channels(user.id)
        return self.people[name]

    def moderate(self, name: str) -> None:
        """Give somebody Manage Server."""
        if self._moderators is None:
            allowed = discord.Permissions(manage_guild=True)
            self._moderators = self.guild.create_role("Moderators", permissions=allowed)
        self.env.backend.add_member_role(self.guild.id, self.person(name).id, self._moderators.id)

    def close_dms(self, name: str) -> None:
        """Have this person's DMs refuse messages, as Discord does it: 403, code 50007."""
        if name in self._closed:
            return
        person = self.person(name)
        path = f"/channels/{person.user.dm_channel.id}/messages"
        message = "Cannot send messages to this user"
        self.env.inject_error("POST", path, status=403, code=50007, message=message, times=None)
        self._closed[name] = self.env.backend.faults[-1]

    def open_dms(self, name: str) -> None:
        """Have this person's DMs take messages again."""
        fault = self._closed.pop(name, None)
        if fault is not None:
            self.env.backend.faults.remove(fault)

    # ------------------------------------------------------------ what they do

    async def slash(self, name: str, command: Slash) -> Reply:
        """Type a command in the game channel, or in the DM with the bot."""
        person = self.person(name)
        self._leave_modal(person)
        options = self._options(person, command)
        if command.in_dm:
            result = await self._ask(person.user.slash(command.path, **options))
        else:
            result = await self._ask(person.member.slash(self._typed_in(person, command), command.path, **options))
        return self._reply(person, result)

    def _typed_in(self, person: Person, command: Slash) -> ChannelHandle:
        """The game channel, or the newest thread this person can see."""
        if not command.in_thread:
            return self.channel
        store = self.env.backend
        threads = [id for id in self._channels(person.id) if store.get_channel(id).parent_id == self.channel.id]
        if not threads:
            raise Impossible("This person can see no thread.")
        return ChannelHandle(self.env, self.guild, store.get_channel(max(threads)))

    async def complete(self, name: str, text: str, option: str, command: Slash) -> Reply:
        """Type into an option that completes itself, and give the choices offered."""
        person = self.person(name)
        self._leave_modal(person)
        filled = self._options(person, command)
        filled.pop(option, None)
        text = self._mentioning(text)
        if command.in_dm:
            asked = person.user.autocomplete(command.path, option, text, **filled)
        else:
            asked = person.member.autocomplete(self._typed_in(person, command), command.path, option, text, **filled)
        choices = await self._ask(asked)
        self.look()
        if len(choices) > _CHOICES:
            raise Impossible(f"The bot offered {len(choices)} choices, and Discord takes {_CHOICES}.")
        for choice in choices:
            if not 1 <= len(str(choice["name"])) <= 100:
                raise Impossible(f"Discord takes names of 1 to 100 characters, not {choice['name']!r}.")
        return Reply(choices=tuple(str(choice["name"]) for choice in choices))

    async def press(self, name: str, label: str, on: str | None = None) -> Reply:
        """Press a button in the newest message that has it enabled, and holds the text ``on``."""
        person = self.person(name)
        self._leave_modal(person)
        message, found = self._newest(person, lambda each: each.is_button and each.label == label, on)
        if message is None:
            what = f"no enabled button {label!r}" + (f" on a message with {on!r}" if on is not None else "")
            raise Impossible(f"{name} can see {what}. {self._buttons(person)}")
        if len(found) > 1 and on is not None:
            # Several in one message: the text says which, where each stands in a section of its own.
            found = [each for each in found if on in each.near] or found
        if len(found) > 1:
            raise Impossible(f"That message has {len(found)} enabled buttons {label!r}; which is not said.")
        actor = self._actor(person, message.channel_id)
        pressed = ResponseMessage(self.env, message)
        result = await self._ask(actor.click(pressed, custom_id=found[0].custom_id))
        return self._reply(person, result, message.id)

    async def choose(self, name: str, labels: Sequence[str], placeholder: str | None = None) -> Reply:
        """Choose in the newest enabled select, or the newest with this placeholder."""
        person = self.person(name)
        self._leave_modal(person)

        def wanted(each: Control) -> bool:
            return not each.is_button and placeholder in (None, each.label)

        message, found = self._newest(person, wanted)
        if message is None:
            what = "no enabled select" + (f" {placeholder!r}" if placeholder is not None else "")
            raise Impossible(f"{name} can see {what}. {self._selects(person)}")
        if len(found) > 1:
            fitting = [each for each in found if not each.choices or _pick(each.choices, labels) is not None]
            found = fitting or found
        if len(found) > 1:
            names = ", ".join(repr(each.label) for each in found)
            raise Impossible(f"That message has several selects ({names}); from which one is not said.")
        select = found[0]
        values = self._values(person, select.kind, select.label, select.choices, labels, message.channel_id)
        actor = self._actor(person, message.channel_id)
        pressed = ResponseMessage(self.env, message)
        result = await self._ask(actor.select(pressed, values, custom_id=select.custom_id))
        return self._reply(person, result, message.id)

    def fill(self, name: str, label: str, values: Sequence[str]) -> None:
        """Set a field of the modal open before this person."""
        person = self.person(name)
        modal = self._modal(person)
        found = [each for each in modal.fields if each.label == label]
        if len(found) != 1:
            names = ", ".join(repr(each.label) for each in modal.fields)
            several = "no field" if not found else f"{len(found)} fields"
            raise Impossible(f"The modal {modal.title!r} has {several} {label!r}. Its fields: {names}.")
        modal.values[found[0].custom_id] = self._filling(person, found[0], values)

    async def submit(self, name: str) -> Reply:
        """Send the modal open before this person, what was filled in beforehand included."""
        person = self.person(name)
        modal = self._modal(person)
        channel = modal.result._interaction.channel_id
        values = {
            each.custom_id: self._sending(each, modal.values[each.custom_id], channel)
            for each in modal.fields
            if modal.values[each.custom_id] or each.kind in (reading.TEXT_INPUT, reading.CHECKBOX)
        }
        actor = self._actor(person, channel)
        result = await self._ask(actor.submit_modal(modal.result, values))
        del self._modals[name]
        return self._reply(person, result, modal.pressed)

    async def wait(self, seconds: float) -> None:
        """Move the clocks of Discord and of the bot on."""
        await self._ask(self.env.advance_time(seconds))
        self.look()

    async def restart(self) -> None:
        """Throw the bot away, unclosed, and start a new one on the same database."""
        bot, ledger = await self._factory(self._url)
        self._ledgers.append(ledger)
        await self._ask(self.env.restart_bot(bot))
        self.look()

    # ------------------------------------------------------------ what they see

    def look(self) -> None:
        """Take note of what changed since the last look. Every action ends with one."""
        change = _Change()
        present = {id: each for messages in self.env.backend.messages.values() for id, each in messages.items()}
        for gone in self._shown.keys() - present.keys():
            del self._shown[gone]
        for id, before in self._shown.items():
            if before.stale():
                self._shown[id] = after = _Shown.of(before.message)
                change.touched.add(id)
                if self._looks(before) != self._looks(after):
                    change.changed.add(id)
        new = [message for id, message in present.items() if id not in self._shown]
        for message in sorted(new, key=_age):
            self._shown[message.id] = _Shown.of(message)
            change.touched.add(message.id)
            change.changed.add(message.id)
        for person in self.people.values():
            before_open, now_open = self._open[person.id], self._channels(person.id)
            self._open[person.id] = now_open
            change.opened[person.id] = set(now_open - before_open)
        self._change = change

    def came(self, name: str) -> tuple[Seen, ...]:
        """Give the messages that came or changed for this person by the last look, oldest first."""
        person, change = self.person(name), self._change
        opened = change.opened.get(person.id)
        if opened:
            found = [each for each in self._visible(person) if self._is_new(each.message, opened)]
        else:
            changed = (self._shown[id] for id in sorted(change.changed))
            found = [each for each in changed if self._can_see(person, each.message)]
        return tuple(map(self._seen, found))

    def sees(self, name: str) -> tuple[Seen, ...]:
        """Give every message that this person can see, oldest first."""
        return tuple(map(self._seen, self._visible(self.person(name))))

    def has(self, name: str, label: str) -> bool:
        """Say whether this person can see an enabled button or select so labelled."""
        return self._newest(self.person(name), lambda each: each.label == label)[0] is not None

    def offered(self, name: str) -> str:
        """Say in a sentence or two which buttons and selects this person can see."""
        person = self.person(name)
        return f"{self._buttons(person)} {self._selects(person)}"

    def image(self, url: str) -> bytes | None:
        """Give the bytes behind an attachment's address."""
        return self.env.backend.cdn.get(url)

    def errors(self) -> tuple[BaseException, ...]:
        """Give what the bot raised since this was last asked; a refusal is an answer, not an error."""
        found = self.env.errors_since(self._errors)
        self._errors += len(found)
        return tuple(error for error in found if not isinstance(error.__cause__, Refused))

    # ------------------------------------------------------------ inside: looking

    def _channels(self, user: int) -> frozenset[int]:
        store = self.env.backend
        return frozenset(id for id in store.channels if channel_accessible(store, id, user, history=True))

    def _visible(self, person: Person, *, newest_first: bool = False) -> Iterator[_Shown]:
        """Go through what a person can see, oldest first or newest first."""
        found = self._shown.values()
        return (each for each in (reversed(found) if newest_first else found) if self._can_see(person, each.message))

    def _can_see(self, person: Person, message: StoredMessage) -> bool:
        return (
            message.channel_id in self._open[person.id]
            and message.visible_to(person.id)
            and not self._invented(message)
        )

    def _is_new(self, message: StoredMessage, opened: set[int]) -> bool:
        return message.id in self._change.changed or message.channel_id in opened

    def _invented(self, message: StoredMessage) -> bool:
        """SimCord announces a private thread in its parent channel, by name; Discord only a public one."""
        if message.type != MessageType.THREAD_CREATED or message.system_metadata is None:
            return False
        thread = self.env.backend.channels.get(message.system_metadata.channel_id or 0)
        return thread is None or thread.type == ChannelType.PRIVATE_THREAD

    def _seen(self, shown: _Shown) -> Seen:
        message = shown.message
        private = message.is_ephemeral or self._is_dm(message.channel_id)
        where = self._where(self.env.backend.channels[message.channel_id])
        where += ", only visible to them" if message.is_ephemeral else ""
        return Seen(message.id, where, private, self._text(shown), reading.images(shown.payload()))

    def _where(self, channel: StoredChannel) -> str:
        if channel.guild_id is None:
            return "DM"
        return f"thread {channel.name}" if channel.is_thread else f"#{channel.name}"

    def _text(self, shown: _Shown) -> str:
        now = self.env.now()
        if shown.text is None or shown.at != now:
            shown.text, shown.at = reading.read_message(shown.payload(), self.names, now), now
        return shown.text

    def _controls(self, shown: _Shown) -> tuple[Control, ...]:
        if shown.controls is None:
            shown.controls = reading.controls(shown.payload(), self.names, self.env.now())
        return shown.controls

    def _looks(self, shown: _Shown) -> object:
        """All of a message that meets the eye."""
        controls = tuple(replace(each, custom_id="") for each in self._controls(shown))
        return self._text(shown), controls, reading.images(shown.payload())

    def _newest(
        self, person: Person, wanted: Callable[[Control], bool], on: str | None = None
    ) -> tuple[StoredMessage | None, list[Control]]:
        """Find the newest message with an enabled control that is wanted, and all such controls in it."""
        for shown in self._visible(person, newest_first=True):
            found = [each for each in self._controls(shown) if each.enabled and wanted(each)]
            if found and (on is None or on in self._text(shown)):
                return shown.message, found
        return None, []

    def _all_controls(self, person: Person) -> Iterator[Control]:
        for shown in self._visible(person, newest_first=True):
            yield from self._controls(shown)

    def _buttons(self, person: Person) -> str:
        buttons = [each for each in self._all_controls(person) if each.is_button]
        enabled = dict.fromkeys(each.label for each in buttons if each.enabled)
        greyed = dict.fromkeys(each.label for each in buttons if each.label not in enabled)
        return _listing("Buttons to press", enabled) + _listing(" Greyed", greyed, silent=True)

    def _selects(self, person: Person) -> str:
        selects = [each for each in self._all_controls(person) if not each.is_button and each.enabled]
        return _listing("Selects to choose from", dict.fromkeys(each.label for each in selects))

    # ------------------------------------------------------------ inside: acting

    async def _ask(self, asked: Awaitable[Any]) -> Any:
        """Await an operation of SimCord; what Discord would refuse the person becomes `Impossible`."""
        try:
            return await asked
        except (simcord.SetupError, BackendError) as error:
            notes = " ".join(getattr(error, "__notes__", ()))
            raise Impossible(f"{error}. {notes}".strip()) from error
        except TimeoutError as error:
            raise Impossible(f"The bot did not come to rest: {error}") from error

    def _actor(self, person: Person, channel: int) -> MemberActor | UserHandle:
        return person.user if self._is_dm(channel) else person.member

    def _is_dm(self, channel: int) -> bool:
        return self.env.backend.channels[channel].guild_id is None

    def _leave_modal(self, person: Person) -> None:
        """Whoever does something else has closed the modal before them."""
        self._modals.pop(person.name, None)

    def _modal(self, person: Person) -> _Modal:
        if person.name not in self._modals:
            raise Impossible(f"No modal is open before {person.name}: doing anything else closes it.")
        return self._modals[person.name]

    def _reply(self, person: Person, result: InteractionResult, pressed: int | None = None) -> Reply:
        """Look, and put together what the person who acted got."""
        self.look()
        if result.modal is not None:
            return Reply(modal=self._opened(person, result, pressed))
        sent = [result.response, *result.followups]
        messages = [self._shown[each.id] for each in sent if each is not None and each.id != pressed]
        edited = self._shown.get(pressed) if pressed in self._change.touched else None
        return Reply(
            answered=result.acknowledged,
            messages=tuple(map(self._seen, messages)),
            pressed=self._seen(edited) if edited is not None else None,
        )

    def _opened(self, person: Person, result: InteractionResult, pressed: int | None) -> str:
        modal = result.modal or {}
        found = reading.fields(modal)
        values = {each.custom_id: each.values for each in found}
        self._modals[person.name] = _Modal(result, str(modal.get("title")), found, values, pressed)
        return reading.read_modal(modal, self.names, self.env.now())

    def _mentioning(self, text: str) -> str:
        """Put Discord's markup for the people a text mentions."""
        return with_people(text, {name: self.person(name).user.mention for name in people_in(text)})

    def _options(self, person: Person, command: Slash) -> dict[str, Any]:
        """Make of options as typed what Discord's client sends, by the command's own description."""
        words = command.path.split()
        guild = None if command.in_dm else self.guild.id
        root = self.env.backend.find_command(words[0], guild)
        try:
            spec = walk_to_subcommand(root, words[1:])[0] if root is not None else {}
        except simcord.SetupError:
            spec = {}  # what is wrong with it the command's own call will say
        described = {each["name"]: each for each in spec.get("options") or ()}
        return {
            option.name: self._typed(person, command, described[option.name], option.value)
            if option.name in described
            else option.value
            for option in command.options
        }

    def _typed(self, person: Person, command: Slash, option: dict[str, Any], value: str) -> Any:
        where = f"The option {option['name']} of /{command.path}"
        match option["type"]:
            case OptionType.STRING:
                return self._chosen(option, self._mentioning(value))
            case OptionType.BOOLEAN:
                words = {"true": True, "yes": True, "false": False, "no": False}
                if value.lower() not in words:
                    raise Impossible(f"{where} is true or false, not {value!r}.")
                return words[value.lower()]
            case OptionType.INTEGER | OptionType.NUMBER:
                chosen = self._chosen(option, value)
                if chosen is not value:
                    return chosen
                try:
                    return parse_option_input(command.path, option, value)
                except simcord.OptionError as error:
                    raise Impossible(f"{error}.") from error
            case OptionType.USER | OptionType.MENTIONABLE:
                found = self._named(value)
                if found is None:
                    raise Impossible(f"{where} is a person, written @name, not {value!r}.")
                return found.user if command.in_dm else found.member
            case OptionType.CHANNEL:
                return self._channel(person, value, where)
            case _:
                raise Impossible(f"{where} is of a kind that a play cannot give.")

    def _chosen(self, option: dict[str, Any], value: str) -> Any:
        """Where an option has fixed choices, a person picks one by its name."""
        names = {choice["name"]: choice["value"] for choice in option.get("choices") or ()}
        return names.get(value, value)

    def _named(self, value: str) -> Person | None:
        return self.person(value[1:]) if re.fullmatch(f"@{NAME}", value) else None

    def _channel(self, person: Person, value: str, where: str) -> ChannelHandle:
        for id in self._channels(person.id):
            channel = self.env.backend.channels[id]
            if channel.guild_id is not None and value == f"#{channel.name}":
                return ChannelHandle(self.env, self.guild, channel)
        raise Impossible(f"{where} is a channel, written #name, and {person.name} sees none {value!r}.")

    def _values(
        self,
        person: Person,
        kind: int,
        title: str,
        choices: tuple[reading.Choice, ...],
        labels: Sequence[str],
        channel: int,
    ) -> list[Any]:
        """Make of labels what a select sends: its options' values, or people, or channels."""
        if kind in (reading.USER_SELECT, reading.MENTIONABLE_SELECT):
            named = [self._named(label) for label in labels]
            if None in named:
                raise Impossible(f"In the select {title!r} people are chosen, written @name.")
            return [self._actor(each, channel) for each in named if each is not None]
        if kind == reading.CHANNEL_SELECT:
            return [self._channel(person, label, f"What is chosen in {title!r}") for label in labels]
        if kind == reading.ROLE_SELECT:
            raise Impossible("A play cannot choose roles.")
        values = _pick(choices, labels)
        if values is None:
            offered = dict.fromkeys(choice.label for choice in choices)
            raise Impossible(f"The select {title!r} does not have that. {_listing('Its options', offered)}")
        return list(values)

    def _filling(self, person: Person, found: Field, values: Sequence[str]) -> tuple[str, ...]:
        """Check what is put into a modal's field, and give it as kept: texts, values, or ids."""
        match found.kind:
            case reading.TEXT_INPUT:
                if len(values) != 1:
                    raise Impossible(f"The field {found.label!r} takes one text.")
                return (values[0],)
            case reading.CHECKBOX:
                if len(values) != 1 or values[0] not in ("yes", "no"):
                    raise Impossible(f'The box {found.label!r} is ticked with "yes" or cleared with "no".')
                return tuple(value for value in values if value == "yes")
            case reading.FILE_UPLOAD:
                raise Impossible("A play cannot upload files.")
            case _:
                channel = self._modal(person).result._interaction.channel_id
                chosen = self._values(person, found.kind, found.label, found.choices, values, channel)
                return tuple(each if isinstance(each, str) else str(each.id) for each in chosen)

    def _sending(self, field: Field, values: tuple[str, ...], channel: int) -> Any:
        """Make of what a modal's field holds what SimCord sends for it."""
        match field.kind:
            case reading.TEXT_INPUT:
                return values[0] if values else ""
            case reading.CHECKBOX:
                return bool(values)
            case reading.RADIO_GROUP:
                return values[0]
            case reading.USER_SELECT | reading.MENTIONABLE_SELECT:
                known = {each.id: each for each in self.people.values()}
                return [self._actor(known[int(value)], channel) for value in values]
            case reading.CHANNEL_SELECT:
                store = self.env.backend
                found = [store.get_channel(int(value)) for value in values]
                return [ChannelHandle(self.env, self.guild, each) for each in found]
            case _:
                return list(values)


def _age(message: StoredMessage) -> tuple[str, int]:
    """By what messages are older and newer: when they came, then their ids."""
    return message.timestamp, message.id


def _pick(choices: Sequence[reading.Choice], labels: Sequence[str]) -> tuple[str, ...] | None:
    """Find options' values by their labels; a label given twice is two options. None: not all are there."""
    left = list(choices)
    values = []
    for label in labels:
        found = next((choice for choice in left if choice.label == label), None)
        if found is None:
            return None
        left.remove(found)
        values.append(found.value)
    return tuple(values)


def _listing(what: str, names: dict[str, None], *, silent: bool = False) -> str:
    if not names:
        return "" if silent else f"{what}: none."
    return f"{what}: {', '.join(repr(name) for name in names)}."
