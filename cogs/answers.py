"""Answers: every interaction is answered within the three seconds that Discord waits.

An interaction that takes longer is deferred: a command in private, since its reply may be for the
person alone; a press by announcing an update of its message. No form can be opened after that, so
forms are opened from memory.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from typing import Any, TypeVar

import discord
from discord import Interaction, ui
from discord.utils import MISSING

from bot.delivery import (
    FAILURES,
    PressedMessage,
    PrivateMessage,
    Way,
    is_outage,
    marker_of,
    payload,
    render_form,
    tried_once,
    way_of,
    with_picture,
)
from bot.ledger import LedgerError
from bot.lifecycle import DiscordTime, Interactions, turn_away
from bot.logs import note
from bot.rules.model.people import Names
from bot.rules.model.stamps import Stamp
from bot.rules.model.violation import Refused
from bot.service import Recent
from bot.show.cards import Card, fits_classical, text_card
from bot.show.custom_ids import renumbered
from bot.show.forms import Form
from bot.show.results import refusal_text
from bot.show.words import without_mentions
from bot.tasks import Tasks, loop_time
from bot.watch import Ending, Watch
from cogs.fair_use import FairUse, too_much
from cogs.inputs import cleaned

T = TypeVar("T")

log = logging.getLogger(__name__)

ALREADY_ANSWERED, EXPIRED = 40060, 10062
"""Discord's codes for an interaction that already has a response, and for one older than three
seconds.
"""

DEFER_AFTER = 1.5
"""The age in seconds at which an interaction is deferred. One that is older when it arrives is
deferred before anything else: if Discord has already told the person that it failed, it must not be
executed.
"""

GIVE_UP_AFTER = 2.8
"""The age in seconds at which a response is tried for the last time. Discord accepts one for three
seconds.
"""

PAUSES = (0.2, 0.4, 0.8, 0.8)
"""Seconds between attempts to respond."""

FILL_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Seconds between attempts to replace the “thinking” of a deferred response."""

TOO_MANY = 429
SELECT = discord.ComponentType.select.value

UNKNOWN = "unknown"
"""The name of a command or action that nobody knows."""

INTERACTION_KINDS = {
    discord.InteractionType.application_command: "command",
    discord.InteractionType.autocomplete: "completion",
    discord.InteractionType.component: "press",
    discord.InteractionType.modal_submit: "form",
}
"""The operator's words for the types of interaction."""

ELSEWHERE = "I work only in a server's channels and in direct messages with me."

TOO_SLOW = "That took me too long. Press it again."


KeepToken = Callable[[int, int, discord.Webhook, float], None]
"""Keeps the token that reaches a message: its id, its channel's, what holds the token, and its age
in seconds.
"""


ForgetMessage = Callable[[int], None]
"""Forgets a message, by its id, that shows something else from now on."""


Tell = Callable[[int, Card, str], Awaitable[None]]
"""Sends a card to a user by DM, with a nonce."""

DELIVERIES_KEPT = 4096
"""The most interactions of which it is remembered how often they came."""

MANY_ELSEWHERE = 3
"""How many interactions somebody else answers within a minute before that is critical."""

ANOTHER_COPY = "Whatever you just read was from another copy of me. What counts is this:"
TOO_LATE = "Discord may have told you that this failed. It didn't:"
RECORDED = "What you did is recorded. **History** under **Menu** shows it."


class InteractionExpired(Exception):
    """Discord told the person that their interaction failed, so it must not be executed."""


