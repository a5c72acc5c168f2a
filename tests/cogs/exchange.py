"""A single interaction, and a Discord that answers it as a test wants."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

import discord

from bot.delivery import PressedMessage
from bot.delivery.desired import Way
from bot.lifecycle import DiscordTime, Interactions
from bot.rules.model.actions import OfferAction
from bot.show.cards import Card
from bot.show.forms import Form
from cogs.answers import Answers
from tests.errors import error
from tests.waiting import until

COMMAND, PRESS, COMPLETION, FORM = (
    discord.InteractionType.application_command,
    discord.InteractionType.component,
    discord.InteractionType.autocomplete,
    discord.InteractionType.modal_submit,
)
CARD = Card("open", "the card")
UNKNOWN_INTERACTION, ALREADY = (404, 10062), (400, 40060)
FORM_TO_OPEN = Form("Alter", OfferAction(1, 1, 1, "alter"), ())
PRESSED, MADE = 55, 900
"""The ids of the message that was pressed, and of the one that a response makes."""


@dataclass
class Said:
    """What Discord was told: a response (by its kind), a change of it, or a follow-up."""

    what: str
    text: str = ""


@dataclass
class Exchange:
    """An interaction, and a Discord that takes one response to it. ``errors`` are what it says to
    the next requests.
    """

    type: discord.InteractionType = COMMAND
    message: Any = None
    data: Any = None
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    errors: list[Exception] = field(default_factory=list)
    gate: asyncio.Event | None = None
    asked: list[str] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    extras: dict[str, Any] = field(default_factory=dict)
    taken: bool = False
    before: str = "send"  # how another delivery of the interaction answered, if it is taken
    done: bool = False
    id: int = 77
    channel_id: int = 500
    channel: Any = None
    guild_id: int = 1
    client: Any = None

    @property
    def it(self) -> discord.Interaction[Any]:
        return cast(Any, self)

    # ------------------------------------------------------------ as discord.py has it

    @property
    def context(self) -> Any:
        return SimpleNamespace(private_channel=False)

    @property
    def user(self) -> Any:
        return SimpleNamespace(id=1)

    @property
    def response(self) -> Exchange:
        return self

    @property
    def followup(self) -> Any:
        return SimpleNamespace(send=self._follow_up)

    def is_done(self) -> bool:
        return self.done

    async def defer(self, *, ephemeral: bool = False, thinking: bool = False) -> None:
        assert ephemeral == thinking
        await self._respond(Said("think" if thinking else "defer"))

    async def send_message(self, *, ephemeral: bool, **options: Any) -> Any:
        assert ephemeral
        await self._respond(Said("send", read(options)))
        return SimpleNamespace(message_id=MADE)

    async def edit_message(self, **options: Any) -> None:
        await self._respond(Said("update", read(options)))

    async def autocomplete(self, choices: list[Any]) -> None:
        await self._respond(Said("suggest", str(len(choices))))

    async def send_modal(self, modal: discord.ui.Modal) -> None:
        await self._respond(Said("form", modal.title))

    async def original_response(self) -> Any:
        await self._request("look")
        first = self.said[0].what if self.said else self.before
        on_the_pressed = first in ("defer", "update")
        return SimpleNamespace(
            id=PRESSED if on_the_pressed else MADE, flags=SimpleNamespace(loading=first == "think")
        )

    async def edit_original_response(self, **options: Any) -> None:
        await self._request("edit")
        assert self.taken
        self.said.append(Said("edit", read(options)))

    async def _follow_up(self, *, ephemeral: bool, **options: Any) -> None:
        await self._request("follow-up")
        assert self.taken
        assert ephemeral
        self.said.append(Said("follow-up", read(options)))

    async def _respond(self, said: Said) -> None:
        await self._request(said.what, said)
        if self.taken:
            raise error(*ALREADY)
        self._take(said)
        self.done = True  # discord.py knows it only now

    async def _request(self, what: str, said: Said | None = None) -> None:
        self.asked.append(what)
        if self.gate is not None:
            await self.gate.wait()
        if self.errors:
            failure = self.errors.pop(0)
            if isinstance(failure, Taken) and said is not None and not self.taken:
                self._take(said)
            raise failure.error if isinstance(failure, Taken) else failure

    def _take(self, said: Said) -> None:
        self.taken = True
        self.said.append(said)


class Taken(Exception):
    """Discord does what it was asked, and answers with this error."""

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.error = error


def read(options: dict[str, Any]) -> str:
    """Return the text of a message as it is given to discord.py; nobody is pinged by it."""
    assert not options["allowed_mentions"].to_dict().get("users")
    if "content" in options:
        return str(options["content"])
    items = options["view"].walk_children()
    return " ".join(item.content for item in items if isinstance(item, discord.ui.TextDisplay))


async def nothing_recorded(_interaction: int) -> bool:
    return False


def answering(
    carried_out: Callable[[int], Awaitable[bool]] = nothing_recorded,
    time: DiscordTime | None = None,
) -> Answers:
    return Answers(Interactions(), carried_out, time=time or DiscordTime())


@dataclass
class FakePressed:
    """The pressed message, which the response is to update."""

    card: Card = CARD
    way: Way = "v2"
    marker: int = 2**30
    is_shown: bool = False
    is_doubted: bool = False

    def shown(self) -> None:
        self.is_shown = True

    def doubted(self) -> None:
        self.is_doubted = True

    @property
    def it(self) -> PressedMessage:
        return cast(Any, self)


def outage() -> Exception:
    return error(503, 0)


def pressed(*, private: bool = True, **changes: Any) -> Exchange:
    """A press on a message that only the person sees, or all."""
    message = SimpleNamespace(
        id=PRESSED, components=[], flags=SimpleNamespace(ephemeral=private, components_v2=True)
    )
    return Exchange(PRESS, message, **changes)


def told(exchange: Exchange) -> list[tuple[str, str]]:
    return [(each.what, each.text) for each in exchange.said]


@dataclass
class Slow:
    """Work that waits for a ledger that hangs until somebody releases it, and then does
    something.
    """

    then: Callable[[], Awaitable[None]]
    released: asyncio.Event = field(default_factory=asyncio.Event)
    done: bool = False

    async def __call__(self) -> None:
        await self.released.wait()
        await self.then()
        self.done = True


async def nothing() -> None:
    """Work without an answer."""


async def handled(exchange: Exchange, then: Callable[[], Awaitable[None]]) -> None:
    """Handle an interaction whose work waits until it was deferred, and then does this."""
    work = Slow(then)
    task = asyncio.create_task(answering().handle(exchange.it, work))
    await until(lambda: exchange.said)
    work.released.set()
    await task
    assert work.done
