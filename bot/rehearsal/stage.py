"""The stage of a play: people act and get replies, the clock can be advanced, and the bot
restarted.

People act as in Discord's client. `ImpossibleAction` is raised for what the client would not allow.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import discord
import simcord
from simcord.backend.errors import BackendError
from simcord.builders import ChannelHandle
from simcord.enums import ComponentType
from simcord.results import InteractionResult, ResponseMessage

from bot.ledger import Ledger
from bot.rehearsal import reading
from bot.rehearsal.cast import allow_a_slow_machine
from bot.rehearsal.inputs import chosen, filling, mentioning, options, pick, sending
from bot.rehearsal.reading import Control, ModalField
from bot.rehearsal.scene import Scene, Seen
from bot.rehearsal.script import Say, Slash
from bot.rehearsal.simulated_server import OUR_LOGGERS, ImpossibleAction, PlayPerson
from bot.rules.model.values import frozen

SETTLE_TIMEOUT = 60.0
"""Seconds of real time allowed for one action. After that, the bot counts as hung."""
LONG_WAIT = 3.0
"""Seconds. Shorter waits belong to an action, which lasts as long; longer waits end when a play
advances the clock.
"""


Make = Callable[[], Awaitable[tuple[discord.Client, Ledger]]]
Factory = Callable[[str, str], Awaitable[tuple[discord.Client, Ledger]]]
"""Opens the ledger at a database URL and makes a bot on it, as the program does when it starts. The
second argument is the word from which everything is drawn."""


@frozen
class Reply:
    """The reply to the person who acted. ``pressed`` is the message of the button they pressed, if
    it was edited.
    """

    answered: bool = True
    messages: tuple[Seen, ...] = ()
    pressed: Seen | None = None
    modal: str | None = None
    choices: tuple[str, ...] | None = None

    def texts(self) -> tuple[str, ...]:
        texts = [message.text for message in self.messages]
        texts += [self.pressed.text] if self.pressed else []
        texts += [self.modal] if self.modal is not None else []
        texts += ["\n".join(self.choices)] if self.choices is not None else []
        return tuple(texts)


@dataclass(slots=True)
class _Modal:
    """A modal that is open for a person, and its fields' present content."""

    result: InteractionResult
    title: str
    fields: tuple[ModalField, ...]
    values: dict[str, tuple[str, ...]]
    pressed: int | None


@asynccontextmanager
async def staged(
    factory: Factory, url: str, *, chance: str = "play", later: float = 0.0
) -> AsyncIterator[Stage]:
    """Run a stage on a database URL while the block lasts.

    ``later`` advances the clock by this many seconds before anyone exists, so that all ids are new
    on a database that has seen other plays. The bot's errors are not raised here; see
    `Stage.errors`.
    """
    bot, ledger = await factory(url, chance)
    ledgers = [ledger]
    try:
        running = simcord.run(bot, check_errors=False, settle_timeout=SETTLE_TIMEOUT)
        allow_a_slow_machine(running._env, SETTLE_TIMEOUT)
        _keep_time(running._env)
        async with running as env:
            env.backend.advance_clock(later)
            stage = Stage(env, partial(factory, url, chance), ledgers)
            for name in OUR_LOGGERS:
                logging.getLogger(name).addHandler(stage.logged)
            try:
                await env.settle()
                # Ids count on within a millisecond, and a start takes as many as there are
                # commands: in a new one, a play's draws do not depend on that number.
                env.backend.advance_clock(0.001)
                stage.look()
                yield stage
            finally:
                for name in OUR_LOGGERS:
                    logging.getLogger(name).removeHandler(stage.logged)
    finally:
        # Includes the ledgers of dropped bots, whose threads must end.
        for each in reversed(ledgers):
            await each.close()


def _keep_time(env: simcord.Env) -> None:
    """Change how SimCord waits: for the bot to come to rest, and for timers.

    It checks after 5 ms, not 50 ms, whether the bot has come to rest. The bot rarely has at first:
    the task that handled the interaction is done, but its callbacks have not run. After 1 ms it
    often has not either, and each check costs as much as a small step of the bot. SimCord 3.2.1
    takes the pause as a parameter only when it is asked to settle explicitly.

    Long waits end only when the play advances the clock, however long the stage has really run.
    SimCord lets every timer fire in real time as well, in the middle of any action on a slow
    machine, and an action waits for every timer that could fire before `SETTLE_TIMEOUT`.
    """
    schedule = env._schedule_timer

    def scheduled(record: Any, *args: Any) -> None:
        schedule(record, *args)
        if record.real_handle is not None and record.when - env._virtual_time >= LONG_WAIT:
            record.real_handle.cancel()

    env._settle_internal = partial(env._settle_internal, idle=0.005)  # type: ignore[method-assign]
    env._schedule_timer = scheduled  # type: ignore[assignment, method-assign]