class Answer:
    """The answer to one interaction: a response, and follow-ups after it. ``age`` is the
    interaction's, in seconds.

    ``command`` is the name of what was asked for, and ``outcome`` what became of it; ``rule`` is
    that of a refusal. ``keep`` is given the interaction's token once it reaches the pressed
    message.
    """

    def __init__(
        self,
        interaction: Interaction,
        age: float = 0.0,
        keep: KeepToken | None = None,
        forget: ForgetMessage | None = None,
    ) -> None:
        self._interaction = interaction
        self._keep = keep
        self._forget = forget
        self._made = loop_time() - age
        self._timer: asyncio.TimerHandle | None = None
        self._tasks = Tasks()
        self._lock = asyncio.Lock()
        self._work: asyncio.Task[Any] | None = None
        self.too_late = False
        self._unanswerable = False
        self._taken = False
        self._unsure = False  # whether Discord may have accepted a request of the last response
        self._deferred = False
        self._updated = False
        # the age at the first response, and whether that deferred
        self._first: tuple[float, bool] | None = None
        self.command = UNKNOWN
        self.outcome: Ending = "done"
        self.counts = False  # whether what the person did is recorded
        self.repeated = False  # whether an earlier delivery of the interaction recorded it
        self.elsewhere = False  # whether somebody else had answered before any attempt of ours
        self._refused = False  # whether Discord has not taken an answer
        self.unsaid: str | Card | None = None  # what the person would have read then
        self.rule: str | None = None
        # those of the table that was looked at, for the markup of a refusal
        self.names: Names | None = None
        # the newest of the table that was looked at, for what is drawn once
        self.stamp: Stamp | None = None
        # adds what the person reads once
        self.beside: Callable[[str | Card], str | Card] = lambda message: message
        # the message for the person alone that this answer sent or updated last
        self.private: PrivateMessage | None = None
        # called once Discord has taken a message with that
        self.beside_taken: Callable[[], None] = lambda: None

    @property
    def _responded(self) -> bool:
        """Whether there is a response. discord.py misses a response that Discord accepted although
        it answered 503.
        """
        return self._taken or self._interaction.response.is_done()

    @property
    def unread(self) -> bool:
        """Whether Discord has taken no answer."""
        return self._refused and not self._responded

    @property
    def _owns_original(self) -> bool:
        """Whether the response is certainly this answer's and may be edited.

        After an error and 40060 it may be that of an earlier delivery of the interaction, and stand
        for everybody.
        """
        return self._deferred or self._interaction.response.is_done()

    # ---------------------------------------------------------------- deferring

    def arm(self) -> None:
        """Schedule a deferral, in case there is no response in time. If it comes too late, cancel
        the current task.
        """
        self._work = asyncio.current_task()
        self._timer = asyncio.get_running_loop().call_at(
            self._made + DEFER_AFTER, lambda: self._tasks.start("deferring", self._defer_quietly())
        )

    def disarm(self) -> None:
        """Cancel the scheduled deferral."""
        if self._timer is not None:
            self._timer.cancel()

    async def defer(self) -> None:
        """Tell Discord that the answer takes a while. Raises `InteractionExpired` if Discord no
        longer waits for it.
        """
        async with self._lock:
            if self._responded or self._unanswerable:
                return
            if not await self._respond(self._acknowledge, deferring=True):
                raise InteractionExpired
            if self._taken and not await self._defers():
                raise InteractionExpired
            self._deferred = True

    async def _defers(self) -> bool:
        """Return whether Discord has our deferral, after an error and the word that there is a
        response already.

        It may have another one: that of an earlier delivery of the same interaction, such as a card
        for everybody, which a private answer must never replace.
        """
        pressed = self._interaction.message
        try:
            found = await _repeated(self._interaction.original_response, PAUSES)
        except (discord.HTTPException, *FAILURES):
            return False
        return found.flags.loading if pressed is None else found.id == pressed.id

    async def _acknowledge(self) -> None:
        pressed = self._interaction.type is discord.InteractionType.component
        if pressed or self._interaction.message is not None:
            await self._interaction.response.defer()
            self._reaches_pressed()
        else:
            await self._interaction.response.defer(ephemeral=True, thinking=True)

    def _reaches_pressed(self) -> None:
        """Keep the token: after an acknowledgement or an update it reaches the pressed message,
        whoever sent that.
        """
        pressed, channel_id = self._interaction.message, self._interaction.channel_id
        if (
            self._keep is not None
            and pressed is not None
            and channel_id
            and not pressed.flags.ephemeral
        ):
            self._keep(pressed.id, channel_id, self._interaction.followup, self.age)

    async def _defer_quietly(self) -> None:
        try:
            await self.defer()
        except InteractionExpired:
            # The person was told that it failed, so nothing is written unless the ledger has begun
            # to write it.
            self.too_late = True
            if self._work is not None:
                self._work.cancel()
        except discord.HTTPException as error:
            log.warning(
                "an interaction could not be deferred: status %s", error.status, extra=self._about
            )

    # ---------------------------------------------------------------- answering

    async def send(self, message: str | Card) -> None:
        """Respond to the person alone, or send a follow-up if there is a response.

        If they chose in a menu of a private reply, its menus are renewed first: they could not
        choose the same again. A DM is left to delivery, which may be changing it just now.
        """
        message = self._stamped(self.beside(message))
        async with self._lock:
            data: Any = self._interaction.data or {}
            pressed = self._interaction.type is discord.InteractionType.component
            if (
                pressed
                and data.get("component_type") == SELECT
                and self.pressed_ephemeral
                and not self._updated
            ):
                with suppress(discord.HTTPException, *FAILURES):
                    await self._update(self._renewed)
            if not self._responded:
                taken = await self._respond(partial(self._send, message))
            elif self._deferred and not pressed and self._interaction.message is None:
                self._deferred = False  # only the first message replaces the “thinking”
                taken = await self._fill(message)
            else:
                taken = await self._follow_up(message)
        self._read(message, taken)

    def _read(self, message: str | Card, taken: bool) -> None:
        """Note whether the person reads a message."""
        if taken:
            self.beside_taken()
        elif self._refused:
            self.unsaid = self.unsaid or message

    def _stamped(self, message: str | Card) -> str | Card:
        return message if isinstance(message, str) else message.stamped(self.stamp)

    async def _send(self, message: str | Card) -> None:
        """Respond with a new message for the person alone."""
        send = self._interaction.response.send_message
        callback: Any = await send(**payload(message), ephemeral=True)
        self._sent(getattr(callback, "message_id", None), message, original=True)

    def _sent(
        self, message_id: int | None, message: str | Card, *, original: bool, way: Way | None = None
    ) -> None:
        """Remember which message the person alone got, and how it was drawn."""
        channel_id = self._interaction.channel_id
        if message_id is not None and channel_id is not None:
            drawn = way or ("classical" if isinstance(message, str) else "v2")
            webhook = self._interaction.followup
            self.private = PrivateMessage(
                message_id, channel_id, webhook, self.age, original=original, way=drawn
            )

    async def show(self, pressed: PressedMessage) -> None:
        """Update the pressed message, which others may read too. If that may have failed, delivery
        edits it again.
        """
        card = await with_picture(pressed.card)
        async with self._lock:
            shown = self._unsure = False
            try:
                shown = await self._update(
                    lambda: payload(card, pressed.way, marker=pressed.marker, edit=True)
                )
            except (discord.HTTPException, *FAILURES):
                if not self._deferred:
                    raise
            finally:
                if shown:
                    pressed.shown()
                elif self._unsure:
                    pressed.doubted()

    async def open(self, form: Form) -> None:
        """Open a form; after a deferral, ask for another press instead."""
        async with self._lock:
            if self._responded:
                await self._follow_up(TOO_SLOW)
                return
            modal = render_form(form, self.stamp)
            await self._respond(lambda: self._interaction.response.send_modal(modal))

    async def turn_away(self, reason: str) -> None:
        """Tell the person in private why nothing was done. For a completion, suggest nothing."""
        if self._interaction.type is discord.InteractionType.autocomplete:
            await self.suggest_nothing()
        else:
            await self.send(reason)

    async def suggest_nothing(self) -> None:
        """Answer a completion with no choices if it has no answer yet: discord.py does not answer a
        failed one.
        """
        typing = self._interaction.type is discord.InteractionType.autocomplete
        if typing and not self._responded and not self._unanswerable:
            with suppress(discord.HTTPException):
                await self._respond(lambda: self._interaction.response.autocomplete([]))

    async def suggest(self, suggesting: Callable[[], Awaitable[object]]) -> None:
        """Answer a completion by calling ``suggesting``, repeatedly while Discord has server
        errors.
        """
        await self._respond(suggesting)

    async def update(self, message: str | Card) -> None:
        """Replace the pressed message if only this person sees it in a channel; otherwise reply."""
        await self._replace(message, private=self.pressed_ephemeral)

    async def replace(self, message: str | Card) -> None:
        """Replace the pressed message if it is this person's alone, in a channel or in a DM;
        otherwise reply.

        What a DM asked is not settled at the table by this, and delivery does not edit it before it
        is.
        """
        in_dm = self._interaction.message is not None and self._interaction.guild_id is None
        await self._replace(message, private=self.pressed_ephemeral or in_dm)

    @property
    def pressed_ephemeral(self) -> bool:
        """Whether the pressed message is one that only this person sees in a channel."""
        return self._interaction.message is not None and self._interaction.message.flags.ephemeral

    async def _replace(self, message: str | Card, *, private: bool) -> None:
        pressed = self._interaction.message
        if pressed is None or not private or (self._responded and not self._owns_original):
            await self.send(message)  # a private card never replaces a shared message
            return
        way, marker = way_of(pressed), marker_of(pressed)
        if way == "classical" and isinstance(message, Card) and not fits_classical(message.rows):
            await self.send(message)
            return
        message = self._stamped(self.beside(message))
        card = text_card(message) if isinstance(message, str) else message
        async with self._lock:
            taken = await self._update(
                lambda: self._renewed(payload(card, way, marker=marker, edit=True))
            )
        self._read(card, taken)
        if taken and marker is None:  # one with a marker is delivery's, which keeps it up to date
            self._sent(pressed.id, card, original=True, way=way)

    def _renewed(self, said: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return an update of the pressed message, by default to what it shows, with other
        custom_ids for its menus.

        A menu keeps what was chosen until its custom_id changes, and Discord's client sends no
        choice twice.
        """
        assert self._interaction.message is not None
        shown = ui.LayoutView.from_message(self._interaction.message, timeout=None)
        shown.stop()
        before = next((each.custom_id for each in _menus(shown)), "")
        said = said or {"view": shown, "allowed_mentions": discord.AllowedMentions.none()}
        for each in _menus(said["view"]):
            each.custom_id = renumbered(each.custom_id, before)
        return said

    async def _update(self, said: Callable[[], dict[str, Any]]) -> bool:
        """Update the pressed message. Return whether it surely shows this now."""
        self._updated = True
        if self._forget is not None and self._interaction.message is not None:
            self._forget(self._interaction.message.id)
        if self._responded:
            if self._owns_original:
                with self._asking():
                    await self._interaction.edit_original_response(**said())
            return self._owns_original
        shown = (
            await self._respond(lambda: self._interaction.response.edit_message(**said()))
            and not self._taken
        )
        if shown:
            self._reaches_pressed()
        return shown

    async def _respond(
        self, call: Callable[[], Awaitable[object]], *, deferring: bool = False
    ) -> bool:
        """Respond, repeatedly while Discord has server errors or says 429. Return whether there is
        a response now.

        If Discord says after a server error that there is a response already, it accepted an
        earlier attempt; without one, somebody else's. However long the pause, the last attempt is
        made in time.
        """
        self._unsure = False
        if self.elsewhere:
            return False
        for pause in (*PAUSES, None):
            try:
                with self._asking(), tried_once():
                    await call()
            except discord.InteractionResponded:
                return True
            except discord.RateLimited as error:
                failure: Exception = error
            except discord.HTTPException as error:
                if not is_outage(error) and error.status != TOO_MANY:
                    if error.code == ALREADY_ANSWERED:
                        self._taken = self._unsure
                        self.elsewhere = self._refused = not self._unsure
                        return self._unsure
                    if error.code == EXPIRED:
                        self._refused = True
                        return False
                    raise
                failure = error
            except FAILURES as error:
                failure = error
            else:
                self._first = self._first or (self.age, deferring)
                return True
            left = GIVE_UP_AFTER - self.age
            if pause is None or left <= 0:
                log.warning("an interaction could not be answered: %s", failure, extra=self._about)
                self._unanswerable = self._refused = True  # a later deferral would stay “thinking”
                return False
            if isinstance(failure, discord.RateLimited):
                pause = max(pause, failure.retry_after)
            await asyncio.sleep(min(pause, left))  # the last attempt is made just in time
        return False

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Note in ``_unsure`` that Discord may have accepted a request, unless it says that it has
        not.
        """
        before, self._unsure = self._unsure, True
        try:
            yield
        except discord.DiscordException as error:
            self._unsure = before or is_outage(error)
            raise

    @property
    def age(self) -> float:
        return loop_time() - self._made

    @property
    def _about(self) -> dict[str, int]:
        """The interaction, for a log line of another task."""
        return {"interaction": self._interaction.id}

    def report(self, watch: Watch) -> None:
        """Report how the interaction ended."""
        kind = INTERACTION_KINDS.get(self._interaction.type, UNKNOWN)
        outcome = "unanswered" if self._unanswerable and self.outcome == "done" else self.outcome
        watch.interaction(kind, self.command, outcome, self.rule)
        if self._first is not None:
            watch.answered(kind, self._first[0], deferred=self._first[1])
        log.debug(
            "%s %s: %s", kind, self.command, f"{outcome} by {self.rule}" if self.rule else outcome
        )

    async def _fill(self, message: str | Card) -> bool:
        """Replace the “thinking” of a deferred response. Return whether that took effect.

        This edits one message, so it can be repeated.
        """
        with suppress_answered():
            filled: Any = await _repeated(
                lambda: self._interaction.edit_original_response(**payload(message, edit=True)),
                FILL_PAUSES,
            )
            self._sent(getattr(filled, "id", None), message, original=True)
            return True
        return False

    async def _follow_up(self, message: str | Card) -> bool:
        """Send a private message after the response. Return whether it surely arrived.

        It has no nonce, so it is not repeated if its fate is unknown.
        """
        try:
            with suppress_answered():
                send: Any = self._interaction.followup.send
                sent = await send(**payload(message), ephemeral=True)
                self._sent(getattr(sent, "id", None), message, original=False)
                return True
        except (discord.HTTPException, *FAILURES) as error:
            if not is_outage(error):
                raise
            log.warning("a follow-up may not have arrived: %s", error, extra=self._about)
        return False


def _menus(view: ui.LayoutView | ui.View) -> list[ui.Select[Any]]:
    return [each for each in view.walk_children() if isinstance(each, ui.Select)]


async def _repeated(request: Callable[[], Awaitable[T]], pauses: Sequence[float]) -> T:
    """Make a request that changes nothing if it is made twice, again after each pause while Discord
    is down.
    """
    for pause in pauses:
        try:
            return await request()
        except (discord.HTTPException, *FAILURES) as error:
            if not is_outage(error):
                raise
        await asyncio.sleep(pause)
    return await request()


@dataclass
class Answers:
    """Answers all interactions in time.

    ``carried_out`` returns whether an interaction changed a table. It may raise `LedgerError`.
    ``not_here`` returns why nothing can be done on a server, and an empty string for one that the
    bot is on. ``since`` is when this began.
    """

    interactions: Interactions
    carried_out: Callable[[int], Awaitable[bool]]
    fair_use: FairUse = field(default_factory=FairUse)
    time: DiscordTime = field(default_factory=DiscordTime)
    watch: Watch = field(default_factory=Watch)
    keep: KeepToken | None = None
    forget: ForgetMessage | None = None
    not_here: Callable[[int], str] = lambda guild_id: ""
    tell: Tell | None = None
    since: float = field(default_factory=monotonic, init=False)
    _came: Recent[int, int] = field(default_factory=lambda: Recent(DELIVERIES_KEPT), init=False)

    async def handle(
        self, interaction: Interaction[Any], work: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        """Answer an interaction by doing this work, and defer it if the work takes long."""
        with self.interactions.running():
            await (
                turn_away(interaction)
                if self.interactions.closed
                else self._answer(interaction, work)
            )

    async def _answer(
        self, interaction: Interaction[Any], work: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        note(interaction=interaction.id)
        self._came[interaction.id] = self._came.get(interaction.id, 0) + 1
        answer = interaction.extras[ANSWER] = Answer(
            interaction, self.time.age(interaction.created_at), self.keep, self.forget
        )
        try:
            if interaction.type is discord.InteractionType.autocomplete:
                pass  # a completion can't be deferred, and changes nothing
            elif answer.age >= DEFER_AFTER:
                await answer.defer()
            else:
                answer.arm()
            if reason := self._turned_away(interaction):
                answer.outcome = "turned_away"
                await answer.turn_away(reason)
            else:
                await self.fair_use.metered(interaction, work())
                await answer.suggest_nothing()
        except InteractionExpired:
            answer.outcome = "late"
            answer.counts = await self._log_fate(interaction.id, answer.age)
        except asyncio.CancelledError:
            answer.outcome = "late" if answer.too_late else "stopped"
            if not answer.too_late:
                raise
            answer.counts = await self._log_fate(interaction.id, answer.age)
        except (discord.HTTPException, *FAILURES) as error:
            # Not even what went wrong can be said, such as with a token that Discord takes no more.
            answer.outcome = "discord"
            log.warning("Discord took no answer: %s", error)
        finally:
            answer.disarm()
            answer.report(self.watch)
        before_us = self._before_us(answer.age)
        if answer.unread and not before_us and self._came.get(interaction.id, 0) == 1:
            await self._unread(interaction, answer)

    async def _unread(self, interaction: Interaction[Any], answer: Answer) -> None:
        """Tell the person by DM what is recorded here, and the operator if another program answers
        with the bot's token.

        It is none if another process of ours recorded it.
        """
        recorded = answer.counts and not answer.repeated
        if answer.elsewhere:
            if not recorded and await self._is_recorded(interaction.id):
                return
            often = self.watch.answered_elsewhere() >= MANY_ELSEWHERE
            log.log(
                logging.CRITICAL if often else logging.WARNING,
                "Another program with my token answered an interaction in my place%s. Stop it, or "
                "give it a token of its own: people read what only one of the two knows.",
                ", which is recorded here" if recorded else "",
            )
        if recorded and self.tell is not None:
            told = answer.unsaid or RECORDED
            card = text_card(told) if isinstance(told, str) else told
            if answer.names is not None:
                card = without_mentions(answer.names, card)
            first = ANOTHER_COPY if answer.elsewhere else TOO_LATE
            # without buttons: nobody keeps it up to date, and it stays
            card = replace(card, blocks=(first, *card.blocks), rows=())
            await self.tell(interaction.user.id, card, f"so-{interaction.id}")

    async def _is_recorded(self, interaction: int) -> bool:
        try:
            return await self.carried_out(interaction)
        except LedgerError:
            return False

    def _turned_away(self, interaction: Interaction[Any]) -> str:
        """Return why an interaction of any kind is turned away; empty if it is not.

        This also removes invisible characters from what the person typed and turns away texts that
        are too long, before anything else reads them.
        """
        if interaction.context.private_channel or interaction.user is MISSING:
            return ELSEWHERE
        if interaction.guild_id and (reason := self.not_here(interaction.guild_id)):
            return reason
        if wait := self.fair_use.wait(interaction):
            return too_much(wait)
        try:
            interaction.data = cleaned(interaction.data)
        except Refused as refused:
            return refusal_text(refused, None)
        return ""

    def _before_us(self, age: float) -> bool:
        """Return whether an interaction is surely older than this process. Its age may be a second
        too much.
        """
        return age - 1 > monotonic() - self.since

    async def _log_fate(self, interaction: int, age: float) -> bool:
        """Log and return whether an interaction was executed although the person was told that it
        failed.

        Discord delivers many to a new connection that nobody could have answered, since no process
        was there.
        """
        level = logging.DEBUG if self._before_us(age) else logging.WARNING
        try:
            carried_out = await self.carried_out(interaction)
        except LedgerError as error:
            log.log(
                level, "an interaction was not answered in time; its fate is unknown: %s", error
            )
            return False
        fate = "but was carried out" if carried_out else "and is not carried out"
        log.log(level, "an interaction was not answered in time %s", fate)
        return carried_out


ANSWER = "answer"
"""The key of the answer in an interaction's ``extras``."""


def answer_to(interaction: Interaction) -> Answer:
    """Return the answer to an interaction, making it if necessary."""
    found = interaction.extras.get(ANSWER)
    if not isinstance(found, Answer):
        found = interaction.extras[ANSWER] = Answer(interaction)
    return found


@contextmanager
def suppress_answered() -> Iterator[None]:
    """Ignore errors because an interaction was answered already or has expired: Discord may deliver
    one twice.
    """
    try:
        yield
    except discord.HTTPException as error:
        if error.code not in (ALREADY_ANSWERED, EXPIRED):
            raise