class Stage(Scene):
    """A scene in which people act, one operation at a time. Each operation ends with a look."""

    def __init__(self, env: simcord.Env, make: Make, ledgers: list[Ledger]) -> None:
        super().__init__(env)
        self._make = make
        self._ledgers = ledgers
        self._modals: dict[str, _Modal] = {}

    # ------------------------------------------------------------ commands

    def _acting(self, name: str) -> PlayPerson:
        """Return a person who acts. That closes their open modal."""
        self._modals.pop(name, None)
        return self.person(name)

    async def slash(self, name: str, command: Slash) -> Reply:
        """Type a command in the game channel, a thread or the DM with the bot."""
        person = self._acting(name)
        filled = options(self, command)
        if command.in_dm:
            result = await self._ask(person.user.slash(command.path, **filled))
        else:
            result = await self._ask(
                person.member.slash(self._typed_in(person, command), command.path, **filled)
            )
        return self._reply(person, result)

    async def complete(self, name: str, text: str, option: str, command: Slash) -> Reply:
        """Type into an option with autocomplete, and return the choices offered."""
        person = self._acting(name)
        filled = options(self, command)
        filled.pop(option, None)
        text = mentioning(self, text)
        if command.in_dm:
            asked = person.user.autocomplete(command.path, option, text, **filled)
        else:
            asked = person.member.autocomplete(
                self._typed_in(person, command), command.path, option, text, **filled
            )
        choices = await self._ask(asked)
        self.look()
        return Reply(choices=tuple(str(choice["name"]) for choice in choices))

    async def say(self, name: str, words: Say) -> Reply:
        """Write to people in the game channel or a thread, or to the bot in its DMs.

        The reply is what the bot then sends there, whoever can read it.
        """
        person = self._acting(name)
        text = mentioning(self, words.text)
        if words.in_dm:
            channel = person.user.dm_channel
            await self._ask(person.user.send_dm(text))
        else:
            channel = self._typed_in(person, words)
            await self._ask(person.member.send(channel, text))
        self.look()
        return Reply(messages=self.came(name, channel.id))

    def _typed_in(self, person: PlayPerson, command: Slash | Say) -> ChannelHandle:
        """Return where somebody types: the game channel, or the newest thread this person can
        see.
        """
        if not command.in_thread:
            return self.channel
        store = self.env.backend
        threads = [
            id
            for id in self.channels_of(person)
            if store.get_channel(id).parent_id == self.channel.id
        ]
        if not threads:
            raise ImpossibleAction("This person can't see any thread.")
        return ChannelHandle(self.env, self.guild, store.get_channel(max(threads)))

    # ------------------------------------------------------------ messages

    async def press(self, name: str, label: str, on: str | None = None) -> Reply:
        """Press a button in the newest message where it is enabled, and which contains the text
        ``on``.
        """
        person = self._acting(name)
        message, found = self._newest(
            person, lambda each: each.is_button and each.label == label, on
        )
        if message is None:
            what = f"no enabled button {label!r}" + (
                f" on a message with {on!r}" if on is not None else ""
            )
            raise ImpossibleAction(f"{name} can see {what}. {self._buttons(person)}")
        if len(found) > 1:
            raise ImpossibleAction(f"That message has {len(found)} enabled buttons {label!r}.")
        actor = self.actor(person, message.channel_id)
        pressed = ResponseMessage(self.env, message)
        result = await self._ask(actor.click(pressed, custom_id=found[0].custom_id))
        return self._reply(person, result, message.id)

    async def menu(self, name: str, command: str, on: str) -> Reply:
        """Choose a user command on ``@name``, or a message command on the newest message with the
        text ``on``.

        Discord has none on a message that one person sees, SimCord none in DMs.
        """
        person = self._acting(name)
        target: Any
        if on.startswith("@"):
            target, channel = self.person(on[1:]).member, self.channel.id
        else:
            for shown in self._visible(person, newest_first=True):
                message = shown.message
                shared = not message.is_ephemeral and not self.is_dm(message.channel_id)
                if shared and on in self._text(shown):
                    break
            else:
                raise ImpossibleAction(
                    f"{name} can see no message with {on!r} that others can see too."
                )
            target, channel = ResponseMessage(self.env, message), message.channel_id
        handle = ChannelHandle(self.env, self.guild, self.env.backend.get_channel(channel))
        return self._reply(
            person, await self._ask(person.member.context_menu(handle, command, target))
        )

    async def choose(
        self, name: str, labels: Sequence[str], placeholder: str | None = None
    ) -> Reply:
        """Choose in the newest enabled select, or the newest with this placeholder."""
        person = self._acting(name)

        def wanted(each: Control) -> bool:
            return not each.is_button and placeholder in (None, each.label)

        message, found = self._newest(person, wanted)
        if message is None:
            what = "no enabled select" + (f" {placeholder!r}" if placeholder is not None else "")
            raise ImpossibleAction(f"{name} can see {what}. {self._selects(person)}")
        if len(found) > 1:
            fitting = [each for each in found if pick(each.choices, labels) is not None]
            found = fitting or found
        if len(found) > 1:
            names = ", ".join(repr(each.label) for each in found)
            raise ImpossibleAction(f"That message has several selects ({names}). Say which.")
        select = found[0]
        values = chosen(select, labels)
        actor = self.actor(person, message.channel_id)
        pressed = ResponseMessage(self.env, message)
        result = await self._ask(actor.select(pressed, values, custom_id=select.custom_id))
        return self._reply(person, result, message.id)

    # ------------------------------------------------------------ modals

    def fill(self, name: str, label: str, values: Sequence[str]) -> None:
        """Set a field of this person's open modal."""
        person = self.person(name)
        modal = self._modal(person)
        found = [each for each in modal.fields if each.label == label]
        if len(found) != 1:
            names = ", ".join(repr(each.label) for each in modal.fields)
            several = "no field" if not found else f"{len(found)} fields"
            raise ImpossibleAction(
                f"The form {modal.title!r} has {several} {label!r}. Its fields: {names}."
            )
        modal.values[found[0].custom_id] = filling(found[0], values)

    async def submit(self, name: str) -> Reply:
        """Send this person's open modal, with its initial content where it was not changed."""
        person = self.person(name)
        modal = self._modal(person)
        values = {
            each.custom_id: sending(each, modal.values[each.custom_id])
            for each in modal.fields
            if modal.values[each.custom_id] or each.kind == ComponentType.TEXT_INPUT
        }
        actor = self.actor(person, modal.result._interaction.channel_id)
        result = await self._ask(actor.submit_modal(modal.result, values))
        del self._modals[name]
        return self._reply(person, result, modal.pressed)

    def _modal(self, person: PlayPerson) -> _Modal:
        """Return a person's open modal. Raises `ImpossibleAction` when there is none."""
        if person.name not in self._modals:
            raise ImpossibleAction(
                f"{person.name} has no open form: doing anything else closes it."
            )
        return self._modals[person.name]

    # ------------------------------------------------------------ the bot and the clock

    async def wait(self, seconds: float) -> None:
        """Advance the clock of Discord and the bot."""
        await self._ask(self.env.advance_time(seconds))
        self.look()

    async def restart(self) -> None:
        """Drop the bot without closing it, after its late writes, and start a new one on the same
        database.
        """
        await self._ledgers[-1].messages.flush()
        bot, ledger = await self._make()
        self._ledgers.append(ledger)
        await self._ask(self.env.restart_bot(bot))
        self.look()

    # ------------------------------------------------------------ inside

    async def _ask(self, asked: Awaitable[Any]) -> Any:
        """Await an operation of SimCord. Raises `ImpossibleAction` if Discord would not let the
        person do it.
        """
        try:
            return await asked
        except (simcord.SetupError, BackendError) as error:
            notes = " ".join(getattr(error, "__notes__", ()))
            raise ImpossibleAction(f"{error}. {notes}".strip()) from error
        except TimeoutError as error:
            raise ImpossibleAction(f"The bot did not finish: {error}") from error

    def _reply(
        self, person: PlayPerson, result: InteractionResult, pressed: int | None = None
    ) -> Reply:
        """Look, and return the reply to the person who acted."""
        self.look()
        if (modal := result.modal) is not None:
            found = reading.fields(modal)
            values = {each.custom_id: each.values for each in found}
            self._modals[person.name] = _Modal(
                result, str(modal.get("title")), found, values, pressed
            )
            return Reply(modal=reading.read_modal(modal, self.names, self.env.now()))
        sent = [result.response, *result.followups]
        return Reply(
            answered=result.acknowledged,
            messages=tuple(
                self.message(each.id) for each in sent if each is not None and each.id != pressed
            ),
            pressed=self.message(pressed)
            if pressed is not None and self.changed_since_look(pressed)
            else None,
        )
